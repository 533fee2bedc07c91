//! A small server for one run: the page, and the blocks of the run as the page asks for them.

use crate::streaming_page;
use crowdloom_output::run::Run;
use std::net::TcpListener;
use tiny_http::{Header, Method, Request, Response, Server};

/// Threads that answer: a page asks for two things at a time.
const THREADS: usize = 4;

/// Serves `run` on `listener`, for as long as the program runs.
pub fn serve(run: Run, listener: TcpListener) -> std::io::Result<()> {
    let server = Server::from_listener(listener, None).map_err(std::io::Error::other)?;
    let page = streaming_page(&run);
    std::thread::scope(|threads| {
        for _ in 0..THREADS {
            threads.spawn(|| {
                for request in server.incoming_requests() {
                    // Who has gone needs no answer.
                    let _ = answer(request, &run, &page);
                }
            });
        }
    });
    Ok(())
}

fn answer(request: Request, run: &Run, page: &str) -> std::io::Result<()> {
    let found = if *request.method() == Method::Get { contents(request.url(), run, page) } else { None };
    let (status, kind, body) = match found {
        Some((kind, body)) => (200, kind, body),
        None => (404, "text/plain", b"there is no such thing here".to_vec()),
    };
    let mut response = Response::from_data(body).with_status_code(status);
    for (name, value) in [("Content-Type", kind), ("Cache-Control", "no-store")] {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response)
}

pub(crate) fn contents(path: &str, run: &Run, page: &str) -> Option<(&'static str, Vec<u8>)> {
    match path {
        "/" => Some(("text/html; charset=utf-8", page.as_bytes().to_vec())),
        "/blocks.json" => {
            let blocks = run.blocks().iter().map(|info| {
                let kind = char::from(info.prefix.kind.letter()).to_string();
                serde_json::json!({ "kind": kind, "first": info.first_frame, "frames": info.frames })
            });
            let list = serde_json::Value::Array(blocks.collect());
            Some(("application/json", list.to_string().into_bytes()))
        }
        _ => {
            let block = path.strip_prefix("/block/")?.parse().ok()?;
            Some(("application/octet-stream", run.block_bytes(block).ok()?))
        }
    }
}
