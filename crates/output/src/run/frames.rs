//! A stretch of frames as columns of whole numbers.

use super::column::{Damaged, Differences, Numbers, put_number, put_signed, put_text};
use super::stretches::{Following, following, put_following, track_of};
use super::vehicles::{VehicleMoment, put_vehicles, vehicles};
use crowdloom_motion::stance::{Sole, Stance};
use crowdloom_motion::{Clip, Placement, wrap_angle};
use glam::Vec2;
use std::collections::{BTreeMap, HashMap};
use std::f32::consts::TAU;

/// One agent in one frame, in whole numbers as the file has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Position in millimetres.
    pub x: i32,
    /// Position in millimetres.
    pub y: i32,
    /// Heading in parts of 65,536 of a full turn.
    pub heading: u16,
    /// Speed in millimetres a second.
    pub speed: u16,
    /// Number of the clip that it shows.
    pub clip: u16,
    /// Where in the clip it is, in parts of 64 of a frame.
    pub phase: u32,
    /// Number of the style.
    pub style: u8,
    /// Number of the state.
    pub state: u8,
    /// Number of the clip out of which it goes over into that one.
    pub under_clip: u16,
    /// Where in that clip it is, in parts of 64 of a frame.
    pub under_phase: u32,
    /// How much of that clip is left, in parts of 255.
    pub under_share: u8,
    /// Whether the feet are elsewhere than the clip has them (1), and whether the left (2) and right foot (4) bear weight.
    pub feet: u8,
    /// The ball of the left foot in millimetres.
    pub left_x: i32,
    /// The ball of the left foot in millimetres.
    pub left_y: i32,
    /// The heading of a body that the left foot would be straight under, in parts of 65,536 of a full turn.
    pub left_heading: u16,
    /// How much higher than in its clip the left foot is, in millimetres.
    pub left_lift: i16,
    /// The ball of the right foot in millimetres.
    pub right_x: i32,
    /// The ball of the right foot in millimetres.
    pub right_y: i32,
    /// The heading of a body that the right foot would be straight under, in parts of 65,536 of a full turn.
    pub right_heading: u16,
    /// How much higher than in its clip the right foot is, in millimetres.
    pub right_lift: i16,
    /// How much lower than in its clip the root is, in millimetres.
    pub drop: i16,
    /// How far the head is turned to the left, in parts of 65,536 of a full turn.
    pub look: i16,
}

/// Parts of a clip's frame that are told apart.
const PHASES: f32 = 64.0;

/// The nearest whole number, without a call of the mathematics library.
pub(super) fn nearest(value: f32) -> i32 {
    (value + 0.5f32.copysign(value)) as i32
}

impl Sample {
    /// Rounds to whole numbers; what is no number becomes 0.
    pub fn new(
        placement: Placement,
        speed: f32,
        clip: u16,
        clip_frame: f32,
        (style, state): (u8, u8),
    ) -> Self {
        Self {
            x: nearest(placement.position.x * 1000.0),
            y: nearest(placement.position.y * 1000.0),
            heading: nearest(placement.heading * (65536.0 / TAU)) as u16,
            speed: nearest(speed * 1000.0).clamp(0, u16::MAX.into()) as u16,
            clip,
            phase: nearest(clip_frame * PHASES).max(0) as u32,
            style,
            state,
            ..Self::default()
        }
    }

    /// The same while it goes over out of another clip: its number, its frame and its share from 0 to 1.
    pub fn over(self, under: Option<(u16, f32, f32)>) -> Self {
        let Some((clip, frame, share)) = under else { return self };
        Self {
            under_clip: clip,
            under_phase: nearest(frame * PHASES).max(0) as u32,
            under_share: nearest(share * 255.0).clamp(0, 255) as u8,
            ..self
        }
    }

    /// The clip out of which it goes over, the frame of it and its share from 0 to 1, while it does.
    pub fn under(&self) -> Option<(u16, f32, f32)> {
        let share = f32::from(self.under_share) / 255.0;
        (self.under_share > 0).then(|| (self.under_clip, self.under_phase as f32 / PHASES, share))
    }

