//! The scenes of Gu and Deng 2010, section VI-A, with the movers that the source names and the weights of table I.

use crate::pedestrians;
use crowdloom_crowd::diversity::{
    Camera, Demand, Priorities, Scheme, StyleBook, StyleControl, StyleOptions, StyledCrowd, StyledWalker,
    TABLE_I, Wishes, gait,
};
use crowdloom_crowd::velocity::{Boids, Hidac, Model, Walker};
use crowdloom_motion::styles::MotionType;
use crowdloom_world::{DistanceField, Ground, Stream};
use glam::{Vec2, Vec3};
use serde::Serialize;
use std::sync::Arc;

/// A scene of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scene {
    /// A flock that goes round and round (Boids).
    Flocking,
    /// People walk up and down a street (HiDAC).
    UrbanStreet,
    /// A hall is left at a run (HiDAC).
    PanicEvacuation,
    /// Rows of people who train to fight.
    FightingTraining,
    /// People stand and watch, others pass by (HiDAC).
    StreetEntertainment,
    /// A formation marches among people who walk.
    MilitaryMarch,
}

impl Scene {
    /// All of them, in the order of table I.
    pub const ALL: [Self; 6] = [
        Self::Flocking,
        Self::UrbanStreet,
        Self::PanicEvacuation,
        Self::FightingTraining,
        Self::StreetEntertainment,
        Self::MilitaryMarch,
    ];

    /// The scene's name.
    pub fn name(self) -> &'static str {
        TABLE_I[self as usize].0
    }

    /// The scene of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }
}

/// What one person is up to.
#[derive(Clone, Copy, Debug)]
enum Errand {
    /// Goes round a point at a distance between two, in metres.
    Round { centre: Vec2, within: [f32; 2], speed: f32 },
    /// Goes to and fro between two x, near a y.
    ToAndFro { between: [f32; 2], lane: f32, speed: f32, forward: bool },
    /// Follows the way to the nearest exit.
    Flee { speed: f32 },
    /// Goes straight on.
    March { velocity: Vec2 },
    /// Stays where it is.
    Stay(MotionType),
}

/// What everybody is up to.
pub struct Errands {
    errands: Vec<Errand>,
    ways: Option<(Arc<Ground>, Arc<DistanceField>)>,
}

impl Wishes for Errands {
    fn velocity(&self, agent: usize, position: Vec2, _frame: u32) -> Vec2 {
        match self.errands[agent] {
            Errand::Round { centre, within: [least, most], speed } => {
                let offset = position - centre;
                let radius = offset.length().max(0.1);
                let out = offset / radius;
                let pull = (least - radius).max(0.0) - (radius - most).max(0.0);
                (out.perp() + out * pull * 0.3).normalize_or_zero() * speed
            }
            Errand::ToAndFro { lane, speed, forward, .. } => {
                let along = if forward { 1.0 } else { -1.0 };
                Vec2::new(along, ((lane - position.y) * 0.2).clamp(-0.4, 0.4)).normalize() * speed
            }
            Errand::Flee { speed } => {
                let sample = self.ways.as_ref().and_then(|(ground, field)| field.sample(ground, position));
                sample.map_or(Vec2::ZERO, |sample| sample.direction * speed)
            }
            Errand::March { velocity } => velocity,
            Errand::Stay(_) => Vec2::ZERO,
        }
    }

    fn kind(&self, agent: usize, speed: f32, current: MotionType) -> MotionType {
        match self.errands[agent] {
            Errand::Stay(kind) => kind,
            _ => gait(speed, current),
        }
    }

    fn stays(&self, agent: usize) -> bool {
        matches!(self.errands[agent], Errand::Stay(_))
    }

    fn moved(&mut self, positions: &[Vec2], _frame: u32) {
        for (errand, position) in self.errands.iter_mut().zip(positions) {
            if let Errand::ToAndFro { between, forward, .. } = errand {
                *forward = if *forward { position.x < between[1] } else { position.x < between[0] };
            }
        }
    }
}

/// People and where they are, before anything moves.
struct Cast {
    ground: Arc<Ground>,
    ways: Option<Arc<DistanceField>>,
    people: Vec<StyledWalker>,
    errands: Vec<Errand>,
    camera: Camera,
}

impl Cast {
    fn new(floor: &[[f64; 4]], camera: (Vec3, Vec2)) -> Self {
        let ground = pedestrians::plan(floor).expect("the floor is made of rectangles");
        let facing = (camera.1 - camera.0.truncate()).normalize_or(Vec2::Y);
        let camera = Camera { position: camera.0, facing, half_view: 0.7, range: 80.0, threshold: 15.0 };
        Self { ground, ways: None, people: Vec::new(), errands: Vec::new(), camera }
    }

