//! Motions of clips inside a run file.

use super::column::{Damaged, Differences, Numbers, put_number, put_signed};
use crowdloom_motion::{Clip, Contacts, Placement};
use glam::{Quat, Vec2};

/// Metres are written in parts of this, angles in parts of this of a radian.
const FINE: f32 = 10_000.0;
/// Parts of a quaternion's component.
const TURN: f32 = 32_767.0;

/// The contents of a block of clips: numbers and motions.
pub fn encode_clips<'a>(clips: impl ExactSizeIterator<Item = (u16, &'a Clip)>) -> Vec<u8> {
    let mut out = Vec::new();
    put_number(&mut out, clips.len() as u64);
    for (number, clip) in clips {
        let joints = clip.joint_count();
        for value in [u64::from(number), clip.frames() as u64, joints as u64] {
            put_number(&mut out, value);
        }
        let mut column = |value: &dyn Fn(usize) -> i64| {
            let mut differences = Differences::new(2);
            (0..clip.frames()).for_each(|frame| put_signed(&mut out, differences.encode(value(frame))));
        };
        let fine = |value: f32| (value * FINE).round() as i64;
        column(&|frame| fine(clip.track[frame].position.x));
        column(&|frame| fine(clip.track[frame].position.y));
        column(&|frame| fine(clip.track[frame].heading));
        column(&|frame| fine(clip.root_heights[frame]));
        column(&|frame| clip.contacts[frame].0.into());
        column(&|frame| fine(clip.radii[frame]));
        for joint in 0..joints {
            // Neighbouring frames must have the same sign of the two that mean the same rotation.
            let mut signs = vec![1.0f32; clip.frames()];
            for frame in 1..clip.frames() {
                let (before, now) =
                    (clip.frame_rotations(frame - 1)[joint], clip.frame_rotations(frame)[joint]);
                signs[frame] = signs[frame - 1] * if before.dot(now) < 0.0 { -1.0 } else { 1.0 };
            }
            for part in 0..4 {
                column(&|frame| {
                    let value = clip.frame_rotations(frame)[joint].to_array()[part] * signs[frame];
                    (value * TURN).round() as i64
                });
            }
        }
    }
    out
}

/// Reads what [`encode_clips`] wrote; the clips have no names yet.
pub fn decode_clips(contents: &[u8]) -> Result<Vec<(u16, Clip)>, Damaged> {
    let mut numbers = Numbers(contents);
    let count = numbers.at_most(u16::MAX.into())?;
    let mut clips = Vec::new();
    for _ in 0..count {
        let number = numbers.at_most(u16::MAX.into())? as u16;
        let frames = numbers.at_most(contents.len() as u64)?;
        let joints = numbers.at_most(crowdloom_motion::Skeleton::MAX_JOINTS as u64)?;
        if frames == 0 || frames.saturating_mul(6 + 4 * joints) > numbers.0.len() {
            return Err(Damaged);
        }
        let mut column = || -> Result<Vec<i64>, Damaged> {
            let mut differences = Differences::new(2);
            (0..frames).map(|_| Ok(differences.decode(numbers.signed()?))).collect()
        };
        let fine = |value: &i64| *value as f32 / FINE;
        let (x, y, heading, heights, contacts, radii) =
            (column()?, column()?, column()?, column()?, column()?, column()?);
        let mut rotations = vec![Quat::IDENTITY; frames * joints];
        for joint in 0..joints {
            let parts = [column()?, column()?, column()?, column()?];
            for frame in 0..frames {
                let [x, y, z, w] = std::array::from_fn(|part| parts[part][frame] as f32 / TURN);
                let rotation = Quat::from_xyzw(x, y, z, w);
                let length = rotation.length();
                if !(length.is_finite() && length > 0.5) {
                    return Err(Damaged);
                }
                rotations[frame * joints + joint] = rotation / length;
            }
        }
        let place = |frame: usize| Placement {
            position: Vec2::new(fine(&x[frame]), fine(&y[frame])),
            heading: fine(&heading[frame]),
        };
        clips.push((
            number,
            Clip {
                name: String::new(),
                labels: Vec::new(),
                ends: None,
                track: (0..frames).map(place).collect(),
                root_heights: heights.iter().map(fine).collect(),
                rotations,
                contacts: contacts.iter().map(|&value| Contacts(value as u8)).collect(),
                radii: radii.iter().map(fine).collect(),
            },
        ));
    }
    Ok(clips)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::builtin;

    #[test]
    fn clips_come_back_nearly() {
        let library = builtin::library();
        let some = library.clips.iter().step_by(40);
        let numbered: Vec<(u16, &Clip)> = some.enumerate().map(|(n, clip)| (n as u16, clip)).collect();
        let bytes = encode_clips(numbered.iter().copied());
        let back = decode_clips(&bytes).unwrap();
        assert_eq!(back.len(), numbered.len());
        for ((_, clip), (_, copy)) in numbered.iter().zip(&back) {
            assert!(copy.is_consistent(library.skeleton.len()) && copy.contacts == clip.contacts);
            for (a, b) in clip.rotations.iter().zip(&copy.rotations) {
                assert!((*a - *b).length().min((*a + *b).length()) < 2e-4, "{a} {b}");
            }
            for (a, b) in clip.track.iter().zip(&copy.track) {
                assert!(a.position.distance(b.position) < 2e-4);
            }
        }
        for cut in (0..bytes.len()).step_by(977) {
            assert_eq!(decode_clips(&bytes[..cut]), Err(Damaged));
        }
    }
}
