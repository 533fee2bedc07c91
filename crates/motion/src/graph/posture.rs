//! What a body does, told from its posture: sitting, carrying, fighting.

use crate::body::{Body, LimbPart, Side};
use crate::{Clip, FRAME_RATE, Placement, Skeleton};
use glam::Vec3;

/// Hips lower than this share of a leg's length sit, or crouch.
const LOW_HIPS: f32 = 0.74;
/// The share of a clip in which somebody has to be in a posture.
const MOSTLY: f32 = 0.6;
/// Both hands of who carries are so far ahead of the chest at least, in metres of a body with legs of 0.85 m, and farther where they are
/// as high as in a guard, …
const AHEAD: [f32; 2] = [0.1, 0.2];
/// … so high beside it: below hangs an arm, above is a guard, …
const HELD: [f32; 2] = [-0.36, 0.25];
const GUARD: f32 = -0.08;
/// … no farther from each other than this, …
const APART: f32 = 0.55;
/// … and move no more than this about where they usually are.
const STEADY: f32 = 0.07;
/// A hand that is thrust away from the chest so fast, in metres a second, …
const BLOW: f32 = 1.8;
/// … and is so high beside it afterwards, in metres, strikes.
const BLOW_HEIGHT: f32 = -0.25;

/// `sit`, `carry` and `fight`, where the body says so.
pub fn posture_labels(skeleton: &Skeleton, clip: &Clip) -> Vec<&'static str> {
    let body = Body::guess(skeleton);
    let Some(leg) = body.leg_length(skeleton) else { return Vec::new() };
    let size = leg / 0.85;
    let hands = Side::BOTH.map(|side| body.limb(side, LimbPart::Hand));
    let chest = body.spine.last().copied().unwrap_or(body.hips);
    let (mut low, mut held) = (0, 0);
    let mut ways: [Vec<Vec3>; 2] = Default::default();
    for frame in 0..clip.frames() {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        low += usize::from(joints.positions[body.hips].z < LOW_HIPS * leg);
        let [Some(left), Some(right)] = hands else { continue };
        let back = joints.orientations[chest].inverse();
        let at = [left, right].map(|hand| back * (joints.positions[hand] - joints.positions[chest]) / size);
        let before = at.iter().all(|hand| {
            let ahead = AHEAD[usize::from(hand.z > GUARD)];
            hand.x > ahead && (HELD[0]..HELD[1]).contains(&hand.z)
        });
        held += usize::from(before && at[0].distance(at[1]) < APART);
        ways.iter_mut().zip(at).for_each(|(way, at)| way.push(at));
    }
    let mostly = |count: usize| count as f32 > MOSTLY * clip.frames() as f32;
    let mut labels = Vec::new();
    if mostly(low) {
        labels.push("sit");
    }
    let steady = |way: &Vec<Vec3>| {
        let middle = way.iter().sum::<Vec3>() / way.len().max(1) as f32;
        let off = way.iter().map(|at| at.distance_squared(middle)).sum::<f32>() / way.len().max(1) as f32;
        off.sqrt() < STEADY
    };
    let goes = clip.displacement().position.length() * FRAME_RATE / clip.frames().max(2) as f32;
    // Arms that swing keep their hands as far from the chest as they are: who strikes stretches one.
    let strikes =
        |pair: &[Vec3]| (pair[1].length() - pair[0].length()) * FRAME_RATE > BLOW && pair[1].z > BLOW_HEIGHT;
    let fights =
        goes < 1.6 && ways.iter().flat_map(|way| way.windows(2)).filter(|pair| strikes(pair)).count() > 1;
    if fights {
        labels.push("fight");
    } else if mostly(held) && ways.iter().all(|way| !way.is_empty() && steady(way)) {
        labels.push("carry");
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn built_in_clips_are_told_by_their_postures() {
        let library = builtin::library();
        let labels = |clip: &Clip| posture_labels(&library.skeleton, clip);
        let walks = library.clips.iter().filter(|clip| clip.has_label("walk") && !clip.has_label("style"));
        for clip in walks.filter(|clip| clip.displacement().position.x > 1.0).take(20) {
            assert_eq!(labels(clip), Vec::<&str>::new(), "{}", clip.name);
        }
        let seated = library.clips.iter().filter(|clip| clip.has_label("sit") && !clip.name.contains("to"));
        let told = seated.clone().filter(|clip| labels(clip).contains(&"sit")).count();
        assert!(seated.clone().count() == 0 || told > 0, "of {} seated clips none is told", seated.count());
    }
}
