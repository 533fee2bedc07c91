//! What can be recorded: anything with agents that are somewhere, doing something.

use super::header::{ClipEntry, Line, Signal, VehicleShape};
use super::stretches::Stretch;
use crowdloom_crowd::diversity::GraphStyles;
use crowdloom_crowd::situation::{Activity, Place};
use crowdloom_crowd::vehicle::Vehicle;
use crowdloom_crowd::{Crowd, Steps};
use crowdloom_motion::graph::{ActionId, MotionGraph, NodeId};
use crowdloom_motion::{Clip, Contacts, FRAME_TIME, Placement, Skeleton};
use crowdloom_world::{Bounds, Ground};

/// One agent at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Where it is and faces.
    pub placement: Placement,
    /// How fast it goes, in metres a second.
    pub speed: f32,
    /// Number of the clip that it shows.
    pub clip: u16,
    /// The frame of the clip, with its fraction.
    pub clip_frame: f32,
    /// Number of its style.
    pub style: u8,
    /// Number of its state.
    pub state: u8,
}

/// Agents in steps of a frame, whatever moves them.
pub trait Recordable: Sync {
    /// Advances the clock by one frame.
    fn step(&mut self);
    /// The frame that it is in.
    fn frame(&self) -> u32;
    /// The number of agents that are there now.
    fn count(&self) -> usize;
    /// The lasting number of the `index`th of them, ascending with `index`.
    fn id(&self, index: usize) -> u32;
    /// The `index`th of them now.
    fn moment(&self, index: usize) -> Moment;
    /// Who it is and what it is doing, beyond clip, style and state; only changes are recorded.
    fn about(&self, index: usize) -> String;
    /// A number that changes whenever [`Self::about`] does: quick to make, so that texts are only made when they tell
    /// something new.
    fn about_mark(&self, index: usize) -> u64;
    /// Whether agents follow clips that are known ahead; then [`Self::plan`] is recorded instead of moments, and
    /// newcomers have higher numbers than all who were there before.
    fn has_plans(&self) -> bool {
        false
    }
    /// The last frame in which [`Self::plan`] may have changed otherwise than by time going on.
    fn settled_in(&self, _index: usize) -> u32 {
        0
    }
    /// Tells what an agent follows from which frame on, one after the other from now; the last holds until the agent
    /// settles anew.
    fn plan(&self, _index: usize, _tell: &mut dyn FnMut(u32, Stretch)) {}
    /// The ground that they are on.
    fn ground(&self) -> &Ground;
    /// Radius of the disc that an agent claims, in metres.
    fn radius(&self) -> f32;
    /// The joints of every body.
    fn skeleton(&self) -> &Skeleton;
    /// Names of all clips, by number.
    fn clips(&self) -> Vec<ClipEntry>;
    /// The motion of a clip.
    fn clip(&self, number: u16) -> Clip;
    /// Names of the styles, by number.
    fn styles(&self) -> Vec<String>;
    /// Names of the states, by number.
    fn states(&self) -> Vec<String>;
    /// Lines through which the flow is of interest.
    fn lines(&self) -> Vec<Line> {
        Vec::new()
    }
    /// Things that change and that people heed.
    fn signals(&self) -> Vec<Signal> {
        Vec::new()
    }
    /// The value of a signal now.
    fn signal(&self, _signal: usize) -> u8 {
        0
    }
    /// Vehicles that people can ride in.
    fn vehicles(&self) -> Vec<VehicleShape> {
        Vec::new()
    }
    /// Tells the number of each vehicle that is on its way, where its middle is, and whether its doors are open.
    fn vehicle_moments(&self, _tell: &mut dyn FnMut(u16, Placement, bool)) {}
    /// Goals reached so far by all.
    fn arrivals(&self) -> u64 {
        0
    }
    /// Pairs of agents that overlap now, where it can be told.
    fn overlaps(&self) -> Option<usize> {
        None
    }
    /// What was asked of planned people, and what came of it.
    fn constraints(&self) -> Vec<crowdloom_synthesis::Outcome> {
        Vec::new()
    }
}

/// States of an agent that walks on a motion graph.
const STATES: [&str; 4] = ["standing", "under way", "waiting for room", "coming to rest"];
pub(super) const STANDING: u8 = 0;
pub(super) const UNDER_WAY: u8 = 1;
const WAITING: u8 = 2;
const STOPPING: u8 = 3;

/// What a mark starts from.
const FIRST_MARK: u64 = 0xcbf2_9ce4_8422_2325;

