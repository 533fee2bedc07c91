//! `crowdloom motion sheet` from end to end.

use std::path::Path;
use std::process::{Command, Output};

fn sheet(arguments: &[&str], output: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crowdloom"));
    command.args(["motion", "sheet"]).args(arguments).arg("-o").arg(output);
    command.output().expect("the command runs")
}

#[test]
fn draws_one_clip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clip.png");
    assert!(sheet(&["walk-normal-straight"], &path).status.success());
    assert_eq!(&std::fs::read(&path).unwrap()[1..4], b"PNG");
}

#[test]
fn draws_chosen_clips_on_pages() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.png");
    assert!(
        sheet(
            &[
                "builtin",
                "--only",
                "turn-in-place-left,turn-in-place-right-45,turn-in-place-right-90,wave",
                "--rows",
                "2"
            ],
            &path
        )
        .status
        .success()
    );
    assert!(path.exists() && folder.path().join("sheet-2.png").exists());
    assert!(!folder.path().join("sheet-3.png").exists());
}

#[test]
fn names_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let output = sheet(&["walk-normal-backwards"], &folder.path().join("x.png"));
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("walk-normal-backwards") && message.contains("did you mean"), "{message}");
    let output = sheet(&["builtin", "--only", "juggle"], &folder.path().join("x.png"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("juggle"));
    let output = sheet(&["wave"], &folder.path().join("no/such/folder.png"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
}
