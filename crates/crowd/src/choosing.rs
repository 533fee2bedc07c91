//! Which region of a stop somebody goes to, where there are several: doors, counters, ends of a street.

use crate::crowd::Crowd;
use crate::mind::Mind;
use crate::random::Random;
use crate::scenario::{Choose, Stop};
use crate::situation::{Activity, Situation};
use crate::wayfinding::Wayfinding;
use crowdloom_world::Router;
use glam::Vec2;

/// People who may go elsewhere think again after so many frames.
pub(crate) const THINKS_AGAIN: u32 = 120;

/// They go elsewhere where that takes less than this part of the time.
const WORTH_IT: f32 = 0.75;

/// People a second and metre of width that get through a crowded opening (the HCM's and Fruin's 1.3, see Weidmann 1993).
const OPENING: f32 = 1.3;

/// The width in metres that an opening has at least.
const LEAST_WIDTH: f32 = 0.8;

impl Crowd {
    /// Notes who is on the way to where, as far as anybody looks at that.
    pub(crate) fn note_goals(&mut self) {
        let balances = |situation: &Situation| matches!(situation.activity, Activity::Balance { .. });
        self.shared.goals.clear();
        if self.shared.situations.iter().any(balances) {
            let goals = self.positions.iter().zip(&self.minds);
            self.shared.goals.extend(goals.filter_map(|(&at, mind)| Some((at, mind.goal?))));
        }
        let stops = &self.shared.scenario.stops;
        let asked = stops.iter().any(|stop| stop.choose == Choose::Quickest && stop.regions.len() > 1);
        self.shared.bound.clear();
        if !asked {
            return;
        }
        self.shared.bound.resize(self.setting.ground.regions().len(), 0);
        for mind in self.minds.iter().filter(|mind| mind.goal.is_some()) {
            if let Some(count) = mind.region.and_then(|region| self.shared.bound.get_mut(usize::from(region)))
            {
                *count += 1;
            }
        }
    }
}

impl Wayfinding<'_> {
    /// The region of a stop that somebody goes to; `None` where it has none.
    pub(crate) fn choose_region(
        &self,
        position: Vec2,
        mind: &Mind,
        stop: &Stop,
        random: &mut Random,
    ) -> Option<usize> {
        let regions = &stop.regions[..];
        let any = |random: &mut Random| regions[random.below(regions.len() as u32) as usize];
        match (regions, &stop.choose) {
            ([], _) => None,
            ([only], _) => Some(*only),
            (_, Choose::Any) => Some(any(random)),
            (_, Choose::Weighted(weights)) => {
                let picked = random.weighted(weights, |weight| *weight);
                picked.and_then(|picked| regions.get(picked)).copied().or_else(|| Some(any(random)))
            }
            (_, Choose::Assigned) => Some(regions[self.id as usize % regions.len()]),
            (_, Choose::Nearest | Choose::Quickest) => {
                self.soonest(position, mind, stop).map(|(_, region)| region)
            }
        }
    }

    /// The region of a stop that somebody gets to first, and the seconds until then.
    fn soonest(&self, position: Vec2, mind: &Mind, stop: &Stop) -> Option<(f32, usize)> {
        let times = stop.regions.iter().map(|&region| (self.time_to(position, mind, stop, region), region));
        times.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Lets somebody who is on the way to a stop go to another of its regions, where that is closed or crowded.
    pub(crate) fn think_again(&self, position: Vec2, mind: &mut Mind, random: &mut Random) {
        let (Some(stop), Some(own)) = (mind.stop, mind.region) else { return };
        if mind.goal.is_none() || mind.diverted || self.frame < mind.chose_in + THINKS_AGAIN {
            return;
        }
        let Some(stop) = self.shared.scenario.stops.get(usize::from(stop)) else { return };
        if !stop.choose.looks_at_ways() || stop.regions.len() < 2 {
            return;
        }
        mind.chose_in = self.frame;
        let Some((best_time, best)) = self.soonest(position, mind, stop) else { return };
        if best == usize::from(own) {
            return;
        }
        let own_time = self.time_to(position, mind, stop, usize::from(own));
        let is_better = match stop.choose {
            Choose::Quickest => best_time < WORTH_IT * own_time,
            _ => own_time == f32::INFINITY && best_time < own_time,
        };
        if is_better {
            self.head_into(best, position, mind, random);
        }
    }

    /// Seconds until somebody gets to a region of a stop; infinite where no way leads there.
    fn time_to(&self, position: Vec2, mind: &Mind, stop: &Stop, region: usize) -> f32 {
        let ground = self.ground();
        let clearance = self.clearance();
        let Some(bounds) = self.setting.ground.regions().get(region).map(|region| region.bounds()) else {
            return f32::INFINITY;
        };
        let middle = (bounds.min + bounds.max).as_vec2() * 0.5;
        let free = |point| ground.nearest_free(point, clearance);
        let (Some(from), Some(to)) = (free(position), free(middle)) else { return f32::INFINITY };
        let Ok(route) = self.router().route(from, to, clearance) else { return f32::INFINITY };
        let walk = route.length as f32 / mind.speed.max(0.2);
        if stop.choose != Choose::Quickest {
            return walk;
        }
        let width = ((bounds.max - bounds.min).max_element() as f32).max(LEAST_WIDTH);
        let before = self.shared.bound.get(region).copied().unwrap_or(0);
        // Whoever waits gets no farther by walking: the longer of the two times counts.
        walk.max(before as f32 / (OPENING * width))
    }
}
