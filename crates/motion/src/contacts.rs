//! Foot contacts of captured motion, from how low and how slow the feet are.

use crate::body::{Body, Side};
use crate::{Clip, Contacts, FRAME_RATE, JointFrames, Skeleton};
use glam::Vec3;

/// When a foot counts as bearing weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRule {
    /// Speed in metres a second under which a low foot is in contact.
    pub speed: f32,
    /// Height in metres above the foot's own lowest level that still counts as low.
    pub height: f32,
    /// Contacts and gaps shorter than this many frames are ignored.
    pub least_frames: usize,
}

impl Default for ContactRule {
    fn default() -> Self {
        Self { speed: 0.45, height: 0.06, least_frames: 3 }
    }
}

/// Finds the foot contacts of a clip; empty flags where the skeleton's legs are not known.
pub fn find_contacts(skeleton: &Skeleton, clip: &Clip, rule: ContactRule) -> Vec<Contacts> {
    let mut contacts = vec![Contacts::default(); clip.frames()];
    let body = Body::guess(skeleton);
    let frames: Vec<JointFrames> =
        (0..clip.frames()).map(|frame| clip.joints(skeleton, frame, Default::default())).collect();
    for side in Side::BOTH {
        let Some(leg) = body.leg(side) else { continue };
        let (heel, toe) = match side {
            Side::Left => (Contacts::LEFT_HEEL, Contacts::LEFT_TOE),
            Side::Right => (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE),
        };
        for (joint, flag) in [(leg.ankle, heel), (leg.ball, toe)] {
            let path: Vec<Vec3> = frames.iter().map(|frame| frame.positions[joint]).collect();
            for (contact, touches) in contacts.iter_mut().zip(still_and_low(&path, rule)) {
                if touches {
                    *contact = contact.with(flag);
                }
            }
        }
    }
    contacts
}

fn still_and_low(path: &[Vec3], rule: ContactRule) -> Vec<bool> {
    let lowest = low_level(path.iter().map(|point| point.z));
    let mut touches: Vec<bool> = (0..path.len())
        .map(|frame| {
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(path.len() - 1));
            let seconds = (after - before).max(1) as f32 / FRAME_RATE;
            let speed = path[after].distance(path[before]) / seconds;
            speed < rule.speed && path[frame].z - lowest < rule.height
        })
        .collect();
    remove_short_runs(&mut touches, false, rule.least_frames);
    remove_short_runs(&mut touches, true, rule.least_frames);
    touches
}

/// The level that a twentieth of the heights stay below: the ground, robust against single outliers.
pub fn low_level(heights: impl Iterator<Item = f32>) -> f32 {
    let mut heights: Vec<f32> = heights.collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 20).copied().unwrap_or(0.0)
}

/// Flips runs of `value` that are shorter than `least` and do not touch an end.
fn remove_short_runs(flags: &mut [bool], value: bool, least: usize) {
    let mut start = 0;
    while start < flags.len() {
        let length = flags[start..].iter().take_while(|&&flag| flag == flags[start]).count();
        let end = start + length;
        if flags[start] == value && length < least && start > 0 && end < flags.len() {
            flags[start..end].fill(!value);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_runs_are_removed() {
        let mut flags =
            [true, true, true, false, true, true, true, false, false, false, true, false, false, false];
        remove_short_runs(&mut flags, false, 3);
        assert_eq!(&flags[..7], &[true; 7]);
        remove_short_runs(&mut flags, true, 3);
        assert_eq!(&flags[7..], &[false; 7]);
    }

    #[test]
    fn a_foot_that_rests_between_swings_is_in_contact() {
        let path: Vec<Vec3> = (0..60)
            .map(|frame| match frame {
                0..20 => Vec3::new(0.0, 0.0, 0.05),
                20..40 => Vec3::new((frame - 20) as f32 * 0.06, 0.0, 0.15),
                _ => Vec3::new(1.2, 0.0, 0.05),
            })
            .collect();
        let touches = still_and_low(&path, ContactRule::default());
        assert!(touches[5] && !touches[30] && touches[50]);
    }
}
