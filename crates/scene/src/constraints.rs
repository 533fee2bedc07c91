//! People whose motion is planned to meet constraints, from their tables.

use crate::boxes::Boxes;
use crate::build::Checker;
use crate::file::{Constraint, Name, Point, Repeat, SceneFile, Time};
use crate::places;
use crate::steers::number_of;
use crowdloom_crowd::{Crowd, Errand, Mind, Mover, Newcomer};
use crowdloom_motion::Placement;
use crowdloom_motion::graph::{MotionGraph, NodeId};
use crowdloom_motion::styles::MotionType;
use crowdloom_synthesis::{
    EndPose, Goal, Motion, Options, Outcome, Planner, Repertoire, Task, When, outcomes,
};
use crowdloom_world::Ground;
use glam::{DVec2, Vec2};
use std::ops::Range;
use std::sync::Arc;

/// Up to this many planned people have clips of their own, displaced and with their feet held; more show those of the graph.
const MOST_PERFORMANCES: usize = 400;

/// Planned people who are in the crowd: names by number, and how well they meet what was asked.
pub struct Cast {
    /// Names by number, ascending.
    pub names: Vec<(u32, String)>,
    /// Every constraint and what came of it.
    pub outcomes: Vec<Outcome>,
}

/// People to be planned: who is where, and what is asked of them.
pub struct Stage {
    /// The ground.
    pub ground: Arc<Ground>,
    /// The people; those without goals stay where they are.
    pub tasks: Vec<Task>,
    /// Places that ways lead around, whether anybody is there or not, in metres.
    pub seats: Vec<Vec2>,
    /// Numbers of the names that they go by.
    called: Vec<u16>,
    /// Lines of the goals of each, for messages.
    spans: Vec<Vec<Range<usize>>>,
}

impl Stage {
    /// The places of those who stay where they are, in metres.
    pub fn bystanders(&self) -> Vec<Vec2> {
        let staying = self.tasks.iter().filter(|task| task.goals.is_empty());
        staying.map(|task| task.start.position).collect()
    }

    /// A planner that knows the ground, the seats and those who stay.
    pub fn planner(&self, repertoire: &Arc<Repertoire>, options: Options) -> Planner {
        let ground = Arc::clone(&self.ground);
        let mut planner = Planner::new(ground, Arc::clone(repertoire), options, &self.bystanders());
        if !self.seats.is_empty() {
            planner.lead_around(&self.seats);
        }
        planner
    }
}

/// Plans the people of a scene and puts them into the crowd. `None` where there are none, or a mistake keeps them out.
pub fn build_cast(scene: &SceneFile, crowd: &mut Crowd, checker: &mut Checker<'_>) -> Option<Cast> {
    let setting = crowd.setting().clone();
    let graph = setting.book.graph();
    let before = checker.problems.len();
    let stage = read_stage(scene, graph, &setting.ground, checker);
    if stage.tasks.is_empty() || checker.problems[before..].iter().any(|problem| !problem.harmless) {
        return None;
    }
    let options = Options {
        seed: scene.seed,
        radius: setting.book.options().radius,
        best_effort: true,
        ..scene.synthesis.options()
    };
    let repertoire =
        Repertoire::new(Arc::clone(graph), &options.locomotion, options.weights).ok().map(Arc::new)?;
    let planned = match stage.planner(&repertoire, options.clone()).plan(&stage.tasks) {
        Ok(planned) => planned,
        Err(error) => {
            checker.problem(scene.constraint.first().map(|first| first.person.span()), error.to_string(), "");
            return None;
        }
    };
    for failure in planned.iter().filter_map(|planned| planned.failure.as_ref()) {
        let span = stage.spans[failure.agent].get(failure.goal).cloned();
        let best = planned[failure.agent].motion.legs().len() > failure.goal;
        let fix = match best {
            true => "it gets the best motion found; the others are planned all the same",
            false => "the others are planned all the same",
        };
        checker.warning(span, failure.to_string(), fix);
    }
    let outcomes = outcomes(&stage.tasks, &planned, &repertoire);
    let mut names = Vec::new();
    // Everybody stands first: who stands in a way that was planned is told where that is not so.
    let mut members = Vec::new();
    for ((task, one), &called) in stage.tasks.iter().zip(&planned).zip(&stage.called) {
        let newcomer = Newcomer { mover: Mover::Planned, mind: waiting(called), ..Newcomer::default() };
        let (at, _) = one.motion.at(&repertoire, one.motion.first_frame());
        match crowd.add_at(at, task.pose, newcomer) {
            Some(index) => {
                names.push((crowd.id(index), task.name.clone()));
                members.push((index, one, task));
            }
            None => {
                // Nobody vanishes: who has no room stands where there is some.
                let free = setting.ground.nearest_free(at.position, options.radius + 0.01);
                let aside = free.map(|position| Placement { position, ..at });
                let newcomer = Newcomer { mover: Mover::Graph, mind: waiting(called), ..Newcomer::default() };
                match aside
                    .and_then(|aside| crowd.add_at(aside, task.pose, newcomer).map(|index| (index, aside)))
                {
                    Some((index, aside)) => {
                        names.push((crowd.id(index), task.name.clone()));
                        let missing = aside.position.distance(at.position);
                        let what = format!(
                            "`{}` has no room where it starts: {missing:.2} m are missing",
                            task.name
                        );
                        checker.warning(None, what, "it stays at the nearest free place; give it room");
                    }
                    None => {
                        let what = format!("`{}` has no room anywhere near its start", task.name);
                        checker.warning(None, what, "it is left out; give it room");
                    }
                }
            }
        }
    }
    // One after the other in the order of planning would find those who still stand in the way: all at once.
    // Who cannot even set out stays where it is: nobody vanishes.
    members.retain(|(_, one, _)| !(one.motion.leaves() && one.motion.all_legs().is_empty()));
    let motions: Vec<(usize, &Motion)> =
        members.iter().map(|(index, one, _)| (*index, &one.motion)).collect();
    for index in crowd.perform_together(&motions, &repertoire) {
        let name = members.iter().find(|(own, ..)| *own == index).map_or("", |(.., task)| &task.name);
        checker.warning(
            None,
            format!("`{name}` cannot move without meeting somebody"),
            "it stays where it is",
        );
    }
    if members.len() <= MOST_PERFORMANCES {
        let clips: Vec<_> =
            members.iter().map(|(index, one, task)| (*index, &one.motion, &task.name)).collect();
        for (index, motion, name) in clips {
            crowd.show_performance(index, motion, &repertoire, name);
        }
    }
    Some(Cast { names, outcomes })
}

