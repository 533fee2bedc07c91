//! What was changed is taken back, made again, moved in time and deleted.
//!
//! The last change is taken back first, whatever its place in time. Where it also is the last in time, it is taken back
//! in the running crowd; otherwise the crowd goes back to before it and runs again without it.

use crate::document::Document;
use crate::protocol::{Answer, Mark};
use crate::session::{LAST_FRAME, Outcome, Session};
use crate::texts::Which;
use crowdloom_output::run::Recordable;

/// The longest text of an event that is told, in characters.
const LONGEST_TOLD: usize = 2000;

impl Session<'_> {
    /// What the last change was.
    pub fn last_made(&self) -> Option<String> {
        if let Some(lock) = self.last_lock() {
            return Some(lock);
        }
        let last = self.document.last_made().map(|place| self.document.made[place].what.clone());
        last.or_else(|| self.texts.before().map(|before| self.named(before)))
    }

    /// What was taken back last.
    pub fn last_taken_back(&self) -> Option<String> {
        if let Some(lock) = self.next_lock() {
            return Some(lock);
        }
        let last = self.document.taken_back.last().map(|made| made.what.clone());
        last.or_else(|| self.texts.after().map(|after| self.named(after)))
    }

    /// The last change of who is locked, where nothing else was changed since.
    fn last_lock(&self) -> Option<String> {
        let (order, what) = self.locks.last_made()?;
        let is_last = match self.document.last_made() {
            Some(place) => order > self.document.made[place].order,
            None => order >= self.document.inherited() || self.texts.before().is_none(),
        };
        is_last.then_some(what)
    }

    /// The change of who is locked that was taken back last, where nothing else was since.
    fn next_lock(&self) -> Option<String> {
        let (order, what) = self.locks.last_taken_back()?;
        // What was made first is taken back last.
        let other = self.document.taken_back.last().map(|made| made.order);
        let other = other.or_else(|| self.texts.after().map(Document::inherited));
        other.is_none_or(|other| order < other).then_some(what)
    }

    /// What another text is to the present one, in words.
    fn named(&self, other: &Document) -> String {
        if other.base() == self.document.base() { "other times of events" } else { "another text" }.into()
    }

    /// Takes the last change back.
    pub(crate) fn undo(&mut self, outcome: &mut Outcome) -> Answer {
        if let Some(what) = self.last_lock() {
            self.locks.undo();
            return Answer::said(format!("taken back: {what}"));
        }
        let Some(mut place) = self.document.last_made() else {
            return match self.texts.before().cloned() {
                Some(before) => self.turn(before, Which::Before, outcome),
                None => Answer::refused("there is nothing to take back"),
            };
        };
        let mut whats = Vec::new();
        loop {
            if place + 1 == self.enacted {
                for step in 0..self.document.made[place].steps {
                    if let Err(refusal) = self.recording.source_mut().undo()
                        && step == 0
                    {
                        return Answer::refused(format!("this cannot be taken back now: {refusal}"));
                    }
                }
                let made = self.document.made.remove(place);
                self.enacted = place;
                let since = made.frame;
                self.document.taken_back.push(made);
                self.after_change(since, outcome);
            } else {
                let mut without = self.document.clone();
                let made = without.made.remove(place);
                without.taken_back.push(crate::document::Made { of_the_past: true, ..made });
                if let Err(refused) = self.rewrite(without, outcome) {
                    return refused;
                }
            }
            let last = self.document.taken_back.last();
            let joined = last.is_some_and(|made| made.joined);
            whats.extend(last.map(|made| made.what.clone()));
            match self.document.last_made().filter(|_| joined) {
                Some(next) => place = next,
                None => {
                    whats.reverse();
                    return Answer::said(format!("taken back: {}", whats.join(", ")));
                }
            }
        }
    }

    /// Makes the change again that was taken back last.
    pub(crate) fn redo(&mut self, outcome: &mut Outcome) -> Answer {
        if let Some(what) = self.next_lock() {
            self.locks.redo();
            return Answer::said(format!("made again: {what}"));
        }
        if self.document.taken_back.is_empty()
            && let Some(after) = self.texts.after().cloned()
        {
            return self.turn(after, Which::After, outcome);
        }
        let mut whats = Vec::new();
        loop {
            let Some(mut made) = self.document.taken_back.last().cloned() else {
                return Answer::refused("there is nothing to make again");
            };
            whats.push(made.what.clone());
            if made.of_the_past {
                let mut with = self.document.clone();
                with.taken_back.pop();
                made.of_the_past = false;
                let place = with.made.partition_point(|other| other.frame <= made.frame);
                with.made.insert(place, made);
                if let Err(refused) = self.rewrite(with, outcome) {
                    return refused;
                }
            } else {
                let simulation = self.recording.source_mut();
                // Who was deleted and came back has another number: what was taken back knows it.
                if made.steps != 1 || simulation.redo().is_err() {
                    match simulation.enact(&made.lines()) {
                        Ok(enacted) => made.steps = enacted.steps,
                        Err(problems) => {
                            let why =
                                problems.first().map(|problem| problem.what.clone()).unwrap_or_default();
                            return Answer::refused(why);
                        }
                    }
                }
                self.document.taken_back.pop();
                made.frame = self.recording.frame();
                let frame = made.frame;
                self.document.made.insert(self.enacted, made);
                self.enacted += 1;
                self.after_change(frame, outcome);
            }
            if !self.document.taken_back.last().is_some_and(|next| next.joined) {
                return Answer::said(format!("made again: {}", whats.join(", ")));
            }
        }
    }

    /// Tells what an event of the time line says.
    pub(crate) fn tell_event(&self, mark: &Mark) -> Answer {
        match self.document.lines_of(mark) {
            Some(lines) => Answer::said(lines.trim().chars().take(LONGEST_TOLD).collect::<String>()),
            None => Answer::refused("this event is not there any more"),
        }
    }

    /// Moves an event of the time line to another frame, or deletes it.
    pub(crate) fn change_event(&mut self, mark: &Mark, frame: Option<u32>, outcome: &mut Outcome) -> Answer {
        let frame = frame.map(|frame| frame.clamp(1, LAST_FRAME));
        match self.document.with_event_at(mark, frame) {
            Some(next) => self.turn(next, Which::New, outcome),
            None => Answer::refused("this event is not there any more"),
        }
    }

    /// Goes over to another text as a whole: where only its changes are others, the crowd goes back to before them.
    fn turn(&mut self, next: Document, which: Which, outcome: &mut Outcome) -> Answer {
        if next.base() != self.document.base() {
            outcome.reload = Some(self.reload(next, which));
            return Answer::done();
        }
        let (present, other) = (self.document.clone(), self.named(&next));
        if let Err(refused) = self.rewrite(next, outcome) {
            return refused;
        }
        self.texts.turn(which, present);
        if which == Which::New {
            self.locks.forget_taken_back();
        }
        match which {
            Which::New => Answer::done(),
            Which::Before => Answer::said(format!("taken back: {other}")),
            Which::After => Answer::said(format!("made again: {other}")),
        }
    }

    /// Lets other changes have been made: goes back to before the first that differs, and runs on to the present.
    fn rewrite(&mut self, next: Document, outcome: &mut Outcome) -> Result<(), Answer> {
        let now = self.going_to.unwrap_or(self.recording.frame());
        let pairs = self.document.made.iter().zip(&next.made);
        let same = pairs.take_while(|(a, b)| a.frame == b.frame && a.lines() == b.lines()).count();
        let first = [&self.document.made, &next.made].into_iter().filter_map(|made| made.get(same));
        let since = first.map(|made| made.frame).min().unwrap_or(now);
        if same < self.enacted || since <= self.recording.frame() {
            let before =
                |snapshot: &crate::session::Snapshot| snapshot.frame <= since && snapshot.enacted <= same;
            let Some(snapshot) = self.snapshots.iter().rposition(before) else {
                return Err(Answer::refused("there is no way back there"));
            };
            self.go_back_to(snapshot)?;
        }
        self.document = next;
        self.after_change(since.min(self.recording.frame()), outcome);
        self.enact_due();
        self.going_to = (self.recording.frame() < now).then_some(now);
        Ok(())
    }
}
