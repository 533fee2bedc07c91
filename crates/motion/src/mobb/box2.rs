//! Boxes of MOBB trees: oriented in the plane, extruded in time (thesis section 4.2.1).

use super::{Anchor, DiscTrack};
use glam::{Vec2, Vec4};
use std::ops::Range;

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
}

/// Boxes side by side, as a structure of arrays; the arrays end in [`LANES`] unused entries.
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

/// One part of every box, and the unused entries.
pub(super) fn gather<T>(boxes: &[T], part: impl Fn(&T) -> f32) -> Vec<f32> {
    boxes.iter().map(part).chain([0.0; LANES]).collect()
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

    /// Which of the pairs `i` and `j`, `i + 1` and `j + 1`, and so on to four, overlap in space, as bits; only those of
    /// `wanted` count. The boxes of `other` are placed at `at` as seen from these.
    ///
    /// Discs are separated first; what is left is separated along the four sides' directions.
    #[inline(always)]
    pub fn overlaps(&self, i: usize, other: &Self, j: usize, at: Anchor, wanted: u32) -> u32 {
        let (cos, sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        let (bx, by) = (four(&other.x, j), four(&other.y, j));
        let dx = cos * bx - sin * by + (Vec4::splat(at.position.x) - four(&self.x, i));
        let dy = sin * bx + cos * by + (Vec4::splat(at.position.y) - four(&self.y, i));
        let reach = four(&self.radius, i) + four(&other.radius, j);
        let near = (dx * dx + dy * dy).cmplt(reach * reach).bitmask() & wanted;
        if near == 0 {
            return 0;
        }
        let (a_axis_x, a_axis_y) = (four(&self.axis_x, i), four(&self.axis_y, i));
        let (bx, by) = (four(&other.axis_x, j), four(&other.axis_y, j));
        let (b_axis_x, b_axis_y) = (cos * bx - sin * by, sin * bx + cos * by);
        let (a_along, a_across) = (four(&self.along, i), four(&self.across, i));
        let (b_along, b_across) = (four(&other.along, j), four(&other.across, j));
        let aligned = (a_axis_x * b_axis_x + a_axis_y * b_axis_y).abs();
        let crossed = (a_axis_x * b_axis_y - a_axis_y * b_axis_x).abs();
        let within = |distance: Vec4, reach: Vec4| distance.abs().cmplt(reach);
        let overlap = within(dx * a_axis_x + dy * a_axis_y, a_along + b_along * aligned + b_across * crossed)
            & within(dy * a_axis_x - dx * a_axis_y, a_across + b_along * crossed + b_across * aligned)
            & within(dx * b_axis_x + dy * b_axis_y, b_along + a_along * aligned + a_across * crossed)
            & within(dy * b_axis_x - dx * b_axis_y, b_across + a_along * crossed + a_across * aligned);
        overlap.bitmask() & near
    }
}
