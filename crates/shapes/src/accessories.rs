//! Accessories: what people have on their heads, before their eyes, about their necks, on their backs and in their hands.

use crate::carried;
use crate::field::{Form, Solid};
use crate::hair::{face_opening, on_head};
use crate::human;
use crate::rig::{Hang, at};
use crate::wardrobe::{Design, Slot, above, cover, head_room, piece, room, v};
use glam::{Vec2, Vec3};

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
/// What people have with them.
pub(crate) fn designs() -> Vec<Design> {
    use Slot::{Back, Eyes, Hat, LeftHand, Neck, RightHand, Shoulder};
    let head = head_room;
    vec![
        piece("cap", Hat, Hang::Rigid(at::HEAD), cover::SCALP, [300, 90, 0], head(1.55), |shape| {
            Solid::default()
                .add(human::skull(shape, 0.016), 0.0)
                .keep(Form::Half(on_head(shape, 0.0, 0.0, 0.098), v(-0.10, 0.0, -0.995)), 0.004)
                .add(Form::Egg(on_head(shape, 0.118, 0.0, 0.106), v(0.070, 0.068, 0.0110)), 0.006)
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
                .add(Form::Egg(on_head(shape, -0.004, 0.0, 0.106), v(0.158, 0.140, 0.0105)), 0.008)
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
                    .add_both(|s| strap(s, v(-0.15, 0.085, 1.42), v(-0.03, 0.090, 1.528)), 0.01)
                    .add_both(|s| strap(s, v(-0.03, 0.090, 1.528), v(0.066, 0.096, 1.478)), 0.01)
                    .add_both(|s| strap(s, v(0.066, 0.096, 1.478), v(0.122, 0.102, 1.38)), 0.01)
                    .add_both(|s| strap(s, v(0.122, 0.102, 1.38), v(0.134, 0.126, 1.26)), 0.01)
                    .add_both(|s| strap(s, v(0.134, 0.126, 1.26), v(-0.14, 0.160, 1.10)), 0.01)
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
                    .add(Form::Cone(v(-0.035, 0.085, 1.528), 0.014, v(0.072, 0.062, 1.450), 0.013), 0.004)
                    .add(Form::Cone(v(0.072, 0.062, 1.450), 0.013, v(0.142, 0.000, 1.30), 0.012), 0.004)
                    .add(Form::Cone(v(0.142, 0.000, 1.30), 0.012, v(0.094, -0.194, 1.00), 0.012), 0.004)
                    .add(Form::Cone(v(-0.035, 0.085, 1.528), 0.014, v(-0.142, 0.056, 1.44), 0.013), 0.004)
                    .add(Form::Cone(v(-0.142, 0.056, 1.44), 0.013, v(-0.152, 0.010, 1.32), 0.012), 0.004)
                    .add(Form::Cone(v(-0.152, 0.010, 1.32), 0.012, v(-0.114, -0.194, 1.00), 0.012), 0.004)
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
    ]
}
