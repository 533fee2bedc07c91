//! `crowdloom measure RUN`.

use super::report;
use crowdloom_output::measure::{html, measure_run, measure_trajectories};
use crowdloom_output::run::{Line, Run};
use crowdloom_trajectory::{ReadOptions, read_trajectories};
use miette::{Context, IntoDiagnostic, miette};
use std::path::{Path, PathBuf};

/// Arguments of `crowdloom measure`.
#[derive(clap::Args)]
pub struct Measure {
    /// The folder of a run, a run file, or a file of trajectories (text, CSV or JuPedSim's SQLite).
    run: PathBuf,
    /// Make one JSON object instead of a table.
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Make a page with charts instead of a table.
    #[arg(long)]
    html: bool,
    /// The file to write [default: standard output].
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// A line through which the flow is measured, besides those of the run: NAME=X1,Y1,X2,Y2 in metres.
    #[arg(long, value_parser = line, value_name = "LINE")]
    line: Vec<Line>,
    /// Trajectories: frames in a second, instead of what the file says.
    #[arg(long)]
    frame_rate: Option<f32>,
    /// Trajectories: metres in a unit of the file, instead of what the file says.
    #[arg(long)]
    unit: Option<f32>,
    /// Trajectories: a file with the walkable floor as well-known text, in the coordinates of the trajectories.
    #[arg(long, value_name = "FILE")]
    floor: Option<PathBuf>,
}

fn line(text: &str) -> Result<Line, String> {
    let (name, numbers) = text.split_once('=').unwrap_or(("line", text));
    let numbers: Result<Vec<f32>, _> = numbers.split(',').map(|number| number.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x1, y1, x2, y2]) if [x1, y1, x2, y2].iter().all(|number| number.is_finite()) => {
            Ok(Line { name: name.into(), from: [x1, y1], to: [x2, y2] })
        }
        _ => Err("a line is NAME=X1,Y1,X2,Y2, in metres".into()),
    }
}

impl Measure {
    /// Measures, and prints or writes what was found.
    pub fn run(self) -> miette::Result<()> {
        let measures = if self.is_run() {
            let run = Run::open(&self.run).into_diagnostic()?;
            measure_run(&run, self.line.clone()).into_diagnostic()?
        } else {
            let options = ReadOptions { frame_rate: self.frame_rate, unit: self.unit };
            for (number, what) in [(self.frame_rate, "--frame-rate"), (self.unit, "--unit")] {
                if number.is_some_and(|number| !(number.is_finite() && number > 0.0)) {
                    return Err(miette!("{what} must be above 0"));
                }
            }
            let people = read_trajectories(&self.run, &options).into_diagnostic()?;
            let floor = self.floor.as_deref().map(read_text).transpose()?;
            let name = self.run.file_name().unwrap_or_default().to_string_lossy();
            measure_trajectories(&name, &people, floor.as_deref(), self.line.clone()).into_diagnostic()?
        };
        let Some(path) = &self.output else {
            if self.html {
                print!("{}", html(&measures));
                return Ok(());
            }
            return report(&measures, self.json);
        };
        let text = match (self.json, self.html) {
            (true, _) => serde_json::to_string_pretty(&measures).into_diagnostic()? + "\n",
            (_, true) => html(&measures),
            _ => measures.to_string(),
        };
        std::fs::write(path, text)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot write {}", path.display()))
    }

    /// Whether a run is meant: a folder, or a file that begins as run files do.
    fn is_run(&self) -> bool {
        self.run.is_dir()
            || self.run.extension().is_some_and(|extension| extension == "loom" || extension == "part")
    }
}

fn read_text(path: &Path) -> miette::Result<String> {
    std::fs::read_to_string(path)
        .into_diagnostic()
        .wrap_err_with(|| format!("cannot read {}", path.display()))
}
