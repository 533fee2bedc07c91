//! People with a mover among clip agents, from scene files.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, parse};
use std::path::Path;

fn scene(second_group: &str) -> String {
    format!(
        "name = 'hall'\nseed = 4\n[world]\nfloor = [[0, 0], [24, 0], [24, 16], [0, 16]]\n\
        [[region]]\nname = 'west'\nrectangle = [0, 0, 5, 16]\n\
        [[region]]\nname = 'east'\nrectangle = [19, 0, 24, 16]\n\
        [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n\
        [[situation]]\nname = 'friends'\nkind = 'group'\n\
        [[people]]\ncount = 15\n[[people]]\ncount = 12\n{second_group}\n"
    )
}

#[test]
fn both_kinds_share_the_hall_and_movers_leave_by_their_stop() {
    for mover in ["rvo", "orca", "social-force", "boids", "hidac"] {
        let text = scene(&format!("in = 'west'\nto = 'out'\nmover = '{mover}'"));
        let (mut simulation, problems) =
            parse(Path::new("hall.toml"), &text, Overrides::default()).map_err(|e| e.problems).unwrap();
        assert!(problems.iter().all(|problem| problem.harmless), "{problems:?}");
        let present = |simulation: &crowdloom_scene::Simulation| simulation.movers().unwrap().crowd().len();
        assert_eq!((simulation.crowd().len(), present(&simulation)), (15, 12), "{mover}");
        for _ in 0..1200 {
            simulation.step();
            assert_eq!(simulation.movers().unwrap().overlaps(simulation.crowd()), 0, "{mover}");
        }
        assert_eq!(simulation.crowd().overlaps().0, 0);
        assert!(present(&simulation) <= 2, "{} of 12 moved by {mover} are left", present(&simulation));
    }
}

#[test]
fn both_kinds_are_saved_and_go_on_to_the_same_bits() {
    for mover in ["orca", "hidac"] {
        let text = scene(&format!("to = 'out'\nmover = '{mover}'\nappear = [0, 8]"));
        let read =
            || parse(Path::new("hall.toml"), &text, Overrides::default()).map_err(|e| e.problems).unwrap().0;
        let (mut whole, mut resumed) = (read(), read());
        (0..150).for_each(|_| whole.step());
        let bytes = postcard::to_stdvec(&whole.save()).unwrap();
        resumed.resume(postcard::from_bytes(&bytes).unwrap()).unwrap();
        for _ in 150..400 {
            whole.step();
            resumed.step();
            let (a, b) = (whole.movers().unwrap(), resumed.movers().unwrap());
            assert_eq!(a.crowd().positions(), b.crowd().positions(), "{mover}");
            assert_eq!(whole.crowd().positions(), resumed.crowd().positions(), "{mover}");
            let seen = |movers: &crowdloom_crowd::Movers| -> Vec<_> {
                (0..movers.crowd().len()).map(|agent| (movers.id(agent), movers.placement(agent))).collect()
            };
            assert_eq!(seen(a), seen(b));
        }
        assert!(whole.movers().unwrap().crowd().len() < 12, "nobody has left by now");
    }
}

#[test]
fn members_of_situations_need_clips() {
    let text = scene("mover = 'orca'\nmember-of = ['friends']");
    let error = parse(Path::new("hall.toml"), &text, Overrides::default()).err().unwrap();
    let told: String = error.problems.iter().map(|problem| format!("{problem}\n")).collect();
    assert!(told.contains("line 23: people with a `mover` cannot be members of `friends`"), "{told}");
}

#[test]
fn movers_that_do_not_exist_are_told() {
    let text = scene("mover = 'horse'");
    let error = parse(Path::new("hall.toml"), &text, Overrides::default()).err().unwrap();
    let told: String = error.problems.iter().map(|problem| format!("{problem}\n")).collect();
    assert!(told.contains("line 22") && told.contains("horse") && told.contains("orca"), "{told}");
}
