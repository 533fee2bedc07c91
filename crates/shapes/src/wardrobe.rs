//! Clothes, hair and things that people carry, as solids off the skin.

use crate::carried;
use crate::field::{Axis, Form, Loft, Section, Solid};
use crate::human::{self, HEAD, Shape, head_size};
use crate::rig::{Hang, at};
use glam::{Vec2, Vec3};

/// What a piece is for: of most a person has at most one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// The skin itself.
    Skin,
    /// Hair on the head.
    Hair,
    /// Beards.
    Beard,
    /// From the shoulders down.
    Top,
    /// From the waist down.
    Bottom,
    /// Both shoes.
    Shoes,
    /// Accessories on the head.
    Hat,
    /// Accessories before the eyes.
    Eyes,
    /// Accessories about the neck.
    Neck,
    /// Accessories on the back.
    Back,
    /// Accessories over the shoulder.
    Shoulder,
    /// Accessories in the left hand.
    LeftHand,
    /// Accessories in the right hand.
    RightHand,
}

/// Parts of the skin that a piece hides, as bits.
pub mod cover {
    /// Chest, belly and back.
    pub const TRUNK: u8 = 1;
    /// Shoulders and the upper half of the upper arms.
    pub const SHOULDERS: u8 = 2;
    /// From there to the wrists.
    pub const ARMS: u8 = 4;
    /// From the hips to above the knees.
    pub const THIGHS: u8 = 8;
    /// From there to the ankles.
    pub const SHINS: u8 = 16;
    /// The feet.
    pub const FEET: u8 = 32;
    /// The skull where hair grows.
    pub const SCALP: u8 = 64;
}

/// The bit of the region of skin that a point of the body lies in; 0 where nothing hides it.
pub fn region(p: Vec3) -> u8 {
    let out = p.y.abs();
    match p {
        _ if p.z > 1.56 => {
            let h = p - HEAD;
            let scalp = h.z - 0.150 > (h.x - 0.035) * 0.9;
            if scalp { cover::SCALP } else { 0 }
        }
        _ if out > 0.715 || p.z > 1.462 && out < 0.10 => 0,
        _ if out > 0.315 && p.z > 1.2 => cover::ARMS,
        _ if out > 0.20 && p.z > 1.2 => cover::SHOULDERS,
        _ if p.z > 0.985 => cover::TRUNK,
        _ if p.z > 0.560 => cover::THIGHS,
        _ if p.z > 0.105 => cover::SHINS,
        _ => cover::FEET,
    }
}

/// Where a piece is cut from space: its corners and the grid's step in metres.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The lower corner.
    pub low: Vec3,
    /// The upper corner.
    pub high: Vec3,
    /// The step of the grid.
    pub step: f32,
}

/// A piece that people are put together from.
pub struct Design {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub slot: Slot,
    /// What moves it.
    pub hang: Hang,
    /// The skin that it hides.
    pub covers: u8,
    /// Triangles in each of three details; 0 where it is not worth any.
    pub triangles: [usize; 3],
    /// Where it is.
    pub room: Room,
    /// Its shape on a body.
    pub solid: fn(&Shape) -> Solid,
}

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

fn room(low: [f32; 3], high: [f32; 3], step: f32) -> Room {
    Room { low: Vec3::from_array(low), high: Vec3::from_array(high), step }
}

fn above(z: f32) -> Form {
    Form::Half(v(0.0, 0.0, z), Vec3::NEG_Z)
}

fn below(z: f32) -> Form {
    Form::Half(v(0.0, 0.0, z), Vec3::Z)
}

/// A top: how far off the skin, where sleeves end, how wide they get there, where the hem is, how wide that is.
struct Top {
    off: f32,
    sleeve: f32,
    cuff: f32,
    hem: f32,
    flare: f32,
    collar: f32,
}

