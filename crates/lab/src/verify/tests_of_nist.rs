//! NIST TN 1822: counter-flow.

use super::Finding;
use crate::staged::{SceneText, run_out};
use glam::Vec2;

/// Test 2.8: 100 people cross a corridor 10 m × 2 m between two rooms of 10 m × 10 m, against 0, 10, 50 and 100; the last
/// of both groups counts.
pub(super) fn counter_flow(mover: &str) -> Finding {
    let mut times = Vec::new();
    let mut left = Vec::new();
    for against in [0, 10, 50, 100] {
        let mut scene = SceneText::new(&[[0.0, 0.0], [30.0, 0.0], [30.0, 10.0], [0.0, 10.0]], mover)
            .wall([10.0, 0.0, 20.0, 4.0])
            .wall([10.0, 6.0, 20.0, 10.0])
            .place("west", [0.2, 0.2, 8.0, 9.8])
            .place("east", [22.0, 0.2, 29.8, 9.8])
            .exit("west")
            .exit("east")
            .people(100, ("west", "east"), [0.0, 0.0], None);
        if against > 0 {
            scene = scene.people(against, ("east", "west"), [0.0, 0.0], None);
        }
        let outcome = run_out(&scene, 28, 400.0, (Vec2::new(15.0, 4.0), Vec2::new(15.0, 6.0)))?;
        times.push(outcome.end());
        left.push(outcome.left);
    }
    let rises = times.windows(2).all(|pair| pair[1] > pair[0]);
    let stuck: usize = left.iter().sum();
    let times: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
    Ok((rises && stuck == 0, format!("{} s, {left:?} left behind", times.join(", "))))
}