    fn add(&mut self, place: Vec2, model: Model, errand: Errand, heading: f32, group: usize) {
        let (kind, speed) = match errand {
            Errand::Round { speed, .. } | Errand::ToAndFro { speed, .. } | Errand::Flee { speed } => {
                (gait(speed, MotionType::Walking), speed)
            }
            Errand::March { velocity } => (MotionType::Walking, velocity.length()),
            Errand::Stay(kind) => (kind, 0.0),
        };
        let walker = Walker { max_speed: (1.3 * speed).max(0.5), ..Walker::new(place, model) };
        self.people.push(StyledWalker { walker, demand: Demand { kind, speed }, heading, group });
        self.errands.push(errand);
    }
}

/// A number from `low` to `high`.
fn between(stream: &mut Stream, low: f32, high: f32) -> f32 {
    low + (high - low) * stream.unit() as f32
}

/// Makes a scene ready to run.
pub fn build(scene: Scene, book: &Arc<StyleBook>, scheme: Scheme, seed: u64) -> StyledCrowd<Errands> {
    let mut stream = Stream::new(seed, 0xd1 + scene as u64);
    let cast = match scene {
        Scene::Flocking => flocking(&mut stream),
        Scene::UrbanStreet => urban_street(&mut stream),
        Scene::PanicEvacuation => panic_evacuation(seed, &mut stream),
        Scene::FightingTraining => fighting_training(&mut stream),
        Scene::StreetEntertainment => street_entertainment(&mut stream),
        Scene::MilitaryMarch => military_march(&mut stream),
    };
    let (_, weights, priority) = TABLE_I[scene as usize];
    let options = StyleOptions { scheme, weights, camera: Some(cast.camera), ..StyleOptions::default() };
    let mut groups = vec![Priorities::even(book)];
    if scene == Scene::MilitaryMarch {
        groups.push(marching(book, priority));
    }
    let styles = StyleControl::new(Arc::clone(book), options, groups, seed);
    let ways = cast.ways.map(|field| (Arc::clone(&cast.ground), field));
    let wishes = Errands { errands: cast.errands, ways };
    let mut crowd = StyledCrowd::new(cast.ground, styles, wishes, &cast.people, seed);
    if scene == Scene::PanicEvacuation {
        crowd.crowd_mut().memories_mut().iter_mut().for_each(|memory| memory.panic = 1.0);
    }
    crowd
}

/// P_S for those who march: the styles that are called so, or where there is none, the three walks of most energy.
fn marching(book: &StyleBook, priority: f32) -> Priorities {
    let library = book.library();
    let walks = library.styles(MotionType::Walking);
    let named = |style: usize| library.primitives()[style].name.contains("march");
    let any = walks.clone().any(named);
    let favoured = |style: u16| {
        let style = usize::from(style);
        if any { named(style) } else { walks.contains(&style) && style + 3 >= walks.end }
    };
    Priorities::new(book, |style| if favoured(style) { priority } else { 1.0 })
}

fn flocking(stream: &mut Stream) -> Cast {
    let centre = Vec2::splat(45.0);
    let mut cast = Cast::new(&[[0.0, 0.0, 90.0, 90.0]], (Vec3::new(45.0, 20.0, 8.0), Vec2::new(72.0, 45.0)));
    for row in 0..10 {
        for column in 0..20 {
            let jitter = Vec2::new(between(stream, -0.2, 0.2), between(stream, -0.2, 0.2));
            let place = centre + Vec2::new(22.0 + row as f32 * 1.2, column as f32 * 1.2 - 12.0) + jitter;
            let speed = between(stream, 1.15, 1.3);
            let errand = Errand::Round { centre, within: [22.0, 34.0], speed };
            cast.add(place, Model::Boids(Boids::default()), errand, 1.57, 0);
        }
    }
    cast
}

fn urban_street(stream: &mut Stream) -> Cast {
    let mut cast = Cast::new(&[[0.0, 0.0, 80.0, 16.0]], (Vec3::new(40.0, -14.0, 6.0), Vec2::new(40.0, 8.0)));
    for number in 0..260 {
        // Places of a sequence that fills the street evenly (Roberts 2018).
        let spread = |step: f64| (0.5 + step * f64::from(number)).fract() as f32;
        let place = Vec2::new(2.0 + 76.0 * spread(0.754_877_67), 0.8 + 14.4 * spread(0.569_840_29));
        let forward = stream.unit() < 0.5;
        let speed = pedestrians::preferred_speed(stream);
        let errand = Errand::ToAndFro { between: [2.0, 78.0], lane: place.y, speed, forward };
        let heading = if forward { 0.0 } else { std::f32::consts::PI };
        cast.add(place, Model::Hidac(Hidac::default()), errand, heading, 0);
    }
    cast
}

