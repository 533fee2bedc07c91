//! Columns of whole numbers as differences, small numbers in few bytes.

/// Why bytes are not a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the numbers of a block are damaged")]
pub struct Damaged;

/// Appends an unsigned number, seven bits a byte, lowest first.
#[inline]
pub fn put_number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed number; small ones of either sign take one byte.
#[inline]
pub fn put_signed(out: &mut Vec<u8>, value: i64) {
    put_number(out, ((value << 1) ^ (value >> 63)) as u64);
}

/// Appends a text with its length.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend(text.as_bytes());
}

/// Reads numbers off the front of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a>(pub &'a [u8]);

impl<'a> Numbers<'a> {
    /// The next unsigned number.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(Damaged)?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Damaged)
    }

    /// The next unsigned number, at most `limit`.
    pub fn at_most(&mut self, limit: u64) -> Result<usize, Damaged> {
        self.number().and_then(|value| if value <= limit { Ok(value as usize) } else { Err(Damaged) })
    }

    /// The next signed number.
    pub fn signed(&mut self) -> Result<i64, Damaged> {
        self.number().map(|value| (value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The next `length` bytes.
    pub fn bytes(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// The next text.
    pub fn text(&mut self) -> Result<&'a str, Damaged> {
        let length = self.at_most(self.0.len() as u64)?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| Damaged)
    }
}

/// Turns a sequence into the differences of differences that compress well, and back.
///
/// With `order` 1 each value is given as the change from the one before it, with 2 as the change of that change.
#[derive(Clone, Copy, Debug)]
pub struct Differences {
    order: u8,
    last: i64,
    change: i64,
    count: u8,
}

impl Differences {
    /// Differences of the given order, 0 to 2.
    pub fn new(order: u8) -> Self {
        Self { order, last: 0, change: 0, count: 0 }
    }

    /// What to write for `value`.
    pub fn encode(&mut self, value: i64) -> i64 {
        let difference = value.wrapping_sub(self.expected());
        self.follow(value);
        difference
    }

    /// The value for what was written.
    pub fn decode(&mut self, difference: i64) -> i64 {
        let value = self.expected().wrapping_add(difference);
        self.follow(value);
        value
    }

    fn expected(&self) -> i64 {
        match self.order {
            0 => 0,
            1 => self.last,
            _ => self.last.wrapping_add(self.change),
        }
    }

    fn follow(&mut self, value: i64) {
        // The step to the first value is no change that is likely to go on.
        self.change = if self.count > 0 { value.wrapping_sub(self.last) } else { 0 };
        self.last = value;
        self.count = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_come_back(values in prop::collection::vec(any::<i64>(), 0..40), order in 0u8..3) {
            let mut bytes = Vec::new();
            let mut differences = Differences::new(order);
            values.iter().for_each(|&value| put_signed(&mut bytes, differences.encode(value)));
            let (mut numbers, mut differences) = (Numbers(&bytes), Differences::new(order));
            for &value in &values {
                prop_assert_eq!(differences.decode(numbers.signed().unwrap()), value);
            }
            prop_assert!(numbers.0.is_empty() && numbers.number().is_err());
        }
    }
}
