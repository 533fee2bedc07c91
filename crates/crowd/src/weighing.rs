//! The thesis' probability scheme (section 3.2): every action that leaves a node is weighed by all behaviours that hold.

use crate::asking::Asked;
use crate::behaviour::{Behaviour, Candidate, Here};
use crate::crowd::Setting;
use crate::decision::{Aim, Decider, STIR};
use crate::labels::LabelSet;
use crate::lanes::{Wanted, off_pace};
use crate::mind::Mind;
use crate::moves::{Choice, MoveId};
use crate::person::Errand;
use crate::scheme::{Scheme, StraightFrom};
use crate::situation::{Defaults, Influence};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};
use glam::Vec2;

/// What cannot come nearer than this to the best, as a logarithm of its share, is put off: less than one in twenty thousand.
const HOPELESS: f32 = 10.0;

/// The logarithm of the weight of what is never done.
const NEVER: f32 = f32::NEG_INFINITY;

/// The logarithm of the weight of walking on in another style than the agent's own …
const OTHER_STYLE: f32 = -4.0;

/// … and of what is done seldom.
const SELDOM: f32 = -4.0;

/// What turns and steps on the spot must gain against waiting, as a logarithm of weights: some 43 degrees of facing
/// astray for who is on its way …
const GAIN_ON_THE_SPOT: f32 = 8.0;

/// … the most impatient of them settling for so much less, as a share …
const SETTLES_FOR: f32 = 0.9;

/// … and less for who stands where it should.
const GAIN_WHERE_ONE_STANDS: f32 = 0.3;

/// What the most impatient put up with against waiting, as a logarithm of weights, to get around others …
const MOST_LOSS: f32 = 8.0;

/// … and the share of it that everybody puts up with at once.
const LOSS_AT_ONCE: f32 = 0.1;

/// Who walks turns round on the way instead of stopping first, for what is farther away than this, in metres …
const NEAR: f32 = 1.5;

/// … and behind it, by the cosine of the angle to its way, …
const BEHIND: f32 = -0.2;

/// … by steps that turn by more than this, in radians.
const TURNS_ROUND: f32 = 0.3;

/// Who likes to be faster than this, in metres a second, runs (Thorstensson and Roberthson 1987: about 1.9).
const RUNS: f32 = 2.05;

/// How far from its own pace, in metres a second, an agent walks gladly.
const PACE_TOLERANCE: f32 = 0.25;

/// Who sets out is fast enough at this speed, in metres a second.
const FIRST_PACE: f32 = 0.8;

/// Who stays where it is does not step farther than this, in metres.
const ROOTED: f32 = 0.02;

/// Who has moved less than this, in metres, has come from nowhere.
const SAME_PLACE: f32 = 0.05;

/// Something to do, and how likely it is against the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed {
    /// Its place among the choices at the node.
    pub(crate) choice: u16,
    /// Its weight; 1 is the best.
    pub(crate) weight: f32,
}

/// What a decision could come to.
#[derive(Default)]
pub(crate) struct Options {
    /// What is weighed.
    pub(crate) weighed: Vec<Weighed>,
    /// Upper limits of the logarithms of weights, one for each choice.
    limits: Vec<f32>,
    /// Choices that cannot be nearly as good as the best, not weighed yet.
    put_off: Vec<u16>,
}

/// How one agent weighs what it could do next.
pub(crate) struct Weighing<'a> {
    decider: &'a Decider<'a>,
    scheme: &'a Scheme,
    mind: &'a Mind,
    influence: &'a Influence,
    asked: &'a Asked,
    start: Placement,
    node: NodeId,
    here: Here,
    at_rest: bool,
    allowed: LabelSet,
    come: Option<Behaviour>,
    /// The pace in metres a second.
    speed: f32,
    moves_on: bool,
    impatience: f32,
    /// The logarithm of the weight of staying as one is.
    waiting: f32,
    /// To which side somebody who walks turns round to what lies behind it: 1 to the left, -1 to the right.
    round: Option<f32>,
    /// The way back to one's feet from a special node (a seat, the ground); there always is one.
    home: Option<ActionId>,
    style: Option<NodeId>,
    in_style: bool,
    rooted: bool,
    /// Whether it stays in the special pose that it is in: nothing asks it to get up or to go.
    remains: bool,
    looks_up: bool,
    finds: f32,
    paced: f32,
    straight: f32,
    /// The way that one came, where turns are measured from it.
    came: Option<Vec2>,
}

