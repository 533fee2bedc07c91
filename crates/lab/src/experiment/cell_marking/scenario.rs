//! The four scenarios of Brunner 2014, figure 5.1, with 100 agents.
//!
//! The source gives no measures. Distances of the first four are chosen so that RVO takes about as long as in its table 5.1;
//! groups then mostly pass each other by. In the two close ones, whose measures were chosen before anything was run, they
//! stand as near as people in a crowd and meet before they have spread.

use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_motion::Placement;
use glam::Vec2;
use serde::Serialize;

/// How many agents a scenario has.
pub const AGENTS: usize = 100;

/// Metres from one to the next in groups and lines.
const SPACING: f32 = 2.0;
/// Half of the way of a group in metres.
const GROUP_WAY: f32 = 55.0;
/// Metres from one to the next in close groups: one person on a square metre.
const CLOSE_SPACING: f32 = 1.0;
/// Half of the way of a close group in metres.
const CLOSE_WAY: f32 = 12.0;
/// Half of the way of a line in metres.
const LINE_WAY: f32 = 10.0;
/// Metres from the middle of the circle to everybody.
const CIRCLE_RADIUS: f32 = 22.0;

/// Where agents start and where they go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scenario {
    /// From a circle to the opposite side of it.
    Circle,
    /// Two groups face each other and change places.
    GroupSwap,
    /// Two groups cross at a right angle.
    GroupCrossing,
    /// Two lines face each other and change places.
    LineSwap,
    /// Two close groups change places (ours).
    CloseSwap,
    /// Two close groups cross (ours).
    CloseCrossing,
}

impl Scenario {
    /// All of them, the source's four in the order of its tables.
    pub const ALL: [Self; 6] = [
        Self::Circle,
        Self::GroupSwap,
        Self::GroupCrossing,
        Self::LineSwap,
        Self::CloseSwap,
        Self::CloseCrossing,
    ];

    /// The scenario's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::GroupSwap => "group swap",
            Self::GroupCrossing => "group crossing",
            Self::LineSwap => "line swap",
            Self::CloseSwap => "close swap",
            Self::CloseCrossing => "close crossing",
        }
    }

    /// Metres from one to the next in a group, and half of its way.
    fn group(self) -> (f32, f32) {
        match self {
            Self::CloseSwap | Self::CloseCrossing => (CLOSE_SPACING, CLOSE_WAY),
            _ => (SPACING, GROUP_WAY),
        }
    }

    /// Start and goal of every agent; seeds differ by a few centimetres of start.
    pub fn agents(self, seed: u64) -> Vec<(Placement, Vec2)> {
        let half = AGENTS / 2;
        (0..AGENTS)
            .map(|agent| {
                let (start, goal) = match self {
                    Self::Circle => {
                        let angle = std::f32::consts::TAU * agent as f32 / AGENTS as f32;
                        let place = Placement::new(0.0, 0.0, angle).facing() * CIRCLE_RADIUS;
                        (place, -place)
                    }
                    Self::GroupSwap | Self::CloseSwap => {
                        let (spacing, way) = self.group();
                        let place = in_block(agent % half) * spacing;
                        let side = if agent < half { -1.0 } else { 1.0 };
                        (place + Vec2::X * way * side, place - Vec2::X * way * side)
                    }
                    Self::GroupCrossing | Self::CloseCrossing => {
                        let (spacing, length) = self.group();
                        let place = in_block(agent % half) * spacing;
                        let way = if agent < half { Vec2::X } else { Vec2::Y };
                        (place - way * length, place + way * length)
                    }
                    Self::LineSwap => {
                        let place = Vec2::Y * (agent % half) as f32 * SPACING;
                        let side = if agent < half { -1.0 } else { 1.0 };
                        (place + Vec2::X * LINE_WAY * side, place - Vec2::X * LINE_WAY * side)
                    }
                };
                let mut random = Random::new(seed, agent as u32, 0, Purpose::BIRTH);
                let start = start + Vec2::new(random.between(-0.05, 0.05), random.between(-0.05, 0.05));
                let way = goal - start;
                (Placement { position: start, heading: libm::atan2f(way.y, way.x) }, goal)
            })
            .collect()
    }
}

/// A place in a block of 5 by 10.
fn in_block(index: usize) -> Vec2 {
    Vec2::new((index % 5) as f32 - 2.0, (index / 5) as f32 - 4.5)
}
