//! What people look like, through the command line.

mod common;

use common::run;
use std::process::{Command, Output};

#[test]
fn a_line_up_is_a_picture_and_always_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for name in ["one.png", "other.png"] {
        let output = run(&["bodies", "sheet", "--count", "6", "-o", &path(name)]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let one = std::fs::read(path("one.png")).unwrap();
    assert!(one.starts_with(b"\x89PNG") && one.len() > 10_000);
    assert_eq!(one, std::fs::read(path("other.png")).unwrap());
    let wrong = run(&["bodies", "sheet", "--outfit", "toga", "-o", &path("no.png")]);
    assert!(!wrong.status.success() && String::from_utf8_lossy(&wrong.stderr).contains("leisure"));
}

#[test]
fn bodies_are_told_and_timed() {
    let info = run(&["bodies", "info", "--json"]);
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!(info["templates"].as_array().unwrap().len(), 5);
    assert!(info["pieces"].as_array().unwrap().len() > 30);
    let bench = run(&["bench", "bodies", "--agents", "20", "--json"]);
    let bench: serde_json::Value = serde_json::from_slice(&bench.stdout).unwrap();
    assert_eq!(bench["bodies"], 20);
    assert!(bench["vertices"].as_u64().unwrap() >= 8_672);
}

#[test]
fn things_and_people_of_a_scene_reach_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let scene = "name = 'yard'\nseconds = 1\n[world]\nfloor = [[0, 0], [12, 0], [12, 9], [0, 9]]\n\
        [population]\nwomen = 1.0\nheight = [1.5, 1.6]\n[[prop]]\nkind = 'tree'\nat = [6, 4]\nfacing = 90\n[[people]]\ncount = 4\n";
    std::fs::write(path("yard.toml"), scene).unwrap();
    let output = run(&["run", &path("yard.toml"), "--quiet", "-o", &path("out")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run_file = crowdloom_output::run::Run::open(&folder.path().join("out")).unwrap();
    let props = &run_file.header().props;
    assert_eq!((props.len(), props[0].kind.as_str()), (1, "tree"));
    for id in 0..4 {
        let person = run_file.person(id, &crowdloom_bodies::outfits());
        assert!(person.woman && (1.5..=1.6).contains(&person.height));
    }
    let page = std::fs::metadata(folder.path().join("out/replay.html")).unwrap().len();
    assert!(page < 4_000_000, "the page with its bodies takes {page} bytes");
    std::fs::write(path("bad.toml"), scene.replace("at = [6, 4]", "at = [6, 4]\nsize = [1, 1, -2]")).unwrap();
    let bad = run(&["check", &path("bad.toml")]);
    let told = format!("{}{}", String::from_utf8_lossy(&bad.stdout), String::from_utf8_lossy(&bad.stderr));
    assert!(!bad.status.success() && told.contains("size"), "{told}");
}

#[test]
fn bones_in_bvh_are_as_long_as_the_persons_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let heights = [1.0f32, 1.4, 1.75, 2.0];
    let mut scene =
        "name = 'yard'\nseconds = 2\n[world]\nfloor = [[0, 0], [16, 0], [16, 12], [0, 12]]\n".to_owned();
    for height in heights {
        scene += &format!("[[people]]\nheight = {height}\n");
    }
    std::fs::write(path("yard.toml"), scene).unwrap();
    assert!(run(&["run", &path("yard.toml"), "--quiet", "-o", &path("out")]).status.success());
    assert!(run(&["export", &path("out"), "--to", "bvh", "--quiet", "-o", &path("bvh")]).status.success());
    for (id, height) in heights.iter().enumerate() {
        let text = std::fs::read_to_string(folder.path().join(format!("bvh/agent-{id}.bvh"))).unwrap();
        let numbers = |line: &str| -> Vec<f32> {
            line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
        };
        let hips = numbers(text.lines().find(|line| line.contains("OFFSET")).unwrap())[1];
        // The skeleton of 1.75 m has its hips at 0.973 m; children have larger heads.
        assert!((hips / 0.973 - height / 1.75).abs() < 0.02, "{height} m tall: hips at {hips} m");
        let frames = text.lines().skip_while(|line| !line.starts_with("Frame Time:")).skip(1);
        for line in frames {
            let high = numbers(line)[1];
            // Hips of children sink where a step is long for their legs.
            assert!((0.7..1.08).contains(&(high / hips)), "{height} m tall: hips at {high} m");
        }
    }
}

#[test]
fn bodies_that_cannot_be_had_are_told_and_what_was_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let asked = |arguments: &[&str], pip: &str| {
        Command::new(env!("CARGO_BIN_EXE_crowdloom"))
            .args(arguments)
            .env("CROWDLOOM_DATA", folder.path())
            .env("PATH", pip)
            .output()
            .unwrap()
    };
    let told = |output: &Output| String::from_utf8_lossy(&output.stderr).replace(['\n', '│', ' '], "");
    // Something that is installed, and then damaged.
    crowdloom_bodies::installed::write(crowdloom_bodies::built_in(), &folder.path().join("bodies.bin"))
        .unwrap();
    let before = std::fs::read(path("bodies.bin")).unwrap();
    let none = asked(&["bodies", "install"], folder.path().to_str().unwrap());
    assert!(!none.status.success() && told(&none).contains("nopip"), "{}", told(&none));
    // The program that downloads is there, but no network.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let bin = folder.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        for name in ["pip", "pip3", "python3", "python"] {
            let script =
                "#!/bin/sh\necho 'ERROR: Could not find a version: Network is unreachable' >&2\nexit 1\n";
            std::fs::write(bin.join(name), script).unwrap();
            std::fs::set_permissions(bin.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let offline = asked(&["bodies", "install"], bin.to_str().unwrap());
        assert!(
            !offline.status.success() && told(&offline).contains("Networkisunreachable"),
            "{}",
            told(&offline)
        );
        assert!(told(&offline).contains("stays"), "{}", told(&offline));
        assert_eq!(std::fs::read(path("bodies.bin")).unwrap(), before);
    }
    std::fs::write(path("cut.whl"), b"PK\x03\x04 and no more").unwrap();
    let cut = asked(&["bodies", "install", "--package", &path("cut.whl")], "");
    assert!(!cut.status.success() && told(&cut).contains("stays"), "{}", told(&cut));
    assert_eq!(std::fs::read(path("bodies.bin")).unwrap(), before);
    std::fs::write(path("bodies.bin"), &before[..before.len() / 2]).unwrap();
    let damaged = asked(&["bodies", "info"], "");
    assert!(damaged.status.success() && told(&damaged).contains("built-in"), "{}", told(&damaged));
    assert!(asked(&["bodies", "remove"], "").status.success() && !folder.path().join("bodies.bin").exists());
}

