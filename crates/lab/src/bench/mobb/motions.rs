//! The motions that the experiments test.

use super::random::Draws;
use crowdloom_motion::mobb::{DiscTrack, MotionTree};
use crowdloom_motion::{FRAME_TIME, Placement};

/// A motion as the ground placements of its frames, relative to the first.
pub type Track = Vec<Placement>;

/// The motions of both experiments.
pub struct Motions {
    /// About 2.1 s each (thesis section 4.4: 51 motions).
    pub short: Vec<Track>,
    /// About 42 s each (thesis section 4.4: 14 motions).
    pub long: Vec<Track>,
}

/// How many short motions there are, and their average number of frames.
const SHORT: (usize, usize) = (51, 63);

/// How many long motions there are, and their average number of frames.
const LONG: (usize, usize) = (14, 1260);

/// Walking speed in m/s.
const SPEED: f32 = 1.3;

/// The motions of a walker that strolls, turns and now and then stands.
pub fn motions() -> Motions {
    let tracks = |(count, frames): (usize, usize), key: u64| {
        let spread = frames / 4;
        (0..count).map(|i| wander(frames - spread + 2 * spread * i / (count - 1), key + i as u64)).collect()
    };
    Motions { short: tracks(SHORT, 1_000), long: tracks(LONG, 2_000) }
}

/// A walk of `frames` frames. Speed and turning approach new targets, drawn every second or two, within half a second.
fn wander(frames: usize, key: u64) -> Track {
    let mut draws = Draws::new(key);
    let (mut speed, mut turning) = (SPEED, 0.0);
    let (mut wanted_speed, mut wanted_turning) = (SPEED, 0.0);
    let mut next_change = 0;
    let mut here = Placement::IDENTITY;
    (0..frames)
        .map(|frame| {
            if frame == next_change {
                next_change = frame + 20 + draws.below(50);
                wanted_turning = draws.between(-0.9, 0.9);
                wanted_speed = if draws.below(8) == 0 { 0.0 } else { SPEED * draws.between(0.8, 1.2) };
            }
            let now = here;
            speed += (wanted_speed - speed) * 0.15;
            turning += (wanted_turning - turning) * 0.15;
            here = here.then(Placement::new(speed * FRAME_TIME, 0.0, turning * FRAME_TIME));
            now
        })
        .collect()
}

/// The collision trees of motions whose discs all have one radius, in metres.
pub fn trees(tracks: &[Track], radius: f32) -> Vec<MotionTree> {
    tracks
        .iter()
        .filter_map(|track| {
            let positions: Vec<_> = track.iter().map(|placement| placement.position).collect();
            DiscTrack::with_radius(&positions, radius).ok()
        })
        .map(MotionTree::new)
        .collect()
}
