//! What agents share: situations, signals, scenario.

use crate::labels::{LabelSet, Labels};
use crate::scenario::Scenario;
use crate::signal::Signal;
use crate::situation::{Change, Roll, Situation, SituationId};

/// Labels that decisions treat in a way of their own.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownLabels {
    /// Actions that only situations allow.
    pub special: LabelSet,
    /// Ways of waiting.
    pub waiting: LabelSet,
    /// Steps aside and back.
    pub stepping: LabelSet,
    /// Running.
    pub running: LabelSet,
    /// Ways of walking and running with a node of their own.
    pub styled: LabelSet,
}

impl KnownLabels {
    /// Finds the labels among those of a graph.
    pub fn new(names: &Labels) -> Self {
        Self {
            special: names.set([
                "run", "style", "carry", "sit", "fight", "fall", "talk", "listen", "look", "phone", "wave",
                "applaud", "shout",
            ]),
            waiting: names.set(["wait"]),
            stepping: names.set(["step"]),
            running: names.set(["run"]),
            styled: names.set(["style"]),
        }
    }
}

/// What agents share and what may change between two steps.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// The situations.
    pub situations: Vec<Situation>,
    /// What each situation keeps about its visitors.
    pub rolls: Vec<Roll>,
    /// The signals.
    pub signals: Vec<Signal>,
    /// Where people go.
    pub scenario: Scenario,
    /// Labels of the graph that matter.
    pub labels: KnownLabels,
    /// Situations of each region.
    pub(crate) by_region: Vec<Vec<SituationId>>,
}

impl Shared {
    /// The situations that are in force in a region, by its index.
    pub fn in_region(&self, region: usize) -> &[SituationId] {
        self.by_region.get(region).map_or(&[], Vec::as_slice)
    }

    /// Carries out what an agent, by its number, asked for; a spot goes to whoever asks first.
    pub(crate) fn apply(&mut self, agent: u32, change: Change) {
        let rolls = &mut self.rolls;
        match change {
            Change::Enter(id) => rolls[id.index()].present.push(agent),
            Change::Leave(id) => rolls[id.index()].present.retain(|other| *other != agent),
            Change::Claim(id, spot) => {
                if let Some(holder) = rolls[id.index()].holders.get_mut(usize::from(spot)) {
                    holder.get_or_insert(agent);
                }
            }
            Change::Release(id, spot) => {
                if let Some(holder) = rolls[id.index()].holders.get_mut(usize::from(spot))
                    && *holder == Some(agent)
                {
                    *holder = None;
                }
            }
        }
    }
}
