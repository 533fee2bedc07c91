//! Films of a run without a window: a browser draws the page picture by picture and hands each over.

use crate::serve::contents;
use crate::streaming_page;
use crowdloom_output::run::Run;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tiny_http::{Header, Method, Response, Server};

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
struct Drawing {
    child: Child,
}

impl Drop for Drawing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(
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

/// Films a run; `take` gets every picture as a PNG file, in order. `folder` is for what the browser leaves behind.
pub fn film(
    run: &Run,
    shot: &Shot,
    folder: &Path,
    take: &mut dyn FnMut(u32, &[u8]) -> std::io::Result<()>,
) -> Result<(), FilmError> {
    if !crate::is_bundled() {
        return Err(FilmError::NoPage);
    }
    let browser = browser().ok_or(FilmError::NoBrowser)?;
    let server = Server::http("127.0.0.1:0").map_err(std::io::Error::other)?;
    let port = server.server_addr().to_ip().map_or(0, |address| address.port());
    let page = streaming_page(run);
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
    let (mut next, mut heard) = (0, Instant::now());
    while next < shot.pictures() {
        let Some(mut request) = server.recv_timeout(Duration::from_millis(500))? else {
            if let Ok(Some(status)) = drawing.child.try_wait() {
                return Err(stopped(format!("it ended by itself ({status})")));
            }
            if heard.elapsed() > PATIENCE {
                return Err(stopped(format!(
                    "nothing came for {} s after picture {next}",
                    PATIENCE.as_secs()
                )));
            }
            continue;
        };
        heard = Instant::now();
        let url = request.url().to_owned();
        if *request.method() == Method::Post {
            let mut body = Vec::new();
            request.as_reader().take(64 << 20).read_to_end(&mut body)?;
            let _ = request.respond(Response::empty(204));
            if url == "/problem" {
                return Err(stopped(String::from_utf8_lossy(&body).into_owned()));
            }
            if url == format!("/picture/{next}") {
                take(next, &body)?;
                next += 1;
            }
            continue;
        }
        let path = url.split('?').next().unwrap_or("/");
        let answer = match contents(path, run, &page) {
            Some((kind, body)) => {
                let response = Response::from_data(body);
                match Header::from_bytes("Content-Type", kind) {
                    Ok(header) => response.with_header(header),
                    Err(()) => response,
                }
            }
            None => Response::from_data("there is no such thing here").with_status_code(404),
        };
        let _ = request.respond(answer);
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
