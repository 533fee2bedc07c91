//! Pieces as bytes: whole numbers, little endian; places in tenths of a millimetre, directions in 127ths.

use crate::bake::{Level, Piece, TEMPLATES};
use glam::Vec3;

/// Places are kept in steps of so many metres.
pub const STEP: f32 = 0.0001;

/// All pieces as bytes.
pub fn write(pieces: &[Piece]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend((pieces.len() as u16).to_le_bytes());
    for piece in pieces {
        out.push(piece.name.len() as u8);
        out.extend(piece.name.as_bytes());
        out.extend([piece.slot, piece.covers]);
        for level in &piece.levels {
            out.extend((level.joints.len() as u16).to_le_bytes());
            out.extend((level.triangles.len() as u16).to_le_bytes());
            level.joints.iter().for_each(|joints| out.extend(joints));
            level.weights.iter().for_each(|weights| out.extend(weights));
            out.extend(&level.regions);
            for body in 0..TEMPLATES.len() {
                for p in &level.points[body] {
                    p.to_array()
                        .iter()
                        .for_each(|value| out.extend(((value / STEP).round() as i16).to_le_bytes()));
                }
                for n in &level.normals[body] {
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
}

/// Pieces of [`write`]'s bytes; none where they are torn.
pub fn read(bytes: &[u8]) -> Option<Vec<Piece>> {
    let mut from = Reader(bytes);
    let mut pieces = Vec::new();
    for _ in 0..from.number()? {
        let length = from.byte()?;
        let name: Option<Vec<u8>> = (0..length).map(|_| from.byte()).collect();
        let name = String::from_utf8(name?).ok()?;
        let (slot, covers) = (from.byte()?, from.byte()?);
        let mut levels: [Level; 3] = Default::default();
        for level in &mut levels {
            let (points, triangles) = (from.number()?, from.number()?);
            level.joints = (0..points).map(|_| from.take()).collect::<Option<_>>()?;
            level.weights = (0..points).map(|_| from.take()).collect::<Option<_>>()?;
            level.regions = (0..points).map(|_| from.byte()).collect::<Option<_>>()?;
            for body in 0..TEMPLATES.len() {
                let mut point = || {
                    let [x, y, z] = [from.take()?, from.take()?, from.take()?].map(i16::from_le_bytes);
                    Some(Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * STEP)
                };
                level.points[body] = (0..points).map(|_| point()).collect::<Option<_>>()?;
                let mut normal = || {
                    let [x, y, z] = from.take::<3>()?.map(|byte| f32::from(byte as i8));
                    Some(Vec3::new(x, y, z).normalize_or(Vec3::Z))
                };
                level.normals[body] = (0..points).map(|_| normal()).collect::<Option<_>>()?;
            }
            let mut triangle = || Some([from.number()?, from.number()?, from.number()?]);
            level.triangles = (0..triangles).map(|_| triangle()).collect::<Option<_>>()?;
        }
        pieces.push(Piece { name, slot, covers, levels });
    }
    Some(pieces)
}
