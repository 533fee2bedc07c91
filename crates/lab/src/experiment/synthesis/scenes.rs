//! The six experiments of table 1, as tasks on a ground.

use crowdloom_motion::graph::{MotionGraph, NodeId};
use crowdloom_motion::{FRAME_TIME, Placement};
use crowdloom_synthesis::{Goal, Task, When};
use crowdloom_world::{Ground, Outline, Stream, rectangle};
use glam::{DVec2, Vec2};
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

/// People with goals on a ground.
pub struct Scene {
    /// Its name in the table.
    pub name: String,
    /// The ground.
    pub ground: Arc<Ground>,
    /// Who goes where.
    pub tasks: Vec<Task>,
    /// People who stay where they are.
    pub bystanders: Vec<Vec2>,
    /// Places that ways lead around, whether anybody is there or not.
    pub seats: Vec<Vec2>,
    /// Table 1: seconds per agent, altogether, and mean duration of the motions.
    pub paper: Option<(f64, f64, f64)>,
}

/// A pose by its name; the first pose where there is none.
fn pose(graph: &MotionGraph, name: &str) -> NodeId {
    graph.find_node(name).unwrap_or(NodeId(0))
}

/// Where people stand at ease.
fn standing(graph: &MotionGraph) -> NodeId {
    let rest = graph.nodes().iter().position(|node| node.rest);
    NodeId(rest.unwrap_or(0) as u16)
}

fn floor(low: Vec2, high: Vec2) -> Arc<Ground> {
    let outline = Outline::solid("floor", rectangle(low.as_dvec2(), high.as_dvec2()));
    Arc::new(Ground::builder().floor(outline).build().expect("a rectangle is a floor"))
}

fn goal(at: Vec2, facing: f32, pose: NodeId) -> Goal {
    Goal { at: Some(at), facing: Some(facing), pose: Some(pose), time: None }
}

fn place(at: Vec2, heading: f32) -> Placement {
    Placement { position: at, heading }
}

fn between(random: &mut Stream, low: f32, high: f32) -> f32 {
    low + (high - low) * random.unit() as f32
}

/// Experiment 1: 20 arrive at once, in a ring, facing its middle.
pub fn arrive_at_once(graph: &MotionGraph) -> Scene {
    let stand = standing(graph);
    let mut random = Stream::new(1, 1);
    let mut starts: Vec<Vec2> = Vec::new();
    while starts.len() < 20 {
        let at = Vec2::new(between(&mut random, -14.0, 14.0), between(&mut random, -14.0, 14.0));
        if at.length() > 7.0 && starts.iter().all(|other| other.distance(at) > 1.0) {
            starts.push(at);
        }
    }
    // Everybody has a place on its side of the ring, but neighbours have changed places: ways cross.
    starts.sort_by(|a, b| libm::atan2f(a.y, a.x).total_cmp(&libm::atan2f(b.y, b.x)));
    for index in 0..starts.len() {
        let other = (index + 1 + random.below(3)) % starts.len();
        starts.swap(index, other);
    }
    let mut tasks = Vec::new();
    for (index, &at) in starts.iter().enumerate() {
        let angle = TAU * index as f32 / 20.0 - PI;
        let out = Placement::new(0.0, 0.0, angle).facing();
        let goal = Goal { time: Some(When::at(14.8)), ..goal(out * 4.0, angle + PI, stand) };
        let heading = between(&mut random, -PI, PI);
        tasks.push(Task {
            name: format!("agent {}", index + 1),
            start: place(at, heading),
            pose: stand,
            goals: vec![goal],
        });
    }
    Scene {
        name: "1".into(),
        ground: floor(Vec2::splat(-20.0), Vec2::splat(20.0)),
        tasks,
        bystanders: Vec::new(),
        seats: Vec::new(),
        paper: Some((0.21, 4.2, 14.8)),
    }
}

