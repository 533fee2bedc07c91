//! Walking and running as functions of phase: published normal curves, scaled to a speed and bent to a style.
//!
//! Phase 0 is the contact of the left foot; the right leg is half a cycle behind. Sources: joint angles of
//! walking after Winter (1991, natural cadence) and Perry and Burnfield (2010, chapters 4 to 6); of running after
//! Novacheck (1998); pelvis and trunk after Perry and Burnfield (2010, chapter 7) and Murray et al. (1964); arm
//! swing after Murray et al. (1967); stride and cadence after Grieve and Gear (1966).
//!
//! The control points follow the shape and range of those curves in rounded degrees; they are not the sources' tables,
//! and thigh and foot in late stance are set so that the leg sweeps as far as the stride asks.

use super::body::{Channels, SIDES, channel::*, size};
use super::curve::{Fourier, around};
use super::stand;
use crate::FRAME_RATE;
use std::f32::consts::TAU;

/// Fraction of the cycle that the curves below spend in stance.
const WALK_DUTY: f32 = 0.62;
/// Thigh against the vertical, degrees, forward positive.
const WALK_THIGH: &[(f32, f32)] = &[
    (0.0, 23.5),
    (0.08, 21.0),
    (0.15, 15.5),
    (0.25, 5.0),
    (0.35, -6.0),
    (0.45, -16.0),
    (0.52, -19.0),
    (0.58, -15.5),
    (0.65, -4.0),
    (0.75, 13.0),
    (0.85, 23.0),
    (0.93, 25.5),
];
/// Knee flexion in degrees.
const WALK_KNEE: &[(f32, f32)] = &[
    (0.0, 5.0),
    (0.06, 12.0),
    (0.13, 18.0),
    (0.2, 16.5),
    (0.3, 9.5),
    (0.4, 5.5),
    (0.47, 8.0),
    (0.55, 23.0),
    (0.62, 43.0),
    (0.72, 63.0),
    (0.8, 52.0),
    (0.88, 25.0),
    (0.95, 5.5),
];
/// Pitch of the foot against the floor in degrees, toes up positive.
const WALK_FOOT: &[(f32, f32)] = &[
    (0.0, 18.0),
    (0.035, 10.0),
    (0.075, 1.5),
    (0.1, 0.0),
    (0.38, 0.0),
    (0.43, -4.0),
    (0.5, -18.0),
    (0.56, -38.0),
    (0.62, -59.0),
    (0.68, -67.0),
    (0.75, -52.0),
    (0.82, -24.0),
    (0.88, 0.0),
    (0.94, 16.0),
    (0.975, 20.0),
];

const RUN_DUTY: f32 = 0.37;
const RUN_THIGH: &[(f32, f32)] = &[
    (0.0, 27.0),
    (0.08, 24.0),
    (0.16, 14.0),
    (0.24, 1.0),
    (0.32, -11.0),
    (0.38, -16.0),
    (0.45, -13.0),
    (0.55, 4.0),
    (0.65, 25.0),
    (0.75, 39.0),
    (0.83, 42.0),
    (0.92, 35.0),
];
const RUN_KNEE: &[(f32, f32)] = &[
    (0.0, 16.0),
    (0.07, 30.0),
    (0.15, 42.0),
    (0.23, 36.0),
    (0.31, 25.0),
    (0.37, 24.0),
    (0.46, 48.0),
    (0.55, 80.0),
    (0.63, 94.0),
    (0.72, 86.0),
    (0.82, 55.0),
    (0.91, 23.0),
    (0.96, 14.0),
];
const RUN_FOOT: &[(f32, f32)] = &[
    (0.0, 7.0),
    (0.03, 3.0),
    (0.06, 0.0),
    (0.17, 0.0),
    (0.22, -7.0),
    (0.29, -25.0),
    (0.37, -54.0),
    (0.46, -76.0),
    (0.57, -88.0),
    (0.68, -62.0),
    (0.78, -26.0),
    (0.87, 0.0),
    (0.94, 9.0),
];

/// Strides in a minute against relative speed in statures a second (Grieve and Gear 1966, adult men).
fn grieve_gear_strides(speed: f32) -> f32 {
    64.8 * libm::powf(speed / 1.75, 0.57)
}

