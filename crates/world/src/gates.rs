//! Doors and other narrow places: the shortest ways from a corner across to what is opposite.

use crate::box_tree::BoxTree;
use crate::walls::{Wall, Walls};
use glam::Vec2;

/// Passages wider than this, in metres, are not narrow …
const WIDEST: f32 = 4.5;

/// … nor are those wider than this, in metres, beside posts and other small things …
const WIDEST_BESIDE_POSTS: f32 = 2.2;

/// … which one can go round: a wall goes on for so many metres …
const WALL_GOES_ON: f32 = 1.0;

/// … with no room for somebody of this radius, in metres …
const NO_ROOM: f32 = 0.3;

/// … nor where streets cross: as far before or behind a wide opening as it is wide, a circle of this radius, as a part of its
/// width, is clear.
const CLEAR: f32 = 0.8;

/// Gaps that are not as wide as this, in metres, are no passages.
const NARROWEST: f32 = 0.3;

/// A corner that turns by more than this, in radians, is the edge of an opening …
const SHARP: f32 = 0.5;

/// … others are where the ground is this much wider …
const WIDENS: f32 = 1.33;

/// … so many metres on or before.
const WIDENS_WITHIN: f32 = 0.8;

/// Maps of more walls than this, such as those traced from pictures, have corners everywhere and no known gates.
const MOST_WALLS: usize = 20_000;

/// A narrow place, from one side to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Its two sides, in metres.
    pub sides: [Vec2; 2],
}

impl Gate {
    /// Its width in metres.
    pub fn width(&self) -> f32 {
        self.sides[0].distance(self.sides[1])
    }

    /// Its middle, in metres.
    pub fn centre(&self) -> Vec2 {
        (self.sides[0] + self.sides[1]) * 0.5
    }

    /// The direction straight through it.
    pub fn through(&self) -> Vec2 {
        (self.sides[1] - self.sides[0]).normalize_or_zero().perp()
    }
}

/// All narrow places of an area.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gates {
    gates: Vec<Wall>,
    tree: BoxTree,
}

impl Gates {
    /// Finds them.
    pub(crate) fn new(walls: &Walls) -> Self {
        let all = walls.all();
        if all.len() > MOST_WALLS {
            return Self::default();
        }
        let turn_after = |wall: &Wall| {
            let next = &all[wall.next as usize];
            (wall.end - wall.start).angle_to(next.end - next.start)
        };
        let is_corner = |wall: &Wall| turn_after(wall) < 0.0;
        let mut gates: Vec<Wall> = Vec::new();
        for (index, wall) in all.iter().enumerate().filter(|(_, wall)| is_corner(wall)) {
            let corner = wall.end;
            walls.for_each_within(corner, WIDEST, |other, across| {
                let own = other as usize == index || other == wall.next;
                let width = corner.distance(across);
                if own || width < NARROWEST {
                    return;
                }
                // Nothing reaches into the circle over the gap: it is the narrowest one there.
                let middle = (corner + across) * 0.5;
                let is_empty = walls.nearest(middle).is_some_and(|near| near.distance > 0.499 * width);
                let known = |gate: &Wall| {
                    let ends = [gate.start, gate.end];
                    ends == [corner, across] || ends == [across, corner]
                };
                // The bend of a curved corridor is no door, the gap beside a round pillar is.
                let through = (across - corner).perp() * (WIDENS_WITHIN / width);
                let opens = |at: Vec2| {
                    let mut walled = [false; 2];
                    walls.for_each_within(at, WIDENS * 0.5 * width, |_, point| {
                        walled[usize::from((point - at).dot(across - corner) > 0.0)] = true;
                    });
                    walled != [true; 2]
                };
                let is_sharp = turn_after(wall) < -SHARP;
                let aside = (corner - across) * (WALL_GOES_ON / width);
                let is_post = |side: Vec2| walls.holds_disc(side, NO_ROOM);
                let far = (across - corner).perp();
                let clear = |at: Vec2| walls.holds_disc(at, CLEAR * width);
                let between_walls = !is_post(corner + aside) && !is_post(across - aside);
                let of_a_room = || clear(middle + far) || clear(middle - far);
                if width > WIDEST_BESIDE_POSTS && !(between_walls && of_a_room()) {
                    return;
                }
                let narrows = is_sharp || opens(middle + through) || opens(middle - through);
                if is_empty && narrows && !gates.iter().rev().take(64).any(known) {
                    gates.push(Wall::new(corner, across));
                }
            });
        }
        Self { tree: BoxTree::new(&gates), gates }
    }

    /// The first gate on the straight way from `from` to `to`, and the share of the way that it is at.
    pub(crate) fn first_between(&self, from: Vec2, to: Vec2) -> Option<(Gate, f32)> {
        let along = to - from;
        let mut first: Option<(Gate, f32)> = None;
        self.tree.near_box(from.min(to), from.max(to), 0.0, self.gates.len(), &mut |index| {
            let gate = &self.gates[index as usize];
            let across = gate.end - gate.start;
            let turn = along.perp_dot(across);
            let t = (gate.start - from).perp_dot(across) / turn;
            let s = (gate.start - from).perp_dot(along) / turn;
            let nearer = first.is_none_or(|(_, share)| t < share);
            if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s) && nearer {
                first = Some((Gate { sides: [gate.start, gate.end] }, t));
            }
            true
        });
        first
    }
}

