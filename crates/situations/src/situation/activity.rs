//! The ready kinds of situations: what people do at a crosswalk, in a queue, on a bench …

use super::{Change, Influence, Roll, Visit};
use crate::behaviour::{Behaviour, unsettled};
use crate::scheme::Alphas;
use crate::signal::{Signal, SignalId};
use crate::vehicle::{Ride, Vehicle};
use crowdloom_base::Spread;
use crowdloom_base::labels::LabelSet;
use crowdloom_base::random::Random;
use crowdloom_motion::graph::NodeId;
use crowdloom_motion::mobb::Disc;
use crowdloom_motion::{FRAME_RATE, FRAME_TIME};
use crowdloom_synthesis::{Goal, When};
use crowdloom_world::{Bounds, Ground, Stream};
use glam::Vec2;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// A place for one person.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// Where to be, in metres.
    pub at: Vec2,
    /// Which way to face, as a unit vector.
    pub facing: Vec2,
}

/// A constraint on who takes a spot: the motion there is planned, so that it ends exactly where and as it should.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exact {
    /// The pose in the end; plain standing where there is none.
    pub pose: Option<NodeId>,
    /// Where the body is then, seen from the spot, in metres.
    pub step: Vec2,
    /// The frames between which it arrives there, both included; at any time without it, or once they are over.
    pub time: Option<(u32, u32)>,
}

impl Exact {
    /// Where, how and when to be on `spot`, for who asks in `frame`.
    pub fn goal(&self, spot: &Spot, frame: u32) -> Goal {
        Goal {
            at: Some(spot.at + self.step.rotate(spot.facing)),
            facing: Some(libm::atan2f(spot.facing.y, spot.facing.x)),
            pose: self.pose.into(),
            time: self.time.filter(|(_, last)| frame <= *last).map(|(first, last)| When::Between {
                from: first as f32 * FRAME_TIME,
                to: last as f32 * FRAME_TIME,
            }),
        }
    }

    /// Frames by which somebody who is `distance` metres away would be too early in setting out in `frame`.
    fn too_early(&self, distance: f32, frame: u32) -> u32 {
        let needed = ((distance / SLOW + SITTING_DOWN) * FRAME_RATE) as u32;
        self.time.map_or(0, |(first, _)| first.saturating_sub(frame + needed))
    }
}

/// What people in a situation do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Activity {
    /// Nothing but what the situation grants and removes.
    Nothing,
    /// Wait while a signal is off, then cross to one of several places (sections 3.5.1 and 6.1).
    Cross {
        /// The signal; without one people cross at once.
        signal: Option<SignalId>,
        /// The regions on the other side, by their indices; people go anywhere in one of them.
        to: Vec<usize>,
        /// The crosswalks, by the indices of their regions: everybody waits who is about to step onto one, and nobody
        /// else. Without any, all wait who cross.
        over: Vec<usize>,
        /// The share of those who come by that cross, from 0 to 1.
        share: f32,
        /// Frames that must be left of the signal to set out.
        least_frames: u32,
    },
    /// Be in a hurry: go at some speed, running if need be.
    Hurry {
        /// The speed in metres a second.
        speed: f32,
    },
    /// Take a free spot, stay there for a while, then go on: bench, seats, vending machine, shop window, gathering.
    Spend {
        /// The spots.
        spots: Vec<Spot>,
        /// How long.
        stay: Spread,
        /// What to show while being there.
        show: LabelSet,
        /// Where and how to be there exactly; `None` for who need not be.
        exact: Option<Exact>,
    },
    /// Stand in line and move up until one is served.
    Queue {
        /// Places in the line, the first one first.
        line: Vec<Spot>,
        /// How long serving takes.
        service: Spread,
    },
    /// Do not leave before a signal is on.
    StayIn {
        /// The region, by its index.
        region: usize,
        /// The signal; without one nobody leaves.
        signal: Option<SignalId>,
    },
    /// Go where the situation leads: a follow stroke.
    Follow {
        /// The way, in metres; people go from their nearest point of it to its end.
        way: Vec<Vec2>,
    },
    /// Show something now and then while standing, such as talking.
    Show {
        /// The labels of what to show.
        labels: LabelSet,
        /// How likely, from 0 to 1, at each decision while standing.
        chance: f32,
    },
    /// Keep near the other members (thesis: close).
    Close {
        /// How near to the middle of the group is near enough, in metres.
        within: f32,
    },
    /// Walk side by side with the other members; the first leads and waits for those who fall behind.
    Together {
        /// How far apart side by side is, in metres.
        apart: f32,
    },
    /// Stand while a signal is off; where the way goes on is for other situations to say (section 3.5.1).
    Light {
        /// The signal.
        signal: SignalId,
        /// The crosswalks that it is for, by the indices of their regions; without any, all stand.
        over: Vec<usize>,
        /// Frames that must be left of the signal to set out.
        least_frames: u32,
    },
    /// Come near to a place, stay around it for a while, facing it, then disperse (section 6.1: get-together).
    Approach {
        /// The place, in metres.
        at: Vec2,
        /// How near is near enough, in metres.
        within: f32,
        /// How long.
        stay: Spread,
        /// What to show while being there.
        show: LabelSet,
    },
    /// Have the region to oneself, or to as many as the capacity says; others wait outside (section 3.5.2).
    Exclusive {
        /// A disc around the region.
        around: Disc,
    },
    /// Go on to the least crowded of several places.
    Balance {
        /// The places: regions by their indices.
        to: Vec<usize>,
    },
    /// Wait for a vehicle at one of its stops, board it where there is room, and get off some stops later.
    Board {
        /// The vehicle, by its index.
        vehicle: usize,
        /// The stop, by its index.
        halt: u16,
    },
    /// What a kind of situation says that the program has added.
    Added {
        /// The kind, by its number.
        kind: u16,
        /// The spots that visitors may claim one by one.
        spots: Vec<Spot>,
        /// Numbers of the kind, by name.
        numbers: BTreeMap<String, f32>,
    },
}

