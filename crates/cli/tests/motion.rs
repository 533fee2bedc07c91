//! `crowdloom motion import`, `info` and `graph` from end to end.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn motion(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdloom"))
        .arg("motion")
        .args(arguments)
        .output()
        .expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn data(relative: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CROWDLOOM_DATA")
        .map(PathBuf::from)
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    let path = root.join(relative);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not here; set CROWDLOOM_DATA to the data folder", path.display());
    None
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn captures_become_a_library_and_a_graph() {
    let Some(captures) = data("mocap/cmu_bvh") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (library, graph, plot) =
        (path(folder.path(), "a.lib"), path(folder.path(), "a.graph"), path(folder.path(), "a.svg"));
    let files: Vec<String> = ["16_15", "16_31", "16_32", "16_33", "16_34", "07_12"]
        .iter()
        .map(|name| captures.join(name).with_extension("bvh").to_string_lossy().into_owned())
        .collect();
    let mut arguments = vec!["import", "--preset", "cmu", "-o", library.as_str()];
    arguments.extend(files.iter().map(String::as_str));
    let output = motion(&arguments);
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(printed.contains("root jump at source frames 0-0: trimmed"), "{printed}");
    assert!(printed.contains("another body: retargeted"), "{printed}");
    assert!(printed.contains("6 clips"), "{printed}");

    let output = motion(&["graph", &library, "-o", &graph, "--plot", &plot]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("nodes") && Path::new(&plot).exists());
    let printed = text(&motion(&["info", &graph]).stdout);
    assert!(printed.contains("rest)"), "{printed}");
    // No action lasts longer than a second and a half.
    let built = crowdloom_motion::graph::MotionGraph::load(Path::new(&graph)).unwrap();
    let longest = built.actions().iter().map(|action| action.clip.seconds()).fold(0.0, f32::max);
    assert!(longest <= 1.51, "{longest}");
    let output = motion(&["graph", &library, "-o", &graph, "--node", "walk=16_15:9.9s"]);
    assert!(text(&output.stderr).contains("lasts"), "{}", text(&output.stderr));
}

#[test]
fn the_built_in_library_makes_a_graph() {
    let folder = tempfile::tempdir().unwrap();
    let graph = path(folder.path(), "b.graph");
    let output = motion(&["graph", "builtin", "-o", &graph]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert!(printed.contains("(100 %)") && !printed.contains("no way to rest"), "{printed}");
    // A graph that was cut short is refused, not half read.
    let bytes = std::fs::read(&graph).unwrap();
    std::fs::write(&graph, &bytes[..bytes.len() / 2]).unwrap();
    assert!(text(&motion(&["info", &graph]).stderr).contains("truncated"));
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let library = path(folder.path(), "x.lib");
    for (name, content, expected) in [
        ("empty.bvh", &b""[..], "is empty"),
        ("binary.bvh", &b"\x00\x01\x02\xff"[..], "is not text"),
        ("cut.bvh", &b"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0"[..], "cut.bvh:4: the file ends"),
        ("song.mp3", &b"la"[..], "is not a known kind"),
    ] {
        let file = path(folder.path(), name);
        std::fs::write(&file, content).unwrap();
        let output = motion(&["import", &file, "-o", &library]);
        let printed = text(&output.stdout);
        assert!(!output.status.success() && printed.contains(expected), "{name}: {printed}");
    }
    let output = motion(&["info", &path(folder.path(), "missing.bvh")]);
    assert!(text(&output.stderr).contains("cannot be opened"));
}

#[test]
fn clips_go_out_as_bvh_and_gltf() {
    let folder = tempfile::tempdir().unwrap();
    let (bvh, glb) = (path(folder.path(), "clips"), path(folder.path(), "clips.glb"));
    for out in [&bvh, &glb] {
        let output = motion(&["export", "builtin", "--only", "sit", "-o", out]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let files = std::fs::read_dir(&bvh).unwrap().count();
    let bytes = std::fs::read(&glb).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let document: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let animations = document["animations"].as_array().unwrap();
    assert!(files > 0 && files == animations.len(), "{files} {}", animations.len());
    // One figure, which every animation places and poses.
    assert_eq!(document["skins"].as_array().unwrap().len(), 1);
    for animation in animations {
        let moved = |node: u64| {
            let channels = animation["channels"].as_array().unwrap().iter();
            channels.filter(|channel| channel["target"]["node"] == node).count()
        };
        assert_eq!((moved(0), moved(1)), (2, 2), "{}", animation["name"]);
    }
    let nothing = motion(&["export", "builtin", "--only", "flying", "-o", &glb]);
    assert!(!nothing.status.success() && text(&nothing.stderr).contains("flying"));
}

#[test]
fn a_repertoire_is_made_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let library = path(folder.path(), "my.lib");
    let output =
        motion(&["locomotion", "-o", &library, "--step", "0.1", "--arms", "phone,stroller+left stroller"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&motion(&["kits", &library]).stdout);
    assert_eq!(printed.lines().count(), 7, "walks and runs, plain, phoning and with a stroller:\n{printed}");
    let wish = ["--action", "walk", "--left-arm", "stroller", "--speed", "1.33"];
    let found = motion(&[&["kits", &library, "--json"], &wish[..]].concat());
    let found = text(&found.stdout);
    assert!(found.contains("walk 1.30 stroller+left stroller"), "{found}");
    let missing = motion(&["kits", &library, "--action", "sit", "--draw", "0.5"]);
    assert!(text(&missing.stderr).contains("no motion"), "{}", text(&missing.stderr));
}

#[test]
fn the_help_names_every_gesture() {
    let help = text(&motion(&["gesture", "--help"]).stdout);
    for (name, _) in crowdloom_gesture::BUILT_IN {
        assert!(help.contains(name), "{name} is not in {help}");
    }
}
