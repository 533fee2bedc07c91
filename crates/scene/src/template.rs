//! Somebody of a table of people, drawn from what its people have in common.

use crowdloom_bodies::Build;
use crowdloom_crowd::random::Random;
use crowdloom_crowd::{Crowd, Errand, Mind, Newcomer, Profile, Reaction, Sex, Spread};
use crowdloom_motion::FRAME_RATE;

/// The middle of the speeds that people like of whom nothing is told, in metres a second.
const USUAL_SPEED: f32 = 1.35;
/// Who is steered can go this many times as fast as it likes to …
const HASTE: f32 = 1.3;
/// … and at least so fast, in metres a second.
const LEAST_TOP_SPEED: f32 = 1.8;

/// What the people of a table have in common, from which each is drawn.
#[derive(Clone, Debug)]
pub struct Template {
    pub(crate) mover: crowdloom_crowd::Mover,
    pub(crate) errand: Errand,
    /// Regions of the tour that it is on.
    pub(crate) tour: usize,
    pub(crate) stop: Option<u16>,
    pub(crate) wanders: bool,
    pub(crate) pre_movement: Spread,
    pub(crate) speed: Spread,
    /// The share that is in a hurry.
    pub(crate) hurry: f32,
    pub(crate) top_speed: Option<Spread>,
    pub(crate) radius: Option<Spread>,
    /// How the old and the young among them walk.
    pub(crate) gaits: Gaits,
    /// The least radius of their discs in metres, by what they push or sit in.
    pub(crate) room: f32,
    /// Whether the speed they like follows from body and age.
    pub(crate) by_body: bool,
    pub(crate) women: Option<f32>,
    pub(crate) age: Option<Spread>,
    pub(crate) height: Option<Spread>,
    pub(crate) mass: Option<Spread>,
    pub(crate) motion: u16,
    pub(crate) favours: u8,
    pub(crate) costume: u16,
    /// What they are called, by number, and what they do about others.
    pub(crate) called: u16,
    pub(crate) reaction: Option<Reaction>,
}

impl Template {
    /// Somebody of the table who appears in `frame`.
    pub fn draw(&self, frame: u32, random: &mut Random) -> Newcomer {
        let drawn = self.speed.draw(random);
        let errand = match self.errand {
            Errand::Tour { tour, .. } => {
                Errand::Tour { tour, next: random.below(self.tour.max(1) as u32) as u16 }
            }
            errand => errand,
        };
        let mut draw = |spread: &Option<Spread>| spread.map(|spread| spread.draw(random));
        let (age, height, mass) = (draw(&self.age), draw(&self.height), draw(&self.mass));
        let (top_speed, radius) = (draw(&self.top_speed), draw(&self.radius));
        let sex = self.women.map(|women| if random.unit() < women { Sex::Female } else { Sex::Male });
        // How tall children are says how they walk; of the grown it is left to how they look.
        let height = height.or_else(|| {
            let years = age.filter(|years| *years < CHILD)?;
            let usual =
                Build { woman: sex.map(|sex| sex == Sex::Female), age: Some(years), ..Build::default() };
            Some(usual.tall() * (1.0 + CHILDREN_DIFFER * random.normal().clamp(-2.5, 2.5)))
        });
        let build = Build { woman: sex.map(|sex| sex == Sex::Female), age, height, mass };
        // What was drawn for anybody says by how much this one is quicker than most like it.
        let speed = if self.by_body { build.walks_at() * drawn / USUAL_SPEED } else { drawn };
        let by_body = height.or(mass).or(age).map(|_| build.radius());
        let profile = Profile {
            age,
            height,
            mass,
            top_speed: top_speed.unwrap_or((HASTE * speed).max(LEAST_TOP_SPEED)),
            radius: radius.or(by_body).unwrap_or(Profile::default().radius).max(self.room),
            sex,
            favours: self.favours,
            motion: self.motion,
            looks: None,
            size: 1.0,
            costume: self.costume,
        };
        let waits = (self.pre_movement.draw(random) * FRAME_RATE) as u32;
        let hurries = self.hurry > 0.0 && random.unit() < self.hurry;
        let mind = Mind {
            speed,
            hurries,
            errand,
            wanders: self.wanders,
            called: self.called,
            reaction: self.reaction,
            bound_for: self.stop,
            stays_until: frame + waits,
            style: age.and_then(|age| self.gaits.of(age)),
            ..Mind::default()
        };
        Newcomer { mover: self.mover, profile, mind, ..Newcomer::default() }
    }
}

/// Years up to which people are children, and the deviation of their heights in parts of what is usual at their age.
pub(crate) const CHILD: f32 = 13.0;
const CHILDREN_DIFFER: f32 = 0.045;

/// Nodes of the motion graph in whose style the old and the young walk, where it has them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gaits {
    old: Option<u16>,
    young: Option<u16>,
}

/// Years from which on people walk bent, and up to which they skip along.
const OLD: f32 = 85.0;
const YOUNG: f32 = 8.0;

impl Gaits {
    pub(crate) fn of_graph(wanted: bool, crowd: &Crowd) -> Self {
        let graph = crowd.setting().book.graph();
        let find = |name: &str| graph.find_node(name).filter(|_| wanted).map(|node| node.0);
        Self { old: find("walk-old"), young: find("walk-childlike") }
    }

    fn of(&self, age: f32) -> Option<u16> {
        match age {
            age if age >= OLD => self.old,
            age if age <= YOUNG => self.young,
            _ => None,
        }
    }
}
