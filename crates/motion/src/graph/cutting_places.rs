//! Where clips may be cut: where a foot is set down, and wherever nobody gets on.
//!
//! Steps begin and end where a foot is set down, so actions that are cut there last as long as a few steps do, and who follows them
//! decides at every step.

use super::distance::PoseClouds;
use crate::{Clip, Contacts, FRAME_RATE};

/// Ground speed in metres a second above which somebody is under way.
const GOES: f32 = 0.3;
/// Frames that a cut may be off the step.
const OFF: usize = 2;

/// The frames of all clips where they may be cut.
pub struct CuttingPlaces {
    /// Running indices of the steps themselves.
    steps: Vec<usize>,
    /// For each frame by running index whether it is near a step.
    near: Vec<bool>,
    clips: usize,
}

impl CuttingPlaces {
    /// Finds them in clips whose clouds are known.
    pub fn new(clips: &[Clip], clouds: &PoseClouds) -> Self {
        let (mut steps, mut near) = (Vec::new(), Vec::with_capacity(clouds.len()));
        for (number, clip) in clips.iter().enumerate() {
            let own = steps_of(clip);
            let around = |frame: usize| frame.saturating_sub(OFF)..(frame + OFF + 1).min(own.len());
            near.extend((0..own.len()).map(|frame| own[around(frame)].contains(&true)));
            steps.extend(
                clouds.clip_range(number).zip(&own).filter_map(|(index, step)| step.then_some(index)),
            );
        }
        Self { steps, near, clips: clips.len() }
    }

    /// Running indices of the frames in which a foot is set down or nobody gets on.
    pub fn steps(&self) -> &[usize] {
        &self.steps
    }

    /// Whether a clip may be cut at a frame, by its running index.
    pub fn allow(&self, index: usize) -> bool {
        self.near[index]
    }

    /// The number of clips.
    pub fn clips(&self) -> usize {
        self.clips
    }
}

/// Of each frame whether a foot is set down there, or nobody gets on; of clips whose feet are not known any frame will do.
fn steps_of(clip: &Clip) -> Vec<bool> {
    let set_down = |frame: usize| {
        let side = |side: Contacts| {
            clip.contacts[frame].touches(side) && frame > 0 && !clip.contacts[frame - 1].touches(side)
        };
        side(Contacts::LEFT) || side(Contacts::RIGHT)
    };
    let speed = |frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.frames() - 1));
        let way = clip.track[after].position.distance(clip.track[before].position);
        way * FRAME_RATE / (after - before).max(1) as f32
    };
    let known = clip.contacts.iter().any(|contacts| *contacts != Contacts::default());
    (0..clip.frames()).map(|frame| !known || speed(frame) < GOES || set_down(frame)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn a_walk_is_cut_at_its_steps() {
        let clip = builtin::subject_cycle(0, false, 1.4);
        let steps = steps_of(&clip);
        let count = steps.iter().filter(|step| **step).count();
        assert!((1..=3).contains(&count), "{count} steps in a cycle of {} frames", clip.frames());
        // Whose feet are not known is cut anywhere.
        let blind = Clip { contacts: vec![Contacts::default(); clip.frames()], ..clip };
        assert!(steps_of(&blind).iter().all(|step| *step));
    }
}
