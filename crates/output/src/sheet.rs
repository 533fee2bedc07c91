//! Motion sheets: a clip as a film strip from the side and from above, a library as a catalogue of them.

use crate::canvas::{Canvas, Ink, hull};
use crate::figure::{self, Palette, View};
use crowdloom_motion::{Clip, Contacts, JointFrames, Library, Placement, Skeleton};
use glam::{Vec2, Vec3};

const PAPER: Ink = Ink::hex(0xe9e5dc);
const CARD: Ink = Ink::hex(0xf9f7f2);
const INK: Ink = Ink::hex(0x262f3d);
const FAINT: Ink = Ink::hex(0x8b8f98);
const GROUND: Ink = Ink::hex(0xb9b2a3);

/// How cards are laid out, in pixels.
#[derive(Clone, Copy, Debug)]
struct Layout {
    width: f32,
    header: f32,
    /// Pixels for a metre in the view from the side.
    scale: f32,
    /// Height of the strip above the ground line.
    strip: f32,
    /// Size of the view from above.
    plan: Vec2,
    /// Whether that view is under the strip instead of at its right.
    below: bool,
    figures: usize,
    text: f32,
}

const SMALL: Layout = Layout {
    width: 700.0,
    header: 44.0,
    scale: 66.0,
    strip: 148.0,
    plan: Vec2::new(150.0, 176.0),
    below: false,
    figures: 8,
    text: 1.0,
};

const LARGE: Layout = Layout {
    width: 1640.0,
    header: 56.0,
    scale: 132.0,
    strip: 300.0,
    plan: Vec2::new(1600.0, 300.0),
    below: true,
    figures: 12,
    text: 2.0,
};

const GAP: f32 = 14.0;
const TITLE: f32 = 58.0;

impl Layout {
    fn chart(self) -> f32 {
        26.0 * self.text
    }

    fn height(self) -> f32 {
        let plan = if self.below { self.plan.y + GAP } else { 0.0 };
        self.header + self.strip + self.chart() + plan + 10.0
    }
}

/// One clip as a large strip.
pub fn clip_sheet(skeleton: &Skeleton, clip: &Clip) -> Canvas {
    let size = Vec2::new(LARGE.width, LARGE.height()) + Vec2::splat(2.0 * GAP);
    let mut canvas = Canvas::new(size.x as u32, size.y as u32, PAPER);
    card(&mut canvas, skeleton, clip, Vec2::splat(GAP), LARGE);
    canvas
}

/// Clips as pages of cards in two columns, `rows` to a page, each page headed by `title`.
pub fn catalogue(library: &Library, clips: &[&Clip], title: &str, rows: usize) -> Vec<Canvas> {
    let columns = 2;
    let per_page = (rows.clamp(1, 60)) * columns;
    let pages = clips.len().div_ceil(per_page).max(1);
    let mut sheets = Vec::with_capacity(pages);
    for (page, clips) in clips.chunks(per_page).enumerate() {
        let rows = clips.len().div_ceil(columns);
        let width = columns as f32 * (SMALL.width + GAP) + GAP;
        let height = TITLE + rows as f32 * (SMALL.height() + GAP) + GAP;
        let mut canvas = Canvas::new(width as u32, height as u32, PAPER);
        canvas.text(Vec2::new(GAP + 4.0, 14.0), title, 2.0, INK);
        let note = format!("page {} of {pages} - {} clips", page + 1, clips.len());
        canvas.text(Vec2::new(GAP + 4.0, 38.0), &note, 1.0, FAINT);
        legend(&mut canvas, Vec2::new(width - GAP - 420.0, 22.0));
        for (index, clip) in clips.iter().enumerate() {
            let cell = Vec2::new((index % columns) as f32, (index / columns) as f32);
            let corner =
                Vec2::new(GAP, TITLE + GAP * 0.5) + cell * Vec2::new(SMALL.width + GAP, SMALL.height() + GAP);
            card(&mut canvas, &library.skeleton, clip, corner, SMALL);
        }
        sheets.push(canvas);
    }
    sheets
}

