//! A small server for one recorded run: the replay page, and the blocks of the run as the page asks for them.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use crowdloom_output::run::Run;
use crowdloom_replay::streaming_page;
use std::net::TcpListener;
use std::sync::Arc;

/// Serves `run` on `listener`, for as long as the program runs.
pub fn serve(run: Run, listener: TcpListener) -> std::io::Result<()> {
    crate::server::serve_router(router(Arc::new(run)), listener)
}

/// What there is of a run: the page, the list of blocks, and each block.
pub(crate) fn router(run: Arc<Run>) -> Router {
    let page: Arc<str> = streaming_page(&run).into();
    Router::new()
        .route("/", get(move || async move { answer("text/html; charset=utf-8", page.to_string()) }))
        .route("/blocks.json", get(blocks))
        .route("/block/{number}", get(block))
        .with_state(run)
}

fn answer(kind: &'static str, body: impl IntoResponse) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], body).into_response()
}

async fn blocks(State(run): State<Arc<Run>>) -> Response {
    let blocks = run.blocks().iter().map(|info| {
        let kind = char::from(info.prefix.kind.letter()).to_string();
        serde_json::json!({ "kind": kind, "first": info.first_frame, "frames": info.frames })
    });
    answer("application/json", serde_json::Value::Array(blocks.collect()).to_string())
}

async fn block(State(run): State<Arc<Run>>, Path(number): Path<String>) -> Response {
    let number = number.parse().ok();
    let read = tokio::task::spawn_blocking(move || number.and_then(|number| run.block_bytes(number).ok()));
    match read.await {
        Ok(Some(bytes)) => answer("application/octet-stream", bytes),
        _ => (StatusCode::NOT_FOUND, "there is no such block").into_response(),
    }
}
