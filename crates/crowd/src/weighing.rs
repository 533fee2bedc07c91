//! The thesis' probability scheme (section 3.2): every action that leaves a node is weighed by all behaviours that hold.

use crate::behaviour::{Behaviour, Candidate, Here};
use crate::decision::{Aim, Decider};
use crate::labels::LabelSet;
use crate::mind::Mind;
use crate::moves::Choice;
use crate::person::Errand;
use crate::situation::{Defaults, Influence};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{ActionId, NodeId};

/// Slope of the target finding behaviour, whose x is between -2 and 0.5.
const TARGET_ALPHA: f32 = 12.0;

/// Slope of the don't turn behaviour.
const STRAIGHT_ALPHA: f32 = 6.0;

/// Weights count to this power: the larger, the more surely the best is chosen.
const DECISIVE: f32 = 2.5;

/// The logarithm of the weight of what is never done.
const NEVER: f32 = f32::NEG_INFINITY;

/// The logarithm of the weight of walking on in another style than the agent's own …
const OTHER_STYLE: f32 = -4.0;

/// … and of what is done seldom.
const SELDOM: f32 = -4.0;

/// What turns and steps on the spot must gain against waiting, as a logarithm of weights: some 32 degrees of facing
/// astray for who is on its way …
const GAIN_ON_THE_SPOT: f32 = 4.0;

/// … and less for who stands where it should.
const GAIN_WHERE_ONE_STANDS: f32 = 0.3;

/// What the most impatient put up with against waiting, as a logarithm of weights, to get around others …
const MOST_LOSS: f32 = 8.0;

/// … and the share of it that everybody puts up with at once.
const LOSS_AT_ONCE: f32 = 0.1;

/// Who likes to be faster than this, in metres a second, runs (Thorstensson and Roberthson 1987: about 1.9).
const RUNS: f32 = 2.05;

/// How far from its own pace, in metres a second, an agent walks gladly.
const PACE_TOLERANCE: f32 = 0.25;

/// Who stays where it is does not step farther than this, in metres.
const ROOTED: f32 = 0.02;

