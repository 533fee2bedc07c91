//! Left-right mirroring.

use crate::body::mirror_partners;
use crate::{Clip, Placement, Skeleton};
use glam::{Quat, Vec2};

/// What the names of clips end in that are others in a mirror.
pub(crate) const MIRRORED: &str = "-mirrored";

impl Clip {
    /// The clip as seen in a mirror: left and right are exchanged; the name gets `-mirrored`.
    pub fn mirrored(&self, skeleton: &Skeleton) -> Self {
        let partners = mirror_partners(skeleton);
        let mut rotations = Vec::with_capacity(self.rotations.len());
        for frame in 0..self.frames() {
            let own = self.frame_rotations(frame);
            rotations.extend(partners.iter().map(|&partner| mirror_rotation(own[partner])));
        }
        Self {
            name: format!("{}{MIRRORED}", self.name),
            labels: self.labels.clone(),
            ends: None,
            track: self.track.iter().map(|&placement| mirror_placement(placement)).collect(),
            root_heights: self.root_heights.clone(),
            rotations,
            contacts: self.contacts.iter().map(|contacts| contacts.mirrored()).collect(),
            radii: self.radii.clone(),
        }
    }
}

/// A placement reflected in the plane that the body's forward and up axes span.
pub(crate) fn mirror_placement(placement: Placement) -> Placement {
    Placement { position: placement.position * Vec2::new(1.0, -1.0), heading: -placement.heading }
}

/// A rotation conjugated by the reflection y → -y.
fn mirror_rotation(rotation: Quat) -> Quat {
    Quat::from_xyzw(-rotation.x, rotation.y, -rotation.z, rotation.w)
}
