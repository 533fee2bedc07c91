//! Bodies that follow discs of all kinds: feet stay put, hips do not jerk, roots stay near.

use crowdloom_base::grid::NeighbourGrid;
use crowdloom_diversity::{Demand, Priorities, StyleBook, StyleControl, StyleOptions};
use crowdloom_follower::{Follower, LEASH, Moment, View, Wall};
use crowdloom_motion::body::Body;
use crowdloom_motion::stance::StanceSolver;
use crowdloom_motion::styles::{MotionType, StyleLibrary};
use crowdloom_motion::{FRAME_TIME, JointFrames, Placement, builtin, heel_offset};
use glam::{Quat, Vec2, Vec3};
use std::sync::{Arc, LazyLock};

static BOOK: LazyLock<Arc<StyleBook>> = LazyLock::new(|| {
    let (library, _) = StyleLibrary::build(&builtin::library(), &Default::default()).unwrap();
    Arc::new(StyleBook::new(Arc::new(library)))
});

/// What following a way came to.
#[derive(Default, Debug)]
struct Found {
    /// Speeds of heels and balls that bear weight, in metres a second.
    slides: Vec<f32>,
    /// The greatest change of the hips' velocity in a frame, in metres a second, and how many are above 0.7.
    jolt: f32,
    jolts: usize,
    /// The same upright alone.
    bounce: f32,
    /// The farthest that the root is from the disc, in metres.
    strays: f32,
    /// The fastest turn of a joint, in radians a second.
    joint: f32,
    /// The joint and when it was.
    joint_name: String,
    /// The share of the time in which no foot bears weight.
    flies: f32,
    changes: usize,
    /// Mean and most that hips sink, in metres.
    drop: [f32; 2],
}

impl Found {
    fn slide(&self, share: f32) -> f32 {
        let mut slides = self.slides.clone();
        slides.sort_by(f32::total_cmp);
        slides.get((slides.len() as f32 * share) as usize).copied().unwrap_or(0.0)
    }
}

/// Follows a disc whose place is told for every frame, in the style of number `style` of its type.
fn follow(way: &dyn Fn(u32) -> Vec2, frames: u32, seed: u64) -> Found {
    follow_beside(way, frames, seed, &|_| None)
}

