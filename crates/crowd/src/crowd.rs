//! The crowd: agents on a motion graph, each deciding when its move ends, all promises kept.

use crate::arrival::{ArrivalTally, Request};
use crate::bodies::Bodies;
use crate::cell_marking::Markings;
use crate::commitment::Commitment;
use crate::decision::{Decider, Decision};
use crate::edit::{Changes, Happened};
use crate::grid::NeighbourGrid;
use crate::ledger::{Binding, Ledger, Now};
use crate::mind::Mind;
use crate::moves::MoveBook;
use crate::person::{Dress, Mover, Profile};
use crate::population::Expected;
use crate::scenario::Scenario;
use crate::scheme::Scheme;
use crate::shared::{KnownLabels, Shared};
use crate::shown::Fade;
use crate::signal::Signal;
use crate::situation::{Change, Place, Roll, Situation, SituationId, Visit};
use crate::steering::{Steered, Steering};
use crate::terrain::Terrain;
use crowdloom_motion::feet::FeetBetween;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::{Clip, Placement};
use crowdloom_synthesis::{Outcome, Planner};
use crowdloom_world::Ground;
use crowdloom_world::MeshRouter;
use glam::Vec2;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What all agents share.
#[derive(Clone)]
pub struct Setting {
    /// The moves that agents choose from.
    pub book: Arc<MoveBook>,
    /// The ground that they walk on.
    pub ground: Arc<Ground>,
    /// Ways over it.
    pub router: Arc<MeshRouter>,
    /// Everything random follows from it.
    pub seed: u64,
}

impl Setting {
    /// The ground that ways lead over: without roads, but for who is in a hurry. Regions are those of the whole ground.
    pub(crate) fn ground_of_ways(&self, hurries: bool) -> &Ground {
        if hurries { &self.ground } else { self.ground.walkways() }
    }

    /// Ways over it.
    pub(crate) fn router_of_ways(&self, hurries: bool) -> &MeshRouter {
        if hurries { &self.router } else { self.router.off_roads() }
    }
}

/// Something that moves a crowd on, frame by frame.
pub trait Steps {
    /// The crowd.
    fn crowd(&self) -> &Crowd;
    /// Advances the clock by one frame.
    fn step(&mut self);
    /// What a person is called, by its number.
    fn name_of(&self, _id: u32) -> Option<&str> {
        None
    }
    /// What was asked of planned people, and what came of it.
    fn outcomes(&self) -> &[Outcome] {
        &[]
    }
    /// What was changed from outside or by events so far.
    fn log(&self) -> &[Happened] {
        &[]
    }
    /// All that is needed to go on from this frame in another process, where that is possible.
    fn snapshot(&self) -> Option<Vec<u8>> {
        None
    }
}

impl Steps for Crowd {
    fn crowd(&self) -> &Crowd {
        self
    }

    fn step(&mut self) {
        Crowd::step(self);
    }
}

