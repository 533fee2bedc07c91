//! How much each term of the choice counts.

/// The weights of equation 2, and ours for speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyleWeights {
    /// w_d: how much agents differ from their neighbours.
    pub local: f32,
    /// w_u: how evenly styles are used.
    pub utilisation: f32,
    /// w_c: how much agents stay as they are.
    pub consistency: f32,
    /// How much a style is avoided whose own speed is far from the agent's (ours).
    pub speed: f32,
}

impl StyleWeights {
    /// The largest of w_d, w_u and w_c.
    pub fn most(&self) -> f32 {
        self.local.max(self.utilisation).max(self.consistency)
    }
}

impl Default for StyleWeights {
    fn default() -> Self {
        Self { local: 1.0, utilisation: 1.0, consistency: 1.0, speed: 0.5 }
    }
}
