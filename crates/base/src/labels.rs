//! Sets of clip labels, small enough to compare in one instruction.

use crowdloom_motion::graph::MotionGraph;
use serde::{Deserialize, Serialize};
use std::ops::{BitAnd, BitOr};

/// The most different labels that a graph may carry.
pub const MAX_LABELS: usize = 64;

/// A set of labels of one graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelSet(pub u64);

impl LabelSet {
    /// No label.
    pub const NONE: Self = Self(0);
    /// Every label.
    pub const ALL: Self = Self(u64::MAX);

    /// Whether the two sets share a label.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every label of this set is in `other`.
    pub fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

impl BitOr for LabelSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for LabelSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The labels of a graph by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels {
    names: Vec<String>,
}

impl Labels {
    /// Collects the labels of all actions. Labels with a colon (`style:old`) tell variants apart and are left out;
    /// so is, in the order of their names, what exceeds [`MAX_LABELS`].
    pub fn of_graph(graph: &MotionGraph) -> Self {
        let labels = graph.actions().iter().flat_map(|action| &action.clip.labels);
        let mut names: Vec<String> = labels.filter(|label| !label.contains(':')).cloned().collect();
        names.sort();
        names.dedup();
        names.truncate(MAX_LABELS);
        Self { names }
    }

    /// The set of the labels called `names`; unknown names are no labels.
    pub fn set<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> LabelSet {
        let bit = |name: &str| self.names.iter().position(|own| own == name).map_or(0, |index| 1 << index);
        LabelSet(names.into_iter().map(bit).fold(0, |bits, bit| bits | bit))
    }

    /// All names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
