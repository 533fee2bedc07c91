//! A behaviour function of one's own: `cargo run --release -p crowdloom --example own_behaviour`.
//!
//! It is hot, and people would rather walk in the shade of the northern wall.

use crowdloom::prelude::*;

/// From here on north there is shade, in metres.
const SHADE: f32 = 8.0;

struct LikesShade;

impl BehaviourFunction for LikesShade {
    fn weigh(&self, deciding: &Deciding<'_>, candidates: &Candidates<'_>, weights: &mut [f32]) {
        // How far it is to the shade, against how far it is from here.
        let missing = |y: f32| (SHADE - y).max(0.0);
        let here = missing(deciding.position.y);
        for (weight, position) in weights.iter_mut().zip(candidates.positions) {
            *weight = libm::expf(-2.0 * (missing(position.y) - here).max(0.0));
        }
    }
}

fn scene(lent: &str) -> String {
    format!(
        "name = 'yard'\n[world]\nfloor = [[0, 0], [24, 0], [24, 12], [0, 12]]\n[[people]]\ncount = 40\n\
         [[region]]\nname = 'yard'\nrectangle = [0, 0, 24, 12]\n\
         [[situation]]\nname = 'heat'\nkind = 'group'\nregion = 'yard'\n{lent}"
    )
}

/// The mean share of people in the shade over half a minute.
fn in_the_shade(text: &str) -> Result<f32, SceneError> {
    let additions = Additions::new().with_behaviour("likes-shade", LikesShade);
    let (mut yard, _) = parse_with(Path::new("yard.toml"), text, Overrides::default(), &additions)?;
    let (mut there, mut all) = (0, 0);
    for _ in 0..900 {
        yard.step();
        all += yard.crowd().len();
        there += yard.crowd().positions().iter().filter(|position| position.y > SHADE).count();
    }
    Ok(there as f32 / all as f32)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (plain, hot) = (in_the_shade(&scene(""))?, in_the_shade(&scene("behaviours = ['likes-shade']\n"))?);
    println!("{:.0} % are in the shade on a mild day, {:.0} % on a hot one", 100.0 * plain, 100.0 * hot);
    if hot > 1.2 * plain { Ok(()) } else { Err("nobody minds the heat".into()) }
}

#[test]
fn it_runs() {
    main().unwrap();
}
