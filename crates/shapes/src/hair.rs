//! Hair and beards as solids off the skull.

use crate::field::{Axis, Form, Loft, Section, Solid};
use crate::human::{self, HEAD, Shape, head_size};
use crate::rig::Hang;
use crate::wardrobe::{Design, Slot, head_room, piece, v};
use glam::{Vec2, Vec3};

/// A point of a head of that size, in its own coordinates.
pub(crate) fn on_head(shape: &Shape, x: f32, y: f32, z: f32) -> Vec3 {
    HEAD + v(x, y, z) * head_size(shape)
}

/// Hair close to the skull, fuller on top than at its edges, by so many metres.
fn cap_of_hair(shape: &Shape, off: f32) -> Solid {
    let size = head_size(shape);
    Solid::default()
        .add(human::skull(shape, 0.003 + off * 0.25), 0.0)
        .add(Form::Egg(on_head(shape, -0.034, 0.0, 0.040), v(0.066, 0.068, 0.070) * size), 0.03)
        .add(
            Form::Egg(
                on_head(shape, -0.012, 0.0, 0.112),
                v(0.096, 0.073, 0.078) * size + Vec3::splat(off * 0.9),
            ),
            0.03,
        )
}

fn ears(solid: Solid, shape: &Shape) -> Solid {
    let ear = |s: f32| Form::Egg(on_head(shape, 0.000, s * 0.088, 0.038), v(0.026, 0.030, 0.044));
    solid.cut(ear(1.0), 0.008).cut(ear(-1.0), 0.008)
}

/// Where the face is seen.
pub(crate) fn face_opening(shape: &Shape, half: Vec3, up: f32) -> Form {
    Form::Egg(on_head(shape, 0.105, 0.0, up), half * head_size(shape))
}

/// Where short hair ends: over the forehead, before and behind the ears, at the nape.
fn hairline(solid: Solid, shape: &Shape) -> Solid {
    let size = head_size(shape);
    let temple = |s: f32| Form::Egg(on_head(shape, 0.070, s * 0.052, 0.112), v(0.034, 0.026, 0.024) * size);
    ears(solid, shape)
        .cut(Form::Box(on_head(shape, 0.122, 0.0, -0.030), v(0.100, 0.200, 0.152) * size, 0.03 * size), 0.010)
        .cut(temple(1.0), 0.012)
        .cut(temple(-1.0), 0.012)
        .keep(Form::Half(on_head(shape, -0.05, 0.0, -0.022), v(0.45, 0.0, -0.893)), 0.012)
}

fn short_hair(shape: &Shape, off: f32) -> Solid {
    hairline(cap_of_hair(shape, off), shape)
}

/// A lock from one place of the head to another, with its radii in metres.
fn lock(shape: &Shape, from: [f32; 3], thick: f32, to: [f32; 3], thin: f32) -> Form {
    let size = head_size(shape);
    let at = |[x, y, z]: [f32; 3]| on_head(shape, x, y, z);
    Form::Cone(at(from), thick * size, at(to), thin * size)
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
        // Parted a little aside, and swept over the temples.
        .add(lock(shape, [0.052, 0.026, 0.168], 0.022, [0.030, 0.078, 0.080], 0.015), 0.022)
        .add(lock(shape, [0.052, 0.006, 0.170], 0.022, [0.034, -0.077, 0.085], 0.016), 0.022)
        .cut(lock(shape, [0.085, 0.018, 0.178], 0.007, [-0.030, 0.018, 0.212], 0.006), 0.016)
        .cut(face_opening(shape, v(0.086, 0.058, 0.112), 0.022), 0.014)
        .cut(Form::Cone(v(-0.010, 0.0, low - 0.05), 0.050, v(0.0, 0.0, 1.56), 0.050), 0.012)
}

fn beard(shape: &Shape, thick: f32, low: f32) -> Solid {
    human::head(Solid::default(), shape)
        .grow(thick)
        .keep(Form::Half(on_head(shape, 0.0, 0.0, 0.030), Vec3::Z), 0.006)
        .keep(Form::Half(on_head(shape, 0.010, 0.0, 0.0), v(-0.93, 0.0, 0.36)), 0.010)
        .keep(Form::Half(on_head(shape, 0.05, 0.0, low), v(-0.45, 0.0, -0.893)), 0.008)
        .cut(Form::Egg(on_head(shape, 0.098, 0.0, 0.002), v(0.020, 0.0205, 0.0095)), 0.004)
        .cut(Form::Egg(on_head(shape, 0.104, 0.0, 0.054), v(0.032, 0.022, 0.033)), 0.004)
        .cut(Form::Egg(on_head(shape, 0.075, 0.044, 0.034), v(0.030, 0.022, 0.024)), 0.010)
        .cut(Form::Egg(on_head(shape, 0.075, -0.044, 0.034), v(0.030, 0.022, 0.024)), 0.010)
}
/// What grows on heads.
pub(crate) fn designs() -> Vec<Design> {
    use Slot::{Beard, Hair};
    let head = head_room;
    vec![
        piece("short hair", Hair, Hang::Body, 0, [480, 130, 0], head(1.50), |shape| {
            let full = cap_of_hair(shape, 0.010)
                .add(lock(shape, [0.058, -0.030, 0.158], 0.018, [0.066, 0.036, 0.146], 0.014), 0.022)
                .add(lock(shape, [0.020, -0.034, 0.182], 0.018, [0.028, 0.046, 0.166], 0.015), 0.022)
                .add(lock(shape, [-0.030, -0.030, 0.184], 0.018, [-0.024, 0.046, 0.170], 0.016), 0.022);
            hairline(full, shape)
        }),
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
                .add(human::skull(shape, 0.028), 0.0)
                .add(Form::Egg(on_head(shape, -0.030, 0.0, 0.060), v(0.100, 0.102, 0.094)), 0.02)
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
    ]
}
