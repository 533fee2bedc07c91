//! JuPedSim's SQLite, version 2, which PedPy and JuPedSim's viewers read.

use super::{Draft, ExportError, Selection};
use crate::run::Run;
use rusqlite::{Connection, params};
use std::path::Path;

/// Writes the trajectories as JuPedSim's own writer does.
pub fn write_jupedsim(run: &Run, selection: &Selection, path: &Path) -> Result<(), ExportError> {
    let draft = Draft::new(path)?;
    let failed = |error: rusqlite::Error| ExportError::Write(draft.fail(std::io::Error::other(error)));
    let mut database = Connection::open(draft.partial()).map_err(failed)?;
    let header = run.header();
    let fill = |database: &mut Connection| -> Result<u64, ExportError> {
        // The file has its final name only once it is whole: no journal is needed.
        database.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;").map_err(failed)?;
        let transaction = database.transaction().map_err(failed)?;
        transaction
            .execute_batch(
                "CREATE TABLE trajectory_data (
                     frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL,
                     ori_x REAL NOT NULL, ori_y REAL NOT NULL);
                 CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
                 CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
                 CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);",
            )
            .map_err(failed)?;
        let wkt = header.ground.to_wkt();
        let hash = i64::from(crc32fast::hash(wkt.as_bytes()));
        let mut rows = 0u64;
        let mut bounds = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        {
            let mut row = transaction
                .prepare("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)")
                .map_err(failed)?;
            let mut frame_row =
                transaction.prepare("INSERT INTO frame_data VALUES (?, ?)").map_err(failed)?;
            let mut last = None;
            selection.rows(run, |frame, id, sample| {
                let facing = sample.placement().facing();
                let x = f64::from(sample.x) / 1000.0 + header.ground.origin[0];
                let y = f64::from(sample.y) / 1000.0 + header.ground.origin[1];
                bounds = [bounds[0].min(x), bounds[1].max(x), bounds[2].min(y), bounds[3].max(y)];
                rows += 1;
                if last.replace(frame) != Some(frame) {
                    frame_row.execute(params![frame, hash]).map_err(failed)?;
                }
                row.execute(params![frame, id, x, y, facing.x, facing.y]).map(|_| ()).map_err(failed)
            })?;
        }
        let mut metadata = vec![
            ("version", "2".to_owned()),
            ("fps", format!("{}", header.frame_rate / header.stride as f32)),
        ];
        metadata
            .extend(["xmin", "xmax", "ymin", "ymax"].into_iter().zip(bounds.map(|value| value.to_string())));
        for (key, value) in metadata {
            transaction.execute("INSERT INTO metadata VALUES (?, ?)", params![key, value]).map_err(failed)?;
        }
        transaction.execute("INSERT INTO geometry VALUES (?, ?)", params![hash, wkt]).map_err(failed)?;
        transaction
            .execute_batch(
                "CREATE INDEX frame_id_idx ON trajectory_data (frame, id);
                 CREATE UNIQUE INDEX geometry_hash ON geometry (hash);",
            )
            .map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(rows)
    };
    let rows = fill(&mut database)?;
    database.close().map_err(|(_, error)| failed(error))?;
    if rows == 0 {
        return Err(ExportError::Nobody);
    }
    Ok(draft.finish()?)
}
