//! `crowdloom motion export LIB -o FOLDER`.

use super::source::load_clips;
use crowdloom_motion::Placement;
use crowdloom_motion::draft::write_whole;
use crowdloom_motion::import::{Capture, write_bvh};
use crowdloom_output::export::write_clips;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::PathBuf;

/// Arguments of `crowdloom motion export`.
#[derive(clap::Args)]
pub struct Export {
    /// `builtin`, a library, a graph, a style library, or a motion file.
    motion: PathBuf,
    /// The folder to write one BVH file for each clip to; or a `.glb` file, which has one figure with an animation for each clip.
    #[arg(short, long)]
    output: PathBuf,
    /// Only clips with one of these labels, or one of these texts in their name.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

impl Export {
    /// Writes the clips.
    pub fn run(self) -> miette::Result<()> {
        let library = load_clips(&self.motion)?;
        let wanted = |text: &String, clip: &crowdloom_motion::Clip| {
            clip.has_label(text) || clip.name.contains(text.as_str())
        };
        let clips: Vec<_> = library
            .clips
            .iter()
            .filter(|clip| self.only.is_empty() || self.only.iter().any(|text| wanted(text, clip)))
            .collect();
        if clips.is_empty() {
            return Err(miette!("no clip of {} matches `{}`", self.motion.display(), self.only.join(",")));
        }
        if self.output.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("glb")) {
            let name = self.motion.file_stem().unwrap_or_default().to_string_lossy();
            write_clips(&library.skeleton, &clips, &name, &self.output).into_diagnostic()?;
            say!("{} animations in {}", clips.len(), self.output.display());
            return Ok(());
        }
        std::fs::create_dir_all(&self.output)
            .into_diagnostic()
            .wrap_err_with(|| format!("{} cannot be made", self.output.display()))?;
        for clip in &clips {
            let plain =
                |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
            let name: String = clip.name.chars().map(plain).collect();
            let file = self.output.join(format!("{name}.bvh"));
            let capture = Capture::from_clip(&library.skeleton, clip, Placement::IDENTITY);
            write_whole(&file, write_bvh(&capture).as_bytes())
                .into_diagnostic()
                .wrap_err_with(|| format!("{} cannot be written", file.display()))?;
        }
        say!("{} BVH files in {}", clips.len(), self.output.display());
        Ok(())
    }
}
