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
    const fn new(local: f32, utilisation: f32, consistency: f32) -> Self {
        Self { local, utilisation, consistency, speed: 0.5 }
    }
}

impl Default for StyleWeights {
    fn default() -> Self {
        Self::new(1.0, 1.0, 1.0)
    }
}

/// Table I: the weights of each scene and the priority P_S of its favoured styles.
pub const TABLE_I: [(&str, StyleWeights, f32); 6] = [
    ("flocking", StyleWeights::new(1.0, 1.0, 5.0), 1.0),
    ("urban-street", StyleWeights::new(1.0, 1.0, 1.0), 1.0),
    ("panic-evacuation", StyleWeights::new(5.0, 5.0, 1.0), 1.0),
    ("fighting-training", StyleWeights::new(10.0, 5.0, 1.0), 1.0),
    ("street-entertainment", StyleWeights::new(10.0, 5.0, 3.0), 1.0),
    ("military-march", StyleWeights::new(1.0, 10.0, 5.0), 10.0),
];
