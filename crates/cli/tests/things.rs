//! Boxes, tables and accessories of scenes, through the command line.

mod common;
#[path = "common/glb.rs"]
mod glb;

use common::run;
use crowdloom_output::run::Run;
use glb::Glb;
use std::path::Path;
use std::process::Output;

/// All that the program said, in one line.
fn told(output: &Output) -> String {
    let all =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    all.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn record(folder: &Path, scene: &str) -> (Run, String) {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    std::fs::write(path("scene.toml"), scene).unwrap();
    let output = run(&["run", &path("scene.toml"), "--quiet", "-o", &path("out")]);
    assert!(output.status.success(), "{}", told(&output));
    (Run::open(&folder.join("out")).unwrap(), told(&output))
}

const HALL: &str = "name = 'hall'\n[world]\nfloor = [[0, 0], [26, 0], [26, 14], [0, 14]]\n";

const ANN_AND_BEN: &str = "seconds = 55\n[[prop]]\nkind = 'box'\nname = 'crate'\nat = [8, 7]\n\
    [[people]]\nmover = 'planned'\nname = 'Ann'\nat = [2, 3]\n\
    [[people]]\nmover = 'planned'\nname = 'Ben'\nat = [24, 7]\nfacing = 180\n\
    [[constraint]]\nperson = 'Ann'\ntake = 'crate'\nfacing = 30\n\
    [[constraint]]\nperson = 'Ann'\ngive-to = 'Ben'\nat = [15, 7]\nfacing = 0\ntime = 22\n\
    [[constraint]]\nperson = 'Ann'\nat = [4, 11]\n\
    [[constraint]]\nperson = 'Ben'\nput-down = [20, 2]\n\
    [[constraint]]\nperson = 'Ben'\nat = [24, 4]\n";

fn with_hall(rest: &str) -> String {
    let (seconds, tables) = rest.split_once('\n').unwrap();
    format!("{seconds}\n{HALL}{tables}")
}

#[test]
fn a_box_is_picked_up_handed_over_and_put_down() {
    let folder = tempfile::tempdir().unwrap();
    let (made, _) = record(folder.path(), &with_hall(ANN_AND_BEN));
    let parcels = &made.end().unwrap().parcels;
    assert_eq!(parcels.len(), 1);
    let holders: Vec<Option<u32>> = parcels[0].stages.iter().map(|stage| stage.holder).collect();
    assert_eq!(holders, [None, Some(0), Some(1), None], "{:?}", parcels[0].stages);
    let (first, last) = (parcels[0].stages[0].at, parcels[0].stages[3].at);
    assert_eq!(first, [8.0, 7.0]);
    assert!((last[0] - 20.0).abs() < 0.05 && (last[1] - 2.0).abs() < 0.05, "{last:?}");
    // It is handed over when it should be, and both have nothing else in their hands.
    assert!((parcels[0].stages[2].frame as f32 / 30.0 - 22.0).abs() < 0.5);
    for id in 0..2 {
        assert!(made.end().unwrap().people[&id].empty_handed);
    }
    // Other programs get it, moving.
    let file = folder.path().join("hall.glb").to_string_lossy().into_owned();
    let out = folder.path().join("out").to_string_lossy().into_owned();
    let output = run(&["export", &out, "--to", "glb", "--with", "set", "--quiet", "-o", &file]);
    assert!(output.status.success(), "{}", told(&output));
    let bytes = std::fs::read(&file).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let nodes = document["nodes"].as_array().unwrap();
    let node = nodes.iter().position(|node| node["name"] == "box 1").unwrap();
    let animations = document["animations"].as_array().unwrap();
    let moves = animations.iter().flat_map(|animation| animation["channels"].as_array().unwrap());
    assert!(moves.filter(|channel| channel["target"]["node"] == node).count() >= 2);
    let file = folder.path().join("hall.usda").to_string_lossy().into_owned();
    let output = run(&["export", &out, "--to", "usda", "--every", "30", "--quiet", "-o", &file]);
    assert!(output.status.success(), "{}", told(&output));
    let text = std::fs::read_to_string(&file).unwrap();
    let own = text.split_once("def Mesh \"Box_1\"").expect("the box is in it").1;
    let places = own.split_once("xformOp:translate.timeSamples = {").unwrap().1.split_once('}').unwrap().0;
    let heights: Vec<f32> = places
        .lines()
        .filter_map(|line| line.split_once('(')?.1.split_once(')')?.0.rsplit(", ").next()?.parse().ok())
        .collect();
    assert!(heights.len() > 40, "{places}");
    // On the floor at first and at last, in somebody's hands between.
    assert!(heights[0].abs() < 0.01 && heights[heights.len() - 1].abs() < 0.01, "{heights:?}");
    assert!(heights.iter().any(|height| *height > 0.6), "{heights:?}");
}

#[test]
fn a_box_is_put_down_where_it_should_be_from_any_side() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [([3, 6], [15, 6]), ([20, 10], [6, 3])] {
        let scene = with_hall(&format!(
            "seconds = 45\n[[prop]]\nkind = 'box'\nname = 'crate'\nat = [10, 8]\n\
             [[people]]\nmover = 'planned'\nname = 'Ann'\nat = {from:?}\n\
             [[constraint]]\nperson = 'Ann'\ntake = 'crate'\n[[constraint]]\nperson = 'Ann'\nput-down = {to:?}\n"
        ));
        let (made, said) = record(folder.path(), &scene);
        let stages = &made.end().unwrap().parcels[0].stages;
        let holders: Vec<Option<u32>> = stages.iter().map(|stage| stage.holder).collect();
        assert_eq!(holders, [None, Some(0), None], "{said}");
        let off = (stages[2].at[0] - to[0] as f32).hypot(stages[2].at[1] - to[1] as f32);
        assert!(off < 0.06, "to {to:?}: {:?}, {off} m off", stages[2].at);
    }
}

