//! Saving a crowd at any frame and going on from there, to the same bits.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::mind::Mind;
use crate::moves::MoveId;
use crate::situation::Roll;
use crate::vehicle::Journey;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// All of a crowd that changes while it runs; what it runs in (graph, ground, situations) comes from its scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedCrowd {
    frame: u32,
    next_id: u32,
    seed: u64,
    agents: Vec<SavedAgent>,
    rolls: Vec<Roll>,
    enabled: Vec<bool>,
    by_hand: Vec<Option<bool>>,
    journeys: Vec<Journey>,
    planned: Vec<SavedMove>,
}

/// A move that was planned for one occasion: its actions with the frames in which they begin, and its track.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedMove {
    number: u16,
    actions: Vec<(u16, u32)>,
    track: Vec<Placement>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedAgent {
    id: u32,
    start: Placement,
    start_frame: u32,
    doing: Option<u16>,
    node: u16,
    due: u32,
    mind: Mind,
}

/// Why a saved crowd does not fit.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ResumeError {
    /// The seed is another.
    #[error("the crowd was saved with seed {saved}, but this scene has seed {own}")]
    OtherSeed {
        /// The seed it was saved with.
        saved: u64,
        /// The seed of the scene.
        own: u64,
    },
    /// Situations or signals are others.
    #[error("the crowd was saved in another scene: {what} do not fit")]
    OtherScene {
        /// What does not fit.
        what: &'static str,
    },
}

impl Crowd {
    /// Everything that is needed to go on from this frame.
    pub fn save(&self) -> SavedCrowd {
        let agent = |index: usize| {
            let commitment = self.commitments[index];
            SavedAgent {
                id: self.ids[index],
                start: commitment.start,
                start_frame: commitment.start_frame,
                doing: commitment.doing.map(|doing| doing.0),
                node: commitment.node.0,
                due: self.due[index],
                mind: self.minds[index].clone(),
            }
        };
        let planned = |doing: MoveId| {
            let entry = self.setting.book.get(doing);
            let actions = entry.parts.iter().map(|part| (part.action.0, part.first)).collect();
            SavedMove { number: doing.0, actions, track: entry.track.clone() }
        };
        let doing = self.commitments.iter().filter_map(|commitment| commitment.doing);
        SavedCrowd {
            planned: doing.filter(|&doing| self.setting.book.is_planned(doing)).map(planned).collect(),
            frame: self.frame,
            next_id: self.next_id,
            seed: self.setting.seed,
            agents: (0..self.len()).map(agent).collect(),
            rolls: self.shared.rolls.clone(),
            enabled: self.shared.situations.iter().map(|situation| situation.enabled).collect(),
            by_hand: self.shared.signals.iter().map(|signal| signal.by_hand).collect(),
            journeys: self.shared.vehicles.iter().map(|vehicle| vehicle.state.clone()).collect(),
        }
    }

    /// Goes back, or ahead, to a saved frame; this crowd must have the same setting, situations and signals.
    pub fn resume(&mut self, saved: SavedCrowd) -> Result<(), ResumeError> {
        let shared = &self.shared;
        let differ = |what| Err(ResumeError::OtherScene { what });
        let mut book = Arc::clone(&self.setting.book);
        for SavedMove { number, actions, track } in &saved.planned {
            let actions: Vec<_> = actions.iter().map(|&(action, first)| (ActionId(action), first)).collect();
            if !Arc::make_mut(&mut book).put_planned(MoveId(*number), &actions, track.clone()) {
                return differ("its planned motions");
            }
        }
        if saved.seed != self.setting.seed {
            return Err(ResumeError::OtherSeed { saved: saved.seed, own: self.setting.seed });
        }
        if saved.rolls.len() != shared.situations.len() || saved.enabled.len() != shared.situations.len() {
            return differ("its situations");
        }
        if saved.by_hand.len() != shared.signals.len() {
            return differ("its signals");
        }
        if saved.journeys.len() != shared.vehicles.len() {
            return differ("its vehicles");
        }
        let nodes = book.graph().nodes().len();
        let fits = |agent: &SavedAgent| {
            let vehicle = agent.mind.ride.as_ref().map(|ride| usize::from(ride.vehicle));
            vehicle.is_none_or(|vehicle| vehicle < shared.vehicles.len())
                && agent.mind.knows_its_stops(shared.scenario.stops.len())
                && agent.doing.is_none_or(|doing| book.knows(MoveId(doing)))
                && usize::from(agent.node) < nodes
                && agent.mind.visits.iter().all(|visit| {
                    let situation = shared.situations.get(visit.situation.index());
                    situation.is_some_and(|situation| {
                        // What rules remember must be what their script remembers.
                        visit.notes.as_ref().is_none_or(|notes| {
                            let script = situation.script.as_ref();
                            script.is_some_and(|script| script.remembers() == notes.memory.len())
                        })
                    })
                })
        };
        if !saved.agents.iter().all(fits) {
            return differ("its motions");
        }
        self.setting.book = book;
        let book = &self.setting.book;
        self.frame = saved.frame;
        self.fresh.clear();
        self.requests.clear();
        self.next_id = saved.next_id;
        self.ids = saved.agents.iter().map(|agent| agent.id).collect();
        self.due = saved.agents.iter().map(|agent| agent.due).collect();
        self.settled_in = vec![saved.frame; saved.agents.len()];
        let commitment = |agent: &SavedAgent| match agent.doing {
            Some(doing) => Commitment::new(agent.start, agent.start_frame, MoveId(doing), NodeId(agent.node)),
            None => Commitment::standing(agent.start, agent.start_frame, NodeId(agent.node)),
        };
        self.commitments = saved.agents.iter().map(commitment).collect();
        self.bounds = self.commitments.iter().map(|commitment| commitment.bounds(book)).collect();
        self.positions =
            self.commitments.iter().map(|commitment| commitment.position(book, saved.frame)).collect();
        self.minds = saved.agents.into_iter().map(|agent| agent.mind).collect();
        self.shared.rolls = saved.rolls;
        for (situation, enabled) in self.shared.situations.iter_mut().zip(saved.enabled) {
            situation.enabled = enabled;
        }
        for (signal, by_hand) in self.shared.signals.iter_mut().zip(saved.by_hand) {
            signal.by_hand = by_hand;
        }
        for (vehicle, journey) in self.shared.vehicles.iter_mut().zip(saved.journeys) {
            vehicle.state = journey;
        }
        Ok(())
    }
}
