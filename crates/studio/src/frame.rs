//! A frame as it goes to pages: a small fixed record for everybody, never bones.
//!
//! All numbers are little endian. A head of eight words (what it is, generation, frame, people, bodies that go over,
//! signals, vehicles, microseconds of the last step), then for everybody [`RECORD`] bytes (number, 24 bits; style, u8; x
//! and y in millimetres from the scene's corner, 24 bits each; heading in 65536ths of a turn, u16; clip, u16; frame of the clip in
//! 16ths, u16; state and mover, u8; speed in 25ths of a metre a second, u8; seconds without getting on, u8; number of a
//! situation that it is in plus one, u8), then 12 bytes for everybody who goes over from one clip to another (index, u32;
//! clip, u16; its frame in 16ths, u16; its share in 255ths, u8; three zeros), a byte for each signal, padded to words, and
//! 16 for each vehicle under way (number, u16; whether its doors are open, u16; x, y, heading, f32), and to the end 24 for
//! everybody who stands otherwise than its clip has it (index, u32; for the left and the right foot x and y from the root in
//! millimetres, i16, heading in 65536ths of a turn, u16, and lift in millimetres, i16; how far the hips sink in
//! millimetres, i16; how far the head is turned in 65536ths of a turn, i16).

use crowdloom_crowd::{Crowd, Mover, Steps};
use crowdloom_motion::stance::Stance;
use crowdloom_motion::{FRAME_RATE, Placement};
use crowdloom_output::run::{CrowdRecording, Moment, Recordable};
use glam::Vec2;
use rayon::prelude::*;
use std::f32::consts::TAU;

/// Bytes of the head.
pub const HEAD: usize = 32;
/// Bytes for everybody.
pub const RECORD: usize = 20;
/// Where in them the clip's number is.
const CLIP: usize = 12;
/// Bytes for everybody who goes over from one clip to another.
const FADE: usize = 12;
/// People whose records one thread writes at a time.
const CHUNK: usize = 512;
/// The first word of a frame.
pub const FRAME: u32 = 1;
/// The first word of a message with clips; generation and a block of a run file follow.
pub const CLIPS: u32 = 2;

/// Somebody is under way.
const UNDER_WAY: u8 = 1;
/// Somebody waits for room to get on.
const WAITS: u8 = 2;

/// The numbers of movers in a frame.
pub const MOVERS: [&str; 5] = ["clips", "planned", "recorded", "captured motion", "velocity"];

/// The number of a mover in a frame.
pub fn mover_number(mover: Mover) -> u8 {
    match mover {
        Mover::Graph => 0,
        Mover::Planned => 1,
        Mover::Recorded => 2,
        Mover::CellMarking(_) => 3,
        Mover::Steered(_) => 4,
    }
}

/// The styles that frames tell of, by number: those that bodies show, then those that people were given.
pub fn styles<S: Steps + Sync>(crowd: &CrowdRecording<'_, S>) -> Vec<String> {
    let nodes = crowd.source().crowd().setting().book.graph().nodes();
    crowd.styles().into_iter().chain(nodes.iter().map(|node| node.name.clone())).collect()
}

/// The number of the style that somebody goes in, of whom its clip shows style `shown` of `styles`.
fn style_number(crowd: &Crowd, index: usize, shown: u8, styles: usize) -> u8 {
    let given = crowd.mind(index).style.filter(|_| shown == 0);
    given.map_or(shown, |node| (styles + usize::from(node)).min(255) as u8)
}

/// What a frame is written from besides the crowd.
pub struct Head {
    /// The scene's number.
    pub generation: u32,
    /// From where places are counted, in metres.
    pub corner: Vec2,
    /// Microseconds that the last step took.
    pub took: u32,
    /// How many styles bodies can show.
    pub styles: usize,
}

