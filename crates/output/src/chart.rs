//! What all plots share: the document, text that is no markup, and a pair of axes.

use std::fmt::Write;

/// An SVG document of this width and height on paper, with `contents`.
pub(crate) fn document(width: f32, height: f32, contents: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n{contents}</svg>\n"
    )
}

/// Text that is no markup.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A line through points of the picture, drawn in `style`.
pub(crate) fn polyline(svg: &mut String, points: impl Iterator<Item = (f32, f32)>, style: &str) {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" {style}/>", points.join(" "));
}

/// One of two axes, from 0 on.
pub(crate) struct Axis<'a> {
    /// What it measures.
    pub title: &'a str,
    /// The largest value.
    pub most: f32,
    /// From one mark to the next.
    pub tick: f32,
}

/// Two axes in a rectangle of the picture.
pub(crate) struct Chart<'a> {
    /// The left top corner.
    pub corner: (f32, f32),
    /// Width and height.
    pub size: (f32, f32),
    /// To the right.
    pub across: Axis<'a>,
    /// Upwards.
    pub up: Axis<'a>,
}

impl Chart<'_> {
    /// Where a pair of values is in the picture.
    pub fn at(&self, across: f32, up: f32) -> (f32, f32) {
        let ((left, top), (width, height)) = (self.corner, self.size);
        let share = (up / self.up.most).clamp(0.0, 1.0);
        (left + across / self.across.most * width, top + height * (1.0 - share))
    }

    /// Draws the axes with their marks and titles.
    pub fn draw_axes(&self, svg: &mut String) {
        let ((left, bottom), (right, top)) = (self.at(0.0, 0.0), self.at(self.across.most, self.up.most));
        let mut line = |from: (f32, f32), to: (f32, f32), colour: &str| {
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>",
                from.0, from.1, to.0, to.1
            );
        };
        let marks = |axis: &Axis<'_>| {
            let tick = axis.tick;
            (0..=(axis.most / tick * 1.0001) as u32).map(move |step| step as f32 * tick)
        };
        for x in marks(&self.across).map(|value| self.at(value, 0.0).0) {
            line((x, bottom), (x, top), "#e9ecef");
        }
        for y in marks(&self.up).map(|value| self.at(0.0, value).1) {
            line((left, y), (right, y), "#e9ecef");
        }
        line((left, bottom), (right, bottom), "#343a40");
        line((left, bottom), (left, top), "#343a40");
        let mut text = |(x, y): (f32, f32), size: f32, more: &str, text: &str| {
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" {more}>{text}</text>");
        };
        const MIDDLE: &str = "text-anchor=\"middle\"";
        for value in marks(&self.across) {
            text((self.at(value, 0.0).0, bottom + 17.0), 11.0, MIDDLE, &number(value, self.across.tick));
        }
        for value in marks(&self.up) {
            let place = (left - 7.0, self.at(0.0, value).1 + 4.0);
            text(place, 11.0, "text-anchor=\"end\"", &number(value, self.up.tick));
        }
        text((0.5 * (left + right), bottom + 38.0), 13.0, MIDDLE, self.across.title);
        let (x, y) = (left - 36.0, 0.5 * (top + bottom));
        text((x, y), 13.0, &format!("{MIDDLE} transform=\"rotate(-90 {x:.1} {y:.1})\""), self.up.title);
    }
}

/// A mark as it is written.
fn number(value: f32, tick: f32) -> String {
    if tick.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_their_marks() {
        let axis = |title| Axis { title, most: 2.0, tick: 0.5 };
        let chart = Chart {
            corner: (10.0, 20.0),
            size: (100.0, 50.0),
            across: axis("width"),
            up: Axis { tick: 1.0, ..axis("height") },
        };
        assert_eq!(chart.at(0.0, 0.0), (10.0, 70.0));
        assert_eq!(chart.at(2.0, 2.0), (110.0, 20.0));
        let mut svg = String::new();
        chart.draw_axes(&mut svg);
        assert_eq!(svg.matches("<line").count(), 5 + 3 + 2);
        assert!(svg.contains(">1.5<") && svg.contains(">width<") && svg.contains(">height<"), "{svg}");
        assert!(document(3.0, 4.0, &svg).ends_with("</svg>\n"));
        assert_eq!(escape("a<\"b\">&"), "a&lt;&quot;b&quot;&gt;&amp;");
    }
}
