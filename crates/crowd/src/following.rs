//! How clip agents follow each other where nobody can pass.
//!
//! In the open, promises and the choice among clips slow a crowd down as people are slowed down. In single file they do not:
//! who can only follow steps right behind the one ahead. There people keep a time between them: V(s) = min(v0, (s − ℓ) / T)
//! with s the distance to the next ahead (Tordeux, Chraibi, Seyfried 2016, "Collision-free speed model for pedestrian
//! dynamics").

use crate::commitment::Commitment;
use crate::decision::Decider;
use crowdloom_motion::mobb::Disc;
use glam::Vec2;

/// T, in seconds; with steps as long as clips are, speeds fall as those of people in single file do (RiMEA 4.1.1, test 16:
/// 0.75, 0.52, 0.27 m/s at 0.9, 1.1, 1.5 /m).
const HEADWAY: f32 = 1.3;

/// The same where there is room to walk half beside each other, in seconds: as many get through passages of a metre as people
/// do, and those who come from a side still find gaps.
const HEADWAY_IN_PASSAGES: f32 = 0.7;

/// ℓ, from middle to middle, in metres.
const SPACING: f32 = 0.5;

/// Who is farther aside of one's way than this, in metres, is not ahead …
const BREADTH: f32 = 0.3;

/// … nor who goes another way, by the cosine of the angle between both.
const SAME_WAY: f32 = 0.3;

/// Between walls that are no farther apart than this, in metres, nobody can walk half beside another …
const FILE: f32 = 0.92;

/// … and farther than this apart everybody can pass …
const PASSAGE: f32 = 1.44;

/// … if they are so far apart so many metres ahead, too: a door is no file.
const FARTHER_ON: f32 = 0.8;

impl Decider<'_> {
    /// The pace in metres a second of somebody at `at` on the way to `target` who likes `pace`, behind those whom it cannot pass.
    pub(crate) fn pace_behind(
        &self,
        at: Vec2,
        target: Vec2,
        pace: f32,
        neighbours: &[(Commitment, Disc)],
    ) -> f32 {
        let book = &*self.setting.book;
        let ahead = (target - at).normalize_or_zero();
        let distance = |(other, _): &(Commitment, Disc)| {
            let offset = other.position(book, self.frame) - at;
            let is_ahead = offset.dot(ahead) > 0.0
                && offset.perp_dot(ahead).abs() < BREADTH
                && other.facing().dot(ahead) > SAME_WAY;
            is_ahead.then(|| offset.length())
        };
        let Some(next) = neighbours.iter().filter_map(distance).min_by(f32::total_cmp) else { return pace };
        let behind = |headway: f32| ((next - SPACING) / headway).clamp(0.0, pace);
        if behind(HEADWAY) >= pace {
            return pace;
        }
        match self.room_across(at, ahead).max(self.room_across(at + ahead * FARTHER_ON, ahead)) {
            room if room < FILE => behind(HEADWAY),
            room if room < PASSAGE => behind(HEADWAY_IN_PASSAGES),
            _ => pace,
        }
    }

    /// From wall to wall across the way at a place, in metres; as much as matters where it is wider.
    fn room_across(&self, place: Vec2, ahead: Vec2) -> f32 {
        let to_wall = |aside: Vec2| self.setting.ground.cast_ray(place, aside, PASSAGE);
        to_wall(ahead.perp()) + to_wall(-ahead.perp())
    }
}
