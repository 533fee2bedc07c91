//! Single steps: the finest grain of walking and running, one strike of a foot each.
//!
//! There is a node for each speed and each foot that may step next. From each, steps lead to the same speed, to
//! neighbouring and some farther ones, straight and turning; a stop leads to standing within one more step. Everything is
//! made for the right foot; the left foot's are mirror images.

use super::gait::{Gait, Manner};
use super::travel::{End, Travel};
use super::{body, stand};
use crate::{Clip, Ends};
use rayon::prelude::*;

/// Walking speeds in metres a second. One may play a step 15 % faster or slower, so that all speeds between are there.
const WALKS: [f32; 12] = [0.2, 0.28, 0.38, 0.5, 0.65, 0.8, 0.95, 1.15, 1.35, 1.52, 1.68, 1.85];
/// Running speeds in metres a second.
const RUNS: [f32; 6] = [2.2, 2.6, 3.1, 3.7, 4.4, 5.0];
/// The label of every clip here.
const LABEL: &str = "single";
/// Frames in two steps of whoever goes slowly: steps become shorter rather than slower (Jelić et al. 2012, single file).
const MOST_CYCLE_FRAMES: f32 = 34.0;
/// Starts to these speeds turn as well, in metres a second …
const TURNING_STARTS: [f32; 3] = [0.38, 0.65, 0.95];
/// … by these angles, in degrees, sharp ones in more than one step.
const START_TURNS: [i32; 13] = [0, 25, -25, 50, -50, 80, -80, 105, -105, 135, -135, 168, -168];
/// Starts that turn by more than this, in degrees, take two steps …
const SHARP: u32 = 60;
/// … and by more than this three …
const SHARPEST: u32 = 120;
/// … those by more than this not to the fastest of these speeds, where an ankle would give way …
const TOO_SHARP: u32 = 150;
/// … and each of so many frames more.
const FRAMES_OF_TURNING: usize = 11;
/// Who turns by 90 degrees on the way slows down by this share …
const SLOWS_DOWN: f32 = 0.35;
/// … and who sets out with such a turn walks sooner by this share: it goes round instead of turning on the spot first.
const WALKS_SOONER: f32 = 0.3;

/// Who runs slower than this, in metres a second, stops within two steps, who runs faster within four.
const FAST_RUN: f32 = 2.9;

/// A speed to step at.
struct Level {
    speed: f32,
    gait: Gait,
    /// The node in which the right foot steps next, and the left.
    nodes: [String; 2],
}

impl Level {
    fn walk(speed: f32) -> Self {
        // Who takes small steps bends and rolls less, and does not sway from foot to foot.
        let small = 0.45 + 0.55 * (speed / 0.8).min(1.0);
        let natural = Manner::walk(speed);
        // At the fastest, steps are a little quicker and shorter, so that turning and braking legs reach the ground.
        let most_frames = if speed > 1.8 { 24.0 } else { MOST_CYCLE_FRAMES };
        let manner = Manner {
            x_cadence: Gait::cadence_for(speed, most_frames),
            x_swing_knee: natural.x_swing_knee.map(|factor| factor * small),
            x_foot: natural.x_foot.min(0.98) * small,
            x_sway: natural.x_sway.min(1.25),
            ..natural
        };
        // The plain walk of the library has the node that styles of walking start from.
        let nodes = if speed == 1.35 { ["walk".into(), node("left", speed)] } else { both_nodes(speed) };
        let manner = if speed == 1.35 { Manner::walk(speed) } else { manner };
        Self { speed, gait: Gait::new(manner), nodes }
    }

    fn run(speed: f32) -> Self {
        let natural = Manner::running(speed);
        // Two steps of as many frames each.
        let frames = 2.0 * libm::roundf(0.5 * Gait::new(natural.clone()).cycle_frames as f32);
        let x_cadence = Gait::new(natural.clone()).cycle_frames as f32 / frames;
        Self { speed, gait: Gait::new(Manner { x_cadence, ..natural }), nodes: both_nodes(speed) }
    }

