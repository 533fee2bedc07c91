//! What the studio costs: the same city with and without a page that watches it, over a real socket.

use crate::files::Files;
use crate::film;
use crate::frame::{FRAME, HEAD};
use crate::guard::Guard;
use crate::protocol::{Answer, Ask, Drawn, Request, Tell};
use crate::server::{Studio, serve};
use crate::session::read;
use crowdloom_crowd::Steps;
use crowdloom_scene::embedded;
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use std::fmt;
use std::net::TcpListener;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Seconds of a round: both are run in every round, each first in every other, so that what else the machine does and how
/// the city goes on falls on both alike.
const ROUND: Duration = Duration::from_secs(1);
/// How often a change is timed.
const EDITS: usize = 15;
/// Once time stands still, nothing is heard for so long, …
const QUIET: Duration = Duration::from_millis(300);
/// … or at least nothing that matters after so long.
const QUIET_AT_LAST: Duration = Duration::from_secs(2);
/// Pixels of a real page, across and down.
const PAGE: (u32, u32) = (1280, 720);
/// How long a page may take to open, and how long it draws then.
const LONGEST_OPENING: Duration = Duration::from_secs(120);
const DRAWN_FOR: Duration = Duration::from_secs(12);
/// People in a block of the city.
const PEOPLE_A_BLOCK: f64 = 80.0;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Pages that watched.
    pub clients: usize,
    /// People in the city.
    pub people: usize,
    /// Threads that decide.
    pub threads: usize,
    /// Frames simulated in a second while nobody watched, in the middle round of all sorted by it.
    pub frames_alone: f64,
    /// The same while a page watched.
    pub frames_watched: f64,
    /// How many times as long a frame took while a page watched, in the middle round of all sorted by it.
    pub slowdown: f64,
    /// The same in every round.
    pub slowdowns: Vec<f64>,
    /// Frames that the page got in a second.
    pub frames_sent: f64,
    /// Bytes of frames for each person and frame.
    pub bytes_per_person_frame: f64,
    /// Milliseconds from asking for a change to the first frame that shows it, in the middle of all sorted by it.
    pub edit_ms: f64,
    /// The longest of them.
    pub longest_edit_ms: f64,
    /// Pictures a second that a real page draws of all of them at once; none without a browser.
    pub page_frames: Option<f64>,
    /// What draws them.
    pub renderer: Option<String>,
}

/// Why the benchmark could not be run.
#[derive(Debug, thiserror::Error)]
#[error("the studio could not be timed: {0}")]
pub struct BenchError(String);

