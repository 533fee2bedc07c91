//! Solving an arm frame by frame, what counts more first.

use crate::description::{Effector, Gesture, GestureError, Part, Task};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{Clip, FRAME_TIME, JointFrames, Placement, Pose, Skeleton};
use glam::{Mat3, Quat, Vec3};

/// How well a gesture was reached over a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solved {
    /// The farthest that the point of each task with a goal is from it in any frame, in metres; of hands that point, radians.
    pub worst: Vec<f32>,
}

/// Where something is and how it is turned: x ahead, y to the left, z up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its middle, in metres.
    pub at: Vec3,
    /// How it is turned.
    pub turned: Quat,
}

impl Frame {
    /// The same as a body at `place` sees it, its heading left out.
    fn seen_from(self, place: Placement) -> Self {
        let back = place.inverse();
        let at = back.transform_point(self.at.truncate()).extend(self.at.z);
        Self { at, turned: Quat::from_rotation_z(-place.heading) * self.turned }
    }
}

/// The joints of an arm, and of those parts that goals are in.
pub(crate) struct Arm {
    collar: Option<usize>,
    upper: usize,
    fore: usize,
    hand: usize,
    head: usize,
    chest: usize,
    hips: usize,
    thigh: usize,
    /// 1 on the left, -1 on the right: goals are given towards the middle of the body.
    inwards: f32,
    /// How large the body is beside one with legs of 0.85 m.
    pub(crate) size: f32,
    /// The tip of the hand in its own frame, in metres.
    tip: Vec3,
}

impl Arm {
    pub(crate) fn of(skeleton: &Skeleton, left: bool) -> Option<Self> {
        let body = Body::guess(skeleton);
        let side = if left { Side::Left } else { Side::Right };
        let hand = body.limb(side, LimbPart::Hand)?;
        let fore = body.limb(side, LimbPart::ForeArm)?;
        let offset = skeleton.joints()[hand].offset;
        Some(Self {
            collar: body.limb(side, LimbPart::Shoulder),
            upper: body.limb(side, LimbPart::Arm)?,
            fore,
            hand,
            head: body.head?,
            chest: *body.spine.last()?,
            hips: body.hips,
            thigh: body.limb(side, LimbPart::UpLeg)?,
            inwards: if left { -1.0 } else { 1.0 },
            size: body.leg_length(skeleton)? / 0.85,
            tip: skeleton.joints()[hand].tip.unwrap_or(offset.normalize_or_zero() * 0.18),
        })
    }

    /// The joint of a part of the own body.
    pub(crate) fn part(&self, part: Part) -> Option<usize> {
        match part {
            Part::Head => Some(self.head),
            Part::Chest => Some(self.chest),
            Part::Hips => Some(self.hips),
            Part::Thigh => Some(self.thigh),
            Part::Other => None,
        }
    }

    /// A vector of a description in the axes of joints at rest.
    pub(crate) fn axes(&self, own: [f32; 3]) -> Vec3 {
        Vec3::new(own[0], own[1] * self.inwards, own[2])
    }
}

/// One free turn of the arm: about an axis through a joint.
struct Freedom {
    joint: usize,
    axis: Vec3,
    /// How willingly it turns.
    ease: f32,
}

/// The most free turns: collar bone, shoulder and wrist three each, the elbow two.
const MOST: usize = 11;
/// Rounds of the solver in each frame, and before the first.
const ROUNDS: usize = 16;
const FIRST_ROUNDS: usize = 120;
/// The farthest that a round moves a point, in metres or radians.
const LONGEST: f32 = 0.12;
/// What keeps turns small near a stretched arm, squared.
const DAMPING: f32 = 1e-5;
/// The same for what counts less, which often is out of reach.
const LESSER_DAMPING: f32 = 4e-3;
/// The most that a joint turns in a round, in radians.
const MOST_TURN: f32 = 0.3;

/// A row for each of three numbers that a task is about.
type Rows = [[f32; MOST]; 3];

