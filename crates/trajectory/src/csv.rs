//! Comma-separated values with names in the first line; `id`, `frame`, `x` and `y` are needed.

use crate::pieces::pieces;
use crate::{ReadOptions, Row, Trajectories};
use glam::Vec2;

/// The frame rate that is assumed where the file tells neither rate nor times.
const USUAL_RATE: f32 = 30.0;

pub(crate) fn read(text: &str, options: &ReadOptions) -> Result<Trajectories, String> {
    let mut lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let (_, head) = lines.next().ok_or("holds no trajectories")?;
    let names: Vec<String> = fields(head).iter().map(|name| name.trim().to_lowercase()).collect();
    let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    let need = |known: &[&str]| find(known).ok_or_else(|| format!("has no column `{}`", known[0]));
    let id_at = need(&["id", "persid", "person", "pedestrianid", "agent"])?;
    let frame_at = need(&["frame", "fr"])?;
    let (x_at, y_at) = (need(&["x", "x/m", "pos_x"])?, need(&["y", "y/m", "pos_y"])?);
    let (heading_at, time_at) = (find(&["heading"]), find(&["time", "time/s", "t"]));
    let unit = options.unit.unwrap_or(1.0);
    let mut rows = Vec::new();
    let mut first_time: Option<(f64, f64)> = None;
    let mut last_time: Option<(f64, f64)> = None;
    for (number, line) in lines {
        let row = fields(line);
        let value = |at: usize| {
            let field = row.get(at).map_or("", |field| field.trim());
            let value = field.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| format!("line {}: `{field}` is no {}", number + 1, names[at]))
        };
        let (id, frame) = (value(id_at)?, value(frame_at)?);
        if !(0.0..4e9).contains(&id) || !(0.0..4e9).contains(&frame) {
            return Err(format!("line {}: people and frames are counted from 0", number + 1));
        }
        if let Some(time) = time_at.map(value).transpose()? {
            first_time =
                Some(first_time.map_or((frame, time), |old| if frame < old.0 { (frame, time) } else { old }));
            last_time =
                Some(last_time.map_or((frame, time), |old| if frame > old.0 { (frame, time) } else { old }));
        }
        let position =
            Vec2::new((value(x_at)? * f64::from(unit)) as f32, (value(y_at)? * f64::from(unit)) as f32);
        let heading = heading_at.map(value).transpose()?.map(|angle| angle as f32);
        rows.push(Row { id: id as u32, frame: frame as u32, position, heading });
    }
    let by_time = first_time.zip(last_time).filter(|(first, last)| last.0 > first.0 && last.1 > first.1);
    let by_time = by_time.map(|(first, last)| ((last.0 - first.0) / (last.1 - first.1)) as f32);
    let mut assumed = Vec::new();
    let frame_rate = options.frame_rate.or(by_time).unwrap_or_else(|| {
        assumed.push("30 frames a second: the file does not tell".into());
        USUAL_RATE
    });
    // Times are rounded: 29.998 is 30.
    let near = frame_rate.round();
    let frame_rate = if (frame_rate - near).abs() < 0.01 * near { near } else { frame_rate };
    if !(frame_rate.is_finite() && frame_rate > 0.0) {
        return Err("the frame rate must be above 0".into());
    }
    Ok(Trajectories { frame_rate, people: pieces(rows, frame_rate), floor: None, assumed })
}

/// The fields of a line; commas between double quotes part nothing.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("there is always one").push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_columns() {
        let text = "id,frame,time,x,y,heading,clip\n7,0,0.000,1.5,2.0,0.5,\"a, b\"\n7,1,0.067,1.6,2.0,0.5,walk\n7,15,1.000,1.7,2,0.5,walk\n";
        let whole = read(text, &ReadOptions::default()).unwrap();
        assert_eq!((whole.frame_rate, whole.people.len()), (15.0, 1));
        assert_eq!(whole.people[0].headings[0], 0.5);
        assert!(read("id,frame,x\n1,2,3\n", &ReadOptions::default()).unwrap_err().contains('y'));
    }
}
