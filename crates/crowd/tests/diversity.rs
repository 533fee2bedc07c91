//! The style layer over every kind of mover.

mod common;

use common::{STYLES as BOOK, crowd_on, give_bodies};
use crowdloom_crowd::cell_marking::{CellCrowd, Joiner, Options, SegmentBook, SegmentOptions};
use crowdloom_crowd::diversity::{
    Camera, Demand, Priorities, Scheme, StyleAdditions, StyleBook, StyleControl, StyleOptions, StyleWeights,
    gait,
};
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_crowd::{Crowd, Errand, Mind, Mover, Newcomer, Profile};
use crowdloom_motion::styles::{MotionType, Start};
use crowdloom_motion::{FRAME_RATE, Placement, builtin};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Vec2};
use std::sync::Arc;

/// People on a square who go round and round; every tenth runs, every seventh fights where it stands.
fn crowd(scheme: Scheme, agents: usize, seed: u64) -> Crowd {
    let outline = rectangle(DVec2::ZERO, DVec2::splat(150.0));
    let ground = Arc::new(Ground::builder().floor(Outline::solid("floor", outline)).build().unwrap());
    let mut crowd = crowd_on(ground, seed);
    let columns = (agents as f32).sqrt().ceil() as usize;
    for agent in 0..agents {
        let position = Vec2::new((agent % columns) as f32, (agent / columns) as f32) * 1.5 + 25.0;
        let speed = if agent.is_multiple_of(10) { 2.8 } else { 1.0 + (agent % 8) as f32 * 0.1 };
        let errand = match agent % 7 == 3 {
            true => Errand::Stay(MotionType::Fighting),
            false => Errand::Around { centre: position + Vec2::Y * 6.0, between: [5.0, 7.0] },
        };
        let mind = Mind { speed, errand, ..Mind::default() };
        let profile = Profile { top_speed: 3.5, ..Profile::default() };
        let newcomer = Newcomer { mover: Mover::Steered(HIDAC), profile, mind, ..Newcomer::default() };
        crowd.add(Placement { position, heading: 0.0 }, newcomer).unwrap();
    }
    give_bodies(&mut crowd, scheme, false);
    crowd
}

/// The number of HiDAC among the steerings.
const HIDAC: u16 = 4;

fn styles(crowd: &Crowd) -> &StyleControl {
    crowd.bodies().unwrap().control()
}

#[test]
fn one_thread_or_many_same_bits() {
    // More than one job of the layer and of its choices.
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut crowd = crowd(Scheme::Diverse, 4500, 3);
            (0..45).for_each(|_| crowd.step());
            let bits = |agent: usize| {
                let playing = styles(&crowd).playing()[agent];
                let place = crowd.positions()[agent];
                (
                    playing.from,
                    playing.style,
                    playing.start.0,
                    playing.frame.to_bits(),
                    place.x.to_bits(),
                    place.y.to_bits(),
                )
            };
            (0..crowd.len()).map(bits).collect::<Vec<_>>()
        })
    };
    let one = run(1);
    assert!(one == run(2));
}

#[test]
fn roots_stay_with_their_discs_and_feet_where_they_stand() {
    let mut crowd = crowd(Scheme::Diverse, 200, 11);
    let (mut far, mut all, mut farthest) = (0, 0, 0.0f32);
    let mut before: Vec<Option<crowdloom_motion::stance::Stance>> = vec![None; 200];
    for _ in 0..450 {
        crowd.step();
        for (agent, before) in before.iter_mut().enumerate() {
            let body = crowd.body(agent);
            let away = body.placement.position.distance(crowd.positions()[agent]);
            (far, all, farthest) = (far + usize::from(away > 0.05), all + 1, farthest.max(away));
            let stance = body.stance.unwrap();
            for (foot, last) in stance.feet.iter().zip(before.iter().flat_map(|stance| stance.feet)) {
                // A foot that stands only rolls.
                let moved = foot.ball.distance(last.ball);
                assert!(!(foot.planted && last.planted) || moved < 0.02, "{moved} m in a frame");
            }
            *before = Some(stance);
        }
    }
    // Only where a disc itself jumps is a root left behind for a moment.
    assert!(far * 1000 <= all && farthest < 0.15, "{far} of {all} are off, {farthest} m at most");
}

