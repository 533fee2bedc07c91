//! Boxes of UMOBB trees: oriented in space-time (thesis section 4.3).

use super::box2::{interleave, major_axis};
use super::{Anchor, DiscTrack};
use crate::FRAME_TIME;
use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};
use std::ops::Range;

/// Height of a frame in space-time, in metres: time counts as if it passed at 1 m/s, the thesis' seconds and metres.
pub(super) const FRAME_HEIGHT: f32 = FRAME_TIME;

/// Below this speed, in m/s from the first frame to the last, a box stays aligned with time and is treated as 2D.
const SLOWEST_TILT: f32 = 0.05;

/// Makes the cross axes of nearly parallel boxes, whose length is rounding noise, never separate.
const PARALLEL: f32 = 1e-5;

/// A box in space-time (x, y, time) with the axes `(cos·u, sin)`, `(u turned left, 0)` and `(-sin·u, cos)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Box3 {
    pub centre: Vec3,
    /// `u`: the horizontal direction of the first axis.
    pub axis: Vec2,
    /// Cosine and sine of the angle from the ground up to the first axis; `(0, 1)` when aligned with time.
    pub tilt: Vec2,
    /// Half the lengths along the three axes.
    pub half: Vec3,
    /// Radius of the ball around `centre` that also holds the cylinders.
    pub radius: f32,
}

impl Box3 {
    /// The box of the space-time cylinders of the samples in `frames` (at least one), grown by `pad` metres.
    pub fn fit(track: &DiscTrack, frames: Range<usize>, pad: f32) -> Self {
        let axis = major_axis(track, &frames);
        let way = track.position(frames.end - 1).distance(track.position(frames.start));
        let rise = (frames.end - 1 - frames.start) as f32 * FRAME_HEIGHT;
        let tilt = if way > rise * SLOWEST_TILT { Vec2::new(way, rise).normalize() } else { Vec2::Y };

        let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
        for frame in frames.clone() {
            let point = track.position(frame);
            let radius = track.radius[frame];
            let (along, left) = (axis.dot(point), axis.perp_dot(point));
            let time = frame as f32 * FRAME_HEIGHT;
            let local = Vec3::new(tilt.x * along + tilt.y * time, left, tilt.x * time - tilt.y * along);
            // Figure 4.7: r·a0 and r·a2 are the disc's reach; the cylinder's height counts towards later times only.
            let reach = Vec3::new(radius * tilt.x, radius, radius * tilt.y);
            let height = Vec3::new(tilt.y, 0.0, tilt.x) * FRAME_HEIGHT;
            low = low.min(local - reach);
            high = high.max(local + reach + height);
        }
        let local = (low + high) * 0.5;
        let along = tilt.x * local.x - tilt.y * local.z;
        let ground = axis.rotate(Vec2::new(along, local.y));
        let centre = ground.extend(tilt.y * local.x + tilt.x * local.z);
        let reach = |frame: usize| {
            let point = track.position(frame).distance(ground) + track.radius[frame];
            let below = (frame as f32 * FRAME_HEIGHT - centre.z).abs();
            let above = ((frame + 1) as f32 * FRAME_HEIGHT - centre.z).abs();
            Vec2::new(point, below.max(above)).length()
        };
        let radius = frames.map(reach).fold(0.0, f32::max);
        Self { centre, axis, tilt, half: (high - low) * 0.5 + pad, radius: radius + pad }
    }

    /// Whether the box has an axis along time, so that its rectangle on the ground says all.
    pub fn aligned(&self) -> bool {
        self.tilt == Vec2::Y
    }
}

/// Two sibling boxes, laid out so that the 2 × 2 pairs of two siblings each are tested in four lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Siblings3 {
    /// x of both, y of both.
    centre: Vec4,
    axis: Vec4,
    tilt: Vec4,
    /// First half lengths of both, second half lengths of both.
    half: Vec4,
    /// Third half lengths of both, radii of both.
    half_radius: Vec4,
    /// Times of the centres of both.
    time: Vec4,
    /// Which of the two are aligned with time, as bits 0 and 1.
    aligned: u32,
}

/// Four boxes.
struct Lanes {
    x: Vec4,
    y: Vec4,
    time: Vec4,
    axis_x: Vec4,
    axis_y: Vec4,
    cos: Vec4,
    sin: Vec4,
    half: [Vec4; 3],
    radius: Vec4,
}

impl Siblings3 {
    pub fn new(first: &Box3, second: &Box3) -> Self {
        Self {
            centre: interleave(first.centre.truncate(), second.centre.truncate()),
            axis: interleave(first.axis, second.axis),
            tilt: interleave(first.tilt, second.tilt),
            half: interleave(first.half.truncate(), second.half.truncate()),
            half_radius: Vec4::new(first.half.z, second.half.z, first.radius, second.radius),
            time: Vec4::new(first.centre.z, second.centre.z, 0.0, 0.0),
            aligned: u32::from(first.aligned()) | u32::from(second.aligned()) << 1,
        }
    }

