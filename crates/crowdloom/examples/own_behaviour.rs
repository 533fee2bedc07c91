//! A behaviour function of one's own: `cargo run --release -p crowdloom --example own_behaviour`.
//!
//! The eastern half of a yard is covered with ice, and people take care there: they go slowly.

use crowdloom::glam::Vec2;
use crowdloom::prelude::*;

/// From here on east there is ice, in metres.
const ICE: f32 = 12.0;
/// What is faster than this, in metres a second, is not safe on ice …
const SAFE: f32 = 0.9;

struct Careful;

impl BehaviourFunction for Careful {
    fn weigh(&self, _who: &Deciding<'_>, candidates: &Candidates<'_>, weights: &mut [f32]) {
        let slips = |position: Vec2, speed: f32| if position.x > ICE { (speed - SAFE).max(0.0) } else { 0.0 };
        for (candidate, weight) in weights.iter_mut().enumerate() {
            // … and weighs the less the faster it is.
            let slips = slips(candidates.positions[candidate], candidates.speeds[candidate]);
            *weight = libm::expf(-20.0 * slips);
        }
    }
}

fn scene(lent: &str) -> String {
    format!(
        "name = 'yard'\n[world]\nfloor = [[0, 0], [24, 0], [24, 12], [0, 12]]\n[[people]]\ncount = 16\n\
         [[region]]\nname = 'yard'\nrectangle = [0, 0, 24, 12]\n\
         [[situation]]\nname = 'frost'\nkind = 'group'\nregion = 'yard'\n{lent}"
    )
}

/// How far people get in a frame in the east, over half a minute, as a speed in metres a second.
fn speed_in_the_east(text: &str) -> Result<f32, SceneError> {
    let additions = Additions::new().with_behaviour("careful", Careful);
    let (mut yard, _) = parse_with(Path::new("yard.toml"), text, Overrides::default(), &additions)?;
    let (mut way, mut frames) = (0.0, 0);
    for _ in 0..900 {
        let before = yard.crowd().positions().to_vec();
        yard.step();
        for (before, after) in before.iter().zip(yard.crowd().positions()) {
            // Who stands says nothing about going.
            let step = before.distance(*after);
            if after.x > ICE + 1.0 && step > 0.01 {
                (way, frames) = (way + step, frames + 1);
            }
        }
    }
    Ok(way * FRAME_RATE / frames as f32)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dry = speed_in_the_east(&scene(""))?;
    let icy = speed_in_the_east(&scene("behaviours = ['careful']\n"))?;
    println!("people go at {dry:.2} m/s where it is dry and at {icy:.2} m/s on ice");
    if icy < 0.9 * dry { Ok(()) } else { Err("nobody takes care".into()) }
}

#[test]
fn it_runs() {
    main().unwrap();
}
