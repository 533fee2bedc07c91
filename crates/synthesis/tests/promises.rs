//! What planned motions promise: exact goals, nobody in anybody, the same bits every time, and a reason for every failure.

mod common;

use common::{REPERTOIRE, graph, pose};
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::quality::contact_speed;
use crowdloom_motion::{Placement, wrap_angle};
use crowdloom_synthesis::{
    EndPose, Goal, Options, OrderError, Planned, Planner, Reason, Routes, Showing, Task, When,
};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Quat, Vec2};
use proptest::prelude::*;
use std::sync::Arc;

/// 24 m by 18 m, with a wall that leaves a gap of 3 m.
fn ground() -> Arc<Ground> {
    let part = |low: (f64, f64), high: (f64, f64)| {
        Outline::solid("part", rectangle(DVec2::new(low.0, low.1), DVec2::new(high.0, high.1)))
    };
    let ground =
        Ground::builder().floor(part((0.0, 0.0), (24.0, 18.0))).obstacle(part((11.8, 0.0), (12.2, 15.0)));
    Arc::new(ground.build().expect("a room"))
}

fn planner(options: &Options) -> Planner {
    Planner::new(ground(), Arc::clone(&REPERTOIRE), options.clone(), &[])
}

fn plan(tasks: &[Task]) -> Vec<Planned> {
    planner(&Options::default()).plan(tasks).expect("nobody waits in a ring")
}

fn task(name: &str, start: Placement, goals: Vec<Goal>) -> Task {
    Task { name: name.into(), start, pose: pose("stand"), goals }
}

fn be(x: f32, y: f32, facing: f32, pose: NodeId) -> Goal {
    Goal { at: Some(Vec2::new(x, y)), facing: Some(facing), pose: EndPose::Node(pose), time: None }
}

/// Holds planned agents to what they promise.
fn check(tasks: &[Task], planned: &[Planned]) {
    let options = Options::default();
    for (task, Planned { motion, failure, .. }) in tasks.iter().zip(planned) {
        assert_eq!(motion.legs().len() == task.goals.len(), failure.is_none(), "{}", task.name);
        for (goal, leg) in task.goals.iter().zip(motion.legs()) {
            let frame = leg.last_frame();
            let (placement, _) = motion.at(&REPERTOIRE, frame);
            assert!(goal.at.is_none_or(|at| at.distance(placement.position) < 1e-4));
            assert!(goal.facing.is_none_or(|facing| wrap_angle(facing - placement.heading).abs() < 1.7e-5));
            assert!(!matches!(goal.pose, EndPose::Node(pose) if leg.end_node() != pose));
            if let Some(When::Between { from, to }) = goal.time {
                let now = frame as f32 / 30.0;
                assert!(
                    now > from - 0.5 / 30.0 - 1e-4 && now < to + 0.5 / 30.0 + 1e-4,
                    "{now} not in {from} .. {to}"
                );
            }
            assert!(leg.adjustment().per_second <= options.tolerance + 1e-6);
            // The last step is no jump: exactness is not put on at the end.
            let before = motion.at(&REPERTOIRE, frame.saturating_sub(1)).0.position;
            assert!(before.distance(placement.position) < 0.15);
        }
        // Poses follow each other through the graph.
        for leg in motion.all_legs() {
            let actions: Vec<_> = leg.actions().collect();
            assert!(
                actions.windows(2).all(|pair| graph().action(pair[0]).to == graph().action(pair[1]).from)
            );
        }
    }
    let last = planned.iter().map(|planned| planned.motion.last_frame()).max().unwrap_or(0);
    let ground = ground();
    for frame in 0..last + 20 {
        let there: Vec<Vec2> = planned
            .iter()
            .filter(|planned| planned.motion.is_there(frame))
            .map(|planned| planned.motion.at(&REPERTOIRE, frame).0.position)
            .collect();
        for (index, one) in there.iter().enumerate() {
            assert!(ground.is_free(*one, options.radius - 1e-4), "in a wall at frame {frame}");
            assert!(there[..index].iter().all(|other| other.distance(*one) >= 2.0 * options.radius));
        }
    }
}

#[test]
fn one_agent_is_there_then_facing_that_way_in_that_pose() {
    let goal = Goal { time: Some(When::at(16.0)), ..be(20.0, 9.0, 1.0, pose("stand")) };
    let tasks = [task("one", Placement::new(4.0, 9.0, -2.0), vec![goal])];
    let planned = plan(&tasks);
    assert_eq!(planned[0].failure, None);
    assert_eq!(planned[0].motion.arrival(), Some(480));
    check(&tasks, &planned);
}

