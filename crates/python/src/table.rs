//! Trajectories of a run as a table: columns for NumPy, a stream of batches for whoever speaks Arrow.

use crate::errors::run_error;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{UInt8Type, UInt16Type};
use arrow_array::{
    ArrayRef, DictionaryArray, Float32Array, Float64Array, PrimitiveArray, RecordBatch, RecordBatchReader,
    StringArray, UInt32Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use crowdloom_output::export::Selection;
use crowdloom_output::run::{Chunk, ReadError, Run};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::sync::Arc;

/// Rows of a table, column by column.
#[derive(Default)]
struct Columns {
    id: Vec<u32>,
    frame: Vec<u32>,
    time: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    heading: Vec<f32>,
    speed: Vec<f32>,
    clip: Vec<u16>,
    style: Vec<u8>,
    state: Vec<u8>,
}

impl Columns {
    /// Adds what is wanted of a chunk.
    fn take(&mut self, run: &Run, selection: &Selection, chunk: Chunk) {
        let header = run.header();
        let [east, north] = header.ground.origin;
        let step = f64::from(header.stride) / f64::from(header.frame_rate);
        selection.rows_of(run, chunk, |frame, id, sample| {
            self.id.push(id);
            self.frame.push(frame);
            self.time.push(f64::from(frame) * step);
            self.x.push(f64::from(sample.x) / 1000.0 + east);
            self.y.push(f64::from(sample.y) / 1000.0 + north);
            self.heading.push(sample.placement().heading);
            self.speed.push(sample.metres_a_second());
            self.clip.push(sample.clip);
            self.style.push(sample.style);
            self.state.push(sample.state);
        });
    }
}

/// Where everybody was in each recorded frame.
#[pyclass(frozen, module = "crowdloom._core")]
pub struct Trajectories {
    run: Arc<Run>,
    selection: Selection,
}

impl Trajectories {
    /// Those of a run.
    pub fn new(run: Arc<Run>, selection: Selection) -> Self {
        Self { run, selection }
    }
}

#[pymethods]
impl Trajectories {
    /// All columns as NumPy arrays; clips, styles and states are indices into `names`.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let read = py.detach(|| {
            let mut columns = Columns::default();
            for chunk in self.run.chunks_of(self.selection.frames(&self.run)) {
                columns.take(&self.run, &self.selection, chunk?);
            }
            Ok::<_, ReadError>(columns)
        });
        let columns = read.map_err(|error| run_error(py, &error))?;
        let table = PyDict::new(py);
        table.set_item("id", PyArray1::from_vec(py, columns.id))?;
        table.set_item("frame", PyArray1::from_vec(py, columns.frame))?;
        table.set_item("time", PyArray1::from_vec(py, columns.time))?;
        table.set_item("x", PyArray1::from_vec(py, columns.x))?;
        table.set_item("y", PyArray1::from_vec(py, columns.y))?;
        table.set_item("heading", PyArray1::from_vec(py, columns.heading))?;
        table.set_item("speed", PyArray1::from_vec(py, columns.speed))?;
        table.set_item("clip", PyArray1::from_vec(py, columns.clip))?;
        table.set_item("style", PyArray1::from_vec(py, columns.style))?;
        table.set_item("state", PyArray1::from_vec(py, columns.state))?;
        Ok(table)
    }

    /// What the numbers of clips, styles and states mean.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let header = self.run.header();
        let clips: Vec<&str> = header.clips.iter().map(|clip| clip.name.as_str()).collect();
        let names = PyDict::new(py);
        names.set_item("clip", clips)?;
        names.set_item("style", &header.styles)?;
        names.set_item("state", &header.states)?;
        Ok(names)
    }

    /// The table as a stream of record batches, a few seconds each (Arrow's PyCapsule interface).
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets us hand out our own schema whatever was asked for.
        let _ = requested_schema;
        let batches = Batches::new(self.run.clone(), self.selection.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// The chunks of a run as record batches, each read when it is asked for.
struct Batches {
    run: Arc<Run>,
    selection: Selection,
    schema: SchemaRef,
    clips: ArrayRef,
    styles: ArrayRef,
    states: ArrayRef,
    next: usize,
    end: usize,
}

impl Batches {
    fn new(run: Arc<Run>, selection: Selection) -> Self {
        let words = |keys: DataType| DataType::Dictionary(Box::new(keys), Box::new(DataType::Utf8));
        let fields = [
            ("id", DataType::UInt32),
            ("frame", DataType::UInt32),
            ("time", DataType::Float64),
            ("x", DataType::Float64),
            ("y", DataType::Float64),
            ("heading", DataType::Float32),
            ("speed", DataType::Float32),
            ("clip", words(DataType::UInt16)),
            ("style", words(DataType::UInt8)),
            ("state", words(DataType::UInt8)),
        ];
        let fields: Vec<Field> = fields.map(|(name, kind)| Field::new(name, kind, false)).into();
        let header = run.header();
        let clips = header.clips.iter().map(|clip| Some(clip.name.as_str()));
        let clips: ArrayRef = Arc::new(clips.collect::<StringArray>());
        let named = |names: &[String]| -> ArrayRef {
            Arc::new(names.iter().map(|name| Some(name.as_str())).collect::<StringArray>())
        };
        let (styles, states) = (named(&header.styles), named(&header.states));
        let frames = selection.frames(&run);
        let next = run.chunk_of(frames.start).unwrap_or_default();
        let last = frames.end.checked_sub(1).and_then(|last| run.chunk_of(last));
        let end = if frames.is_empty() { next } else { last.map_or(run.chunk_count(), |last| last + 1) };
        Self { run, selection, schema: Arc::new(Schema::new(fields)), clips, styles, states, next, end }
    }

    fn batch(&self, chunk: usize) -> Result<RecordBatch, ArrowError> {
        let chunk = self.run.chunk(chunk).map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let mut columns = Columns::default();
        columns.take(&self.run, &self.selection, chunk);
        let clip = PrimitiveArray::<UInt16Type>::from(columns.clip);
        let style = PrimitiveArray::<UInt8Type>::from(columns.style);
        let state = PrimitiveArray::<UInt8Type>::from(columns.state);
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from(columns.id)),
            Arc::new(UInt32Array::from(columns.frame)),
            Arc::new(Float64Array::from(columns.time)),
            Arc::new(Float64Array::from(columns.x)),
            Arc::new(Float64Array::from(columns.y)),
            Arc::new(Float32Array::from(columns.heading)),
            Arc::new(Float32Array::from(columns.speed)),
            Arc::new(DictionaryArray::try_new(clip, self.clips.clone())?),
            Arc::new(DictionaryArray::try_new(style, self.styles.clone())?),
            Arc::new(DictionaryArray::try_new(state, self.states.clone())?),
        ];
        RecordBatch::try_new(self.schema.clone(), arrays)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let chunk = self.next;
        (chunk < self.end).then(|| {
            self.next += 1;
            self.batch(chunk)
        })
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
