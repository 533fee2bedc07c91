//! Agents that follow clips: written as which clip began where and when, instead of where they are in every frame.

use super::column::{Damaged, Differences, Numbers, put_number, put_signed};
use super::frames::{Sample, Track, nearest};
use crowdloom_motion::breath::breath_at;
use crowdloom_motion::{Clip, Placement};
use std::collections::BTreeMap;

/// A clip played from somewhere: the agent's root follows the clip's own track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Number of the clip.
    pub clip: u16,
    /// The frame in which it began; before the first where it was going on when the run began.
    pub began: i64,
    /// Frames that it takes to play the whole clip, or [`Stretch::BREATHES`].
    pub frames: u32,
    /// Where the agent was when it began.
    pub origin: Placement,
    /// How fast the agent goes on average, in metres a second.
    pub speed: f32,
    /// Number of its style.
    pub style: u8,
    /// Number of its state.
    pub state: u8,
}

/// One agent over a part of a chunk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Following {
    /// The agent.
    pub id: u32,
    /// The recorded frame of the chunk, from 0, that the first stretch starts with.
    pub first: u32,
    /// What it follows, and in how many recorded frames.
    pub stretches: Vec<(u32, Stretch)>,
}

/// Parts of a metre and of a radian that origins are written in.
const FINE: f32 = 10_000.0;

/// The most samples that a chunk may claim: a million people for two seconds.
const MOST_SAMPLES: usize = 1 << 26;

impl Stretch {
    /// The [`Stretch::frames`] of somebody who rests: the clip goes round in its own slow time.
    pub const BREATHES: u32 = 0;

    /// Where the clip, which has frames, is in `frame`, seen from where it began, and at which of its own frames.
    pub fn local(&self, clip: &Clip, frame: u32) -> (Placement, f32) {
        let last = clip.track.len() - 1;
        if self.frames == Self::BREATHES {
            let elapsed = (i64::from(frame) - self.began).max(0) as u32;
            return (clip.placement_at(0.0), if last > 0 { breath_at(elapsed) } else { 0.0 });
        }
        let elapsed = (i64::from(frame) - self.began).clamp(0, self.frames.into());
        let at = elapsed as f32 * last as f32 / self.frames.max(1) as f32;
        (clip.placement_at(at), at)
    }

    /// The agent in `frame`; one whose clip is not known stands where it began.
    pub fn sample(&self, clip: Option<&Clip>, frame: u32) -> Sample {
        let known = clip.filter(|clip| !clip.track.is_empty());
        let (place, at) = known.map_or((Placement::IDENTITY, 0.0), |clip| self.local(clip, frame));
        Sample::new(self.origin.then(place), self.speed, self.clip, at, (self.style, self.state))
    }
}

/// The columns of stretches, as whole numbers: what is written, and how it is read.
type Column = (fn(&Stretch, i64) -> i64, fn(&mut Stretch, i64, i64));

fn fine(value: f32) -> i64 {
    nearest(value * FINE).into()
}

/// The second argument is the first frame of the chunk.
const COLUMNS: [Column; 9] = [
    (|s, _| s.clip.into(), |s, v, _| s.clip = v as u16),
    (
        |s, first| s.began - first,
        |s, v, first| s.began = v.saturating_add(first).clamp(i32::MIN.into(), u32::MAX.into()),
    ),
    (|s, _| s.frames.into(), |s, v, _| s.frames = v.clamp(0, u32::MAX.into()) as u32),
    (|s, _| fine(s.origin.position.x), |s, v, _| s.origin.position.x = v as f32 / FINE),
    (|s, _| fine(s.origin.position.y), |s, v, _| s.origin.position.y = v as f32 / FINE),
    (|s, _| fine(s.origin.heading), |s, v, _| s.origin.heading = v as f32 / FINE),
    (|s, _| nearest(s.speed * 1000.0).into(), |s, v, _| s.speed = v as f32 / 1000.0),
    (|s, _| s.style.into(), |s, v, _| s.style = v as u8),
    (|s, _| s.state.into(), |s, v, _| s.state = v as u8),
];

