//! `crowdloom run --save-every` and `--resume`: a run that stops in the middle goes on in a new process to the same rows.

use std::path::Path;
use std::process::Command;

const SCENE: &str = "name = 'hall'\nseconds = 8\n[world]\nfloor = [[0, 0], [20, 0], [20, 12], [0, 12]]\n\
    [[region]]\nname = 'east'\nrectangle = [16, 0, 20, 12]\n\
    [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n\
    [[people]]\ncount = 12\nappear = [0, 6]\n\
    [[people]]\ncount = 10\nmover = 'social-force'\nto = 'out'\n";

fn crowdloom(arguments: &[&str], paths: &[&Path]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crowdloom"));
    let output = command.args(arguments).args(paths).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The rows of a run from a frame of it on, but for their times; its first frame is `begins`.
fn rows(run: &Path, begins: u32, from: u32) -> Vec<String> {
    let file = run.with_extension("csv");
    crowdloom(&["export", "--to", "csv", "-o"], &[&file, run]);
    let text = std::fs::read_to_string(file).unwrap();
    let row = |row: &str| {
        let mut columns: Vec<String> = row.split(',').map(str::to_owned).collect();
        let frame = columns.get(1)?.parse::<u32>().ok()? + begins;
        columns[1] = frame.to_string();
        columns.remove(2);
        (frame >= from).then(|| columns.join(","))
    };
    let mut rows: Vec<String> = text.lines().filter_map(row).collect();
    // Only the order may differ.
    rows.sort();
    rows
}

#[test]
fn a_run_goes_on_in_a_new_process() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("hall.toml"), SCENE).unwrap();
    crowdloom(&["run", "--quiet", "-o"], &[&at("whole"), &at("hall.toml")]);
    crowdloom(
        &["run", "--quiet", "--seconds", "5", "--save-every", "4", "-o"],
        &[&at("part"), &at("hall.toml")],
    );
    crowdloom(&["run", "--quiet", "--resume"], &[&at("part"), Path::new("-o"), &at("rest")]);
    let (whole, rest) = (rows(&at("whole"), 0, 120), rows(&at("rest"), 120, 120));
    assert!(whole.len() > 1000, "{}", whole.len());
    assert_eq!(whole, rest);
}

#[test]
fn what_is_no_snapshot_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.snapshot"), "nonsense").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_crowdloom"))
        .args(["run", "--resume"])
        .arg(folder.path())
        .arg("-o")
        .arg(folder.path().join("out"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("no snapshot of a simulation"), "{told}");
}
