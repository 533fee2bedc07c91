//! The naked body: trunk, limbs, hands, face. Lengths are metres on the skeleton of [`crate::rig`].

use crate::field::{Axis, Form, Loft, Section, Solid};
use glam::{Vec2, Vec3};

/// What a body is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// From 0, a woman's, to 1, a man's.
    pub sex: f32,
    /// 1 for a child of about seven years.
    pub young: f32,
    /// 1 for somebody of about seventy-five years.
    pub old: f32,
}

impl Shape {
    /// Between all others: pieces are cut once for it, and then moved onto the others.
    pub const NEUTRAL: Self = Self { sex: 0.5, young: 0.0, old: 0.0 };

    /// Between what a woman and what a man has.
    pub(crate) fn mix(&self, woman: f32, man: f32) -> f32 {
        woman + (man - woman) * self.sex
    }
}

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// A section that is level: place, middle ahead, half-widths ahead, behind and aside.
fn level(at: f32, ahead: f32, front: f32, back: f32, side: f32) -> Section {
    Section {
        at,
        middle: Vec2::new(ahead, 0.0),
        plus: Vec2::new(front, side),
        minus: Vec2::new(back, side),
        square: 2.25,
    }
}

/// Sections of the trunk: height, middle ahead, (front, back, side) of a woman and of a man, share of the belly.
type TrunkRow = (f32, f32, [f32; 3], [f32; 3], f32);

const TRUNK: [TrunkRow; 12] = [
    (0.815, -0.008, [0.050, 0.065, 0.100], [0.050, 0.062, 0.095], 0.0),
    (0.870, -0.010, [0.083, 0.104, 0.163], [0.084, 0.098, 0.155], 0.1),
    (0.935, -0.012, [0.093, 0.110, 0.176], [0.094, 0.106, 0.164], 0.4),
    (1.010, -0.012, [0.092, 0.092, 0.158], [0.098, 0.094, 0.156], 0.9),
    (1.090, -0.010, [0.084, 0.076, 0.128], [0.100, 0.084, 0.145], 1.0),
    (1.170, -0.012, [0.088, 0.080, 0.125], [0.105, 0.090, 0.149], 0.6),
    (1.250, -0.014, [0.098, 0.090, 0.136], [0.112, 0.100, 0.160], 0.2),
    (1.330, -0.018, [0.102, 0.096, 0.146], [0.118, 0.106, 0.170], 0.0),
    (1.390, -0.022, [0.090, 0.096, 0.150], [0.104, 0.106, 0.172], 0.0),
    (1.432, -0.026, [0.068, 0.088, 0.140], [0.078, 0.098, 0.160], 0.0),
    (1.470, -0.030, [0.044, 0.070, 0.096], [0.050, 0.080, 0.110], 0.0),
    (1.505, -0.030, [0.030, 0.046, 0.048], [0.034, 0.052, 0.056], 0.0),
];

/// Pelvis, belly, chest and the slope to the neck.
pub fn trunk(shape: &Shape) -> Solid {
    let grown = 1.0 - shape.young;
    let sections = TRUNK.iter().map(|&(at, ahead, woman, man, belly)| {
        let [front, back, side] = std::array::from_fn(|i| {
            let child = (woman[i] + man[i]) * 0.5 * 0.97;
            let adult = shape.mix(woman[i], man[i]);
            adult * grown + child * shape.young
        });
        let soft = 0.022 * shape.old + 0.014 * shape.young;
        level(at, ahead, front + belly * soft, back, side + belly * soft * 0.6)
    });
    let solid = Solid::default().add(Form::Loft(Loft::new(Axis::Z, sections.collect())), 0.0);
    let thick = shape.mix(0.034, 0.044) * (1.0 - 0.15 * shape.young);
    let solid = solid.add_both(
        |s| Form::Cone(v(-0.034, s * 0.036, 1.494), thick, v(-0.032, s * 0.150, 1.428), thick * 0.80),
        0.04,
    );
    // The seat.
    let seat = shape.mix(1.06, 0.96) * (1.0 - 0.12 * shape.old);
    let solid =
        solid.add_both(|s| Form::Egg(v(-0.062, s * 0.072, 0.905), v(0.068, 0.078, 0.082) * seat), 0.05);
    let breast = (1.0 - shape.sex) * grown;
    let solid = if breast > 0.02 {
        let low = 0.02 * shape.old;
        solid.add_both(
            |s| {
                let size = v(0.046, 0.060, 0.056) * (0.6 + 0.4 * breast);
                Form::Egg(v(0.052 + 0.006 * breast, s * 0.066, 1.298 - low), size)
            },
            0.055,
        )
    } else {
        solid
    };
    let chest = shape.sex * grown * (1.0 - 0.6 * shape.old);
    if chest > 0.02 {
        solid.add_both(
            |s| Form::Egg(v(0.058, s * 0.072, 1.335), v(0.043, 0.074, 0.052) * (0.7 + 0.3 * chest)),
            0.05,
        )
    } else {
        solid
    }
}

