//! Blocks: the links of the chain that a run file is.
//!
//! A block is 16 bytes (kind, three zeros, stored length, plain length, CRC-32 of these twelve and of what is stored,
//! all little endian) and then what is stored: its contents in zlib's format.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{Read, Write};

/// The first bytes of a run file: name and format version.
pub const MAGIC: [u8; 8] = *b"LOOMRUN\x01";

/// Bytes before what a block stores.
pub const PREFIX: usize = 16;

/// The largest block that is written or read, in bytes of its plain contents.
pub const LARGEST: usize = 1 << 30;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What the run is: JSON, first in the file.
    Header,
    /// Motions of clips that the frames after it show.
    Clips,
    /// A stretch of frames.
    Frames,
    /// How it ended: JSON, last in the file.
    End,
}

impl Kind {
    /// The letter that stands for the kind.
    pub fn letter(self) -> u8 {
        match self {
            Self::Header => b'H',
            Self::Clips => b'C',
            Self::Frames => b'F',
            Self::End => b'E',
        }
    }

    fn from_letter(letter: u8) -> Option<Self> {
        [Self::Header, Self::Clips, Self::Frames, Self::End].into_iter().find(|kind| kind.letter() == letter)
    }
}

/// The first bytes of a block, understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// What the block holds.
    pub kind: Kind,
    /// Bytes that follow.
    pub stored: usize,
    /// Bytes that they become.
    pub plain: usize,
    checksum: u32,
}

/// A whole block with `contents`.
pub fn encode(kind: Kind, contents: &[u8]) -> Vec<u8> {
    let mut block = vec![0; PREFIX];
    let mut encoder = ZlibEncoder::new(&mut block, Compression::new(COMPRESSION));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(contents);
    let _ = encoder.finish();
    let stored = (block.len() - PREFIX) as u32;
    block[0] = kind.letter();
    block[4..8].copy_from_slice(&stored.to_le_bytes());
    block[8..12].copy_from_slice(&(contents.len() as u32).to_le_bytes());
    let sum = checksum(&block[..12], &block[PREFIX..]);
    block[12..16].copy_from_slice(&sum.to_le_bytes());
    block
}

/// How hard to compress: columns of small numbers gain little from more, and writing must not slow the run.
const COMPRESSION: u32 = 1;

fn checksum(prefix: &[u8], stored: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(prefix);
    hasher.update(stored);
    hasher.finalize()
}

impl Prefix {
    /// Understands the first bytes of a block; none where they are not.
    pub fn read(bytes: &[u8; PREFIX]) -> Option<Self> {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let prefix = Self {
            kind: Kind::from_letter(bytes[0])?,
            stored: number(4) as usize,
            plain: number(8) as usize,
            checksum: number(12),
        };
        (bytes[1..4] == [0; 3] && prefix.plain <= LARGEST && prefix.stored <= LARGEST).then_some(prefix)
    }

    /// Whether `stored` is what was written.
    pub fn matches(&self, stored: &[u8]) -> bool {
        let mut bytes = [0; 12];
        bytes[0] = self.kind.letter();
        bytes[4..8].copy_from_slice(&(self.stored as u32).to_le_bytes());
        bytes[8..12].copy_from_slice(&(self.plain as u32).to_le_bytes());
        stored.len() == self.stored && checksum(&bytes, stored) == self.checksum
    }

    /// The contents of the block; none where they are damaged.
    pub fn decode(&self, stored: &[u8]) -> Option<Vec<u8>> {
        if !self.matches(stored) {
            return None;
        }
        let mut contents = Vec::new();
        let limit = self.plain as u64 + 1;
        flate2::read::ZlibDecoder::new(stored).take(limit).read_to_end(&mut contents).ok()?;
        (contents.len() == self.plain).then_some(contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_come_back_and_damage_is_seen(
            contents in prop::collection::vec(any::<u8>(), 0..300),
            (place, bit) in (any::<prop::sample::Index>(), 0u8..8),
        ) {
            let mut block = encode(Kind::Frames, &contents);
            let split = |block: &[u8]| {
                let (prefix, stored) = block.split_first_chunk::<PREFIX>()?;
                Prefix::read(prefix)?.decode(stored)
            };
            prop_assert_eq!(split(&block), Some(contents));
            let place = place.index(block.len());
            block[place] ^= 1 << bit;
            prop_assert_eq!(split(&block), None);
        }
    }
}
