//! Goals near by are reached in a few steps, and windows of time are no reason to run.

mod common;

use common::{REPERTOIRE, pose};
use crowdloom_motion::{FRAME_TIME, Placement};
use crowdloom_synthesis::{EndPose, Goal, Options, Planned, Planner, Showing, Task, When};
use crowdloom_world::{Ground, Outline, Stream, rectangle};
use glam::{DVec2, Vec2};
use std::f32::consts::PI;
use std::sync::Arc;

fn plan(tasks: &[Task]) -> Vec<Planned> {
    let floor = Outline::solid("floor", rectangle(DVec2::new(-20.0, -20.0), DVec2::new(20.0, 20.0)));
    let ground = Arc::new(Ground::builder().floor(floor).build().expect("a field"));
    let mut planner = Planner::new(ground, Arc::clone(&REPERTOIRE), Options::default(), &[]);
    planner.plan(tasks).expect("nobody waits in a ring")
}

fn task(name: &str, start: Placement, at: Vec2, facing: Option<f32>, time: Option<When>) -> Task {
    let goal = Goal { at: Some(at), facing, pose: EndPose::Node(pose("stand")), time };
    Task { name: name.into(), start, pose: pose("stand"), goals: vec![goal] }
}

/// Seconds that a plan takes, and metres walked.
fn cost(planned: &Planned) -> (f32, f32) {
    let leg = &planned.motion.legs()[0];
    let (first, last) = (leg.first_frame(), leg.last_frame());
    let places: Vec<Vec2> =
        (first..=last).map(|frame| planned.motion.at(&REPERTOIRE, frame).0.position).collect();
    let way = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    ((last - first) as f32 * FRAME_TIME, way)
}

/// Plans 80 goals within three metres, at most `wide` radians off to a side and in facing; returns for each the seconds
/// it takes and the metres walked beyond the straight way, quickest first.
fn near_goals(seed: u64, wide: f32) -> Vec<(f32, f32)> {
    let mut random = Stream::new(seed, 0);
    let mut costs = Vec::new();
    for number in 0..80 {
        let mut between = |low: f32, high: f32| low + (high - low) * random.unit() as f32;
        let (angle, distance, facing) = (between(-wide, wide), between(0.3, 2.9), between(-wide, wide));
        let goal = Vec2::from_angle(angle) * distance;
        let planned = plan(&[task("somebody", Placement::IDENTITY, goal, Some(facing), None)]);
        let failure = planned[0].failure.as_ref();
        assert!(failure.is_none(), "{number}: {distance} m at {angle}, facing {facing}: {failure:?}");
        let (took, walked) = cost(&planned[0]);
        costs.push((took, walked - distance));
    }
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    costs
}

#[test]
fn goals_ahead_take_a_few_steps() {
    let costs = near_goals(5, 0.5);
    let (slowest, farthest) = (costs[79].0, costs.iter().map(|cost| cost.1).fold(0.0, f32::max));
    assert!(slowest <= 4.0 && farthest <= 1.0, "{slowest} s, {farthest} m farther than straight");
}

#[test]
fn goals_all_around_are_reached_within_four_seconds() {
    for seed in [6, 7] {
        let costs = near_goals(seed, PI);
        let farthest = costs.iter().map(|cost| cost.1).fold(0.0, f32::max);
        let soon = costs.iter().filter(|cost| cost.0 <= 4.001).count();
        assert!(soon >= 77 && farthest <= 2.0, "{:?}, {farthest} m more", &costs[70..]);
        assert!(costs[40].0 <= 3.9 && costs[79].0 <= 4.5, "median {:?}, longest {:?}", costs[40], costs[79]);
    }
}

#[test]
fn a_metre_ahead_is_two_steps() {
    let planned = plan(&[task("somebody", Placement::IDENTITY, Vec2::new(1.0, 0.0), Some(0.0), None)]);
    let (took, walked) = cost(&planned[0]);
    assert!(took <= 3.0 && walked <= 1.3, "{took} s and {walked} m for a metre ahead");
}

#[test]
fn much_time_is_no_reason_to_run() {
    for window in [(0.0, 60.0), (9.0, 60.0), (0.0, 12.0), (20.0, 25.0)] {
        let when = When::Between { from: window.0, to: window.1 };
        let planned =
            plan(&[task("somebody", Placement::IDENTITY, Vec2::new(12.0, 0.0), Some(0.0), Some(when))]);
        assert!(planned[0].failure.is_none(), "{window:?}: {:?}", planned[0].failure);
        let leg = &planned[0].motion.legs()[0];
        let moving = (leg.last_frame() - leg.first_frame() - leg.waited_frames()) as f32 * FRAME_TIME;
        assert!(12.0 / moving < 1.6, "{window:?}: 12 m in {moving} s");
        let end = leg.last_frame() as f32 * FRAME_TIME;
        assert!(end > window.0 - 0.02 && end < window.1 + 0.02, "{window:?}: there after {end} s");
    }
}