fn top(shape: &Shape, cut: &Top) -> Solid {
    let wide = |at: f32| cut.cuff * ((at - 0.2) / (cut.sleeve - 0.2)).clamp(0.0, 1.0);
    let round = 0.054 + 0.004 * shape.sex;
    let mut solid = human::trunk(shape)
        .add_both(|s| Form::Egg(v(-0.027, s * 0.172, 1.416), v(round, round * 1.2, round)), 0.06)
        .add_both(|s| human::arm(shape, s, &wide), 0.05);
    // Below the waist cloth spans both legs and falls from the widest place.
    let hang = |at: f32, front: f32, back: f32, side: f32| Section {
        at,
        middle: Vec2::new(-0.010, 0.0),
        plus: Vec2::new(front, side),
        minus: Vec2::new(back, side),
        square: 2.3,
    };
    let hip = 0.172 + 0.008 * (1.0 - shape.sex) + 0.01 * shape.old;
    let f = cut.flare;
    let fall = vec![
        hang(cut.hem - 0.03, 0.098 + f, 0.118 + f, hip + f),
        hang(0.5 * (cut.hem - 0.03) + 0.5 * 0.93, 0.098 + f * 0.6, 0.118 + f * 0.6, hip + f * 0.6),
        hang(0.935, 0.096, 0.114, hip),
        hang(1.06, 0.090, 0.084, 0.132),
    ];
    solid = solid.add(Form::Loft(Loft::new(Axis::Z, fall)), 0.05).grow(cut.off);
    if cut.collar > 0.0 {
        solid = solid.add(
            Form::Ring(v(-0.030, 0.0, 1.486), Vec2::new(0.062, 0.060), Vec2::new(0.010, cut.collar)),
            0.012,
        );
    }
    solid
        .keep(above(cut.hem), 0.006)
        .keep(Form::Half(v(0.0, cut.sleeve, 0.0), Vec3::Y), 0.004)
        .keep(Form::Half(v(0.0, -cut.sleeve, 0.0), Vec3::NEG_Y), 0.004)
        // The opening for the neck: shoulders stay covered when arms go up.
        .cut(Form::Egg(v(0.000, 0.0, 1.512 + cut.collar), v(0.086, 0.078, 0.052)), 0.006)
        .keep(below(1.500 + cut.collar), 0.004)
}

fn skirt_form(shape: &Shape, hem: f32, wide: f32) -> Form {
    let hip = 0.176 + 0.006 * (1.0 - shape.sex);
    let section = |at: f32, front: f32, back: f32, side: f32| Section {
        at,
        middle: Vec2::new(-0.010, 0.0),
        plus: Vec2::new(front, side),
        minus: Vec2::new(back, side),
        square: 2.1,
    };
    let middle = 0.93 + (hem - 0.93) * 0.5;
    Form::Loft(Loft::new(
        Axis::Z,
        vec![
            section(hem - 0.02, 0.12 + wide, 0.13 + wide, hip + wide * 0.85),
            section(middle, 0.112 + wide * 0.6, 0.128 + wide * 0.6, hip + wide * 0.5),
            section(0.93, 0.098, 0.116, hip),
            section(1.02, 0.090, 0.090, 0.150),
            section(1.10, 0.080, 0.074, 0.122),
        ],
    ))
}

fn legs(shape: &Shape, off: f32, wider: &dyn Fn(f32) -> f32, low: f32) -> Solid {
    let both = Solid::default().add_both(|s| human::leg(shape, s, wider), 0.010);
    human::trunk(shape).join(both, 0.055).grow(off).keep(below(0.985), 0.006).keep(above(low), 0.006)
}

fn shoes(wider: f32, ankle: f32, longer: f32) -> Solid {
    Solid::default()
        .add_both(|s| human::foot(s, wider, longer), 0.0)
        .add_both(
            |s| {
                Form::Cone(
                    v(-0.014, s * 0.088, 0.045),
                    0.040 + wider,
                    v(-0.013, s * 0.088, 0.20),
                    0.038 + wider,
                )
            },
            0.03,
        )
        .keep(below(ankle), 0.005)
        .keep(above(0.0), 0.003)
}

fn on_head(shape: &Shape, x: f32, y: f32, z: f32) -> Vec3 {
    HEAD + v(x, y, z) * head_size(shape)
}

