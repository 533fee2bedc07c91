//! Which agents and which stretch of time.

use crate::run::{Chunk, ReadError, Run, Sample};
use std::collections::BTreeMap;
use std::ops::Range;

/// What of a run to export.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Numbers of agents, from (included) and to (included); all where it is empty.
    pub agents: Vec<(u32, u32)>,
    /// Seconds from the start of the run.
    pub from: Option<f32>,
    /// Seconds from the start of the run.
    pub to: Option<f32>,
}

impl Selection {
    /// Whether an agent is wanted.
    pub fn wants(&self, id: u32) -> bool {
        self.agents.is_empty() || self.agents.iter().any(|&(from, to)| (from..=to).contains(&id))
    }

    /// The frames that are wanted.
    pub fn frames(&self, run: &Run) -> Range<u32> {
        let all = run.frames();
        let frame = |seconds: f32| all.start + (seconds.max(0.0) * run.header().frame_rate).round() as u32;
        let start = self.from.map_or(all.start, frame).clamp(all.start, all.end);
        let end = self.to.map_or(all.end, |to| frame(to).saturating_add(1)).clamp(start, all.end);
        start..end
    }

    /// Calls `take` for every wanted agent in every wanted frame, in the order of frames, then of agents. Frames count
    /// recorded ones from the start of the run.
    pub fn rows<E: From<ReadError>>(
        &self,
        run: &Run,
        mut take: impl FnMut(u32, u32, &Sample) -> Result<(), E>,
    ) -> Result<(), E> {
        for chunk in run.chunks_of(self.frames(run)) {
            let mut done = Ok(());
            self.rows_of(run, chunk?, |frame, id, sample| {
                if done.is_ok() {
                    done = take(frame, id, sample);
                }
            });
            done?;
        }
        Ok(())
    }

    /// Calls `take` for every wanted agent in every wanted frame of a chunk, as [`Self::rows`] does.
    pub fn rows_of(&self, run: &Run, mut chunk: Chunk, mut take: impl FnMut(u32, u32, &Sample)) {
        let (frames, start) = (self.frames(run), run.frames().start);
        chunk.tracks.retain(|track| self.wants(track.id));
        chunk.tracks.sort_by_key(|track| (track.id, track.first));
        for record in 0..chunk.records {
            let frame = chunk.first_frame + record * chunk.stride;
            if !frames.contains(&frame) {
                continue;
            }
            for track in &chunk.tracks {
                if let Some(sample) = track.at(record) {
                    take((frame - start) / chunk.stride, track.id, sample);
                }
            }
        }
    }

    /// What every wanted agent does, frame by frame: recorded frames from the start of the run, and samples.
    pub fn by_agent(&self, run: &Run) -> Result<BTreeMap<u32, Vec<(u32, Sample)>>, ReadError> {
        let mut agents: BTreeMap<u32, Vec<(u32, Sample)>> = BTreeMap::new();
        self.rows(run, |frame, id, sample| {
            agents.entry(id).or_default().push((frame, *sample));
            Ok::<_, ReadError>(())
        })?;
        Ok(agents)
    }
}
