//! A crowd leaves a room by a door that lets one through at a time: nobody is stuck at it, or beside it.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, parse};
use std::path::Path;

/// 120 people in a room of 12 m x 10 m with a door of 0.8 m.
const ROOM: &str = "name = 'room'
[world]
floor = [[0, 0], [18, 0], [18, 10], [0, 10]]
obstacle = [{ rectangle = [12, 0, 12.2, 4.6] }, { rectangle = [12, 5.4, 12.2, 10] }]
[[region]]
name = 'room'
rectangle = [0.2, 0.2, 11.5, 9.8]
[[region]]
name = 'out'
rectangle = [16, 1, 18, 9]
[[stop]]
name = 'out'
region = 'out'
exit = true
[[people]]
count = 120
in = 'room'
to = 'out'
";

/// Twice as long as the last needs, at 1.2 people a metre and second.
const SECONDS: u32 = 250;

#[test]
fn everybody_gets_out() {
    // Crowds of which some were stuck: against a post, two abreast before the door, or beside it while others went by.
    for seed in [43, 66, 73, 103, 121] {
        let text = format!("seed = {seed}\n{ROOM}");
        let mut simulation = parse(Path::new("room.toml"), &text, Overrides::default()).unwrap().0;
        let mut frames = 0;
        while !simulation.crowd().is_empty() && frames < SECONDS * 30 {
            simulation.step();
            frames += 1;
        }
        assert!(simulation.crowd().is_empty(), "seed {seed}: {} are left", simulation.crowd().len());
    }
}
