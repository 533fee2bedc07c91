//! Hands stay where they are wanted over whole cycles, and what counts less never disturbs what counts more.

use crowdloom_gesture::{BUILT_IN, Gesture, GestureError};
use crowdloom_motion::{Clip, Library, builtin};
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(builtin::library);

fn clips() -> Vec<&'static Clip> {
    let names = ["walk-normal-straight", "walk-brisk-straight", "run-straight", "walk-normal-turn-left-45"];
    names.iter().filter_map(|name| LIBRARY.clip(name)).collect()
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