/// Along a leg: height, middle ahead, half-widths ahead, behind, aside.
const LEG: [(f32, f32, f32, f32, f32); 12] = [
    (0.050, -0.016, 0.034, 0.040, 0.031),
    (0.100, -0.014, 0.034, 0.039, 0.032),
    (0.160, -0.012, 0.036, 0.042, 0.036),
    (0.260, -0.010, 0.042, 0.057, 0.047),
    (0.345, -0.008, 0.047, 0.068, 0.055),
    (0.430, -0.004, 0.049, 0.059, 0.052),
    (0.500, 0.002, 0.054, 0.050, 0.053),
    (0.580, 0.002, 0.060, 0.056, 0.058),
    (0.690, 0.002, 0.074, 0.072, 0.071),
    (0.790, 0.000, 0.084, 0.083, 0.080),
    (0.870, -0.004, 0.082, 0.088, 0.082),
    (0.940, -0.006, 0.060, 0.068, 0.066),
];

fn leg_girth(shape: &Shape, height: f32) -> f32 {
    let thigh = ((height - 0.5) / 0.35).clamp(0.0, 1.0);
    let adult = shape.mix(0.96 + 0.08 * thigh, 1.0 - 0.03 * thigh);
    adult * (1.0 - 0.07 * shape.old * thigh) * (1.0 - 0.04 * shape.young)
}

/// A leg without its foot, `wider` by some metres at a height.
pub fn leg(shape: &Shape, s: f32, wider: &dyn Fn(f32) -> f32) -> Form {
    let sections = LEG.iter().map(|&(at, ahead, front, back, side)| {
        let girth = leg_girth(shape, at);
        let more = wider(at);
        Section {
            at,
            middle: Vec2::new(ahead, s * 0.088),
            plus: Vec2::new(front * girth + more, side * girth + more),
            minus: Vec2::new(back * girth + more, side * girth + more),
            square: 2.0,
        }
    });
    Form::Loft(Loft::new(Axis::Z, sections.collect()))
}

/// Along a foot: place ahead, half-width, height of its top.
const FOOT: [(f32, f32, f32); 9] = [
    (-0.062, 0.016, 0.050),
    (-0.048, 0.027, 0.070),
    (-0.010, 0.031, 0.092),
    (0.035, 0.033, 0.088),
    (0.080, 0.038, 0.066),
    (0.120, 0.043, 0.050),
    (0.155, 0.043, 0.040),
    (0.185, 0.036, 0.031),
    (0.203, 0.020, 0.022),
];

/// A foot, `wider` by some metres, with its sole at height 0.
pub fn foot(s: f32, wider: f32, longer: f32) -> Form {
    let sections = FOOT.iter().enumerate().map(|(row, &(at, half, top))| {
        let out = if row > 4 { longer } else { 0.0 };
        let middle = top * 0.36;
        Section {
            at: at + out - if row == 0 { wider } else { 0.0 },
            middle: Vec2::new(s * (0.088 + 0.004 * (at / 0.2)), middle),
            plus: Vec2::new(half + wider, top - middle + wider),
            minus: Vec2::new(half + wider, middle),
            square: 2.5,
        }
    });
    Form::Loft(Loft::new(Axis::X, sections.collect()))
}

