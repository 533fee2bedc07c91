//! JuPedSim's SQLite, versions 1 and 2.

use crate::pieces::pieces;
use crate::{ReadOptions, Row, Trajectories};
use glam::Vec2;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

pub(crate) fn read(path: &Path, options: &ReadOptions) -> Result<Trajectories, String> {
    let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|error| error.to_string())?;
    read_from(&database, options).map_err(|error| format!("is no SQLite of JuPedSim: {error}"))
}

fn read_from(database: &Connection, options: &ReadOptions) -> Result<Trajectories, rusqlite::Error> {
    let told: String =
        database.query_row("SELECT value FROM metadata WHERE key = 'fps'", [], |row| row.get(0))?;
    let mut assumed = Vec::new();
    let told = told.parse::<f32>().ok().filter(|rate| rate.is_finite() && *rate > 0.0);
    let frame_rate = options.frame_rate.or(told).unwrap_or_else(|| {
        assumed.push("30 frames a second: the file does not tell".into());
        30.0
    });
    let unit = f64::from(options.unit.unwrap_or(1.0));
    let floor = database.query_row("SELECT wkt FROM geometry", [], |row| row.get::<_, String>(0)).ok();
    let mut query = database.prepare("SELECT id, frame, pos_x, pos_y, ori_x, ori_y FROM trajectory_data")?;
    let rows = query.query_map([], |row| {
        let (x, y): (f64, f64) = (row.get(2)?, row.get(3)?);
        let (facing_x, facing_y): (f64, f64) = (row.get(4)?, row.get(5)?);
        Ok(Row {
            id: row.get(0)?,
            frame: row.get(1)?,
            position: Vec2::new((x * unit) as f32, (y * unit) as f32),
            heading: Some(facing_y.atan2(facing_x) as f32),
        })
    })?;
    let rows = rows.collect::<Result<Vec<Row>, _>>()?;
    Ok(Trajectories { frame_rate, people: pieces(rows, frame_rate), floor, assumed })
}
