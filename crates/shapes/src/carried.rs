//! Things that arms hold: where the wrists are meanwhile, and how a thing that was made beside a body lies in the hand.
//!
//! Places are metres around a body of 1.75 m that stands with its hips over the origin and faces x.

use crate::field::{Form, Solid};
use crate::rig::{RIG, at};
use glam::{Mat3, Quat, Vec3};

/// What a wrist keeps its place beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The ground under the hips, whatever the body does above it.
    Ground,
    /// A joint of [`RIG`], with which it turns.
    Joint(usize),
}

/// Where a hand is that holds something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// 0 for the left hand, 1 for the right.
    pub side: usize,
    /// What the wrist keeps its place beside.
    pub beside: Beside,
    /// The wrist.
    pub wrist: Vec3,
    /// Which way fingers point.
    pub fingers: Vec3,
    /// Which way the palm faces.
    pub palm: Vec3,
    /// Which way the elbow points.
    pub elbow: Vec3,
}

impl Grip {
    /// How the hand is turned from where it is at rest, with fingers to the side and the palm down.
    pub fn turn(&self) -> Quat {
        let axes = |fingers: Vec3, palm: Vec3| {
            let fingers = fingers.normalize();
            let palm = palm.reject_from_normalized(fingers).normalize();
            Mat3::from_cols(fingers, palm, fingers.cross(palm))
        };
        let out = if self.side == 0 { Vec3::Y } else { Vec3::NEG_Y };
        Quat::from_mat3(&(axes(self.fingers, self.palm) * axes(out, Vec3::NEG_Z).transpose()))
    }

    /// The middle of the closed hand.
    pub fn fist(&self) -> Vec3 {
        self.wrist + self.fingers.normalize() * 0.085 + self.palm.normalize() * 0.022
    }
}

/// A thing that arms hold.
pub struct Carried {
    /// The name of its piece.
    pub name: &'static str,
    /// The hands that hold it, first the one that it moves with.
    pub grips: &'static [Grip],
    /// Whether who has it sits in it.
    pub seated: bool,
    /// Radians that it leans back about the hand, made upright.
    pub lean: f32,
    /// Radius in metres of the disc that somebody takes with it; 0 where that is no more than without: half the length of both together.
    pub room: f32,
}

/// How high the hip joints of somebody are who sits in a wheelchair, in metres.
pub const SEATED_HIPS: f32 = 0.590;

const fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

const RIGHT: Grip = Grip {
    side: 1,
    beside: Beside::Ground,
    wrist: v(0.0, -0.3, 0.9),
    fingers: v(0.0, 0.0, -1.0),
    palm: v(0.0, 1.0, 0.0),
    elbow: v(-1.0, -0.35, 0.0),
};

const HANGING: Grip = Grip { beside: Beside::Joint(at::HIPS), wrist: v(0.02, -0.270, 0.895), ..RIGHT };
const SUITCASE: Grip = Grip { wrist: v(-0.120, -0.270, 0.935), fingers: v(-0.45, 0.0, -0.89), ..RIGHT };
const UMBRELLA: Grip = Grip {
    beside: Beside::Joint(at::CHEST),
    wrist: v(0.170, -0.150, 1.130),
    fingers: v(1.0, 0.15, 0.1),
    elbow: v(-0.4, -0.5, -1.0),
    ..RIGHT
};
// A cane goes with the other leg.
const CANE: Grip = Grip {
    beside: Beside::Joint(at::leg(0)),
    wrist: v(0.090, -0.275, 0.950),
    fingers: v(1.0, 0.0, -0.35),
    palm: v(0.0, 0.25, -1.0),
    ..RIGHT
};
const PUSHED: [Grip; 2] = [
    Grip {
        wrist: v(0.310, -0.190, 1.060),
        fingers: v(1.0, 0.1, -0.1),
        palm: v(0.0, 0.0, -1.0),
        elbow: v(-0.5, -0.6, -1.0),
        ..RIGHT
    },
    Grip {
        side: 0,
        wrist: v(0.310, 0.190, 1.060),
        fingers: v(1.0, -0.1, -0.1),
        palm: v(0.0, 0.0, -1.0),
        elbow: v(-0.5, 0.6, -1.0),
        ..RIGHT
    },
];
const RIMS: [Grip; 2] = [
    Grip { wrist: v(0.120, -0.285, 0.660), fingers: v(0.55, 0.0, -0.83), elbow: v(-1.0, -0.6, 0.0), ..RIGHT },
    Grip {
        side: 0,
        wrist: v(0.120, 0.285, 0.660),
        fingers: v(0.55, 0.0, -0.83),
        palm: v(0.0, -1.0, 0.0),
        elbow: v(-1.0, 0.6, 0.0),
        ..RIGHT
    },
];

