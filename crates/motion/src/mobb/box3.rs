//! Boxes of UMOBB trees: oriented in space-time (thesis section 4.3).

use super::box2::major_axis;
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

/// Four boxes, the children of a node, side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tilted4 {
    x: Vec4,
    y: Vec4,
    time: Vec4,
    radius: Vec4,
    axis_x: Vec4,
    axis_y: Vec4,
    cos: Vec4,
    sin: Vec4,
    half: [Vec4; 3],
    /// Which of the four are aligned with time, as bits.
    aligned: u32,
}

/// The centres of four boxes as seen from somewhere else.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    x: Vec4,
    y: Vec4,
    time: Vec4,
}

impl Tilted4 {
    pub fn new(boxes: [Box3; 4]) -> Self {
        let gather = |part: fn(&Box3) -> f32| Vec4::from_array(boxes.each_ref().map(part));
        let aligned = boxes.iter().enumerate().map(|(i, b)| u32::from(b.aligned()) << i);
        Self {
            x: gather(|b| b.centre.x),
            y: gather(|b| b.centre.y),
            time: gather(|b| b.centre.z),
            radius: gather(|b| b.radius),
            axis_x: gather(|b| b.axis.x),
            axis_y: gather(|b| b.axis.y),
            cos: gather(|b| b.tilt.x),
            sin: gather(|b| b.tilt.y),
            half: [gather(|b| b.half.x), gather(|b| b.half.y), gather(|b| b.half.z)],
            aligned: aligned.sum(),
        }
    }

    /// Which of the four boxes of `other` make a pair aligned with time with box `row`, as bits.
    #[inline(always)]
    pub fn aligned_pairs(&self, row: usize, other: &Self) -> u32 {
        if self.aligned >> row & 1 == 1 { other.aligned } else { 0 }
    }

    /// The centres, placed at `at` and starting `shift` frames later.
    #[inline(always)]
    pub fn seen_from(&self, at: Anchor, shift: i32) -> Seen {
        let (cos, sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        Seen {
            x: cos * self.x - sin * self.y + Vec4::splat(at.position.x),
            y: sin * self.x + cos * self.y + Vec4::splat(at.position.y),
            time: self.time + Vec4::splat(shift as f32 * FRAME_HEIGHT),
        }
    }

    /// Which of the four balls of `other`, as bits, overlap the ball of box `row`.
    #[inline(always)]
    pub fn balls_overlap(&self, row: usize, other: &Self, seen: Seen) -> u32 {
        let dx = seen.x - Vec4::splat(self.x[row]);
        let dy = seen.y - Vec4::splat(self.y[row]);
        let dt = seen.time - Vec4::splat(self.time[row]);
        let reach = other.radius + Vec4::splat(self.radius[row]);
        (dx * dx + dy * dy + dt * dt).cmplt(reach * reach).bitmask()
    }

    /// Which of the four boxes of `other`, placed at `at`, overlap box `row`: none of the 15 axes of Gottschalk, Lin and
    /// Manocha (1996) separates them. `wanted` are the bits asked for.
    #[inline(always)]
    pub fn boxes_overlap(&self, row: usize, other: &Self, seen: Seen, at: Anchor, wanted: u32) -> u32 {
        let (turn_cos, turn_sin) = (Vec4::splat(at.facing.x), Vec4::splat(at.facing.y));
        let dx = seen.x - Vec4::splat(self.x[row]);
        let dy = seen.y - Vec4::splat(self.y[row]);
        let dt = seen.time - Vec4::splat(self.time[row]);
        let (a_axis_x, a_axis_y) = (Vec4::splat(self.axis_x[row]), Vec4::splat(self.axis_y[row]));
        let (a_cos, a_sin) = (Vec4::splat(self.cos[row]), Vec4::splat(self.sin[row]));
        let a_half = self.half.map(|half| Vec4::splat(half[row]));
        let Self { cos: b_cos, sin: b_sin, half: b_half, .. } = *other;

        // The axes of `other` as seen from those of the box: r[i][j] = a_i · b_j.
        let b_axis_x = turn_cos * other.axis_x - turn_sin * other.axis_y;
        let b_axis_y = turn_sin * other.axis_x + turn_cos * other.axis_y;
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
