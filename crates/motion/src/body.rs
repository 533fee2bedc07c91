//! Which joint of a skeleton is which part of the body, guessed from the names that skeletons in use give them.

use crate::Skeleton;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The body's left.
    Left,
    /// The body's right.
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other side.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A joint of a limb, named by the bone that it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimbPart {
    /// The hip joint, which moves the thigh.
    UpLeg,
    /// The knee, which moves the shank.
    Leg,
    /// The ankle, which moves the foot.
    Foot,
    /// The ball of the foot, which moves the toes.
    Toe,
    /// The inner shoulder, which moves the collar bone.
    Shoulder,
    /// The shoulder joint, which moves the upper arm.
    Arm,
    /// The elbow, which moves the forearm.
    ForeArm,
    /// The wrist, which moves the hand.
    Hand,
}

impl LimbPart {
    const ALL: [Self; 8] =
        [Self::UpLeg, Self::Leg, Self::Foot, Self::Toe, Self::Shoulder, Self::Arm, Self::ForeArm, Self::Hand];

    /// Names without side, lower case and without separators, the most telling first: CMU BVH and Mixamo, CMU ASF,
    /// H-Anim, Poser, MakeHuman and Blender.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::UpLeg => &["upleg", "femur", "hip", "thigh", "upperleg", "upperleg01"],
            Self::Leg => &["leg", "tibia", "knee", "shin", "lowerleg", "lowerleg01", "calf"],
            Self::Foot => &["foot", "ankle", "talocrural"],
            Self::Toe => &["toebase", "toes", "metatarsophalangeal", "midtarsal", "toe", "toe11"],
            Self::Shoulder => &["shoulder", "clavicle", "sternoclavicular", "collar"],
            Self::Arm => &["arm", "humerus", "shoulder", "shldr", "upperarm", "upperarm01"],
            Self::ForeArm => &["forearm", "radius", "elbow", "lowerarm", "lowerarm01"],
            Self::Hand => &["wrist", "hand", "radiocarpal"],
        }
    }
}

/// The joints of a human body in some skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The joint that carries the body: the pelvis, if it can be told, else the root.
    pub hips: usize,
    /// The joints of the trunk from the pelvis (excluded) to the neck (excluded), lowest first.
    pub spine: Vec<usize>,
    /// The lowest joint of the neck.
    pub neck: Option<usize>,
    /// The joint that moves the head.
    pub head: Option<usize>,
    limbs: [[Option<usize>; 8]; 2],
}

impl Body {
    /// Guesses the parts from the joints' names.
    pub fn guess(skeleton: &Skeleton) -> Self {
        let names: Vec<(Option<Side>, String)> =
            skeleton.joints().iter().map(|joint| split_side(&joint.name)).collect();
        let central = |candidates: &[&str]| {
            candidates
                .iter()
                .find_map(|name| names.iter().position(|(side, stem)| side.is_none() && stem == name))
        };
        let limb = |side: Side, part: LimbPart| {
            part.names()
                .iter()
                .find_map(|name| names.iter().position(|(own, stem)| *own == Some(side) && stem == name))
        };
        let mut limbs = Side::BOTH.map(|side| LimbPart::ALL.map(|part| limb(side, part)));
        for parts in &mut limbs {
            // `shoulder` means the shoulder joint in H-Anim but the collar bone in CMU and Mixamo files.
            if parts[LimbPart::Arm as usize] == parts[LimbPart::Shoulder as usize] {
                parts[LimbPart::Shoulder as usize] = None;
            }
        }
        let head = central(&["head", "skullbase"]);
        let neck = central(&["lowerneck", "neck", "neck01", "vc7", "vc4"]).or(head);
        let hips = central(&["hips", "pelvis", "hip", "sacroiliac", "humanoidroot"]).unwrap_or(0);
        let mut spine = Vec::new();
        let mut joint = neck.and_then(|neck| skeleton.parent(neck));
        while let Some(index) = joint.filter(|&index| index != hips && index != 0) {
            spine.push(index);
            joint = skeleton.parent(index);
        }
        spine.reverse();
        Self { hips, spine, neck, head, limbs }
    }

    /// The joint of a limb, where the skeleton has it.
    pub fn limb(&self, side: Side, part: LimbPart) -> Option<usize> {
        self.limbs[side as usize][part as usize]
    }

    /// Hip, knee, ankle and ball of one leg, where all are there; a foot without toes ends in its ankle.
    pub fn leg(&self, side: Side) -> Option<Leg> {
        let part = |part| self.limb(side, part);
        let ankle = part(LimbPart::Foot)?;
        Some(Leg {
            hip: part(LimbPart::UpLeg)?,
            knee: part(LimbPart::Leg)?,
            ankle,
            ball: part(LimbPart::Toe).unwrap_or(ankle),
        })
    }

