//! What pages are told: the scene, its places, one person, one spot.

use crate::frame::{self, MOVERS, mover_number};
use crate::protocol::{
    Answer, Decision, ObstacleState, ParcelStageState, ParcelState, Person, PropState, RegionState, Scene,
    SignalState, SituationState, State, StopState, WallState, Weighed,
};
use crate::session::Session;
use crowdloom_crowd::scenario::Stop;
use crowdloom_crowd::situation::{Activity, Place, Situation};
use crowdloom_crowd::{Crowd, Edit, Explained, ExplainedMove, Fate, Mover, Steps};
use crowdloom_motion::FRAME_RATE;
use crowdloom_output::run::{GroundShape, Parcel, ParcelStage, Prop, Recordable, Wall};
use glam::DVec2;

/// The scene that runs.
pub fn scene(session: &Session<'_>) -> Scene {
    let (crowd, recording) = (session.crowd(), session.recording());
    let graph = crowd.setting().book.graph();
    let mut styles: Vec<String> = graph.nodes().iter().map(|node| node.name.clone()).collect();
    styles.insert(0, "plain".into());
    Scene {
        generation: session.generation,
        name: session.simulation().name().to_owned(),
        file: session.files.name.clone(),
        frame_rate: FRAME_RATE,
        frames: session.simulation().frames(),
        origin: recording.ground().origin().to_array(),
        corner: session.corner().to_array(),
        radius: recording.radius(),
        skeleton: serde_json::to_value(recording.skeleton()).unwrap_or_default(),
        clips: recording.clips().into_iter().map(|clip| clip.name).collect(),
        styles,
        shown_styles: frame::styles(recording),
        outfits: recording.outfits().to_vec(),
        poses: poses(crowd),
        movers: MOVERS.map(String::from).to_vec(),
        vehicles: recording
            .vehicles()
            .into_iter()
            .map(|vehicle| (vehicle.name, vehicle.length, vehicle.width))
            .collect(),
    }
}