#[cfg(test)]
mod tests {
    use crate::Ground;
    use crate::repair::Outline;
    use glam::{DVec2, Vec2};

    fn rectangle(low: [f64; 2], high: [f64; 2]) -> Outline {
        let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
        Outline::solid("part", corners.map(DVec2::from).to_vec())
    }

    #[test]
    fn a_door_is_found_from_wherever_one_passes_it() {
        let ground = Ground::builder()
            .floor(rectangle([0.0, 0.0], [20.0, 10.0]))
            .obstacle(rectangle([10.0, 0.0], [10.2, 4.5]))
            .obstacle(rectangle([10.0, 5.5], [10.2, 10.0]))
            .build()
            .unwrap();
        for from in [Vec2::new(8.0, 5.0), Vec2::new(9.0, 4.3), Vec2::new(9.0, 5.7)] {
            let (gate, share) = ground.gate_between(from, Vec2::new(11.0, 5.0)).unwrap();
            assert!((gate.width() - 1.0).abs() < 1e-3, "{gate:?}");
            assert!(gate.centre().distance(Vec2::new(10.0, 5.0)) < 0.11, "{gate:?}");
            assert!(share > 0.3 && share < 0.9, "{share}");
            assert!(gate.through().x.abs() > 0.99);
        }
        assert_eq!(ground.gate_between(Vec2::new(2.0, 2.0), Vec2::new(8.0, 8.0)), None);
    }

    #[test]
    fn a_wide_opening_is_one_between_walls_and_none_beside_a_post() {
        let room = || Ground::builder().floor(rectangle([0.0, 0.0], [20.0, 10.0]));
        let (from, to) = (Vec2::new(8.0, 5.0), Vec2::new(12.0, 5.0));
        let wall = room()
            .obstacle(rectangle([10.0, 0.0], [10.2, 3.5]))
            .obstacle(rectangle([10.0, 6.5], [10.2, 10.0]));
        let (gate, _) = wall.build().unwrap().gate_between(from, to).unwrap();
        assert!((gate.width() - 3.0).abs() < 1e-3, "{gate:?}");
        let posts = room()
            .obstacle(rectangle([10.0, 3.3], [10.2, 3.5]))
            .obstacle(rectangle([10.0, 6.5], [10.2, 6.7]));
        assert_eq!(posts.build().unwrap().gate_between(from, to), None);
        // Two corridors of 3 m that cross.
        let blocks = [([0.0, 0.0], [8.5, 3.5]), ([11.5, 0.0], [20.0, 3.5]), ([0.0, 6.5], [8.5, 10.0])];
        let crossing =
            blocks.into_iter().fold(room(), |room, (low, high)| room.obstacle(rectangle(low, high)));
        let crossing = crossing.obstacle(rectangle([11.5, 6.5], [20.0, 10.0])).build().unwrap();
        assert_eq!(crossing.gate_between(Vec2::new(4.0, 5.0), Vec2::new(16.0, 5.0)), None);
    }

    #[test]
    fn a_curved_corridor_is_no_row_of_doors() {
        let oval = |radius: f64| -> Vec<DVec2> {
            (0..64)
                .map(|step| DVec2::from_angle(f64::from(step) * std::f64::consts::TAU / 64.0) * radius)
                .collect()
        };
        let ring = Ground::builder()
            .floor(Outline::solid("floor", oval(3.5)))
            .obstacle(Outline::solid("core", oval(2.5)));
        let ring = ring.build().unwrap();
        let at = |angle: f32| Vec2::from_angle(angle) * 3.0;
        for step in 0..60 {
            let angle = step as f32 * 0.1;
            assert_eq!(ring.gate_between(at(angle), at(angle + 0.3)), None);
        }
        // Between a round pillar and a wall there is one.
        let pillar = oval(1.0).into_iter().map(|point| point + DVec2::new(5.0, 2.0)).collect();
        let room = Ground::builder()
            .floor(rectangle([0.0, 0.0], [10.0, 8.0]))
            .obstacle(Outline::solid("pillar", pillar));
        let gate = room.build().unwrap().gate_between(Vec2::new(3.0, 0.5), Vec2::new(7.0, 0.5));
        assert!(gate.is_some_and(|(gate, _)| (gate.width() - 1.0).abs() < 0.05), "{gate:?}");
    }

    #[test]
    fn a_pillar_near_a_wall_leaves_a_gate_and_a_corridor_is_none() {
        let ground = Ground::builder()
            .floor(rectangle([0.0, 0.0], [20.0, 1.5]))
            .floor(rectangle([10.0, 0.0], [20.0, 10.0]))
            .obstacle(rectangle([14.0, 1.0], [15.0, 2.0]))
            .build()
            .unwrap();
        let straight = |from: [f32; 2], to: [f32; 2]| ground.gate_between(from.into(), to.into());
        assert_eq!(straight([1.0, 0.7], [8.0, 0.7]), None);
        let (mouth, _) = straight([8.0, 0.7], [12.0, 0.7]).unwrap();
        assert!((mouth.width() - 1.5).abs() < 1e-3, "{mouth:?}");
        let (gap, _) = straight([12.0, 0.5], [18.0, 0.5]).unwrap();
        assert!((gap.width() - 1.0).abs() < 1e-3, "{gap:?}");
    }
}
