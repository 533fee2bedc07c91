//! What stands about and behind people, as plain solids: floors, walls, houses, things and vehicles of a run.

use crate::run::{Header, Prop, VehicleShape};
use crowdloom_world::{Area, Triangles};
use glam::{DVec2, Quat, Vec2, Vec3};

/// Triangles of one colour, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// What it is part of.
    pub name: String,
    /// sRGB.
    pub colour: [u8; 3],
    /// Three corners of each triangle, counter-clockwise seen from outside.
    pub corners: Vec<[Vec3; 3]>,
}

/// Height of the low wall around the ground, of railings, doors and storeys, in metres, as the page has them.
const LOW: f32 = 0.35;
const RAILING: f32 = 1.0;
const DOOR: f32 = 1.9;
const STOREY: f32 = 3.1;
/// Obstacles of so many square metres are houses.
const HOUSE: f64 = 80.0;

const FLOOR: [u8; 3] = [0xcf, 0xca, 0xbf];
const WALL: [u8; 3] = [0xb9, 0xb2, 0xa6];
const RAIL: [u8; 3] = [0x6f, 0x76, 0x7d];
const PLASTER: [[u8; 3]; 4] =
    [[0xe9, 0xdf, 0xcf], [0xd8, 0xc3, 0xa5], [0xc9, 0xb7, 0xa6], [0xbf, 0xc5, 0xc4]];
const WOOD: [u8; 3] = [0xa9, 0x7c, 0x50];
const METAL: [u8; 3] = [0x4b, 0x50, 0x58];
const STONE: [u8; 3] = [0xb7, 0xb2, 0xa8];

impl Block {
    fn new(name: &str, colour: [u8; 3]) -> Self {
        Self { name: name.into(), colour, corners: Vec::new() }
    }

    fn quad(&mut self, [a, b, c, d]: [Vec3; 4]) {
        self.corners.extend([[a, b, c], [a, c, d]]);
    }

    /// A box: middle and half-axes.
    fn cuboid(&mut self, middle: Vec3, half: Vec3) {
        let at = |x: f32, y: f32, z: f32| middle + half * Vec3::new(x, y, z);
        for s in [1.0, -1.0] {
            let mut quad = |corners: [Vec3; 4]| {
                let [a, b, c, d] = corners;
                self.quad(if s > 0.0 { [a, b, c, d] } else { [d, c, b, a] });
            };
            quad([at(s, -1.0, -1.0), at(s, 1.0, -1.0), at(s, 1.0, 1.0), at(s, -1.0, 1.0)]);
            quad([at(1.0, s, -1.0), at(-1.0, s, -1.0), at(-1.0, s, 1.0), at(1.0, s, 1.0)]);
            quad([at(-1.0, -1.0, s), at(1.0, -1.0, s), at(1.0, 1.0, s), at(-1.0, 1.0, s)]);
        }
    }

    /// An upright post of eight sides, or a cone where the radii differ.
    fn post(&mut self, foot: Vec3, radii: [f32; 2], height: f32) {
        let on = |step: usize, top: usize| {
            let (sin, cos) = libm::sincosf(step as f32 / 8.0 * std::f32::consts::TAU);
            foot + Vec3::new(cos * radii[top], sin * radii[top], height * top as f32)
        };
        for step in 0..8 {
            self.quad([on(step, 0), on(step + 1, 0), on(step + 1, 1), on(step, 1)]);
            self.corners.push([on(step, 1), on(step + 1, 1), foot + Vec3::Z * height]);
            self.corners.push([on(step + 1, 0), on(step, 0), foot]);
        }
    }

    /// Walls over a ring, and a lid.
    fn extrude(&mut self, ring: &[DVec2], height: f32) {
        let area = Area::solid(ring.to_vec());
        let up = |p: DVec2, z: f32| Vec3::new(p.x as f32, p.y as f32, z);
        self.lid(std::slice::from_ref(&area), height);
        for (index, &a) in area.outline.iter().enumerate() {
            let b = area.outline[(index + 1) % ring.len()];
            self.quad([up(a, 0.0), up(b, 0.0), up(b, height), up(a, height)]);
        }
    }

    fn lid(&mut self, areas: &[Area], height: f32) {
        let flat = Triangles::new(areas);
        let corner = |index: u32| {
            let p = flat.corners[index as usize];
            Vec3::new(p.x as f32, p.y as f32, height)
        };
        self.corners.extend(flat.triangles.iter().map(|triangle| triangle.map(corner)));
    }