    fn runs(&self) -> bool {
        self.gait.manner.run
    }

    fn label(&self) -> &'static str {
        if self.runs() { "run" } else { "walk" }
    }
}

fn node(foot: &str, speed: f32) -> String {
    format!("{foot}-at-{speed:.2}")
}

fn both_nodes(speed: f32) -> [String; 2] {
    [node("right", speed), node("left", speed)]
}

/// Turns in degrees, to either side, of a step between two levels that are so many apart.
fn turns(from: &Level, apart: usize) -> &'static [i32] {
    match (from.runs(), apart) {
        (true, 0) => &[0, 8, -8, 20, -20],
        (true, 1) => &[0, 12, -12],
        (true, _) => &[0],
        (false, 0) if from.speed < 0.6 => &[0, 10, -10, 25, -25, 50, -50],
        (false, 0) => &[0, 10, -10, 25, -25, 45, -45],
        (false, 1) if from.speed < 0.7 => &[0, 12, -12, 30, -30, 50, -50],
        (false, 1) => &[0, 12, -12, 30, -30],
        (false, 2 | 3) if from.speed < 1.0 => &[0, 20, -20, 40, -40],
        (false, _) => &[0, 20, -20],
    }
}

/// Whether a step leads from one level to another.
fn leads(from: usize, to: usize) -> bool {
    let (walks, apart) = (WALKS.len(), from.abs_diff(to));
    match (from < walks, to < walks) {
        (true, true) => matches!(apart, 0..=3 | 5 | 7),
        (false, false) => apart <= 1,
        // Between the fastest walks and the slowest run.
        _ => apart <= 2 && from.max(to) == walks,
    }
}

/// A clip to be made: to and from levels, or standing where there is none.
struct Single<'a> {
    from: Option<&'a Level>,
    to: Option<&'a Level>,
    degrees: i32,
}

