//! Changes to a running scene: made at once or as soon as promises allow it, taken back, made again, and all written down.

use crowdloom_crowd::{Cause, Crowd, Edit, Happened, Refusal};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Frames after which a motion is planned again that others were in the way of: half a second. One that only took too long is
/// planned on after the next.
const PLANS_EVERY: u32 = 15;

/// Motions that are planned between two frames at most, so that nobody waits long for the next; others are planned later.
pub(crate) const PLANS_AT_ONCE: usize = 1;

/// Frames for which it is: 20 seconds.
const PLANS_FOR: u32 = 600;

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

/// A change that promises do not allow yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Waiting {
    edit: Edit,
    /// What it is once made; [`Cause::Undo`] for what is taken back or made again: that is on the stacks already.
    cause: Cause,
    /// The frame in which it was asked for.
    #[serde(default)]
    since: u32,
    /// Whether it was tried since.
    #[serde(default)]
    tried: bool,
    /// How many changes had been made by hand when it was asked for: its place among them once it is made.
    after: usize,
}

/// What was changed so far and what is still to be changed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct History {
    log: Vec<Happened>,
    refused: Vec<Refused>,
    /// Changes that promises do not allow yet.
    waiting: Vec<Waiting>,
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
        self.waiting.iter().map(|waiting| &waiting.edit)
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

    /// Notes changes that were made by hand one after the other as a single one, with what takes each of them back.
    pub(crate) fn note(&mut self, frame: u32, made: Vec<Edit>, mut backs: Vec<Edit>) {
        if made.is_empty() {
            return;
        }
        backs.reverse();
        let (made, back) = (Edit::together(made), Edit::together(backs));
        self.log.push(Happened { frame, edit: made.clone(), cause: Cause::Hand });
        self.done.push(Step { back, made });
        self.undone.clear();
    }

    /// Makes a change now, or as soon as promises allow it; returns whether it was made.
    pub(crate) fn edit_when_free(&mut self, crowd: &mut Crowd, edit: Edit) -> Result<bool, Refusal> {
        match self.edit(crowd, edit.clone(), Cause::Hand) {
            Ok(_) => Ok(true),
            Err(refusal) if refusal.is_for_now() => {
                self.wait(crowd, edit.after(&refusal));
                Ok(false)
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Lets a change that was asked for by hand wait until promises allow it.
    pub(crate) fn wait(&mut self, crowd: &mut Crowd, edit: Edit) {
        self.log.push(Happened { frame: crowd.frame(), edit: edit.clone(), cause: Cause::Asked });
        self.undone.clear();
        let since = crowd.frame();
        self.waiting.push(Waiting {
            edit,
            cause: Cause::Granted,
            since,
            tried: false,
            after: self.done.len(),
        });
        crowd.announce(self.waiting());
    }

    /// Makes the changes of an event, or lets them wait for promises to allow them where `waits`.
    pub(crate) fn let_happen(&mut self, crowd: &mut Crowd, edits: Vec<Edit>, waits: bool) {
        let (mut plans, since) = (0, crowd.frame());
        let later = |own: &mut Self, edit: Edit| {
            own.waiting.push(Waiting {
                edit,
                cause: Cause::Event,
                since,
                tried: false,
                after: own.done.len(),
            });
        };
        for edit in edits {
            plans += usize::from(edit.directs());
            if waits && edit.directs() && plans > PLANS_AT_ONCE {
                later(self, edit);
                continue;
            }
            match self.edit(crowd, edit.clone(), Cause::Event) {
                Err(refusal) if waits && refusal.is_for_now() => later(self, edit.after(&refusal)),
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
        let mut plans = 0;
        for mut waiting in std::mem::take(&mut self.waiting) {
            let waits = crowd.frame().saturating_sub(waiting.since);
            if waiting.edit.directs() {
                let due = waits > 0 && (!waiting.tried || waits.is_multiple_of(PLANS_EVERY));
                if !due || plans >= PLANS_AT_ONCE {
                    self.waiting.push(waiting);
                    continue;
                }
                plans += 1;
                waiting.tried = true;
            }
            let made = match waiting.cause {
                Cause::Undo => self.bring_at_last(crowd, waiting.edit.clone()),
                cause => self.edit(crowd, waiting.edit.clone(), cause),
            };
            let step = match made {
                Err(refusal) if refusal.is_for_now() && !(waiting.edit.directs() && waits >= PLANS_FOR) => {
                    waiting.tried = !matches!(refusal, Refusal::Unfinished(_));
                    waiting.edit = waiting.edit.after(&refusal);
                    self.waiting.push(waiting);
                    continue;
                }
                Err(refusal) => {
                    self.refuse(crowd.frame(), waiting.edit, &refusal);
                    // There was a change: taking it back does nothing.
                    let nothing = Edit::Several(Vec::new());
                    (waiting.cause == Cause::Granted).then_some(Step { back: nothing.clone(), made: nothing })
                }
                Ok(_) if waiting.cause == Cause::Granted => self.done.pop(),
                Ok(_) => None,
            };
            // Changes are taken back in the order in which they were asked for, whenever they came.
            let place = waiting.after.min(self.done.len());
            step.into_iter().for_each(|step| self.done.insert(place, step));
        }
        crowd.announce(self.waiting());
    }

    /// Takes the last change back that was made by hand; one that still waits is not made at all.
    pub(crate) fn undo(&mut self, crowd: &mut Crowd) -> Result<(), Refusal> {
        let asked = |waiting: &Waiting| waiting.cause == Cause::Granted && waiting.after >= self.done.len();
        if let Some(last) = self.waiting.iter().rposition(asked) {
            let edit = self.waiting.remove(last).edit;
            self.log.push(Happened { frame: crowd.frame(), edit, cause: Cause::Undo });
            crowd.announce(self.waiting());
            return Ok(());
        }
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
                // What takes long to plan goes on where it was when it is asked for again.
                let back = step.back.clone().after(&refusal);
                self.undone.push(Step { back, ..step });
                return Err(refusal);
            }
        }
        Ok(())
    }

    fn take_back(&mut self, crowd: &mut Crowd, step: &Step, cause: Cause) -> Result<Step, Refusal> {
        let made = step.back.clone();
        let back = if made.parts().iter().any(|part| obstacle_of(part).is_some()) {
            self.take_obstacles_back(crowd, &made)?
        } else {
            crowd.edit(made.clone())?
        };
        // Who comes back has a number of its own: it is the one that other changes were about.
        let renamed: Vec<(u32, u32)> = match (step.made.parts(), back.parts()) {
            (old, new) if old.len() == new.len() => old.iter().zip(new).filter_map(renamed).collect(),
            _ => Vec::new(),
        };
        let mut rename = |id: &mut u32| {
            if let Some((_, new)) = renamed.iter().find(|(old, _)| old == id) {
                *id = *new;
            }
        };
        for step in self.done.iter_mut().chain(&mut self.undone) {
            step.back.for_each_person(&mut rename);
            step.made.for_each_person(&mut rename);
        }
        self.log.push(Happened { frame: crowd.frame(), edit: made.clone(), cause });
        Ok(Step { back, made })
    }

    /// Makes changes of obstacles, each now or as soon as promises allow it; returns what takes them back.
    fn take_obstacles_back(&mut self, crowd: &mut Crowd, edit: &Edit) -> Result<Edit, Refusal> {
        let mut backs = Vec::new();
        for part in edit.parts() {
            if let Some(number) = obstacle_of(part) {
                let same = |waiting: &Waiting| {
                    waiting.cause == Cause::Undo && obstacle_of(&waiting.edit) == Some(number)
                };
                self.waiting.retain(|waiting| !same(waiting));
            }
            let as_it_is = as_it_is(crowd, part);
            match (crowd.edit(part.clone()), as_it_is) {
                (Ok(back), _) => backs.push(back),
                (Err(refusal), Some(back)) if refusal.is_for_now() => {
                    backs.push(back);
                    let (edit, since, after) = (part.clone(), crowd.frame(), self.done.len());
                    self.waiting.push(Waiting { edit, cause: Cause::Undo, since, tried: false, after });
                }
                // As for several changes at once: what can be made is.
                (Err(refusal), _) if edit.parts().len() == 1 => return Err(refusal),
                (Err(_), _) => {}
            }
        }
        crowd.announce(self.waiting());
        backs.reverse();
        Ok(Edit::together(backs))
    }

    /// Makes what was taken back, or made again, when promises did not allow it yet; returns what takes it back.
    fn bring_at_last(&mut self, crowd: &mut Crowd, edit: Edit) -> Result<Edit, Refusal> {
        let back = crowd.edit(edit.clone())?;
        self.log.push(Happened { frame: crowd.frame(), edit, cause: Cause::Granted });
        Ok(back)
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
                // Planned in the same frames as then.
                Cause::Asked if next.edit.directs() => {
                    self.wait(crowd, next.edit.clone());
                    Ok(())
                }
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

/// The obstacle that a change is about.
fn obstacle_of(edit: &Edit) -> Option<u16> {
    match edit {
        Edit::Obstacle(number, _) | Edit::ChangeObstacle(number, _) => Some(*number),
        _ => None,
    }
}

/// The change that leaves an obstacle as it is now, where another is about to change it.
fn as_it_is(crowd: &Crowd, edit: &Edit) -> Option<Edit> {
    let number = obstacle_of(edit)?;
    let (_, obstacle, there) = crowd.obstacles().nth(usize::from(number))?;
    Some(match edit {
        Edit::ChangeObstacle(..) => Edit::ChangeObstacle(number, obstacle.outlines().to_vec()),
        _ => Edit::Obstacle(number, there),
    })
}

/// The numbers of somebody who went and came back: before and after.
fn renamed((made, back): (&Edit, &Edit)) -> Option<(u32, u32)> {
    match (made, back) {
        (Edit::Remove(old), Edit::Remove(new)) => Some((*old, *new)),
        _ => None,
    }
}