#[test]
fn a_box_is_fetched_and_a_seat_taken_again() {
    let start = Placement::new(3.0, 4.0, 0.0);
    let goals = vec![
        be(7.0, 9.0, 1.0, pose("carry-stand")),
        be(4.0, 14.0, 2.0, pose("stand")),
        be(3.0, 4.0, 0.0, pose("sit")),
    ];
    let tasks = [Task { pose: pose("sit"), ..task("one", start, goals) }];
    let planned = plan(&tasks);
    assert_eq!(planned[0].failure, None);
    check(&tasks, &planned);
    let walks_with_box = |action| graph().action(action).clip.name.starts_with("carry-walk");
    assert!(planned[0].motion.legs()[1].actions().any(walks_with_box), "who has a box carries it");
    assert!(!planned[0].motion.legs()[2].actions().any(walks_with_box));
}

#[test]
fn what_is_not_asked_is_free() {
    let start = Placement::new(5.0, 5.0, 0.3);
    for goal in [
        Goal { at: Some(Vec2::new(9.0, 11.0)), ..Goal::default() },
        Goal { facing: Some(2.0), ..Goal::default() },
        Goal { pose: EndPose::Node(pose("sit")), ..Goal::default() },
        Goal {
            at: Some(Vec2::new(9.0, 11.0)),
            time: Some(When::Between { from: 9.0, to: 12.0 }),
            ..Goal::default()
        },
    ] {
        let through = be(8.0, 6.0, 0.5, pose("stand"));
        let tasks = [
            task("one", start, vec![goal]),
            task("two", Placement::new(20.0, 5.0, 0.0), vec![Goal { pose: EndPose::Usual, ..through }]),
        ];
        let planned = plan(&tasks[..1]);
        assert_eq!(planned[0].failure, None, "{goal:?}");
        check(&tasks[..1], &planned);
    }
}

#[test]
fn who_comes_after_somebody_comes_after() {
    let after = When::AfterArrival { of: 1, from: 1.0, to: 2.0 };
    let tasks = [
        task(
            "late",
            Placement::new(2.0, 2.0, 0.0),
            vec![Goal { time: Some(after), ..be(9.0, 4.0, 0.0, pose("stand")) }],
        ),
        task("early", Placement::new(2.0, 12.0, 0.0), vec![be(9.0, 6.0, 0.0, pose("stand"))]),
    ];
    let planned = plan(&tasks);
    check(&tasks, &planned);
    let [late, early] = [0, 1].map(|agent| planned[agent].motion.arrival().expect("arrives") as f32 / 30.0);
    assert!((1.0 - 0.02..2.02).contains(&(late - early)), "{late} {early}");

    let ring = Goal { time: Some(When::AfterArrival { of: 0, from: 0.0, to: 1.0 }), ..tasks[1].goals[0] };
    let tasks = [tasks[0].clone(), Task { goals: vec![ring], ..tasks[1].clone() }];
    let names = ["late", "early", "late"].map(String::from).to_vec();
    assert_eq!(planner(&Options::default()).plan(&tasks).err(), Some(OrderError::Circle(names)));
}

#[test]
fn what_cannot_be_met_is_told_and_the_others_are_planned() {
    let stand = pose("stand");
    let fine = be(6.0, 12.0, 0.0, stand);
    let tasks = [
        task("in a wall", Placement::new(2.0, 2.0, 0.0), vec![be(12.0, 5.0, 0.0, stand)]),
        task(
            "in a hurry",
            Placement::new(2.0, 4.0, 0.0),
            vec![Goal { time: Some(When::at(4.0)), ..be(22.0, 2.0, 0.0, stand) }],
        ),
        task("first", Placement::new(2.0, 6.0, 0.0), vec![be(9.0, 9.0, 0.0, stand)]),
        task("second", Placement::new(2.0, 8.0, 0.0), vec![be(9.2, 9.0, 0.0, stand)]),
        task("fine", Placement::new(2.0, 10.0, 0.0), vec![fine]),
    ];
    let planned = plan(&tasks);
    check(&tasks, &planned);
    let reason = |agent: usize| planned[agent].failure.as_ref().map(|failure| &failure.reason);
    assert!(matches!(reason(0), Some(Reason::InWall { nearest: Some(_), .. })), "{:?}", reason(0));
    assert!(matches!(reason(1), Some(Reason::TooLittleTime { .. })), "{:?}", reason(1));
    assert_eq!(reason(2), None);
    assert_eq!(reason(3), Some(&Reason::Occupied("first".into())));
    assert_eq!(reason(4), None);
    let text = planned[0].failure.as_ref().map(ToString::to_string).unwrap_or_default();
    assert!(text.starts_with("in a wall, goal 1: "), "{text}");
}

