//! Limbs reach beyond discs: planned people keep off those of others, too, and who touches is told.

mod common;

use common::{REPERTOIRE, graph, pose};
use crowdloom_motion::Placement;
use crowdloom_synthesis::{EndPose, Goal, Options, Planned, Planner, Showing, Task};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2};
use std::f32::consts::PI;
use std::sync::Arc;

fn plan(tasks: &[Task], limbs: bool) -> Vec<Planned> {
    let floor = Outline::solid("floor", rectangle(DVec2::splat(-15.0), DVec2::splat(15.0)));
    let ground = Arc::new(Ground::builder().floor(floor).build().expect("a field"));
    let options = Options { limbs, ..Options::default() };
    Planner::new(ground, REPERTOIRE.clone(), options, &[]).plan(tasks).unwrap()
}

fn goes(name: String, from: Placement, to: Vec2) -> Task {
    let goal = Goal { at: Some(to), pose: EndPose::Node(pose("stand")), ..Goal::default() };
    Task { name, start: from, pose: pose("stand"), goals: vec![goal] }
}

/// The least distance of two people's joints, in metres, and of their roots.
fn nearest(planned: &[Planned]) -> (f32, f32) {
    let last = planned.iter().map(|one| one.motion.last_frame()).max().unwrap_or(0);
    let (mut joints, mut roots) = (f32::INFINITY, f32::INFINITY);
    for frame in 0..=last {
        let posed: Vec<_> = planned
            .iter()
            .map(|one| {
                let (placement, showing) = one.motion.at(&REPERTOIRE, frame);
                let pose = match showing {
                    Showing::Still(node) => graph().node(node).state.pose.clone(),
                    Showing::Clip(action, at) => graph().action(action).clip.sample(at),
                };
                (placement.position, pose.joints(graph().skeleton(), placement).positions)
            })
            .collect();
        for (index, (at, own)) in posed.iter().enumerate() {
            for (other_at, other) in &posed[..index] {
                roots = roots.min(at.distance(*other_at));
                if at.distance(*other_at) < 2.0 {
                    let pairs = own.iter().flat_map(|a| other.iter().map(move |b| a.distance(*b)));
                    joints = joints.min(pairs.fold(f32::INFINITY, f32::min));
                }
            }
        }
    }
    (joints, roots)
}

#[test]
fn two_rows_walk_through_each_other_without_touching() {
    let tasks: Vec<Task> = (0..16)
        .map(|index| {
            let (side, row) = (if index < 8 { 1.0 } else { -1.0 }, (index % 8) as f32);
            let at = Vec2::new(-4.0 * side, row * 1.0 - 3.5);
            let heading = if side > 0.0 { 0.0 } else { PI };
            goes(format!("walker-{index}"), Placement { position: at, heading }, -at)
        })
        .collect();
    let planned = plan(&tasks, true);
    assert!(planned.iter().all(|one| one.failure.is_none() && one.touches.is_none()));
    let (joints, roots) = nearest(&planned);
    assert!(joints > 0.075 && roots > 0.499, "{joints} m between joints, {roots} m between roots");
    // Discs alone let them brush past each other: that is told of both.
    let brushing = plan(&tasks, false);
    assert!(nearest(&brushing).1 > 0.499 && nearest(&brushing).0 < 0.08, "{:?}", nearest(&brushing));
    let told: Vec<usize> = (0..16).filter(|&index| brushing[index].touches.is_some()).collect();
    for &index in &told {
        let other = brushing[index].touches.unwrap() as usize;
        assert!(told.contains(&other), "{index} touches {other}");
    }
    assert!(!told.is_empty());
}

#[test]
fn who_is_asked_to_stand_too_near_does_and_it_is_told() {
    let sits = |name: &str, y: f32| {
        let start = Placement { position: Vec2::new(3.0, 4.0 * y), heading: 0.0 };
        let mut task = goes(name.into(), start, Vec2::new(0.0, y));
        task.goals[0] = Goal { facing: Some(0.0), pose: EndPose::Node(pose("sit")), ..task.goals[0] };
        task
    };
    // Side by side, elbow against elbow.
    let planned = plan(&[sits("one", -0.26), sits("other", 0.26)], true);
    assert!(planned.iter().all(|one| one.failure.is_none()), "not met");
    assert_eq!([planned[0].touches, planned[1].touches], [Some(1), Some(0)]);
}
