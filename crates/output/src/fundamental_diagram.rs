//! Speed and flow against density: measured points over a reference curve.

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

/// Axes of something against density, `left` on the paper.
fn against_density(left: f32, up: Axis<'_>) -> Chart<'_> {
    let across = Axis { title: "density in people/m²", most: DENSEST, tick: 1.0 };
    Chart { corner: (left, 70.0), size: (380.0, 300.0), across, up }
}

/// Draws speed (left) and specific flow (right) of all series over the `reference` speed, as an SVG document.
pub fn plot_fundamental_diagram(series: &[Series], reference: impl Fn(f32) -> f32) -> String {
    let mut svg = String::new();
    let speed = against_density(60.0, Axis { title: "speed in m/s", most: 1.6, tick: 0.4 });
    let flow = against_density(540.0, Axis { title: "flow in people/(m s)", most: 2.0, tick: 0.5 });
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
    let names = std::iter::once(("Weidmann 1993", "#868e96"))
        .chain(series.iter().map(|one| one.name.as_str()).zip(COLOURS.iter().copied().cycle()));
    for (row, (name, colour)) in names.enumerate() {
        let x = 50.0 + 170.0 * row as f32;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"18\" width=\"22\" height=\"5\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"25\" font-size=\"13\">{}</text>",
            x + 28.0,
            escape(name)
        );
    }
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