#[test]
fn the_published_search_alone_finds_motions_too() {
    let options = Options { polishing: 0, routes: Routes::Roadmap, ..Options::default() };
    let goal = be(20.0, 9.0, 1.0, pose("stand"));
    let tasks = [task("one", Placement::new(4.0, 9.0, 0.0), vec![goal])];
    let planned = planner(&options).plan(&tasks).expect("an order");
    assert_eq!(planned[0].failure, None);
    check(&tasks, &planned);
}

/// The largest turn of a joint from one frame to the next, in degrees.
fn turn(before: &[Quat], after: &[Quat]) -> f32 {
    before.iter().zip(after).map(|(&a, &b)| a.angle_between(b).to_degrees()).fold(0.0, f32::max)
}

#[test]
fn poses_neither_jump_nor_slide() {
    let goals = vec![
        be(9.0, 9.0, 1.0, pose("carry-stand")),
        Goal { time: Some(When::at(28.0)), ..be(17.0, 4.0, -2.0, pose("stand")) },
        be(20.0, 12.0, 0.4, pose("sit")),
    ];
    let tasks = [task("one", Placement::new(4.0, 5.0, 2.0), goals)];
    let planned = plan(&tasks);
    check(&tasks, &planned);
    let motion = &planned[0].motion;
    let clip = motion.to_clip(&REPERTOIRE, "one");
    let raw = |frame: u32| match motion.at(&REPERTOIRE, frame).1 {
        Showing::Still(node) => graph().node(node).state.pose.rotations.clone(),
        Showing::Clip(action, at) => {
            let source = &graph().action(action).clip;
            let before = (at as usize).min(source.frames() - 2);
            let pair = source.frame_rotations(before).iter().zip(source.frame_rotations(before + 1));
            pair.map(|(a, b)| a.slerp(*b, at - before as f32)).collect()
        }
    };
    for frame in 1..clip.frames() {
        let own = turn(clip.frame_rotations(frame - 1), clip.frame_rotations(frame));
        let source = turn(&raw(frame as u32 - 1), &raw(frame as u32));
        assert!(own < source + 1.0, "{own} against {source} degrees at frame {frame}");
    }
    let skate = contact_speed(graph().skeleton(), &clip).expect("it has feet");
    assert!(skate < 0.02, "{skate} m/s");
}