    /// The same with its own stance.
    pub fn standing(self, stance: Option<Stance>) -> Self {
        let Some(Stance { feet: [left, right], drop, look }) = stance else { return self };
        let millimetres = |metres: f32| nearest(metres * 1000.0);
        let lift = |metres: f32| millimetres(metres).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let turn = |angle: f32| nearest(angle * (65536.0 / TAU));
        Self {
            feet: 1 | u8::from(left.planted) << 1 | u8::from(right.planted) << 2,
            left_x: millimetres(left.ball.x),
            left_y: millimetres(left.ball.y),
            left_heading: turn(left.heading) as u16,
            left_lift: lift(left.lift),
            right_x: millimetres(right.ball.x),
            right_y: millimetres(right.ball.y),
            right_heading: turn(right.heading) as u16,
            right_lift: lift(right.lift),
            drop: lift(drop),
            look: turn(look) as i16,
            ..self
        }
    }

    /// Where the feet are and where the head turns, if otherwise than the clip has it.
    pub fn stance(&self) -> Option<Stance> {
        if self.feet & 1 == 0 {
            return None;
        }
        let metres = |millimetres: i32| millimetres as f32 / 1000.0;
        let angle = |part: u16| wrap_angle(f32::from(part) / 65536.0 * TAU);
        let left = Sole {
            ball: Vec2::new(metres(self.left_x), metres(self.left_y)),
            heading: angle(self.left_heading),
            lift: metres(self.left_lift.into()),
            planted: self.feet & 2 != 0,
        };
        let right = Sole {
            ball: Vec2::new(metres(self.right_x), metres(self.right_y)),
            heading: angle(self.right_heading),
            lift: metres(self.right_lift.into()),
            planted: self.feet & 4 != 0,
        };
        let look = f32::from(self.look) / 65536.0 * TAU;
        Some(Stance { feet: [left, right], drop: metres(self.drop.into()), look })
    }

    /// Position in metres.
    pub fn position(&self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32) / 1000.0
    }

    /// Position and heading in metres and radians.
    pub fn placement(&self) -> Placement {
        let heading = wrap_angle(f32::from(self.heading) / 65536.0 * TAU);
        Placement { position: self.position(), heading }
    }

    /// Speed in metres a second.
    pub fn metres_a_second(&self) -> f32 {
        f32::from(self.speed) / 1000.0
    }

    /// The frame of the clip, with its fraction.
    pub fn clip_frame(&self) -> f32 {
        self.phase as f32 / PHASES
    }
}

/// One agent over a part of a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// The agent.
    pub id: u32,
    /// The recorded frame of the chunk, from 0, that the first sample is of.
    pub first: u32,
    /// One sample for each recorded frame on from there.
    pub samples: Vec<Sample>,
}

impl Track {
    /// The sample in recorded frame `record` of the chunk, if the agent is there then.
    pub fn at(&self, record: u32) -> Option<&Sample> {
        self.samples.get(record.checked_sub(self.first)? as usize)
    }
}

/// Agents that are sorted at once: so few that what they fill stays in the cache.
const SORTED_AT_ONCE: usize = 64;

/// Sorts what was there in each record, one after the other, into tracks.
pub fn tracks_of(records: &[Vec<(u32, Sample)>]) -> Vec<Track> {
    let ids = |record: &[(u32, Sample)], ids: &[(u32, Sample)]| {
        record.len() == ids.len() && record.iter().zip(ids).all(|(a, b)| a.0 == b.0)
    };
    match records.first() {
        Some(first) if records.iter().all(|record| ids(record, first)) => tracks_of_the_same(records, first),
        _ => tracks_of_changing(records),
    }
}

/// The same where the same agents are there all the time, in the same order.
fn tracks_of_the_same(records: &[Vec<(u32, Sample)>], first: &[(u32, Sample)]) -> Vec<Track> {
    let mut tracks = Vec::with_capacity(first.len());
    for (block, agents) in first.chunks(SORTED_AT_ONCE).enumerate() {
        let start = block * SORTED_AT_ONCE;
        let empty =
            |&(id, _): &(u32, Sample)| Track { id, first: 0, samples: Vec::with_capacity(records.len()) };
        tracks.extend(agents.iter().map(empty));
        for record in records {
            let samples = &record[start..start + agents.len()];
            tracks[start..]
                .iter_mut()
                .zip(samples)
                .for_each(|(track, &(_, sample))| track.samples.push(sample));
        }
    }
    tracks
}

