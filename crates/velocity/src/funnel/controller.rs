//! Two controllers with bounded speeds and accelerations (section 4.9.2 of the source): one turns, the other, which gives way to
//! it, goes as fast as turning allows. The source names no gains and bounds; these are of somebody who walks.

use crowdloom_motion::wrap_angle;

/// How strongly somebody turns to where it heads, in 1/s², …
const TURNING: f32 = 30.0;
/// … and how strongly turning is damped, in 1/s: just enough not to swing.
const DAMPING: f32 = 11.0;
/// The most that somebody turns, in radians a second, …
pub(super) const MOST_SPIN: f32 = 2.5;
/// … and the most that this changes, in radians a second squared.
const MOST_SPIN_CHANGE: f32 = 12.0;
/// How strongly somebody gets as fast as it wants to be, in 1/s, …
const SPEEDING: f32 = 3.0;
/// … the most that it gets faster, and slower, in metres a second squared, …
const MOST_GAIN: f32 = 1.5;
const MOST_LOSS: f32 = 2.5;
/// … and the most acceleration to the side, in metres a second squared, that it takes on in a curve.
const MOST_NORMAL: f32 = 1.5;

/// How somebody goes: it only goes where it faces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Going {
    /// Which way it faces and goes, in radians.
    pub heading: f32,
    /// How fast it goes, in metres a second.
    pub speed: f32,
    /// How fast it turns, in radians a second.
    pub spin: f32,
}

impl Going {
    /// Goes on for a step: turns towards `direction`, in radians, and becomes as fast as `wanted`, in metres a second, as far as
    /// the curve allows it.
    #[inline]
    pub fn steer(&mut self, direction: f32, wanted: f32, seconds: f32) {
        let off = wrap_angle(direction - self.heading);
        let change = (TURNING * off - DAMPING * self.spin).clamp(-MOST_SPIN_CHANGE, MOST_SPIN_CHANGE);
        self.spin = (self.spin + change * seconds).clamp(-MOST_SPIN, MOST_SPIN);
        let relaxed = wanted.min(MOST_NORMAL / self.spin.abs().max(1e-3));
        let gain = (SPEEDING * (relaxed - self.speed)).clamp(-MOST_LOSS, MOST_GAIN);
        self.speed = (self.speed + gain * seconds).max(0.0);
        self.heading = wrap_angle(self.heading + self.spin * seconds);
    }
}
