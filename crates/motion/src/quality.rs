//! Measures of how good clips are: feet that slide, nodes that do not match, energy of motion.

use crate::{Clip, Contacts, FRAME_RATE, FRAME_TIME, Library, Placement, Skeleton, wrap_angle};
use glam::{Quat, Vec2, Vec3};

/// The lowest point of the heel in the frame of the ankle joint `foot`, in metres.
///
/// Skeletons end the heel at the ankle; the sole is a little below the ball of the foot, the heel behind the ankle.
pub fn heel_offset(skeleton: &Skeleton, foot: usize) -> Vec3 {
    let Some(toe) = skeleton.children(foot).next() else { return Vec3::ZERO };
    let toe = skeleton.joints()[toe].offset;
    Vec3::new(-0.38 * toe.x, -0.38 * toe.y, toe.z * 4.0 / 3.0)
}

/// Mean speed over the ground, in metres a second, of heels and balls of the feet while they are in contact.
///
/// `None` where the clip has no contact of two frames, or the skeleton no feet by the names of the CMU files.
pub fn contact_speed(skeleton: &Skeleton, clip: &Clip) -> Option<f32> {
    let (mut distance, mut count) = (0.0, 0u32);
    let feet = [
        ("Left", Contacts::LEFT_HEEL, Contacts::LEFT_TOE),
        ("Right", Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE),
    ];
    for (side, heel, ball) in feet {
        let foot = skeleton.find(&format!("{side}Foot"))?;
        let toe = skeleton.find(&format!("{side}ToeBase"))?;
        let offset = heel_offset(skeleton, foot);
        let points: Vec<[Vec3; 2]> = (0..clip.frames())
            .map(|frame| {
                let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
                [joints.positions[foot] + joints.orientations[foot] * offset, joints.positions[toe]]
            })
            .collect();
        for frame in 1..clip.frames() {
            for (part, index) in [(heel, 0), (ball, 1)] {
                if clip.contacts[frame - 1].touches(part) && clip.contacts[frame].touches(part) {
                    distance += (points[frame][index] - points[frame - 1][index]).truncate().length();
                    count += 1;
                }
            }
        }
    }
    (count > 0).then(|| distance * FRAME_RATE / count as f32)
}

/// Mean kinetic energy of the limbs relative to the root, in joules for each kilogram of body mass.
///
/// Each bone carries its share of the mass (Dempster 1955, in Winter 2009, table 4.1) at its middle.
pub fn kinetic_energy(skeleton: &Skeleton, clip: &Clip) -> f32 {
    const SHARES: [(&str, f32); 8] = [
        ("UpLeg", 0.1),
        ("Leg", 0.0465),
        ("Foot", 0.0145),
        ("ForeArm", 0.016),
        ("Hand", 0.006),
        ("Arm", 0.028),
        ("Spine1", 0.355),
        ("Head", 0.081),
    ];
    let shares: Vec<(usize, f32)> = skeleton
        .joints()
        .iter()
        .enumerate()
        .filter_map(|(index, joint)| {
            let plain = joint.name.trim_start_matches("Left").trim_start_matches("Right");
            SHARES.iter().find(|share| share.0 == plain).map(|share| (index, share.1))
        })
        .collect();
    let middles = |frame: usize| -> Vec<Vec3> {
        let heading = Placement { position: Vec2::ZERO, ..clip.track[frame] };
        let joints = clip.pose(frame).joints(skeleton, heading);
        let end = |joint: usize| match skeleton.children(joint).next() {
            Some(child) => joints.positions[child],
            None => joints.tip(skeleton, joint),
        };
        shares.iter().map(|&(joint, _)| (joints.positions[joint] + end(joint)) * 0.5).collect()
    };
    let mut before = middles(0);
    let mut energy = 0.0;
    for frame in 1..clip.frames() {
        let now = middles(frame);
        for ((a, b), (_, share)) in before.iter().zip(&now).zip(&shares) {
            energy += 0.5 * share * ((*b - *a) * FRAME_RATE).length_squared();
        }
        before = now;
    }
    energy / (clip.frames().max(2) - 1) as f32
}

/// How much a clip differs, at one of its ends, from the other clips of that node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeMismatch {
    /// The clip's name.
    pub clip: String,
    /// The node's name.
    pub node: String,
    /// Largest difference of a joint rotation, in degrees.
    pub pose: f32,
    /// Largest difference of a joint's angular velocity, in degrees a second.
    pub velocity: f32,
    /// Difference of root height, in metres.
    pub height: f32,
    /// Difference of the root's velocity over the ground in its own frame, in metres a second.
    pub ground_velocity: f32,
    /// Difference of turning speed, in degrees a second.
    pub turning: f32,
}

