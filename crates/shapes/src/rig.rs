//! The skeleton that shapes are made around, 1.75 m tall with its arms out to the sides, and what moves a point.

use glam::Vec3;

/// A joint: what skeletons in use call it, and where it is at rest, in metres.
pub struct RigJoint {
    /// The name.
    pub name: &'static str,
    /// The place at rest.
    pub at: Vec3,
}

const fn joint(name: &'static str, x: f32, y: f32, z: f32) -> RigJoint {
    RigJoint { name, at: Vec3::new(x, y, z) }
}

/// All joints, by the numbers that meshes use.
pub const RIG: [RigJoint; 22] = [
    joint("Hips", 0.0, 0.0, 0.973),
    joint("LowerBack", -0.010, 0.0, 1.023),
    joint("Spine", -0.022, 0.0, 1.133),
    joint("Spine1", -0.027, 0.0, 1.263),
    joint("Neck", -0.031, 0.0, 1.468),
    joint("Head", -0.009, 0.0, 1.570),
    joint("LeftUpLeg", 0.0, 0.088, 0.928),
    joint("LeftLeg", 0.0, 0.088, 0.499),
    joint("LeftFoot", 0.0, 0.088, 0.080),
    joint("LeftToeBase", 0.135, 0.088, 0.020),
    joint("RightUpLeg", 0.0, -0.088, 0.928),
    joint("RightLeg", 0.0, -0.088, 0.499),
    joint("RightFoot", 0.0, -0.088, 0.080),
    joint("RightToeBase", 0.135, -0.088, 0.020),
    joint("LeftShoulder", -0.015, 0.030, 1.428),
    joint("LeftArm", -0.027, 0.185, 1.428),
    joint("LeftForeArm", -0.027, 0.485, 1.428),
    joint("LeftHand", -0.027, 0.740, 1.428),
    joint("RightShoulder", -0.015, -0.030, 1.428),
    joint("RightArm", -0.027, -0.185, 1.428),
    joint("RightForeArm", -0.027, -0.485, 1.428),
    joint("RightHand", -0.027, -0.740, 1.428),
];

/// Numbers of joints in [`RIG`].
pub mod at {
    /// The pelvis.
    pub const HIPS: usize = 0;
    /// The chest.
    pub const CHEST: usize = 3;
    /// The neck.
    pub const NECK: usize = 4;
    /// The head.
    pub const HEAD: usize = 5;
    /// The hip joint of the left (0) or right (1) leg; knee, ankle and ball follow.
    pub const fn leg(side: usize) -> usize {
        6 + side * 4
    }
    /// The collar bone of the left (0) or right (1) arm; shoulder, elbow and wrist follow.
    pub const fn arm(side: usize) -> usize {
        14 + side * 4
    }
}

/// How a piece hangs on the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hang {
    /// Skin and what is close to it.
    Body,
    /// Tops: like the body, but one piece about both legs.
    Cloth,
    /// Cloth about both legs: it swings less than the thighs do, and gives way to calves.
    Skirt,
    /// A thing that one joint carries.
    Rigid(usize),
    /// What lies on the trunk and leaves arms and legs alone.
    Trunk,
    /// Long hair: the head, and below the chin the chest.
    Hair,
}

fn smoothstep(from: f32, to: f32, at: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// What moves a point: four joints of [`RIG`] and how much each does, in 255ths that sum to 255.
pub fn weigh(p: Vec3, hang: Hang) -> ([u8; 4], [u8; 4]) {
    let mut shares = [0.0f32; RIG.len()];
    match hang {
        Hang::Rigid(joint) => shares[joint] = 1.0,
        Hang::Hair => {
            let head = smoothstep(1.40, 1.53, p.z);
            shares[at::HEAD] = head;
            shares[at::NECK] = (1.0 - head) * 0.4;
            shares[at::CHEST] = (1.0 - head) * 0.6;
        }
        Hang::Trunk => body_shares(Vec3::new(p.x, 0.0, p.z.max(0.99)), hang, &mut shares),
        Hang::Body | Hang::Cloth | Hang::Skirt => body_shares(p, hang, &mut shares),
    }
    quantise(&shares)
}

/// The four joints that do most and how much each does, in 255ths that sum to 255.
pub fn quantise(shares: &[f32; RIG.len()]) -> ([u8; 4], [u8; 4]) {
    let mut order: Vec<usize> = (0..shares.len()).filter(|&joint| shares[joint] > 0.004).collect();
    order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]).then(a.cmp(&b)));
    order.truncate(4);
    let sum: f32 = order.iter().map(|&joint| shares[joint]).sum();
    let (mut joints, mut weights) = ([0u8; 4], [0u8; 4]);
    let mut left = 255u32;
    for (slot, &joint) in order.iter().enumerate().rev() {
        let weight = if slot == 0 { left } else { ((shares[joint] / sum * 255.0) as u32).min(left) };
        left -= weight;
        // A joint that moves nothing is left at 0: so do formats want it.
        joints[slot] = if weight > 0 { joint as u8 } else { 0 };
        weights[slot] = weight as u8;
    }
    (joints, weights)
}