/// Plans two people who stand `apart` metres from each other and want each other's place, facing as they do or the other way;
/// asserts that they get there without touching; returns the seconds that the later one takes, and the metres that both walk.
fn exchange(apart: f32, direction: f32, facing: Option<f32>) -> (f32, f32) {
    let way = Vec2::from_angle(direction) * apart;
    let one = task("one", Placement::new(0.0, 0.0, direction), way, facing.map(|f| f + direction), None);
    let other = Placement { position: way, heading: direction + PI };
    let other = task("other", other, Vec2::ZERO, facing.map(|f| f + direction + PI), None);
    let planned = plan(&[one, other]);
    let last = planned.iter().map(|planned| planned.motion.last_frame()).max().unwrap_or(0);
    for planned in &planned {
        assert!(planned.failure.is_none(), "{apart} m: {:?}", planned.failure);
    }
    for frame in 0..=last {
        let at = |index: usize| planned[index].motion.at(&REPERTOIRE, frame).0.position;
        let gap = at(0).distance(at(1));
        assert!(gap > 0.499, "{apart} m: {gap} m from each other in frame {frame}");
    }
    let costs: Vec<(f32, f32)> = planned.iter().map(cost).collect();
    (last as f32 * FRAME_TIME, costs.iter().map(|cost| cost.1).sum())
}

#[test]
fn two_people_exchange_places() {
    for apart in [1.0, 1.5, 2.0, 2.5, 2.9] {
        for direction in [0.0, 0.7, 2.0, -2.6] {
            // Free, still facing the way they went, or towards each other again.
            for facing in [None, Some(0.0), Some(PI)] {
                let (took, walked) = exchange(apart, direction, facing);
                assert!(took <= 8.0, "{apart} m apart, {direction}, {facing:?}: {took} s");
                assert!(walked <= 2.0 * apart + 2.0, "{apart} m, {direction}, {facing:?}: {walked} m");
            }
        }
    }
}

#[test]
fn who_comes_early_rests_in_the_pose_of_the_goal() {
    // Through a first goal at a walk, so that nobody waits before the second.
    let through = Goal { at: Some(Vec2::new(4.0, 0.0)), ..Goal::default() };
    let sit = Goal {
        at: Some(Vec2::new(9.0, 1.0)),
        facing: Some(1.0),
        pose: EndPose::Node(pose("sit")),
        time: Some(When::at(150.0)),
    };
    let somebody = Task {
        name: "somebody".into(),
        start: Placement::IDENTITY,
        pose: pose("stand"),
        goals: vec![through, sit],
    };
    let planned = plan(&[somebody]);
    assert_eq!(planned[0].failure, None);
    let leg = &planned[0].motion.legs()[1];
    assert_eq!(leg.last_frame(), 4500, "there in time");
    assert!(leg.rested_frames() > 3600, "{} frames", leg.rested_frames());
    for frame in (leg.last_frame() - leg.rested_frames()..=leg.last_frame()).step_by(7) {
        let (at, showing) = planned[0].motion.at(&REPERTOIRE, frame);
        assert!(at.position.distance(Vec2::new(9.0, 1.0)) < 1e-4, "frame {frame}: {at:?}");
        let node = match showing {
            Showing::Still(node) => node,
            Showing::Clip(action, _) => common::graph().action(action).from,
        };
        assert_eq!(node, pose("sit"), "frame {frame}");
    }
    // Who has to leave its place to somebody else waits at the goal, too.
    let late = Some(When::Between { from: 60.0, to: 90.0 });
    let soon = Some(When::Between { from: 0.0, to: 15.0 });
    let planned = plan(&[
        task("host", Placement::IDENTITY, Vec2::new(6.0, 0.0), Some(0.0), late),
        task("guest", Placement::new(-6.0, 3.0, 0.0), Vec2::ZERO, Some(0.0), soon),
    ]);
    for planned in &planned {
        assert_eq!(planned.failure, None);
    }
    let host = &planned[0].motion.legs()[0];
    assert!(host.last_frame() >= 1800 && host.rested_frames() > 1000, "{} frames", host.rested_frames());
}

#[test]
fn a_free_pose_is_met_at_a_walk() {
    let end = |pose: EndPose| {
        let goal = Goal { at: Some(Vec2::new(9.0, 2.0)), facing: Some(0.3), pose, time: None };
        let start = Placement::IDENTITY;
        let planned =
            plan(&[Task { name: "somebody".into(), start, pose: common::pose("stand"), goals: vec![goal] }]);
        assert_eq!(planned[0].failure, None);
        let leg = &planned[0].motion.legs()[0];
        let at = planned[0].motion.at(&REPERTOIRE, leg.last_frame()).0;
        assert!(
            at.position.distance(Vec2::new(9.0, 2.0)) < 1e-4 && (at.heading - 0.3).abs() < 1e-4,
            "{at:?}"
        );
        assert!(common::graph().node(planned[0].motion.all_legs().last().unwrap().end_node()).rest);
        (leg.last_frame(), leg.end_node())
    };
    let (standing, free) = (end(EndPose::Usual), end(EndPose::Any));
    assert_eq!(standing.1, pose("stand"));
    assert!(!common::graph().node(free.1).rest && free.0 < standing.0, "{free:?} and {standing:?}");
}
