//! What is asked of an agent: to be there, then, facing that way, in that pose.

use crowdloom_motion::Placement;
use crowdloom_motion::graph::NodeId;
use glam::Vec2;

/// A configuration to be met exactly; what is not given is free.
///
/// Without a pose the motion passes through at a walk, and the last goal of an agent is met standing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal {
    /// Where the root of the body is, in metres.
    pub at: Option<Vec2>,
    /// Which way the body faces, in radians from +x.
    pub facing: Option<f32>,
    /// The pose: a node of the motion graph.
    pub pose: Option<NodeId>,
    /// When.
    pub time: Option<When>,
}

/// When a goal is to be met: an interval in seconds, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum When {
    /// Counted from the beginning.
    Between {
        /// The earliest, in seconds.
        from: f32,
        /// The latest, in seconds.
        to: f32,
    },
    /// Counted from the moment in which another agent meets its last goal; negative numbers are before it.
    AfterArrival {
        /// The other agent, by its place in the list.
        of: usize,
        /// The earliest, in seconds after.
        from: f32,
        /// The latest, in seconds after.
        to: f32,
    },
}

impl When {
    /// Exactly `seconds` from the beginning.
    pub fn at(seconds: f32) -> Self {
        Self::Between { from: seconds, to: seconds }
    }

    /// Whether the bounds are numbers in their order.
    pub(crate) fn is_sound(self) -> bool {
        let (Self::Between { from, to } | Self::AfterArrival { from, to, .. }) = self;
        from.is_finite() && to.is_finite() && from <= to && from.abs().max(to.abs()) < 1e5
    }
}

/// Somebody with goals, to be met one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Who it is, for messages.
    pub name: String,
    /// Where the body is at the beginning.
    pub start: Placement,
    /// The pose it is in then.
    pub pose: NodeId,
    /// What is asked of it.
    pub goals: Vec<Goal>,
}
