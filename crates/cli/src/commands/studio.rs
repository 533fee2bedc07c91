//! `crowdloom studio [SCENE]`.

use crowdloom_crowd::Steps;
use crowdloom_scene::embedded;
use crowdloom_studio::door::Door;
use crowdloom_studio::files::Files;
use crowdloom_studio::guard::Guard;
use crowdloom_studio::server::{self, Studio as Served};
use crowdloom_studio::session;
use miette::{IntoDiagnostic, WrapErr};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Arguments of `crowdloom studio`.
#[derive(clap::Args)]
pub struct Studio {
    /// A scene file, or the name of an embedded scene, which is then saved in the present folder.
    #[arg(default_value = "street")]
    scene: String,
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The address to listen on. Anybody who can reach another one than this machine's own and knows the link can change
    /// and save the scene, and nothing is encrypted.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Do not open the browser.
    #[arg(long)]
    no_browser: bool,
}

impl Studio {
    /// Serves the studio until it is interrupted.
    pub fn run(self) -> miette::Result<()> {
        let (files, text) = self.find()?;
        let (simulation, warnings) = session::read(&files, &text).into_diagnostic()?;
        for warning in &warnings {
            tell!("{}{}", warning.line.map_or(String::new(), |line| format!("line {line}: ")), warning.what);
        }
        let skeleton = simulation.crowd().setting().book.graph().skeleton();
        let Some(page) = crowdloom_replay::studio_page(skeleton) else {
            miette::bail!(
                "this build has no page for the studio: Node.js was not there when it was built; install Node.js \
                 20.19 or later with npm, and build again"
            );
        };
        let (listener, guard) = self.doors(&files)?;
        let address = listener.local_addr().into_diagnostic()?;
        let link = format!("http://{address}/?token={}", guard.token());
        if !self.listen.is_loopback() {
            tell!(
                "Whoever reaches {address} and knows the link can change and save this scene; nothing is encrypted."
            );
        }
        say!("{link} (interrupt to stop)");
        if !self.no_browser {
            open(&link);
        }
        server::serve(Served { simulation, warnings, files, page }, guard, listener).into_diagnostic()
    }

    /// Where pages come in: as last time where that is free, so that pages which are still open come back.
    fn doors(&self, files: &Files) -> miette::Result<(TcpListener, Guard)> {
        let bind = |port: u16| TcpListener::bind(SocketAddr::new(self.listen, port));
        let last = Door::last(files).filter(|_| self.listen.is_loopback());
        let last = last.filter(|last| self.port == 0 || self.port == last.port);
        if let Some((listener, last)) = last.and_then(|last| Some((bind(last.port).ok()?, last))) {
            let address = listener.local_addr().into_diagnostic()?;
            return Ok((listener, Guard::knowing(address, last.token)));
        }
        let listener = bind(self.port)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot listen on {} at port {}", self.listen, self.port))?;
        let address = listener.local_addr().into_diagnostic()?;
        let guard = Guard::new(address).into_diagnostic()?;
        // Without it pages have to be opened anew after a crash.
        let _ = Door { port: address.port(), token: guard.token().to_owned() }.keep(files);
        Ok((listener, guard))
    }

    /// The scene's file and its text.
    fn find(&self) -> miette::Result<(Files, String)> {
        let path = Path::new(&self.scene);
        if !path.exists()
            && let Some(text) = embedded::scene(&self.scene)
        {
            let here = std::env::current_dir().into_diagnostic()?;
            let name = format!("{}.toml", self.scene.replace(':', "-"));
            return Ok((Files { folder: here, name }, text.into()));
        }
        let text = std::fs::read_to_string(path)
            .into_diagnostic()
            .wrap_err_with(|| format!("`{}` is neither a scene file nor an embedded scene", self.scene))?;
        let whole: PathBuf = path.canonicalize().into_diagnostic()?;
        let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
            miette::bail!("`{}` is no file", self.scene);
        };
        Ok((Files { folder: folder.to_owned(), name: name.to_string_lossy().into_owned() }, text))
    }
}

/// Opens the browser, where the system knows one; whoever has none has the link.
fn open(link: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let _ = Command::new(program).arg(link).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