impl Gesture {
    /// A clip with the arm as the gesture wants it, as much as `share` says for each frame, from 0 to 1.
    ///
    /// A clip whose last frame has the pose of its first stays such a loop, unless the goal swings.
    pub fn apply(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        share: impl Fn(usize) -> f32,
    ) -> Result<(Clip, Solved), GestureError> {
        if self.needs_other() {
            return Err(GestureError::NobodyElse { name: self.name.clone() });
        }
        self.apply_beside(skeleton, clip, share, |_| Frame::default())
    }

    /// The same beside another person or a thing, whose chest or middle `other` tells for each frame, in the clip's own frame.
    pub fn apply_beside(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        share: impl Fn(usize) -> f32,
        other: impl Fn(usize) -> Frame,
    ) -> Result<(Clip, Solved), GestureError> {
        let arm = Arm::of(skeleton, self.left).ok_or(GestureError::NoArms)?;
        let mut moved = clip.clone();
        let mut solved = Solved { worst: vec![0.0; self.tasks.len()] };
        let mut own = self.guess(skeleton, &arm, clip.pose(0));
        let chain: Vec<usize> = arm.collar.into_iter().chain([arm.upper, arm.fore, arm.hand]).collect();
        let joints = clip.joint_count();
        // A loop begins as it ends: the first time round only warms up.
        for pass in 0..2 {
            for frame in 0..clip.frames() {
                let mut pose = clip.pose(frame);
                chain.iter().zip(&own).for_each(|(&joint, &turn)| pose.rotations[joint] = turn);
                let rounds = if pass == 0 && frame == 0 { FIRST_ROUNDS } else { ROUNDS };
                let beside = other(frame).seen_from(clip.track[frame]);
                let worst = self.solve(skeleton, &arm, &mut pose, (frame, beside), rounds);
                own = chain.iter().map(|&joint| pose.rotations[joint]).collect();
                if pass == 0 {
                    continue;
                }
                let share = share(frame).clamp(0.0, 1.0);
                for (&joint, &turn) in chain.iter().zip(&own) {
                    let at = &mut moved.rotations[frame * joints + joint];
                    *at = at.slerp(turn, share);
                }
                if share >= 1.0 {
                    solved.worst.iter_mut().zip(worst).for_each(|(sum, worst)| *sum = sum.max(worst));
                }
            }
        }
        Ok((moved, solved))
    }

    /// A pose with the arm as the gesture wants it.
    pub(crate) fn posed(&self, skeleton: &Skeleton, arm: &Arm, pose: &Pose) -> Pose {
        let mut posed = pose.clone();
        let chain = arm.collar.into_iter().chain([arm.upper, arm.fore, arm.hand]);
        for (joint, turn) in chain.zip(self.guess(skeleton, arm, pose.clone())) {
            posed.rotations[joint] = turn;
        }
        self.solve(skeleton, arm, &mut posed, (0, Frame::default()), FIRST_ROUNDS);
        posed
    }

    /// The first guess for the arm's joints in a pose.
    fn guess(&self, skeleton: &Skeleton, arm: &Arm, mut pose: Pose) -> Vec<Quat> {
        let [ahead, aside, elbow] = self.guess.map(f32::to_radians);
        let mut frames = JointFrames::default();
        let compute = |pose: &Pose, frames: &mut JointFrames| {
            frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
        };
        compute(&pose, &mut frames);
        let chest = frames.orientations[arm.chest];
        let out = chest * Vec3::new(0.0, -arm.inwards, 0.0);
        let down = chest * Vec3::NEG_Z;
        let front = chest * Vec3::X;
        let upper = (down * libm::cosf(ahead) + front * libm::sinf(ahead)) * libm::cosf(aside)
            + out * libm::sinf(aside);
        turn_bone(
            skeleton,
            &mut pose,
            &frames,
            arm.upper,
            frames.positions[arm.fore] - frames.positions[arm.upper],
            upper,
        );
        compute(&pose, &mut frames);
        let side = front.reject_from(upper).normalize_or(front);
        let fore = upper.normalize_or(down) * libm::cosf(elbow) + side * libm::sinf(elbow);
        turn_bone(
            skeleton,
            &mut pose,
            &frames,
            arm.fore,
            frames.positions[arm.hand] - frames.positions[arm.fore],
            fore,
        );
        pose.rotations[arm.hand] = Quat::IDENTITY;
        arm.collar
            .into_iter()
            .chain([arm.upper, arm.fore, arm.hand])
            .map(|joint| pose.rotations[joint])
            .collect()
    }

