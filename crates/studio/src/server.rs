//! The server: the page, a web socket for each page, and nothing for anybody else.

use crate::clock::{Newest, Publisher, Question, run};
use crate::files::Files;
use crate::guard::{Guard, policy};
use crate::protocol::{Answer, Ask, LONGEST_MESSAGE, Mistake, Request, Tell};
use crate::{session, take_away};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use crowdloom_scene::{Overrides, Simulation, parse};
use futures_util::SinkExt;
use futures_util::stream::{SplitSink, StreamExt};
use serde::Deserialize;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};

/// The most pages at once.
const MOST_CLIENTS: usize = 64;
/// Questions that may wait for the simulation, from all pages.
const MOST_QUESTIONS: usize = 256;
/// Answers that may wait for a page to read them; it is not listened to while there are more.
const MOST_ANSWERS: usize = 64;
/// A page that takes nothing for this long is let go of.
const PATIENCE: Duration = Duration::from_secs(90);

/// A studio that is about to be served.
pub struct Studio {
    /// The scene, in its first frame.
    pub simulation: Simulation,
    /// What is harmlessly wrong with it.
    pub warnings: Vec<Mistake>,
    /// Where it is saved.
    pub files: Files,
    /// The page.
    pub page: String,
}

/// Where all pages come in, and what they find there.
struct Hall {
    guard: Guard,
    page: String,
    files: Files,
    questions: SyncSender<Question>,
    frames: watch::Receiver<Newest>,
    scene: watch::Receiver<Bytes>,
    state: watch::Receiver<Bytes>,
    text: watch::Receiver<Bytes>,
    clients: AtomicUsize,
}

/// Serves a studio for as long as the program runs; who does not know `guard`'s token is refused.
pub fn serve(studio: Studio, guard: Guard, listener: TcpListener) -> std::io::Result<()> {
    let Studio { simulation, warnings, files, page } = studio;
    let (questions, asked) = sync_channel(MOST_QUESTIONS);
    let (frames_in, frames) = watch::channel(Newest::default());
    let (scene_in, scene) = watch::channel(Bytes::new());
    let (state_in, state) = watch::channel(Bytes::new());
    let (text_in, text) = watch::channel(Bytes::new());
    let publisher = Publisher { frames: frames_in, scene: scene_in, state: state_in, text: text_in };
    let own = files.clone();
    std::thread::Builder::new()
        .name("simulation".into())
        .spawn(move || run(simulation, warnings, own, &asked, &publisher))?;
    let clients = AtomicUsize::new(0);
    let hall = Arc::new(Hall { guard, page, files, questions, frames, scene, state, text, clients });
    let router = Router::new()
        .route("/", get(page_of))
        .route("/schema.json", get(schema))
        .route("/socket", get(socket))
        .with_state(hall);
    serve_router(router, listener)
}

/// Serves whatever a router answers for as long as the program runs.
pub(crate) fn serve_router(router: Router, listener: TcpListener) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await
    })
}

/// What comes after the question mark of an address.
#[derive(Deserialize)]
struct Known {
    token: Option<String>,
}

async fn page_of(State(hall): State<Arc<Hall>>, Query(known): Query<Known>, headers: HeaderMap) -> Response {
    if !hall.guard.lets_in(&headers, known.token.as_deref(), false) {
        return refused();
    }
    let Ok(nonce) = crate::guard::secret() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let page =
        hall.page.replace("<script type=\"module\"", &format!("<script type=\"module\" nonce=\"{nonce}\""));
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy(&nonce)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::X_FRAME_OPTIONS, "DENY".to_owned()),
    ];
    (headers, page).into_response()
}

async fn schema(State(hall): State<Arc<Hall>>, Query(known): Query<Known>, headers: HeaderMap) -> Response {
    if !hall.guard.lets_in(&headers, known.token.as_deref(), false) {
        return refused();
    }
    ([(header::CONTENT_TYPE, "application/json")], crowdloom_scene::schema().to_string()).into_response()
}

fn refused() -> Response {
    let why = "This studio belongs to somebody else. Open the address that `crowdloom studio` printed.\n";
    (StatusCode::FORBIDDEN, [(header::CONTENT_TYPE, "text/plain")], why).into_response()
}

async fn socket(
    State(hall): State<Arc<Hall>>,
    Query(known): Query<Known>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !hall.guard.lets_in(&headers, known.token.as_deref(), true) {
        return refused();
    }
    let Some(place) = Place::take(hall) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages are open").into_response();
    };
    upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(move |socket| attend(socket, place))
}

/// The place of one page among all; it is free again when the page has gone.
struct Place(Arc<Hall>);