    fn moved(mut self, to: Vec2, heading: f32) -> Self {
        let turn = Quat::from_rotation_z(heading);
        let place = |p: Vec3| turn * p + to.extend(0.0);
        self.corners.iter_mut().for_each(|corners| *corners = corners.map(place));
        self
    }
}

/// Floors and walls of a run's ground.
pub fn ground(header: &Header) -> Vec<Block> {
    let ring = |ring: &Vec<[f64; 2]>| -> Vec<DVec2> { ring.iter().map(|&p| DVec2::from(p)).collect() };
    let (mut floor, mut walls, mut rails) =
        (Block::new("floor", FLOOR), Block::new("walls", WALL), Block::new("railings", RAIL));
    let mut houses = PLASTER.map(|colour| Block::new("houses", colour));
    let floors = if header.floor.is_empty() { &header.ground.areas } else { &header.floor };
    for rings in floors {
        let rings: Vec<Vec<DVec2>> = rings.iter().map(ring).collect();
        let Some((outline, holes)) = rings.split_first() else { continue };
        floor.lid(&[Area { outline: outline.clone(), holes: holes.to_vec() }], 0.0);
        for (index, &a) in outline.iter().enumerate() {
            let b = outline[(index + 1) % outline.len()];
            let up = |p: DVec2, z: f32| Vec3::new(p.x as f32, p.y as f32, z);
            for (a, b) in beside_roads(a, b, &header.props) {
                // Seen from both sides: it has no thickness.
                walls.quad([up(a, 0.0), up(b, 0.0), up(b, LOW), up(a, LOW)]);
                walls.quad([up(b, 0.0), up(a, 0.0), up(a, LOW), up(b, LOW)]);
            }
        }
        for hole in holes {
            let size = Area::solid(hole.clone()).size();
            if is_thin(hole, size) {
                rails.extrude(hole, RAILING);
            } else if size < HOUSE {
                walls.extrude(hole, if size < 3.0 { 1.1 } else { 2.4 });
            } else {
                // Houses of one plan differ by where they are.
                let own = size + (hole[0].x * 0.61 + hole[0].y * 0.37).abs();
                let storeys = 2 + (own * 7.3) as usize % 3;
                let plaster = (own * 3.1) as usize % PLASTER.len();
                houses[plaster].extrude(hole, storeys as f32 * STOREY);
            }
        }
    }
    for wall in &header.walls {
        let ring: Vec<DVec2> = wall.ring.iter().map(|&p| Vec2::from(p).as_dvec2()).collect();
        walls.extrude(&ring, wall.height);
    }
    for solid in header.signals.iter().filter(|signal| signal.closed).flat_map(|signal| &signal.solid) {
        walls.extrude(&ring(solid), DOOR);
    }
    [floor, walls, rails].into_iter().chain(houses).filter(|block| !block.corners.is_empty()).collect()
}

/// What is left of a stretch of a wall where roads among things cross it, to half a metre.
fn beside_roads(from: DVec2, to: DVec2, props: &[Prop]) -> Vec<(DVec2, DVec2)> {
    let parts = (from.distance(to) * 2.0).ceil().max(1.0) as usize;
    let place = |part: f64| from.lerp(to, part / parts as f64);
    let is_road = |part: usize| {
        let middle = place(part as f64 + 0.5).as_vec2();
        props.iter().filter(|prop| prop.kind == "road").any(|road| {
            let own = Vec2::from_angle(-road.heading).rotate(middle - Vec2::from(road.at));
            own.x.abs() < road.size[1] / 2.0 + 0.1 && own.y.abs() < road.size[0] / 2.0
        })
    };
    let (mut left, mut start) = (Vec::new(), 0);
    for part in (0..parts).filter(|&part| is_road(part)).chain([parts]) {
        if part > start {
            left.push((place(start as f64), place(part as f64)));
        }
        start = part + 1;
    }
    left
}

/// Whether an obstacle is a mere line on the ground: four corners, less than 0.35 m wide and long for that.
fn is_thin(ring: &[DVec2], size: f64) -> bool {
    let long = ring.iter().flat_map(|a| ring.iter().map(move |b| a.distance(*b))).fold(0.0, f64::max);
    ring.len() == 4 && long > 2.0 && size / long < 0.35
}

