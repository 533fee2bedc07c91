//! What agents follow, gathered while the run goes on.

use super::recordable::Recordable;
use super::stretches::{Following, Stretch};

/// Gathers what agents follow until a chunk is full.
#[derive(Debug, Default)]
pub struct Followers {
    /// Those who are there, by number.
    ids: Vec<u32>,
    agents: Vec<Follower>,
    /// The frame that was written down last.
    frame: Option<u32>,
    /// Those who went before the chunk was full.
    gone: Vec<Following>,
}

#[derive(Debug, Default)]
struct Follower {
    id: u32,
    /// First frame in the chunk.
    since: u32,
    /// What it follows, and from which frame on; only the last may lie in the future.
    plan: Vec<(u32, Stretch)>,
}

/// The grid of recorded frames of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first frame.
    pub first: u32,
    /// Frames from one record to the next.
    pub stride: u32,
}

impl Span {
    /// The number of records before `frame`.
    fn before(self, frame: u32) -> u32 {
        frame.saturating_sub(self.first).div_ceil(self.stride)
    }
}

impl Followers {
    /// Writes down what everybody follows in the crowd's current frame.
    pub fn take(&mut self, crowd: &impl Recordable, span: Span) {
        let frame = crowd.frame();
        let count = crowd.count();
        if self.ids.len() != count || (0..count).any(|index| self.ids[index] != crowd.id(index)) {
            self.meet(crowd, span);
        }
        // A frame's few decisions are not worth waking threads for.
        for (index, agent) in self.agents.iter_mut().enumerate() {
            if self.frame.is_none_or(|last| crowd.settled_in(index) > last) || agent.plan.is_empty() {
                agent.settle(crowd, index);
            }
        }
        self.frame = Some(frame);
    }

    /// Agents have come or gone: both lists ascend by number.
    fn meet(&mut self, crowd: &impl Recordable, span: Span) {
        let frame = crowd.frame();
        let mut known = std::mem::take(&mut self.agents).into_iter().peekable();
        for index in 0..crowd.count() {
            let id = crowd.id(index);
            while let Some(gone) = known.next_if(|agent| agent.id < id) {
                self.gone.extend(gone.following(span, frame));
            }
            let agent = known.next_if(|agent| agent.id == id);
            self.agents.push(agent.unwrap_or_else(|| Follower { id, since: frame, ..Follower::default() }));
        }
        self.gone.extend(known.filter_map(|gone| gone.following(span, frame)));
        self.ids.clear();
        self.ids.extend(self.agents.iter().map(|agent| agent.id));
    }

    /// All that was written down since the last time, up to `end` (excluded), which the next chunk starts with.
    pub fn flush(&mut self, span: Span, end: u32) -> Vec<Following> {
        let mut all = std::mem::take(&mut self.gone);
        for agent in &mut self.agents {
            all.extend(agent.following(span, end));
            agent.since = end;
            let now = agent.plan.partition_point(|(from, _)| *from <= end).saturating_sub(1);
            agent.plan.drain(..now);
            if let Some((from, _)) = agent.plan.first_mut() {
                *from = (*from).max(end);
            }
        }
        all.sort_by_key(|agent| (agent.id, agent.first));
        all
    }
}

impl Follower {
    /// Writes down what the agent follows from the crowd's current frame on.
    fn settle(&mut self, crowd: &impl Recordable, index: usize) {
        let frame = crowd.frame();
        self.plan.retain(|(from, _)| *from < frame);
        crowd.plan(index, &mut |from, stretch| {
            let from = from.max(frame);
            // One that decided to go on as it is follows what it followed.
            if self.plan.last().is_none_or(|(_, last)| *last != stretch) {
                self.plan.push((from, stretch));
            }
        });
    }

    /// The agent from its first frame in the chunk to `end` (excluded); none where nothing of it was recorded.
    fn following(&self, span: Span, end: u32) -> Option<Following> {
        let ends = self.plan.iter().skip(1).map(|(from, _)| (*from).min(end)).chain([end]);
        let stretches = self.plan.iter().zip(ends).map(|(&(from, stretch), to)| {
            let records = span.before(to).saturating_sub(span.before(from.max(self.since)));
            (records, stretch)
        });
        let stretches: Vec<(u32, Stretch)> = stretches.filter(|(records, _)| *records > 0).collect();
        let first = span.before(self.since);
        (!stretches.is_empty()).then_some(Following { id: self.id, first, stretches })
    }
}