/// Strokes of the letters S, C and A in a box of 1 by 1.4.
const LETTERS: [&[&[[f32; 2]]]; 3] = [
    &[&[
        [1.0, 1.2],
        [0.8, 1.4],
        [0.2, 1.4],
        [0.0, 1.2],
        [0.0, 0.9],
        [0.2, 0.72],
        [0.8, 0.66],
        [1.0, 0.48],
        [1.0, 0.2],
        [0.8, 0.0],
        [0.2, 0.0],
        [0.0, 0.2],
    ]],
    &[&[[1.0, 1.2], [0.8, 1.4], [0.3, 1.4], [0.0, 1.1], [0.0, 0.3], [0.3, 0.0], [0.8, 0.0], [1.0, 0.2]]],
    &[&[[0.0, 0.0], [0.5, 1.4], [1.0, 0.0]], &[[0.28, 0.5], [0.72, 0.5]]],
];

/// `count` points, spread evenly over the letters, `size` metres wide each.
fn word(count: usize, size: f32) -> Vec<Vec2> {
    let strokes: Vec<Vec<Vec2>> = LETTERS
        .iter()
        .enumerate()
        .flat_map(|(letter, strokes)| {
            let left = Vec2::X * (letter as f32 * 1.45);
            strokes.iter().map(move |stroke| stroke.iter().map(|&p| (Vec2::from(p) + left) * size).collect())
        })
        .collect();
    let length = |stroke: &[Vec2]| stroke.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>();
    let total: f32 = strokes.iter().map(|stroke| length(stroke)).sum();
    let mut points = Vec::new();
    let mut before = 0.0;
    for stroke in &strokes {
        let own = length(stroke);
        let share = |sum: f32| (sum / total * count as f32).round() as usize;
        let here = share(before + own) - share(before);
        before += own;
        points.extend((0..here).map(|index| along(stroke, own * (index as f32 + 0.5) / here as f32)));
    }
    points
}

/// The point of a polygon line at some distance from its start.
fn along(line: &[Vec2], mut distance: f32) -> Vec2 {
    for pair in line.windows(2) {
        let length = pair[0].distance(pair[1]);
        if distance <= length {
            return pair[0].lerp(pair[1], distance / length.max(1e-6));
        }
        distance -= length;
    }
    line[line.len() - 1]
}

/// Experiment 2: 70 go to places in which they spell a word.
pub fn spell_a_word(graph: &MotionGraph) -> Scene {
    let stand = standing(graph);
    let points = word(70, 6.5);
    // Files go side by side; whoever is in front goes deepest, so that nobody has to pass through a finished letter.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x));
    for file in order.chunks_mut(5) {
        file.sort_by(|&a, &b| points[b].y.total_cmp(&points[a].y));
    }
    let mut tasks = Vec::new();
    for (rank, &index) in order.iter().enumerate() {
        let (column, row) = (rank / 5, rank % 5);
        let start = Vec2::new(column as f32 * 1.6 + 1.0, -20.0 - row as f32 * 1.6);
        let goal = goal(points[index], -FRAC_PI_2, stand);
        tasks.push(Task {
            name: format!("agent {}", rank + 1),
            start: place(start, FRAC_PI_2),
            pose: stand,
            goals: vec![goal],
        });
    }
    Scene {
        name: "2".into(),
        ground: floor(Vec2::new(-12.0, -34.0), Vec2::new(40.0, 22.0)),
        tasks,
        bystanders: Vec::new(),
        seats: Vec::new(),
        paper: Some((0.18, 12.6, 21.3)),
    }
}

