//! Moving pictures as GIF files, without another program.
//!
//! All pictures share one palette, the cube of 6 reds, 7 greens and 6 blues, and are dithered in an ordered pattern, so that
//! what stands still does not flicker.

use std::io::{self, Write};

/// Levels of red, green and blue in the palette.
const LEVELS: [usize; 3] = [6, 7, 6];
/// Bits of a colour's number.
const BITS: u8 = 8;
/// Codes of the compression that mean something else: begin anew, and the end.
const CLEAR: u16 = 1 << BITS;
const END: u16 = CLEAR + 1;
/// No code is as large.
const MOST_CODES: u16 = 1 << 12;

/// Bayer's 4 x 4 pattern.
const PATTERN: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// A GIF file while pictures come.
pub struct Gif<W: Write> {
    out: W,
    width: u16,
    height: u16,
    /// Hundredths of a second that pictures are shown, as a fraction that is carried on.
    shown: f64,
    carried: f64,
}

impl<W: Write> Gif<W> {
    /// Begins a file of pictures of so many pixels across and down, `rate` in a second (browsers show at most 50).
    pub fn new(mut out: W, width: u16, height: u16, rate: f64) -> io::Result<Self> {
        out.write_all(b"GIF89a")?;
        out.write_all(&width.to_le_bytes())?;
        out.write_all(&height.to_le_bytes())?;
        // A palette of 256 colours for all pictures.
        out.write_all(&[0xf7, 0, 0])?;
        let level = |number: usize, of: usize| (number * 255 / (of - 1)) as u8;
        let [reds, greens, blues] = LEVELS;
        let mut palette = Vec::with_capacity(768);
        for number in 0..reds * greens * blues {
            let (red, green, blue) = (number / (greens * blues), number / blues % greens, number % blues);
            palette.extend([level(red, reds), level(green, greens), level(blue, blues)]);
        }
        palette.resize(768, 0);
        out.write_all(&palette)?;
        // Over and over.
        out.write_all(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")?;
        Ok(Self { out, width, height, shown: 100.0 / rate.clamp(0.1, 50.0), carried: 0.0 })
    }

    /// Adds a picture: red, green and blue of each pixel, row after row.
    pub fn picture(&mut self, rgb: &[u8]) -> io::Result<()> {
        let pixels = usize::from(self.width) * usize::from(self.height);
        if rgb.len() != 3 * pixels {
            let wrong = format!("a picture of {} bytes does not fit {} pixels", rgb.len(), pixels);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, wrong));
        }
        self.carried += self.shown;
        let hundredths = self.carried.round().min(f64::from(u16::MAX));
        self.carried -= hundredths;
        self.out.write_all(b"\x21\xf9\x04\x04")?;
        self.out.write_all(&(hundredths as u16).to_le_bytes())?;
        self.out.write_all(&[0, 0, 0x2c, 0, 0, 0, 0])?;
        self.out.write_all(&self.width.to_le_bytes())?;
        self.out.write_all(&self.height.to_le_bytes())?;
        self.out.write_all(&[0, BITS])?;
        let wide = usize::from(self.width);
        let numbers = rgb.chunks_exact(3).enumerate().map(|(at, rgb)| colour(rgb, at % wide, at / wide));
        let packed = compress(numbers);
        for block in packed.chunks(255) {
            self.out.write_all(&[block.len() as u8])?;
            self.out.write_all(block)?;
        }
        self.out.write_all(&[0])
    }

    /// Ends the file.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(&[0x3b])?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The number in the palette of the colour of a pixel at a place.
fn colour(rgb: &[u8], x: usize, y: usize) -> u8 {
    let threshold = (usize::from(PATTERN[y % 4][x % 4]) * 2 + 1) * 255 / 32;
    let mut number = 0;
    for (&value, levels) in rgb.iter().zip(LEVELS) {
        // Between two levels the pattern decides.
        let scaled = usize::from(value) * (levels - 1);
        number = number * levels + scaled / 255 + usize::from(scaled % 255 > threshold);
    }
    number as u8
}

/// Codes of growing width, packed into bytes from the lowest bit on.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    bits: u32,
    count: u32,
}

impl Packed {
    fn push(&mut self, code: u16, width: u32) {
        self.bits |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.bits as u8);
            self.bits >>= 8;
            self.count -= 8;
        }
    }
}

