//! Capture glitches: a root that jumps, frames that are frozen. Found, reported, repaired where a neighbour allows it.

use glam::{DQuat, DVec3};
use std::fmt;

/// Nobody's root moves faster than this, in metres a second (a sprinter reaches 12).
const MAX_ROOT_SPEED: f64 = 14.0;

/// A gap this long, in seconds, can be filled from its two ends; a longer one cannot.
const MAX_REPAIR_SECONDS: f64 = 0.2;

/// Real captures tremble: this many frames that equal their predecessor to the last digit are frozen.
const FROZEN_FRAMES: usize = 3;

/// What kind of glitch it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlitchKind {
    /// The root is away from where it is before and after.
    RootJump,
    /// Every channel repeats the frame before.
    Frozen,
    /// The first or last frames do not fit the motion: captures often begin and end with a badly solved pose.
    EndPop,
}

/// What was done about a glitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The frames were cut off, with what lies beyond them: they begin or end the capture, or part it.
    Trimmed,
    /// The frames were filled from their neighbours.
    Filled,
    /// Nothing: too long to be filled.
    Kept,
}

/// A stretch of faulty frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glitch {
    /// What is wrong.
    pub kind: GlitchKind,
    /// First faulty frame at the capture's own rate.
    pub first: usize,
    /// How many frames are faulty.
    pub count: usize,
    /// What was done.
    pub remedy: Remedy,
}

impl fmt::Display for Glitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            GlitchKind::RootJump => "root jump",
            GlitchKind::Frozen => "frozen",
            GlitchKind::EndPop => "pop",
        };
        let remedy = match self.remedy {
            Remedy::Trimmed => "trimmed",
            Remedy::Filled => "filled from neighbours",
            Remedy::Kept => "kept, too long to fill",
        };
        write!(f, "{kind} at source frames {}-{}: {remedy}", self.first, self.first + self.count - 1)
    }
}

/// A capture's frames in metres while they are being repaired.
pub struct Frames {
    /// Root positions in metres.
    pub roots: Vec<DVec3>,
    /// Local rotations, frame after frame.
    pub rotations: Vec<DQuat>,
    /// Joints in a frame.
    pub joints: usize,
    /// Seconds between frames.
    pub frame_time: f64,
}

/// Finds glitches and repairs them in place.
pub fn repair(frames: &mut Frames) -> Vec<Glitch> {
    let mut glitches = Vec::new();
    let whole = frames.roots.len();
    repair_jumps(frames, &mut glitches);
    let cut = glitches.iter().filter(|glitch| glitch.remedy == Remedy::Trimmed);
    let ends = cut.fold([false; 2], |[start, end], glitch| {
        [start || glitch.first == 0, end || glitch.first + glitch.count == whole]
    });
    repair_frozen(frames, &mut glitches);
    trim_pops(frames, ends, &mut glitches);
    glitches
}

fn repair_jumps(frames: &mut Frames, glitches: &mut Vec<Glitch>) {
    let limit = MAX_ROOT_SPEED * frames.frame_time;
    // The longest stretch without a jump is taken to be right.
    let jumps: Vec<usize> = (1..frames.roots.len())
        .filter(|&frame| frames.roots[frame].distance(frames.roots[frame - 1]) > limit)
        .collect();
    if jumps.is_empty() {
        return;
    }
    let bounds: Vec<usize> = std::iter::once(0).chain(jumps).chain([frames.roots.len()]).collect();
    let longest = (0..bounds.len() - 1).rev().max_by_key(|&s| bounds[s + 1] - bounds[s]).unwrap_or(0);
    let mut good = vec![false; bounds.len() - 1];
    good[longest] = true;
    // A neighbouring stretch is good too when the root could have got there in the time between.
    let reachable = |a: usize, b: usize| {
        frames.roots[a].distance(frames.roots[b]) <= limit * (a.abs_diff(b)).max(1) as f64
    };
    let mut anchor = bounds[longest + 1] - 1;
    for stretch in longest + 1..good.len() {
        if reachable(anchor, bounds[stretch]) {
            good[stretch] = true;
            anchor = bounds[stretch + 1] - 1;
        }
    }
    anchor = bounds[longest];
    for stretch in (0..longest).rev() {
        if reachable(anchor, bounds[stretch + 1] - 1) {
            good[stretch] = true;
            anchor = bounds[stretch];
        }
    }
    let faulty = (0..good.len()).filter(|&s| !good[s]).map(|s| (bounds[s], bounds[s + 1] - bounds[s]));
    mend(frames, merge_adjacent(faulty), GlitchKind::RootJump, glitches);
}

