//! Clips and motion graphs as Python sees them.

use crate::arrays::matrices;
use crate::errors::motion_error;
use crowdloom_motion::container::{Kind, kind_of};
use crowdloom_motion::draft::write_whole;
use crowdloom_motion::graph::{BuildOptions, MotionGraph, build_graph};
use crowdloom_motion::import::{Axis, Capture, ImportOptions, OptionSource, Preset, import_files, write_bvh};
use crowdloom_motion::quality::contact_speed;
use crowdloom_motion::{Clip, FRAME_RATE, Library, Placement, builtin};
use glam::DVec3;
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;

/// What became of a file: its seconds, or why it was refused, and what is worth knowing of it.
type Outcome = (PathBuf, Option<f32>, Option<String>, Vec<String>);

/// Clips on one skeleton.
#[pyclass(frozen, module = "crowdloom._core")]
pub struct Motions {
    library: Library,
}

impl Motions {
    fn clip(&self, name: &str) -> PyResult<&Clip> {
        self.library.clip(name).ok_or_else(|| PyKeyError::new_err(format!("there is no clip `{name}`")))
    }
}

#[pymethods]
impl Motions {
    /// The clips that come with Crowdloom, without a file; else those of a file of clips or of a motion graph.
    #[new]
    #[pyo3(signature = (file = None))]
    fn new(py: Python<'_>, file: Option<PathBuf>) -> PyResult<Self> {
        let library = py.detach(|| match file {
            None => Ok(builtin::library()),
            Some(file) if kind_of(&file) == Some(Kind::Graph) => {
                MotionGraph::load(&file).map(|graph| graph.to_library())
            }
            Some(file) => Library::load(&file),
        });
        Ok(Self { library: library.map_err(|error| motion_error(py, &error))? })
    }

    /// Reads BVH and AMC files; returns the clips, if any, and what became of each file.
    #[staticmethod]
    #[pyo3(signature = (files, *, cmu, metres_per_unit, z_up, frame_rate, drop_first_frame, clean_feet))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of one Python method")]
    fn _import(
        py: Python<'_>,
        files: Vec<PathBuf>,
        cmu: bool,
        metres_per_unit: Option<f64>,
        z_up: bool,
        frame_rate: Option<f64>,
        drop_first_frame: bool,
        clean_feet: bool,
    ) -> (Option<Self>, Vec<Outcome>) {
        let up = if z_up { Axis::Z } else { Axis::Y };
        let options = ImportOptions { metres_per_unit, up, frame_rate, drop_first_frame, clean_feet };
        let source = if cmu { OptionSource::Preset(Preset::Cmu) } else { OptionSource::Fixed(options) };
        let (library, summary) = py.detach(|| import_files(&files, &source, || {}));
        let outcomes = summary.files.into_iter().map(|own| match own.result {
            Ok(seconds) => (own.file, Some(seconds), None, own.notes),
            Err(problem) => (own.file, None, Some(problem), own.notes),
        });
        (library.map(|library| Self { library }), outcomes.collect())
    }

    /// Writes the clips into a file.
    fn save(&self, py: Python<'_>, file: PathBuf) -> PyResult<()> {
        self.library.save(&file).map_err(|error| motion_error(py, &error))
    }