/// Everybody and the clock.
pub struct Crowd {
    pub(crate) setting: Setting,
    pub(crate) shared: Shared,
    /// What of the ground comes and goes.
    pub(crate) terrain: Terrain,
    /// Changes of places that were made so far, and what there was before them.
    pub(crate) changes: Changes,
    pub(crate) frame: u32,
    pub(crate) next_id: u32,
    /// Numbers, ascending; everything else of a person is at the same index.
    pub(crate) ids: Vec<u32>,
    // What every frame touches.
    pub(crate) ledger: Ledger,
    pub(crate) positions: Vec<Vec2>,
    pub(crate) due: Vec<u32>,
    pub(crate) settled_in: Vec<u32>,
    /// Where each headed when it last decided, in metres; not a number for those who went nowhere.
    pub(crate) headings: Vec<Vec2>,
    // What a decision touches.
    pub(crate) minds: Vec<Mind>,
    /// What moves everybody now.
    pub(crate) movers: Vec<Mover>,
    /// What moves everybody where no situation needs clips.
    pub(crate) usual_movers: Vec<Mover>,
    pub(crate) profiles: Vec<Profile>,
    /// Those who are steered.
    pub(crate) steered: Steered,
    pub(crate) steerings: Vec<Steering>,
    /// How those choose who plan captured motion.
    pub(crate) markings: Vec<Markings>,
    /// What the bodies of those show who follow no clip of the graph.
    pub(crate) bodies: Option<Bodies>,
    /// Motions that planned people perform whole, as clips of their own, with the person's number and the first frame.
    pub(crate) performances: Vec<(u32, u32, Arc<Clip>)>,
    /// What those wear who were dressed anew, by number.
    pub(crate) dresses: BTreeMap<u32, Dress>,
    /// What holds feet between frames of clips.
    pub(crate) feet: FeetBetween,
    /// Bodies that go over from one pose into another, by number.
    pub(crate) fades: Vec<Fade>,
    /// Those who are about to appear, and how many have been so far.
    pub(crate) expected: Vec<Expected>,
    pub(crate) next_ticket: u32,
    /// Goals that those reached who have gone.
    pub(crate) reached_by_gone: u64,
    jobs: Vec<Job>,
    /// Those who want a motion that ends exactly on their spot.
    pub(crate) requests: Vec<Request>,
    pub(crate) planners: Vec<Planner>,
    /// Who plans for those who are directed; made when it is first needed.
    pub(crate) director: Option<Box<crate::director::Director>>,
    /// The same for another ground, while it is being made; none where nobody waits for the first direction.
    pub(crate) next_director: Option<crate::directing::NextDirector>,
    /// Whether directors are made before anybody is directed.
    pub(crate) prepares_directing: bool,
    /// What planned motions are made of, once somebody was directed.
    pub(crate) repertoire: Option<Arc<crowdloom_synthesis::Repertoire>>,
    /// Whose decisions are explained.
    pub(crate) watched: crate::explaining::Watched,
    pub(crate) arrival_tally: ArrivalTally,
}

/// What comes of the decisions in one cell of the ground, made one after the other.
#[derive(Default)]
struct Job {
    decisions: Vec<(u32, Decision)>,
    /// Where each of those heads now, in metres, in the same order.
    headings: Vec<Vec2>,
    changes: Vec<(u32, Change)>,
}

/// An agent whose time has come: colour and place of its cell, how far the next point of its way is, then its
/// index, in the order of deciding.
type Due = ((bool, bool), (i32, i32), u32, u32);

/// Threads look through so many people at a time, where little is done for each.
const AT_A_TIME: usize = 4096;

/// Agents look this much farther than commitments reach when they are grouped, in metres.
const MARGIN: f32 = 0.5;

impl Crowd {
    /// A crowd without anybody.
    pub fn new(setting: Setting) -> Self {
        let labels = KnownLabels::new(setting.book.labels());
        let (seed, terrain) = (setting.seed, Terrain::new(setting.ground.clone()));
        Self {
            feet: FeetBetween::of(setting.book.graph().skeleton()),
            setting,
            terrain,
            changes: Changes::default(),
            shared: Shared { labels, ..Shared::default() },
            frame: 0,
            next_id: 0,
            ids: Vec::new(),
            ledger: Ledger::default(),
            positions: Vec::new(),
            due: Vec::new(),
            settled_in: Vec::new(),
            headings: Vec::new(),
            minds: Vec::new(),
            movers: Vec::new(),
            usual_movers: Vec::new(),
            profiles: Vec::new(),
            steered: Steered::new(seed),
            steerings: Vec::new(),
            markings: Vec::new(),
            bodies: None,
            performances: Vec::new(),
            dresses: BTreeMap::new(),
            fades: Vec::new(),
            expected: Vec::new(),
            next_ticket: 0,
            reached_by_gone: 0,
            jobs: Vec::new(),
            requests: Vec::new(),
            planners: Vec::new(),
            director: None,
            next_director: None,
            prepares_directing: false,
            repertoire: None,
            watched: crate::explaining::Watched::default(),
            arrival_tally: ArrivalTally::default(),
        }
    }

    /// What somebody wears who was dressed anew, by its number.
    pub fn dress_of(&self, id: u32) -> Option<&Dress> {
        self.dresses.get(&id)
    }

    /// What all agents share.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Situations, signals and scenario.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The number of an agent, which stays its own for ever.
    pub fn id(&self, agent: usize) -> u32 {
        self.ids[agent]
    }

    /// The index of the person of a number, if it is there.
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// What moves a person now.
    pub fn mover(&self, index: usize) -> Mover {
        self.movers[index]
    }

