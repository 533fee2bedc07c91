//! Planned motions as promises: who performs one follows it to its end and is then moved as usual.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::ledger::Asker;
use crate::moves::Part;
use crate::person::Mover;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::MotionGraph;
use crowdloom_synthesis::{Motion, Repertoire, Showing};
use std::sync::Arc;

impl Crowd {
    /// Lets a person perform a planned motion; until it starts the person does what it has promised. Returns whether it
    /// could be promised against nobody else's promise.
    pub fn perform(&mut self, index: usize, motion: &Motion, repertoire: &Repertoire) -> bool {
        let (book, own) = (&self.setting.book, self.ledger.promises[index]);
        let here = own.placement(book, self.frame);
        let moves = own.doing.is_some() && own.rest_frame(book) > self.frame;
        let start_frame = if moves { own.start_frame } else { self.frame };
        let start = if moves { own.placement(book, start_frame) } else { here };
        let last = motion.last_frame().max(start_frame + 1);
        let show = |frame: u32| match frame < motion.first_frame() {
            false => motion.at(repertoire, frame),
            true => {
                let node = crate::decision::node_at(book, &own, frame);
                let shows = own.showing(book, frame).filter(|_| frame < own.rest_frame(book));
                let shows = shows.map_or(Showing::Still(node), |(action, at)| Showing::Clip(action, at));
                (own.placement(book, frame), shows)
            }
        };
        let shown: Vec<(Placement, Showing)> = (start_frame..=last).map(show).collect();
        let parts = parts_of(&shown, book.graph());
        let track = shown.iter().map(|(placement, _)| placement.relative_to(start)).collect();
        let stays = motion.is_there(motion.last_frame() + 1);
        let (radius, node) = (book.options().radius, own.node);
        let book = Arc::make_mut(&mut self.setting.book);
        let Some(id) = book.add_planned(parts, track, radius, stays) else { return false };
        let promise = Commitment::new(start, start_frame, id, node);
        let asker = Asker { index: Some(index as u32), ..Asker::default() };
        if self.ledger.forbids(asker, &promise, &self.now()) {
            Arc::make_mut(&mut self.setting.book).forget_planned(id);
            return false;
        }
        let shown = self.body(index);
        if let Mover::Steered(_) = self.movers[index] {
            self.steered.remove(self.ids[index]);
        }
        self.movers[index] = Mover::Planned;
        self.ledger.bindings[index] = crate::population::binding_of(Mover::Planned);
        self.commit(index, promise);
        self.due[index] = last;
        self.let_follow();
        self.fade_from(index, shown);
        true
    }

    /// Lets people perform motions that were planned together, each keeping off the others'; returns the indices of those
    /// whose motions are against somebody's promise and who stay where they are.
    pub fn perform_together(&mut self, motions: &[(usize, &Motion)], repertoire: &Repertoire) -> Vec<usize> {
        // Where everybody stands is part of nobody's way: all are let go of, and then promise one after the other.
        for (index, _) in motions {
            self.ledger.set_aside(*index);
        }
        let refused = motions.iter().filter(|(index, motion)| !self.perform(*index, motion, repertoire));
        let refused: Vec<usize> = refused.map(|(index, _)| *index).collect();
        for index in &refused {
            self.ledger.take_back(*index, &self.setting.book);
        }
        refused
    }

    /// Shows a performed motion as a clip of its own, with its feet held, instead of as the clips it is made of.
    pub fn show_performance(&mut self, index: usize, motion: &Motion, repertoire: &Repertoire, name: &str) {
        let clip = motion.to_clip(repertoire, name);
        self.performances.push((self.ids[index], motion.first_frame(), Arc::new(clip)));
    }
}

/// What is shown from frame to frame as parts of a move: a new one wherever another clip begins.
fn parts_of(shown: &[(Placement, Showing)], graph: &MotionGraph) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut before: Option<Showing> = None;
    for (frame, (_, showing)) in shown[..shown.len() - 1].iter().enumerate() {
        let goes_on = match (before, *showing) {
            (Some(Showing::Clip(last, at)), Showing::Clip(now, then)) => last == now && then >= at,
            (Some(Showing::Still(last)), Showing::Still(now)) => last == now,
            _ => false,
        };
        match parts.last_mut().filter(|_| goes_on) {
            Some(part) => part.frames += 1,
            None => {
                let (action, to) = match *showing {
                    Showing::Clip(action, _) => (Some(action), graph.action(action).to),
                    Showing::Still(node) => (None, node),
                };
                parts.push(Part { action, first: frame as u32, frames: 1, to });
            }
        }
        before = Some(*showing);
    }
    parts
}
