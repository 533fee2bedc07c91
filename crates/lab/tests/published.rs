//! Reports say what they should beside what the thesis and the paper print.

use crowdloom_lab::bench::mobb;
use crowdloom_lab::experiment::city::{Collision, Report, Synthesis};
use crowdloom_lab::experiment::situations::Case;
use crowdloom_lab::experiment::synthesis::{Parts, run_parts};

#[test]
fn table_4_1_takes_the_work_that_the_thesis_prints() {
    let report = mobb::run();
    assert_eq!(report.disagreements, 0);
    let short = &report.short;
    assert!((0.75..0.85).contains(&short.root_negatives), "{} end at the roots", short.root_negatives);
    // Boxes and samples of MOBB and UMOBB in table 4.1.
    for (name, boxes, samples) in [("MOBB", 1.7, 0.91), ("UMOBB", 1.69, 0.77), ("Hybrid 2", 1.75, 0.81)] {
        let row = short.published.iter().find(|row| row.name == name).expect("a row");
        let own = row.boxes_2d + row.boxes_3d;
        assert!((0.75 * boxes..1.25 * boxes).contains(&own), "{name}: {own} boxes, thesis {boxes}");
        let most = 1.4 * samples;
        assert!(
            (0.6 * samples..most).contains(&row.samples),
            "{name}: {} samples, thesis {samples}",
            row.samples
        );
    }
    // Samples of one level are fewer than in the thesis, whose roots also met those who had gone; a tree saves most of them.
    let samples =
        |name: &str| short.published.iter().find(|row| row.name == name).map_or(0.0, |row| row.samples);
    assert!(samples("MOBB") * 2.5 < samples("MOBB 1 level"), "{short:?}");
    assert!(samples("UMOBB") < samples("UMOBB 1 level"), "{short:?}");
    let told = report.to_string();
    for part in ["fitted: the radius", "UMOBB 1 level", "samples in a leaf", "figure 4.3", "SweepOBBTree"] {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
}

#[test]
fn every_case_of_the_city_is_a_point_of_its_figure() {
    let cases = |count: usize| -> Vec<Case> {
        let case = |n: usize| Case { agents: n * 500, median_ms_per_frame: n as f64, ..Case::default() };
        (1..=count).map(case).collect()
    };
    let report = Report {
        steps: 1,
        threads: 1,
        collision: Collision {
            queries: 1,
            disagreements: 0,
            mobb_seconds: 1e-8,
            best_seconds: 1e-8,
            frame_by_frame_seconds: 2e-8,
            many_frames_seconds: 1e-8,
            thesis_mobb_seconds: 1.7e-5,
            thesis_frame_by_frame_seconds: 3.7e-5,
        },
        synthesis: Synthesis {
            motions: 1,
            missed: 0,
            seconds: 1e-3,
            frames: 100.0,
            thesis_seconds: 0.106,
            thesis_frames: 580.0,
        },
        by_situations: cases(5),
        memory_growth: 0.0,
        fixed_size: cases(9),
        knee: None,
        fixed_density: cases(6),
        overlaps: 0,
    };
    assert_eq!(report.plot().matches("<circle").count(), 20);
    let told = report.to_string();
    for part in
        ["many at once", "Figure 6.4", "Figure 6.5", "Figure 6.6", "complexity", "1.707e-5", "3.743e-5"]
    {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
}

#[test]
fn the_table_of_the_synthesis_prints_what_the_paper_prints() {
    let told = run_parts(Parts::Table).to_string();
    println!("{told}");
    // Duration, average and total of experiment 4, density and complexity of table 5.2.
    for printed in
        ["(30.2)", "(350)", "(14)", "(10.5)", "(27.2)", "set-up s", "limbs touch", "are not its averages"]
    {
        assert!(told.contains(printed), "{printed} is missing in {told}");
    }
}
