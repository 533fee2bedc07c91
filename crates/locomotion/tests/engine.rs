//! The engine keeps what it learnt, and what it makes is a gait.

use crowdloom_locomotion::{Engine, Wish};
use crowdloom_motion::body::{Body, LimbPart, Side};
use crowdloom_motion::quality::contact_speed;
use crowdloom_motion::{Clip, Contacts, Placement};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::builtin().unwrap());

fn wish(speed: f32, runs: f32) -> Wish {
    Wish { people: Vec::new(), speed, runs, leg: ENGINE.leg() }
}

/// The least flexion of the knees in a clip, in degrees: below 0 they bend backwards.
fn least_flexion(clip: &Clip) -> f32 {
    let skeleton = ENGINE.skeleton();
    let body = Body::guess(skeleton);
    let mut least = f32::INFINITY;
    for frame in 0..clip.frames() {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let facing = clip.track[frame].facing().extend(0.0);
        for leg in [Side::Left, Side::Right].map(|side| body.leg(side).unwrap()) {
            let thigh = joints.positions[leg.knee] - joints.positions[leg.hip];
            let shank = joints.positions[leg.ankle] - joints.positions[leg.knee];
            let angle = thigh.angle_between(shank).to_degrees();
            let forward = (joints.positions[leg.knee]
                - joints.positions[leg.hip].lerp(joints.positions[leg.ankle], 0.5))
            .dot(facing);
            least = least.min(if forward < -0.01 { -angle } else { angle });
        }
    }
    least
}

/// The least distance of a wrist from the middle of the head in a clip, in metres.
fn hand_to_head(clip: &Clip) -> f32 {
    let skeleton = ENGINE.skeleton();
    let body = Body::guess(skeleton);
    let (head, wrists) =
        (body.head.unwrap(), Side::BOTH.map(|side| body.limb(side, LimbPart::Hand).unwrap()));
    let near = |frame: usize| {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let middle = joints.positions[head].lerp(joints.tip(skeleton, head), 0.5);
        wrists.map(|wrist| joints.positions[wrist].distance(middle)).into_iter().fold(f32::INFINITY, f32::min)
    };
    (0..clip.frames()).map(near).fold(f32::INFINITY, f32::min)
}

#[test]
fn components_keep_what_they_should() {
    let quality = ENGINE.quality();
    println!("{quality:?}");
    assert_eq!((quality.cycles, ENGINE.people()), (85, 5));
    assert!(
        quality.variance[0] >= 0.97 && quality.variance[1] >= 0.95 && quality.variance[2] >= 0.95,
        "{quality:?}"
    );
}

#[test]
fn every_speed_is_a_gait() {
    for (runs, speeds) in
        [(0.0, [0.0, 0.3, 0.6, 1.0, 1.4, 2.0, 3.0, 4.16]), (1.0, [1.0, 1.7, 2.2, 2.8, 3.4, 4.2, 5.0, 5.5])]
    {
        for speed in speeds {
            let clip = ENGINE.clip(&wish(speed, runs), "test");
            let slide = contact_speed(ENGINE.skeleton(), &clip).unwrap_or(0.0);
            let both = Contacts::LEFT.0 | Contacts::RIGHT.0;
            let double = clip
                .contacts
                .iter()
                .filter(|own| own.touches(Contacts::LEFT) && own.touches(Contacts::RIGHT))
                .count();
            let none = clip.contacts.iter().filter(|own| own.0 & both == 0).count();
            println!(
                "{runs} {speed:.2}: slide {slide:.3} flexion {:.1} double {double} none {none} of {}",
                least_flexion(&clip),
                clip.frames()
            );
            assert!(slide <= 0.02, "{slide} m/s at {speed} m/s");
            assert!(least_flexion(&clip) > -3.0, "{} degrees at {speed} m/s", least_flexion(&clip));
            assert!(hand_to_head(&clip) > 0.2, "{} m at {speed} m/s", hand_to_head(&clip));
            assert!(runs > 0.5 || double > 0, "no double support at {speed} m/s");
        }
    }
}