/// The same beside a wall.
fn follow_beside(
    way: &dyn Fn(u32) -> Vec2,
    frames: u32,
    seed: u64,
    wall: &dyn Fn(Vec2) -> Option<Wall>,
) -> Found {
    let book = &*BOOK;
    let skeleton = book.library().skeleton();
    let leg = Body::guess(skeleton).leg_length(skeleton).unwrap();
    let solver = StanceSolver::of(skeleton).unwrap();
    let mut control =
        StyleControl::new(book.clone(), StyleOptions::default(), vec![Priorities::even(book)], seed);
    control.add(0, Demand { kind: MotionType::Walking, speed: 1.3, rate: None });
    let moment = |control: &StyleControl| {
        let playing = control.playing()[0];
        let number = book.number(playing.from, playing.style, playing.start);
        (number, playing.frame, control.rate(0), book.kind(playing.style))
    };
    let as_moment = |(number, frame, rate, kind)| Moment {
        played: book.played(number),
        number: number as u32,
        frame,
        rate,
        kind,
        leg,
        size: 1.0,
    };
    let first = way(1) - way(0);
    let at = Placement { position: way(0), heading: first.to_angle() };
    let mut follower = Follower::new(at, first / FRAME_TIME, &as_moment(moment(&control)));
    let (mut found, mut frames_of) = (Found::default(), JointFrames::default());
    let mut grid = NeighbourGrid::default();
    let mut before: Option<([Vec3; 4], [bool; 4], Vec<Quat>)> = None;
    let mut hips: [Option<Vec3>; 2] = [None; 2];
    let mut kind_before = MotionType::Walking;
    let mut flies = 0;
    for frame in 1..frames {
        let disc = way(frame);
        follower.watch(disc);
        grid.rebuild(&[disc], 2.0);
        let own = book.speed(control.playing()[0].style);
        control.step(&grid, &[disc], |_, current| Demand {
            kind: follower.wants(current),
            speed: follower.speed(),
            rate: Some(follower.cadence(own)),
        });
        let now = moment(&control);
        follower.go(disc, &as_moment(now), View { wall: wall(disc), ..View::default() });
        let stance = follower.stance();
        let played = book.played(now.0);
        let mut pose = played.clip.sample(now.1);
        let (root, clip_frame) = (follower.root(), (now.1 as usize).min(played.clip.frames() - 1));
        solver.solve(skeleton, root, &stance, &mut pose.root_height, &mut pose.rotations, &mut frames_of);
        let joints = pose.joints(skeleton, root);
        let feet: [Vec3; 4] = std::array::from_fn(|part| {
            let leg = solver.legs()[part / 2];
            match part % 2 {
                0 => {
                    joints.positions[leg.ankle]
                        + joints.orientations[leg.ankle] * heel_offset(skeleton, leg.ankle)
                }
                _ => joints.positions[leg.ball],
            }
        });
        let touches: [bool; 4] = std::array::from_fn(|part| {
            let bits = played.clip.contacts[clip_frame].0 >> (part / 2 * 2) & 3;
            stance.feet[part / 2].planted
                && if part % 2 == 0 { bits & 1 != 0 } else { bits & 2 != 0 || bits == 0 }
        });
        if stance.feet.iter().all(|foot| !foot.planted) {
            flies += 1;
        }
        if let Some((feet_before, touched, rotations)) = &before {
            for part in (0..4).filter(|part| touched[*part] && touches[*part]) {
                let slide = (feet[part] - feet_before[part]).truncate().length() / FRAME_TIME;
                found.slides.push(slide);
                if slide > 0.06 && std::env::var("TELL").is_ok() {
                    let short = joints.positions[solver.legs()[part / 2].ball]
                        .truncate()
                        .distance(stance.feet[part / 2].ball);
                    let foot = played.foot_at(part / 2, now.1);
                    println!(
                        "  {frame} part {part} {slide:.2} short {short:.3} drop {:.3} bits {:?} clip {} at {:.2} rate {:.2} above {:.3}",
                        stance.drop, foot.contacts, played.clip.name, now.1, now.2, foot.above
                    );
                }
            }
            for (joint, (a, b)) in pose.rotations.iter().zip(rotations).enumerate() {
                let turn = 2.0 * (a.inverse() * *b).xyz().length().min(1.0).asin() / FRAME_TIME;
                if turn > found.joint {
                    found.joint = turn;
                    found.joint_name =
                        format!("{} in frame {frame} of {}", skeleton.joints()[joint].name, played.clip.name);
                }
            }
        }
        before = Some((feet, touches, pose.rotations.clone()));
        let hip = root.position.extend(pose.root_height);
        if let [Some(a), Some(b)] = hips {
            let jolt = ((hip - b) - (b - a)).length() / FRAME_TIME;
            found.jolt = found.jolt.max(jolt);
            found.bounce = found.bounce.max((hip.z - 2.0 * b.z + a.z).abs() / FRAME_TIME);
            found.jolts += usize::from(jolt > 0.7);
        }
        hips = [hips[1], Some(hip)];
        found.strays = found.strays.max(root.position.distance(disc));
        found.drop = [found.drop[0] + stance.drop / frames as f32, found.drop[1].max(stance.drop)];
        found.changes += usize::from(now.3 != kind_before);
        kind_before = now.3;
    }
    found.flies = flies as f32 / frames as f32;
    found
}

/// A number from -1 to 1 that looks random.
fn noise(at: u32) -> f32 {
    let bits = at.wrapping_mul(0x9e37_79b1);
    let bits = (bits ^ bits >> 15).wrapping_mul(0x2c1b_3c6d);
    ((bits ^ bits >> 12) & 0xffff) as f32 / 32768.0 - 1.0
}

/// Adds up velocities, frame after frame; nobody changes them by more than 0.45 m/s in a frame.
fn travelled(velocity: impl Fn(u32) -> Vec2, frames: u32) -> Vec<Vec2> {
    shoved(velocity, frames, 0.45)
}