/// Goes on with a mark by a word (FNV-1a, a word at a time).
fn mark(mark: u64, word: u32) -> u64 {
    (mark ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3)
}

/// A crowd on a motion graph, ready to be recorded.
///
/// Clips are the actions of the graph, then one still clip for the pose of each node.
pub struct CrowdRecording<'a, S> {
    source: &'a mut S,
    /// Metres walked in each action, and the frames of its clip after the first.
    walked: Vec<(f32, f32)>,
    styles: Vec<String>,
    /// Style of each clip.
    style_of: Vec<u8>,
    lines: Vec<Line>,
}

/// What a label of a style starts with.
const STYLE: &str = "style:";
/// The style, number 0, of whoever shows none.
const PLAIN: &str = "plain";

/// The styles of a graph and the number of each action's, as the clips' labels tell.
fn by_label(graph: &MotionGraph) -> (Vec<String>, Vec<u8>) {
    let mut styles = vec![PLAIN.to_owned()];
    let mut style_of = Vec::new();
    for action in graph.actions() {
        let name = action.clip.labels.iter().find_map(|label| label.strip_prefix(STYLE));
        let number = name.map_or(0, |name| {
            styles.iter().position(|known| known == name).unwrap_or_else(|| {
                styles.push(name.to_owned());
                styles.len() - 1
            })
        });
        style_of.push(number.min(255) as u8);
    }
    (styles, style_of)
}

/// The same as the style layer tells, which also parts plain walks.
fn by_layer(layer: &GraphStyles) -> (Vec<String>, Vec<u8>) {
    let primitives = layer.control().book().library().primitives();
    let names = primitives.iter().map(|primitive| primitive.name.clone());
    let numbers = layer.shown().iter().map(|style| style.map_or(0, styled_number));
    (std::iter::once(PLAIN.to_owned()).chain(names).collect(), numbers.collect())
}

/// The number under which a style of the layer is recorded.
pub(super) fn styled_number(style: u16) -> u8 {
    (style + 1).min(255) as u8
}

impl<'a, S: Steps> CrowdRecording<'a, S> {
    /// Looks at a crowd, or at whatever moves one on.
    pub fn new(source: &'a mut S) -> Self {
        let graph = source.crowd().setting().book.graph().clone();
        let length = |clip: &Clip| clip.track.windows(2).map(|p| p[0].position.distance(p[1].position)).sum();
        let clips = graph.actions().iter().map(|action| &action.clip);
        let walked = clips.map(|clip| (length(clip), (clip.frames() - 1) as f32)).collect();
        let (styles, mut style_of) = source.styles().map_or_else(|| by_label(&graph), by_layer);
        style_of.extend(graph.nodes().iter().map(|_| 0));
        Self { source, walked, styles, style_of, lines: Vec::new() }
    }

    /// What moves the crowd on.
    pub(super) fn source(&self) -> &S {
        self.source
    }

    fn crowd(&self) -> &Crowd {
        self.source.crowd()
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
        let book = &crowd.setting().book;
        let commitment = crowd.commitment(index);
        let placement = crowd.placement(index);
        let at = crowd.frame().saturating_sub(commitment.start_frame);
        let Some(entry) = commitment.doing.map(|doing| book.get(doing)).filter(|e| at < e.total_frames())
        else {
            let clip = (book.graph().actions().len() + crowd.node(index).index()) as u16;
            let waits = crowd.mind(index).waits();
            return Moment {
                placement,
                clip,
                state: if waits { WAITING } else { STANDING },
                ..Moment::default()
            };
        };
        let part = entry.part_at(at);
        let (walked, clip_frames) = self.walked[part.action.index()];
        let frames = part.frames.max(1) as f32;
        Moment {
            placement,
            speed: walked / (frames * FRAME_TIME),
            clip: part.action.0,
            clip_frame: (at - part.first).min(part.frames) as f32 * clip_frames / frames,
            style: self.style_of[part.action.index()],
            state: if part.first > 0 && !entry.bent { STOPPING } else { UNDER_WAY },
        }
    }