/// Behind a plane from the forehead to the nape: what hair is left of a cap.
fn hairline(shape: &Shape, forehead: f32) -> Form {
    Form::Half(on_head(shape, 0.074, 0.0, forehead), v(0.74, 0.0, -0.672))
}

fn cap_of_hair(shape: &Shape, off: f32) -> Solid {
    Solid::default().add(human::skull(shape, off), 0.0).add(
        Form::Egg(on_head(shape, -0.034, 0.0, 0.034), v(0.064, 0.066, 0.070) + Vec3::splat(off * 0.6)),
        0.03,
    )
}

fn ears(solid: Solid, shape: &Shape) -> Solid {
    let ear = |s: f32| Form::Egg(on_head(shape, 0.000, s * 0.088, 0.038), v(0.026, 0.030, 0.044));
    solid.cut(ear(1.0), 0.008).cut(ear(-1.0), 0.008)
}

fn face_opening(shape: &Shape, half: Vec3, up: f32) -> Form {
    Form::Egg(on_head(shape, 0.105, 0.0, up), half * head_size(shape))
}

fn short_hair(shape: &Shape, off: f32) -> Solid {
    ears(cap_of_hair(shape, off), shape).keep(hairline(shape, 0.128), 0.014)
}

fn long_hair(shape: &Shape, reach: f32) -> Solid {
    let size = head_size(shape);
    let low = HEAD.z - reach;
    let section = |at: f32, x: f32, front: f32, back: f32, side: f32| Section {
        at,
        middle: Vec2::new(HEAD.x + x * size, 0.0),
        plus: Vec2::new(front, side) * size,
        minus: Vec2::new(back, side) * size,
        square: 2.2,
    };
    let fall = vec![
        section(low, -0.075, 0.014, 0.020, 0.070),
        section(low + (HEAD.z + 0.04 - low) * 0.2, -0.066, 0.030, 0.034, 0.088),
        section(low + (HEAD.z + 0.04 - low) * 0.7, -0.045, 0.052, 0.050, 0.086),
        section(HEAD.z + 0.05 * size, -0.030, 0.075, 0.080, 0.088),
        section(HEAD.z + 0.11 * size, -0.020, 0.090, 0.086, 0.084),
    ];
    cap_of_hair(shape, 0.014)
        .add(Form::Loft(Loft::new(Axis::Z, fall)), 0.03)
        .cut(face_opening(shape, v(0.088, 0.066, 0.108), 0.012), 0.016)
        .cut(Form::Cone(v(-0.010, 0.0, low - 0.05), 0.050, v(0.0, 0.0, 1.56), 0.050), 0.012)
}

fn beard(shape: &Shape, thick: f32, low: f32) -> Solid {
    human::head(Solid::default(), shape)
        .grow(thick)
        .keep(Form::Half(on_head(shape, 0.02, 0.0, 0.034), v(-0.35, 0.0, 0.937)), 0.006)
        .keep(Form::Half(on_head(shape, 0.010, 0.0, 0.0), v(-0.93, 0.0, 0.36)), 0.010)
        .keep(Form::Half(on_head(shape, 0.05, 0.0, low), v(-0.45, 0.0, -0.893)), 0.008)
        .cut(Form::Egg(on_head(shape, 0.098, 0.0, 0.002), v(0.020, 0.0205, 0.0095)), 0.004)
        .cut(Form::Egg(on_head(shape, 0.104, 0.0, 0.054), v(0.032, 0.022, 0.033)), 0.004)
        .cut(Form::Egg(on_head(shape, 0.075, 0.044, 0.034), v(0.030, 0.022, 0.024)), 0.010)
        .cut(Form::Egg(on_head(shape, 0.075, -0.044, 0.034), v(0.030, 0.022, 0.024)), 0.010)
}

/// A box under a hand that hangs: how far below the wrist its middle is, half-axes, and a handle.
fn in_hand(s: f32, below: f32, half: Vec3) -> Solid {
    let at = |out: f32, ahead: f32| v(-0.027 + ahead, s * (0.740 + out), 1.405);
    let top = below - half.y;
    Solid::default()
        .add(Form::Box(at(below, 0.0), half, 0.02), 0.0)
        .add(Form::Cone(at(0.085, 0.05), 0.007, at(top + 0.01, 0.075), 0.007), 0.004)
        .add(Form::Cone(at(0.085, -0.05), 0.007, at(top + 0.01, -0.075), 0.007), 0.004)
        .add(Form::Cone(at(0.085, -0.05), 0.008, at(0.085, 0.05), 0.008), 0.004)
}

