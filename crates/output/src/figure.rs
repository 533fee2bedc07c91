//! A posed body drawn as shaded limbs, without perspective.

use crate::canvas::{Canvas, Ink, hull};
use crowdloom_motion::{JointFrames, Skeleton};
use glam::{Vec2, Vec3};

/// From where the body is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// From the body's right side: +x to the right, z up.
    Side,
    /// From the right and a little before it, to tell the arms apart.
    Oblique,
    /// From above: +x to the right, +y (left) up.
    Above,
}

impl View {
    /// The point on the paper, in metres, x to the right and y down.
    pub fn project(self, point: Vec3) -> Vec2 {
        match self {
            Self::Side => Vec2::new(point.x, -point.z),
            Self::Oblique => Vec2::new(point.x * OBLIQUE.1 + point.y * OBLIQUE.0, -point.z),
            Self::Above => Vec2::new(point.x, -point.y),
        }
    }

    /// How near to the eye a point is, in metres.
    fn nearness(self, point: Vec3) -> f32 {
        match self {
            Self::Side => -point.y,
            Self::Oblique => point.x * OBLIQUE.0 - point.y * OBLIQUE.1,
            Self::Above => point.z,
        }
    }
}

/// Sine and cosine of how far (37 degrees) the oblique view is from the side.
const OBLIQUE: (f32, f32) = (0.6, 0.8);

/// The colours of a figure.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    /// Trunk.
    pub trunk: Ink,
    /// Head, neck and hands.
    pub skin: Ink,
    /// Left arm and leg.
    pub left: Ink,
    /// Right arm and leg.
    pub right: Ink,
    /// Colour that the far side fades to.
    pub haze: Ink,
    /// Lines around limbs.
    pub edge: Ink,
}

