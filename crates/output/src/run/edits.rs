//! Changes to a running crowd as they stand at the end of a run file: in words, and exactly.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crowdloom_crowd::Happened;
use serde::{Deserialize, Serialize};

/// A change that was made while a run went on, or asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditEntry {
    /// The frame after which it was made.
    pub frame: u32,
    /// What was changed and why, in words.
    pub what: String,
    /// The same to the last bit, for whoever makes it again.
    pub exact: String,
}

impl EditEntry {
    /// Writes a change down; none where it is too large to be.
    pub fn of(happened: &Happened) -> Option<Self> {
        let exact = STANDARD.encode(postcard::to_stdvec(happened).ok()?);
        Some(Self { frame: happened.frame, what: happened.to_string(), exact })
    }

    /// The change; none where it was written by another version, or damaged.
    pub fn happened(&self) -> Option<Happened> {
        postcard::from_bytes(&STANDARD.decode(&self.exact).ok()?).ok()
    }
}
