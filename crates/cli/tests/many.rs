//! `crowdloom run SCENE --seeds`.

use std::process::Command;

#[test]
fn many_seeds_come_to_one_summary() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("room.toml");
    let text = "name = 'room'\nseconds = 25\n[world]\nfloor = [[0, 0], [10, 0], [10, 6], [0, 6]]\n\
        [[region]]\nname = 'door'\nrectangle = [9, 0, 10, 6]\n[[stop]]\nname = 'out'\nregion = 'door'\nexit = true\n\
        [[people]]\ncount = 8\nto = 'out'\nmover = 'collision-free-speed'\n";
    std::fs::write(&scene, text).unwrap();
    let run = |jobs: &str, name: &str, seeds: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crowdloom"));
        command.args(["run", "--seeds", seeds, "--jobs", jobs, "--json"]).arg(&scene);
        let output = command.arg("-o").arg(folder.path().join(name)).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let printed = run("2", "two", "3..6");
    assert_eq!(printed, run("1", "one", "3..6"), "the number of jobs changes nothing");
    let found: serde_json::Value = serde_json::from_slice(&printed).unwrap();
    let seeds: Vec<u64> =
        found["runs"].as_array().unwrap().iter().map(|run| run["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, [3, 4, 5, 6]);
    let last = found["egress"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((last["time_s"].as_f64(), last["mean"].as_f64()), (Some(25.0), Some(8.0)), "{last}");
    for moment in found["egress"].as_array().unwrap() {
        let number = |name: &str| moment[name].as_f64().unwrap();
        assert!(number("p5") <= number("mean") && number("mean") <= number("p95"), "{moment}");
    }
    let page = std::fs::read_to_string(folder.path().join("two/runs.html")).unwrap();
    assert!(page.contains("People who have left") && page.contains("polygon"));
    let written = std::fs::read(folder.path().join("two/runs.json")).unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&written).unwrap(), found);
}