/// A way of walking or running, in words of a coach. Angles are degrees, lengths metres, `x…` are factors.
#[derive(Clone, Debug)]
pub struct Manner {
    pub run: bool,
    /// Speed in metres a second.
    pub speed: f32,
    /// Factor on the normal cadence at this speed.
    pub x_cadence: f32,
    pub step_width: f32,
    pub toe_out: f32,
    /// Extra bend of both knees all the time.
    pub crouch: f32,
    pub x_swing_knee: [f32; 2],
    pub x_stance_knee: f32,
    /// Extra lift of the thigh in mid swing.
    pub high_knee: f32,
    /// Factor on the roll of the foot, at contact and at leaving.
    pub x_foot: f32,
    /// Pitch of the foot at contact moved towards the ball.
    pub tiptoe: f32,
    pub x_bob: f32,
    pub x_sway: f32,
    pub x_pelvis: f32,
    pub pelvis_tilt: f32,
    /// Lean of the trunk forward, and the curve of the upper back.
    pub lean: f32,
    pub trunk_roll: f32,
    /// Lean of the trunk over the left leg while it bears weight.
    pub lurch: f32,
    pub x_thorax: f32,
    pub head: f32,
    pub head_nod: f32,
    pub head_turn: f32,
    pub x_arms: [f32; 2],
    pub arm_flex: f32,
    pub arm_out: [f32; 2],
    pub arm_twist: f32,
    pub elbow: [f32; 2],
    pub x_elbow: f32,
    pub shrug: f32,
    pub shoulders_forward: f32,
    /// Both hands held at a place before the chest.
    pub hands: Option<[[f32; 3]; 2]>,
    /// How far the body strays, in metres, once each clip (unsteady people).
    pub stray: f32,
}

impl Manner {
    /// Normal walking at a speed.
    pub fn walk(speed: f32) -> Self {
        // Arm swing grows with speed (Murray et al. 1967: 32 degrees free, 45 fast).
        let brisk = (speed - 0.8) / 0.9;
        Self {
            run: false,
            speed,
            x_cadence: 1.0,
            step_width: 0.11,
            toe_out: 7.0,
            crouch: 0.0,
            x_swing_knee: [0.9 + 0.1 * brisk; 2],
            x_stance_knee: 0.75 + 0.35 * brisk,
            high_knee: 0.0,
            x_foot: 0.85 + 0.2 * brisk,
            tiptoe: 0.0,
            x_bob: 1.0,
            x_sway: 1.35 - 0.5 * brisk,
            x_pelvis: 0.75 + 0.45 * brisk,
            pelvis_tilt: 2.0,
            lean: 1.5 + 2.5 * brisk,
            trunk_roll: 1.0,
            lurch: 0.0,
            x_thorax: 0.85 + 0.3 * brisk,
            head: 0.0,
            head_nod: 1.0,
            head_turn: 0.0,
            x_arms: [0.7 + 0.65 * brisk; 2],
            arm_flex: -4.0,
            arm_out: [7.0; 2],
            arm_twist: -8.0,
            elbow: [16.0 + 14.0 * brisk; 2],
            x_elbow: 0.8 + 0.6 * brisk,
            shrug: 0.0,
            shoulders_forward: 0.0,
            hands: None,
            stray: 0.0,
        }
    }

    /// Normal running at a speed.
    pub fn running(speed: f32) -> Self {
        let fast = (speed - 2.6) / 1.0;
        Self {
            run: true,
            step_width: 0.06,
            toe_out: 5.0,
            x_swing_knee: [0.92 + 0.16 * fast; 2],
            x_stance_knee: 1.0,
            x_foot: 1.0,
            x_sway: 0.5,
            x_pelvis: 1.3 + 0.3 * fast,
            pelvis_tilt: 6.0,
            lean: 4.0 + 3.0 * fast,
            x_thorax: 1.5 + 0.4 * fast,
            x_arms: [1.45 + 0.45 * fast; 2],
            arm_flex: -9.0,
            arm_out: [11.0; 2],
            arm_twist: -24.0,
            elbow: [86.0 + 6.0 * fast; 2],
            x_elbow: 1.3,
            shrug: 2.0,
            ..Self::walk(1.7)
        }
        .at(speed)
    }