/// Along an arm: place aside, half-widths ahead, behind, up and down.
const ARM: [(f32, f32, f32, f32, f32); 11] = [
    (0.150, 0.042, 0.046, 0.026, 0.046),
    (0.190, 0.050, 0.052, 0.036, 0.052),
    (0.240, 0.051, 0.053, 0.046, 0.051),
    (0.320, 0.046, 0.048, 0.044, 0.045),
    (0.410, 0.041, 0.042, 0.039, 0.040),
    (0.480, 0.040, 0.040, 0.037, 0.037),
    (0.540, 0.043, 0.040, 0.037, 0.038),
    (0.610, 0.039, 0.036, 0.033, 0.034),
    (0.690, 0.031, 0.029, 0.026, 0.026),
    (0.735, 0.028, 0.027, 0.021, 0.021),
    (0.758, 0.028, 0.027, 0.019, 0.019),
];

/// An arm without its hand, `wider` by some metres at a place aside.
pub fn arm(shape: &Shape, s: f32, wider: &dyn Fn(f32) -> f32) -> Form {
    let girth = shape.mix(0.87, 1.02) * (1.0 - 0.06 * shape.old) * (1.0 - 0.02 * shape.young);
    let mut sections: Vec<Section> = ARM
        .iter()
        .map(|&(at, front, back, up, down)| {
            let (girth, more) = (if at < 0.7 { girth } else { 0.5 + 0.5 * girth }, wider(at));
            Section {
                at: s * at,
                middle: Vec2::new(-0.027, 1.426),
                plus: Vec2::new(front * girth + more, up * girth + more),
                minus: Vec2::new(back * girth + more, down * girth + more),
                square: 2.0,
            }
        })
        .collect();
    if s < 0.0 {
        sections.reverse();
    }
    Form::Loft(Loft::new(Axis::Y, sections))
}

/// How far a sleeve's end leans: the form of an arm's loft for a hand, its place, half-width ahead and up.
fn hand_loft(s: f32, rows: &[(f32, f32, f32, f32)]) -> Form {
    let mut sections: Vec<Section> = rows
        .iter()
        .map(|&(at, ahead, wide, thick)| Section {
            at: s * (0.740 + at),
            middle: Vec2::new(-0.027 + ahead, 1.426 - (at - 0.06).max(0.0) * 0.14),
            plus: Vec2::new(wide, thick),
            minus: Vec2::new(wide, thick),
            square: 2.3,
        })
        .collect();
    if s < 0.0 {
        sections.reverse();
    }
    Form::Loft(Loft::new(Axis::Y, sections))
}

/// Hands: with fingers, or like mittens.
pub fn hands(solid: Solid, shape: &Shape, fingers: bool) -> Solid {
    let size = shape.mix(0.92, 1.03) * (1.0 + 0.06 * shape.young);
    let mut solid = solid;
    for s in [1.0, -1.0] {
        // Ahead, aside of the wrist, up.
        let p = |out: f32, ahead: f32, up: f32| {
            v(-0.027 + ahead * size, s * (0.740 + out * size), 1.426 + up * size)
        };
        let r = |radius: f32| radius * size;
        let palm = [
            (-0.012, 0.000, r(0.024), r(0.018)),
            (0.010, 0.002, r(0.028), r(0.018)),
            (0.045, 0.003, r(0.038), r(0.016)),
            (0.080, 0.001, r(0.042), r(0.013)),
            (0.096, 0.000, r(0.037), r(0.010)),
        ];
        let mitten = [
            (-0.012, 0.000, r(0.024), r(0.018)),
            (0.010, 0.002, r(0.028), r(0.018)),
            (0.050, 0.003, r(0.040), r(0.016)),
            (0.100, 0.000, r(0.041), r(0.012)),
            (0.145, 0.000, r(0.034), r(0.010)),
            (0.172, 0.002, r(0.016), r(0.006)),
        ];
        solid = solid.add(hand_loft(s, if fingers { &palm } else { &mitten }), 0.016);
        solid = solid
            .add(Form::Cone(p(0.018, 0.020, -0.002), r(0.015), p(0.052, 0.047, -0.010), r(0.0115)), 0.012)
            .add(Form::Cone(p(0.052, 0.047, -0.010), r(0.0115), p(0.088, 0.060, -0.020), r(0.0080)), 0.004);
        if !fingers {
            continue;
        }
        for (ahead, reach) in [(0.0315, 0.154), (0.0105, 0.168), (-0.0105, 0.160), (-0.0310, 0.140)] {
            let middle = 0.088 + (reach - 0.088) * 0.5;
            let (a, b, c) =
                (p(0.086, ahead, -0.004), p(middle, ahead * 1.17, -0.012), p(reach, ahead * 1.26, -0.032));
            let slim = if ahead < -0.03 { 0.86 } else { 1.0 };
            solid = solid
                .add(Form::Cone(a, r(0.0092 * slim), b, r(0.0084 * slim)), 0.006)
                .add(Form::Cone(b, r(0.0084 * slim), c, r(0.0068 * slim)), 0.003);
        }
    }
    solid
}

