//! Makes all pieces on all bodies, and keeps them as bytes.

use crate::carried::Laid;
use crate::field::Solid;
use crate::human::{self, Shape};
use crate::polygonise::{Surface, Ticks, clip, polygonise, ticks};
use crate::rig::weigh;
use crate::simplify::Simplifier;
use crate::wardrobe::{Design, Slot, designs, region};
use glam::Vec3;

/// The bodies that are built in.
pub const BUILT_IN: [(&str, Shape); 5] = [
    ("woman", Shape { sex: 0.0, young: 0.0, old: 0.0 }),
    ("man", Shape { sex: 1.0, young: 0.0, old: 0.0 }),
    ("child", Shape { sex: 0.5, young: 1.0, old: 0.0 }),
    ("old woman", Shape { sex: 0.0, young: 0.0, old: 1.0 }),
    ("old man", Shape { sex: 1.0, young: 0.0, old: 1.0 }),
];

/// A piece in one detail: what it is on every body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Level {
    /// Three points each, counter-clockwise seen from outside.
    pub triangles: Vec<[u16; 3]>,
    /// For each point four joints of the rig.
    pub joints: Vec<[u8; 4]>,
    /// How much each moves it, in 255ths.
    pub weights: Vec<[u8; 4]>,
    /// For each point the bit of the region of skin that it lies in.
    pub regions: Vec<u8>,
    /// For each point the place by which it is painted, in metres: where it would be on the neutral body.
    pub paint: Vec<Vec3>,
    /// For each body and point its place in metres.
    pub points: Vec<Vec<Vec3>>,
    /// For each body and point the outward direction.
    pub normals: Vec<Vec<Vec3>>,
}

/// A body that pieces are fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Whether it is a woman's; none for both.
    pub woman: Option<bool>,
    /// Ages in years that it is for, from and to.
    pub ages: [f32; 2],
    /// Height of its crown in metres on the skeleton of [`crate::rig`].
    pub height: f32,
    /// Height in metres and weight in kilograms of the person that it was made after; none for the usual ones of its kind.
    pub person: Option<[f32; 2]>,
    /// Skins that it goes with: the red of their colours, from and to.
    pub skin: [u8; 2],
}

/// All bodies with everything that people are put together from, the skin first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Set {
    /// The bodies.
    pub templates: Vec<Template>,
    /// Pieces on all of them.
    pub pieces: Vec<Piece>,
}

/// A piece in all details.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its name.
    pub name: String,
    /// The number of its [`Slot`].
    pub slot: u8,
    /// The skin that it hides.
    pub covers: u8,
    /// Near, middle, far.
    pub levels: [Level; 3],
}

/// How much a deviation counts at a place: skin where it is seen: in faces most, in hands much.
pub fn importance(p: Vec3, slot: Slot) -> f32 {
    match slot {
        Slot::Skin if p.z > 1.53 && p.y.abs() < 0.2 => {
            let h = p - human::HEAD;
            if h.x > 0.02 && h.z < 0.12 { 60.0 } else { 14.0 }
        }
        Slot::Skin if p.y.abs() > 0.73 => 16.0,
        _ => 1.0,
    }
}

/// Points of cloth that are nearer than so many metres to a hem are on it.
const RIM: f32 = 0.003;

fn grid(design: &Design) -> [Ticks; 3] {
    let room = &design.room;
    let skin = design.slot == Slot::Skin;
    // Faces and hands need a finer grid than trunks.
    let even = |_: f32| 1.0;
    let across = |y: f32| if skin && y.abs() > 0.1 && y.abs() < 0.72 { 2.4 } else { 1.0 };
    let up = |z: f32| if skin && z < 1.52 && !(1.36..1.46).contains(&z) { 2.4 } else { 1.0 };
    [
        ticks(room.low.x, room.high.x, room.step, &even),
        ticks(room.low.y, room.high.y, room.step, &across),
        ticks(room.low.z, room.high.z, room.step, &up),
    ]
}