/// What an activity may look at.
pub struct Scenery<'a> {
    /// The frame.
    pub frame: u32,
    /// The ground.
    pub ground: &'a Ground,
    /// All signals.
    pub signals: &'a [Signal],
    /// All vehicles.
    pub vehicles: &'a [Vehicle],
    /// Where the agent is, in metres.
    pub position: Vec2,
    /// The agent's number.
    pub agent: u32,
    /// Where the agent faces, as a unit vector.
    pub facing: Vec2,
    /// Whether the agent stands at a node at rest.
    pub at_rest: bool,
    /// Whether the agent shows something special already, such as sitting.
    pub special: bool,
    /// The speed that the agent likes, in metres a second.
    pub likes: f32,
    /// Where the agent itself wants to be, in metres.
    pub wish: Option<Vec2>,
    /// The points that the agent heads for, one after the other, in metres.
    pub ahead: &'a [Vec2],
    /// Whether the agent is in a hurry.
    pub hurries: bool,
    /// Who else is in the situation.
    pub roll: &'a Roll,
    /// How many people are in a region, by its index, or on their way to it.
    pub people: &'a dyn Fn(usize) -> usize,
    /// Slopes of behaviour functions.
    pub alphas: Alphas,
    /// The vehicle that the agent boards.
    pub ride: &'a mut Option<Box<Ride>>,
    /// The agent's random numbers.
    pub random: &'a mut Random,
    /// Changes asked for, with the agent that asks.
    pub changes: &'a mut Vec<(u32, Change)>,
}

