//! Everybody's way in one form, from a run or from trajectories.

use crate::run::{Chunk, GroundShape, Line, ReadError, Run, Sample};
use crowdloom_motion::wrap_angle;
use crowdloom_trajectory::Trajectories;
use glam::Vec2;
use rayon::prelude::*;
use std::collections::HashMap;

/// Chunks that are decoded side by side.
const AT_ONCE: usize = 32;

/// What a body shows at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) clip: u16,
    /// Parts of 64 of a frame of the clip.
    pub(super) phase: u32,
}

/// One person without a gap, one entry a record.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) id: u32,
    /// The first record.
    pub(super) first: u32,
    pub(super) positions: Vec<Vec2>,
    /// Headings in radians, never jumping by a turn; empty where they are not known.
    pub(super) headings: Vec<f32>,
    /// Empty where there are no bodies.
    pub(super) shown: Vec<Shown>,
    /// Empty where nobody stands otherwise than clips have it.
    pub(super) stances: Vec<Sample>,
}

impl Piece {
    /// The record after the last.
    pub(super) fn end(&self) -> u32 {
        self.first + self.positions.len() as u32
    }
}

/// Everybody.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracks {
    pub(super) name: String,
    /// Seconds from one record to the next.
    pub(super) step: f32,
    /// Records from the first to the one after the last.
    pub(super) records: u32,
    /// By number, then by time.
    pub(super) pieces: Vec<Piece>,
    /// Where people can be; without areas it is not known.
    pub(super) ground: GroundShape,
    pub(super) lines: Vec<Line>,
    pub(super) assumed: Vec<String>,
}

impl Tracks {
    /// Reads a run.
    pub(super) fn of_run(run: &Run) -> Result<Self, ReadError> {
        let header = run.header();
        let start = run.frames().start;
        let mut pieces: Vec<Piece> = Vec::new();
        let mut last_of: HashMap<u32, usize> = HashMap::new();
        let count = run.chunk_count();
        for from in (0..count).step_by(AT_ONCE) {
            let chunks: Result<Vec<Chunk>, ReadError> =
                (from..(from + AT_ONCE).min(count)).into_par_iter().map(|chunk| run.chunk(chunk)).collect();
            for chunk in chunks? {
                let base = (chunk.first_frame - start) / chunk.stride.max(1);
                for track in chunk.tracks.iter().filter(|track| !track.samples.is_empty()) {
                    let first = base + track.first;
                    let known = last_of.get(&track.id).copied().filter(|&at| pieces[at].end() == first);
                    let at = known.unwrap_or_else(|| {
                        pieces.push(Piece { id: track.id, first, ..Piece::default() });
                        pieces.len() - 1
                    });
                    last_of.insert(track.id, at);
                    let piece = &mut pieces[at];
                    for sample in &track.samples {
                        let placement = sample.placement();
                        let heading = piece.headings.last().map_or(placement.heading, |before| {
                            before + wrap_angle(placement.heading - before)
                        });
                        piece.positions.push(placement.position);
                        piece.headings.push(heading);
                        piece.shown.push(Shown { clip: sample.clip, phase: sample.phase });
                        if sample.feet != 0 || !piece.stances.is_empty() {
                            // Who only now stands on its own feet did not before.
                            piece.stances.resize(piece.shown.len() - 1, Sample::default());
                            piece.stances.push(*sample);
                        }
                    }
                }
            }
        }
        pieces.sort_by_key(|piece| (piece.id, piece.first));
        let records = run.frames().len() as u32 / header.stride;
        Ok(Self {
            name: header.name.clone(),
            step: header.record_time(),
            records,
            pieces,
            ground: header.ground.clone(),
            lines: header.lines.clone(),
            assumed: Vec::new(),
        })
    }

    /// Takes over trajectories; `ground` in their own coordinates.
    pub(super) fn of_trajectories(name: &str, people: &Trajectories, ground: GroundShape) -> Self {
        let start = people.frames().start;
        let piece = |person: &crowdloom_trajectory::Trajectory| {
            let mut headings = person.headings.clone();
            for at in 1..headings.len() {
                headings[at] = headings[at - 1] + wrap_angle(headings[at] - headings[at - 1]);
            }
            Piece {
                id: person.id,
                first: person.first_frame - start,
                positions: person.positions.clone(),
                headings,
                shown: Vec::new(),
                stances: Vec::new(),
            }
        };
        Self {
            name: name.into(),
            step: 1.0 / people.frame_rate,
            records: people.frames().len() as u32,
            pieces: people.people.iter().map(piece).collect(),
            ground,
            lines: Vec::new(),
            assumed: people.assumed.clone(),
        }
    }

    /// Records nearest to so many seconds, at least one.
    pub(super) fn span(&self, seconds: f32) -> usize {
        (seconds / self.step).round().max(1.0) as usize
    }

    /// For each record out of `every`, who is there: piece and index in it.
    pub(super) fn moments(&self, every: u32) -> Vec<(u32, Vec<(u32, u32)>)> {
        let count = self.records.div_ceil(every.max(1)) as usize;
        let mut moments: Vec<(u32, Vec<(u32, u32)>)> =
            (0..count).map(|number| (number as u32 * every, Vec::new())).collect();
        for (number, piece) in self.pieces.iter().enumerate() {
            let mut record = piece.first.next_multiple_of(every);
            while record < piece.end() {
                if let Some(moment) = moments.get_mut((record / every) as usize) {
                    moment.1.push((number as u32, record - piece.first));
                }
                record += every;
            }
        }
        moments
    }
}
