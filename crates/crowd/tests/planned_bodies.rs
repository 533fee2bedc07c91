//! Bodies of people who plan captured motion: feet that stay put, hips that do not jerk, and plans that know nothing of that.

mod common;

use common::{crowd_of_all, give_bodies};
use crowdloom_crowd::diversity::Scheme;
use crowdloom_crowd::{Crowd, Mind, Mover, Newcomer};
use crowdloom_motion::stance::StanceSolver;
use crowdloom_motion::{Contacts, FRAME_RATE, heel_offset};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Quat, Vec2, Vec3};
use std::sync::Arc;

/// People who plan captured motion as they wander about a square.
fn wandering(count: usize, side: f64, seed: u64) -> Crowd {
    let floor = rectangle(DVec2::ZERO, DVec2::splat(side));
    let ground = Ground::builder().floor(Outline::solid("floor", floor)).build().unwrap();
    let mut crowd = crowd_of_all(Arc::new(ground), seed);
    crowd.scatter(count, None, |random| Newcomer {
        mover: Mover::CellMarking(0),
        mind: Mind { speed: random.between(1.0, 1.6), wanders: true, ..Mind::default() },
        ..Newcomer::default()
    });
    crowd
}

/// What was seen of bodies, each sorted: speeds of heels and balls in contact in metres a second, changes of the hips'
/// velocity from frame to frame in metres a second, metres from roots to discs, and the fastest joints in radians a second.
#[derive(Default)]
struct Seen {
    feet: Vec<f32>,
    jolts: Vec<f32>,
    strays: Vec<f32>,
    joints: Vec<f32>,
}

/// Heels and balls, which of them bear weight, and the rotations of all joints.
type Before = ([Vec3; 4], [bool; 4], Vec<Quat>);

impl Seen {
    fn of(crowd: &mut Crowd, frames: u32) -> Self {
        let skeleton = crowd.setting().book.graph().skeleton().clone();
        let legs = *StanceSolver::of(&skeleton).unwrap().legs();
        let parts = [[Contacts::LEFT_HEEL, Contacts::LEFT_TOE], [Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE]];
        let mut seen = Self::default();
        let mut before: Vec<Option<Before>> = vec![None; crowd.len()];
        let mut hips: Vec<[Option<Vec3>; 2]> = vec![[None; 2]; crowd.len()];
        for _ in 0..frames {
            crowd.step();
            for index in 0..crowd.len() {
                let (body, shown) = (crowd.body(index), crowd.posed(index));
                seen.strays.push(body.placement.position.distance(crowd.positions()[index]));
                let joints = shown.pose.joints(&skeleton, shown.placement);
                let mut feet = [Vec3::ZERO; 4];
                let mut touches = [false; 4];
                for (side, leg) in legs.iter().enumerate() {
                    let heel = heel_offset(&skeleton, leg.ankle);
                    feet[side * 2] = joints.positions[leg.ankle] + joints.orientations[leg.ankle] * heel;
                    feet[side * 2 + 1] = joints.positions[leg.ball];
                    let planted = body.stance.is_none_or(|stance| stance.feet[side].planted);
                    let flags = parts[side].map(|part| shown.contacts.touches(part));
                    touches[side * 2] = planted && flags[0];
                    touches[side * 2 + 1] = planted && (flags[1] || !flags[0] && body.stance.is_some());
                }
                if let Some((old, touched, rotations)) = &before[index] {
                    let both = (0..4).filter(|part| touches[*part] && touched[*part]);
                    let speed = |part: usize| (feet[part] - old[part]).truncate().length() * FRAME_RATE;
                    seen.feet.extend(both.map(speed));
                    let turned = shown.pose.rotations.iter().zip(rotations).map(|(a, b)| a.angle_between(*b));
                    seen.joints.push(turned.fold(0.0, f32::max) * FRAME_RATE);
                }
                before[index] = Some((feet, touches, shown.pose.rotations.clone()));
                let hip = shown.placement.position.extend(shown.pose.root_height);
                if let [Some(a), Some(b)] = hips[index] {
                    seen.jolts.push(((hip - b) - (b - a)).length() * FRAME_RATE);
                }
                hips[index] = [hips[index][1], Some(hip)];
            }
        }
        for all in [&mut seen.feet, &mut seen.jolts, &mut seen.strays, &mut seen.joints] {
            all.sort_by(f32::total_cmp);
        }
        seen
    }
}

fn share(sorted: &[f32], share: f32) -> f32 {
    sorted[((sorted.len() - 1) as f32 * share) as usize]
}

#[test]
fn feet_of_captured_motion_stay_put() {
    for (count, side, seed) in [(40, 12.0, 5), (30, 8.0, 9)] {
        let mut crowd = wandering(count, side, seed);
        give_bodies(&mut crowd, Scheme::Random, false);
        let seen = Seen::of(&mut crowd, 450);
        let tell = |all: &[f32]| [0.5, 0.95, 0.99, 0.999, 1.0].map(|part| share(all, part));
        assert!(seen.feet.len() > 20_000, "{}", seen.feet.len());
        assert!(share(&seen.feet, 0.5) < 0.02 && share(&seen.feet, 0.99) < 0.1, "{:?}", tell(&seen.feet));
        assert!(share(&seen.jolts, 1.0) < 0.7, "{:?}", tell(&seen.jolts));
        assert!(share(&seen.strays, 1.0) < 0.05, "{:?}", tell(&seen.strays));
        // The clips' own fastest joint turns at 16 rad/s.
        assert!(share(&seen.joints, 1.0) < 24.0, "{:?}", tell(&seen.joints));
    }
}

#[test]
fn plans_know_nothing_of_feet() {
    let mut with = wandering(20, 9.0, 3);
    let mut without = wandering(20, 9.0, 3);
    give_bodies(&mut with, Scheme::Random, false);
    for _ in 0..300 {
        with.step();
        without.step();
        assert_eq!(with.positions(), without.positions(), "frame {}", with.frame());
    }
}

#[test]
fn bodies_go_on_as_they_were_put_away() {
    let prepare = || {
        let mut crowd = wandering(12, 8.0, 4);
        give_bodies(&mut crowd, Scheme::Random, false);
        crowd
    };
    let mut crowd = prepare();
    (0..100).for_each(|_| crowd.step());
    let mut again = prepare();
    again.resume(crowd.save()).unwrap();
    let feet = |crowd: &Crowd, index: usize| -> [Vec2; 2] {
        crowd.body(index).stance.expect("it stands on its own feet").feet.map(|sole| sole.ball)
    };
    for _ in 0..60 {
        crowd.step();
        again.step();
        for index in 0..crowd.len() {
            assert_eq!(crowd.body(index), again.body(index));
            assert_eq!(feet(&crowd, index), feet(&again, index));
        }
    }
}
