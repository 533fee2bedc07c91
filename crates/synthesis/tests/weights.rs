//! What may be adjusted, and what errors are worth against each other (equation 1).

mod common;

use common::{REPERTOIRE, pose};
use crowdloom_motion::Placement;
use crowdloom_synthesis::{EndPose, Goal, Leg, Options, Planned, Planner, Repertoire, Task, Weights, When};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2};
use std::sync::Arc;

/// Twelve people who walk to places in all directions, and may have to be there at a moment.
fn plan(options: Options, in_time: bool) -> Vec<Planned> {
    let floor = Outline::solid("floor", rectangle(DVec2::splat(-60.0), DVec2::splat(60.0)));
    let ground = Arc::new(Ground::builder().floor(floor).build().unwrap());
    let repertoire = Repertoire::new(Arc::clone(REPERTOIRE.graph()), &options.locomotion, options.weights);
    let mut planner = Planner::new(ground, Arc::new(repertoire.unwrap()), options, &[]);
    let task = |index: usize| {
        let start = Placement { position: Vec2::new(0.0, -40.0 + 7.0 * index as f32), heading: 0.3 };
        let at = start.position + Vec2::new(25.0 + index as f32, 0.2 * index as f32);
        let seconds = 1.0 + at.distance(start.position) / 1.3;
        let time = in_time.then_some(When::Between { from: seconds, to: seconds });
        let goal =
            Goal { at: Some(at), facing: Some(0.4 * index as f32), pose: EndPose::Node(pose("stand")), time };
        Task { name: format!("{index}"), start, pose: pose("stand"), goals: vec![goal] }
    };
    planner.plan(&(0..12).map(task).collect::<Vec<_>>()).unwrap()
}

/// What a leg was adjusted by altogether, in metres, over the seconds that its clips take, which are its own less or more
/// what it was retimed by.
fn per_second(leg: &Leg, weights: Weights) -> [f32; 2] {
    let done = leg.adjustment();
    let sum =
        done.position + weights.metres_per_radian * done.heading + weights.metres_per_second * done.time;
    let idle = leg.waited_frames() + leg.rested_frames();
    let seconds = (leg.last_frame() - leg.first_frame() - idle) as f32 / 30.0;
    [sum / (seconds + done.time), sum / (seconds - done.time)]
}

#[test]
fn errors_are_weighed_as_published_or_as_one_says() {
    // 1 cm is worth 1 degree and 1/40 s (section 3.3).
    let published = Options::default().weights;
    assert!((published.metres_per_radian - 0.01 * 1f32.to_degrees()).abs() < 1e-6);
    assert!((published.metres_per_second - 0.4).abs() < 1e-6);
    let dear = Weights { metres_per_second: 1.2, ..published };
    let mut retimed = Vec::new();
    for weights in [published, dear] {
        let planned = plan(Options { weights, waiting: false, ..Options::default() }, true);
        let met: Vec<&Leg> = planned.iter().flat_map(|planned| planned.motion.legs()).collect();
        assert!(met.len() >= 8, "{} of 12", met.len());
        for leg in &met {
            let told = leg.adjustment().per_second;
            assert!(told <= Options::default().tolerance, "{told}");
            let near = |own: &f32| (own - told).abs() < 1e-4;
            assert!(per_second(leg, weights).iter().any(near), "{:?}", leg.adjustment());
        }
        retimed.push(met.iter().map(|leg| leg.adjustment().time).sum::<f32>() / met.len() as f32);
    }
    // What is dear is done less.
    assert!(retimed[0] > 0.0 && retimed[1] < 0.5 * retimed[0], "{retimed:?}");
}

#[test]
fn nothing_is_adjusted_more_than_may_be() {
    for (tolerance, total) in [(0.01, None), (0.02, Some(0.1))] {
        let planned = plan(Options { tolerance, total_tolerance: total, ..Options::default() }, false);
        let met: Vec<&Leg> = planned.iter().flat_map(|planned| planned.motion.legs()).collect();
        assert!(met.len() >= 8, "{} of 12", met.len());
        for leg in met {
            let done = leg.adjustment();
            let all = done.position + Options::default().weights.metres_per_radian * done.heading;
            assert!(done.per_second <= tolerance + 1e-6, "{done:?}");
            assert!((all - done.total).abs() < 1e-4, "{done:?}");
            assert!(total.is_none_or(|most| all <= most + 1e-6), "{done:?}");
        }
    }
}
