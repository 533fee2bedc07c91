//! Pictures of a ground: floor, obstacles, regions, clearance, roadmap and route, as SVG or PNG.

use crate::canvas::{Canvas, dots_of};
use crate::chart::escape;
use base64::Engine;
use crowdloom_world::{Area, Ground, Roadmap, Route};
use glam::{DVec2, Vec2};
use std::fmt::Write;
use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, PixmapPaint,
    Stroke, Transform,
};

/// The longer side of the ground in the picture, in pixels.
const DRAWING: f32 = 1400.0;
/// The space around the ground, in pixels.
const MARGIN: f32 = 48.0;
/// The space under the ground for the scale, in pixels.
const FOOTER: f32 = 44.0;
/// Clearance is shaded up to this distance from a wall, in metres.
const SHADED: f32 = 4.0;

/// An opaque or translucent colour: red, green, blue and opacity.
type Rgba = (u8, u8, u8, f32);

const PAPER: Rgba = (244, 242, 236, 1.0);
const WALL: Rgba = (58, 64, 74, 1.0);
const OBSTACLE: Rgba = (203, 199, 188, 1.0);
const NEAR_WALL: (u8, u8, u8) = (214, 226, 236);
const OPEN_FLOOR: (u8, u8, u8) = (253, 253, 251);
const REGIONS: [(u8, u8, u8); 6] =
    [(242, 163, 65), (92, 158, 115), (128, 110, 190), (214, 96, 105), (60, 150, 180), (160, 140, 70)];
const EDGE: Rgba = (70, 130, 180, 0.28);
const NODE: Rgba = (45, 100, 155, 0.85);
const ROUTE: Rgba = (208, 52, 44, 1.0);
const HALO: Rgba = (255, 255, 255, 0.85);
const INK: Rgba = (58, 64, 74, 1.0);

/// A picture that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The picture is too large for memory.
    #[error("a picture of {width} × {height} pixels cannot be made")]
    Size {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The picture cannot be written as PNG.
    #[error("the picture cannot be encoded: {0}")]
    Encode(String),
}

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct MapPlot<'a> {
    /// The ground.
    pub ground: &'a Ground,
    /// Samples and edges to draw over it.
    pub roadmap: Option<&'a Roadmap>,
    /// A way to draw over everything.
    pub route: Option<&'a Route>,
}

/// One thing on the picture, in pixels.
enum Mark {
    Fill {
        rings: Vec<Vec<Vec2>>,
        color: Rgba,
    },
    Line {
        points: Vec<Vec2>,
        closed: bool,
        width: f32,
        color: Rgba,
    },
    Lines {
        pairs: Vec<(Vec2, Vec2)>,
        width: f32,
        color: Rgba,
    },
    Dots {
        centres: Vec<Vec2>,
        radius: f32,
        color: Rgba,
    },
    /// The clearance, clipped to the floor.
    Clearance {
        floor: Vec<Vec<Vec2>>,
    },
    Text {
        at: Vec2,
        height: f32,
        text: String,
        centred: bool,
    },
}

/// How metres become pixels.
struct Frame {
    scale: f32,
    low: Vec2,
    size: Vec2,
}

impl Frame {
    fn new(ground: &Ground) -> Self {
        let bounds = ground.bounds();
        let metres = bounds.size().max(DVec2::splat(1e-3)).as_vec2();
        let scale = DRAWING / metres.max_element();
        Self { scale, low: bounds.min.as_vec2(), size: metres * scale }
    }

    fn place(&self, point: Vec2) -> Vec2 {
        let p = (point - self.low) * self.scale;
        Vec2::new(MARGIN + p.x, MARGIN + self.size.y - p.y)
    }

    fn picture(&self) -> (u32, u32) {
        ((self.size.x + 2.0 * MARGIN).ceil() as u32, (self.size.y + 2.0 * MARGIN + FOOTER).ceil() as u32)
    }

    fn rings(&self, areas: &[Area]) -> Vec<Vec<Vec2>> {
        areas
            .iter()
            .flat_map(Area::rings)
            .map(|ring| ring.iter().map(|p| self.place(p.as_vec2())).collect())
            .collect()
    }
}

