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
    let told = text(&output.stdout);
    assert!(["fighting", "least apart", "mirrored"].iter().all(|word| told.contains(word)), "{told}");
    assert!(std::fs::read_to_string(&plot).unwrap().contains("<title>walking march, 1.45 m/s</title>"));
    let info = text(&crowdloom(&["motion", "info", &library]).stdout);
    assert!(info.contains("walking march") && info.contains("running panic"), "{info}");
    // The tables of figure 4: every style differs from itself by nothing and is its own first candidate.
    let variation = info.split("variation of walking").nth(1).expect("a table of variation");
    let first = variation.lines().nth(2).unwrap();
    assert!(first.split_whitespace().nth(1) == Some("0.00"), "{first}");
    // No style looks like another, and every one like itself.
    let poses = info.split("poses of fighting").nth(1).expect("a table of poses");
    let rows = poses.lines().skip(2).take_while(|line| !line.is_empty());
    let mut least = f32::INFINITY;
    for (own, row) in rows.enumerate() {
        for (other, cell) in row.split_whitespace().skip(1).enumerate() {
            let apart: f32 = cell.parse().expect("centimetres");
            assert_eq!(apart == 0.0, own == other, "{row}");
            least = if own == other { least } else { least.min(apart) };
        }
    }
    assert!(
        told.lines().any(|line| line.starts_with("fighting") && line.contains(&format!(" {least:.1} cm ")))
    );
    let consistency = info.split("consistency of walking").nth(1).expect("a table of consistency");
    let first: Vec<&str> = consistency.lines().nth(2).unwrap().split_whitespace().collect();
    assert!(first.len() >= 6 && first[..2] == ["1", "1"], "{first:?}");

    let scene = ["experiment", "diversity", "--scene", "street-entertainment", "--styles", &library];
    let output = crowdloom(&[&scene[..], &["-o", &run, "--seconds", "2", "--quiet"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("run/replay.html")).unwrap();
    assert!(page.contains("text/loom"));
}

#[test]
fn the_clone_study_has_a_page_and_an_analysis() {
    let folder = tempfile::tempdir().unwrap();
    let (page, csv) = (path(folder.path(), "study.html"), path(folder.path(), "answers.csv"));
    let output = crowdloom(&["experiment", "diversity", "--study", &page]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(std::fs::read_to_string(&page).unwrap().contains("\"scheme\":\"diverse\""));
    std::fs::write(&csv, "participant,kind,styles,scheme,seconds,wrong\n1,walking,2,by-lot,3.5,0\n").unwrap();
    let output = crowdloom(&["experiment", "diversity", "--answers", &csv]);
    assert!(text(&output.stdout).contains("3.50"), "{}", text(&output.stdout));
    std::fs::write(&csv, "participant,kind,styles,scheme,seconds,wrong\n1,walking,2,by-lot,soon,0\n")
        .unwrap();
    let output = crowdloom(&["experiment", "diversity", "--answers", &csv]);
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("line 2") && said.contains("answers.csv"), "{said}");
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
    // As in the source: a camera looks on, and the crowd keeps walking to the end.
    let share = |key: &str| report["runs"][0][key].as_f64().unwrap();
    assert!(share("walking") > 0.5 && share("in_view") > 0.5, "{report}");
    assert!(report["runs"][0]["frames"].as_u64().unwrap() >= 1800, "{report}");
}

/// The names of the styles that a scene's people show, by how many of its recorded moments.
fn styles_shown(folder: &Path, styles: &str) -> std::collections::BTreeMap<String, usize> {
    let (scene, run, csv) = (path(folder, "hall.toml"), path(folder, "run"), path(folder, "hall.csv"));
    let text_of_scene = format!(
        "name = 'hall'\nseconds = 15\n[world]\nfloor = [[0, 0], [24, 0], [24, 16], [0, 16]]\n\
        [[people]]\ncount = 24\n[[people]]\ncount = 6\nmover = 'orca'\n{styles}"
    );
    std::fs::write(&scene, text_of_scene).unwrap();
    let output = crowdloom(&["run", &scene, "-o", &run, "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = crowdloom(&["export", "--to", "csv", &run, "-o", &csv]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = std::fs::read_to_string(&csv).unwrap();
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let column = lines.next().unwrap().split(',').position(|name| name == "style").unwrap();
    let mut counts = std::collections::BTreeMap::new();
    for line in lines {
        *counts.entry(line.split(',').nth(column).unwrap().trim_matches('"').to_owned()).or_insert(0) += 1;
    }
    counts
}

#[test]
fn people_of_a_scene_with_styles_show_them_whatever_moves_them() {
    let folder = tempfile::tempdir().unwrap();
    let plain = styles_shown(folder.path(), "");
    // Without the table, only the bodies that follow discs have styles.
    let moments: usize = plain.values().sum();
    assert!(plain["plain"] * 10 > moments * 7 && plain["plain"] < moments, "{plain:?}");
    let styled = styles_shown(folder.path(), "[styles]\n");
    let moments: usize = styled.values().sum();
    let walks: Vec<_> = styled.iter().filter(|(name, _)| name.starts_with("walking ")).collect();
    let walking: usize = walks.iter().map(|(_, count)| **count).sum();
    assert!(walks.len() >= 10 && walking * 2 > moments, "{styled:?}");
    assert!(walks.iter().all(|(_, count)| **count * 2 < walking), "{styled:?}");
}
