//! The baseline: a velocity crowd with clips laid over it afterwards, as Brunner 2014 (section 3.1) describes what
//! systems do that know nothing of motion while they plan.

use super::playing::Shown;
use crowdloom_motion::{Clip, Contacts, FRAME_TIME, Library, Placement, Pose};
use glam::Vec2;

/// A straight cycle of walking and its speed.
struct Cycle {
    clip: Clip,
    speed: f32,
}

/// Bodies for agents that are moved by velocities.
pub struct Overlay {
    cycles: Vec<Cycle>,
    standing: (Pose, Contacts),
    phases: Vec<f32>,
    headings: Vec<f32>,
}

/// Slower than this, in metres a second, a body stands.
const STANDS: f32 = 0.15;

impl Overlay {
    /// Takes the straight cycles of a library that have one of `labels` and none of `without`; `None` where there is
    /// no cycle.
    pub fn new(library: &Library, labels: &[String], without: &[String], agents: usize) -> Option<Self> {
        let straight = |clip: &&Clip| {
            let cyclic = clip.ends.as_ref().is_some_and(|ends| ends.from == ends.to);
            let place = clip.displacement();
            cyclic && place.heading.abs() < 0.02 && place.position.x > 0.3 && place.position.y.abs() < 0.05
        };
        let has = |clip: &Clip, labels: &[String]| labels.iter().any(|label| clip.has_label(label));
        let clips = library.clips.iter().filter(straight);
        let cycles: Vec<Cycle> = clips
            .filter(|clip| has(clip, labels) && !has(clip, without))
            .map(|clip| Cycle {
                speed: clip.displacement().position.length() / clip.seconds(),
                clip: clip.clone(),
            })
            .collect();
        let stand = library.clips.iter().find(|clip| clip.has_label("stand") && clip.frames() > 0)?;
        let standing = (stand.pose(0), stand.contacts[0]);
        (!cycles.is_empty()).then(|| Self {
            cycles,
            standing,
            phases: vec![0.0; agents],
            headings: vec![0.0; agents],
        })
    }

    /// Starts all agents at different points of their cycles and facing somewhere.
    pub fn set(&mut self, agent: usize, phase: f32, heading: f32) {
        self.phases[agent] = phase;
        self.headings[agent] = heading;
    }

    /// The body of an agent a frame later, at `position` metres with `velocity` metres a second.
    pub fn show(&mut self, agent: usize, position: Vec2, velocity: Vec2) -> Shown {
        let speed = velocity.length();
        if speed < STANDS {
            let placement = Placement { position, heading: self.headings[agent] };
            return Shown { placement, pose: self.standing.0.clone(), contacts: self.standing.1 };
        }
        self.headings[agent] = libm::atan2f(velocity.y, velocity.x);
        let off = |cycle: &Cycle| (cycle.speed - speed).abs();
        let nearest = self.cycles.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        let Some(Cycle { clip, speed: own }) = nearest else { unreachable!("there is a cycle") };
        // Played faster or slower, so that its steps are as long as the way.
        let phase = (self.phases[agent] + FRAME_TIME / clip.seconds() * speed / own).fract();
        self.phases[agent] = phase;
        let at = phase * (clip.frames() - 1) as f32;
        // The clip's own sway about its mean path stays, seen from the agent.
        let even = clip.displacement().position * phase;
        let sway = clip.placement_at(at);
        let own = Placement { position: sway.position - even, heading: sway.heading };
        let placement = Placement { position, heading: self.headings[agent] }.then(own);
        Shown { placement, pose: clip.sample(at), contacts: clip.contacts[at as usize] }
    }
}