/// All things that arms hold otherwise than hanging.
pub const CARRIED: [Carried; 5] = [
    Carried { name: "suitcase", grips: &[SUITCASE], seated: false, lean: 0.60, room: 0.42 },
    Carried { name: "umbrella", grips: &[UMBRELLA], seated: false, lean: 0.0, room: 0.0 },
    Carried { name: "cane", grips: &[CANE], seated: false, lean: 0.0, room: 0.0 },
    Carried { name: "stroller", grips: &PUSHED, seated: false, lean: 0.0, room: 0.65 },
    Carried { name: "wheelchair", grips: &RIMS, seated: true, lean: 0.0, room: 0.48 },
];

/// Bags that hang in a hand, with where the hand is in a pose that would raise it.
pub const BAGS: [(&str, Grip); 3] = [
    ("briefcase", HANGING),
    ("handbag", HANGING),
    (
        "carrier bag",
        Grip {
            side: 0,
            wrist: v(0.02, 0.270, 0.895),
            palm: v(0.0, -1.0, 0.0),
            elbow: v(-1.0, 0.35, 0.0),
            ..HANGING
        },
    ),
];

/// What holds a piece of that name, if arms have to.
pub fn carried(name: &str) -> Option<&'static Carried> {
    CARRIED.iter().find(|thing| thing.name == name)
}

/// Where a thing lies on the body at rest that was made beside a body which holds it.
pub struct Laid {
    about: Vec3,
    lean: Quat,
    from: Vec3,
    turn: Quat,
    to: Vec3,
}

impl Laid {
    /// For the piece of that name; `None` where it was made on the body at rest.
    pub fn of(name: &str) -> Option<Self> {
        let thing = carried(name)?;
        if thing.seated {
            let (from, to) = (Vec3::Z * SEATED_HIPS, Vec3::Z * RIG[at::leg(0)].at.z);
            return Some(Self { about: from, lean: Quat::IDENTITY, from, turn: Quat::IDENTITY, to });
        }
        let grip = &thing.grips[0];
        let (about, lean) = (grip.fist(), Quat::from_rotation_y(thing.lean));
        Some(Self {
            about,
            lean,
            from: grip.wrist,
            turn: grip.turn().inverse(),
            to: RIG[at::arm(grip.side) + 3].at,
        })
    }

    /// A point of the thing on the body at rest.
    pub fn point(&self, p: Vec3) -> Vec3 {
        self.to + self.turn * (self.about + self.lean * (p - self.about) - self.from)
    }

    /// A direction of it.
    pub fn direction(&self, n: Vec3) -> Vec3 {
        self.turn * (self.lean * n)
    }
}

/// A rod from place to place.
fn rod(a: Vec3, b: Vec3, r: f32) -> Form {
    Form::Cone(a, r, b, r)
}

/// A wheel across the way.
fn wheel(at: Vec3, radius: f32, half: f32) -> Form {
    Form::Egg(at, v(radius, half, radius))
}

/// A case on two wheels that is drawn behind; upright under the hand.
pub fn suitcase() -> Solid {
    let fist = SUITCASE.fist();
    // So far below the hand that its wheels are on the ground when it leans.
    let long = (fist.z - WHEEL) / libm::cosf(0.60);
    let axle = fist - Vec3::Z * long;
    let aside = v(0.0, 0.085, 0.0);
    let middle = axle + v(0.02, 0.0, 0.285);
    Solid::default()
        .add(Form::Box(middle, v(0.105, 0.170, 0.255), 0.035), 0.0)
        .add(Form::Box(middle + v(-0.095, 0.0, -0.03), v(0.030, 0.140, 0.180), 0.025), 0.01)
        .add_both(|s| rod(middle + v(0.06, 0.085 * s, 0.22), fist + aside * s, 0.010), 0.0)
        .add(rod(fist - aside, fist + aside, 0.014), 0.006)
        .add_both(|s| wheel(axle + v(0.0, 0.135 * s, 0.0), WHEEL, 0.020), 0.0)
}

/// Radius of a case's wheels in metres.
const WHEEL: f32 = 0.048;

/// An open umbrella.
pub fn umbrella() -> Solid {
    let fist = UMBRELLA.fist();
    let top = v(fist.x - 0.06, fist.y + 0.06, 2.060);
    let dome = |half: Vec3| Form::Egg(top - Vec3::Z * 0.25, half);
    Solid::default()
        .add(dome(v(0.520, 0.520, 0.260)), 0.0)
        .keep(Form::Half(top - Vec3::Z * 0.17, Vec3::NEG_Z), 0.004)
        .cut(dome(v(0.500, 0.500, 0.238)), 0.004)
        .add(rod(fist - Vec3::Z * 0.10, top + Vec3::Z * 0.04, 0.011), 0.004)
}

/// A cane with a bent handle.
pub fn cane() -> Solid {
    let fist = CANE.fist();
    Solid::default()
        .add(rod(v(fist.x - 0.005, fist.y, 0.012), fist + v(-0.005, 0.0, 0.02), 0.012), 0.0)
        .add(rod(fist + v(-0.055, 0.0, 0.018), fist + v(0.055, 0.0, 0.024), 0.014), 0.012)
}

