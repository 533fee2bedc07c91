//! Who is seen, and from how far: style changes near the camera are noticed (equation 8).

use glam::{Vec2, Vec3};

/// A camera over the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is, in metres.
    pub position: Vec3,
    /// Where it looks over the ground, of unit length.
    pub facing: Vec2,
    /// Half the angle that it sees, in radians.
    pub half_view: f32,
    /// How far it sees, in metres.
    pub range: f32,
    /// `threshold` of equation 8: the distance in metres at which consistency counts as much as without a camera.
    pub threshold: f32,
}

/// Nearer than this, in metres, an agent counts as this far away.
const NEAREST: f32 = 1.0;

impl Camera {
    /// α of equation 8 for an agent that keeps its motion type: 0 out of view, else inversely proportional to distance.
    pub fn alpha(&self, place: Vec2) -> f32 {
        let flat = place - self.position.truncate();
        let distance = flat.extend(self.position.z).length();
        let seen = flat.dot(self.facing) >= flat.length() * libm::cosf(self.half_view);
        if seen && distance <= self.range { self.threshold / distance.max(NEAREST) } else { 0.0 }
    }
}

/// A camera that moves: where it is at some moments, in seconds, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraPath(pub Vec<(f32, Camera)>);

impl CameraPath {
    /// The camera at a moment: on the straight way from one key to the next; `None` where there are no keys.
    pub fn at(&self, seconds: f32) -> Option<Camera> {
        let next = self.0.partition_point(|(time, _)| *time <= seconds);
        let &(start, from) = self.0.get(next.saturating_sub(1))?;
        let Some(&(end, to)) = self.0.get(next).filter(|_| next > 0) else { return Some(from) };
        let share = (seconds - start) / (end - start);
        let facing = from.facing.lerp(to.facing, share).normalize_or(from.facing);
        Some(Camera { position: from.position.lerp(to.position, share), facing, ..from })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_in_view_counts() {
        let camera = Camera {
            position: Vec3::new(0.0, 0.0, 3.0),
            facing: Vec2::X,
            half_view: 0.6,
            range: 50.0,
            threshold: 10.0,
        };
        let alpha = |x, y| camera.alpha(Vec2::new(x, y));
        assert!((alpha(4.0, 0.0) - 2.0).abs() < 1e-5);
        assert!(alpha(8.0, 1.0) < alpha(4.0, 0.0));
        assert_eq!(alpha(-4.0, 0.0), 0.0);
        assert_eq!(alpha(2.0, 8.0), 0.0);
        assert_eq!(alpha(60.0, 0.0), 0.0);
    }

    #[test]
    fn a_camera_goes_from_key_to_key() {
        let key = |x: f32, facing: Vec2| Camera {
            position: Vec3::new(x, 0.0, 3.0),
            facing,
            half_view: 0.6,
            range: 50.0,
            threshold: 10.0,
        };
        let path = CameraPath(vec![(2.0, key(0.0, Vec2::X)), (6.0, key(8.0, Vec2::Y))]);
        let at = |seconds| path.at(seconds).unwrap();
        assert_eq!((at(0.0), at(2.0), at(9.0)), (path.0[0].1, path.0[0].1, path.0[1].1));
        let half = at(4.0);
        assert!((half.position.x - 4.0).abs() < 1e-5 && (half.facing.x - half.facing.y).abs() < 1e-5);
        assert!((half.facing.length() - 1.0).abs() < 1e-5);
        assert_eq!(CameraPath::default().at(1.0), None);
    }
}
