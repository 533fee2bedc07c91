//! Seek and funnel: goals that people reach from everywhere, in the direction they are asked to arrive in.

use crowdloom_velocity::funnel::{ENTRIES, Going, TABLE, between};
use crowdloom_velocity::{Aim, Funnel, Manners, Model, Surroundings, VelocityCrowd, Walker};
use glam::Vec2;
use std::f32::consts::{PI, TAU};

const STEP: f32 = 1.0 / 30.0;

/// Walks from the origin, facing ahead, to a goal; returns how far off place and direction it is when it is nearest, and the
/// seconds that it took; `None` where it never gets within the tolerance.
fn walk(funnel: &Funnel, goal: Vec2, towards: f32, speed: f32) -> Option<(f32, f32, f32)> {
    let mut going = Going { heading: 0.0, speed, spin: 0.0 };
    let mut position = Vec2::ZERO;
    let mut nearest = (f32::INFINITY, 0.0);
    for step in 0..1200 {
        let offset = goal - position;
        let distance = offset.length();
        if distance < nearest.0 {
            nearest = (distance, between(going.heading, towards));
        } else if nearest.0 < funnel.tolerance {
            return Some((nearest.0, nearest.1, step as f32 * STEP));
        }
        let before = going;
        funnel.funnel(&mut going, offset, towards, speed, STEP);
        assert!(going.spin.abs() <= 2.51 && (going.spin - before.spin).abs() <= 12.01 * STEP);
        assert!(going.speed <= speed + 1e-3 && (going.speed - before.speed).abs() <= 2.51 * STEP);
        position += Vec2::from_angle(going.heading) * (going.speed * STEP);
    }
    None
}

#[test]
fn the_table_is_as_large_as_published_and_takes_half_a_megabyte_at_most() {
    assert_eq!(ENTRIES, 43_200);
    assert!(TABLE.bytes() <= 500_000, "{} bytes", TABLE.bytes());
    assert!((0.5..1.0).contains(&TABLE.reachable()), "{}", TABLE.reachable());
}

#[test]
fn goals_all_around_are_reached_in_any_direction() {
    let funnel = Funnel::default();
    let (mut all, mut there, mut straight, mut worst) = (0, 0, 0, Vec::new());
    for distance in [2.0, 4.0, 7.0] {
        for place in 0..12 {
            for direction in 0..12 {
                for speed in [0.7, 1.3, 2.0] {
                    let goal = Vec2::from_angle(place as f32 / 12.0 * TAU) * distance;
                    let towards = direction as f32 / 12.0 * TAU - PI;
                    all += 1;
                    let found = walk(&funnel, goal, towards, speed);
                    let fits = found.is_some_and(|(_, off, _)| off < 10.5f32.to_radians());
                    there += usize::from(fits);
                    if !fits {
                        worst.push((distance, place, direction, speed, found));
                    }
                    let plain = walk(&Funnel { gain: 0.0, ..funnel }, goal, towards, speed);
                    straight += usize::from(plain.is_some_and(|(_, off, _)| off < 10.5f32.to_radians()));
                }
            }
        }
    }
    assert!(there == all, "{there} of {all}, seeking alone {straight}: {:?}", &worst[..worst.len().min(40)]);
    assert!(straight * 4 < all, "seeking alone arrives in the direction {straight} times of {all}");
}

#[test]
fn a_goal_that_moves_is_caught_in_its_own_direction() {
    let funnel = Funnel::default();
    let mut going = Going { heading: 0.0, speed: 1.0, spin: 0.0 };
    let mut position = Vec2::ZERO;
    for step in 0..1500 {
        let turn = step as f32 * STEP * 0.1;
        let goal = Vec2::new(6.0, 0.0) + Vec2::from_angle(turn) * 5.0;
        let towards = turn + 0.5 * PI;
        if goal.distance(position) < funnel.tolerance {
            assert!(between(going.heading, towards) < 0.35, "{}", between(going.heading, towards));
            return;
        }
        funnel.funnel(&mut going, goal - position, towards, 1.4, STEP);
        position += Vec2::from_angle(going.heading) * (going.speed * STEP);
    }
    panic!("the goal is never caught");
}

#[test]
fn who_stays_stands_as_it_should_and_the_next_goes_round_it() {
    let mut crowd = VelocityCrowd::new(3);
    let funnel = Funnel { facing: Some(90.0), ..Funnel::default() };
    let add = |crowd: &mut VelocityCrowd, at: Vec2| {
        crowd.add(Walker { manners: Manners::none(), ..Walker::new(at, Model::Funnel(funnel)) })
    };
    add(&mut crowd, Vec2::ZERO);
    add(&mut crowd, Vec2::new(-1.5, 0.02));
    let goals = [Vec2::new(5.0, 1.0), Vec2::new(9.0, 1.5)];
    for _ in 0..600 {
        crowd.prefer(|agent, at| (goals[agent] - at).clamp_length_max(1.3));
        crowd.aim(|agent, _| Some(Aim { at: goals[agent], towards: Vec2::ZERO, stays: true }));
        crowd.step(Surroundings::default(), STEP);
        assert_eq!(crowd.overlaps(0.02).0, 0);
    }
    for (agent, goal) in goals.iter().enumerate() {
        let off = crowd.positions()[agent].distance(*goal);
        assert!(off < 0.25, "{off} m off");
        let turned = between(crowd.memories()[agent].heading, 0.5 * PI);
        assert!(turned < 0.2, "{turned} rad off");
    }
}