#[test]
fn counters_tell_the_truth() {
    let mut crowd = crowd(Scheme::Diverse, 300, 5);
    for frame in 0..400 {
        crowd.step();
        if frame % 50 != 0 {
            continue;
        }
        let styles = styles(&crowd);
        for style in 0..BOOK.len() as u16 {
            let counted = styles.playing().iter().filter(|playing| playing.style == style).count();
            assert_eq!(styles.use_of(0, style).0 as usize, counted, "style {style} in frame {frame}");
        }
        let targets: f32 = (0..BOOK.len() as u16).map(|style| styles.use_of(0, style).1).sum();
        assert!((targets - 300.0).abs() < 0.1);
    }
    // All types turn up, and those who stay fight.
    let kind = |agent: usize| BOOK.kind(styles(&crowd).playing()[agent].style);
    assert_eq!(kind(3), MotionType::Fighting);
    assert!((0..300).any(|agent| kind(agent) == MotionType::Running));
    assert!((0..300).any(|agent| kind(agent) == MotionType::Walking));
}

#[test]
fn bodies_go_on_without_jumps() {
    let mut crowd = crowd(Scheme::Diverse, 60, 7);
    let skeleton = BOOK.library().skeleton();
    let joints = |crowd: &Crowd, agent: usize| {
        let shown = crowd.posed(agent);
        shown.pose.joints(skeleton, shown.placement)
    };
    let mut before: Vec<_> = (0..60).map(|agent| joints(&crowd, agent)).collect();
    let mut farthest = 0.0f32;
    for _ in 0..600 {
        crowd.step();
        for (agent, before) in before.iter_mut().enumerate() {
            let now = joints(&crowd, agent);
            for (a, b) in before.positions.iter().zip(&now.positions) {
                farthest = farthest.max(a.distance(*b));
            }
            *before = now;
        }
    }
    // A hand of a runner, or a kick, moves at 12 m/s at most; a jump would be farther.
    assert!(farthest < 0.55, "something jumped {farthest} m in a frame");
}

fn still(agents: usize, options: StyleOptions, kind: MotionType) -> (StyleControl, NeighbourGrid, Vec<Vec2>) {
    let positions: Vec<Vec2> =
        (0..agents).map(|agent| Vec2::new((agent % 20) as f32, (agent / 20) as f32) * 1.4).collect();
    let mut control = StyleControl::new(Arc::clone(&BOOK), options, Vec::new(), 1);
    positions.iter().for_each(|_| control.add(0, Demand { kind, speed: 1.2, rate: None }));
    let mut grid = NeighbourGrid::default();
    grid.rebuild(&positions, 1.6);
    (control, grid, positions)
}

#[test]
fn who_is_told_gets_there_through_the_table() {
    let options = StyleOptions::default();
    let (mut control, grid, positions) = still(40, options, MotionType::Walking);
    let table = BOOK.table(MotionType::Walking);
    let from = control.playing()[0].style;
    let far = (0..table.len())
        .max_by(|&a, &b| table.variation(from.into(), a).total_cmp(&table.variation(from.into(), b)));
    let far = far.unwrap() as u16;
    assert!(!table.candidates(from.into()).contains(&far), "it is too far for one change");
    control.tell(0, Some(far));
    let mut way = vec![from];
    for _ in 0..1500 {
        control.step(&grid, &positions, |_, _| Demand { kind: MotionType::Walking, speed: 1.2, rate: None });
        let now = control.playing()[0].style;
        if *way.last().unwrap() != now {
            way.push(now);
        }
    }
    assert_eq!(*way.last().unwrap(), far, "{way:?}");
    assert!(way.len() > 2);
    for pair in way.windows(2) {
        assert!(table.candidates(pair[0].into()).contains(&pair[1]), "{way:?}");
    }
}