    /// Solves a pose; returns how far each task is from its goal.
    fn solve(
        &self,
        skeleton: &Skeleton,
        arm: &Arm,
        pose: &mut Pose,
        (frame, other): (usize, Frame),
        rounds: usize,
    ) -> Vec<f32> {
        let mut frames = JointFrames::default();
        let mut order: Vec<&Task> = self.tasks.iter().collect();
        order.sort_by_key(|task| task.priority);
        let time = frame as f32 * FRAME_TIME;
        for _ in 0..rounds {
            frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
            let free = self.freedoms(arm, &frames);
            // P of the source: what is left free by all that count more.
            let mut left = [[0.0f32; MOST]; MOST];
            (0..MOST).for_each(|index| left[index][index] = 1.0);
            let mut turns = [0.0f32; MOST];
            for task in &order {
                let (off, rows) = wanted(task, arm, &frames, &free, (time, other));
                let damping = if task.priority == order[0].priority { DAMPING } else { LESSER_DAMPING };
                add_task(&rows, off.clamp_length_max(LONGEST), damping, &mut turns, &mut left);
            }
            let most = turns.iter().fold(0.0f32, |most, turn| most.max(turn.abs()));
            let scale = if most > MOST_TURN { MOST_TURN / most } else { 1.0 };
            for (freedom, turn) in free.iter().zip(turns) {
                let above =
                    skeleton.parent(freedom.joint).map_or(Quat::IDENTITY, |joint| frames.orientations[joint]);
                let axis = above.inverse() * freedom.axis;
                let turn = Quat::from_axis_angle(axis.normalize_or(Vec3::X), turn * scale * freedom.ease);
                pose.rotations[freedom.joint] = (turn * pose.rotations[freedom.joint]).normalize();
            }
        }
        frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
        let moment = (time, other);
        self.tasks.iter().map(|task| wanted(task, arm, &frames, &[], moment).0.length()).collect()
    }

    /// The turns that the arm is free to make: an elbow bends and twists, no more.
    fn freedoms(&self, arm: &Arm, frames: &JointFrames) -> Vec<Freedom> {
        let mut free = Vec::with_capacity(MOST);
        let mut all = |joint: usize, ease: f32| {
            free.extend([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Freedom { joint, axis, ease }));
        };
        if let Some(collar) = arm.collar.filter(|_| self.collar) {
            all(collar, 0.3);
        }
        all(arm.upper, 1.0);
        all(arm.hand, 0.6);
        let [shoulder, elbow, wrist] = [arm.upper, arm.fore, arm.hand].map(|joint| frames.positions[joint]);
        let (upper, fore) = ((elbow - shoulder).normalize_or_zero(), (wrist - elbow).normalize_or_zero());
        let hinge = upper.cross(fore);
        // A straight arm bends towards the front.
        let front = frames.orientations[arm.chest] * Vec3::X;
        let hinge = if hinge.length() > 0.05 { hinge } else { upper.cross(front) };
        free.push(Freedom { joint: arm.fore, axis: hinge.normalize_or(Vec3::Y), ease: 1.0 });
        free.push(Freedom { joint: arm.fore, axis: fore, ease: 0.8 });
        free
    }
}

/// Turns a joint so that its bone, which points along `from`, points along `to`.
fn turn_bone(skeleton: &Skeleton, pose: &mut Pose, frames: &JointFrames, joint: usize, from: Vec3, to: Vec3) {
    let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |joint| frames.orientations[joint]);
    let (from, to) = (from.normalize_or(Vec3::NEG_Z), to.normalize_or(Vec3::NEG_Z));
    let turn = above.inverse() * Quat::from_rotation_arc(from, to) * above;
    pose.rotations[joint] = (turn * pose.rotations[joint]).normalize();
}

