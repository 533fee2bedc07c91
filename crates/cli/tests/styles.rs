//! `crowdloom motion styles` and `crowdloom experiment diversity --scene` from end to end.

use std::path::Path;
use std::process::{Command, Output};

fn crowdloom(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crowdloom")).args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

#[test]
fn the_built_in_library_has_styles_that_crowds_wear() {
    let folder = tempfile::tempdir().unwrap();
    let (library, plot, run) =
        (path(folder.path(), "a.styles"), path(folder.path(), "a.svg"), path(folder.path(), "run"));
    let output = crowdloom(&["motion", "styles", "-o", &library, "--plot", &plot]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("fighting"), "{}", text(&output.stdout));
    assert!(std::fs::read_to_string(&plot).unwrap().contains("<title>walking march, 1.45 m/s</title>"));
    let info = text(&crowdloom(&["motion", "info", &library]).stdout);
    assert!(info.contains("walking march") && info.contains("running panic"), "{info}");

    let scene = ["experiment", "diversity", "--scene", "street-entertainment", "--styles", &library];
    let output = crowdloom(&[&scene[..], &["-o", &run, "--seconds", "2", "--quiet"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("run/replay.html")).unwrap();
    assert!(page.contains("text/loom"));
}

#[test]
fn mistakes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path(), "out");
    let output = crowdloom(&["experiment", "diversity", "--scene", "ballet", "-o", &out]);
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("ballet") && said.contains("military-march"), "{said}");
    let output = crowdloom(&["experiment", "door", "--styles", &out]);
    assert!(!output.status.success() && text(&output.stderr).contains("--styles"));
    let output = crowdloom(&["motion", "styles", &out, "-o", &out]);
    assert!(!output.status.success() && !text(&output.stderr).contains("panicked"));
    let output = crowdloom(&["experiment", "diversity", "--styles", &out]);
    assert!(!output.status.success() && text(&output.stderr).contains("cannot be read"));
}

#[test]
fn the_benchmark_prints_what_scripts_read() {
    let output = crowdloom(&["bench", "diversity", "--agents", "40", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    for key in ["agents", "random_ms", "scheme_ms", "overhead"] {
        assert!(report["runs"][0][key].is_number(), "{key}: {report}");
    }
    assert_eq!(report["runs"][0]["agents"], 40);
}