    fn at(self, speed: f32) -> Self {
        Self { speed, ..self }
    }
}

/// A manner made into curves.
#[derive(Clone, Debug)]
pub struct Gait {
    pub manner: Manner,
    /// Frames in a cycle of two steps.
    pub cycle_frames: usize,
    /// Metres a second.
    pub speed: f32,
    /// Fraction of the cycle that a foot is on the ground.
    pub duty: f32,
    /// The ankle's place over the ground in the body's frame halfway through stance, left foot.
    pub print: (f32, f32),
    thigh: Fourier,
    thigh_scale: f32,
    knee: Fourier,
    foot: Vec<(f32, f32)>,
    /// Height of the root: mean, and cosine and sine of twice the phase.
    height: [f32; 3],
}

/// Moves control points so that stance ends at `duty` instead of `from`.
fn rescaled(points: &[(f32, f32)], from: f32, duty: f32) -> Vec<(f32, f32)> {
    let warp = |phase: f32| {
        if phase <= from { phase * duty / from } else { duty + (phase - from) * (1.0 - duty) / (1.0 - from) }
    };
    points.iter().map(|&(phase, value)| (warp(phase), value)).collect()
}

impl Gait {
    /// Turns a manner into curves that suit its speed.
    pub fn new(manner: Manner) -> Self {
        let speed = manner.speed;
        let (thigh, knee, foot, from) = match manner.run {
            false => (WALK_THIGH, WALK_KNEE, WALK_FOOT, WALK_DUTY),
            true => (RUN_THIGH, RUN_KNEE, RUN_FOOT, RUN_DUTY),
        };
        // Stance shortens with speed: 66 percent of the cycle at 0.8 m/s, 60 at 1.7 (Murray 1967); 38 in a jog,
        // 33 at 3.6 m/s (Novacheck 1998). Running cadence rises from 158 to 172 steps a minute.
        let (duty, strides) = match manner.run {
            false => ((0.703 - 0.06 * speed).clamp(0.55, 0.7), grieve_gear_strides(speed)),
            true => ((0.38 - 0.05 * (speed - 2.6)).clamp(0.3, 0.42), 79.0 + 7.0 * (speed - 2.6)),
        };
        let cycle_frames = libm::roundf(60.0 * FRAME_RATE / (strides * manner.x_cadence)) as usize;
        // The ball leaves the ground a little before the tip of the toes does.
        let on_toes = if manner.run { 0.012 } else { 0.037 };
        let stance = duty;
        let duty = stance - on_toes;
        let mut gait = Self {
            cycle_frames,
            speed,
            duty,
            print: (0.0, manner.step_width / 2.0),
            thigh: Fourier::fit(&rescaled(thigh, from, stance)),
            thigh_scale: 1.0,
            knee: Fourier::fit(&rescaled(knee, from, stance)),
            foot: rescaled(foot, from, stance),
            height: [0.0; 3],
            manner,
        };
        gait.fit_stride();
        gait.fit_height();
        gait
    }

    /// The factor on the normal cadence of walking with which a cycle takes at most `frames`.
    pub fn cadence_for(speed: f32, frames: f32) -> f32 {
        (60.0 * FRAME_RATE / (frames * grieve_gear_strides(speed))).max(1.0)
    }

    /// Seconds in a cycle.
    pub fn period(&self) -> f32 {
        self.cycle_frames as f32 / FRAME_RATE
    }

    /// The phase at which clips join: halfway through left stance, the right foot halfway through its swing.
    pub fn node_phase(&self) -> f32 {
        self.duty / 2.0
    }

    fn stride(&self) -> f32 {
        self.speed * self.period()
    }

    /// Thigh against the vertical in radians at a leg's own phase.
    fn thigh_at(&self, phase: f32, scale: f32) -> f32 {
        let mean = self.thigh.mean();
        let swing = super::curve::hump((phase - phase.floor() - self.duty) / (1.0 - self.duty));
        let crouch = self.manner.crouch * 0.5;
        (mean + (self.thigh.at(phase) - mean) * scale + self.manner.high_knee * swing + crouch).to_radians()
    }

