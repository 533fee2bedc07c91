//! Styles as a picture: where each lies by the kinetic energy of lower and upper body (Gu and Deng 2010, figure 3).

use crate::chart::{Axis, Chart, document, escape};
use crowdloom_motion::styles::{MotionType, StyleLibrary};
use std::fmt::Write;

const WIDTH: f32 = 980.0;
const HEIGHT: f32 = 640.0;
/// Left, top, right and bottom margins.
const MARGINS: [f32; 4] = [70.0, 60.0, 30.0, 60.0];

/// A colour and a shape for each type.
fn look(kind: MotionType) -> (&'static str, &'static str) {
    match kind {
        MotionType::Walking => ("#2f7fd0", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0"),
        MotionType::Running => ("#d9480f", "M-5 4.5H5L0 -5.5Z"),
        MotionType::Waiting => ("#2b8a3e", "M-4.5 -4.5H4.5V4.5H-4.5Z"),
        MotionType::Fighting => ("#c2255c", "M0 -6L6 0L0 6L-6 0Z"),
    }
}

/// Draws the feature plane as an SVG document; thin lines join styles that one can change between.
pub fn plot_styles(library: &StyleLibrary) -> String {
    let features: Vec<[f32; 2]> = library.primitives().iter().map(|primitive| primitive.feature).collect();
    let most = |part: usize| features.iter().map(|feature| feature[part]).fold(1.0, f32::max) * 1.08;
    let [left_margin, top_margin, right_margin, bottom_margin] = MARGINS;
    let axis = |title, part| Axis { title, most: most(part), tick: 0.5 };
    let chart = Chart {
        corner: (left_margin, top_margin),
        size: (WIDTH - left_margin - right_margin, HEIGHT - top_margin - bottom_margin),
        across: axis("log(E + 1) of the lower body (E in joules)", 1),
        up: axis("log(E + 1) of the upper body", 0),
    };
    let x = |lower: f32| chart.at(lower, 0.0).0;
    let y = |upper: f32| chart.at(0.0, upper).1;
    let mut svg = format!(
        "<text x=\"{left_margin}\" y=\"30\" font-size=\"17\" font-weight=\"bold\">{} motion styles by kinetic energy</text>\n",
        features.len()
    );
    chart.draw_axes(&mut svg);
    for kind in MotionType::ALL {
        let (colour, _) = look(kind);
        let (table, first) = (library.table(kind), library.styles(kind).start);
        for style in 0..table.len() {
            for &other in table.candidates(style) {
                let (a, b) = (features[first + style], features[first + usize::from(other)]);
                let _ = writeln!(
                    svg,
                    "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-opacity=\"0.14\"/>",
                    x(a[1]),
                    y(a[0]),
                    x(b[1]),
                    y(b[0])
                );
            }
        }
    }
    // Names only where they cover neither one another nor a style.
    let marks = features.iter().map(|feature| (x(feature[1]) - 5.0, y(feature[0]) + 3.0, 10.0));
    let mut written: Vec<(f32, f32, f32)> = marks.collect();
    for primitive in library.primitives() {
        let (colour, shape) = look(primitive.kind);
        let (px, py) = (x(primitive.feature[1]), y(primitive.feature[0]));
        let _ = writeln!(
            svg,
            "<path d=\"{shape}\" transform=\"translate({px:.1} {py:.1})\" fill=\"{colour}\"><title>{}, {:.2} m/s</title></path>",
            escape(&primitive.name),
            primitive.speed
        );
        let name = short(&primitive.name);
        let width = 5.3 * name.chars().count() as f32;
        let free = |tx: f32, ty: f32| {
            tx + width < WIDTH
                && written.iter().all(|&(ox, oy, other)| {
                    (oy - ty).abs() > 9.0 || tx > ox + other + 3.0 || ox > tx + width + 3.0
                })
        };
        let spots =
            [(px + 8.5, py + 3.0), (px - 9.0 - width, py + 3.0), (px + 5.0, py - 8.0), (px + 5.0, py + 15.0)];
        if let Some((tx, ty)) = spots.into_iter().find(|&(tx, ty)| free(tx, ty)) {
            written.push((tx, ty, width));
            let _ = writeln!(
                svg,
                "<text x=\"{tx:.1}\" y=\"{ty:.1}\" font-size=\"9.5\" fill=\"#495057\">{}</text>",
                escape(name)
            );
        }
    }
    legend(&mut svg, library);
    document(WIDTH, HEIGHT, &svg)
}

/// A style's name without its type.
fn short(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(_, rest)| rest)
}

fn legend(svg: &mut String, library: &StyleLibrary) {
    for (row, kind) in MotionType::ALL.into_iter().enumerate() {
        let (colour, shape) = look(kind);
        let (x, y) = (MARGINS[0] + 24.0, MARGINS[1] + 18.0 + 20.0 * row as f32);
        let _ = writeln!(
            svg,
            "<path d=\"{shape}\" transform=\"translate({x} {y})\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{}\" font-size=\"12.5\">{} ({})</text>",
            x + 12.0,
            y + 4.5,
            kind.name(),
            library.table(kind).len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::builtin;
    use crowdloom_motion::styles::StyleOptions;

    #[test]
    fn every_style_is_in_the_picture() {
        let (library, _) = StyleLibrary::build(&builtin::library(), &StyleOptions::default()).unwrap();
        let svg = plot_styles(&library);
        for primitive in library.primitives() {
            assert!(svg.contains(&format!("<title>{}, ", primitive.name)), "{}", primitive.name);
        }
        assert!(!svg.contains("NaN") && svg.ends_with("</svg>\n"));
    }
}
