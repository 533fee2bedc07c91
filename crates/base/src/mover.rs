//! What can move a person.

use serde::{Deserialize, Serialize};

/// What moves a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mover {
    /// Clips of the motion graph, chosen by the probability scheme.
    #[default]
    Graph,
    /// A velocity model, by its number among the crowd's ways to be steered.
    Steered(u16),
    /// A motion planned to meet constraints; then standing.
    Planned,
    /// A recorded way; then being gone.
    Recorded,
    /// Captured motion, planned a second at a time, by its number among the
    /// crowd's ways to plan it.
    CellMarking(u16),
}
