//! `crowdloom motion gesture LIB --gesture phone -o LIB`.

use super::source::load_clips;
use crowdloom_gesture::{BUILT_IN, Gesture as Description};
use crowdloom_motion::{Clip, Library, measure_radii};
use miette::{IntoDiagnostic, miette};
use std::path::PathBuf;

/// Arguments of `crowdloom motion gesture`.
#[derive(clap::Args)]
pub struct Gesture {
    /// `builtin`, a library, a graph, a style library, or a motion file.
    motion: PathBuf,
    #[arg(long, required = true, help = gestures())]
    gesture: Vec<String>,
    /// The library to write.
    #[arg(short, long)]
    output: PathBuf,
    /// Only clips with one of these labels, or one of these texts in their name.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Frames over which the gesture comes at the start of each clip and goes at its end [default: all of the clip has it].
    #[arg(long, default_value_t = 0)]
    blend: usize,
}

/// What `--gesture` takes, with every gesture that there is.
fn gestures() -> String {
    let names = BUILT_IN.map(|(name, _)| name).join(", ");
    format!(
        "What the arm does: {names}, with `left ` before it for the left arm, or a TOML file; may be given twice, for two arms"
    )
}

impl Gesture {
    /// Changes the clips and writes them.
    pub fn run(self) -> miette::Result<()> {
        let descriptions: Vec<Description> = self
            .gesture
            .iter()
            .map(|name| Description::find(name))
            .collect::<Result<_, _>>()
            .into_diagnostic()?;
        let library = load_clips(&self.motion)?;
        let wanted = |clip: &&Clip| {
            let matches = |text: &String| clip.has_label(text) || clip.name.contains(text.as_str());
            self.only.is_empty() || self.only.iter().any(matches)
        };
        let (mut clips, mut worst) = (Vec::new(), 0.0f32);
        for clip in library.clips.iter().filter(wanted) {
            let mut made = clip.clone();
            for description in &descriptions {
                let last = clip.frames() - 1;
                let share = |frame: usize| match self.blend {
                    0 => 1.0,
                    blend => (frame.min(last - frame) as f32 / blend as f32).min(1.0),
                };
                let (moved, solved) = description.apply(&library.skeleton, &made, share).into_diagnostic()?;
                worst = worst.max(solved.worst.first().copied().unwrap_or(0.0));
                made = moved;
                made.labels.push(description.name.clone());
            }
            made.name = format!("{} {}", clip.name, self.gesture.join(" "));
            made.radii = measure_radii(&library.skeleton, &made.rotations);
            clips.push(made);
        }
        if clips.is_empty() {
            return Err(miette!("no clip of {} matches `{}`", self.motion.display(), self.only.join(",")));
        }
        let count = clips.len();
        Library { skeleton: library.skeleton, clips }.save(&self.output).into_diagnostic()?;
        say!(
            "{count} clips in {}; what counts most is within {:.1} mm of its goal",
            self.output.display(),
            worst * 1e3
        );
        Ok(())
    }
}