/// How far a task is from its goal, and how each free turn moves it.
fn wanted(
    task: &Task,
    arm: &Arm,
    frames: &JointFrames,
    free: &[Freedom],
    (time, other): (f32, Frame),
) -> (Vec3, Rows) {
    let own = |joint: usize| Frame { at: frames.positions[joint], turned: frames.orientations[joint] };
    let Frame { at, turned } = arm.part(task.frame).map_or(other, own);
    let mut rows = [[0.0; MOST]; 3];
    let tip = |reach: f32| frames.positions[arm.hand] + frames.orientations[arm.hand] * (arm.tip * reach);
    if let Some(points) = task.points {
        let way = (turned * arm.axes(points)).normalize_or(Vec3::X);
        let now = (frames.orientations[arm.hand] * arm.tip).normalize_or(Vec3::X);
        let (cross, along) = (now.cross(way), now.dot(way));
        let angle = libm::atan2f(cross.length(), along);
        let off = cross.normalize_or_zero() * angle;
        // Turning about the way itself changes nothing.
        for (column, freedom) in free.iter().enumerate() {
            let change = (freedom.axis - now * freedom.axis.dot(now)) * freedom.ease;
            (0..3).for_each(|row| rows[row][column] = change[row]);
        }
        return (off, rows);
    }
    let swing = arm.axes(task.swing) * libm::sinf(std::f32::consts::TAU * task.rate * time);
    let goal = arm.axes(task.goal.unwrap_or_default()) + swing;
    let there = at + turned * (goal * arm.size);
    let (point, carries): (Vec3, &[usize]) = match task.effector {
        Effector::Elbow => (frames.positions[arm.fore], &[arm.upper]),
        Effector::Wrist => (frames.positions[arm.hand], &[arm.upper, arm.fore]),
        Effector::Hand => (tip(task.reach), &[arm.upper, arm.fore, arm.hand]),
    };
    for (column, freedom) in free.iter().enumerate() {
        if carries.contains(&freedom.joint) || Some(freedom.joint) == arm.collar {
            let change = freedom.axis.cross(point - frames.positions[freedom.joint]) * freedom.ease;
            (0..3).for_each(|row| rows[row][column] = change[row]);
        }
    }
    (there - point, rows)
}

/// Adds what a task asks of the turns as far as what counts more leaves it free, and takes that out of what is left.
fn add_task(rows: &Rows, off: Vec3, damping: f32, turns: &mut [f32; MOST], left: &mut [[f32; MOST]; MOST]) {
    let dot = |a: &[f32; MOST], b: &[f32; MOST]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let missing = off - Vec3::from_array([0, 1, 2].map(|row| dot(&rows[row], turns)));
    // J P, whose damped pseudo-inverse is (J P)ᵀ (J P (J P)ᵀ + λ²)⁻¹.
    let mut free: Rows = [[0.0; MOST]; 3];
    for (row, free) in rows.iter().zip(&mut free) {
        for (column, value) in free.iter_mut().enumerate() {
            *value = (0..MOST).map(|inner| row[inner] * left[inner][column]).sum();
        }
    }
    let product = Mat3::from_cols_array_2d(&[0, 1, 2].map(|a| [0, 1, 2].map(|b| dot(&free[a], &free[b]))));
    let inverse = (product + Mat3::from_diagonal(Vec3::splat(damping))).inverse();
    if !inverse.is_finite() {
        return;
    }
    let weights = (inverse * missing).to_array();
    for (column, turn) in turns.iter_mut().enumerate() {
        *turn += (0..3).map(|row| free[row][column] * weights[row]).sum::<f32>();
    }
    let inverse = inverse.to_cols_array_2d();
    for (a, line) in left.iter_mut().enumerate() {
        for (b, value) in line.iter_mut().enumerate() {
            for (i, own) in inverse.iter().enumerate() {
                for (j, part) in own.iter().enumerate() {
                    *value -= free[i][a] * part * free[j][b];
                }
            }
        }
    }
}
