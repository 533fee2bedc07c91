//! Behaviour functions and kinds of situations that are functions of Python: asked at every decision of those whom they concern.

use crate::model::{Trouble, asked};
use crowdloom_crowd::behaviour::Behaviour;
use crowdloom_crowd::situation::{Activity, Influence, Scenery, Situation, SituationKind, Visit};
use crowdloom_crowd::{Additions, BehaviourFunction, Candidates, Deciding};
use crowdloom_motion::FRAME_RATE;
use crowdloom_world::Ground;
use glam::{DVec2, Vec2};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Functions of Python by name.
pub type GivenFunction = (String, Py<PyAny>);

/// The same additions with behaviour functions and kinds of situations.
pub fn with_minds(
    mut additions: Additions,
    behaviours: Vec<GivenFunction>,
    kinds: Vec<GivenFunction>,
    trouble: &Arc<Trouble>,
) -> Additions {
    for (name, function) in behaviours {
        additions = additions.with_behaviour(name, Weighing { function, trouble: trouble.clone() });
    }
    for (name, function) in kinds {
        additions = additions.with_kind(name, Kind { function, trouble: trouble.clone() });
    }
    additions
}

/// A point in the coordinates of the map.
fn in_map(ground: &Ground, point: Vec2) -> (f64, f64) {
    (point.as_dvec2() + ground.origin()).into()
}

/// Points in the coordinates of the map, or vectors where there is no ground, as an array of pairs.
fn pairs<'py>(
    py: Python<'py>,
    vectors: impl ExactSizeIterator<Item = Vec2>,
    ground: Option<&Ground>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let origin = ground.map_or(DVec2::ZERO, Ground::origin);
    let count = vectors.len();
    let numbers = vectors.flat_map(|vector| (vector.as_dvec2() + origin).to_array()).collect();
    PyArray1::from_vec(py, numbers).reshape([count, 2])
}

struct Weighing {
    function: Py<PyAny>,
    trouble: Arc<Trouble>,
}

impl Weighing {
    fn ask(
        &self,
        py: Python<'_>,
        deciding: &Deciding<'_>,
        candidates: &Candidates<'_>,
        weights: &mut [f32],
    ) -> PyResult<()> {
        let (who, what) = (PyDict::new(py), PyDict::new(py));
        let (ground, others) = (deciding.ground, deciding.others);
        who.set_item("agent", deciding.agent)?;
        who.set_item("frame", deciding.frame)?;
        who.set_item("position", in_map(ground, deciding.position))?;
        who.set_item("facing", (deciding.facing.x, deciding.facing.y))?;
        who.set_item("goal", deciding.goal.map(|goal| in_map(ground, goal)))?;
        who.set_item("likes", deciding.likes)?;
        let past = deciding.past;
        who.set_item(
            "past_positions",
            pairs(py, past.iter().map(|state| state.placement.position), Some(ground))?,
        )?;
        let frames = past.iter().map(|state| state.frame).collect();
        who.set_item("past_frames", PyArray1::from_vec(py, frames))?;
        who.set_item("other_positions", pairs(py, others.iter().map(|other| other.centre), Some(ground))?)?;
        who.set_item("other_velocities", pairs(py, others.iter().map(|other| other.velocity), None)?)?;
        let radii = others.iter().map(|other| other.radius).collect();
        who.set_item("other_radii", PyArray1::from_vec(py, radii))?;
        what.set_item("positions", pairs(py, candidates.positions.iter().copied(), Some(ground))?)?;
        what.set_item("facings", pairs(py, candidates.facings.iter().copied(), None)?)?;
        what.set_item("turns", PyArray1::from_slice(py, candidates.turns))?;
        what.set_item("distances", PyArray1::from_slice(py, candidates.distances))?;
        what.set_item("speeds", PyArray1::from_slice(py, candidates.speeds))?;
        what.set_item("seconds", PyArray1::from_slice(py, candidates.seconds))?;
        // It answers with an array of 32-bit floats; `crowdloom._minds` sees to that.
        let answer = self.function.bind(py).call1((who, what))?;
        let answer: PyReadonlyArray1<'_, f32> = answer.extract()?;
        if answer.as_array().len() != weights.len() {
            let what = format!("a behaviour function answers with {} weights", weights.len());
            return Err(PyValueError::new_err(what));
        }
        weights.iter_mut().zip(answer.as_array()).for_each(|(weight, own)| *weight = *own);
        Ok(())
    }
}