fn repair_frozen(frames: &mut Frames, glitches: &mut Vec<Glitch>) {
    let repeats = |frame: usize| {
        let row = |frame: usize| &frames.rotations[frame * frames.joints..(frame + 1) * frames.joints];
        frames.roots[frame] == frames.roots[frame - 1] && row(frame) == row(frame - 1)
    };
    let count = frames.roots.len();
    let mut stretches = Vec::new();
    let mut frame = 1;
    while frame < count {
        let length = (frame..count).take_while(|&next| repeats(next)).count();
        if length >= FROZEN_FRAMES {
            stretches.push((frame, length));
        }
        frame += length.max(1);
    }
    // A capture that never moves is a pose, not a glitch.
    if stretches.iter().map(|stretch| stretch.1).sum::<usize>() + 1 == count {
        return;
    }
    mend(frames, stretches, GlitchKind::Frozen, glitches);
}

/// How many times faster than the motion next to it an end frame must be to count as a pop.
const POP_RATIO: f64 = 2.5;

/// A mean joint step in radians that is never a pop.
const QUIET_STEP: f64 = 0.008;

/// Frames that may be trimmed at each end.
const MOST_POPS: usize = 3;

/// Seconds that may be trimmed at an end where a root jump was cut off: the pose takes a while to come right after one.
const POP_SECONDS_AFTER_JUMP: f64 = 0.1;

/// Cuts off end frames that do not fit the motion; `after_jump` says of start and end whether a jump was cut off there.
fn trim_pops(frames: &mut Frames, after_jump: [bool; 2], glitches: &mut Vec<Glitch>) {
    let count = frames.roots.len();
    let long = ((POP_SECONDS_AFTER_JUMP / frames.frame_time).ceil() as usize).max(MOST_POPS);
    let [most_at_start, most_at_end] = after_jump.map(|jumped| if jumped { long } else { MOST_POPS });
    if count < 6 * most_at_start.max(most_at_end) {
        return;
    }
    let step = |frame: usize| {
        let row = |frame: usize| &frames.rotations[frame * frames.joints..(frame + 1) * frames.joints];
        let angles = row(frame).iter().zip(row(frame + 1)).map(|(a, b)| a.angle_between(*b));
        angles.sum::<f64>() / frames.joints as f64
    };
    // The steps from one end inwards: those beyond the few that may pop tell what is usual.
    let popped = |most: usize, steps: Vec<f64>| {
        let mut usual = steps[most..].to_vec();
        usual.sort_by(f64::total_cmp);
        let limit = (POP_RATIO * usual[usual.len() / 2]).max(QUIET_STEP);
        (0..most).rev().find(|&at| steps[at] > limit).map_or(0, |at| at + 1)
    };
    let at_start = popped(most_at_start, (0..4 * most_at_start).map(step).collect());
    let at_end = popped(most_at_end, (0..4 * most_at_end).map(|back| step(count - 2 - back)).collect());
    let stretches = [(0, at_start), (count - at_end, at_end)];
    mend(
        frames,
        stretches.into_iter().filter(|stretch| stretch.1 > 0).collect(),
        GlitchKind::EndPop,
        glitches,
    );
}

fn merge_adjacent(stretches: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (first, count) in stretches {
        match merged.last_mut() {
            Some(last) if last.0 + last.1 == first => last.1 += count,
            _ => merged.push((first, count)),
        }
    }
    merged
}

fn mend(frames: &mut Frames, stretches: Vec<(usize, usize)>, kind: GlitchKind, glitches: &mut Vec<Glitch>) {
    let total = frames.roots.len();
    let mut keep = 0..total;
    for (mut first, mut count) in stretches {
        let mut end = first + count;
        let fills = count as f64 * frames.frame_time <= MAX_REPAIR_SECONDS;
        // Where somebody was meanwhile nobody knows: the longer part of the capture is kept.
        if kind == GlitchKind::RootJump && !fills {
            (first, end) = if first >= total - end { (first, total) } else { (0, end) };
            count = end - first;
        }
        let remedy = if first == 0 {
            keep.start = end;
            Remedy::Trimmed
        } else if end == total {
            keep.end = keep.end.min(first);
            Remedy::Trimmed
        } else if fills {
            fill(frames, first - 1, end);
            Remedy::Filled
        } else {
            Remedy::Kept
        };
        glitches.push(Glitch { kind, first, count, remedy });
    }
    let joints = frames.joints;
    keep.end = keep.end.max(keep.start);
    frames.rotations.drain(keep.end * joints..);
    frames.rotations.drain(..keep.start * joints);
    frames.roots.drain(keep.end..);
    frames.roots.drain(..keep.start);
}