/// Makes one piece.
pub fn make(design: &Design) -> Piece {
    let mut levels: [Level; 3] = Default::default();
    let neutral = (design.solid)(&Shape::NEUTRAL);
    let own = [0, 1, 2].map(|_| neutral.clone());
    let on = BUILT_IN.map(|(_, shape)| (design.solid)(&shape));
    let mut simplifier = None;
    for (detail, level) in levels.iter_mut().enumerate() {
        let triangles = design.triangles[detail];
        if triangles == 0 {
            continue;
        }
        // Hands without fingers where there are few triangles.
        let coarse = design.slot == Slot::Skin && detail > 0;
        if simplifier.is_none() || coarse && detail == 1 {
            let solid = if coarse { human::body(&Shape::NEUTRAL, false) } else { own[detail].clone() };
            let mut surface = polygonise(&solid, &grid(design));
            for trim in solid.trims() {
                let onto = |p| solid.rim(trim, p);
                surface = clip(&surface, &|p| trim.value(p), &onto, design.room.step * 0.3);
            }
            simplifier = Some(Simplifier::new(&surface, design.room.step, &|p| importance(p, design.slot)));
        }
        if let Some(simplifier) = &mut simplifier {
            simplifier.reduce(triangles);
            let surface = simplifier.surface();
            *level = fit(design, &neutral, &surface, |body| match coarse {
                true => human::body(&BUILT_IN[body].1, false),
                false => on[body].clone(),
            });
        }
    }
    Piece { name: design.name.into(), slot: design.slot as u8, covers: design.covers, levels }
}

fn fit(design: &Design, neutral: &Solid, surface: &Surface, solid: impl Fn(usize) -> Solid) -> Level {
    let mut level = Level {
        triangles: surface.triangles.iter().map(|triangle| triangle.map(|index| index as u16)).collect(),
        ..Level::default()
    };
    for p in &surface.points {
        let (joints, weights) = weigh(*p, design.hang);
        level.joints.push(joints);
        level.weights.push(weights);
        level.regions.push(if design.slot == Slot::Skin { region(*p) } else { 0 });
    }
    level.paint = surface.points.clone();
    // What arms hold is the same for everybody, and was made where they hold it.
    if let Some(laid) = Laid::of(design.name) {
        let solid = solid(0);
        let points: Vec<Vec3> = surface.points.iter().map(|&p| laid.point(p)).collect();
        let direction = |p: &Vec3| laid.direction(solid.normal(*p, 0.0025));
        let normals: Vec<Vec3> = surface.points.iter().map(direction).collect();
        level.points = vec![points; BUILT_IN.len()];
        level.normals = vec![normals; BUILT_IN.len()];
        return level;
    }
    for (body, (_, shape)) in BUILT_IN.iter().enumerate() {
        let solid = solid(body);
        let moved = |&p: &Vec3| {
            let near = human::nearby(p, shape);
            // Rims stay rims of the same hem.
            match neutral.trims().iter().position(|trim| trim.value(p).abs() < RIM) {
                Some(number) => solid.rim(&solid.trims()[number], near),
                None => solid.project(near),
            }
        };
        let points: Vec<Vec3> = surface.points.iter().map(moved).collect();
        level.normals.push(points.iter().map(|&p| solid.normal(p, 0.0025)).collect());
        level.points.push(points);
    }
    level
}

/// Makes all pieces on all built-in bodies.
pub fn make_all() -> Set {
    let pieces = make_pieces();
    let height = |body: usize| pieces[0].levels[0].points[body].iter().map(|p| p.z).fold(0.0, f32::max);
    let templates = BUILT_IN.iter().enumerate().map(|(body, (name, shape))| Template {
        name: (*name).into(),
        woman: (shape.young < 0.5).then_some(shape.sex < 0.5),
        ages: match (shape.young > 0.5, shape.old > 0.5) {
            (true, _) => [0.0, 13.0],
            (_, true) => [68.0, 200.0],
            _ => [13.0, 68.0],
        },
        height: height(body),
        person: None,
        skin: [0, 255],
    });
    Set { templates: templates.collect(), pieces }
}

fn make_pieces() -> Vec<Piece> {
    let designs = designs();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get().min(8));
    let mut made: Vec<(usize, Piece)> = std::thread::scope(|scope| {
        let work = || {
            let mut own = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(design) = designs.get(index) else { return own };
                own.push((index, make(design)));
            }
        };
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
    });
    made.sort_by_key(|(index, _)| *index);
    made.into_iter().map(|(_, piece)| piece).collect()
}
