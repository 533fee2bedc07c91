//! `crowdloom motion …`: look at motions and prepare them.

use crowdloom_motion::{Clip, Library, builtin};
use crowdloom_output::sheet;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};

/// What to do with motions.
#[derive(clap::Subcommand)]
pub enum Motion {
    /// Draw motions as film strips, from the side and from above, with foot contacts.
    Sheet(Sheet),
}

impl Motion {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self {
            Self::Sheet(sheet) => sheet.run(),
        }
    }
}

/// Arguments of `crowdloom motion sheet`.
#[derive(clap::Args)]
pub struct Sheet {
    /// `builtin` for a catalogue of the built-in library, or the name of one of its clips.
    motion: String,
    /// The picture to write; further pages are numbered.
    #[arg(short, long, default_value = "sheet.png")]
    output: PathBuf,
    /// Only clips with one of these labels, or one of these texts in their name.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The heading of a catalogue.
    #[arg(long, default_value = "Crowdloom built-in library")]
    title: String,
    /// Rows of a catalogue page.
    #[arg(long, default_value_t = 12)]
    rows: usize,
}

impl Sheet {
    fn run(self) -> miette::Result<()> {
        let library = builtin::library();
        if self.motion != "builtin" {
            let clip = library.clip(&self.motion).ok_or_else(|| self.unknown(&library))?;
            return write(&self.output, &sheet::clip_sheet(&library.skeleton, clip));
        }
        let matches = |clip: &&Clip, only: &str| clip.has_label(only) || clip.name.contains(only);
        let clips: Vec<&Clip> = match self.only.is_empty() {
            true => library.clips.iter().collect(),
            // In the order asked for, each clip once.
            false => {
                let mut chosen: Vec<&Clip> = Vec::new();
                for only in &self.only {
                    let before = chosen.len();
                    for clip in library.clips.iter().filter(|clip| matches(clip, only)) {
                        if !chosen.iter().any(|other| other.name == clip.name) {
                            chosen.push(clip);
                        }
                    }
                    if chosen.len() == before && !library.clips.iter().any(|clip| matches(&clip, only)) {
                        return Err(miette!("no clip of the built-in library matches `{only}`"));
                    }
                }
                chosen
            }
        };
        for (page, picture) in sheet::catalogue(&library, &clips, &self.title, self.rows).iter().enumerate() {
            write(&numbered(&self.output, page), picture)?;
        }
        Ok(())
    }

    fn unknown(&self, library: &Library) -> miette::Report {
        let near: Vec<&str> = library
            .clips
            .iter()
            .map(|clip| clip.name.as_str())
            .filter(|name| self.motion.split('-').any(|word| !word.is_empty() && name.contains(word)))
            .take(6)
            .collect();
        let hint = if near.is_empty() {
            "`builtin` draws all clips".into()
        } else {
            format!("did you mean {}?", near.join(", "))
        };
        miette!(help = hint, "there is no clip `{}` in the built-in library", self.motion)
    }
}

/// `sheet.png` for the first page, `sheet-2.png` for the second.
fn numbered(path: &Path, page: usize) -> PathBuf {
    if page == 0 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{}.{extension}", page + 1))
}

fn write(path: &Path, picture: &crowdloom_output::canvas::Canvas) -> miette::Result<()> {
    std::fs::write(path, picture.png())
        .into_diagnostic()
        .wrap_err_with(|| format!("cannot write {}", path.display()))?;
    let (width, height) = picture.size();
    println!("{} ({width} x {height})", path.display());
    Ok(())
}