impl<'a> Weighing<'a> {
    /// Gets ready to weigh the choices at `node`; `asked` is what added functions say of them.
    pub(crate) fn new(
        decider: &'a Decider<'a>,
        start: Placement,
        node: NodeId,
        mind: &'a Mind,
        influence: &'a Influence,
        asked: &'a Asked,
        aim: Aim,
    ) -> Self {
        let book = &*decider.setting.book;
        let ground = &*decider.setting.ground;
        let labels = decider.shared.labels;
        let here = Here { position: start.position, facing: start.facing() };
        let at_rest = book.graph().node(node).rest;
        let speed = aim.pace;
        let runs = influence.pace.is_some() || mind.speed > RUNS;
        let allowed = LabelSet(!labels.special.0) | influence.grants;
        let scheme = &decider.shared.scheme;
        let alpha = scheme.alphas.find_target;
        let come = aim.target.map(|to| Behaviour::ComeNearer { to, pace: speed, alpha });
        let mut weighing = Self {
            decider,
            scheme,
            mind,
            influence,
            asked,
            start,
            node,
            here,
            at_rest,
            allowed: if runs { allowed | labels.running } else { allowed },
            come,
            speed,
            moves_on: come.is_some()
                || influence.added().any(|(b, _)| matches!(b, Behaviour::ComeNearer { .. })),
            impatience: aim.impatience,
            waiting: 0.0,
            round: aim.target.filter(|_| !at_rest).and_then(|to| side_behind(here, to)),
            home: book.homeward(node).filter(|_| at_rest),
            style: mind.style.map(NodeId),
            in_style: book.choices(node).first().is_some_and(|choice| choice.labels.meets(labels.styled)),
            rooted: matches!(mind.errand, Errand::Stay(_)),
            remains: at_rest
                && book.homeward(node).is_some()
                && mind.visits.is_empty()
                && mind.ride.is_none()
                && mind.wish().is_none()
                && !mind.wanders,
            looks_up: ground.likelihood_layer().is_some() && !influence.removes.has(Defaults::IMAGE_LOOKUP),
            finds: influence.power(Defaults::TARGET_FIND),
            paced: influence.power(Defaults::PACE),
            // At rest one turns as one likes.
            straight: if at_rest { 0.0 } else { influence.power(Defaults::DONT_TURN) },
            came: way_before(scheme, here, mind),
        };
        weighing.waiting = weighing.wish(&Candidate::staying(here), &mut |_, _| {}) + asked.staying();
        weighing
    }

    /// Weighs every choice at the node by all behaviours that hold, but for those that cannot be nearly as good as others.
    ///
    /// The product of the behaviours' weights is a sum of logarithms: nothing is lost where all weights are small.
    pub(crate) fn weigh_likely(&self, options: &mut Options) {
        let choices = self.decider.setting.book.choices(self.node);
        let Options { weighed, limits, put_off } = options;
        weighed.clear();
        put_off.clear();
        self.decider.setting.book.lanes(self.node).limit(&self.wanted(), limits);
        let best = (0..choices.len()).max_by(|&a, &b| limits[a].total_cmp(&limits[b]));
        let mut best = best.map_or(NEVER, |best| self.weigh(best, &choices[best]));
        for (index, choice) in choices.iter().enumerate() {
            if limits[index] < best - HOPELESS / self.scheme.decisive {
                put_off.push(index as u16);
                continue;
            }
            let weight = self.weigh(index, choice);
            best = best.max(weight);
            if weight > NEVER {
                weighed.push(Weighed { choice: index as u16, weight });
            }
        }
        make_likely(weighed, self.scheme.decisive);
    }

    /// What can be told of all choices at a glance.
    fn wanted(&self) -> Wanted {
        let paced = self.moves_on && self.style.is_none();
        let (to, pace) = match self.come {
            Some(Behaviour::ComeNearer { to, pace, .. }) => (Some(to), pace),
            _ => (None, 0.0),
        };
        Wanted {
            here: self.here,
            to: to.filter(|_| self.finds > 0.0),
            nearer: self.scheme.alphas.find_target * self.finds,
            pace,
            enough: self.enough(),
            off_pace: if paced && to.is_some() {
                0.5 * self.paced / (PACE_TOLERANCE * PACE_TOLERANCE)
            } else {
                0.0
            },
            // What is measured from the position before is told only choice by choice.
            straight: if self.came.is_some() { 0.0 } else { self.straight },
        }
    }

