//! `crowdloom motion locomotion -o LIB`.

use super::shown::with_arms;
use crowdloom_locomotion::Engine;
use crowdloom_motion::{Clip, Library};
use miette::{IntoDiagnostic, miette};
use std::path::PathBuf;

/// Arguments of `crowdloom motion locomotion`.
#[derive(clap::Args)]
pub struct Locomotion {
    /// The library to write.
    #[arg(short, long)]
    output: PathBuf,
    /// How much of each of the people whom the engine knows there is in it, such as 1,0,2 [default: all alike].
    #[arg(long, value_delimiter = ',')]
    people: Vec<f32>,
    /// Metres a second from one cycle to the next.
    #[arg(long, default_value_t = 0.025, value_parser = step)]
    step: f32,
    /// What arms do in further cycles of every speed, such as `phone,left pocket,stroller+left stroller` [default: nothing].
    #[arg(long, value_delimiter = ',')]
    arms: Vec<String>,
}

/// A step that makes neither millions of cycles nor none.
fn step(text: &str) -> Result<f32, String> {
    let step: f32 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (0.005..=0.5).contains(&step) { Ok(step) } else { Err("it has to be from 0.005 to 0.5".into()) }
}

impl Locomotion {
    /// Makes the cycles and writes them.
    pub fn run(self) -> miette::Result<()> {
        let engine = Engine::builtin().ok_or_else(|| miette!("the built-in gait cannot be learnt"))?;
        if self.people.len() > engine.people() {
            return Err(miette!("there are {} people to mix, not {}", engine.people(), self.people.len()));
        }
        if self.people.iter().any(|share| !share.is_finite() || *share < 0.0) {
            return Err(miette!("shares of people are numbers from 0 on"));
        }
        let plain = engine.database(&self.people, self.step);
        let mut clips = plain.clone();
        for arms in &self.arms {
            let names: Vec<&str> = arms.split('+').collect();
            for cycle in &plain {
                let made = with_arms(&engine, cycle.clone(), &names)?;
                clips.push(Clip { name: format!("{} {arms}", cycle.name), ..made });
            }
        }
        let (count, seconds) = (clips.len(), clips.iter().map(|clip| clip.seconds()).sum::<f32>());
        let library = Library { skeleton: engine.skeleton().clone(), clips };
        library.save(&self.output).into_diagnostic()?;
        say!(
            "{count} cycles, {seconds:.0} s: walks from 0.5 to 2 m/s, runs from 1.5 to 3; in {}",
            self.output.display()
        );
        Ok(())
    }
}
