//! What crowds look up about styles.

use crowdloom_motion::body::{Body, Side};
use crowdloom_motion::styles::{MotionType, Pace, Start, StyleLibrary, StyleTable, Transition};
use crowdloom_motion::{Clip, Contacts, FRAME_RATE, JointFrames, Placement, Skeleton, heel_offset};
use glam::{Vec2, Vec3};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// One foot in one frame of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootMoment {
    /// The ball of the foot as seen from somebody who moves evenly along the way, in metres.
    pub ball: Vec2,
    /// From the heel to the ball over the ground as seen by the same, in metres.
    pub arch: Vec2,
    /// Metres that the lowest of heel and ball is above where it stands.
    pub above: f32,
    /// The hip joint as seen from the root, z over the ground, in metres.
    pub hip: Vec3,
    /// The ankle as seen from the ball, z over the ground, in metres.
    pub ankle: Vec3,
    /// Frames until it bears weight; 0 while it does.
    pub lands_in: f32,
    /// Which of heel and ball bear weight, as of a left foot.
    pub contacts: Contacts,
}

/// A loop that leads from one style to another, ready to be played.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The motion.
    pub clip: Clip,
    /// Root placement in each frame as seen from somebody who moves evenly along the way.
    pub sway: Vec<Placement>,
    /// The farthest that this is from there, in metres.
    pub most_sway: f32,
    /// Metres that it covers in a second at its own pace.
    pub speed: f32,
    /// Where the left and the right foot are in the middle of their stances, as seen by the same.
    pub neutral: [Vec2; 2],
    /// Left and right foot in each frame.
    feet: Vec<[FootMoment; 2]>,
}

impl Loop {
    /// The root as seen from the agent's place and heading, in a frame with its fraction.
    pub fn sway_at(&self, frame: f32) -> Placement {
        let last = self.sway.len() - 1;
        let before = (frame.max(0.0) as usize).min(last);
        self.sway[before].lerp(self.sway[(before + 1).min(last)], frame - before as f32)
    }

    /// The height of the root in a frame with its fraction, in metres.
    pub fn height_at(&self, frame: f32) -> f32 {
        let heights = &self.clip.root_heights;
        let last = heights.len() - 1;
        let before = (frame.max(0.0) as usize).min(last);
        let (a, b) = (heights[before], heights[(before + 1).min(last)]);
        a + (b - a) * (frame - before as f32).clamp(0.0, 1.0)
    }

