//! Hierarchical principal components of cycles (sections 4.3, 4.5 and 4.6 of the source): all cycles, each person's, and each
//! person's walks and runs, so that one number, which grows with speed, makes a cycle.

use crate::cycle::{Cycle, FRAMES, Gait, ROOT, rotation};
use crate::pca::Pca;
use crowdloom_motion::body::Body;
use crowdloom_motion::{Skeleton, builtin};
use glam::{Quat, Vec3};
use rayon::prelude::*;

/// Directions kept of all cycles, of each person's, and of each person's walks or runs.
const KEPT: [usize; 3] = [10, 2, 1];
/// The least share of a cycle of walking for which a foot is on the ground.
const LEAST_STANCE: f32 = 0.59;
/// The most numbers of a frame: bodies have at most 128 joints.
const MOST_NUMBERS: usize = ROOT + 3 * 128;
/// Kilometres an hour in metres a second.
const KM_H: f32 = 1.0 / 3.6;

/// What a cycle is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// How much of each person there is in it; people beyond the last count nothing. Nobody is everybody alike.
    pub people: Vec<f32>,
    /// Metres a second.
    pub speed: f32,
    /// From walking, 0, to running, 1.
    pub runs: f32,
    /// Length of the legs in metres.
    pub leg: f32,
}

/// One person's walks or runs.
#[derive(Clone, Debug)]
struct GaitSpace {
    /// The person's weights as a line: where it begins and which way it goes.
    pca: Pca,
    /// How far along the line cycles of a speed are: A(S) = slope·S + offset (equation 4.4).
    slope: f32,
    offset: f32,
    /// The slowest that was seen, by leg length.
    slowest: f32,
    /// The person's weights of standing.
    standing: Vec<f32>,
    /// Set down and left, of the left and the right foot: offsets and slopes against speed by leg length.
    stances: [[[f32; 2]; 2]; 2],
}

/// One person.
#[derive(Clone, Debug)]
struct Subject {
    /// The weights of the person's cycles among all directions.
    pca: Pca,
    gaits: [GaitSpace; 2],
}

/// How well components explain what they are made of, and what they save.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// Cycles that were learnt from.
    pub cycles: usize,
    /// Numbers of one cycle.
    pub numbers: usize,
    /// The share of the variance that is kept: of all, the mean of each person's, and of each person's walks and runs.
    pub variance: [f64; 3],
    /// Numbers of all cycles by numbers of the engine.
    pub compression: f64,
}

/// Walking and running at any speed, by anybody.
#[derive(Clone, Debug)]
pub struct Engine {
    skeleton: Skeleton,
    /// Length of the skeleton's legs in metres.
    leg: f32,
    main: Pca,
    subjects: Vec<Subject>,
    quality: Quality,
}

/// A least-squares line through points: offset and slope.
pub(crate) fn line(points: &[(f32, f32)]) -> [f32; 2] {
    let count = points.len().max(1) as f64;
    let (mut x, mut y, mut xx, mut xy) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for &(a, b) in points {
        let (a, b) = (f64::from(a), f64::from(b));
        (x, y, xx, xy) = (x + a, y + b, xx + a * a, xy + a * b);
    }
    let spread = xx - x * x / count;
    let slope = if spread > 1e-9 { (xy - x * y / count) / spread } else { 0.0 };
    [((y - slope * x) / count) as f32, slope as f32]
}

/// When the left and the right foot are set down and leave the ground: offsets and slopes against speed by leg length.
pub(crate) fn stance_lines(cycles: &[&Cycle]) -> [[[f32; 2]; 2]; 2] {
    let stance = |foot: usize, end: usize| {
        let of = |cycle: &&Cycle| {
            // The right foot is set down where cycles begin: around 0, not around 1.
            let down = cycle.stances[foot][0];
            let round = if foot == 1 && down > 0.5 { 1.0 } else { 0.0 };
            (cycle.speed, cycle.stances[foot][end] - round)
        };
        line(&cycles.iter().map(of).collect::<Vec<_>>())
    };
    [0, 1].map(|foot| [0, 1].map(|end| stance(foot, end)))
}

impl GaitSpace {
    fn of(cycles: &[(&Cycle, Vec<f32>)], standing: &[f32]) -> Self {
        let weights: Vec<Vec<f32>> = cycles.iter().map(|(_, weights)| weights.clone()).collect();
        let pca = Pca::of(&weights, KEPT[2]);
        let along: Vec<(f32, f32)> = cycles
            .iter()
            .map(|(cycle, weights)| (cycle.speed, pca.project(weights).first().copied().unwrap_or(0.0)))
            .collect();
        let [offset, slope] = line(&along);
        let slowest = along.iter().map(|(speed, _)| *speed).fold(f32::INFINITY, f32::min);
        let stances = stance_lines(&cycles.iter().map(|(cycle, _)| *cycle).collect::<Vec<_>>());
        Self { pca, slope, offset, slowest, standing: standing.to_vec(), stances }
    }