const ALL: u8 = cover::TRUNK | cover::SHOULDERS | cover::ARMS;

/// All pieces, the skin first.
pub fn designs() -> Vec<Design> {
    let upper =
        |sleeve: f32, hem: f32| room([-0.26, -sleeve - 0.03, hem - 0.04], [0.26, sleeve + 0.03, 1.56], 0.015);
    let lower = |low: f32| room([-0.32, -0.36, low - 0.03], [0.30, 0.36, 1.08], 0.015);
    let head = |low: f32| room([-0.24, -0.20, low], [0.24, 0.20, 1.92], 0.009);
    let piece = |name, slot, hang, covers, triangles, room, solid: fn(&Shape) -> Solid| Design {
        name,
        slot,
        hang,
        covers,
        triangles,
        room,
        solid,
    };
    use Slot::*;
    let mut all = vec![
        piece(
            "skin",
            Skin,
            Hang::Body,
            0,
            [3000, 600, 150],
            room([-0.16, -0.96, -0.02], [0.24, 0.96, 1.92], 0.0072),
            |shape| human::body(shape, true),
        ),
        // Tops.
        piece(
            "t-shirt",
            Top,
            Hang::Body,
            cover::TRUNK | cover::SHOULDERS,
            [620, 200, 60],
            upper(0.37, 0.90),
            |shape| {
                top(
                    shape,
                    &self::Top {
                        off: 0.010,
                        sleeve: 0.37,
                        cuff: 0.016,
                        hem: 0.895,
                        flare: 0.022,
                        collar: 0.0,
                    },
                )
            },
        ),
        piece("shirt", Top, Hang::Body, ALL, [760, 240, 70], upper(0.735, 0.90), |shape| {
            top(
                shape,
                &self::Top {
                    off: 0.011,
                    sleeve: 0.735,
                    cuff: 0.010,
                    hem: 0.895,
                    flare: 0.022,
                    collar: 0.014,
                },
            )
        }),
        piece("sweater", Top, Hang::Body, ALL, [760, 240, 70], upper(0.738, 0.88), |shape| {
            top(
                shape,
                &self::Top { off: 0.016, sleeve: 0.738, cuff: 0.010, hem: 0.88, flare: 0.020, collar: 0.008 },
            )
        }),
        piece("hoodie", Top, Hang::Body, ALL, [860, 260, 70], upper(0.738, 0.87), |shape| {
            top(
                shape,
                &self::Top { off: 0.019, sleeve: 0.738, cuff: 0.012, hem: 0.87, flare: 0.020, collar: 0.010 },
            )
            .add(Form::Egg(v(-0.105, 0.0, 1.470), v(0.045, 0.095, 0.060)), 0.02)
            .add(Form::Ring(v(-0.040, 0.0, 1.487), Vec2::new(0.076, 0.080), Vec2::new(0.020, 0.024)), 0.02)
        }),
        piece("jacket", Top, Hang::Body, ALL, [860, 260, 70], upper(0.735, 0.83), |shape| {
            top(
                shape,
                &self::Top { off: 0.021, sleeve: 0.735, cuff: 0.016, hem: 0.83, flare: 0.024, collar: 0.016 },
            )
        }),
        piece("coat", Top, Hang::Body, ALL | cover::THIGHS, [960, 280, 80], upper(0.738, 0.50), |shape| {
            top(
                shape,
                &self::Top { off: 0.028, sleeve: 0.738, cuff: 0.018, hem: 0.50, flare: 0.045, collar: 0.022 },
            )
        }),
        piece(
            "dress",
            Top,
            Hang::Skirt,
            cover::TRUNK | cover::SHOULDERS | cover::THIGHS,
            [860, 260, 80],
            upper(0.30, 0.50),
            |shape| {
                top(
                    shape,
                    &self::Top { off: 0.009, sleeve: 0.30, cuff: 0.012, hem: 0.86, flare: 0.0, collar: 0.0 },
                )
                .join(Solid::default().add(skirt_form(shape, 0.52, 0.075), 0.0), 0.02)
                .keep(above(0.52), 0.006)
            },
        ),
        // Bottoms.
        piece(
            "trousers",
            Bottom,
            Hang::Body,
            cover::THIGHS | cover::SHINS,
            [640, 220, 70],
            lower(0.035),
            |shape| {
                legs(
                    shape,
                    0.008,
                    &|at| {
                        0.020 * (1.0 - at / 0.6).max(0.0) + 0.006 * (1.0 - (at - 0.6) / 0.2).clamp(0.0, 1.0)
                    },
                    0.035,
                )
            },
        ),
        piece(
            "slim trousers",
            Bottom,
            Hang::Body,
            cover::THIGHS | cover::SHINS,
            [640, 220, 70],
            lower(0.075),
            |shape| legs(shape, 0.007, &|at| 0.004 * (1.0 - at / 0.6).max(0.0), 0.075),
        ),
        piece("shorts", Bottom, Hang::Body, cover::THIGHS, [420, 140, 50], lower(0.52), |shape| {
            legs(shape, 0.011, &|at| 0.026 * (1.0 - (at - 0.5) / 0.4).clamp(0.0, 1.0) + 0.004, 0.52)
        }),
        piece("skirt", Bottom, Hang::Skirt, cover::THIGHS, [320, 120, 40], lower(0.54), |shape| {
            Solid::default()
                .add(skirt_form(shape, 0.54, 0.05), 0.0)
                .grow(0.008)
                .keep(above(0.54), 0.006)
                .keep(below(1.045), 0.006)
        }),
        piece(
            "long skirt",
            Bottom,
            Hang::Skirt,
            cover::THIGHS | cover::SHINS,
            [360, 130, 40],
            lower(0.16),
            |shape| {
                Solid::default()
                    .add(skirt_form(shape, 0.16, 0.13), 0.0)
                    .grow(0.008)
                    .keep(above(0.16), 0.006)
                    .keep(below(1.045), 0.006)
            },
        ),
        // Shoes.
        piece(
            "shoes",
            Shoes,
            Hang::Body,
            cover::FEET,
            [300, 90, 24],
            room([-0.10, -0.16, -0.02], [0.25, 0.16, 0.16], 0.007),
            |_| shoes(0.007, 0.085, 0.010),
        ),
        piece(
            "trainers",
            Shoes,
            Hang::Body,
            cover::FEET,
            [340, 100, 24],
            room([-0.10, -0.17, -0.02], [0.26, 0.17, 0.17], 0.007),
            |_| shoes(0.011, 0.100, 0.012),
        ),
        piece(
            "boots",
            Shoes,
            Hang::Body,
            cover::FEET,
            [380, 110, 28],
            room([-0.11, -0.17, -0.02], [0.25, 0.17, 0.36], 0.008),
            |shape| {
                shoes(0.009, 0.12, 0.010)
                    .join(
                        Solid::default()
                            .add_both(|s| human::leg(shape, s, &|_| 0.016), 0.0)
                            .keep(below(0.30), 0.006),
                        0.02,
                    )
                    .keep(above(0.0), 0.003)
            },
        ),
        // Hair.
        piece("short hair", Hair, Hang::Body, 0, [420, 120, 0], head(1.50), |shape| short_hair(shape, 0.011)),
        piece("cropped hair", Hair, Hang::Body, 0, [320, 100, 0], head(1.50), |shape| {
            short_hair(shape, 0.0045)
        }),
        piece("quiff", Hair, Hang::Body, 0, [460, 130, 0], head(1.50), |shape| {
            short_hair(shape, 0.007)
                .add(Form::Egg(on_head(shape, 0.048, 0.012, 0.170), v(0.055, 0.052, 0.028)), 0.03)
                .add(Form::Egg(on_head(shape, 0.000, 0.000, 0.182), v(0.075, 0.058, 0.024)), 0.03)
        }),
        piece("bald crown", Hair, Hang::Body, 0, [300, 80, 0], head(1.50), |shape| {
            let crown = on_head(shape, 0.02, 0.0, 0.118);
            short_hair(shape, 0.007).keep(Form::Half(crown, v(0.25, 0.0, 0.968)), 0.008)
        }),
        piece("curls", Hair, Hang::Body, 0, [520, 150, 0], head(1.48), |shape| {
            Solid::default()
                .add(human::skull(shape, 0.040), 0.0)
                .add(Form::Egg(on_head(shape, -0.030, 0.0, 0.060), v(0.105, 0.112, 0.100)), 0.02)
                .cut(face_opening(shape, v(0.078, 0.066, 0.094), 0.020), 0.020)
        }),
        piece("bob", Hair, Hang::Body, 0, [520, 150, 0], head(1.44), |shape| long_hair(shape, 0.055)),
        piece("long hair", Hair, Hang::Hair, 0, [600, 170, 0], head(1.20), |shape| long_hair(shape, 0.245)),
        piece("ponytail", Hair, Hang::Hair, 0, [560, 160, 0], head(1.20), |shape| {
            short_hair(shape, 0.008)
                .add(
                    Form::Cone(
                        on_head(shape, -0.092, 0.0, 0.110),
                        0.022,
                        on_head(shape, -0.128, 0.0, 0.060),
                        0.028,
                    ),
                    0.02,
                )
                .add(
                    Form::Cone(
                        on_head(shape, -0.128, 0.0, 0.060),
                        0.028,
                        on_head(shape, -0.110, 0.0, -0.110),
                        0.012,
                    ),
                    0.02,
                )
        }),
        piece("bun", Hair, Hang::Body, 0, [500, 140, 0], head(1.48), |shape| {
            short_hair(shape, 0.008)
                .add(Form::Egg(on_head(shape, -0.095, 0.0, 0.140), v(0.042, 0.042, 0.040)), 0.012)
        }),
        piece("full beard", Beard, Hang::Body, 0, [240, 60, 0], head(1.46), |shape| {
            beard(shape, 0.0065, -0.062)
        }),
        piece("stubble beard", Beard, Hang::Body, 0, [220, 50, 0], head(1.46), |shape| {
            beard(shape, 0.0028, -0.056)
        }),
        // Accessories.
        piece("cap", Hat, Hang::Rigid(at::HEAD), cover::SCALP, [300, 90, 0], head(1.55), |shape| {
            Solid::default()
                .add(human::skull(shape, 0.016), 0.0)
                .keep(Form::Half(on_head(shape, 0.0, 0.0, 0.098), v(-0.10, 0.0, -0.995)), 0.004)
                .add(Form::Egg(on_head(shape, 0.118, 0.0, 0.106), v(0.070, 0.068, 0.0075)), 0.006)
        }),
        piece("beanie", Hat, Hang::Rigid(at::HEAD), cover::SCALP, [300, 90, 0], head(1.55), |shape| {
            Solid::default()
                .add(human::skull(shape, 0.019), 0.0)
                .add(Form::Egg(on_head(shape, -0.020, 0.0, 0.185), v(0.055, 0.050, 0.035)), 0.04)
                .keep(Form::Half(on_head(shape, 0.05, 0.0, 0.098), v(0.38, 0.0, -0.925)), 0.008)
        }),
        piece("hat", Hat, Hang::Rigid(at::HEAD), cover::SCALP, [340, 100, 0], head(1.55), |shape| {
            Solid::default()
                .add(human::skull(shape, 0.018), 0.0)
                .keep(Form::Half(on_head(shape, 0.0, 0.0, 0.205), Vec3::Z), 0.012)
                .keep(Form::Half(on_head(shape, 0.0, 0.0, 0.100), Vec3::NEG_Z), 0.004)
                .add(Form::Egg(on_head(shape, -0.004, 0.0, 0.106), v(0.158, 0.140, 0.008)), 0.008)
        }),
        piece("headscarf", Hat, Hang::Hair, cover::SCALP, [480, 140, 0], head(1.36), |shape| {
            Solid::default()
                .add(human::skull(shape, 0.016), 0.0)
                .add(
                    Form::Cone(on_head(shape, -0.020, 0.0, 0.030), 0.078, v(-0.020, 0.0, 1.455), 0.090),
                    0.04,
                )
                .cut(face_opening(shape, v(0.088, 0.058, 0.082), 0.036), 0.010)
                .keep(above(1.415), 0.01)
        }),
        piece(
            "glasses",
            Eyes,
            Hang::Rigid(at::HEAD),
            0,
            [260, 40, 0],
            room([-0.04, -0.12, 1.58], [0.14, 0.12, 1.76], 0.0026),
            |shape| {
                let lens = |s: f32| {
                    Form::Hoop(on_head(shape, 0.094, s * 0.0325, 0.069), Vec2::new(0.0245, 0.0190), 0.0021)
                };
                let temple = |s: f32| {
                    Form::Cone(
                        on_head(shape, 0.093, s * 0.057, 0.073),
                        0.0022,
                        on_head(shape, -0.012, s * 0.079, 0.070),
                        0.0022,
                    )
                };
                Solid::default().add_both(lens, 0.0).add_both(temple, 0.002).add(
                    Form::Cone(
                        on_head(shape, 0.097, 0.009, 0.072),
                        0.0021,
                        on_head(shape, 0.097, -0.009, 0.072),
                        0.0021,
                    ),
                    0.002,
                )
            },
        ),
        piece(
            "sunglasses",
            Eyes,
            Hang::Rigid(at::HEAD),
            0,
            [180, 40, 0],
            room([-0.04, -0.12, 1.58], [0.14, 0.12, 1.76], 0.0028),
            |shape| {
                let lens =
                    |s: f32| Form::Egg(on_head(shape, 0.093, s * 0.0325, 0.069), v(0.0045, 0.0270, 0.0210));
                let temple = |s: f32| {
                    Form::Cone(
                        on_head(shape, 0.092, s * 0.057, 0.074),
                        0.0026,
                        on_head(shape, -0.012, s * 0.079, 0.070),
                        0.0024,
                    )
                };
                Solid::default().add_both(lens, 0.004).add_both(temple, 0.002)
            },
        ),
        piece(
            "scarf",
            Neck,
            Hang::Trunk,
            0,
            [340, 110, 0],
            room([-0.20, -0.18, 1.15], [0.20, 0.18, 1.58], 0.009),
            |_| {
                Solid::default()
                    .add(
                        Form::Ring(v(-0.018, 0.0, 1.482), Vec2::new(0.084, 0.080), Vec2::new(0.026, 0.034)),
                        0.0,
                    )
                    .add(Form::Box(v(0.128, 0.034, 1.33), v(0.012, 0.034, 0.12), 0.010), 0.03)
            },
        ),
        piece(
            "backpack",
            Back,
            Hang::Trunk,
            0,
            [420, 120, 30],
            room([-0.34, -0.24, 0.95], [0.20, 0.24, 1.60], 0.010),
            |_| {
                let strap = |s: f32, a: Vec3, b: Vec3| {
                    Form::Cone(v(a.x, s * a.y, a.z), 0.014, v(b.x, s * b.y, b.z), 0.014)
                };
                Solid::default()
                    .add(Form::Box(v(-0.205, 0.0, 1.245), v(0.068, 0.145, 0.205), 0.05), 0.0)
                    .add(Form::Box(v(-0.275, 0.0, 1.170), v(0.035, 0.105, 0.095), 0.025), 0.02)
                    .add_both(|s| strap(s, v(-0.14, 0.085, 1.42), v(-0.03, 0.090, 1.502)), 0.01)
                    .add_both(|s| strap(s, v(-0.03, 0.090, 1.502), v(0.106, 0.100, 1.40)), 0.01)
                    .add_both(|s| strap(s, v(0.106, 0.100, 1.40), v(0.128, 0.122, 1.26)), 0.01)
                    .add_both(|s| strap(s, v(0.128, 0.122, 1.26), v(-0.14, 0.150, 1.10)), 0.01)
            },
        ),
        piece(
            "shoulder bag",
            Shoulder,
            Hang::Trunk,
            0,
            [360, 110, 0],
            room([-0.24, -0.33, 0.74], [0.24, 0.20, 1.56], 0.015),
            |_| {
                Solid::default()
                    .add(Form::Box(v(-0.02, -0.240, 0.93), v(0.150, 0.045, 0.105), 0.03), 0.0)
                    .add(Form::Cone(v(-0.035, 0.085, 1.492), 0.014, v(0.130, 0.000, 1.30), 0.012), 0.004)
                    .add(Form::Cone(v(0.130, 0.000, 1.30), 0.012, v(0.090, -0.190, 1.00), 0.012), 0.004)
                    .add(Form::Cone(v(-0.035, 0.085, 1.492), 0.014, v(-0.145, 0.020, 1.34), 0.012), 0.004)
                    .add(Form::Cone(v(-0.145, 0.020, 1.34), 0.012, v(-0.110, -0.190, 1.00), 0.012), 0.004)
            },
        ),
        piece(
            "carrier bag",
            LeftHand,
            Hang::Rigid(at::arm(0) + 3),
            0,
            [160, 60, 0],
            room([-0.26, 0.70, 1.26], [0.22, 1.34, 1.56], 0.015),
            |_| in_hand(1.0, 0.33, v(0.150, 0.165, 0.055)),
        ),
        piece(
            "briefcase",
            RightHand,
            Hang::Rigid(at::arm(1) + 3),
            0,
            [160, 60, 0],
            room([-0.30, -1.30, 1.26], [0.26, -0.70, 1.56], 0.015),
            |_| in_hand(-1.0, 0.275, v(0.205, 0.140, 0.045)),
        ),
        piece(
            "handbag",
            RightHand,
            Hang::Rigid(at::arm(1) + 3),
            0,
            [160, 60, 0],
            room([-0.26, -1.20, 1.28], [0.22, -0.70, 1.54], 0.009),
            |_| in_hand(-1.0, 0.235, v(0.125, 0.090, 0.050)),
        ),
        piece(
            "phone",
            RightHand,
            Hang::Rigid(at::arm(1) + 3),
            0,
            [60, 12, 0],
            room([-0.09, -0.90, 1.36], [0.05, -0.74, 1.44], 0.005),
            |_| Solid::default().add(Form::Box(v(-0.022, -0.822, 1.398), v(0.037, 0.074, 0.005), 0.004), 0.0),
        ),
        // Things that arms hold are made where they hold them.
        piece(
            "suitcase",
            RightHand,
            Hang::Rigid(at::arm(1) + 3),
            0,
            [420, 130, 40],
            room([-0.36, -0.50, -0.22], [0.06, 0.0, 0.92], 0.0085),
            |_| carried::suitcase(),
        ),
        piece(
            "umbrella",
            RightHand,
            Hang::Rigid(at::arm(1) + 3),
            0,
            [640, 200, 50],
            room([-0.40, -0.66, 0.98], [0.78, 0.50, 2.14], 0.0105),
            |_| carried::umbrella(),
        ),
        piece(
            "cane",
            RightHand,
            Hang::Rigid(at::arm(1) + 3),
            0,
            [110, 40, 0],
            room([0.05, -0.36, -0.02], [0.29, -0.18, 1.02], 0.008),
            |_| carried::cane(),
        ),
        piece(
            "stroller",
            RightHand,
            Hang::Rigid(at::arm(1) + 3),
            0,
            [900, 260, 60],
            room([0.34, -0.30, -0.04], [1.18, 0.30, 1.12], 0.010),
            |_| carried::stroller(),
        ),
        piece(
            "wheelchair",
            RightHand,
            Hang::Rigid(at::HIPS),
            0,
            [1300, 320, 70],
            room([-0.34, -0.40, -0.04], [0.62, 0.40, 1.02], 0.0085),
            |_| carried::wheelchair(),
        ),
    ];
    // Things are closed bodies: none may be so fine that it vanishes between two lines of its grid.
    all.iter_mut().for_each(|design| {
        debug_assert!(design.room.low.cmplt(design.room.high).all() && design.triangles[0] > 0)
    });
    all
}
