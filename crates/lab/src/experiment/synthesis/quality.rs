//! Whether planned motions look right: poses that do not jump, feet that do not slide.

use crowdloom_motion::quality::contact_speed;
use crowdloom_synthesis::{Motion, Planned, Repertoire, Showing};
use glam::Quat;
use serde::Serialize;

/// Poses and feet of the motions of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct Quality {
    /// Number of the experiment.
    pub name: String,
    /// Motions looked at.
    pub motions: usize,
    /// Mean speed of feet on the ground, in metres a second.
    pub foot_skate_m_s: f64,
    /// The largest turn of a joint from one frame to the next beyond that of the clips shown, in degrees.
    pub pose_jump_deg: f64,
}

/// Motions of a scene that are looked at.
const MOST: usize = 40;

/// Looks at the motions of a scene.
pub fn measure(name: &str, repertoire: &Repertoire, planned: &[Planned]) -> Quality {
    let (mut skate, mut count, mut jump) = (0.0, 0usize, 0.0f64);
    let step = planned.len().div_ceil(MOST).max(1);
    for one in planned.iter().step_by(step) {
        let clip = one.motion.to_clip(repertoire, name);
        if let Some(speed) = contact_speed(repertoire.graph().skeleton(), &clip) {
            skate += f64::from(speed);
            count += 1;
        }
        let first = one.motion.first_frame();
        for frame in 1..clip.frames() {
            let own = turn(clip.frame_rotations(frame - 1), clip.frame_rotations(frame));
            let before = shown(repertoire, &one.motion, first + frame as u32 - 1);
            let after = shown(repertoire, &one.motion, first + frame as u32);
            jump = jump.max(f64::from(own - turn(&before, &after)));
        }
    }
    Quality {
        name: name.to_owned(),
        motions: planned.len().div_ceil(step),
        foot_skate_m_s: skate / count.max(1) as f64,
        pose_jump_deg: jump,
    }
}

/// The joint rotations of the clip that a motion shows, as they are in the graph.
fn shown(repertoire: &Repertoire, motion: &Motion, frame: u32) -> Vec<Quat> {
    let graph = repertoire.graph();
    match motion.at(repertoire, frame).1 {
        Showing::Still(node) => graph.node(node).state.pose.rotations.clone(),
        Showing::Clip(action, at) => graph.action(action).clip.sample(at).rotations,
    }
}

/// The largest turn of a joint, in degrees.
fn turn(before: &[Quat], after: &[Quat]) -> f32 {
    before.iter().zip(after).map(|(&a, &b)| a.angle_between(b).to_degrees()).fold(0.0, f32::max)
}