/// The clip's pose at one end, and how it goes there: change over the first or the last frame.
struct Edge<'a> {
    clip: &'a Clip,
    at: usize,
    velocity: Vec<Vec3>,
    ground: Vec2,
    turning: f32,
}

impl<'a> Edge<'a> {
    fn new(clip: &'a Clip, leaving: bool) -> Self {
        let last = clip.frames() - 1;
        let (from, to, at) = if leaving { (0, 1, 0) } else { (last - 1, last, last) };
        let velocity = clip
            .frame_rotations(from)
            .iter()
            .zip(clip.frame_rotations(to))
            .map(|(a, b)| small_rotation(*a, *b) / FRAME_TIME)
            .collect();
        let step = clip.track[to].position - clip.track[from].position;
        let own = Vec2::from_angle(-clip.track[at].heading).rotate(step);
        let turning = wrap_angle(clip.track[to].heading - clip.track[from].heading) / FRAME_TIME;
        Self { clip, at, velocity, ground: own / FRAME_TIME, turning }
    }
}

/// The rotation from `a` to `b` as a vector in radians; exact enough for the smallest.
fn small_rotation(a: Quat, b: Quat) -> Vec3 {
    let turn = a.inverse() * b;
    let sign = if turn.w < 0.0 { -2.0 } else { 2.0 };
    Vec3::new(turn.x, turn.y, turn.z) * sign
}

/// Compares all clips of a library at the nodes they share: an entry for each end of each clip.
///
/// Poses are compared across all clips of a node. Velocities are compared among the clips that leave it and among
/// those that arrive, each over one frame: together these make the same curve through the node for every pair.
pub fn node_mismatches(library: &Library) -> Vec<NodeMismatch> {
    let mut nodes: std::collections::BTreeMap<&str, [Vec<Edge>; 2]> = Default::default();
    for clip in &library.clips {
        if let (Some(ends), true) = (&clip.ends, clip.frames() > 1) {
            nodes.entry(&ends.from).or_default()[0].push(Edge::new(clip, true));
            nodes.entry(&ends.to).or_default()[1].push(Edge::new(clip, false));
        }
    }
    let mut result = Vec::new();
    for (node, edges) in &nodes {
        let Some(first) = edges[0].first().or(edges[1].first()) else { continue };
        let reference = first.clip.frame_rotations(first.at);
        for group in edges {
            let Some(like) = group.first() else { continue };
            for edge in group {
                let poses = reference.iter().zip(edge.clip.frame_rotations(edge.at));
                let pose = poses.map(|(a, b)| small_rotation(*a, *b).length()).fold(0.0, f32::max);
                let velocities = like.velocity.iter().zip(&edge.velocity);
                let velocity = velocities.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                let height = edge.clip.root_heights[edge.at] - first.clip.root_heights[first.at];
                result.push(NodeMismatch {
                    clip: edge.clip.name.clone(),
                    node: (*node).to_string(),
                    pose: pose.to_degrees(),
                    velocity: velocity.to_degrees(),
                    height: height.abs(),
                    ground_velocity: edge.ground.distance(like.ground),
                    turning: (edge.turning - like.turning).abs().to_degrees(),
                });
            }
        }
    }
    result
}

/// How much sharper the motion bends where `before` joins `after` than anywhere within the two, as a factor.
///
/// The bend is the change of a joint's angular velocity from one frame to the next; joints that hardly bend are
/// measured against 3 degrees of change a frame.
pub fn join_sharpness(before: &Clip, after: &Clip) -> f32 {
    let bends = |frames: [&[Quat]; 3]| -> Vec<f32> {
        (0..frames[0].len())
            .map(|joint| {
                let first = small_rotation(frames[0][joint], frames[1][joint]);
                let second = small_rotation(frames[1][joint], frames[2][joint]);
                first.distance(second).to_degrees()
            })
            .collect()
    };
    let mut usual = vec![3.0f32; before.joint_count()];
    for clip in [before, after] {
        for frame in 1..clip.frames().saturating_sub(1) {
            let frames = [frame - 1, frame, frame + 1].map(|frame| clip.frame_rotations(frame));
            for (usual, bend) in usual.iter_mut().zip(bends(frames)) {
                *usual = usual.max(bend);
            }
        }
    }
    let last = before.frames() - 1;
    let join = [before.frame_rotations(last - 1), after.frame_rotations(0), after.frame_rotations(1)];
    bends(join).iter().zip(&usual).map(|(bend, usual)| bend / usual).fold(0.0, f32::max)
}
