//! What the people of a styled crowd are up to, in the few words that scenes need.

use super::bodies::Wishes;
use super::control::{Demand, gait};
use crowdloom_motion::styles::MotionType;
use crowdloom_world::{Bounds, DistanceField, Ground, MeshRouter, NoWay, Router};
use glam::Vec2;
use std::sync::Arc;

/// What one person is up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Errand {
    /// Goes to the places of a tour in turn, over and over.
    Tour {
        /// The number of the tour.
        tour: u16,
        /// The place of the tour that it heads for.
        next: u16,
        /// Metres a second.
        speed: f32,
    },
    /// Goes round a point.
    Around {
        /// The point.
        centre: Vec2,
        /// The least and the most distance from it, in metres.
        between: [f32; 2],
        /// Metres a second.
        speed: f32,
    },
    /// Goes straight on, in metres a second.
    Straight(Vec2),
    /// Stays where it is and does this.
    Stay(MotionType),
}

impl Errand {
    /// What somebody with this errand does at first.
    pub fn demand(&self) -> Demand {
        let speed = match *self {
            Self::Tour { speed, .. } | Self::Around { speed, .. } => speed,
            Self::Straight(velocity) => velocity.length(),
            Self::Stay(kind) => return Demand { kind, speed: 0.0 },
        };
        Demand { kind: gait(speed, MotionType::Walking), speed }
    }
}

/// A region that people go to, and the ways there from everywhere.
#[derive(Clone, Debug)]
pub struct Destination {
    region: usize,
    ways: DistanceField,
}

/// Bodies keep this far from walls on their way, in metres: who aims at the very corner scrapes along it.
const CLEARANCE: f32 = 0.3;
/// Cells of the ways in metres.
const CELL: f32 = 0.25;
/// Metres between the points of a region that people may head for, and the most points.
const SPACING: f32 = 0.5;
const MOST_POINTS: f32 = 1500.0;

impl Destination {
    /// Finds the ways to a region of the ground.
    pub fn new(router: &MeshRouter, region: usize) -> Result<Self, NoWay> {
        let ground = router.ground();
        let own = &ground.regions()[region];
        let Some(Bounds { min, max }) = Bounds::of_areas(own.areas()) else {
            return Err(NoWay::GoalBlocked { nearest: None });
        };
        let (low, extent) = (min.as_vec2(), (max - min).as_vec2());
        let spacing = SPACING.max((extent.x * extent.y / MOST_POINTS).sqrt());
        let (columns, rows) = ((extent.x / spacing) as usize + 1, (extent.y / spacing) as usize + 1);
        let first = low + (extent - Vec2::new((columns - 1) as f32, (rows - 1) as f32) * spacing) * 0.5;
        let goals: Vec<Vec2> = (0..columns * rows)
            .map(|index| first + Vec2::new((index % columns) as f32, (index / columns) as f32) * spacing)
            .filter(|&goal| own.contains(goal) && ground.is_free(goal, CLEARANCE))
            .collect();
        Ok(Self { region, ways: DistanceField::new(router, &goals, CLEARANCE, CELL)? })
    }
}

/// What everybody is up to.
#[derive(Clone, Debug)]
pub struct Errands {
    ground: Arc<Ground>,
    errands: Vec<Errand>,
    tours: Vec<Vec<Arc<Destination>>>,
}

impl Errands {
    /// The errands of all people, in their order; every tour has a place to go to.
    pub fn new(ground: Arc<Ground>, errands: Vec<Errand>, tours: Vec<Vec<Arc<Destination>>>) -> Self {
        Self { ground, errands, tours }
    }
}

/// How strongly somebody is drawn back to between the distances at which it goes round, for each metre off.
const PULL: f32 = 0.3;

impl Wishes for Errands {
    fn velocity(&self, agent: usize, position: Vec2, _frame: u32) -> Vec2 {
        match self.errands[agent] {
            Errand::Tour { tour, next, speed } => {
                let destination = &self.tours[usize::from(tour)][usize::from(next)];
                let sample = destination.ways.sample(&self.ground, position);
                sample.map_or(Vec2::ZERO, |sample| sample.direction * speed)
            }
            Errand::Around { centre, between: [least, most], speed } => {
                let offset = position - centre;
                let radius = offset.length().max(0.1);
                let out = offset / radius;
                let pull = (least - radius).max(0.0) - (radius - most).max(0.0);
                (out.perp() + out * pull * PULL).normalize_or_zero() * speed
            }
            Errand::Straight(velocity) => velocity,
            Errand::Stay(_) => Vec2::ZERO,
        }
    }

    fn kind(&self, agent: usize, speed: f32, current: MotionType) -> MotionType {
        match self.errands[agent] {
            Errand::Stay(kind) => kind,
            _ => gait(speed, current),
        }
    }

    fn stays(&self, agent: usize) -> bool {
        matches!(self.errands[agent], Errand::Stay(_))
    }

    fn moved(&mut self, positions: &[Vec2], _frame: u32) {
        for (errand, position) in self.errands.iter_mut().zip(positions) {
            if let Errand::Tour { tour, next, .. } = errand {
                let places = &self.tours[usize::from(*tour)];
                let region = &self.ground.regions()[places[usize::from(*next)].region];
                if region.contains(*position) {
                    *next = (*next + 1) % places.len() as u16;
                }
            }
        }
    }
}
