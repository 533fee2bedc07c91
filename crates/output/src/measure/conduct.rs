//! What people are up to: getting on, waiting, fidgeting; and what of it comes from the clips that they show.
//!
//! All is told over half a second around each record, so that the sway of steps does not count.

use super::tracks::{Piece, Tracks};
use crate::run::ClipEntry;
use glam::Vec2;

/// Seconds to each side over which velocities are taken.
const AROUND: f32 = 0.25;
/// Slower than this, in metres a second, one does not get on.
const STANDS: f32 = 0.1;
/// Who turns and is slower than this, in metres a second, turns in place.
const IN_PLACE: f32 = 0.3;
/// Turns quicker than this, in radians a second, are turns.
const TURNS: f32 = 0.52;
/// Cosine of the angle between heading and velocity below which a step goes aside or back (60°).
const ASIDE: f32 = 0.5;
/// A turn counts from this angle in radians, a step aside from this distance in metres.
const LEAST_TURN: f32 = 0.26;
const LEAST_STEP: f32 = 0.1;
/// Left and right belong together when they follow within this many seconds.
const PAIR_WITHIN: f32 = 3.0;
/// Who stays within this distance in metres for this many seconds hovers, unless resting.
const HOVER_DISTANCE: f32 = 0.8;
const HOVER_SECONDS: f32 = 15.0;
/// The share of the time within which one who hovers may rest.
const HOVER_REST: f32 = 0.25;
/// A gait that lasts shorter than this many seconds is none.
const GAIT_SECONDS: f32 = 0.3;
/// Faster than this, in metres a second, one runs: the speed at which people change over (Hreljac 1993: 2.0 to 2.1).
const RUNS: f32 = 2.1;

/// What somebody does in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// Gets on.
    Moving,
    /// Stands, sits or plays an idle motion.
    Waiting,
    /// Turns in place; whether to the left.
    Turning(bool),
    /// Steps aside or back; whether to the left, if aside.
    Stepping(Option<bool>),
}

/// Clips by what they mean here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Meaning {
    /// Waiting, sitting, lying, or doing something on the spot, such as talking: standing about as people do.
    rests: bool,
    /// Turning in place, side and back steps.
    fidgets: bool,
    /// Sitting down, sitting and getting up, which goes backwards and forwards.
    sits: bool,
    gait: u8,
}

/// What all clips of a run mean.
pub(super) struct Meanings(Vec<Meaning>);

const RESTS: [&str; 6] = ["wait", "idle", "sit", "lie", "stay", "ride"];
const FIDGETS: [&str; 5] = ["turn-in-place", "side-step", "step-back", "back-step", "step-aside"];
const STANDING: u8 = 0;
const WALKING: u8 = 1;
const RUNNING: u8 = 2;
/// Anything else: sitting, falling, fighting.
const OTHER: u8 = 3;

impl Meanings {
    pub(super) fn of(clips: &[ClipEntry]) -> Self {
        let meaning = |clip: &ClipEntry| {
            let has = |labels: &[&str]| clip.labels.iter().any(|label| labels.contains(&label.as_str()));
            let fidgets = has(&FIDGETS);
            Meaning {
                rests: has(&RESTS) || has(&["stand"]) && !fidgets && !has(&["still"]),
                fidgets,
                sits: has(&["sit"]),
                gait: match () {
                    () if has(&["run", "jog"]) => RUNNING,
                    () if has(&["walk"]) => WALKING,
                    () if has(&["stand", "still", "wait", "idle", "step", "turn-in-place"]) => STANDING,
                    () => OTHER,
                },
            }
        };
        Self(clips.iter().map(meaning).collect())
    }

    fn get(&self, clip: u16) -> Meaning {
        self.0.get(usize::from(clip)).copied().unwrap_or_default()
    }
}

/// What one piece of a way came to, in records unless said otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct Conduct {
    pub(super) moving: u32,
    pub(super) waiting: u32,
    pub(super) turning: u32,
    pub(super) stepping: u32,
    /// Changes of fidgeting from one side to the other.
    pub(super) pairs: u32,
    /// Whether the person stayed within a small circle for long.
    pub(super) lingers: bool,
    /// … without resting; only where clips tell.
    pub(super) hovers: bool,
    pub(super) gait_changes: u32,
    /// Metres walked.
    pub(super) distance: f32,
}

