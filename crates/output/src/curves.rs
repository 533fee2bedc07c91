//! Curves of numbers: what experiments measure, several charts below each other.

use crate::chart::{Axis, Chart, document, escape, polyline};
use crate::fundamental_diagram::Series;
use std::fmt::Write;

/// A chart of curves over one pair of axes.
pub struct Curves<'a> {
    /// What it shows.
    pub title: &'a str,
    /// What is measured to the right.
    pub across: &'a str,
    /// What is measured upwards.
    pub up: &'a str,
    /// The curves.
    pub series: Vec<Series>,
}

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 300.0;
const COLOURS: [&str; 6] = ["#1c7ed6", "#e8590c", "#2f9e44", "#9c36b5", "#c92a2a", "#495057"];

/// The charts as an SVG document.
pub fn plot_curves(charts: &[Curves<'_>]) -> String {
    let mut svg = String::new();
    for (number, curves) in charts.iter().enumerate() {
        let top = number as f32 * HEIGHT;
        let points = || curves.series.iter().flat_map(|series| &series.points);
        let most = |of: fn(&(f32, f32)) -> f32| points().map(of).fold(0.0, f32::max);
        let (across, up) =
            (axis(curves.across, most(|point| point.0)), axis(curves.up, most(|point| point.1)));
        let chart = Chart { corner: (80.0, top + 40.0), size: (WIDTH - 120.0, HEIGHT - 100.0), across, up };
        chart.draw_axes(&mut svg);
        let _ = writeln!(
            svg,
            "<text x=\"80\" y=\"{:.1}\" font-size=\"14\" font-weight=\"bold\">{}</text>",
            top + 24.0,
            escape(curves.title)
        );
        for (index, series) in curves.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let places = || series.points.iter().map(|&(x, y)| chart.at(x, y));
            polyline(&mut svg, places(), &format!("stroke=\"{colour}\" stroke-width=\"2\""));
            for (x, y) in places() {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
            }
            let _ = writeln!(
                svg,
                "<text x=\"92\" y=\"{:.1}\" font-size=\"12\" fill=\"{colour}\">{}</text>",
                top + 54.0 + 15.0 * index as f32,
                escape(&series.name)
            );
        }
    }
    document(WIDTH, HEIGHT * charts.len() as f32, &svg)
}

/// An axis that holds values up to `most`, with about five marks at 1, 2 or 5 times a power of ten.
fn axis(title: &str, most: f32) -> Axis<'_> {
    let most = most.max(1e-3);
    let power = libm::powf(10.0, libm::floorf(libm::log10f(most / 5.0)));
    let tick = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|tick| most / tick <= 6.0);
    let tick = tick.unwrap_or(most);
    Axis { title, most: libm::ceilf(most / tick) * tick, tick }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_drawn_with_its_points() {
        let series =
            |name: &str, points: &[(f32, f32)]| Series { name: name.into(), points: points.to_vec() };
        let curves = |title| Curves {
            title,
            across: "people",
            up: "ms",
            series: vec![series("a<b", &[(0.0, 1.0), (10.0, 2.0)]), series("c", &[(5.0, 40.0)])],
        };
        let svg = plot_curves(&[curves("one"), curves("two")]);
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (4, 6));
        assert!(svg.contains("a&lt;b") && svg.contains(">one<") && svg.contains(">two<"), "{svg}");
        let Axis { most, tick, .. } = axis("", 3470.0);
        assert!((most, tick) == (4000.0, 1000.0), "{most} {tick}");
    }
}
