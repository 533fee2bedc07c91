//! A crowd from above at one moment: ground, regions, vehicles, people as discs with headings, and where they came from.

use crate::canvas::{Canvas, Ink};
use crowdloom_crowd::situation::{Activity, Place};
use crowdloom_crowd::{Crowd, Mover};
use crowdloom_motion::Placement;
use glam::Vec2;
use std::collections::BTreeMap;

const PAPER: Ink = Ink::hex(0xf4f2ec);
const FLOOR: Ink = Ink::hex(0xfdfdfb);
const WALL: Ink = Ink::hex(0x3a404a);
const OBSTACLE: Ink = Ink::hex(0xcbc7bc);
const TEXT: Ink = Ink::hex(0x3a404a);
const VEHICLE: Ink = Ink::hex(0xd9a441);
const SPOT: Ink = Ink::hex(0x8a8578);
const PASSING: Ink = Ink::hex(0x5b7fa6);
const TAKING_PART: Ink = Ink::hex(0xd0632c);
const THROUGH: Ink = Ink::hex(0x4f9a6b);
const PLANNED: Ink = Ink::hex(0x7a4fa3);
const RECORDED: Ink = Ink::hex(0x777777);
const REGIONS: [Ink; 5] =
    [Ink::hex(0xf2a341), Ink::hex(0x5c9e73), Ink::hex(0x806ebe), Ink::hex(0xd66069), Ink::hex(0x3c96b4)];

/// Draws a crowd.
#[derive(Clone, Debug)]
pub struct CrowdPlot {
    /// The longer side of the ground in pixels; `None` for what suits its shape.
    pub pixels: Option<u32>,
    /// Where each agent, by its number, was, the latest last.
    trails: BTreeMap<u32, Vec<Vec2>>,
    /// The most points of a trail.
    longest: usize,
}

/// Pixels of a picture, where nothing else is asked for.
const PIXELS: f32 = 560.0 * 380.0;
/// The longest side of such a picture, in pixels.
const LONGEST: f32 = 1000.0;
/// The space around the ground, in pixels.
const MARGIN: f32 = 14.0;
/// The space under it for the legend, in pixels.
const FOOTER: f32 = 26.0;

impl CrowdPlot {
    /// A picture of so many pixels whose trails are as long as `frames` frames.
    pub fn new(pixels: Option<u32>, frames: usize) -> Self {
        Self { pixels, trails: BTreeMap::new(), longest: frames.max(1) }
    }

    /// Notes where everybody is; to be called in every frame of which a trail is to be seen.
    pub fn note(&mut self, crowd: &Crowd) {
        for (agent, &position) in crowd.positions().iter().enumerate() {
            let trail = self.trails.entry(crowd.id(agent)).or_default();
            trail.push(position);
            if trail.len() > self.longest {
                trail.remove(0);
            }
        }
    }

    /// The crowd as it is now, as the bytes of a PNG file.
    pub fn png(&self, crowd: &Crowd) -> Vec<u8> {
        let ground = &crowd.setting().ground;
        let bounds = ground.bounds();
        let size = bounds.size().as_vec2().max(Vec2::splat(1e-3));
        let low = bounds.min.as_vec2();
        let suits = (PIXELS / (size.x * size.y)).sqrt().min(LONGEST / size.max_element());
        let scale = self.pixels.map_or(suits, |pixels| pixels as f32 / size.max_element());
        let at = |point: Vec2| {
            Vec2::new(MARGIN + (point.x - low.x) * scale, MARGIN + (size.y - (point.y - low.y)) * scale)
        };
        let width = (size.x * scale + 2.0 * MARGIN) as u32;
        let height = (size.y * scale + 2.0 * MARGIN + FOOTER) as u32;
        let mut canvas = Canvas::new(width.max(430), height, PAPER);
        let ring = |ring: &[glam::DVec2]| ring.iter().map(|p| at(p.as_vec2())).collect::<Vec<_>>();
        for area in ground.areas() {
            for (index, own) in area.rings().enumerate() {
                let points = ring(own);
                canvas.polygon(&points, if index == 0 { FLOOR } else { OBSTACLE });
                canvas.line(&points, true, 1.5, WALL);
            }
        }
        for (index, region) in ground.regions().iter().enumerate() {
            let ink = REGIONS[index % REGIONS.len()];
            for area in region.areas() {
                let points = ring(&area.outline);
                canvas.polygon(&points, ink.fade(0.13));
                canvas.line(&points, true, 1.0, ink.fade(0.6));
            }
        }
        self.draw_situations(crowd, &mut canvas, &at, scale);
        self.draw_vehicles(crowd, &mut canvas, &at, scale);
        self.draw_people(crowd, &mut canvas, &at, scale);
        let baseline = height as f32 - FOOTER + 2.0;
        let mut x = MARGIN;
        let has = |mover: fn(Mover) -> bool| (0..crowd.len()).any(|index| mover(crowd.mover(index)));
        let planned = has(|mover| mover == Mover::Planned).then_some((PLANNED, "is planned"));
        let recorded = has(|mover| mover == Mover::Recorded).then_some((RECORDED, "is recorded"));
        let kinds = [(TAKING_PART, "takes part"), (THROUGH, "is through"), (PASSING, "passes by")];
        for (ink, text) in kinds.into_iter().chain(planned).chain(recorded) {
            canvas.disc(Vec2::new(x + 4.0, baseline + 4.0), 4.0, ink);
            canvas.text(Vec2::new(x + 12.0, baseline), text, 1.0, TEXT);
            x += 22.0 + text.len() as f32 * Canvas::CHARACTER;
        }
        let metres = if size.max_element() > 60.0 { 10.0 } else { 2.0 };
        let text = format!("{metres} m");
        canvas.line(
            &[Vec2::new(x, baseline + 6.0), Vec2::new(x + metres * scale, baseline + 6.0)],
            false,
            2.0,
            TEXT,
        );
        canvas.text(Vec2::new(x + metres * scale + 6.0, baseline), &text, 1.0, TEXT);
        canvas.png()
    }