impl Decider<'_> {
    /// Weighs every choice at the node by all behaviours that hold.
    ///
    /// The product of the behaviours' weights is a sum of logarithms: nothing is lost where all weights are small.
    pub(crate) fn weigh(
        &self,
        start: Placement,
        node: NodeId,
        mind: &Mind,
        influence: &Influence,
        aim: Aim,
        weights: &mut Vec<f32>,
    ) {
        let book = &*self.setting.book;
        let ground = &*self.setting.ground;
        let here = Here { position: start.position, facing: start.facing() };
        let at_rest = book.graph().node(node).rest;
        let labels = self.shared.labels;
        let Aim { target, impatience } = aim;
        let speed = influence.pace.unwrap_or(mind.speed);
        let runs = influence.pace.is_some() || speed > RUNS;
        let allowed = LabelSet(!labels.special.0) | influence.grants;
        let allowed = if runs { allowed | labels.running } else { allowed };
        let come = target.map(|to| Behaviour::ComeNearer { to, pace: speed, alpha: TARGET_ALPHA });
        let finds = influence.power(Defaults::TARGET_FIND);
        // What the agent wishes, whatever its pace and its turns.
        let wish = |candidate: &Candidate| {
            let come = come.map_or(0.0, |come| scaled(come.log_weight(here, candidate), finds));
            let added = influence.added();
            let added = added.map(|(behaviour, power)| scaled(behaviour.log_weight(here, candidate), *power));
            come + added.sum::<f32>()
        };
        let pace = Behaviour::Pace { speed, tolerance: PACE_TOLERANCE };
        let (paced, straight) = (influence.power(Defaults::PACE), influence.power(Defaults::DONT_TURN));
        let looks_up = ground.likelihood_layer().is_some() && !influence.removes.has(Defaults::IMAGE_LOOKUP);
        let moves_on =
            come.is_some() || influence.added().any(|(b, _)| matches!(b, Behaviour::ComeNearer { .. }));
        let waiting = wish(&Candidate::staying(here));
        // Whoever is outside already may come in any way.
        let stay_in = influence
            .stay_in
            .map(|region| &ground.regions()[region])
            .filter(|region| region.contains(start.position));
        // From a special node (a seat, the ground) there is always the way back to one's feet.
        let home = book.homeward(node).filter(|_| at_rest);
        let style = mind.style.map(NodeId);
        let in_style = book.choices(node).first().is_some_and(|choice| choice.labels.meets(labels.styled));
        let rooted = matches!(mind.errand, Errand::Stay(_));
        let weigh = |choice: &Choice| {
            let action = || book.get(choice.normal).parts[0].action;
            if rooted && choice.displacement.position.length() > ROOTED {
                return NEVER;
            }
            let own_style = style == Some(choice.to);
            // A style is entered by who should have it, and left by everybody.
            let permitted = if own_style || in_style { allowed | labels.styled } else { allowed };
            let homeward = home.is_some() && home == action();
            let lent = influence.grafts && action().is_some_and(|action| self.is_lent(action, mind));
            if !(choice.labels.within(permitted) || homeward || lent) {
                return NEVER;
            }
            let wanted = choice.labels.meets(influence.wants);
            if homeward && wanted {
                // Who is where it should be does not get up.
                return NEVER;
            }
            let candidate = Candidate {
                position: here.position + choice.displacement.position.rotate(here.facing),
                facing: choice.facing.rotate(here.facing),
                turn: choice.displacement.heading,
                distance: choice.displacement.position.length(),
                speed: choice.cruise,
                seconds: choice.seconds,
                labels: choice.labels,
            };
            let mut weight = wish(&candidate);
            let gain = weight - waiting;
            let idles = choice.labels.meets(labels.waiting);
            // Turns and steps on the spot must gain something; so must everything else, or one waits.
            let least = match (choice.rests, at_rest, moves_on) {
                _ if homeward || wanted || lent => NEVER,
                (true, true, true) if idles => return NEVER,
                (true, true, true) => GAIN_ON_THE_SPOT,
                // Keeping the old promise stops as well.
                (true, false, _) => return NEVER,
                (true, true, false) if idles => NEVER,
                (true, true, false) => GAIN_WHERE_ONE_STANDS,
                (false, _, true) => -MOST_LOSS * (LOSS_AT_ONCE + impatience),
                (false, _, false) => return NEVER,
            };
            if gain < least {
                return NEVER;
            }
            if moves_on {
                if !choice.rests && !own_style {
                    // A style has its own pace; who is not in it yet keeps to the agent's.
                    weight += scaled(pace.log_weight(here, &candidate), paced);
                    weight += if style.is_some() { OTHER_STYLE } else { 0.0 };
                }
            } else {
                weight += Behaviour::Stop { within: 0.75, otherwise: 0.0 }.log_weight(here, &candidate);
                // Who settles on a spot takes small steps instead of idling.
                weight += if influence.settles && idles { SELDOM } else { 0.0 };
            }
            // At rest one turns as one likes.
            if !at_rest && straight > 0.0 {
                let turning = Behaviour::DontTurn { alpha: STRAIGHT_ALPHA };
                weight += scaled(turning.log_weight(here, &candidate), straight);
            }
            if influence.wants != LabelSet::NONE {
                let prefer = Behaviour::Prefer { labels: influence.wants, otherwise: 0.15 };
                weight += prefer.log_weight(here, &candidate);
            }
            if looks_up {
                let likely = ground.likelihood(candidate.position);
                weight += scaled(libm::logf(likely), influence.power(Defaults::IMAGE_LOOKUP));
            }
            // Appendix A.6: the whole motion, its way to rest included, is inside (or outside) the region.
            let path = || book.get(choice.normal).path.iter().map(|&point| start.transform_point(point));
            let leaves = stay_in.is_some_and(|region| path().any(|point| !region.contains(point)));
            let strays = |region: usize| path().any(|point| ground.regions()[region].contains(point));
            if weight > NEVER && (leaves || influence.kept_out_of().any(strays)) {
                return NEVER;
            }
            weight
        };
        weights.clear();
        weights.extend(book.choices(node).iter().map(weigh));
        let best = weights.iter().copied().fold(NEVER, f32::max);
        for weight in weights.iter_mut() {
            // What is far worse than the best is tried last, but it is tried.
            *weight =
                if *weight > NEVER { libm::expf((DECISIVE * (*weight - best)).max(-80.0)) } else { 0.0 };
        }
    }

    /// Whether a situation that the agent takes part in lends it an action.
    fn is_lent(&self, action: ActionId, mind: &Mind) -> bool {
        mind.visits.iter().filter(|visit| visit.takes_part && !visit.asks).any(|visit| {
            let situation = &self.shared.situations[visit.situation.index()];
            situation.in_force(self.frame) && situation.actions.binary_search(&action).is_ok()
        })
    }
}

/// The logarithm of a weight raised to a power; a power of zero silences even a veto.
fn scaled(weight: f32, power: f32) -> f32 {
    if power == 0.0 { 0.0 } else { weight * power }
}
