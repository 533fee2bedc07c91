//! Motions reduced to discs on the ground, one for each frame.

use crate::Clip;
use glam::Vec2;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A disc on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Disc {
    /// Where its centre is, in metres.
    pub centre: Vec2,
    /// Its radius in metres.
    pub radius: f32,
}

impl Disc {
    /// A disc of `radius` metres around `centre`.
    pub const fn new(centre: Vec2, radius: f32) -> Self {
        Self { centre, radius }
    }

    /// Whether the two discs overlap; discs that only touch do not.
    pub fn meets(self, other: Self) -> bool {
        let reach = self.radius + other.radius;
        self.centre.distance_squared(other.centre) < reach * reach
    }
}

/// Why a motion could not be reduced to discs.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TrackError {
    /// There is no frame at all.
    #[error("a motion needs at least one frame")]
    Empty,
    /// Positions and radii do not come in the same number.
    #[error("a motion has {positions} positions but {radii} radii")]
    Lengths {
        /// How many positions there are.
        positions: usize,
        /// How many radii there are.
        radii: usize,
    },
    /// A position is not finite, or a radius is not a finite number of metres from 0 up.
    #[error("frame {frame} of a motion has no finite position and radius")]
    NotFinite {
        /// The first such frame.
        frame: usize,
    },
    /// There are more frames than a collision tree counts.
    #[error("a motion of {frames} frames is longer than the {limit} that a collision tree holds")]
    TooLong {
        /// How many frames there are.
        frames: usize,
        /// How many there may be.
        limit: usize,
    },
}

/// A motion as discs in its own frame of reference, as a structure of arrays.
///
/// The last disc is where the motion ends. It takes no time of its own: the motion fills the half-open time from
/// its first sample to its last (thesis section 4.2), and what follows starts there.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscTrack {
    pub(super) x: Vec<f32>,
    pub(super) y: Vec<f32>,
    pub(super) radius: Vec<f32>,
}

impl DiscTrack {
    /// The longest motion, in frames: times stay exact as `f32`.
    pub const MAX_FRAMES: usize = 1 << 22;

    /// The discs at `positions` (metres), with one radius (metres) for each.
    pub fn new(
        positions: impl IntoIterator<Item = Vec2>,
        radii: impl IntoIterator<Item = f32>,
    ) -> Result<Self, TrackError> {
        let (x, y): (Vec<f32>, Vec<f32>) = positions.into_iter().map(|p| (p.x, p.y)).unzip();
        let radius: Vec<f32> = radii.into_iter().collect();
        if x.len() != radius.len() {
            return Err(TrackError::Lengths { positions: x.len(), radii: radius.len() });
        }
        if x.is_empty() {
            return Err(TrackError::Empty);
        }
        if x.len() > Self::MAX_FRAMES {
            return Err(TrackError::TooLong { frames: x.len(), limit: Self::MAX_FRAMES });
        }
        let sound =
            |i: usize| x[i].is_finite() && y[i].is_finite() && radius[i].is_finite() && radius[i] >= 0.0;
        match (0..x.len()).find(|&i| !sound(i)) {
            Some(frame) => Err(TrackError::NotFinite { frame }),
            None => Ok(Self { x, y, radius }),
        }
    }

    /// The discs at `positions` (metres), all of the same `radius` (metres).
    pub fn with_radius(positions: &[Vec2], radius: f32) -> Result<Self, TrackError> {
        Self::new(positions.iter().copied(), positions.iter().map(|_| radius))
    }

    /// The discs that hold the body in each frame of `clip`.
    pub fn from_clip(clip: &Clip) -> Result<Self, TrackError> {
        Self::new(clip.track.iter().map(|placement| placement.position), clip.radii.iter().copied())
    }

    /// How many frames the motion lasts: one less than it has discs.
    pub fn duration(&self) -> usize {
        self.x.len() - 1
    }

    /// The disc at `frame`, which may be the last: `0..=duration()`.
    pub fn disc(&self, frame: usize) -> Disc {
        Disc::new(Vec2::new(self.x[frame], self.y[frame]), self.radius[frame])
    }

    /// The disc that the motion ends in.
    pub fn end(&self) -> Disc {
        self.disc(self.duration())
    }

    /// The position at `frame`, in metres.
    pub(super) fn position(&self, frame: usize) -> Vec2 {
        Vec2::new(self.x[frame], self.y[frame])
    }

    /// The largest coordinate or radius in metres, which scales rounding errors.
    pub(super) fn extent(&self) -> f32 {
        let largest = |values: &[f32]| values.iter().fold(0.0f32, |most, value| most.max(value.abs()));
        largest(&self.x).max(largest(&self.y)).max(largest(&self.radius))
    }
}
