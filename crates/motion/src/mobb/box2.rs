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

/// Four boxes, the children of a node, side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flat4 {
    x: Vec4,
    y: Vec4,
    radius: Vec4,
    axis_x: Vec4,
    axis_y: Vec4,
    along: Vec4,
    across: Vec4,
}

/// Four boxes as seen from somewhere else.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    x: Vec4,
    y: Vec4,
}

impl Flat4 {
    pub fn new(boxes: [Box2; 4]) -> Self {
        let gather = |part: fn(&Box2) -> f32| Vec4::from_array(boxes.each_ref().map(part));
        Self {
            x: gather(|b| b.centre.x),
            y: gather(|b| b.centre.y),
            radius: gather(|b| b.radius),
            axis_x: gather(|b| b.axis.x),
            axis_y: gather(|b| b.axis.y),
            along: gather(|b| b.half.x),
            across: gather(|b| b.half.y),
        }
    }

    /// The centres, placed at `at`.
    #[inline(always)]
    pub fn seen_from(&self, at: Anchor) -> Seen {
        let (cos, sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        Seen {
            x: cos * self.x - sin * self.y + Vec4::splat(at.position.x),
            y: sin * self.x + cos * self.y + Vec4::splat(at.position.y),
        }
    }

    /// Which of the four discs of `other`, as bits, overlap the disc of box `row`.
    #[inline(always)]
    pub fn discs_overlap(&self, row: usize, other: &Self, seen: Seen) -> u32 {
        let dx = seen.x - Vec4::splat(self.x[row]);
        let dy = seen.y - Vec4::splat(self.y[row]);
        let reach = other.radius + Vec4::splat(self.radius[row]);
        (dx * dx + dy * dy).cmplt(reach * reach).bitmask()
    }

    /// Which of the four rectangles of `other`, placed at `at`, overlap the rectangle of box `row`: none of the four sides'
    /// directions separates them.
    #[inline(always)]
    pub fn boxes_overlap(&self, row: usize, other: &Self, seen: Seen, at: Anchor) -> u32 {
        let (cos, sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        let dx = seen.x - Vec4::splat(self.x[row]);
        let dy = seen.y - Vec4::splat(self.y[row]);
        let (a_axis_x, a_axis_y) = (Vec4::splat(self.axis_x[row]), Vec4::splat(self.axis_y[row]));
        let (a_along, a_across) = (Vec4::splat(self.along[row]), Vec4::splat(self.across[row]));
        let b_axis_x = cos * other.axis_x - sin * other.axis_y;
        let b_axis_y = sin * other.axis_x + cos * other.axis_y;
        let aligned = (a_axis_x * b_axis_x + a_axis_y * b_axis_y).abs();
        let crossed = (a_axis_x * b_axis_y - a_axis_y * b_axis_x).abs();
        let within = |distance: Vec4, reach: Vec4| distance.abs().cmplt(reach);
        let overlap =
            within(dx * a_axis_x + dy * a_axis_y, a_along + other.along * aligned + other.across * crossed)
                & within(
                    dy * a_axis_x - dx * a_axis_y,
                    a_across + other.along * crossed + other.across * aligned,
                )
                & within(dx * b_axis_x + dy * b_axis_y, other.along + a_along * aligned + a_across * crossed)
                & within(
                    dy * b_axis_x - dx * b_axis_y,
                    other.across + a_along * crossed + a_across * aligned,
                );
        overlap.bitmask()
    }
}
