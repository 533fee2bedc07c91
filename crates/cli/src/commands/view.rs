//! `crowdloom view DIR`.

use crowdloom_output::run::Run;
use miette::{IntoDiagnostic, WrapErr};
use std::net::TcpListener;
use std::path::PathBuf;

/// Arguments of `crowdloom view`.
#[derive(clap::Args)]
pub struct View {
    /// The folder of a run, or a run file.
    folder: PathBuf,
    /// The port to listen on; 0 takes any that is free.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

impl View {
    /// Serves the replay page until it is interrupted.
    pub fn run(self) -> miette::Result<()> {
        let run = Run::open(&self.folder).into_diagnostic()?;
        if run.end().is_none() {
            tell!("The run was cut off; {:.1} s of it are there.", run.seconds());
        }
        let listener = TcpListener::bind(("127.0.0.1", self.port))
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot listen on port {}", self.port))?;
        say!("http://{}/ (interrupt to stop)", listener.local_addr().into_diagnostic()?);
        crowdloom_studio::view::serve(run, listener).into_diagnostic()
    }
}