impl MapPlot<'_> {
    fn marks(&self, frame: &Frame) -> Vec<Mark> {
        let floor = frame.rings(self.ground.areas());
        let mut marks = Vec::new();
        // Holes first: the floor is drawn with them left out.
        let solid: Vec<Vec<Vec2>> = self
            .ground
            .areas()
            .iter()
            .flat_map(|area| &area.holes)
            .map(|ring| ring.iter().map(|p| frame.place(p.as_vec2())).collect())
            .collect();
        // Where the floor fills most of its box, what is blocked at the rim is an obstacle like any other.
        let size = self.ground.bounds().size();
        let is_boxed = self.ground.size() > 0.5 * size.x * size.y;
        let (low, high) = (Vec2::splat(MARGIN), Vec2::splat(MARGIN) + frame.size);
        let whole = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        marks.push(Mark::Fill { rings: if is_boxed { vec![whole] } else { solid }, color: OBSTACLE });
        marks.push(Mark::Clearance { floor: floor.clone() });
        let mut labels = Vec::new();
        for (i, region) in self.ground.regions().iter().enumerate() {
            let (r, g, b) = REGIONS[i % REGIONS.len()];
            let mut centre = DVec2::ZERO;
            if let Some(layer) = region.layer() {
                let mut squares = Vec::new();
                let mut count = 0.0;
                for row in 0..layer.height {
                    for column in 0..layer.width {
                        let corner = layer.cell_corner(column, row);
                        let middle = corner + Vec2::splat(layer.cell_size / 2.0);
                        if layer.value(middle).is_some_and(|value| value > 0) {
                            let far = corner + Vec2::splat(layer.cell_size);
                            let (x0, y0, x1, y1) = (corner.x, corner.y, far.x, far.y);
                            let ring = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)];
                            squares.push(ring.map(|(x, y)| frame.place(Vec2::new(x, y))).to_vec());
                            centre += middle.as_dvec2();
                            count += 1.0;
                        }
                    }
                }
                centre /= f64::max(count, 1.0);
                marks.push(Mark::Fill { rings: squares, color: (r, g, b, 0.32) });
            } else {
                let rings = frame.rings(region.areas());
                marks.push(Mark::Fill { rings: rings.clone(), color: (r, g, b, 0.26) });
                for points in rings {
                    marks.push(Mark::Line { points, closed: true, width: 1.5, color: (r, g, b, 0.9) });
                }
                let outline = region.areas().iter().flat_map(|area| &area.outline);
                let count = outline.clone().count().max(1) as f64;
                centre = outline.sum::<DVec2>() / count;
            }
            let at = frame.place(centre.as_vec2());
            labels.push(Mark::Text { at, height: 15.0, text: region.name.clone(), centred: true });
        }
        if let Some(roadmap) = self.roadmap {
            let nodes: Vec<Vec2> = roadmap.nodes().iter().map(|p| frame.place(*p)).collect();
            let pairs = roadmap.edges().map(|(a, b, _)| (nodes[a], nodes[b])).collect();
            marks.push(Mark::Lines { pairs, width: 0.8, color: EDGE });
            let radius = if nodes.len() > 1500 { 1.4 } else { 2.2 };
            marks.push(Mark::Dots { centres: nodes, radius, color: NODE });
        }
        // A plan of few walls gets bold ones.
        let width = if floor.iter().map(Vec::len).sum::<usize>() > 1500 { 1.2 } else { 2.2 };
        marks.extend(floor.into_iter().map(|points| Mark::Line { points, closed: true, width, color: WALL }));
        if let Some(route) = self.route {
            let points: Vec<Vec2> = route.way_points.iter().map(|p| frame.place(*p)).collect();
            marks.push(Mark::Line { points: points.clone(), closed: false, width: 8.0, color: HALO });
            marks.push(Mark::Line { points: points.clone(), closed: false, width: 4.0, color: ROUTE });
            let ends: Vec<Vec2> = points.first().into_iter().chain(points.last()).copied().collect();
            let turns = points.get(1..points.len().saturating_sub(1)).unwrap_or_default().to_vec();
            marks.push(Mark::Dots { centres: turns.clone(), radius: 4.5, color: ROUTE });
            marks.push(Mark::Dots { centres: turns, radius: 2.0, color: HALO });
            marks.push(Mark::Dots { centres: ends.clone(), radius: 9.0, color: HALO });
            marks.push(Mark::Dots { centres: ends.clone(), radius: 7.0, color: ROUTE });
            marks.push(Mark::Dots {
                centres: ends.last().copied().into_iter().collect(),
                radius: 3.0,
                color: HALO,
            });
        }
        marks.extend(labels);
        marks.extend(self.footer(frame));
        marks
    }

    /// A scale of a round number of metres, and what the picture shows.
    fn footer(&self, frame: &Frame) -> Vec<Mark> {
        let wanted = 0.18 * DRAWING.min(frame.size.x.max(200.0)) / frame.scale;
        let power = power_of_ten(wanted);
        let metres = [5.0, 2.0, 1.0].into_iter().map(|m| m * power).find(|m| *m <= wanted).unwrap_or(power);
        let y = MARGIN + frame.size.y + MARGIN * 0.75;
        let (from, to) = (Vec2::new(MARGIN, y), Vec2::new(MARGIN + metres * frame.scale, y));
        let tick = Vec2::new(0.0, 6.0);
        let mut text = format!("{metres} m     {:.0} m2 walkable", self.ground.size());
        if let Some(route) = self.route {
            let _ = write!(text, "     route {:.1} m", route.length);
        }
        if let Some(roadmap) = self.roadmap {
            let _ = write!(
                text,
                "     roadmap {} samples, {} edges",
                roadmap.nodes().len(),
                roadmap.edges().count()
            );
        }
        vec![
            Mark::Line {
                points: vec![from - tick, from, to, to - tick],
                closed: false,
                width: 2.2,
                color: INK,
            },
            Mark::Text { at: to + Vec2::new(12.0, -1.0), height: 13.0, text, centred: false },
        ]
    }

    /// Grey values of the likelihood or shades of the clearance, one pixel for `step` pixels of the picture.
    fn shading(&self, frame: &Frame, step: f32) -> Option<Pixmap> {
        let (width, height) = ((frame.size.x / step).ceil() as u32, (frame.size.y / step).ceil() as u32);
        let mut pixmap = Pixmap::new(width.max(1), height.max(1))?;
        let layer = self.ground.likelihood_layer();
        for (i, pixel) in pixmap.pixels_mut().iter_mut().enumerate() {
            let (x, y) = (i as u32 % width.max(1), i as u32 / width.max(1));
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * step;
            let point = frame.low + Vec2::new(at.x, frame.size.y - at.y) / frame.scale;
            let clearance = self.ground.nearest_wall(point).map_or(0.0, |wall| wall.distance.max(0.0));
            let t = (clearance / SHADED).min(1.0);
            // Fast at first: the first metre matters most to people.
            let t = t * (2.0 - t);
            let likely = layer.map_or(1.0, |layer| 0.35 + 0.65 * layer.likelihood(point));
            let mix = |near: u8, open: u8| {
                ((f32::from(near) + (f32::from(open) - f32::from(near)) * t) * likely) as u8
            };
            let (r, g, b) = (
                mix(NEAR_WALL.0, OPEN_FLOOR.0),
                mix(NEAR_WALL.1, OPEN_FLOOR.1),
                mix(NEAR_WALL.2, OPEN_FLOOR.2),
            );
            *pixel = tiny_skia::ColorU8::from_rgba(r, g, b, 255).premultiply();
        }
        Some(pixmap)
    }

    /// The picture as SVG.
    pub fn svg(&self) -> Result<String, PlotError> {
        let frame = Frame::new(self.ground);
        let (width, height) = frame.picture();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
            css(PAPER)
        );
        for mark in self.marks(&frame) {
            self.write_svg(&mut svg, &frame, mark)?;
        }
        svg.push_str("</svg>\n");
        Ok(svg)
    }

    fn write_svg(&self, svg: &mut String, frame: &Frame, mark: Mark) -> Result<(), PlotError> {
        // Writing to a string cannot fail.
        let _ = match mark {
            Mark::Fill { rings, color } => writeln!(
                svg,
                "<path d=\"{}\" fill=\"{}\" fill-opacity=\"{}\" fill-rule=\"evenodd\"/>",
                outline(&rings, true),
                css(color),
                color.3
            ),
            Mark::Line { points, closed, width, color } => writeln!(
                svg,
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                outline(&[points], closed),
                css(color),
                color.3
            ),
            Mark::Lines { pairs, width, color } => {
                let lines: Vec<Vec<Vec2>> = pairs.iter().map(|(a, b)| vec![*a, *b]).collect();
                writeln!(
                    svg,
                    "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"{}\" stroke-width=\"{width}\"/>",
                    outline(&lines, false),
                    css(color),
                    color.3
                )
            }
            Mark::Dots { centres, radius, color } => {
                let _ = writeln!(svg, "<g fill=\"{}\" fill-opacity=\"{}\">", css(color), color.3);
                for c in centres {
                    let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\"/>", c.x, c.y);
                }
                writeln!(svg, "</g>")
            }
            Mark::Clearance { floor } => {
                let image = self.shading(frame, 2.0).ok_or(PlotError::Size { width: 0, height: 0 })?;
                let png = image.encode_png().map_err(|e| PlotError::Encode(e.to_string()))?;
                let data = base64::engine::general_purpose::STANDARD.encode(png);
                writeln!(
                    svg,
                    "<clipPath id=\"floor\"><path d=\"{}\" clip-rule=\"evenodd\"/></clipPath>\n\
                     <image x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
                     clip-path=\"url(#floor)\" href=\"data:image/png;base64,{data}\"/>",
                    outline(&floor, true),
                    image.width() * 2,
                    image.height() * 2
                )
            }
            Mark::Text { at, height, text, centred } => writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{}\" \
                 fill=\"{}\" text-anchor=\"{}\" xml:space=\"preserve\">{}</text>",
                at.x,
                at.y,
                height * 1.25,
                css(INK),
                if centred { "middle" } else { "start" },
                escape(&text)
            ),
        };
        Ok(())
    }

    /// The picture as PNG.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let frame = Frame::new(self.ground);
        let (width, height) = frame.picture();
        let mut pixmap = Pixmap::new(width, height).ok_or(PlotError::Size { width, height })?;
        pixmap.fill(color_of(PAPER));
        for mark in self.marks(&frame) {
            self.paint(&mut pixmap, &frame, mark);
        }
        pixmap.encode_png().map_err(|e| PlotError::Encode(e.to_string()))
    }

    fn paint(&self, pixmap: &mut Pixmap, frame: &Frame, mark: Mark) {
        let here = Transform::identity();
        let paint = |color: Rgba| Paint {
            shader: tiny_skia::Shader::SolidColor(color_of(color)),
            ..Paint::default()
        };
        let stroke = |width: f32| Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        match mark {
            Mark::Fill { rings, color } => {
                if let Some(path) = path(&rings, true) {
                    pixmap.fill_path(&path, &paint(color), FillRule::EvenOdd, here, None);
                }
            }
            Mark::Line { points, closed, width, color } => {
                if let Some(path) = path(&[points], closed) {
                    pixmap.stroke_path(&path, &paint(color), &stroke(width), here, None);
                }
            }
            Mark::Lines { pairs, width, color } => {
                // One by one, so that crossing edges darken each other.
                for (a, b) in pairs {
                    if let Some(path) = path(&[vec![a, b]], false) {
                        pixmap.stroke_path(&path, &paint(color), &stroke(width), here, None);
                    }
                }
            }
            Mark::Dots { centres, radius, color } => {
                for centre in centres {
                    if let Some(path) = PathBuilder::from_circle(centre.x, centre.y, radius) {
                        pixmap.fill_path(&path, &paint(color), FillRule::Winding, here, None);
                    }
                }
            }
            Mark::Clearance { floor } => {
                let (Some(image), Some(path)) = (self.shading(frame, 1.0), path(&floor, true)) else {
                    return;
                };
                let Some(mut mask) = Mask::new(pixmap.width(), pixmap.height()) else { return };
                mask.fill_path(&path, FillRule::EvenOdd, true, here);
                let style = PixmapPaint { quality: FilterQuality::Nearest, ..PixmapPaint::default() };
                pixmap.draw_pixmap(MARGIN as i32, MARGIN as i32, image.as_ref(), &style, here, Some(&mask));
            }
            Mark::Text { at, height, text, centred } => {
                // Seven of the eight rows of dots are above the base line.
                let dot = height / 7.0;
                let width = text.chars().count() as f32 * Canvas::CHARACTER * dot;
                let start = at - Vec2::new(if centred { width / 2.0 } else { 0.0 }, height);
                let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
                let square = |corner: Vec2| corners.map(|own| start + (corner + own) * dot).to_vec();
                let squares: Vec<Vec<Vec2>> = dots_of(&text).map(square).collect();
                if let Some(path) = path(&squares, true) {
                    pixmap.stroke_path(&path, &paint(HALO), &stroke(height * 0.2), here, None);
                    pixmap.fill_path(&path, &paint(INK), FillRule::Winding, here, None);
                }
            }
        }
    }
}

