//! Every method agrees with the definition.

use super::*;
use crate::Placement;
use glam::Vec2;
use proptest::prelude::*;

const METHODS: [Method; 8] = [
    Method::FrameByFrame,
    Method::OneLevel,
    Method::Mobb,
    Method::Umobb,
    Method::Hybrid1,
    Method::Hybrid2,
    Method::WideSweep,
    Method::Best,
];

/// Walks that go straight, turn, and stand, with changing radii.
fn track(frames: std::ops::Range<usize>) -> impl Strategy<Value = DiscTrack> {
    let stretch = (1usize..80, -0.06f32..0.06, prop_oneof![Just(0.0f32), 0.01f32..0.2], 0.1f32..1.0);
    (frames, prop::collection::vec(stretch, 1..20), prop::bool::ANY).prop_map(|(frames, stretches, fixed)| {
        let mut here = Placement::IDENTITY;
        let (mut positions, mut radii) = (Vec::new(), Vec::new());
        'walk: loop {
            for &(length, turn, step, radius) in &stretches {
                for _ in 0..length {
                    positions.push(here.position);
                    radii.push(if fixed { 0.5 } else { radius });
                    here = here.then(Placement::new(step, 0.0, turn));
                    if positions.len() == frames {
                        break 'walk;
                    }
                }
            }
        }
        DiscTrack::new(positions, radii).expect("finite by construction")
    })
}

fn placement(reach: f32) -> impl Strategy<Value = Placement> {
    (-reach..reach, -reach..reach, -4.0f32..4.0).prop_map(|(x, y, heading)| Placement::new(x, y, heading))
}

/// The smallest gap between the discs of two placed motions, in metres, by double precision in world coordinates.
fn gap(a: &DiscTrack, at_a: Placement, b: &DiscTrack, at_b: Placement, shift: i32) -> f64 {
    let world = |track: &DiscTrack, at: Placement, frame: i32| {
        let disc = track.disc(frame as usize);
        let facing = at.facing().as_dvec2();
        (at.position.as_dvec2() + facing.rotate(disc.centre.as_dvec2()), f64::from(disc.radius))
    };
    (0.max(shift)..(a.duration() as i32).min(b.duration() as i32 + shift))
        .map(|frame| {
            let ((p, r), (q, s)) = (world(a, at_a, frame), world(b, at_b, frame - shift));
            p.distance(q) - r - s
        })
        .fold(f64::INFINITY, f64::min)
}

