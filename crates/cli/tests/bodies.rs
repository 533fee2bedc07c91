//! What people look like, through the command line.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdloom")).args(arguments).output().unwrap()
}

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
