//! Walks that no cycle shows: feet stay put, knees bend as knees do, nothing pops, and people get where they are sent.

use crowdloom_locomotion::{Engine, Pace, Terrain, Walk};
use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::quality::contact_speed;
use crowdloom_motion::stance::StanceSolver;
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, Placement};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::builtin().unwrap());

fn ahead(speed: f32) -> impl Fn(f32) -> Pace {
    move |_| Pace { ahead: speed, ..Pace::default() }
}

/// What is wrong with a clip, in words.
fn faults(clip: &Clip) -> Vec<String> {
    let skeleton = ENGINE.skeleton();
    let body = Body::guess(skeleton);
    let mut told = Vec::new();
    if let Some(speed) = contact_speed(skeleton, clip).filter(|speed| *speed > 0.02) {
        told.push(format!("feet slide at {speed} m/s"));
    }
    let mut turned = (0.0f32, 0, String::new());
    for frame in 0..clip.frames() {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let facing = clip.track[frame].facing().extend(0.0);
        for side in Side::BOTH {
            let leg = body.leg(side).unwrap();
            let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| joints.positions[joint]);
            let ahead = (knee - hip.lerp(ankle, 0.5)).dot(facing);
            if ahead < -0.015 {
                told.push(format!("a knee bends back by {ahead} m in frame {frame}"));
            }
        }
        if frame > 0 {
            let (a, b) = (clip.frame_rotations(frame - 1), clip.frame_rotations(frame));
            for (joint, (a, b)) in a.iter().zip(b).enumerate() {
                let turn = a.angle_between(*b) * FRAME_RATE;
                if turn > turned.0 {
                    turned = (turn, frame, skeleton.joints()[joint].name.clone());
                }
            }
        }
    }
    if turned.0 > 18.0 {
        told.push(format!("{} turns by {} rad/s in frame {}", turned.2, turned.0, turned.1));
    }
    told
}

fn check(walk: &Walk, seconds: f32, name: &str, pace: impl Fn(f32) -> Pace) -> Clip {
    let clip = ENGINE.walk(walk, seconds, name, pace).unwrap();
    let told = faults(&clip);
    assert!(told.is_empty(), "{name}: {told:?}");
    clip
}

#[test]
fn people_walk_straight_at_any_speed() {
    for speed in [0.3, 0.5, 1.0, 1.5, 2.0] {
        let clip = check(&Walk::default(), 4.0, &format!("{speed} m/s"), ahead(speed));
        let way = clip.displacement().position;
        // A clip's own frame is turned as its root is at first: steps turn the pelvis by up to ten degrees.
        assert!((way.length() - 4.0 * speed).abs() < 0.1 && way.to_angle().abs() < 0.2, "{way}");
        let both = |own: &&Contacts| own.touches(Contacts::LEFT) && own.touches(Contacts::RIGHT);
        assert!(clip.contacts.iter().filter(both).count() > 3, "{speed} m/s without double support");
    }
    for speed in [2.5, 3.0, 4.0] {
        check(&Walk { runs: 1.0, ..Walk::default() }, 3.0, &format!("running {speed} m/s"), ahead(speed));
    }
}

#[test]
fn people_turn_on_the_spot_and_in_curves_up_to_ninety_degrees_a_second() {
    let quarter = std::f32::consts::FRAC_PI_2;
    for turn in [-quarter, -0.7, 0.7, quarter] {
        let clip = check(&Walk::default(), 4.0, &format!("on the spot {turn}"), move |_| Pace {
            turn,
            ..Pace::default()
        });
        assert!(clip.track.iter().all(|place| place.position.length() < 0.12));
        let total: f32 = clip.track.windows(2).map(|pair| pair[1].relative_to(pair[0]).heading).sum();
        assert!((total - 4.0 * turn).abs() < 0.3, "{total}");
        check(&Walk::default(), 4.0, &format!("curve {turn}"), move |_| Pace {
            ahead: 1.2,
            turn,
            aside: 0.0,
        });
    }
}

#[test]
fn people_step_aside_and_go_backwards() {
    for aside in [-0.5, 0.3, 0.5] {
        let clip = check(&Walk::default(), 3.0, &format!("aside {aside}"), move |_| Pace {
            aside,
            ..Pace::default()
        });
        assert!((clip.displacement().position.y - 3.0 * aside).abs() < 0.1);
    }
    for speed in [-0.4, -0.8] {
        let clip = check(&Walk::default(), 3.0, &format!("back {speed}"), ahead(speed));
        assert!((clip.displacement().position.x - 3.0 * speed).abs() < 0.1);
    }
}

#[test]
fn people_start_and_stop_within_a_step() {
    let pace = |second: f32| {
        let share = ((second - 0.5) / 0.5).clamp(0.0, 1.0) * ((3.0 - second) / 0.5).clamp(0.0, 1.0);
        Pace { ahead: 1.3 * share, ..Pace::default() }
    };
    let clip = check(&Walk::default(), 4.5, "start and stop", pace);
    let still = |from: usize, to: usize| {
        let body = Body::guess(ENGINE.skeleton());
        Side::BOTH.iter().all(|&side| {
            let ankle = body.leg(side).unwrap().ball;
            let at =
                |frame: usize| clip.joints(ENGINE.skeleton(), frame, Placement::IDENTITY).positions[ankle];
            at(from).distance(at(to)) < 0.01
        })
    };
    assert!(still(0, 13), "feet move before somebody starts");
    // Half a second to stand, and a step more to bring the feet together.
    let last = clip.frames() - 1;
    assert!(still(last - 10, last), "feet still move a second after somebody stopped");
}

