//! A long way through rooms full of people (experiment 3 of the 2005 paper) is planned at once, with little search.

mod common;

use common::{REPERTOIRE, pose};
use crowdloom_motion::{FRAME_TIME, Placement};
use crowdloom_synthesis::{Attempt, EndPose, Goal, Options, Planner, Status, Task};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2};
use std::f32::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// Twelve rooms in three rows, with doors, cupboards and tables.
fn rooms() -> Arc<Ground> {
    let solid = |[left, low, right, high]: [f64; 4]| {
        Outline::solid("wall", rectangle(DVec2::new(left, low), DVec2::new(right, high)))
    };
    let mut walls =
        vec![[0.0, 7.0, 3.5, 7.2], [5.5, 7.0, 36.6, 7.2], [0.0, 14.2, 31.1, 14.4], [33.1, 14.2, 36.6, 14.4]];
    for row in 0..3 {
        let y = 7.2 * f64::from(row);
        for column in 0..4 {
            let x = 9.2 * f64::from(column);
            walls.push([0.6 + x, 0.3 + y, 1.6 + x, 0.8 + y]);
            if column < 3 {
                walls.push([9.0 + x, y, 9.2 + x, 2.6 + y]);
                walls.push([9.0 + x, 4.6 + y, 9.2 + x, 7.1 + y]);
            }
        }
    }
    let tables = [
        [3.4, 3.0],
        [13.4, 3.0],
        [23.4, 3.0],
        [31.0, 3.0],
        [4.2, 10.2],
        [14.2, 10.2],
        [21.8, 10.2],
        [31.8, 10.2],
        [5.0, 17.4],
        [12.6, 17.4],
        [22.6, 17.4],
        [32.6, 17.4],
    ];
    walls.extend(tables.map(|[x, y]| [x, y, x + 1.4, y + 1.0]));
    let floor = Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::new(36.6, 21.4)));
    let builder =
        walls.into_iter().fold(Ground::builder().floor(floor), |builder, wall| builder.obstacle(solid(wall)));
    Arc::new(builder.build().expect("rooms"))
}

const PEOPLE: [[f32; 2]; 24] = [
    [2.2, 5.0],
    [7.0, 2.2],
    [12.2, 5.0],
    [15.8, 2.2],
    [22.2, 5.0],
    [24.6, 2.2],
    [29.8, 5.0],
    [34.6, 2.2],
    [3.0, 12.2],
    [6.6, 9.4],
    [13.0, 12.2],
    [15.4, 9.4],
    [20.6, 12.2],
    [25.4, 9.4],
    [30.6, 12.2],
    [34.2, 9.4],
    [3.8, 19.4],
    [6.2, 16.6],
    [11.4, 19.4],
    [16.2, 16.6],
    [21.4, 19.4],
    [25.0, 16.6],
    [31.4, 19.4],
    [33.8, 16.6],
];

#[test]
fn a_long_way_takes_little_search() {
    let (ground, people) = (rooms(), PEOPLE.map(Vec2::from));
    let goal = Goal {
        at: Some(Vec2::new(35.6, 20.4)),
        facing: Some(FRAC_PI_2),
        pose: EndPose::Node(pose("carry-stand")),
        time: None,
    };
    let task = Task {
        name: "agent".into(),
        start: Placement::new(35.1, 1.0, PI),
        pose: pose("stand"),
        goals: vec![goal],
    };
    let mut planner = Planner::new(Arc::clone(&ground), Arc::clone(&REPERTOIRE), Options::default(), &people);
    let mut attempt = Attempt::new(0, 0);
    let mut rounds = 1;
    while let Status::Working = planner.advance(&mut attempt, &task) {
        rounds += 1;
    }
    // Seeds that come through the doors at once, and a join that does not push them into walls: 19 rounds and 7,584 units of work
    // before.
    let units = attempt.effort().units();
    assert!(rounds <= 2 && units < 800, "{rounds} rounds, {:?}: {units} units", attempt.effort());
    let (planned, trace) = planner.finish(attempt, &task);
    assert_eq!(planned.failure, None);
    let seconds = planned.motion.last_frame() as f32 * FRAME_TIME;
    assert!(seconds < 75.0, "{seconds} s");
    assert!(trace.iter().all(|&at| ground.is_free(at, 0.249)), "a wall");
    assert!(trace.iter().all(|at| people.iter().all(|other| at.distance(*other) > 0.499)), "somebody");
}