    fn draw_situations(&self, crowd: &Crowd, canvas: &mut Canvas, at: &impl Fn(Vec2) -> Vec2, scale: f32) {
        let shared = crowd.shared();
        for situation in &shared.situations {
            for spot in situation.activity.spots() {
                canvas.line(&square(at(spot.at), spot.facing, 0.28 * scale), true, 1.0, SPOT);
            }
            if let Activity::Follow { way } = &situation.activity {
                let points: Vec<Vec2> = way.iter().map(|&point| at(point)).collect();
                canvas.line(&points, false, 2.0, SPOT.fade(0.6));
            }
            let signal = match situation.activity {
                Activity::Cross { signal, .. } | Activity::StayIn { signal, .. } => signal,
                Activity::Light { signal, .. } => Some(signal),
                _ => None,
            };
            let signal = signal.and_then(|id| shared.signals.get(usize::from(id.0)));
            if let (Some(signal), Place::Region(region)) = (signal, situation.place) {
                let region = &crowd.setting().ground.regions()[region];
                if let Some(bounds) = crowdloom_world::Bounds::of_areas(region.areas()) {
                    let corner = at(bounds.max.as_vec2()) + Vec2::new(-8.0, 8.0);
                    let on = signal.is_on(crowd.frame());
                    canvas.disc(corner, 5.0, if on { Ink::hex(0x2faa50) } else { Ink::hex(0xcc3333) });
                }
            }
        }
    }

    fn draw_vehicles(&self, crowd: &Crowd, canvas: &mut Canvas, at: &impl Fn(Vec2) -> Vec2, scale: f32) {
        for vehicle in crowd.shared().vehicles.iter().filter(|vehicle| vehicle.state.under_way) {
            let frame = vehicle.placement();
            let half = Vec2::new(vehicle.length, vehicle.width) * 0.5;
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let body = corners.map(|(x, y)| at(frame.transform_point(half * Vec2::new(x, y))));
            canvas.polygon(&body, VEHICLE.fade(0.45));
            canvas.line(&body, true, 1.5, WALL);
            let nose = [Vec2::new(half.x * 0.9, -half.y), Vec2::new(half.x * 0.9, half.y)];
            canvas.line(&nose.map(|point| at(frame.transform_point(point))), false, 1.0, WALL);
            let front = vehicle.track.at(vehicle.state.front);
            let claimed = vehicle.track.at(vehicle.state.claimed);
            canvas.line(
                &[at(front), at(claimed)],
                false,
                (vehicle.width * scale).max(1.0),
                VEHICLE.fade(0.12),
            );
        }
    }

    fn draw_people(&self, crowd: &Crowd, canvas: &mut Canvas, at: &impl Fn(Vec2) -> Vec2, scale: f32) {
        for agent in 0..crowd.len() {
            if let Some(trail) = self.trails.get(&crowd.id(agent)) {
                let points: Vec<Vec2> = trail.iter().step_by(5).chain(trail.last()).map(|&p| at(p)).collect();
                canvas.line(&points, false, (0.12 * scale).max(1.0), colour(crowd, agent).fade(0.28));
            }
        }
        for agent in 0..crowd.len() {
            let Placement { position, heading } = crowd.placement(agent);
            let ink = colour(crowd, agent);
            let radius = crowd.commitment(agent).radius(&crowd.setting().book);
            canvas.disc(at(position), radius * scale, ink);
            let (sine, cosine) = libm::sincosf(heading);
            let nose = at(position + Vec2::new(cosine, sine) * radius * 1.5);
            canvas.line(&[at(position), nose], false, (0.09 * scale).max(1.0), WALL);
        }
    }
}

/// What an agent has to do with situations, as a colour.
fn colour(crowd: &Crowd, agent: usize) -> Ink {
    let mind = crowd.mind(agent);
    let mut ink = match crowd.mover(agent) {
        Mover::Planned => PLANNED,
        Mover::Recorded => RECORDED,
        Mover::Graph | Mover::Steered(_) | Mover::CellMarking(_) => PASSING,
    };
    for visit in mind.visits.iter().filter(|visit| visit.takes_part && !visit.asks) {
        if !visit.done {
            return TAKING_PART;
        }
        ink = THROUGH;
    }
    let id = crowd.id(agent);
    let has_a_room = crowd.shared().rolls.iter().any(|roll| roll.holders.contains(&Some(id)));
    if mind.ride.is_some() || has_a_room { TAKING_PART } else { ink }
}

/// The corners of a square around a spot, turned to where it faces.
fn square(centre: Vec2, facing: Vec2, half: f32) -> [Vec2; 4] {
    let facing = Vec2::new(facing.x, -facing.y);
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| centre + Vec2::new(x, y).rotate(facing) * half)
}
