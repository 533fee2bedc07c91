//! `crowdloom motion kits LIB`.

use super::source::load_clips;
use crowdloom_gesture::{BUILT_IN, WITH_ANOTHER};
use crowdloom_locomotion::{Action, KitWish, Kits as Repertoire, MotionKit};
use miette::miette;
use std::path::PathBuf;

/// Arguments of `crowdloom motion kits`.
#[derive(clap::Args)]
pub struct Kits {
    /// `builtin`, `engine`, a library, a graph, a style library, or a motion file.
    motion: PathBuf,
    /// What people do.
    #[arg(long)]
    action: Option<Named>,
    /// What they do besides: a label of the clip, or `none`.
    #[arg(long)]
    sub_action: Option<String>,
    /// What the left arm does, such as `phone`, or `none`.
    #[arg(long)]
    left_arm: Option<String>,
    /// What the right arm does, such as `pocket`, or `none`.
    #[arg(long)]
    right_arm: Option<String>,
    /// Name the motion of the nearest speed, in metres a second.
    #[arg(long)]
    speed: Option<f32>,
    /// Name any motion that fits, by a number from 0 to 1.
    #[arg(long, conflicts_with = "speed")]
    draw: Option<f32>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Named {
    Stand,
    Sit,
    Walk,
    Run,
}

#[derive(serde::Serialize)]
struct Row<'a> {
    action: &'static str,
    sub_action: &'a str,
    left_arm: &'a str,
    right_arm: &'a str,
    motions: usize,
    slowest_m_s: f32,
    fastest_m_s: f32,
    first: &'a str,
}

impl Kits {
    /// Prints the table, or what fits.
    pub fn run(self) -> miette::Result<()> {
        let library = load_clips(&self.motion)?;
        let arms: Vec<&str> = BUILT_IN.iter().chain(&WITH_ANOTHER).map(|(name, _)| *name).collect();
        let kits = Repertoire::of(&library, &arms);
        let action = self.action.map(|named| match named {
            Named::Stand => Action::Stand,
            Named::Sit => Action::Sit,
            Named::Walk => Action::Walk,
            Named::Run => Action::Run,
        });
        let text = |own: &Option<String>| own.as_ref().map(|own| own.replace("none", ""));
        let wish = KitWish {
            action,
            sub_action: text(&self.sub_action),
            left_arm: text(&self.left_arm),
            right_arm: text(&self.right_arm),
        };
        let one = match (self.speed, self.draw) {
            (Some(speed), _) => Some(kits.nearest(&wish, speed)),
            (None, Some(draw)) => Some(kits.pick(&wish, draw)),
            (None, None) => None,
        };
        if let Some(found) = one {
            let kit = found.ok_or_else(|| miette!("no motion of {} fits", self.motion.display()))?;
            return tell(&[row(kit.action, &[kit])], self.json);
        }
        let rows: Vec<Row<'_>> = kits
            .cells()
            .filter(|(cell, _)| action.is_none_or(|action| action == cell.0))
            .map(|(cell, own)| row(cell.0, &own))
            .collect();
        tell(&rows, self.json)
    }
}

fn row<'a>(action: Action, kits: &[&'a MotionKit]) -> Row<'a> {
    let (first, last) = (kits[0], kits[kits.len() - 1]);
    Row {
        action: action.name(),
        sub_action: &first.sub_action,
        left_arm: &first.left_arm,
        right_arm: &first.right_arm,
        motions: kits.len(),
        slowest_m_s: first.speed,
        fastest_m_s: last.speed,
        first: &first.name,
    }
}

fn tell(rows: &[Row<'_>], json: bool) -> miette::Result<()> {
    use miette::IntoDiagnostic;
    if json {
        say!("{}", serde_json::to_string_pretty(rows).into_diagnostic()?);
        return Ok(());
    }
    say!("action  besides       left arm    right arm   motions  m/s            such as");
    for row in rows {
        say!(
            "{:<7} {:<13} {:<11} {:<11} {:>7}  {:>5.2} to {:>5.2}  {}",
            row.action,
            row.sub_action,
            row.left_arm,
            row.right_arm,
            row.motions,
            row.slowest_m_s,
            row.fastest_m_s,
            row.first
        );
    }
    Ok(())
}