    /// A foot (0 is the left) in a frame with its fraction.
    #[inline]
    pub fn foot_at(&self, side: usize, frame: f32) -> FootMoment {
        let last = self.feet.len() - 1;
        let before = (frame.max(0.0) as usize).min(last);
        let (a, b) = (&self.feet[before][side], &self.feet[(before + 1).min(last)][side]);
        let t = (frame - before as f32).clamp(0.0, 1.0);
        FootMoment {
            ball: a.ball.lerp(b.ball, t),
            arch: a.arch.lerp(b.arch, t),
            above: a.above + (b.above - a.above) * t,
            hip: a.hip.lerp(b.hip, t),
            ankle: a.ankle.lerp(b.ankle, t),
            lands_in: (a.lands_in - t).max(0.0),
            contacts: a.contacts,
        }
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
            let transition = self.transition(number);
            let (mut clip, sway) = transition.bake(self.library.skeleton());
            let pace = self.paces[number];
            let speed = pace.way / pace.frames * FRAME_RATE;
            let mut contacts: Vec<Contacts> =
                (0..clip.frames()).map(|frame| transition.contacts(frame)).collect();
            let (feet, neutral) = feet(self.library.skeleton(), &clip, &sway, &mut contacts);
            clip.contacts.iter_mut().zip(contacts).for_each(|(own, held)| own.0 &= held.0);
            let most_sway = sway.iter().map(|sway| sway.position.length()).fold(0.0, f32::max);
            Box::new(Loop { clip, sway, most_sway, speed, neutral, feet })
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

/// A heel or ball of a foot that stands is not higher than this, in metres.
const ON_GROUND: f32 = 0.006;

/// Both feet in each frame of a clip, and where they are in the middle of their stances.
fn feet(
    skeleton: &Skeleton,
    clip: &Clip,
    sway: &[Placement],
    contacts: &mut [Contacts],
) -> (Vec<[FootMoment; 2]>, [Vec2; 2]) {
    let mut feet = vec![[FootMoment::default(); 2]; clip.frames()];
    let mut neutral = [Vec2::ZERO; 2];
    let body = Body::guess(skeleton);
    let joints: Vec<JointFrames> =
        (0..clip.frames()).map(|frame| clip.pose(frame).joints(skeleton, Placement::IDENTITY)).collect();
    for (side, neutral) in Side::BOTH.into_iter().zip(&mut neutral) {
        let Some(leg) = body.leg(side) else { continue };
        let own = |contacts: Contacts| match side {
            Side::Left => contacts.of_left(),
            Side::Right => contacts.mirrored().of_left(),
        };
        let heel = |joints: &JointFrames| {
            joints.positions[leg.ankle] + joints.orientations[leg.ankle] * heel_offset(skeleton, leg.ankle)
        };
        let level = |part: Contacts, height: &dyn Fn(&JointFrames) -> f32| {
            let stands = joints.iter().zip(&*contacts).filter(|(_, contacts)| own(**contacts).touches(part));
            let lowest = stands.map(|(joints, _)| height(joints)).fold(f32::INFINITY, f32::min);
            let any = joints.iter().map(height).fold(f32::INFINITY, f32::min);
            if lowest.is_finite() { lowest } else { any }
        };
        let ball_level = level(Contacts::LEFT_TOE, &|joints| joints.positions[leg.ball].z);
        let heel_level = level(Contacts::LEFT_HEEL, &|joints| heel(joints).z);
        // Of a foot that rolls only the part counts that is on the ground.
        for (joints, contacts) in joints.iter().zip(&mut *contacts) {
            let up = (heel(joints).z - heel_level, joints.positions[leg.ball].z - ball_level);
            let lifted = match own(*contacts) {
                Contacts::LEFT if up.0 > ON_GROUND && up.0 > up.1 => Contacts::LEFT_HEEL,
                Contacts::LEFT if up.1 > ON_GROUND => Contacts::LEFT_TOE,
                _ => continue,
            };
            contacts.0 &= !if side == Side::Left { lifted } else { lifted.mirrored() }.0;
        }
        let (mut sum, mut stands) = (Vec2::ZERO, 0);
        for (frame, joints) in joints.iter().enumerate() {
            let (ball, heel) = (joints.positions[leg.ball], heel(joints));
            let ankle = joints.positions[leg.ankle];
            let contacts = own(contacts[frame]);
            let place = sway[frame].transform_point(ball.truncate());
            feet[frame][side as usize] = FootMoment {
                ball: place,
                arch: sway[frame].facing().rotate((ball - heel).truncate()),
                above: (ball.z - ball_level).min(heel.z - heel_level).max(0.0),
                hip: joints.positions[leg.hip],
                ankle: (ankle - ball).with_z(ankle.z),
                lands_in: 0.0,
                contacts,
            };
            if contacts != Contacts::default() {
                (sum, stands) = (sum + place, stands + 1);
            }
        }
        *neutral = sum / stands.max(1) as f32;
        // The loop goes on where it began.
        let mut lands_in = 0.0;
        for frame in (0..clip.frames()).rev().chain((0..clip.frames()).rev()) {
            let foot = &mut feet[frame][side as usize];
            lands_in = if foot.contacts == Contacts::default() { lands_in + 1.0 } else { 0.0 };
            foot.lands_in = lands_in;
        }
    }
    (feet, neutral)
}
