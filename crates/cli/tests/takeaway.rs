//! `crowdloom demo`, `export` and `view` from end to end: what people take away.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn crowdloom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crowdloom"));
    command.args(arguments);
    command
}

fn demo(folder: &Path, more: &[&str]) -> Output {
    let mut command = crowdloom(&["demo", "--people", "40", "--seconds", "4"]);
    command.args(more).arg("-o").arg(folder).output().expect("the command runs")
}

fn export(run: &Path, format: &str, file: &Path, more: &[&str]) -> Output {
    let mut command = crowdloom(&["export", "--to", format]);
    command.args(more).arg(run).arg("-o").arg(file).output().expect("the command runs")
}

#[test]
fn a_demo_leaves_all_its_files_and_repeats_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let output = demo(&one, &["--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((json["agents"].as_u64(), json["overlaps"].as_u64()), (Some(40), Some(0)));
    for name in ["run.loom", "replay.html", "report.html", "report.json"] {
        assert!(one.join(name).metadata().unwrap().len() > 1000, "{name}");
    }
    assert_eq!(std::fs::read_dir(&one).unwrap().count(), 4, "nothing else is left");
    let page = std::fs::read_to_string(one.join("replay.html")).unwrap();
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "the page asks the network");
    let quiet = demo(&two, &["--quiet"]);
    assert!(quiet.status.success() && quiet.stdout.is_empty());
    let report = |folder: &Path| -> serde_json::Value {
        let mut report: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("report.json")).unwrap()).unwrap();
        for clock in ["stages", "real_time_factor"] {
            report[clock] = serde_json::Value::Null;
        }
        report
    };
    assert_eq!(report(&one), report(&two));
    assert!(report(&one)["mean_speed"].as_f64().unwrap() > 0.1);
}

#[test]
fn runs_are_exported_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    assert!(demo(&run, &["--quiet"]).status.success());
    let file = |name: &str| folder.path().join(name);
    for (format, name, more) in [
        ("text", "t.txt", &[][..]),
        ("csv", "t.csv", &["--agents", "3,7-9", "--from-time", "1", "--to-time", "2"]),
        ("glb", "t.glb", &["--agents", "0-4"]),
        ("bvh", "t.bvh", &["--agents", "3"]),
        ("usda", "t.usda", &["--agents", "3", "--to-time", "1"]),
        ("usdc", "t.usdc", &["--to-time", "1"]),
    ] {
        let output = export(&run, format, &file(name), more);
        assert!(output.status.success(), "{format}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(file(name).metadata().unwrap().len() > 1000, "{format}");
    }
    if cfg!(feature = "sqlite") {
        assert!(export(&run, "jupedsim", &file("t.sqlite"), &[]).status.success());
        assert_eq!(&std::fs::read(file("t.sqlite")).unwrap()[..15], b"SQLite format 3");
    }
    if cfg!(feature = "parquet") {
        assert!(export(&run, "parquet", &file("t.parquet"), &["--agents", "3"]).status.success());
        let bytes = std::fs::read(file("t.parquet")).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    }
    let text = std::fs::read_to_string(file("t.txt")).unwrap();
    assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), 40 * 121);
    let csv = std::fs::read_to_string(file("t.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 4 * 31);
    let bvh = std::fs::read_to_string(file("t.bvh")).unwrap();
    assert!(bvh.contains("Frames: 121") && bvh.contains("ROOT Hips"));
}

#[test]
fn what_cannot_be_done_is_said_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let output = export(&run, "csv", &folder.path().join("x.csv"), &[]);
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("run.loom"));
    assert!(demo(&run, &["--quiet"]).status.success());
    let output = export(&run, "csv", &folder.path().join("no/such/x.csv"), &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    let output = export(&run, "csv", &folder.path().join("x.csv"), &["--agents", "5000"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("nobody"));
    assert!(!folder.path().join("x.csv").exists() && !folder.path().join("x.csv.part").exists());
    std::fs::write(folder.path().join("file"), "in the way").unwrap();
    let output = demo(&folder.path().join("file"), &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot make the folder"));
}

/// One interrupt ends a run after the frame it is in; what there was is written and the exit code tells.
#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_what_there_was() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut command = crowdloom(&["demo", "--people", "300", "--seconds", "80000", "--quiet"]);
    let mut child = command.arg("-o").arg(&run).stderr(Stdio::null()).spawn().unwrap();
    while !run.join("run.loom.part").metadata().is_ok_and(|file| file.len() > 100_000) {
        assert!(child.try_wait().unwrap().is_none(), "the run ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(!run.join("run.loom.part").exists());
    let report = std::fs::read_to_string(run.join("report.json")).unwrap();
    assert!(report.contains("\"interrupted\": true"));
}

/// The second interrupt stops at once: nothing has its final name, and the run is readable up to its last chunk.
#[cfg(unix)]
#[test]
fn a_second_interrupt_stops_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut command = crowdloom(&["demo", "--people", "4000", "--seconds", "80000", "--quiet"]);
    let mut child = command.arg("-o").arg(&run).stderr(Stdio::piped()).spawn().unwrap();
    while !run.join("run.loom.part").metadata().is_ok_and(|file| file.len() > 2_000_000) {
        assert!(child.try_wait().unwrap().is_none(), "the run ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let pid = child.id().to_string();
    let send = |signal: &str| assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    let mut told = std::io::BufReader::new(child.stderr.take().unwrap());
    send("-INT");
    // The first has been heard; writing the page of so many people takes longer than sending the second.
    let mut line = String::new();
    std::io::BufRead::read_line(&mut told, &mut line).unwrap();
    assert!(line.contains("interrupt again"), "{line}");
    send("-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!run.join("report.json").exists());
    let csv = folder.path().join("partial.csv");
    let kept = if run.join("run.loom").exists() { run.clone() } else { run.join("run.loom.part") };
    let output = export(&kept, "csv", &csv, &["--agents", "0", "--to-time", "1"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_experiment_of_synthesis_is_a_scene() {
    let folder = tempfile::tempdir().unwrap();
    let output = crowdloom(&["run", "experiment:1", "--seconds", "2", "--json", "-o"])
        .arg(folder.path())
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((json["agents"].as_u64(), json["overlaps"].as_u64()), (Some(20), Some(0)));
    let unknown = crowdloom(&["demo", "experiment:7"]).output().unwrap();
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("experiment:6b"));
}
