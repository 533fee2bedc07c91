//! Numbers that follow from who somebody is and what they are for.

/// Draws for one person: each purpose has its own stream.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    number: u32,
}

impl Chance {
    /// Draws of the person that is drawn by `number`.
    pub fn of(number: u32) -> Self {
        Self { number }
    }

    /// An even number from 0 to below 1.
    pub fn unit(&self, purpose: u32) -> f32 {
        let mut bits = self.number.wrapping_add(1).wrapping_mul(0x9e37_79b1)
            ^ purpose.wrapping_add(1).wrapping_mul(0x85eb_ca6b);
        bits = (bits ^ (bits >> 15)).wrapping_mul(0x2c1b_3c6d);
        bits = (bits ^ (bits >> 12)).wrapping_mul(0x297a_2d39);
        bits ^= bits >> 15;
        (bits >> 8) as f32 / 16_777_216.0
    }

    /// A number from `low` to `high`.
    pub fn between(&self, purpose: u32, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit(purpose)
    }

    /// About normal with mean 0 and deviation 1, never beyond 3: a sum of four even numbers.
    pub fn normal(&self, purpose: u32) -> f32 {
        let sum: f32 = (0..4).map(|part| self.unit(purpose.wrapping_mul(31).wrapping_add(part + 977))).sum();
        ((sum - 2.0) * 1.732).clamp(-3.0, 3.0)
    }

    /// One of several by their shares, which need not sum to 1.
    pub fn pick<'a, T>(&self, purpose: u32, choices: &'a [(T, f32)]) -> Option<&'a T> {
        let total: f32 = choices.iter().map(|(_, share)| share.max(0.0)).sum();
        let mut left = self.unit(purpose) * total;
        for (choice, share) in choices {
            left -= share.max(0.0);
            if left < 0.0 {
                return Some(choice);
            }
        }
        choices.iter().rev().find(|(_, share)| *share > 0.0).map(|(choice, _)| choice)
    }
}
