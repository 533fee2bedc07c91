//! Trajectories as Apache Parquet: the columns of the comma-separated form, typed and compressed.

use super::{Draft, ExportError, Selection};
use crate::run::{Header, Run, Sample};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Rows that are held before they are written.
const ROWS_A_GROUP: usize = 1 << 18;

const COLUMNS: [(&str, Physical); 11] = [
    ("id", Physical::INT32),
    ("frame", Physical::INT32),
    ("time", Physical::DOUBLE),
    ("x", Physical::DOUBLE),
    ("y", Physical::DOUBLE),
    ("heading", Physical::FLOAT),
    ("speed", Physical::FLOAT),
    ("clip", Physical::BYTE_ARRAY),
    ("clip_frame", Physical::FLOAT),
    ("style", Physical::BYTE_ARRAY),
    ("state", Physical::BYTE_ARRAY),
];

/// Apache Parquet with one row an agent and recorded frame; scene, frame rate, seed and floor plan are in the file's
/// key-value metadata.
pub fn write_parquet(run: &Run, selection: &Selection, path: &Path) -> Result<(), ExportError> {
    let draft = Draft::new(path)?;
    let failed = |error: ParquetError| ExportError::Write(draft.fail(std::io::Error::other(error)));
    let file = File::create(draft.partial()).map_err(|error| draft.fail(error))?;
    let header = run.header();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(format!("crowdloom {}", header.program))
        .set_key_value_metadata(Some(metadata(header)))
        .build();
    let schema = schema().map_err(failed)?;
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).map_err(failed)?;
    let names = Names::of(header);
    let mut rows: Vec<(u32, u32, Sample)> = Vec::with_capacity(ROWS_A_GROUP);
    let mut any = false;
    selection.rows(run, |frame, id, sample| {
        any = true;
        rows.push((frame, id, *sample));
        if rows.len() == ROWS_A_GROUP {
            write_group(&mut writer, header, &names, &rows).map_err(failed)?;
            rows.clear();
        }
        Ok::<_, ExportError>(())
    })?;
    if !any {
        return Err(ExportError::Nobody);
    }
    if !rows.is_empty() {
        write_group(&mut writer, header, &names, &rows).map_err(failed)?;
    }
    let file = writer.into_inner().map_err(failed)?;
    file.sync_all().map_err(|error| draft.fail(error))?;
    Ok(draft.finish()?)
}

fn schema() -> Result<Arc<Type>, ParquetError> {
    let field = |(name, physical): (&str, Physical)| {
        let text = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        Ok(Arc::new(column.with_logical_type(text).build()?))
    };
    let fields = COLUMNS.into_iter().map(field).collect::<Result<_, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("trajectories").with_fields(fields).build()?))
}

fn metadata(header: &Header) -> Vec<KeyValue> {
    let pair = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    vec![
        pair("scene", header.name.clone()),
        pair("seed", header.seed.to_string()),
        pair("frame_rate", (header.frame_rate / header.stride as f32).to_string()),
        pair("geometry", header.ground.to_wkt()),
    ]
}

/// What the numbers of clips, styles and states mean.
struct Names {
    clips: Vec<ByteArray>,
    styles: Vec<ByteArray>,
    states: Vec<ByteArray>,
}

impl Names {
    fn of(header: &Header) -> Self {
        let bytes = |name: &String| ByteArray::from(name.as_str());
        Self {
            clips: header.clips.iter().map(|clip| bytes(&clip.name)).collect(),
            styles: header.styles.iter().map(bytes).collect(),
            states: header.states.iter().map(bytes).collect(),
        }
    }
}

fn write_group(
    writer: &mut SerializedFileWriter<File>,
    header: &Header,
    names: &Names,
    rows: &[(u32, u32, Sample)],
) -> Result<(), ParquetError> {
    let [east, north] = header.ground.origin;
    let step = f64::from(header.record_time());
    let named = |names: &[ByteArray], index: usize| names.get(index).cloned().unwrap_or_else(|| "".into());
    let mut group = writer.next_row_group()?;
    // In the order of `COLUMNS`.
    write_column::<Int32Type>(&mut group, rows, |_, id, _| id as i32)?;
    write_column::<Int32Type>(&mut group, rows, |frame, _, _| frame as i32)?;
    write_column::<DoubleType>(&mut group, rows, |frame, _, _| f64::from(frame) * step)?;
    write_column::<DoubleType>(&mut group, rows, |_, _, sample| f64::from(sample.x) / 1000.0 + east)?;
    write_column::<DoubleType>(&mut group, rows, |_, _, sample| f64::from(sample.y) / 1000.0 + north)?;
    write_column::<FloatType>(&mut group, rows, |_, _, sample| sample.placement().heading)?;
    write_column::<FloatType>(&mut group, rows, |_, _, sample| sample.metres_a_second())?;
    write_column::<ByteArrayType>(&mut group, rows, |_, _, sample| named(&names.clips, sample.clip.into()))?;
    write_column::<FloatType>(&mut group, rows, |_, _, sample| sample.clip_frame())?;
    write_column::<ByteArrayType>(&mut group, rows, |_, _, sample| {
        named(&names.styles, sample.style.into())
    })?;
    write_column::<ByteArrayType>(&mut group, rows, |_, _, sample| {
        named(&names.states, sample.state.into())
    })?;
    group.close()?;
    Ok(())
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    rows: &[(u32, u32, Sample)],
    value: impl Fn(u32, u32, &Sample) -> T::T,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = rows.iter().map(|(frame, id, sample)| value(*frame, *id, sample)).collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("more columns than the schema names".into()));
    };
    column.typed::<T>().write_batch(&values, None, None)?;
    column.close()
}
