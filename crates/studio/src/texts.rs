//! Texts of a scene that were run one after the other, so that another text can be taken back like any change.

use crate::document::Document;

/// Another text to run, from its beginning to a frame.
#[derive(Debug)]
pub struct Reload {
    /// The text, with changes that are still to be made.
    pub document: Document,
    /// The frame to go to.
    pub frame: u32,
    /// Which of all texts it is.
    pub which: Which,
}

/// Which of all texts comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// A new one.
    New,
    /// The one before.
    Before,
    /// The one that was taken back.
    After,
}

/// The most texts that can be gone back to.
const MOST_TEXTS: usize = 40;

/// Texts before and after the present one, with their changes.
#[derive(Debug, Default)]
pub struct Texts {
    before: Vec<Document>,
    after: Vec<Document>,
}

impl Texts {
    /// The text before the present one.
    pub fn before(&self) -> Option<&Document> {
        self.before.last()
    }

    /// The text that was taken back last.
    pub fn after(&self) -> Option<&Document> {
        self.after.last()
    }

    /// Lets go of texts that were taken back.
    pub fn forget_after(&mut self) {
        self.after.clear();
    }

    /// Goes over to the next text from the present one.
    pub fn turn(&mut self, which: Which, present: Document) {
        match which {
            Which::New => {
                self.after.clear();
                self.before.push(present);
            }
            Which::Before => {
                self.before.pop();
                self.after.push(present);
            }
            Which::After => {
                self.after.pop();
                self.before.push(present);
            }
        }
        let surplus = self.before.len().saturating_sub(MOST_TEXTS);
        self.before.drain(..surplus);
    }
}