impl Scenery<'_> {
    /// Whether a signal is on; without one, always.
    pub fn is_on(&self, signal: Option<SignalId>) -> bool {
        signal.is_none_or(|id| {
            self.signals.get(usize::from(id.0)).is_some_and(|signal| signal.is_on(self.frame))
        })
    }

    /// Frames until a signal goes off; without one, as many as there are.
    pub fn frames_left(&self, signal: Option<SignalId>) -> u32 {
        let signal = signal.and_then(|id| self.signals.get(usize::from(id.0)));
        signal.map_or(u32::MAX, |signal| signal.frames_left(self.frame))
    }

    /// Whether a light that is not for going stops the agent: on its way onto one of these crosswalks, unless it is in a hurry;
    /// where there are none, until it has set out. Who was kept from setting out while there was time waits for the next.
    fn minds_the_light(&self, over: &[usize], visit: &Visit) -> bool {
        match over {
            [] => !visit.done || self.at_rest,
            _ => !self.hurries && self.steps_onto(over),
        }
    }

    /// Whether the agent faces away from a region, by its index.
    fn comes_from(&self, region: usize) -> bool {
        let Some(region) = self.ground.regions().get(region) else { return false };
        let Bounds { min, max } = region.bounds();
        let at = self.position.as_dvec2();
        let way = (at.clamp(min, max) - at).as_vec2();
        way.dot(self.facing) < BEHIND * way.length()
    }

    /// Whether the agent is about to step onto one of some regions, by their indices, or has come to rest where one begins.
    fn steps_onto(&self, regions: &[usize]) -> bool {
        let regions = regions.iter().filter_map(|&region| self.ground.regions().get(region));
        let mut near = regions.filter(|region| {
            let Bounds { min, max } = region.bounds();
            let at = self.position.as_dvec2();
            at.distance(at.clamp(min, max)) < f64::from(KERB)
        });
        near.any(|region| match region.contains(self.position) {
            false => self.way(KERB).any(|place| region.contains(place)),
            true => self.at_rest && self.way(KERB).last().is_some_and(|place| region.contains(place)),
        })
    }

    /// Places on the agent's way up to `reach` metres ahead.
    fn way(&self, reach: f32) -> impl Iterator<Item = Vec2> + '_ {
        let (mut at, mut left, mut points) = (self.position, reach, self.ahead.iter());
        let mut next = points.next();
        std::iter::from_fn(move || {
            let to = *next?;
            let step = KERB_STEP.min(left);
            if step <= 0.0 {
                return None;
            }
            let distance = at.distance(to);
            if distance <= step {
                next = points.next();
                (at, left) = (to, left - distance.max(1e-3));
            } else {
                (at, left) = (at + (to - at) * (step / distance), left - step);
            }
            Some(at)
        })
    }
}

/// What lies behind somebody, by the cosine of the angle to where it faces.
const BEHIND: f32 = -0.5;

/// Who is so near to a crosswalk that it heads for, in metres, looks at the light …
const KERB: f32 = 3.0;

/// … and finds out how near it is in steps of so many metres.
const KERB_STEP: f32 = 0.25;

/// Frames after which whoever cannot come near stays where it is.
const APPROACH_FRAMES: u32 = 20 * 30;

/// The first of a group waits when the middle is this many times the distance of two away.
const FALLS_BEHIND: f32 = 1.4;

/// Friends head for a point this far ahead of their place, in metres: the nearer, the closer they keep together.
const LOOK_AHEAD: f32 = 2.0;

/// Friends who are farther from their place than this, in metres, find their way there.
const FAR_BEHIND: f32 = 5.0;

/// Who crosses keeps so far off the walls of the other side, in metres.
const ROOM_BEYOND: f32 = 0.4;

/// A spot is reached within this distance, in metres; from there on people settle on it.
const AT_SPOT: f32 = 0.8;

/// Metres (and radians, as [`crate::behaviour::unsettled`] counts them) within which somebody is settled on a spot.
const SETTLED: f32 = 0.3;

/// Who is to be on a spot exactly asks for a motion there from this far, in metres.
const IN_SIGHT: f32 = 5.0;

/// Who is to be there at some time sets out so early that it need not be faster than this, in metres a second …
const SLOW: f32 = 0.9;

/// … and has so many seconds left to turn and to sit down.
const SITTING_DOWN: f32 = 4.0;

/// Frames before that in which it begins nothing else any more.
const IDLING: u32 = 6 * 30;

/// What counts against asking again for a motion onto a spot: that none was found …
pub const MISSED: u8 = 8;
/// … having to wait for who is still there …
pub const WAITED: u8 = 1;
/// … and how much of it there is before one settles as well as one can.
const MOST_MISSES: u8 = 3 * MISSED;

/// Whether it is time to ask for a motion that ends exactly on the spot.
fn asks_for_a_plan(spot: &Spot, scenery: &Scenery<'_>, visit: &Visit) -> bool {
    !scenery.special && visit.misses < MOST_MISSES && scenery.position.distance(spot.at) < IN_SIGHT
}

/// Frames after which people make do with where they have got to.
const SETTLING_FRAMES: u32 = 10 * 30;