/// What the colours and bars mean.
fn legend(canvas: &mut Canvas, corner: Vec2) {
    let palette = Palette::default();
    for (index, (ink, text)) in [(palette.left, "left"), (palette.right, "right")].into_iter().enumerate() {
        let at = corner + Vec2::new(index as f32 * 80.0, 0.0);
        canvas.rounded(at, Vec2::new(16.0, 8.0), 3.0, ink);
        canvas.text(at + Vec2::new(22.0, 0.0), text, 1.0, INK);
    }
    canvas.text(corner + Vec2::new(170.0, 0.0), "bars: heel, ball on the ground", 1.0, INK);
}

/// Draws one clip on a card.
fn card(canvas: &mut Canvas, skeleton: &Skeleton, clip: &Clip, corner: Vec2, layout: Layout) {
    canvas.rounded(corner, Vec2::new(layout.width, layout.height()), 8.0, CARD);
    heading(canvas, clip, corner, layout);
    if clip.frames() == 0 || clip.joint_count() != skeleton.len() {
        return;
    }
    let plan_width = if layout.below { 0.0 } else { layout.plan.x + GAP };
    let left = corner.x + 10.0;
    let right = corner.x + layout.width - 10.0 - plan_width;
    let ground = corner.y + layout.header + layout.strip;
    canvas.rectangle(Vec2::new(left, ground), Vec2::new(right - left, 1.5 * layout.text), GROUND);

    // Who stays in place is seen a little from the front, where the arms show.
    let stays = clip.track.iter().all(|placement| placement.position.length() < 0.45);
    let view = if stays { View::Oblique } else { View::Side };
    let widest = (0..clip.frames())
        .step_by(4)
        .map(|frame| extent(&clip.joints(skeleton, frame, Placement::IDENTITY), view))
        .fold(0.0, f32::max);
    let room = ((right - left) / ((widest + 0.12) * layout.scale)) as usize;
    let shown = shown_frames(clip, layout.figures.min(room.max(3)));
    let step = (right - left) / shown.len() as f32;
    for (index, &frame) in shown.iter().enumerate() {
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        let middle = centre(&joints, view);
        let paper = Vec2::new(left + (index as f32 + 0.5) * step, ground);
        shadow(canvas, skeleton, &joints, view, (middle, paper, layout.scale));
        let place = (Vec3::ZERO, paper - Vec2::X * middle * layout.scale, layout.scale);
        figure::draw(canvas, skeleton, &joints, view, place, &Palette::default());
    }
    contact_chart(canvas, clip, &shown, (left, right, ground + 6.0 * layout.text), layout);
    let plan_corner = if layout.below {
        Vec2::new(corner.x + 20.0, ground + layout.chart() + GAP)
    } else {
        Vec2::new(right + GAP, corner.y + 12.0)
    };
    plan(canvas, skeleton, clip, plan_corner, layout);
}

fn heading(canvas: &mut Canvas, clip: &Clip, corner: Vec2, layout: Layout) {
    let text = layout.text;
    let line = Canvas::CHARACTER * text;
    canvas.text(corner + Vec2::splat(10.0), &clip.name, text.max(1.0) + 1.0, INK);
    let seconds = clip.seconds();
    let travel: f32 = clip.track.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum();
    let speed = if seconds > 0.0 { travel / seconds } else { 0.0 };
    let turn = libm::roundf(clip.displacement().heading.to_degrees()) as i32;
    let facts = format!("{seconds:.2} s  {speed:.2} m/s  {turn:+} deg");
    let ends = clip.ends.as_ref().map_or(String::new(), |ends| format!("{} > {}", ends.from, ends.to));
    if layout.below {
        let facts = format!("{ends}   {facts}");
        let width = facts.chars().count() as f32 * line;
        canvas.text(Vec2::new(corner.x + layout.width - 14.0 - width, corner.y + 16.0), &facts, text, FAINT);
    } else {
        canvas.text(corner + Vec2::new(10.0, 31.0), &format!("{facts}   {ends}"), text, FAINT);
    }
}

