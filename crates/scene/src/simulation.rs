//! A scene that runs.

use crate::constraints::Cast;
use crate::output::Output;
use crowdloom_crowd::diversity::{Errands, GraphStyles, StyledCrowd};
use crowdloom_crowd::situation::{SituationId, Stay};
use crowdloom_crowd::velocity::Model;
use crowdloom_crowd::{Crowd, Mind, Movers, ResumeError, SavedCrowd, SavedMovers, Steps};
use serde::{Deserialize, Serialize};

/// People that come into the scene.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The frame in which each of them appears, in order.
    pub times: Vec<u32>,
    /// How many have come, or found no room.
    pub come: usize,
    /// The regions that they appear in, in turn; anywhere where there is none.
    pub regions: Vec<usize>,
    /// Their walking speeds in metres a second.
    pub speed: Stay,
    /// The first stop that they go to.
    pub stop: Option<u16>,
    /// The situations that they are members of.
    pub member_of: Vec<SituationId>,
    /// The velocity model that moves them; none for clip agents.
    pub model: Option<Model>,
    /// How many found no room.
    pub refused: usize,
}

/// All of a simulation that changes while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedSimulation {
    crowd: SavedCrowd,
    movers: SavedMovers,
    /// How many have come and found no room, for each table of people.
    come: Vec<(usize, usize)>,
}

/// A scene in progress.
pub struct Simulation {
    name: String,
    text: String,
    crowd: Crowd,
    movers: Movers,
    arrivals: Vec<Arrival>,
    frames: u32,
    output: Output,
    cast: Option<Cast>,
    walkers: Option<StyledCrowd<Errands>>,
    styles: Option<GraphStyles>,
}

impl Simulation {
    pub(crate) fn new(
        name: String,
        text: String,
        crowd: Crowd,
        arrivals: Vec<Arrival>,
        frames: u32,
        output: Output,
    ) -> Self {
        let movers = Movers::new(crowd.setting().seed);
        let (cast, walkers, styles) = (None, None, None);
        let mut simulation =
            Self { name, text, crowd, movers, arrivals, frames, output, cast, walkers, styles };
        simulation.let_people_in();
        simulation
    }

    pub(crate) fn with_cast(self, cast: Option<Cast>) -> Self {
        Self { cast, ..self }
    }

    pub(crate) fn with_walkers(self, walkers: Option<StyledCrowd<Errands>>) -> Self {
        Self { walkers, ..self }
    }

    pub(crate) fn with_styles(self, mut styles: Option<GraphStyles>) -> Self {
        if let Some(styles) = &mut styles {
            styles.meet(&self.crowd, &self.movers);
        }
        Self { styles, ..self }
    }

    /// People who are moved by velocities, if there are any; then there is nobody else.
    pub fn take_walkers(&mut self) -> Option<StyledCrowd<Errands>> {
        self.walkers.take()
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

    /// What the scene wants written.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Everything that is needed to go on from this frame.
    pub fn save(&self) -> SavedSimulation {
        let come = self.arrivals.iter().map(|arrival| (arrival.come, arrival.refused)).collect();
        SavedSimulation { crowd: self.crowd.save(), movers: self.movers.save(), come }
    }

    /// Goes back, or ahead, to a saved frame of the same scene; people with styles cannot.
    pub fn resume(&mut self, saved: SavedSimulation) -> Result<(), ResumeError> {
        if self.styles.is_some() {
            return Err(ResumeError::OtherScene { what: "people with styles" });
        }
        let fits = |(arrival, (come, _)): (&Arrival, &(usize, usize))| *come <= arrival.times.len();
        if saved.come.len() != self.arrivals.len() || !self.arrivals.iter().zip(&saved.come).all(fits) {
            return Err(ResumeError::OtherScene { what: "its people" });
        }
        self.crowd.resume(saved.crowd)?;
        self.movers.resume(saved.movers, &mut self.crowd)?;
        for (arrival, (come, refused)) in self.arrivals.iter_mut().zip(saved.come) {
            (arrival.come, arrival.refused) = (come, refused);
        }
        Ok(())
    }

    /// Whether velocity agents come into the scene.
    fn has_movers(&self) -> bool {
        self.arrivals.iter().any(|arrival| arrival.model.is_some())
    }

    /// How many people of each table found no room to appear.
    pub(crate) fn refused_by_table(&self) -> impl Iterator<Item = usize> + '_ {
        self.arrivals.iter().map(|arrival| arrival.refused)
    }

    /// The crowd, to be changed between two steps.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        &mut self.crowd
    }

    /// The crowd alone; people who are still to come do not come any more.
    pub fn into_crowd(self) -> Crowd {
        self.crowd
    }

    /// How many people found no room to appear.
    pub fn refused(&self) -> usize {
        self.arrivals.iter().map(|arrival| arrival.refused).sum()
    }

    fn let_people_in(&mut self) {
        let frame = self.crowd.frame();
        for arrival in &mut self.arrivals {
            let due = arrival.times.partition_point(|&time| time <= frame);
            let come = due - arrival.come.min(due);
            if come == 0 {
                continue;
            }
            let before = self.crowd.len();
            let placed = scatter(&mut self.crowd, &mut self.movers, arrival, come);
            for agent in before..self.crowd.len() {
                for &situation in &arrival.member_of {
                    self.crowd.join(agent, situation);
                }
            }
            arrival.come += come;
            arrival.refused += come - placed;
        }
    }
}

impl Steps for Simulation {
    fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    fn movers(&self) -> Option<&Movers> {
        self.has_movers().then_some(&self.movers)
    }

    fn styles(&self) -> Option<&GraphStyles> {
        self.styles.as_ref()
    }

    /// Advances the clock by one frame, lets people in whose time has come, and tells all how to walk.
    fn step(&mut self) {
        self.movers.step(&mut self.crowd);
        self.let_people_in();
        if let Some(styles) = &mut self.styles {
            styles.step(&mut self.crowd, &self.movers);
        }
    }
}

fn scatter(crowd: &mut Crowd, movers: &mut Movers, arrival: &Arrival, count: usize) -> usize {
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
            let region = arrival.regions.get(part).copied();
            match arrival.model {
                Some(model) => movers.scatter(crowd, (share, region), model, mind),
                None => crowd.scatter(share, region, mind),
            }
        })
        .sum()
}