/// A pushchair with a hood.
pub fn stroller() -> Solid {
    let fist = PUSHED[0].fist();
    let side = 0.19;
    let at = |x: f32, s: f32, z: f32| v(x, side * s, z);
    let handle = v(fist.x, side, fist.z);
    Solid::default()
        .add(rod(handle * v(1.0, -1.25, 1.0), handle * v(1.0, 1.25, 1.0), 0.015), 0.0)
        .add_both(|s| rod(at(handle.x, s, handle.z), at(0.80, s, 0.26), 0.014), 0.004)
        .add_both(|s| rod(at(0.62, s, 0.60), at(0.56, s, 0.10), 0.014), 0.004)
        .add_both(|s| rod(at(0.80, s, 0.26), at(1.02, s, 0.09), 0.014), 0.004)
        .add_both(|s| wheel(at(0.56, 1.1 * s, 0.105), 0.105, 0.022), 0.0)
        .add_both(|s| wheel(at(1.03, 1.1 * s, 0.085), 0.085, 0.022), 0.0)
        // Seat, foot rest and hood.
        .add(Form::Box(v(0.79, 0.0, 0.46), v(0.19, 0.165, 0.055), 0.03), 0.01)
        .add(Form::Box(v(0.60, 0.0, 0.66), v(0.050, 0.165, 0.21), 0.03), 0.02)
        .add(Form::Box(v(0.98, 0.0, 0.27), v(0.060, 0.150, 0.025), 0.02), 0.01)
        .add(Form::Egg(v(0.66, 0.0, 0.80), v(0.215, 0.190, 0.190)), 0.01)
        .cut(Form::Egg(v(0.80, 0.0, 0.70), v(0.180, 0.155, 0.165)), 0.008)
}

/// A wheelchair.
pub fn wheelchair() -> Solid {
    let hand_rim = |s: f32| v(0.02, 0.335 * s, 0.300);
    let mut chair = Solid::default()
        .add(Form::Box(v(0.11, 0.0, 0.470), v(0.215, 0.215, 0.025), 0.02), 0.0)
        .add(Form::Box(v(-0.135, 0.0, 0.720), v(0.022, 0.205, 0.220), 0.02), 0.0)
        .add_both(|s| rod(v(-0.13, 0.215 * s, 0.45), v(-0.14, 0.215 * s, 0.96), 0.012), 0.004)
        .add_both(|s| rod(v(-0.14, 0.215 * s, 0.96), v(-0.25, 0.215 * s, 0.95), 0.014), 0.004)
        .add_both(|s| rod(v(0.30, 0.215 * s, 0.45), v(0.42, 0.200 * s, 0.12), 0.012), 0.004)
        .add_both(|s| Form::Box(v(0.48, 0.110 * s, 0.090), v(0.085, 0.080, 0.010), 0.008), 0.004)
        .add_both(|s| rod(v(0.30, 0.215 * s, 0.45), v(0.36, 0.225 * s, 0.11), 0.010), 0.004)
        .add_both(|s| wheel(v(0.36, 0.245 * s, 0.085), 0.085, 0.018), 0.0);
    // Large wheels: a tyre of rods about a hub with spokes.
    for s in [1.0f32, -1.0] {
        let hub = hand_rim(s);
        const PARTS: usize = 18;
        let on = |part: usize, r: f32| {
            let (sin, cos) = libm::sincosf(part as f32 / PARTS as f32 * std::f32::consts::TAU);
            hub + v(cos * r, 0.0, sin * r)
        };
        for part in 0..PARTS {
            chair = chair.add(rod(on(part, 0.285), on(part + 1, 0.285), 0.016), 0.0);
            if part % 3 == 0 {
                chair = chair.add(rod(hub, on(part, 0.285), 0.008), 0.004);
            }
        }
        chair = chair.add(rod(hub - v(0.0, 0.10 * s, 0.0), hub, 0.020), 0.004);
    }
    chair
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrists_are_within_reach_of_shoulders() {
        let arm = RIG[at::arm(0) + 1].at.distance(RIG[at::arm(0) + 2].at)
            + RIG[at::arm(0) + 2].at.distance(RIG[at::arm(0) + 3].at);
        for thing in &CARRIED {
            for grip in thing.grips {
                let mut shoulder = RIG[at::arm(grip.side) + 1].at;
                if thing.seated {
                    shoulder.z -= RIG[at::leg(0)].at.z - SEATED_HIPS;
                }
                let away = shoulder.distance(grip.wrist);
                assert!(away < arm * 0.96, "{}: {away} m of {arm} m", thing.name);
            }
        }
    }

    #[test]
    fn a_thing_in_the_hand_is_where_it_was_made() {
        let laid = Laid::of("cane").unwrap();
        let (hand, turn) = (RIG[at::arm(1) + 3].at, CANE.turn());
        // The hand takes what lies at rest back to where it was.
        let p = v(0.1, -0.3, 0.4);
        let back = CANE.wrist + turn * (laid.point(p) - hand);
        assert!(back.distance(p) < 1e-5);
        assert!((turn * Vec3::NEG_Y).distance(CANE.fingers.normalize()) < 1e-5);
    }
}
