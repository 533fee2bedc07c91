//! The table `[scheme]`: the numbers with which people weigh what to do next (thesis section 3.2 and appendix).

use crowdloom_crowd::scheme::{Alphas, Scheme, StraightFrom};
use schemars::JsonSchema;
use serde::Deserialize;

/// How those who follow clips of the motion graph weigh what they could do next.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SchemeTable {
    /// The slopes α of behaviour functions (equation 3.1): the larger, the more a function tells actions apart.
    pub alpha: AlphaTable,
    /// What turns are measured from: which way one faces (ours), or the position before (appendix A.1).
    pub straight_from: StraightTable,
    /// The power that weights count to when one action is drawn; 1 is as published [default: 2.5].
    pub decisive: Option<f32>,
}

/// Slopes α of behaviour functions.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AlphaTable {
    /// Coming nearer to one's own target [default: 12].
    pub find_target: Option<f32>,
    /// Walking straight [default: 6].
    pub dont_turn: Option<f32>,
    /// Facing what a place is for [default: 6].
    pub face: Option<f32>,
    /// Facing the one ahead in a line [default: 4].
    pub face_in_line: Option<f32>,
    /// Settling on a spot [default: 30].
    pub settle: Option<f32>,
    /// Keeping together with others [default: 12].
    pub keep_together: Option<f32>,
    /// `me.come_nearer` in rules [default: 6].
    pub come_nearer: Option<f32>,
    /// `me.keep_away` in rules [default: 6].
    pub keep_away: Option<f32>,
}

/// What turns are measured from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StraightTable {
    /// Which way one faces.
    #[default]
    Facing,
    /// The position before.
    PreviousPosition,
}

impl SchemeTable {
    /// These numbers as decisions take them.
    pub(crate) fn scheme(&self) -> Scheme {
        let (usual, own) = (Scheme::default(), &self.alpha);
        let alphas = usual.alphas;
        Scheme {
            alphas: Alphas {
                find_target: own.find_target.unwrap_or(alphas.find_target),
                dont_turn: own.dont_turn.unwrap_or(alphas.dont_turn),
                face: own.face.unwrap_or(alphas.face),
                face_in_line: own.face_in_line.unwrap_or(alphas.face_in_line),
                settle: own.settle.unwrap_or(alphas.settle),
                keep_together: own.keep_together.unwrap_or(alphas.keep_together),
                come_nearer: own.come_nearer.unwrap_or(alphas.come_nearer),
                keep_away: own.keep_away.unwrap_or(alphas.keep_away),
            },
            straight_from: match self.straight_from {
                StraightTable::Facing => StraightFrom::Facing,
                StraightTable::PreviousPosition => StraightFrom::PreviousPosition,
            },
            decisive: self.decisive.unwrap_or(usual.decisive),
        }
    }
}