/// The same of somebody who changes them by at most `most` metres a second in a frame.
fn shoved(velocity: impl Fn(u32) -> Vec2, frames: u32, most: f32) -> Vec<Vec2> {
    let (mut at, mut own) = (Vec2::ZERO, velocity(0));
    (0..frames)
        .map(|frame| {
            own += (velocity(frame) - own).clamp_length_max(most);
            at += own * FRAME_TIME;
            at
        })
        .collect()
}

const FRAMES: u32 = 30 * 60;

/// Ways of all kinds, a minute each.
fn ways() -> Vec<(&'static str, Vec<Vec2>)> {
    let angle = |frame: u32, every: u32| noise(frame / every + 7) * 3.0;
    let knots: Vec<Vec2> = travelled(|knot| Vec2::from_angle(noise(knot / 5) * 1.2) * 1.3 * 12.0, 200);
    vec![
        ("straight", travelled(|_| Vec2::X * 1.35, FRAMES)),
        ("slow", travelled(|_| Vec2::X * 0.35, FRAMES)),
        ("fast", travelled(|_| Vec2::X * 1.9, FRAMES)),
        ("run", travelled(|_| Vec2::X * 3.2, FRAMES)),
        ("circle", travelled(|frame| Vec2::from_angle(frame as f32 * 0.03) * 1.2, FRAMES)),
        (
            "shoved",
            travelled(|frame| Vec2::X * 1.3 + Vec2::new(noise(frame), noise(frame + 9999)) * 0.6, FRAMES),
        ),
        ("queue", travelled(|frame| Vec2::X * if frame / 60 % 2 == 0 { 0.7 } else { 0.0 }, FRAMES)),
        ("stop and go", travelled(|frame| Vec2::X * if frame / 25 % 2 == 0 { 1.2 } else { 0.0 }, FRAMES)),
        (
            "flight",
            travelled(
                |frame| {
                    let hurries = 3.0 + 0.4 * noise(frame / 70);
                    Vec2::from_angle(angle(frame, 50) * 0.2) * hurries
                        + Vec2::new(noise(frame / 3), noise(frame / 3 + 99)) * 0.2
                },
                FRAMES,
            ),
        ),
        ("turns", travelled(|frame| Vec2::from_angle(angle(frame, 60)) * 1.2, FRAMES)),
        (
            "pushed while standing",
            travelled(
                |frame| {
                    let push = noise(frame / 20) > 0.4;
                    if push { Vec2::from_angle(angle(frame, 20)) * 0.5 } else { Vec2::ZERO }
                },
                FRAMES,
            ),
        ),
        ("jammed", travelled(|frame| Vec2::from_angle(angle(frame, 4)) * 0.25 + Vec2::X * 0.15, FRAMES)),
        (
            "2.5 frames a second",
            (0..FRAMES)
                .map(|frame| {
                    let (knot, t) = ((frame / 12) as usize, (frame % 12) as f32 / 12.0);
                    knots[knot].lerp(knots[knot + 1], t)
                })
                .collect(),
        ),
    ]
}

/// The fastest that a joint turns in any style at its own pace, in radians a second.
fn fastest_in_clips() -> f32 {
    let clips = BOOK.library().primitives().iter().map(|primitive| &primitive.clip);
    let turn = |a: &Quat, b: &Quat| 2.0 * (a.inverse() * *b).xyz().length().min(1.0).asin() / FRAME_TIME;
    clips
        .flat_map(|clip| (1..clip.frames()).map(move |frame| (clip, frame)))
        .flat_map(|(clip, frame)| {
            let pairs = clip.frame_rotations(frame - 1).iter().zip(clip.frame_rotations(frame));
            pairs.map(|(a, b)| turn(a, b)).collect::<Vec<_>>()
        })
        .fold(0.0, f32::max)
}

