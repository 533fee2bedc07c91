//! Why somebody did what it did: one person is watched, and the weights of its last decision are kept.

use crate::crowd::Crowd;
use crate::decision::Decider;
use crate::moves::MoveBook;
use crate::weighing::{Options, Weighing};
use crowdloom_motion::graph::NodeId;
use std::sync::Mutex;

/// So many of the likeliest moves are explained.
const MOST: usize = 8;

/// What became of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was taken.
    Taken,
    /// It met a wall.
    Wall,
    /// It met somebody's promise, or would have been rude.
    Others,
    /// It would have led straight to those who are in front.
    InVain,
    /// Another was taken before it was tried.
    Untried,
}

/// A move that somebody could have taken.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedMove {
    choice: u16,
    /// The clip that shows it.
    pub clip: String,
    /// How far it goes, in metres.
    pub metres: f32,
    /// How far it turns to the left, in radians.
    pub turn: f32,
    /// How long it lasts, in seconds.
    pub seconds: f32,
    /// How likely it was, of all.
    pub share: f32,
    /// What every behaviour function weighs it by, 0 to 1 (above 1 where a function speaks for it); their product decides.
    pub weights: Vec<(&'static str, f32)>,
    /// What became of it.
    pub fate: Fate,
}

/// The last decision of the person that is watched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explained {
    /// The frame of the decision; none where there was none yet.
    pub frame: Option<u32>,
    /// How many moves there were at all …
    pub moves: usize,
    /// … and how many of them no behaviour function forbade or put off.
    pub weighed: usize,
    /// The likeliest of them, the likeliest first; none where its situations let it stand.
    pub likeliest: Vec<ExplainedMove>,
}

/// Whom somebody looks at, and what is known of its last decision.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    id: Option<u32>,
    last: Mutex<Explained>,
}

impl Watched {
    fn with(&self, write: impl FnOnce(&mut Explained)) {
        if let Ok(mut last) = self.last.lock() {
            write(&mut last);
        }
    }
}

impl Crowd {
    /// Watches a person, by its number, or nobody: its decisions are explained from then on, which changes none of them.
    pub fn watch(&mut self, id: Option<u32>) {
        if self.watched.id != id {
            self.watched = Watched { id, last: Mutex::default() };
        }
    }

    /// The last decision of a person, where it is watched and has decided since.
    pub fn explained(&self, id: u32) -> Option<Explained> {
        if self.watched.id != Some(id) {
            return None;
        }
        self.watched.last.lock().ok().map(|last| last.clone()).filter(|last| last.frame.is_some())
    }
}

impl Decider<'_> {
    /// Whether somebody is watched.
    #[inline]
    pub(crate) fn watches(&self, id: u32) -> bool {
        self.watched.id == Some(id)
    }

    /// Notes that who is watched decides; nothing is weighed yet.
    pub(crate) fn note_decision(&self) {
        self.watched.with(|last| *last = Explained { frame: Some(self.frame), ..Explained::default() });
    }

    /// Notes what who is watched could do, and how it weighs that.
    pub(crate) fn note_weights(&self, node: NodeId, weighing: &Weighing<'_>, options: &Options) {
        let book = &*self.setting.book;
        let choices = book.choices(node);
        let all: f32 = options.weighed.iter().map(|option| option.weight).sum();
        let mut likeliest: Vec<_> = options.weighed.iter().collect();
        likeliest.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.choice.cmp(&b.choice)));
        let explained = likeliest.iter().take(MOST).map(|option| {
            let index = usize::from(option.choice);
            let choice = &choices[index];
            let mut weights = Vec::new();
            weighing.weigh_noting(index, choice, &mut |name, log| weights.push((name, libm::expf(log))));
            ExplainedMove {
                choice: option.choice,
                clip: clip_name(book, choice.normal),
                metres: choice.displacement.position.length(),
                turn: choice.displacement.heading,
                seconds: choice.seconds,
                share: option.weight / all.max(f32::MIN_POSITIVE),
                weights,
                fate: Fate::Untried,
            }
        });
        let likeliest: Vec<ExplainedMove> = explained.collect();
        self.watched.with(|last| {
            last.moves = choices.len();
            last.weighed += options.weighed.len();
            last.likeliest.extend(likeliest);
            last.likeliest.truncate(MOST);
        });
    }

    /// Notes what became of a choice of who is watched.
    pub(crate) fn note_fate(&self, choice: u16, fate: Fate) {
        self.watched.with(|last| {
            if let Some(own) = last.likeliest.iter_mut().find(|own| own.choice == choice) {
                own.fate = fate;
            }
        });
    }
}

fn clip_name(book: &MoveBook, id: crate::moves::MoveId) -> String {
    let action = book.get(id).parts.first().and_then(|part| part.action);
    action.map_or_else(String::new, |action| book.graph().action(action).clip.name.clone())
}
