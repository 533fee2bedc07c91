//! Memory that people take, in a process of its own: whatever else runs would be counted, too.

use crowdloom_lab::experiment::situations;

#[test]
fn people_and_situations_are_small() {
    let report = situations::run(30);
    let people = report.by_situations[0].bytes_per_agent;
    assert!((100.0..900.0).contains(&people), "{report}");
    assert!((100.0..4e3).contains(&report.bytes_per_situation), "{report}");
}
