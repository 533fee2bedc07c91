//! `crowdloom motion import FILES -o LIB`.

use crate::progress::progress_bar;
use crowdloom_motion::import::{Axis, ImportOptions, OptionSource, Preset, import_files};
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};

/// Arguments of `crowdloom motion import`.
#[derive(clap::Args)]
pub struct Import {
    /// Motion files, or folders that hold them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The library to write.
    #[arg(short, long)]
    output: PathBuf,
    /// Conventions of a known source, instead of the options below.
    #[arg(long, conflicts_with_all = ["scale", "up", "fps", "drop_first_frame"])]
    preset: Option<PresetName>,
    /// Metres in a file unit [default: guessed from the body's height].
    #[arg(long)]
    scale: Option<f64>,
    /// The files' vertical axis.
    #[arg(long, value_enum, default_value_t = UpAxis::Y)]
    up: UpAxis,
    /// Frames a second, whatever the files say.
    #[arg(long)]
    fps: Option<f64>,
    /// Drop the first frame, a calibration pose.
    #[arg(long)]
    drop_first_frame: bool,
    /// Leave feet that slide as they are.
    #[arg(long)]
    keep_feet: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PresetName {
    /// The Carnegie Mellon database: 1/0.45 inch, T-pose first, 120 frames/s (60 for the subjects known for it).
    Cmu,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum UpAxis {
    X,
    Y,
    Z,
}

impl Import {
    /// Imports, writes the library and prints what was repaired or refused.
    pub fn run(self) -> miette::Result<()> {
        let files = expand(&self.files)?;
        let source = match self.preset {
            Some(PresetName::Cmu) => OptionSource::Preset(Preset::Cmu),
            None => OptionSource::Fixed(ImportOptions {
                metres_per_unit: self.scale,
                up: match self.up {
                    UpAxis::X => Axis::X,
                    UpAxis::Y => Axis::Y,
                    UpAxis::Z => Axis::Z,
                },
                frame_rate: self.fps,
                drop_first_frame: self.drop_first_frame,
                clean_feet: !self.keep_feet,
            }),
        };
        let bar = progress_bar(files.len() as u64, "files");
        let (library, summary) = import_files(&files, &source, || bar.inc(1));
        bar.finish_and_clear();
        say_on!("{summary}");
        let library = library.ok_or_else(|| miette!("no file could be imported"))?;
        library.save(&self.output).into_diagnostic()?;
        say!("wrote {}", self.output.display());
        Ok(())
    }
}

/// Replaces folders by the motion files in them.
pub(super) fn expand(paths: &[PathBuf]) -> miette::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries =
            std::fs::read_dir(path).into_diagnostic().wrap_err_with(|| path.display().to_string())?;
        let mut inside: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).filter(|path| is_motion(path)).collect();
        if inside.is_empty() {
            return Err(miette!("{}: the folder holds no .bvh, .amc, .glb or .gltf file", path.display()));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

fn is_motion(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["bvh", "amc", "glb", "gltf"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    })
}