#[test]
fn consistency_alone_keeps_everybody_as_they_are() {
    let weights = StyleWeights { local: 0.0, utilisation: 0.0, consistency: 1.0 };
    let additions = StyleAdditions { speed: 0.0, ..StyleAdditions::default() };
    let options = StyleOptions { weights, additions, ..StyleOptions::default() };
    let (mut control, grid, positions) = still(60, options, MotionType::Walking);
    for _ in 0..300 {
        control.step(&grid, &positions, |_, _| Demand { kind: MotionType::Walking, speed: 1.2, rate: None });
    }
    let switches = control.switches();
    assert!(switches.choices > 200 && switches.switches == 0, "{switches:?}");
}

#[test]
fn utilisation_alone_spreads_styles_by_their_priorities() {
    let weights = StyleWeights { local: 0.0, utilisation: 1.0, consistency: 0.0 };
    let additions = StyleAdditions { speed: 0.0, ..StyleAdditions::default() };
    let options = StyleOptions { weights, additions, ..StyleOptions::default() };
    let first = BOOK.first(MotionType::Walking);
    let priorities = Priorities::new(&BOOK, |style| if style == first { 5.0 } else { 1.0 });
    let (_, grid, positions) = still(200, options, MotionType::Walking);
    let mut control = StyleControl::new(Arc::clone(&BOOK), options, vec![priorities], 1);
    let demand = Demand { kind: MotionType::Walking, speed: 1.2, rate: None };
    positions.iter().for_each(|_| control.add(0, demand));
    (0..1500).for_each(|_| control.step(&grid, &positions, |_, _| demand));
    for style in BOOK.library().styles(MotionType::Walking) {
        let (current, target) = control.use_of(0, style as u16);
        // One agent more or less of a rare style (8 of 200) is as much as some of the one that 53 should have.
        let most = (0.18 * target).max(2.5);
        assert!((current as f32 - target).abs() < most, "style {style}: {current} of {target}");
    }
}

/// The style that maximises equation 2 for an agent, straight from equations 3 to 8.
fn published(control: &StyleControl, positions: &[Vec2], agent: usize, priority: impl Fn(u16) -> f32) -> u16 {
    let (table, first) = (BOOK.table(MotionType::Walking), BOOK.first(MotionType::Walking));
    let StyleOptions { weights, reach, camera, .. } = *control.options();
    let variation = |a: u16, b: u16| table.variation((a - first).into(), (b - first).into());
    let style = |agent: usize| control.playing()[agent].style;
    let distance = |other: usize| positions[agent].distance(positions[other]);
    let near: Vec<usize> =
        (0..positions.len()).filter(|&other| other != agent && distance(other) <= reach).collect();
    let mean = near.iter().map(|&other| distance(other)).sum::<f32>() / near.len() as f32;
    let all = (0..table.len() as u16).map(|style| first + style);
    let max_distance =
        all.clone().flat_map(|a| all.clone().map(move |b| variation(a, b))).fold(0.0, f32::max);
    let alpha = camera
        .map_or(1.0, |camera| camera.threshold / camera.position.distance(positions[agent].extend(0.0)));
    let score = |candidate: u16| {
        let d = near.iter().map(|&other| variation(style(other), candidate) / (distance(other) / mean));
        let d = d.sum::<f32>() / near.len() as f32;
        let target = priority(candidate) * positions.len() as f32 / table.len() as f32;
        let others = (0..positions.len()).filter(|&other| other != agent && style(other) == candidate);
        let u = target - others.count() as f32;
        let c = alpha * (max_distance - variation(style(agent), candidate));
        d * weights.local + u * weights.utilisation + c * weights.consistency
    };
    let candidates = table.candidates((style(agent) - first).into()).iter().map(|&style| first + style);
    candidates.max_by(|&a, &b| score(a).total_cmp(&score(b)).then(b.cmp(&a))).unwrap()
}

