//! The simpler variant (section 4.4 of the source): one person's walks alone. Its own components are kept up to four fifths of
//! the variance, and each of their weights is a line of speed.

use crate::clip::{Frame, Growing, frames_of};
use crate::cycle::{Cycle, FRAMES, Gait, ROOT, rotation};
use crate::engine::{line, stance_lines};
use crate::pca::Pca;
use crowdloom_motion::body::Body;
use crowdloom_motion::{Clip, FRAME_RATE, Skeleton};
use glam::{Quat, Vec3};

/// The share of the variance that components keep.
const KEEPS: f64 = 0.8;

/// One person's walks.
#[derive(Clone, Debug)]
pub struct PersonalWalk {
    skeleton: Skeleton,
    /// Length of the skeleton's legs in metres.
    leg: f32,
    pca: Pca,
    /// How many walks were learnt from, standing among them.
    walks: usize,
    /// Offset and slope of each weight against speed by leg length (equation 4.5).
    lines: Vec<[f32; 2]>,
    /// The weights of standing, where the person was seen to.
    standing: Option<Vec<f32>>,
    /// The slowest that was seen, by leg length.
    slowest: f32,
    /// Set down and left, of the left and the right foot: offsets and slopes against speed by leg length.
    stances: [[[f32; 2]; 2]; 2],
}

impl PersonalWalk {
    /// Learns from the walks of one person, by number, among cycles of one skeleton; `None` where there are fewer than two.
    pub fn learn(skeleton: &Skeleton, cycles: &[Cycle], subject: usize) -> Option<Self> {
        let leg = Body::guess(skeleton).leg_length(skeleton)?;
        let own = || cycles.iter().filter(|cycle| cycle.subject == subject && cycle.gait == Gait::Walk);
        let walks: Vec<&Cycle> = own().filter(|cycle| cycle.speed > 0.0).collect();
        if walks.len() < 2 {
            return None;
        }
        // Standing is a walk of no speed: its weights have to be among the same components.
        let values: Vec<Vec<f32>> = own().map(|cycle| cycle.values.clone()).collect();
        let pca = Pca::keep(&values, |share, _| share < KEEPS);
        let weights: Vec<(f32, Vec<f32>)> =
            walks.iter().map(|cycle| (cycle.speed, pca.project(&cycle.values))).collect();
        let lines = (0..pca.kept)
            .map(|number| line(&weights.iter().map(|(speed, own)| (*speed, own[number])).collect::<Vec<_>>()))
            .collect();
        let standing = own().find(|cycle| cycle.speed == 0.0).map(|cycle| pca.project(&cycle.values));
        let slowest = walks.iter().map(|cycle| cycle.speed).fold(f32::INFINITY, f32::min);
        let stances = stance_lines(&walks);
        let (skeleton, walks) = (skeleton.clone(), values.len());
        Some(Self { skeleton, leg, pca, walks, lines, standing, slowest, stances })
    }

    /// The number of components (table 4.2: 3, 3, 2, 4 and 3 of five people).
    pub fn components(&self) -> usize {
        self.pca.kept
    }

    /// Walks that were learnt from by components that are kept (table 4.2: 40 walks each, so 13, 13, 20, 10 and 13).
    pub fn reduction(&self) -> f32 {
        self.walks as f32 / self.pca.kept.max(1) as f32
    }

    /// The weights at a speed by leg length; slower than the slowest it goes over to standing.
    fn weights(&self, speed: f32) -> Vec<f32> {
        let seen = speed.max(self.slowest);
        let at = self.lines.iter().map(|[offset, slope]| offset + slope * seen);
        let share = (speed / self.slowest).clamp(0.0, 1.0);
        match &self.standing {
            Some(still) => at.zip(still).map(|(own, still)| still + (own - still) * share).collect(),
            None => at.collect(),
        }
    }

    /// Makes a whole cycle at a speed in metres a second: [`FRAMES`] frames as in [`Cycle::values`].
    pub fn cycle(&self, speed: f32, into: &mut Vec<f32>) {
        self.pca.restore(&self.weights(speed / self.leg), into);
    }

    /// A cycle of two steps at a speed in metres a second as a clip, from right foot strike to right foot strike.
    pub fn clip(&self, speed: f32, name: &str) -> Clip {
        let relative = (speed / self.leg).max(0.0);
        // Equation 4.6.
        let frames = frames_of(0.85 * libm::powf(relative, 0.4));
        let whole = speed * frames as f32 / FRAME_RATE;
        let seen = relative.max(0.5 * self.slowest);
        let stances = self.stances.map(|foot| foot.map(|[offset, slope]| offset + slope * seen));
        let mut values = Vec::new();
        self.cycle(speed, &mut values);
        let each = ROOT + 3 * self.skeleton.len();
        let mut clip = Growing::new(&self.skeleton, name, "walk", frames);
        let mut rotations: Vec<Quat> = Vec::new();
        for frame in 0..=frames {
            let phase = frame as f32 / frames as f32;
            let at = (phase * FRAMES as f32) % FRAMES as f32;
            let (before, t) = (at as usize, at.fract());
            let after = (before + 1) % FRAMES;
            let (a, b) = (&values[before * each..][..each], &values[after * each..][..each]);
            let at = |number: usize| a[number] + (b[number] - a[number]) * t;
            let root = Vec3::new(at(0), at(1), at(2)) * self.leg;
            rotations.clear();
            rotations.extend(
                (ROOT..each).step_by(3).map(|own| rotation(Vec3::new(at(own), at(own + 1), at(own + 2)))),
            );
            let way = whole * phase;
            clip.push(Frame { root, rotations: &mut rotations, way, speed, phase, stances });
        }
        clip.finish()
    }
}
