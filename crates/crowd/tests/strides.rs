//! People on the motion graph whose legs are much shorter or longer than its own take strides of their own, on feet that
//! stay put.

mod common;

use common::{STYLES, crowd_on};
use crowdloom_crowd::diversity::{StyleControl, StyleOptions};
use crowdloom_crowd::{Bodies, Crowd, Mind, Newcomer, Profile};
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::stance::Sole;
use crowdloom_motion::{Contacts, FRAME_RATE, heel_offset};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2, Vec3};
use std::sync::Arc;

/// People of a height in metres who wander at a speed in metres a second.
fn wandering(height: f32, speed: f32) -> Crowd {
    let floor = rectangle(DVec2::ZERO, DVec2::splat(16.0));
    let ground = Ground::builder().floor(Outline::solid("floor", floor)).build().unwrap();
    let mut crowd = crowd_on(Arc::new(ground), 11);
    crowd.scatter(8, None, |_| Newcomer {
        profile: Profile { height: Some(height), ..Profile::default() },
        mind: Mind { speed, wanders: true, ..Mind::default() },
        ..Newcomer::default()
    });
    let control = StyleControl::new(Arc::clone(&STYLES), StyleOptions::default(), Vec::new(), 11);
    let graph = crowd.setting().book.graph().clone();
    let mut bodies = Bodies::new(control, &graph, false);
    bodies.let_stride_alone(true);
    crowd.set_bodies(bodies);
    crowd
}

/// What is seen of feet: how fast those move that stand on more than a heel, about which they roll, sorted, in metres a
/// second; the mean distance of one footprint to the next of the same foot in metres; and how far roots are from their discs,
/// sorted, in metres.
fn watch(crowd: &mut Crowd, frames: u32) -> (Vec<f32>, f32, Vec<f32>) {
    let (mut speeds, mut strides, mut strays) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = vec![None; crowd.len()];
    let mut prints: Vec<[Option<Vec2>; 2]> = vec![[None; 2]; crowd.len()];
    for _ in 0..frames {
        crowd.step();
        for index in 0..crowd.len() {
            let body = crowd.body(index);
            strays.push(body.placement.position.distance(crowd.positions()[index]));
            let contacts = crowd.posed(index).contacts;
            let rolls =
                [(Contacts::LEFT_HEEL, Contacts::LEFT_TOE), (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE)]
                    .map(|(heel, toe)| contacts.touches(heel) && !contacts.touches(toe));
            let now = body.stance.filter(|_| body.fades.is_none()).map(|stance| (stance.feet, rolls));
            if let (Some(feet), Some(last)) = (now, before[index]) {
                let (feet, rolls): ([Sole; 2], [bool; 2]) = feet;
                let (last, rolled): ([Sole; 2], [bool; 2]) = last;
                for side in [0, 1] {
                    let (sole, old) = (feet[side], last[side]);
                    if sole.planted && old.planted {
                        let rolls = rolls[side] || rolled[side];
                        speeds.extend((!rolls).then(|| sole.ball.distance(old.ball) * FRAME_RATE));
                    } else if sole.planted {
                        let print = prints[index][side].replace(sole.ball);
                        strides.extend(print.map(|print| print.distance(sole.ball)));
                    }
                }
            }
            before[index] = now;
        }
    }
    speeds.sort_by(f32::total_cmp);
    strays.sort_by(f32::total_cmp);
    (speeds, strides.iter().sum::<f32>() / strides.len().max(1) as f32, strays)
}

#[test]
fn children_and_giants_keep_their_feet_where_they_stand() {
    for (height, speed) in [(1.0, 1.0), (1.3, 1.15), (2.0, 1.45)] {
        let (speeds, stride, strays) = watch(&mut wandering(height, speed), 450);
        assert!(speeds.len() > 2000, "{height} m: {} moments", speeds.len());
        let fast = speeds[speeds.len() * 99 / 100];
        assert!(fast < 0.02, "{height} m: {fast} m/s");
        let off = [strays[strays.len() * 99 / 100], strays[strays.len() - 1]];
        // Most of all where somebody sets out in a curve.
        assert!(off[0] < 0.05 && off[1] < 0.2, "{height} m: {off:?} m off");
        assert!(stride < 0.85 * height, "{height} m: strides of {stride} m");
    }
}

#[test]
fn feet_of_those_who_show_clips_stand_and_hips_do_not_jolt() {
    let mut crowd = wandering(1.75, 1.6);
    let skeleton = crowd.setting().book.graph().skeleton().clone();
    let body = Body::guess(&skeleton);
    let legs = Side::BOTH.map(|side| body.leg(side).unwrap());
    let parts = [[Contacts::LEFT_HEEL, Contacts::LEFT_TOE], [Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE]];
    let mut before: Vec<Option<([[Vec2; 2]; 2], Contacts)>> = vec![None; crowd.len()];
    let mut hips: Vec<Vec<Vec3>> = vec![Vec::new(); crowd.len()];
    let mut speeds = Vec::new();
    for _ in 0..900 {
        crowd.step();
        for index in 0..crowd.len() {
            let shown = crowd.posed(index);
            let joints = shown.pose.joints(&skeleton, shown.placement);
            let feet = legs.map(|leg| {
                let heel = joints.orientations[leg.ankle] * heel_offset(&skeleton, leg.ankle);
                [joints.positions[leg.ankle] + heel, joints.positions[leg.ball]].map(|part| part.truncate())
            });
            if let Some((last, touched)) = before[index] {
                for (side, part) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let flag = parts[side][part];
                    if touched.touches(flag) && shown.contacts.touches(flag) {
                        speeds.push(feet[side][part].distance(last[side][part]) * FRAME_RATE);
                    }
                }
            }
            before[index] = Some((feet, shown.contacts));
            hips[index].push(shown.placement.position.extend(shown.pose.root_height));
        }
    }
    speeds.sort_by(f32::total_cmp);
    assert!(speeds.len() > 10_000, "{} moments", speeds.len());
    let fast = speeds[speeds.len() * 99 / 100];
    assert!(fast < 0.015, "{fast} m/s");
    let jolt = |three: &[Vec3]| (three[2] - 2.0 * three[1] + three[0]).length() * FRAME_RATE;
    let worst = hips.iter().flat_map(|hips| hips.windows(3)).map(jolt).fold(0.0, f32::max);
    assert!(worst < 0.7, "{worst} m/s");
}

#[test]
fn usual_people_walk_as_their_clips_do() {
    let mut crowd = wandering(1.75, 1.35);
    (0..90).for_each(|_| crowd.step());
    let bodies = crowd.bodies().unwrap();
    assert!(
        (0..crowd.len()).all(|index| !bodies.follows(crowd.id(index)) && crowd.body(index).stance.is_none())
    );
}
