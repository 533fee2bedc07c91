//! Speed and flow against density, and flow against the width of doors: points over what people were measured to do.

use crate::chart::{Axis, Chart, document, escape, polyline};
use std::fmt::Write;

/// Points of one model.
#[derive(Clone, Debug)]
pub struct Series {
    /// The model's name.
    pub name: String,
    /// Density in people per square metre, and speed in metres per second.
    pub points: Vec<(f32, f32)>,
}

const COLOURS: [&str; 6] = ["#d9480f", "#2f7fd0", "#2b8a3e", "#7048e8", "#c2255c", "#0b7285"];
const WIDTH: f32 = 960.0;
const HEIGHT: f32 = 440.0;
const DENSEST: f32 = 6.5;

/// Axes of something against something else, `left` on the paper.
fn axes<'a>(left: f32, across: Axis<'a>, up: Axis<'a>) -> Chart<'a> {
    Chart { corner: (left, 70.0), size: (380.0, 300.0), across, up }
}

/// Draws speed (left) and specific flow (right) of all series over the `reference` speed, as an SVG document.
pub fn plot_fundamental_diagram(series: &[Series], reference: impl Fn(f32) -> f32) -> String {
    let mut svg = String::new();
    let density = || Axis { title: "density in people/m²", most: DENSEST, tick: 1.0 };
    let speed = axes(60.0, density(), Axis { title: "speed in m/s", most: 1.6, tick: 0.4 });
    let flow = axes(540.0, density(), Axis { title: "flow in people/(m s)", most: 2.0, tick: 0.5 });
    let curve: Vec<(f32, f32)> = (1..=130).map(|i| i as f32 * 0.05).map(|d| (d, reference(d))).collect();
    for (chart, of_flow) in [(&speed, false), (&flow, true)] {
        let value = |&(density, speed): &(f32, f32)| (density, if of_flow { speed * density } else { speed });
        chart.draw_axes(&mut svg);
        let place = |&(density, value): &(f32, f32)| chart.at(density, value);
        let points: Vec<_> = curve.iter().map(value).collect();
        polyline(
            &mut svg,
            points.iter().map(place),
            "stroke=\"#868e96\" stroke-width=\"4\" stroke-opacity=\"0.6\"",
        );
        for (one, colour) in series.iter().zip(COLOURS.iter().cycle()) {
            let points: Vec<_> = one.points.iter().map(value).collect();
            polyline(
                &mut svg,
                points.iter().map(place),
                &format!("stroke=\"{colour}\" stroke-width=\"1.6\""),
            );
            for (x, y) in points.iter().map(place) {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>");
            }
        }
    }
    legend(&mut svg, "Weidmann 1993", series);
    document(WIDTH, HEIGHT, &svg)
}

/// Names and colours of the reference and of all series.
fn legend(svg: &mut String, reference: &str, series: &[Series]) {
    let names = std::iter::once((reference, "#868e96"))
        .chain(series.iter().map(|one| one.name.as_str()).zip(COLOURS.iter().copied().cycle()));
    for (row, (name, colour)) in names.enumerate() {
        let x = 50.0 + 130.0 * row as f32;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"18\" width=\"18\" height=\"5\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"25\" font-size=\"12\">{}</text>",
            x + 22.0,
            escape(name)
        );
    }
}

/// Draws people a second (left) and people a second and metre (right) of all series against the width of doors in metres,
/// whose points are width and specific flow, over what was measured of people, as an SVG document.
pub fn plot_doors(series: &[Series], measured: &[(f32, f32)]) -> String {
    let mut svg = String::new();
    let width = || Axis { title: "width in m", most: 2.5, tick: 0.5 };
    let flow = axes(60.0, width(), Axis { title: "flow in people/s", most: 6.0, tick: 1.0 });
    let specific = axes(540.0, width(), Axis { title: "flow in people/(m s)", most: 4.0, tick: 1.0 });
    for (chart, whole) in [(&flow, true), (&specific, false)] {
        let value = |&(width, flow): &(f32, f32)| (width, if whole { flow * width } else { flow });
        chart.draw_axes(&mut svg);
        let place = |&(width, value): &(f32, f32)| chart.at(width, value);
        let mut draw = |points: &[(f32, f32)], colour: &str, style: &str| {
            let points: Vec<_> = points.iter().map(value).collect();
            polyline(&mut svg, points.iter().map(place), &format!("stroke=\"{colour}\" {style}"));
            for (x, y) in points.iter().map(place) {
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>");
            }
        };
        draw(measured, "#868e96", "stroke-width=\"4\" stroke-opacity=\"0.6\"");
        for (one, colour) in series.iter().zip(COLOURS.iter().cycle()) {
            draw(&one.points, colour, "stroke-width=\"1.6\"");
        }
    }
    legend(&mut svg, "people (Jülich)", series);
    document(WIDTH, HEIGHT, &svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_drawn_twice() {
        let series = [Series { name: "a < b".into(), points: vec![(1.0, 1.0), (2.0, 0.5)] }];
        let svg = plot_fundamental_diagram(&series, |density| 1.34 - 0.2 * density);
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
    }
}
