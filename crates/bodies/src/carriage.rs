//! Arms and whole bodies that hold themselves otherwise than their clips: somebody with a suitcase, a telephone, a wheelchair.

use crate::Person;
use crate::fit::{OnSkeleton, rest_positions, stature};
use crate::looks::Look;
use crate::wardrobe::pieces;
use crowdloom_gesture::{Arms, BUILT_IN, Gesture, Hold};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{JointFrames, Pose, Skeleton};
use crowdloom_shapes::carried::{Beside, CARRIED, Grip, SEATED_HIPS, carried};
use crowdloom_shapes::rig::{RIG, at};
use glam::{Quat, Vec3};
use serde::Serialize;

/// Everything that arms of one skeleton do, and how somebody sits in a wheelchair.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Carriage {
    #[serde(skip)]
    arms: Arms,
    /// Shoulder, elbow and wrist of the left arm, then of the right.
    joints: [[usize; 3]; 2],
    /// All holds, by the numbers that [`Carriage::holds_of`] gives.
    holds: Vec<Hold>,
    /// The pose in a wheelchair.
    seated: Seated,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Seated {
    height: f32,
    rotations: Vec<Quat>,
}

/// How far thighs are turned up in a wheelchair, in radians.
const THIGHS_UP: f32 = 1.42;

impl Carriage {
    /// For a skeleton whose arms are known; `own` are gestures of the user's own.
    pub fn of(skeleton: &Skeleton, own: &[Gesture]) -> Option<Self> {
        let arms = Arms::of(skeleton)?;
        let (on, rest, size) =
            (OnSkeleton::new(skeleton), rest_positions(skeleton), stature(skeleton) / 1.75);
        let grip = |name: &str, grip: &Grip| {
            let hand = at::arm(grip.side) + 3;
            let (joint, wrist) = match grip.beside {
                Beside::Ground => (None, grip.wrist * size),
                Beside::Joint(rig) => {
                    let joint = on.joint[rig];
                    (Some(joint as u16), rest[joint] + (grip.wrist - RIG[rig].at) * size)
                }
            };
            Hold {
                name: name.into(),
                left: grip.side == 0,
                joint,
                wrist,
                turn: grip.turn() * on.turn_of(hand).inverse(),
                elbow: grip.elbow,
                swing: Vec3::ZERO,
                rate: 0.0,
            }
        };
        let grips = CARRIED.iter().flat_map(|thing| thing.grips.iter().map(move |each| (thing.name, each)));
        let mut holds: Vec<Hold> = grips.map(|(name, each)| grip(name, each)).collect();
        let standing = Pose {
            root_height: skeleton.joints()[0].offset.z,
            rotations: vec![Quat::IDENTITY; skeleton.len()],
        };
        let built_in = BUILT_IN.iter().filter_map(|(name, _)| Gesture::find(name).ok());
        let gestures: Vec<Gesture> = built_in.chain(own.iter().cloned()).collect();
        holds.extend(gestures.iter().filter_map(|gesture| gesture.held(skeleton, &standing).ok()));
        let mut rotations = vec![Quat::IDENTITY; skeleton.len()];
        let body = Body::guess(skeleton);
        for side in Side::BOTH {
            for (part, angle) in [(LimbPart::UpLeg, -THIGHS_UP), (LimbPart::Leg, THIGHS_UP - 0.22)] {
                if let Some(joint) = body.limb(side, part) {
                    rotations[joint] = Quat::from_rotation_y(angle);
                }
            }
            if let Some(foot) = body.limb(side, LimbPart::Foot) {
                rotations[foot] = Quat::from_rotation_y(0.22);
            }
        }
        let hip = body.limb(Side::Left, LimbPart::UpLeg).map_or(rest[0].z, |joint| rest[joint].z);
        let height = SEATED_HIPS * size + rest[0].z - hip;
        Some(Self { joints: *arms.joints(), arms, holds, seated: Seated { height, rotations } })
    }

    /// The numbers of what somebody's left and right arm hold, and whether it sits in what it has.
    pub fn holds_of(&self, person: &Person) -> ([Option<usize>; 2], bool) {
        let things = things_of(&person.look);
        let mut sides = [None; 2];
        // Who has a telephone in the hand has it at the ear; what it does besides counts more, and what it holds most.
        let phone = wears(&person.look, "phone").then_some("phone");
        for name in phone.into_iter().chain(person.gesture.as_deref()).chain(things.iter().copied()) {
            for (number, hold) in self.holds.iter().enumerate().filter(|(_, hold)| hold.name == name) {
                sides[usize::from(!hold.left)] = Some(number);
            }
        }
        (sides, things.iter().any(|name| carried(name).is_some_and(|thing| thing.seated)))
    }