impl BehaviourFunction for Weighing {
    fn weigh(&self, deciding: &Deciding<'_>, candidates: &Candidates<'_>, weights: &mut [f32]) {
        asked(&self.trouble, |py| self.ask(py, deciding, candidates, weights));
    }
}

struct Kind {
    function: Py<PyAny>,
    trouble: Arc<Trouble>,
}

/// What a function answers: whether to take a spot, give it up, stand, be done and leave; for how many seconds to be busy; a
/// speed; points to face, to go to and to keep off, the latter with a distance in metres.
type Answer = (
    (bool, bool, bool, bool, bool),
    Option<f32>,
    Option<f32>,
    Option<(f64, f64)>,
    Option<(f64, f64)>,
    Option<(f64, f64, f32)>,
);

impl SituationKind for Kind {
    fn influence(
        &self,
        situation: &Situation,
        scenery: &mut Scenery<'_>,
        visit: &mut Visit,
        influence: &mut Influence,
    ) -> Option<Vec2> {
        let spot = visit.spot.and_then(|spot| situation.activity.spots().get(usize::from(spot))).copied();
        // Who has claimed a spot holds it once that was granted.
        let holds = |spot: u16| scenery.roll.holders.get(usize::from(spot)).copied().flatten();
        let spot = spot.filter(|_| visit.spot.and_then(holds) == Some(scenery.agent));
        let is_there = spot.is_some_and(|spot| scenery.is_at(&spot, visit, influence));
        let ground = scenery.ground;
        let answer = asked(&self.trouble, |py| -> PyResult<Option<Answer>> {
            let fields = PyDict::new(py);
            fields.set_item("agent", scenery.agent)?;
            fields.set_item("frame", scenery.frame)?;
            let since = scenery.frame.saturating_sub(visit.since) as f32 / FRAME_RATE;
            fields.set_item("since", since)?;
            fields.set_item("position", in_map(ground, scenery.position))?;
            fields.set_item("facing", (scenery.facing.x, scenery.facing.y))?;
            fields.set_item("goal", scenery.wish.map(|wish| in_map(ground, wish)))?;
            fields.set_item("likes", scenery.likes)?;
            fields.set_item("at_rest", scenery.at_rest)?;
            let placed = spot.map(|spot| {
                let (x, y) = in_map(ground, spot.at);
                (x, y, f64::from(libm::atan2f(spot.facing.y, spot.facing.x)))
            });
            fields.set_item("spot", placed)?;
            fields.set_item("at_spot", is_there)?;
            let left = visit.until.saturating_sub(scenery.frame) as f32 / FRAME_RATE;
            fields.set_item("busy", (visit.until > 0).then_some(left))?;
            fields.set_item("done", visit.done)?;
            fields.set_item("present", PyArray1::from_slice(py, &scenery.roll.present))?;
            fields.set_item("chance", scenery.random.unit())?;
            let numbers = PyDict::new(py);
            if let Activity::Added { numbers: own, .. } = &situation.activity {
                own.iter().try_for_each(|(name, number)| numbers.set_item(name, *number))?;
            }
            fields.set_item("parameters", numbers)?;
            self.function.bind(py).call1((fields,))?.extract()
        });
        let ((takes, gives_up, stands, done, leaves), busy, speed, face, goal, keep_off) = answer??;
        let local = |(x, y): (f64, f64)| ground.to_local(DVec2::new(x, y));
        if gives_up {
            scenery.give_up_spot(visit);
        } else if takes {
            let _ = scenery.hold_spot(situation, visit);
        }
        if let Some(seconds) = busy {
            visit.until = scenery.frame.saturating_add((seconds * FRAME_RATE) as u32).max(1);
        }
        visit.done |= done;
        influence.stand |= stands;
        influence.pace = speed.or(influence.pace);
        if let Some(point) = face {
            influence.add(Behaviour::Face { toward: local(point), alpha: scenery.alphas.face });
        }
        if let Some((x, y, distance)) = keep_off {
            influence.add(Behaviour::KeepAway {
                from: local((x, y)),
                distance,
                alpha: scenery.alphas.keep_away,
            });
        }
        if leaves {
            scenery.leave(visit);
        }
        goal.map(local)
    }
}
