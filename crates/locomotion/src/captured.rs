//! Cycles out of captures: from one right heel strike to the next, where somebody goes straight on at an even pace.

use crate::cycle::{Cycle, FRAMES, Gait, ROOT};
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, Skeleton};

/// Seconds that a cycle lasts.
const LASTS: [f32; 2] = [0.45, 1.7];
/// Radians that somebody may turn meanwhile, and metres a second below which nobody goes.
const STRAIGHT: f32 = 0.26;
const GOES: f32 = 0.5;
/// How much faster or slower the second half may be than the first.
const EVEN: f32 = 0.18;
/// The least share of a cycle of running in which no foot is on the ground.
const FLIGHT: f32 = 0.12;

impl Cycle {
    /// All cycles of a capture whose feet are known.
    pub fn of_capture(skeleton: &Skeleton, clip: &Clip, subject: usize) -> Vec<Self> {
        let down = |frame: usize| clip.contacts[frame].touches(Contacts::RIGHT);
        let strikes: Vec<usize> =
            (1..clip.frames()).filter(|&frame| down(frame) && !down(frame - 1)).collect();
        let pairs = strikes.windows(2).filter_map(|pair| {
            let piece = clip.piece(pair[0], pair[1]);
            steady(&piece).then_some(piece)
        });
        pairs.filter_map(|piece| Self::closed(skeleton, &piece, subject)).collect()
    }

    /// A piece from strike to strike as a cycle that ends as it begins.
    fn closed(skeleton: &Skeleton, piece: &Clip, subject: usize) -> Option<Self> {
        let flies = piece.contacts.iter().filter(|own| **own == Contacts::default()).count();
        let gait = if flies as f32 > FLIGHT * piece.frames() as f32 { Gait::Run } else { Gait::Walk };
        let mut cycle = Self::of_clip(skeleton, piece, subject, gait)?;
        let each = ROOT + 3 * skeleton.len();
        // What the last frame has more than the first is taken away bit by bit.
        let last = FRAMES - 1;
        for number in 0..each {
            let at = |frame: usize| frame * each + number;
            // One frame on from the last is the first again.
            let step = cycle.values[at(last)] - cycle.values[at(last - 1)];
            let gap = cycle.values[at(last)] + step - cycle.values[at(0)];
            for frame in 0..FRAMES {
                cycle.values[at(frame)] -= gap * (frame as f32 / FRAMES as f32 - 0.5);
            }
        }
        cycle.values.iter().all(|value| value.is_finite()).then_some(cycle)
    }
}

/// Whether somebody goes straight on at an even pace.
fn steady(piece: &Clip) -> bool {
    let (frames, whole) = (piece.frames(), piece.displacement());
    let seconds = frames as f32 / FRAME_RATE;
    if !(LASTS[0]..=LASTS[1]).contains(&seconds) || whole.heading.abs() > STRAIGHT {
        return false;
    }
    let middle = piece.track[frames / 2].position.length();
    let speed = whole.position.length() / seconds;
    speed > GOES && (middle / whole.position.length().max(0.1) - 0.5).abs() < EVEN / 2.0
}