impl BenchError {
    fn of(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A page without a picture.
struct Client {
    socket: Socket,
    id: u32,
    /// The last frame that it heard of.
    latest: u32,
}

/// What a page hears next.
enum Heard {
    Told(Box<Tell>),
    /// A frame: its number, how many people it shows, and its bytes.
    Frame(u32, u32, usize),
    Other,
}

impl Client {
    async fn hear(&mut self) -> Result<Heard, BenchError> {
        let heard = self.hear_next().await?;
        match &heard {
            Heard::Frame(frame, ..) => self.latest = self.latest.max(*frame),
            Heard::Told(tell) => {
                if let Tell::State(state) = &**tell {
                    self.latest = self.latest.max(state.reached);
                }
            }
            Heard::Other => {}
        }
        Ok(heard)
    }

    async fn hear_next(&mut self) -> Result<Heard, BenchError> {
        let next = self.socket.next().await.ok_or_else(|| BenchError("the server has gone".into()))?;
        match next.map_err(BenchError::of)? {
            Message::Text(text) => {
                Ok(Heard::Told(Box::new(serde_json::from_str(&text).map_err(BenchError::of)?)))
            }
            Message::Binary(bytes) if bytes.len() >= HEAD => {
                let word =
                    |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
                Ok(if word(0) == FRAME { Heard::Frame(word(8), word(12), bytes.len()) } else { Heard::Other })
            }
            _ => Ok(Heard::Other),
        }
    }

    async fn send(&mut self, ask: Ask) -> Result<(), BenchError> {
        self.id += 1;
        let text = serde_json::to_string(&Request { id: self.id, ask }).map_err(BenchError::of)?;
        self.socket.send(Message::Text(text.into())).await.map_err(BenchError::of)
    }

    async fn ask(&mut self, ask: Ask) -> Result<Answer, BenchError> {
        self.send(ask).await?;
        loop {
            if let Heard::Told(tell) = self.hear().await?
                && let Tell::Answer { id, answer } = *tell
                && id == self.id
            {
                return Ok(answer);
            }
        }
    }

    /// Stops time and tells the frame that was reached: the last that is heard of before all is quiet.
    async fn reached(&mut self) -> Result<u32, BenchError> {
        self.ask(Ask::Pause).await?;
        let stopped = Instant::now();
        while stopped.elapsed() < QUIET_AT_LAST
            && let Ok(heard) = tokio::time::timeout(QUIET, self.hear()).await
        {
            heard?;
        }
        Ok(self.latest)
    }
}

/// Serves a city of `people` and watches it in `rounds` of a second.
pub fn run(people: usize, rounds: u32) -> Result<Report, BenchError> {
    let blocks = (people as f64 / PEOPLE_A_BLOCK).sqrt().ceil().max(2.0) as usize;
    // Nothing is saved.
    let files = Files { folder: std::env::temp_dir(), name: "city.toml".into() };
    let (simulation, warnings) = read(&files, &embedded::city(blocks, people)).map_err(BenchError::of)?;
    let listener = TcpListener::bind("127.0.0.1:0").map_err(BenchError::of)?;
    let address = listener.local_addr().map_err(BenchError::of)?;
    let guard = Guard::new(address).map_err(BenchError::of)?;
    let link = format!("ws://{address}/socket?token={}", guard.token());
    let page = crowdloom_replay::studio_page(simulation.crowd().setting().book.graph().skeleton());
    let drawn_at = page.is_some().then(|| format!("http://{address}/?token={}&report", guard.token()));
    let studio = Studio { simulation, warnings, files, page: page.unwrap_or_default() };
    std::thread::spawn(move || serve(studio, guard, listener));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let connect = async || {
        let mut request = link.as_str().into_client_request().map_err(BenchError::of)?;
        let origin = format!("http://{address}").parse().map_err(BenchError::of)?;
        request.headers_mut().insert("Origin", origin);
        let (socket, _) = connect_async(request).await.map_err(BenchError::of)?;
        Ok::<Client, BenchError>(Client { socket, id: 0, latest: 0 })
    };
    runtime.map_err(BenchError::of)?.block_on(async {
        let (mut alone, mut watched, mut slowdowns) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = Seen::default();
        for round in 0..rounds {
            let mut frames = [0.0; 2];
            for watches in if round % 2 == 0 { [false, true] } else { [true, false] } {
                let mut control = connect().await?;
                let before = control.reached().await?;
                control.ask(Ask::Speed { times: 16.0 }).await?;
                control.ask(Ask::Play).await?;
                let started = Instant::now();
                if watches {
                    while started.elapsed() < ROUND {
                        seen.note(&control.hear().await?);
                    }
                    seen.seconds += started.elapsed().as_secs_f64();
                } else {
                    drop(control);
                    tokio::time::sleep(ROUND).await;
                    control = connect().await?;
                }
                let ran = started.elapsed().as_secs_f64();
                let after = control.reached().await?;
                frames[usize::from(watches)] = f64::from(after - before) / ran;
            }
            alone.push(frames[0]);
            watched.push(frames[1]);
            slowdowns.push(frames[0] / frames[1].max(1e-9));
        }
        let edits = time_edits(&mut connect().await?).await?;
        let drawn = match drawn_at {
            Some(link) => see_drawn(&mut connect().await?, &link).await?,
            None => None,
        };
        Ok(Report {
            clients: 1,
            people,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            frames_alone: middle(&alone),
            frames_watched: middle(&watched),
            slowdown: middle(&slowdowns),
            slowdowns,
            frames_sent: seen.frames as f64 / seen.seconds.max(1e-9),
            bytes_per_person_frame: seen.bytes as f64 / seen.people.max(1) as f64,
            edit_ms: middle(&edits),
            longest_edit_ms: edits.iter().copied().fold(0.0, f64::max),
            page_frames: drawn.as_ref().map(|drawn| f64::from(drawn.pictures)),
            renderer: drawn.map(|drawn| drawn.renderer),
        })
    })
}

/// What a page got.
#[derive(Default)]
struct Seen {
    frames: u64,
    people: u64,
    bytes: u64,
    seconds: f64,
}

impl Seen {
    fn note(&mut self, heard: &Heard) {
        if let Heard::Frame(_, people, bytes) = heard {
            self.frames += 1;
            self.people += u64::from(*people);
            self.bytes += *bytes as u64;
        }
    }
}

/// Milliseconds from asking for somebody to go to the first frame without that one, in real time.
async fn time_edits(client: &mut Client) -> Result<Vec<f64>, BenchError> {
    client.ask(Ask::Speed { times: 1.0 }).await?;
    client.ask(Ask::Play).await?;
    let mut times = Vec::new();
    let mut count = 0;
    for number in 0..EDITS as u32 {
        // At different moments of a frame.
        let mut frames = 0;
        while frames < 10 + number % 3 {
            if let Heard::Frame(_, people, _) = client.hear().await? {
                (count, frames) = (people, frames + 1);
            }
        }
        let event = serde_json::json!({ "numbers": [number], "leave": true });
        let event = event.as_object().cloned().unwrap_or_default();
        let started = Instant::now();
        client.send(Ask::Enact { event, joined: false }).await?;
        loop {
            match client.hear().await? {
                Heard::Frame(_, people, _) if people < count => break,
                _ if started.elapsed() > Duration::from_secs(10) => {
                    return Err(BenchError("a change was never seen".into()));
                }
                _ => {}
            }
        }
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(times)
}

/// Opens a real page, and hears how fast it draws once it has drawn for a while.
async fn see_drawn(client: &mut Client, link: &str) -> Result<Option<Drawn>, BenchError> {
    let Some(browser) = film::browser() else { return Ok(None) };
    let profile = std::env::temp_dir().join(format!("crowdloom-bench-{}", std::process::id()));
    let drawing = film::start(&browser, link, &profile, PAGE).map_err(BenchError::of)?;
    let started = Instant::now();
    let (mut first, mut last) = (None, None);
    while started.elapsed() < LONGEST_OPENING
        && first.is_none_or(|first: Instant| first.elapsed() < DRAWN_FOR)
    {
        if let Ok(Ok(Heard::Told(tell))) = tokio::time::timeout(DRAWN_FOR, client.hear()).await
            && let Tell::State(state) = *tell
            && let Some(drawn) = state.drawn
        {
            first.get_or_insert_with(Instant::now);
            last = Some(drawn);
        }
    }
    drop(drawing);
    let _ = std::fs::remove_dir_all(profile);
    Ok(last)
}

fn middle(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} people, {} page, {} threads", self.people, self.clients, self.threads)?;
        writeln!(f, "frames a second alone     {:8.1}", self.frames_alone)?;
        writeln!(f, "frames a second watched   {:8.1}", self.frames_watched)?;
        writeln!(f, "slowdown                  {:8.3} times as long", self.slowdown)?;
        writeln!(f, "frames sent a second      {:8.1}", self.frames_sent)?;
        writeln!(f, "bytes a person and frame  {:8.1}", self.bytes_per_person_frame)?;
        writeln!(
            f,
            "change to picture         {:8.1} ms (at most {:.1})",
            self.edit_ms, self.longest_edit_ms
        )?;
        match (self.page_frames, &self.renderer) {
            (Some(rate), Some(renderer)) => {
                writeln!(f, "pictures a second         {rate:8.1}, drawn by {renderer}")
            }
            _ => writeln!(f, "pictures a second         no browser was found"),
        }
    }
}
