//! How many use each style, and how many should (equations 5 and 6).

use super::book::StyleBook;
use crowdloom_motion::styles::MotionType;

/// A style with more than this many times the mean share of its type is favoured.
const FAVOURED: f32 = 1.25;

/// P_S of every style for one group of agents, 1 where nothing else is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Priorities {
    /// P_S over the number of styles of its type: targetNum of equation 6 is that times agentNum.
    published: Vec<f32>,
    /// Shares of each style among the agents of its type in the group; they add up to 1.
    shares: Vec<f32>,
    /// Whether a style is to be more frequent than others of its type are on average.
    favoured: Vec<bool>,
    /// The first style of each type, and how many it has.
    first: [usize; 4],
    styles: [usize; 4],
    /// Sums of shares within each type, for draws.
    cumulative: Vec<f32>,
    even: bool,
}

impl Priorities {
    /// The same for all styles.
    pub fn even(book: &StyleBook) -> Self {
        Self::new(book, |_| 1.0)
    }

    /// Asks for each style's P_S; what is negative or no number counts as 0.
    pub fn new(book: &StyleBook, priority: impl Fn(u16) -> f32) -> Self {
        let raw: Vec<f32> = (0..book.len() as u16).map(|style| priority(style).max(0.0)).collect();
        let (mut published, mut shares) = (vec![0.0; book.len()], vec![0.0; book.len()]);
        let mut favoured = vec![false; book.len()];
        let mut cumulative = vec![0.0; book.len()];
        for kind in MotionType::ALL {
            let styles = book.library().styles(kind);
            let total: f32 = raw[styles.clone()].iter().sum();
            shares[styles.clone()].copy_from_slice(&shares_of(&raw[styles.clone()]));
            let mut sum = 0.0;
            for style in styles.clone() {
                published[style] = raw[style] / styles.len() as f32;
                favoured[style] = raw[style] * styles.len() as f32 > FAVOURED * total;
                sum += shares[style];
                cumulative[style] = sum;
            }
        }
        let even = raw.iter().all(|&value| value == raw[0]);
        let first = MotionType::ALL.map(|kind| book.library().styles(kind).start);
        let styles = MotionType::ALL.map(|kind| book.library().styles(kind).len());
        Self { published, shares, favoured, first, styles, cumulative, even }
    }

    /// The share of its type's agents that should have a style: equation 6 over agentNum(T), made to add up to 1.
    pub fn share(&self, style: u16) -> f32 {
        self.shares[usize::from(style)]
    }

    /// For each style of a type from its first on (and those of later types): whether the group favours it.
    #[inline]
    pub(super) fn favoured(&self, kind: MotionType) -> &[bool] {
        &self.favoured[self.first[kind as usize]..]
    }

    /// A style of a type in proportion to the priorities, from a number in [0, 1).
    pub(super) fn draw(&self, book: &StyleBook, kind: MotionType, unit: f32) -> u16 {
        let styles = book.library().styles(kind);
        let count = styles.len();
        let place = match self.even {
            true => (unit * count as f32) as usize,
            false => self.cumulative[styles.clone()].partition_point(|&sum| sum <= unit),
        };
        (styles.start + place.min(count.saturating_sub(1))) as u16
    }
}

/// The shares of a type's styles by their priorities.
///
/// Targets of equation 6 add up to more than there are agents where some styles are favoured. Those with a priority above 1
/// keep theirs, as far as there are agents, and the others share who is left: of 120 who favour one of 19 styles ten
/// times, 63 should have it.
fn shares_of(priorities: &[f32]) -> Vec<f32> {
    let even = 1.0 / priorities.len().max(1) as f32;
    let sum = |above: bool| priorities.iter().filter(|own| (**own > 1.0) == above).sum::<f32>();
    let (above, below) = (sum(true), sum(false));
    // Nobody is left for the others, or there are none.
    let most = if below > 0.0 { (above * even).min(1.0) } else { 1.0 };
    let share = |own: f32| match own > 1.0 {
        true => most * own / above,
        false if above + below <= 0.0 => even,
        false if below <= 0.0 => 0.0,
        false => (1.0 - most) * own / below,
    };
    priorities.iter().map(|own| share(*own)).collect()
}

