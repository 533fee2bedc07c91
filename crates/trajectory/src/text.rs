//! Text: `id frame x y z`, columns parted by blanks, with a head of lines that begin with `#`.

use crate::pieces::pieces;
use crate::{ReadOptions, Row, Trajectories};
use glam::Vec2;

/// The frame rate of the HERMES experiments of 2009, whose files have no head.
const HERMES_RATE: f32 = 16.0;

pub(crate) fn read(text: &str, options: &ReadOptions) -> Result<Trajectories, String> {
    let mut assumed = Vec::new();
    let (mut told_rate, mut told_unit, mut floor) = (None, None, None);
    for line in text.lines().filter_map(|line| line.trim().strip_prefix('#')) {
        let lower = line.to_lowercase();
        if let Some(at) = lower.find("framerate") {
            told_rate = told_rate.or_else(|| first_number(&lower[at..]));
        }
        if let Some((_, rest)) = line.split_once("geometry:") {
            let rest = rest.trim();
            if rest.starts_with(|c: char| c.is_ascii_uppercase()) && rest.contains('(') {
                floor = Some(rest.to_owned());
            }
        }
        if lower.contains("x/cm") || lower.contains("x [cm]") || lower.contains("in cm") {
            told_unit = Some(0.01);
        } else if lower.contains("x/m") || lower.contains("x [m]") {
            told_unit = Some(1.0);
        }
    }
    let mut rows = Vec::new();
    let mut heights: Vec<f64> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut columns = line.split_ascii_whitespace();
        let mut next = |what: &str| {
            let column = columns.next().ok_or_else(|| format!("line {} has no {what}", number + 1))?;
            let value: f64 =
                column.parse().map_err(|_| format!("line {}: `{column}` is no {what}", number + 1))?;
            if value.is_finite() {
                Ok(value)
            } else {
                Err(format!("line {}: `{column}` is no {what}", number + 1))
            }
        };
        let (id, frame) = (next("number of a person")?, next("frame")?);
        let position = (next("x")?, next("y")?);
        if !(0.0..4e9).contains(&id) || !(0.0..4e9).contains(&frame) {
            return Err(format!("line {}: people and frames are counted from 0", number + 1));
        }
        if let Ok(height) = next("z") {
            heights.push(height.abs());
        }
        rows.push((id as u32, frame as u32, position));
    }
    heights.sort_by(f64::total_cmp);
    // Nobody's head is ten metres above the ground: the unit is a centimetre then.
    let tall = heights.get(heights.len() / 2).is_some_and(|height| *height > 10.0);
    let unit = options.unit.or(told_unit).unwrap_or_else(|| {
        if tall {
            assumed.push("positions are in centimetres: heads would be higher than 10 m else".into());
        }
        if tall { 0.01 } else { 1.0 }
    });
    let frame_rate = options.frame_rate.or(told_rate).unwrap_or_else(|| {
        assumed.push("16 frames a second, as the files of HERMES have that do not tell".into());
        HERMES_RATE
    });
    if !(frame_rate.is_finite() && frame_rate > 0.0 && unit.is_finite() && unit > 0.0) {
        return Err("frame rate and unit must be above 0".into());
    }
    let rows = rows.into_iter().map(|(id, frame, (x, y))| {
        let position = Vec2::new((x * f64::from(unit)) as f32, (y * f64::from(unit)) as f32);
        Row { id, frame, position, heading: None }
    });
    Ok(Trajectories { frame_rate, people: pieces(rows.collect(), frame_rate), floor, assumed })
}

/// The first number in a text.
fn first_number(text: &str) -> Option<f32> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let number = &text[start..];
    let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
    number[..end].trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_and_without_a_head() {
        let headless = "1 43 79.0 774.0 183.02\n1 44 79.1 764.6 183.02\n2 44 10 20 170\n";
        let whole = read(headless, &ReadOptions::default()).unwrap();
        assert_eq!((whole.frame_rate, whole.people.len(), whole.assumed.len()), (16.0, 2, 2));
        assert!((whole.people[0].positions[1] - Vec2::new(0.791, 7.646)).length() < 1e-5);
        let with = "# framerate: 25.00 fps\n# geometry: POLYGON ((0 0, 1 0, 1 1, 0 0))\n# id frame x/m y/m z/m\n1\t0\t2.1\t2.6\t1.76\n";
        let whole = read(with, &ReadOptions::default()).unwrap();
        assert_eq!((whole.frame_rate, whole.people[0].positions[0]), (25.0, Vec2::new(2.1, 2.6)));
        assert!(whole.floor.is_some() && whole.assumed.is_empty());
        assert!(read("1 2 three 4\n", &ReadOptions::default()).unwrap_err().contains("line 1"));
    }
}