/// The same where agents come and go.
fn tracks_of_changing(records: &[Vec<(u32, Sample)>]) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    // The track of each place in the list of the record before: right unless somebody came or went.
    let mut open: Vec<usize> = Vec::new();
    let mut last_of: HashMap<u32, usize> = HashMap::new();
    for (record, now) in records.iter().enumerate() {
        open.resize(now.len(), usize::MAX);
        for (open, &(id, sample)) in open.iter_mut().zip(now) {
            let goes_on =
                |track: &Track| track.id == id && track.first as usize + track.samples.len() == record;
            if !tracks.get(*open).is_some_and(goes_on) {
                let known = last_of.get(&id).copied().filter(|&track| goes_on(&tracks[track]));
                *open = known.unwrap_or_else(|| {
                    let samples = Vec::with_capacity(records.len() - record);
                    tracks.push(Track { id, first: record as u32, samples });
                    tracks.len() - 1
                });
                last_of.insert(id, *open);
            }
            tracks[*open].samples.push(sample);
        }
    }
    tracks
}

/// A signal that takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalChange {
    /// Recorded frame of the chunk, from 0.
    pub record: u32,
    /// The signal.
    pub signal: u16,
    /// Its value from then on.
    pub value: u8,
}

/// All agents over a stretch of frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// The first frame.
    pub first_frame: u32,
    /// Frames from one record to the next.
    pub stride: u32,
    /// Recorded frames.
    pub records: u32,
    /// Agents; one that leaves and comes back has several tracks.
    pub tracks: Vec<Track>,
    /// Agents that follow clips; when a chunk is read they become tracks.
    pub following: Vec<Following>,
    /// What has changed about agents: number and text.
    pub notes: Vec<(u32, String)>,
    /// Values of all signals in the first frame, and changes after.
    pub signals: Vec<SignalChange>,
    /// Vehicles that are on their way, in every recorded frame.
    pub vehicles: Vec<VehicleMoment>,
}

/// The most records that a chunk may claim.
const MOST_RECORDS: u64 = 1 << 16;

/// The columns of samples: how each is written, and what it is of.
///
/// `Moving` are differences of differences, `Turning` the same modulo 65,536, `Staying` changes, each with the number
/// of samples that keep the value. A macro, so that every column gets a loop of its own.
macro_rules! columns {
    ($each:ident) => {
        $each!(Moving, x);
        $each!(Moving, y);
        $each!(Turning, heading);
        $each!(Staying, speed);
        $each!(Staying, clip);
        $each!(Moving, phase);
        $each!(Staying, style);
        $each!(Staying, state);
        $each!(Staying, under_clip);
        $each!(Staying, under_phase);
        $each!(Staying, under_share);
        $each!(Staying, feet);
        $each!(Moving, left_x);
        $each!(Moving, left_y);
        $each!(Turning, left_heading);
        $each!(Staying, left_lift);
        $each!(Moving, right_x);
        $each!(Moving, right_y);
        $each!(Turning, right_heading);
        $each!(Staying, right_lift);
        $each!(Staying, drop);
        $each!(Moving, look);
    };
}

/// How a column is written.
trait Coding {
    fn encode(samples: &[Sample], get: impl Fn(&Sample) -> i64, out: &mut Vec<u8>);
    fn decode(
        samples: &mut [Sample],
        set: impl Fn(&mut Sample, i64),
        values: &mut Numbers,
    ) -> Result<(), Damaged>;
}

struct Moving;
struct Turning;
struct Staying;

impl Coding for Moving {
    fn encode(samples: &[Sample], get: impl Fn(&Sample) -> i64, out: &mut Vec<u8>) {
        let mut differences = Differences::new(2);
        samples.iter().for_each(|sample| put_signed(out, differences.encode(get(sample))));
    }

    fn decode(
        samples: &mut [Sample],
        set: impl Fn(&mut Sample, i64),
        values: &mut Numbers,
    ) -> Result<(), Damaged> {
        let mut differences = Differences::new(2);
        samples.iter_mut().try_for_each(|sample| {
            set(sample, differences.decode(values.signed()?));
            Ok(())
        })
    }
}

