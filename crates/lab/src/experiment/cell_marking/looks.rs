//! What figures 5.2 to 5.4 of Brunner 2014 show, in numbers: ways that are not quite straight, turns, and how alike
//! neighbours are.

use crowdloom_crowd::cell_marking::Shown;
use crowdloom_motion::{Contacts, FRAME_RATE, wrap_angle};
use glam::Vec2;

/// Looks at everybody, frame after frame.
pub struct LooksMeter {
    before: Vec<Option<(Vec2, f32)>>,
    /// Where everybody was first, and metres walked since.
    ways: Vec<(Vec2, f32)>,
    turned: f64,
    walked_frames: u64,
    /// Sums over pairs of neighbours of how alike they face, and of how often the same feet bear them.
    alike: [f64; 2],
    pairs: u64,
    /// Frames of walkers in which each of the contacts (none, left, right, both) was seen.
    contacts: [u64; 4],
}

/// Who is slower than this, in metres a second, does not walk.
const WALKS: f32 = 0.3;
/// Nearer than this, in metres, two are neighbours.
const NEIGHBOURS: f32 = 3.0;

fn bearing(contacts: Contacts) -> usize {
    usize::from(contacts.touches(Contacts::LEFT)) + 2 * usize::from(contacts.touches(Contacts::RIGHT))
}

impl LooksMeter {
    /// For so many agents.
    pub fn new(agents: usize) -> Self {
        Self {
            before: vec![None; agents],
            ways: vec![(Vec2::ZERO, 0.0); agents],
            turned: 0.0,
            walked_frames: 0,
            alike: [0.0; 2],
            pairs: 0,
            contacts: [0; 4],
        }
    }

    /// Takes the next frame of everybody.
    pub fn see(&mut self, shown: &[Shown]) {
        let mut walks = vec![false; shown.len()];
        for (agent, body) in shown.iter().enumerate() {
            let (place, heading) = (body.placement.position, body.placement.heading);
            match self.before[agent] {
                Some((before, old_heading)) => {
                    self.ways[agent].1 += before.distance(place);
                    walks[agent] = before.distance(place) * FRAME_RATE > WALKS;
                    if walks[agent] {
                        self.turned += f64::from(wrap_angle(heading - old_heading).abs());
                        self.walked_frames += 1;
                        self.contacts[bearing(body.contacts)] += 1;
                    }
                }
                None => self.ways[agent].0 = place,
            }
            self.before[agent] = Some((place, heading));
        }
        for (agent, body) in shown.iter().enumerate().filter(|(agent, _)| walks[*agent]) {
            let others =
                shown[..agent].iter().zip(&walks).filter(|(_, walks)| **walks).map(|(other, _)| other);
            for other in others {
                let (a, b) = (body.placement, other.placement);
                if a.position.distance_squared(b.position) < NEIGHBOURS * NEIGHBOURS {
                    self.alike[0] += f64::from(libm::cosf(a.heading - b.heading));
                    self.alike[1] += f64::from(u8::from(bearing(body.contacts) == bearing(other.contacts)));
                    self.pairs += 1;
                }
            }
        }
    }

    /// The mean share by which walked ways are longer than straight ones.
    pub fn detour(&self) -> f64 {
        let ways = self.ways.iter().zip(&self.before);
        let shares = ways.filter_map(|((start, walked), last)| {
            let straight = start.distance(last.as_ref()?.0);
            (straight > 1.0).then(|| f64::from(walked / straight) - 1.0)
        });
        let shares: Vec<f64> = shares.collect();
        shares.iter().sum::<f64>() / shares.len().max(1) as f64
    }

    /// Mean turning of walking bodies in degrees a second.
    pub fn walking_turn(&self) -> f64 {
        (self.turned * f64::from(FRAME_RATE) / self.walked_frames.max(1) as f64).to_degrees()
    }

    /// How alike neighbours face times how much more often than by chance the same feet bear them; 1 is in step.
    pub fn uniformity(&self) -> f64 {
        let (pairs, frames) = (self.pairs.max(1) as f64, self.walked_frames.max(1) as f64);
        let chance: f64 = self.contacts.iter().map(|&count| (count as f64 / frames).powi(2)).sum();
        let in_step = (self.alike[1] / pairs - chance) / (1.0 - chance).max(1e-6);
        (self.alike[0] / pairs).max(0.0) * in_step.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::{Placement, builtin};

    /// Four in a row who walk along x at 1.2 m/s, their steps `apart` frames apart.
    fn meter(apart: usize) -> LooksMeter {
        let library = builtin::library();
        let pose = library.clips[0].sample(0.0);
        let mut meter = LooksMeter::new(4);
        for frame in 0..120 {
            let body = |agent: usize| Shown {
                placement: Placement::new(0.04 * frame as f32, agent as f32, 0.0),
                pose: pose.clone(),
                contacts: if ((frame + agent * apart) / 15).is_multiple_of(2) {
                    Contacts::LEFT
                } else {
                    Contacts::RIGHT
                },
            };
            meter.see(&[body(0), body(1), body(2), body(3)]);
        }
        meter
    }

    #[test]
    fn those_in_step_are_alike() {
        let (in_step, out_of_step) = (meter(0), meter(15));
        assert!(in_step.uniformity() > 0.95, "{}", in_step.uniformity());
        assert!(out_of_step.uniformity() < 0.2, "{}", out_of_step.uniformity());
        assert!(in_step.detour() < 1e-3 && in_step.walking_turn() < 1e-3);
    }
}
