//! A recorded run as Python sees it.

use crate::errors::run_error;
use crate::table::Trajectories;
use crate::threads::pool;
use crowdloom_output::body::Detail;
use crowdloom_output::export::{self, Character, GlbForm, GlbOptions, Selection, UsdForm};
use crowdloom_output::measure::measure_run;
use crowdloom_output::run::Line;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

type Inner = crowdloom_output::run::Run;
type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// A recorded run.
#[pyclass(frozen, subclass, module = "crowdloom._core")]
pub struct Run {
    inner: Arc<Inner>,
}

impl Run {
    /// Works on the run on the pool's threads, without the interpreter's lock.
    fn work<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Inner) -> Result<R, AnyError> + Send,
    ) -> PyResult<R> {
        let pool = pool()?;
        let done = py.detach(|| pool.install(|| work(&self.inner)));
        done.map_err(|error| run_error(py, &*error))
    }
}

/// Which people and which time are meant; times are seconds from the start of the run.
fn selection(agents: Option<Vec<u32>>, from: Option<f32>, to: Option<f32>) -> PyResult<Selection> {
    for time in [from, to].into_iter().flatten() {
        if !(time.is_finite() && time >= 0.0) {
            let what = format!("{time} is not a time: give seconds from the start of the run");
            return Err(PyValueError::new_err(what));
        }
    }
    let agents = match agents {
        // An empty selection means everybody: nobody is a number that no one has.
        Some(ids) if ids.is_empty() => vec![(u32::MAX, u32::MAX)],
        ids => ids.unwrap_or_default().into_iter().map(|id| (id, id)).collect(),
    };
    Ok(Selection { agents, from, to })
}

#[pymethods]
impl Run {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| Inner::open(&folder));
        Ok(Self { inner: Arc::new(opened.map_err(|error| run_error(py, &error))?) })
    }

    /// The run file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.inner.path().to_owned()
    }

    /// The name of the scene.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.header().name
    }

    /// What everything random followed from.
    #[getter]
    fn seed(&self) -> u64 {
        self.inner.header().seed
    }

    /// The scene, in TOML.
    #[getter]
    fn scene_text(&self) -> &str {
        &self.inner.header().scene
    }

    /// Seconds that can be read.
    #[getter]
    fn seconds(&self) -> f64 {
        f64::from(self.inner.seconds())
    }

    /// Recorded frames in a second.
    #[getter]
    fn frame_rate(&self) -> f64 {
        let header = self.inner.header();
        f64::from(header.frame_rate) / f64::from(header.stride)
    }

    /// Whether it was written to its end; a run that was cut off can be read up to there.
    #[getter]
    fn is_whole(&self) -> bool {
        self.inner.end().is_some_and(|end| !end.interrupted)
    }

    /// The walkable ground as well-known text.
    #[getter]
    fn ground_wkt(&self) -> String {
        self.inner.header().ground.to_wkt()
    }

    /// What was changed while it ran: the frame and what.
    #[getter]
    fn edits(&self) -> Vec<(u32, String)> {
        let edits = self.inner.end().map(|end| &end.edits[..]).unwrap_or_default();
        edits.iter().map(|edit| (edit.frame, edit.what.clone())).collect()
    }

    /// Where everybody was in each recorded frame.
    #[pyo3(signature = (*, ids = None, start = None, end = None))]
    fn _trajectories(
        &self,
        ids: Option<Vec<u32>>,
        start: Option<f32>,
        end: Option<f32>,
    ) -> PyResult<Trajectories> {
        Ok(Trajectories::new(self.inner.clone(), selection(ids, start, end)?))
    }

    /// What people do in numbers, as JSON, and when each left, in seconds.
    fn _measure(
        &self,
        py: Python<'_>,
        lines: Vec<(String, [f32; 2], [f32; 2])>,
    ) -> PyResult<(String, Vec<f32>)> {
        let lines = lines.into_iter().map(|(name, from, to)| Line { name, from, to }).collect();
        self.work(py, |run| {
            let measures = measure_run(run, lines)?;
            Ok((serde_json::to_string(&measures)?, measures.egress.curve.clone()))
        })
    }

    /// Writes the replay page into a folder; returns its path.
    fn _write_page(&self, py: Python<'_>, folder: PathBuf) -> PyResult<PathBuf> {
        self.work(py, |run| Ok(crowdloom_replay::write_page(run, &folder)?))
    }

    /// Writes the run as other programs read it; returns the files.
    #[pyo3(signature = (path, format, *, ids, start, end, every, animations, detail, character))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of one Python method")]
    fn _export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: &str,
        ids: Option<Vec<u32>>,
        start: Option<f32>,
        end: Option<f32>,
        every: u32,
        animations: &str,
        detail: &str,
        character: Option<PathBuf>,
    ) -> PyResult<Vec<PathBuf>> {
        let selection = selection(ids, start, end)?;
        let detail = match detail {
            "near" => Detail::Near,
            "middle" => Detail::Middle,
            "far" => Detail::Far,
            other => {
                let what = format!("`{other}` is no detail: near, middle or far");
                return Err(PyValueError::new_err(what));
            }
        };
        let form = match animations {
            "together" => GlbForm::Together,
            "per person" => GlbForm::PerPerson,
            "per clip" => GlbForm::Compact,
            other => {
                let what = format!("`{other}` is no kind of animations: together, per person or per clip");
                return Err(PyValueError::new_err(what));
            }
        };
        if !(1..=100).contains(&every) {
            return Err(PyValueError::new_err(format!("every must be between 1 and 100, not {every}")));
        }
        self.work(py, |run| {
            match format {
                "jupedsim" => export::write_jupedsim(run, &selection, &path)?,
                "text" => export::write_text(run, &selection, &path)?,
                "csv" => export::write_csv(run, &selection, &path)?,
                "parquet" => export::write_parquet(run, &selection, &path)?,
                "glb" => {
                    let character = character.as_deref().map(Character::read).transpose()?;
                    let characters = character.into_iter().map(|character| (character, 1.0)).collect();
                    let options = GlbOptions { detail, every, form, characters, set: false };
                    export::write_glb(run, &selection, &options, &path)?;
                }
                "bvh" => return Ok(export::write_bvh_files(run, &selection, &path)?),
                "usda" => export::write_usd(run, &selection, every, UsdForm::Text, &path)?,
                "usdc" => export::write_usd(run, &selection, every, UsdForm::Binary, &path)?,
                other => return Err(format!("`{other}` is no format").into()),
            }
            Ok(vec![path.clone()])
        })
    }
}
