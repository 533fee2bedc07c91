//! Boxes of MOBB trees: oriented in the plane, extruded in time (thesis section 4.2.1).

use super::{Anchor, Disc, DiscTrack};
use glam::{Vec2, Vec4};
use std::ops::{Add, Mul, Range, Sub};

/// How far two frames must be apart, in metres, to give a box a direction.
const SHORTEST_AXIS: f32 = 1e-4;

/// A rectangle on the ground that holds the discs of a stretch of motion, and a disc that holds them too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Box2 {
    pub centre: Vec2,
    /// Unit vector of the major axis.
    pub axis: Vec2,
    /// Half the length along the axis and across it.
    pub half: Vec2,
    /// Radius of the disc around `centre` that also holds the discs; a cheap first separation.
    pub radius: f32,
}

/// The way from the first of `frames` to the last, as a unit vector: the major axis of the thesis' boxes.
pub(super) fn major_axis(track: &DiscTrack, frames: &Range<usize>) -> Vec2 {
    let way = track.position(frames.end - 1) - track.position(frames.start);
    if way.length() > SHORTEST_AXIS { way.normalize() } else { Vec2::X }
}

impl Box2 {
    /// The box of the discs in `frames` (at least one), grown by `pad` metres.
    pub fn fit(track: &DiscTrack, frames: Range<usize>, pad: f32) -> Self {
        let axis = major_axis(track, &frames);
        let (mut low, mut high) = (Vec2::MAX, Vec2::MIN);
        for frame in frames.clone() {
            let point = track.position(frame);
            let local = Vec2::new(axis.dot(point), axis.perp_dot(point));
            low = low.min(local - track.radius[frame]);
            high = high.max(local + track.radius[frame]);
        }
        let centre = axis.rotate((low + high) * 0.5);
        let reach = |frame| track.position(frame).distance(centre) + track.radius[frame];
        let radius = frames.map(reach).fold(0.0, f32::max);
        Self { centre, axis, half: (high - low) * 0.5 + pad, radius: radius + pad }
    }

    /// Whether the discs around two boxes overlap, `other` placed at `at` as seen from `self`.
    #[inline(always)]
    pub fn near(&self, other: &Self, at: Anchor) -> bool {
        let reach = self.radius + other.radius;
        at.transform_point(other.centre).distance_squared(self.centre) < reach * reach
    }

    /// Whether two boxes overlap, `other` placed at `at` as seen from `self`.
    #[inline(always)]
    pub fn overlaps(&self, other: &Self, at: Anchor) -> bool {
        self.rectangle().slack(&other.rectangle(), at) > 0.0
    }

    #[inline(always)]
    fn rectangle(&self) -> Rectangle<f32> {
        Rectangle {
            x: self.centre.x,
            y: self.centre.y,
            axis_x: self.axis.x,
            axis_y: self.axis.y,
            along: self.half.x,
            across: self.half.y,
        }
    }
}

/// Boxes side by side, as a structure of arrays; the arrays end in unused entries, so that four are always there.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatBoxes {
    x: Vec<f32>,
    y: Vec<f32>,
    radius: Vec<f32>,
    axis_x: Vec<f32>,
    axis_y: Vec<f32>,
    along: Vec<f32>,
    across: Vec<f32>,
}

/// How many boxes are tested at once.
pub(super) const LANES: usize = 4;

/// Four neighbours in an array, from `index` on.
#[inline(always)]
pub(super) fn four(values: &[f32], index: usize) -> Vec4 {
    Vec4::from_slice(&values[index..index + LANES])
}

/// `fours` times four neighbours in an array, from `index` on.
#[inline(always)]
fn run(values: &[f32], index: usize, fours: usize) -> impl Iterator<Item = Vec4> {
    let (chunks, _) = values[index..index + fours * LANES].as_chunks::<LANES>();
    chunks.iter().map(|chunk| Vec4::from_array(*chunk))
}

/// One part of every box, and the unused entries.
pub(super) fn gather<T>(boxes: &[T], part: impl Fn(&T) -> f32) -> Vec<f32> {
    boxes.iter().map(part).chain([0.0; 2 * LANES]).collect()
}

impl FlatBoxes {
    pub fn new(boxes: &[Box2]) -> Self {
        Self {
            x: gather(boxes, |b| b.centre.x),
            y: gather(boxes, |b| b.centre.y),
            radius: gather(boxes, |b| b.radius),
            axis_x: gather(boxes, |b| b.axis.x),
            axis_y: gather(boxes, |b| b.axis.y),
            along: gather(boxes, |b| b.half.x),
            across: gather(boxes, |b| b.half.y),
        }
    }

