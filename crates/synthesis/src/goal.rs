//! What is asked of an agent: to be there, then, facing that way, in that pose.

use crowdloom_motion::Placement;
use crowdloom_motion::graph::NodeId;
use glam::Vec2;

/// The pose in which a goal is met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndPose {
    /// At a walk, and the last goal of an agent standing.
    #[default]
    Usual,
    /// A node of the motion graph.
    Node(NodeId),
    /// Any: whatever brings the agent there.
    Any,
}

impl From<Option<NodeId>> for EndPose {
    fn from(node: Option<NodeId>) -> Self {
        node.map_or(Self::Usual, Self::Node)
    }
}

/// A configuration to be met exactly; what is not given is free.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Goal {
    /// Where the root of the body is, in metres.
    pub at: Option<Vec2>,
    /// Which way the body faces, in radians from +x.
    pub facing: Option<f32>,
    /// The pose.
    pub pose: EndPose,
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
    /// The same from the moment in which another agent meets any one of its goals.
    AfterGoal {
        /// The other agent, by its place in the list.
        of: usize,
        /// Which of its goals, from 0.
        goal: usize,
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
        let (Self::Between { from, to }
        | Self::AfterArrival { from, to, .. }
        | Self::AfterGoal { from, to, .. }) = self;
        from.is_finite() && to.is_finite() && from <= to && from.abs().max(to.abs()) < 1e5
    }
}

/// When somebody has met its goals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrivals {
    /// The frames in which the goals that are met are, in their order.
    pub goals: Vec<u32>,
    /// Whether these are all that were asked.
    pub all: bool,
}

impl Arrivals {
    /// The frame in which the last goal is met, once all are.
    pub fn last(&self) -> Option<u32> {
        self.goals.last().copied().filter(|_| self.all)
    }

    /// The frame from which a time after these is counted; `None` where that moment does not come.
    pub fn base(&self, time: When) -> Option<u32> {
        match time {
            When::Between { .. } => None,
            When::AfterArrival { .. } => self.last(),
            When::AfterGoal { goal, .. } => self.goals.get(goal).copied(),
        }
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
