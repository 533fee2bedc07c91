//! Changes to a running crowd: events of scenes, and edits that are taken back.

use crowdloom_crowd::{Edit, Mind, Mover, Newcomer, Refusal, Steps};
use crowdloom_motion::Placement;
use crowdloom_scene::{Overrides, Simulation, parse};
use glam::Vec2;
use std::path::Path;

fn read(events: &str) -> Simulation {
    let text = format!(
        "name = 'hall'\nseconds = 40\n[world]\nfloor = [[0, 0], [24, 0], [24, 16], [0, 16]]\n\
        [[region]]\nname = 'west'\nrectangle = [0, 0, 8, 16]\n\
        [[region]]\nname = 'east'\nrectangle = [20, 0, 24, 16]\n\
        [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n\
        [[signal]]\nname = 'walk'\non = 5\noff = 5\n\
        [[situation]]\nname = 'rest'\nkind = 'pause'\nregion = 'west'\nspots = [[3, 3, 0], [5, 3, 0]]\n\
        [[people]]\ncount = 20\n[[people]]\ncount = 10\nmover = 'orca'\n{events}"
    );
    let read = parse(Path::new("hall.toml"), &text, Overrides::default());
    read.unwrap_or_else(|error| panic!("{error}")).0
}

fn steered(simulation: &Simulation) -> usize {
    let crowd = simulation.crowd();
    (0..crowd.len()).filter(|index| matches!(crowd.mover(*index), Mover::Steered(_))).count()
}

#[test]
fn events_happen_in_their_time() {
    let mut simulation = read(
        "[[event]]\nat = 3\nmover = 'social-force'\nspeed = 1.5\n\
         [[event]]\nat = 4\nsignal = 'walk'\non = true\n[[event]]\nat = 4\nsituation = 'rest'\non = false\n\
         [[event]]\nat = 6\nto = 'out'\n",
    );
    for frame in 0..1200 {
        simulation.step();
        assert_eq!(simulation.crowd().overlaps(), (0, 0.0), "frame {frame}");
        if frame % 15 == 0 {
            assert_eq!(simulation.crowd().promise_overlaps(), 0, "frame {frame}");
        }
        match frame {
            80 => assert!(simulation.log().is_empty()),
            160 => {
                assert!(steered(&simulation) >= 28, "{} of 30 are steered", steered(&simulation));
                assert!(simulation.crowd().shared().signals[0].is_on(simulation.crowd().frame()));
                assert!(!simulation.crowd().shared().situations[0].enabled);
            }
            _ => {}
        }
    }
    assert!(simulation.crowd().len() <= 3, "{} of 30 are left", simulation.crowd().len());
}

#[test]
fn runs_with_events_repeat_themselves_and_go_on() {
    let events =
        "[[event]]\nat = 2\nwho = 'west'\nmover = 'hidac'\n[[event]]\nat = 5\nwho = 'west'\nleave = true\n";
    let (mut whole, mut other) = (read(events), read(events));
    (0..100).for_each(|_| whole.step());
    other.resume(postcard::from_bytes(&postcard::to_stdvec(&whole.save()).unwrap()).unwrap()).unwrap();
    (0..150).for_each(|_| {
        whole.step();
        other.step();
    });
    assert_eq!(whole.crowd().positions(), other.crowd().positions());
    assert_eq!(whole.log(), other.log());
    assert!(whole.crowd().len() < 30);
}

#[test]
fn edits_are_checked_and_taken_back() {
    let mut simulation = read("");
    (0..60).for_each(|_| simulation.step());
    let id = simulation.crowd().id(4);
    let likes = simulation.crowd().mind(4).speed;
    let back = simulation.edit(Edit::Speed(id, 0.7)).unwrap();
    assert_eq!(simulation.crowd().mind(4).speed, 0.7);
    simulation.edit(back).unwrap();
    assert_eq!(simulation.crowd().mind(4).speed, likes);
    // Nobody comes where somebody is, and nobody is put into a wall.
    let there = simulation.crowd().placement(7);
    let newcomer = || Box::new(Newcomer::from(Mind { speed: 1.2, ..Mind::default() }));
    assert_eq!(simulation.edit(Edit::Add(there, newcomer())), Err(Refusal::NoRoom));
    let outside = Placement { position: Vec2::new(-5.0, 2.0), heading: 0.0 };
    assert_eq!(simulation.edit(Edit::Move(id, outside)), Err(Refusal::NoRoom));
    assert_eq!(simulation.edit(Edit::Speed(id, f32::NAN)), Err(Refusal::Senseless("that speed")));
    assert_eq!(simulation.edit(Edit::Remove(4000)), Err(Refusal::Nobody(4000)));
    assert_eq!(
        simulation.edit(Edit::Mover(id, Mover::Steered(90))),
        Err(Refusal::Unknown("way of being steered"))
    );
    // Whoever is removed comes back by the edit that takes it back.
    let (count, place) = (simulation.crowd().len(), simulation.crowd().placement(4).position);
    let back = simulation.edit(Edit::Remove(id)).unwrap();
    assert_eq!(simulation.crowd().len(), count - 1);
    simulation.edit(back).unwrap();
    let crowd = simulation.crowd();
    assert_eq!((crowd.len(), crowd.positions()[count - 1]), (count, place));
    assert_eq!(crowd.mind(count - 1).speed, likes);
    for _ in 0..200 {
        simulation.step();
        assert_eq!((simulation.crowd().overlaps(), simulation.crowd().promise_overlaps()), ((0, 0.0), 0));
    }
    assert_eq!(simulation.log().len(), 4, "what was refused is not noted");
}