#[test]
fn the_floor_goes_on_under_things_and_walls_that_touch() {
    let folder = tempfile::tempdir().unwrap();
    // A table against a wall with a height, one in a corner, a house, and a door that is closed at first.
    let scene = with_hall(
        "seconds = 1\n[[people]]\nat = [3, 3]\n[[world.obstacle]]\nrectangle = [10, 6, 14, 6.4]\nheight = 2.2\n\
         [[world.obstacle]]\nrectangle = [18, 2, 24, 6]\n[[door]]\nname = 'gate'\nrectangle = [16, 0, 16.3, 14]\nclosed = true\n\
         [[prop]]\nkind = 'table'\nat = [12, 6.7]\nfacing = 30\n[[prop]]\nkind = 'table'\nat = [0.2, 0.2]\n",
    );
    let (made, _) = record(folder.path(), &scene);
    let header = made.header();
    let [area] = &header.floor[..] else { panic!("one floor, not {}", header.floor.len()) };
    let outline: Vec<[f64; 2]> = area[0].iter().map(|corner| corner.map(f64::round)).collect();
    assert_eq!(outline.len(), 4, "{outline:?}");
    assert_eq!(area.len(), 2, "of all that stands there only the house is a hole: {area:?}");
    assert_eq!(header.walls.len(), 1);
    let doors: Vec<bool> = header.signals.iter().map(|signal| signal.closed).collect();
    assert_eq!(doors, [true]);
    // What is walked on has all of them.
    assert!(header.ground.areas.iter().map(Vec::len).sum::<usize>() >= 4, "{:?}", header.ground.areas);
}

#[test]
fn what_cannot_be_done_with_boxes_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml").to_string_lossy().into_owned();
    let scene = with_hall(ANN_AND_BEN);
    for (from, to, word) in [
        ("take = 'crate'", "take = 'cart'", "no box `cart`"),
        ("time = 22\n", "", "time"),
        ("give-to = 'Ben'", "give-to = 'Bob'", "Ben"),
        ("person = 'Ben'\nput-down", "person = 'Ann'\nput-down", "no box"),
        ("name = 'crate'\n", "", "box"),
    ] {
        std::fs::write(&path, scene.replacen(from, to, 1)).unwrap();
        let output = run(&["check", &path]);
        assert!(!output.status.success() && told(&output).contains(word), "{from}: {}", told(&output));
    }
}

/// Somebody who sits down at a table whose edge is so many metres before its hips.
fn at_table(leg_room: f32) -> String {
    with_hall(&format!(
        "seconds = 25\n[[prop]]\nkind = 'table'\nat = [{}, 9]\n\
         [[people]]\nmover = 'planned'\nname = 'Cem'\nat = [10, 6]\n\
         [[constraint]]\nperson = 'Cem'\nat = [20, 9]\nfacing = 0\npose = 'sit-at-table'\n",
        20.0 + leg_room + 0.375
    ))
}

