//! Directing people: where they are told to be exactly, one by one, or as a shape that many form together.

use crate::build::Checker;
use crate::file::{Name, Point};
use crate::places::{Places, Word, distance, spell, spread_along};
use crowdloom_crowd::{Crowd, Direction, Edit};
use crowdloom_motion::FRAME_RATE;
use glam::{DVec2, Vec2};
use schemars::JsonSchema;
use serde::Deserialize;

/// The most people that one event directs; others go on as before.
pub const MOST_DIRECTED: usize = 300;

/// Where people are told to be exactly: at places, in a word, along a line or all over an area. Their motions are planned
/// when the event happens; who cannot get there goes on as before, and the run says why.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Directed {
    /// The place of one person, or places of several.
    pub at: Option<Places>,
    /// A word that they spell.
    pub word: Option<Word>,
    /// Corners of a line that they stand along.
    pub along: Option<Vec<Point>>,
    /// Corners of an area that they fill.
    pub fill: Option<Vec<Point>>,
    /// Which way they face there, in degrees; any without.
    pub facing: Option<f32>,
    /// The pose that they are in there, a node of the motion graph; standing without.
    #[schemars(with = "Option<String>")]
    pub pose: Option<Name>,
    /// When they are there, in seconds from the beginning; as soon as they can without.
    pub by: Option<f32>,
    /// For how many seconds they stay there.
    #[serde(default)]
    pub stay: f32,
}

/// Places that people are directed to, read and checked.
#[derive(Clone, Debug)]
pub(crate) struct Formation {
    places: Form,
    facing: Option<f32>,
    pose: Option<u16>,
    by: Option<u32>,
    stay: u32,
}

#[derive(Clone, Debug)]
enum Form {
    Each(Vec<Point>),
    Word(Word),
    Along(Vec<Point>),
    Fill(Vec<Point>),
}

impl Form {
    /// Places for so many people, in metres of the scene.
    fn places(&self, count: usize) -> Vec<Point> {
        match self {
            Self::Each(places) => places.iter().copied().take(count).collect(),
            // It was spelled before.
            Self::Word(word) => spell(word, count, &mut Checker::new("")).unwrap_or_default(),
            Self::Along(line) => spread_along(std::slice::from_ref(line), count),
            Self::Fill(corners) => fill(corners, count),
        }
    }
}

impl Formation {
    /// Reads a table; mistakes go to the checker.
    pub(crate) fn read(table: &Directed, at: f32, crowd: &Crowd, checker: &mut Checker<'_>) -> Option<Self> {
        let one = |point: &Point| vec![*point];
        let each = table.at.as_ref().map(|places| match places {
            Places::One(place) => Form::Each(one(place)),
            Places::Each(places) => Form::Each(places.clone()),
        });
        let shapes = [
            each,
            table.word.clone().map(Form::Word),
            table.along.clone().map(Form::Along),
            table.fill.clone().map(Form::Fill),
        ];
        let mut shapes = shapes.into_iter().flatten();
        let (Some(places), None) = (shapes.next(), shapes.next()) else {
            let fix = "give one of `at`, `word`, `along` and `fill`";
            checker.problem(None, "nobody knows where people are directed to", fix);
            return None;
        };
        let corners = match &places {
            Form::Along(line) if line.len() < 2 => Some("a line has two points at least"),
            Form::Fill(corners) if corners.len() < 3 => Some("an area has three corners at least"),
            _ => None,
        };
        if let Some(what) = corners {
            checker.problem(None, what, "give more of them");
            return None;
        }
        if let Form::Word(word) = &places {
            spell(word, 1, checker)?;
        }
        if table.by.is_some_and(|by| by <= at) {
            checker.problem(
                None,
                "`by` is before the event happens",
                "give a later time, in seconds from the beginning",
            );
            return None;
        }
        let pose = match &table.pose {
            None => None,
            Some(name) => {
                let graph = crowd.setting().book.graph();
                let Some(node) = graph.find_node(name.get_ref()) else {
                    checker.unknown("pose", name, graph.nodes().iter().map(|node| node.name.as_str()));
                    return None;
                };
                Some(node.0)
            }
        };
        Some(Self {
            places,
            facing: table.facing.map(f32::to_radians),
            pose,
            by: table.by.map(|by| (by * FRAME_RATE).round() as u32),
            stay: (table.stay * FRAME_RATE).round() as u32,
        })
    }

