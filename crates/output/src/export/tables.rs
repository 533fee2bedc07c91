//! Trajectories as text: PedPy's plain format, and comma-separated values.

use super::{Draft, ExportError, Selection};
use crate::run::Run;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Plain text, `id frame x y z` in metres, as PedPy reads it.
pub fn write_text(run: &Run, selection: &Selection, path: &Path) -> Result<(), ExportError> {
    let header = run.header();
    let head = format!(
        "# crowdloom {}: {}\n# framerate: {}\n# geometry: {}\n# id frame x/m y/m z/m\n",
        header.program,
        header.name.replace('\n', " "),
        header.frame_rate / header.stride as f32,
        header.ground.to_wkt()
    );
    let [east, north] = header.ground.origin;
    write_rows(run, selection, path, &head, |out, frame, id, sample| {
        let (x, y) = (f64::from(sample.x) / 1000.0 + east, f64::from(sample.y) / 1000.0 + north);
        writeln!(out, "{id}\t{frame}\t{x:.3}\t{y:.3}\t0.000")
    })
}

/// Comma-separated values with names in the first line.
pub fn write_csv(run: &Run, selection: &Selection, path: &Path) -> Result<(), ExportError> {
    let header = run.header();
    let head = "id,frame,time,x,y,heading,speed,clip,clip_frame,style,state\n";
    let [east, north] = header.ground.origin;
    let quoted = |name: &str| match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    };
    let clips: Vec<String> = header.clips.iter().map(|clip| quoted(&clip.name)).collect();
    let styles: Vec<String> = header.styles.iter().map(|name| quoted(name)).collect();
    let states: Vec<String> = header.states.iter().map(|name| quoted(name)).collect();
    let named = |names: &[String], index: usize| names.get(index).cloned().unwrap_or_default();
    let step = f64::from(header.record_time());
    write_rows(run, selection, path, head, |out, frame, id, sample| {
        writeln!(
            out,
            "{id},{frame},{:.3},{:.3},{:.3},{:.4},{:.3},{},{:.2},{},{}",
            f64::from(frame) * step,
            f64::from(sample.x) / 1000.0 + east,
            f64::from(sample.y) / 1000.0 + north,
            sample.placement().heading,
            sample.metres_a_second(),
            named(&clips, sample.clip.into()),
            sample.clip_frame(),
            named(&styles, sample.style.into()),
            named(&states, sample.state.into()),
        )
    })
}

fn write_rows(
    run: &Run,
    selection: &Selection,
    path: &Path,
    head: &str,
    mut row: impl FnMut(&mut BufWriter<File>, u32, u32, &crate::run::Sample) -> std::io::Result<()>,
) -> Result<(), ExportError> {
    let draft = Draft::new(path)?;
    let mut out = BufWriter::new(File::create(draft.partial()).map_err(|error| draft.fail(error))?);
    out.write_all(head.as_bytes()).map_err(|error| draft.fail(error))?;
    let mut rows = 0u64;
    selection.rows(run, |frame, id, sample| {
        rows += 1;
        row(&mut out, frame, id, sample).map_err(|error| ExportError::Write(draft.fail(error)))
    })?;
    if rows == 0 {
        return Err(ExportError::Nobody);
    }
    out.into_inner()
        .map_err(|error| draft.fail(error.into_error()))?
        .sync_all()
        .map_err(|error| draft.fail(error))?;
    Ok(draft.finish()?)
}
