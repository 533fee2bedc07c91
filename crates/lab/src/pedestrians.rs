//! People on a floor plan who walk to a goal by one of the velocity movers: what experiments and standard tests share.

use crowdloom_crowd::velocity::{Hidac, Model, Orca, SocialForce, Surroundings, VelocityCrowd, Walker};
use crowdloom_world::{DistanceField, Ground, MeshRouter, NoWay, Outline, Stream, WorldError, rectangle};
use glam::{DVec2, Vec2};
use std::sync::Arc;

/// The radius of a pedestrian in metres: seven to a square metre is the most that fits.
pub(crate) const RADIUS: f32 = 0.2;
/// The time that people keep to those ahead, in seconds, which fits Weidmann's fundamental diagram.
pub(crate) const HEADWAY: f32 = 0.5;
/// The length of a step in seconds.
pub(crate) const STEP: f32 = 0.05;
/// Seconds without anybody arriving after which a crowd counts as stuck.
const STUCK_AFTER: f32 = 60.0;

/// The movers that claim to model pedestrians.
pub(crate) fn models() -> [Model; 3] {
    [Model::SocialForce(SocialForce::default()), Model::Hidac(Hidac::default()), Model::Orca(Orca::default())]
}

/// A floor plan: rectangles, given by two corners each, joined.
pub(crate) fn plan(rectangles: &[[f64; 4]]) -> Result<Arc<Ground>, WorldError> {
    let mut builder = Ground::builder();
    for &[x0, y0, x1, y1] in rectangles {
        let outline = rectangle(DVec2::new(x0, y0), DVec2::new(x1, y1));
        builder = builder.floor(Outline::solid("floor", outline));
    }
    Ok(Arc::new(builder.build()?))
}

/// The ways to the nearest of some goals.
pub(crate) fn ways(ground: &Arc<Ground>, goals: &[Vec2]) -> Result<Arc<DistanceField>, NoWay> {
    let router = MeshRouter::new(Arc::clone(ground));
    // A little wider than a body: who aims at the very corner scrapes along it.
    DistanceField::new(&router, goals, RADIUS + 0.05, 0.25).map(Arc::new)
}

/// A random place in the rectangle for each of `count` people, none in another's body; as many as fit.
pub(crate) fn scatter(count: usize, low: Vec2, high: Vec2, seed: u64) -> Vec<Vec2> {
    let mut stream = Stream::new(seed, 0xd0);
    let mut spacing = 2.0 * RADIUS + 0.15;
    let mut places: Vec<Vec2> = Vec::new();
    let mut misses = 0;
    while places.len() < count && spacing > 1.6 * RADIUS {
        let unit = Vec2::new(stream.unit() as f32, stream.unit() as f32);
        let place = low + RADIUS + unit * (high - low - 2.0 * RADIUS);
        if places.iter().all(|other| other.distance_squared(place) >= spacing * spacing) {
            places.push(place);
            misses = 0;
        } else {
            misses += 1;
            if misses > 2000 {
                (spacing, misses) = (spacing * 0.95, 0);
            }
        }
    }
    places
}

/// A number near 1.34 m/s, as Weidmann (1993) found them: normal with deviation 0.26, cut at two deviations.
pub(crate) fn preferred_speed(stream: &mut Stream) -> f32 {
    let sum: f64 = (0..12).map(|_| stream.unit()).sum::<f64>() - 6.0;
    (1.34 + 0.26 * sum.clamp(-2.0, 2.0)) as f32
}

/// People on their way.
pub(crate) struct Pedestrians {
    pub(crate) crowd: VelocityCrowd,
    pub(crate) ground: Arc<Ground>,
    fields: Vec<Arc<DistanceField>>,
    field_of: Vec<u8>,
    speeds: Vec<f32>,
    pub(crate) time: f32,
}

/// What became of a crowd.
pub(crate) struct Outcome {
    /// When each person passed the line, in the order of passing, in seconds.
    pub(crate) passed: Vec<f32>,
    /// When each person arrived, in seconds.
    pub(crate) arrived: Vec<f32>,
    /// How many never did.
    pub(crate) left_behind: usize,
    /// Whether anybody's centre was ever off the ground.
    pub(crate) crossed_walls: bool,
}

impl Pedestrians {
    pub(crate) fn new(ground: &Arc<Ground>, fields: Vec<Arc<DistanceField>>, seed: u64) -> Self {
        Self {
            crowd: VelocityCrowd::new(seed),
            ground: Arc::clone(ground),
            fields,
            field_of: Vec::new(),
            speeds: Vec::new(),
            time: 0.0,
        }
    }

    pub(crate) fn add(&mut self, position: Vec2, model: Model, speed: f32, field: usize) {
        self.crowd.add(Walker {
            radius: RADIUS,
            max_speed: 1.3 * speed,
            headway: HEADWAY,
            keep_right: 1.0,
            ..Walker::new(position, model)
        });
        self.speeds.push(speed);
        self.field_of.push(field as u8);
    }

    pub(crate) fn step(&mut self) {
        let (ground, fields, field_of, speeds) = (&self.ground, &self.fields, &self.field_of, &self.speeds);
        self.crowd.prefer(|agent, position| {
            let sample = fields[usize::from(field_of[agent])].sample(ground, position);
            sample.map_or(Vec2::ZERO, |sample| sample.direction * speeds[agent])
        });
        self.crowd.step(Surroundings { ground: Some(ground), discs: &[] }, STEP);
        self.time += STEP;
    }

    fn remove(&mut self, agent: usize) {
        self.crowd.swap_remove(agent);
        self.speeds.swap_remove(agent);
        self.field_of.swap_remove(agent);
    }

    /// Walks until everybody for whom `arrived` holds is gone, and nobody is left or nobody moves on any more. Who
    /// first makes `passed` hold is noted.
    pub(crate) fn walk(
        mut self,
        passed: impl Fn(Vec2) -> bool,
        arrived: impl Fn(usize, Vec2) -> bool,
    ) -> Outcome {
        let mut outcome =
            Outcome { passed: Vec::new(), arrived: Vec::new(), left_behind: 0, crossed_walls: false };
        let mut has_passed = vec![false; self.crowd.len()];
        let mut last = 0.0;
        while !self.crowd.is_empty() && self.time - last < STUCK_AFTER {
            self.step();
            for agent in (0..self.crowd.len()).rev() {
                let position = self.crowd.positions()[agent];
                outcome.crossed_walls |= !self.ground.is_free(position, 0.0);
                if !has_passed[agent] && passed(position) {
                    has_passed[agent] = true;
                    outcome.passed.push(self.time);
                }
                if arrived(usize::from(self.field_of[agent]), position) {
                    outcome.arrived.push(self.time);
                    last = self.time;
                    self.remove(agent);
                    has_passed.swap_remove(agent);
                }
            }
        }
        outcome.left_behind = self.crowd.len();
        outcome
    }
}

impl Outcome {
    /// People a second between the first and the last who passed.
    pub(crate) fn flow(&self) -> f32 {
        match (self.passed.first(), self.passed.last()) {
            (Some(first), Some(last)) if last > first => (self.passed.len() - 1) as f32 / (last - first),
            _ => 0.0,
        }
    }

    /// When the last one arrived, in seconds.
    pub(crate) fn end(&self) -> f32 {
        self.arrived.last().copied().unwrap_or(0.0)
    }
}