#[test]
fn seats_at_tables_work_down_to_usual_leg_room_and_less_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (made, said) = record(folder.path(), &at_table(0.38));
    assert!(!said.contains("missing"), "{said}");
    let last = made.frames().end - 1;
    let chunk = made.chunks_of(last..last + 1).next().unwrap().unwrap();
    let sample = chunk.tracks[0].samples.last().unwrap();
    assert!(said.is_empty() || !said.contains("Cem"), "{said}");
    let hips = sample.position();
    assert!((hips.x - 20.0).abs() < 0.02 && (hips.y - 9.0).abs() < 0.02, "{hips}");
    // Too near: how much is missing is told, and nobody vanishes.
    let (made, said) = record(folder.path(), &at_table(0.25));
    assert!(said.contains("0.0") && said.contains("m are missing"), "{said}");
    let last = made.frames().end - 1;
    let chunk = made.chunks_of(last..last + 1).next().unwrap().unwrap();
    assert_eq!(chunk.tracks.len(), 1);
}

#[test]
fn nobody_walks_through_a_kiosk() {
    let folder = tempfile::tempdir().unwrap();
    let scene = with_hall(
        "seconds = 20\n[[prop]]\nkind = 'kiosk'\nat = [13, 7]\nsize = [6, 4, 2.6]\n[[region]]\nname = 'east'\nrectangle = [22, 5, 26, 9]\n\
         [[region]]\nname = 'west'\nrectangle = [0, 5, 4, 9]\n[[people]]\ncount = 12\nin = 'west'\nto = 'there'\n[[stop]]\nname = 'there'\nregion = 'east'\n",
    );
    let (made, _) = record(folder.path(), &scene);
    for chunk in made.chunks_of(made.frames()) {
        for sample in chunk.unwrap().tracks.iter().flat_map(|track| &track.samples) {
            let p = sample.position();
            assert!(!((11.0..15.0).contains(&p.x) && (4.0..10.0).contains(&p.y)), "{p}");
        }
    }
}

#[test]
fn a_run_tells_which_events_could_not_happen() {
    let folder = tempfile::tempdir().unwrap();
    let event = "[[event]]\nat = 1\nnumbers = [1]\nthings = ['stroller']\n";
    let (made, said) =
        record(folder.path(), &with_hall(&format!("seconds = 3\n[[people]]\ncount = 3\n{event}")));
    assert!(said.contains("at 1.0 s not done: person 1 wears stroller"), "{said}");
    assert!(made.end().unwrap().appearances.is_empty());
    let (made, said) = record(
        folder.path(),
        &with_hall(&format!("seconds = 3\n[[people]]\ncount = 3\nmover = 'orca'\n{event}")),
    );
    assert!(!said.contains("not done"), "{said}");
    assert_eq!(made.end().unwrap().appearances.len(), 2);
}

