//! Rows sorted into ways without gaps.

use crate::{Row, Trajectory, wrap};

/// Gaps up to this many seconds are bridged straight; beyond, somebody has gone and come back.
const BRIDGED: f32 = 1.0;
/// Faster than this, in metres a second, nobody runs: the number was given to somebody else.
const FASTEST: f32 = 13.0;

/// Makes trajectories of rows in any order; of two rows of one person and frame the first counts.
pub(crate) fn pieces(mut rows: Vec<Row>, frame_rate: f32) -> Vec<Trajectory> {
    rows.sort_by_key(|row| (row.id, row.frame));
    rows.dedup_by_key(|row| (row.id, row.frame));
    let tells_headings = rows.iter().all(|row| row.heading.is_some());
    let mut people: Vec<Trajectory> = Vec::new();
    let mut before: Option<Row> = None;
    for row in rows {
        let heading = row.heading.unwrap_or(0.0);
        let goes_on = before.filter(|last| {
            let seconds = (row.frame - last.frame.min(row.frame)) as f32 / frame_rate;
            let far = last.position.distance(row.position);
            // A centimetre or two may be what measuring is off by.
            last.id == row.id && seconds <= BRIDGED && far <= FASTEST * seconds + 0.3
        });
        match (goes_on, people.last_mut()) {
            (Some(last), Some(person)) => {
                let gap = row.frame - last.frame;
                for step in 1..=gap {
                    let t = step as f32 / gap as f32;
                    person.positions.push(last.position.lerp(row.position, t));
                    if tells_headings {
                        let from = last.heading.unwrap_or(heading);
                        person.headings.push(from + wrap(heading - from) * t);
                    }
                }
            }
            _ => people.push(Trajectory {
                id: row.id,
                first_frame: row.frame,
                positions: vec![row.position],
                headings: if tells_headings { vec![heading] } else { Vec::new() },
            }),
        }
        before = Some(row);
    }
    people
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    fn row(id: u32, frame: u32, x: f32) -> Row {
        Row { id, frame, position: Vec2::new(x, 0.0), heading: None }
    }

    #[test]
    fn short_gaps_are_bridged_and_numbers_used_again_are_told_apart() {
        let people = pieces(
            vec![row(1, 4, 0.4), row(1, 0, 0.0), row(1, 5, 30.0), row(1, 90, 31.0), row(2, 3, 0.0)],
            25.0,
        );
        let found: Vec<_> = people.iter().map(|p| (p.id, p.first_frame, p.positions.len())).collect();
        assert_eq!(found, [(1, 0, 5), (1, 5, 1), (1, 90, 1), (2, 3, 1)]);
        assert!((people[0].positions[2].x - 0.2).abs() < 1e-6);
    }
}
