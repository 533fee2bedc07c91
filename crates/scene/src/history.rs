//! Changes to a running scene: made at once or as soon as promises allow it, taken back, made again, and all written down.

use crowdloom_crowd::{Cause, Crowd, Edit, Happened, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A change that was refused for good after it was asked for: there was nobody to tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// The frame in which it was refused.
    pub frame: u32,
    /// What was to be changed.
    pub edit: Edit,
    /// Why it was refused.
    pub why: String,
}

/// A change on one of the stacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Step {
    /// What takes it back.
    back: Edit,
    /// What it was.
    made: Edit,
}

/// What was changed so far and what is still to be changed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct History {
    log: Vec<Happened>,
    refused: Vec<Refused>,
    /// Changes that promises do not allow yet, and what they are once made.
    waiting: Vec<(Edit, Cause)>,
    done: Vec<Step>,
    undone: Vec<Step>,
    /// Changes of another run that are still to be made again.
    to_repeat: VecDeque<Happened>,
}

impl History {
    /// All changes so far.
    pub(crate) fn log(&self) -> &[Happened] {
        &self.log
    }

    /// All that was refused without anybody to tell.
    pub(crate) fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// Changes that promises do not allow yet.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Edit> {
        self.waiting.iter().map(|(edit, _)| edit)
    }

    /// Makes a change; returns the one that takes it back.
    pub(crate) fn edit(&mut self, crowd: &mut Crowd, edit: Edit, cause: Cause) -> Result<Edit, Refusal> {
        let back = crowd.edit(edit.clone())?;
        if cause != Cause::Event {
            self.done.push(Step { back: back.clone(), made: edit.clone() });
            self.undone.clear();
        }
        self.log.push(Happened { frame: crowd.frame(), edit, cause });
        Ok(back)
    }

    /// Makes a change now, or as soon as promises allow it; returns whether it was made.
    pub(crate) fn edit_when_free(&mut self, crowd: &mut Crowd, edit: Edit) -> Result<bool, Refusal> {
        match self.edit(crowd, edit.clone(), Cause::Hand) {
            Ok(_) => Ok(true),
            Err(refusal) if refusal.is_for_now() => {
                self.log.push(Happened { frame: crowd.frame(), edit: edit.clone(), cause: Cause::Asked });
                self.waiting.push((edit, Cause::Granted));
                crowd.announce(self.waiting());
                Ok(false)
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Makes the changes of an event, or lets them wait for promises to allow them where `waits`.
    pub(crate) fn let_happen(&mut self, crowd: &mut Crowd, edits: Vec<Edit>, waits: bool) {
        for edit in edits {
            match self.edit(crowd, edit.clone(), Cause::Event) {
                Err(refusal) if waits && refusal.is_for_now() => self.waiting.push((edit, Cause::Event)),
                Err(refusal) => self.refuse(crowd.frame(), edit, &refusal),
                Ok(_) => {}
            }
        }
        crowd.announce(self.waiting());
    }

    /// Makes what promises allow by now.
    pub(crate) fn go_on(&mut self, crowd: &mut Crowd) {
        if self.waiting.is_empty() {
            return;
        }
        for (edit, cause) in std::mem::take(&mut self.waiting) {
            match self.edit(crowd, edit.clone(), cause) {
                Err(refusal) if refusal.is_for_now() => self.waiting.push((edit, cause)),
                Err(refusal) => self.refuse(crowd.frame(), edit, &refusal),
                Ok(_) => {}
            }
        }
        crowd.announce(self.waiting());
    }

    /// Takes the last change back that was made by hand.
    pub(crate) fn undo(&mut self, crowd: &mut Crowd) -> Result<(), Refusal> {
        let step = self.done.pop().ok_or(Refusal::Nothing("undo"))?;
        match self.take_back(crowd, &step, Cause::Undo) {
            Ok(again) => self.undone.push(again),
            Err(refusal) => {
                self.done.push(step);
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// Makes the last change again that was taken back.
    pub(crate) fn redo(&mut self, crowd: &mut Crowd) -> Result<(), Refusal> {
        let step = self.undone.pop().ok_or(Refusal::Nothing("redo"))?;
        match self.take_back(crowd, &step, Cause::Redo) {
            Ok(again) => self.done.push(again),
            Err(refusal) => {
                self.undone.push(step);
                return Err(refusal);
            }
        }
        Ok(())
    }

    fn take_back(&mut self, crowd: &mut Crowd, step: &Step, cause: Cause) -> Result<Step, Refusal> {
        let made = step.back.clone();
        let back = crowd.edit(made.clone())?;
        // Who comes back has a number of its own: it is the one that other changes were about.
        if let (Edit::Remove(old), Edit::Remove(new)) = (&step.made, &back) {
            let (old, new) = (*old, *new);
            for step in self.done.iter_mut().chain(&mut self.undone) {
                for id in [step.back.person_mut(), step.made.person_mut()].into_iter().flatten() {
                    if *id == old {
                        *id = new;
                    }
                }
            }
        }
        self.log.push(Happened { frame: crowd.frame(), edit: made.clone(), cause });
        Ok(Step { back, made })
    }

    /// Sets out to make the changes of another run again, each after its frame.
    pub(crate) fn repeat(&mut self, log: &[Happened], crowd: &mut Crowd) {
        self.to_repeat = log.iter().filter(|happened| happened.is_from_outside()).cloned().collect();
        self.go_on_repeating(crowd);
    }

    /// Makes the changes of another run again whose frame has come.
    pub(crate) fn go_on_repeating(&mut self, crowd: &mut Crowd) {
        while self.to_repeat.front().is_some_and(|next| next.frame <= crowd.frame()) {
            let Some(next) = self.to_repeat.pop_front() else { return };
            let made = match next.cause {
                Cause::Hand => self.edit(crowd, next.edit.clone(), Cause::Hand).map(|_| ()),
                Cause::Asked => self.edit_when_free(crowd, next.edit.clone()).map(|_| ()),
                Cause::Undo => self.undo(crowd),
                Cause::Redo => self.redo(crowd),
                Cause::Granted | Cause::Event => Ok(()),
            };
            if let Err(refusal) = made {
                self.refuse(next.frame, next.edit, &refusal);
            }
        }
    }

    fn refuse(&mut self, frame: u32, edit: Edit, why: &Refusal) {
        self.refused.push(Refused { frame, edit, why: why.to_string() });
    }
}
