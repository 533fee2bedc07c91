//! Constraints about boxes: who takes which, puts it down where, and gives it to whom, as places, facings and poses.

use crate::build::Checker;
use crate::file::{Constraint, Name, Point, SceneFile, Time};
use crate::places::{Facings, Places};
use crate::prop::PropKind;
use crowdloom_motion::graph::{MotionGraph, NodeId};
use crowdloom_synthesis::{EndPose, Goal, Task, When};
use crowdloom_world::Ground;
use glam::{DVec2, Vec2};

/// How far before somebody's feet the middle of a box is that it picks up or puts down, in metres, as the built-in motions have it.
const BEFORE_FEET: f32 = 0.42;
/// How far one who gives and one who takes are from the middle between them, in metres.
const FROM_MIDDLE: f32 = 0.56;

/// Where boxes will be while constraints are read in their order.
pub(crate) struct Boxes {
    /// Names and places, in metres; no place of one that somebody has.
    places: Vec<(String, Option<Vec2>)>,
    /// What each task has in its hands.
    hands: Vec<Option<usize>>,
}

impl Boxes {
    pub fn new(scene: &SceneFile, ground: &Ground, people: usize) -> Self {
        let boxes = scene.prop.iter().filter(|prop| prop.kind == PropKind::Box);
        let named = boxes.filter_map(|prop| {
            let name = prop.name.as_ref()?;
            Some((name.get_ref().clone(), Some(local(ground, prop.at))))
        });
        Self { places: named.collect(), hands: vec![None; people] }
    }

    /// What a constraint about a box asks of whom; none where it is about none, or wrong.
    pub fn goals(
        &mut self,
        constraint: &Constraint,
        person: usize,
        tasks: &[Task],
        (graph, ground): (&MotionGraph, &Ground),
        checker: &mut Checker<'_>,
    ) -> Option<Vec<(usize, Goal)>> {
        let name = &constraint.person;
        let mut wrong = |what: String, fix: &str| {
            checker.problem(Some(name.span()), what, fix);
            None
        };
        let who = name.get_ref();
        let time = match constraint.time {
            Some(Time::At(time)) => Some(When::Between { from: time, to: time }),
            Some(Time::Between([from, to])) => Some(When::Between { from, to }),
            None => None,
        };
        let Some([lifting, standing, giving, taking]) = poses(graph) else {
            return wrong(
                "the motion graph has no clips for boxes".into(),
                "`[motion] fill = true` takes them from the built-in motions",
            );
        };
        // From where it was told to be last.
        let task = &tasks[person];
        let from = task.goals.iter().rev().find_map(|goal| goal.at).unwrap_or(task.start.position);
        let facing = match &constraint.facing {
            Some(Facings::One(degrees)) => Some(degrees.to_radians()),
            _ => None,
        };
        let towards = |to: Vec2| {
            let way = to - from;
            facing.unwrap_or_else(|| if way.length() > 0.1 { libm::atan2f(way.y, way.x) } else { 0.0 })
        };
        let goal = |middle: Vec2, heading: f32, before: f32, pose: NodeId| {
            let at = middle - Vec2::from_angle(heading) * before;
            Goal { at: Some(at), facing: Some(heading), pose: EndPose::Node(pose), time }
        };
        if let Some(wanted) = &constraint.take {
            let Some(number) = self.places.iter().position(|(own, _)| own == wanted.get_ref()) else {
                checker.unknown("box", wanted, self.places.iter().map(|(own, _)| own.as_str()));
                return None;
            };
            let Some(at) = self.places[number].1 else {
                return wrong(
                    format!("`{who}` cannot take `{}`: somebody has it then", wanted.get_ref()),
                    "constraints are met in the order of the file: let it be put down before",
                );
            };
            if let Some(own) = self.hands[person] {
                return wrong(
                    format!("`{who}` has `{}` in its hands already", self.places[own].0),
                    "let it put that down first",
                );
            }
            (self.places[number].1, self.hands[person]) = (None, Some(number));
            return Some(vec![(person, goal(at, towards(at), BEFORE_FEET, lifting))]);
        }
        let Some(own) = self.hands[person].take() else {
            return wrong(format!("`{who}` has no box then"), "let it `take` one before");
        };
        if let Some(at) = constraint.put_down {
            let at = local(ground, at);
            self.places[own].1 = Some(at);
            let heading = towards(at);
            // It stands there with the box first: who puts it down on its way and turns then would leave it beside.
            let before = Goal { time: None, ..goal(at, heading, BEFORE_FEET, lifting) };
            return Some(vec![(person, before), (person, goal(at, heading, BEFORE_FEET, standing))]);
        }
        let other = constraint.give_to.as_ref()?;
        let Some(taker) = tasks.iter().position(|task| task.name == *other.get_ref()) else {
            checker.unknown("person", other, tasks.iter().map(|task| task.name.as_str()));
            return None;
        };
        let Some(Places::One(at)) = &constraint.at else {
            return wrong(
                format!("`{who}` gives `{}` a box nowhere", other.get_ref()),
                "`at` is the place between the two",
            );
        };
        if !matches!(constraint.time, Some(Time::At(_))) {
            return wrong(
                format!("`{who}` and `{}` would miss each other", other.get_ref()),
                "`time` says when both are there: one moment, in seconds",
            );
        }
        if taker == person || self.hands[taker].is_some() {
            return wrong(
                format!("`{}` has no free hands then", other.get_ref()),
                "let it put down what it has",
            );
        }
        self.hands[taker] = Some(own);
        let middle = local(ground, *at);
        let heading = towards(middle);
        let back = crowdloom_motion::wrap_angle(heading + std::f32::consts::PI);
        Some(vec![
            (person, goal(middle, heading, FROM_MIDDLE, giving)),
            (taker, goal(middle, back, FROM_MIDDLE, taking)),
        ])
    }
}

impl Constraint {
    /// Whether it is about a box.
    pub(crate) fn is_about_a_box(&self) -> bool {
        self.take.is_some() || self.put_down.is_some() || self.give_to.is_some()
    }
}

/// Poses with a box in the hands, with empty hands, holding one out and reaching for one.
fn poses(graph: &MotionGraph) -> Option<[NodeId; 4]> {
    let find = |name| graph.find_node(name);
    Some([find("carry-stand")?, find("stand")?, find("box-give")?, find("box-take")?])
}

fn local(ground: &Ground, [x, y]: Point) -> Vec2 {
    ground.to_local(DVec2::new(x, y))
}

/// Whether any two of these names are the same; the second is told.
pub(crate) fn check_names(scene: &SceneFile, checker: &mut Checker<'_>) {
    let named: Vec<&Name> = scene.prop.iter().filter_map(|prop| prop.name.as_ref()).collect();
    for (index, name) in named.iter().enumerate() {
        if named[..index].iter().any(|other| other.get_ref() == name.get_ref()) {
            let what = format!("there are two things called `{}`", name.get_ref());
            checker.problem(Some(name.span()), what, "give each a name of its own");
        }
    }
}
