//! Boxes of UMOBB trees: oriented in space-time (thesis section 4.3).

use super::box2::{four, gather, major_axis};
use super::{Anchor, DiscTrack};
use crate::FRAME_TIME;
use glam::{Vec2, Vec3, Vec4};
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
}

impl Box3 {
    /// The box of the space-time cylinders of the samples in `frames` (at least one), grown by `pad` metres.
    pub fn fit(track: &DiscTrack, frames: Range<usize>, pad: f32) -> Self {
        let axis = major_axis(track, &frames);
        let way = track.position(frames.end - 1).distance(track.position(frames.start));
        let rise = (frames.end - 1 - frames.start) as f32 * FRAME_HEIGHT;
        let tilt = if way > rise * SLOWEST_TILT { Vec2::new(way, rise).normalize() } else { Vec2::Y };

        let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
        for frame in frames {
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
        Self { centre, axis, tilt, half: (high - low) * 0.5 + pad }
    }
}

/// Boxes side by side, as a structure of arrays; the arrays end in unused entries.
#[derive(Clone, Debug, Default)]
pub(super) struct TiltedBoxes {
    x: Vec<f32>,
    y: Vec<f32>,
    time: Vec<f32>,
    axis_x: Vec<f32>,
    axis_y: Vec<f32>,
    cos: Vec<f32>,
    sin: Vec<f32>,
    half: [Vec<f32>; 3],
}

impl TiltedBoxes {
    pub fn new(boxes: &[Box3]) -> Self {
        Self {
            x: gather(boxes, |b| b.centre.x),
            y: gather(boxes, |b| b.centre.y),
            time: gather(boxes, |b| b.centre.z),
            axis_x: gather(boxes, |b| b.axis.x),
            axis_y: gather(boxes, |b| b.axis.y),
            cos: gather(boxes, |b| b.tilt.x),
            sin: gather(boxes, |b| b.tilt.y),
            half: [gather(boxes, |b| b.half.x), gather(boxes, |b| b.half.y), gather(boxes, |b| b.half.z)],
        }
    }

    /// Which of the pairs `i` and `j`, `i + 1` and `j + 1`, and so on to four, are both aligned with time, as bits.
    #[inline(always)]
    pub fn aligned(&self, i: usize, other: &Self, j: usize) -> u32 {
        let upright = four(&self.cos, i).abs() + four(&other.cos, j).abs();
        upright.cmpeq(Vec4::ZERO).bitmask()
    }

    /// Which of the four pairs of boxes from `i` and `j` on overlap in space-time, as bits; only those of `wanted` count. The
    /// boxes of `other` are placed at `at` as seen from these and start `shift` frames later.
    ///
    /// The boxes are separated along the 15 axes of Gottschalk, Lin and Manocha (1996).
    #[inline(always)]
    pub fn overlaps(&self, i: usize, other: &Self, j: usize, at: Anchor, shift: i32, wanted: u32) -> u32 {
        let (turn_cos, turn_sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        let (bx, by) = (four(&other.x, j), four(&other.y, j));
        let dx = turn_cos * bx - turn_sin * by + (Vec4::splat(at.position.x) - four(&self.x, i));
        let dy = turn_sin * bx + turn_cos * by + (Vec4::splat(at.position.y) - four(&self.y, i));
        let dt = four(&other.time, j) - four(&self.time, i) + Vec4::splat(shift as f32 * FRAME_HEIGHT);
        // The axes of `other` as seen from these: r[i][j] = a_i · b_j.
        let (a_axis_x, a_axis_y) = (four(&self.axis_x, i), four(&self.axis_y, i));
        let (bx, by) = (four(&other.axis_x, j), four(&other.axis_y, j));
        let (b_axis_x, b_axis_y) = (turn_cos * bx - turn_sin * by, turn_sin * bx + turn_cos * by);
        let (a_cos, a_sin) = (four(&self.cos, i), four(&self.sin, i));
        let (b_cos, b_sin) = (four(&other.cos, j), four(&other.sin, j));
        let a_half = self.half.each_ref().map(|half| four(half, i));
        let b_half = other.half.each_ref().map(|half| four(half, j));
        let c = a_axis_x * b_axis_x + a_axis_y * b_axis_y;
        let s = a_axis_x * b_axis_y - a_axis_y * b_axis_x;
        let r = [
            [a_cos * b_cos * c + a_sin * b_sin, -a_cos * s, a_sin * b_cos - a_cos * b_sin * c],
            [b_cos * s, c, -b_sin * s],
            [a_cos * b_sin - a_sin * b_cos * c, a_sin * s, a_sin * b_sin * c + a_cos * b_cos],
        ];
        let parallel = Vec4::splat(PARALLEL);
        let q = r.map(|row| row.map(|entry| entry.abs() + parallel));
        let along = dx * a_axis_x + dy * a_axis_y;
        let d = [a_cos * along + a_sin * dt, dy * a_axis_x - dx * a_axis_y, a_cos * dt - a_sin * along];
        let within = |distance: Vec4, reach: Vec4| distance.abs().cmplt(reach);

        let mut overlap =
            within(d[0], a_half[0] + b_half[0] * q[0][0] + b_half[1] * q[0][1] + b_half[2] * q[0][2]);
        for i in 1..3 {
            overlap &=
                within(d[i], a_half[i] + b_half[0] * q[i][0] + b_half[1] * q[i][1] + b_half[2] * q[i][2]);
        }
        for j in 0..3 {
            overlap &= within(
                d[0] * r[0][j] + d[1] * r[1][j] + d[2] * r[2][j],
                b_half[j] + a_half[0] * q[0][j] + a_half[1] * q[1][j] + a_half[2] * q[2][j],
            );
        }
        if overlap.bitmask() & wanted == 0 {
            return 0;
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                overlap &= within(
                    d[i2] * r[i1][j] - d[i1] * r[i2][j],
                    a_half[i1] * q[i2][j]
                        + a_half[i2] * q[i1][j]
                        + b_half[j1] * q[i][j2]
                        + b_half[j2] * q[i][j1],
                );
            }
        }
        overlap.bitmask() & wanted
    }
}