#[test]
fn the_text_is_followed_to_the_letter() {
    let first = BOOK.first(MotionType::Walking);
    let priority = |style: u16| if style == first + 2 { 4.0 } else { 1.0 };
    let camera = Camera {
        position: glam::Vec3::new(14.0, -10.0, 6.0),
        facing: Vec2::Y,
        half_view: 3.2,
        range: 200.0,
        threshold: 9.0,
    };
    let weights = StyleWeights { local: 2.0, utilisation: 0.3, consistency: 0.5 };
    for camera in [None, Some(camera)] {
        let options = StyleOptions { scheme: Scheme::Text, weights, camera, ..StyleOptions::default() };
        let (_, _, positions) = still(24, options, MotionType::Walking);
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&positions, options.reach);
        let mut control =
            StyleControl::new(Arc::clone(&BOOK), options, vec![Priorities::new(&BOOK, priority)], 7);
        let demand = Demand { kind: MotionType::Walking, speed: 1.2, rate: None };
        positions.iter().for_each(|_| control.add(0, demand));
        let (mut compared, mut changed) = (0, 0);
        for _ in 0..900 {
            let before = control.clone();
            control.step(&grid, &positions, |_, _| demand);
            // One who chose alone: nobody else changed what it looked at.
            let chose = control.switches().choices - before.switches().choices;
            if chose != 1 {
                continue;
            }
            let ended = |&agent: &usize| control.playing()[agent].frame < before.playing()[agent].frame;
            let agent = (0..positions.len()).find(ended).expect("somebody chose");
            let wanted = published(&before, &positions, agent, priority);
            assert_eq!(control.playing()[agent].style, wanted, "agent {agent} with camera {camera:?}");
            compared += 1;
            changed += usize::from(wanted != before.playing()[agent].style);
        }
        assert!(compared > 50 && changed > 5, "{compared} choices, {changed} changes");
    }
}

#[test]
fn a_march_marches() {
    let (first, count) = (BOOK.first(MotionType::Walking), BOOK.table(MotionType::Walking).len() as u16);
    let favours = |style: u16| style == first || style == first + count - 1;
    let weights = StyleWeights { local: 1.0, utilisation: 10.0, consistency: 5.0 };
    let options = StyleOptions { weights, ..StyleOptions::default() };
    let (_, grid, positions) = still(120, options, MotionType::Walking);
    let priorities = Priorities::new(&BOOK, |style| if favours(style) { 10.0 } else { 1.0 });
    let mut control = StyleControl::new(Arc::clone(&BOOK), options, vec![priorities], 3);
    let demand = Demand { kind: MotionType::Walking, speed: 1.2, rate: None };
    positions.iter().for_each(|_| control.add(0, demand));
    (0..1800).for_each(|_| control.step(&grid, &positions, |_, _| demand));
    let target = control.favoured_share(0, MotionType::Walking).unwrap() * 120.0;
    let march = control.playing().iter().filter(|playing| favours(playing.style)).count();
    assert!((march as f32 / target - 1.0).abs() < 0.06, "{march} march, {target} should");
}

#[test]
fn fixed_and_dealt_styles_are_kept() {
    for scheme in [Scheme::Fixed, Scheme::Dealt] {
        let options = StyleOptions { scheme, ..StyleOptions::default() };
        let (mut control, grid, positions) = still(60, options, MotionType::Walking);
        let demand = Demand { kind: MotionType::Walking, speed: 1.2, rate: None };
        (0..300).for_each(|_| control.step(&grid, &positions, |_, _| demand));
        assert!(control.switches().choices > 200 && control.switches().switches == 0);
        if scheme == Scheme::Dealt {
            for style in BOOK.library().styles(MotionType::Walking) {
                let (current, target) = control.use_of(0, style as u16);
                assert!((current as f32 - target).abs() <= 1.0, "style {style}: {current} of {target}");
            }
        }
    }
}

