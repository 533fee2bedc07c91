//! Cycles as clips, with feet that stay where they are set down.

use crate::cycle::FRAMES;
use crate::engine::{Engine, Wish};
use crowdloom_motion::feet::clean_feet;
use crowdloom_motion::{
    Clip, Contacts, FRAME_RATE, Placement, Skeleton, heading_of, measure_radii, wrap_angle,
};
use glam::{Quat, Vec2, Vec3};

/// A clip that is made frame by frame.
pub(crate) struct Growing<'a> {
    skeleton: &'a Skeleton,
    clip: Clip,
}

/// One frame of it.
pub(crate) struct Frame<'a> {
    /// The root beside somebody who moves evenly, and its height, in metres.
    pub(crate) root: Vec3,
    /// The rotations of all joints.
    pub(crate) rotations: &'a mut [Quat],
    /// How far somebody is who moves evenly, in metres.
    pub(crate) way: f32,
    /// Metres a second.
    pub(crate) speed: f32,
    /// The part of the cycle that is over, and in which parts each foot stands.
    pub(crate) phase: f32,
    pub(crate) stances: [[f32; 2]; 2],
}

impl<'a> Growing<'a> {
    pub(crate) fn new(skeleton: &'a Skeleton, name: &str, label: &str, frames: usize) -> Self {
        let clip = Clip {
            name: name.into(),
            labels: vec![label.into()],
            ends: None,
            track: Vec::with_capacity(frames + 1),
            root_heights: Vec::with_capacity(frames + 1),
            rotations: Vec::with_capacity((frames + 1) * skeleton.len()),
            contacts: Vec::with_capacity(frames + 1),
            radii: Vec::new(),
        };
        Self { skeleton, clip }
    }

    pub(crate) fn push(&mut self, frame: Frame) {
        let Frame { root, rotations, way, speed, phase, stances } = frame;
        let heading = heading_of(rotations[0]);
        rotations[0] = Quat::from_rotation_z(-heading) * rotations[0];
        let position = Vec2::new(root.x + way, root.y);
        self.clip.track.push(Placement { position, heading: wrap_angle(heading) });
        self.clip.root_heights.push(root.z);
        self.clip.rotations.extend_from_slice(rotations);
        let stands = |[down, up]: [f32; 2]| {
            speed < 0.05
                || (0..3).any(|turn| {
                    let phase = phase + turn as f32 - 1.0;
                    phase >= down && phase < up
                })
        };
        let foot = |stance, foot| if stands(stance) { foot } else { Contacts::default() };
        self.clip
            .contacts
            .push(foot(stances[0], Contacts::LEFT_TOE).with(foot(stances[1], Contacts::RIGHT_TOE)));
    }

    /// The clip, its feet held where they are set down.
    pub(crate) fn finish(mut self) -> Clip {
        let first = self.clip.track[0];
        self.clip.track.iter_mut().for_each(|place| *place = place.relative_to(first));
        clean_feet(self.skeleton, &mut self.clip);
        self.clip.radii = measure_radii(self.skeleton, &self.clip.rotations);
        self.clip
    }
}

/// The least cycles in a second, of those who stand, too.
pub(crate) const LEAST_FREQUENCY: f32 = 0.3;

/// Frames of a cycle that is repeated so many times a second.
pub(crate) fn frames_of(frequency: f32) -> usize {
    (FRAME_RATE / frequency.max(LEAST_FREQUENCY)).round().max(8.0) as usize
}

impl Engine {
    /// A cycle of two steps at a wish as a clip, from right foot strike to right foot strike.
    ///
    /// The skeleton's own legs count, whatever the wish says: clips are of one body.
    pub fn clip(&self, wish: &Wish, name: &str) -> Clip {
        let wish = Wish { leg: self.leg(), ..wish.clone() };
        let frames = frames_of(self.frequency(&wish));
        let whole = wish.speed * frames as f32 / FRAME_RATE;
        let (speed, stances) = (wish.speed, self.stances(&wish));
        let label = if wish.runs > 0.5 { "run" } else { "walk" };
        let mut clip = Growing::new(self.skeleton(), name, label, frames);
        let mut rotations = Vec::new();
        for frame in 0..=frames {
            let phase = frame as f32 / frames as f32;
            let root = self.pose(&wish, phase, &mut rotations);
            let way = whole * phase;
            clip.push(Frame { root, rotations: &mut rotations, way, speed, phase, stances });
        }
        clip.finish()
    }

    /// All cycles of a template: walks from 0.5 to 2 m/s and runs from 1.5 to 3, in steps of so many metres a second.
    pub fn database(&self, people: &[f32], step: f32) -> Vec<Clip> {
        let range = |from: f32, to: f32| {
            (0..=((to - from) / step).round() as usize).map(move |number| from + number as f32 * step)
        };
        let walks = range(0.5, 2.0).map(|speed| (0.0, speed));
        let runs = range(1.5, 3.0).map(|speed| (1.0, speed));
        let make = |(runs, speed): (f32, f32)| {
            let wish = Wish { people: people.to_vec(), speed, runs, leg: self.leg() };
            self.clip(&wish, &format!("{} {speed:.2}", if runs > 0.5 { "run" } else { "walk" }))
        };
        walks.chain(runs).map(make).collect()
    }
}

/// Frames of a cycle as the engine has it.
pub const CYCLE_FRAMES: usize = FRAMES;