/// Experiment 6: people on a grid go to the same grid some way off, each to a place near its own, all crossing.
pub fn crossing_grid(graph: &MotionGraph, count: usize, spacing: f32, name: &str) -> Scene {
    let stand = standing(graph);
    const COLUMNS: usize = 10;
    let rows = count.div_ceil(COLUMNS);
    let mut random = Stream::new(6, count as u64);
    let cell = |index: usize| Vec2::new((index / rows) as f32, (index % rows) as f32) * spacing;
    // Neighbours swap places at random: everybody's way stays about as long.
    let mut targets: Vec<usize> = (0..count).collect();
    for _ in 0..3 {
        for index in 0..count {
            let step = [1, rows][random.below(2)];
            let same_column = step != 1 || (index + 1) % rows != 0;
            if index + step < count && same_column && random.below(2) == 0 {
                targets.swap(index, index + step);
            }
        }
    }
    let way = Vec2::new(32.0f32.max(COLUMNS as f32 * spacing), 0.0);
    let tasks = (0..count)
        .map(|index| Task {
            name: format!("agent {}", index + 1),
            start: place(cell(index), 0.0),
            pose: stand,
            goals: vec![Goal { at: Some(cell(targets[index]) + way), ..Goal::default() }],
        })
        .collect();
    let high = Vec2::new(COLUMNS as f32, rows as f32) * spacing + way + 20.0;
    let paper = match name {
        "6a" => Some((0.034, 0.86, 25.3)),
        "6b" => Some((0.035, 0.90, 25.6)),
        _ => None,
    };
    Scene {
        name: name.into(),
        ground: floor(Vec2::splat(-20.0), high),
        tasks,
        bystanders: Vec::new(),
        seats: Vec::new(),
        paper,
    }
}

/// Seconds of a number of frames.
pub fn seconds(frames: u32) -> f64 {
    f64::from(frames) * f64::from(FRAME_TIME)
}

/// A ground of rectangles, some floors and some obstacles: x0, y0, x1, y1 in metres.
fn rooms(floors: &[[f64; 4]], obstacles: &[[f64; 4]]) -> Arc<Ground> {
    let outline = |&[x0, y0, x1, y1]: &[f64; 4]| {
        Outline::solid("part", rectangle(DVec2::new(x0, y0), DVec2::new(x1, y1)))
    };
    let builder = floors.iter().fold(Ground::builder(), |builder, floor| builder.floor(outline(floor)));
    let builder = obstacles.iter().fold(builder, |builder, part| builder.obstacle(outline(part)));
    Arc::new(builder.build().expect("rectangles make a floor"))
}

/// Experiment 3: one person goes through furnished rooms full of people, and lifts a box.
pub fn through_rooms(graph: &MotionGraph, lifts: bool) -> Scene {
    let stand = standing(graph);
    // Three rows of four rooms, each 9 m by 7 m, joined so that the way goes all along two of them and back.
    let mut floors = Vec::new();
    let mut obstacles = Vec::new();
    let mut bystanders = Vec::new();
    let corner = |column: usize, row: usize| (column as f64 * 9.2, row as f64 * 7.2);
    for row in 0..3 {
        for column in 0..4 {
            let (x, y) = corner(column, row);
            floors.push([x, y, x + 9.0, y + 7.0]);
            if column < 3 {
                floors.push([x + 9.0, y + 2.6, x + 9.2, y + 4.6]);
            }
            let up = (row == 0 && column == 0) || (row == 1 && column == 3);
            if up {
                floors.push([x + 3.5, y + 7.0, x + 5.5, y + 7.2]);
            }
            // A table, a cupboard, and two people in each room.
            let shift = f64::from(((row * 4 + column) % 3) as u32) * 0.8;
            obstacles.push([x + 3.4 + shift, y + 3.0, x + 4.8 + shift, y + 4.0]);
            obstacles.push([x + 0.6, y + 0.3, x + 1.6, y + 0.8]);
            bystanders.push(Vec2::new((x + 2.2 + shift) as f32, (y + 5.0) as f32));
            bystanders.push(Vec2::new((x + 7.0 - shift * 0.5) as f32, (y + 2.2) as f32));
        }
    }
    let (x, y) = corner(3, 0);
    let start = place(Vec2::new(x as f32 + 7.5, y as f32 + 1.0), PI);
    let (x, y) = corner(3, 2);
    let end = if lifts { pose(graph, "carry-stand") } else { stand };
    let goal = goal(Vec2::new(x as f32 + 8.0, y as f32 + 6.0), FRAC_PI_2, end);
    Scene {
        name: "3".into(),
        ground: rooms(&floors, &obstacles),
        tasks: vec![Task { name: "agent 1".into(), start, pose: stand, goals: vec![goal] }],
        bystanders,
        seats: Vec::new(),
        paper: Some((0.01, 0.01, 83.3)),
    }
}

