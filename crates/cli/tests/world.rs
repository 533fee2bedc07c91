//! `crowdloom world` from outside.

use std::process::{Command, Output};

fn crowdloom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdloom")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn info_tells_what_is_in_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("plan.wkt");
    std::fs::write(&map, "POLYGON((0 0, 10 0, 10 10, 0 10), (4 4, 6 4, 6 6, 4 6, 4 4))").unwrap();
    let output = crowdloom(&["world", "info", map.to_str().unwrap()]);
    let printed = text(&output.stdout);
    assert!(output.status.success());
    for part in ["96.00 m²", "obstacles   1", "closed the open ring", "10.00 × 10.00 m"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn plot_writes_pictures() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["map.png", "map.svg"] {
        let file = folder.path().join(name);
        let route = ["--route", "1,1", "23,10", "--roadmap"];
        let output =
            crowdloom(&[&["world", "plot", "rooms", "-o", file.to_str().unwrap()][..], &route].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("route of"));
        assert!(std::fs::metadata(&file).unwrap().len() > 1000);
    }
}

#[test]
fn errors_name_the_file_the_vertex_and_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("bow.wkt");
    std::fs::write(&map, "POLYGON((0 0, 10 10, 10 0, 0 10, 0 0))").unwrap();
    let output = crowdloom(&["world", "info", map.to_str().unwrap()]);
    let printed = text(&output.stderr).replace(['\n', '│'], " ");
    assert!(!output.status.success());
    for part in ["bow.wkt", "vertex 3", "help"] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let file = folder.path().join("map.gif");
    assert!(!crowdloom(&["world", "plot", "rooms", "-o", file.to_str().unwrap()]).status.success());
    let blocked = ["world", "plot", "rooms", "-o", "never.png", "--route", "8.1,1", "1,1"];
    let output = crowdloom(&blocked);
    assert!(!output.status.success() && text(&output.stderr).contains("start"), "{}", text(&output.stderr));
}
