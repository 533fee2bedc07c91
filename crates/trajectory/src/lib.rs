//! Trajectories of people from files: where each was in which frame, whoever wrote it.
//!
//! Three kinds of files are understood: text (`id frame x y z`, as PeTrack, PedPy, JuPedSim and Crowdloom write it, with
//! or without a head), comma-separated values with names in the first line, and JuPedSim's SQLite. Units are metres and
//! radians whatever the file has; numbers of people that a file uses again for somebody else are told apart.

mod csv;
mod pieces;
#[cfg_attr(not(feature = "sqlite"), path = "no_sqlite.rs")]
mod sqlite;
mod text;

use glam::Vec2;
use std::path::{Path, PathBuf};

/// One person's way without a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// The person's number in the file; somebody who goes and comes back has several trajectories.
    pub id: u32,
    /// The frame of the first position.
    pub first_frame: u32,
    /// One position for each frame on from there, in metres.
    pub positions: Vec<Vec2>,
    /// Which way the person faced in each of these frames, in radians; empty where the file does not tell.
    pub headings: Vec<f32>,
}

/// All that a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectories {
    /// Frames in a second.
    pub frame_rate: f32,
    /// Everybody, by number and then by time.
    pub people: Vec<Trajectory>,
    /// The walkable areas as well-known text, where the file has them.
    pub floor: Option<String>,
    /// What was assumed because the file does not say it.
    pub assumed: Vec<String>,
}

/// What a file may not tell about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Frames in a second, instead of what the file says.
    pub frame_rate: Option<f32>,
    /// Metres in a unit of the file, instead of what the file says.
    pub unit: Option<f32>,
}

/// Why trajectories cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TrajectoryError {
    /// The file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        cause: std::io::Error,
    },
    /// The file is not what it seems to be.
    #[error("{}: {problem}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// One row of a file: a person in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: u32,
    pub(crate) frame: u32,
    pub(crate) position: Vec2,
    pub(crate) heading: Option<f32>,
}

/// Reads a file of trajectories of any kind that is known, in metres.
pub fn read_trajectories(path: &Path, options: &ReadOptions) -> Result<Trajectories, TrajectoryError> {
    let bytes = std::fs::read(path).map_err(|cause| TrajectoryError::Io { path: path.to_owned(), cause })?;
    let bad = |problem: String| TrajectoryError::Bad { path: path.to_owned(), problem };
    let whole = if bytes.starts_with(b"SQLite format 3\0") {
        sqlite::read(path, options)
    } else {
        let text = String::from_utf8(bytes).map_err(|_| bad("is neither text nor SQLite".into()))?;
        match text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            Some(line) if line.contains(',') => csv::read(&text, options),
            Some(_) => text::read(&text, options),
            None => Err("holds no trajectories".into()),
        }
    };
    let whole = whole.map_err(bad)?;
    if whole.people.is_empty() {
        return Err(bad("holds no trajectories".into()));
    }
    Ok(whole)
}

impl Trajectories {
    /// The frames from the first to the one after the last in which anybody is there.
    pub fn frames(&self) -> std::ops::Range<u32> {
        let first = self.people.iter().map(|person| person.first_frame).min().unwrap_or(0);
        let end = self.people.iter().map(|person| person.first_frame + person.positions.len() as u32);
        first..end.max().unwrap_or(first)
    }

    /// The same people at another frame rate, straight between the frames of the file.
    pub fn resampled(&self, frame_rate: f32) -> Self {
        let ratio = f64::from(self.frame_rate) / f64::from(frame_rate);
        let resample = |person: &Trajectory| {
            let first = (f64::from(person.first_frame) / ratio).ceil();
            let last = f64::from(person.first_frame) + person.positions.len().saturating_sub(1) as f64;
            let count = ((last / ratio + 1e-6).floor() - first).max(-1.0) as i64 + 1;
            let mut result = Trajectory { id: person.id, first_frame: first as u32, ..Trajectory::default() };
            for frame in 0..count {
                let at = ((first + frame as f64) * ratio - f64::from(person.first_frame)).max(0.0);
                let before = (at as usize).min(person.positions.len() - 1);
                let after = (before + 1).min(person.positions.len() - 1);
                let t = (at - before as f64).min(1.0) as f32;
                result.positions.push(person.positions[before].lerp(person.positions[after], t));
                if let (Some(&a), Some(&b)) = (person.headings.get(before), person.headings.get(after)) {
                    result.headings.push(a + wrap(b - a) * t);
                }
            }
            result
        };
        let people = self.people.iter().map(resample).filter(|person| !person.positions.is_empty());
        Self {
            frame_rate,
            people: people.collect(),
            floor: self.floor.clone(),
            assumed: self.assumed.clone(),
        }
    }
}

/// An angle between −π and π.
fn wrap(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_frame_rate_is_the_same_way() {
        let positions = (0..17).map(|frame| Vec2::new(frame as f32 / 16.0 * 1.3, 2.0)).collect();
        let person = Trajectory { id: 4, first_frame: 32, positions, headings: Vec::new() };
        let whole = Trajectories { frame_rate: 16.0, people: vec![person], ..Trajectories::default() };
        let other = whole.resampled(30.0);
        assert_eq!((other.people[0].first_frame, other.people[0].positions.len()), (60, 31));
        for (frame, position) in other.people[0].positions.iter().enumerate() {
            assert!(position.distance(Vec2::new(frame as f32 / 30.0 * 1.3, 2.0)) < 1e-4, "{frame}");
        }
    }
}