#[test]
fn captured_agents_get_styles_too() {
    let library = builtin::library();
    let book = Arc::new(SegmentBook::new(&library, &SegmentOptions::default()).unwrap());
    let mut crowd = CellCrowd::new(book, None, Options::default(), 1);
    for agent in 0..25 {
        let position = Vec2::new((agent % 5) as f32, (agent / 5) as f32) * 2.0;
        let placement = Placement { position, heading: 0.0 };
        crowd.add(Joiner { placement, goal: position + Vec2::X * 20.0, speed: 1.3 }).unwrap();
    }
    let mut control = StyleControl::new(Arc::clone(&BOOK), StyleOptions::default(), Vec::new(), 1);
    (0..25).for_each(|_| control.add(0, Demand { kind: MotionType::Waiting, speed: 0.0, rate: None }));
    let mut grid = NeighbourGrid::default();
    let mut before = crowd.positions().to_vec();
    for _ in 0..300 {
        crowd.step();
        grid.rebuild(crowd.positions(), 2.0);
        let positions = crowd.positions();
        control.step(&grid, positions, |agent, current| {
            let speed = positions[agent].distance(before[agent]) * FRAME_RATE;
            Demand { kind: gait(speed, current), speed, rate: None }
        });
        before.copy_from_slice(positions);
    }
    let walking = control.playing().iter().filter(|playing| BOOK.kind(playing.style) == MotionType::Walking);
    assert!(walking.count() > 15 && control.switches().choices > 50);
}

#[test]
fn leavers_are_not_counted_and_one_style_is_no_problem() {
    let one = BOOK.library().styles(MotionType::Walking).start;
    let part = BOOK.library().subset(&[one], 5);
    let book = Arc::new(StyleBook::new(Arc::new(part)));
    let mut control = StyleControl::new(Arc::clone(&book), StyleOptions::default(), Vec::new(), 1);
    // There is no fighting style: walking has to do.
    (0..5).for_each(|_| control.add(0, Demand { kind: MotionType::Fighting, speed: 1.0, rate: None }));
    let positions = vec![Vec2::ZERO; 5];
    let mut grid = NeighbourGrid::default();
    grid.rebuild(&positions, 1.0);
    (0..200).for_each(|_| {
        control.step(&grid, &positions, |_, _| Demand { kind: MotionType::Running, speed: 9.0, rate: None })
    });
    control.remove(1);
    assert_eq!((control.len(), control.use_of(0, 0).0), (4, 4));
    assert_eq!(control.playing()[0].start, Start::RIGHT);
}

#[test]
fn agents_of_a_motion_graph_walk_in_their_styles() {
    let outline = rectangle(DVec2::ZERO, DVec2::splat(40.0));
    let ground = Arc::new(Ground::builder().floor(Outline::solid("floor", outline)).build().unwrap());
    let mut crowd = crowd_on(ground, 1);
    let graph = crowd.setting().book.graph().clone();
    crowd.scatter(80, None, |_| Mind { speed: 1.3, wanders: true, ..Mind::default() });
    give_bodies(&mut crowd, Scheme::Diverse, true);
    let (mut styled, mut walking) = (0, 0);
    let mut seen = std::collections::BTreeSet::new();
    for frame in 0..1200 {
        crowd.step();
        if frame == 600 {
            crowd.remove(5);
        }
        if frame > 300 && frame % 30 == 0 {
            for agent in 0..crowd.len() {
                let Some((action, _)) = crowd.showing(agent) else { continue };
                let action = graph.action(action);
                if action.from == action.to && action.clip.has_label("walk") {
                    walking += 1;
                    styled += u32::from(crowd.mind(agent).style == Some(action.to.0));
                    seen.insert(action.to.0);
                }
            }
        }
    }
    assert_eq!(crowd.overlaps().0, 0);
    assert!(styled * 2 > walking && walking > 500, "{styled} of {walking}");
    assert!(seen.len() >= 12, "{} ways of walking", seen.len());
}