#[test]
fn cameras_films_and_fixes_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let scene = "name = 'yard'\nseconds = 2\n[world]\nfloor = [[0, 0], [20, 0], [20, 15], [0, 15]]\n[[people]]\ncount = 6\n\
        [[camera]]\nname = 'gate'\nat = [0, 0, 3]\nlook-at = [10, 7, 1]\n[[camera]]\nname = 'with'\nfollow = 2\n";
    std::fs::write(path("yard.toml"), scene).unwrap();
    let output = run(&["run", &path("yard.toml"), "--quiet", "-o", &path("out")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let before = crowdloom_output::run::Run::open(&folder.path().join("out")).unwrap();
    let names: Vec<&str> = before.header().cameras.iter().map(|camera| &*camera.name).collect();
    assert_eq!(names, ["gate", "with"]);
    // Other programs have them, too: the one that stands, and the one that goes with somebody.
    for to in ["glb", "usda", "usdc"] {
        let file = path(&format!("yard.{to}"));
        let output = run(&["export", &path("out"), "--to", to, "--quiet", "-o", &file]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let bytes = std::fs::read(path("yard.glb")).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let cameras = document["cameras"].as_array().unwrap();
    assert_eq!((&cameras[0]["name"], &cameras[1]["name"]), (&"gate".into(), &"with".into()));
    assert!((cameras[0]["perspective"]["yfov"].as_f64().unwrap() - 45f64.to_radians()).abs() < 1e-5);
    let nodes = document["nodes"].as_array().unwrap();
    let node =
        |name: &str| nodes.iter().position(|node| node["name"] == name && node["camera"].is_u64()).unwrap();
    // Ground's x and y are glTF's x and -z.
    assert_eq!(nodes[node("gate")]["translation"], serde_json::json!([0.0, 3.0, 0.0]));
    let moved = |target: usize| {
        let channels = document["animations"][0]["channels"].as_array().unwrap();
        channels.iter().filter(|channel| channel["target"]["node"] == target).count()
    };
    assert_eq!((moved(node("gate")), moved(node("with"))), (0, 2));
    let text = std::fs::read_to_string(path("yard.usda")).unwrap();
    assert!(text.contains("def Camera \"Camera_gate\"") && text.contains("def Camera \"Camera_with\""));
    let film = run(&["film", &path("out"), "--camera", "roof", "-o", &path("film.mp4")]);
    assert!(!film.status.success() && String::from_utf8_lossy(&film.stderr).contains("gate"));
    let bad = scene.replace("look-at = [10, 7, 1]", "");
    std::fs::write(path("bad.toml"), bad).unwrap();
    assert!(!run(&["check", &path("bad.toml")]).status.success());
    // One is taken away, one goes to where another is, one comes later.
    let there = |run: &crowdloom_output::run::Run, id: u32, record: u32| {
        let chunk = run.chunk(0).unwrap();
        let track = chunk.tracks.iter().find(|track| track.id == id)?;
        track.at(record).map(|sample| sample.position())
    };
    let away = there(&before, 1, 0).unwrap() - there(&before, 2, 0).unwrap();
    let fixes = format!(
        "[[fix]]\nagents = [0]\nremove = true\n[[fix]]\nagents = [2]\nmove = [{}, {}]\nlooks = 99\n\
         [[fix]]\nagents = ['3-4']\nlater = 0.5\n",
        away.x, away.y
    );
    std::fs::write(path("fixes.toml"), fixes).unwrap();
    let laid = run(&["layout", &path("out"), "--edits", &path("fixes.toml"), "--json", "-o", &path("new")]);
    assert!(laid.status.success(), "{}", String::from_utf8_lossy(&laid.stderr));
    let laid: serde_json::Value = serde_json::from_slice(&laid.stdout).unwrap();
    assert_eq!((&laid["changed"], &laid["removed"]), (&4.into(), &1.into()));
    assert_eq!(laid["touches"][0]["agents"], serde_json::json!([1, 2]));
    let after = crowdloom_output::run::Run::open(&folder.path().join("new")).unwrap();
    assert_eq!(there(&after, 0, 0), None);
    assert!(there(&after, 2, 0).unwrap().distance(there(&before, 1, 0).unwrap()) < 0.003);
    assert_eq!(there(&after, 3, 14), None);
    assert_eq!(there(&after, 3, 20), there(&before, 3, 5));
    assert_eq!((there(&after, 5, 7), after.looks_of(2)), (there(&before, 5, 7), 99));
    for bad in [
        "[[fix]]\nagents = [77]\n",
        "[[fix]]\nagents = []\n",
        "[[fix]]\nagents = [1]\nmove = [nan, 0]\n",
        "[[fix]]\nfly = 1\n",
    ] {
        std::fs::write(path("bad-fixes.toml"), bad).unwrap();
        let told = run(&["layout", &path("out"), "--edits", &path("bad-fixes.toml"), "-o", &path("bad")]);
        assert!(!told.status.success(), "{bad}");
    }
}

#[test]
fn outfits_things_gestures_and_sets_of_a_scene_reach_its_run_and_its_exports() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let scene = "name = 'yard'\nseconds = 1\n[world]\nfloor = [[0, 0], [12, 0], [12, 9], [0, 9]]\n\
        [set]\nhour = 18.5\nmodel = 'set.glb'\n\
        [[outfit]]\nname = 'stewards'\nlike = 'uniform'\ntop = ['hoodie']\n\
        top-colours = [{ hue = [50, 50], saturation = [90, 90], brightness = [90, 90] }]\n\
        [[people]]\noutfit = 'stewards'\nthings = ['suitcase']\n[[people]]\ngestures = ['wave', 'left pocket']\n[[prop]]\nkind = 'tree'\nat = [6, 4]\n";
    std::fs::write(path("yard.toml"), scene).unwrap();
    // A set of one triangle.
    let corners: Vec<u8> =
        [0f32, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 3.0, 0.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let text = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"wall","mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],"materials":[{"name":"paint"}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[5,3,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}"#;
    let text = format!("{text:<width$}", width = text.len().next_multiple_of(4));
    let mut set = b"glTF\x02\0\0\0".to_vec();
    set.extend((28 + text.len() as u32 + 36).to_le_bytes());
    for (kind, contents) in [(b"JSON", text.as_bytes()), (b"BIN\0", &corners[..])] {
        set.extend((contents.len() as u32).to_le_bytes());
        set.extend(kind);
        set.extend(contents);
    }
    std::fs::write(path("set.glb"), &set).unwrap();
    let output = run(&["run", &path("yard.toml"), "--quiet", "-o", &path("out")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run_file = crowdloom_output::run::Run::open(&folder.path().join("out")).unwrap();
    let (outfits, carriage) = (run_file.outfits(), run_file.carriage().unwrap());
    let steward = run_file.person(0, &outfits);
    let worn = |name: &str| steward.look.worn.contains(&crowdloom_bodies::piece_named(name));
    assert!(steward.look.outfit == "stewards" && worn("hoodie") && worn("suitcase"));
    let [red, green, blue] = steward.look.colours.top;
    assert!(red > 200 && green > 170 && blue < 60, "yellow");
    let arms = |id: u32| carriage.holds_of(&run_file.person(id, &outfits)).0.map(|hold| hold.is_some());
    assert!(arms(0)[1] && arms(1) == [true; 2]);
    assert_eq!(run_file.header().staging.hour, Some(18.5));
    let exported = run(&["export", &path("out"), "--to", "glb", "--with", "set", "-o", &path("all.glb")]);
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let bytes = std::fs::read(path("all.glb")).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let nodes = document["nodes"].as_array().unwrap();
    let node = |name: &str| nodes.iter().find(|node| node["name"] == name).unwrap();
    // The wall is the user's, with its own paint, and the tree stands about.
    let mesh = &document["meshes"][node("wall")["mesh"].as_u64().unwrap() as usize];
    let material = mesh["primitives"][0]["material"].as_u64().unwrap() as usize;
    assert_eq!(document["materials"][material]["name"], "paint");
    let accessor = mesh["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
    assert_eq!(document["accessors"][accessor]["max"][0], 5);
    node("tree");
    for (from, to, told) in [
        ("like = 'uniform'", "like = 'armour'", "armour"),
        ("['hoodie']", "['toga']", "toga"),
        ("['suitcase']", "['sutcase']", "suitcase"),
        ("'wave'", "'wvae'", "wvae"),
        ("hour = 18.5", "hour = 25", "24"),
        ("'set.glb'", "'none.glb'", "none.glb"),
    ] {
        std::fs::write(path("bad.toml"), scene.replace(from, to)).unwrap();
        let bad = run(&["check", &path("bad.toml")]);
        let said =
            format!("{}{}", String::from_utf8_lossy(&bad.stdout), String::from_utf8_lossy(&bad.stderr));
        assert!(!bad.status.success() && said.contains(told), "{to}: {said}");
    }
    std::fs::write(path("set.glb"), &set[..set.len() / 2]).unwrap();
    let cut = run(&["check", &path("yard.toml")]);
    let said = format!("{}{}", String::from_utf8_lossy(&cut.stdout), String::from_utf8_lossy(&cut.stderr));
    assert!(!cut.status.success() && said.contains("cut short"), "{said}");
}
