//! What bodies do: standing like statues, feet that slide, hips that jerk.

use super::figures::{Feet, Figures, Standing, placed};
use super::tracks::{Piece, Tracks};
use crowdloom_motion::stance::Stance;
use glam::{Quat, Vec2, Vec3};

/// A body none of whose joints moves for this many seconds is a statue.
const STATUE_SECONDS: f32 = 0.5;
/// A change of the hips' velocity from one record to the next above this, in metres a second, is a jolt.
const JOLT: f32 = 0.7;
/// Feet in contact are compared over this many seconds: runs have places to the millimetre, which from one of thirty frames in a
/// second to the next alone would look like 4 cm/s.
const FOOT_SECONDS: f32 = 0.1;
/// Classes of foot speeds, a millimetre a second wide.
pub(super) const FOOT_CLASSES: usize = 3000;

/// What one piece of a way came to.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyConduct {
    /// Records as a statue.
    pub(super) statue: u32,
    pub(super) jolts: u32,
    /// The fastest that a joint of a body on its own feet turned, in radians a second.
    pub(super) fastest_joint: f32,
    /// How often feet in contact had each speed, in classes of a millimetre a second.
    pub(super) foot_speeds: Vec<u32>,
}

pub(super) fn bodies(piece: &Piece, tracks: &Tracks, figures: &Figures) -> BodyConduct {
    let mut found = BodyConduct { foot_speeds: vec![0; FOOT_CLASSES], ..BodyConduct::default() };
    let long = tracks.span(STATUE_SECONDS) as u32;
    let mut still = 0;
    let mut steps: Vec<Option<(Feet, [bool; 4])>> = Vec::with_capacity(piece.positions.len());
    let mut hips: [Option<Vec3>; 2] = [None; 2];
    let (mut standing, mut posed) = (Standing::default(), Standing::default());
    let size = figures.size(piece.id);
    let (mut stood, mut rotations_before) = (false, Vec::new());
    // Where the feet are does not change without them, nor does the head's turn.
    let own_moves = |stance: Stance| (stance.feet, (stance.look * 1000.0) as i32);
    for (at, (&position, &shown)) in piece.positions.iter().zip(&piece.shown).enumerate() {
        let facing = Vec2::from_angle(piece.headings[at]);
        if at > 0 {
            let moves = piece.positions[at - 1] != position
                || (piece.headings[at - 1] - piece.headings[at]).abs() > 2e-4
                || figures.moves(piece.shown[at - 1], shown)
                || piece.stances.get(at).is_some_and(|sample| {
                    sample.stance().map(own_moves) != piece.stances[at - 1].stance().map(own_moves)
                });
            still = if moves { 0 } else { still + 1 };
            match still {
                still if still == long => found.statue += long,
                still if still > long => found.statue += 1,
                _ => {}
            }
        }
        let stands = piece.stances.get(at).is_some_and(|sample| figures.stand(sample, size, &mut standing));
        let feet = if stands {
            Some((standing.feet, standing.touches))
        } else {
            let feet = figures.feet(shown, size, &mut posed);
            feet.map(|(feet, touches)| (feet.map(|point| placed(point, position, facing)), touches))
        };
        if stands && stood {
            let turned = standing.rotations.iter().zip(&rotations_before);
            let angle = |(a, b): (&Quat, &Quat)| 2.0 * (a.inverse() * *b).xyz().length().min(1.0).asin();
            let fastest = turned.map(angle).fold(0.0, f32::max) / tracks.step;
            found.fastest_joint = found.fastest_joint.max(fastest);
        }
        stood = stands;
        rotations_before.clone_from(&standing.rotations);
        steps.push(feet);
        let hip = if stands {
            Some(standing.hips)
        } else {
            figures.height(shown).map(|height| position.extend(height))
        };
        if let [Some(a), Some(b)] = hips
            && let Some(c) = hip
            && ((c - b) - (b - a)).length() > JOLT * tracks.step
        {
            found.jolts += 1;
        }
        hips = [hips[1], hip];
    }
    let span = tracks.span(FOOT_SECONDS);
    for stretch in steps.windows(span + 1) {
        for part in 0..4 {
            let place = |at: &Option<(Feet, [bool; 4])>| at.filter(|at| at.1[part]).map(|at| at.0[part]);
            if stretch.iter().all(|at| place(at).is_some())
                && let (Some(from), Some(to)) = (place(&stretch[0]), place(&stretch[span]))
            {
                let speed = (to - from).truncate().length() / (span as f32 * tracks.step);
                found.foot_speeds[((speed * 1000.0) as usize).min(FOOT_CLASSES - 1)] += 1;
            }
        }
    }
    found
}

/// The speed that a share of all is not above, in metres a second, from counts by class.
pub(super) fn percentile(counts: &[u32], share: f64) -> Option<f32> {
    let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let wanted = (total as f64 * share).ceil() as u64;
    let mut sum = 0;
    let class = counts.iter().position(|&count| {
        sum += u64::from(count);
        sum >= wanted
    })?;
    (total > 0).then_some((class as f32 + 0.5) / 1000.0)
}
