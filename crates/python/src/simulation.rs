//! A running scene as Python sees it.

use crate::arrays;
use crate::errors::{ToldProblem, refusal, scene_error, snapshot_error, told};
use crate::guarded::Guarded;
use crate::kept::Kept;
use crate::minds::{GivenFunction, with_minds};
use crate::model::{GivenModel, Trouble, additions};
use crate::recording::{Recorded, record_guarded};
use crate::threads::pool;
use crowdloom_crowd::{Crowd, Edit, Refusal, Steps};
use crowdloom_motion::FRAME_RATE;
use crowdloom_output::crowd_plot::CrowdPlot;
use crowdloom_output::run::GroundShape;
use crowdloom_scene::{Overrides, SceneError, parse_with};
use crowdloom_world::Router;
use glam::{DVec2, Vec2};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Inner = crowdloom_scene::Simulation;

/// Signals of the process are looked at so often while a simulation runs.
const LOOKS_UP: Duration = Duration::from_millis(50);

/// What came of an event: how many changes were made, how many wait, how many steps take them back, who came, and what was
/// refused, why and whether for now only.
type Enacted<'py> = (usize, usize, usize, Bound<'py, PyArray1<u32>>, Vec<(String, String, bool)>);

/// A running scene.
#[pyclass(frozen, subclass, module = "crowdloom._core")]
pub struct Simulation {
    inner: Guarded<Inner>,
    kept: Kept,
    name: String,
    text: String,
    seed: u64,
    frames: u32,
    warnings: Vec<ToldProblem>,
    trouble: Arc<Trouble>,
}

impl Simulation {
    fn of(simulation: Inner, warnings: Vec<ToldProblem>, trouble: Arc<Trouble>) -> Self {
        Self {
            name: simulation.name().to_owned(),
            text: simulation.text().to_owned(),
            seed: simulation.crowd().setting().seed,
            frames: simulation.frames(),
            warnings,
            trouble,
            inner: Guarded::new(simulation),
            kept: Kept::default(),
        }
    }

    /// Looks at the crowd.
    fn look<R: Send>(&self, py: Python<'_>, look: impl FnOnce(&Crowd) -> R + Send) -> PyResult<R> {
        self.inner.look(py, |simulation| look(simulation.crowd()))
    }

    /// A column of everybody, which is the same array until the crowd changes.
    fn column<'py, T: numpy::Element + Send>(
        &self,
        py: Python<'py>,
        name: &'static str,
        look: impl FnOnce(&Crowd) -> Vec<T> + Send,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        self.kept.of_frame(
            py,
            name,
            &self.inner,
            |simulation| look(simulation.crowd()),
            |numbers| Ok(PyArray1::from_vec(py, numbers)),
        )
    }

    /// Two columns of everybody, as [`Self::column`].
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        name: &'static str,
        look: impl FnOnce(&Crowd) -> Vec<f64> + Send,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.kept.of_frame(
            py,
            name,
            &self.inner,
            |simulation| look(simulation.crowd()),
            |numbers| {
                let count = numbers.len() / 2;
                PyArray1::from_vec(py, numbers).reshape([count, 2])
            },
        )
    }

    /// Makes one change for each of some people.
    fn change_each(
        &self,
        py: Python<'_>,
        ids: &[u32],
        edit: impl Fn(usize, u32, &Crowd) -> Edit + Sync,
    ) -> PyResult<()> {
        let made = self.inner.with(py, |simulation| {
            // Either everybody is there or nothing is changed.
            if let Some(gone) = ids.iter().find(|id| simulation.crowd().index_of(**id).is_none()) {
                return Err(Refusal::Nobody(*gone));
            }
            for (place, &id) in ids.iter().enumerate() {
                simulation.edit(edit(place, id, simulation.crowd()))?;
            }
            Ok(())
        })?;
        made.map_err(|error| refusal(py, &error))
    }
}

/// The numbers of a contiguous array of any layout.
fn numbers<T: numpy::Element + Copy>(array: &PyReadonlyArray1<'_, T>) -> Vec<T> {
    array.as_array().iter().copied().collect()
}