/// Appends agents that follow clips.
pub fn put_following(out: &mut Vec<u8>, following: &[Following], first_frame: u32) {
    put_number(out, following.len() as u64);
    let mut ids = Differences::new(1);
    for agent in following {
        put_signed(out, ids.encode(agent.id.into()));
        put_number(out, agent.first.into());
        put_number(out, agent.stretches.len() as u64);
        agent.stretches.iter().for_each(|(records, _)| put_number(out, (*records).into()));
    }
    for (get, _) in COLUMNS {
        for agent in following {
            // From stretch to stretch an agent hardly moves.
            let mut differences = Differences::new(1);
            for (_, stretch) in &agent.stretches {
                put_signed(out, differences.encode(get(stretch, first_frame.into())));
            }
        }
    }
}

/// Reads what [`put_following`] wrote.
pub fn following(numbers: &mut Numbers, first_frame: u32, records: u32) -> Result<Vec<Following>, Damaged> {
    let limit = numbers.0.len() as u64;
    let count = numbers.at_most(limit)?;
    let mut ids = Differences::new(1);
    let mut all = Vec::with_capacity(count);
    let mut total = 0;
    for _ in 0..count {
        let id = u32::try_from(ids.decode(numbers.signed()?)).map_err(|_| Damaged)?;
        let first = numbers.at_most(records.into())? as u32;
        let mut left = u64::from(records - first);
        let mut stretches = Vec::new();
        for _ in 0..numbers.at_most(limit)? {
            let length = numbers.at_most(left)?;
            left -= length as u64;
            total += length;
            stretches.push((length as u32, Stretch::default()));
        }
        if total > MOST_SAMPLES {
            return Err(Damaged);
        }
        all.push(Following { id, first, stretches });
    }
    for (_, set) in COLUMNS {
        for agent in &mut all {
            let mut differences = Differences::new(1);
            for (_, stretch) in &mut agent.stretches {
                set(stretch, differences.decode(numbers.signed()?), first_frame.into());
            }
        }
    }
    Ok(all)
}

/// Where an agent that follows clips is in every recorded frame.
pub fn track_of(agent: &Following, first_frame: u32, stride: u32, clips: &BTreeMap<u16, Clip>) -> Track {
    let length = agent.stretches.iter().map(|(records, _)| *records as usize).sum();
    let mut samples = Vec::with_capacity(length);
    for (records, stretch) in &agent.stretches {
        let clip = clips.get(&stretch.clip);
        samples.extend((0..*records).map(|_| Sample::default()));
        let from = samples.len() - *records as usize;
        for (sample, record) in samples[from..].iter_mut().zip(agent.first + from as u32..) {
            let frame = first_frame.saturating_add(record.saturating_mul(stride));
            *sample = stretch.sample(clip, frame);
        }
    }
    Track { id: agent.id, first: agent.first, samples }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use proptest::prelude::*;

    prop_compose! {
        fn any_stretch()(clip in any::<u16>(), began in -500i64..2_000_000, frames in 1u32..500,
            x in -5000i32..5000, y in -5000i32..5000, heading in -31_000i32..31_000,
            speed in 0u16..5000, style in any::<u8>(), state in any::<u8>()) -> Stretch {
            // A position such as it comes out of a file.
            let position = Vec2::new((x * 100) as f32 / FINE, (y * 100) as f32 / FINE);
            let origin = Placement { position, heading: heading as f32 / FINE };
            Stretch { clip, began, frames, origin, speed: f32::from(speed) / 1000.0, style, state }
        }
    }

    proptest! {
        #[test]
        fn what_is_followed_comes_back(agents in prop::collection::vec(
            (any::<u32>(), 0u32..20, prop::collection::vec((1u32..10, any_stretch()), 1..4)), 0..8)) {
            let agents: Vec<Following> =
                agents.into_iter().map(|(id, first, stretches)| Following { id, first, stretches }).collect();
            let mut bytes = Vec::new();
            put_following(&mut bytes, &agents, 1000);
            let mut numbers = Numbers(&bytes);
            prop_assert_eq!(following(&mut numbers, 1000, 60), Ok(agents));
            prop_assert!(numbers.0.is_empty());
        }

        #[test]
        fn damage_is_no_disaster(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(agents) = following(&mut Numbers(&bytes), 7, 60) {
                agents.iter().for_each(|agent| drop(track_of(agent, 7, 1, &BTreeMap::new())));
            }
        }
    }
}
