//! `crowdloom motion sheet CLIP|LIB -o sheet.png`.

use super::source::{BUILT_IN, ENGINE, load_clips};
use crowdloom_motion::draft::write_whole;
use crowdloom_motion::{Clip, Library, builtin};
use crowdloom_output::sheet;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};

/// Arguments of `crowdloom motion sheet`.
#[derive(clap::Args)]
pub struct Sheet {
    /// `builtin`, `engine` (what the locomotion engine can do), the name of a built-in clip, a library, a graph, or a motion file.
    motion: PathBuf,
    /// The picture to write; further pages are numbered.
    #[arg(short, long, default_value = "sheet.png")]
    output: PathBuf,
    /// Only clips with one of these labels, or one of these texts in their name.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The heading of a catalogue.
    #[arg(long)]
    title: Option<String>,
    /// Rows of a catalogue page.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=60))]
    rows: u16,
}

impl Sheet {
    /// Draws one clip large, or many as the pages of a catalogue.
    pub fn run(self) -> miette::Result<()> {
        let named = self.motion.to_string_lossy().into_owned();
        let library = if self.motion.exists() || named == BUILT_IN || named == ENGINE {
            load_clips(&self.motion)?
        } else {
            let library = builtin::library();
            let clip = library.clip(&named).ok_or_else(|| unknown(&named, &library))?;
            return write(&self.output, &sheet::clip_sheet(&library.skeleton, clip));
        };
        let clips = choose(&library, &self.only);
        match clips[..] {
            [] => Err(miette!("no clip of {named} matches `{}`", self.only.join(","))),
            [clip] => write(&self.output, &sheet::clip_sheet(&library.skeleton, clip)),
            _ => {
                let title = self.title.unwrap_or_else(|| match named == BUILT_IN {
                    true => "Crowdloom built-in library".into(),
                    false => format!("Crowdloom {named}"),
                });
                for (page, picture) in
                    sheet::catalogue(&library, &clips, &title, self.rows.into()).iter().enumerate()
                {
                    write(&numbered(&self.output, page), picture)?;
                }
                Ok(())
            }
        }
    }
}

/// The clips that match, in the order asked for, each once; all where nothing is asked for.
fn choose<'a>(library: &'a Library, only: &[String]) -> Vec<&'a Clip> {
    if only.is_empty() {
        return library.clips.iter().collect();
    }
    let mut chosen: Vec<&Clip> = Vec::new();
    for wanted in only {
        let matches = |clip: &&Clip| clip.has_label(wanted) || clip.name.contains(wanted.as_str());
        for clip in library.clips.iter().filter(matches) {
            if !chosen.iter().any(|other| other.name == clip.name) {
                chosen.push(clip);
            }
        }
    }
    chosen
}

fn unknown(named: &str, library: &Library) -> miette::Report {
    let near: Vec<&str> = library
        .clips
        .iter()
        .map(|clip| clip.name.as_str())
        .filter(|name| named.split('-').any(|word| !word.is_empty() && name.contains(word)))
        .take(6)
        .collect();
    let hint = if near.is_empty() {
        "`builtin` draws all clips".into()
    } else {
        format!("did you mean {}?", near.join(", "))
    };
    miette!(help = hint, "there is no file and no built-in clip called `{named}`")
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
    write_whole(path, picture.png())
        .into_diagnostic()
        .wrap_err_with(|| format!("cannot write {}", path.display()))?;
    let (width, height) = picture.size();
    say!("{} ({width} x {height})", path.display());
    Ok(())
}
