//! What is told of goals that cannot be met, times that depend on others, and numbers that mean what they say.

mod common;

use common::{REPERTOIRE, pose};
use crowdloom_motion::{FRAME_TIME, Placement};
use crowdloom_synthesis::{EndPose, Goal, Options, Planned, Planner, Reason, Task, When, outcomes};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2};
use std::sync::Arc;

fn field() -> Arc<Ground> {
    let floor = Outline::solid("floor", rectangle(DVec2::new(-20.0, -20.0), DVec2::new(20.0, 20.0)));
    Arc::new(Ground::builder().floor(floor).build().expect("a field"))
}

fn plan_with(tasks: &[Task], options: Options) -> Vec<Planned> {
    Planner::new(field(), Arc::clone(&REPERTOIRE), options, &[]).plan(tasks).expect("nobody waits in a ring")
}

fn stand(x: f32, y: f32, facing: Option<f32>, time: Option<When>) -> Goal {
    Goal { at: Some(Vec2::new(x, y)), facing, pose: EndPose::Node(pose("stand")), time }
}

fn task(name: &str, start: Placement, goals: Vec<Goal>) -> Task {
    Task { name: name.into(), start, pose: pose("stand"), goals }
}

#[test]
fn times_count_from_any_goal_of_another() {
    let first = vec![stand(4.0, 0.0, None, None), stand(12.0, 0.0, None, None)];
    let after = When::AfterGoal { of: 0, goal: 0, from: 1.0, to: 3.0 };
    let tasks = [
        task("ann", Placement::new(0.0, 0.0, 0.0), first),
        task("ben", Placement::new(0.0, 6.0, 0.0), vec![stand(4.0, 6.0, None, Some(after))]),
    ];
    let planned = plan_with(&tasks, Options::default());
    assert!(planned.iter().all(|one| one.failure.is_none()), "{planned:?}");
    let met = |one: &Planned, goal: usize| one.motion.legs()[goal].last_frame() as f32 * FRAME_TIME;
    let (there, later) = (met(&planned[0], 0), met(&planned[1], 0));
    assert!((there + 0.95..there + 3.05).contains(&later), "{there} s and {later} s");
    assert!(
        met(&planned[0], 1) > later - 3.0
            && outcomes(&tasks, &planned, &REPERTOIRE).iter().all(|one| one.met)
    );
}

#[test]
fn starts_that_overlap_are_told() {
    let tasks = [
        task("ann", Placement::new(0.0, 0.0, 0.0), vec![stand(6.0, 0.0, None, None)]),
        task("ben", Placement::new(0.3, 0.0, 0.0), vec![stand(6.0, 4.0, None, None)]),
    ];
    let planned = plan_with(&tasks, Options::default());
    let failure = planned[1].failure.as_ref().expect("ben is in ann");
    assert_eq!(failure.reason, Reason::StartBlocked("ann".into()));
    assert_eq!(failure.to_string(), "ben, goal 1: ann is in the way at the start");
}

#[test]
fn who_has_too_little_time_is_told_in_seconds_and_comes_late() {
    let late = [task("ann", Placement::IDENTITY, vec![stand(15.0, 0.0, None, Some(When::at(2.0)))])];
    let planned = plan_with(&late, Options::default());
    let failure = planned[0].failure.as_ref().expect("nobody is that fast");
    assert!(
        matches!(failure.reason, Reason::TooLittleTime { given, needed, .. } if given < 2.1 && needed > 3.0)
    );
    assert!(planned[0].motion.legs().is_empty() && !planned[0].motion.leaves());

    let planned = plan_with(&late, Options { best_effort: true, ..Options::default() });
    let (motion, failure) = (&planned[0].motion, planned[0].failure.as_ref().expect("still too late"));
    let end = motion.at(&REPERTOIRE, motion.last_frame()).0.position;
    assert!(end.distance(Vec2::new(15.0, 0.0)) < 1e-3, "it gets there all the same: {end}");
    let miss = failure.miss.expect("how late it is");
    let arrival = motion.arrival().unwrap() as f32 * FRAME_TIME;
    assert!((miss.seconds - (arrival - 2.0)).abs() < 0.1 && miss.metres == 0.0, "{miss:?} at {arrival}");
    assert!(failure.to_string().ends_with(" s)"), "{failure}");
    assert!(!outcomes(&late, &planned, &REPERTOIRE)[0].met);
}

#[test]
fn long_waits_are_no_trouble() {
    let tasks = [task("ann", Placement::IDENTITY, vec![stand(5.0, 0.0, None, Some(When::at(400.0)))])];
    let planned = plan_with(&tasks, Options::default());
    assert!(planned[0].failure.is_none(), "{:?}", planned[0].failure);
    let arrival = planned[0].motion.arrival().unwrap() as f32 * FRAME_TIME;
    assert!((arrival - 400.0).abs() < 0.02, "{arrival} s");
}

#[test]
fn the_search_keeps_to_its_iterations() {
    let tasks = [task("ann", Placement::IDENTITY, vec![stand(9.0, 3.0, Some(2.0), Some(When::at(9.0)))])];
    for (polishing, iterations) in [(0, 0), (0, 7), (4, 3)] {
        let options =
            Options { tolerance: 1e-6, polishing, iterations, waiting: false, ..Options::default() };
        let planned = plan_with(&tasks, options);
        let failure = planned[0].failure.as_ref().expect("nothing comes so near");
        assert!(failure.effort.iterations <= iterations as u64, "{:?} of {iterations}", failure.effort);
        assert!(failure.effort.iterations > 0 || iterations == 0, "{:?} of {iterations}", failure.effort);
    }
}