impl Coding for Turning {
    fn encode(samples: &[Sample], get: impl Fn(&Sample) -> i64, out: &mut Vec<u8>) {
        let mut differences = Differences::new(2);
        samples.iter().for_each(|sample| put_signed(out, i64::from(differences.encode(get(sample)) as i16)));
    }

    fn decode(
        samples: &mut [Sample],
        set: impl Fn(&mut Sample, i64),
        values: &mut Numbers,
    ) -> Result<(), Damaged> {
        Moving::decode(samples, set, values)
    }
}

impl Coding for Staying {
    fn encode(samples: &[Sample], get: impl Fn(&Sample) -> i64, out: &mut Vec<u8>) {
        let mut last = 0;
        for run in samples.chunk_by(|a, b| get(a) == get(b)) {
            let value = get(&run[0]);
            put_signed(out, value - last);
            put_number(out, run.len() as u64);
            last = value;
        }
    }

    fn decode(
        samples: &mut [Sample],
        set: impl Fn(&mut Sample, i64),
        values: &mut Numbers,
    ) -> Result<(), Damaged> {
        let (mut at, mut last) = (0, 0i64);
        while at < samples.len() {
            last = last.wrapping_add(values.signed()?);
            let length = values.at_most((samples.len() - at) as u64)?;
            if length == 0 {
                return Err(Damaged);
            }
            samples[at..at + length].iter_mut().for_each(|sample| set(sample, last));
            at += length;
        }
        Ok(())
    }
}

/// The contents of a block of frames.
pub fn encode_chunk(chunk: &Chunk) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 + chunk.tracks.iter().map(|t| t.samples.len() * 9).sum::<usize>());
    for number in [chunk.first_frame, chunk.stride, chunk.records, chunk.tracks.len() as u32] {
        put_number(&mut out, number.into());
    }
    let mut ids = Differences::new(1);
    for track in &chunk.tracks {
        put_signed(&mut out, ids.encode(track.id.into()));
        put_number(&mut out, track.first.into());
        put_number(&mut out, track.samples.len() as u64);
    }
    let mut column_bytes = Vec::new();
    macro_rules! encode {
        ($coding:ident, $field:ident) => {
            column_bytes.clear();
            for track in &chunk.tracks {
                $coding::encode(&track.samples, |sample| i64::from(sample.$field), &mut column_bytes);
            }
            put_number(&mut out, column_bytes.len() as u64);
            out.extend(&column_bytes);
        };
    }
    columns!(encode);
    put_number(&mut out, chunk.notes.len() as u64);
    for (id, text) in &chunk.notes {
        put_number(&mut out, u64::from(*id));
        put_text(&mut out, text);
    }
    put_number(&mut out, chunk.signals.len() as u64);
    for change in &chunk.signals {
        for number in [change.record, change.signal.into(), change.value.into()] {
            put_number(&mut out, number.into());
        }
    }
    put_following(&mut out, &chunk.following, chunk.first_frame);
    put_vehicles(&mut out, &chunk.vehicles);
    out
}