/// The frames of the strip: evenly spread, the first and the last among them.
fn shown_frames(clip: &Clip, figures: usize) -> Vec<usize> {
    let last = clip.frames() - 1;
    let count = figures.min(last + 1).max(1);
    (0..count).map(|index| (index * last).checked_div(count - 1).unwrap_or(0)).collect()
}

/// From where to where the figure goes along the paper, in metres.
fn span(joints: &JointFrames, view: View) -> (f32, f32) {
    let across = joints.positions.iter().map(|point| view.project(*point).x);
    across.fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)))
}

fn extent(joints: &JointFrames, view: View) -> f32 {
    let (low, high) = span(joints, view);
    high - low
}

/// The middle, along the paper, of what the figure fills.
fn centre(joints: &JointFrames, view: View) -> f32 {
    let (low, high) = span(joints, view);
    if high - low > 1.0 {
        return (low + high) * 0.5;
    }
    view.project(joints.positions[0]).x * 0.5 + (low + high) * 0.25
}

/// A soft shadow on the ground line under the feet and the body.
fn shadow(
    canvas: &mut Canvas,
    skeleton: &Skeleton,
    joints: &JointFrames,
    view: View,
    place: (f32, Vec2, f32),
) {
    let (middle, paper, scale) = place;
    let tips = (0..skeleton.len()).map(|joint| view.project(joints.tip(skeleton, joint)).x);
    let low = tips.clone().fold(f32::MAX, f32::min).max(middle - 0.8);
    let high = tips.fold(f32::MIN, f32::max).min(middle + 0.8);
    for (grow, alpha) in [(0.06, 0.10), (-0.02, 0.10)] {
        let at = |x: f32| paper + Vec2::new((x - middle) * scale, 0.006 * scale);
        let ends = [(at(low - grow), 0.018 * scale), (at(high + grow), 0.018 * scale)];
        canvas.polygon(&hull(&ends), INK.fade(alpha));
    }
}

/// Bars over the length of the clip where a foot bears weight, ticks at the frames shown.
fn contact_chart(
    canvas: &mut Canvas,
    clip: &Clip,
    shown: &[usize],
    (left, right, top): (f32, f32, f32),
    layout: Layout,
) {
    let palette = Palette::default();
    let step = (right - left) / shown.len() as f32;
    let (from, to) = (left + step * 0.5, right - step * 0.5);
    let last = (clip.frames() - 1).max(1) as f32;
    let at = |frame: f32| from + (to - from) * frame / last;
    let row = 7.0 * layout.text;
    for &frame in shown {
        let x = at(frame as f32);
        canvas.line(&[Vec2::new(x, top), Vec2::new(x, top + 2.0 * row)], false, 0.8, GROUND);
    }
    let rows = [
        (Contacts::LEFT_HEEL, Contacts::LEFT_TOE, palette.left),
        (Contacts::RIGHT_HEEL, Contacts::RIGHT_TOE, palette.right),
    ];
    for (index, (heel, toe, ink)) in rows.into_iter().enumerate() {
        let y = top + index as f32 * row;
        for (frame, contacts) in clip.contacts.iter().enumerate() {
            let x0 = at((frame as f32 - 0.5).max(0.0));
            let x1 = at((frame as f32 + 0.5).min(last));
            // The heel is the upper half of the bar and the toe the lower.
            for (part, offset) in [(heel, 0.0), (toe, 0.42 * row)] {
                if contacts.touches(part) {
                    let size = Vec2::new(x1 - x0 + 0.3, 0.38 * row);
                    canvas.rectangle(Vec2::new(x0, y + offset + 1.0), size, ink);
                }
            }
        }
    }
}

