//! A kind of situation of one's own: `cargo run --release -p crowdloom --example own_situation`.
//!
//! Who comes by a fountain takes a free spot, stands there for as long as a photograph takes, and goes on.

use crowdloom::glam::Vec2;
use crowdloom::prelude::*;

struct PhotoStop;

impl SituationKind for PhotoStop {
    fn influence(
        &self,
        situation: &Situation,
        scenery: &mut Scenery<'_>,
        visit: &mut Visit,
        influence: &mut Influence,
    ) -> Option<Vec2> {
        if visit.done {
            return None;
        }
        let spot = scenery.hold_spot(situation, visit)?;
        if visit.until == 0 {
            if !scenery.is_at(&spot, visit, influence) {
                return None;
            }
            let seconds = situation.activity.number("seconds").unwrap_or(3.0);
            visit.until = scenery.frame + (seconds * FRAME_RATE) as u32;
        }
        if scenery.frame >= visit.until {
            visit.done = true;
            scenery.give_up_spot(visit);
            return None;
        }
        influence.stand = true;
        influence.add(Behaviour::Face { toward: spot.at + spot.facing * 4.0, alpha: 6.0 });
        None
    }
}

const PLAZA: &str = "name = 'plaza'\n[world]\nfloor = [[0, 0], [20, 0], [20, 20], [0, 20]]\n\
    obstacle = [{ circle = [10, 10, 1.5] }]\n[[people]]\ncount = 20\n[[people]]\ncount = 10\nmover = 'orca'\n\
    [[region]]\nname = 'fountain'\ncircle = [10, 10, 4]\n\
    [[situation]]\nname = 'photo'\nkind = 'photo-stop'\nregion = 'fountain'\nparameters = { seconds = 2 }\n\
    spots = [[7.5, 10, 0], [12.5, 10, 180], [10, 7.5, 90], [10, 12.5, -90]]\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let additions = Additions::new().with_kind("photo-stop", PhotoStop);
    let (mut plaza, _) = parse_with(Path::new("plaza.toml"), PLAZA, Overrides::default(), &additions)?;
    let mut photographers = std::collections::BTreeSet::new();
    for _ in 0..1800 {
        plaza.step();
        photographers.extend(plaza.crowd().shared().rolls[0].holders.iter().flatten().copied());
    }
    println!(
        "{} people took a photograph within a minute; {} promises are broken",
        photographers.len(),
        plaza.crowd().promise_overlaps()
    );
    if photographers.len() > 4 { Ok(()) } else { Err("nobody leaves the fountain".into()) }
}

#[test]
fn it_runs() {
    main().unwrap();
}
