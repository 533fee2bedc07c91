//! RiMEA 4.1.1: corridor, corner, exits, bottleneck.

use super::Finding;
use crate::staged::{NOWHERE, SceneText, run_out};
use glam::Vec2;

/// Test 1: one person walks 40 m at 1.33 m/s.
pub(super) fn corridor(mover: &str) -> Finding {
    let scene = SceneText::new(&[[0.0, 0.0], [44.0, 0.0], [44.0, 2.0], [0.0, 2.0]], mover)
        .place("start", [0.6, 0.5, 1.4, 1.5])
        .place("out", [41.0, 0.0, 44.0, 2.0])
        .exit("out")
        .people(1, ("start", "out"), [0.0, 0.0], Some([1.33, 1.33]));
    let outcome = run_out(&scene, 1, 120.0, NOWHERE)?;
    let time = outcome.end();
    Ok((outcome.left == 0 && (26.0..=34.0).contains(&time), format!("{time:.1} s")))
}

/// Test 6: twenty people walk round a corner to the left in a corridor 2 m wide.
pub(super) fn corner(mover: &str) -> Finding {
    let floor = [[0.0, 0.0], [12.0, 0.0], [12.0, 12.0], [10.0, 12.0], [10.0, 2.0], [0.0, 2.0]];
    let scene = SceneText::new(&floor, mover)
        .place("start", [0.0, 0.0, 6.0, 2.0])
        .place("out", [10.0, 10.5, 12.0, 12.0])
        .exit("out")
        .people(20, ("start", "out"), [0.0, 0.0], None);
    let outcome = run_out(&scene, 1, 240.0, NOWHERE)?;
    let crossed = if outcome.crossed_walls { "walls crossed" } else { "no wall crossed" };
    let measured = format!("{} arrived, {crossed}", outcome.gone.len());
    Ok((outcome.left == 0 && !outcome.crossed_walls, measured))
}

/// Test 9: a thousand people leave a room by four exits, then by two.
pub(super) fn exits(mover: &str) -> Finding {
    let four = empty_room(mover, &[(7.5, false), (22.5, false), (7.5, true), (22.5, true)])?;
    let two = empty_room(mover, &[(7.5, false), (22.5, false)])?;
    let ratio = two.0 / four.0;
    let left = four.1 + two.1;
    let measured = format!("{:.0} s by 4, {:.0} s by 2: {ratio:.2} times, {left} left behind", four.0, two.0);
    Ok(((1.6..=2.4).contains(&ratio) && left == 0, measured))
}

/// The time to empty the room of test 9 by doors 1 m wide, each at x in the south wall or the north one, everybody by the
/// nearest; and how many stayed.
fn empty_room(mover: &str, doors: &[(f64, bool)]) -> Result<(f32, usize), String> {
    const DEPTH: f64 = 20.0;
    let mut scene =
        SceneText::new(&[[0.0, -3.2], [30.0, -3.2], [30.0, DEPTH + 3.2], [0.0, DEPTH + 3.2]], mover);
    let both = doors.len() > 2;
    for (north, y) in [(false, -0.2), (true, DEPTH)] {
        let mut from = 0.0;
        for &(x, _) in doors.iter().filter(|door| door.1 == north) {
            scene = scene.wall([from, y, x - 0.5, y + 0.2]);
            from = x + 0.5;
        }
        scene = scene.wall([from, y, 30.0, y + 0.2]);
    }
    for (number, &(x, north)) in doors.iter().enumerate() {
        let (near, far) = if north { (DEPTH + 1.0, DEPTH + 3.2) } else { (-3.2, -1.0) };
        // The part of the room to which the door is the nearest.
        let (low, high) = match (both, north) {
            (false, _) => (0.2, DEPTH - 0.2),
            (true, false) => (0.2, DEPTH / 2.0),
            (true, true) => (DEPTH / 2.0, DEPTH - 0.2),
        };
        let (west, east) = if x < 15.0 { (0.2, 15.0) } else { (15.0, 29.8) };
        let (part, out) = (format!("part {number}"), format!("out {number}"));
        scene = scene
            .place(&part, [west, low, east, high])
            .place(&out, [x - 2.0, near, x + 2.0, far])
            .exit(&out)
            .people(1000 / doors.len(), (&part, &out), [0.0, 0.0], None);
    }
    let outcome = run_out(&scene, 9, 700.0, NOWHERE)?;
    Ok((outcome.end(), outcome.left))
}

/// Test 12d: flow through a gap 5 m long grows with its width.
pub(super) fn bottleneck(mover: &str) -> Finding {
    let mut flows = Vec::new();
    let mut left = 0;
    for width in [0.8, 1.0, 1.2] {
        let scene = SceneText::new(&[[0.0, 0.0], [25.0, 0.0], [25.0, 10.0], [0.0, 10.0]], mover)
            .wall([10.0, 0.0, 15.0, 5.0 - width / 2.0])
            .wall([10.0, 5.0 + width / 2.0, 15.0, 10.0])
            .place("room", [0.2, 0.2, 9.6, 9.8])
            .place("out", [20.0, 0.0, 25.0, 10.0])
            .exit("out")
            .people(150, ("room", "out"), [0.0, 0.0], None);
        let outcome = run_out(&scene, 12, 400.0, (Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0)))?;
        left += outcome.left;
        flows.push(outcome.flow());
    }
    let grows = flows.windows(2).all(|pair| pair[1] > pair[0]);
    let measured = format!("{:.2}, {:.2}, {:.2} people/s, {left} left behind", flows[0], flows[1], flows[2]);
    Ok((grows && left == 0, measured))
}