impl Place {
    fn take(hall: Arc<Hall>) -> Option<Self> {
        let place = Self(hall);
        (place.0.clients.fetch_add(1, Ordering::Relaxed) < MOST_CLIENTS).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.clients.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Attends to one page until it goes.
async fn attend(socket: WebSocket, place: Place) {
    let (sink, mut stream) = socket.split();
    let (answers, answered) = mpsc::channel(MOST_ANSWERS);
    let telling = tokio::spawn(tell_newest(sink, place.0.clone(), answered));
    while let Some(Ok(message)) = stream.next().await {
        let told = match message {
            Message::Text(text) => listen(&place.0, text.as_str()).await,
            Message::Binary(_) => nobody_asked(0, "questions are text"),
            Message::Close(_) => break,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        if answers.send(told).await.is_err() {
            break;
        }
    }
    drop(answers);
    telling.abort();
}

fn nobody_asked(id: u32, why: &str) -> Tell {
    Tell::Answer { id, answer: Answer::refused(why) }
}

/// Understands a question and gets its answer.
async fn listen(hall: &Hall, text: &str) -> Tell {
    let request: Request = match serde_json::from_str(text) {
        Ok(request) => request,
        Err(error) => {
            // So that whoever asked knows which question it was.
            let id = serde_json::from_str::<serde_json::Value>(text).ok();
            let id = id.and_then(|value| value.get("id")?.as_u64()).and_then(|id| u32::try_from(id).ok());
            return nobody_asked(id.unwrap_or(0), &format!("this is no question: {error}"));
        }
    };
    let Request { id, ask } = request;
    let answer = match ask {
        Ask::Check { text } => {
            let files = hall.files.clone();
            let checked = tokio::task::spawn_blocking(move || {
                let problems = match parse(&files.file(), &text, Overrides::default()) {
                    Ok((_, warnings)) => warnings,
                    Err(error) => error.problems,
                };
                session::mistakes(&problems)
            });
            checked.await.map_or_else(
                |_| Answer::refused("the text could not be checked"),
                |problems| Answer::Checked { problems },
            )
        }
        Ask::TakeAway { name, seconds, to } => {
            let files = hall.files.clone();
            let text = hall.text.borrow().clone();
            let taken =
                tokio::task::spawn_blocking(move || take_away::run(&files, &text, &name, seconds, &to));
            taken.await.unwrap_or_else(|_| Answer::refused("the run failed"))
        }
        ask => {
            let (sender, answer) = oneshot::channel();
            match hall.questions.try_send(Question { ask, answer: sender }) {
                Ok(()) => answer.await.unwrap_or_else(|_| Answer::refused("the simulation has ended")),
                Err(_) => Answer::refused("too many questions at once"),
            }
        }
    };
    Tell::Answer { id, answer }
}

/// Tells a page the newest of everything, as fast as it reads and no faster.
async fn tell_newest(
    mut sink: SplitSink<WebSocket, Message>,
    hall: Arc<Hall>,
    mut answers: mpsc::Receiver<Tell>,
) {
    let mut scene = hall.scene.clone();
    let mut state = hall.state.clone();
    let mut text = hall.text.clone();
    let mut frames = hall.frames.clone();
    for watched in [&mut scene, &mut state, &mut text] {
        watched.mark_changed();
    }
    frames.mark_changed();
    let mut clips_told = 0;
    let mut clips_of = 0;
    loop {
        let mut messages = Vec::new();
        tokio::select! {
            biased;
            Some(tell) = answers.recv() => {
                let Ok(json) = serde_json::to_string(&tell) else { continue };
                messages.push(Message::Text(json.into()));
            }
            Ok(()) = scene.changed() => {
                messages.extend(json(&mut scene));
                (clips_told, clips_of) = (0, 0);
            }
            Ok(()) = state.changed() => messages.extend(json(&mut state)),
            Ok(()) = text.changed() => messages.extend(json(&mut text)),
            Ok(()) = frames.changed() => {
                let newest = frames.borrow_and_update().clone();
                let generation = newest.frame.get(4..8).map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                if generation != clips_of {
                    (clips_told, clips_of) = (0, generation);
                }
                messages.extend(newest.clips.iter().skip(clips_told).cloned().map(Message::Binary));
                clips_told = newest.clips.len();
                if !newest.frame.is_empty() {
                    messages.push(Message::Binary(newest.frame));
                }
            }
            else => return,
        }
        for message in messages {
            match tokio::time::timeout(PATIENCE, sink.send(message)).await {
                Ok(Ok(())) => {}
                _ => return,
            }
        }
    }
}

/// The newest of something as a message.
fn json(watched: &mut watch::Receiver<Bytes>) -> Option<Message> {
    let bytes = watched.borrow_and_update().clone();
    let text = axum::extract::ws::Utf8Bytes::try_from(bytes).ok()?;
    (!text.is_empty()).then_some(Message::Text(text))
}
