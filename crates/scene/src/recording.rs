//! People who follow recorded trajectories.

use crate::build::Checker;
use crate::file::SceneFile;
use crate::mover::Mover;
use crate::people::{People, Reading};
use crowdloom_crowd::Crowd;
use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_motion::{FRAME_RATE, Placement};
use crowdloom_trajectory::{ReadOptions, Trajectory, read_trajectories};
use crowdloom_world::Ground;
use glam::Vec2;
use std::path::Path;

/// Puts the people of all recordings into the crowd; mistakes go to the checker.
pub fn build_recordings(
    scene: &SceneFile,
    reading: &Reading<'_>,
    crowd: &mut Crowd,
    folder: &Path,
    checker: &mut Checker<'_>,
) {
    let recorded = scene.people.iter().enumerate().filter(|(_, people)| people.mover.is(Mover::Recorded));
    for (index, people) in recorded {
        checker.here = checker.table_line("people", index);
        build_recording(people, reading, crowd, folder, checker);
    }
    checker.here = None;
}

fn build_recording(
    people: &People,
    reading: &Reading<'_>,
    crowd: &mut Crowd,
    folder: &Path,
    checker: &mut Checker<'_>,
) {
    let Some(name) = &people.recording else {
        let fix = "give `recording = \"FILE\"`: CSV, text as PedPy reads it, or JuPedSim's SQLite";
        checker.problem(None, "recorded people need a recording", fix);
        return;
    };
    if people.at.is_some() || people.place.is_some() || people.to.is_some() {
        let fix = "leave out `in`, `at` and `to`";
        checker.problem(Some(name.span()), "where recorded people are is in their recording", fix);
    }
    let Some(template) = reading.template(people, 0, crowd, checker) else { return };
    let whole = match read_trajectories(&folder.join(name.get_ref()), &ReadOptions::default()) {
        Ok(whole) => whole.resampled(FRAME_RATE),
        Err(error) => {
            checker.problem(Some(name.span()), error.to_string(), "see docs/scenes.md for what can be read");
            return;
        }
    };
    let ground = crowd.setting().ground.clone();
    let first = whole.frames().start;
    let most = people.count.unwrap_or(usize::MAX);
    let mut refused = 0;
    for (number, person) in whole.people.iter().take(most).enumerate() {
        let mut random = Random::new(crowd.setting().seed, number as u32, 0, Purpose::BIRTH);
        let newcomer = template.draw(0, &mut random);
        // The recording begins with the run, or when its people are to appear.
        let begins = (people.appear[0].max(0.0) * FRAME_RATE) as u32;
        let way = way_of(person, &ground);
        refused += usize::from(!crowd.add_recorded(&way, person.first_frame - first + begins, newcomer));
    }
    if refused > 0 {
        let what = format!("{refused} recorded people are in the way of others who are planned");
        checker.warning(Some(name.span()), what, "they are left out");
    }
}

/// Where a recorded person is in each frame and which way it faces: where the file does not tell, where it goes.
fn way_of(person: &Trajectory, ground: &Ground) -> Vec<Placement> {
    const AHEAD: usize = 10;
    let places: Vec<Vec2> = person.positions.iter().map(|place| ground.to_local(place.as_dvec2())).collect();
    let mut heading = 0.0;
    let place = |(index, position): (usize, &Vec2)| {
        let before = places[index.saturating_sub(AHEAD)];
        let after = places[(index + AHEAD).min(places.len() - 1)];
        let way = after - before;
        // Who hardly moves keeps facing as before.
        if way.length() > 0.1 {
            heading = libm::atan2f(way.y, way.x);
        }
        let heading = person.headings.get(index).copied().unwrap_or(heading);
        Placement { position: *position, heading }
    };
    places.iter().enumerate().map(place).collect()
}
