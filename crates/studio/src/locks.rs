//! People whom brushes leave alone. Locking is no event of the scene, but is taken back and made again in turn with what is.

use std::collections::BTreeSet;

/// One change of who is locked.
#[derive(Clone, Debug)]
struct Locking {
    /// Those whom it changed.
    people: Vec<u32>,
    on: bool,
    /// Its place among all changes, whatever they are.
    order: u32,
}

/// Who is locked, and how that came about.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    people: BTreeSet<u32>,
    made: Vec<Locking>,
    taken_back: Vec<Locking>,
}

impl Locks {
    /// Those whom brushes leave alone.
    pub fn people(&self) -> &BTreeSet<u32> {
        &self.people
    }

    /// Locks people or not any more, as the change of that place among all; returns whether that changes anything.
    pub fn set(&mut self, people: Vec<u32>, on: bool, order: u32) -> bool {
        let people: BTreeSet<u32> = people.into_iter().filter(|id| self.people.contains(id) != on).collect();
        if people.is_empty() {
            return false;
        }
        let locking = Locking { people: people.into_iter().collect(), on, order };
        self.apply(&locking, on);
        self.made.push(locking);
        true
    }

    fn apply(&mut self, locking: &Locking, on: bool) {
        for &id in &locking.people {
            if on {
                self.people.insert(id);
            } else {
                self.people.remove(&id);
            }
        }
    }

    /// Lets go of what was taken back.
    pub fn forget_taken_back(&mut self) {
        self.taken_back.clear();
    }

    /// The place of the last change among all, and what it was.
    pub fn last_made(&self) -> Option<(u32, String)> {
        self.made.last().map(told)
    }

    /// The same of the change that was taken back last.
    pub fn last_taken_back(&self) -> Option<(u32, String)> {
        self.taken_back.last().map(told)
    }

    /// Takes the last change back.
    pub fn undo(&mut self) {
        if let Some(last) = self.made.pop() {
            self.apply(&last, !last.on);
            self.taken_back.push(last);
        }
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self) {
        if let Some(last) = self.taken_back.pop() {
            self.apply(&last, last.on);
            self.made.push(last);
        }
    }
}

fn told(locking: &Locking) -> (u32, String) {
    let whom = match locking.people.len() {
        1 => "one person".into(),
        count => format!("{count} people"),
    };
    (locking.order, format!("{} for {whom}", if locking.on { "a lock" } else { "no more lock" }))
}
