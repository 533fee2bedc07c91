//! The trees as the thesis describes them (sections 4.2 and 4.3): halved in time down to n_min samples, one pair of boxes at a
//! time. What decisions use is `crowdloom_motion::mobb`, which tests many at once; this is what to compare it with.

use super::motions::Track;
use super::workload::Query;
use crowdloom_motion::FRAME_TIME;
use crowdloom_motion::mobb::{Anchor, Tally};
use glam::{Vec2, Vec3};
use std::ops::Range;

/// Samples in a leaf that the thesis found best.
pub const N_MIN: usize = 10;

/// Boxes are grown by this many metres, so that rounding never lets one miss a sample of its own.
const PAD: f32 = 1e-4;

/// Which way boxes are turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// From the first sample to the last: the thesis' own.
    FirstToLast,
    /// Along the second-order statistics of the samples (Gottschalk and others 1996).
    SecondOrder,
}

/// What bounds a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A box in the plane.
    Flat,
    /// A box in space-time.
    Tilted,
}

/// How two plain trees are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// A box for the whole motion, then all samples in common.
    OneLevel(Bound),
    /// A tree with a root and other nodes of these kinds.
    Tree {
        /// The root's.
        root: Bound,
        /// Those of the nodes below it.
        below: Bound,
    },
    /// A tree over the ground that is swept, which knows no times but in its leaves. The thesis compares with a `SweepOBBTree`
    /// and does not say what it is; this is what the name says.
    SweepObbTree,
}

impl Plain {
    /// The rows of tables 4.1 and 4.2, by their names there.
    pub const ROWS: [(&'static str, Self); 6] = {
        use Bound::{Flat, Tilted};
        [
            ("MOBB 1 level", Self::OneLevel(Flat)),
            ("UMOBB 1 level", Self::OneLevel(Tilted)),
            ("MOBB", Self::Tree { root: Flat, below: Flat }),
            ("UMOBB", Self::Tree { root: Tilted, below: Tilted }),
            ("Hybrid 1", Self::Tree { root: Flat, below: Tilted }),
            ("Hybrid 2", Self::Tree { root: Tilted, below: Flat }),
        ]
    };
}

/// A box in the plane.
#[derive(Clone, Copy, Debug)]
struct FlatBox {
    centre: Vec2,
    axis: Vec2,
    half: Vec2,
}

/// A box in space-time, seconds being the third coordinate.
#[derive(Clone, Copy, Debug)]
struct TiltedBox {
    centre: Vec3,
    axes: [Vec3; 3],
    half: Vec3,
    /// Whether one axis is that of time, so that it may be treated as flat.
    aligned: bool,
}

struct Node {
    frames: Range<i32>,
    flat: FlatBox,
    tilted: TiltedBox,
    children: Option<[u32; 2]>,
}

/// A motion with its plain tree.
pub struct PlainTree {
    positions: Vec<Vec2>,
    radius: f32,
    nodes: Vec<Node>,
}

impl PlainTree {
    /// The tree of a motion of discs of `radius` metres with at most `n_min` samples in a leaf.
    pub fn new(track: &Track, radius: f32, n_min: usize, axes: Axes) -> Self {
        let positions: Vec<Vec2> = track.iter().map(|placement| placement.position).collect();
        let mut tree = Self { positions, radius, nodes: Vec::new() };
        // The last sample takes no time of its own.
        tree.add(0..(track.len() as i32 - 1).max(1), n_min.max(1) as i32, axes);
        tree
    }

    fn add(&mut self, frames: Range<i32>, n_min: i32, axes: Axes) -> u32 {
        let number = self.nodes.len();
        let samples = &self.positions[frames.start as usize..frames.end as usize];
        let flat = FlatBox::fit(samples, self.radius, axes);
        let tilted = TiltedBox::fit(samples, self.radius, frames.start);
        self.nodes.push(Node { frames: frames.clone(), flat, tilted, children: None });
        if frames.len() as i32 > n_min {
            let middle = (frames.start + frames.end) / 2;
            let children = [frames.start..middle, middle..frames.end].map(|half| self.add(half, n_min, axes));
            self.nodes[number].children = Some(children);
        }
        number as u32
    }

    /// Square metres of all boxes in the plane together.
    pub fn area(&self) -> f64 {
        self.nodes.iter().map(|node| f64::from(4.0 * node.flat.half.x * node.flat.half.y)).sum()
    }

