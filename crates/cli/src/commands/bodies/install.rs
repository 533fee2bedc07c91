//! `crowdloom bodies install`: real people out of a package.

use crate::progress::{progress_bar, spinner};
use crowdloom_bodies::installed;
use crowdloom_makehuman::{Archive, PACKAGE, make};
use crowdloom_shapes::bytes;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `crowdloom bodies install`.
#[derive(clap::Args)]
pub struct Install {
    /// A package that is there already, instead of asking the Python registry for it.
    #[arg(long, value_name = "FILE.whl")]
    package: Option<PathBuf>,
}

/// What runs pip, in the order in which it is tried.
const PIPS: [&[&str]; 4] = [&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip3"], &["pip"]];

impl Install {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        let path = installed::installed_path().ok_or_else(|| {
            miette!("there is no folder for what is installed: set {} to one", installed::FOLDER_VARIABLE)
        })?;
        // Gone again at the end, however that comes.
        let folder = tempfile::tempdir().into_diagnostic()?;
        let package = match self.package {
            Some(package) => package,
            None => download(folder.path())?,
        };
        let stays = "nothing was installed; what was installed before stays";
        let archive = Archive::open(&package).into_diagnostic().wrap_err(stays)?;
        let bar = progress_bar(100, "% of the bodies");
        let made =
            make(&archive, crowdloom_bodies::built_in(), &|share| bar.set_position((share * 100.0) as u64));
        bar.finish_and_clear();
        let set = made.into_diagnostic().wrap_err(stays)?;
        installed::write(&set, &path).into_diagnostic().wrap_err(stays)?;
        let size = bytes::write(&set).len();
        say!(
            "installed {} bodies with {} pieces ({:.1} MB unpacked) in {}",
            set.templates.len(),
            set.pieces.len(),
            size as f64 / 1e6,
            path.display()
        );
        say!("pages, the studio and exports use them from now on; `crowdloom bodies remove` goes back");
        Ok(())
    }
}

/// Asks the Python registry for the package.
fn download(folder: &Path) -> miette::Result<PathBuf> {
    let waiting = spinner(&format!("asking the Python registry for {PACKAGE}"));
    let mut told = None;
    for pip in PIPS {
        let arguments = ["download", "--no-deps", "--disable-pip-version-check", "--quiet", PACKAGE, "-d"];
        let output = Command::new(pip[0]).args(&pip[1..]).args(arguments).arg(folder).output();
        // Not there: the next one may be.
        let Ok(output) = output else { continue };
        if output.status.success() {
            let files = std::fs::read_dir(folder).into_diagnostic()?.flatten().map(|entry| entry.path());
            let wheel = files.into_iter().find(|path| path.extension().is_some_and(|own| own == "whl"));
            waiting.finish_and_clear();
            return wheel.ok_or_else(|| miette!("pip said that all is well, but there is no {PACKAGE}"));
        }
        let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if text.contains("No module named pip") {
            continue;
        }
        let last: Vec<&str> = text.lines().rev().take(3).collect();
        told = Some(last.into_iter().rev().collect::<Vec<_>>().join("\n"));
        break;
    }
    waiting.finish_and_clear();
    let help = format!(
        "with network elsewhere: `pip download --no-deps {PACKAGE}` there, then `crowdloom bodies install --package FILE.whl` here"
    );
    Err(match told {
        Some(told) => miette!(
            help = help,
            "the Python registry did not give {PACKAGE}; what was installed before stays. pip says:\n{told}"
        ),
        None => miette!(
            help = help,
            "there is no pip to ask the Python registry with; what was installed before stays"
        ),
    })
}

/// Takes the installed bodies away.
pub fn remove() -> miette::Result<()> {
    match installed::installed_path().filter(|path| path.exists()) {
        Some(path) => {
            std::fs::remove_file(&path).into_diagnostic().wrap_err_with(|| path.display().to_string())?;
            say!("removed {}: bodies are the built-in ones again", path.display());
        }
        None => say!("no bodies are installed: they are the built-in ones"),
    }
    Ok(())
}