    /// Knee flexion in radians at a leg's own phase.
    fn knee_at(&self, side: usize, phase: f32) -> f32 {
        let phase = phase - phase.floor();
        // Stance and swing scale by factors of their own, crossing over around push-off and contact.
        let early = super::curve::smooth((phase - self.duty * 0.72) / (self.duty * 0.3));
        let late = super::curve::smooth((phase - 0.9) / 0.1);
        let swing = early * (1.0 - late);
        let factor = self.manner.x_stance_knee * (1.0 - swing) + self.manner.x_swing_knee[side] * swing;
        let lift = super::curve::hump((phase - self.duty) / (1.0 - self.duty)) * self.manner.high_knee * 1.5;
        (self.knee.at(phase) * factor + self.manner.crouch + lift).clamp(2.0, 140.0).to_radians()
    }

    fn foot_at(&self, phase: f32) -> f32 {
        let pitch = around(&self.foot, phase) * self.manner.x_foot;
        let phase = phase - phase.floor();
        // On tiptoe the foot comes down on its ball and stays there.
        let tiptoe = self.manner.tiptoe;
        let pitch = if tiptoe > 0.0 { pitch.min(0.0) * 0.45 - tiptoe } else { pitch };
        debug_assert!((0.0..=1.0).contains(&phase));
        pitch.to_radians()
    }

    /// The ankle before the hip, in metres, by the leg's angles.
    fn ankle_before_hip(&self, phase: f32, scale: f32) -> f32 {
        let thigh = self.thigh_at(phase, scale);
        size::THIGH * libm::sinf(thigh) + size::SHANK * libm::sinf(thigh - self.knee_at(0, phase))
    }