fn check(a: DiscTrack, at_a: Placement, b: DiscTrack, at_b: Placement, shift: i32, start: i32) {
    let (tree_a, tree_b) = (MotionTree::new(a), MotionTree::new(b));
    let placed_a = Placed { tree: &tree_a, anchor: at_a.into(), start_frame: start };
    let placed_b = Placed { tree: &tree_b, anchor: at_b.into(), start_frame: start + shift };
    let answer = placed_a.meets(&placed_b, Method::FrameByFrame);
    for method in METHODS {
        assert_eq!(placed_a.meets(&placed_b, method), answer, "{method:?}");
        assert_eq!(placed_a.meets_counting(&placed_b, method, &mut Work::default()), answer, "{method:?}");
    }
    let gap = gap(tree_a.track(), at_a, tree_b.track(), at_b, shift);
    if gap.abs() > 1e-3 {
        assert_eq!(answer, gap < 0.0, "gap {gap}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn methods_agree_on_short_motions(
        a in track(1..90), b in track(1..90), at_a in placement(3.0), at_b in placement(3.0),
        shift in -100i32..100, start in -1000i32..1000,
    ) {
        check(a, at_a, b, at_b, shift, start);
    }

    #[test]
    fn methods_agree_far_from_the_origin(
        a in track(1..90), b in track(1..90), at_a in placement(3.0), at_b in placement(3.0), shift in -60i32..60,
    ) {
        let far = Placement::new(4000.0, -2500.0, 0.0);
        check(a, far.then(at_a), b, far.then(at_b), shift, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn methods_agree_on_long_motions(
        a in track(300..2500), b in track(30..2500), at_a in placement(12.0), at_b in placement(12.0), shift in -2500i32..2500,
    ) {
        check(a, at_a, b, at_b, shift, 0);
    }

    /// Placed so that two discs of the motions touch up to rounding, where a box that is too small would show.
    #[test]
    fn methods_agree_on_motions_that_just_touch(
        a in track(2..400), b in track(2..400), at_a in placement(12.0), heading in -4.0f32..4.0,
        (i, j) in (0usize..10_000, 0usize..10_000), direction in -4.0f32..4.0, nudge in -2e-5f32..2e-5,
    ) {
        let (i, j) = (i % a.duration(), j % b.duration());
        let (p, q) = (a.disc(i), b.disc(j));
        let way = Placement::new(0.0, 0.0, direction).facing() * (p.radius + q.radius + nudge);
        let turned = Placement::new(0.0, 0.0, heading);
        let at_b = Placement { position: at_a.transform_point(p.centre) + way - turned.transform_point(q.centre), heading };
        check(a, at_a, b, at_b, i as i32 - j as i32, 0);
    }
}

fn still(x: f32, frames: usize, radius: f32) -> MotionTree {
    MotionTree::new(DiscTrack::with_radius(&vec![Vec2::new(x, 0.0); frames], radius).expect("sound"))
}

fn meet_everywhere(a: &MotionTree, b: &MotionTree, shift: i32) -> Vec<bool> {
    let at = Anchor::from(Placement::IDENTITY);
    let [a, b] = [(a, 0), (b, shift)].map(|(tree, start_frame)| Placed { tree, anchor: at, start_frame });
    METHODS.iter().map(|&method| a.meets(&b, method)).collect()
}

#[test]
fn discs_that_touch_do_not_meet() {
    let (a, touching, closer) = (still(0.0, 20, 0.5), still(1.0, 20, 0.5), still(0.999, 20, 0.5));
    assert_eq!(meet_everywhere(&a, &touching, 0), [false; METHODS.len()]);
    assert_eq!(meet_everywhere(&a, &closer, 0), [true; METHODS.len()]);
}

#[test]
fn the_last_sample_belongs_to_what_follows() {
    let (a, b) = (still(0.0, 21, 0.5), still(0.0, 21, 0.5));
    assert_eq!(meet_everywhere(&a, &b, 19), [true; METHODS.len()]);
    assert_eq!(meet_everywhere(&a, &b, 20), [false; METHODS.len()]);
    assert_eq!(meet_everywhere(&a, &b, -19), [true; METHODS.len()]);
    assert_eq!(meet_everywhere(&a, &b, -20), [false; METHODS.len()]);
    assert_eq!(meet_everywhere(&a, &still(0.0, 1, 0.5), 5), [false; METHODS.len()]);
}

#[test]
fn tracks_that_make_no_sense_are_refused() {
    assert_eq!(DiscTrack::with_radius(&[], 1.0), Err(TrackError::Empty));
    assert_eq!(DiscTrack::new([Vec2::ZERO], []), Err(TrackError::Lengths { positions: 1, radii: 0 }));
    let refused = Err(TrackError::NotFinite { frame: 1 });
    assert_eq!(DiscTrack::new([Vec2::ZERO, Vec2::NAN], [1.0, 1.0]), refused);
    assert_eq!(DiscTrack::new([Vec2::ZERO, Vec2::ZERO], [1.0, -1.0]), refused);
}

#[test]
fn a_thread_of_frames_needs_no_more_tests_than_its_levels() {
    // Two that walk side by side, far enough apart: only the levels down to the separating one are looked at.
    let line: Vec<Vec2> = (0..1261).map(|frame| Vec2::new(frame as f32 * 0.04, 0.0)).collect();
    let tree = MotionTree::new(DiscTrack::with_radius(&line, 0.5).expect("sound"));
    let placed = |y| Placed { tree: &tree, anchor: Placement::new(0.0, y, 0.0).into(), start_frame: 0 };
    let mut work = Work::default();
    assert!(!placed(0.0).meets_counting(&placed(1.1), Method::Mobb, &mut work));
    assert_eq!(work, Work { boxes_2d: 1, boxes_3d: 0, samples: 0 });
    let mut work = Work::default();
    assert!(placed(0.0).meets_counting(&placed(0.9), Method::Mobb, &mut work));
    assert!(work.boxes_2d < 60 && work.samples == 1, "{work:?}");
}