/// The solids of a thing, where it stands.
pub fn thing(prop: &Prop) -> Vec<Block> {
    let [length, width, height] = prop.size;
    let name = &*prop.kind;
    let v = Vec3::new;
    let (mut wood, mut metal) = (Block::new(name, WOOD), Block::new(name, METAL));
    let mut other = Block::new(name, STONE);
    match name {
        "bench" | "seat" => {
            wood.cuboid(v(0.0, 0.0, height - 0.02), v(width * 0.45, length / 2.0, 0.018));
            wood.cuboid(v(-width * 0.52, 0.0, 0.71), v(0.015, length / 2.0, 0.14));
            for side in [-1.0, 1.0] {
                let y = side * length * 0.42;
                metal.cuboid(v(width * 0.36, y, height / 2.0), v(0.025, 0.025, height / 2.0));
                metal.cuboid(v(-width * 0.48, y, 0.44), v(0.025, 0.025, 0.44));
            }
        }
        "chair" => {
            wood.cuboid(v(0.0, 0.0, height), v(width / 2.0, length / 2.0, 0.02));
            wood.cuboid(v(-width / 2.0, 0.0, height + 0.25), v(0.015, length / 2.0, 0.2));
            legs(&mut metal, [width * 0.45, length * 0.45], height, 0.0175);
        }
        "table" => {
            wood.cuboid(v(0.0, 0.0, height - 0.02), v(width / 2.0, length / 2.0, 0.02));
            legs(&mut metal, [width * 0.44, length * 0.46], height, 0.025);
        }
        "counter" => {
            other.colour = [0x6d, 0x7f, 0x8c];
            other.cuboid(v(0.0, 0.0, height / 2.0), v(width / 2.0, length / 2.0, height / 2.0));
        }
        "kiosk" => {
            other.colour = [0x39, 0x56, 0x6b];
            other.cuboid(v(0.0, 0.0, 0.5), v(width / 2.0, length / 2.0, 0.5));
            other.cuboid(
                v(-width / 2.0 + 0.05, 0.0, 0.5 + height / 2.0),
                v(0.05, length / 2.0, (height - 1.0) / 2.0),
            );
            wood.colour = [0xb5, 0x48, 0x3a];
            wood.cuboid(v(0.2, 0.0, height), v(width / 2.0 + 0.35, length / 2.0 + 0.2, 0.06));
        }
        "lamp" => {
            metal.post(Vec3::ZERO, [0.08, 0.06], height);
            metal.cuboid(v(0.4, 0.0, height), v(0.45, 0.03, 0.03));
            other.colour = [0xff, 0xf4, 0xd6];
            other.cuboid(v(0.75, 0.0, height - 0.05), v(0.22, 0.08, 0.04));
        }
        "tree" => {
            wood.colour = [0x5b, 0x46, 0x34];
            wood.post(Vec3::ZERO, [0.16, 0.10], height * 0.55);
            other.colour = [0x5d, 0x7d, 0x45];
            for (low, top, radii) in [(0.40, 0.70, [0.30, 0.52]), (0.70, 1.0, [0.52, 0.12])] {
                other.post(Vec3::Z * (low * height), radii.map(|share| share * length), (top - low) * height);
            }
        }
        "road" => {
            other.colour = [0x55, 0x58, 0x5c];
            other.cuboid(v(0.0, 0.0, 0.0), v(width / 2.0, length / 2.0, 0.01));
            wood.colour = [0xe9, 0xe7, 0xdf];
            // Nothing is painted where roads meet.
            let dashes = if width < 8.0 { 0 } else { (width / 6.0) as usize };
            for dash in 0..dashes {
                let x = (dash as f32 + 0.5) * (width / dashes as f32) - width / 2.0;
                wood.cuboid(v(x, 0.0, 0.012), v(1.5, 0.07, 0.002));
            }
        }
        "crosswalk" => {
            other.colour = [0x55, 0x58, 0x5c];
            other.cuboid(v(0.0, 0.0, 0.0), v(width / 2.0, length / 2.0, 0.015));
            wood.colour = [0xe9, 0xe7, 0xdf];
            let stripes = (length as usize).max(2);
            for stripe in 0..stripes {
                let y = (stripe as f32 + 0.5) * (length / stripes as f32) - length / 2.0;
                wood.cuboid(v(0.0, y, 0.02), v(width * 0.43, 0.25, 0.002));
            }
        }
        "barrier" => {
            for z in [height, 0.25] {
                metal.cuboid(v(0.0, 0.0, z), v(0.025, length / 2.0, 0.025));
            }
            for side in [-1.0, 1.0] {
                metal.cuboid(v(0.0, side * length / 2.0, height / 2.0), v(0.025, 0.025, height / 2.0));
            }
        }
        "house" => {
            other.colour = PLASTER[(length * 3.1 + width) as usize % PLASTER.len()];
            other.cuboid(v(0.0, 0.0, height / 2.0), v(width / 2.0, length / 2.0, height / 2.0));
        }
        "box" => {
            other.colour = [0xb0, 0x8d, 0x5f];
            other.cuboid(v(0.0, 0.0, height / 2.0), v(width / 2.0, length / 2.0, height / 2.0));
        }
        _ => other.cuboid(v(0.0, 0.0, height / 2.0), v(width / 2.0, length / 2.0, height / 2.0)),
    }
    let at = Vec2::from(prop.at);
    let all = [wood, metal, other].into_iter().filter(|block| !block.corners.is_empty());
    all.map(|block| block.moved(at, prop.heading)).collect()
}

