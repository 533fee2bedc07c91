//! Keys of glTF animations: as few as show the same motion, and whoever is not there takes no room.

use super::gltf_buffer::{BYTE, Buffer, FLOAT, Layout, SHORT, floats};
use crate::run::Sample;
use crowdloom_motion::Skeleton;
use glam::{Quat, Vec3, Vec4};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A key of a place is left out where its neighbours give the same to so many metres.
const PLACE_TOLERANCE: f32 = 0.005;
/// How exactly keys show how people move.
#[derive(Clone, Copy, Debug)]
pub struct Fineness {
    /// A key of the hips' height is left out where its neighbours give the same to so many metres.
    height: f32,
    /// A key of a rotation is left out where what hangs on the joint is off by so many metres without it …
    tip: f32,
    /// … if no foot hangs on it, by so many.
    loose_tip: f32,
    /// No rotation is off by more than so many radians.
    turn: f32,
    /// What turns faster than so many radians a second, as a leg does that swings, …
    fast: f32,
    /// … may besides be so many seconds late or early.
    late: f32,
    /// Rotations of joints on which nothing hangs that reaches farther than so many metres are kept in bytes.
    byte_reach: f32,
}

impl Fineness {
    /// For people who may be seen from near.
    pub const NEAR: Self = Self {
        height: PLACE_TOLERANCE,
        tip: 0.012,
        loose_tip: 0.012,
        turn: 0.06,
        fast: 1.5,
        late: 0.020,
        byte_reach: 0.0,
    };

    /// For crowds, of which most are far away: files of a third less. Half a degree of a hand is less than 4 mm.
    pub const FAR: Self = Self {
        height: 2.0 * PLACE_TOLERANCE,
        tip: 0.023,
        loose_tip: 0.036,
        turn: 0.12,
        fast: 1.0,
        late: 0.033,
        byte_reach: 0.45,
    };

    /// Up to so many people, everybody may be seen from near.
    const FEW: usize = 200;

    /// What suits a number of people.
    pub fn of(people: usize) -> Self {
        if people <= Self::FEW { Self::NEAR } else { Self::FAR }
    }
}

/// Keys are moved to where they fit best, after which they are nearer by this.
const FITTED: f32 = 1.5;
/// So many samples at most lie between two keys.
const LONGEST_GAP: usize = 45;
/// Bytes that an accessor of its own for times costs in the text of the file.
const OWN_TIMES: usize = 110;

/// What an animation does to one node.
pub struct Channel {
    /// The node.
    pub node: usize,
    values: Values,
    /// The samples that are keys; all where there are none.
    kept: Option<Vec<u32>>,
}

enum Values {
    Places(Vec<Vec3>),
    /// Rotations, and whether bytes do for them.
    Turns(Vec<Quat>, bool),
    /// Whether it is to be seen, from one key to the next, and its size then.
    Seen(Vec<bool>, f32),
}

/// The motion of one agent: the times of its samples in seconds, and what moves.
pub struct Motion {
    fineness: Fineness,
    times: Vec<f32>,
    channels: Vec<Channel>,
    /// The times at which an agent appears and goes, with the channels that say so.
    presence: Vec<(Vec<f32>, Channel)>,
}

impl Motion {
    /// A motion with samples at these times, in seconds.
    pub fn at(times: Vec<f32>) -> Self {
        Self::finely(times, Fineness::NEAR)
    }

    /// The same, as exact as asked for.
    pub fn finely(times: Vec<f32>, fineness: Fineness) -> Self {
        Self { fineness, times, channels: Vec::new(), presence: Vec::new() }
    }

    /// The times of its samples in seconds.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// A node goes from place to place.
    pub fn places(&mut self, node: usize, places: Vec<Vec3>) {
        self.places_within(node, PLACE_TOLERANCE, places);
    }

    /// Hips rise and fall.
    pub fn heights(&mut self, node: usize, heights: Vec<Vec3>) {
        self.places_within(node, self.fineness.height, heights);
    }

    fn places_within(&mut self, node: usize, tolerance: f32, places: Vec<Vec3>) {
        let between = |from: usize, to: usize, at: usize| {
            let share = self.share(from, to, at);
            places[from].lerp(places[to], share).distance(places[at]) <= tolerance * FITTED
        };
        let kept = thinned(places.len(), 12, between);
        let places = match &kept {
            Some(kept) => self.fitted(&places, kept),
            None => places,
        };
        self.channels.push(Channel { node, values: Values::Places(places), kept });
    }

