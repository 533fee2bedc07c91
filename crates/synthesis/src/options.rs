//! How motions are made, with the numbers of Sung, Kovar and Gleicher 2005.

/// What errors are worth against each other, as metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Metres that a radian of heading is worth: 1 cm ≈ 1° (section 3.3).
    pub metres_per_radian: f32,
    /// Metres that a second is worth: 1 cm ≈ 1/40 s (section 3.3; the thesis prints 1/30).
    pub metres_per_second: f32,
}

/// A part of the motion graph in which one gets about, told by labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locomotion {
    /// Labels that a clip must carry, all of them.
    pub with: Vec<String>,
    /// Labels of which it must carry none.
    pub without: Vec<String>,
}

impl Locomotion {
    /// Clips that carry all of `with` and none of `without`.
    pub fn new(with: &[&str], without: &[&str]) -> Self {
        let own = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect();
        Self { with: own(with), without: own(without) }
    }
}

/// How ways are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routes {
    /// The shortest way, on a navigation mesh.
    #[default]
    Mesh,
    /// Along a probabilistic roadmap, as published.
    Roadmap,
    /// Straight on, for goals in sight: nothing has to be prepared, however large the ground is.
    Straight,
}

/// How motions are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How ways are found.
    pub routes: Routes,
    /// Radius of the disc that nobody else enters, in metres.
    pub radius: f32,
    /// The speed in metres a second at which people walk when time does not matter.
    pub pace: f32,
    /// What errors are worth against each other: α₁ and α₂ of equation 1.
    pub weights: Weights,
    /// ε: the largest adjustment in metres for each second of motion (2 cm/s).
    pub tolerance: f32,
    /// ε′: the largest adjustment of a motion altogether, in metres, if any.
    pub total_tolerance: Option<f32>,
    /// n_m: pairs of motions made in one iteration of the search.
    pub pairs: usize,
    /// k_m: pairs kept from one iteration to the next.
    pub kept: usize,
    /// N_max: iterations after which the search gives up.
    pub iterations: usize,
    /// How often all replacements of two clips at once are tried before the random search begins; 0 is as published.
    pub polishing: usize,
    /// Whether people may stand and wait before they set out, rather than come early or wander.
    pub waiting: bool,
    /// Whether people keep off each other's limbs, too, wherever there is a way of doing so (ours): else only off discs.
    pub limbs: bool,
    /// Whether who cannot meet a goal gets the best motion found: late, or adjusted by more than ε. It counts as not met.
    pub best_effort: bool,
    /// How many chains of steps to a goal near by go on to the next clip: more find more ways, and take longer.
    pub beam: usize,
    /// The parts of the graph in which one gets about; the nearest to the pose one is in is used.
    pub locomotion: Vec<Locomotion>,
    /// What everything random follows from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            routes: Routes::default(),
            radius: 0.25,
            pace: 1.35,
            weights: Weights { metres_per_radian: 0.572_957_8, metres_per_second: 0.4 },
            tolerance: 0.02,
            total_tolerance: None,
            pairs: 200,
            kept: 30,
            iterations: 1000,
            polishing: 4,
            waiting: true,
            limbs: true,
            best_effort: false,
            beam: 2000,
            locomotion: vec![
                Locomotion::new(&["walk"], &["style", "run", "carry", "single"]),
                Locomotion::new(&["carry", "walk"], &["style"]),
                Locomotion::new(&["run"], &["style", "walk", "single"]),
            ],
            seed: 1,
        }
    }
}