/// Whether the visitor has settled on a spot; else it is told how to get there.
pub(super) fn is_at(
    spot: &Spot,
    scenery: &Scenery<'_>,
    visit: &mut Visit,
    influence: &mut Influence,
) -> bool {
    if scenery.position.distance(spot.at) > AT_SPOT {
        influence.target = Some(spot.at);
        visit.arrived = scenery.frame;
        return false;
    }
    if visit.arrived == 0 {
        visit.arrived = scenery.frame;
    }
    let off = unsettled(scenery.position, scenery.facing, spot.at, spot.facing);
    if off < SETTLED || scenery.special || scenery.frame.saturating_sub(visit.arrived) > SETTLING_FRAMES {
        return true;
    }
    influence.stand = true;
    influence.settles = true;
    influence.removes = influence.removes.with(super::Defaults::DONT_TURN);
    influence.add(Behaviour::Settle { at: spot.at, facing: spot.facing, alpha: scenery.alphas.settle });
    false
}

impl Activity {
    /// The spots that visitors claim one by one.
    pub fn spots(&self) -> &[Spot] {
        match self {
            Self::Spend { spots, .. } => spots,
            Self::Queue { line, .. } => line,
            Self::Added { spots, .. } => spots,
            _ => &[],
        }
    }

    /// The number called `name` of a situation whose kind the program has added.
    pub fn number(&self, name: &str) -> Option<f32> {
        match self {
            Self::Added { numbers, .. } => numbers.get(name).copied(),
            _ => None,
        }
    }

