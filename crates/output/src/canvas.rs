//! A small drawing surface: filled shapes, lines and bitmap text on a PNG.

use font8x8::{BASIC_FONTS, LATIN_FONTS, UnicodeFonts};
use glam::Vec2;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// A colour as red, green, blue and opacity, each 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink(pub u8, pub u8, pub u8, pub u8);

impl Ink {
    /// An opaque colour from its hexadecimal form, such as `0x1f2937`.
    pub const fn hex(rgb: u32) -> Self {
        Self((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8, 255)
    }

    /// The same colour with opacity `alpha` (0 to 1).
    pub fn fade(self, alpha: f32) -> Self {
        Self(self.0, self.1, self.2, (f32::from(self.3) * alpha.clamp(0.0, 1.0)) as u8)
    }

    /// The colour a fraction `t` of the way to `other`.
    pub fn mix(self, other: Self, t: f32) -> Self {
        let blend = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * t) as u8;
        Self(blend(self.0, other.0), blend(self.1, other.1), blend(self.2, other.2), blend(self.3, other.3))
    }

    fn paint(self) -> Paint<'static> {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(Color::from_rgba8(self.0, self.1, self.2, self.3));
        paint
    }
}

/// A picture being drawn; positions are pixels, x to the right and y down.
pub struct Canvas {
    pixels: Pixmap,
}

impl Canvas {
    /// The width of one character of text at size 1, in pixels.
    pub const CHARACTER: f32 = 8.0;

    /// A picture of `width` by `height` pixels filled with one colour; sides are held to 1 to 16,384.
    pub fn new(width: u32, height: u32, background: Ink) -> Self {
        let side = |pixels: u32| pixels.clamp(1, 16_384);
        let mut pixels = Pixmap::new(side(width), side(height)).expect("sides are in range");
        pixels.fill(Color::from_rgba8(background.0, background.1, background.2, background.3));
        Self { pixels }
    }

    /// Fills a polygon.
    pub fn polygon(&mut self, points: &[Vec2], ink: Ink) {
        if let Some(path) = outline(points, true) {
            self.pixels.fill_path(&path, &ink.paint(), FillRule::Winding, Transform::identity(), None);
        }
    }

    /// Draws a line through points; `closed` joins the last to the first.
    pub fn line(&mut self, points: &[Vec2], closed: bool, width: f32, ink: Ink) {
        if let Some(path) = outline(points, closed) {
            let (line_cap, line_join) = (LineCap::Round, LineJoin::Round);
            let stroke = Stroke { width, line_cap, line_join, ..Stroke::default() };
            self.pixels.stroke_path(&path, &ink.paint(), &stroke, Transform::identity(), None);
        }
    }

    /// Fills a rectangle from its top left corner and size.
    pub fn rectangle(&mut self, corner: Vec2, size: Vec2, ink: Ink) {
        if let Some(rect) = Rect::from_xywh(corner.x, corner.y, size.x, size.y) {
            self.pixels.fill_rect(rect, &ink.paint(), Transform::identity(), None);
        }
    }

    /// Fills a rectangle with corners of `radius` pixels.
    pub fn rounded(&mut self, corner: Vec2, size: Vec2, radius: f32, ink: Ink) {
        let inner = [
            corner + Vec2::splat(radius),
            corner + Vec2::new(size.x - radius, radius),
            corner + size - Vec2::splat(radius),
            corner + Vec2::new(radius, size.y - radius),
        ];
        let discs: Vec<_> = inner.iter().map(|&centre| (centre, radius)).collect();
        self.polygon(&hull(&discs), ink);
    }

    /// Fills a disc.
    pub fn disc(&mut self, centre: Vec2, radius: f32, ink: Ink) {
        if let Some(path) = PathBuilder::from_circle(centre.x, centre.y, radius) {
            self.pixels.fill_path(&path, &ink.paint(), FillRule::Winding, Transform::identity(), None);
        }
    }

