//! Recording a crowd, whatever moves its people.

use super::about::{about, about_mark};
use super::hands::Holding;
use super::header::{Camera, ClipEntry, Line, Prop, Signal, Staging, VehicleShape, Wall};
use super::recordable::{Hands, Moment, Recordable};
use super::shown_styles::{by_label, by_layer, styled_number};
use super::stretches::Stretch;
use crowdloom_bodies::room_in;
use crowdloom_crowd::situation::{Activity, Place, Situation};
use crowdloom_crowd::vehicle::Vehicle;
use crowdloom_crowd::{Crowd, Happened, Mover, Shows, Steps};
use crowdloom_motion::breath::breathing;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::{Clip, FRAME_TIME, Placement, Skeleton};
use crowdloom_scene::staging::Costume;
use crowdloom_synthesis::Outcome;
use crowdloom_world::{Bounds, Ground};

/// States of an agent that walks on a motion graph.
const STATES: [&str; 4] = ["standing", "under way", "waiting for room", "coming to rest"];
const STANDING: u8 = 0;
const UNDER_WAY: u8 = 1;
const WAITING: u8 = 2;
const STOPPING: u8 = 3;

/// Steered people who overlap by less than this share of the sum of their radii touch: a millimetre of half a metre.
const OVERLAP_SHARE: f32 = 0.002;

/// A crowd, ready to be recorded, whatever moves its people.
///
/// Clips are the actions of the motion graph, one still clip for the pose of each node, the loops of the styles where
/// bodies play them, the clips of segments where people plan captured motion, then the performances of planned people.
pub struct CrowdRecording<'a, S> {
    source: &'a mut S,
    /// Metres that each action gets on, and the frames of its clip after the first.
    walked: Vec<(f32, f32)>,
    styles: Vec<String>,
    /// Style of each clip of the graph.
    style_of: Vec<u8>,
    lines: Vec<Line>,
    /// How many signals there were at first; doors come after them.
    signals: usize,
    /// Numbers of the first still clip, loop, clip of segments and performance.
    stills: usize,
    loops: usize,
    captured: usize,
    performances: usize,
    /// Things of the scene.
    props: Vec<Prop>,
    walls: Vec<Wall>,
    floor: Vec<Vec<Vec<[f64; 2]>>>,
    cameras: Vec<Camera>,
    staging: Staging,
    costumes: Vec<Costume>,
    /// The names of all outfits that people may wear.
    outfits: Vec<String>,
    holding: Holding,
}

/// Height in metres of what people sit on.
const SEAT: f32 = 0.44;
/// Metres from the first in a line to the middle of the counter.
const BEFORE_COUNTER: f32 = 0.85;

fn names_of(outfits: &[crowdloom_bodies::Outfit]) -> Vec<String> {
    outfits.iter().map(|outfit| outfit.name.clone()).collect()
}

fn thing(kind: &str, at: glam::Vec2, facing: glam::Vec2, size: [f32; 3]) -> Prop {
    Prop { kind: kind.into(), at: at.to_array(), heading: libm::atan2f(facing.y, facing.x), size }
}

impl<'a, S: Steps> CrowdRecording<'a, S> {
    /// Looks at a crowd, or at whatever moves one on.
    pub fn new(source: &'a mut S) -> Self {
        let graph = source.crowd().setting().book.graph().clone();
        let length = |clip: &Clip| clip.displacement().position.length();
        let clips = graph.actions().iter().map(|action| &action.clip);
        let walked = clips.map(|clip| (length(clip), (clip.frames() - 1) as f32)).collect();
        let crowd = source.crowd();
        let (styles, mut style_of) = crowd.bodies().map_or_else(|| by_label(&graph), by_layer);
        style_of.extend(graph.nodes().iter().map(|_| 0));
        let stills = graph.actions().len();
        let loops = stills + graph.nodes().len();
        let captured = loops + crowd.bodies().map_or(0, |bodies| bodies.control().book().transitions());
        let performances = captured + crowd.segments().map_or(0, |segments| segments.clips().len());
        let (lines, signals) = (Vec::new(), crowd.shared().signals.len());
        let (props, cameras) = (Vec::new(), Vec::new());
        Self {
            source,
            walked,
            styles,
            style_of,
            lines,
            signals,
            stills,
            loops,
            captured,
            performances,
            props,
            walls: Vec::new(),
            floor: Vec::new(),
            cameras,
            staging: Staging::default(),
            costumes: Vec::new(),
            outfits: names_of(&crowdloom_bodies::outfits()),
            holding: Holding::of(&graph),
        }
    }