/// Poses that people can rest in besides standing, each by the name that it has first.
fn poses(crowd: &Crowd) -> Vec<String> {
    let book = &crowd.setting().book;
    let special = book.rest_nodes().filter(|node| *node != book.home(*node));
    let mut names: Vec<String> = special.map(|node| book.graph().node(node).name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// Places, time line and switches.
pub fn state(session: &Session<'_>) -> State {
    let crowd = session.crowd();
    let shape = GroundShape::of(&crowd.setting().ground);
    let shared = crowd.shared();
    let waits: Vec<&Edit> = session.simulation().waiting_edits().collect();
    let rings = |obstacle: &crowdloom_world::Obstacle| {
        obstacle.outlines().iter().map(|ring| ring.iter().map(|p| p.to_array()).collect()).collect()
    };
    let mut obstacles: Vec<ObstacleState> = (0u16..)
        .zip(crowd.obstacles())
        .map(|(number, (name, obstacle, there))| ObstacleState {
            name: name.to_owned(),
            there,
            coming: waits.iter().any(|edit| **edit == Edit::Obstacle(number, true)),
            outlines: rings(obstacle),
        })
        .collect();
    for edit in waits {
        if let Edit::AddObstacle(name, outlines) = edit {
            let outlines = outlines.iter().map(|ring| ring.iter().map(|p| p.to_array()).collect()).collect();
            obstacles.push(ObstacleState { name: name.clone(), there: false, coming: true, outlines });
        }
    }
    let places = session.recording().signals();
    let signals = shared.signals.iter().enumerate().map(|(index, signal)| SignalState {
        name: signal.name.clone(),
        at: places.get(index).map(|place| place.at).filter(|at| *at != [0.0; 2]),
        by_hand: signal.by_hand,
    });
    let situations = shared.situations.iter().map(|situation| SituationState {
        name: situation.name.clone(),
        region: match situation.place {
            Place::Region(region) => Some(region as u32),
            _ => None,
        },
        members: situation.place == Place::Members,
        on: situation.enabled,
        priority: situation.priority,
    });
    let looks = (0..crowd.len()).filter_map(|index| Some((crowd.id(index), crowd.profile(index).looks?)));
    let keeper = session.keeper();
    let dress = |id: u32| {
        let worn = crowd.dress_of(id).map(|dress| dress.words().collect::<Vec<_>>().join(" "));
        match keeper.has_carried(id) {
            true => Some((id, format!("{} box", worn.unwrap_or_default()))),
            false => Some((id, worn?)),
        }
    };
    let sizes = (0..crowd.len()).map(|index| (crowd.id(index), crowd.profile(index).size));
    State {
        generation: session.generation,
        playing: session.playing,
        speed: session.speed,
        going_to: session.going_to,
        reached: session.reached,
        areas: shape.areas,
        regions: shape
            .regions
            .into_iter()
            .map(|region| RegionState { name: region.name, areas: region.areas })
            .collect(),
        obstacles,
        props: session
            .recording()
            .present_props()
            .into_iter()
            .filter(|prop| prop.kind != "box")
            .map(prop)
            .collect(),
        parcels: keeper.parcels().iter().map(parcel).collect(),
        walls: session.recording().walls().into_iter().map(wall).collect(),
        floor: session.recording().floor(),
        signals: signals.collect(),
        situations: situations.collect(),
        stops: shared.scenario.stops.iter().map(|stop| stop.name.clone()).collect(),
        scenario: scenario(crowd),
        marks: session.document.marks(),
        snapshots: session.snapshot_frames(),
        locked: session.locks.people().iter().copied().collect(),
        looks: looks.collect(),
        dresses: (0..crowd.len()).filter_map(|index| dress(crowd.id(index))).collect(),
        sizes: sizes.filter(|(_, size)| *size != 1.0).collect(),
        undo: session.last_made(),
        redo: session.last_taken_back(),
        unsaved: session.unsaved,
        recoverable: session.recoverable.is_some(),
        notice: session.notice.clone(),
        drawn: session.drawn.clone(),
    }
}

fn wall(Wall { ring, height }: Wall) -> WallState {
    WallState { ring, height }
}

fn prop(Prop { kind, at, heading, size }: Prop) -> PropState {
    PropState { kind, at, heading, size }
}

fn parcel(Parcel { size, stages }: &Parcel) -> ParcelState {
    let stages = stages.iter().map(|&ParcelStage { frame, holder, at, heading }| ParcelStageState {
        frame,
        holder,
        at,
        heading,
    });
    ParcelState { size: *size, stages: stages.collect() }
}

/// Where stops are and what comes after them.
fn scenario(crowd: &Crowd) -> Vec<StopState> {
    let regions = crowd.setting().ground.regions();
    let stop = |stop: &Stop| {
        let region = stop.regions.first().and_then(|region| regions.get(*region));
        let bounds = region.filter(|region| !region.areas().is_empty()).map(|region| region.bounds());
        let all: f32 = stop.next.iter().map(|(_, weight)| weight).sum();
        StopState {
            at: bounds.map(|bounds| ((bounds.min + bounds.max) * 0.5).as_vec2().to_array()),
            exit: stop.exit,
            closed: stop.closed,
            next: stop.next.iter().map(|(next, weight)| (u32::from(*next), weight / all.max(1e-9))).collect(),
        }
    };
    crowd.shared().scenario.stops.iter().map(stop).collect()
}

/// What holds at a spot, in metres of the scene.
pub fn spot(crowd: &Crowd, x: f64, y: f64) -> Answer {
    let ground = &crowd.setting().ground;
    let point = ground.to_local(DVec2::new(x, y));
    if !point.is_finite() {
        return Answer::refused("that is no place");
    }
    let regions: Vec<usize> = ground.regions_at(point).collect();
    let situations = regions.iter().flat_map(|region| crowd.shared().in_region(*region));
    let situations = situations.map(|id| &crowd.shared().situations[id.index()]);
    Answer::Spot {
        regions: regions.iter().map(|region| ground.regions()[*region].name.clone()).collect(),
        situations: situations
            .filter(|situation| situation.in_force(crowd.frame()))
            .map(|situation| situation.name.clone())
            .collect(),
        floor: ground.is_free(point, 0.0),
    }
}

/// About one person.
pub fn person(session: &Session<'_>, number: u32) -> Answer {
    let crowd = session.crowd();
    let Some(index) = crowd.index_of(number) else {
        return Answer::refused(format!("person {number} is not there"));
    };
    let mind = crowd.mind(index);
    let stops = &crowd.shared().scenario.stops;
    let stop = mind.stop.or(mind.bound_for).and_then(|stop| stops.get(usize::from(stop)));
    let wants = match (stop, mind.goal) {
        (Some(stop), _) => format!("to get to “{}”", stop.name),
        (None, Some(goal)) if mind.wanders => format!("to wander, now to ({:.0}, {:.0})", goal.x, goal.y),
        (None, Some(goal)) => format!("to get to ({:.0}, {:.0})", goal.x, goal.y),
        (None, None) if mind.wanders => "to wander".into(),
        (None, None) => "nothing".into(),
    };
    let mover = match crowd.mover(index) {
        Mover::Steered(number) => {
            crowd.steerings().get(usize::from(number)).map_or("velocity", |own| own.walker.model.name())
        }
        other => MOVERS[usize::from(mover_number(other))],
    };
    let plan = plan_of(crowd, index);
    let directed = plan.last().filter(|_| crowd.mover(index) == Mover::Planned);
    let way = mind.way_points.iter().skip(usize::from(mind.next));
    Answer::Person(Box::new(Person {
        number,
        name: session.simulation().name_of(number).map(str::to_owned),
        wants,
        goal: mind.goal.map(|goal| goal.to_array()),
        way: way.map(|point| point.to_array()).collect(),
        directed: directed.map(|[x, y, seconds]| format!("to ({x:.1}, {y:.1}), there in {seconds:.1} s")),
        plan,
        mover: mover.to_owned(),
        situations: situations_of(crowd, index),
        stands: why_it_stands(crowd, index),
        likes: mind.speed,
        reached: mind.arrivals,
        locked: session.locks.people().contains(&number),
        decision: crowd.explained(number).map(decision),
    }))
}

/// A decision as pages are told.
fn decision(explained: Explained) -> Decision {
    let fate = |fate: Fate| match fate {
        Fate::Taken => "taken",
        Fate::Wall => "meets a wall",
        Fate::Others => "meets others",
        Fate::InVain => "leads to those in front",
        Fate::Untried => "not tried",
    };
    let weighed = |own: ExplainedMove| Weighed {
        metres: own.metres,
        degrees: own.turn.to_degrees(),
        share: own.share,
        weights: own.weights.into_iter().map(|(name, weight)| (name.to_owned(), weight)).collect(),
        fate: fate(own.fate).to_owned(),
        clip: own.clip,
    };
    Decision {
        frame: explained.frame.unwrap_or_default(),
        moves: explained.moves as u32,
        weighed: explained.weighed as u32,
        likeliest: explained.likeliest.into_iter().map(weighed).collect(),
    }
}

/// Where somebody will be who performs a planned motion: a point for every fifth of a second; nothing of others.
fn plan_of(crowd: &Crowd, index: usize) -> Vec<[f32; 3]> {
    let (book, promise, now) = (&crowd.setting().book, crowd.commitment(index), crowd.frame());
    if crowd.mover(index) != Mover::Planned {
        return Vec::new();
    }
    let rest = promise.rest_frame(book).max(now);
    let frames = (now..rest).step_by(6).chain([rest]);
    frames
        .map(|frame| {
            let at = promise.position(book, frame);
            [at.x, at.y, (frame - now) as f32 / FRAME_RATE]
        })
        .collect()
}

fn situations_of(crowd: &Crowd, index: usize) -> Vec<String> {
    let mut told = Vec::new();
    for visit in &crowd.mind(index).visits {
        let situation = &crowd.shared().situations[visit.situation.index()];
        let part = match (visit.takes_part, visit.done) {
            (true, false) => "takes part",
            (true, true) => "is through with it",
            (false, _) => "passes by",
        };
        told.push(format!("{}: {part}", situation.name));
    }
    told
}

/// Why somebody stands; none of who is under way.
fn why_it_stands(crowd: &Crowd, index: usize) -> Option<String> {
    if crowd.body(index).speed > 0.1 {
        return None;
    }
    let (mind, frame) = (crowd.mind(index), crowd.frame());
    let seconds = |until: u32| until.saturating_sub(frame) as f32 / FRAME_RATE;
    let in_it = mind.visits.iter().filter(|visit| visit.takes_part && !visit.done);
    for visit in in_it {
        let situation = &crowd.shared().situations[visit.situation.index()];
        if let Some(signal) = waits_for(situation, crowd) {
            return Some(format!("waits in “{}” for the signal “{signal}”", situation.name));
        }
        if visit.asks {
            return Some(format!("waits for room in “{}”", situation.name));
        }
        if visit.until > frame {
            return Some(format!("is busy in “{}” for {:.0} s more", situation.name, seconds(visit.until)));
        }
        if visit.spot.is_some() {
            return Some(format!("has a spot in “{}”", situation.name));
        }
    }
    if mind.waits() {
        return Some("waits for room to get on".into());
    }
    if mind.stays_until > frame {
        return Some(format!("stays for {:.0} s more", seconds(mind.stays_until)));
    }
    Some(if mind.goal.is_none() { "has nowhere to go" } else { "is about to go on" }.into())
}

/// The signal that those in a situation wait for now.
fn waits_for<'a>(situation: &Situation, crowd: &'a Crowd) -> Option<&'a str> {
    let signal = match &situation.activity {
        Activity::Cross { signal, .. } | Activity::StayIn { signal, .. } => *signal,
        Activity::Light { signal, .. } => Some(*signal),
        _ => None,
    }?;
    let own = crowd.shared().signals.get(usize::from(signal.0))?;
    // Who would not get across in time waits, too.
    (own.frames_left(crowd.frame()) < 5 * FRAME_RATE as u32).then_some(own.name.as_str())
}
