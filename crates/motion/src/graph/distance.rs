//! How alike two moments of motion look: the point-cloud distance of Kovar, Gleicher and Pighin 2002.
//!
//! Each moment is the cloud of body points over a third of a second around it. Two clouds are compared under the
//! best rotation about the vertical and the best shift over the ground, which has a closed form.

use crate::body::{Body, LimbPart, Side};
use crate::{Clip, FRAME_RATE, Placement, Skeleton};
use rayon::prelude::*;

/// Frames of the window relative to its middle: a third of a second at 30 frames/s.
const WINDOW: [isize; 6] = [-5, -3, -1, 1, 3, 5];

/// Eight points, one array an axis: what a wide register holds.
#[derive(Clone, Copy, Debug, Default)]
struct PointRow {
    x: [f32; 8],
    y: [f32; 8],
    z: [f32; 8],
}

/// One moment: centred points, and the sum of their squares.
#[derive(Clone, Debug)]
struct Cloud {
    points: Vec<PointRow>,
    squares: f32,
    /// Ground speed over the window in metres a second.
    speed: f32,
}

/// How much the same person's poses differ from cycle to cycle grows with speed: at this many metres a second twice
/// the difference counts as alike as when standing.
const SPEED_OF_DOUBLE_TOLERANCE: f32 = 4.0;

/// The clouds of every frame of some clips.
#[derive(Clone, Debug)]
pub struct PoseClouds {
    clouds: Vec<Cloud>,
    /// Cloud index of each clip's first frame, and one past the last clip's end.
    starts: Vec<usize>,
}

impl PoseClouds {
    /// Computes the clouds of all frames.
    pub fn new(skeleton: &Skeleton, clips: &[Clip]) -> Self {
        let joints = telling_joints(skeleton);
        let clouds: Vec<Vec<Cloud>> =
            clips.par_iter().map(|clip| clip_clouds(skeleton, clip, &joints)).collect();
        let mut starts = vec![0];
        starts.extend(clouds.iter().scan(0, |total, clip| {
            *total += clip.len();
            Some(*total)
        }));
        Self { clouds: clouds.into_iter().flatten().collect(), starts }
    }

    /// The number of frames over all clips.
    pub fn len(&self) -> usize {
        self.clouds.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.clouds.is_empty()
    }

    /// Running index of a clip's frame.
    pub fn index(&self, clip: usize, frame: usize) -> usize {
        self.starts[clip] + frame
    }

    /// Clip and frame of a running index.
    pub fn locate(&self, index: usize) -> (usize, usize) {
        let clip = self.starts.partition_point(|&start| start <= index) - 1;
        (clip, index - self.starts[clip])
    }

    /// The running indices of a clip's frames.
    pub fn clip_range(&self, clip: usize) -> std::ops::Range<usize> {
        self.starts[clip]..self.starts[clip + 1]
    }

    /// Root mean square distance of the body points, in metres, under the best alignment on the ground; for bodies on
    /// the move it is discounted by their speed.
    pub fn distance(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (&self.clouds[a], &self.clouds[b]);
        // With p and p' as complex numbers on the ground, the best rotation has the argument of Σ p'·conj(p), and
        // Σ|p' - e^{iθ}p|² = Σ|p|² + Σ|p'|² - 2|Σ p'·conj(p)|.
        let (mut along, mut across, mut up) = ([0.0f32; 8], [0.0f32; 8], [0.0f32; 8]);
        for (a, b) in a.points.iter().zip(&b.points) {
            for lane in 0..8 {
                along[lane] += a.x[lane] * b.x[lane] + a.y[lane] * b.y[lane];
                across[lane] += a.x[lane] * b.y[lane] - a.y[lane] * b.x[lane];
                up[lane] += a.z[lane] * b.z[lane];
            }
        }
        let sum = |lanes: [f32; 8]| lanes.iter().sum::<f32>();
        let (along, across, up) = (sum(along), sum(across), sum(up));
        let total = a.squares + b.squares - 2.0 * (along * along + across * across).sqrt() - 2.0 * up;
        let discount = 1.0 + 0.5 * (a.speed + b.speed) / SPEED_OF_DOUBLE_TOLERANCE;
        (total.max(0.0) / (8 * a.points.len()).max(1) as f32).sqrt() / discount
    }
}

/// The joints that tell poses apart: limbs, head and trunk, not fingers.
fn telling_joints(skeleton: &Skeleton) -> Vec<usize> {
    use LimbPart::*;
    let body = Body::guess(skeleton);
    let mut joints = vec![body.hips];
    joints.extend(body.head.or(body.neck));
    joints.extend(body.spine.last());
    for side in Side::BOTH {
        joints.extend(
            [UpLeg, Leg, Foot, Toe, Arm, ForeArm, Hand].iter().filter_map(|&part| body.limb(side, part)),
        );
    }
    // A skeleton with unknown names is compared by all its joints.
    if joints.len() < 8 {
        joints = (0..skeleton.len()).collect();
    }
    joints
}

fn clip_clouds(skeleton: &Skeleton, clip: &Clip, joints: &[usize]) -> Vec<Cloud> {
    let frames = clip.frames();
    let points: Vec<Vec<glam::Vec3>> = (0..frames)
        .map(|frame| {
            let posed = clip.joints(skeleton, frame, Placement::IDENTITY);
            joints.iter().map(|&joint| posed.positions[joint]).collect()
        })
        .collect();
    // Beyond the ends motion goes on as it came: p(-k) = 2 p(0) - p(k).
    let at = |frame: isize, point: usize| {
        let last = frames as isize - 1;
        if frame < 0 {
            points[0][point] * 2.0 - points[(-frame).min(last) as usize][point]
        } else if frame > last {
            points[last as usize][point] * 2.0 - points[(2 * last - frame).max(0) as usize][point]
        } else {
            points[frame as usize][point]
        }
    };
    (0..frames as isize)
        .map(|frame| {
            let cloud =
                WINDOW.iter().flat_map(|offset| (0..joints.len()).map(move |point| (frame + offset, point)));
            let cloud: Vec<glam::Vec3> = cloud.map(|(frame, point)| at(frame, point)).collect();
            let centre = cloud.iter().map(|p| p.truncate()).sum::<glam::Vec2>() / cloud.len() as f32;
            let squares =
                cloud.iter().map(|p| (p.truncate() - centre).length_squared() + p.z * p.z).sum::<f32>();
            // The last row is filled up with zeros, which add nothing to any sum.
            let points = cloud.chunks(8).map(|chunk| {
                let mut row = PointRow::default();
                for (lane, point) in chunk.iter().enumerate() {
                    (row.x[lane], row.y[lane], row.z[lane]) =
                        (point.x - centre.x, point.y - centre.y, point.z);
                }
                row
            });
            let hips = |offset: isize| at(frame + offset, 0).truncate();
            let (first, last) = (WINDOW[0], WINDOW[WINDOW.len() - 1]);
            let speed = hips(last).distance(hips(first)) / (last - first) as f32 * FRAME_RATE;
            Cloud { points: points.collect(), squares, speed }
        })
        .collect()
}