fn tasks() -> impl Strategy<Value = Vec<Task>> {
    let place = || (1.0f32..11.0, 1.0f32..17.0, -3.0f32..3.0);
    let one = (place(), place(), prop::bool::ANY, prop::option::of(14.0f32..22.0));
    prop::collection::vec(one, 1..9).prop_map(|all| {
        let mut tasks: Vec<Task> = Vec::new();
        for (start, end, crosses, time) in all {
            let start = Placement::new(start.0, start.1, start.2);
            let end = Vec2::new(if crosses { 24.0 - end.0 } else { end.0 }, end.1);
            let apart = |task: &Task| {
                let ends = task.goals[0].at.is_some_and(|at| at.distance(end) > 1.2);
                task.start.position.distance(start.position) > 1.2 && ends
            };
            if tasks.iter().all(apart) {
                let goal = Goal {
                    time: time.filter(|_| !crosses).map(When::at),
                    ..be(end.x, end.y, start.heading, pose("stand"))
                };
                tasks.push(task(&format!("agent {}", tasks.len()), start, vec![goal]));
            }
        }
        tasks
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn crowds_keep_their_promises(tasks in tasks()) {
        let planned = plan(&tasks);
        check(&tasks, &planned);
        let solved = planned.iter().filter(|planned| planned.failure.is_none()).count();
        prop_assert!(solved + 1 >= planned.len(), "{solved} of {}", planned.len());
    }

    #[test]
    fn the_same_seed_gives_the_same_bits(tasks in tasks()) {
        let bits = |planned: &[Planned]| -> Vec<u32> {
            let frames = (0..600).step_by(7);
            let place = |planned: &Planned, frame| planned.motion.at(&REPERTOIRE, frame).0;
            frames.flat_map(|frame| planned.iter().flat_map(move |one| {
                let at = place(one, frame);
                [at.position.x.to_bits(), at.position.y.to_bits(), at.heading.to_bits()]
            })).collect()
        };
        prop_assert_eq!(bits(&plan(&tasks)), bits(&plan(&tasks)));
    }

    #[test]
    fn no_goal_makes_it_panic(
        numbers in prop::collection::vec(prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(-1e30f32), Just(1e30f32), -30.0f32..50.0], 8),
        nodes in (0u16..60, 0u16..60), mask in 0u8..32, of in 0usize..4,
    ) {
        let keep = |bit: u8| mask & (1 << bit) != 0;
        let time = if keep(4) { When::AfterArrival { of, from: numbers[0], to: numbers[1] } } else { When::Between { from: numbers[0], to: numbers[1] } };
        let goal = Goal {
            at: keep(0).then(|| Vec2::new(numbers[2], numbers[3])),
            facing: keep(1).then_some(numbers[4]),
            pose: keep(2).then_some(NodeId(nodes.0)).into(),
            time: keep(3).then_some(time),
        };
        let strange = Task { pose: NodeId(nodes.1), ..task("strange", Placement::new(numbers[5], numbers[6], numbers[7]), vec![goal]) };
        let fine = task("fine", Placement::new(3.0, 3.0, 0.0), vec![be(8.0, 8.0, 0.0, pose("stand"))]);
        let options = Options { iterations: 40, ..Options::default() };
        if let Ok(planned) = planner(&options).plan(&[strange, fine]) {
            prop_assert_eq!(planned.len(), 2);
        }
    }
}

#[test]
fn who_waits_does_not_freeze() {
    let late = Goal { time: Some(When::at(40.0)), ..be(6.0, 4.0, 0.0, pose("stand")) };
    let tasks = [task("ann", Placement::new(4.0, 4.0, 0.0), vec![late])];
    let planned = plan(&tasks);
    check(&tasks, &planned);
    let leg = &planned[0].motion.legs()[0];
    assert!(leg.waited_frames() > 300, "{}", leg.waited_frames());
    let shown = |frame: u32| planned[0].motion.at(&REPERTOIRE, frame).1;
    let idle = (0..leg.waited_frames()).filter(|&frame| matches!(shown(frame), Showing::Clip(..))).count();
    assert!(2 * idle > leg.waited_frames() as usize, "{idle} of {} frames", leg.waited_frames());
    // From one clip of waiting to the next, too, poses turn no faster than within those clips.
    let clip = planned[0].motion.to_clip(&REPERTOIRE, "ann");
    let within = |frame: u32| match shown(frame) {
        Showing::Still(_) => 0.0,
        Showing::Clip(action, _) => {
            let source = &graph().action(action).clip;
            let turns = (1..source.frames())
                .map(|next| turn(source.frame_rotations(next - 1), source.frame_rotations(next)));
            turns.fold(0.0, f32::max)
        }
    };
    for frame in 1..leg.waited_frames() {
        let index = frame as usize;
        let own = turn(clip.frame_rotations(index - 1), clip.frame_rotations(index));
        assert!(own < within(frame - 1).max(within(frame)) + 1.0, "frame {frame}: {own} degrees");
    }
    let speed = contact_speed(graph().skeleton(), &clip).unwrap();
    assert!(speed < 0.02, "{speed} m/s");
}

#[test]
fn who_is_blocked_goes_first() {
    // The second stands in a dead end; the first, planned before, would stand in its mouth for ever.
    let outline = |low: (f64, f64), high: (f64, f64)| {
        Outline::solid("part", rectangle(DVec2::new(low.0, low.1), DVec2::new(high.0, high.1)))
    };
    let ground = Ground::builder()
        .floor(outline((0.0, 0.0), (12.0, 12.0)))
        .floor(outline((12.0, 5.3), (20.0, 6.7)))
        .build()
        .unwrap();
    let mut planner = Planner::new(Arc::new(ground), Arc::clone(&REPERTOIRE), Options::default(), &[]);
    let tasks = [
        task("early", Placement::new(6.0, 10.0, 0.0), vec![be(14.0, 6.0, 0.0, pose("stand"))]),
        task("late", Placement::new(2.0, 2.0, 0.0), vec![be(18.0, 6.0, 0.0, pose("stand"))]),
    ];
    let planned = planner.plan(&tasks).unwrap();
    let failures: Vec<_> = planned.iter().filter_map(|one| one.failure.as_ref()).collect();
    assert!(failures.is_empty(), "{failures:?}");
    // The second is past the place of the first before that one gets there.
    let arrival = planned[0].motion.arrival().unwrap();
    let past = planned[1].motion.at(&REPERTOIRE, arrival).0.position;
    assert!(past.x > 14.4, "{past} when the first arrives");
}