    /// What a person is like.
    pub fn profile(&self, index: usize) -> &Profile {
        &self.profiles[index]
    }

    /// The ways in which people are steered, by number.
    pub fn steerings(&self) -> &[Steering] {
        &self.steerings
    }

    /// How those choose who plan captured motion, by number.
    pub fn markings(&self) -> &[Markings] {
        &self.markings
    }

    /// Whether anybody is moved as a disc that a body follows, or may be.
    pub fn has_discs(&self) -> bool {
        let recorded = |mover: &Mover| *mover == Mover::Recorded;
        !self.steerings.is_empty() || !self.expected.is_empty() || self.movers.iter().any(recorded)
    }

    /// What the bodies of those show who follow no clip of the graph, or have styles.
    pub fn bodies(&self) -> Option<&Bodies> {
        self.bodies.as_ref()
    }

    /// The motions that planned people perform whole, as clips of their own, with the person's number and the first frame.
    pub fn performances(&self) -> &[(u32, u32, Arc<Clip>)] {
        &self.performances
    }

    pub(crate) fn now(&self) -> Now<'_> {
        Now { book: &self.setting.book, vehicles: &self.shared.vehicles, frame: self.frame }
    }

    /// Keeps an agent from deciding: it does what it has promised, and then stands.
    pub fn hold(&mut self, agent: usize) {
        self.due[agent] = u32::MAX;
        // This frame may have been looked at already.
        self.settled_in[agent] = self.frame + 1;
    }

    /// Lets an agent that was held decide again.
    pub fn wake(&mut self, agent: usize) {
        self.due[agent] = self.frame + 1;
    }

    /// Adds a signal; returns its index.
    pub fn add_signal(&mut self, signal: Signal) -> u16 {
        self.shared.signals.push(signal);
        (self.shared.signals.len() - 1) as u16
    }

    /// Switches a signal by hand, or gives it back to its timer.
    pub fn switch(&mut self, signal: usize, by_hand: Option<bool>) {
        if let Some(signal) = self.shared.signals.get_mut(signal) {
            signal.by_hand = by_hand;
        }
    }

    /// Sets where people go.
    pub fn set_scenario(&mut self, scenario: Scenario) {
        self.shared.scenario = scenario;
    }

    /// Sets how behaviour functions weigh.
    pub fn set_scheme(&mut self, scheme: Scheme) {
        let alpha = scheme.alphas.dont_turn;
        if self.setting.book.options().dont_turn != alpha {
            self.setting.book = Arc::new(self.setting.book.with_dont_turn(alpha));
        }
        self.shared.scheme = scheme;
    }

    /// Adds regions of the ground, by their indices, that people can go to in turn; returns the number of the tour.
    pub fn add_tour(&mut self, regions: Vec<usize>) -> u16 {
        let tours = &mut self.shared.scenario.tours;
        let known = tours.iter().position(|own| *own == regions);
        let number = known.unwrap_or_else(|| {
            tours.push(regions);
            tours.len() - 1
        });
        number as u16
    }

    /// Adds a situation, at any time.
    pub fn add_situation(&mut self, situation: Situation) -> SituationId {
        let id = SituationId(self.shared.situations.len() as u16);
        self.shared.rolls.push(situation.empty_roll());
        self.shared.situations.push(situation);
        self.shared.index(id);
        id
    }

    /// Deletes a situation for good: at once nobody is in it any more, and nothing is left of it in anybody's memory.
    pub fn delete_situation(&mut self, situation: SituationId) {
        let Some(own) = self.shared.situations.get_mut(situation.index()) else { return };
        own.enabled = false;
        own.script = None;
        self.shared.rolls[situation.index()] = Roll::default();
        self.shared.forget(situation);
        for mind in &mut self.minds {
            mind.visits.retain(|visit| visit.situation != situation);
        }
    }

    /// Puts a situation in force or out of it; once out, nobody keeps any trace of it after the next decision.
    pub fn enable(&mut self, situation: SituationId, enabled: bool) {
        if let Some(situation) = self.shared.situations.get_mut(situation.index()) {
            situation.enabled = enabled;
        }
    }

    /// Adds an agent to a situation that has members, where there is room.
    pub fn join(&mut self, agent: usize, situation: SituationId) {
        let mind = &mut self.minds[agent];
        let Some(own) = self.shared.situations.get(situation.index()) else { return };
        let roll = &mut self.shared.rolls[situation.index()];
        let full = own.capacity.is_some_and(|most| roll.present.len() >= most as usize);
        if full || own.place != Place::Members || mind.visits.iter().any(|visit| visit.situation == situation)
        {
            return;
        }
        mind.visits.push(Visit::new(situation, self.frame, true));
        roll.present.push(self.ids[agent]);
    }

    /// Takes an agent out of a situation that has members.
    pub fn part(&mut self, agent: usize, situation: SituationId) {
        self.minds[agent].visits.retain(|visit| visit.situation != situation);
        let id = self.ids[agent];
        if let Some(roll) = self.shared.rolls.get_mut(situation.index()) {
            roll.present.retain(|other| *other != id);
        }
    }

    /// Carries out what an agent, by its number, asked for.
    fn carry_out(&mut self, agent: u32, change: Change) {
        let (name, joins) = match &change {
            Change::Join(name) => (name, true),
            Change::Part(name) => (name, false),
            &Change::Arrive(situation, spot) => {
                // Of those who ask for a spot in the same frame one gets it.
                let holders = &self.shared.rolls[situation.index()].holders;
                if holders.get(usize::from(spot)) == Some(&Some(agent)) {
                    self.requests.push(Request { agent, situation, spot });
                }
                return;
            }
            _ => return self.shared.apply(agent, change, self.frame),
        };
        let Ok(index) = self.ids.binary_search(&agent) else { return };
        let named = |situation: &Situation| situation.place == Place::Members && situation.name == *name;
        let ids = (0..self.shared.situations.len()).filter(|&id| named(&self.shared.situations[id]));
        for id in ids.map(|id| SituationId(id as u16)).collect::<Vec<_>>() {
            if joins { self.join(index, id) } else { self.part(index, id) }
        }
    }

    /// The frame that the crowd is in.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// Goals that people reached so far, those who have gone since included.
    pub fn goals_reached(&self) -> u64 {
        self.reached_by_gone + self.minds.iter().map(|mind| u64::from(mind.arrivals)).sum::<u64>()
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// What came of all requests to be on a spot exactly.
    pub fn arrival_tally(&self) -> ArrivalTally {
        self.arrival_tally
    }

    /// The commitment of an agent.
    pub fn commitment(&self, agent: usize) -> &Commitment {
        &self.ledger.promises[agent]
    }

    /// The frame in which an agent's commitment, or its waiting for room, was last settled: by its decision, by its
    /// coming into the crowd, by being held or by a vehicle that carries it.
    pub fn settled_in(&self, agent: usize) -> u32 {
        self.settled_in[agent]
    }

    /// The frame in which an agent decides next, if nothing happens before.
    pub fn due(&self, agent: usize) -> u32 {
        self.due[agent]
    }

    /// Positions of all agents in the current frame, in metres.
    pub fn positions(&self) -> &[Vec2] {
        &self.positions
    }

    /// The placement of an agent in the current frame.
    pub fn placement(&self, agent: usize) -> Placement {
        self.ledger.promises[agent].placement(&self.setting.book, self.frame)
    }

    /// The action that an agent shows and the (fractional) frame of its clip; `None` while it only stands in the
    /// pose of its node ([`Self::node`]).
    pub fn showing(&self, agent: usize) -> Option<(ActionId, f32)> {
        self.ledger.promises[agent].showing(&self.setting.book, self.frame)
    }

    /// What an agent remembers.
    pub fn mind(&self, agent: usize) -> &Mind {
        &self.minds[agent]
    }

    /// What an agent remembers, to be changed from outside between two steps.
    pub fn mind_mut(&mut self, agent: usize) -> &mut Mind {
        self.settled_in[agent] = self.frame + 1;
        &mut self.minds[agent]
    }

    /// The node of the graph that an agent is in when its move, or a part of its way to rest, ends now.
    pub fn node(&self, agent: usize) -> NodeId {
        crate::decision::node_at(&self.setting.book, &self.ledger.promises[agent], self.frame)
    }

    /// Advances the clock by one frame.
    pub fn step(&mut self) {
        // Entering the thread pool once is cheaper than at every part of the frame.
        rayon::scope(|_| self.step_in_pool());
    }

    fn step_in_pool(&mut self) {
        self.frame += 1;
        let frame = self.frame;
        let book = &self.setting.book;
        self.positions
            .par_iter_mut()
            .zip(&self.ledger.promises)
            .with_min_len(AT_A_TIME)
            .for_each(|(position, commitment)| *position = commitment.position(book, frame));
        self.end_fades();
        self.let_appear();
        self.drive();
        self.call_rolls();
        self.note_goals();
        self.note_names();
        self.decide_all();
        self.bring_in();
        self.steer();
        self.move_bodies();
    }

    /// Brings the middles of groups up to date.
    fn call_rolls(&mut self) {
        let Shared { situations, rolls, .. } = &mut self.shared;
        let groups = situations
            .iter()
            .zip(rolls)
            .filter(|(situation, roll)| situation.place == Place::Members && !roll.present.is_empty());
        for (_, roll) in groups {
            // Numbers are given in order and agents keep theirs in order as long as nobody has left.
            let find = |id: &u32| self.ids.binary_search(id).ok();
            let (mut sum, mut count) = (Vec2::ZERO, 0.0);
            for index in roll.present.iter().filter_map(find) {
                sum += self.positions[index];
                count += 1.0;
            }
            roll.centre = if count > 0.0 { sum / count } else { roll.centre };
            if let Some(first) = roll.present.first().and_then(find) {
                roll.leader = self.ledger.promises[first].placement(&self.setting.book, self.frame);
            }
        }
    }

    /// Lets all agents decide whose time has come.
    ///
    /// The ground is divided into cells wider than any two new commitments reach. Cells are coloured like a
    /// four-coloured chessboard; cells of one colour are too far apart to touch and are decided in parallel, each
    /// against what stood before plus what was decided in the same cell. So the result does not depend on threads.
    fn decide_all(&mut self) {
        let frame = self.frame;
        let side = 2.0 * (self.setting.book.reach() + MARGIN);
        let decider = |(agent, _): (usize, &u32)| -> Due {
            let place = (self.positions[agent] / side).floor();
            let (column, row) = (place.x as i32, place.y as i32);
            // Those ahead decide first: who follows them has the more room.
            let left = |to: Vec2| to.distance(self.positions[agent]);
            let left = self.minds[agent].target().map_or(f32::MAX, left).to_bits();
            ((column & 1 != 0, row & 1 != 0), (row, column), left, agent as u32)
        };
        let due = self.due.par_iter().enumerate().with_min_len(AT_A_TIME);
        let mut deciders: Vec<Due> = due.filter(|(_, due)| **due <= frame).map(decider).collect();
        if deciders.is_empty() {
            return;
        }
        deciders.par_sort_unstable();
        let (mut leavers, mut changers) = (Vec::new(), Vec::new());
        self.ledger.open();
        let to_be = self.terrain.setting_to_be(&self.setting);
        for colour in deciders.chunk_by(|a, b| a.0 == b.0) {
            let mut jobs = std::mem::take(&mut self.jobs);
            let mut people: Vec<(&Due, &mut Mind)> =
                colour.iter().zip(several_mut(&mut self.minds, colour, |due| due.3 as usize)).collect();
            let mut cells: Vec<_> = people.chunk_by_mut(|(a, _), (b, _)| a.1 == b.1).collect();
            jobs.resize_with(jobs.len().max(cells.len()), Job::default);
            let jobs_of_cells = &mut jobs[..cells.len()];
            let decider = Decider {
                setting: to_be.as_ref().unwrap_or(&self.setting),
                closing: self.terrain.closing().map(|closing| (closing, &*self.setting.ground)),
                shared: &self.shared,
                frame,
                ids: &self.ids,
                movers: &self.movers,
                usual_movers: &self.usual_movers,
                steered: &self.steered,
                markings: &self.markings,
                ledger: &self.ledger,
                headings: &self.headings,
                watched: &self.watched,
            };
            let positions = &self.positions;
            jobs_of_cells.par_iter_mut().zip(&mut cells).for_each(|(job, cell)| {
                for (due, mind) in cell.iter_mut() {
                    let agent = due.3;
                    let decision = decider.decide(agent, mind, &job.decisions, &mut job.changes);
                    job.decisions.push((agent, decision));
                    let heading = mind.heading_from(positions[agent as usize]);
                    job.headings.push(heading.unwrap_or(Vec2::NAN));
                }
            });
            for job in &mut jobs {
                for (agent, change) in job.changes.drain(..) {
                    self.carry_out(agent, change);
                }
                for ((agent, decision), heading) in job.decisions.drain(..).zip(job.headings.drain(..)) {
                    let agent = agent as usize;
                    self.headings[agent] = heading;
                    self.due[agent] = decision.again;
                    if decision.settles {
                        self.settled_in[agent] = frame;
                    }
                    if decision.leaves {
                        leavers.push(agent);
                    }
                    if let Some(commitment) = decision.commitment {
                        self.let_go_of_plan(agent);
                        self.ledger.replace(agent, commitment, &self.setting.book);
                    }
                    if let Some(course) = decision.course
                        && let Some(slot) = self.steered.slot(self.ids[agent])
                    {
                        self.steered.courses[slot] = course;
                    }
                    if let Some(mover) = decision.becomes {
                        changers.push((self.ids[agent], mover));
                    }
                }
            }
            self.jobs = jobs;
        }
        leavers.sort_unstable();
        for agent in leavers.into_iter().rev() {
            self.remove(agent);
        }
        for (id, mover) in changers {
            if let Some(index) = self.index_of(id) {
                self.take_up(index, mover);
            }
        }
    }

    /// Promises that are not kept apart: of two people from now on, of a person and a vehicle, of a person and a wall.
    ///
    /// Always zero, whatever moves people: this is what tests and benchmarks check.
    pub fn promise_overlaps(&self) -> usize {
        let is_in = |person: usize, vehicle: usize| {
            self.minds[person].ride.as_ref().is_some_and(|ride| usize::from(ride.vehicle) == vehicle)
        };
        self.ledger.conflicts(&self.now(), &self.setting.ground, is_in)
    }

    /// The radius in metres of the disc that somebody has promised.
    pub fn disc_radius(&self, index: usize) -> f32 {
        self.ledger.promises[index].radius(&self.setting.book)
    }

    /// Pairs of people whose discs overlap in the current frame, and how deep the deepest overlap is, in metres, but for
    /// pairs of steered ([`Self::steered_overlaps`]) and of recorded people.
    ///
    /// Always zero: this is what tests and benchmarks check.
    pub fn overlaps(&self) -> (usize, f32) {
        let book = &self.setting.book;
        let radii: Vec<f32> = self.ledger.promises.iter().map(|promise| promise.radius(book)).collect();
        let widest = radii.iter().copied().fold(0.0, f32::max);
        let mut grid = NeighbourGrid::default();
        grid.rebuild(&self.positions, (2.0 * widest).max(0.1));
        let (mut pairs, mut deepest) = (0, 0.0f32);
        for (agent, &position) in self.positions.iter().enumerate() {
            grid.for_each_within(position, radii[agent] + widest, |other, _, squared| {
                let other = other as usize;
                let depth = radii[agent] + radii[other] - squared.sqrt();
                let binding = self.ledger.bindings[agent];
                let touch = binding != Binding::Firm && binding == self.ledger.bindings[other];
                if other < agent && depth > OVERLAP_TOLERANCE && !touch {
                    pairs += 1;
                    deepest = deepest.max(depth);
                }
            });
        }
        (pairs, deepest)
    }
}

/// Those of a list whose places `place` tells, in the order in which they are asked for; nobody is asked for twice.
fn several_mut<'a, T, A>(list: &'a mut [T], asked: &[A], place: impl Fn(&A) -> usize) -> Vec<&'a mut T> {
    let mut order: Vec<(usize, usize)> = asked.iter().map(place).zip(0..).collect();
    order.sort_unstable();
    let mut found: Vec<Option<&mut T>> = asked.iter().map(|_| None).collect();
    let (mut rest, mut passed) = (list.iter_mut(), 0);
    for (place, number) in order {
        found[number] = rest.nth(place - passed);
        passed = place + 1;
    }
    found.into_iter().flatten().collect()
}

/// Discs that overlap by less than this, in metres, do not count: promises are tested with a skin ten times as thick.
const OVERLAP_TOLERANCE: f32 = 5e-5;
