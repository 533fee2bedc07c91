//! The numbers of Cell Marking: the choice function, what proposes velocities, and how people give way.

use crowdloom_velocity::Rvo;
use serde::{Deserialize, Serialize};

/// How somebody who plans captured motion chooses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Marking {
    /// w_m of equation 3.1, for each metre of summed transition difference.
    pub difference: f32,
    /// w_vel, for each metre a second between the velocity that RVO proposes and the mean one.
    pub velocity: f32,
    /// w_loc, for each metre between the actual end and where one would be by one's own will: at the goal, or a second nearer.
    pub location: f32,
    /// w_θ, for each radian between desired and final orientation.
    pub orientation: f32,
    /// How much RVO, which proposes the desired velocity, minds collisions, in metres.
    pub safety: f32,
    /// Collisions later than this many seconds do not count for RVO.
    pub horizon: f32,
    /// The radius in metres of the disc that nobody else enters, in a crowd of all kinds, to the centimetre; 0 for the usual one.
    pub radius: f32,
    /// The radius in metres with which RVO sees everybody: larger than the disc, so that room to step is left.
    pub personal_radius: f32,
    /// How far in metres others are heeded for the desired velocity.
    pub neighbour_distance: f32,
    /// How many others are heeded, the nearest first.
    pub neighbours: u16,
    /// The highest desired speed in metres a second.
    pub top_speed: f32,
    /// Whether one goes around who stands in the way (ours) …
    pub goes_around: bool,
    /// … leaving so much room in metres in between.
    pub way_around: f32,
    /// How far in radians one bears to the right of one's way for each who comes towards one or waits in the way, the
    /// less the farther off (ours).
    pub give_way: f32,
    /// How much worse than stopping a segment may be scored and still be taken.
    pub reluctance: f32,
    /// Seconds after which one who does not get on takes any way that is free (ours).
    pub patience: f32,
    /// Seconds of a segment after which one looks for the next: what follows is found before one has to stop. Who got
    /// its first choice and has elbow room needs no such care and decides when the segment is over.
    pub decides_after: f32,
    /// Others ahead nearer than this, in metres, take one's elbow room, and whoever stands that near.
    pub elbow_room: f32,
    /// At most this many segments are tested in a decision, the best first.
    pub tests: u16,
}

impl Default for Marking {
    fn default() -> Self {
        Self {
            difference: 0.02,
            velocity: 1.0,
            location: 1.0,
            orientation: 1.2,
            safety: 0.3,
            horizon: 4.0,
            radius: 0.0,
            personal_radius: 0.3,
            neighbour_distance: 6.0,
            neighbours: 12,
            top_speed: 1.8,
            goes_around: true,
            way_around: 0.1,
            give_way: 0.3,
            reluctance: 0.0,
            patience: 1.5,
            decides_after: 0.5,
            elbow_room: 1.5,
            tests: 100,
        }
    }
}

impl Marking {
    /// As published: nobody keeps right, goes around, loses patience or decides before a segment is over, RVO sees discs as
    /// they are, and every segment is tested.
    pub fn published() -> Self {
        Self {
            personal_radius: 0.25,
            goes_around: false,
            give_way: 0.0,
            patience: MOST,
            decides_after: 1.0,
            tests: u16::MAX,
            ..Self::default()
        }
    }

    /// Whether all numbers are possible: none is negative, and who moves looks ahead and tests something.
    pub fn is_sound(&self) -> bool {
        let numbers = [
            self.difference,
            self.velocity,
            self.location,
            self.orientation,
            self.safety,
            self.personal_radius,
            self.neighbour_distance,
            self.way_around,
            self.give_way,
            self.reluctance,
            self.patience,
            self.elbow_room,
        ];
        numbers.iter().all(|number| (0.0..=MOST).contains(number))
            && [self.horizon, self.top_speed].iter().all(|number| (0.01..=MOST).contains(number))
            && (self.radius == 0.0 || (LEAST_RADIUS..=MOST_RADIUS).contains(&self.radius))
            && (0.0..=1.0).contains(&self.decides_after)
            && self.tests > 0
    }

    /// What proposes the desired velocity.
    pub fn rvo(&self) -> Rvo {
        Rvo { safety: self.safety, horizon: self.horizon, ..Rvo::default() }
    }

    /// Frames of a segment after which one who has to take care decides again.
    pub fn decision_frames(&self) -> u32 {
        ((self.decides_after * crowdloom_motion::FRAME_RATE) as u32).max(1)
    }
}

/// Discs are at least and at most so large, in metres.
const LEAST_RADIUS: f32 = 0.1;
const MOST_RADIUS: f32 = 0.6;
/// No number of a marking is larger than this.
const MOST: f32 = 1e3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_make_no_sense_are_told() {
        let usual = Marking::default();
        assert!(usual.is_sound() && Marking::published().is_sound());
        assert!(!Marking { velocity: -1.0, ..usual }.is_sound());
        assert!(!Marking { patience: f32::NAN, ..usual }.is_sound());
        assert!(!Marking { horizon: 0.0, ..usual }.is_sound());
        assert!(!Marking { decides_after: 2.0, ..usual }.is_sound());
        assert!(!Marking { tests: 0, ..usual }.is_sound());
        assert!(!Marking { radius: 0.05, ..usual }.is_sound() && Marking { radius: 0.3, ..usual }.is_sound());
    }
}
