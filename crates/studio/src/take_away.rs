//! Taking a scene away: its run from the beginning, in a folder beside it.

use crate::files::Files;
use crate::protocol::{Answer, Tell};
use crowdloom_output::run::{CrowdRecording, Run, RunInfo, record};
use crowdloom_scene::{Overrides, parse};
use std::sync::atomic::AtomicBool;

/// The longest run that is taken away, in seconds: an hour.
const LONGEST: f32 = 3600.0;

/// Runs the scene of a text message into a folder of that name, with replay page and report.
pub fn run(files: &Files, told: &[u8], name: &str, seconds: f32) -> Answer {
    let Ok(Tell::Text(text)) = serde_json::from_slice::<Tell>(told) else {
        return Answer::refused("there is no scene");
    };
    if !(seconds > 0.0 && seconds <= LONGEST) {
        return Answer::refused(format!("a run lasts up to {LONGEST} seconds"));
    }
    let folder = match files.beside(name) {
        Ok(folder) if !folder.is_file() => folder,
        Ok(_) => return Answer::refused("there is a file of that name"),
        Err(error) => return Answer::refused(error.to_string()),
    };
    let mut simulation = match parse(&files.file(), &text.text, Overrides::default()) {
        Ok((simulation, _)) => simulation,
        Err(error) => return Answer::refused(error.to_string()),
    };
    let info = RunInfo { stride: 1, ..RunInfo::of_scene(&simulation) };
    let never = AtomicBool::new(false);
    let recorded =
        record(&mut CrowdRecording::of_scene(&mut simulation), &info, seconds, &folder, &mut |_| {}, &never);
    let written = recorded.map_err(|error| error.to_string()).and_then(|summary| {
        let run = Run::open(&folder).map_err(|error| error.to_string())?;
        crowdloom_replay::write_page(&run, &folder).map_err(|error| error.to_string())?;
        crowdloom_output::report::write(&run, &summary, &folder).map_err(|error| error.to_string())?;
        Ok(summary.agents)
    });
    match written {
        Ok(people) => Answer::said(format!("{people} people are in {}", folder.display())),
        Err(why) => Answer::refused(why),
    }
}