    /// The changes that direct people, by their indices: everybody to the place that is nearest, those first who go farthest,
    /// so that nobody stands in the way of who comes later.
    pub(crate) fn edits(&self, people: &[usize], crowd: &Crowd) -> Vec<Edit> {
        let ground = &crowd.setting().ground;
        let mut free: Vec<(u32, Vec2)> = people
            .iter()
            .take(MOST_DIRECTED)
            .map(|&index| (crowd.id(index), crowd.positions()[index]))
            .collect();
        let mut places: Vec<Vec2> = self
            .places
            .places(free.len())
            .into_iter()
            .map(|[x, y]| ground.to_local(DVec2::new(x, y)))
            .collect();
        let middle = free.iter().map(|(_, at)| *at).sum::<Vec2>() / free.len().max(1) as f32;
        // What is equally far stays in its order.
        places.sort_by(|a, b| b.distance(middle).total_cmp(&a.distance(middle)));
        let mut edits = Vec::new();
        for at in places {
            let nearest = free
                .iter()
                .enumerate()
                .min_by(|(_, (_, a)), (_, (_, b))| a.distance_squared(at).total_cmp(&b.distance_squared(at)));
            let Some((place, _)) = nearest else { break };
            let (id, _) = free.remove(place);
            let direction = Direction {
                at,
                facing: self.facing,
                pose: self.pose,
                frame: self.by,
                stay: self.stay,
                round: 0,
            };
            edits.push(Edit::Direct(id, direction));
        }
        edits
    }
}

/// So many places all over an area, as far apart as they can be in rows that are shifted against each other.
fn fill(corners: &[Point], count: usize) -> Vec<Point> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for corner in corners {
        for axis in [0, 1] {
            low[axis] = low[axis].min(corner[axis]);
            high[axis] = high[axis].max(corner[axis]);
        }
    }
    let at_distance = |apart: f64| {
        let mut places = Vec::new();
        let (row, mut y, mut odd) = (apart * 0.75f64.sqrt(), low[1] + apart * 0.25, false);
        while y < high[1] && places.len() <= MOST_DIRECTED * 4 {
            let mut x = low[0] + apart * if odd { 0.75 } else { 0.25 };
            while x < high[0] && places.len() <= MOST_DIRECTED * 4 {
                if is_inside([x, y], corners) {
                    places.push([x, y]);
                }
                x += apart;
            }
            (y, odd) = (y + row, !odd);
        }
        places
    };
    let span = distance(low, high);
    if count == 0 || !(span > 0.0 && span.is_finite()) {
        return Vec::new();
    }
    let (mut near, mut far) = (span / 1000.0, span);
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        if at_distance(middle).len() >= count { near = middle } else { far = middle }
    }
    let places = at_distance(near);
    // Where some are too many, they are left out all over.
    let step = places.len() as f64 / count as f64;
    (0..count.min(places.len())).map(|index| places[(index as f64 * step) as usize]).collect()
}

fn is_inside([x, y]: Point, corners: &[Point]) -> bool {
    let mut inside = false;
    for (index, [ax, ay]) in corners.iter().enumerate() {
        let [bx, by] = corners[(index + 1) % corners.len()];
        if (*ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
            inside = !inside;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_filled_evenly() {
        let corners = [[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [5.0, 6.0], [5.0, 3.0], [0.0, 3.0]];
        for count in [1, 7, 30, 120] {
            let places = fill(&corners, count);
            assert_eq!(places.len(), count);
            assert!(places.iter().all(|place| is_inside(*place, &corners)));
            let nearest = |own: &Point| {
                let others = places.iter().filter(|other| *other != own);
                others.map(|other| distance(*own, *other)).fold(f64::INFINITY, f64::min)
            };
            // An area of 45 m² holds them no farther apart than this.
            let apart = (45.0 / count as f64).sqrt();
            assert!(places.iter().all(|place| count == 1 || nearest(place) > 0.6 * apart), "{count}");
        }
    }
}