/// What a style nobody has counts in equation 5 (ours, from the scenes of the experiment: less leaves styles unused
/// where the local term weighs much, more leaves clones side by side).
const UTILISATION: f32 = 2.0;

/// The counters of one group.
#[derive(Clone, Debug)]
pub(super) struct Population {
    pub(super) priorities: Priorities,
    /// currentNum of each style.
    current: Vec<i32>,
    /// agentNum of each type.
    agents: [i32; 4],
}

impl Population {
    pub(super) fn new(priorities: Priorities) -> Self {
        Self { current: vec![0; priorities.shares.len()], priorities, agents: [0; 4] }
    }

    /// currentNum of each style and agentNum of each type.
    pub(super) fn counters(&self) -> (Vec<i32>, [i32; 4]) {
        (self.current.clone(), self.agents)
    }

    /// Goes on counting from what was saved.
    pub(super) fn count_from(&mut self, (current, agents): (Vec<i32>, [i32; 4])) {
        (self.current, self.agents) = (current, agents);
    }

    #[inline]
    pub(super) fn add(&mut self, style: u16, kind: MotionType, change: i32) {
        self.current[usize::from(style)] += change;
        self.agents[kind as usize] += change;
    }

    /// currentNum and targetNum of a style.
    pub(super) fn use_of(&self, style: u16, kind: MotionType) -> (i32, f32) {
        let target = self.priorities.share(style) * self.agents[kind as usize] as f32;
        (self.current[usize::from(style)], target)
    }

    /// U(S) of equation 5 for one more agent: as published, or relative to targetNum, to the mean of the type where a style is to
    /// have more than that, or to one agent where it is less.
    ///
    /// The source counts agents; in a large crowd that would drown the other terms, which do not grow with it. Relative to its own
    /// large target somebody who is missing from a favoured style would count less than one who is missing from any other, and
    /// fewer than should would have it. The source's targets do not add up to the number of agents where priorities differ; ours
    /// do ([`shares_of`]).
    #[inline]
    pub(super) fn missing(&self, kind: MotionType, relative: bool) -> impl Fn(u16) -> f32 {
        let agents = (self.agents[kind as usize] + 1) as f32;
        let shares = if relative { &self.priorities.shares } else { &self.priorities.published };
        let mean = agents / self.priorities.styles[kind as usize].max(1) as f32;
        move |style| {
            let style = usize::from(style);
            let target = shares[style] * agents;
            let missing = target - self.current[style] as f32;
            if relative { UTILISATION * missing / target.min(mean).max(1.0) } else { missing }
        }
    }

    /// The style of a type that is farthest below its share; among equals the one that a number in [0, 1) tells.
    pub(super) fn most_missing(&self, styles: std::ops::Range<usize>, kind: MotionType, unit: f32) -> u16 {
        let agents = (self.agents[kind as usize] + 1) as f32;
        let missing = |style: usize| self.priorities.shares[style] * agents - self.current[style] as f32;
        let most = styles.clone().map(missing).fold(f32::NEG_INFINITY, f32::max);
        let first = styles.start;
        let equals: Vec<usize> = styles.filter(|&style| missing(style) >= most - 1e-3).collect();
        let place = ((unit * equals.len() as f32) as usize).min(equals.len().saturating_sub(1));
        equals.get(place).copied().unwrap_or(first) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn favoured_styles_keep_the_target_of_equation_6() {
        let mut priorities = [1.0; 19];
        priorities[4] = 10.0;
        let shares = shares_of(&priorities);
        assert!((shares[4] * 120.0 - 63.16).abs() < 0.01, "{shares:?}");
        assert!((shares[0] * 120.0 - 56.84 / 18.0).abs() < 0.01, "{shares:?}");
        // Seldom and never, more than there are, all alike, nothing at all.
        assert_eq!(shares_of(&[1.0, 0.5, 0.0, 1.0]), [0.4, 0.2, 0.0, 0.4]);
        assert_eq!(shares_of(&[10.0, 30.0, 1.0, 1.0]), [0.25, 0.75, 0.0, 0.0]);
        assert_eq!(shares_of(&[3.0, 3.0]), [0.5, 0.5]);
        assert_eq!(shares_of(&[0.0, 0.0]), [0.5, 0.5]);
        assert_eq!(shares_of(&[1.5, 0.0, 0.0]), [1.0, 0.0, 0.0]);
    }
}