/// Where the head's own coordinates begin.
pub const HEAD: Vec3 = Vec3::new(-0.009, 0.0, 1.570);

/// How much larger a head is than that of somebody grown, on the same skeleton.
pub fn head_size(shape: &Shape) -> f32 {
    1.0 + 0.30 * shape.young - 0.03 * (1.0 - shape.sex) * (1.0 - shape.young)
}

/// The skull alone, to put hair and hats on.
pub fn skull(shape: &Shape, grow: f32) -> Form {
    let size = head_size(shape);
    Form::Egg(HEAD + v(-0.006, 0.0, 0.096) * size, v(0.099, 0.076, 0.090) * size + Vec3::splat(grow))
}

/// Neck and head with its face.
pub fn head(solid: Solid, shape: &Shape) -> Solid {
    let size = head_size(shape);
    let at = |x: f32, y: f32, z: f32| HEAD + v(x, y, z) * size;
    let half = |x: f32, y: f32, z: f32| v(x, y, z) * size;
    let (young, old, man) = (shape.young, shape.old, shape.sex * (1.0 - shape.young));
    let neck = shape.mix(0.049, 0.060) * (1.0 - 0.12 * young);
    let solid =
        solid.add(Form::Cone(v(-0.034, 0.0, 1.45), neck * 1.10, v(-0.016, 0.0, 1.60), neck * 0.98), 0.035);
    // Jaw and face: height, middle ahead, front, back, side.
    let jaw = 1.0 + 0.10 * man - 0.06 * young;
    let rows = [
        (-0.056 + 0.010 * young, 0.046, 0.020, 0.020, 0.017 * jaw),
        (-0.045 + 0.008 * young, 0.044, 0.036, 0.036, 0.031 * jaw),
        (-0.022, 0.036, 0.052, 0.050, 0.045 * jaw),
        (0.004, 0.026, 0.064, 0.050, 0.0545 * (0.5 + 0.5 * jaw)),
        (0.034, 0.020, 0.070, 0.050, 0.0605),
        (0.060, 0.014, 0.0725, 0.050, 0.0645),
        (0.086, 0.008, 0.0785, 0.050, 0.0670),
        (0.125, -0.002, 0.0800, 0.050, 0.0650),
    ];
    let face = rows.map(|(z, x, front, back, side)| Section {
        at: HEAD.z + z * size,
        middle: Vec2::new(HEAD.x + x * size, 0.0),
        plus: Vec2::new(front, side) * size,
        minus: Vec2::new(back, side) * size,
        square: 2.15,
    });
    let mut solid = solid.join(
        Solid::default()
            .add(skull(shape, 0.0), 0.0)
            .add(Form::Loft(Loft::new(Axis::Z, face.to_vec())), 0.03 * size),
        0.014,
    );
    let cheek = 0.0215 + 0.003 * young - 0.004 * old;
    solid = solid.add_both(|s| Form::Egg(at(0.054, s * 0.040, 0.034), half(0.026, cheek, 0.021)), 0.03);
    solid = solid.add(Form::Egg(at(0.071, 0.0, -0.041 + 0.006 * young), half(0.0165, 0.019, 0.013)), 0.022);
    if man > 0.3 {
        let thick = 0.011 + 0.003 * man;
        solid = solid.add_both(
            |s| Form::Cone(at(0.002, s * 0.050, -0.004), thick, at(0.056, s * 0.022, -0.036), thick * 0.9),
            0.025,
        );
    }
    // Brows, sockets, eyeballs.
    let brow = 0.0075 + 0.0025 * man - 0.002 * young;
    solid = solid.add_both(
        |s| Form::Cone(at(0.0795, s * 0.012, 0.0915), brow, at(0.0660, s * 0.046, 0.0935), brow * 0.9),
        0.014,
    );
    for s in [1.0, -1.0] {
        solid = solid.cut(Form::Egg(at(0.0925, s * 0.0315, 0.0715), half(0.0165, 0.0185, 0.0115)), 0.012);
    }
    solid =
        solid.add_both(|s| Form::Egg(at(0.0665, s * 0.0315, 0.0710), half(0.0125, 0.0145, 0.0122)), 0.004);
    // The nose.
    let nose = 1.0 - 0.30 * young + 0.10 * old + 0.07 * man;
    solid = solid
        .add(
            Form::Cone(
                at(0.0845, 0.0, 0.0800),
                0.0068 * size,
                at(0.1010 + 0.007 * (nose - 1.0), 0.0, 0.0400),
                0.0098 * nose * size,
            ),
            0.012,
        )
        .add(
            Form::Egg(at(0.1010 + 0.010 * (nose - 1.0), 0.0, 0.0375), half(0.0105, 0.0100, 0.0090) * nose),
            0.006,
        );
    solid = solid.add_both(
        |s| Form::Egg(at(0.0905, s * 0.0130 * nose, 0.0340), half(0.0110, 0.0072, 0.0075) * nose),
        0.006,
    );
    // Lips, and the line between them.
    let full = 1.0 + 0.18 * (1.0 - man) - 0.3 * old;
    solid = solid
        .add_both(|s| Form::Egg(at(0.0845, s * 0.0085, 0.0075), half(0.0075, 0.0150, 0.0044 * full)), 0.007)
        .add(Form::Egg(at(0.0835, 0.0, -0.0035), half(0.0080, 0.0180, 0.0055 * full)), 0.007)
        .cut(Form::Cone(at(0.0935, 0.019, 0.0022), 0.0018, at(0.0935, -0.019, 0.0022), 0.0018), 0.003);
    // Ears.
    for s in [1.0, -1.0] {
        solid = solid
            .add(
                Form::Egg(at(-0.010, s * 0.0735, 0.0500), half(0.0175, 0.0085, 0.0300) * (1.0 + 0.08 * old)),
                0.006,
            )
            .cut(Form::Egg(at(-0.004, s * 0.0830, 0.0540), half(0.0095, 0.0060, 0.0180)), 0.004);
    }
    solid
}