    /// The number of the clip and its frame that a body shows.
    fn clip_of(&self, shows: Shows) -> (u16, f32) {
        match shows {
            Shows::Action(action, frame) => (action.0, frame),
            Shows::Still(node, frame) => ((self.stills + node.index()) as u16, frame),
            Shows::Loop(number, frame) => ((self.loops + number as usize) as u16, frame),
            Shows::Captured(number, frame) => ((self.captured + number as usize) as u16, frame),
            Shows::Performance(number, frame) => ((self.performances + number as usize) as u16, frame),
        }
    }

    fn crowd(&self) -> &Crowd {
        self.source.crowd()
    }

    /// Things that stand about now: the scene's own, and those of situations that are in force.
    pub fn present_props(&self) -> Vec<Prop> {
        self.things(&|situation| situation.enabled)
    }

    fn things(&self, stands: &dyn Fn(&Situation) -> bool) -> Vec<Prop> {
        let crowd = self.crowd();
        let mut props = self.props.clone();
        for situation in &crowd.shared().situations {
            if matches!(situation.place, Place::Vehicle(_)) || !stands(situation) {
                continue;
            }
            match &situation.activity {
                // Who sits sits on something.
                Activity::Spend { spots, exact: Some(exact), .. } if exact.pose.is_some() => {
                    props.extend(spots.iter().map(|spot| {
                        let at = spot.at + exact.step.rotate(spot.facing);
                        thing("seat", at, spot.facing, [0.62, 0.45, SEAT])
                    }));
                }
                Activity::Queue { line, .. } => {
                    let first =
                        line.first().map(|spot| (spot.at + spot.facing * BEFORE_COUNTER, -spot.facing));
                    props.extend(first.map(|(at, facing)| thing("counter", at, facing, [1.2, 0.5, 1.05])));
                }
                _ => {}
            }
        }
        props
    }

    /// What is recorded.
    pub fn source(&self) -> &S {
        self.source
    }

    /// What is recorded, to be changed between two frames.
    pub fn source_mut(&mut self) -> &mut S {
        self.source
    }

    /// With things that stand about besides those of situations.
    pub fn with_props(mut self, props: Vec<Prop>) -> Self {
        self.props = props;
        self
    }

    /// With walls that have heights of their own, and what floors and houses are drawn of beside them.
    pub fn with_walls(mut self, walls: Vec<Wall>, floor: Vec<Vec<Vec<[f64; 2]>>>) -> Self {
        self.walls = walls;
        self.floor = floor;
        self
    }

    /// With named cameras.
    pub fn with_cameras(mut self, cameras: Vec<Camera>) -> Self {
        self.cameras = cameras;
        self
    }

    /// With what people wear, by the numbers of their costumes, and what stands behind them.
    pub fn with_staging(mut self, staging: Staging, costumes: Vec<Costume>) -> Self {
        self.outfits.extend(names_of(&staging.outfits));
        self.staging = staging;
        self.costumes = costumes;
        self
    }

    /// The names of all outfits that people may wear, by number.
    pub fn outfits(&self) -> &[String] {
        &self.outfits
    }

    /// Measures the flow through `lines`.
    pub fn with_lines(mut self, lines: Vec<Line>) -> Self {
        self.lines = lines;
        self
    }
}

