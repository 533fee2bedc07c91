//! What people do: measured speeds, flows and files of trajectories.

use crowdloom_trajectory::{ReadOptions, Trajectories, read_trajectories};
use glam::Vec2;
use std::path::PathBuf;

/// Density in people per square metre, and mean speed in metres a second, in a corridor 1.8 m wide: the HERMES
/// experiments (Jülich 2009, doi 10.34735/ped.2009.14), runs uo-050 to uo-180-180-070, measured with PedPy 1.5.1.
pub const HERMES: [(f32, f32); 9] = [
    (0.50, 1.34),
    (0.55, 1.38),
    (0.67, 1.34),
    (1.14, 1.20),
    (1.56, 0.99),
    (1.68, 0.96),
    (2.06, 0.66),
    (2.46, 0.43),
    (3.06, 0.34),
];

/// Density in people per metre, and the speeds in metres a second that 10, 50 and 90 % of people are below: RiMEA 4.1.1,
/// test 16.
pub const SINGLE_FILE: [(f32, [f32; 3]); 9] = [
    (0.3, [0.840, 1.160, 1.473]),
    (0.5, [0.708, 1.091, 1.389]),
    (0.7, [0.598, 0.975, 1.305]),
    (0.9, [0.448, 0.747, 1.101]),
    (1.1, [0.316, 0.520, 0.840]),
    (1.3, [0.187, 0.393, 0.608]),
    (1.5, [0.112, 0.273, 0.485]),
    (1.7, [0.071, 0.199, 0.382]),
    (1.9, [0.048, 0.158, 0.314]),
];

/// Width in metres and flow in people per metre and second at the exits of [`HERMES`] and at the gap of doi
/// 10.34735/ped.2018.1.
pub const DOORS: [(f32, f32); 4] = [(0.5, 2.30), (0.7, 2.41), (0.95, 1.92), (1.2, 2.00)];

/// People's speed in metres a second at a density of people per square metre, straight between the runs of HERMES; as
/// at the ends beyond.
pub fn speed_at(density: f32) -> f32 {
    between(HERMES.iter().copied(), density)
}

/// People's speed in single file at a density of people per metre.
pub fn single_file_speed_at(density: f32) -> f32 {
    between(SINGLE_FILE.iter().map(|&(density, [_, speed, _])| (density, speed)), density)
}

fn between(points: impl Iterator<Item = (f32, f32)> + Clone, at: f32) -> f32 {
    let mut pairs = points.clone().zip(points.clone().skip(1));
    match pairs.find(|((low, _), (high, _))| (*low..*high).contains(&at)) {
        Some(((low, a), (high, b))) => a + (b - a) * (at - low) / (high - low),
        None => points
            .min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs()))
            .map_or(f32::NAN, |(_, speed)| speed),
    }
}

/// The folder of measured data: `CROWDLOOM_DATA`, or `../shared/data` from where one is; `None` where there is none.
pub fn data_folder() -> Option<PathBuf> {
    let told = std::env::var_os("CROWDLOOM_DATA").map(PathBuf::from);
    let usual = [PathBuf::from("../shared/data"), PathBuf::from("../../../shared/data")];
    told.into_iter().chain(usual).find(|folder| folder.is_dir())
}

/// Density and speed in the measuring area of run uo-050-180-180, read from its file; `None` where it is absent.
pub fn read_hermes_run() -> Option<(f32, f32)> {
    let file = data_folder()?.join("traj/juelich/uo-050-180-180.txt");
    let people = read_trajectories(&file, &ReadOptions::default()).ok()?;
    // The steady state in frames, and the area, of PedPy's notebook.
    Some(in_area(&people, 211..800, Vec2::new(0.0, -2.0), Vec2::new(1.8, 0.0)))
}

/// Mean density and speed of all in a rectangle, over some frames; speeds over five frames to each side.
fn in_area(people: &Trajectories, frames: std::ops::Range<u32>, low: Vec2, high: Vec2) -> (f32, f32) {
    const AROUND: usize = 5;
    let (mut seen, mut speeds) = (0u32, 0.0f64);
    for person in &people.people {
        for (at, place) in person.positions.iter().enumerate() {
            let frame = person.first_frame + at as u32;
            if frames.contains(&frame) && place.cmpge(low).all() && place.cmple(high).all() {
                let (from, to) = (at.saturating_sub(AROUND), (at + AROUND).min(person.positions.len() - 1));
                let way = person.positions[from].distance(person.positions[to]);
                speeds += f64::from(way * people.frame_rate / (to - from).max(1) as f32);
                seen += 1;
            }
        }
    }
    let area = (high - low).x * (high - low).y;
    (seen as f32 / (frames.len() as f32 * area), (speeds / f64::from(seen.max(1))) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_runs_speeds_are_straight() {
        assert!((speed_at(0.5) - 1.34).abs() < 1e-6 && (speed_at(9.0) - 0.34).abs() < 1e-6);
        assert!((speed_at(1.35) - 1.095).abs() < 1e-3);
        assert!((single_file_speed_at(1.0) - 0.6335).abs() < 1e-3);
    }

    #[test]
    fn the_measured_run_is_what_others_measured() {
        let Some((density, speed)) = read_hermes_run() else {
            eprintln!("skipped: no measured data");
            return;
        };
        assert!((density - 0.50).abs() < 0.02 && (speed - 1.34).abs() < 0.03, "{density} {speed}");
    }
}