    /// A node turns; what hangs on it reaches so many metres.
    pub fn turns(&mut self, node: usize, reach: f32, turns: Vec<Quat>) {
        self.turns_within(node, reach, self.fineness.tip, turns);
    }

    /// A node turns on which no foot hangs; what does reaches so many metres.
    pub fn turns_loosely(&mut self, node: usize, reach: f32, turns: Vec<Quat>) {
        self.turns_within(node, reach, self.fineness.loose_tip, turns);
    }

    fn turns_within(&mut self, node: usize, reach: f32, tolerance: f32, mut turns: Vec<Quat>) {
        // Neighbours have the same sign, so that viewers turn the short way.
        let mut before = Quat::IDENTITY;
        for turn in &mut turns {
            *turn = turn.normalize();
            *turn = if before.dot(*turn) < 0.0 { -*turn } else { *turn };
            before = *turn;
        }
        let Fineness { turn: widest, fast, late, byte_reach, .. } = self.fineness;
        let least = (tolerance / reach.max(1e-3)).min(widest);
        // The cosine of half the angle between two rotations is their product.
        let near_enough: Vec<f32> = (0..turns.len())
            .map(|at| {
                let (before, after) = (at.saturating_sub(1), (at + 1).min(turns.len() - 1));
                let passed = (self.times[after] - self.times[before]).max(1e-3);
                let speed = turns[before].angle_between(turns[after]) / passed;
                let most = (least + (speed - fast).max(0.0) * late).min(widest.max(least));
                libm::cosf(most * FITTED / 2.0)
            })
            .collect();
        let between = |from: usize, to: usize, at: usize| {
            let share = self.share(from, to, at);
            (turns[from] * (1.0 - share) + turns[to] * share).normalize().dot(turns[at]) >= near_enough[at]
        };
        let coarse = reach <= byte_reach;
        let kept = thinned(turns.len(), if coarse { 4 } else { 8 }, between);
        let turns = match &kept {
            Some(kept) => {
                let own: Vec<Vec4> = turns.iter().map(|&turn| Vec4::from(turn)).collect();
                self.fitted(&own, kept).into_iter().map(|turn| Quat::from_vec4(turn).normalize()).collect()
            }
            None => turns,
        };
        self.channels.push(Channel { node, values: Values::Turns(turns, coarse), kept });
    }

    /// A node of size `scale` is to be seen only while the motion lasts, or `until` another takes its place, in a film of `seconds`.
    pub fn seen_only_meanwhile(&mut self, node: usize, seconds: f32, scale: f32, until: Option<f32>) {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let (mut times, mut seen) = (Vec::new(), Vec::new());
        if first > 0.0 {
            (times, seen) = (vec![0.0], vec![false]);
        }
        times.push(first);
        seen.push(true);
        let end = until.or((last < seconds && last > first).then_some(last));
        if let Some(end) = end {
            times.push(end);
            seen.push(false);
        }
        if times.len() > 1 {
            self.presence.push((times, Channel { node, values: Values::Seen(seen, scale), kept: None }));
        }
    }

    /// The values with those at keys moved to where lines between them are nearest to all values: least squares, whose equations
    /// have three diagonals.
    fn fitted<V>(&self, values: &[V], kept: &[u32]) -> Vec<V>
    where
        V: Copy + std::ops::Add<Output = V> + std::ops::Sub<Output = V> + std::ops::Mul<f32, Output = V>,
    {
        let count = kept.len();
        let (mut diagonal, mut beside) = (vec![0.0_f32; count], vec![0.0_f32; count]);
        let mut right: Vec<V> = kept.iter().map(|&key| values[key as usize] * 0.0).collect();
        let mut add = |key: usize, share: f32, value: V| {
            diagonal[key] += share * share;
            right[key] = right[key] + value * share;
        };
        for (key, pair) in kept.windows(2).enumerate() {
            let (from, to) = (pair[0] as usize, pair[1] as usize);
            let end = if key + 2 == count { to + 1 } else { to };
            for (at, &value) in values.iter().enumerate().take(end).skip(from) {
                let share = self.share(from, to, at);
                add(key, 1.0 - share, value);
                add(key + 1, share, value);
                beside[key] += share * (1.0 - share);
            }
        }
        // Elimination forwards, then backwards.
        for key in 1..count {
            let factor = beside[key - 1] / diagonal[key - 1].max(1e-9);
            diagonal[key] -= factor * beside[key - 1];
            right[key] = right[key] - right[key - 1] * factor;
        }
        let mut fitted = values.to_vec();
        for key in (0..count).rev() {
            let mut own = right[key];
            if key + 1 < count {
                own = own - fitted[kept[key + 1] as usize] * beside[key];
            }
            fitted[kept[key] as usize] = own * (1.0 / diagonal[key].max(1e-9));
        }
        fitted
    }

