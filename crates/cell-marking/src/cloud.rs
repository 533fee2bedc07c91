//! How different two motions are over the frames of a transition (Brunner 2014, equation 3.2).

use super::plan::BLEND_FRAMES;
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::{Clip, Contacts, Placement, Skeleton};
use glam::{Vec2, Vec3};

/// Joints of a body through a transition, seen from its placement in the first frame.
#[derive(Clone, Debug)]
pub(super) struct Cloud {
    points: Vec<Vec3>,
    /// Sums of the points of a few joints each, in each frame.
    sums: Vec<Vec3>,
    contacts: [Contacts; BLEND_FRAMES],
}

/// Which joints bear weight, and how much more they count than others when motions are laid over each other.
pub(super) struct Feet {
    joints: Vec<(usize, Contacts)>,
    joint_count: usize,
}

/// Joints in a sum: neighbours in the skeleton, mostly of one limb.
const SUMMED: usize = 4;

/// A foot that both motions have on the ground counts this much: what slides there is seen.
const PLANTED: f32 = 100.0;

impl Feet {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let body = Body::guess(skeleton);
        let joints = Side::BOTH.into_iter().filter_map(|side| Some((side, body.leg(side)?)));
        let joints = joints.flat_map(|(side, leg)| match side {
            Side::Left => [(leg.ankle, Contacts::LEFT_HEEL), (leg.ball, Contacts::LEFT_TOE)],
            Side::Right => [(leg.ankle, Contacts::RIGHT_HEEL), (leg.ball, Contacts::RIGHT_TOE)],
        });
        Self { joints: joints.collect(), joint_count: skeleton.len() }
    }
}

impl Cloud {
    /// The transition that starts in `frame` of a clip.
    pub(super) fn new(skeleton: &Skeleton, clip: &Clip, frame: usize) -> Self {
        let origin = clip.track[frame];
        let mut points = Vec::with_capacity(BLEND_FRAMES * skeleton.len());
        let mut contacts = [Contacts::default(); BLEND_FRAMES];
        for (ahead, contacts) in contacts.iter_mut().enumerate() {
            let at = (frame + ahead).min(clip.frames() - 1);
            let place = clip.track[at].relative_to(origin);
            points.extend(clip.pose(at).joints(skeleton, place).positions);
            *contacts = clip.contacts[at];
        }
        let sums = points.chunks(skeleton.len()).flat_map(|frame| frame.chunks(SUMMED));
        Self { sums: sums.map(|few| few.iter().sum()).collect(), points, contacts }
    }

    /// Never more than the [`Self::difference`] of the two where they are: distances of sums are at most sums of
    /// distances.
    pub(super) fn least_difference(&self, next: &Self) -> f32 {
        self.sums.iter().zip(&next.sums).map(|(a, b)| a.distance(*b)).sum()
    }

    /// Sum of the distances of all joints in all frames, in metres, when `next` starts at `placement` as seen from
    /// this; infinite where it is more than `limit`.
    pub(super) fn difference(&self, next: &Self, placement: Placement, limit: f32) -> f32 {
        let facing = placement.facing();
        let mut sum = 0.0;
        let frames = self.points.len() / BLEND_FRAMES;
        for (own, other) in self.points.chunks(frames).zip(next.points.chunks(frames)) {
            for (a, b) in own.iter().zip(other) {
                let moved = placement.position + facing.rotate(b.truncate());
                sum += a.distance(moved.extend(b.z));
            }
            if sum > limit {
                return f32::INFINITY;
            }
        }
        sum
    }

    /// Where `next` has to start, seen from this, for the two to lie on each other as well as possible over the whole
    /// transition, feet on the ground above all (least squares over the ground, in closed form).
    pub(super) fn align(&self, next: &Self, feet: &Feet) -> Placement {
        let mut sums = Sums::default();
        for frame in 0..BLEND_FRAMES {
            let row = frame * feet.joint_count;
            for joint in 0..feet.joint_count {
                sums.add(self.points[row + joint].truncate(), next.points[row + joint].truncate(), 1.0);
            }
            for &(joint, part) in &feet.joints {
                if self.contacts[frame].touches(part) && next.contacts[frame].touches(part) {
                    let (a, b) = (self.points[row + joint], next.points[row + joint]);
                    sums.add(a.truncate(), b.truncate(), PLANTED);
                }
            }
        }
        sums.solve()
    }
}

/// What the closed form needs.
#[derive(Default)]
struct Sums {
    weight: f32,
    a: Vec2,
    b: Vec2,
    dot: f32,
    cross: f32,
}

impl Sums {
    fn add(&mut self, a: Vec2, b: Vec2, weight: f32) {
        self.weight += weight;
        self.a += a * weight;
        self.b += b * weight;
        self.dot += weight * b.dot(a);
        self.cross += weight * b.perp_dot(a);
    }

    fn solve(&self) -> Placement {
        let (a, b) = (self.a / self.weight, self.b / self.weight);
        let dot = self.dot - self.weight * b.dot(a);
        let cross = self.cross - self.weight * b.perp_dot(a);
        let turn = Placement { position: Vec2::ZERO, heading: libm::atan2f(cross, dot) };
        Placement { position: a - turn.transform_point(b), heading: turn.heading }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alignment_finds_how_points_were_moved() {
        let moved = Placement::new(0.3, -0.1, 0.4);
        let mut sums = Sums::default();
        for point in [Vec2::new(1.0, 0.0), Vec2::new(-0.5, 0.7), Vec2::new(0.2, 2.0)] {
            sums.add(moved.transform_point(point), point, 2.0);
        }
        let found = sums.solve();
        assert!(found.position.distance(moved.position) < 1e-5 && (found.heading - 0.4).abs() < 1e-5);
    }
}