    /// Adds what this activity asks of a visitor to `influence`; what has to change for all is pushed to `changes`.
    ///
    /// Returns a place on the other side when the visitor sets out to cross.
    pub fn influence(
        &self,
        scenery: &mut Scenery<'_>,
        visit: &mut Visit,
        influence: &mut Influence,
    ) -> Option<Vec2> {
        let id = visit.situation;
        let roll = scenery.roll;
        match self {
            Self::Nothing => {}
            Self::Cross { signal, to, over, share, least_frames } => {
                if to.is_empty() {
                    return None;
                }
                let may_go = scenery.is_on(*signal) && scenery.frames_left(*signal) >= *least_frames;
                // Who comes from a side does not turn back to it, nor wait for a light.
                let enters = visit.since == scenery.frame;
                let sides = to.iter().copied().filter(|&side| !(enters && scenery.comes_from(side)));
                let ahead: SmallVec<[usize; 4]> = sides.collect();
                visit.done |= ahead.is_empty();
                influence.stand |= !may_go && scenery.minds_the_light(over, visit);
                if (may_go || !over.is_empty()) && !visit.done {
                    visit.done = true;
                    if *share < 1.0 && scenery.random.unit() >= *share {
                        return None;
                    }
                    let other_side = ahead[scenery.random.below(ahead.len() as u32) as usize];
                    let region = scenery.ground.regions().get(other_side)?;
                    let mut stream = Stream::new(scenery.random.bits(), 0);
                    return scenery.ground.walkways().random_point(Some(region), ROOM_BEYOND, &mut stream);
                }
            }
            Self::Hurry { speed } => influence.pace = Some(*speed),
            Self::Spend { spots, stay, show, exact } => {
                if visit.done {
                    // A seat is given up by who has got up: the next would stand in the way of that.
                    if let Some(held) = visit.spot.take_if(|_| !scenery.special) {
                        scenery.changes.push((scenery.agent, Change::Release(id, held)));
                    }
                    return None;
                }
                let spot = hold_spot(spots, false, scenery, visit)?;
                if visit.until == 0 {
                    if let Some(exact) = exact.filter(|_| asks_for_a_plan(&spot, scenery, visit)) {
                        let early = exact.too_early(scenery.position.distance(spot.at), scenery.frame);
                        if early > 0 {
                            influence.stand = true;
                            influence.hold = early < IDLING;
                            return None;
                        }
                        let arrive = Change::Arrive(id, visit.spot.unwrap_or(0));
                        scenery.changes.push((scenery.agent, arrive));
                        influence.hold = true;
                        return None;
                    }
                    if !is_at(&spot, scenery, visit, influence) {
                        return None;
                    }
                    visit.until = scenery.frame + stay.draw_frames(scenery.random);
                }
                if scenery.frame >= visit.until {
                    visit.done = true;
                    return self.influence(scenery, visit, influence);
                }
                influence.stand = true;
                influence.grants = influence.grants | *show;
                influence.wants = influence.wants | *show;
                influence.removes = influence.removes.with(super::Defaults::DONT_TURN);
                let toward = scenery.position + spot.facing * 4.0;
                influence.add(Behaviour::Face { toward, alpha: scenery.alphas.face });
            }
            Self::Queue { line, service } => {
                if visit.done {
                    return None;
                }
                // Where the line is full people pass by and look again later.
                let spot = hold_spot(line, true, scenery, visit)?;
                let place = visit.spot.unwrap_or(0);
                if place > 0 && roll.holders.get(usize::from(place) - 1).is_some_and(Option::is_none) {
                    // Move up as soon as the place in front is free.
                    scenery.changes.push((scenery.agent, Change::Release(id, place)));
                    scenery.changes.push((scenery.agent, Change::Claim(id, place - 1)));
                    visit.spot = Some(place - 1);
                    visit.until = 0;
                    influence.target = Some(line[usize::from(place) - 1].at);
                    return None;
                }
                if place == 0 && visit.until != 0 && scenery.frame >= visit.until {
                    visit.done = true;
                    visit.spot = None;
                    scenery.changes.push((scenery.agent, Change::Release(id, 0)));
                    return None;
                }
                if visit.until == 0 && is_at(&spot, scenery, visit, influence) {
                    visit.until = scenery.frame + service.draw_frames(scenery.random);
                }
                influence.stand |= visit.until != 0;
                let toward = scenery.position + spot.facing * 4.0;
                influence.add(Behaviour::Face { toward, alpha: scenery.alphas.face_in_line });
            }
            Self::StayIn { region, signal } => {
                if signal.is_none() || !scenery.is_on(*signal) {
                    influence.stay_in(*region);
                }
            }
            Self::Follow { way } => {
                let end = way.last()?;
                let nearest = (0..way.len())
                    .min_by(|&a, &b| {
                        way[a].distance(scenery.position).total_cmp(&way[b].distance(scenery.position))
                    })
                    .unwrap_or(0);
                let next = way.get(nearest + 1).copied().unwrap_or(*end);
                if end.distance(scenery.position) < 2.0 {
                    influence.stand = true
                } else {
                    influence.target = Some(next)
                }
            }
            Self::Show { labels, chance } => {
                if scenery.at_rest && scenery.random.unit() < *chance {
                    influence.grants = influence.grants | *labels;
                    influence.wants = influence.wants | *labels;
                }
            }
            Self::Light { signal, over, least_frames } => {
                let signal = Some(*signal);
                let may_go = scenery.is_on(signal) && scenery.frames_left(signal) >= *least_frames;
                visit.done |= may_go;
                influence.stand |= !may_go && scenery.minds_the_light(over, visit);
            }
            Self::Approach { at, within, stay, show } => {
                if visit.done {
                    return None;
                }
                if visit.until == 0 {
                    // Who cannot get near, because others are there, stays where it is.
                    let gives_up = scenery.frame.saturating_sub(visit.since) > APPROACH_FRAMES;
                    if scenery.position.distance(*at) > *within && !gives_up {
                        influence.target = Some(*at);
                        return None;
                    }
                    visit.until = scenery.frame + stay.draw_frames(scenery.random);
                }
                visit.done = scenery.frame >= visit.until;
                if !visit.done {
                    influence.stand = true;
                    influence.grants = influence.grants | *show;
                    influence.wants = influence.wants | *show;
                    influence.removes = influence.removes.with(super::Defaults::DONT_TURN);
                    influence.add(Behaviour::Face { toward: *at, alpha: scenery.alphas.face });
                }
            }
            // Rooms concern those who are outside: see `heed_rooms`; an added kind says itself what it asks.
            Self::Exclusive { .. } | Self::Added { .. } => {}
            Self::Balance { to } => {
                if visit.done {
                    return None;
                }
                visit.done = true;
                let regions = scenery.ground.regions();
                let crowding =
                    |&region: &usize| (scenery.people)(region) as f64 / regions[region].size().max(1e-3);
                let all = to.iter().filter(|&&region| region < regions.len());
                let least = all.min_by(|a, b| crowding(a).total_cmp(&crowding(b)))?;
                let mut stream = Stream::new(scenery.random.bits(), 0);
                let somewhere = |room| scenery.ground.random_point(regions.get(*least), room, &mut stream);
                return [ROOM_BEYOND, 0.0].into_iter().find_map(somewhere);
            }
            Self::Board { vehicle, halt } => {
                if visit.done || scenery.ride.is_some() {
                    return None;
                }
                let own = scenery.vehicles.get(*vehicle)?;
                influence.stand = true;
                if own.state.halt != *halt || !own.admits(scenery.frame) {
                    return None;
                }
                if own.place_of(scenery.agent).is_none() {
                    scenery.changes.push((scenery.agent, Change::Board(*vehicle)));
                    return None;
                }
                visit.done = true;
                let left = (own.halts.len() as u32).saturating_sub(u32::from(*halt) + 1).max(1);
                let halts_to_go = 1 + scenery.random.below(left) as u16;
                *scenery.ride = Some(Box::new(Ride { vehicle: *vehicle as u16, halts_to_go, offset: None }));
            }
            Self::Together { apart } => {
                if roll.present.first() == Some(&scenery.agent) {
                    if scenery.position.distance(roll.centre) > FALLS_BEHIND * apart {
                        influence.pace = Some(0.6 * scenery.likes);
                    }
                    return None;
                }
                let rank = roll.present.iter().position(|other| *other == scenery.agent)?;
                // To the left and to the right of the first, in turns.
                let side = if rank % 2 == 1 { 1.0 } else { -1.0 } * rank.div_ceil(2) as f32;
                let ahead = roll.leader.facing();
                let spot = roll.leader.position + ahead.perp() * side * *apart;
                let off = spot.distance(scenery.position);
                if off > FAR_BEHIND {
                    influence.target = Some(spot);
                } else {
                    let to = spot + ahead * LOOK_AHEAD;
                    influence.removes = influence.removes.with(super::Defaults::TARGET_FIND);
                    let late = (spot - scenery.position).dot(ahead);
                    let pace = (scenery.likes + late.clamp(-0.5, 0.8)).max(0.5);
                    influence.pace = Some(pace);
                    influence.add(Behaviour::ComeNearer { to, pace, alpha: scenery.alphas.keep_together });
                }
            }
            Self::Close { within } => {
                if scenery.position.distance(roll.centre) > *within {
                    let alpha = scenery.alphas.keep_together;
                    influence.add(Behaviour::ComeNearer { to: roll.centre, pace: 1.3, alpha });
                    influence.removes = influence.removes.with(super::Defaults::TARGET_FIND);
                }
            }
        }
        None
    }
}