    /// Levels of the tree.
    pub fn levels(&self) -> usize {
        fn depth(nodes: &[Node], at: u32) -> usize {
            1 + nodes[at as usize].children.map_or(0, |children| {
                children.into_iter().map(|child| depth(nodes, child)).max().unwrap_or(0)
            })
        }
        depth(&self.nodes, 0)
    }
}

impl FlatBox {
    fn fit(samples: &[Vec2], radius: f32, axes: Axes) -> Self {
        let axis = match axes {
            Axes::FirstToLast => samples[samples.len() - 1] - samples[0],
            Axes::SecondOrder => principal_axis(samples),
        };
        let axis = axis.try_normalize().unwrap_or(Vec2::X);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for sample in samples {
            let seen = Vec2::new(sample.dot(axis), sample.dot(axis.perp()));
            (low, high) = (low.min(seen), high.max(seen));
        }
        let middle = (low + high) * 0.5;
        let centre = axis * middle.x + axis.perp() * middle.y;
        Self { centre, axis, half: (high - low) * 0.5 + radius + PAD }
    }

    /// Separating axes in the plane: the two of either box.
    fn overlaps(&self, other: &Self, see: Seen) -> bool {
        let (axis, between) = (see.turn(other.axis), see.point(other.centre) - self.centre);
        let reach = |along: Vec2| {
            self.half.x * along.dot(self.axis).abs()
                + self.half.y * along.dot(self.axis.perp()).abs()
                + other.half.x * along.dot(axis).abs()
                + other.half.y * along.dot(axis.perp()).abs()
        };
        [self.axis, self.axis.perp(), axis, axis.perp()]
            .into_iter()
            .all(|along| between.dot(along).abs() <= reach(along))
    }
}

/// The direction in which samples spread most.
fn principal_axis(samples: &[Vec2]) -> Vec2 {
    let mean = samples.iter().sum::<Vec2>() / samples.len() as f32;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for off in samples.iter().map(|sample| *sample - mean) {
        xx += off.x * off.x;
        xy += off.x * off.y;
        yy += off.y * off.y;
    }
    Vec2::from_angle(0.5 * libm::atan2f(2.0 * xy, xx - yy))
}

impl TiltedBox {
    /// Section 4.3: the first axis from the first sample to the last in space-time, the second level, the third across both;
    /// every sample is a cylinder that lasts for a frame.
    fn fit(samples: &[Vec2], radius: f32, first_frame: i32) -> Self {
        let time = |index: usize| (first_frame + index as i32) as f32 * FRAME_TIME;
        let last = samples.len() - 1;
        let along = (samples[last] - samples[0]).extend(time(last) - time(0));
        let level = along.truncate();
        let aligned = level.length_squared() < 1e-8 || last == 0;
        let (first, second) = match aligned {
            true => (Vec3::X, Vec3::Y),
            false => (along.normalize(), level.perp().normalize().extend(0.0)),
        };
        let axes = [first, second, first.cross(second)];
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (index, sample) in samples.iter().enumerate() {
            let base = sample.extend(time(index));
            for (number, axis) in axes.iter().enumerate() {
                let (seen, reach) = (base.dot(*axis), radius * axis.truncate().length());
                let over = axis.z * FRAME_TIME;
                low[number] = low[number].min(seen - reach + over.min(0.0));
                high[number] = high[number].max(seen + reach + over.max(0.0));
            }
        }
        let middle = (low + high) * 0.5;
        let centre = axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z;
        Self { centre, axes, half: (high - low) * 0.5 + PAD, aligned }
    }

    /// Separating axes in space-time: three of either box and the nine across them.
    fn overlaps(&self, other: &Self, see: Seen) -> bool {
        let axes = other.axes.map(|axis| see.turn(axis.truncate()).extend(axis.z));
        let centre = see.point(other.centre.truncate()).extend(other.centre.z + see.seconds);
        let between = centre - self.centre;
        let reach = |along: Vec3| {
            let of = |axes: &[Vec3; 3], half: Vec3| {
                half.x * along.dot(axes[0]).abs()
                    + half.y * along.dot(axes[1]).abs()
                    + half.z * along.dot(axes[2]).abs()
            };
            of(&self.axes, self.half) + of(&axes, other.half)
        };
        let apart = |along: Vec3| between.dot(along).abs() > reach(along);
        if self.axes.into_iter().chain(axes).any(apart) {
            return false;
        }
        let across = |one: Vec3| axes.into_iter().map(move |two| one.cross(two));
        !self.axes.into_iter().flat_map(across).any(|along| along.length_squared() > 1e-8 && apart(along))
    }
}

/// The second motion as the first sees it.
#[derive(Clone, Copy)]
struct Seen {
    position: Vec2,
    facing: Vec2,
    frames: i32,
    seconds: f32,
}

impl Seen {
    fn new(a: Anchor, b: Anchor, frames: i32) -> Self {
        let facing = Vec2::new(a.facing.x, -a.facing.y).rotate(b.facing);
        let position = a.inverse_transform_point(b.position);
        Self { position, facing, frames, seconds: frames as f32 * FRAME_TIME }
    }

