//! Memory that people take, in a process of its own: whatever else runs would be counted, too.

use crowdloom_lab::experiment::situations;

#[test]
fn people_are_small_and_situations_hardly_make_them_larger() {
    let report = situations::run(30);
    let bytes = |case: &situations::Case| case.bytes_per_agent;
    assert!(report.by_situations.iter().all(|case| (100.0..4000.0).contains(&bytes(case))), "{report}");
    assert!(report.memory_growth < 0.25, "{report}");
}