/// The mind of somebody who is planned, and else stays where it is.
fn waiting(called: u16) -> Mind {
    Mind { called, errand: Errand::Stay(MotionType::Waiting), speed: 1.3, ..Mind::default() }
}

/// Reads people and constraints; mistakes go to the checker.
pub fn read_stage(
    scene: &SceneFile,
    graph: &MotionGraph,
    ground: &Arc<Ground>,
    checker: &mut Checker<'_>,
) -> Stage {
    let (mut tasks, groups) = read_people(scene, graph, ground, checker);
    let mut spans = vec![Vec::new(); tasks.len()];
    crate::boxes::check_names(scene, checker);
    let mut boxes = Boxes::new(scene, ground, tasks.len());
    for constraint in &scene.constraint {
        let goals = if constraint.is_about_a_box() {
            let person = find(&constraint.person, &tasks, &groups, checker);
            person.and_then(|person| boxes.goals(constraint, person.start, &tasks, (graph, ground), checker))
        } else {
            read_goals(scene, constraint, &tasks, &groups, (graph, ground), checker)
        };
        for (person, goal) in goals.into_iter().flatten() {
            tasks[person].goals.push(goal);
            spans[person].push(constraint.person.span());
        }
    }
    let mut seats = Vec::new();
    for seat in &scene.world.seat {
        let Repeat { columns, rows, step } =
            seat.repeat.unwrap_or(Repeat { columns: 1, rows: 1, step: [0.0, 0.0] });
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column as f64, row as f64)));
        seats.extend(
            cells.map(|(column, row)| {
                local(ground, [seat.at[0] + column * step[0], seat.at[1] + row * step[1]])
            }),
        );
    }
    let mut called = vec![0; tasks.len()];
    for (name, range) in groups {
        called[range].fill(number_of(scene, name));
    }
    Stage { ground: Arc::clone(ground), tasks, seats, called, spans }
}

/// Names of persons and the tasks that each means.
type Groups<'s> = Vec<(&'s str, Range<usize>)>;

/// The tasks that a name means: all people of a table, or one of them.
fn find(name: &Name, tasks: &[Task], groups: &Groups<'_>, checker: &mut Checker<'_>) -> Option<Range<usize>> {
    let group = groups.iter().find(|(own, _)| own == name.get_ref()).map(|(_, range)| range.clone());
    let one = || tasks.iter().position(|task| task.name == *name.get_ref()).map(|index| index..index + 1);
    let found = group.or_else(one);
    if found.is_none() {
        checker.unknown("person", name, groups.iter().map(|(own, _)| *own));
    }
    found
}