    /// Weighs the choices that were put off.
    pub(crate) fn weigh_the_rest(&self, options: &mut Options) {
        let choices = self.decider.setting.book.choices(self.node);
        let Options { weighed, put_off, .. } = options;
        weighed.clear();
        let all = put_off.drain(..);
        let weigh = |choice: u16| self.weigh(usize::from(choice), &choices[usize::from(choice)]);
        let all = all.map(|choice| Weighed { choice, weight: weigh(choice) });
        weighed.extend(all.filter(|option| option.weight > NEVER));
        make_likely(weighed, self.scheme.decisive);
    }

    /// The logarithm of the weight of the pace at which a choice goes on: a style has its own, and who is not in it yet
    /// keeps to the agent's.
    fn pace_weight(&self, choice: &Choice) -> f32 {
        if !self.moves_on || self.style == Some(choice.to) || self.paced == 0.0 {
            return 0.0;
        }
        let off = off_pace(choice.cruise, self.speed, self.enough().min(choice.enough_pace()));
        -0.5 * self.paced * (off / PACE_TOLERANCE) * (off / PACE_TOLERANCE)
    }

    /// The pace that is enough for now, in metres a second: who sets out is not as fast at once.
    fn enough(&self) -> f32 {
        if self.at_rest { FIRST_PACE } else { f32::INFINITY }
    }

