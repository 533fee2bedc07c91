//! Stretches: clips made long enough to cut segments from them.

use super::plan::{BLEND_FRAMES, SEGMENT_FRAMES, STOP_FRAMES};
use crowdloom_motion::{Clip, FRAME_RATE, Library, Placement};

/// A clip, what can follow it, and where segments of it may start.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) clip: Clip,
    /// Frames in which segments may start.
    pub(super) starts: std::ops::Range<usize>,
    /// The frame from which on the body holds still, if it does.
    pub(super) still_from: Option<usize>,
}

/// Frames that a segment or a stop needs behind its first, transition included.
const NEEDED: usize = BLEND_FRAMES + if STOP_FRAMES > SEGMENT_FRAMES { STOP_FRAMES } else { SEGMENT_FRAMES };

/// Frames for which a captured body goes on after it has come to stand, before it is held still.
const SETTLES: usize = 6;

/// Makes stretches of all clips of a library that `wanted` names, plain and mirrored.
///
/// A clip that comes to rest, being slower than `still` metres and radians a second, is prolonged by standing; of one that then
/// stands for long, what it does while it stands is left out. Another one, where its end is a node of the library, by the
/// clip that leads from this node back to it most directly. Clips that end anywhere else are taken as they are.
pub(super) fn stretches(library: &Library, still: [f32; 2], wanted: impl Fn(&Clip) -> bool) -> Vec<Stretch> {
    let clips = library.clips.iter().filter(|clip| clip.frames() > 1 && wanted(clip));
    let clips: Vec<Clip> = clips.map(|clip| without_standing(clip, still)).collect();
    let clips: Vec<&Clip> = clips.iter().collect();
    let plain = clips.iter().map(|clip| prolonged(clip, &clips, still));
    let mirrored =
        plain.clone().map(|stretch| Stretch { clip: stretch.clip.mirrored(&library.skeleton), ..stretch });
    plain.chain(mirrored).filter(|stretch| !stretch.starts.is_empty()).collect()
}

/// A capture that has no nodes at its ends, without the most of standing at its end.
fn without_standing(clip: &Clip, still: [f32; 2]) -> Clip {
    let stands = (1..clip.frames()).rev().take_while(|&frame| is_still(clip, frame, still)).count();
    match clip.ends.is_none() && stands > SETTLES {
        true => clip.piece(0, clip.frames() - 1 - stands + SETTLES),
        false => clip.clone(),
    }
}

fn prolonged(clip: &Clip, clips: &[&Clip], still: [f32; 2]) -> Stretch {
    // A stop may begin a few frames before its clip does: whatever the phase of the walk, some stop fits.
    let lead_in =
        clip.ends.as_ref().filter(|_| ends_still(clip, still)).and_then(|e| straightest_loop(&e.from, clips));
    let mut long = lead_in.unwrap_or(clip).clone();
    if lead_in.is_some() {
        append(&mut long, clip);
    }
    long.ends.clone_from(&clip.ends);
    let own = long.frames();
    let mut still_from = None;
    while long.frames() < own + NEEDED {
        if ends_still(&long, still) {
            still_from = Some(long.frames() - 1);
            for _ in long.frames()..own + NEEDED {
                append_frame(&mut long, (clip, clip.frames() - 1), None);
            }
            break;
        }
        match clip.ends.as_ref().and_then(|ends| straightest_loop(&ends.to, clips)) {
            Some(cycle) => append(&mut long, cycle),
            None => break,
        }
    }
    // Every segment needs its own frames and those of the transition out of it.
    let last_start = long.frames().saturating_sub(NEEDED);
    let starts = 0..last_start.min(own - 1);
    Stretch { clip: long, starts, still_from }
}

fn ends_still(clip: &Clip, still: [f32; 2]) -> bool {
    is_still(clip, clip.frames() - 1, still)
}

/// Whether the body is slower than `still` in a frame.
fn is_still(clip: &Clip, frame: usize, still: [f32; 2]) -> bool {
    let step = clip.track[frame].relative_to(clip.track[frame - 1]);
    step.position.length() * FRAME_RATE < still[0] && step.heading.abs() * FRAME_RATE < still[1]
}

fn straightest_loop<'a>(node: &str, clips: &[&'a Clip]) -> Option<&'a Clip> {
    let turn = |clip: &Clip| clip.displacement().heading.abs();
    let loops = clips.iter().filter(|clip| {
        clip.ends.as_ref().is_some_and(|ends| ends.from == node && ends.to == node)
            && clip.displacement().position.length() > 0.1
    });
    loops.copied().min_by(|a, b| turn(a).total_cmp(&turn(b)))
}

fn append(long: &mut Clip, next: &Clip) {
    let start = long.displacement();
    for frame in 1..next.frames() {
        append_frame(long, (next, frame), Some(start.then(next.track[frame])));
    }
}

/// Copies a frame to the end of a clip; it stays where the clip ends if no place is given.
fn append_frame(long: &mut Clip, (source, frame): (&Clip, usize), place: Option<Placement>) {
    let place = place.unwrap_or(long.displacement());
    long.track.push(place);
    long.root_heights.push(source.root_heights[frame]);
    long.rotations.extend_from_slice(source.frame_rotations(frame));
    long.contacts.push(source.contacts[frame]);
    long.radii.push(source.radii[frame]);
}
