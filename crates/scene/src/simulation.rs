//! A scene that runs.

use crate::constraints::Cast;
use crowdloom_crowd::situation::{SituationId, Stay};
use crowdloom_crowd::{Crowd, Mind, Steps};

/// People that are still to come.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// How many are still to come.
    pub left: usize,
    /// How many come altogether.
    pub total: usize,
    /// The regions that they appear in, in turn; anywhere where there is none.
    pub regions: Vec<usize>,
    /// Their walking speeds in metres a second.
    pub speed: Stay,
    /// The frame in which the first appears.
    pub first_frame: u32,
    /// The frame in which the last appears.
    pub last_frame: u32,
    /// The first stop that they go to.
    pub stop: Option<u16>,
    /// The situations that they are members of.
    pub member_of: Vec<SituationId>,
    /// How many found no room.
    pub refused: usize,
}

/// A scene in progress.
pub struct Simulation {
    name: String,
    text: String,
    crowd: Crowd,
    arrivals: Vec<Arrival>,
    frames: u32,
    cast: Option<Cast>,
}

impl Simulation {
    pub(crate) fn new(name: String, text: String, crowd: Crowd, arrivals: Vec<Arrival>, frames: u32) -> Self {
        let mut simulation = Self { name, text, crowd, arrivals, frames, cast: None };
        simulation.let_people_in();
        simulation
    }

    pub(crate) fn with_cast(self, cast: Option<Cast>) -> Self {
        Self { cast, ..self }
    }

    /// People whose motion was planned, if there are any; they are not part of the crowd, which keeps off them.
    pub fn take_cast(&mut self) -> Option<Cast> {
        self.cast.take()
    }

    /// What the scene is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The scene file as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The frames that the scene asks to be run for.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// The crowd, to be changed between two steps.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// How many people found no room to appear.
    pub fn refused(&self) -> usize {
        self.arrivals.iter().map(|arrival| arrival.refused).sum()
    }

    fn let_people_in(&mut self) {
        let frame = self.crowd.frame();
        for arrival in &mut self.arrivals {
            if arrival.left == 0 || frame < arrival.first_frame {
                continue;
            }
            let span = arrival.last_frame.saturating_sub(arrival.first_frame);
            let share =
                if span == 0 { 1.0 } else { f64::from(frame - arrival.first_frame) / f64::from(span) };
            let due = (arrival.total as f64 * share.min(1.0)).ceil() as usize;
            let come = due.saturating_sub(arrival.total - arrival.left).min(arrival.left);
            if come == 0 {
                continue;
            }
            let before = self.crowd.len();
            let placed = scatter(&mut self.crowd, arrival, come);
            for agent in before..self.crowd.len() {
                for &situation in &arrival.member_of {
                    self.crowd.join(agent, situation);
                }
            }
            arrival.left -= come;
            arrival.refused += come - placed;
        }
    }
}

impl Steps for Simulation {
    fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Advances the clock by one frame and lets people in whose time has come.
    fn step(&mut self) {
        self.crowd.step();
        self.let_people_in();
    }
}

fn scatter(crowd: &mut Crowd, arrival: &Arrival, count: usize) -> usize {
    let (speed, stop) = (arrival.speed, arrival.stop);
    let wanders = stop.is_none();
    let mind = |random: &mut crowdloom_crowd::random::Random| Mind {
        speed: random.between(speed.least, speed.most.max(speed.least + 1e-3)),
        wanders,
        bound_for: stop,
        ..Mind::default()
    };
    let parts = arrival.regions.len().max(1);
    (0..parts)
        .map(|part| {
            // As even as can be: region after region gets its share.
            let share = count * (part + 1) / parts - count * part / parts;
            crowd.scatter(share, arrival.regions.get(part).copied(), mind)
        })
        .sum()
}