/// The greatest power of ten that is not greater than `value`.
fn power_of_ten(value: f32) -> f32 {
    let mut power = 1.0f32;
    while power * 10.0 <= value {
        power *= 10.0;
    }
    while power > value && power > 1e-6 {
        power /= 10.0;
    }
    power
}

fn color_of((r, g, b, a): Rgba) -> Color {
    Color::from_rgba8(r, g, b, (a * 255.0) as u8)
}

fn css((r, g, b, _): Rgba) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn path(rings: &[Vec<Vec2>], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for ring in rings {
        let mut points = ring.iter();
        if let Some(first) = points.next() {
            builder.move_to(first.x, first.y);
            points.for_each(|p| builder.line_to(p.x, p.y));
            if closed {
                builder.close();
            }
        }
    }
    builder.finish()
}

fn outline(rings: &[Vec<Vec2>], closed: bool) -> String {
    let mut d = String::new();
    for ring in rings {
        for (i, p) in ring.iter().enumerate() {
            let _ = write!(d, "{}{:.2} {:.2}", if i == 0 { "M" } else { "L" }, p.x, p.y);
        }
        if closed {
            d.push('Z');
        }
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_world::Rooms;

    #[test]
    fn pictures_show_floor_walls_and_route() {
        let ground = Rooms::default().build().unwrap();
        let route = Route::new(vec![Vec2::new(1.0, 1.0), Vec2::new(8.1, 3.0), Vec2::new(15.0, 5.0)]);
        let plot = MapPlot { ground: &ground, roadmap: None, route: Some(&route) };
        let svg = plot.svg().unwrap();
        assert!(svg.contains("room 2") && svg.contains(&css(ROUTE)) && svg.ends_with("</svg>\n"));
        let png = plot.png().unwrap();
        let picture = Pixmap::decode_png(&png).unwrap();
        let frame = Frame::new(&ground);
        let color = |metres: Vec2| {
            let p = frame.place(metres);
            let c = picture.pixel(p.x as u32, p.y as u32).unwrap();
            (c.red(), c.green(), c.blue())
        };
        assert_eq!(color(Vec2::new(8.1, 1.0)), (OBSTACLE.0, OBSTACLE.1, OBSTACLE.2), "inside the wall");
        assert_eq!(color(Vec2::new(4.55, 2.0)), (ROUTE.0, ROUTE.1, ROUTE.2), "on the route");
        assert_ne!(color(Vec2::new(4.0, 5.0)), (OBSTACLE.0, OBSTACLE.1, OBSTACLE.2), "on the floor");
    }

    #[test]
    fn scales_are_round() {
        assert_eq!(power_of_ten(250.0), 100.0);
        assert_eq!(power_of_ten(9.9), 1.0);
        assert_eq!(power_of_ten(0.5), 0.1);
    }
}