fn panic_evacuation(seed: u64, stream: &mut Stream) -> Cast {
    let doors = [6.0, 16.0, 26.0, 36.0].map(|y| [39.5, y - 2.5, 42.5, y + 2.5]);
    let mut floor = vec![[0.0, 0.0, 40.0, 42.0], [42.0, -20.0, 160.0, 62.0]];
    floor.extend(doors);
    let mut cast = Cast::new(&floor, (Vec3::new(75.0, 21.0, 12.0), Vec2::new(40.0, 21.0)));
    let goals: Vec<Vec2> = (0..9).map(|index| Vec2::new(157.0, -15.0 + index as f32 * 9.0)).collect();
    cast.ways = pedestrians::ways(&cast.ground, &goals).ok();
    for place in pedestrians::scatter(300, Vec2::new(4.0, 1.0), Vec2::new(39.0, 41.0), seed) {
        let errand = Errand::Flee { speed: between(stream, 2.5, 3.6) };
        cast.add(place, Model::Hidac(Hidac::default()), errand, 0.0, 0);
    }
    cast
}

fn fighting_training(stream: &mut Stream) -> Cast {
    let mut cast =
        Cast::new(&[[-4.0, -4.0, 32.0, 28.0]], (Vec3::new(13.0, -12.0, 5.0), Vec2::new(13.0, 12.0)));
    for row in 0..10 {
        for column in 0..12 {
            let jitter = Vec2::new(between(stream, -0.3, 0.3), between(stream, -0.3, 0.3));
            let place = Vec2::new(column as f32 * 2.4, row as f32 * 2.4) + jitter;
            cast.add(place, Model::Hidac(Hidac::default()), Errand::Stay(MotionType::Fighting), -1.57, 0);
        }
    }
    cast
}

fn street_entertainment(stream: &mut Stream) -> Cast {
    let centre = Vec2::new(30.0, 14.0);
    let mut cast = Cast::new(&[[0.0, 0.0, 60.0, 34.0]], (Vec3::new(30.0, -8.0, 6.0), centre));
    let model = Model::Hidac(Hidac::default());
    for (ring, count) in [(5.0, 18), (6.1, 23), (7.2, 28), (8.3, 33)] {
        for number in 0..count {
            // A gap in the ring is left on the side of the camera.
            let angle = -0.9 + 5.0 * (number as f32 + between(stream, 0.3, 0.7)) / count as f32;
            let (sin, cos) = libm::sincosf(angle);
            let place = centre + Vec2::new(cos, sin) * (ring + between(stream, -0.15, 0.15));
            let heading = libm::atan2f(-sin, -cos);
            cast.add(place, model, Errand::Stay(MotionType::Waiting), heading, 0);
        }
    }
    for number in 0..6 {
        let (sin, cos) = libm::sincosf(number as f32 * 1.047);
        let place = centre + Vec2::new(cos, sin) * 1.9;
        cast.add(place, model, Errand::Stay(MotionType::Fighting), number as f32 * 1.047, 0);
    }
    for number in 0..30 {
        let place = Vec2::new(2.0 + number as f32 * 1.9, 25.5 + (number % 4) as f32 * 2.0);
        let forward = number % 2 == 0;
        let errand = Errand::ToAndFro {
            between: [2.0, 58.0],
            lane: place.y,
            speed: pedestrians::preferred_speed(stream),
            forward,
        };
        cast.add(place, model, errand, if forward { 0.0 } else { std::f32::consts::PI }, 0);
    }
    cast
}

fn military_march(stream: &mut Stream) -> Cast {
    let mut cast =
        Cast::new(&[[0.0, 0.0, 140.0, 30.0]], (Vec3::new(45.0, -10.0, 6.0), Vec2::new(45.0, 15.0)));
    for row in 0..8 {
        for column in 0..15 {
            let place = Vec2::new(4.0 + column as f32 * 1.5, 9.5 + row as f32 * 1.5);
            let errand = Errand::March { velocity: Vec2::X * 1.4 };
            cast.add(place, Model::Boids(Boids { cohesion: 0.0, ..Boids::default() }), errand, 0.0, 1);
        }
    }
    for number in 0..60 {
        let y = if number % 2 == 0 { between(stream, 1.0, 6.0) } else { between(stream, 24.0, 29.0) };
        let place = Vec2::new(2.0 + number as f32 * 2.2, y);
        let forward = stream.unit() < 0.5;
        let speed = pedestrians::preferred_speed(stream);
        let errand = Errand::ToAndFro { between: [2.0, 138.0], lane: y, speed, forward };
        cast.add(
            place,
            Model::Hidac(Hidac::default()),
            errand,
            if forward { 0.0 } else { std::f32::consts::PI },
            0,
        );
    }
    cast
}
