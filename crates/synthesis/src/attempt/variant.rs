//! Ways of meeting a goal that are tried one after the other: when to leave, how fast, on which side.

use super::ROUNDS;
use super::round::FIRST_WHIM;
use crowdloom_world::Ground;
use glam::Vec2;

/// Speeds differ by at most these factors from the wanted one, in later rounds.
const PACES: [f32; 5] = [1.0, 0.82, 1.22, 0.66, 1.4];
/// Those who wait without need wait no longer than this, in frames; four times as long where nothing else helped.
const USUAL_WAIT: u32 = 240;
/// Ways shorter than this, in metres, leave little room to turn.
const SHORT_WAY: f32 = 4.0;

/// One way of doing it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// Frames to wait first.
    pub delay: u32,
    /// Factor of the wanted speed.
    pub pace: f32,
    /// Metres to pass to the left of the straight way.
    pub side: f32,
}

impl Variant {
    /// The ways in the order in which they are tried: plain first.
    pub fn of(round: u32, most_wait: u32) -> Self {
        let half = round % (ROUNDS / 2);
        // Steps that share no factor with the lengths of the lists go through all combinations.
        let side = [0.0, 0.0, 1.2, -1.2, 2.4, -2.4][(half * 5 / 4 % 6) as usize];
        let share = [0.0, 0.12, 0.3, 0.06, 0.5, 0.2, 0.75, 1.0][(half % 8) as usize];
        let pace = PACES[(half / 2 % 5) as usize];
        let usual = if half < FIRST_WHIM { USUAL_WAIT } else { 4 * USUAL_WAIT };
        Self { delay: (share * most_wait.min(usual) as f32) as u32, pace, side }
    }

    /// Bends the longest stretch of a way to the side, where a body has room there; returns whether it did.
    pub fn bend(self, way: &mut Vec<Vec2>, ground: &Ground, body: f32) -> bool {
        if self.side == 0.0 {
            return false;
        }
        let stretch = |i: &usize| way[*i].distance_squared(way[*i + 1]);
        let Some(longest) = (0..way.len() - 1).max_by(|a, b| stretch(a).total_cmp(&stretch(b))) else {
            return false;
        };
        let (a, b) = (way[longest], way[longest + 1]);
        // A short way is lengthened a lot: room to turn, and motion enough to be adjusted.
        let side = if a.distance(b) > SHORT_WAY { self.side } else { 2.0 * self.side };
        let aside = (b - a).perp().normalize_or(Vec2::Y) * side;
        let middle = (a + b) * 0.5 + aside;
        if !ground.is_free(middle, body) {
            return false;
        }
        way.insert(longest + 1, middle);
        true
    }
}
