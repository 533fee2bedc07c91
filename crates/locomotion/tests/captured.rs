//! Cycles are found in captures as they are in single cycles.

use crowdloom_locomotion::{Cycle, Gait};
use crowdloom_motion::{Clip, Contacts, builtin};

/// The same cycle several times, one after the other.
fn repeated(cycle: &Clip, times: usize) -> Clip {
    let mut clip = cycle.piece(0, cycle.frames() - 1);
    for _ in 1..times {
        let end = clip.track[clip.frames() - 1];
        for frame in 1..cycle.frames() {
            clip.track.push(end.then(cycle.track[frame]));
            clip.root_heights.push(cycle.root_heights[frame]);
            clip.rotations.extend_from_slice(cycle.frame_rotations(frame));
            clip.contacts.push(cycle.contacts[frame]);
            clip.radii.push(cycle.radii[frame]);
        }
    }
    clip
}

#[test]
fn cycles_of_a_capture_are_those_that_were_walked() {
    let skeleton = builtin::library().skeleton;
    for (runs, speed) in [(false, 1.2), (false, 1.6), (true, 2.8)] {
        let gait = if runs { Gait::Run } else { Gait::Walk };
        let one = builtin::subject_cycle(1, runs, speed);
        let whole = Cycle::of_clip(&skeleton, &one, 1, gait).unwrap();
        let found = Cycle::of_capture(&skeleton, &repeated(&one, 5), 1);
        assert!(found.len() >= 3, "{} cycles at {speed} m/s", found.len());
        for cycle in found {
            assert_eq!(cycle.gait, gait);
            assert!((cycle.speed / whole.speed - 1.0).abs() < 0.06, "{} {}", cycle.speed, whole.speed);
            let off = cycle.values.iter().zip(&whole.values).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
            let off = (off / whole.values.len() as f32).sqrt();
            assert!(off < 0.04, "{off} radians off at {speed} m/s");
        }
    }
}

#[test]
fn who_goes_backwards_walks_no_cycle() {
    let skeleton = builtin::library().skeleton;
    let mut walk = repeated(&builtin::subject_cycle(1, false, 1.2), 5);
    walk.track.iter_mut().for_each(|place| place.position = -place.position);
    assert!(Cycle::of_capture(&skeleton, &walk, 1).is_empty());
}

#[test]
fn standing_is_found_in_the_calmest_moment() {
    let library = builtin::library();
    let walk = repeated(&builtin::subject_cycle(1, false, 1.2), 3);
    assert!(Cycle::standing_in(&library.skeleton, &walk, 1).is_none());
    let mut still = walk.piece(0, 20);
    let first = still.frame_rotations(0).to_vec();
    still.rotations = first.iter().copied().cycle().take(first.len() * still.frames()).collect();
    still.track.fill(Default::default());
    still.contacts.fill(Contacts::LEFT.with(Contacts::RIGHT));
    let standing = Cycle::standing_in(&library.skeleton, &still, 1).unwrap();
    assert_eq!(standing.speed, 0.0);
}

#[test]
fn who_stands_walks_no_cycle() {
    let library = builtin::library();
    let standing =
        library.clips.iter().find(|clip| clip.displacement().position.length() < 0.01 && clip.frames() > 20);
    assert!(Cycle::of_capture(&library.skeleton, standing.unwrap(), 0).is_empty());
}

#[test]
fn cycles_that_begin_a_little_apart_are_brought_together() {
    let skeleton = builtin::library().skeleton;
    let one = |speed: f32| {
        Cycle::of_clip(&skeleton, &builtin::subject_cycle(0, false, speed), 0, Gait::Walk).unwrap()
    };
    let cycles: Vec<Cycle> = (0..8).map(|number| one(1.2 + 0.02 * number as f32)).collect();
    let each = cycles[0].values.len() / crowdloom_locomotion::FRAMES;
    // Every other one begins three hundredths of a cycle too late.
    let mut apart = cycles.clone();
    for cycle in apart.iter_mut().step_by(2) {
        cycle.values.rotate_left(3 * each);
    }
    let spread = |cycles: &[Cycle]| -> f32 {
        let off = |a: &Cycle, b: &Cycle| {
            a.values.iter().zip(&b.values).map(|(a, b)| (a - b) * (a - b)).sum::<f32>()
        };
        cycles.iter().map(|cycle| off(cycle, &cycles[1])).sum()
    };
    let (before, meant) = (spread(&apart), spread(&cycles));
    Cycle::align(&mut apart);
    let after = spread(&apart);
    assert!(after < meant + 0.2 * (before - meant), "{before} apart, {after} after, {meant} meant");
}
