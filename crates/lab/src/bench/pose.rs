//! What posing a body costs: a clip sampled between two frames, then from local to model space, on one core.

use crowdloom_motion::stance::{Sole, Stance, StanceSolver};
use crowdloom_motion::{JointFrames, Placement, builtin};
use glam::Vec3;
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// What the benchmark measured, best of several rounds on one core.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Joints of the body.
    pub joints: usize,
    /// Nanoseconds a joint: sampling and going to model space.
    pub ns_per_joint: f64,
    /// Microseconds a body.
    pub us_per_pose: f64,
    /// Microseconds that putting the feet where they stand takes besides.
    pub us_per_stance: f64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { joints, ns_per_joint, us_per_pose, us_per_stance } = self;
        writeln!(f, "{joints} joints, one core: {ns_per_joint:.1} ns a joint, {us_per_pose:.2} µs a pose")?;
        write!(f, "feet where they stand: {us_per_stance:.2} µs more")
    }
}

const ROUNDS: usize = 9;
const POSES: usize = 20_000;

/// Runs the benchmark.
pub fn run() -> Report {
    let library = builtin::library();
    let skeleton = &library.skeleton;
    // Many clips, so that their frames are not all in the nearest cache.
    let clips: Vec<_> = library.clips.iter().filter(|clip| clip.frames() > 12).take(200).collect();
    let (mut rotations, mut joints) = (Vec::new(), JointFrames::default());
    let mut pose = |round: usize, stance: Option<(&StanceSolver, &Stance)>| {
        let begin = Instant::now();
        for number in 0..POSES {
            let clip = clips[number * 7 % clips.len()];
            let frame = ((number * 31 + round * 17) % (clip.frames() * 10 - 20)) as f32 * 0.1 + 0.037;
            rotations.clear();
            let mut height = clip.sample_into(frame, &mut rotations);
            if let Some((solver, stance)) = stance {
                let place = Placement::IDENTITY;
                solver.solve(skeleton, place, stance, &mut height, &mut rotations, &mut joints);
            }
            joints.compute(skeleton, Vec3::Z * height, &rotations);
            black_box(joints.positions.last());
        }
        begin.elapsed().as_secs_f64() / POSES as f64
    };
    let plain = (0..ROUNDS).map(|round| pose(round, None)).fold(f64::INFINITY, f64::min);
    let foot = |side: f32| Sole { ball: glam::Vec2::new(0.1, side), planted: true, ..Sole::default() };
    let stance = Stance { feet: [foot(0.1), foot(-0.1)], drop: 0.03, look: 0.3 };
    let standing = StanceSolver::of(skeleton).map_or(plain, |solver| {
        (0..ROUNDS).map(|round| pose(round, Some((&solver, &stance)))).fold(f64::INFINITY, f64::min)
    });
    Report {
        joints: skeleton.len(),
        ns_per_joint: plain * 1e9 / skeleton.len() as f64,
        us_per_pose: plain * 1e6,
        us_per_stance: (standing - plain) * 1e6,
    }
}
