//! Waiting and fighting: stretches of long foot contact, parted by how much the kinetic energy changes (section IV-A).

use super::cycles::{best_apart, most_alike};
use super::energy::{BodyEnergy, low_pass, valleys};
use super::left_out::LeftOut;
use super::primitive::{Closing, Stretch};
use crate::body::Body;
use crate::graph::PoseClouds;
use crate::{Clip, Contacts, FRAME_RATE, Skeleton};
use serde::{Deserialize, Serialize};

/// What counts as a motion on the spot. The source gives no numbers: all are ours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StanceRule {
    /// Deviation of the low-pass filter in frames.
    pub smoothing: f32,
    /// A foot keeps its contact at least so long, in seconds.
    pub contact: f32,
    /// The shortest and the longest primitive of little energy in seconds.
    pub quiet_seconds: [f32; 2],
    /// The same where the energy changes much.
    pub lively_seconds: [f32; 2],
    /// Between lowest and highest energy, in joules, a motion is lively.
    pub energy_change: f32,
    /// The largest point-cloud distance of the ends in metres.
    pub distance: f32,
    /// Frames of the window in which the ends are refined.
    pub window: usize,
    /// The most that the ends of the captured motion may differ in a joint, in metres and radians; what is left is bent
    /// away.
    pub closing: [f32; 2],
    /// How much farther apart the ends of a lively motion may be: who strikes is back in guard, but not quite.
    pub lively_closing: f32,
    /// What a second more of a lively motion counts against a distance of its ends, in metres.
    pub brevity: f32,
    /// The same of those who fight anyway: what else they do in the same capture is a blow of another kind, a kick after which
    /// the feet stand otherwise.
    pub fighting_closing: f32,
    /// The shortest primitive of little energy in seconds where no longer one is in the way.
    pub brief_seconds: f32,
    /// How far the root may stray, in metres, and turn, in radians …
    pub stray: [f32; 2],
    /// … and how far it may turn in a lively motion: who kicks swings round.
    pub lively_turn: f32,
    /// The least height of the root, as a share of the length of thigh and shank: who sits does not wait here.
    pub height: f32,
    /// How much the root's height may change, in metres: who sits down or lifts something does neither wait nor fight.
    pub rise: f32,
}

impl Default for StanceRule {
    fn default() -> Self {
        Self {
            smoothing: 2.0,
            contact: 0.4,
            quiet_seconds: [1.5, 5.0],
            lively_seconds: [0.7, 3.5],
            energy_change: 15.0,
            distance: 0.16,
            window: 7,
            closing: [0.17, 0.5],
            lively_closing: 1.4,
            fighting_closing: 2.2,
            brief_seconds: 1.0,
            brevity: 0.03,
            stray: [0.45, 0.9],
            lively_turn: 1.4,
            height: 0.9,
            rise: 0.14,
        }
    }
}

impl StanceRule {
    /// What is looked for besides, where nothing was found by the rule itself, in a capture in which somebody `fights` or not.
    pub(super) fn besides(self, fights: bool) -> Self {
        let lively_closing = if fights { self.fighting_closing } else { self.lively_closing };
        Self { lively_closing, quiet_seconds: [self.brief_seconds, self.quiet_seconds[1]], ..self }
    }
}

/// A capture that gets on faster than this, in metres a second, goes somewhere (ours).
const GOES: f32 = 0.25;

/// The motions on the spot of a clip that do not overlap, the best first, each with the distance of its ends in metres; `why` is
/// told what keeps others from being one.
pub(super) fn find(
    skeleton: &Skeleton,
    clip: &Clip,
    rule: &StanceRule,
    why: &mut Option<LeftOut>,
) -> Vec<(Stretch, f32)> {
    let least = rule.lively_seconds[0].min(rule.quiet_seconds[0]);
    if (clip.frames() as f32) < least * FRAME_RATE {
        LeftOut::Short.note(why);
        return Vec::new();
    }
    LeftOut::Feet.note(why);
    let energy = low_pass(&BodyEnergy::new(skeleton, clip).total, rule.smoothing);
    let clouds = PoseClouds::new(skeleton, std::slice::from_ref(clip));
    let mut cuts = valleys(&energy);
    cuts.push(0);
    cuts.push(clip.frames() - 1);
    cuts.sort_unstable();
    let standing = long_contact(clip, rule);
    // Who goes somewhere does not fight on the way.
    let goes = clip.displacement().position.length() > GOES * clip.seconds();
    let tall = rule.height * Body::guess(skeleton).leg_length(skeleton).unwrap_or(0.0);
    let mut found = Vec::new();
    for (index, &first) in cuts.iter().enumerate() {
        for &last in &cuts[index + 1..] {
            let seconds = (last - first) as f32 / FRAME_RATE;
            if !standing[first..=last].iter().all(|stands| *stands) || seconds > rule.quiet_seconds[1] {
                break;
            }
            let inside = &energy[first..=last];
            let (low, high) = inside
                .iter()
                .fold((f32::INFINITY, 0.0f32), |(low, high), &now| (low.min(now), high.max(now)));
            let lively = high - low > rule.energy_change;
            let [shortest, longest] = if lively { rule.lively_seconds } else { rule.quiet_seconds };
            if !(shortest..=longest).contains(&seconds) {
                continue;
            }
            let (first, last, distance) = most_alike(&clouds, first, last, rule.window / 2, clip.frames());
            let closing = Closing::between(skeleton, &clip.pose(first), &clip.pose(last));
            let freedom = if lively && !goes { rule.lively_closing } else { 1.0 };
            if distance > freedom * rule.distance
                || !closing.is_within(rule.closing.map(|most| freedom * most))
            {
                LeftOut::Ends(closing.position).note(why);
            } else if !stays(clip, (first, last), lively, tall, rule) {
                LeftOut::Strays.note(why);
            } else {
                // One punch is a primitive rather than three of them.
                let effort = distance + if lively { rule.brevity * seconds } else { 0.0 };
                found.push((Stretch { first, last, stances: None, lively }, effort));
            }
        }
    }
    best_apart(found)
}

/// The frames that belong to a long contact of either foot.
fn long_contact(clip: &Clip, rule: &StanceRule) -> Vec<bool> {
    let mut stands = vec![false; clip.frames()];
    for foot in [Contacts::LEFT, Contacts::RIGHT] {
        let mut start = 0;
        for run in clip.contacts.chunk_by(|a, b| a.touches(foot) == b.touches(foot)) {
            if run[0].touches(foot) && run.len() as f32 >= rule.contact * FRAME_RATE {
                stands[start..start + run.len()].fill(true);
            }
            start += run.len();
        }
    }
    stands
}

/// Whether the body stays about where it is, as it is.
fn stays(clip: &Clip, (first, last): (usize, usize), lively: bool, tall: f32, rule: &StanceRule) -> bool {
    let start = clip.track[first];
    let turn = if lively { rule.lively_turn } else { rule.stray[1] };
    let near = clip.track[first..=last].iter().all(|place| {
        let moved = place.relative_to(start);
        moved.position.length() <= rule.stray[0] && moved.heading.abs() <= turn
    });
    let heights = &clip.root_heights[first..=last];
    let (low, high) =
        heights.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &z| (low.min(z), high.max(z)));
    near && low >= tall && high - low <= rule.rise
}