    /// Writes text from its top left corner; each character is `8 * size` pixels square.
    pub fn text(&mut self, corner: Vec2, text: &str, size: f32, ink: Ink) {
        let mut paint = ink.paint();
        paint.anti_alias = false;
        for dot in dots_of(text) {
            let place = corner + dot * size;
            if let Some(rect) = Rect::from_xywh(place.x, place.y, size, size) {
                self.pixels.fill_rect(rect, &paint, Transform::identity(), None);
            }
        }
    }

    /// The picture as the bytes of a PNG file.
    pub fn png(&self) -> Vec<u8> {
        self.pixels.encode_png().expect("encoding to memory cannot fail")
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.pixels.width(), self.pixels.height())
    }
}

/// The dots of a text by their top left corners, y down; a dot is 1 by 1, a character 8 by 8.
pub(crate) fn dots_of(text: &str) -> impl Iterator<Item = Vec2> + '_ {
    text.chars().enumerate().flat_map(|(index, character)| {
        let glyph = BASIC_FONTS.get(character).or_else(|| LATIN_FONTS.get(character));
        let rows = glyph.or_else(|| BASIC_FONTS.get('?')).unwrap_or_default();
        let left = index as f32 * Canvas::CHARACTER;
        let dots = (0..64).filter(move |dot| rows[dot / 8] >> (dot % 8) & 1 == 1);
        dots.map(move |dot| Vec2::new(left + (dot % 8) as f32, (dot / 8) as f32))
    })
}

fn outline(points: &[Vec2], closed: bool) -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    path.move_to(first.x, first.y);
    rest.iter().for_each(|point| path.line_to(point.x, point.y));
    if closed {
        path.close();
    }
    path.finish()
}

/// The convex outline around discs given as centre and radius: the silhouette of a limb made of spheres.
pub fn hull(discs: &[(Vec2, f32)]) -> Vec<Vec2> {
    const CORNERS: usize = 20;
    let mut points: Vec<Vec2> = Vec::with_capacity(discs.len() * CORNERS);
    for &(centre, radius) in discs {
        points.extend((0..CORNERS).map(|corner| {
            let (sin, cos) = libm::sincosf(corner as f32 * std::f32::consts::TAU / CORNERS as f32);
            centre + Vec2::new(cos, sin) * radius
        }));
    }
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    // Andrew's monotone chain, lower side then upper side.
    let mut outline: Vec<Vec2> = Vec::new();
    for pass in 0..2 {
        let floor = outline.len() + 1;
        let mut add = |point: Vec2| {
            while outline.len() > floor {
                let (a, b) = (outline[outline.len() - 2], outline[outline.len() - 1]);
                if (b - a).perp_dot(point - b) > 0.0 {
                    break;
                }
                outline.pop();
            }
            outline.push(point);
        };
        if pass == 0 {
            points.iter().copied().for_each(&mut add);
        } else {
            points.iter().rev().skip(1).copied().for_each(&mut add);
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_holds_its_discs_and_nothing_else() {
        let outline = hull(&[(Vec2::ZERO, 1.0), (Vec2::new(4.0, 0.0), 0.5)]);
        let left = outline.iter().map(|p| p.x).fold(f32::MAX, f32::min);
        let right = outline.iter().map(|p| p.x).fold(f32::MIN, f32::max);
        assert!((left + 1.0).abs() < 1e-3 && (right - 4.5).abs() < 0.02, "{left} {right}");
        let area: f32 =
            outline.iter().zip(outline.iter().cycle().skip(1)).map(|(a, b)| a.perp_dot(*b)).sum::<f32>()
                / 2.0;
        assert!(area > 7.0 && area < 8.0, "{area}");
    }

    #[test]
    fn pictures_are_png() {
        let mut canvas = Canvas::new(40, 20, Ink::hex(0xffffff));
        canvas.text(Vec2::splat(2.0), "Aé☃", 1.0, Ink::hex(0));
        assert_eq!(&canvas.png()[1..4], b"PNG");
    }
}
