//! Speed and flow against density, and flow against the width of doors: points over what people were measured to do.

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

/// One pair of axes on the paper.
struct Panel {
    left: f32,
    title: &'static str,
    across: &'static str,
    widest: f32,
    highest: f32,
    tick: f32,
}

impl Panel {
    const SIDE: f32 = 380.0;
    const TALL: f32 = 300.0;
    const TOP: f32 = 70.0;

    fn at(&self, density: f32, value: f32) -> (f32, f32) {
        let x = self.left + density / self.widest * Self::SIDE;
        (x, Self::TOP + Self::TALL * (1.0 - (value / self.highest).clamp(0.0, 1.0)))
    }

    fn axes(&self, svg: &mut String) {
        let (left, bottom) = self.at(0.0, 0.0);
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\">{}</text>",
            Self::TOP - 14.0,
            self.title
        );
        for step in 0..=(self.highest / self.tick).round() as u32 {
            let value = step as f32 * self.tick;
            let (_, y) = self.at(0.0, value);
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dee2e6\"/>\
                 <text x=\"{}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"end\">{value:.1}</text>",
                left + Self::SIDE,
                left - 6.0,
                y + 4.0
            );
        }
        for density in 0..=self.widest as u32 {
            let (x, _) = self.at(density as f32, 0.0);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" y2=\"{}\" stroke=\"#495057\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\">{density}</text>",
                bottom + 5.0,
                bottom + 18.0
            );
        }
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{bottom}\" y2=\"{bottom}\" stroke=\"#495057\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"12\" text-anchor=\"middle\">{}</text>",
            left + Self::SIDE,
            left + Self::SIDE / 2.0,
            bottom + 36.0,
            self.across
        );
    }

    fn line(&self, svg: &mut String, points: &[(f32, f32)], style: &str) {
        let path: Vec<String> = points
            .iter()
            .map(|&(density, value)| self.at(density, value))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" {style}/>", path.join(" "));
    }
}

/// Draws speed (left) and specific flow (right) of all series over the `reference` speed, as an SVG document.
pub fn plot_fundamental_diagram(series: &[Series], reference: impl Fn(f32) -> f32) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n"
    );
    let (across, widest) = ("density in people/m²", DENSEST);
    let speed = Panel { left: 50.0, title: "speed in m/s", across, widest, highest: 1.6, tick: 0.4 };
    let flow = Panel { left: 530.0, title: "flow in people/(m s)", across, widest, highest: 2.0, tick: 0.5 };
    let curve: Vec<(f32, f32)> = (1..=130).map(|i| i as f32 * 0.05).map(|d| (d, reference(d))).collect();
    for (panel, of_flow) in [(&speed, false), (&flow, true)] {
        let value = |&(density, speed): &(f32, f32)| (density, if of_flow { speed * density } else { speed });
        panel.axes(&mut svg);
        let points: Vec<_> = curve.iter().map(value).collect();
        panel.line(&mut svg, &points, "stroke=\"#868e96\" stroke-width=\"4\" stroke-opacity=\"0.6\"");
        for (one, colour) in series.iter().zip(COLOURS.iter().cycle()) {
            let points: Vec<_> = one.points.iter().map(value).collect();
            panel.line(&mut svg, &points, &format!("stroke=\"{colour}\" stroke-width=\"1.6\""));
            for &(density, value) in &points {
                let (x, y) = panel.at(density, value);
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>");
            }
        }
    }
    legend(&mut svg, "Weidmann 1993", series);
    svg.push_str("</svg>\n");
    svg
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
            crate::graph_plot::escape(name)
        );
    }
}

/// Draws people a second (left) and people a second and metre (right) of all series against the width of doors in metres,
/// whose points are width and specific flow, over what was measured of people, as an SVG document.
pub fn plot_doors(series: &[Series], measured: &[(f32, f32)]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n"
    );
    let (across, widest) = ("width in m", 2.5);
    let flow = Panel { left: 50.0, title: "flow in people/s", across, widest, highest: 6.0, tick: 1.0 };
    let specific =
        Panel { left: 530.0, title: "flow in people/(m s)", across, widest, highest: 4.0, tick: 1.0 };
    for (panel, whole) in [(&flow, true), (&specific, false)] {
        let value = |&(width, flow): &(f32, f32)| (width, if whole { flow * width } else { flow });
        panel.axes(&mut svg);
        let dots = |svg: &mut String, points: &[(f32, f32)], colour: &str| {
            for &(x, y) in points {
                let (x, y) = panel.at(x, y);
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>");
            }
        };
        let people: Vec<_> = measured.iter().map(value).collect();
        panel.line(&mut svg, &people, "stroke=\"#868e96\" stroke-width=\"4\" stroke-opacity=\"0.6\"");
        dots(&mut svg, &people, "#868e96");
        for (one, colour) in series.iter().zip(COLOURS.iter().cycle()) {
            let points: Vec<_> = one.points.iter().map(value).collect();
            panel.line(&mut svg, &points, &format!("stroke=\"{colour}\" stroke-width=\"1.6\""));
            dots(&mut svg, &points, colour);
        }
    }
    legend(&mut svg, "people (Jülich)", series);
    svg.push_str("</svg>\n");
    svg
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
