//! What a body does, told from its posture: sitting, carrying, fighting.

use crate::body::{Body, LimbPart, Side};
use crate::{Clip, FRAME_RATE, Placement, Skeleton};
use glam::Vec3;

/// Hips lower than this share of a leg's length sit, or crouch.
const LOW_HIPS: f32 = 0.74;
/// The share of a clip in which somebody has to be in a posture.
const MOSTLY: f32 = 0.6;
/// Both hands of who carries are so far ahead of the chest at least, in metres of a body with legs of 0.85 m, …
const AHEAD: f32 = 0.16;
/// … no farther from each other than this, …
const APART: f32 = 0.55;
/// … and move no more than this about where they usually are.
const STEADY: f32 = 0.07;
/// Hands of who fights get so fast beside the chest, in metres a second, though the body does not run.
const BLOW: f32 = 3.2;

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
        let before = at.iter().all(|hand| hand.x > AHEAD && (-0.45..0.25).contains(&hand.z));
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
    if mostly(held) && ways.iter().all(|way| !way.is_empty() && steady(way)) {
        labels.push("carry");
    }
    let fastest =
        ways.iter().flat_map(|way| way.windows(2)).map(|pair| pair[0].distance(pair[1]) * FRAME_RATE);
    let mut fastest: Vec<f32> = fastest.collect();
    fastest.sort_by(f32::total_cmp);
    let goes = clip.displacement().position.length() * FRAME_RATE / clip.frames().max(2) as f32;
    // One blow in a second is enough: a few frames of many.
    if goes < 1.6 && fastest.get(fastest.len() * 95 / 100).is_some_and(|speed| *speed > BLOW) {
        labels.push("fight");
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
