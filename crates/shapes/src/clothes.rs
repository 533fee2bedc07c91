//! Clothes as solids off the skin: tops, what is worn below the waist, shoes.

use crate::field::{Axis, Form, Loft, Section, Solid};
use crate::human::{self, Shape};
use crate::rig::Hang;
use crate::wardrobe::{Design, Slot, above, below, cover, piece, room, v};
use glam::{Vec2, Vec3};

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
    let mut solid = human::shoulders(human::trunk(shape), shape, &wide);
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
    // A collar stands behind and beside the neck; in front it is open.
    if cut.collar > 0.0 {
        let about = shape.mix(0.072, 0.080);
        let thick = Vec2::new(0.008, cut.collar);
        solid = solid.add(Form::Ring(v(-0.044, 0.0, 1.496), Vec2::new(about, about), thick), 0.012);
    }
    // The neck comes out where the shoulders begin; the opening is lower in front.
    let neck = shape.mix(0.060, 0.070) * (1.0 - 0.10 * shape.young);
    let low = 1.470 + cut.collar * 0.6;
    solid
        .hem(above(cut.hem))
        .hem(Form::Half(v(0.0, cut.sleeve, 0.0), Vec3::Y))
        .hem(Form::Half(v(0.0, -cut.sleeve, 0.0), Vec3::NEG_Y))
        .open(Form::Cone(v(0.004, 0.0, low), neck, v(-0.040, 0.0, low + 0.16), neck * 1.45))
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
            section(0.86, 0.098 + wide * 0.2, 0.116 + wide * 0.2, hip),
            section(0.93, 0.094, 0.110, hip - 0.008),
            section(1.02, 0.088, 0.088, 0.146),
            section(1.10, 0.080, 0.074, 0.122),
        ],
    ))
}

fn skirt(shape: &Shape, hem: f32, wide: f32) -> Solid {
    let form = skirt_form(shape, hem, wide);
    Solid::default().add(form, 0.0).grow(0.008).keep(below(1.045), 0.006).hem(above(hem))
}

fn legs(shape: &Shape, off: f32, wider: &dyn Fn(f32) -> f32, low: f32) -> Solid {
    let both = Solid::default().add_both(|s| human::leg(shape, s, wider), 0.010);
    human::trunk(shape).join(both, 0.055).grow(off).keep(below(0.985), 0.006).hem(above(low))
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

const ALL: u8 = cover::TRUNK | cover::SHOULDERS | cover::ARMS;

/// What people wear from the shoulders down.
pub(crate) fn designs() -> Vec<Design> {
    use Slot::{Bottom, Shoes, Top};
    let upper =
        |sleeve: f32, hem: f32| room([-0.26, -sleeve - 0.03, hem - 0.04], [0.26, sleeve + 0.03, 1.58], 0.015);
    let lower = |low: f32| room([-0.32, -0.36, low - 0.03], [0.30, 0.36, 1.08], 0.015);
    let made = |name, covers, triangles, room, solid| {
        let hang = if name == "dress" { Hang::Skirt } else { Hang::Cloth };
        piece(name, Top, hang, covers, triangles, room, solid)
    };
    vec![
        made("t-shirt", cover::TRUNK | cover::SHOULDERS, [680, 210, 60], upper(0.37, 0.90), |shape| {
            let cut =
                self::Top { off: 0.010, sleeve: 0.37, cuff: 0.016, hem: 0.895, flare: 0.028, collar: 0.0 };
            top(shape, &cut)
        }),
        made("shirt", ALL, [820, 250, 70], upper(0.735, 0.90), |shape| {
            let cut =
                self::Top { off: 0.011, sleeve: 0.735, cuff: 0.010, hem: 0.895, flare: 0.022, collar: 0.014 };
            top(shape, &cut)
        }),
        made("sweater", ALL, [820, 250, 70], upper(0.738, 0.88), |shape| {
            let cut =
                self::Top { off: 0.016, sleeve: 0.738, cuff: 0.010, hem: 0.88, flare: 0.020, collar: 0.008 };
            top(shape, &cut)
        }),
        made("hoodie", ALL, [900, 270, 70], upper(0.738, 0.87), |shape| {
            let cut =
                self::Top { off: 0.019, sleeve: 0.738, cuff: 0.012, hem: 0.87, flare: 0.020, collar: 0.010 };
            top(shape, &cut).add(Form::Egg(v(-0.112, 0.0, 1.470), v(0.045, 0.095, 0.060)), 0.02).add(
                Form::Ring(v(-0.056, 0.0, 1.490), Vec2::new(0.078, 0.090), Vec2::new(0.018, 0.022)),
                0.02,
            )
        }),
        made("jacket", ALL, [900, 270, 70], upper(0.735, 0.83), |shape| {
            let cut =
                self::Top { off: 0.019, sleeve: 0.735, cuff: 0.014, hem: 0.83, flare: 0.024, collar: 0.016 };
            top(shape, &cut)
        }),
        made("coat", ALL | cover::THIGHS, [1000, 290, 80], upper(0.738, 0.50), |shape| {
            let cut =
                self::Top { off: 0.024, sleeve: 0.738, cuff: 0.016, hem: 0.50, flare: 0.045, collar: 0.022 };
            top(shape, &cut)
        }),
        made(
            "dress",
            cover::TRUNK | cover::SHOULDERS | cover::THIGHS,
            [900, 270, 80],
            upper(0.30, 0.50),
            |shape| {
                let cut =
                    self::Top { off: 0.009, sleeve: 0.30, cuff: 0.012, hem: 0.52, flare: 0.0, collar: 0.0 };
                top(shape, &cut).join(Solid::default().add(skirt_form(shape, 0.52, 0.075), 0.0), 0.02)
            },
        ),
        piece(
            "trousers",
            Bottom,
            Hang::Body,
            cover::THIGHS | cover::SHINS,
            [640, 220, 70],
            lower(0.055),
            |shape| {
                let wider = |at: f32| {
                    0.020 * (1.0 - at / 0.6).max(0.0) + 0.006 * (1.0 - (at - 0.6) / 0.2).clamp(0.0, 1.0)
                };
                legs(shape, 0.008, &wider, 0.055)
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
            legs(shape, 0.009, &|at| 0.012 * (1.0 - (at - 0.5) / 0.4).clamp(0.0, 1.0) + 0.004, 0.52)
        }),
        piece("skirt", Bottom, Hang::Skirt, cover::THIGHS, [320, 120, 40], lower(0.54), |shape| {
            skirt(shape, 0.54, 0.05)
        }),
        piece("long skirt", Bottom, Hang::Skirt, cover::THIGHS, [360, 130, 40], lower(0.16), |shape| {
            skirt(shape, 0.16, 0.09)
        }),
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
                let shafts = Solid::default().add_both(|s| human::leg(shape, s, &|_| 0.016), 0.0);
                shoes(0.009, 0.12, 0.010).join(shafts.keep(below(0.30), 0.006), 0.02).keep(above(0.0), 0.003)
            },
        ),
    ]
}
