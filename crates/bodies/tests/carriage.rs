//! Arms that hold things, and things that lie in hands.

use crowdloom_bodies::{Carriage, Detail, Fitting, Person, Told, outfits, piece_named};
use crowdloom_gesture::BUILT_IN;
use crowdloom_motion::{JointFrames, builtin};
use crowdloom_shapes::carried::CARRIED;
use glam::{Quat, Vec3};

fn with(things: &[&str], gesture: Option<&str>) -> Person {
    let told = Told {
        age: Some(40.0),
        things: things.iter().map(|&name| name.into()).collect(),
        gestures: gesture.into_iter().map(Into::into).collect(),
        ..Told::default()
    };
    Person::draw(&told, 5, &outfits())
}

/// The farthest that the wrist of a hold is from its place in any frame of walks, in metres.
fn worst(person: &Person) -> f32 {
    let library = builtin::library();
    let skeleton = &library.skeleton;
    let carriage = Carriage::of(skeleton, &[]).unwrap();
    let (sides, _) = carriage.holds_of(person);
    assert!(sides.iter().any(Option::is_some));
    let walks = library.clips.iter().filter(|clip| clip.displacement().position.x > 1.0);
    let mut worst = 0.0_f32;
    for clip in walks.take(12) {
        for frame in 0..clip.frames() {
            let mut pose = clip.pose(frame);
            carriage.carry(skeleton, person, 0.0, &mut pose.root_height, &mut pose.rotations);
            let mut frames = JointFrames::default();
            frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
            let held = sides.into_iter().flatten().map(|number| &carriage.holds()[number]);
            // Bags only hang where hands would be raised.
            for hold in held.filter(|hold| hold.above == 0.0) {
                let (place, turned, rest) = match hold.joint.map(usize::from) {
                    Some(joint) => {
                        (frames.positions[joint], frames.orientations[joint], carriage.arms().rest()[joint])
                    }
                    None => (Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO),
                };
                let wrist = carriage.arms().joints()[usize::from(!hold.left)][2];
                let there = place + turned * (hold.wrist - rest);
                worst = worst.max(there.distance(frames.positions[wrist]));
                let off = (turned * hold.turn).angle_between(frames.orientations[wrist]);
                assert!(off < 0.01, "{}: the hand is turned by {off}", hold.name);
            }
        }
    }
    worst
}

#[test]
fn hands_stay_where_things_are_held_over_whole_walks() {
    for thing in CARRIED.iter().map(|thing| thing.name) {
        let off = worst(&with(&[thing], None));
        assert!(off < 0.01, "{thing}: {off} m");
    }
    for (gesture, _) in BUILT_IN {
        for name in [gesture.to_owned(), format!("left {gesture}")] {
            let off = worst(&with(&[], Some(&name)));
            assert!(off < 0.01, "{name}: {off} m");
        }
    }
}

#[test]
fn who_sits_in_a_wheelchair_sits() {
    let library = builtin::library();
    let carriage = Carriage::of(&library.skeleton, &[]).unwrap();
    let person = with(&["wheelchair"], None);
    assert!(carriage.is_seated(&person));
    let mut pose = library.clips[0].pose(0);
    carriage.carry(&library.skeleton, &person, 0.0, &mut pose.root_height, &mut pose.rotations);
    assert!((0.5..0.75).contains(&pose.root_height), "{}", pose.root_height);
}

/// Lowest and highest point of a thing in the hand of somebody who walks, in metres.
fn extent(name: &str) -> [f32; 2] {
    let library = builtin::library();
    let skeleton = &library.skeleton;
    let carriage = Carriage::of(skeleton, &[]).unwrap();
    let walk = library.clips.iter().find(|clip| clip.displacement().position.x > 1.0).unwrap();
    let mut pose = walk.pose(walk.frames() / 2);
    carriage.carry(skeleton, &with(&[name], None), 0.0, &mut pose.root_height, &mut pose.rotations);
    let mut frames = JointFrames::default();
    frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
    let mesh = Fitting::new(skeleton).piece(piece_named(name).unwrap(), 0, 0, Detail::Near);
    let heights = mesh.vertices.iter().map(|vertex| {
        let joint = usize::from(vertex.joints[0]);
        let from = vertex.position - carriage.arms().rest()[joint];
        (frames.positions[joint] + frames.orientations[joint] * from).z
    });
    heights.fold([f32::MAX, f32::MIN], |[low, high], z| [low.min(z), high.max(z)])
}

#[test]
fn things_stand_on_the_ground_and_umbrellas_are_over_the_head() {
    for thing in ["suitcase", "stroller", "wheelchair"] {
        let [low, _] = extent(thing);
        assert!(low.abs() < 0.035, "{thing}: lowest at {low} m");
    }
    let [low, _] = extent("cane");
    assert!((-0.03..0.15).contains(&low), "cane: {low} m");
    let [_, high] = extent("umbrella");
    assert!((1.9..2.2).contains(&high), "umbrella: {high} m");
}

#[test]
fn what_takes_both_hands_leaves_none() {
    let look = with(&["carrier bag", "stroller"], None).look;
    let worn = |name: &str| look.worn.contains(&piece_named(name));
    assert!(worn("stroller") && !worn("carrier bag"));
}

#[test]
fn bags_hang_in_hands_that_clips_raise_and_leave_others_alone() {
    let library = builtin::library();
    let skeleton = &library.skeleton;
    let carriage = Carriage::of(skeleton, &[]).unwrap();
    let [[.., left], [.., right]] = *carriage.arms().joints();
    for (bag, wrist) in [("briefcase", right), ("handbag", right), ("carrier bag", left)] {
        let person = with(&[bag], None);
        let (mut raised, mut alone) = (0, 0);
        for clip in library.clips.iter().step_by(3) {
            for frame in (0..clip.frames()).step_by(8) {
                let pose = clip.pose(frame);
                let mut held = pose.clone();
                carriage.carry(skeleton, &person, 0.0, &mut held.root_height, &mut held.rotations);
                let placed = |pose: &crowdloom_motion::Pose| {
                    let mut frames = JointFrames::default();
                    frames.compute(skeleton, Vec3::Z * pose.root_height, &pose.rotations);
                    frames.positions[wrist].z
                };
                let (before, after) = (placed(&pose), placed(&held));
                let hips = pose.root_height;
                if before <= 1.02 {
                    alone += 1;
                    assert!((before - after).abs() < 1e-4, "{bag} in {}: {before} {after}", clip.name);
                } else if before > 1.2 && hips > 0.9 {
                    raised += 1;
                    assert!(after < 1.06, "{bag} in {}: the hand is at {after} m", clip.name);
                }
            }
        }
        assert!(raised > 10 && alone > 1000, "{bag}: {raised} raised, {alone} not");
    }
}