#[test]
fn feet_stay_put_and_hips_do_not_jerk() {
    let mut mistakes = Vec::new();
    let fastest = fastest_in_clips();
    for (name, way) in ways() {
        let found = follow(&|frame| way[frame as usize], FRAMES, 3);
        println!(
            "{name:22} slides {:.3} {:.3} {:.3}  jolt {:.2} {:.2} ({})  strays {:.3}  joint {:.1} {}  flies {:.2} changes {} drop {:.3} {:.3}",
            found.slide(0.5),
            found.slide(0.99),
            found.slide(0.9999),
            found.jolt,
            found.bounce,
            found.jolts,
            found.strays,
            found.joint,
            found.joint_name,
            found.flies,
            found.changes,
            found.drop[0],
            found.drop[1]
        );
        let fine = found.slide(0.5) <= 0.02
            && found.slide(0.99) <= 0.1
            && found.jolts == 0
            && found.strays <= LEASH
            && found.joint <= 1.5 * fastest;
        if !fine {
            mistakes.push(name);
        }
    }
    assert!(mistakes.is_empty(), "{mistakes:?}");
}

/// Ways of a panic: discs that run into others stop dead and are pushed about. Nobody stays within 5 cm of those without a jolt, but
/// feet stand, and legs are hardly faster than in clips.
#[test]
fn who_is_stopped_dead_keeps_feet_and_legs() {
    let fastest = fastest_in_clips();
    let stopped = shoved(|frame| Vec2::X * if frame / 45 % 2 == 0 { 3.2 } else { 0.0 }, FRAMES, 1.6);
    let pushed = |frame: u32| {
        let push = Vec2::new(noise(frame / 2), noise(frame / 2 + 77)) * 1.5;
        Vec2::X * 2.6 * (0.5 + 0.5 * noise(frame / 40)) + push
    };
    for (name, way) in [("stopped", stopped), ("pushed", shoved(pushed, FRAMES, 1.6))] {
        let found = follow(&|frame| way[frame as usize], FRAMES, 3);
        let slides = [0.5, 0.99].map(|share| found.slide(share));
        println!("{name}: slides {slides:?}, joint {} of {fastest} ({})", found.joint, found.joint_name);
        assert!(slides[0] <= 0.02 && slides[1] <= 0.1, "{name}: {slides:?}");
        assert_eq!(found.jolts, 0, "{name}");
        assert!(found.joint <= 1.5 * fastest, "{name}: {} {}", found.joint, found.joint_name);
    }
}

/// Who goes slowly takes shorter steps, not slower ones: no walk is shown in slow motion, nor hurried where longer steps do.
#[test]
fn who_runs_into_a_wall_stays_with_its_disc() {
    // 3 m/s along x until the wall takes all of that within a frame, then on along it.
    let wall_at = 20.0 * FRAME_TIME * 3.0;
    let way: Vec<Vec2> = (0..60u32)
        .map(|frame| {
            Vec2::new((3.0 * frame as f32 * FRAME_TIME).min(wall_at), 0.8 * frame as f32 * FRAME_TIME)
        })
        .collect();
    let wall = |disc: Vec2| Some(Wall { away: Vec2::NEG_X, gap: wall_at - disc.x });
    let (seen, unseen) = (
        follow_beside(&|frame| way[frame as usize], 60, 5, &wall),
        follow(&|frame| way[frame as usize], 60, 5),
    );
    assert!(unseen.strays > 0.11 && seen.strays < 0.6 * unseen.strays, "{} {} m", seen.strays, unseen.strays);
    assert!(seen.strays < 0.11, "{} m", seen.strays);
    assert!(seen.jolt < 0.7, "{} m/s", seen.jolt);
}

#[test]
fn cadence_stays_near_the_styles_own() {
    let book = &*BOOK;
    let style = book.first(MotionType::Walking);
    let skeleton = book.library().skeleton();
    let played = book.played(book.number(style, style, Default::default()));
    let leg = Body::guess(skeleton).leg_length(skeleton).unwrap();
    for (speed, least, most) in [(0.3, 0.8, 0.8), (0.8, 0.8, 0.9), (1.3, 1.0, 1.0), (1.8, 1.15, 1.25)] {
        let moment =
            Moment { played, number: 0, frame: 0.0, rate: 1.0, kind: MotionType::Walking, leg, size: 1.0 };
        let mut follower = Follower::new(Placement::IDENTITY, Vec2::X * speed, &moment);
        (1..90).for_each(|frame| follower.watch(Vec2::X * (frame as f32 * FRAME_TIME * speed)));
        let cadence = follower.cadence(1.3);
        assert!((least - 0.01..=most + 0.01).contains(&cadence), "{cadence} at {speed} m/s");
    }
}
