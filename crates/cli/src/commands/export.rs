//! `crowdloom export DIR --to FORMAT -o FILE`.

use crowdloom_output::body::Detail;
use crowdloom_output::export::{self, Character, GlbForm, GlbOptions, Selection, UsdForm};
use crowdloom_output::run::Run;
use miette::{IntoDiagnostic, miette};
use std::path::{Path, PathBuf};

/// Arguments of `crowdloom export`.
#[derive(clap::Args)]
pub struct Export {
    /// The folder of a run, or a run file.
    folder: PathBuf,
    /// The format.
    #[arg(long)]
    to: Format,
    /// The file to write (for bvh of several agents: the folder).
    #[arg(short, long)]
    output: PathBuf,
    /// Only these agents: numbers and ranges, such as 3,10-20.
    #[arg(long, value_delimiter = ',', value_parser = range)]
    agents: Vec<(u32, u32)>,
    /// From so many seconds after the start of the run.
    #[arg(long)]
    from_time: Option<f32>,
    /// To so many seconds after the start of the run.
    #[arg(long)]
    to_time: Option<f32>,
    /// glb, usda and usdc: recorded frames from one sample of an animation to the next.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    every: u32,
    /// glb: share clips; agents say in their extras which they show when.
    #[arg(long, conflicts_with = "per_person")]
    compact: bool,
    /// glb: an animation for each agent instead of one that moves everybody.
    #[arg(long)]
    per_person: bool,
    /// glb: how fine bodies are.
    #[arg(long, default_value = "middle")]
    detail: Fineness,
    /// glb: a rigged character of your own (.glb or .gltf) that people wear, with its share where there are several; joints are found by
    /// their names.
    #[arg(long, value_name = "FILE[=SHARE]")]
    character: Vec<String>,
    /// glb: what else is in the file: `set` for floors, walls, things, vehicles and the scene's own set.
    #[arg(long, value_name = "WHAT")]
    with: Vec<With>,
    /// Print nothing but errors.
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// JuPedSim's SQLite, for PedPy and JuPedSim's viewers.
    Jupedsim,
    /// Plain text, `id frame x y z`, for PedPy.
    Text,
    /// Comma-separated values.
    Csv,
    /// Apache Parquet, the columns of csv.
    Parquet,
    /// glTF 2.0 with skinned, moving bodies.
    Glb,
    /// A BVH file an agent.
    Bvh,
    /// USD as text, with UsdSkel.
    Usda,
    /// USD in binary, the same and much smaller.
    Usdc,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum With {
    /// Floors, walls, things, vehicles and the scene's own set.
    Set,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Fineness {
    /// About 5,000 triangles.
    Near,
    /// About 1,200 triangles.
    Middle,
    /// About 300 triangles.
    Far,
}

fn range(text: &str) -> Result<(u32, u32), String> {
    let number =
        |part: &str| part.trim().parse().map_err(|_| format!("`{part}` is not the number of an agent"));
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to) = (number(from)?, number(to)?);
    if from <= to {
        Ok((from, to))
    } else {
        Err(format!("{from}-{to} is empty: the smaller number comes first"))
    }
}

/// A character and its share.
fn character(told: &str) -> miette::Result<(Character, f32)> {
    let (path, share) = match told.rsplit_once('=') {
        Some((path, share)) if !Path::new(told).exists() => {
            let number = share.parse().ok().filter(|share: &f32| *share > 0.0 && share.is_finite());
            let number = number.ok_or_else(|| {
                miette!("`{share}` is no share of a character: `--character woman.glb=2` is worn twice as often as others")
            })?;
            (path, number)
        }
        _ => (told, 1.0),
    };
    let character = Character::read(Path::new(path)).into_diagnostic()?;
    for remark in character.remarks() {
        tell!("{path}: {remark}");
    }
    Ok((character, share))
}

impl Export {
    /// Writes the file and tells its size.
    pub fn run(self) -> miette::Result<()> {
        for time in [self.from_time, self.to_time].into_iter().flatten() {
            if !(time.is_finite() && time >= 0.0) {
                return Err(miette!("{time} is not a time: give seconds from the start of the run"));
            }
        }
        let run = Run::open(&self.folder).into_diagnostic()?;
        let selection = Selection { agents: self.agents.clone(), from: self.from_time, to: self.to_time };
        let path = &self.output;
        let mut files = vec![path.clone()];
        match self.to {
            Format::Jupedsim => jupedsim(&run, &selection, path)?,
            Format::Text => export::write_text(&run, &selection, path).into_diagnostic()?,
            Format::Csv => export::write_csv(&run, &selection, path).into_diagnostic()?,
            Format::Parquet => parquet(&run, &selection, path)?,
            Format::Glb => {
                let detail = match self.detail {
                    Fineness::Near => Detail::Near,
                    Fineness::Middle => Detail::Middle,
                    Fineness::Far => Detail::Far,
                };
                let characters: miette::Result<Vec<(Character, f32)>> =
                    self.character.iter().map(|told| character(told)).collect();
                let characters = characters?;
                if self.compact && characters.len() > 1 {
                    return Err(miette!("--compact shows one character: leave it out, or give one"));
                }
                let form = match (self.compact, self.per_person) {
                    (true, _) => GlbForm::Compact,
                    (_, true) => GlbForm::PerPerson,
                    _ => GlbForm::Together,
                };
                let options = GlbOptions {
                    detail,
                    every: self.every,
                    form,
                    characters,
                    set: self.with.contains(&With::Set),
                };
                export::write_glb(&run, &selection, &options, path).into_diagnostic()?;
            }
            Format::Bvh => files = export::write_bvh_files(&run, &selection, path).into_diagnostic()?,
            Format::Usda | Format::Usdc => {
                let form = if matches!(self.to, Format::Usda) { UsdForm::Text } else { UsdForm::Binary };
                export::write_usd(&run, &selection, self.every, form, path).into_diagnostic()?;
            }
        }
        // Nothing is mixed into what goes to a pipe or to standard output.
        if !self.quiet && (path.is_file() || path.is_dir()) && !path.starts_with("/dev") {
            let bytes: u64 =
                files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|data| data.len()).sum();
            let count = if files.len() == 1 { String::new() } else { format!("{} files, ", files.len()) };
            say!("{} ({count}{:.1} MB)", path.display(), bytes as f64 / 1e6);
        }
        Ok(())
    }
}

#[cfg(feature = "sqlite")]
fn jupedsim(run: &Run, selection: &Selection, path: &std::path::Path) -> miette::Result<()> {
    export::write_jupedsim(run, selection, path).into_diagnostic()
}

#[cfg(not(feature = "sqlite"))]
fn jupedsim(_: &Run, _: &Selection, _: &std::path::Path) -> miette::Result<()> {
    Err(miette!(help = "build with `--features sqlite`", "this build writes no SQLite"))
}

#[cfg(feature = "parquet")]
fn parquet(run: &Run, selection: &Selection, path: &std::path::Path) -> miette::Result<()> {
    export::write_parquet(run, selection, path).into_diagnostic()
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Run, _: &Selection, _: &std::path::Path) -> miette::Result<()> {
    Err(miette!(help = "build with `--features parquet`", "this build writes no Parquet"))
}
