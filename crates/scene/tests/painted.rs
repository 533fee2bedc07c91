//! Regions painted as bitmaps: written in the scene, read from an image, and brought by events.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, Simulation, load, parse};
use glam::Vec2;
use std::path::Path;

fn scene(tables: &str) -> String {
    format!(
        "name = 'yard'\nseconds = 10\n[world]\nfloor = [[0, 0], [20, 0], [20, 10], [0, 10]]\n{tables}\n\
         [[people]]\ncount = 8\n"
    )
}

const RING: &str = "[[region]]\nname = 'ring'\npainted = { at = [4, 2], cell = 1.0, rows = ['####.', '#..#.', '####', '.....##'] }\n";

fn read(tables: &str) -> Result<Simulation, String> {
    let text = scene(tables);
    let read = parse(Path::new("yard.toml"), &text, Overrides::default());
    read.map(|(simulation, _)| simulation).map_err(|error| error.problems[0].what.clone())
}

/// Whether the painted region holds points.
fn holds(simulation: &Simulation, points: [[f32; 2]; 5]) -> [bool; 5] {
    let ground = simulation.crowd().setting().ground.clone();
    let ring = ground.region("ring").unwrap();
    points.map(|point| ring.contains(ground.to_local(Vec2::from(point).as_dvec2())))
}

/// On the ring, in its hole, right of it, on the loose part, and below the ring.
const POINTS: [[f32; 2]; 5] = [[4.5, 5.5], [5.5, 4.5], [8.5, 4.5], [9.5, 2.5], [4.5, 2.5]];

#[test]
fn rows_of_signs_are_a_region_with_holes_and_parts() {
    let simulation = read(RING).unwrap();
    assert_eq!(holds(&simulation, POINTS), [true, false, false, true, false]);
    let size = simulation.crowd().setting().ground.region("ring").unwrap().size();
    assert!((size - 12.0).abs() < 1e-9, "{size}");
}

#[test]
fn an_event_paints_and_hands_paint_the_same() {
    let event = RING.replace(
        "[[region]]\nname = 'ring'\npainted = {",
        "[[event]]\nat = 1\nregion = { name = 'ring', painted = {",
    );
    let mut simulation = read(&event.trim_end().replace("] }", "] } }")).unwrap();
    let nowhere = |simulation: &Simulation| {
        simulation.crowd().setting().ground.region("ring").unwrap().areas().is_empty()
    };
    assert!(nowhere(&simulation));
    while simulation.crowd().frame() < 40 {
        simulation.step();
    }
    assert_eq!(holds(&simulation, POINTS), [true, false, false, true, false]);
    let mut by_hand = read("").unwrap();
    by_hand.step();
    let fields = "region = { name = 'ring', painted = { at = [4, 2], cell = 1.0, rows = ['####.', '#..#.', '####', '.....##'] } }";
    assert_eq!(by_hand.enact(fields).unwrap().steps, 1);
    assert_eq!(holds(&by_hand, POINTS), [true, false, false, true, false]);
    by_hand.undo().unwrap();
    assert!(nowhere(&by_hand));
}

#[test]
fn a_region_goes_and_comes_back_while_it_runs() {
    let mut simulation = read(&format!("{RING}[[event]]\nat = 1\nclose-region = 'ring'\n")).unwrap();
    let here = |simulation: &Simulation| holds(simulation, POINTS)[0];
    assert!(here(&simulation));
    (0..40).for_each(|_| simulation.step());
    assert!(!here(&simulation));
    let drawn = "region = { name = 'ring', rectangle = [4, 4, 6, 6] }";
    simulation.enact(drawn).unwrap();
    assert!(here(&simulation));
    simulation.enact("close-region = 'ring'").unwrap();
    assert!(!here(&simulation));
    simulation.undo().unwrap();
    assert!(here(&simulation));
    let wrong = scene("[[event]]\nat = 1\nclose-region = 'rink'\n");
    let told =
        parse(Path::new("yard.toml"), &wrong, Overrides::default()).err().map(|error| error.to_string());
    assert!(told.is_some_and(|told| told.contains("there is no region `rink`")));
}

#[test]
fn an_image_beside_the_scene_is_a_region() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [b"####...", b"#..#...", b"####...", b".....##"];
    let grey: Vec<u8> =
        rows.iter().flat_map(|row| row.iter().map(|sign| if *sign == b'#' { 255 } else { 0 })).collect();
    std::fs::write(folder.path().join("ring.pgm"), [b"P5\n7 4\n255\n".as_slice(), &grey].concat()).unwrap();
    let file = folder.path().join("yard.toml");
    let text = |image: &str| {
        scene(&format!(
            "[[region]]\nname = 'ring'\npainted = {{ at = [4, 2], cell = 1.0, image = '{image}' }}\n"
        ))
    };
    std::fs::write(&file, text("ring.pgm")).unwrap();
    let (simulation, _) = load(&file, Overrides::default()).unwrap();
    assert_eq!(holds(&simulation, POINTS), [true, false, false, true, false]);
    std::fs::write(&file, text("rung.pgm")).unwrap();
    let Err(error) = load(&file, Overrides::default()) else { panic!("an image that is not there is used") };
    assert!(error.problems[0].what.contains("cannot be read"), "{:?}", error.problems);
}

#[test]
fn mistakes_are_told() {
    let wrong = |tables: &str| read(tables).err().unwrap_or_default();
    let painted = |inner: &str| wrong(&format!("[[region]]\nname = 'ring'\n{inner}\n"));
    assert!(
        painted("painted = { at = [4, 2], cell = 1.0, rows = ['...'] }").contains("nothing of this region")
    );
    assert!(painted("painted = { at = [4, 2], cell = 1.0 }").contains("nothing of this region"));
    assert!(painted("painted = { at = [4, 2], cell = 0.0, rows = ['#'] }").contains("cannot be painted"));
    let both = "rectangle = [1, 1, 2, 2]\npainted = { at = [4, 2], cell = 1.0, rows = ['#'] }";
    assert!(painted(both).contains("no other shape"));
    let twice = "painted = { at = [4, 2], cell = 1.0, rows = ['#'], image = 'x.png' }";
    assert!(painted(twice).contains("`rows` or an `image`"));
}