/// The compression of GIF (LZW, Welch 1984, with codes of growing width).
fn compress(mut numbers: impl Iterator<Item = u8>) -> Vec<u8> {
    let first_width = u32::from(BITS) + 1;
    let mut packed = Packed::default();
    packed.push(CLEAR, first_width);
    let Some(first) = numbers.next() else {
        packed.push(END, first_width);
        packed.bytes.push(packed.bits as u8);
        return packed.bytes;
    };
    // The code of each known string with one more number; 0 where there is none, as no string has that code.
    let mut longer = vec![0u16; usize::from(MOST_CODES) << BITS];
    let (mut next, mut width) = (END + 1, first_width);
    let mut known = u16::from(first);
    for number in numbers {
        let at = usize::from(known) << BITS | usize::from(number);
        if longer[at] != 0 {
            known = longer[at];
            continue;
        }
        packed.push(known, width);
        known = u16::from(number);
        if next == MOST_CODES {
            packed.push(CLEAR, width);
            longer.fill(0);
            (next, width) = (END + 1, first_width);
            continue;
        }
        longer[at] = next;
        if next == 1 << width {
            width += 1;
        }
        next += 1;
    }
    packed.push(known, width);
    packed.push(END, width);
    if packed.count > 0 {
        packed.bytes.push(packed.bits as u8);
    }
    packed.bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the numbers back, as any reader does.
    fn expand(bytes: &[u8]) -> Vec<u8> {
        let (mut at, mut width) = (0usize, u32::from(BITS) + 1);
        let mut read = |width: u32| {
            let code = (0..width as usize).map(|bit| {
                let place = at + bit;
                u16::from(bytes[place / 8] >> (place % 8) & 1) << bit
            });
            let code = code.sum::<u16>();
            at += width as usize;
            code
        };
        let (mut strings, mut before): (Vec<Vec<u8>>, Option<Vec<u8>>) = (Vec::new(), None);
        let mut out = Vec::new();
        loop {
            let code = read(width);
            if code == END {
                return out;
            }
            if code == CLEAR {
                strings = (0..=END).map(|number| vec![number as u8]).collect();
                width = u32::from(BITS) + 1;
                before = None;
                continue;
            }
            let entry = match (strings.get(usize::from(code)), &before) {
                (Some(known), _) => known.clone(),
                (None, Some(before)) => before.iter().chain(&before[..1]).copied().collect(),
                (None, None) => panic!("code {code} comes first"),
            };
            if let Some(mut longer) = before.take() {
                longer.push(entry[0]);
                strings.push(longer);
                if strings.len() == 1 << width && width < 12 {
                    width += 1;
                }
            }
            out.extend(&entry);
            before = Some(entry);
        }
    }

    #[test]
    fn what_is_compressed_comes_back() {
        let noise = |count: u32| (0..count).map(|at| (at.wrapping_mul(2_654_435_761) >> 23) as u8).collect();
        let plain: Vec<Vec<u8>> = vec![
            Vec::new(),
            vec![7],
            vec![5; 100_000],
            noise(60_000),
            (0..50_000).map(|at| (at / 300) as u8).collect(),
        ];
        for numbers in plain {
            assert_eq!(expand(&compress(numbers.iter().copied())), numbers);
        }
    }

    #[test]
    fn a_file_has_all_pictures_and_the_time_between_them() {
        let mut gif = Gif::new(Vec::new(), 3, 2, 30.0).unwrap();
        for shade in [0u8, 128, 255] {
            gif.picture(&[shade; 18]).unwrap();
        }
        assert!(gif.picture(&[0; 17]).is_err());
        let bytes = gif.finish().unwrap();
        assert!(bytes.starts_with(b"GIF89a\x03\x00\x02\x00") && bytes.ends_with(&[0x3b]));
        // Thirty pictures a second take 3, 4 and 3 hundredths.
        let shown: Vec<u8> =
            bytes.windows(5).filter(|own| own.starts_with(b"\x21\xf9\x04\x04")).map(|own| own[4]).collect();
        assert_eq!(shown, [3, 4, 3]);
    }

    #[test]
    fn colours_are_near_what_they_were() {
        // The mean of a dithered square is the colour itself, to a level in sixteen.
        let [_, greens, blues] = LEVELS;
        for value in [0u8, 40, 90, 128, 200, 255] {
            let red = |x: usize, y: usize| usize::from(colour(&[value; 3], x, y)) / (greens * blues) * 51;
            let mean = (0..16).map(|at| red(at % 4, at / 4)).sum::<usize>() as f32 / 16.0;
            assert!((mean - f32::from(value)).abs() < 5.0, "{value}: {mean}");
        }
    }
}
