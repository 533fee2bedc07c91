//! Arms and whole bodies that hold themselves otherwise than their clips: somebody with a suitcase, a telephone, a wheelchair.

use crate::Person;
use crate::fit::{OnSkeleton, rest_positions, stature};
use crate::looks::Look;
use crate::wardrobe::pieces;
use crowdloom_gesture::{Arms, BUILT_IN, Gesture, Hold};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::{JointFrames, Pose, Skeleton};
use crowdloom_shapes::carried::{BAGS, Beside, CARRIED, Grip, SEATED_HIPS, carried};
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
    /// How many of them are of things; gestures come after.
    #[serde(skip)]
    of_things: usize,
    /// The pose in a wheelchair.
    seated: Seated,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Seated {
    height: f32,
    rotations: Vec<Quat>,
}

/// A hand with a bag in it hangs in poses that raise its wrist above this, in metres of a body of 1.75 m.
const RAISED: f32 = 1.04;

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
                above: 0.0,
            }
        };
        let grips = CARRIED.iter().flat_map(|thing| thing.grips.iter().map(move |each| (thing.name, each)));
        let mut holds: Vec<Hold> = grips.map(|(name, each)| grip(name, each)).collect();
        let of_things = holds.len();
        holds.extend(BAGS.iter().map(|(name, each)| Hold { above: RAISED * size, ..grip(name, each) }));
        let standing = Pose {
            root_height: skeleton.joints()[0].offset.z,
            rotations: vec![Quat::IDENTITY; skeleton.len()],
        };
        let names = BUILT_IN.iter().flat_map(|(name, _)| [(*name).to_owned(), format!("left {name}")]);
        let built_in = names.filter_map(|name| Gesture::find(&name).ok());
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
        Some(Self { joints: *arms.joints(), arms, holds, of_things, seated: Seated { height, rotations } })
    }

    /// The numbers of what somebody's left and right arm hold, and whether it sits in what it has.
    pub fn holds_of(&self, person: &Person) -> ([Option<usize>; 2], bool) {
        let things = things_of(&person.look);
        let mut sides = [None; 2];
        let (held, done) = self.holds.split_at(self.of_things);
        let mut take = |among: &[Hold], first: usize, name: &str| {
            for (number, hold) in among.iter().enumerate().filter(|(_, hold)| hold.name == name) {
                sides[usize::from(!hold.left)] = Some(first + number);
            }
        };
        // A bag hangs in the hand; who has a telephone there has it at the ear; what it does besides counts more, and what it holds most.
        let bags = BAGS.iter().map(|(name, _)| *name);
        bags.chain(["phone"])
            .filter(|name| wears(&person.look, name))
            .chain(person.gestures.iter().map(String::as_str))
            .for_each(|name| take(done, held.len(), name));
        things.iter().for_each(|name| take(held, 0, name));
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

    /// All holds, by number.
    pub fn holds(&self) -> &[Hold] {
        &self.holds
    }

    /// Joints of the left and the right wrist.
    pub fn wrists(&self) -> [usize; 2] {
        self.joints.map(|[_, _, wrist]| wrist)
    }

    /// The arms of the skeleton.
    pub fn arms(&self) -> &Arms {
        &self.arms
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