    /// What the agent wishes, whatever its pace and its turns, as a logarithm; `note` hears every part of it.
    fn wish(&self, candidate: &Candidate, note: &mut impl FnMut(&'static str, f32)) -> f32 {
        let come = self.come.map_or(0.0, |come| scaled(come.log_weight(self.here, candidate), self.finds));
        if self.come.is_some() {
            note("come nearer", come);
        }
        let added = self.influence.added();
        let added = added.map(|(behaviour, power)| {
            let weight = scaled(behaviour.log_weight(self.here, candidate), *power);
            note(behaviour.name(), weight);
            weight
        });
        come + added.sum::<f32>()
    }

    /// The logarithm of the weight of a choice, by its place among those at the node.
    fn weigh(&self, index: usize, choice: &Choice) -> f32 {
        self.weigh_noting(index, choice, &mut |_, _| {})
    }

    /// The same; `note` hears the logarithm of the weight of every behaviour function that has a say.
    #[inline]
    pub(crate) fn weigh_noting(
        &self,
        index: usize,
        choice: &Choice,
        note: &mut impl FnMut(&'static str, f32),
    ) -> f32 {
        let Self { decider, influence, here, at_rest, moves_on, .. } = *self;
        let book = &*decider.setting.book;
        let ground = &*decider.setting.ground;
        let labels = decider.shared.labels;
        let action = || book.get(choice.normal).parts[0].action;
        let distance = choice.displacement.position.length();
        if self.rooted && distance > ROOTED {
            return NEVER;
        }
        let own_style = self.style == Some(choice.to);
        // A style is entered by who should have it, and left by everybody.
        let permitted = if own_style || self.in_style { self.allowed | labels.styled } else { self.allowed };
        let homeward = self.home.is_some() && self.home == action();
        let lent = influence.grafts && action().is_some_and(|action| self.is_lent(action));
        let remains = self.remains && choice.to == self.node;
        if self.remains && homeward {
            return NEVER;
        }
        if !(choice.labels.within(permitted) || homeward || lent || remains) {
            return NEVER;
        }
        let wanted = choice.labels.meets(influence.wants);
        if homeward && wanted {
            // Who is where it should be does not get up.
            return NEVER;
        }
        let candidate = choice.candidate(here);
        let turn = choice.displacement.heading;
        let idles = choice.labels.meets(labels.waiting);
        // Turns and steps on the spot must gain something; so must everything else, or one waits.
        let least = match (choice.rests, at_rest, moves_on) {
            _ if homeward || wanted || lent || remains => NEVER,
            (true, true, true) if idles => return NEVER,
            (true, true, false) if idles && choice.seconds < STIR => return NEVER,
            (true, true, true) => GAIN_ON_THE_SPOT * (1.0 - SETTLES_FOR * self.impatience),
            // Keeping the old promise stops as well.
            (true, false, _) => return NEVER,
            (true, true, false) if idles => NEVER,
            (true, true, false) => GAIN_WHERE_ONE_STANDS,
            (false, false, true) if self.round.is_some_and(|side| side * turn > TURNS_ROUND) => NEVER,
            (false, _, true) => -MOST_LOSS * (LOSS_AT_ONCE + self.impatience),
            (false, _, false) => return NEVER,
        };
        let asked = self.asked.log_weight(index);
        let mut weight = self.wish(&candidate, note) + asked;
        if asked != 0.0 {
            note("what the program adds", asked);
        }
        if weight - self.waiting < least {
            return NEVER;
        }
        if moves_on {
            let mut add = |name: &'static str, part: f32| {
                note(name, part);
                part
            };
            weight += add("keep the pace", self.pace_weight(choice));
            let other_style = !choice.rests && !own_style && self.style.is_some();
            weight += if other_style { add("keep the style", OTHER_STYLE) } else { 0.0 };
        } else {
            let stop = Behaviour::Stop { within: 0.75, otherwise: 0.0 }.log_weight(here, &candidate);
            note("stop", stop);
            weight += stop;
            // Who settles on a spot takes small steps instead of idling.
            weight += if influence.settles && idles { SELDOM } else { 0.0 };
        }
        let straight = self.straight * self.straightness(choice, &candidate);
        note("do not turn", straight);
        weight += straight;
        if influence.wants != LabelSet::NONE {
            let prefer = Behaviour::Prefer { labels: influence.wants, otherwise: 0.15 };
            let prefers = prefer.log_weight(here, &candidate);
            note("do what the place is for", prefers);
            weight += prefers;
        }
        if self.looks_up {
            let likely = ground.likelihood(candidate.position);
            let likely = scaled(libm::logf(likely), influence.power(Defaults::IMAGE_LOOKUP));
            note("walk where people walk", likely);
            weight += likely;
        }
        if weight > NEVER && self.oversteps(choice.normal) {
            return NEVER;
        }
        weight
    }

    /// The logarithm of the weight of how straight a choice goes on.
    fn straightness(&self, choice: &Choice, candidate: &Candidate) -> f32 {
        match self.came {
            Some(came) if candidate.distance > SAME_PLACE => {
                let turn = came.angle_to(candidate.position - self.here.position);
                Behaviour::straight(turn, self.scheme.alphas.dont_turn)
            }
            _ => choice.straight,
        }
    }

    /// Whether a move, its way to rest included, leaves a region that one is to stay in or enters one that one is to
    /// keep out of (appendix A.6).
    pub(crate) fn oversteps(&self, id: MoveId) -> bool {
        let Setting { book, ground, .. } = self.decider.setting;
        let path = || book.get(id).path.iter().map(|&point| self.start.transform_point(point));
        let region = |region: u32| &ground.regions()[region as usize];
        // Whoever is outside already may come in any way.
        let leaves = self.influence.stays_in().iter().map(|&index| region(index)).any(|region| {
            region.contains(self.start.position) && path().any(|point| !region.contains(point))
        });
        let strays = |&index: &u32| path().any(|point| region(index).contains(point));
        leaves || self.influence.keeps_out_of().iter().any(strays)
    }

    /// Whether a situation that the agent takes part in lends it an action.
    fn is_lent(&self, action: ActionId) -> bool {
        self.mind.visits.iter().filter(|visit| visit.takes_part && !visit.asks).any(|visit| {
            let situation = &self.decider.shared.situations[visit.situation.index()];
            situation.in_force(self.decider.frame) && situation.actions.binary_search(&action).is_ok()
        })
    }
}

/// The way from the position before to `here` (appendix A.1), where turns are measured from it and there is one.
fn way_before(scheme: &Scheme, here: Here, mind: &Mind) -> Option<Vec2> {
    let before = mind.past.last().filter(|_| scheme.straight_from == StraightFrom::PreviousPosition)?;
    let way = here.position - before.placement.position;
    (way.length() > SAME_PLACE).then_some(way)
}

/// To which side what somebody heads for is behind it: 1 to the left, -1 to the right. What is near is behind nobody.
fn side_behind(here: Here, to: Vec2) -> Option<f32> {
    let way = to - here.position;
    let distance = way.length();
    let behind = distance > NEAR && here.facing.dot(way) < BEHIND * distance;
    behind.then(|| here.facing.perp_dot(way).signum())
}

/// Makes weights of their logarithms, relative to the best.
fn make_likely(weighed: &mut [Weighed], decisive: f32) {
    let best = weighed.iter().map(|option| option.weight).fold(NEVER, f32::max);
    for option in weighed {
        // What is far worse than the best is tried last, but it is tried.
        option.weight = libm::expf((decisive * (option.weight - best)).max(-80.0));
    }
}

/// The logarithm of a weight raised to a power; a power of zero silences even a veto.
fn scaled(weight: f32, power: f32) -> f32 {
    if power == 0.0 { 0.0 } else { weight * power }
}