    /// Scales the thigh so that the leg sweeps back as fast as the body goes forward, and puts the footprint
    /// where the sweep passes.
    fn fit_stride(&mut self) {
        let (early, late) = (0.15 * self.duty, 0.78 * self.duty);
        let (mut low, mut high) = (0.1, 3.0);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            let sweep = self.ankle_before_hip(early, middle) - self.ankle_before_hip(late, middle);
            if sweep < self.stride() * (late - early) { low = middle } else { high = middle }
        }
        self.thigh_scale = 0.5 * (low + high);
        let samples = 24;
        let mean: f32 = (0..=samples)
            .map(|i| {
                let phase = early + (late - early) * i as f32 / samples as f32;
                self.ankle_before_hip(phase, self.thigh_scale) + self.stride() * (phase - self.duty / 2.0)
            })
            .sum::<f32>()
            / (samples + 1) as f32;
        self.print.0 = mean;
    }

    /// Fits the height of the root to what the knees of the standing leg ask for.
    fn fit_height(&mut self) {
        let mut sums = [[0.0f32; 4]; 3];
        let samples = 48;
        for i in 0..samples {
            let phase = self.duty * (0.04 + 0.8 * i as f32 / (samples - 1) as f32);
            let knee = self.knee_at(0, phase);
            let (a, b) = (size::THIGH, size::SHANK);
            let length2 = a * a + b * b + 2.0 * a * b * libm::cosf(knee);
            let (ankle_x, ankle_z) = self.planted_ankle(phase);
            let across = self.hip_outside(phase);
            let up = (length2 - ankle_x * ankle_x - across * across).max(0.05).sqrt();
            let height = ankle_z + up + size::HIP_DROP - self.hip_rise(phase);
            let (sin, cos) = libm::sincosf(2.0 * TAU * phase);
            let basis = [1.0, cos, sin];
            for row in 0..3 {
                for column in 0..3 {
                    sums[row][column] += basis[row] * basis[column];
                }
                sums[row][3] += basis[row] * height;
            }
        }
        self.height = solve3(sums);
        let bob = self.manner.x_bob * if self.manner.run { 0.8 } else { 1.15 };
        self.height[1] *= bob;
        self.height[2] *= bob;
        // No leg may be asked to be longer than it is until its heel rises, and then that makes up for it. At
        // contact the body sinks for a moment instead, by part of what is missing.
        let longest = 0.9975 * size::LEG;
        let mut over = 0.0f32;
        for i in 0..64 {
            let phase = self.duty * 0.68 * i as f32 / 64.0;
            let (x, z) = self.planted_ankle(phase);
            let across = self.hip_outside(phase);
            let allowed = z + (longest * longest - x * x - across * across).max(0.01).sqrt() + size::HIP_DROP;
            let share = if phase < 0.14 * self.duty { 0.5 } else { 1.0 };
            over = over.max((self.height_at(phase) + self.hip_rise(phase) - allowed) * share);
        }
        self.height[0] -= over;
    }

    /// How far to the side of its footprint the left hip is, in metres.
    fn hip_outside(&self, phase: f32) -> f32 {
        size::HIP_HALF + self.sway(phase) - self.print.1
    }

    /// How far the body is over to the left, in metres.
    fn sway(&self, phase: f32) -> f32 {
        0.021 * self.manner.x_sway * libm::cosf(TAU * (phase - self.node_phase()))
    }

    /// How far the left hip is raised by the roll of the pelvis, in metres.
    fn hip_rise(&self, phase: f32) -> f32 {
        size::HIP_HALF * libm::sinf(self.pelvis_roll(phase))
    }

    /// The drop of the pelvis on the side of the swinging leg, in radians.
    fn pelvis_roll(&self, phase: f32) -> f32 {
        let roll = 3.6 * self.manner.x_pelvis.min(1.2) * libm::cosf(TAU * (phase - self.duty * 0.28));
        roll.to_radians()
    }

    /// The planted ankle: before the hip, and above the ground.
    fn planted_ankle(&self, phase: f32) -> (f32, f32) {
        let pitch = self.foot_at(phase);
        let (sin, cos) = libm::sincosf(pitch);
        let (x, z) = if pitch >= 0.0 {
            let (x, z) = (size::HEEL, size::ANKLE);
            (-size::HEEL + x * cos - z * sin, x * sin + z * cos)
        } else {
            let (x, z) = (-size::BALL.0, -size::BALL.1);
            (size::BALL.0 + x * cos - z * sin, size::ANKLE + size::BALL.1 + x * sin + z * cos)
        };
        (self.print.0 - self.stride() * (phase - self.duty / 2.0) + x, z)
    }

    fn height_at(&self, phase: f32) -> f32 {
        let (sin, cos) = libm::sincosf(2.0 * TAU * phase);
        self.height[0] + self.height[1] * cos + self.height[2] * sin
    }

    /// All channels at a phase, the body being at the origin and going along +x.
    pub fn channels(&self, phase: f32) -> Channels {
        let m = &self.manner;
        let mut c = stand::pose();
        let node = self.node_phase();
        let wave = |cycles: f32, lead: f32| libm::cosf(TAU * cycles * (phase - lead));
        // Zero at the node and largest at contact: left hip forward when the left foot lands.
        let twist = libm::sinf(TAU * (phase - node));
        let yaw = 5.0 * m.x_pelvis * twist;
        let roll = self.pelvis_roll(phase).to_degrees();
        c[X] = 0.009 * libm::sinf(2.0 * TAU * (phase - node));
        c[Y] = self.sway(phase);
        c[Z] = self.height_at(phase);
        c[YAW] = yaw.to_radians();
        c[ROLL] = roll.to_radians();
        c[PITCH] = (m.pelvis_tilt + 1.2 * wave(2.0, 0.02)).to_radians();
        let lurch = m.lurch * wave(1.0, node).max(-0.25);
        c[SPINE_YAW] = (-1.75 * yaw * m.x_thorax).to_radians();
        c[SPINE_ROLL] = (-0.85 * roll - lurch + (m.trunk_roll - 1.0) * 4.0 * twist).to_radians();
        c[SPINE_PITCH] = (m.lean + 1.4 * wave(2.0, 0.1)).to_radians();
        // The head stays level and looks where the body goes.
        c[NECK_YAW] = -(c[YAW] + c[SPINE_YAW]) + m.head_turn.to_radians() * twist;
        c[NECK_ROLL] = -0.85 * (c[ROLL] + c[SPINE_ROLL]);
        c[NECK_PITCH] =
            (m.head + m.head_nod * 0.8 * wave(2.0, 0.15)).to_radians() - 0.8 * (c[PITCH] + c[SPINE_PITCH]);
        for side in SIDES {
            let own = phase - 0.5 * side as f32;
            self.leg_channels(&mut c, side, own);
            self.arm_channels(&mut c, side, own);
        }
        c
    }

    fn leg_channels(&self, c: &mut Channels, side: usize, own: f32) {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let thigh = self.thigh_at(own, self.thigh_scale);
        let knee = self.knee_at(side, own);
        let foot = self.foot_at(own);
        c[leg(side, HIP)] = thigh + c[PITCH];
        c[leg(side, KNEE)] = knee;
        c[leg(side, ANKLE)] = foot - thigh + knee;
        c[leg(side, FOOT)] = foot;
        // The foot passes under the body: the leg leans in from the hip to the line of the prints.
        let inward = size::HIP_HALF + sign * c[Y] - self.print.1;
        c[leg(side, HIP_ABDUCT)] = -libm::asinf((inward / 0.86).clamp(-0.5, 0.5)) - sign * c[ROLL];
        c[leg(side, HIP_TWIST)] = self.manner.toe_out.to_radians() - sign * c[YAW];
    }

    fn arm_channels(&self, c: &mut Channels, side: usize, own: f32) {
        let m = &self.manner;
        // Each arm swings against its own leg, a little late.
        let swing = -libm::cosf(TAU * (own - 0.05));
        let late = -libm::cosf(TAU * (own - 0.11));
        let amplitude = m.x_arms[side];
        let flex = m.arm_flex + 17.0 * amplitude * swing;
        let elbow = m.elbow[side] + 11.0 * m.x_elbow * amplitude.min(1.6) * late;
        let arm = |of| arm(side, of);
        c[arm(SHRUG)] = m.shrug.to_radians();
        c[arm(FORWARD)] = (m.shoulders_forward + 3.0 * amplitude * swing).to_radians();
        c[arm(FLEX)] = flex.to_radians();
        c[arm(ABDUCT)] = m.arm_out[side].to_radians();
        c[arm(TWIST)] = (m.arm_twist - 5.0 * amplitude * swing.max(0.0)).to_radians();
        c[arm(ELBOW)] = elbow.max(4.0).to_radians();
        c[arm(PRONATE)] = 18f32.to_radians();
        if let Some(hands) = m.hands {
            for (of, value) in [HAND_X, HAND_Y, HAND_Z].into_iter().zip(hands[side]) {
                c[arm(of)] = value;
            }
            c[arm(HAND_Z)] += 0.006 * libm::cosf(2.0 * TAU * own);
            c[arm(GRASP)] = 1.0;
        }
    }
}

