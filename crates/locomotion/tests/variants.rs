//! Going over from one gait to another without a pop, and the simpler engine of one person's walks.

use crowdloom_locomotion::{Engine, FRAMES, Gait, PersonalWalk, Transition, Wish};
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::quality::contact_speed;
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, Placement};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::builtin().unwrap());

fn wish(people: &[f32], speed: f32, runs: f32) -> Wish {
    Wish { people: people.to_vec(), speed, runs, leg: ENGINE.leg() }
}

/// The fastest turn of a joint from one frame to the next in radians a second, and the greatest change of the root's velocity in
/// metres a second.
fn liveliest(clip: &Clip) -> (f32, f32) {
    let turned = (1..clip.frames()).flat_map(|frame| {
        let pairs = clip.frame_rotations(frame - 1).iter().zip(clip.frame_rotations(frame));
        pairs.map(|(a, b)| a.angle_between(*b) * FRAME_RATE).collect::<Vec<_>>()
    });
    let root = |frame: usize| clip.track[frame].position.extend(clip.root_heights[frame]);
    let jolt = |frame: usize| (root(frame + 1) - root(frame) * 2.0 + root(frame - 1)).length() * FRAME_RATE;
    (turned.fold(0.0, f32::max), (1..clip.frames() - 1).map(jolt).fold(0.0, f32::max))
}

/// The farthest that a knee bends backwards in a clip, in metres.
fn backwards(clip: &Clip) -> f32 {
    let skeleton = ENGINE.skeleton();
    let body = Body::guess(skeleton);
    let legs = Side::BOTH.map(|side| body.leg(side).unwrap());
    let mut most = 0.0f32;
    for frame in 0..clip.frames() {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let facing = clip.track[frame].facing().extend(0.0);
        for leg in legs {
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| joints.positions[joint]);
            most = most.max(-(knee - hip.lerp(ankle, 0.5)).dot(facing));
        }
    }
    most
}

#[test]
fn gaits_go_over_without_a_pop() {
    let changes = [
        (wish(&[], 2.0, 0.0), wish(&[], 2.0, 1.0), 1.0),
        (wish(&[], 2.2, 1.0), wish(&[], 2.2, 0.0), 0.6),
        (wish(&[], 0.8, 0.0), wish(&[], 1.8, 0.0), 1.5),
        (wish(&[1.0], 1.3, 0.0), wish(&[0.0, 0.0, 1.0], 1.3, 0.0), 1.0),
        (wish(&[], 1.2, 0.0), wish(&[0.0, 1.0], 3.0, 1.0), 2.0),
    ];
    for (from, to, seconds) in changes {
        let ends = [&from, &to].map(|wish| liveliest(&ENGINE.clip(wish, "end")));
        let told = format!("{from:?} to {to:?} in {seconds} s");
        let clip = ENGINE.transition(&Transition { from: from.clone(), to: to.clone(), seconds }, "between");
        let (turn, jolt) = liveliest(&clip);
        let most = (ends[0].0.max(ends[1].0), ends[0].1.max(ends[1].1));
        assert!(turn <= 1.3 * most.0, "{told}: {turn} rad/s, {} at its ends", most.0);
        assert!(jolt <= 1.3 * most.1 + 0.05, "{told}: {jolt} m/s, {} at its ends", most.1);
        let slide = contact_speed(ENGINE.skeleton(), &clip).unwrap_or(0.0);
        assert!(slide <= 0.02, "{told}: feet slide at {slide} m/s");
        assert!(backwards(&clip) < 0.02, "{told}: a knee bends back by {} m", backwards(&clip));
        // As long and as far as its parts.
        let cycles = [&from, &to].map(|wish| ENGINE.clip(wish, "end").frames() as f32 - 1.0);
        let middle = 0.5 * (from.speed + to.speed) * seconds;
        let way = (cycles[0] * from.speed + cycles[1] * to.speed) / FRAME_RATE + middle;
        let gone = clip.displacement().position.length();
        assert!((gone - way).abs() < 0.15, "{told}: {gone} m instead of {way}");
        assert!((clip.seconds() - (cycles[0] + cycles[1]) / FRAME_RATE - seconds).abs() < 0.05, "{told}");
    }
}

#[test]
fn who_walks_comes_to_run_and_flies() {
    let change = Transition { from: wish(&[], 2.4, 0.0), to: wish(&[], 2.4, 1.0), seconds: 1.0 };
    let clip = ENGINE.transition(&change, "between");
    let flies = |own: &Contacts| !own.touches(Contacts::LEFT) && !own.touches(Contacts::RIGHT);
    let third = clip.frames() / 3;
    assert_eq!(clip.contacts[..third].iter().filter(|own| flies(own)).count(), 0, "walking");
    assert!(clip.contacts[2 * third..].iter().any(flies), "running");
    assert_eq!(change.wish(-1.0), change.wish(0.0));
    assert_eq!(change.wish(0.5).runs, 0.5);
    assert_eq!(change.wish(9.0).runs, 1.0);
}

#[test]
fn one_persons_walks_are_made_of_few_numbers() {
    let cycles = Engine::builtin_cycles().unwrap();
    let skeleton = ENGINE.skeleton();
    for subject in 0..ENGINE.people() {
        let walk = PersonalWalk::learn(skeleton, &cycles, subject).unwrap();
        assert!((1..=4).contains(&walk.components()), "{} components", walk.components());
        assert!(walk.reduction() >= 2.0);
        // What it makes is near to what it learnt from, standing among it: components leave a fifth of the variance out, and lines
        // some more.
        let own = cycles.iter().filter(|cycle| cycle.subject == subject && cycle.gait == Gait::Walk);
        let walks: Vec<_> = own.collect();
        let numbers = walks[0].values.len();
        let mean: Vec<f32> = (0..numbers)
            .map(|at| walks.iter().map(|cycle| cycle.values[at]).sum::<f32>() / walks.len() as f32)
            .collect();
        let (mut off, mut all, mut made) = (0.0, 0.0, Vec::new());
        for cycle in &walks {
            walk.cycle(cycle.speed * ENGINE.leg(), &mut made);
            assert_eq!(made.len(), numbers);
            assert_eq!(made.len() % FRAMES, 0);
            for at in 0..numbers {
                off += (made[at] - cycle.values[at]).powi(2);
                all += (mean[at] - cycle.values[at]).powi(2);
            }
        }
        assert!(off < 0.3 * all, "person {subject}: {} of the variance is lost", off / all);
        for speed in [0.0, 0.4, 0.9, 1.4, 1.9] {
            let clip = walk.clip(speed, "own");
            let slide = contact_speed(skeleton, &clip).unwrap_or(0.0);
            assert!(slide <= 0.02, "person {subject} at {speed} m/s: feet slide at {slide} m/s");
            assert!(backwards(&clip) < 0.02, "person {subject} at {speed} m/s: {}", backwards(&clip));
        }
    }
    assert!(PersonalWalk::learn(skeleton, &cycles, 99).is_none());
}