    fn share(&self, from: usize, to: usize, at: usize) -> f32 {
        (self.times[at] - self.times[from]) / (self.times[to] - self.times[from])
    }
}

/// The samples that must be keys, if that saves anything: `between` tells whether a sample need not be one when its
/// neighbours are those two, and a value has so many bytes.
pub fn thinned(
    samples: usize,
    bytes: usize,
    between: impl Fn(usize, usize, usize) -> bool,
) -> Option<Vec<u32>> {
    let mut kept = vec![0];
    let mut from = 0;
    while from + 1 < samples {
        let mut to = from + 1;
        while to + 1 < samples
            && to + 1 - from <= LONGEST_GAP
            && (from + 1..=to).rev().all(|at| between(from, to + 1, at))
        {
            to += 1;
        }
        kept.push(to as u32);
        from = to;
    }
    (kept.len() * (bytes + 4) + OWN_TIMES < samples * bytes).then_some(kept)
}

/// Stores animations; accessors of times that are the same are shared.
#[derive(Default)]
pub struct Animations {
    list: Vec<Value>,
    times: BTreeMap<Vec<u32>, usize>,
    view: Option<usize>,
}

impl Animations {
    /// Adds one animation of all these motions.
    pub fn add(&mut self, buffer: &mut Buffer, name: &str, motions: Vec<Motion>) {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for Motion { times, channels: moved, presence, .. } in motions {
            let moved = moved.iter().map(|channel| (&times, channel));
            for (times, channel) in moved.chain(presence.iter().map(|(times, seen)| (times, seen))) {
                let (input, output, path) = self.store(buffer, times, channel);
                channels.push(json!({
                    "sampler": samplers.len(), "target": { "node": channel.node, "path": path },
                }));
                let mut sampler = json!({ "input": input, "output": output });
                if path == "scale" {
                    sampler["interpolation"] = "STEP".into();
                }
                samplers.push(sampler);
            }
        }
        self.list.push(json!({ "name": name, "samplers": samplers, "channels": channels }));
    }

    /// All of them.
    pub fn into_list(self) -> Vec<Value> {
        self.list
    }

    /// Accessors of times and values, and what the values are.
    fn store(
        &mut self,
        buffer: &mut Buffer,
        times: &[f32],
        channel: &Channel,
    ) -> (usize, usize, &'static str) {
        let all: Vec<u32>;
        let kept = match &channel.kept {
            Some(kept) => kept,
            None => {
                all = (0..times.len() as u32).collect();
                &all
            }
        };
        let count = kept.len();
        let layout = |component, kind, normalized| Layout { component, kind, count, normalized };
        let kept_times = kept.iter().map(|&at| times[at as usize]);
        let bits: Vec<u32> = kept_times.clone().map(f32::to_bits).collect();
        let view = *self.view.get_or_insert_with(|| buffer.view(None, None));
        let input = *self.times.entry(bits).or_insert_with(|| {
            let range =
                (json!([brief(times[kept[0] as usize])]), json!([brief(times[kept[count - 1] as usize])]));
            buffer.accessor(view, &floats(kept_times), layout(FLOAT, "SCALAR", false), Some(range))
        });
        let kept = kept.iter().map(|&at| at as usize);
        let (bytes, layout, path) = match &channel.values {
            Values::Places(places) => {
                let bytes = floats(kept.flat_map(|at| places[at].to_array()));
                (bytes, layout(FLOAT, "VEC3", false), "translation")
            }
            Values::Turns(turns, true) => {
                let byte = |value: f32| ((value * 127.0).round() as i8) as u8;
                let bytes = kept.flat_map(|at| turns[at].to_array().map(byte)).collect();
                (bytes, layout(BYTE, "VEC4", true), "rotation")
            }
            Values::Turns(turns, false) => {
                let short = |value: f32| ((value * 32767.0).round() as i16).to_le_bytes();
                let bytes = kept.flat_map(|at| turns[at].to_array().map(short)).flatten().collect();
                (bytes, layout(SHORT, "VEC4", true), "rotation")
            }
            Values::Seen(seen, scale) => {
                // Viewers take a body of no size as one that is not there; 0 itself cannot be turned back.
                let bytes = floats(kept.flat_map(|at| [if seen[at] { *scale } else { 1e-6 }; 3]));
                (bytes, layout(FLOAT, "VEC3", false), "scale")
            }
        };
        (input, buffer.accessor(view, &bytes, layout, None), path)
    }
}