/// Interpolates the frames strictly between `before` and `after`.
fn fill(frames: &mut Frames, before: usize, after: usize) {
    let joints = frames.joints;
    for frame in before + 1..after {
        let t = (frame - before) as f64 / (after - before) as f64;
        frames.roots[frame] = frames.roots[before].lerp(frames.roots[after], t);
        for joint in 0..joints {
            let from = frames.rotations[before * joints + joint];
            let to = frames.rotations[after * joints + joint];
            frames.rotations[frame * joints + joint] = from.slerp(to, t);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root that walks along x at 1.2 m/s for 100 frames at 120 frames/s, joints trembling.
    fn walk() -> Frames {
        Frames {
            roots: (0..100).map(|frame| DVec3::new(frame as f64 * 0.01, 0.0, 1.0)).collect(),
            rotations: (0..200).map(|index| DQuat::from_rotation_x(index as f64 * 1e-3)).collect(),
            joints: 2,
            frame_time: 1.0 / 120.0,
        }
    }

    #[test]
    fn a_clean_capture_is_left_alone() {
        let mut frames = walk();
        assert_eq!(repair(&mut frames), []);
        assert_eq!(frames.roots, walk().roots);
    }

    #[test]
    fn leading_jumps_are_trimmed() {
        let mut frames = walk();
        frames.roots[..4].fill(DVec3::new(0.0, -3.0, 0.0));
        let glitches = repair(&mut frames);
        let expected = Glitch { kind: GlitchKind::RootJump, first: 0, count: 4, remedy: Remedy::Trimmed };
        assert_eq!(glitches, [expected]);
        assert_eq!((frames.roots.len(), frames.rotations.len()), (96, 192));
    }

    #[test]
    fn a_cut_jump_leaves_no_junk() {
        // After the jump the root is right at once, but the pose takes eight frames to come right.
        let mut frames = walk();
        frames.roots[..4].fill(DVec3::new(0.0, -3.0, 0.0));
        for (frame, rotations) in frames.rotations.chunks_exact_mut(2).enumerate().take(12) {
            let off = 0.9 * (1.0 - frame as f64 / 12.0);
            rotations.iter_mut().for_each(|rotation| *rotation = DQuat::from_rotation_y(off) * *rotation);
        }
        repair(&mut frames);
        let clean = walk();
        assert!((84..=90).contains(&frames.roots.len()), "{}", frames.roots.len());
        let kept = clean.roots.len() - frames.roots.len();
        assert_eq!(frames.roots[0], clean.roots[kept]);
        assert!(frames.rotations[0].angle_between(clean.rotations[2 * kept]) < 1e-6);
    }

    #[test]
    fn a_long_jump_parts_the_capture() {
        // Half a second elsewhere cannot be filled: the longer part stays.
        let long = |frames: Frames| Frames {
            roots: (0..200).map(|frame| DVec3::new(frame as f64 * 0.01, 0.0, 1.0)).collect(),
            rotations: (0..400).map(|index| DQuat::from_rotation_x(index as f64 * 1e-3)).collect(),
            ..frames
        };
        let mut frames = long(walk());
        frames.roots[40..100].fill(DVec3::new(0.0, 9.0, 1.0));
        let glitches = repair(&mut frames);
        let expected = Glitch { kind: GlitchKind::RootJump, first: 0, count: 100, remedy: Remedy::Trimmed };
        assert_eq!(glitches, [expected]);
        assert_eq!(frames.roots, long(walk()).roots[100..]);
    }

    #[test]
    fn pops_at_the_ends_are_trimmed() {
        let mut frames = walk();
        frames.rotations[0] = DQuat::from_rotation_x(-0.5);
        frames.rotations[198] = DQuat::from_rotation_x(1.0);
        let glitches = repair(&mut frames);
        assert_eq!(glitches.len(), 2, "{glitches:?}");
        assert_eq!(frames.roots.len(), 98);
    }

    #[test]
    fn jumps_and_frozen_frames_inside_are_filled() {
        let mut frames = walk();
        frames.roots[50..53].fill(DVec3::ZERO);
        for frame in 70..76 {
            frames.roots[frame] = frames.roots[69];
            frames.rotations[frame * 2] = frames.rotations[138];
            frames.rotations[frame * 2 + 1] = frames.rotations[139];
        }
        let glitches = repair(&mut frames);
        assert_eq!(glitches.len(), 2);
        assert!(glitches.iter().all(|glitch| glitch.remedy == Remedy::Filled), "{glitches:?}");
        for (mended, clean) in frames.roots.iter().zip(walk().roots) {
            assert!(mended.distance(clean) < 1e-9);
        }
    }
}
