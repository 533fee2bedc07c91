//! People whose motion is planned to meet constraints, from their tables.

use crate::build::Checker;
use crate::file::{Name, Point, SceneFile, Time};
use crowdloom_crowd::{Crowd, Directed};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{MotionGraph, NodeId};
use crowdloom_synthesis::{Goal, Motion, Options, Outcome, Planner, Repertoire, Task, When, outcomes};
use crowdloom_world::Ground;
use glam::{DVec2, Vec2};
use std::sync::Arc;

/// Planned people: what they do, and how well they meet what was asked.
pub struct Cast {
    /// What their motions are made of.
    pub repertoire: Arc<Repertoire>,
    /// Names and motions.
    pub members: Vec<(String, Motion)>,
    /// Every constraint and what came of it.
    pub outcomes: Vec<Outcome>,
}

/// Plans the people of a scene; the crowd then keeps off them. `None` where there are none, or a mistake keeps them out.
pub fn build_cast(scene: &SceneFile, crowd: &mut Crowd, checker: &mut Checker<'_>) -> Option<Cast> {
    let setting = crowd.setting().clone();
    let graph = setting.book.graph();
    let mut tasks = read_people(scene, graph, &setting.ground, checker);
    // Lines of the constraints of each person, for messages.
    let mut spans: Vec<Vec<&Name>> = vec![Vec::new(); tasks.len()];
    let names = || scene.person.iter().map(|person| person.name.get_ref().as_str());
    let before = checker.problems.len();
    for constraint in &scene.constraint {
        let find =
            |name: &Name| scene.person.iter().position(|person| person.name.get_ref() == name.get_ref());
        let Some(person) = find(&constraint.person) else {
            checker.unknown("person", &constraint.person, names());
            continue;
        };
        let after = constraint.after.as_ref().and_then(|name| {
            let found = find(name);
            if found.is_none() {
                checker.unknown("person", name, names());
            }
            found
        });
        let (from, to) = match constraint.time {
            Some(Time::At(time)) => (time, time),
            Some(Time::Between([from, to])) => (from, to),
            None => (0.0, 0.0),
        };
        if constraint.time.is_some() && !(from.is_finite() && to.is_finite() && from <= to) {
            let what = format!("a time from {from} to {to} makes no sense");
            checker.problem(
                Some(constraint.person.span()),
                what,
                "give the earliest and the latest, in seconds",
            );
        }
        let time = match (after, constraint.time) {
            (Some(of), _) => Some(When::AfterArrival { of, from, to }),
            (None, Some(_)) => Some(When::Between { from, to }),
            (None, None) => None,
        };
        tasks[person].goals.push(Goal {
            at: constraint.at.map(|at| local(&setting.ground, at)),
            facing: constraint.facing.map(f32::to_radians),
            pose: constraint.pose.as_ref().and_then(|name| find_pose(graph, name, checker)),
            time,
        });
        spans[person].push(&constraint.person);
    }
    if tasks.is_empty() || checker.problems[before..].iter().any(|problem| !problem.harmless) {
        return None;
    }
    let options = Options { seed: scene.seed, radius: setting.book.options().radius, ..Options::default() };
    let repertoire =
        Repertoire::new(Arc::clone(graph), &options.locomotion, options.weights).ok().map(Arc::new)?;
    let mut planner =
        Planner::new(Arc::clone(&setting.ground), Arc::clone(&repertoire), options.clone(), &[]);
    let planned = match planner.plan(&tasks) {
        Ok(planned) => planned,
        Err(error) => {
            checker.problem(scene.constraint.first().map(|first| first.person.span()), error.to_string(), "");
            return None;
        }
    };
    for failure in planned.iter().filter_map(|planned| planned.failure.as_ref()) {
        let span = spans[failure.agent].get(failure.goal).map(|name| name.span());
        checker.warning(span, failure.to_string(), "the others are planned all the same");
    }
    for one in &planned {
        let motion = &one.motion;
        let frames = motion.first_frame()..=motion.last_frame();
        let positions: Vec<Vec2> = frames.map(|frame| motion.at(&repertoire, frame).0.position).collect();
        let stays = motion.is_there(motion.last_frame() + 1);
        if let Some(directed) = Directed::new(&positions, motion.first_frame(), options.radius, stays) {
            crowd.keep_off(directed);
        }
    }
    let outcomes = outcomes(&tasks, &planned, &repertoire);
    let members = tasks.into_iter().zip(planned).map(|(task, planned)| (task.name, planned.motion)).collect();
    Some(Cast { repertoire, members, outcomes })
}

fn read_people(
    scene: &SceneFile,
    graph: &MotionGraph,
    ground: &Ground,
    checker: &mut Checker<'_>,
) -> Vec<Task> {
    let standing = graph.nodes().iter().position(|node| node.rest).unwrap_or(0);
    let mut tasks: Vec<Task> = Vec::new();
    for person in &scene.person {
        if tasks.iter().any(|task| task.name == *person.name.get_ref()) {
            let what = format!("there are two people called `{}`", person.name.get_ref());
            checker.problem(Some(person.name.span()), what, "give each a name of its own");
        }
        let pose = person.pose.as_ref().and_then(|name| find_pose(graph, name, checker));
        tasks.push(Task {
            name: person.name.get_ref().clone(),
            start: Placement { position: local(ground, person.at), heading: person.facing.to_radians() },
            pose: pose.unwrap_or(NodeId(standing as u16)),
            goals: Vec::new(),
        });
    }
    tasks
}

fn local(ground: &Ground, [x, y]: Point) -> Vec2 {
    ground.to_local(DVec2::new(x, y))
}

fn find_pose(graph: &MotionGraph, name: &Name, checker: &mut Checker<'_>) -> Option<NodeId> {
    let found = graph.find_node(name.get_ref());
    if found.is_none() {
        let names: Vec<&str> = graph.nodes().iter().map(|node| node.name.as_str()).collect();
        let near = crate::problem::nearest(name.get_ref(), names.iter().copied());
        let fix = near
            .map_or_else(|| format!("one of {}", names.join(", ")), |near| format!("did you mean `{near}`?"));
        checker.problem(Some(name.span()), format!("there is no pose `{}`", name.get_ref()), fix);
    }
    found
}