/// Reads what [`encode_chunk`] wrote; `clips` are those that agents may follow.
pub fn decode_chunk(contents: &[u8], clips: &BTreeMap<u16, Clip>) -> Result<Chunk, Damaged> {
    let mut numbers = Numbers(contents);
    let first_frame = numbers.at_most(u32::MAX.into())? as u32;
    let stride = numbers.at_most(1000)?.max(1) as u32;
    let records = numbers.at_most(MOST_RECORDS)? as u32;
    // A track takes at least three bytes, a sample at least four: no claim exceeds the contents.
    let count = numbers.at_most(contents.len() as u64)?;
    let mut tracks = Vec::with_capacity(count);
    let mut ids = Differences::new(1);
    let mut total = 0;
    for _ in 0..count {
        let id = u32::try_from(ids.decode(numbers.signed()?)).map_err(|_| Damaged)?;
        let first = numbers.at_most(records.into())? as u32;
        let length = numbers.at_most((records - first).into())?;
        total += length;
        if total > contents.len() {
            return Err(Damaged);
        }
        tracks.push(Track { id, first, samples: vec![Sample::default(); length] });
    }
    macro_rules! decode {
        ($coding:ident, $field:ident) => {
            let length = numbers.at_most(contents.len() as u64)?;
            let mut values = Numbers(numbers.bytes(length)?);
            for track in &mut tracks {
                $coding::decode(&mut track.samples, |sample, value| sample.$field = value as _, &mut values)?;
            }
        };
    }
    columns!(decode);
    let mut chunk = Chunk { first_frame, stride, records, tracks, ..Chunk::default() };
    for _ in 0..numbers.at_most(contents.len() as u64)? {
        let id = numbers.at_most(u32::MAX.into())? as u32;
        chunk.notes.push((id, numbers.text()?.to_owned()));
    }
    for _ in 0..numbers.at_most(contents.len() as u64)? {
        let record = numbers.at_most(records.into())? as u32;
        let signal = numbers.at_most(u16::MAX.into())? as u16;
        chunk.signals.push(SignalChange { record, signal, value: numbers.at_most(255)? as u8 });
    }
    let following = following(&mut numbers, first_frame, records)?;
    chunk.vehicles = vehicles(&mut numbers, records)?;
    chunk.tracks.extend(following.iter().map(|agent| track_of(agent, first_frame, stride, clips)));
    Ok(chunk)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        fn any_sample()(x in any::<i32>(), y in any::<i32>(), heading in any::<u16>(), speed in any::<u16>(),
            clip in any::<u16>(), phase in any::<u32>(), style in any::<u8>(), state in any::<u8>(),
            (under_clip, under_phase, under_share) in any::<(u16, u32, u8)>(), feet in any::<u8>(),
            (left_x, left_y, left_heading, left_lift) in any::<(i32, i32, u16, i16)>(),
            (right_x, right_y, right_heading, right_lift) in any::<(i32, i32, u16, i16)>(),
            (drop, look) in any::<(i16, i16)>()) -> Sample {
            Sample {
                x, y, heading, speed, clip, phase, style, state, under_clip, under_phase, under_share, feet,
                left_x, left_y, left_heading, left_lift, right_x, right_y, right_heading, right_lift, drop, look,
            }
        }
    }

    prop_compose! {
        fn any_track()(id in any::<u32>(), first in 0u32..20,
            samples in prop::collection::vec(any_sample(), 0..20)) -> Track {
            Track { id, first, samples }
        }
    }

    prop_compose! {
        pub fn any_chunk()(first_frame in 0u32..1_000_000, stride in 1u32..9,
            tracks in prop::collection::vec(any_track(), 0..8),
            notes in prop::collection::vec((any::<u32>(), ".{0,20}"), 0..4),
            changes in prop::collection::vec((0u32..40, any::<u16>(), any::<u8>()), 0..4)) -> Chunk {
            let signals = changes.into_iter().map(|(record, signal, value)| SignalChange { record, signal, value });
            let signals = signals.collect();
            Chunk { first_frame, stride, records: 40, tracks, notes, signals, ..Chunk::default() }
        }
    }

    proptest! {
        #[test]
        fn both_ways_of_sorting_agree(
            agents in prop::collection::btree_set(any::<u32>(), 0..150),
            samples in prop::collection::vec(any_sample(), 1..9),
        ) {
            let of = |sample: &Sample| agents.iter().map(|&id| (id, Sample { x: id as i32, ..*sample })).collect();
            let records: Vec<Vec<(u32, Sample)>> = samples.iter().map(of).collect();
            prop_assert_eq!(tracks_of(&records), tracks_of_changing(&records));
        }

        #[test]
        fn chunks_come_back(chunk in any_chunk()) {
            prop_assert_eq!(decode_chunk(&encode_chunk(&chunk), &BTreeMap::new()), Ok(chunk));
        }

        #[test]
        fn damage_is_no_disaster(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode_chunk(&bytes, &BTreeMap::new());
        }

        #[test]
        fn samples_round_to_what_they_were(x in -1e5f32..1e5, y in -1e5f32..1e5, heading in -7.0f32..7.0) {
            let placement = Placement::new(x, y, heading);
            let back = Sample::new(placement, 1.25, 3, 12.5, (1, 2)).placement();
            // Single precision itself has steps of 8 mm out there, in both directions.
            prop_assert!(back.position.distance(placement.position) < 0.0008 + x.abs().max(y.abs()) * 1.7e-7);
            prop_assert!(wrap_angle(back.heading - heading).abs() < 1e-4);
        }
    }
}