    /// Whether any of these holds swings.
    pub fn swings(&self, sides: [Option<usize>; 2]) -> bool {
        sides.into_iter().flatten().any(|number| self.holds[number].swing != Vec3::ZERO)
    }

    /// Changes a pose, without its heading, `seconds` after the start to what somebody holds.
    pub fn carry(
        &self,
        skeleton: &Skeleton,
        person: &Person,
        seconds: f32,
        height: &mut f32,
        rotations: &mut [Quat],
    ) {
        let (sides, seated) = self.holds_of(person);
        if seated {
            *height = self.seated.height;
            rotations.copy_from_slice(&self.seated.rotations);
        }
        if sides == [None; 2] {
            return;
        }
        let mut frames = JointFrames::default();
        frames.compute(skeleton, Vec3::Z * *height, rotations);
        for hold in sides.into_iter().flatten() {
            self.arms.hold(skeleton, &self.holds[hold], seconds, rotations, &mut frames);
        }
    }

    #[cfg(test)]
    fn rest(&self) -> &[Vec3] {
        self.arms.rest()
    }

    /// Whether somebody sits in what it has, so that no clip's legs are seen.
    pub fn is_seated(&self, person: &Person) -> bool {
        self.holds_of(person).1
    }
}

/// Names of the things that somebody has which arms hold.
fn things_of(look: &Look) -> Vec<&'static str> {
    let names = look.worn.iter().flatten().map(|&piece| &*pieces()[usize::from(piece)].name);
    names.filter_map(|name| carried(name).map(|thing| thing.name)).collect()
}

fn wears(look: &Look, name: &str) -> bool {
    look.worn.iter().flatten().any(|&piece| pieces()[usize::from(piece)].name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Told, outfits};
    use crowdloom_motion::builtin;

    fn with(things: &[&str], gesture: Option<&str>) -> Person {
        let told = Told {
            age: Some(40.0),
            things: things.iter().map(|&name| name.into()).collect(),
            gesture: gesture.map(Into::into),
            ..Told::default()
        };
        Person::draw(&told, 5, &outfits())
    }

    /// The farthest that the wrist of a hold is from its place in any frame of walks, in metres.
    fn worst(person: &Person) -> f32 {
        let library = builtin::library();
        let skeleton = &library.skeleton;
        let carriage = Carriage::of(skeleton, &[]).unwrap();
        let (sides, _) = carriage.holds_of(person);
        let walks = library.clips.iter().filter(|clip| clip.displacement().position.x > 1.0);
        let mut worst = 0.0_f32;
        for clip in walks.take(12) {
            for frame in 0..clip.frames() {
                let mut pose = clip.pose(frame);
                carriage.carry(skeleton, person, 0.0, &mut pose.root_height, &mut pose.rotations);
                let mut frames = JointFrames::default();
                frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
                for hold in sides.into_iter().flatten().map(|number| &carriage.holds[number]) {
                    let (place, turned, rest) = match hold.joint.map(usize::from) {
                        Some(joint) => {
                            (frames.positions[joint], frames.orientations[joint], carriage.rest()[joint])
                        }
                        None => (Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO),
                    };
                    let wrist = carriage.joints[usize::from(!hold.left)][2];
                    let there = place + turned * (hold.wrist - rest);
                    worst = worst.max(there.distance(frames.positions[wrist]));
                    let off = (turned * hold.turn).angle_between(frames.orientations[wrist]);
                    assert!(off < 0.01, "{}: the hand is turned by {off}", hold.name);
                }
            }
        }
        worst
    }

    #[test]
    fn hands_stay_where_things_are_held_over_whole_walks() {
        for thing in CARRIED.iter().map(|thing| thing.name) {
            let off = worst(&with(&[thing], None));
            assert!(off < 0.01, "{thing}: {off} m");
        }
        for (gesture, _) in BUILT_IN {
            let off = worst(&with(&[], Some(gesture)));
            assert!(off < 0.01, "{gesture}: {off} m");
        }
    }

    #[test]
    fn who_sits_in_a_wheelchair_sits() {
        let library = builtin::library();
        let carriage = Carriage::of(&library.skeleton, &[]).unwrap();
        let person = with(&["wheelchair"], None);
        assert!(carriage.is_seated(&person));
        let mut pose = library.clips[0].pose(0);
        carriage.carry(&library.skeleton, &person, 0.0, &mut pose.root_height, &mut pose.rotations);
        assert!((0.5..0.75).contains(&pose.root_height), "{}", pose.root_height);
    }
}
