//! Lists of queries: the same ones for every method.

use super::motions::{Track, trees};
use super::published::{Axes, PlainTree};
use super::random::Draws;
use crowdloom_motion::Placement;
use crowdloom_motion::mobb::{Anchor, Method, MotionTree, Placed, Work};
use std::f32::consts::PI;

/// Radius of a character in metres in the long experiment, as printed (thesis section 4.4).
const PRINTED_RADIUS: f32 = 1.85;

/// The share of the field that 100 people cover in the short experiment (thesis section 4.4: density 9.5). With the printed radius
/// they would cover 90 % of it, so the radius follows from the density: 0.60 m.
pub const DENSITY: f32 = 0.095;

/// Metres within which others are neighbours (appendix A.2 has a distance d and does not say which): fitted, so that about 80 % of
/// queries end at the roots, as in the thesis.
pub const SIGHT: f32 = 5.1;

/// The density of figure 4.10.
pub const SPARSE: f32 = 0.033;

/// Sample tests per query of the one-level method on long motions (thesis table 4.2).
const LONG_SAMPLES: f64 = 306.0;

/// Share of the long queries that overlap in time: the root tests per query of the thesis' table 4.2.
const LONG_OVERLAP: f32 = 0.83;

/// Two motions of a workload, placed and shifted in time.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    pub(super) motions: [u32; 2],
    pub(super) anchors: [Anchor; 2],
    pub(super) start_frames: [i32; 2],
}

/// Motions and the queries between them.
pub struct Workload {
    tracks: Vec<Track>,
    radius: f32,
    trees: Vec<MotionTree>,
    queries: Vec<Query>,
}

impl Workload {
    /// How many queries there are.
    pub fn query_count(&self) -> usize {
        self.queries.len()
    }

    /// The queries, as pairs of placed motions.
    pub fn pairs(&self) -> impl Iterator<Item = [Placed<'_>; 2]> {
        self.queries.iter().map(|query| {
            [0, 1].map(|i| Placed {
                tree: &self.trees[query.motions[i] as usize],
                anchor: query.anchors[i],
                start_frame: query.start_frames[i],
            })
        })
    }

    /// The plain trees of all motions.
    pub fn plain_trees(&self, n_min: usize, axes: Axes) -> Vec<PlainTree> {
        self.tracks.iter().map(|track| PlainTree::new(track, self.radius, n_min, axes)).collect()
    }

    /// The queries.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Radius of a character in metres.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The work of all queries with one method, and how many of them are positive.
    pub fn work(&self, method: Method) -> (Work, usize) {
        let mut work = Work::default();
        let positives = self.pairs().filter(|[a, b]| a.meets_counting(b, method, &mut work)).count();
        (work, positives)
    }

    /// How many queries some method of `methods` answers otherwise than frame by frame.
    pub fn disagreements(&self, methods: &[Method]) -> usize {
        self.pairs()
            .filter(|[a, b]| {
                let answer = a.meets(b, Method::FrameByFrame);
                methods.iter().any(|&method| a.meets(b, method) != answer)
            })
            .count()
    }

    /// Random queries between long motions: both at random headings, the second moved by up to `field` metres in x and in
    /// y and shifted in time so that the thesis' share of the queries overlaps in time.
    pub fn random(tracks: &[Track], queries: usize, field: f32) -> Self {
        let trees = trees(tracks, PRINTED_RADIUS);
        let mut draws = Draws::new(42);
        let centred = |tree: &MotionTree, x: f32, y: f32, heading: f32| {
            // The translation moves the middle of the motion, not its first frame.
            let turned = Placement::new(x, y, heading);
            let middle = tree.bounds().centre;
            Placement { position: turned.transform_point(-middle), heading }
        };
        let queries = (0..queries)
            .map(|_| {
                let motions = [0, 1].map(|_| draws.below(trees.len()));
                let [a, b] = motions.map(|motion| &trees[motion]);
                let placements = [
                    centred(a, 0.0, 0.0, draws.between(-PI, PI)),
                    centred(
                        b,
                        draws.between(-field, field),
                        draws.between(-field, field),
                        draws.between(-PI, PI),
                    ),
                ];
                let middle = (a.duration() as f32 - b.duration() as f32) * 0.5;
                let reach = (a.duration() + b.duration()) as f32 * 0.5 / LONG_OVERLAP;
                let shift = middle + draws.between(-reach, reach);
                Query {
                    motions: motions.map(|motion| motion as u32),
                    anchors: placements.map(Anchor::from),
                    start_frames: [0, shift as i32],
                }
            })
            .collect();
        Self { tracks: tracks.to_vec(), radius: PRINTED_RADIUS, trees, queries }
    }

    /// The field, in metres, for which random queries take the one-level method as many sample tests as in the thesis:
    /// found by bisection, since fewer roots overlap in a larger field.
    pub fn calibrated_field(tracks: &[Track]) -> f32 {
        const SAMPLE: usize = 4_000;
        let (mut near, mut far) = (0.0, 500.0);
        for _ in 0..16 {
            let field = (near + far) * 0.5;
            let (work, _) = Self::random(tracks, SAMPLE, field).work(Method::OneLevel);
            if work.samples as f64 / SAMPLE as f64 > LONG_SAMPLES { near = field } else { far = field }
        }
        far
    }
}