    /// The names of all clips.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.library.clips.iter().map(|clip| clip.name.as_str()).collect()
    }

    /// Names of the joints, in the order of poses.
    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.library.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// The index of each joint's parent; -1 of the root.
    #[getter]
    fn joint_parents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let parents = self.library.skeleton.joints().iter();
        PyArray1::from_iter(py, parents.map(|joint| joint.parent.map_or(-1, i32::from)))
    }

    /// The seconds and the labels of a clip.
    fn _about(&self, name: &str) -> PyResult<(f32, Vec<String>)> {
        let clip = self.clip(name)?;
        Ok((clip.seconds(), clip.labels.clone()))
    }

    /// Where the joints are at moments of a clip, in seconds from its beginning: a matrix of 4 × 4 for each.
    fn _poses<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        seconds: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray4<f64>>> {
        let clip = self.clip(name)?;
        let skeleton = &self.library.skeleton;
        let mut numbers = Vec::new();
        for seconds in seconds.as_array() {
            if !(0.0..=f64::from(clip.seconds()) + 1e-4).contains(seconds) {
                let what =
                    format!("clip `{name}` lasts from 0 to {} s: there is no {seconds}", clip.seconds());
                return Err(PyValueError::new_err(what));
            }
            let moment = *seconds as f32 * FRAME_RATE;
            let joints = clip.sample(moment).joints(skeleton, clip.placement_at(moment));
            matrices(&joints, DVec3::ZERO, &mut numbers);
        }
        PyArray1::from_vec(py, numbers).reshape([seconds.as_array().len(), skeleton.len(), 4, 4])
    }

    /// Where the body is on the ground in each frame of a clip: x and y in metres, and the heading in radians.
    fn _track<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let clip = self.clip(name)?;
        let row = |place: &Placement| [place.position.x, place.position.y, place.heading].map(f64::from);
        PyArray1::from_vec(py, clip.track.iter().flat_map(row).collect()).reshape([clip.frames(), 3])
    }

    /// Which parts of the feet touch the ground in each frame of a clip: left heel, left toe, right heel, right toe.
    fn _contacts<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray2<bool>>> {
        use crowdloom_motion::Contacts;
        let clip = self.clip(name)?;
        let parts = [Contacts::LEFT_HEEL, Contacts::LEFT_TOE, Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE];
        let touched = clip.contacts.iter().flat_map(|own| parts.map(|part| own.touches(part)));
        PyArray1::from_vec(py, touched.collect()).reshape([clip.frames(), 4])
    }

    /// The mean speed of feet in contact, in metres a second; none where no foot is ever.
    fn _foot_skate(&self, name: &str) -> PyResult<Option<f32>> {
        Ok(contact_speed(&self.library.skeleton, self.clip(name)?))
    }

    /// Writes a clip as BVH.
    fn _write_bvh(&self, name: &str, file: PathBuf) -> PyResult<()> {
        let capture = Capture::from_clip(&self.library.skeleton, self.clip(name)?, Placement::IDENTITY);
        Ok(write_whole(&file, write_bvh(&capture).as_bytes())?)
    }
}

/// A motion graph.
#[pyclass(frozen, module = "crowdloom._core")]
pub struct Graph {
    graph: MotionGraph,
    report: Option<String>,
}

#[pymethods]
impl Graph {
    /// The graph of a file.
    #[new]
    fn new(py: Python<'_>, file: PathBuf) -> PyResult<Self> {
        let graph = py.detach(|| MotionGraph::load(&file)).map_err(|error| motion_error(py, &error))?;
        Ok(Self { graph, report: None })
    }

    /// Builds the graph of some clips.
    #[staticmethod]
    #[pyo3(signature = (motions, *, threshold, bridge_threshold, least_seconds, most_nodes, mirror))]
    fn _build(
        py: Python<'_>,
        motions: &Motions,
        threshold: f32,
        bridge_threshold: f32,
        least_seconds: f32,
        most_nodes: usize,
        mirror: bool,
    ) -> PyResult<Self> {
        let options = BuildOptions {
            threshold,
            bridge_threshold,
            least_seconds,
            most_nodes,
            mirror,
            ..BuildOptions::default()
        };
        let built = py.detach(|| build_graph(&motions.library, &options));
        let (graph, report) = built.map_err(|error| motion_error(py, &error))?;
        let report = serde_json::to_string(&report).map_err(|error| motion_error(py, &error))?;
        Ok(Self { graph, report: Some(report) })
    }

    /// Writes the graph into a file, for `[motion] graph` of scenes.
    fn save(&self, py: Python<'_>, file: PathBuf) -> PyResult<()> {
        self.graph.save(&file).map_err(|error| motion_error(py, &error))
    }

    #[getter]
    fn _report(&self) -> Option<&str> {
        self.report.as_deref()
    }

    /// The names of the nodes.
    #[getter]
    fn nodes(&self) -> Vec<&str> {
        self.graph.nodes().iter().map(|node| node.name.as_str()).collect()
    }

    /// All actions: the clip's name, the nodes that it leads from and to, and its seconds.
    #[getter]
    fn actions(&self) -> Vec<(&str, &str, &str, f32)> {
        let name = |node| self.graph.node(node).name.as_str();
        let action = |own: &'_ crowdloom_motion::graph::Action| (own.from, own.to);
        let ends = self.graph.actions().iter().map(action);
        let clips = self.graph.actions().iter().map(|own| &own.clip);
        clips
            .zip(ends)
            .map(|(clip, (from, to))| (clip.name.as_str(), name(from), name(to), clip.seconds()))
            .collect()
    }

    /// The clips of the graph's actions.
    fn motions(&self) -> Motions {
        Motions { library: self.graph.to_library() }
    }
}