#[test]
fn accessories_are_taken_and_given_while_a_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let scene = with_hall(
        "seconds = 4\n[[people]]\ncount = 3\nthings = ['suitcase']\n[[event]]\nat = 2\nnumbers = [1]\nthings = ['umbrella', 'cap']\n\
         [[event]]\nat = 3\nnumbers = [2]\noutfit = 'winter'\nthings = []\n",
    );
    let (made, _) = record(folder.path(), &scene);
    let end = made.end().unwrap();
    let looks: Vec<(u32, u32)> = end.appearances.iter().map(|each| (each.agent, each.frame)).collect();
    assert_eq!(looks, [(1, 0), (1, 60), (2, 0), (2, 90)]);
    let outfits = crowdloom_bodies::outfits();
    let names = |person: &crowdloom_bodies::Person| -> Vec<String> {
        let worn = person.look.worn.iter().flatten();
        worn.map(|&piece| crowdloom_bodies::pieces()[usize::from(piece)].name.to_string()).collect()
    };
    let first = names(&made.person_as(&end.appearances[0], &outfits));
    let then = names(&made.person_as(&end.appearances[1], &outfits));
    assert!(first.iter().any(|name| name == "suitcase") && !first.iter().any(|name| name == "umbrella"));
    assert!(!then.iter().any(|name| name == "suitcase") && then.iter().any(|name| name == "umbrella"));
    assert!(then.iter().any(|name| name == "cap"));
    let bare = made.person(2, &outfits);
    // All seven slots of accessories may be empty.
    assert!(bare.look.worn[5..].iter().all(Option::is_none), "{:?}", names(&bare));
    // Exports show each look while it lasts.
    let (out, file) = (folder.path().join("out"), folder.path().join("hall.usda"));
    let [out, file] = [&out, &file].map(|path| path.to_string_lossy().into_owned());
    assert!(run(&["export", &out, "--to", "usda", "--quiet", "-o", &file]).status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    let body = |name: &str| {
        let own = text.split_once(&format!("SkelRoot \"{name}\"")).expect("a body of its own").1;
        own.split_once("SkelRoot").map_or(own, |(own, _)| own).contains("umbrella")
    };
    assert!(!body("Person_1") && body("Person_1_2"));
    assert!(text.contains("\"Agent_1_2\"") && !text.contains("\"Agent_0_2\""));
    let visible = text
        .split_once("SkelRoot \"Agent_1_2\"")
        .unwrap()
        .1
        .split_once("token visibility.timeSamples = {")
        .unwrap()
        .1;
    let seen: Vec<&str> =
        visible.split_once('}').unwrap().0.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(seen, ["0: \"invisible\",", "60: \"inherited\","]);
    let path = folder.path().join("hall.glb");
    let glb = path.to_string_lossy().into_owned();
    assert!(run(&["export", &out, "--to", "glb", "--quiet", "-o", &glb]).status.success());
    let file = Glb::read(&path);
    for (name, seen) in [
        ("agent 0", [true; 5]),
        ("agent 1", [true, true, false, false, false]),
        ("agent 1 2", [false, false, true, true, true]),
        ("agent 2", [true, true, true, false, false]),
        ("agent 2 2", [false, false, false, true, true]),
    ] {
        let shown = [0.0, 1.99, 2.01, 3.01, 4.0].map(|time| file.size_at(name, time) > 0.5);
        assert_eq!(shown, seen, "{name}");
    }
    assert!(file.node("agent 0 2").is_none());
    // Each wears what is told of it then.
    for (name, appearance) in [("agent 1", 0), ("agent 1 2", 1)] {
        let person = made.person_as(&end.appearances[appearance], &outfits);
        let mesh = file.node(&format!("{name} body")).unwrap()["mesh"].as_u64().unwrap() as usize;
        let pieces = file.document["meshes"][mesh]["primitives"].as_array().unwrap();
        assert_eq!(pieces.len(), person.look.seen().0.len(), "{name}");
    }
    // And everybody is where it is when it looks otherwise: hips of both bodies are near each other.
    let [before, after] = ["agent 1", "agent 1 2"].map(|name| file.place_at(name, 2.0));
    assert!((before[0] - after[0]).hypot(before[2] - after[2]) < 0.1, "{before:?} {after:?}");
    let bad = folder.path().join("bad.toml").to_string_lossy().into_owned();
    std::fs::write(&bad, scene.replace("'umbrella', 'cap'", "'umbrela'")).unwrap();
    assert!(told(&run(&["check", &bad])).contains("umbrella"));
}

#[test]
fn a_fix_swaps_clips() {
    let folder = tempfile::tempdir().unwrap();
    let (before, _) = record(folder.path(), &with_hall("seconds = 4\n[[people]]\ncount = 3\n"));
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let name_of = |run: &Run, id: u32, record: u32| {
        let chunk = run.chunk(0).unwrap();
        let sample = *chunk.tracks.iter().find(|track| track.id == id).unwrap().at(record).unwrap();
        (run.header().clips[usize::from(sample.clip)].name.clone(), sample.position())
    };
    let (shown, place) = name_of(&before, 1, 20);
    let fixes = format!("[[fix]]\nagents = [1]\nclip = {{ of = '{shown}', with = 'walk-old-straight' }}\n");
    std::fs::write(path("fixes.toml"), fixes).unwrap();
    let laid = run(&["layout", &path("out"), "--edits", &path("fixes.toml"), "-o", &path("new")]);
    assert!(laid.status.success(), "{}", told(&laid));
    let after = Run::open(&folder.path().join("new")).unwrap();
    assert_eq!(name_of(&after, 1, 20), ("walk-old-straight".into(), place));
    assert_eq!(name_of(&after, 2, 20), name_of(&before, 2, 20));
    assert!(after.clips().values().any(|clip| clip.name == "walk-old-straight"));
    std::fs::write(path("fixes.toml"), "[[fix]]\nagents = [1]\nclip = { of = '*', with = 'fly' }\n").unwrap();
    let wrong = run(&["layout", &path("out"), "--edits", &path("fixes.toml"), "-o", &path("bad")]);
    assert!(!wrong.status.success() && told(&wrong).contains("fly"), "{}", told(&wrong));
}