/// Trunk, legs and arms as one solid, without hands, feet and head.
pub fn frame(shape: &Shape) -> Solid {
    let legs = Solid::default().add_both(|s| leg(shape, s, &|_| 0.0), 0.012);
    let solid = trunk(shape).join(legs, 0.055);
    shoulders(solid, shape, &|_| 0.0)
}

/// A trunk with shoulders and arms, which are `wider` by some metres at a place aside.
pub fn shoulders(trunk: Solid, shape: &Shape, wider: &dyn Fn(f32) -> f32) -> Solid {
    let round = shape.mix(0.046, 0.056) * (1.0 - 0.08 * shape.young);
    // They slope: the top of an arm that hangs was its outside when it was held out.
    trunk
        .add_both(|s| Form::Egg(v(-0.027, s * 0.172, 1.406), v(round, round * 1.15, round)), 0.040)
        .add_both(|s| arm(shape, s, wider), 0.030)
}

/// The whole body.
pub fn body(shape: &Shape, fingers: bool) -> Solid {
    let solid = frame(shape).add_both(|s| foot(s, 0.0, 0.0), 0.022);
    head(hands(solid, shape, fingers), shape)
}

/// Moves a point of the neutral body near to where it is on another: heads differ in size.
pub fn nearby(p: Vec3, shape: &Shape) -> Vec3 {
    let t = ((p.z - 1.50) / 0.06).clamp(0.0, 1.0) * f32::from(p.y.abs() < 0.2);
    let ratio = head_size(shape) / head_size(&Shape::NEUTRAL);
    p.lerp(HEAD + (p - HEAD) * ratio, t)
}
