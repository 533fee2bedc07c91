//! NIST TN 1822: counter-flow.

use super::Finding;
use crate::pedestrians::{Pedestrians, plan, preferred_speed, scatter, ways};
use crowdloom_crowd::velocity::Model;
use crowdloom_world::Stream;
use glam::Vec2;

/// Test 2.8: 100 people cross a corridor 10 m × 2 m between two rooms of 10 m × 10 m, against 0, 10, 50 and 100.
pub(super) fn counter_flow(model: Model) -> Finding {
    let ground = plan(&[[0.0, 0.0, 10.0, 10.0], [10.0, 4.0, 20.0, 6.0], [20.0, 0.0, 30.0, 10.0]])
        .map_err(|error| error.to_string())?;
    let goals = [Vec2::new(29.0, 5.0), Vec2::new(1.0, 5.0)];
    let fields = || goals.iter().map(|goal| ways(&ground, &[*goal])).collect::<Result<Vec<_>, _>>();
    let mut times = Vec::new();
    let mut left = Vec::new();
    for against in [0, 10, 50, 100] {
        let mut crowd = Pedestrians::new(&ground, fields().map_err(|why| why.to_string())?, 28);
        let mut stream = Stream::new(28, 28);
        for (room, count) in [(0.0, 100), (20.0, against)] {
            let low = Vec2::new(room, 0.0);
            for place in scatter(count, low, low + 10.0, 28 + room as u64) {
                let field = usize::from(room > 0.0);
                crowd.add(place, model, preferred_speed(&mut stream), field);
            }
        }
        let outcome = crowd.walk(|_| false, |field, p| if field == 0 { p.x > 22.0 } else { p.x < 8.0 });
        times.push(outcome.end());
        left.push(outcome.left_behind);
    }
    let rises = times.windows(2).all(|pair| pair[1] > pair[0]);
    let stuck: usize = left.iter().sum();
    let times: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
    Ok((rises && stuck == 0, format!("{} s, {left:?} left behind", times.join(", "))))
}
