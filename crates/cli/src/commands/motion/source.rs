//! Where clips come from: the built-in library, a library, a graph or a motion file.

use super::shown::engine_library;
use super::styles::is_cmu;
use crowdloom_motion::container::{Kind, kind_of};
use crowdloom_motion::graph::MotionGraph;
use crowdloom_motion::import::{ImportOptions, OptionSource, Preset, import_files};
use crowdloom_motion::styles::StyleLibrary;
use crowdloom_motion::{Clip, Library, builtin};
use miette::{IntoDiagnostic, miette};
use std::path::Path;

/// The name that stands for the library that needs no files.
pub const BUILT_IN: &str = "builtin";

/// The name that stands for what the locomotion engine can do.
pub const ENGINE: &str = "engine";

/// Loads `builtin`, `engine`, a library, a graph's clips, or the motions of a file as a library.
pub fn load_clips(path: &Path) -> miette::Result<Library> {
    if path.as_os_str() == BUILT_IN {
        return Ok(builtin::library());
    }
    if path.as_os_str() == ENGINE && !path.exists() {
        return engine_library();
    }
    match kind_of(path) {
        Some(Kind::Library) => Library::load(path).into_diagnostic(),
        Some(Kind::Graph) => Ok(MotionGraph::load(path).into_diagnostic()?.to_library()),
        Some(Kind::Styles) => {
            let styles = StyleLibrary::load(path).into_diagnostic()?;
            let clips = styles
                .primitives()
                .iter()
                .map(|primitive| Clip { name: primitive.name.clone(), ..primitive.clip.clone() });
            Ok(Library { skeleton: styles.skeleton().clone(), clips: clips.collect() })
        }
        None => {
            let options = match is_cmu(path) {
                true => OptionSource::Preset(Preset::Cmu),
                false => OptionSource::Fixed(ImportOptions::default()),
            };
            let (library, summary) = import_files(&[path.to_owned()], &options, || ());
            let problems = summary.files.into_iter().filter_map(|file| file.result.err());
            let named = |problem: String| match problem.starts_with(&path.display().to_string()) {
                true => problem,
                false => format!("{}: {problem}", path.display()),
            };
            library.ok_or_else(|| miette!("{}", problems.map(named).collect::<Vec<_>>().join("; ")))
        }
    }
}
