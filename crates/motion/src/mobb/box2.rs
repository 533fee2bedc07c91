//! Boxes of MOBB trees: oriented in the plane, extruded in time (thesis section 4.2.1).

use super::{Anchor, DiscTrack};
use glam::{Vec2, Vec4, Vec4Swizzles};
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

/// Two sibling boxes and their times, laid out so that the 2 × 2 pairs of two siblings each are tested in four lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Siblings2 {
    /// x of both, y of both.
    centre: Vec4,
    axis: Vec4,
    half: Vec4,
    radius: Vec4,
}

/// Four boxes.
struct Lanes {
    x: Vec4,
    y: Vec4,
    axis_x: Vec4,
    axis_y: Vec4,
    along: Vec4,
    across: Vec4,
    radius: Vec4,
}

/// `[a.x, b.x, a.y, b.y]`.
pub(super) fn interleave(a: Vec2, b: Vec2) -> Vec4 {
    Vec4::new(a.x, b.x, a.y, b.y)
}

impl Siblings2 {
    pub fn new(first: &Box2, second: &Box2) -> Self {
        Self {
            centre: interleave(first.centre, second.centre),
            axis: interleave(first.axis, second.axis),
            half: interleave(first.half, second.half),
            radius: Vec4::new(first.radius, second.radius, 0.0, 0.0),
        }
    }

    /// First, first, second, second.
    #[inline(always)]
    fn rows(&self) -> Lanes {
        Lanes {
            x: self.centre.xxyy(),
            y: self.centre.zzww(),
            axis_x: self.axis.xxyy(),
            axis_y: self.axis.zzww(),
            along: self.half.xxyy(),
            across: self.half.zzww(),
            radius: self.radius.xxyy(),
        }
    }

    /// First, second, first, second.
    #[inline(always)]
    fn columns(&self) -> Lanes {
        Lanes {
            x: self.centre.xyxy(),
            y: self.centre.zwzw(),
            axis_x: self.axis.xyxy(),
            axis_y: self.axis.zwzw(),
            along: self.half.xyxy(),
            across: self.half.zwzw(),
            radius: self.radius.xyxy(),
        }
    }

    /// Which of the pairs (0,0), (0,1), (1,0), (1,1) of a sibling of `self` and one of `other` overlap in space, as bits
    /// 0 to 3; only bits of `candidates` are asked for. `other` is placed at `at` as seen from `self`.
    #[inline(always)]
    pub fn overlaps(&self, other: &Self, at: Anchor, candidates: u32) -> u32 {
        let (a, b) = (self.rows(), other.columns());
        let (cos, sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        let dx = cos * b.x - sin * b.y + (Vec4::splat(at.position.x) - a.x);
        let dy = sin * b.x + cos * b.y + (Vec4::splat(at.position.y) - a.y);

        let reach = a.radius + b.radius;
        let discs = (dx * dx + dy * dy).cmplt(reach * reach).bitmask() & candidates;
        if discs == 0 {
            return 0;
        }

        let b_axis_x = cos * b.axis_x - sin * b.axis_y;
        let b_axis_y = sin * b.axis_x + cos * b.axis_y;
        let aligned = (a.axis_x * b_axis_x + a.axis_y * b_axis_y).abs();
        let crossed = (a.axis_x * b_axis_y - a.axis_y * b_axis_x).abs();
        let within = |distance: Vec4, reach: Vec4| distance.abs().cmplt(reach);
        let overlap = within(dx * a.axis_x + dy * a.axis_y, a.along + b.along * aligned + b.across * crossed)
            & within(dy * a.axis_x - dx * a.axis_y, a.across + b.along * crossed + b.across * aligned)
            & within(dx * b_axis_x + dy * b_axis_y, b.along + a.along * aligned + a.across * crossed)
            & within(dy * b_axis_x - dx * b_axis_y, b.across + a.along * crossed + a.across * aligned);
        overlap.bitmask() & discs
    }
}
