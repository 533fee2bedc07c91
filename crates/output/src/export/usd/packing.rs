//! How tables of USD's binary form are packed: numbers as differences of one, two or four bytes, inside a block of LZ4.
//!
//! Tables are small beside the values, so blocks hold what they hold as it is, which the format allows.

/// A block of LZ4 that consists of literals alone, behind the 0 that says that it is the only one.
pub fn block(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 255 + 8);
    let more = bytes.len().checked_sub(15);
    packed.extend([0, (bytes.len().min(15) as u8) << 4]);
    if let Some(mut more) = more {
        while more >= 255 {
            packed.push(255);
            more -= 255;
        }
        packed.push(more as u8);
    }
    packed.extend_from_slice(bytes);
    packed
}

/// Numbers: the commonest difference from one to the next, two bits for each number that tell how its difference is
/// stored (it is the commonest; in one, two or four bytes), and those that are.
pub fn numbers(numbers: impl IntoIterator<Item = i32>) -> Vec<u8> {
    let mut before = 0i32;
    let differences: Vec<i32> = numbers
        .into_iter()
        .map(|number| {
            let difference = number.wrapping_sub(before);
            before = number;
            difference
        })
        .collect();
    let commonest = commonest(&differences);
    let mut codes = vec![0u8; differences.len().div_ceil(4)];
    let mut stored = Vec::new();
    for (index, &difference) in differences.iter().enumerate() {
        let code = if difference == commonest {
            0
        } else if let Ok(byte) = i8::try_from(difference) {
            stored.extend(byte.to_le_bytes());
            1
        } else if let Ok(short) = i16::try_from(difference) {
            stored.extend(short.to_le_bytes());
            2
        } else {
            stored.extend(difference.to_le_bytes());
            3
        };
        codes[index / 4] |= code << (2 * (index % 4));
    }
    let mut bytes = commonest.to_le_bytes().to_vec();
    bytes.extend(codes);
    bytes.extend(stored);
    block(&bytes)
}

fn commonest(numbers: &[i32]) -> i32 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).map_or(0, |run| run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_what_they_are_given() {
        for length in [0, 1, 14, 15, 16, 269, 270, 271, 1000] {
            let bytes: Vec<u8> = (0..length).map(|index| index as u8).collect();
            let packed = block(&bytes);
            assert_eq!(&packed[packed.len() - length..], bytes, "{length}");
            let lengths = if length < 15 { 0 } else { (length - 15) / 255 + 1 };
            assert_eq!(packed.len(), 2 + lengths + length, "{length}");
        }
    }

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        // Differences 1, 1, 1, 300, -70000: four bytes, two of codes, none for those in common, two and four.
        assert_eq!(numbers([1, 2, 3, 303, -69697]).len(), 2 + 4 + 2 + 2 + 4);
    }
}
