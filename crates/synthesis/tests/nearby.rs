//! Goals near by are reached in a few steps, and windows of time are no reason to run.

mod common;

use common::{REPERTOIRE, pose};
use crowdloom_motion::{FRAME_TIME, Placement};
use crowdloom_synthesis::{Goal, Options, Planned, Planner, Task, When};
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
    let goal = Goal { at: Some(at), facing, pose: Some(pose("stand")), time };
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

/// Plans 120 goals within three metres, at most `wide` radians off to a side and in facing; returns for each the seconds
/// it takes and the metres walked beyond the straight way, quickest first.
fn near_goals(seed: u64, wide: f32) -> Vec<(f32, f32)> {
    let mut random = Stream::new(seed, 0);
    let mut costs = Vec::new();
    for number in 0..120 {
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
    let quick = costs.iter().filter(|(seconds, more)| *seconds <= 4.0 && *more <= 1.0).count();
    assert!(quick >= 108, "only {quick} of 120: median {:?}, longest {:?}", costs[60], costs[119]);
}

#[test]
fn goals_all_around_take_no_long_way_round() {
    let costs = near_goals(6, PI);
    assert!(costs[60].0 <= 5.5 && costs[119].0 <= 9.0, "median {:?}, longest {:?}", costs[60], costs[119]);
    let farthest = costs.iter().map(|cost| cost.1).fold(0.0, f32::max);
    assert!(farthest < 6.0, "{farthest} m farther than straight");
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