    /// Length of thigh and shank in metres, the mean of both legs; `None` if the legs are not known.
    pub fn leg_length(&self, skeleton: &Skeleton) -> Option<f32> {
        let joints = skeleton.joints();
        let length = |side| {
            let leg = self.leg(side)?;
            Some(joints[leg.knee].offset.length() + joints[leg.ankle].offset.length())
        };
        Some(0.5 * (length(Side::Left)? + length(Side::Right)?))
    }
}

/// The joints of one leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The hip joint.
    pub hip: usize,
    /// The knee.
    pub knee: usize,
    /// The ankle.
    pub ankle: usize,
    /// The ball of the foot.
    pub ball: usize,
}

/// Splits a joint's name into its side and a bare lower-case stem.
pub fn split_side(name: &str) -> (Option<Side>, String) {
    // A name space such as `mixamorig:` says nothing about the joint.
    let name = name.rsplit(':').next().unwrap_or(name);
    let separated = |c: char| matches!(c, '_' | '.' | '-' | ' ');
    let lower = name.to_lowercase();
    let bare = |stem: &str| stem.chars().filter(|c| !separated(*c)).collect::<String>();

    for (word, letter, side) in [("left", 'l', Side::Left), ("right", 'r', Side::Right)] {
        if let Some(stem) = lower.strip_prefix(word).or_else(|| lower.strip_suffix(word)) {
            return (Some(side), bare(stem));
        }
        let mut letters = lower.chars();
        if letters.next() == Some(letter) && letters.next().is_some_and(separated) {
            return (Some(side), bare(&lower[2..]));
        }
        let mut letters = lower.chars().rev();
        if letters.next() == Some(letter) && letters.next().is_some_and(separated) {
            return (Some(side), bare(&lower[..lower.len() - 2]));
        }
        // `lfemur`, `LHipJoint`, `lShldr`: a bare letter counts only before a stem that is known.
        if let Some(stem) = lower.strip_prefix(letter) {
            let stem = bare(stem);
            let known = LimbPart::ALL.iter().any(|part| part.names().contains(&stem.as_str()));
            if known || ["hipjoint", "thumb", "fingers", "hand"].contains(&stem.as_str()) {
                return (Some(side), stem);
            }
        }
    }
    (None, bare(&lower))
}

/// For each joint its partner on the other side of the body, or itself where it has none.
pub fn mirror_partners(skeleton: &Skeleton) -> Vec<usize> {
    let names: Vec<_> = skeleton.joints().iter().map(|joint| split_side(&joint.name)).collect();
    names
        .iter()
        .enumerate()
        .map(|(index, (side, stem))| {
            let Some(side) = side else { return index };
            let partner = names.iter().position(|(other, name)| *other == Some(side.other()) && name == stem);
            partner.unwrap_or(index)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Joint;
    use glam::Vec3;

    fn chain(names: &[&str]) -> Skeleton {
        let joints = names.iter().enumerate().map(|(index, name)| Joint {
            name: (*name).into(),
            parent: index.checked_sub(1).map(|parent| parent as u16),
            offset: Vec3::NEG_Z,
            tip: None,
        });
        Skeleton::new(joints.collect()).unwrap()
    }

    #[test]
    fn names_in_use_are_understood() {
        for names in [
            ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "LeftArm", "LeftForeArm", "LeftHand"],
            ["root", "lfemur", "ltibia", "lfoot", "ltoes", "lhumerus", "lradius", "lwrist"],
            [
                "mixamorig:Hips",
                "mixamorig:LeftUpLeg",
                "mixamorig:LeftLeg",
                "mixamorig:LeftFoot",
                "mixamorig:LeftToeBase",
                "mixamorig:LeftArm",
                "mixamorig:LeftForeArm",
                "mixamorig:LeftHand",
            ],
            [
                "HumanoidRoot",
                "l_hip",
                "l_knee",
                "l_ankle",
                "l_metatarsophalangeal",
                "l_shoulder",
                "l_elbow",
                "l_wrist",
            ],
            ["hip", "lThigh", "lShin", "lFoot", "lToe", "lShldr", "lForeArm", "lHand"],
        ] {
            let body = Body::guess(&chain(&names));
            use LimbPart::*;
            for (index, part) in [UpLeg, Leg, Foot, Toe, Arm, ForeArm, Hand].into_iter().enumerate() {
                assert_eq!(body.limb(Side::Left, part), Some(index + 1), "{part:?} in {names:?}");
                assert_eq!(body.limb(Side::Right, part), None);
            }
        }
    }

    #[test]
    fn partners_swap_sides() {
        let skeleton =
            chain(&["Hips", "LHipJoint", "RHipJoint", "LThumb", "RThumb", "Head", "leftEye", "rightEye"]);
        assert_eq!(mirror_partners(&skeleton), [0, 2, 1, 4, 3, 5, 7, 6]);
    }
}
