//! What crowds look up about styles.

use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::styles::{MotionType, Pace, Start, StyleLibrary, StyleTable, Transition};
use crowdloom_motion::{Clip, Contacts, Placement, Skeleton};
use glam::Vec2;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// A loop that leads from one style to another, ready to be played.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The motion.
    pub clip: Clip,
    /// Root placement in each frame as seen from somebody who moves evenly along the way.
    pub sway: Vec<Placement>,
    /// Where the feet are planted in each frame, as seen from the agent's place and heading, in metres; the middle of
    /// both, and the agent's own place where none is.
    pub pivots: Vec<Vec2>,
}

impl Loop {
    /// The root as seen from the agent's place and heading, in a frame with its fraction.
    pub fn sway_at(&self, frame: f32) -> Placement {
        let last = self.sway.len() - 1;
        let before = (frame.max(0.0) as usize).min(last);
        self.sway[before].lerp(self.sway[(before + 1).min(last)], frame - before as f32)
    }
}

/// A style library with the pace of every transition.
#[derive(Clone, Debug)]
pub struct StyleBook {
    library: Arc<StyleLibrary>,
    kinds: Vec<MotionType>,
    speeds: Vec<f32>,
    /// By style left, style entered and start.
    paces: Vec<Pace>,
    /// Frames of a style from the right foot's stance to the left's.
    halves: Vec<f32>,
    /// Loops that have been asked for.
    loops: Vec<OnceLock<Box<Loop>>>,
    first: [u16; 4],
    /// One over the mean difference of two styles of each type.
    scales: [f32; 4],
}

impl StyleBook {
    /// Measures all transitions of a library.
    pub fn new(library: Arc<StyleLibrary>) -> Self {
        let primitives = library.primitives();
        let paces: Vec<Pace> = (0..primitives.len() * primitives.len())
            .into_par_iter()
            .flat_map_iter(|pair| {
                let (from, to) = (&primitives[pair / primitives.len()], &primitives[pair % primitives.len()]);
                (0..Start::COUNT as u8).map(move |start| Transition { from, to, start: Start(start) }.pace())
            })
            .collect();
        let scale = |kind: MotionType| {
            let mean = library.table(kind).mean_variation();
            if mean > 0.0 { 1.0 / mean } else { 1.0 }
        };
        Self {
            kinds: primitives.iter().map(|primitive| primitive.kind).collect(),
            speeds: primitives.iter().map(|primitive| primitive.speed).collect(),
            halves: primitives.iter().map(|primitive| f32::from(primitive.half)).collect(),
            loops: paces.iter().map(|_| OnceLock::new()).collect(),
            paces,
            first: MotionType::ALL.map(|kind| library.styles(kind).start as u16),
            scales: MotionType::ALL.map(scale),
            library,
        }
    }

    /// The styles themselves.
    pub fn library(&self) -> &Arc<StyleLibrary> {
        &self.library
    }

    /// The number of styles.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no style.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The type of a style.
    #[inline]
    pub fn kind(&self, style: u16) -> MotionType {
        self.kinds[usize::from(style)]
    }

    /// A style's own speed in metres a second.
    #[inline]
    pub fn speed(&self, style: u16) -> f32 {
        self.speeds[usize::from(style)]
    }

    /// The number of a type's first style.
    #[inline]
    pub fn first(&self, kind: MotionType) -> u16 {
        self.first[kind as usize]
    }

    /// The tables of a type.
    #[inline]
    pub fn table(&self, kind: MotionType) -> &StyleTable {
        self.library.table(kind)
    }

    /// One over the mean difference of two styles of a type.
    #[inline]
    pub(super) fn scale(&self, kind: MotionType) -> f32 {
        self.scales[kind as usize]
    }

    /// Length and way of the loop that leads from a style to another.
    #[inline]
    pub fn pace(&self, from: u16, to: u16, start: Start) -> Pace {
        self.paces[self.number(from, to, start)]
    }

    /// The number of a loop among all: what runs record as the clip.
    #[inline]
    pub fn number(&self, from: u16, to: u16, start: Start) -> usize {
        (usize::from(from) * self.len() + usize::from(to)) * Start::COUNT + usize::from(start.0)
    }

    /// The loop of a number.
    pub fn transition(&self, number: usize) -> Transition<'_> {
        let (pair, start) = (number / Start::COUNT, Start((number % Start::COUNT) as u8));
        let primitives = self.library.primitives();
        let last = primitives.len() - 1;
        let (from, to) = ((pair / primitives.len()).min(last), pair % primitives.len());
        Transition { from: &primitives[from], to: &primitives[to], start }
    }

    /// The loop of a number, made when it is first asked for.
    pub fn played(&self, number: usize) -> &Loop {
        self.loops[number].get_or_init(|| {
            let (clip, sway) = self.transition(number).bake(self.library.skeleton());
            let pivots = pivots(self.library.skeleton(), &clip, &sway);
            Box::new(Loop { clip, sway, pivots })
        })
    }

    /// Frames from the start of a style's loop to the stance of the other foot.
    #[inline]
    pub(super) fn half(&self, style: u16, start: Start, frames: f32) -> f32 {
        let half = self.halves[usize::from(style)];
        if start == Start::LEFT { frames - half } else { half }
    }

    /// The number of loops.
    pub fn transitions(&self) -> usize {
        self.paces.len()
    }

    /// How much two styles of one type differ.
    #[inline]
    pub fn variation(&self, a: u16, b: u16) -> f32 {
        let kind = self.kind(a);
        let first = self.first(kind);
        self.table(kind).variation(usize::from(a - first), usize::from(b - first))
    }
}

/// Where the feet of a clip are planted in each frame.
fn pivots(skeleton: &Skeleton, clip: &Clip, sway: &[Placement]) -> Vec<Vec2> {
    let body = Body::guess(skeleton);
    let legs = Side::BOTH.into_iter().filter_map(|side| {
        let foot = if side == Side::Left { Contacts::LEFT } else { Contacts::RIGHT };
        Some((foot, body.leg(side)?.ball))
    });
    let legs: Vec<(Contacts, usize)> = legs.collect();
    let planted = |frame: usize| {
        let joints = clip.pose(frame).joints(skeleton, sway[frame]);
        let feet = legs.iter().filter(|(foot, _)| clip.contacts[frame].touches(*foot));
        let (sum, count) = feet.fold((Vec2::ZERO, 0), |(sum, count), (_, ball)| {
            (sum + joints.positions[*ball].truncate(), count + 1)
        });
        sum / count.max(1) as f32
    };
    (0..clip.frames()).map(planted).collect()
}