/// A number that is written as short as its 32 bits allow.
pub fn brief(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// How far the joints below each joint reach at most, in metres; ends that have none below reach 0.1 m.
pub fn reaches(skeleton: &Skeleton) -> Vec<f32> {
    let joints = skeleton.joints();
    let mut reaches = vec![0.1_f32; joints.len()];
    // Parents come before their children.
    for (index, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent.map(usize::from) {
            reaches[parent] = reaches[parent].max(joint.offset.length() + reaches[index]);
        }
    }
    reaches
}

/// Every so many samples, and the last.
pub fn keys(samples: &[(u32, Sample)], every: u32) -> Vec<(u32, &Sample)> {
    let last = samples.len() - 1;
    let wanted = |index: usize| index == last || index.is_multiple_of(every as usize);
    (0..samples.len())
        .filter(|&index| wanted(index))
        .map(|index| (samples[index].0, &samples[index].1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(motion: &Motion, at: f32) -> Vec3 {
        let Channel { values: Values::Places(places), kept, .. } = &motion.channels[0] else { panic!() };
        let kept = kept.clone().unwrap_or_else(|| (0..places.len() as u32).collect());
        let next = kept.iter().position(|&key| motion.times[key as usize] >= at).unwrap_or(kept.len() - 1);
        let (a, b) = (kept[next.max(1) - 1] as usize, kept[next.max(1)] as usize);
        places[a].lerp(places[b], (at - motion.times[a]) / (motion.times[b] - motion.times[a]))
    }

    #[test]
    fn fewer_keys_show_the_same_way() {
        let times: Vec<f32> = (0..300).map(|frame| frame as f32 / 30.0).collect();
        let way = |t: f32| Vec3::new(1.3 * t, (0.8 * t).sin(), 0.02 * (9.0 * t).sin());
        let mut motion = Motion::at(times.clone());
        motion.places(0, times.iter().map(|&t| way(t)).collect());
        let kept = motion.channels[0].kept.as_ref().expect("a smooth way needs fewer keys");
        assert!(kept.len() < 200 && kept[0] == 0 && *kept.last().unwrap() == 299, "{}", kept.len());
        for &t in &times {
            let off = between(&motion, t).distance(way(t));
            assert!(off <= PLACE_TOLERANCE * 1.4, "{off} m off at {t} s");
        }
    }

    #[test]
    fn fewer_keys_show_the_same_turns() {
        let times: Vec<f32> = (0..90).map(|frame| frame as f32 / 30.0).collect();
        let turns: Vec<Quat> = times.iter().map(|t| Quat::from_rotation_y(0.4 * (6.0 * t).sin())).collect();
        let mut motion = Motion::at(times.clone());
        motion.turns(3, 0.8, turns.clone());
        let Channel { values: Values::Turns(shown, false), kept, .. } = &motion.channels[0] else { panic!() };
        let kept = kept.clone().expect("fewer keys");
        for pair in kept.windows(2) {
            for at in pair[0]..pair[1] {
                let share = (at - pair[0]) as f32 / (pair[1] - pair[0]) as f32;
                let own = shown[pair[0] as usize].slerp(shown[pair[1] as usize], share);
                let off = own.angle_between(turns[at as usize]);
                // It turns by up to 2.4 radians a second.
                let Fineness { tip, fast, late, .. } = Fineness::NEAR;
                assert!(off < tip / 0.8 + (2.4 - fast) * late, "{off} at {at}");
            }
        }
    }

    #[test]
    fn who_comes_and_goes_is_seen_only_meanwhile() {
        let mut motion = Motion::at(vec![2.0, 3.0, 4.0]);
        motion.seen_only_meanwhile(0, 10.0, 1.0, None);
        let (times, Channel { values: Values::Seen(seen, _), .. }) = &motion.presence[0] else { panic!() };
        assert_eq!((&times[..], &seen[..]), (&[0.0, 2.0, 4.0][..], &[false, true, false][..]));
        let mut always = Motion::at(vec![0.0, 10.0]);
        always.seen_only_meanwhile(0, 10.0, 1.0, None);
        assert!(always.presence.is_empty());
        // Whose place another takes is seen until then, be it for one moment.
        let mut act = Motion::at(vec![0.0]);
        act.seen_only_meanwhile(0, 10.0, 1.0, Some(0.5));
        let (times, Channel { values: Values::Seen(seen, _), .. }) = &act.presence[0] else { panic!() };
        assert_eq!((&times[..], &seen[..]), (&[0.0, 0.5][..], &[true, false][..]));
    }
}