/// The crowd of the thesis' first experiment.
pub struct Crowd {
    /// How many wander.
    pub people: usize,
    /// Half the sides of the field in metres.
    pub half_field: [f32; 2],
    /// Frames that are played.
    pub frames: i32,
    /// Clips that a wanderer draws; it takes the first that hits nobody.
    pub candidates: usize,
    /// Metres within which others are neighbours, whose clips are tested.
    pub sight: f32,
    /// The share of the field that they cover.
    pub density: f32,
}

impl Default for Crowd {
    /// 100 people in 30 m × 40 m for 2 minutes (thesis section 4.4).
    fn default() -> Self {
        let (half_field, frames) = ([15.0, 20.0], 2 * 60 * 30);
        Self { people: 100, half_field, frames, candidates: 8, sight: SIGHT, density: DENSITY }
    }
}

/// What a wanderer does now.
#[derive(Clone, Copy)]
struct Wanderer {
    clip: usize,
    start: Placement,
    start_frame: i32,
    end_frame: i32,
}

impl Wanderer {
    /// Where it is in `frame`.
    fn placement(&self, tracks: &[Track], frame: i32) -> Placement {
        let track = &tracks[self.clip];
        let at = (frame - self.start_frame).clamp(0, track.len() as i32 - 1) as usize;
        self.start.then(track[at])
    }
}

impl Crowd {
    /// The radius in metres with which so many people cover the field as the density says (thesis section 1.4).
    pub fn radius(&self) -> f32 {
        let field = 4.0 * self.half_field[0] * self.half_field[1];
        (self.density * field / (self.people.max(1) as f32 * PI)).sqrt()
    }

    /// Plays the crowd and returns every `every`-th collision query it makes.
    ///
    /// A wanderer whose clip ends draws clips that stay in the field, tests all of them against the running clips of all its
    /// neighbours (appendix A.2), and takes the first that hits none, or else the last it drew.
    pub fn play(&self, tracks: &[Track], every: usize) -> Workload {
        let radius = self.radius();
        let trees = trees(tracks, radius);
        let mut draws = Draws::new(7);
        let [half_x, half_y] = self.half_field;
        let mut crowd: Vec<Wanderer> = (0..self.people)
            .map(|_| {
                let clip = draws.below(trees.len());
                let start = Placement::new(
                    draws.between(-half_x, half_x),
                    draws.between(-half_y, half_y),
                    draws.between(-PI, PI),
                );
                // They are met in the middle of a clip.
                let start_frame = -(draws.below(trees[clip].duration()) as i32);
                Wanderer { clip, start, start_frame, end_frame: start_frame + trees[clip].duration() as i32 }
            })
            .collect();
        let mut queries = Vec::new();
        let mut asked = 0usize;
        for now in 0..self.frames {
            for me in 0..crowd.len() {
                if crowd[me].end_frame > now {
                    continue;
                }
                let here = crowd[me].start.then(tracks[crowd[me].clip].last().copied().unwrap_or_default());
                let mut choice = None;
                for candidate in 0..self.candidates.max(1) {
                    let clip = self.candidate(tracks, here, &mut draws);
                    let mut hits = false;
                    for (_, other) in crowd.iter().enumerate().filter(|&(other, _)| other != me) {
                        let there = other.placement(tracks, now);
                        if there.position.distance(here.position) > self.sight {
                            continue;
                        }
                        let query = Query {
                            motions: [clip as u32, other.clip as u32],
                            anchors: [here, other.start].map(Anchor::from),
                            start_frames: [now, other.start_frame],
                        };
                        let [a, b] = [0, 1].map(|i| Placed {
                            tree: &trees[query.motions[i] as usize],
                            anchor: query.anchors[i],
                            start_frame: query.start_frames[i],
                        });
                        hits |= a.meets(&b, Method::FrameByFrame);
                        if asked.is_multiple_of(every) {
                            queries.push(query);
                        }
                        asked += 1;
                    }
                    if choice.is_none() && (!hits || candidate + 1 == self.candidates) {
                        choice = Some(clip);
                    }
                }
                let choice = choice.unwrap_or_default();
                let end_frame = now + trees[choice].duration() as i32;
                crowd[me] = Wanderer { clip: choice, start: here, start_frame: now, end_frame };
            }
        }
        Workload { tracks: tracks.to_vec(), radius, trees, queries }
    }

    /// A random clip that ends in the field from `here`, or the best of many draws at the edge.
    fn candidate(&self, tracks: &[Track], here: Placement, draws: &mut Draws) -> usize {
        let outside = |clip: usize| {
            let end = here.then(tracks[clip].last().copied().unwrap_or_default()).position;
            (end.x.abs() - self.half_field[0]).max(0.0) + (end.y.abs() - self.half_field[1]).max(0.0)
        };
        let mut best = draws.below(tracks.len());
        for _ in 0..20 {
            if outside(best) == 0.0 {
                break;
            }
            let other = draws.below(tracks.len());
            if outside(other) < outside(best) {
                best = other;
            }
        }
        best
    }
}