/// The mean velocity around a record, in metres a second.
pub(super) fn velocity(piece: &Piece, at: usize, around: usize, step: f32) -> Vec2 {
    let (from, to) = (at.saturating_sub(around), (at + around).min(piece.positions.len() - 1));
    if to == from {
        return Vec2::ZERO;
    }
    (piece.positions[to] - piece.positions[from]) / ((to - from) as f32 * step)
}

/// Tells what somebody did all the time.
pub(super) fn conduct(piece: &Piece, tracks: &Tracks, meanings: &Meanings) -> Conduct {
    let around = tracks.span(AROUND);
    let doing: Vec<Doing> =
        (0..piece.positions.len()).map(|at| doing(piece, at, around, tracks.step, meanings)).collect();
    let mut conduct = Conduct {
        pairs: pairs(piece, &doing, tracks.span(PAIR_WITHIN), meanings),
        gait_changes: gait_changes(piece, tracks, around, meanings),
        distance: piece.positions.windows(2).map(|two| two[0].distance(two[1])).sum(),
        ..Conduct::default()
    };
    for doing in doing {
        match doing {
            Doing::Moving => conduct.moving += 1,
            Doing::Waiting => conduct.waiting += 1,
            Doing::Turning(_) => conduct.turning += 1,
            Doing::Stepping(_) => conduct.stepping += 1,
        }
    }
    (conduct.lingers, conduct.hovers) = hovering(piece, tracks.span(HOVER_SECONDS), meanings);
    conduct
}

fn doing(piece: &Piece, at: usize, around: usize, step: f32, meanings: &Meanings) -> Doing {
    let velocity = velocity(piece, at, around, step);
    let speed = velocity.length();
    let meaning = piece.shown.get(at).map_or(Meaning::default(), |shown| meanings.get(shown.clip));
    let Some(&heading) = piece.headings.get(at) else {
        return if speed >= STANDS { Doing::Moving } else { Doing::Waiting };
    };
    if meaning.sits || meaning.rests && speed < IN_PLACE {
        return Doing::Waiting;
    }
    let (from, to) = (at.saturating_sub(around), (at + around).min(piece.headings.len() - 1));
    let turn = (piece.headings[to] - piece.headings[from]) / ((to - from).max(1) as f32 * step);
    let facing = Vec2::from_angle(heading);
    let (forward, aside) = (velocity.dot(facing), facing.perp_dot(velocity));
    let steps = speed >= STANDS && forward < ASIDE * speed;
    if steps {
        return Doing::Stepping((aside.abs() > 0.5 * speed).then_some(aside > 0.0));
    }
    if meaning.fidgets || (speed < IN_PLACE && turn.abs() > TURNS) {
        return Doing::Turning(turn > 0.0);
    }
    if speed >= STANDS { Doing::Moving } else { Doing::Waiting }
}

/// How often fidgeting to one side follows fidgeting to the other; each makes one pair at most.
fn pairs(piece: &Piece, doing: &[Doing], within: usize, meanings: &Meanings) -> u32 {
    let fidgets = |at: usize| {
        let clip = piece.shown.get(at).map(|shown| shown.clip);
        clip.filter(|clip| meanings.get(*clip).fidgets)
    };
    let mut pairs = 0;
    let mut last: Option<(bool, usize)> = None;
    let mut at = 0;
    while at < doing.len() {
        // A clip that fidgets is one move from its beginning to its end, whatever the body does in between.
        let same = match fidgets(at) {
            Some(clip) => {
                let phase = |index: usize| piece.shown[index].phase;
                (at + 1..doing.len())
                    .take_while(|&next| fidgets(next) == Some(clip) && phase(next) >= phase(next - 1))
                    .count()
                    + 1
            }
            None => (at..doing.len())
                .take_while(|&next| doing[next] == doing[at] && fidgets(next).is_none())
                .count(),
        };
        let end = (at + same).min(doing.len() - 1);
        let idle = fidgets(at).is_none() && matches!(doing[at], Doing::Moving | Doing::Waiting);
        if let (Some(left), false) = (side(piece, at, end), idle) {
            last = match last {
                Some((other, when)) if other != left && at - when <= within => {
                    pairs += 1;
                    None
                }
                _ => Some((left, end)),
            };
        }
        at += same;
    }
    pairs
}

