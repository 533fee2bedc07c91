//! Where everybody went: the ways of several runs side by side, seen from above.

use crate::chart::{document, escape, polyline};
use glam::Vec2;
use std::fmt::Write;

/// The ways of one run.
#[derive(Clone, Debug)]
pub struct Paths {
    /// What stands over the picture.
    pub title: String,
    /// The places of each agent, in metres, in the order of time.
    pub ways: Vec<Vec<Vec2>>,
}

const SIDE: f32 = 300.0;
const GAP: f32 = 16.0;
const TITLE: f32 = 24.0;

/// Draws runs in rows of `columns` pictures, as an SVG document; all of a row have the same scale.
///
/// The colour of a way tells where its agent started, seen from the middle of everybody; a dot is where it ended.
pub fn plot_paths(runs: &[Paths], columns: usize) -> String {
    let columns = columns.max(1);
    let mut body = String::new();
    let mut top = GAP;
    for row in runs.chunks(columns) {
        let (low, high) = bounds(row.iter().flat_map(|run| run.ways.iter().flatten().copied()));
        let extent = (high - low).max(Vec2::splat(1.0));
        let scale = (SIDE / extent.x).min(SIDE / extent.y);
        for (column, run) in row.iter().enumerate() {
            let left = GAP + column as f32 * (SIDE + GAP);
            let title = escape(&run.title);
            let _ = writeln!(body, "<text x=\"{left}\" y=\"{}\" font-size=\"14\">{title}</text>", top + 14.0);
            // The picture's y points down.
            let corner = Vec2::new(left + 0.5 * (SIDE - extent.x * scale), top + TITLE);
            draw(&mut body, &run.ways, |place| corner + Vec2::new(place.x - low.x, high.y - place.y) * scale);
        }
        top += TITLE + extent.y * scale + GAP;
    }
    let width = GAP + columns.min(runs.len()) as f32 * (SIDE + GAP);
    document(width, top.round(), &body)
}

fn bounds(places: impl Iterator<Item = Vec2>) -> (Vec2, Vec2) {
    let nothing = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    let (low, high) = places.fold(nothing, |(low, high), place| (low.min(place), high.max(place)));
    if low.is_finite() { (low, high) } else { (Vec2::ZERO, Vec2::ZERO) }
}

fn draw(svg: &mut String, ways: &[Vec<Vec2>], at: impl Fn(Vec2) -> Vec2) {
    let (low, high) = bounds(ways.iter().filter_map(|way| way.first().copied()));
    let middle = 0.5 * (low + high);
    for way in ways {
        let (Some(&first), Some(&last)) = (way.first(), way.last()) else { continue };
        let from = first - middle;
        let hue = libm::atan2f(from.y, from.x).to_degrees().rem_euclid(360.0);
        let end = at(last);
        let colour = format!("hsl({hue:.0},65%,42%)");
        let points = way.iter().map(|&place| at(place).into());
        polyline(svg, points, &format!("stroke=\"{colour}\" stroke-opacity=\"0.55\""));
        let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\" fill=\"{colour}\"/>", end.x, end.y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_drawn_in_its_own_picture() {
        let way = |x: f32| vec![Vec2::new(x, 0.0), Vec2::new(x + 1.0, 2.0)];
        let run = |title: &str, count: usize| Paths {
            title: title.into(),
            ways: (0..count).map(|i| way(i as f32)).collect(),
        };
        let svg = plot_paths(&[run("a < b", 3), run("empty", 0), run("c", 2)], 2);
        assert_eq!(svg.matches("<polyline").count(), 5);
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