    #[inline(always)]
    fn rows(&self) -> Lanes {
        Lanes {
            x: self.centre.xxyy(),
            y: self.centre.zzww(),
            time: self.time.xxyy(),
            axis_x: self.axis.xxyy(),
            axis_y: self.axis.zzww(),
            cos: self.tilt.xxyy(),
            sin: self.tilt.zzww(),
            half: [self.half.xxyy(), self.half.zzww(), self.half_radius.xxyy()],
            radius: self.half_radius.zzww(),
        }
    }

    #[inline(always)]
    fn columns(&self) -> Lanes {
        Lanes {
            x: self.centre.xyxy(),
            y: self.centre.zwzw(),
            time: self.time.xyxy(),
            axis_x: self.axis.xyxy(),
            axis_y: self.axis.zwzw(),
            cos: self.tilt.xyxy(),
            sin: self.tilt.zwzw(),
            half: [self.half.xyxy(), self.half.zwzw(), self.half_radius.xyxy()],
            radius: self.half_radius.zwzw(),
        }
    }

    /// Which of the pairs (0,0), (0,1), (1,0), (1,1) have both boxes aligned with time, as bits 0 to 3.
    #[inline(always)]
    pub fn aligned_pairs(&self, other: &Self) -> u32 {
        let rows = (self.aligned & 1) * 0b0011 | (self.aligned >> 1) * 0b1100;
        let columns = (other.aligned & 1) * 0b0101 | (other.aligned >> 1) * 0b1010;
        rows & columns
    }

    /// Which of the pairs overlap in space-time, as [`Siblings2::overlaps`](super::box2::Siblings2::overlaps) says for
    /// space; `other` starts `shift` frames after `self`. The 15 axes are those of Gottschalk, Lin and Manocha (1996).
    #[inline(always)]
    pub fn overlaps(&self, other: &Self, at: Anchor, shift: i32, candidates: u32) -> u32 {
        let (a, b) = (self.rows(), other.columns());
        let (turn_cos, turn_sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        let dx = turn_cos * b.x - turn_sin * b.y + (Vec4::splat(at.position.x) - a.x);
        let dy = turn_sin * b.x + turn_cos * b.y + (Vec4::splat(at.position.y) - a.y);
        let dt = b.time - a.time + Vec4::splat(shift as f32 * FRAME_HEIGHT);

        let reach = a.radius + b.radius;
        let balls = (dx * dx + dy * dy + dt * dt).cmplt(reach * reach).bitmask() & candidates;
        if balls == 0 {
            return 0;
        }

        // The axes of `b` as seen from those of `a`: r[i][j] = a_i · b_j.
        let b_axis_x = turn_cos * b.axis_x - turn_sin * b.axis_y;
        let b_axis_y = turn_sin * b.axis_x + turn_cos * b.axis_y;
        let c = a.axis_x * b_axis_x + a.axis_y * b_axis_y;
        let s = a.axis_x * b_axis_y - a.axis_y * b_axis_x;
        let r = [
            [a.cos * b.cos * c + a.sin * b.sin, -a.cos * s, a.sin * b.cos - a.cos * b.sin * c],
            [b.cos * s, c, -b.sin * s],
            [a.cos * b.sin - a.sin * b.cos * c, a.sin * s, a.sin * b.sin * c + a.cos * b.cos],
        ];
        let parallel = Vec4::splat(PARALLEL);
        let q = r.map(|row| row.map(|entry| entry.abs() + parallel));
        let along = dx * a.axis_x + dy * a.axis_y;
        let d = [a.cos * along + a.sin * dt, dy * a.axis_x - dx * a.axis_y, a.cos * dt - a.sin * along];
        let within = |distance: Vec4, reach: Vec4| distance.abs().cmplt(reach);

        let mut overlap =
            within(d[0], a.half[0] + b.half[0] * q[0][0] + b.half[1] * q[0][1] + b.half[2] * q[0][2]);
        for i in 1..3 {
            overlap &=
                within(d[i], a.half[i] + b.half[0] * q[i][0] + b.half[1] * q[i][1] + b.half[2] * q[i][2]);
        }
        for j in 0..3 {
            overlap &= within(
                d[0] * r[0][j] + d[1] * r[1][j] + d[2] * r[2][j],
                b.half[j] + a.half[0] * q[0][j] + a.half[1] * q[1][j] + a.half[2] * q[2][j],
            );
        }
        let faces = overlap.bitmask() & balls;
        if faces == 0 {
            return 0;
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                overlap &= within(
                    d[i2] * r[i1][j] - d[i1] * r[i2][j],
                    a.half[i1] * q[i2][j]
                        + a.half[i2] * q[i1][j]
                        + b.half[j1] * q[i][j2]
                        + b.half[j2] * q[i][j1],
                );
            }
        }
        overlap.bitmask() & faces
    }
}