    fn has_plans(&self) -> bool {
        true
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
        let stand = Stretch { frames: 1, state, ..Stretch::default() };
        let Some(entry) = commitment.doing.map(|doing| book.get(doing)) else {
            let (clip, began) = (still(commitment.node), commitment.start_frame);
            return tell(began, Stretch { clip, began, origin: commitment.start, ..stand });
        };
        let at = crowd.frame().saturating_sub(commitment.start_frame);
        // What comes after its next decision the agent will hardly ever do.
        let due = crowd.due(index);
        for part in entry.parts.iter().filter(|part| part.first + part.frames > at) {
            let (walked, _) = self.walked[part.action.index()];
            let began = commitment.start_frame + part.first;
            if began >= due && part.first > at {
                return;
            }
            let stretch = Stretch {
                clip: part.action.0,
                began,
                frames: part.frames,
                origin: commitment.start.then(entry.track[part.first as usize]),
                speed: walked / (part.frames.max(1) as f32 * FRAME_TIME),
                style: self.style_of[part.action.index()],
                state: if part.first > 0 && !entry.bent { STOPPING } else { UNDER_WAY },
            };
            if !entry.bent {
                tell(began, stretch);
                continue;
            }
            // Bent motions leave their clips' tracks a little more with every frame.
            let clip = &book.graph().action(part.action).clip;
            for frame in at.max(part.first)..part.first + part.frames {
                let there = commitment.start.then(entry.track[frame as usize]);
                let local = stretch.local(clip, commitment.start_frame + frame).0;
                let origin = there.then(Placement::IDENTITY.relative_to(local));
                tell(commitment.start_frame + frame, Stretch { origin, ..stretch });
            }
        }
        let end = entry.total_frames();
        if commitment.start_frame + end >= due && end > at {
            return;
        }
        let node = entry.parts.last().map_or(commitment.node, |part| part.to);
        let origin = commitment.start.then(entry.track[end as usize]);
        let began = commitment.start_frame + end;
        tell(began, Stretch { clip: still(node), began, origin, ..stand });
    }

    fn about(&self, index: usize) -> String {
        let mind = self.crowd().mind(index);
        let who = if mind.wanders { "wanderer" } else { "walker" };
        let situations = &self.crowd().shared().situations;
        let taking_part = mind.visits.iter().filter(|visit| visit.takes_part && !visit.done);
        let names: Vec<&str> =
            taking_part.map(|visit| situations[visit.situation.index()].name.as_str()).collect();
        let place = if names.is_empty() { String::new() } else { format!("; in {}", names.join(", ")) };
        let goal = match mind.goal {
            Some(goal) => format!("heading for ({:.0}, {:.0})", goal.x, goal.y),
            None => "without a goal".into(),
        };
        format!("{who} who likes {:.2} m/s; {goal}; {} goals reached{place}", mind.speed, mind.arrivals)
    }

    fn about_mark(&self, index: usize) -> u64 {
        let mind = self.crowd().mind(index);
        let goal = mind.goal.map_or([0, 0], |goal| [goal.x.to_bits(), goal.y.to_bits()]);
        let visits = mind.visits.iter().filter(|visit| visit.takes_part && !visit.done);
        let situations = visits.map(|visit| 1 + visit.situation.index() as u32);
        let first =
            [u32::from(mind.wanders), u32::from(mind.goal.is_some()), mind.speed.to_bits(), mind.arrivals];
        first.into_iter().chain(goal).chain(situations).fold(FIRST_MARK, mark)
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
        actions.chain(nodes).collect()
    }

    fn clip(&self, number: u16) -> Clip {
        let graph = self.crowd().setting().book.graph();
        let actions = graph.actions().len();
        if usize::from(number) < actions {
            return graph.action(ActionId(number)).clip.clone();
        }
        let node = &graph.nodes()[(usize::from(number) - actions).min(graph.nodes().len() - 1)];
        let pose = &node.state.pose;
        Clip {
            name: node.name.clone(),
            labels: Vec::new(),
            ends: None,
            track: vec![Placement::IDENTITY],
            root_heights: vec![pose.root_height],
            rotations: pose.rotations.clone(),
            contacts: vec![Contacts::LEFT.with(Contacts::RIGHT)],
            radii: vec![self.radius()],
        }
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
        let signals = shared.signals.iter().enumerate();
        signals
            .map(|(index, signal)| {
                let at = place(index).unwrap_or_default();
                Signal {
                    name: signal.name.clone(),
                    at: [at.x, at.y],
                    values: vec!["wait".into(), "go".into()],
                }
            })
            .collect()
    }

    fn signal(&self, signal: usize) -> u8 {
        let crowd = self.crowd();
        u8::from(crowd.shared().signals.get(signal).is_some_and(|signal| signal.is_on(crowd.frame())))
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
        (0..self.crowd().len()).map(|agent| u64::from(self.crowd().mind(agent).arrivals)).sum()
    }

    fn overlaps(&self) -> Option<usize> {
        Some(self.crowd().overlaps().0)
    }
}