/// What a constraint asks of whom.
fn read_goals(
    scene: &SceneFile,
    constraint: &Constraint,
    tasks: &[Task],
    groups: &Groups<'_>,
    (graph, ground): (&MotionGraph, &Ground),
    checker: &mut Checker<'_>,
) -> Option<Vec<(usize, Goal)>> {
    let name = &constraint.person;
    let after = constraint.after.as_ref().map(|after| find(after, tasks, groups, checker));
    let (from, to) = match constraint.time {
        Some(Time::At(time)) => (time, time),
        Some(Time::Between([from, to])) => (from, to),
        None => (0.0, 0.0),
    };
    if constraint.time.is_some() && !(from.is_finite() && to.is_finite() && from <= to) {
        let what = format!("a time from {from} to {to} makes no sense");
        checker.problem(Some(name.span()), what, "give the earliest and the latest, in seconds");
    }
    let pose = match &constraint.pose {
        Some(name) if name.get_ref() == ANY_POSE => EndPose::Any,
        named => named.as_ref().and_then(|name| find_pose(graph, name, checker)).into(),
    };
    let people = find(name, tasks, groups, checker)?;
    let count = people.len();
    let at = match (&constraint.at, &constraint.word) {
        (Some(at), None) => {
            let mut all = places::goals(at, constraint.repeat, count, name, checker)?;
            if let Some(repeat) = constraint.repeat {
                places::mix(&mut all, repeat, constraint.mix, scene.seed);
            }
            Some(all)
        }
        (None, Some(word)) => Some(places::spell(word, count, checker)?),
        (None, None) => None,
        (Some(_), Some(_)) => {
            checker.problem(Some(name.span()), "both `at` and `word` are given", "keep one of them");
            return None;
        }
    };
    let facing = match &constraint.facing {
        Some(facing) => Some(places::facings(facing, count, name, checker)?),
        None => None,
    };
    let after = match after {
        None => None,
        Some(None) => return None,
        Some(Some(others)) if others.len() == 1 || others.len() == count => Some(others),
        Some(Some(others)) => {
            let what = format!("{count} people cannot wait for {} others one by one", others.len());
            checker.problem(Some(name.span()), what, "name one person in `after`, or as many");
            return None;
        }
    };
    let goal = |index: usize| Goal {
        at: at.as_ref().map(|all| local(ground, all[index])),
        facing: facing.as_ref().map(|all| all[index].to_radians()),
        pose,
        time: match (&after, constraint.time) {
            (Some(others), _) => {
                let of = if others.len() == 1 { others.start } else { others.start + index };
                Some(match constraint.after_goal {
                    Some(goal) => When::AfterGoal { of, goal: goal.saturating_sub(1), from, to },
                    None => When::AfterArrival { of, from, to },
                })
            }
            (None, Some(_)) => Some(When::Between { from, to }),
            (None, None) => None,
        },
    };
    Some((0..count).map(|index| (people.start + index, goal(index))).collect())
}

fn read_people<'s>(
    scene: &'s SceneFile,
    graph: &MotionGraph,
    ground: &Ground,
    checker: &mut Checker<'_>,
) -> (Vec<Task>, Groups<'s>) {
    let standing = graph.nodes().iter().position(|node| node.rest).unwrap_or(0);
    let mut tasks: Vec<Task> = Vec::new();
    let mut groups: Groups<'s> = Vec::new();
    let unnamed = Name::new(0..0, String::new());
    let planned =
        scene.people.iter().enumerate().filter(|(_, people)| people.mover.is(crate::mover::Mover::Planned));
    for (index, people) in planned {
        checker.here = checker.table_line("people", index);
        let written = people.name.as_ref().unwrap_or(&unnamed);
        let name = written.get_ref();
        if !name.is_empty() && groups.iter().any(|(own, _)| own == name) {
            let what = format!("there are two people called `{name}`");
            checker.problem(Some(written.span()), what, "give each a name of its own");
        }
        if let Some(motion) = &people.motion {
            let what = "planned people have the graph of `[motion]`";
            checker.problem(Some(motion.span()), what, "leave `motion` out");
        }
        let pose = people.pose.as_ref().and_then(|name| find_pose(graph, name, checker));
        let first = tasks.len();
        let Some(at) = &people.at else {
            checker.problem(None, "planned people need places to start from", "give `at`");
            continue;
        };
        let facing = people.facing.clone().unwrap_or_default();
        if let Some(places) = places::starts(at, people.repeat, written, checker)
            && let Some(facings) = places::facings(&facing, places.len(), written, checker)
        {
            let many = places.len() > 1;
            tasks.extend(places.into_iter().zip(facings).enumerate().map(|(index, (at, facing))| Task {
                name: if many { format!("{name}-{}", index + 1) } else { name.clone() },
                start: Placement { position: local(ground, at), heading: facing.to_radians() },
                pose: pose.unwrap_or(NodeId(standing as u16)),
                goals: Vec::new(),
            }));
        }
        if let Some(name) = &people.name {
            groups.push((name.get_ref(), first..tasks.len()));
        }
    }
    checker.here = None;
    (tasks, groups)
}

/// What a constraint names that may be met in any pose.
const ANY_POSE: &str = "any";

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
