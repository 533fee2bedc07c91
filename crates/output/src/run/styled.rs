//! Recording a velocity crowd whose bodies play primitive motions.

use super::header::ClipEntry;
use super::recordable::{Moment, Recordable};
use crowdloom_crowd::diversity::{StyledCrowd, Wishes};
use crowdloom_motion::styles::MotionType;
use crowdloom_motion::{Clip, Skeleton};
use crowdloom_world::Ground;

/// Pairs that overlap by less than this share of the sum of their radii do not count.
const OVERLAP_SHARE: f32 = 0.05;

/// A styled crowd, ready to be recorded: clips are the loops that lead from style to style, states the motion types.
pub struct StyledRecording<'a, W>(pub &'a mut StyledCrowd<W>);

impl<W: Wishes> Recordable for StyledRecording<'_, W> {
    fn step(&mut self) {
        self.0.step();
    }

    fn frame(&self) -> u32 {
        self.0.frame()
    }

    fn count(&self) -> usize {
        self.0.crowd().len()
    }

    fn id(&self, index: usize) -> u32 {
        index as u32
    }

    fn moment(&self, index: usize) -> Moment {
        let (number, clip_frame) = self.0.playing(index);
        let style = self.0.styles().playing()[index].style;
        Moment {
            placement: self.0.placement(index),
            speed: self.0.speed(index),
            clip: number as u16,
            clip_frame,
            style: style as u8,
            state: self.0.styles().book().kind(style) as u8,
        }
    }

    fn about(&self, index: usize) -> String {
        let book = self.0.styles().book();
        let style = self.0.styles().playing()[index].style;
        let mover = self.0.crowd().model(index).name();
        let name = &book.library().primitives()[usize::from(style)].name;
        match book.speed(style) {
            own if own > 0.0 => format!("moved by {mover}; {name}, captured at {own:.2} m/s"),
            _ => format!("moved by {mover}; {name}"),
        }
    }

    fn about_mark(&self, index: usize) -> u64 {
        self.0.styles().playing()[index].style.into()
    }

    fn ground(&self) -> &Ground {
        self.0.ground()
    }

    fn radius(&self) -> f32 {
        self.0.crowd().radii().iter().copied().fold(0.1, f32::max)
    }

    fn skeleton(&self) -> &Skeleton {
        self.0.styles().book().library().skeleton()
    }

    fn clips(&self) -> Vec<ClipEntry> {
        let book = self.0.styles().book();
        let entry = |number: usize| {
            let transition = book.transition(number);
            ClipEntry { name: transition.name(), labels: transition.labels() }
        };
        (0..book.transitions()).map(entry).collect()
    }

    fn clip(&self, number: u16) -> Clip {
        self.0.styles().book().played(usize::from(number)).clip.clone()
    }

    fn styles(&self) -> Vec<String> {
        let library = self.0.styles().book().library();
        library.primitives().iter().map(|primitive| primitive.name.clone()).collect()
    }

    fn states(&self) -> Vec<String> {
        MotionType::ALL.map(|kind| kind.name().to_owned()).to_vec()
    }

    fn overlaps(&self) -> Option<usize> {
        Some(self.0.crowd().overlaps(OVERLAP_SHARE).0)
    }
}