#[test]
fn feet_stand_on_slopes_and_treads() {
    let cases = [
        (Terrain::Slope(0.15), 1.1),
        (Terrain::Slope(-0.15), 1.1),
        (Terrain::Stairs { tread: 0.3, rise: 0.17 }, 0.55),
        (Terrain::Stairs { tread: 0.3, rise: -0.17 }, 0.55),
    ];
    for (terrain, speed) in cases {
        let walk = Walk { terrain, ..Walk::default() };
        let clip = check(&walk, 4.0, &format!("{terrain:?}"), ahead(speed));
        let skeleton = ENGINE.skeleton();
        let body = Body::guess(skeleton);
        // The clip begins where its root is: feet tell where that is.
        let mut heights: Vec<(f32, f32)> = Vec::new();
        for frame in 0..clip.frames() {
            let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
            for (side, contact) in [(Side::Left, Contacts::LEFT_TOE), (Side::Right, Contacts::RIGHT_TOE)] {
                if clip.contacts[frame].touches(contact) {
                    let ball = joints.positions[body.leg(side).unwrap().ball];
                    heights.push((ball.x, ball.z));
                }
            }
        }
        let low = heights.iter().map(|(_, z)| *z).fold(f32::INFINITY, f32::min);
        let high = heights.iter().map(|(_, z)| *z).fold(f32::NEG_INFINITY, f32::max);
        match terrain {
            Terrain::Slope(slope) => assert!(high - low > slope.abs() * 3.0, "{low} to {high}"),
            Terrain::Stairs { rise, .. } => {
                assert!(high - low > 5.0 * rise.abs(), "{low} to {high}");
                for (_, z) in &heights {
                    let steps = (z - low) / rise.abs();
                    assert!((steps - steps.round()).abs() < 0.2, "a foot stands {steps} treads up");
                }
            }
            Terrain::Level => {}
        }
    }
}

#[test]
fn burdens_limps_and_age_change_how_people_walk_and_break_nothing() {
    let plain = check(&Walk::default(), 4.0, "plain", ahead(1.0));
    let cases = [
        Walk { burden: 0.4, ..Walk::default() },
        Walk { limp: 0.8, ..Walk::default() },
        Walk { limp: -0.8, ..Walk::default() },
        Walk { age: 1.0, ..Walk::default() },
        Walk { youth: 1.0, ..Walk::default() },
    ];
    for walk in cases {
        let clip = check(&walk, 4.0, &format!("{walk:?}"), ahead(1.0));
        let turned =
            clip.rotations.iter().zip(&plain.rotations).map(|(a, b)| a.angle_between(*b)).sum::<f32>();
        assert!(turned / clip.rotations.len() as f32 > 0.005, "{walk:?} changes nothing");
    }
    // A leg that hurts bears weight for a shorter time.
    let limping = check(&Walk { limp: 0.9, ..Walk::default() }, 8.0, "limping", ahead(1.0));
    let bears = |foot: Contacts| limping.contacts.iter().filter(|own| own.touches(foot)).count() as f32;
    assert!(
        bears(Contacts::RIGHT) < 0.93 * bears(Contacts::LEFT),
        "{} {}",
        bears(Contacts::RIGHT),
        bears(Contacts::LEFT)
    );
}

#[test]
fn toddlers_step_more_often_and_wider_and_the_old_stoop() {
    let steps = |clip: &Clip| {
        let lands = |foot: Contacts| {
            clip.contacts.windows(2).filter(|pair| !pair[0].touches(foot) && pair[1].touches(foot)).count()
        };
        lands(Contacts::LEFT) + lands(Contacts::RIGHT)
    };
    // How far the balls of both feet are apart across the way, on the mean, in metres.
    let width = |clip: &Clip| {
        let skeleton = ENGINE.skeleton();
        let legs = *StanceSolver::of(skeleton).unwrap().legs();
        let across = |frame: usize| {
            let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
            joints.positions[legs[0].ball].y - joints.positions[legs[1].ball].y
        };
        (0..clip.frames()).map(across).sum::<f32>() / clip.frames() as f32
    };
    let [toddler, child, adult, old] =
        [1.0, 5.0, 30.0, 90.0].map(|years| check(&Walk::of_age(years), 8.0, &format!("{years}"), ahead(0.8)));
    assert_eq!(steps(&child), steps(&adult), "from four years on legs alone count");
    assert!(steps(&toddler) as f32 > 1.2 * steps(&adult) as f32, "{} {}", steps(&toddler), steps(&adult));
    assert!(width(&toddler) > 1.5 * width(&adult), "{} {}", width(&toddler), width(&adult));
    assert!(width(&old) > 1.2 * width(&adult), "{} {}", width(&old), width(&adult));
    let high = |clip: &Clip| {
        let skeleton = ENGINE.skeleton();
        let head = Body::guess(skeleton).head.unwrap();
        let ahead = |frame: usize| {
            let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
            joints.positions[head].x - joints.positions[0].x
        };
        (0..clip.frames()).map(ahead).sum::<f32>() / clip.frames() as f32
    };
    assert!(high(&old) > high(&adult) + 0.08, "{} {}", high(&old), high(&adult));
}