fn body_shares(p: Vec3, hang: Hang, shares: &mut [f32; RIG.len()]) {
    let side = usize::from(p.y < 0.0);
    let out = p.y.abs();
    // From the trunk to the arm.
    let arm = smoothstep(0.095, 0.225, out + (p.z - 1.43).max(0.0) * 0.4)
        * smoothstep(1.21, 1.37, p.z)
        * smoothstep(1.60, 1.52, p.z);
    if arm > 0.0 {
        let first = at::arm(side);
        let upper = smoothstep(0.125, 0.245, out);
        let fore = smoothstep(0.445, 0.525, out);
        let hand = smoothstep(0.715, 0.752, out);
        shares[first] = arm * (1.0 - upper);
        shares[first + 1] = arm * upper * (1.0 - fore);
        shares[first + 2] = arm * fore * (1.0 - hand);
        shares[first + 3] = arm * fore * hand;
    }
    let trunk = 1.0 - arm;
    // The legs begin at the groin in front and under the seat behind.
    let leg = trunk * (1.0 - smoothstep(0.815, 0.965, p.z - p.x * 0.25));
    let rest = trunk - leg;
    if leg > 0.0 {
        let swing = match hang {
            Hang::Cloth => Some((1.0, 0.10)),
            Hang::Skirt => Some((0.65, 0.13)),
            _ => None,
        };
        let wide = swing.map_or(0.028, |(_, wide)| wide);
        let left = smoothstep(-wide, wide, p.y);
        for (side, share) in [(0, left), (1, 1.0 - left)] {
            let (first, share) = (at::leg(side), share * leg);
            if let Some((swing, _)) = swing {
                // The calf pushes a long skirt back.
                let calf = if hang == Hang::Skirt { 0.45 * smoothstep(0.56, 0.36, p.z) } else { 0.0 };
                shares[at::HIPS] += share * (1.0 - swing);
                shares[first] += share * swing * (1.0 - calf);
                shares[first + 1] += share * swing * calf;
                continue;
            }
            let knee = smoothstep(0.555, 0.450, p.z);
            let ankle = smoothstep(0.125, 0.065, p.z);
            let ball = smoothstep(0.112, 0.155, p.x) * ankle;
            shares[first] += share * (1.0 - knee);
            shares[first + 1] += share * knee * (1.0 - ankle);
            shares[first + 2] += share * knee * ankle * (1.0 - ball);
            shares[first + 3] += share * knee * ankle * ball;
        }
    }
    // Up the spine each joint takes over around its place.
    let spine = [
        (at::HIPS, f32::NEG_INFINITY),
        (1, 1.035),
        (2, 1.140),
        (at::CHEST, 1.265),
        (at::NECK, 1.478),
        (at::HEAD, 1.556),
    ];
    let mut above = 1.0;
    for (index, (joint, _)) in spine.iter().enumerate().rev() {
        let own = match index {
            0 => 1.0,
            // A chin hangs lower than the nape.
            5 => smoothstep(-0.045, 0.035, p.z - 1.556 + (p.x - 0.01).max(0.0) * 1.3),
            4 => smoothstep(-0.035, 0.035, p.z - 1.478),
            _ => smoothstep(-0.055, 0.055, p.z - spine[index].1),
        };
        shares[*joint] += rest * above * own;
        above *= 1.0 - own;
    }
}