/// The spot that a visitor holds, or claims now; `None` where all are taken. A line fills from its head.
pub(super) fn hold_spot(
    spots: &[Spot],
    in_line: bool,
    scenery: &mut Scenery<'_>,
    visit: &mut Visit,
) -> Option<Spot> {
    let holders = &scenery.roll.holders;
    if let Some(held) = visit.spot {
        // The claim may have been lost to somebody else.
        if holders.get(usize::from(held)) == Some(&Some(scenery.agent)) {
            return spots.get(usize::from(held)).copied();
        }
        visit.spot = None;
    }
    let pick = if in_line {
        holders.iter().rposition(Option::is_some).map_or(0, |last| last + 1)
    } else {
        // Any free one, but rather one that is near.
        let (here, holders) = (scenery.position, &scenery.roll.holders);
        let weight = |(spot, holder): (&Spot, &Option<u32>)| match holder {
            None => 1.0 / (1.0 + spot.at.distance_squared(here)),
            Some(_) => 0.0,
        };
        let weights: Vec<f32> = spots.iter().zip(holders).map(weight).collect();
        scenery.random.weighted(&weights, |weight| *weight)?
    };
    let spot = spots.get(pick).copied()?;
    visit.spot = Some(pick as u16);
    scenery.changes.push((scenery.agent, Change::Claim(visit.situation, pick as u16)));
    Some(spot)
}
