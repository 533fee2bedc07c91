//! `crowdloom motion styles [FILES] -o LIB [--plot styles.svg]`.

use super::import::expand;
use super::source::load_clips;
use crate::progress::progress_bar;
use crowdloom_motion::container::kind_of;
use crowdloom_motion::draft::write_whole;
use crowdloom_motion::import::{ImportOptions, OptionSource, Preset, import_files_onto};
use crowdloom_motion::styles::{StyleLibrary, StyleOptions};
use crowdloom_motion::{Library, builtin};
use crowdloom_output::style_plot::plot_styles;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::{Path, PathBuf};

/// Arguments of `crowdloom motion styles`.
#[derive(clap::Args)]
pub struct Styles {
    /// Motion files, folders that hold them, or one clip library [default: the built-in library].
    files: Vec<PathBuf>,
    /// The style library to write.
    #[arg(short, long)]
    output: PathBuf,
    /// Draw the styles as SVG.
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Conventions of the motion files [default: cmu where all are called like 16_15.bvh, else none].
    #[arg(long)]
    preset: Option<PresetName>,
    /// Keep the body of the first motion file; without it all are put on the built-in body, which replay pages dress.
    #[arg(long)]
    own_body: bool,
    /// Styles in a row of the consistency table.
    #[arg(long, default_value_t = StyleOptions::default().candidates, value_parser = candidates)]
    candidates: usize,
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PresetName {
    /// The Carnegie Mellon database.
    Cmu,
    /// What the files say.
    None,
}

fn candidates(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=16) => Ok(count),
        _ => Err("give a number from 1 to 16".into()),
    }
}

impl Styles {
    /// Finds, writes and draws the styles, and prints what was found.
    pub fn run(self) -> miette::Result<()> {
        let library = self.clips()?;
        let options = StyleOptions { candidates: self.candidates, ..StyleOptions::default() };
        let (styles, found) = StyleLibrary::build(&library, &options).into_diagnostic()?;
        styles.save(&self.output).into_diagnostic()?;
        let mut files = vec![&self.output];
        if let Some(path) = &self.plot {
            write_whole(path, plot_styles(&styles))
                .into_diagnostic()
                .wrap_err_with(|| path.display().to_string())?;
            files.push(path);
        }
        if self.json {
            say!("{}", serde_json::to_string_pretty(&found).into_diagnostic()?);
            return Ok(());
        }
        say_on!("{found}");
        for path in files {
            say!("wrote {}", path.display());
        }
        Ok(())
    }

    fn clips(&self) -> miette::Result<Library> {
        match &self.files[..] {
            [] => return Ok(builtin::library()),
            [one]
                if !one.is_dir()
                    && (kind_of(one).is_some() || one.as_os_str() == super::source::BUILT_IN) =>
            {
                return load_clips(one);
            }
            _ => {}
        }
        let files = expand(&self.files)?;
        let preset = self.preset.unwrap_or_else(|| {
            let cmu = files.iter().all(|file| is_cmu(file));
            if cmu { PresetName::Cmu } else { PresetName::None }
        });
        let source = match preset {
            PresetName::Cmu => OptionSource::Preset(Preset::Cmu),
            PresetName::None => OptionSource::Fixed(ImportOptions::default()),
        };
        let bar = progress_bar(files.len() as u64, "files");
        let body = (!self.own_body).then(|| builtin::library().skeleton);
        let (library, summary) = import_files_onto(body.as_ref(), &files, &source, || bar.inc(1));
        bar.finish_and_clear();
        if !self.json {
            if self.preset.is_none() && preset == PresetName::Cmu {
                say!("the files are called like those of the CMU database: read by its conventions");
            }
            for refused in summary.files.iter().filter(|file| file.result.is_err()) {
                say!("refused  {}", refused.file.display());
            }
        }
        library.ok_or_else(|| miette!("no file could be imported"))
    }
}

/// Whether a file is called as in the CMU database: subject, underscore, number.
pub(super) fn is_cmu(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    stem.split_once('_').is_some_and(|(subject, number)| digits(subject) && digits(number))
}
