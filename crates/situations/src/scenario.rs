//! The scenario: which places people go to, one after another.

use crowdloom_base::Spread;
use crowdloom_base::random::Random;
use serde::{Deserialize, Serialize};

/// A place that people go to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// The stop's name.
    pub name: String,
    /// The regions of the ground, by their indices: people go to any one of them; anywhere where there is none.
    pub regions: Vec<usize>,
    /// How people choose one of these regions.
    pub choose: Choose,
    /// How many seconds people stay.
    pub stay: Spread,
    /// Where they go next, with weights.
    pub next: Vec<(u16, f32)>,
    /// Whether people leave the scene here.
    pub exit: bool,
    /// Whether nobody is sent there any more.
    pub closed: bool,
}

/// How people choose one of the regions of a stop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Choose {
    /// Any of them.
    #[default]
    Any,
    /// By weights, one for each region.
    Weighted(Vec<f32>),
    /// The one with the shortest way that can be gone.
    Nearest,
    /// The one that is reached first, those before it considered; chosen anew on the way.
    Quickest,
    /// Each person its own, by number.
    Assigned,
}

impl Choose {
    /// Whether people choose with an eye to the way there.
    pub fn looks_at_ways(&self) -> bool {
        matches!(self, Self::Nearest | Self::Quickest)
    }
}

/// All stops.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// The stops.
    pub stops: Vec<Stop>,
    /// Regions of the ground, by their indices, that people go to in turn; none of the tours is empty.
    pub tours: Vec<Vec<usize>>,
}

impl Scenario {
    /// Whether some way from `stop` leads out of the scene.
    pub fn leads_out(&self, stop: usize) -> bool {
        let mut seen = vec![false; self.stops.len()];
        let mut open = vec![stop];
        while let Some(index) = open.pop() {
            let Some(stop) = self.stops.get(index).filter(|_| !seen[index]) else { continue };
            if stop.exit {
                return true;
            }
            seen[index] = true;
            let next = stop.next.iter().filter(|(_, weight)| *weight > 0.0);
            open.extend(next.map(|(next, _)| usize::from(*next)));
        }
        false
    }

    /// Whether people are sent to a stop.
    pub fn is_open(&self, stop: u16) -> bool {
        self.stops.get(usize::from(stop)).is_some_and(|stop| !stop.closed)
    }

    /// The stop after `stop`, drawn by its weights; `None` where it has none.
    pub fn after(&self, stop: u16, random: &mut Random) -> Option<u16> {
        let next = &self.stops.get(usize::from(stop))?.next;
        let weights: Vec<f32> =
            next.iter().map(|(stop, weight)| if self.is_open(*stop) { *weight } else { 0.0 }).collect();
        random.weighted(&weights, |weight| *weight).map(|pick| next[pick].0)
    }
}
