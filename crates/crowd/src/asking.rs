//! Behaviour functions that the program has added: in a decision each is asked once, for all choices together.

use crate::behaviour::{Behaviour, Candidate, Here};
use crate::commitment::Commitment;
use crate::consult::Who;
use crate::decision::Decider;
use crate::labels::LabelSet;
use crate::mind::Mind;
use crate::situation::Influence;
use crate::{Candidates, Deciding};
use crowdloom_base::MovingDisc;
use crowdloom_motion::mobb::Disc;
use glam::Vec2;

/// What added functions have answered, and the lists that they were asked with, kept from one decision to the next.
#[derive(Default)]
pub(crate) struct Asked {
    /// The logarithm of the weight of each choice at the node, then of staying; none where nobody was asked.
    logs: Vec<f32>,
    weights: Vec<f32>,
    positions: Vec<Vec2>,
    facings: Vec<Vec2>,
    turns: Vec<f32>,
    distances: Vec<f32>,
    speeds: Vec<f32>,
    seconds: Vec<f32>,
    labels: Vec<LabelSet>,
    others: Vec<MovingDisc>,
}

impl Asked {
    /// The logarithm of the weight of a choice at the node.
    pub(crate) fn log_weight(&self, choice: usize) -> f32 {
        self.logs.get(choice).copied().unwrap_or(0.0)
    }

    /// The logarithm of the weight of staying.
    pub(crate) fn staying(&self) -> f32 {
        self.logs.last().copied().unwrap_or(0.0)
    }

    fn clear(&mut self) {
        self.logs.clear();
        self.positions.clear();
        self.facings.clear();
        self.turns.clear();
        self.distances.clear();
        self.speeds.clear();
        self.seconds.clear();
        self.labels.clear();
        self.others.clear();
    }

    fn push(&mut self, candidate: &Candidate) {
        self.positions.push(candidate.position);
        self.facings.push(candidate.facing);
        self.turns.push(candidate.turn);
        self.distances.push(candidate.distance);
        self.speeds.push(candidate.speed);
        self.seconds.push(candidate.seconds);
        self.labels.push(candidate.labels);
    }
}

impl Decider<'_> {
    /// Asks the added functions that somebody's situations lend it.
    pub(crate) fn ask_added(
        &self,
        who: Who,
        mind: &Mind,
        influence: &Influence,
        neighbours: &[(Commitment, Disc)],
        asked: &mut Asked,
    ) {
        asked.logs.clear();
        let functions = || {
            influence.added().filter_map(|(behaviour, power)| match behaviour {
                Behaviour::Added(number) => Some((self.shared.additions.behaviours.get(*number)?, *power)),
                _ => None,
            })
        };
        if functions().next().is_none() {
            return;
        }
        asked.clear();
        let book = &*self.setting.book;
        let here = Here { position: who.placement.position, facing: who.placement.facing() };
        book.choices(who.node).iter().for_each(|choice| asked.push(&choice.candidate(here)));
        asked.push(&Candidate::staying(here));
        asked.others.extend(neighbours.iter().map(|(promise, _)| promise.moving_disc(book, self.frame)));
        let deciding = Deciding {
            agent: who.id,
            frame: self.frame,
            position: here.position,
            facing: here.facing,
            goal: mind.wish(),
            likes: mind.speed,
            past: &mind.past,
            others: &asked.others,
            ground: &self.setting.ground,
        };
        let candidates = Candidates {
            positions: &asked.positions,
            facings: &asked.facings,
            turns: &asked.turns,
            distances: &asked.distances,
            speeds: &asked.speeds,
            seconds: &asked.seconds,
            labels: &asked.labels,
        };
        asked.logs.resize(candidates.len(), 0.0);
        for (function, power) in functions().filter(|(_, power)| *power != 0.0) {
            asked.weights.clear();
            asked.weights.resize(candidates.len(), 1.0);
            function.weigh(&deciding, &candidates, &mut asked.weights);
            for (log, weight) in asked.logs.iter_mut().zip(&asked.weights) {
                let weight = if weight.is_nan() { 1.0 } else { weight.clamp(0.0, 1.0) };
                *log += libm::logf(weight) * power;
            }
        }
    }
}