/// The side to which somebody turns or steps between two records; whether it is the left.
fn side(piece: &Piece, from: usize, to: usize) -> Option<bool> {
    let turn = piece.headings.get(to)? - piece.headings[from];
    if turn.abs() >= LEAST_TURN {
        return Some(turn > 0.0);
    }
    let aside = Vec2::from_angle(piece.headings[from]).perp_dot(piece.positions[to] - piece.positions[from]);
    (aside.abs() >= LEAST_STEP).then_some(aside > 0.0)
}

/// Whether somebody stays within a small circle around where they were for long, and whether without resting.
fn hovering(piece: &Piece, long: usize, meanings: &Meanings) -> (bool, bool) {
    let rests: Vec<u32> = piece
        .shown
        .iter()
        .scan(0, |sum, shown| {
            *sum += u32::from(meanings.get(shown.clip).rests);
            Some(*sum)
        })
        .collect();
    let (mut lingers, mut hovers) = (false, false);
    // A tenth of the time is fine enough for where a stay begins.
    for from in (0..piece.positions.len().saturating_sub(long)).step_by((long / 10).max(1)) {
        let stay = &piece.positions[from..=from + long];
        if stay.iter().all(|other| other.distance_squared(stay[0]) <= HOVER_DISTANCE * HOVER_DISTANCE) {
            lingers = true;
            let resting = rests.get(from + long).map(|sum| sum - rests[from]);
            hovers |= resting.is_some_and(|resting| (resting as f32) < HOVER_REST * long as f32);
        }
        if hovers {
            break;
        }
    }
    (lingers, hovers)
}

/// How often somebody changes between standing, walking, running and the rest.
fn gait_changes(piece: &Piece, tracks: &Tracks, around: usize, meanings: &Meanings) -> u32 {
    let least = tracks.span(GAIT_SECONDS);
    let gait = |at: usize| match piece.shown.get(at) {
        Some(shown) => meanings.get(shown.clip).gait,
        None => match velocity(piece, at, around, tracks.step).length() {
            speed if speed < STANDS => STANDING,
            speed if speed < RUNS => WALKING,
            _ => RUNNING,
        },
    };
    let (mut changes, mut settled, mut current, mut lasts) = (0, None, OTHER + 1, 0);
    for at in 0..piece.positions.len() {
        let now = gait(at);
        lasts = if now == current { lasts + 1 } else { 1 };
        current = now;
        if lasts == least && settled.replace(now).is_some_and(|before| before != now) {
            changes += 1;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f32 = 1.0 / 30.0;

    fn of(places: impl Fn(f32) -> (Vec2, f32), seconds: f32) -> Conduct {
        let count = (seconds / STEP).round() as usize;
        let (positions, headings) = (0..count).map(|at| places(at as f32 * STEP)).unzip();
        let piece = Piece { positions, headings, ..Piece::default() };
        let tracks = Tracks { step: STEP, records: count as u32, ..Tracks::default() };
        conduct(&piece, &tracks, &Meanings::of(&[]))
    }

    #[test]
    fn who_walks_gets_on_and_who_stands_waits() {
        let walks = of(|time| (Vec2::X * 1.3 * time, 0.0), 20.0);
        assert_eq!((walks.moving, walks.pairs, walks.lingers), (600, 0, false));
        let stands = of(|_| (Vec2::ONE, 1.0), 20.0);
        assert_eq!((stands.waiting, stands.lingers), (600, true));
    }

    #[test]
    fn turning_to_and_fro_makes_pairs() {
        // A second to the left, a second to the right, for a minute, at 1 rad/s.
        let fidgets = of(|time| (Vec2::ZERO, 1.0 - (time % 2.0 - 1.0).abs()), 60.0);
        // Where it turns round it stands for a moment.
        assert!(fidgets.turning > 1300, "{fidgets:?}");
        assert!((28..=30).contains(&fidgets.pairs), "{fidgets:?}");
    }

    #[test]
    fn steps_aside_and_back_are_no_way_to_get_on() {
        let aside = of(|time| (Vec2::Y * 0.3 * time, 0.0), 10.0);
        assert_eq!((aside.stepping, aside.moving), (300, 0));
        let back = of(|time| (Vec2::X * -0.3 * time, 0.0), 10.0);
        assert_eq!((back.stepping, back.pairs), (300, 0));
    }
}
