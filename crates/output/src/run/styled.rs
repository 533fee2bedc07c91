//! Recording a velocity crowd whose bodies play primitive motions.

use super::header::{ClipEntry, Line};
use super::recordable::{Moment, Recordable};
use crowdloom_crowd::diversity::{StyleBook, StyledCrowd, Wishes};
use crowdloom_motion::styles::MotionType;
use crowdloom_motion::{Clip, Skeleton};
use crowdloom_world::Ground;

/// Pairs that overlap by less than this share of the sum of their radii do not count.
const OVERLAP_SHARE: f32 = 0.05;

/// A styled crowd, ready to be recorded: clips are the loops that lead from style to style, states the motion types.
pub struct StyledRecording<'a, W> {
    crowd: &'a mut StyledCrowd<W>,
    lines: Vec<Line>,
}

/// The loops that lead from style to style, as clips.
pub(super) fn loop_entries(book: &StyleBook) -> impl Iterator<Item = ClipEntry> + '_ {
    (0..book.transitions()).map(|number| {
        let transition = book.transition(number);
        ClipEntry { name: transition.name(), labels: transition.labels() }
    })
}

impl<'a, W> StyledRecording<'a, W> {
    /// Looks at a crowd and measures the flow through `lines`.
    pub fn new(crowd: &'a mut StyledCrowd<W>, lines: Vec<Line>) -> Self {
        Self { crowd, lines }
    }
}

impl<W: Wishes> Recordable for StyledRecording<'_, W> {
    fn step(&mut self) {
        self.crowd.step();
    }

    fn frame(&self) -> u32 {
        self.crowd.frame()
    }

    fn count(&self) -> usize {
        self.crowd.crowd().len()
    }

    fn id(&self, index: usize) -> u32 {
        index as u32
    }

    fn moment(&self, index: usize) -> Moment {
        let (number, clip_frame) = self.crowd.playing(index);
        let style = self.crowd.styles().playing()[index].style;
        Moment {
            placement: self.crowd.placement(index),
            speed: self.crowd.speed(index),
            clip: number as u16,
            clip_frame,
            style: style as u8,
            state: self.crowd.styles().book().kind(style) as u8,
        }
    }

    fn about(&self, index: usize) -> String {
        let book = self.crowd.styles().book();
        let style = self.crowd.styles().playing()[index].style;
        let mover = self.crowd.crowd().model(index).name();
        let name = &book.library().primitives()[usize::from(style)].name;
        match book.speed(style) {
            own if own > 0.0 => format!("moved by {mover}; {name}, captured at {own:.2} m/s"),
            _ => format!("moved by {mover}; {name}"),
        }
    }

    fn about_mark(&self, index: usize) -> u64 {
        self.crowd.styles().playing()[index].style.into()
    }

    fn ground(&self) -> &Ground {
        self.crowd.ground()
    }

    fn radius(&self) -> f32 {
        self.crowd.crowd().radii().iter().copied().fold(0.1, f32::max)
    }

    fn skeleton(&self) -> &Skeleton {
        self.crowd.styles().book().library().skeleton()
    }

    fn clips(&self) -> Vec<ClipEntry> {
        loop_entries(self.crowd.styles().book()).collect()
    }

    fn clip(&self, number: u16) -> Clip {
        self.crowd.styles().book().played(usize::from(number)).clip.clone()
    }

    fn styles(&self) -> Vec<String> {
        let library = self.crowd.styles().book().library();
        library.primitives().iter().map(|primitive| primitive.name.clone()).collect()
    }

    fn states(&self) -> Vec<String> {
        MotionType::ALL.map(|kind| kind.name().to_owned()).to_vec()
    }

    fn lines(&self) -> Vec<Line> {
        self.lines.clone()
    }

    fn overlaps(&self) -> Option<usize> {
        Some(self.crowd.crowd().overlaps(OVERLAP_SHARE).0)
    }
}