impl Single<'_> {
    /// Its name for a foot, the turn being to the left where `degrees` are positive.
    fn name(&self, foot: &str, degrees: i32) -> String {
        let name = match (self.from, self.to) {
            (Some(from), Some(to)) if from.speed == to.speed => format!("{foot}-step-{:.2}", from.speed),
            (Some(from), Some(to)) => format!("{foot}-step-{:.2}-to-{:.2}", from.speed, to.speed),
            (Some(from), None) => format!("{foot}-stop-{:.2}", from.speed),
            (None, to) => format!("{foot}-start-{:.2}", to.map_or(0.0, |to| to.speed)),
        };
        match degrees {
            0 => name,
            _ => format!("{name}-turn-{}-{}", if degrees > 0 { "left" } else { "right" }, degrees.abs()),
        }
    }

    fn labels(&self) -> Vec<&'static str> {
        let mut labels: Vec<_> = [self.from, self.to].into_iter().flatten().map(Level::label).collect();
        labels.dedup();
        labels.push(LABEL);
        labels.extend(self.from.is_none().then_some("start"));
        labels.extend(self.to.is_none().then_some("stop"));
        labels.extend((self.degrees != 0).then_some("turn"));
        labels
    }

    /// Steps that a start takes.
    fn steps(&self) -> usize {
        let turn = self.degrees.unsigned_abs();
        if self.from.is_some() || turn <= SHARP {
            1
        } else if turn <= SHARPEST {
            2
        } else {
            3
        }
    }

    /// The foot that steps first in what [`Self::travel`] makes: 0 is the right one, 1 the left.
    fn foot(&self) -> usize {
        usize::from(self.from.is_none() && self.steps() != 2)
    }

    /// The nodes at its ends where a foot steps first: after one step or three it is the other's turn, after two its own.
    fn ends(&self, foot: usize) -> Ends {
        let node = |level: Option<&Level>, next: usize| {
            level.map_or_else(|| "stand".to_string(), |level| level.nodes[next].clone())
        };
        let next = if self.steps() == 2 { foot } else { 1 - foot };
        Ends { from: node(self.from, foot), to: node(self.to, next) }
    }

    fn travel<'a>(&'a self, still: &'a body::Channels) -> Travel<'a> {
        let end = |level: Option<&'a Level>| level.map_or(End::Still(still), |level| End::Going(&level.gait));
        let sharp = self.degrees.unsigned_abs() as f32 / 90.0;
        let (frames, cycles) = match (self.from, self.to) {
            (Some(from), Some(to)) => {
                // Walking becomes running in three steps.
                let cycles = if from.runs() == to.runs() { 0.5 } else { 1.5 };
                let cycle = 0.5 * (from.gait.cycle_frames + to.gait.cycle_frames) as f32;
                (libm::roundf(cycle * cycles) as usize, cycles)
            }
            // Until the foot that swings has come down and the other has closed up.
            (Some(from), None) if from.runs() => {
                let cycles = if from.speed < FAST_RUN { 1.1 } else { 2.1 };
                (20 + (5.0 * (from.speed - 2.0)) as usize, cycles - from.gait.node_phase())
            }
            (Some(from), None) => {
                (16 + libm::roundf(1.2 * from.speed) as usize, 1.1 - from.gait.node_phase())
            }
            // The foot that steps lifts at once.
            (None, to) => {
                let (speed, phase) = to.map_or((0.0, 0.3), |to| (to.speed, to.gait.node_phase()));
                let frames = 19 + libm::ceilf(5.0 * speed) as usize;
                let more = self.steps() - 1;
                (frames + FRAMES_OF_TURNING * more, 0.5 * (more + 1) as f32 + phase)
            }
        };
        Travel {
            from: end(self.from),
            to: end(self.to),
            frames,
            cycles,
            turn: (self.degrees as f32).to_radians(),
            dip: if self.from.is_none() { -WALKS_SOONER } else { SLOWS_DOWN } * sharp,
        }
    }

    /// The clip and its mirror image.
    fn clips(&self, still: &body::Channels, skeleton: &crate::Skeleton) -> [Clip; 2] {
        let names = ["right", "left"];
        let (own, other) = (self.foot(), 1 - self.foot());
        let Ends { from, to } = self.ends(own);
        let name = self.name(names[own], self.degrees);
        let made = self.travel(still).piece(name, &self.labels(), (&from, &to)).0;
        let mirrored = Clip {
            name: self.name(names[other], -self.degrees),
            ends: Some(self.ends(other)),
            ..made.mirrored(skeleton)
        };
        [made, mirrored]
    }
}

/// All of them.
pub fn clips() -> Vec<Clip> {
    let levels: Vec<Level> = WALKS
        .iter()
        .map(|&speed| Level::walk(speed))
        .chain(RUNS.iter().map(|&speed| Level::run(speed)))
        .collect();
    let mut singles = Vec::new();
    for (index, from) in levels.iter().enumerate() {
        for (other, to) in levels.iter().enumerate().filter(|(other, _)| leads(index, *other)) {
            let turns = turns(from, index.abs_diff(other));
            singles.extend(turns.iter().map(|&degrees| Single { from: Some(from), to: Some(to), degrees }));
        }
        singles.push(Single { from: Some(from), to: None, degrees: 0 });
    }
    for to in levels.iter().filter(|level| !level.runs()) {
        let turns = if TURNING_STARTS.contains(&to.speed) { &START_TURNS } else { &START_TURNS[..1] };
        let possible = |degrees: &&i32| degrees.unsigned_abs() <= TOO_SHARP || to.speed < TURNING_STARTS[2];
        let turns = turns.iter().filter(possible);
        singles.extend(turns.map(|&degrees| Single { from: None, to: Some(to), degrees }));
    }
    let (still, skeleton) = (stand::pose(), body::rest_skeleton());
    singles.par_iter().flat_map_iter(|single| single.clips(&still, &skeleton)).collect()
}