    /// The disc around box `i`.
    #[inline(always)]
    pub fn disc(&self, i: usize) -> Disc {
        Disc::new(Vec2::new(self.x[i], self.y[i]), self.radius[i])
    }

    /// Which discs of the boxes from `i` on overlap the discs of the same number of boxes of `other` from `j` on, as bits, and
    /// which overlap the disc before that; `fours` times four are tested. These boxes are placed at `at` as seen from `other`.
    #[inline(always)]
    pub fn near(&self, i: usize, other: &Self, j: usize, fours: usize, at: Anchor) -> (u32, u32) {
        let (position_x, position_y) = (Vec4::splat(at.position.x), Vec4::splat(at.position.y));
        let (cos, sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        let (mut same, mut before) = (0, 0);
        let pairs = self.discs(i, fours).zip(other.discs(j, fours)).zip(other.discs(j - 1, fours));
        for (n, ((((x, y), radius), theirs), before_theirs)) in pairs.enumerate() {
            let seen_x = cos * x - sin * y + position_x;
            let seen_y = sin * x + cos * y + position_y;
            let near = |((x, y), other_radius): ((Vec4, Vec4), Vec4)| {
                let (dx, dy, reach) = (x - seen_x, y - seen_y, other_radius + radius);
                (dx * dx + dy * dy).cmplt(reach * reach).bitmask() << (LANES * n)
            };
            same |= near(theirs);
            before |= near(before_theirs);
        }
        (same, before)
    }

    /// Centres and radii of `fours` times four boxes from `i` on.
    #[inline(always)]
    fn discs(&self, i: usize, fours: usize) -> impl Iterator<Item = ((Vec4, Vec4), Vec4)> {
        run(&self.x, i, fours).zip(run(&self.y, i, fours)).zip(run(&self.radius, i, fours))
    }

    /// Which of the four pairs of boxes from `i` and `j` on overlap in space, as bits.
    #[inline(always)]
    pub fn overlaps(&self, i: usize, other: &Self, j: usize, at: Anchor) -> u32 {
        self.rectangles(i).slack(&other.rectangles(j), at).cmpgt(Vec4::ZERO).bitmask()
    }

    #[inline(always)]
    fn rectangles(&self, i: usize) -> Rectangle<Vec4> {
        Rectangle {
            x: four(&self.x, i),
            y: four(&self.y, i),
            axis_x: four(&self.axis_x, i),
            axis_y: four(&self.axis_y, i),
            along: four(&self.along, i),
            across: four(&self.across, i),
        }
    }
}

/// A number, or four of them side by side.
trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    fn splat(value: f32) -> Self;
    fn abs(self) -> Self;
    fn min(self, other: Self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
}

impl Real for Vec4 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Vec4::splat(value)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Vec4::abs(self)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Vec4::min(self, other)
    }
}

/// A box, or four boxes side by side, on the ground.
struct Rectangle<T> {
    x: T,
    y: T,
    axis_x: T,
    axis_y: T,
    along: T,
    across: T,
}

impl<T: Real> Rectangle<T> {
    /// How far, in metres, the shadows of the two boxes on the directions of their four sides overlap at least; the boxes are
    /// apart when this is not positive. `other` is placed at `at` as seen from `self`.
    #[inline(always)]
    fn slack(&self, other: &Self, at: Anchor) -> T {
        let (a, b) = (self, other);
        let (cos, sin) = (T::splat(at.facing.x), T::splat(at.facing.y));
        let dx = cos * b.x - sin * b.y + (T::splat(at.position.x) - a.x);
        let dy = sin * b.x + cos * b.y + (T::splat(at.position.y) - a.y);
        let (b_axis_x, b_axis_y) = (cos * b.axis_x - sin * b.axis_y, sin * b.axis_x + cos * b.axis_y);
        let aligned = (a.axis_x * b_axis_x + a.axis_y * b_axis_y).abs();
        let crossed = (a.axis_x * b_axis_y - a.axis_y * b_axis_x).abs();
        let a_along =
            a.along + b.along * aligned + b.across * crossed - (dx * a.axis_x + dy * a.axis_y).abs();
        let a_across =
            a.across + b.along * crossed + b.across * aligned - (dy * a.axis_x - dx * a.axis_y).abs();
        let b_along =
            b.along + a.along * aligned + a.across * crossed - (dx * b_axis_x + dy * b_axis_y).abs();
        let b_across =
            b.across + a.along * crossed + a.across * aligned - (dy * b_axis_x - dx * b_axis_y).abs();
        a_along.min(a_across).min(b_along.min(b_across))
    }
}
