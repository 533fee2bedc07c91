//! How much each term of the choice counts: the source's, and what we add to it.

/// The weights of equation 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyleWeights {
    /// w_d: how much agents differ from their neighbours.
    pub local: f32,
    /// w_u: how evenly styles are used.
    pub utilisation: f32,
    /// w_c: how much agents stay as they are.
    pub consistency: f32,
}

impl StyleWeights {
    /// The largest of w_d, w_u and w_c.
    pub fn most(&self) -> f32 {
        self.local.max(self.utilisation).max(self.consistency)
    }
}

impl Default for StyleWeights {
    fn default() -> Self {
        Self { local: 1.0, utilisation: 1.0, consistency: 1.0 }
    }
}

/// What our choice has besides equations 2 to 8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StyleAdditions {
    /// Whether D, U and C are relative to the mean difference of two styles, to the style's target and to the reach of the
    /// consistency table, so that weights mean the same in every type and in crowds of any size.
    pub relative: bool,
    /// How much a style is avoided whose own speed is far from the agent's.
    pub speed: f32,
    /// What a neighbour of the very same style costs beyond equation 3, in mean differences of two styles: a clone is seen
    /// even where the other neighbours differ all the more. Styles that the group favours cost nothing: a march marches.
    pub clone_cost: f32,
    /// What it costs to do the same again, in mean differences of two styles, for what is no cycle: nobody throws the same
    /// punch for ever.
    pub repetition_cost: f32,
    /// Whether people walk and run no faster than their styles can be played without hurrying, where a velocity moves them: who has
    /// a slow style takes its time.
    pub gives_way: bool,
    /// Seconds for which a person keeps a way of walking or running that it has taken up, unless much is gained.
    pub keep: f32,
}

impl StyleAdditions {
    /// Equations 2 to 8 and nothing else.
    pub const NONE: Self = Self {
        relative: false,
        speed: 0.0,
        clone_cost: 0.0,
        repetition_cost: 0.0,
        gives_way: false,
        keep: 0.0,
    };
}

impl Default for StyleAdditions {
    fn default() -> Self {
        Self {
            relative: true,
            speed: 0.5,
            clone_cost: 6.0,
            repetition_cost: 0.3,
            gives_way: true,
            keep: 120.0,
        }
    }
}