impl<S: Steps + Sync> Recordable for CrowdRecording<'_, S> {
    fn step(&mut self) {
        self.source.step();
    }

    fn frame(&self) -> u32 {
        self.crowd().frame()
    }

    fn count(&self) -> usize {
        self.crowd().len()
    }

    fn id(&self, index: usize) -> u32 {
        self.crowd().id(index)
    }

    fn moment(&self, index: usize) -> Moment {
        let crowd = self.crowd();
        let body = crowd.body(index);
        let (clip, clip_frame) = self.clip_of(body.shows);
        let state = match (body.is_under_way, body.comes_to_rest) {
            (true, true) => STOPPING,
            (true, false) => UNDER_WAY,
            (false, _) if crowd.mind(index).waits() => WAITING,
            (false, _) => STANDING,
        };
        let style = match body.style {
            Some(style) => styled_number(style),
            None => self.style_of.get(usize::from(clip)).copied().unwrap_or(0),
        };
        let under = body.fades.map(|(shows, share)| {
            let (clip, frame) = self.clip_of(shows);
            (clip, frame, share)
        });
        let (placement, speed, stance) = (body.placement, body.speed, body.stance);
        Moment { placement, speed, clip, clip_frame, style, state, under, stance }
    }

    fn hands(&self, index: usize) -> Hands {
        let crowd = self.crowd();
        if !matches!(crowd.mover(index), Mover::Graph | Mover::Planned) {
            return Hands::Empty;
        }
        let (book, own, frame) = (&crowd.setting().book, crowd.commitment(index), crowd.frame());
        match own.showing(book, frame) {
            Some((action, at)) => self.holding.while_showing(action, at),
            None => {
                let part = own.doing.map(|doing| book.get(doing).part_at(own.elapsed(frame)).to);
                self.holding.in_pose(part.unwrap_or(own.node))
            }
        }
    }

    /// Nobody knows where those will be who are steered, nor the strides of children; performances are clips of their own,
    /// and segments go over into each other.
    fn has_plans(&self) -> bool {
        self.crowd().bodies().is_none_or(|bodies| bodies.shows_clips() && !self.crowd().has_discs())
            && self.crowd().performances().is_empty()
            && self.crowd().segments().is_none()
    }

    fn settled_in(&self, index: usize) -> u32 {
        self.crowd().settled_in(index)
    }

    fn plan(&self, index: usize, tell: &mut dyn FnMut(u32, Stretch)) {
        let crowd = self.crowd();
        let book = &crowd.setting().book;
        let commitment = crowd.commitment(index);
        let state = if crowd.mind(index).waits() { WAITING } else { STANDING };
        let still = |node: NodeId| (book.graph().actions().len() + node.index()) as u16;
        let stand = Stretch { frames: Stretch::BREATHES, state, ..Stretch::default() };
        let Some(entry) = commitment.doing.map(|doing| book.get(doing)) else {
            let (clip, from) = (still(commitment.node), commitment.start_frame);
            let began = from.into();
            return tell(from, Stretch { clip, began, origin: commitment.start, ..stand });
        };
        let at = commitment.elapsed(crowd.frame());
        let began_at =
            |at: u32| i64::from(commitment.start_frame) + i64::from(at) - i64::from(commitment.head_start);
        let frame_of = |at: u32| began_at(at).max(0) as u32;
        // What comes after its next decision the agent will hardly ever do.
        let due = crowd.due(index);
        for part in entry.parts.iter().filter(|part| part.first + part.frames > at) {
            let (from, began) = (frame_of(part.first), began_at(part.first));
            if from >= due && part.first > at {
                return;
            }
            let Some(action) = part.action else {
                let origin = commitment.start.then(entry.track[part.first as usize]);
                tell(from, Stretch { clip: still(part.to), began, origin, ..stand });
                continue;
            };
            let (walked, _) = self.walked[action.index()];
            let stretch = Stretch {
                clip: action.0,
                began,
                frames: part.frames,
                origin: commitment.start.then(entry.track[part.first as usize]),
                speed: walked / (part.frames.max(1) as f32 * FRAME_TIME),
                style: self.style_of[action.index()],
                state: if part.first > 0 && !entry.bent { STOPPING } else { UNDER_WAY },
            };
            if !entry.bent {
                tell(from, stretch);
                continue;
            }
            // Bent motions leave their clips' tracks a little more with every frame.
            let clip = &book.graph().action(action).clip;
            for frame in at.max(part.first)..part.first + part.frames {
                let there = commitment.start.then(entry.track[frame as usize]);
                let local = stretch.local(clip, frame_of(frame)).0;
                let origin = there.then(Placement::IDENTITY.relative_to(local));
                tell(frame_of(frame), Stretch { origin, ..stretch });
            }
        }
        let end = entry.total_frames();
        if frame_of(end) >= due && end > at {
            return;
        }
        let node = entry.parts.last().map_or(commitment.node, |part| part.to);
        let origin = commitment.start.then(entry.track[end as usize]);
        let began = began_at(end);
        tell(frame_of(end), Stretch { clip: still(node), began, origin, ..stand });
    }

    fn about(&self, index: usize) -> String {
        let crowd = self.crowd();
        about(crowd, index, self.source.name_of(crowd.id(index)))
    }

    fn about_mark(&self, index: usize) -> u64 {
        about_mark(self.crowd(), index)
    }

    fn ground(&self) -> &Ground {
        &self.crowd().setting().ground
    }

    fn radius(&self) -> f32 {
        self.crowd().setting().book.options().radius
    }

    fn skeleton(&self) -> &Skeleton {
        self.crowd().setting().book.graph().skeleton()
    }

    fn clips(&self) -> Vec<ClipEntry> {
        let graph = self.crowd().setting().book.graph();
        let actions = graph
            .actions()
            .iter()
            .map(|action| ClipEntry { name: action.clip.name.clone(), labels: action.clip.labels.clone() });
        let nodes = graph.nodes().iter().map(|node| ClipEntry {
            name: format!("still: {}", node.name),
            labels: vec!["still".into(), node.name.clone()],
        });
        let loops = self.crowd().bodies().into_iter().flat_map(|bodies| {
            let book = bodies.control().book();
            (0..book.transitions()).map(|number| {
                let transition = book.transition(number);
                ClipEntry { name: transition.name(), labels: transition.labels() }
            })
        });
        let performances = self.crowd().performances().iter().map(|(.., clip)| ClipEntry {
            name: format!("planned: {}", clip.name),
            labels: vec!["planned".into()],
        });
        let captured = self.crowd().segments().into_iter().flat_map(|segments| segments.clips());
        let captured = captured
            .map(|clip| ClipEntry { name: format!("captured: {}", clip.name), labels: clip.labels.clone() });
        actions.chain(nodes).chain(loops).chain(captured).chain(performances).collect()
    }

    fn clip(&self, number: u16) -> Clip {
        let graph = self.crowd().setting().book.graph();
        let index = usize::from(number);
        if index < self.stills {
            return graph.action(ActionId(number)).clip.clone();
        }
        let performance =
            index.checked_sub(self.performances).and_then(|own| self.crowd().performances().get(own));
        if let Some((.., clip)) = performance {
            return (**clip).clone();
        }
        let captured = index.checked_sub(self.captured).zip(self.crowd().segments());
        if let Some(clip) = captured.and_then(|(number, segments)| segments.clips().nth(number)) {
            return clip.clone();
        }
        if let Some((number, bodies)) = index.checked_sub(self.loops).zip(self.crowd().bodies()) {
            return bodies.control().book().played(number).clip.clone();
        }
        let node = &graph.nodes()[(index - self.stills).min(graph.nodes().len() - 1)];
        breathing(&node.name, &node.state.pose, graph.skeleton(), self.radius())
    }

    fn styles(&self) -> Vec<String> {
        self.styles.clone()
    }

    fn states(&self) -> Vec<String> {
        STATES.map(String::from).to_vec()
    }

    fn lines(&self) -> Vec<Line> {
        self.lines.clone()
    }

    fn signals(&self) -> Vec<Signal> {
        // A signal is shown at the middle of the first region that heeds it.
        let crowd = self.crowd();
        let shared = crowd.shared();
        let place = |signal: usize| {
            let heeds = |activity: &Activity| match activity {
                Activity::Cross { signal: Some(id), .. } | Activity::StayIn { signal: Some(id), .. } => {
                    usize::from(id.0) == signal
                }
                Activity::Light { signal: id, .. } => usize::from(id.0) == signal,
                _ => false,
            };
            let situation = shared.situations.iter().find(|situation| heeds(&situation.activity))?;
            let Place::Region(region) = situation.place else { return None };
            let bounds = Bounds::of_areas(crowd.setting().ground.regions()[region].areas())?;
            Some(((bounds.min + bounds.max) * 0.5).as_vec2())
        };
        let signals = shared.signals.iter().enumerate().map(|(index, signal)| {
            let at = place(index).unwrap_or_default();
            let values = vec!["wait".into(), "go".into()];
            Signal { name: signal.name.clone(), at: [at.x, at.y], values, solid: Vec::new(), closed: false }
        });
        let doors = crowd.obstacles().map(|(name, obstacle, there)| Signal {
            name: name.to_owned(),
            closed: there,
            at: obstacle.centre().to_array(),
            values: vec!["closed".into(), "open".into()],
            solid: obstacle
                .outlines()
                .iter()
                .map(|ring| ring.iter().map(|p| p.to_array()).collect())
                .collect(),
        });
        signals.chain(doors).collect()
    }

    fn signal(&self, signal: usize) -> u8 {
        let crowd = self.crowd();
        let signals = &crowd.shared().signals;
        match signals.get(signal) {
            Some(own) if signal < self.signals => u8::from(own.is_on(crowd.frame())),
            _ => {
                let door = signal.checked_sub(self.signals).and_then(|door| crowd.obstacles().nth(door));
                u8::from(door.is_some_and(|(.., there)| !there))
            }
        }
    }

    fn vehicles(&self) -> Vec<VehicleShape> {
        let vehicles = self.crowd().shared().vehicles.iter();
        let shape = |vehicle: &Vehicle| VehicleShape {
            name: vehicle.name.clone(),
            length: vehicle.length,
            width: vehicle.width,
        };
        vehicles.map(shape).collect()
    }

    fn vehicle_moments(&self, tell: &mut dyn FnMut(u16, Placement, bool)) {
        for (number, vehicle) in (0..).zip(&self.crowd().shared().vehicles) {
            if vehicle.state.under_way {
                tell(number, vehicle.placement(), vehicle.is_open());
            }
        }
    }

    fn arrivals(&self) -> u64 {
        self.crowd().goals_reached()
    }

    fn overlaps(&self) -> Option<(usize, f32)> {
        let crowd = self.crowd();
        let ((pairs, deepest), (steered, deepest_steered)) =
            (crowd.overlaps(), crowd.steered_overlaps(OVERLAP_SHARE));
        Some((pairs + steered, deepest.max(deepest_steered)))
    }

    fn edits(&self) -> &[Happened] {
        self.source.log()
    }

    fn cameras(&self) -> Vec<Camera> {
        self.cameras.clone()
    }

    fn staging(&self) -> Staging {
        self.staging.clone()
    }

    fn props(&self) -> Vec<Prop> {
        self.things(&|_| true)
    }

    fn walls(&self) -> Vec<Wall> {
        self.walls.clone()
    }

    fn floor(&self) -> Vec<Vec<Vec<[f64; 2]>>> {
        self.floor.clone()
    }

    fn told(&self, index: usize) -> Option<crowdloom_bodies::Told> {
        let profile = self.crowd().profile(index);
        let costume =
            usize::from(profile.costume).checked_sub(1).and_then(|number| self.costumes.get(number));
        let mut costume = costume.cloned().unwrap_or_default();
        let dress = self.crowd().dress_of(self.crowd().id(index)).cloned().unwrap_or_default();
        costume.outfit = dress.outfit.or(costume.outfit);
        let dressed = dress.things.is_some();
        costume.things = dress.things.unwrap_or(costume.things);
        let told = crowdloom_bodies::Told {
            woman: profile.sex.map(|sex| sex == crowdloom_crowd::Sex::Female),
            age: profile.age,
            height: profile.height,
            weight: profile.mass,
            outfit: costume.outfit,
            things: costume.things,
            gestures: costume.gestures,
            endo: costume.ratings.endo,
            meso: costume.ratings.meso,
            ecto: costume.ratings.ecto,
            only: dressed,
            empty_handed: false,
            room: room_in(self.crowd().disc_radius(index)),
        };
        (told != crowdloom_bodies::Told::default()).then_some(told)
    }

    fn size(&self, index: usize) -> f32 {
        self.crowd().profile(index).size
    }

    fn looks(&self, index: usize) -> Option<u32> {
        self.crowd().profile(index).looks
    }

    fn snapshot(&self) -> Option<Vec<u8>> {
        self.source.snapshot()
    }

    fn constraints(&self) -> Vec<Outcome> {
        self.source.outcomes().to_vec()
    }
}
