//! RiMEA 4.1.1: corridor, corner, exits, bottleneck.

use super::Finding;
use crate::pedestrians::{Pedestrians, plan, preferred_speed, scatter, ways};
use crowdloom_crowd::velocity::Model;
use crowdloom_world::Stream;
use glam::Vec2;
use std::time::Instant;

/// Test 1: one person walks 40 m at 1.33 m/s.
pub(super) fn corridor(model: Model) -> Finding {
    let ground = plan(&[[0.0, 0.0, 44.0, 2.0]]).map_err(|error| error.to_string())?;
    let field = ways(&ground, &[Vec2::new(43.0, 1.0)]).map_err(|why| why.to_string())?;
    let mut crowd = Pedestrians::new(&ground, vec![field], 1);
    crowd.add(Vec2::new(1.0, 1.0), model, 1.33, 0);
    let outcome = crowd.walk(|_| false, |_, p| p.x >= 41.0);
    let time = outcome.end();
    Ok(((26.0..=34.0).contains(&time), format!("{time:.1} s")))
}

/// Test 6: twenty people walk round a corner to the left in a corridor 2 m wide.
pub(super) fn corner(model: Model) -> Finding {
    let ground =
        plan(&[[0.0, 0.0, 12.0, 2.0], [10.0, 0.0, 12.0, 12.0]]).map_err(|error| error.to_string())?;
    let field = ways(&ground, &[Vec2::new(11.0, 11.5)]).map_err(|why| why.to_string())?;
    let mut crowd = Pedestrians::new(&ground, vec![field], 1);
    let mut stream = Stream::new(1, 6);
    for place in scatter(20, Vec2::ZERO, Vec2::new(6.0, 2.0), 1) {
        crowd.add(place, model, preferred_speed(&mut stream), 0);
    }
    let outcome = crowd.walk(|_| false, |_, p| p.y > 11.0);
    let crossed = if outcome.crossed_walls { "walls crossed" } else { "no wall crossed" };
    let measured = format!("{} arrived, {crossed}", outcome.arrived.len());
    Ok((outcome.arrived.len() == 20 && !outcome.crossed_walls, measured))
}

/// Test 9: a thousand people leave a room by four exits, then by two.
pub(super) fn exits(model: Model) -> Finding {
    let start = Instant::now();
    let four = empty_room(model, &[(7.5, false), (22.5, false), (7.5, true), (22.5, true)])?;
    let computing = start.elapsed().as_secs_f64();
    let two = empty_room(model, &[(7.5, false), (22.5, false)])?;
    let ratio = two.0 / four.0;
    let left = four.1 + two.1;
    let measured = format!(
        "{:.0} s by 4 (computed in {computing:.2} s), {:.0} s by 2: {ratio:.2} times, {left} left behind",
        four.0, two.0
    );
    Ok(((1.6..=2.4).contains(&ratio) && left == 0, measured))
}

/// The time to empty the room of test 9 by doors 1 m wide, each at x in the south wall or the north one; and how many
/// stayed.
fn empty_room(model: Model, doors: &[(f64, bool)]) -> Result<(f32, usize), String> {
    const DEPTH: f64 = 20.0;
    let mut rectangles = vec![[0.0, 0.0, 30.0, DEPTH]];
    let mut goals = Vec::new();
    for &(x, north) in doors {
        // A doorway 0.2 m deep, then open space.
        let (near, far, end) = if north { (DEPTH, DEPTH + 0.2, DEPTH + 3.2) } else { (0.0, -0.2, -3.2) };
        rectangles.push([x - 0.5, near.min(far), x + 0.5, near.max(far)]);
        rectangles.push([x - 2.0, far.min(end), x + 2.0, far.max(end)]);
        goals.push(Vec2::new(x as f32, (0.2 * far + 0.8 * end) as f32));
    }
    let ground = plan(&rectangles).map_err(|error| error.to_string())?;
    let field = ways(&ground, &goals).map_err(|why| why.to_string())?;
    let mut crowd = Pedestrians::new(&ground, vec![field], 9);
    let mut stream = Stream::new(9, 9);
    let places = scatter(1000, Vec2::ZERO, Vec2::new(30.0, DEPTH as f32), 9);
    let missing = 1000 - places.len();
    for place in places {
        crowd.add(place, model, preferred_speed(&mut stream), 0);
    }
    let outcome = crowd.walk(|_| false, |_, p| p.y < -0.8 || p.y > DEPTH as f32 + 0.8);
    Ok((outcome.end(), outcome.left_behind + missing))
}

/// Test 12d: 150 people pass a gap 5 m long from one room of 10 m × 10 m into another.
pub(super) fn bottleneck(model: Model) -> Finding {
    let mut flows = Vec::new();
    let mut left = 0;
    for width in [0.8, 1.0, 1.2] {
        let gap = [10.0, 5.0 - width / 2.0, 15.0, 5.0 + width / 2.0];
        let ground = plan(&[[0.0, 0.0, 10.0, 10.0], gap, [15.0, 0.0, 25.0, 10.0]])
            .map_err(|error| error.to_string())?;
        let field = ways(&ground, &[Vec2::new(24.0, 5.0)]).map_err(|why| why.to_string())?;
        let mut crowd = Pedestrians::new(&ground, vec![field], 12);
        let mut stream = Stream::new(12, 12);
        for place in scatter(150, Vec2::ZERO, Vec2::new(10.0, 10.0), 12) {
            crowd.add(place, model, preferred_speed(&mut stream), 0);
        }
        let outcome = crowd.walk(|p| p.x > 10.0, |_, p| p.x > 20.0);
        left += outcome.left_behind;
        flows.push(outcome.flow());
    }
    let grows = flows.windows(2).all(|pair| pair[1] > pair[0]);
    let measured = format!("{:.2}, {:.2}, {:.2} people/s, {left} left behind", flows[0], flows[1], flows[2]);
    Ok((grows && left == 0, measured))
}
