//! Hands stay where they are wanted over whole cycles, and what counts less never disturbs what counts more.

use crowdloom_gesture::{BUILT_IN, Frame, Gesture, GestureError, look};
use crowdloom_motion::body::Body;
use crowdloom_motion::{Clip, Library, Placement, builtin};
use glam::{Quat, Vec3};
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(builtin::library);

fn clips() -> Vec<&'static Clip> {
    let names = ["walk-normal-straight", "walk-brisk-straight", "run-straight", "walk-normal-turn-left-45"];
    names.iter().filter_map(|name| LIBRARY.clip(name)).collect()
}

#[test]
fn a_box_is_taken_out_of_anothers_hands() {
    let clip = LIBRARY.clip("walk-normal-straight").unwrap();
    let skeleton = &LIBRARY.skeleton;
    let chest = *Body::guess(skeleton).spine.last().unwrap();
    // Somebody walks backwards in front, face to face, and holds the box out.
    let other = |frame: usize| {
        let own = clip.joints(skeleton, frame, Placement::IDENTITY).positions[chest];
        let sway = 0.02 * (frame as f32 * 0.4).sin();
        Frame { at: own + Vec3::new(0.95, sway, 0.0), turned: Quat::from_rotation_z(std::f32::consts::PI) }
    };
    for name in ["take", "left take"] {
        let gesture = Gesture::find(name).unwrap();
        assert!(matches!(gesture.apply(skeleton, clip, |_| 1.0), Err(GestureError::NobodyElse { .. })));
        let (_, solved) = gesture.apply_beside(skeleton, clip, |_| 1.0, other).unwrap();
        assert!(solved.worst[0] < 0.01, "{name}: {:?}", solved.worst);
    }
}

#[test]
fn heads_look_at_what_they_are_told() {
    let clip = LIBRARY.clip("walk-normal-straight").unwrap();
    let skeleton = &LIBRARY.skeleton;
    for point in [Vec3::new(6.0, 3.0, 1.6), Vec3::new(4.0, -3.0, 0.8), Vec3::new(5.0, 0.0, 2.5)] {
        let (moved, off) = look(skeleton, clip, |_| Some(point), |_| 1.0).unwrap();
        assert!(off < 0.03, "{off} rad off {point}");
        for frame in 1..moved.frames() {
            let (a, b) = (moved.frame_rotations(frame - 1), moved.frame_rotations(frame));
            let turn = a.iter().zip(b).map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max);
            assert!(turn < 0.75, "{turn} in frame {frame}");
        }
    }
    // Nobody looks behind: heads turn as far as they do.
    let head = Body::guess(skeleton).head.unwrap();
    let (moved, _) = look(skeleton, clip, |_| Some(Vec3::new(-9.0, 1.0, 1.6)), |_| 1.0).unwrap();
    let face = moved.joints(skeleton, 0, Placement::IDENTITY).orientations[head] * Vec3::X;
    let aside = face.truncate().to_angle();
    assert!((0.8..1.5).contains(&aside), "{aside}");
    let (same, _) = look(skeleton, clip, |_| None, |_| 1.0).unwrap();
    assert_eq!(same, *clip);
}

#[test]
fn hands_stay_within_a_centimetre() {
    assert!(clips().len() >= 3);
    for (name, _) in BUILT_IN {
        let gesture = Gesture::find(name).unwrap();
        for clip in clips() {
            let (moved, solved) = gesture.apply(&LIBRARY.skeleton, clip, |_| 1.0).unwrap();
            println!("{name} {}: {:?}", clip.name, solved.worst);
            assert!(solved.worst[0] < 0.01, "{name} over {}: {:?}", clip.name, solved.worst);
            // Nothing but the arm moves.
            let changed = (0..clip.joint_count()).filter(|&joint| {
                (0..clip.frames()).any(|frame| {
                    moved.frame_rotations(frame)[joint].angle_between(clip.frame_rotations(frame)[joint])
                        > 2e-3
                })
            });
            assert!(changed.count() <= 4);
            // No frame jumps away from the one before.
            for frame in 1..clip.frames() {
                let (a, b) = (moved.frame_rotations(frame - 1), moved.frame_rotations(frame));
                let turn = a.iter().zip(b).map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max);
                assert!(turn < 0.75, "{name} over {}: {turn} in frame {frame}", clip.name);
            }
        }
    }
}

#[test]
fn what_counts_less_does_not_disturb() {
    let clip = clips()[0];
    for (name, _) in BUILT_IN {
        let gesture = Gesture::find(name).unwrap();
        let mut alone = gesture.clone();
        alone.tasks.truncate(1);
        let of = |gesture: &Gesture| gesture.apply(&LIBRARY.skeleton, clip, |_| 1.0).unwrap().1.worst[0];
        let (all, first) = (of(&gesture), of(&alone));
        assert!(all - first < 1e-3, "{name}: {all} m with all tasks, {first} m alone");
    }
}

#[test]
fn gestures_blend_in_and_out() {
    let (gesture, clip) = (Gesture::find("phone").unwrap(), clips()[0]);
    let (none, _) = gesture.apply(&LIBRARY.skeleton, clip, |_| 0.0).unwrap();
    let turned =
        none.rotations.iter().zip(&clip.rotations).map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max);
    assert!(turned < 2e-3, "{turned}");
}

#[test]
fn mistakes_are_told() {
    let wrong = |text: &str| matches!(Gesture::parse("x", text), Err(GestureError::Wrong { .. }));
    assert!(wrong("name = 'x'\ntask = []"));
    assert!(wrong("name = 'x'\n[[task]]\npriority = 1\neffector = 'hand'\nframe = 'head'"));
    assert!(wrong("name = 'x'\n[[task]]\npriority = 1\neffector = 'nose'\nframe = 'head'\ngoal = [0, 0, 0]"));
    let message = Gesture::find("nonsense").unwrap_err().to_string();
    assert!(message.contains("phone"), "{message}");
}
