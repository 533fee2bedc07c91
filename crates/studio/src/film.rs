//! Films of a run without a window: a browser draws the page picture by picture and hands each over.

use crate::server::serve_router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path as Place};
use axum::http::StatusCode;
use axum::routing::post;
use crowdloom_output::run::Run;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What is filmed.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The camera's name; `overview` is how the page begins.
    pub camera: String,
    /// Seconds from the start of the run.
    pub from: f32,
    /// Seconds from the start of the run.
    pub to: f32,
    /// Pictures a second.
    pub rate: f32,
    /// Pixels across and down.
    pub size: (u32, u32),
}

impl Shot {
    /// How many pictures it has.
    pub fn pictures(&self) -> u32 {
        ((self.to - self.from).max(0.0) * self.rate).floor() as u32 + 1
    }
}

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// The page is the plain one.
    #[error("this build has only the plain page, which cannot be filmed: build with Node.js 20.19 or later")]
    NoPage,
    /// There is no browser.
    #[error("there is no Chromium or Chrome to draw with: install one, or name it in CROWDLOOM_BROWSER")]
    NoBrowser,
    /// The browser ended or fell silent.
    #[error("{browser} stopped drawing: {problem}")]
    Stopped {
        /// The browser.
        browser: PathBuf,
        /// What is known about it.
        problem: String,
    },
    /// A picture cannot be kept, or the page cannot be served.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Names that browsers which can do it go by.
const BROWSERS: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];

/// So long may the first picture take, and any other, on a machine without a graphics card.
const PATIENCE: Duration = Duration::from_secs(180);

/// The browser to draw with.
pub fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CROWDLOOM_BROWSER").map(PathBuf::from) {
        return named.is_file().then_some(named);
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let found = BROWSERS.iter().flat_map(|name| {
        folders.iter().map(move |folder| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
    });
    found.into_iter().find(|path| path.is_file())
}

/// A browser that ends with the film.
pub(crate) struct Drawing {
    child: Child,
}

impl Drop for Drawing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a browser that draws an address without a window.
pub(crate) fn start(
    browser: &Path,
    address: &str,
    folder: &Path,
    (width, height): (u32, u32),
) -> std::io::Result<Drawing> {
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-first-run",
        "--mute-audio",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--enable-unsafe-swiftshader",
        "--disable-background-timer-throttling",
    ]);
    command.arg(format!("--user-data-dir={}", folder.display()));
    command.arg(format!("--window-size={width},{height}"));
    // Browsers refuse their own sandbox to the system's owner.
    let owner = cfg!(unix)
        && Command::new("id").arg("-u").output().is_ok_and(|told| told.stdout.trim_ascii() == b"0");
    if owner {
        command.arg("--no-sandbox");
    }
    let child =
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    Ok(Drawing { child })
}

/// What the browser hands over.
enum Word {
    /// A picture by its number, as a PNG file.
    Picture(u32, Bytes),
    /// Why there are no more.
    Problem(String),
}

/// The largest picture in bytes.
const LARGEST: usize = 64 << 20;

/// Films a run; `take` gets every picture as a PNG file, in order. `folder` is for what the browser leaves behind.
pub fn film(
    run: Run,
    shot: &Shot,
    folder: &Path,
    take: &mut dyn FnMut(u32, &[u8]) -> std::io::Result<()>,
) -> Result<(), FilmError> {
    if !crowdloom_replay::is_bundled() {
        return Err(FilmError::NoPage);
    }
    let browser = browser().ok_or(FilmError::NoBrowser)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let (words, heard) = channel();
    let problems = words.clone();
    let router = crate::view::router(Arc::new(run))
        .route(
            "/picture/{number}",
            post(move |Place(number): Place<u32>, body: Bytes| async move {
                let _ = words.send(Word::Picture(number, body));
                StatusCode::NO_CONTENT
            }),
        )
        .route(
            "/problem",
            post(move |body: Bytes| async move {
                let _ = problems.send(Word::Problem(String::from_utf8_lossy(&body).into_owned()));
                StatusCode::NO_CONTENT
            }),
        )
        .layer(DefaultBodyLimit::max(LARGEST));
    std::thread::Builder::new().name("film".into()).spawn(move || serve_router(router, listener))?;
    let name: String = shot.camera.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let address = format!(
        "http://127.0.0.1:{port}/?fine&film={name}&from={}&rate={}&pictures={}&width={}&height={}",
        shot.from,
        shot.rate,
        shot.pictures(),
        shot.size.0,
        shot.size.1
    );
    let mut drawing = start(&browser, &address, folder, shot.size)?;
    let stopped = |problem: String| FilmError::Stopped { browser: browser.clone(), problem };
    let (mut next, mut last) = (0, Instant::now());
    while next < shot.pictures() {
        match heard.recv_timeout(Duration::from_millis(500)) {
            Ok(Word::Picture(number, picture)) => {
                last = Instant::now();
                if number == next {
                    take(next, &picture)?;
                    next += 1;
                }
            }
            Ok(Word::Problem(problem)) => return Err(stopped(problem)),
            Err(RecvTimeoutError::Disconnected) => return Err(stopped("its pages are not served".into())),
            Err(RecvTimeoutError::Timeout) => {
                if let Ok(Some(status)) = drawing.child.try_wait() {
                    return Err(stopped(format!("it ended by itself ({status})")));
                }
                if last.elapsed() > PATIENCE {
                    let seconds = PATIENCE.as_secs();
                    return Err(stopped(format!("nothing came for {seconds} s after picture {next}")));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shot_has_a_picture_at_both_ends() {
        let shot = Shot { camera: "a".into(), from: 2.0, to: 4.0, rate: 10.0, size: (64, 36) };
        assert_eq!(shot.pictures(), 21);
        assert_eq!(Shot { to: 1.0, ..shot }.pictures(), 1);
    }
}
