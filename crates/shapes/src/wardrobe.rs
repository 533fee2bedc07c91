//! What people are put together from: skin, clothes, hair and things, each a solid with its slot.

use crate::field::{Form, Solid};
use crate::human::{self, HEAD, Shape};
use crate::rig::Hang;
use crate::{accessories, clothes, hair};
use glam::Vec3;

/// What a piece is for: of most a person has at most one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// The skin itself.
    Skin,
    /// Hair on the head.
    Hair,
    /// Beards.
    Beard,
    /// From the shoulders down.
    Top,
    /// From the waist down.
    Bottom,
    /// Both shoes.
    Shoes,
    /// Accessories on the head.
    Hat,
    /// Accessories before the eyes.
    Eyes,
    /// Accessories about the neck.
    Neck,
    /// Accessories on the back.
    Back,
    /// Accessories over the shoulder.
    Shoulder,
    /// Accessories in the left hand.
    LeftHand,
    /// Accessories in the right hand.
    RightHand,
}

/// Parts of the skin that a piece hides, as bits.
pub mod cover {
    /// Chest, belly and back.
    pub const TRUNK: u8 = 1;
    /// Shoulders and the upper half of the upper arms.
    pub const SHOULDERS: u8 = 2;
    /// From there to the wrists.
    pub const ARMS: u8 = 4;
    /// From the hips to above the knees.
    pub const THIGHS: u8 = 8;
    /// From there to the ankles.
    pub const SHINS: u8 = 16;
    /// The feet.
    pub const FEET: u8 = 32;
    /// The skull where hair grows.
    pub const SCALP: u8 = 64;
}

/// The bit of the region of skin that a point of the body lies in; 0 where nothing hides it.
pub fn region(p: Vec3) -> u8 {
    let out = p.y.abs();
    match p {
        _ if p.z > 1.56 => {
            let h = p - HEAD;
            let scalp = h.z - 0.150 > (h.x - 0.035) * 0.9;
            if scalp { cover::SCALP } else { 0 }
        }
        _ if out > 0.715 || p.z > 1.462 && out < 0.10 => 0,
        _ if out > 0.315 && p.z > 1.2 => cover::ARMS,
        _ if out > 0.20 && p.z > 1.2 => cover::SHOULDERS,
        _ if p.z > 0.985 => cover::TRUNK,
        _ if p.z > 0.560 => cover::THIGHS,
        _ if p.z > 0.105 => cover::SHINS,
        _ => cover::FEET,
    }
}

/// Where a piece is cut from space: its corners and the grid's step in metres.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The lower corner.
    pub low: Vec3,
    /// The upper corner.
    pub high: Vec3,
    /// The step of the grid.
    pub step: f32,
}

/// A piece that people are put together from.
pub struct Design {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub slot: Slot,
    /// What moves it.
    pub hang: Hang,
    /// The skin that it hides.
    pub covers: u8,
    /// Triangles in each of three details; 0 where it is not worth any.
    pub triangles: [usize; 3],
    /// Where it is.
    pub room: Room,
    /// Its shape on a body.
    pub solid: fn(&Shape) -> Solid,
}
pub(crate) fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

pub(crate) fn room(low: [f32; 3], high: [f32; 3], step: f32) -> Room {
    Room { low: Vec3::from_array(low), high: Vec3::from_array(high), step }
}

/// The room about a head, down to a height in metres.
pub(crate) fn head_room(low: f32) -> Room {
    room([-0.24, -0.20, low], [0.24, 0.20, 1.92], 0.009)
}

pub(crate) fn above(z: f32) -> Form {
    Form::Half(v(0.0, 0.0, z), Vec3::NEG_Z)
}

pub(crate) fn below(z: f32) -> Form {
    Form::Half(v(0.0, 0.0, z), Vec3::Z)
}

pub(crate) fn piece(
    name: &'static str,
    slot: Slot,
    hang: Hang,
    covers: u8,
    triangles: [usize; 3],
    room: Room,
    solid: fn(&Shape) -> Solid,
) -> Design {
    // Things are closed bodies: none may be so fine that it vanishes between two lines of its grid.
    debug_assert!(room.low.cmplt(room.high).all() && triangles[0] > 0);
    Design { name, slot, hang, covers, triangles, room, solid }
}

/// All pieces, the skin first.
pub fn designs() -> Vec<Design> {
    let about = room([-0.16, -0.96, -0.02], [0.24, 0.96, 1.92], 0.0072);
    let skin =
        piece("skin", Slot::Skin, Hang::Body, 0, [3000, 600, 150], about, |shape| human::body(shape, true));
    [vec![skin], clothes::designs(), hair::designs(), accessories::designs()].into_iter().flatten().collect()
}