/// Solves three linear equations given as rows of an augmented matrix (Cramer's rule).
fn solve3(rows: [[f32; 4]; 3]) -> [f32; 3] {
    let matrix = |replace: Option<usize>| {
        let column = |i: usize| {
            let from = if replace == Some(i) { 3 } else { i };
            glam::Vec3::new(rows[0][from], rows[1][from], rows[2][from])
        };
        glam::Mat3::from_cols(column(0), column(1), column(2)).determinant()
    };
    let whole = matrix(None);
    [0, 1, 2].map(|i| matrix(Some(i)) / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Standing on prints set by speed and stride, legs bend nearly as the curves say: the curves, the strides of
    /// Grieve and Gear and the body's lengths go together.
    #[test]
    fn planted_legs_bend_as_measured() {
        for speed in [0.8, 1.1, 1.35, 1.7] {
            let gait = Gait::new(Manner::walk(speed));
            let mut difference = 0.0;
            for i in 0..20 {
                let phase = gait.duty * 0.8 * i as f32 / 20.0;
                let (x, z) = gait.planted_ankle(phase);
                let up = gait.height_at(phase) + gait.hip_rise(phase) - size::HIP_DROP - z;
                let (a, b) = (size::THIGH, size::SHANK);
                let cosine = (x * x + up * up - a * a - b * b) / (2.0 * a * b);
                let knee = libm::acosf(cosine.clamp(-1.0, 1.0));
                difference += (knee - gait.knee_at(0, phase)).abs().to_degrees() / 20.0;
            }
            assert!(difference < 9.0, "{speed} m/s: {difference} degrees");
        }
    }

    #[test]
    fn cadence_follows_grieve_and_gear() {
        // 1.35 m/s is 0.77 statures a second: 56 strides a minute.
        assert!((grieve_gear_strides(1.35) - 55.9).abs() < 0.2);
        assert_eq!(Gait::new(Manner::walk(1.35)).cycle_frames, 32);
    }
}
