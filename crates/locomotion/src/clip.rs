//! Cycles as clips, with feet that stay where they are set down.

use crate::cycle::FRAMES;
use crate::engine::{Engine, Wish};
use crowdloom_motion::feet::clean_feet;
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, Placement, heading_of, measure_radii, wrap_angle};
use glam::{Quat, Vec2};

impl Engine {
    /// A cycle of two steps at a wish as a clip, from right foot strike to right foot strike.
    ///
    /// The skeleton's own legs count, whatever the wish says: clips are of one body.
    pub fn clip(&self, wish: &Wish, name: &str) -> Clip {
        let wish = Wish { leg: self.leg(), ..wish.clone() };
        let frequency = self.frequency(&wish).max(0.3);
        let frames = (FRAME_RATE / frequency).round().max(8.0) as usize;
        let way = wish.speed * frames as f32 / FRAME_RATE;
        let stances = self.stances(&wish);
        let mut clip = Clip {
            name: name.into(),
            labels: vec![if wish.runs > 0.5 { "run" } else { "walk" }.into()],
            ends: None,
            track: Vec::with_capacity(frames + 1),
            root_heights: Vec::with_capacity(frames + 1),
            rotations: Vec::with_capacity((frames + 1) * self.skeleton().len()),
            contacts: Vec::with_capacity(frames + 1),
            radii: Vec::new(),
        };
        let mut rotations = Vec::new();
        for frame in 0..=frames {
            let phase = frame as f32 / frames as f32;
            let root = self.pose(&wish, phase, &mut rotations);
            let heading = heading_of(rotations[0]);
            rotations[0] = Quat::from_rotation_z(-heading) * rotations[0];
            let position = Vec2::new(root.x + way * phase, root.y);
            clip.track.push(Placement { position, heading: wrap_angle(heading) });
            clip.root_heights.push(root.z);
            clip.rotations.extend_from_slice(&rotations);
            let stands = |[down, up]: [f32; 2]| {
                wish.speed < 0.05
                    || (0..3).any(|turn| {
                        let phase = phase + turn as f32 - 1.0;
                        phase >= down && phase < up
                    })
            };
            let foot = |stance, foot| if stands(stance) { foot } else { Contacts::default() };
            clip.contacts
                .push(foot(stances[0], Contacts::LEFT_TOE).with(foot(stances[1], Contacts::RIGHT_TOE)));
        }
        let first = clip.track[0];
        clip.track.iter_mut().for_each(|place| *place = place.relative_to(first));
        clean_feet(self.skeleton(), &mut clip);
        clip.radii = measure_radii(self.skeleton(), &clip.rotations);
        clip
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