/// The clip from above: track, footprints and the body at its first and last frame.
fn plan(canvas: &mut Canvas, skeleton: &Skeleton, clip: &Clip, corner: Vec2, layout: Layout) {
    canvas.rounded(corner, layout.plan, 6.0, Ink::hex(0xf0ece3));
    let points: Vec<Vec2> =
        clip.track.iter().map(|placement| View::Above.project(placement.position.extend(0.0))).collect();
    let reach = Vec2::splat(clip.radii.iter().copied().fold(0.0, f32::max).max(0.5) + 0.05);
    let low = points.iter().fold(Vec2::splat(f32::MAX), |a, b| a.min(*b)) - reach;
    let high = points.iter().fold(Vec2::splat(f32::MIN), |a, b| a.max(*b)) + reach;
    let largest = if layout.below { 230.0 } else { 85.0 };
    let scale = ((layout.plan - Vec2::splat(8.0)) / (high - low)).min_element().min(largest);
    let paper = corner + layout.plan * 0.5 - (low + high) * 0.5 * scale;
    let palette = Palette::default();
    footprints(canvas, skeleton, clip, (paper, scale), &palette);
    let path: Vec<Vec2> = points.iter().map(|point| paper + *point * scale).collect();
    canvas.line(&path, false, 1.4 * layout.text, INK.fade(0.55));
    let bodies = [0, clip.frames() - 1];
    let mut drawn: Option<Vec2> = None;
    for frame in bodies {
        let here = clip.track[frame].position;
        if drawn.is_some_and(|before| before.distance(here) < 0.45) {
            continue;
        }
        drawn = Some(here);
        let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
        figure::draw(canvas, skeleton, &joints, View::Above, (Vec3::ZERO, paper, scale), &palette);
    }
    arrow(canvas, clip, (paper, scale));
}

fn footprints(
    canvas: &mut Canvas,
    skeleton: &Skeleton,
    clip: &Clip,
    (paper, scale): (Vec2, f32),
    palette: &Palette,
) {
    for (side, flat, ink) in
        [("Left", Contacts::LEFT, palette.left), ("Right", Contacts::RIGHT, palette.right)]
    {
        let (Some(foot), Some(toe)) =
            (skeleton.find(&format!("{side}Foot")), skeleton.find(&format!("{side}ToeBase")))
        else {
            continue;
        };
        let mut previous: Option<Vec3> = None;
        for frame in 0..clip.frames() {
            if clip.contacts[frame].0 & flat.0 != flat.0 {
                continue;
            }
            let joints = clip.joints(skeleton, frame, Placement::IDENTITY);
            let ball = joints.positions[toe];
            if previous.is_some_and(|before| before.distance(ball) < 0.04) {
                continue;
            }
            previous = Some(ball);
            let heel = joints.positions[foot]
                + joints.orientations[foot] * crowdloom_motion::heel_offset(skeleton, foot);
            let tip = joints.tip(skeleton, toe);
            let at = |point: Vec3| paper + View::Above.project(point) * scale;
            let sole = hull(&[(at(heel), 0.03 * scale), (at(heel.lerp(ball, 0.4)), 0.028 * scale)]);
            let toes = hull(&[(at(ball), 0.045 * scale), (at(tip), 0.03 * scale)]);
            for outline in [sole, toes] {
                canvas.polygon(&outline, ink.mix(CARD, 0.35).fade(0.8));
                canvas.line(&outline, true, 1.0, ink);
            }
        }
    }
}

/// An arrow head where the clip ends, pointing where the body faces.
fn arrow(canvas: &mut Canvas, clip: &Clip, (paper, scale): (Vec2, f32)) {
    let end = clip.displacement();
    let tip = end.transform_point(Vec2::new(0.48, 0.0));
    let wings = [end.transform_point(Vec2::new(0.36, 0.07)), end.transform_point(Vec2::new(0.36, -0.07))];
    let at = |point: Vec2| paper + View::Above.project(point.extend(0.0)) * scale;
    canvas.polygon(&[at(tip), at(wings[0]), at(wings[1])], INK);
}