impl Default for Palette {
    fn default() -> Self {
        Self {
            trunk: Ink::hex(0x3b4a63),
            skin: Ink::hex(0xd9a07b),
            left: Ink::hex(0x3f8fa8),
            right: Ink::hex(0xd8653f),
            haze: Ink::hex(0xf4f1ea),
            edge: Ink::hex(0x222b3a),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Tone {
    Trunk,
    Skin,
    Left,
    Right,
}

/// A part of the body: the hull of spheres, each a point and a radius in metres.
struct Part {
    spheres: Vec<(Vec3, f32)>,
    tone: Tone,
    darker: f32,
    /// The way a part of the head faces: it is drawn over the rest of the head when that is towards the eye.
    facing: Vec3,
}

/// Draws a body whose joints are at `frames`, `origin` (metres) being drawn at `paper` (pixels).
pub fn draw(
    canvas: &mut Canvas,
    skeleton: &Skeleton,
    frames: &JointFrames,
    view: View,
    (origin, paper, scale): (Vec3, Vec2, f32),
    palette: &Palette,
) {
    let mut parts = parts(skeleton, frames);
    let depth = |part: &Part| {
        let all = part.spheres.iter().map(|(point, _)| view.nearness(*point)).sum::<f32>();
        let facing = view.nearness(part.facing);
        let first = part.spheres.first().map_or(0.0, |(point, _)| view.nearness(*point));
        match part.facing == Vec3::ZERO {
            true => all / part.spheres.len() as f32,
            // Parts of the head share a depth unless one clearly faces the eye.
            false => {
                first
                    + if facing > 0.6 {
                        0.2
                    } else if facing < -0.6 {
                        -0.2
                    } else {
                        0.0
                    }
            }
        }
    };
    parts.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
    let middle = frames.positions.first().map_or(0.0, |root| view.nearness(*root));
    for part in &parts {
        let discs: Vec<_> = part
            .spheres
            .iter()
            .map(|&(point, radius)| (paper + view.project(point - origin) * scale, radius * scale))
            .collect();
        let ink = match part.tone {
            Tone::Trunk => palette.trunk,
            Tone::Skin => palette.skin,
            Tone::Left => palette.left,
            Tone::Right => palette.right,
        };
        let near = part.spheres.first().map_or(0.0, |(point, _)| view.nearness(*point));
        let away = ((middle - near) * 1.8).clamp(0.0, 0.38);
        let away = if view == View::Above { 0.0 } else { away };
        let ink = ink.mix(palette.edge, part.darker).mix(palette.haze, away);
        let outline = hull(&discs);
        canvas.polygon(&outline, ink);
        // A lighter core, up and towards the light, gives the limb its roundness.
        let core: Vec<_> = discs
            .iter()
            .map(|&(centre, radius)| (centre + Vec2::new(0.22, -0.25) * radius, radius * 0.5))
            .collect();
        canvas.polygon(&hull(&core), ink.mix(Ink::hex(0xffffff), 0.16));
        canvas.line(
            &outline,
            true,
            (0.008 * scale).max(0.6),
            palette.edge.mix(palette.haze, away).fade(0.55),
        );
    }
}

/// Splits the body into parts, by the joint names of the CMU files where they are there.
fn parts(skeleton: &Skeleton, frames: &JointFrames) -> Vec<Part> {
    let at = |name: &str| skeleton.find(name).map(|joint| frames.positions[joint]);
    let size = stature(skeleton) / 1.75;
    let mut parts = Vec::new();
    let mut drawn = false;
    for (side, tone) in [("Left", Tone::Left), ("Right", Tone::Right)] {
        let named = |part: &str| at(&format!("{side}{part}"));
        let mut limb = |a: Option<Vec3>, ra: f32, b: Option<Vec3>, rb: f32, darker: f32, tone: Tone| {
            if let (Some(a), Some(b)) = (a, b) {
                parts.push(Part {
                    spheres: vec![(a, ra * size), (b, rb * size)],
                    tone,
                    darker,
                    facing: Vec3::ZERO,
                });
            }
        };
        limb(named("UpLeg"), 0.082, named("Leg"), 0.055, 0.0, tone);
        limb(named("Leg"), 0.054, named("Foot"), 0.038, 0.08, tone);
        limb(named("Arm"), 0.052, named("ForeArm"), 0.040, 0.0, tone);
        limb(named("ForeArm"), 0.039, named("Hand"), 0.028, 0.08, tone);
        drawn |= named("UpLeg").is_some() && named("Arm").is_some();
        if let Some(hand) = skeleton.find(&format!("{side}Hand")) {
            let wrist = frames.positions[hand];
            let along = named("ForeArm").map_or(Vec3::ZERO, |elbow| (wrist - elbow).normalize_or_zero());
            let tip = match skeleton.joints()[hand].tip {
                Some(_) => frames.tip(skeleton, hand),
                None => wrist + along * 0.16 * size,
            };
            let knuckles = wrist.lerp(tip, 0.5);
            let spheres = vec![
                (wrist.lerp(tip, 0.1), 0.024 * size),
                (knuckles, 0.036 * size),
                (tip.lerp(wrist, 0.12), 0.02 * size),
            ];
            parts.push(Part { spheres, tone: Tone::Skin, darker: 0.0, facing: Vec3::ZERO });
        }
        if let (Some(foot), Some(toe)) =
            (skeleton.find(&format!("{side}Foot")), skeleton.find(&format!("{side}ToeBase")))
        {
            let (ankle, ball) = (frames.positions[foot], frames.positions[toe]);
            let heel = ankle
                + frames.orientations[foot]
                    * (crowdloom_motion::heel_offset(skeleton, foot) + Vec3::Z * 0.03 * size);
            let tip = match skeleton.joints()[toe].tip {
                Some(_) => frames.tip(skeleton, toe),
                None => ball,
            };
            let up = frames.orientations[foot] * Vec3::Z * 0.012 * size;
            let spheres = vec![
                (ankle, 0.038 * size),
                (heel, 0.03 * size),
                (ball + up, 0.034 * size),
                (ankle.lerp(ball, 0.55) + up, 0.036 * size),
            ];
            parts.push(Part { spheres, tone, darker: 0.35, facing: Vec3::ZERO });
            let spheres = vec![(ball + up, 0.033 * size), (tip + up * 0.4, 0.019 * size)];
            parts.push(Part { spheres, tone, darker: 0.35, facing: Vec3::ZERO });
        }
    }
    if !drawn {
        return bones(skeleton, frames, size);
    }
    trunk(skeleton, frames, size, &mut parts);
    parts
}

/// Pelvis, chest, neck and head.
fn trunk(skeleton: &Skeleton, frames: &JointFrames, size: f32, parts: &mut Vec<Part>) {
    let at = |name: &str| skeleton.find(name).map(|joint| frames.positions[joint]);
    let mut facing_part = |spheres: Vec<(Vec3, f32)>, tone, darker, facing| {
        let spheres = spheres.into_iter().map(|(point, radius)| (point, radius * size)).collect();
        parts.push(Part { spheres, tone, darker, facing });
    };
    let mut part = |spheres, tone, darker| facing_part(spheres, tone, darker, Vec3::ZERO);
    let root = frames.positions[0];
    if let (Some(left), Some(right)) = (at("LeftUpLeg"), at("RightUpLeg")) {
        let middle = at("LowerBack").unwrap_or(root);
        let waist = at("Spine").unwrap_or(middle);
        part(
            vec![
                (left.lerp(right, 0.1), 0.095),
                (right.lerp(left, 0.1), 0.095),
                (waist.lerp(middle, 0.5) + (left - right) * 0.22, 0.1),
                (waist.lerp(middle, 0.5) - (left - right) * 0.22, 0.1),
            ],
            Tone::Trunk,
            0.2,
        );
        if let (Some(a), Some(b)) = (at("LeftArm"), at("RightArm")) {
            let top = a.lerp(b, 0.5);
            let chest = waist.lerp(top, 0.55);
            part(
                vec![
                    (waist + (left - right) * 0.2, 0.1),
                    (waist - (left - right) * 0.2, 0.1),
                    (chest.lerp(a, 0.22), 0.122),
                    (chest.lerp(b, 0.22), 0.122),
                    (a.lerp(b, 0.13), 0.062),
                    (b.lerp(a, 0.13), 0.062),
                ],
                Tone::Trunk,
                0.0,
            );
            if let Some(neck) = at("Neck") {
                part(vec![(neck, 0.06), (a.lerp(b, 0.2), 0.06), (b.lerp(a, 0.2), 0.06)], Tone::Trunk, 0.0);
            }
        }
    }
    if let Some(head) = skeleton.find("Head") {
        let base = frames.positions[head];
        let turn = frames.orientations[head];
        if let Some(neck) = at("Neck") {
            part(vec![(neck, 0.056), (base, 0.05)], Tone::Skin, 0.12);
        }
        let top = match skeleton.joints()[head].tip {
            Some(_) => frames.tip(skeleton, head),
            None => base + turn * Vec3::Z * 0.18 * size,
        };
        let up = (top - base).normalize_or(Vec3::Z);
        let forward = (turn * Vec3::X).reject_from_normalized(up).normalize_or(Vec3::X);
        let place = |f: f32, u: f32| base + (forward * f + up * u) * size;
        // Face and jaw, a nose to show where the body looks, hair over the back of the skull.
        let centre = base.lerp(top, 0.4);
        let mut head_part = |spheres: &[(f32, f32, f32)], tone, darker, facing| {
            // The first sphere only tells the depth: it is the same for all and hidden inside.
            let mut placed = vec![(centre, 0.01)];
            placed.extend(spheres.iter().map(|&(f, u, radius)| (place(f, u), radius)));
            facing_part(placed, tone, darker, facing);
        };
        head_part(&[(0.03, 0.078, 0.08), (0.045, 0.012, 0.05)], Tone::Skin, 0.0, forward);
        head_part(&[(0.115, 0.06, 0.018), (0.1, 0.085, 0.016)], Tone::Skin, 0.05, forward);
        let hair = [(-0.018, 0.118, 0.081), (-0.036, 0.07, 0.064), (0.03, 0.15, 0.048)];
        head_part(&hair, Tone::Trunk, 0.55, -forward);
    }
}

/// A body with unknown joint names: a capsule for each bone.
fn bones(skeleton: &Skeleton, frames: &JointFrames, size: f32) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let end = frames.positions[index];
        if let Some(parent) = skeleton.parent(index) {
            let spheres = vec![(frames.positions[parent], 0.035 * size), (end, 0.035 * size)];
            parts.push(Part { spheres, tone: Tone::Trunk, darker: 0.0, facing: Vec3::ZERO });
        }
        if joint.tip.is_some() {
            let spheres = vec![(end, 0.035 * size), (frames.tip(skeleton, index), 0.025 * size)];
            parts.push(Part { spheres, tone: Tone::Skin, darker: 0.0, facing: Vec3::ZERO });
        }
    }
    parts
}

/// Height of the skeleton at rest, in metres.
fn stature(skeleton: &Skeleton) -> f32 {
    let rest = vec![glam::Quat::IDENTITY; skeleton.len()];
    let mut frames = JointFrames::default();
    frames.compute(skeleton, Vec3::ZERO, &rest);
    let heights = (0..skeleton.len())
        .flat_map(|joint| [frames.positions[joint].z, frames.tip(skeleton, joint).z])
        .fold((0.0f32, 0.0f32), |(low, high), z| (low.min(z), high.max(z)));
    (heights.1 - heights.0).max(0.1)
}