    fn turn(&self, direction: Vec2) -> Vec2 {
        self.facing.rotate(direction)
    }

    fn point(&self, point: Vec2) -> Vec2 {
        self.position + self.turn(point)
    }
}

/// Two motions that are tested.
struct Pair<'a, T: Tally> {
    a: &'a PlainTree,
    b: &'a PlainTree,
    see: Seen,
    tally: &'a mut T,
}

/// Whether the motions of a query ever meet, by plain trees.
pub fn meets(trees: &[PlainTree], query: &Query, method: Plain, tally: &mut impl Tally) -> bool {
    let [a, b] = query.motions.map(|motion| &trees[motion as usize]);
    let see = Seen::new(query.anchors[0], query.anchors[1], query.start_frames[1] - query.start_frames[0]);
    let mut pair = Pair { a, b, see, tally };
    let (one, other) = (a.nodes[0].frames.clone(), b.nodes[0].frames.clone());
    match method {
        Plain::SweepObbTree => pair.sweep_trees(0, 0),
        _ if pair.common(&one, &other).is_empty() => false,
        Plain::OneLevel(bound) => pair.boxes(0, 0, bound) && pair.samples(one, other),
        Plain::Tree { root, below } => pair.trees(0, 0, root, below),
    }
}

impl<T: Tally> Pair<'_, T> {
    /// Frames of the first motion in which both are there.
    fn common(&self, one: &Range<i32>, other: &Range<i32>) -> Range<i32> {
        one.start.max(other.start + self.see.frames)..one.end.min(other.end + self.see.frames)
    }

    fn boxes(&mut self, i: u32, j: u32, bound: Bound) -> bool {
        let (one, other) = (&self.a.nodes[i as usize], &self.b.nodes[j as usize]);
        // Boxes aligned with time are treated as flat (table 4.1).
        if bound == Bound::Flat || one.tilted.aligned && other.tilted.aligned {
            self.tally.boxes_2d(1);
            return one.flat.overlaps(&other.flat, self.see);
        }
        self.tally.boxes_3d(1);
        one.tilted.overlaps(&other.tilted, self.see)
    }

    /// Equation 4.1 for all frames in common.
    fn samples(&mut self, one: Range<i32>, other: Range<i32>) -> bool {
        let reach = self.a.radius + self.b.radius;
        for frame in self.common(&one, &other) {
            self.tally.samples(1);
            let there = self.see.point(self.b.positions[(frame - self.see.frames) as usize]);
            if self.a.positions[frame as usize].distance_squared(there) < reach * reach {
                return true;
            }
        }
        false
    }

    /// Section 4.2.2: first time, then space; a leaf against a tree asks for time only.
    fn trees(&mut self, i: u32, j: u32, bound: Bound, below: Bound) -> bool {
        let (one, other) = (&self.a.nodes[i as usize], &self.b.nodes[j as usize]);
        let (own, their) = (one.frames.clone(), other.frames.clone());
        if self.common(&own, &their).is_empty() {
            return false;
        }
        match (one.children, other.children) {
            (None, None) => self.boxes(i, j, bound) && self.samples(own, their),
            (Some(children), None) => children.into_iter().any(|child| self.leaf(child, j)),
            (None, Some(children)) => children.into_iter().any(|child| self.leaf(i, child)),
            (Some(ones), Some(others)) => {
                self.boxes(i, j, bound)
                    && ones.into_iter().any(|i| others.into_iter().any(|j| self.trees(i, j, below, below)))
            }
        }
    }

    fn leaf(&mut self, i: u32, j: u32) -> bool {
        let (one, other) = (&self.a.nodes[i as usize], &self.b.nodes[j as usize]);
        let (own, their) = (one.frames.clone(), other.frames.clone());
        if self.common(&own, &their).is_empty() {
            return false;
        }
        match (one.children, other.children) {
            (None, None) => self.samples(own, their),
            (Some(children), _) => children.into_iter().any(|child| self.leaf(child, j)),
            (None, Some(children)) => children.into_iter().any(|child| self.leaf(i, child)),
        }
    }

    fn sweep_trees(&mut self, i: u32, j: u32) -> bool {
        if !self.boxes(i, j, Bound::Flat) {
            return false;
        }
        let (one, other) = (&self.a.nodes[i as usize], &self.b.nodes[j as usize]);
        match (one.children, other.children) {
            (None, None) => {
                let (own, their) = (one.frames.clone(), other.frames.clone());
                self.samples(own, their)
            }
            (Some(children), None) => children.into_iter().any(|child| self.sweep_trees(child, j)),
            (None, Some(children)) => children.into_iter().any(|child| self.sweep_trees(i, child)),
            (Some(ones), Some(others)) => {
                ones.into_iter().any(|i| others.into_iter().any(|j| self.sweep_trees(i, j)))
            }
        }
    }
}
