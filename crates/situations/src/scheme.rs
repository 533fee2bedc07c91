//! Numbers of the probability scheme (thesis section 3.2 and appendix) that a scene may set.

/// Slopes α of the behaviour functions' sigmoids (equation 3.1): the larger, the more a function tells actions apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alphas {
    /// Of coming nearer to one's own target, whose x is a share of the pace.
    pub find_target: f32,
    /// Of walking straight, whose x is in radians.
    pub dont_turn: f32,
    /// Of facing what a place is for.
    pub face: f32,
    /// Of facing the one ahead in a line.
    pub face_in_line: f32,
    /// Of settling on a spot, whose x is in metres.
    pub settle: f32,
    /// Of keeping together with others, whose x is a share of the pace.
    pub keep_together: f32,
    /// Of `me.come_nearer` in rules, the same.
    pub come_nearer: f32,
    /// Of `me.keep_away` in rules, whose x is in metres.
    pub keep_away: f32,
}

impl Default for Alphas {
    fn default() -> Self {
        Self {
            find_target: 12.0,
            dont_turn: 6.0,
            face: 6.0,
            face_in_line: 4.0,
            settle: 30.0,
            keep_together: 12.0,
            come_nearer: 6.0,
            keep_away: 6.0,
        }
    }
}

/// What turns are measured from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StraightFrom {
    /// Which way one faces now and at the end of an action.
    #[default]
    Facing,
    /// The way from the position before to where one is, and on to the end of an action (appendix A.1).
    PreviousPosition,
}

/// How behaviour functions weigh and how their product is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    /// The slopes.
    pub alphas: Alphas,
    /// What turns are measured from.
    pub straight_from: StraightFrom,
    /// The power that weights count to when one action is drawn: the larger, the more surely it is the best; 1 is as published.
    pub decisive: f32,
}

impl Default for Scheme {
    fn default() -> Self {
        Self { alphas: Alphas::default(), straight_from: StraightFrom::default(), decisive: 2.5 }
    }
}