/// Experiment 4: 40 go from a lobby to seats in a theatre, past people who sit already.
pub fn theatre(graph: &MotionGraph) -> Scene {
    const ROWS: usize = 6;
    const SEATS: usize = 14;
    const PITCH: f32 = 1.7;
    const WIDTH: f32 = 0.8;
    let (stand, sit) = (standing(graph), pose(graph, "sit"));
    let ground = rooms(
        &[[0.0, 0.0, 17.0, 15.0], [0.0, -10.0, 17.0, -0.3], [0.4, -0.3, 2.6, 0.0], [14.4, -0.3, 16.6, 0.0]],
        &[],
    );
    let seat = |row: usize, number: usize| {
        Vec2::new(8.5 + (number as f32 - 0.5 * (SEATS - 1) as f32) * WIDTH, 3.0 + row as f32 * PITCH)
    };
    let mut random = Stream::new(4, 4);
    let mut bystanders = Vec::new();
    let mut wanted: Vec<(usize, usize)> = Vec::new();
    for row in 0..ROWS {
        // Who sits already, and who is to come: those far from the aisles first.
        let mut numbers: Vec<usize> = (0..SEATS).collect();
        for index in 0..SEATS {
            numbers.swap(index, index + random.below(SEATS - index));
        }
        bystanders.extend(numbers[..3].iter().map(|&number| seat(row, number)));
        let coming = if row < 4 { 7 } else { 6 };
        wanted.extend(numbers[3..3 + coming].iter().map(|&number| (row, number)));
    }
    let depth = |&(_, number): &(usize, usize)| number.min(SEATS - 1 - number);
    wanted.sort_by_key(|place| (std::cmp::Reverse(depth(place)), std::cmp::Reverse(place.0), place.1));
    let mut tasks = Vec::new();
    for (index, &(row, number)) in wanted.iter().enumerate() {
        // Those who sit on the left wait on the left; the first to be planned is nearest to the door.
        let left = number < SEATS / 2;
        let order = wanted[..index].iter().filter(|(_, other)| (*other < SEATS / 2) == left).count();
        let x = (order % 5) as f32 * 1.5 + 1.0;
        let start = Vec2::new(if left { x } else { 17.0 - x }, -2.4 - (order / 5) as f32 * 1.6);
        tasks.push(Task {
            name: format!("agent {}", index + 1),
            start: place(start, FRAC_PI_2),
            pose: stand,
            goals: vec![goal(seat(row, number), FRAC_PI_2, sit)],
        });
    }
    let seats = (0..ROWS * SEATS).map(|index| seat(index / SEATS, index % SEATS)).collect();
    Scene { name: "4".into(), ground, tasks, bystanders, seats, paper: Some((0.35, 14.0, 30.2)) }
}

/// Experiment 5: 20 who sit each carry a box from one place in the next room to another, and sit down again.
pub fn carry_boxes(graph: &MotionGraph) -> Scene {
    let (stand, sit, carry) = (standing(graph), pose(graph, "sit"), pose(graph, "carry-stand"));
    let ground = rooms(
        &[[0.0, 0.0, 16.0, 7.0], [0.0, 7.2, 16.0, 18.0], [1.5, 7.0, 5.5, 7.2], [10.5, 7.0, 14.5, 7.2]],
        &[],
    );
    let mut tasks = Vec::new();
    for index in 0..20 {
        let (column, row) = (index % 10, index / 10);
        let seat = Vec2::new(1.25 + column as f32 * 1.5, 1.0 + row as f32 * 2.2);
        let from = Vec2::new(1.25 + column as f32 * 1.5, 9.6 + row as f32 * 2.0);
        let to = Vec2::new(1.25 + ((column + 1) % 10) as f32 * 1.5, 14.0 + row as f32 * 2.0);
        tasks.push(Task {
            name: format!("agent {}", index + 1),
            start: place(seat, FRAC_PI_2),
            pose: sit,
            goals: vec![goal(from, FRAC_PI_2, carry), goal(to, FRAC_PI_2, stand), goal(seat, FRAC_PI_2, sit)],
        });
    }
    Scene {
        name: "5".into(),
        ground,
        tasks,
        bystanders: Vec::new(),
        seats: Vec::new(),
        paper: Some((0.15, 3.0, 23.6)),
    }
}