fn legs(block: &mut Block, [x, y]: [f32; 2], height: f32, half: f32) {
    for (a, b) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        block.cuboid(Vec3::new(a * x, b * y, height / 2.0), Vec3::new(half, half, height / 2.0));
    }
}

/// The solids of a vehicle around its middle, facing along x.
pub fn vehicle(shape: &VehicleShape) -> Vec<Block> {
    let VehicleShape { name, length, width } = shape;
    let mut dark = Block::new(name, [0x2f, 0x36, 0x3f]);
    let mut paint = Block::new(name, [0xd7, 0x6b, 0x2f]);
    let mut glass = Block::new(name, [0x6f, 0x86, 0x96]);
    dark.cuboid(Vec3::new(0.0, 0.0, 0.25), Vec3::new(length * 0.49, width * 0.48, 0.15));
    paint.cuboid(Vec3::new(0.0, 0.0, 0.70), Vec3::new(length / 2.0, width / 2.0, 0.30));
    glass.cuboid(Vec3::new(0.0, 0.0, 1.70), Vec3::new(length * 0.495, width * 0.49, 0.70));
    paint.cuboid(Vec3::new(0.0, 0.0, 2.55), Vec3::new(length / 2.0, width / 2.0, 0.15));
    vec![dark, paint, glass]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_leave_roads_open() {
        let road = Prop { kind: "road".into(), at: [0.0, 11.0], heading: 0.0, size: [10.0, 66.0, 0.02] };
        let (from, to) = (DVec2::ZERO, DVec2::new(0.0, 22.0));
        assert_eq!(beside_roads(from, to, &[]), [(from, to)]);
        let left = beside_roads(from, to, std::slice::from_ref(&road));
        assert_eq!(left, [(from, DVec2::new(0.0, 6.0)), (DVec2::new(0.0, 16.0), to)]);
        // Along a road that is beside it, and across one that lies the other way.
        let beside = DVec2::new(20.0, 3.0);
        assert_eq!(beside_roads(DVec2::new(0.0, 3.0), beside, std::slice::from_ref(&road)).len(), 1);
        let turned = Prop { heading: std::f32::consts::FRAC_PI_2, ..road };
        assert!(beside_roads(DVec2::new(0.0, 0.0), DVec2::new(0.0, 20.0), &[turned]).is_empty());
    }

    #[test]
    fn boxes_are_closed_and_face_outwards() {
        let mut block = Block::new("box", STONE);
        block.cuboid(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 1.0, 2.0));
        let volume: f32 = block.corners.iter().map(|[a, b, c]| (*a).dot((*b).cross(*c)) / 6.0).sum::<f32>();
        assert!((volume - 8.0 * 0.5 * 1.0 * 2.0).abs() < 1e-3, "{volume}");
        let mut post = Block::new("post", STONE);
        post.post(Vec3::ZERO, [1.0, 1.0], 2.0);
        let volume: f32 = post.corners.iter().map(|[a, b, c]| (*a).dot((*b).cross(*c)) / 6.0).sum();
        assert!((volume - 2.0 * 2.828).abs() < 0.01, "{volume}");
        let mut wall = Block::new("wall", STONE);
        let ring = [(0.0, 0.0), (0.0, 2.0), (3.0, 2.0), (3.0, 0.0)].map(|(x, y)| DVec2::new(x, y));
        wall.extrude(&ring, 1.0);
        // All but the floor is there: what faces sideways and up.
        let up: f32 = wall.corners.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).z / 2.0).sum();
        assert!((up - 6.0).abs() < 1e-3, "{up}");
    }
}
