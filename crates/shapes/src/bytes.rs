//! Sets of bodies as bytes: whole numbers, little endian; places in tenths of a millimetre, directions in 127ths.

use crate::bake::{Level, Piece, Set, Template};
use crate::rig::RIG;
use glam::Vec3;

/// Places are kept in steps of so many metres.
pub const STEP: f32 = 0.0001;

fn put_point(out: &mut Vec<u8>, p: Vec3) {
    let whole = |value: f32| ((value / STEP).round().clamp(-32768.0, 32767.0) as i16).to_le_bytes();
    p.to_array().iter().for_each(|&value| out.extend(whole(value)));
}

fn put_name(out: &mut Vec<u8>, name: &str) {
    out.push(name.len() as u8);
    out.extend(name.as_bytes());
}

/// A whole set as bytes.
pub fn write(set: &Set) -> Vec<u8> {
    let mut out = vec![set.templates.len() as u8];
    for template in &set.templates {
        put_name(&mut out, &template.name);
        out.push(template.woman.map_or(2, u8::from));
        let [height, weight] = template.person.unwrap_or_default();
        for value in [template.ages[0], template.ages[1], template.height, height, weight] {
            out.extend(value.to_le_bytes());
        }
        out.extend(template.skin);
    }
    out.extend((set.pieces.len() as u16).to_le_bytes());
    for piece in &set.pieces {
        put_name(&mut out, &piece.name);
        out.extend([piece.slot, piece.covers]);
        for level in &piece.levels {
            out.extend((level.joints.len() as u16).to_le_bytes());
            out.extend((level.triangles.len() as u16).to_le_bytes());
            level.joints.iter().for_each(|joints| out.extend(joints));
            level.weights.iter().for_each(|weights| out.extend(weights));
            out.extend(&level.regions);
            level.paint.iter().for_each(|&p| put_point(&mut out, p));
            for (points, normals) in level.points.iter().zip(&level.normals) {
                points.iter().for_each(|&p| put_point(&mut out, p));
                for n in normals {
                    n.to_array().iter().for_each(|value| out.push((value * 127.0).round() as i8 as u8));
                }
            }
            level.triangles.iter().flatten().for_each(|index| out.extend(index.to_le_bytes()));
        }
    }
    out
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn number(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn float(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes).filter(|value| value.is_finite())
    }

    fn name(&mut self) -> Option<String> {
        let length = self.byte()?;
        let name: Option<Vec<u8>> = (0..length).map(|_| self.byte()).collect();
        String::from_utf8(name?).ok()
    }

    fn points(&mut self, count: u16) -> Option<Vec<Vec3>> {
        let mut point = || {
            let [x, y, z] = [self.take()?, self.take()?, self.take()?].map(i16::from_le_bytes);
            Some(Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * STEP)
        };
        (0..count).map(|_| point()).collect()
    }

    fn template(&mut self) -> Option<Template> {
        let (name, woman) = (self.name()?, self.byte()?);
        let [from, to, height, stature, weight] =
            [self.float()?, self.float()?, self.float()?, self.float()?, self.float()?];
        Some(Template {
            name,
            woman: match woman {
                2 => None,
                sex => Some(sex == 1),
            },
            ages: [from, to],
            height: (0.5..3.0).contains(&height).then_some(height)?,
            person: (stature > 0.0 && weight > 0.0).then_some([stature, weight]),
            skin: self.take()?,
        })
    }

    fn level(&mut self, templates: usize) -> Option<Level> {
        let (points, triangles) = (self.number()?, self.number()?);
        let mut level = Level {
            joints: (0..points).map(|_| self.take()).collect::<Option<_>>()?,
            weights: (0..points).map(|_| self.take()).collect::<Option<_>>()?,
            regions: (0..points).map(|_| self.byte()).collect::<Option<_>>()?,
            paint: self.points(points)?,
            ..Level::default()
        };
        for _ in 0..templates {
            level.points.push(self.points(points)?);
            let mut normal = || {
                let [x, y, z] = self.take::<3>()?.map(|byte| f32::from(byte as i8));
                Some(Vec3::new(x, y, z).normalize_or(Vec3::Z))
            };
            level.normals.push((0..points).map(|_| normal()).collect::<Option<_>>()?);
        }
        let mut triangle = || Some([self.number()?, self.number()?, self.number()?]);
        level.triangles = (0..triangles).map(|_| triangle()).collect::<Option<_>>()?;
        let sound = level.joints.iter().flatten().all(|&joint| usize::from(joint) < RIG.len())
            && level
                .weights
                .iter()
                .all(|weights| weights.iter().map(|&weight| u32::from(weight)).sum::<u32>() == 255)
            && level.triangles.iter().flatten().all(|&index| index < points);
        sound.then_some(level)
    }
}

/// The set of [`write`]'s bytes; none where they are torn or speak of what is not there.
pub fn read(bytes: &[u8]) -> Option<Set> {
    let mut from = Reader(bytes);
    let templates: Vec<Template> = (0..from.byte()?).map(|_| from.template()).collect::<Option<_>>()?;
    let mut pieces = Vec::new();
    for _ in 0..from.number()? {
        let name = from.name()?;
        let (slot, covers) = (from.byte()?, from.byte()?);
        let levels =
            [from.level(templates.len())?, from.level(templates.len())?, from.level(templates.len())?];
        pieces.push(Piece { name, slot, covers, levels });
    }
    let sound =
        !templates.is_empty() && pieces.first().is_some_and(|skin| skin.slot == 0) && from.0.is_empty();
    sound.then_some(Set { templates, pieces })
}