/// Writes a frame into `out`, and tells the number of every clip that it shows.
pub fn encode<S: Steps + Sync>(
    crowd: &CrowdRecording<'_, S>,
    head: &Head,
    out: &mut Vec<u8>,
    shows: &mut dyn FnMut(u16),
) {
    out.clear();
    out.resize(HEAD, 0);
    let (count, own) = (crowd.count(), crowd.source().crowd());
    out.resize(HEAD + count * RECORD, 0);
    let parts: Vec<Extras> = out[HEAD..]
        .par_chunks_mut(CHUNK * RECORD)
        .enumerate()
        .map(|(chunk, records)| {
            let mut extras = Extras::default();
            for (index, record) in (chunk * CHUNK..).zip(records.chunks_exact_mut(RECORD)) {
                let moment = crowd.moment(index);
                record.copy_from_slice(&record_of(own, index, &moment, head));
                extras.note(index, &moment);
            }
            extras
        })
        .collect();
    for record in out[HEAD..].chunks_exact(RECORD) {
        shows(u16::from_le_bytes([record[CLIP], record[CLIP + 1]]));
    }
    let mut fading = 0u32;
    for fade in parts.iter().flat_map(|part| part.fades.chunks_exact(FADE)) {
        shows(u16::from_le_bytes([fade[4], fade[5]]));
        out.extend(fade);
        fading += 1;
    }
    let signals = own.shared().signals.len();
    out.extend(own.shared().signals.iter().map(|signal| u8::from(signal.is_on(own.frame()))));
    out.resize(out.len().next_multiple_of(4), 0);
    let mut vehicles = 0u32;
    crowd.vehicle_moments(&mut |number, Placement { position, heading }, open| {
        vehicles += 1;
        out.extend(number.to_le_bytes());
        out.extend(u16::from(open).to_le_bytes());
        for value in [position.x, position.y, heading] {
            out.extend(value.to_le_bytes());
        }
    });
    parts.iter().for_each(|part| out.extend(&part.stances));
    let words =
        [FRAME, head.generation, own.frame(), count as u32, fading, signals as u32, vehicles, head.took];
    for (place, word) in out.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
}

/// What is told of some people besides their records.
#[derive(Default)]
struct Extras {
    fades: Vec<u8>,
    stances: Vec<u8>,
}

impl Extras {
    fn note(&mut self, index: usize, moment: &Moment) {
        if let Some(stance) = &moment.stance {
            put_stance(index, moment.placement.position, stance, &mut self.stances);
        }
        if let Some((clip, frame, share)) = moment.under {
            self.fades.extend((index as u32).to_le_bytes());
            self.fades.extend(clip.to_le_bytes());
            self.fades.extend(sixteenths(frame).to_le_bytes());
            self.fades.extend([(share.clamp(0.0, 1.0) * 255.0) as u8, 0, 0, 0]);
        }
    }
}

fn record_of(crowd: &Crowd, index: usize, moment: &Moment, head: &Head) -> [u8; RECORD] {
    let mind = crowd.mind(index);
    let Placement { position, heading } = moment.placement;
    let [n0, n1, n2, _] = crowd.id(index).to_le_bytes();
    let millimetres = |metres: f32| ((metres * 1000.0).round().clamp(0.0, 16_777_215.0) as u32).to_le_bytes();
    let [[x0, x1, x2, _], [y0, y1, y2, _]] = (position - head.corner).to_array().map(millimetres);
    let turns = heading / TAU;
    let [h0, h1] = ((((turns - turns.floor()) * 65_536.0) as u32) as u16).to_le_bytes();
    let [c0, c1] = moment.clip.to_le_bytes();
    let [p0, p1] = sixteenths(moment.clip_frame).to_le_bytes();
    let style = style_number(crowd, index, moment.style, head.styles);
    let state = if moment.speed > 0.05 { UNDER_WAY } else { 0 } | if mind.waits() { WAITS } else { 0 };
    let state = state | mover_number(crowd.mover(index)) << 4;
    let speed = (moment.speed * 25.0).round().clamp(0.0, 255.0) as u8;
    let idle = crowd.frame().saturating_sub(mind.gained) as f32 / FRAME_RATE;
    let waits = moment.speed < 0.2 && mind.goal.is_some() && mind.gained > 0;
    let waited = if waits { idle.min(255.0) as u8 } else { 0 };
    let situation = mind.visits.iter().find(|visit| visit.takes_part && !visit.done);
    let situation = situation.map_or(0, |visit| (visit.situation.0 + 1).min(255) as u8);
    [n0, n1, n2, style, x0, x1, x2, y0, y1, y2, h0, h1, c0, c1, p0, p1, state, speed, waited, situation]
}

/// Writes where feet and head of the one of number `index` are, whose root is at `root`.
fn put_stance(index: usize, root: Vec2, stance: &Stance, out: &mut Vec<u8>) {
    let millimetres = |metres: f32| (metres * 1000.0).round().clamp(-32_768.0, 32_767.0) as i16;
    let turn = |angle: f32| (angle / TAU * 65_536.0).round() as i32;
    out.extend((index as u32).to_le_bytes());
    for foot in &stance.feet {
        out.extend(millimetres(foot.ball.x - root.x).to_le_bytes());
        out.extend(millimetres(foot.ball.y - root.y).to_le_bytes());
        out.extend((turn(foot.heading) as u16).to_le_bytes());
        out.extend(millimetres(foot.lift).to_le_bytes());
    }
    out.extend(millimetres(stance.drop).to_le_bytes());
    out.extend((turn(stance.look) as i16).to_le_bytes());
}

fn sixteenths(frame: f32) -> u16 {
    (frame * 16.0).round().clamp(0.0, 65_535.0) as u16
}
