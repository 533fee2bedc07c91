//! The nearest of several goals.

use super::{NoWay, Route, Router};
use glam::Vec2;

/// The exit with the shortest way for a disc of `radius` metres: its index and the way; or why no exit can be
/// reached.
pub fn nearest_exit(
    router: &(impl Router + ?Sized),
    from: Vec2,
    exits: &[Vec2],
    radius: f32,
) -> Result<(usize, Route), NoWay> {
    let mut order: Vec<(f32, usize)> =
        exits.iter().enumerate().map(|(i, exit)| (exit.distance(from), i)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut best: Option<(usize, Route)> = None;
    let mut why = NoWay::NotConnected { radius };
    for (straight, exit) in order {
        // No way is shorter than the straight line.
        if best.as_ref().is_some_and(|(_, route)| f64::from(straight) >= route.length) {
            break;
        }
        match router.route(from, exits[exit], radius) {
            Ok(route) if best.as_ref().is_none_or(|(_, known)| route.length < known.length) => {
                best = Some((exit, route));
            }
            Ok(_) => {}
            Err(blocked @ NoWay::StartBlocked { .. }) => return Err(blocked),
            Err(other) => why = other,
        }
    }
    best.ok_or(why)
}
