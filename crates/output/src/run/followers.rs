//! What agents follow, gathered while the run goes on.
//!
//! The run itself only keeps a [`Log`] of who settled on what; sorting it by agent is the writing thread's work.

use super::recordable::Recordable;
use super::stretches::{Following, Stretch};
use std::collections::HashMap;

/// A stretch that an agent settled on.
#[derive(Clone, Copy, Debug)]
struct Settled {
    agent: u32,
    /// The frame in which it settled on it; what it was to follow from then on no longer counts.
    frame: u32,
    /// The frame that it follows the stretch from.
    from: u32,
    stretch: Stretch,
}

/// What happened in the frames of a chunk, in order.
#[derive(Debug, Default)]
pub struct Log {
    settled: Vec<Settled>,
    /// Who went, and in which frame they were no longer there.
    gone: Vec<(u32, u32)>,
}

/// Watches whom a crowd consists of and what they settle on.
#[derive(Debug, Default)]
pub struct Watcher {
    /// Those who are there, by number.
    ids: Vec<u32>,
    /// The first frame of which nothing is written down of each of them yet; 0 of newcomers.
    unseen: Vec<u32>,
    log: Log,
}

impl Watcher {
    /// Writes down what is new in the crowd's current frame and tells the clips that it is about; returns whether
    /// somebody came or went.
    pub fn take(&mut self, crowd: &impl Recordable, mut shows: impl FnMut(u16)) -> bool {
        let frame = crowd.frame();
        let changed = self.meet(crowd);
        for (index, unseen) in self.unseen.iter_mut().enumerate() {
            if *unseen == 0 || crowd.settled_in(index) >= *unseen {
                *unseen = frame + 1;
                let agent = self.ids[index];
                crowd.plan(index, &mut |from, stretch| {
                    shows(stretch.clip);
                    self.log.settled.push(Settled { agent, frame, from: from.max(frame), stretch });
                });
            }
        }
        changed
    }

    /// Those who are there, by number.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// All that was written down since the last time.
    pub fn hand_over(&mut self) -> Log {
        // The next chunk will be about as long.
        let settled = Vec::with_capacity(self.log.settled.len() * 9 / 8);
        std::mem::replace(&mut self.log, Log { settled, gone: Vec::new() })
    }

    /// Looks who came and who went.
    fn meet(&mut self, crowd: &impl Recordable) -> bool {
        let count = crowd.count();
        // Newcomers have the highest numbers: as many people with the same last one are the same people.
        let last = count.checked_sub(1).map(|index| crowd.id(index));
        if self.ids.len() == count && self.ids.last().copied() == last {
            return false;
        }
        let frame = crowd.frame();
        let known: Vec<(u32, u32)> = self.ids.drain(..).zip(self.unseen.drain(..)).collect();
        let mut known = known.into_iter().peekable();
        for id in (0..count).map(|index| crowd.id(index)) {
            while let Some((gone, _)) = known.next_if(|agent| agent.0 < id) {
                self.log.gone.push((gone, frame));
            }
            let stayed = known.next_if(|agent| agent.0 == id);
            self.ids.push(id);
            self.unseen.push(stayed.map_or(0, |(_, unseen)| unseen));
        }
        self.log.gone.extend(known.map(|(gone, _)| (gone, frame)));
        true
    }
}

/// The grid of recorded frames of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first frame.
    pub first: u32,
    /// Frames from one record to the next.
    pub stride: u32,
    /// Records in it.
    pub records: u32,
}

impl Span {
    /// The number of records before `frame`.
    fn before(self, frame: u32) -> u32 {
        frame.saturating_sub(self.first).div_ceil(self.stride)
    }

    /// The frame that the next chunk starts with.
    fn end(self) -> u32 {
        self.first + self.records * self.stride
    }
}

/// Sorts logs by agent, from chunk to chunk.
#[derive(Debug, Default)]
pub struct Followers {
    agents: Vec<Follower>,
    /// Where each number is in the list.
    places: HashMap<u32, usize>,
}

#[derive(Debug, Default)]
struct Follower {
    id: u32,
    /// First frame in the chunk.
    since: u32,
    /// The frame in which it was no longer there.
    until: Option<u32>,
    /// What it follows, and from which frame on; only the last may lie in the future.
    plan: Vec<(u32, Stretch)>,
}

impl Followers {
    /// What everybody follows in the chunk that `log` is of.
    pub fn follow(&mut self, log: &Log, span: Span) -> Vec<Following> {
        for settled in log.settled.chunk_by(|a, b| (a.agent, a.frame) == (b.agent, b.frame)) {
            let Settled { agent: id, frame, .. } = settled[0];
            let place = *self.places.entry(id).or_insert_with(|| {
                self.agents.push(Follower { id, since: frame, ..Follower::default() });
                self.agents.len() - 1
            });
            self.agents[place].settle(settled, frame);
        }
        for (id, frame) in &log.gone {
            if let Some(&place) = self.places.get(id) {
                self.agents[place].until = Some(*frame);
            }
        }
        self.agents.sort_by_key(|agent| agent.id);
        let all = self.agents.iter().filter_map(|agent| agent.following(span)).collect();
        self.agents.retain(|agent| agent.until.is_none());
        self.agents.iter_mut().for_each(|agent| agent.go_on(span.end()));
        self.places.clear();
        self.places.extend(self.agents.iter().enumerate().map(|(place, agent)| (agent.id, place)));
        all
    }
}

impl Follower {
    /// Follows what it settled on from `frame` on.
    fn settle(&mut self, settled: &[Settled], frame: u32) {
        while self.plan.pop_if(|(from, _)| *from >= frame).is_some() {}
        for Settled { from, stretch, .. } in settled {
            // One that decided to go on as it is follows what it followed.
            if self.plan.last().is_none_or(|(_, last)| last != stretch) {
                self.plan.push((*from, *stretch));
            }
        }
    }

    /// The agent in a chunk; none where nothing of it was recorded.
    fn following(&self, span: Span) -> Option<Following> {
        let end = self.until.unwrap_or(span.end());
        let ends = self.plan.iter().skip(1).map(|(from, _)| (*from).min(end)).chain([end]);
        let stretches = self.plan.iter().zip(ends).map(|(&(from, stretch), to)| {
            let records = span.before(to).saturating_sub(span.before(from.max(self.since)));
            (records, stretch)
        });
        let stretches: Vec<(u32, Stretch)> = stretches.filter(|(records, _)| *records > 0).collect();
        let first = span.before(self.since);
        (!stretches.is_empty()).then_some(Following { id: self.id, first, stretches })
    }

    /// Forgets what lies before the next chunk.
    fn go_on(&mut self, frame: u32) {
        self.since = frame;
        let now = self.plan.partition_point(|(from, _)| *from <= frame).saturating_sub(1);
        self.plan.drain(..now);
        if let Some((from, _)) = self.plan.first_mut() {
            *from = (*from).max(frame);
        }
    }
}