    /// The person's weights at a speed by leg length; slower than the slowest it goes over to standing.
    fn weights(&self, speed: f32, into: &mut Vec<f32>) {
        let seen = speed.max(self.slowest);
        self.pca.restore(&[self.slope * seen + self.offset], into);
        if speed < self.slowest {
            let share = (speed / self.slowest).max(0.0);
            into.iter_mut()
                .zip(&self.standing)
                .for_each(|(own, still)| *own = still + (*own - still) * share);
        }
    }
}

impl Engine {
    /// Learns from cycles of one skeleton of at most 128 joints; `None` where nobody both walks and runs.
    pub fn learn(skeleton: &Skeleton, cycles: &[Cycle]) -> Option<Self> {
        let leg = Body::guess(skeleton).leg_length(skeleton).filter(|_| skeleton.len() <= 128)?;
        let values: Vec<Vec<f32>> = cycles.iter().map(|cycle| cycle.values.clone()).collect();
        let main = Pca::of(&values, KEPT[0]);
        let weighed: Vec<(&Cycle, Vec<f32>)> =
            cycles.par_iter().map(|cycle| (cycle, main.project(&cycle.values))).collect();
        let people = cycles.iter().map(|cycle| cycle.subject).max()? + 1;
        let (mut subjects, mut of_people, mut of_gaits) = (Vec::new(), Vec::new(), Vec::new());
        for person in 0..people {
            let own: Vec<&(&Cycle, Vec<f32>)> =
                weighed.iter().filter(|(cycle, _)| cycle.subject == person).collect();
            let pca = Pca::of(&own.iter().map(|(_, weights)| weights.clone()).collect::<Vec<_>>(), KEPT[1]);
            let second: Vec<(&Cycle, Vec<f32>)> =
                own.iter().map(|(cycle, weights)| (*cycle, pca.project(weights))).collect();
            let standing =
                second.iter().find(|(cycle, _)| cycle.speed == 0.0).map(|(_, weights)| weights.clone());
            let of = |gait: Gait| {
                let all: Vec<_> = second
                    .iter()
                    .filter(|(cycle, _)| cycle.gait == gait && cycle.speed > 0.0)
                    .map(|(cycle, weights)| (*cycle, weights.clone()))
                    .collect();
                let still = standing.clone().or_else(|| all.first().map(|(_, weights)| weights.clone()))?;
                (!all.is_empty()).then(|| GaitSpace::of(&all, &still))
            };
            if let (Some(walks), Some(runs)) = (of(Gait::Walk), of(Gait::Run)) {
                of_people.push(pca.variance);
                of_gaits.extend([walks.pca.variance, runs.pca.variance]);
                subjects.push(Subject { pca, gaits: [walks, runs] });
            }
        }
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let numbers = main.mean.len();
        let small = |pca: &Pca| pca.mean.len() + pca.components.len();
        let own: usize = small(&main)
            + subjects
                .iter()
                .map(|one| {
                    small(&one.pca) + one.gaits.iter().map(|gait| small(&gait.pca) + 14).sum::<usize>()
                })
                .sum::<usize>();
        let quality = Quality {
            cycles: cycles.len(),
            numbers,
            variance: [main.variance, mean(&of_people), mean(&of_gaits)],
            compression: (numbers * cycles.len()) as f64 / own as f64,
        };
        (!subjects.is_empty()).then(|| Self { skeleton: skeleton.clone(), leg, main, subjects, quality })
    }

    /// Learns from the built-in gait as five people do it: walks from 3 to 7 km/h in steps of 0.5, runs from 6 to 12 in steps
    /// of 1, and standing, as in the source.
    pub fn builtin() -> Option<Self> {
        Self::learn(&builtin::library().skeleton, &Self::builtin_cycles()?)
    }

    /// The cycles that [`Self::builtin`] learns from; people are numbered from 0 on.
    pub fn builtin_cycles() -> Option<Vec<Cycle>> {
        let library = builtin::library();
        let skeleton = &library.skeleton;
        let standing =
            library.clips.iter().find(|clip| clip.ends.as_ref().is_some_and(|ends| ends.from == "stand"))?;
        let walks = (0..9).map(|step| (Gait::Walk, 3.0 + 0.5 * step as f32));
        let runs = (0..7).map(|step| (Gait::Run, 6.0 + step as f32));
        let speeds: Vec<(Gait, f32)> = walks.chain(runs).collect();
        let asked: Vec<(usize, Gait, f32)> = (0..builtin::SUBJECTS)
            .flat_map(|subject| speeds.iter().map(move |&(gait, speed)| (subject, gait, speed * KM_H)))
            .collect();
        let mut cycles: Vec<Cycle> = asked
            .par_iter()
            .filter_map(|&(subject, gait, speed)| {
                let clip = builtin::subject_cycle(subject, gait == Gait::Run, speed);
                Cycle::of_clip(skeleton, &clip, subject, gait)
            })
            .collect();
        cycles.extend(
            (0..builtin::SUBJECTS).filter_map(|subject| Cycle::standing(skeleton, standing, 0, subject)),
        );
        Some(cycles)
    }