/// Points of an array of pairs; NaN and infinite numbers are refused.
fn points(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Vec<DVec2>> {
    let array = array.as_array();
    if array.ncols() != 2 {
        let what = format!("points have 2 columns, not {}", array.ncols());
        return Err(PyValueError::new_err(what));
    }
    let points: Vec<DVec2> = array.rows().into_iter().map(|row| DVec2::new(row[0], row[1])).collect();
    match points.iter().position(|point| !point.is_finite()) {
        Some(row) => Err(PyValueError::new_err(format!("point {row} is not finite"))),
        None => Ok(points),
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (text, file, *, seed = None, people = None, snapshot = None, models = Vec::new(), behaviours = Vec::new(), situations = Vec::new(), discs = false))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of one Python class")]
    fn new(
        py: Python<'_>,
        text: &str,
        file: PathBuf,
        seed: Option<u64>,
        people: Option<usize>,
        snapshot: Option<&[u8]>,
        models: Vec<GivenModel>,
        behaviours: Vec<GivenFunction>,
        situations: Vec<GivenFunction>,
        discs: bool,
    ) -> PyResult<Self> {
        let pool = pool()?;
        let trouble = Arc::new(Trouble::default());
        let added = with_minds(additions(models, &trouble), behaviours, situations, &trouble);
        if let Some(bytes) = snapshot {
            let resumed = py.detach(|| pool.install(|| Inner::from_snapshot_with(bytes, &added)));
            return Ok(Self::of(resumed.map_err(|error| snapshot_error(py, &error))?, Vec::new(), trouble));
        }
        let overrides = Overrides { seed, people };
        let parsed = py.detach(|| pool.install(|| parse_with(&file, text, overrides, &added)));
        let (mut simulation, problems) = parsed.map_err(|error| scene_error(py, &error))?;
        if discs {
            simulation.keep_to_discs();
        }
        Ok(Self::of(simulation, problems.iter().map(told).collect(), trouble))
    }

    /// What the scene is called.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The scene as it was read, in TOML.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// What everything random follows from.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// How long the scene asks to be run, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        f64::from(self.frames) / f64::from(FRAME_RATE)
    }

    #[getter]
    fn _warnings(&self) -> Vec<ToldProblem> {
        self.warnings.clone()
    }

    /// The frame that it is in.
    #[getter]
    fn frame(&self, py: Python<'_>) -> PyResult<u32> {
        self.look(py, Crowd::frame)
    }

    /// Seconds since the beginning.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(f64::from(self.frame(py)?) / f64::from(FRAME_RATE))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, Crowd::len)
    }

    /// Steps for up to `frames` frames, or until signals should be looked at; returns how many were made.
    fn _advance(&self, py: Python<'_>, frames: u32) -> PyResult<u32> {
        let done = self.inner.with(py, |simulation| {
            let since = Instant::now();
            let mut done = 0;
            while done < frames && (done == 0 || since.elapsed() < LOOKS_UP) && !self.trouble.is_there() {
                simulation.step();
                done += 1;
            }
            done
        })?;
        self.trouble.raised()?;
        py.check_signals()?;
        Ok(done)
    }

    /// Where everybody is, in metres: (N, 2).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.pairs(py, "positions", |crowd| arrays::in_map(crowd, crowd.positions().iter().copied()))
    }

    /// Which way everybody faces, in radians from east to north: (N,).
    #[getter]
    fn headings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "headings", |crowd| {
            (0..crowd.len()).map(|index| f64::from(crowd.placement(index).heading)).collect()
        })
    }

    /// How everybody moves, in metres a second: (N, 2).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.pairs(py, "velocities", arrays::velocities)
    }

    /// Everybody's number, ascending: (N,).
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.column(py, "ids", |crowd| (0..crowd.len()).map(|index| crowd.id(index)).collect())
    }

    /// Where everybody wants to be, in metres; NaN of those who want to be nowhere: (N, 2).
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.pairs(py, "goals", arrays::goals)
    }

    /// The speed that everybody likes, in metres a second: (N,).
    #[getter]
    fn preferred_speeds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "preferred_speeds", |crowd| {
            (0..crowd.len()).map(|index| f64::from(crowd.mind(index).speed)).collect()
        })
    }

    /// The radius of everybody's disc, in metres: (N,).
    #[getter]
    fn radii<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.column(py, "radii", arrays::radii)
    }

    /// The situation that everybody takes part in, as an index into `situation_names`; -1 of those who take part in none.
    #[getter]
    fn situations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        self.column(py, "situations", arrays::situations)
    }

    /// Names of all situations.
    #[getter]
    fn situation_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.look(py, |crowd| crowd.shared().situations.iter().map(|own| own.name.clone()).collect())
    }

    /// What moves everybody.
    #[getter]
    fn movers(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.look(py, |crowd| {
            (0..crowd.len()).map(|index| arrays::mover_name(crowd, index).to_owned()).collect()
        })
    }

    /// Names of all stops.
    #[getter]
    fn stops(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.look(py, |crowd| crowd.shared().scenario.stops.iter().map(|stop| stop.name.clone()).collect())
    }

    /// Names of all regions.
    #[getter]
    fn regions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.look(py, |crowd| {
            crowd.setting().ground.regions().iter().map(|region| region.name.clone()).collect()
        })
    }

    /// Signals by name, and whether each is on.
    #[getter]
    fn signals(&self, py: Python<'_>) -> PyResult<BTreeMap<String, bool>> {
        self.look(py, |crowd| {
            let frame = crowd.frame();
            let signals = crowd.shared().signals.iter();
            signals.map(|signal| (signal.name.clone(), signal.is_on(frame))).collect()
        })
    }

    /// Doors and obstacles with a name, and whether each is there (a door that is closed is).
    #[getter]
    fn obstacles(&self, py: Python<'_>) -> PyResult<BTreeMap<String, bool>> {
        self.look(py, |crowd| crowd.obstacles().map(|(name, _, there)| (name.to_owned(), there)).collect())
    }

    /// The walkable ground as it is now, as well-known text.
    #[getter]
    fn ground_wkt(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |crowd| GroundShape::of(&crowd.setting().ground).to_wkt())
    }

    /// Goals reached so far.
    #[getter]
    fn goals_reached(&self, py: Python<'_>) -> PyResult<u64> {
        self.look(py, Crowd::goals_reached)
    }

    /// People who wait for room to appear.
    #[getter]
    fn waiting(&self, py: Python<'_>) -> PyResult<usize> {
        self.inner.look(py, |simulation| simulation.waiting())
    }

    /// Pairs of people whose discs overlap now, pairs of the same velocity model left out.
    #[getter]
    fn overlaps(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, |crowd| crowd.overlaps().0)
    }

    /// Names of the joints of every body, in the order of `poses`.
    #[getter]
    fn joint_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.look(py, |crowd| {
            let skeleton = crowd.setting().book.graph().skeleton();
            skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
        })
    }

    /// The index of each joint's parent; -1 of the root.
    #[getter]
    fn joint_parents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        self.column(py, "joint_parents", |crowd| {
            let skeleton = crowd.setting().book.graph().skeleton();
            let parent = |joint| skeleton.parent(joint).map_or(-1, |parent| parent as i32);
            (0..skeleton.len()).map(parent).collect()
        })
    }

    /// Where the joints of some people's bodies are: a matrix of 4 × 4 for each person and joint.
    fn _poses<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Bound<'py, PyArray4<f64>>> {
        let ids = numbers(&ids);
        let found = self.look(py, |crowd| {
            let people = ids.iter().map(|id| crowd.index_of(*id).ok_or(Refusal::Nobody(*id)));
            let people: Vec<usize> = people.collect::<Result<_, _>>()?;
            let joints = crowd.setting().book.graph().skeleton().len();
            Ok((people.len(), joints, arrays::poses(crowd, &people)))
        })?;
        let (people, joints, numbers) = found.map_err(|error| refusal(py, &error))?;
        PyArray1::from_vec(py, numbers).reshape([people, joints, 4, 4])
    }

    /// Lets an event happen now, in the words of an `[[event]]` table.
    fn _enact<'py>(&self, py: Python<'py>, fields: &str) -> PyResult<Enacted<'py>> {
        let enacted = self.inner.with(py, |simulation| simulation.enact(fields))?;
        let enacted =
            enacted.map_err(|problems| scene_error(py, &SceneError { file: "edit".into(), problems }))?;
        let told = |(what, why): (String, Refusal)| (what, why.to_string(), why.is_for_now());
        let refused = enacted.refused.into_iter().map(told).collect();
        Ok((enacted.made, enacted.waiting, enacted.steps, PyArray1::from_vec(py, enacted.came), refused))
    }

    /// Sends some people to points, in metres.
    fn _set_goals(
        &self,
        py: Python<'_>,
        ids: PyReadonlyArray1<'_, u32>,
        goals: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let (ids, goals) = (numbers(&ids), points(&goals)?);
        if ids.len() != goals.len() {
            let what = format!("{} people cannot have {} goals", ids.len(), goals.len());
            return Err(PyValueError::new_err(what));
        }
        self.change_each(py, &ids, |place, id, crowd| {
            Edit::Goal(id, Some(crowd.setting().ground.to_local(goals[place])))
        })
    }

    /// Sets the speeds that some people like, in metres a second.
    fn _set_speeds(
        &self,
        py: Python<'_>,
        ids: PyReadonlyArray1<'_, u32>,
        speeds: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (ids, speeds) = (numbers(&ids), numbers(&speeds));
        if ids.len() != speeds.len() {
            let what = format!("{} people cannot have {} speeds", ids.len(), speeds.len());
            return Err(PyValueError::new_err(what));
        }
        self.change_each(py, &ids, |place, id, _| Edit::Speed(id, speeds[place] as f32))
    }

    /// Takes the last change back that was made by hand.
    fn undo(&self, py: Python<'_>) -> PyResult<()> {
        self.inner.with(py, |simulation| simulation.undo())?.map_err(|error| refusal(py, &error))
    }

    /// Makes the last change again that was taken back.
    fn redo(&self, py: Python<'_>) -> PyResult<()> {
        self.inner.with(py, |simulation| simulation.redo())?.map_err(|error| refusal(py, &error))
    }

    /// All changes so far, by events and by hand: the frame and what was changed.
    #[getter]
    fn log(&self, py: Python<'_>) -> PyResult<Vec<(u32, String)>> {
        self.inner
            .look(py, |simulation| simulation.log().iter().map(|own| (own.frame, own.to_string())).collect())
    }

    /// Changes that are made as soon as promises allow it.
    #[getter]
    fn waiting_edits(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.inner.look(py, |simulation| simulation.waiting_edits().map(ToString::to_string).collect())
    }

    /// Changes of events that were refused for good: the frame, what was to be changed, and why not.
    #[getter]
    fn refused_edits(&self, py: Python<'_>) -> PyResult<Vec<(u32, String, String)>> {
        self.inner.look(py, |simulation| {
            let refused = simulation.refused().iter();
            refused.map(|own| (own.frame, own.edit.to_string(), own.why.clone())).collect()
        })
    }

    /// What came of the goals of planned people, as JSON.
    #[getter]
    fn _outcomes(&self, py: Python<'_>) -> PyResult<String> {
        let told = self.inner.look(py, |simulation| serde_json::to_string(simulation.outcomes()))?;
        told.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// All that is needed to go on from this frame, as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.inner.with(py, |simulation| simulation.snapshot())?;
        Ok(PyBytes::new(py, &saved.map_err(|error| snapshot_error(py, &error))?))
    }

    /// Goes back, or ahead, to a frame of the same scene that was saved.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let bytes = saved.to_vec();
        let restored = self.inner.with(py, |simulation| simulation.restore(&bytes))?;
        restored.map_err(|error| snapshot_error(py, &error))
    }

    /// Whether a disc of some radius in metres could stand at points, as far as walls are concerned.
    fn _are_walkable<'py>(
        &self,
        py: Python<'py>,
        places: PyReadonlyArray2<'py, f64>,
        radius: f32,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let places = points(&places)?;
        let free = self.look(py, |crowd| {
            let ground = &crowd.setting().ground;
            places.iter().map(|place| ground.is_free(ground.to_local(*place), radius)).collect()
        })?;
        Ok(PyArray1::from_vec(py, free))
    }

    /// How far rays from points in directions (radians, a row for each point) go until they meet a wall, in metres, at most
    /// `limit`.
    fn _cast_rays<'py>(
        &self,
        py: Python<'py>,
        places: PyReadonlyArray2<'py, f64>,
        directions: PyReadonlyArray2<'py, f64>,
        limit: f32,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let places = points(&places)?;
        let (rows, columns) = directions.as_array().dim();
        let directions: Vec<f64> = directions.as_array().iter().copied().collect();
        if rows != places.len() || !directions.iter().all(|direction| direction.is_finite()) {
            return Err(PyValueError::new_err("directions are finite, a row for each point"));
        }
        let distances = self.look(py, |crowd| {
            let ground = &crowd.setting().ground;
            let ray = |(number, direction): (usize, &f64)| {
                let towards = Vec2::new(direction.cos() as f32, direction.sin() as f32);
                f64::from(ground.cast_ray(ground.to_local(places[number / columns]), towards, limit))
            };
            directions.iter().enumerate().map(ray).collect::<Vec<f64>>()
        })?;
        PyArray1::from_vec(py, distances).reshape([rows, columns])
    }

    /// A shortest way for a disc from one point to another: its turning points, in metres.
    fn _route<'py>(
        &self,
        py: Python<'py>,
        ends: PyReadonlyArray2<'py, f64>,
        radius: f32,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let ends = points(&ends)?;
        let [from, to] = ends[..] else {
            return Err(PyValueError::new_err("a way has two ends"));
        };
        let way = self.look(py, |crowd| {
            let setting = crowd.setting();
            let local = |point| setting.ground.to_local(point);
            let way = setting.router.route(local(from), local(to), radius)?;
            Ok::<_, crowdloom_world::NoWay>(arrays::in_map(crowd, way.way_points.into_iter()))
        })?;
        let way = way.map_err(|why| PyValueError::new_err(why.to_string()))?;
        let count = way.len() / 2;
        PyArray1::from_vec(py, way).reshape([count, 2])
    }

    /// Names of the situations that somebody is in.
    fn situations_of(&self, py: Python<'_>, id: u32) -> PyResult<Vec<String>> {
        let found = self.look(py, |crowd| {
            let visits = &crowd.mind(crowd.index_of(id)?).visits;
            let name = |situation: usize| crowd.shared().situations[situation].name.clone();
            Some(visits.iter().map(|visit| name(visit.situation.index())).collect())
        })?;
        found.ok_or_else(|| PyKeyError::new_err(format!("there is no person {id}")))
    }

    /// The scene from above, as a PNG.
    #[pyo3(signature = (pixels = None))]
    fn picture<'py>(&self, py: Python<'py>, pixels: Option<u32>) -> PyResult<Bound<'py, PyBytes>> {
        if pixels.is_some_and(|pixels| !(50..=8000).contains(&pixels)) {
            return Err(PyValueError::new_err("a picture has 50 to 8000 pixels"));
        }
        let png = self.look(py, |crowd| {
            let mut plot = CrowdPlot::new(pixels, 1);
            plot.note(crowd);
            plot.png(crowd)
        })?;
        Ok(PyBytes::new(py, &png))
    }

    /// Runs on for some seconds and writes what happens into a folder.
    #[pyo3(signature = (folder, seconds, *, stride, page, report, save_every, show))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of one Python method")]
    fn _record(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        seconds: f32,
        stride: u32,
        page: bool,
        report: bool,
        save_every: u32,
        show: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let recorded = Recorded { folder, seconds, stride, page, report, save_every };
        record_guarded(py, &self.inner, &recorded, show.as_ref(), &self.trouble)
    }
}
