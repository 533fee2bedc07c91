//! Styles as a picture: where each lies by the kinetic energy of lower and upper body (Gu and Deng 2010, figure 3).

use crate::graph_plot::escape;
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
    let (right, top) = (most(1), most(0));
    let [left_margin, top_margin, right_margin, bottom_margin] = MARGINS;
    let x = |lower: f32| left_margin + lower / right * (WIDTH - left_margin - right_margin);
    let y = |upper: f32| HEIGHT - bottom_margin - upper / top * (HEIGHT - top_margin - bottom_margin);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n\
         <text x=\"{left_margin}\" y=\"30\" font-size=\"17\" font-weight=\"bold\">{} motion styles by kinetic energy</text>\n",
        features.len()
    );
    axes(&mut svg, (right, top), x, y);
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
    svg.push_str("</svg>\n");
    svg
}

/// A style's name without its type.
fn short(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(_, rest)| rest)
}

fn axes(svg: &mut String, (right, top): (f32, f32), x: impl Fn(f32) -> f32, y: impl Fn(f32) -> f32) {
    let line = |svg: &mut String, from: (f32, f32), to: (f32, f32), colour: &str| {
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>",
            from.0, from.1, to.0, to.1
        );
    };
    for tick in 0..=(right.max(top) * 2.0) as usize {
        let value = tick as f32 * 0.5;
        if value <= right {
            line(svg, (x(value), y(0.0)), (x(value), y(top)), "#e9ecef");
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\">{value:.1}</text>",
                x(value),
                y(0.0) + 16.0
            );
        }
        if value <= top {
            line(svg, (x(0.0), y(value)), (x(right), y(value)), "#e9ecef");
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"end\">{value:.1}</text>",
                x(0.0) - 8.0,
                y(value) + 4.0
            );
        }
    }
    line(svg, (x(0.0), y(0.0)), (x(right), y(0.0)), "#343a40");
    line(svg, (x(0.0), y(0.0)), (x(0.0), y(top)), "#343a40");
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" text-anchor=\"middle\">log(E + 1) of the lower body (E in joules)</text>",
        x(right / 2.0),
        y(0.0) + 40.0
    );
    let (tx, ty) = (x(0.0) - 46.0, y(top / 2.0));
    let _ = writeln!(
        svg,
        "<text x=\"{tx:.1}\" y=\"{ty:.1}\" font-size=\"13\" text-anchor=\"middle\" transform=\"rotate(-90 {tx:.1} {ty:.1})\">log(E + 1) of the upper body</text>"
    );
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
