//! Who leaves when, and through which exit.

use super::tracks::Tracks;
use crate::run::{GroundShape, NamedRegion};
use glam::Vec2;
use serde::Serialize;

/// Who vanishes farther than this from every region and line, in metres, leaves through none.
const BESIDE: f32 = 1.0;
/// The name of an exit that has none.
const ELSEWHERE: &str = "elsewhere";

/// Everybody who left before the end.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Egress {
    /// People who left.
    pub left: usize,
    /// People who were still there at the end.
    pub stayed: usize,
    /// When half of those who left were out, in seconds from the start.
    pub t50_s: Option<f32>,
    /// When 95 % of those who left were out, in seconds from the start.
    pub t95_s: Option<f32>,
    /// When the last of those who left was out, in seconds from the start.
    pub total_s: Option<f32>,
    /// For each exit how many left through it and when the last did.
    pub exits: Vec<Exit>,
    /// When each left, in order: seconds from the start.
    #[serde(skip)]
    pub curve: Vec<f32>,
    /// By person's number: when and through which of [`Self::exits`].
    #[serde(skip)]
    pub by_person: Vec<(u32, f32, usize)>,
}

/// One exit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Exit {
    /// The region in which people were last seen, or the line that they were last near.
    pub name: String,
    /// How many left through it.
    pub left: usize,
    /// When the last of them left, in seconds from the start.
    pub last_s: f32,
}

pub(super) fn egress(tracks: &Tracks) -> Egress {
    let mut found = Egress::default();
    let pieces = &tracks.pieces;
    for (at, piece) in pieces.iter().enumerate() {
        // Who comes back has not left.
        if pieces.get(at + 1).is_some_and(|next| next.id == piece.id) {
            continue;
        }
        if piece.end() >= tracks.records {
            found.stayed += 1;
            continue;
        }
        let Some(&last) = piece.positions.last() else { continue };
        let name = exit_at(tracks, last);
        let time = piece.end() as f32 * tracks.step;
        let known = found.exits.iter().position(|exit| exit.name == name);
        let exit = known.unwrap_or_else(|| {
            found.exits.push(Exit { name: name.into(), ..Exit::default() });
            found.exits.len() - 1
        });
        found.exits[exit].left += 1;
        found.exits[exit].last_s = found.exits[exit].last_s.max(time);
        found.curve.push(time);
        found.by_person.push((piece.id, time, exit));
    }
    found.curve.sort_by(f32::total_cmp);
    found.left = found.curve.len();
    let share = |share: f32| {
        let number = (found.curve.len() as f32 * share).ceil() as usize;
        found.curve.get(number.saturating_sub(1)).copied()
    };
    (found.t50_s, found.t95_s, found.total_s) = (share(0.5), share(0.95), share(1.0));
    found
}

/// The smallest region that a place is in, else the nearest region or line that is near.
fn exit_at(tracks: &Tracks, place: Vec2) -> &str {
    let GroundShape { regions, .. } = &tracks.ground;
    let size =
        |region: &NamedRegion| region.areas.iter().flatten().map(|ring| ring_size(ring).abs()).sum::<f64>();
    let inside = regions.iter().filter(|region| holds(region, place));
    if let Some(region) = inside.min_by(|a, b| size(a).total_cmp(&size(b))) {
        return &region.name;
    }
    let of_regions = regions.iter().map(|region| (region_distance(region, place), region.name.as_str()));
    let of_lines = tracks.lines.iter().map(|line| {
        (segment_distance(place, Vec2::from(line.from), Vec2::from(line.to)), line.name.as_str())
    });
    let near = of_regions.chain(of_lines).filter(|(distance, _)| *distance <= BESIDE);
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(ELSEWHERE, |(_, name)| name)
}

fn sides(ring: &[[f64; 2]]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    let point = |p: &[f64; 2]| Vec2::new(p[0] as f32, p[1] as f32);
    ring.iter().zip(ring.iter().skip(1).chain(ring.first())).map(move |(a, b)| (point(a), point(b)))
}

fn ring_size(ring: &[[f64; 2]]) -> f64 {
    sides(ring).map(|(a, b)| f64::from(a.perp_dot(b))).sum::<f64>() * 0.5
}

fn holds(region: &NamedRegion, place: Vec2) -> bool {
    let crossed = region.areas.iter().flatten().flat_map(|ring| sides(ring)).filter(|(a, b)| {
        (a.y > place.y) != (b.y > place.y) && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)
    });
    crossed.count() % 2 == 1
}

fn region_distance(region: &NamedRegion, place: Vec2) -> f32 {
    let sides = region.areas.iter().flatten().flat_map(|ring| sides(ring));
    sides.map(|(a, b)| segment_distance(place, a, b)).fold(f32::INFINITY, f32::min)
}

fn segment_distance(place: Vec2, a: Vec2, b: Vec2) -> f32 {
    let t = ((place - a).dot(b - a) / (b - a).length_squared().max(1e-9)).clamp(0.0, 1.0);
    place.distance(a + (b - a) * t)
}

#[cfg(test)]
mod tests {
    use super::super::tracks::Piece;
    use super::*;

    #[test]
    fn who_vanishes_has_left_through_where_they_were() {
        let ring = vec![[9.0, 0.0], [10.0, 0.0], [10.0, 2.0], [9.0, 2.0]];
        let door = NamedRegion { name: "door".into(), areas: vec![vec![ring]] };
        let ground = GroundShape { regions: vec![door], ..GroundShape::default() };
        let piece =
            |id: u32, count: usize, end: Vec2| Piece { id, positions: vec![end; count], ..Piece::default() };
        let pieces = vec![
            piece(1, 10, Vec2::new(9.5, 1.0)),
            piece(2, 20, Vec2::new(8.6, 1.0)),
            piece(3, 30, Vec2::ZERO),
            piece(4, 50, Vec2::ZERO),
        ];
        let tracks = Tracks { step: 0.1, records: 50, pieces, ground, ..Tracks::default() };
        let found = egress(&tracks);
        assert_eq!((found.left, found.stayed, found.exits.len()), (3, 1, 2));
        assert_eq!((found.exits[0].name.as_str(), found.exits[0].left), ("door", 2));
        assert_eq!((found.t50_s, found.total_s), (Some(2.0), Some(3.0)));
    }
}
