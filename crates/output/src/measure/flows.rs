//! Flow through lines, over the time in which they were in use.

use super::tracks::Tracks;
use glam::Vec2;
use serde::Serialize;

/// How many went through a line.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LineUse {
    /// The line's name.
    pub name: String,
    /// Length in metres.
    pub length_m: f32,
    /// Crossings from the right of the line, seen from its start to its end, to the left.
    pub to_left: u32,
    /// Crossings the other way.
    pub to_right: u32,
    /// When it was first crossed, in seconds from the start.
    pub first_s: Option<f32>,
    /// When it was last crossed, in seconds from the start.
    pub last_s: Option<f32>,
    /// Crossings a second, both ways, from the first to the last: one less than crossings by the time between.
    pub flow_per_s: Option<f32>,
    /// The same for each metre of the line.
    pub flow_per_m_s: Option<f32>,
    /// When it was crossed each time, in seconds, in order.
    #[serde(skip)]
    pub times: Vec<f32>,
}

pub(super) fn line_uses(tracks: &Tracks) -> Vec<LineUse> {
    tracks
        .lines
        .iter()
        .map(|line| {
            let (from, to) = (Vec2::from(line.from), Vec2::from(line.to));
            let mut used =
                LineUse { name: line.name.clone(), length_m: from.distance(to), ..LineUse::default() };
            for piece in &tracks.pieces {
                for (at, two) in piece.positions.windows(2).enumerate() {
                    if let Some(to_left) = crosses(from, to, two[0], two[1]) {
                        *(if to_left { &mut used.to_left } else { &mut used.to_right }) += 1;
                        used.times.push((piece.first as usize + at + 1) as f32 * tracks.step);
                    }
                }
            }
            used.times.sort_by(f32::total_cmp);
            (used.first_s, used.last_s) = (used.times.first().copied(), used.times.last().copied());
            let between = used.last_s.zip(used.first_s).map(|(last, first)| last - first);
            used.flow_per_s =
                between.filter(|time| *time > 0.0).map(|time| (used.times.len() - 1) as f32 / time);
            used.flow_per_m_s = used.flow_per_s.map(|flow| flow / used.length_m.max(1e-6));
            used
        })
        .collect()
}

/// Whether the step from `a` to `b` crosses the line: to its left (true) or its right.
pub(crate) fn crosses(from: Vec2, to: Vec2, a: Vec2, b: Vec2) -> Option<bool> {
    let side = |p: Vec2| (to - from).perp_dot(p - from) >= 0.0;
    let (was, is) = (side(a), side(b));
    if was == is {
        return None;
    }
    let along = |p: Vec2| (b - a).perp_dot(p - a) >= 0.0;
    (along(from) != along(to)).then_some(is)
}

#[cfg(test)]
mod tests {
    use super::super::tracks::Piece;
    use super::*;
    use crate::run::Line;

    #[test]
    fn lines_are_crossed_between_their_ends_and_in_a_direction() {
        let (from, to) = (Vec2::ZERO, Vec2::new(0.0, 2.0));
        assert_eq!(crosses(from, to, Vec2::new(1.0, 1.0), Vec2::new(-1.0, 1.0)), Some(true));
        assert_eq!(crosses(from, to, Vec2::new(-1.0, 1.0), Vec2::new(1.0, 1.0)), Some(false));
        assert_eq!(crosses(from, to, Vec2::new(1.0, 3.0), Vec2::new(-1.0, 3.0)), None);
        assert_eq!(crosses(from, to, Vec2::new(1.0, 1.0), Vec2::new(0.5, 1.0)), None);
    }

    #[test]
    fn flow_is_over_the_time_in_use() {
        // One person every two seconds, five of them, in a run that goes on for long.
        let piece = |number: usize| Piece {
            first: 20 * number as u32,
            positions: vec![Vec2::new(-0.5, 1.0), Vec2::new(0.5, 1.0)],
            ..Piece::default()
        };
        let line = Line { name: "door".into(), from: [0.0, 0.0], to: [0.0, 2.0] };
        let pieces = (0..5).map(piece).collect();
        let tracks = Tracks { step: 0.1, records: 5000, pieces, lines: vec![line], ..Tracks::default() };
        let used = &line_uses(&tracks)[0];
        assert_eq!((used.to_left, used.to_right), (0, 5));
        assert!(
            (used.flow_per_s.unwrap() - 0.5).abs() < 1e-4 && (used.flow_per_m_s.unwrap() - 0.25).abs() < 1e-4
        );
    }
}
