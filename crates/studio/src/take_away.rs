//! Taking a scene away: its run from the beginning, in a folder beside it.

use crate::files::Files;
use crate::protocol::{Answer, Tell};
use crowdloom_output::body::Detail;
use crowdloom_output::export::{self, GlbForm, GlbOptions, Selection, UsdForm};
use crowdloom_output::run::{CrowdRecording, Run, RunInfo, record};
use crowdloom_scene::{Overrides, parse};
use std::path::Path;

/// The longest run that is taken away, in seconds: an hour.
const LONGEST: f32 = 3600.0;

/// What a run can be exported to, by the ending of the file.
const FORMATS: [&str; 5] = ["csv", "txt", "glb", "usda", "usdc"];

/// Writes a run to a file beside it, of the format that its name ends in.
fn export(run: &Run, to: &str, path: &Path) -> Result<(), String> {
    let all = Selection::default();
    let usd = |form| export::write_usd(run, &all, 1, form, path).map_err(|error| error.to_string());
    match to {
        "csv" => export::write_csv(run, &all, path).map_err(|error| error.to_string()),
        "txt" => export::write_text(run, &all, path).map_err(|error| error.to_string()),
        "usda" => usd(UsdForm::Text),
        "usdc" => usd(UsdForm::Binary),
        _ => {
            let options = GlbOptions {
                detail: Detail::Middle,
                every: 1,
                form: GlbForm::default(),
                characters: Vec::new(),
                set: true,
            };
            export::write_glb(run, &all, &options, path).map_err(|error| error.to_string())
        }
    }
}

/// Runs the scene of a text message into a folder of that name, with replay page and report, and exports it where `to` names a
/// format.
pub fn run(files: &Files, told: &[u8], name: &str, seconds: f32, to: &str) -> Answer {
    if !to.is_empty() && !FORMATS.contains(&to) {
        return Answer::refused(format!("a run is exported to one of {}", FORMATS.join(", ")));
    }
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
    let recorded =
        record(&mut CrowdRecording::of_scene(&mut simulation), &info, seconds, &folder, &mut |_| {}, &|| {
            false
        });
    let written = recorded.map_err(|error| error.to_string()).and_then(|summary| {
        let run = Run::open(&folder).map_err(|error| error.to_string())?;
        crowdloom_replay::write_page(&run, &folder).map_err(|error| error.to_string())?;
        crowdloom_output::report::write(&run, &summary, &folder).map_err(|error| error.to_string())?;
        if !to.is_empty() {
            export(&run, to, &folder.join("crowd").with_extension(to))?;
        }
        Ok(summary.agents)
    });
    match written {
        Ok(people) => Answer::said(format!("{people} people are in {}", folder.display())),
        Err(why) => Answer::refused(why),
    }
}
