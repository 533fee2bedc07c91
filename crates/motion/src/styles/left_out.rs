//! Why clips gave no style.

use serde::Serialize;
use std::fmt;

/// What keeps a clip from having a style, in the order in which it is found out: of several the last is told.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// It is too short.
    Short,
    /// Its energy has no valleys that a cycle could reach between, or bursts and static poses lie in between.
    Unsteady,
    /// No foot stays on the ground for long enough to stand, nor do feet take turns.
    Feet,
    /// The best ends of a loop are so many metres apart in a joint.
    Ends(f32),
    /// It takes too long or not long enough.
    Length,
    /// It hardly moves on.
    Slow,
    /// A cycle turns by so many radians.
    Turns(f32),
    /// It goes sideways or backwards.
    Sideways,
    /// It strays from its place, turns, sits or bends down.
    Strays,
    /// It is lively, but strikes no blow.
    Lively,
    /// Another style is nearly the same.
    Redundant,
    /// It is far from all others of its type.
    Outlying,
}

impl LeftOut {
    /// Which kind of reason it is, whatever its numbers.
    fn what(self) -> &'static str {
        match self {
            Self::Short => "too short",
            Self::Unsteady => "no steady cycle",
            Self::Feet => "feet neither stand nor take turns",
            Self::Ends(_) => "ends too different to close",
            Self::Length => "too long or too short for one round",
            Self::Slow => "hardly moves on",
            Self::Turns(_) => "turns too sharply",
            Self::Sideways => "goes sideways or backwards",
            Self::Strays => "strays, turns, sits or bends down",
            Self::Lively => "lively, but no blow",
            Self::Redundant => "nearly the same as another",
            Self::Outlying => "far from all others",
        }
    }

    /// Remembers the reason that is found out last, and of its numbers the least.
    pub(super) fn note(self, latest: &mut Option<Self>) {
        let same = |known: Self| known.what() == self.what();
        if latest.is_none_or(|known| if same(known) { self < known } else { known < self }) {
            *latest = Some(self);
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what())?;
        match self {
            Self::Ends(metres) => write!(f, " ({:.0} cm)", 100.0 * metres),
            Self::Turns(radians) => write!(f, " ({:.0}° in a round)", radians.to_degrees()),
            _ => Ok(()),
        }
    }
}

/// Clips by why they were left out, one line for each reason.
pub(super) fn write_left_out(left_out: &[(String, LeftOut)], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut reasons: Vec<&'static str> = left_out.iter().map(|(_, why)| why.what()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        let own = left_out.iter().filter(|(_, why)| why.what() == reason);
        let names: Vec<String> = own
            .map(|(name, why)| match why {
                LeftOut::Ends(metres) => format!("{name} ({:.0} cm)", 100.0 * metres),
                LeftOut::Turns(radians) => format!("{name} ({:.0}°)", radians.to_degrees()),
                _ => name.clone(),
            })
            .collect();
        writeln!(f, "left out, {reason}: {}", names.join(", "))?;
    }
    Ok(())
}
