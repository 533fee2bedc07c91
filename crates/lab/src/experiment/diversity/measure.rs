//! How diverse a crowd looks, in numbers.

use crowdloom_crowd::diversity::{StyleControl, Switches};
use crowdloom_crowd::grid::{Nearest, NeighbourGrid};
use crowdloom_motion::styles::MotionType;
use glam::Vec2;
use serde::Serialize;

/// What was measured of one way of choosing styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// The share of agents whose nearest neighbour of the same motion type has the same style.
    pub same_style_nearest: f64,
    /// The mean difference of styles to the five nearest neighbours of the same motion type.
    pub style_distance_of_five: f64,
    /// The share of agents that would have to change for styles to be used as they should.
    pub use_deviation: f64,
    /// The mean difference of the styles before and after a switch.
    pub change_per_switch: f64,
    /// Switches for each agent and minute.
    pub switches_per_agent_minute: f64,
    /// The share of walking and running that is played at less than 0.8 or more than 1.25 times its own pace.
    pub off_pace: f64,
    /// The share of those whose group favours styles that show a favoured one; none where nobody favours any.
    pub favoured: Option<f64>,
    /// The share that should.
    pub favoured_target: Option<f64>,
}

/// Sums over moments.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    grid: NeighbourGrid,
    nearest: Nearest,
    same: u64,
    paired: u64,
    distance: f64,
    distances: u64,
    deviation: f64,
    moments: u64,
    agents: u64,
    paced: u64,
    off_pace: u64,
    /// Those of groups that favour styles, those of them who show one, and the shares that should.
    choosy: [f64; 3],
    before: Option<Switches>,
}

/// What a style may be slowed down or hurried without being noticed, in parts of its own pace.
const PACES: std::ops::RangeInclusive<f32> = 0.8..=1.25;

/// Neighbours that are looked through for those of the same type.
const LOOKED_AT: usize = 24;
const FIVE: usize = 5;

impl Meter {
    /// Takes the switches so far as the beginning.
    pub fn begin(&mut self, styles: &StyleControl) {
        self.before = Some(styles.switches());
    }

    /// Looks at a moment, in which every agent of the layer is somewhere and shows a style, or none; `plays` tells whose body plays
    /// the layer's loops, as clips of a motion graph have a pace of their own.
    pub fn look(
        &mut self,
        styles: &StyleControl,
        positions: &[Vec2],
        shown: &[Option<u16>],
        plays: impl Fn(usize) -> bool,
    ) {
        let book = styles.book();
        self.grid.rebuild(positions, 2.0);
        for (agent, &place) in positions.iter().enumerate() {
            let Some(own) = shown[agent] else { continue };
            // Who stands in mid-step plays nothing.
            if book.kind(own).is_cyclic() && styles.rate(agent) > 0.0 && plays(agent) {
                self.paced += 1;
                self.off_pace += u64::from(!PACES.contains(&styles.rate(agent)));
            }
            let group = usize::from(styles.groups()[agent]);
            if let Some(target) = styles.favoured_share(group, book.kind(own)) {
                let shows = f64::from(u8::from(styles.favours(group, own)));
                self.choosy =
                    [self.choosy[0] + 1.0, self.choosy[1] + shows, self.choosy[2] + f64::from(target)];
            }
            self.grid.nearest(place, 15.0, LOOKED_AT, u32::MAX, &mut self.nearest);
            let others = self.nearest.iter().map(|(slot, _)| self.grid.agents()[slot] as usize);
            let same_type = others
                .filter(|&other| other != agent)
                .filter_map(|other| shown[other])
                .filter(|&other| book.kind(other) == book.kind(own))
                .take(FIVE);
            for (rank, other) in same_type.enumerate() {
                if rank == 0 {
                    self.paired += 1;
                    self.same += u64::from(other == own);
                }
                self.distance += f64::from(book.variation(own, other));
                self.distances += 1;
            }
        }
        self.deviation += deviation(styles, shown);
        self.moments += 1;
        self.agents = positions.len() as u64;
    }

    /// What all moments come to, over `seconds`.
    pub fn end(&self, styles: &StyleControl, seconds: f64) -> Measures {
        let (now, before) = (styles.switches(), self.before.unwrap_or_default());
        let switches = (now.switches - before.switches) as f64;
        Measures {
            same_style_nearest: self.same as f64 / self.paired.max(1) as f64,
            style_distance_of_five: self.distance / self.distances.max(1) as f64,
            use_deviation: self.deviation / self.moments.max(1) as f64,
            change_per_switch: (now.change - before.change) / switches.max(1.0),
            switches_per_agent_minute: switches / self.agents.max(1) as f64 / seconds * 60.0,
            off_pace: self.off_pace as f64 / self.paced.max(1) as f64,
            favoured: (self.choosy[0] > 0.0).then(|| self.choosy[1] / self.choosy[0]),
            favoured_target: (self.choosy[0] > 0.0).then(|| self.choosy[2] / self.choosy[0]),
        }
    }
}

/// The share of those who show a style that would have to change for styles to be used as they should.
fn deviation(styles: &StyleControl, shown: &[Option<u16>]) -> f64 {
    let book = styles.book();
    let mut off = 0.0;
    for group in 0..styles.group_count() {
        let mut counts = vec![0u32; book.len()];
        let members = shown.iter().zip(styles.groups()).filter(|(_, own)| usize::from(**own) == group);
        members.filter_map(|(style, _)| *style).for_each(|style| counts[usize::from(style)] += 1);
        for kind in MotionType::ALL {
            let agents: u32 = counts[book.library().styles(kind)].iter().sum();
            for style in book.library().styles(kind) {
                let target = f64::from(styles.share(group, style as u16)) * f64::from(agents);
                off += (f64::from(counts[style]) - target).abs();
            }
        }
    }
    0.5 * off / shown.iter().flatten().count().max(1) as f64
}

/// The mean of several.
pub fn mean(all: &[Measures]) -> Measures {
    let count = all.len().max(1) as f64;
    let of = |value: fn(&Measures) -> f64| all.iter().map(value).sum::<f64>() / count;
    Measures {
        same_style_nearest: of(|m| m.same_style_nearest),
        style_distance_of_five: of(|m| m.style_distance_of_five),
        use_deviation: of(|m| m.use_deviation),
        change_per_switch: of(|m| m.change_per_switch),
        switches_per_agent_minute: of(|m| m.switches_per_agent_minute),
        off_pace: of(|m| m.off_pace),
        favoured: all.first().and_then(|m| m.favoured).map(|_| of(|m| m.favoured.unwrap_or(0.0))),
        favoured_target: all
            .first()
            .and_then(|m| m.favoured_target)
            .map(|_| of(|m| m.favoured_target.unwrap_or(0.0))),
    }
}
