//! `crowdloom picture SCENE`: a scene from above at one moment.

use super::demo::load;
use crowdloom_crowd::Steps;
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::draft::write_whole;
use crowdloom_output::crowd_plot::CrowdPlot;
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};

/// Arguments of `crowdloom picture`.
#[derive(clap::Args)]
pub struct Picture {
    /// The scene: a file, an embedded scene, or `situation:NAME`; `situations` draws an example of every kind.
    scene: PathBuf,
    /// The PNG file to write, or the folder for `situations`.
    #[arg(short, long, default_value = "out/picture.png")]
    output: PathBuf,
    /// The second to draw [default: the end of the scene, or what suits an example].
    #[arg(long)]
    second: Option<f32>,
    /// Seconds that trails are long.
    #[arg(long, default_value_t = 4.0)]
    trail: f32,
    /// The longer side of the ground in pixels [default: what suits its shape].
    #[arg(long, value_parser = clap::value_parser!(u32).range(50..=8000))]
    pixels: Option<u32>,
}

impl Picture {
    /// Runs the scene up to that moment and draws it.
    pub fn run(self) -> miette::Result<()> {
        if self.scene == Path::new("situations") {
            for example in embedded::SITUATIONS {
                let simulation = parse(Path::new(example.name), example.text, Overrides::default());
                let (simulation, _) = simulation.map_err(|error| miette!("{error}"))?;
                let file = self.output.join(format!("{}.png", example.name));
                self.draw(simulation, self.second.unwrap_or(example.second), &file)?;
            }
            return Ok(());
        }
        let (simulation, _) = load(&self.scene, Overrides::default()).map_err(|error| miette!("{error}"))?;
        let name = self.scene.to_string_lossy();
        let suits = name.strip_prefix(embedded::SITUATION).and_then(|name| {
            embedded::SITUATIONS.iter().find(|example| example.name == name).map(|example| example.second)
        });
        let second = self.second.or(suits).unwrap_or(simulation.frames() as f32 / FRAME_RATE);
        self.draw(simulation, second, &self.output)
    }

    fn draw(&self, mut simulation: Simulation, second: f32, file: &Path) -> miette::Result<()> {
        if !(0.0..=86_400.0).contains(&second) || !(0.0..=600.0).contains(&self.trail) {
            return Err(miette!("--second goes up to 86400, --trail up to 600"));
        }
        let trail = (self.trail * FRAME_RATE) as u32;
        let last = (second * FRAME_RATE) as u32;
        let mut plot = CrowdPlot::new(self.pixels, trail as usize);
        for frame in 0..last {
            if frame + trail >= last {
                plot.note(simulation.crowd());
            }
            simulation.step();
        }
        plot.note(simulation.crowd());
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).into_diagnostic()?;
        }
        let bytes = plot.png(simulation.crowd());
        write_whole(file, bytes)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot write {}", file.display()))?;
        say!("{}: {} people after {second} s", file.display(), simulation.crowd().len());
        Ok(())
    }
}
