//! Importing many files into one library.

use super::{ImportOptions, Imported, Preset, import_capture, read_takes};
use crate::retarget::{JointMap, retarget};
use crate::{Library, Skeleton};
use rayon::prelude::*;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where the options of each file come from.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionSource {
    /// The same options for every file.
    Fixed(ImportOptions),
    /// The conventions of a known source, file by file.
    Preset(Preset),
}

impl OptionSource {
    fn options(&self, file: &Path) -> ImportOptions {
        match self {
            Self::Fixed(options) => options.clone(),
            Self::Preset(preset) => preset.options(file),
        }
    }
}

/// What happened to one file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileOutcome {
    /// The file.
    pub file: PathBuf,
    /// How many clips it gave.
    pub clips: usize,
    /// Seconds of motion imported, or why the file was refused.
    pub result: Result<f32, String>,
    /// Glitches, guesses and other things worth knowing, one sentence each.
    pub notes: Vec<String>,
}

/// What an import of many files did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportSummary {
    /// One entry for each file, in the order given.
    pub files: Vec<FileOutcome>,
}

impl fmt::Display for ImportSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.files {
            let file = outcome.file.display();
            if let Err(problem) = &outcome.result {
                // A reader's message names its file already.
                let named = problem.starts_with(&file.to_string());
                let head = if named { String::new() } else { format!("{file}: ") };
                writeln!(f, "refused  {head}{problem}")?;
            }
            for note in &outcome.notes {
                writeln!(f, "note     {file}: {note}")?;
            }
        }
        let seconds =
            self.files.iter().filter_map(|outcome| outcome.result.as_ref().ok()).fold(0.0, |a, b| a + b);
        let refused = self.files.iter().filter(|outcome| outcome.result.is_err()).count();
        let clips: usize = self.files.iter().map(|outcome| outcome.clips).sum();
        writeln!(f, "{clips} clips, {seconds:.1} s of motion; {refused} files refused")
    }
}

/// Imports files in parallel into one library on the first file's skeleton; clips of other bodies are retargeted.
///
/// `progress` is called once a file, from any thread. `None` where no file could be used.
pub fn import_files(
    files: &[PathBuf],
    source: &OptionSource,
    progress: impl Fn() + Sync,
) -> (Option<Library>, ImportSummary) {
    import_files_onto(None, files, source, progress)
}

/// The same onto a given skeleton; `None` takes the first file's.
pub fn import_files_onto(
    target: Option<&Skeleton>,
    files: &[PathBuf],
    source: &OptionSource,
    progress: impl Fn() + Sync,
) -> (Option<Library>, ImportSummary) {
    let imported: Vec<Result<Vec<Imported>, String>> = files
        .par_iter()
        .map(|file| {
            let result = import_takes(file, &source.options(file));
            progress();
            result
        })
        .collect();

    let first = || imported.iter().flatten().flatten().next().map(|imported| imported.skeleton.clone());
    let skeleton = target.cloned().or_else(first);
    let mut clips = Vec::new();
    let mut summary = ImportSummary::default();
    for (file, result) in files.iter().zip(imported) {
        let mut outcome = FileOutcome { file: file.clone(), clips: 0, result: Ok(0.0), notes: Vec::new() };
        let fitted = result.and_then(|takes| {
            let fit_one = |imported: Imported| {
                outcome.notes.extend(imported.glitches.iter().map(|glitch| glitch.to_string()));
                outcome.notes.extend(imported.notes.iter().cloned());
                let skeleton = skeleton.as_ref().unwrap_or(&imported.skeleton).clone();
                fit(imported, &skeleton, &mut outcome.notes)
            };
            takes.into_iter().map(fit_one).collect::<Result<Vec<_>, _>>()
        });
        outcome.result = fitted.map(|fitted| {
            outcome.clips = fitted.len();
            let seconds = fitted.iter().map(crate::Clip::seconds).sum();
            for mut clip in fitted {
                clip.name = free_name(&clips, &clip.name);
                clips.push(clip);
            }
            seconds
        });
        summary.files.push(outcome);
    }
    (skeleton.filter(|_| !clips.is_empty()).map(|skeleton| Library { skeleton, clips }), summary)
}

/// All motions of a file as clips, called after it.
fn import_takes(file: &Path, options: &ImportOptions) -> Result<Vec<Imported>, String> {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let takes = read_takes(file).map_err(|error| error.to_string())?;
    let import = |take: super::Take| {
        let name = if take.name.is_empty() { stem.clone() } else { format!("{stem} {}", take.name) };
        import_capture(&name, &take.capture, options).map_err(|error| error.to_string())
    };
    takes.into_iter().map(import).collect()
}

/// The clip on the library's skeleton.
fn fit(imported: Imported, skeleton: &Skeleton, notes: &mut Vec<String>) -> Result<crate::Clip, String> {
    if same_body(&imported.skeleton, skeleton) {
        return Ok(imported.clip);
    }
    let map = JointMap::guess(&imported.skeleton, skeleton);
    let clip =
        retarget(&imported.skeleton, skeleton, &map, &imported.clip).map_err(|error| error.to_string())?;
    notes.push("another body: retargeted to the library's skeleton".into());
    Ok(clip)
}

/// Whether two skeletons have the same joints and bone lengths to a tenth of a millimetre.
fn same_body(a: &Skeleton, b: &Skeleton) -> bool {
    a.len() == b.len()
        && a.joints()
            .iter()
            .zip(b.joints())
            .all(|(a, b)| a.name == b.name && a.parent == b.parent && a.offset.distance(b.offset) < 1e-4)
}

fn free_name(clips: &[crate::Clip], name: &str) -> String {
    let taken = |name: &str| clips.iter().any(|clip| clip.name == name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