    /// How well it keeps what it learnt from.
    pub fn quality(&self) -> &Quality {
        &self.quality
    }

    /// The number of people that it knows.
    pub fn people(&self) -> usize {
        self.subjects.len()
    }

    /// The joints of every body.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Cycles in a second (equations 4.6 and 4.7): V is speed by leg length.
    pub fn frequency(&self, wish: &Wish) -> f32 {
        let speed = (wish.speed / wish.leg.max(0.1)).max(0.0);
        let (walk, run) = (0.85 * libm::powf(speed, 0.4), 1.07 * libm::powf(speed, 0.24));
        walk + (run - walk) * wish.runs.clamp(0.0, 1.0)
    }

    /// The weights of the main directions (section 4.6, steps 1 to 3).
    fn weights(&self, wish: &Wish) -> [f32; KEPT[0]] {
        let speed = (wish.speed / wish.leg.max(0.1)).max(0.0);
        let total: f32 = wish.people.iter().take(self.subjects.len()).map(|share| share.max(0.0)).sum();
        let mut all = [0.0; KEPT[0]];
        let (mut walk, mut run, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (number, subject) in self.subjects.iter().enumerate() {
            let share = match total > 0.0 {
                true => wish.people.get(number).copied().unwrap_or(0.0).max(0.0) / total,
                false => 1.0 / self.subjects.len() as f32,
            };
            if share == 0.0 {
                continue;
            }
            let runs = wish.runs.clamp(0.0, 1.0);
            subject.gaits[0].weights(speed, &mut walk);
            if runs > 0.0 {
                subject.gaits[1].weights(speed, &mut run);
                walk.iter_mut().zip(&run).for_each(|(walk, run)| *walk += (run - *walk) * runs);
            }
            subject.pca.restore(&walk, &mut own);
            all.iter_mut().zip(&own).for_each(|(sum, own)| *sum += share * own);
        }
        all
    }

    /// Makes a whole cycle: [`FRAMES`] frames of root and exponential maps as in [`Cycle::values`].
    pub fn cycle(&self, wish: &Wish, into: &mut Vec<f32>) {
        self.main.restore(&self.weights(wish), into);
    }

    /// Makes one pose: the root ahead and aside of somebody who moves evenly and its height in metres, and the rotations of all
    /// joints, at a phase from 0 to 1.
    pub fn pose(&self, wish: &Wish, phase: f32, rotations: &mut Vec<Quat>) -> Vec3 {
        let weights = self.weights(wish);
        let each = ROOT + 3 * self.skeleton.len();
        let at = (phase - phase.floor()) * FRAMES as f32;
        let before = (at as usize).min(FRAMES - 1);
        let (after, t) = ((before + 1) % FRAMES, at - before as f32);
        let mean = self.main.mean.chunks_exact(each);
        let mut values = [0.0f32; MOST_NUMBERS];
        let values = &mut values[..each];
        let (Some(a), Some(b)) = (mean.clone().nth(before), mean.clone().nth(after)) else {
            return Vec3::ZERO;
        };
        for ((value, a), b) in values.iter_mut().zip(a).zip(b) {
            *value = a + (b - a) * t;
        }
        for (number, weight) in weights.iter().enumerate().take(self.main.kept) {
            let own = self.main.component(number);
            let (a, b) = (&own[before * each..][..each], &own[after * each..][..each]);
            for ((value, a), b) in values.iter_mut().zip(a).zip(b) {
                *value += weight * (a + (b - a) * t);
            }
        }
        rotations.clear();
        let maps = values[ROOT..].chunks_exact(3);
        rotations.extend(maps.map(|map| rotation(Vec3::new(map[0], map[1], map[2]))));
        Vec3::new(values[0], values[1], values[2]) * wish.leg
    }

    /// The phases in which the left and the right foot are set down and leave the ground again.
    pub fn stances(&self, wish: &Wish) -> [[f32; 2]; 2] {
        let speed = wish.speed / wish.leg.max(0.1);
        let mut all = [[0.0; 2]; 2];
        let share = 1.0 / self.subjects.len() as f32;
        for subject in &self.subjects {
            for (foot, stance) in all.iter_mut().enumerate() {
                for (end, phase) in stance.iter_mut().enumerate() {
                    let of = |gait: &GaitSpace| {
                        let [offset, slope] = gait.stances[foot][end];
                        // Nobody strides on one leg for most of a cycle, and nobody runs without touching the ground.
                        offset + slope * speed.clamp(0.5 * gait.slowest, 6.5)
                    };
                    let (walk, run) = (of(&subject.gaits[0]), of(&subject.gaits[1]));
                    *phase += share * (walk + (run - walk) * wish.runs.clamp(0.0, 1.0));
                }
            }
        }
        // Who walks has both feet on the ground now and then, at any speed.
        let least = LEAST_STANCE * (1.0 - wish.runs.clamp(0.0, 1.0));
        all.iter_mut().for_each(|[down, up]| *up = up.max(*down + least));
        all
    }

    /// Length of the legs of the skeleton that it poses, in metres.
    pub fn leg(&self) -> f32 {
        self.leg
    }
}
