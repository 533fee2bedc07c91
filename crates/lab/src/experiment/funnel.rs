//! Seek and funnel (Thalmann and Musse 2007, section 4.9, figure 4.20): 42 people from one point to places and directions of
//! their own without heeding each other, and 1,000 who do heed each other.

use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::velocity::funnel::{ENTRIES, TABLE, between};
use crowdloom_crowd::velocity::{Aim, Funnel, Manners, Model, Surroundings, VelocityCrowd, Walker};
use glam::Vec2;
use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// People of the source's figure, …
const FEW: usize = 42;
/// … and of a crowd.
const MANY: usize = 1000;
/// Seconds from one update to the next.
const STEP: f32 = 1.0 / 30.0;
/// Seconds after which nobody is waited for any more.
const PATIENCE: f32 = 120.0;
/// Metres a second that everybody likes.
const SPEED: f32 = 1.3;

/// What one group of people did.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// `funnel`, or `seek` where directions do not matter.
    pub controller: &'static str,
    /// How many people there were.
    pub people: usize,
    /// Whether they avoided each other.
    pub avoid: bool,
    /// Those who passed their goals within its tolerance.
    pub arrived: usize,
    /// Those of them who did so within the tolerance of its direction.
    pub in_direction: usize,
    /// Degrees off the direction there, on the mean.
    pub off_degrees: f32,
    /// Seconds until a goal is passed, on the mean.
    pub seconds: f32,
    /// The sharpest curve of anybody who was faster than 0.5 m/s, in 1/m.
    pub curvature: f32,
    /// Pairs whose discs ever overlapped by more than a tenth.
    pub overlaps: usize,
    /// Microseconds of one update of one person on the mean, with all that it looks at; on all threads.
    pub update_us: f64,
    /// Everybody's way, in metres.
    #[serde(skip)]
    pub ways: Vec<Vec<Vec2>>,
}

/// What the experiment found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Entries of the table (source: 43,200).
    pub entries: usize,
    /// Bytes of the table (source: 0.5 MB).
    pub bytes: usize,
    /// The share of the entries whose goal is reached by seeking.
    pub reachable: f32,
    /// Seconds that it took to make the table.
    pub table_s: f64,
    /// Microseconds of one control update alone, best of several (source: 12, printed as ms).
    pub control_us: f64,
    /// The groups.
    pub groups: Vec<Row>,
}

struct Goal {
    at: Vec2,
    towards: Vec2,
    funnel: Funnel,
}

/// Runs the experiment.
pub fn run(seed: u64) -> Report {
    let begin = Instant::now();
    let (bytes, reachable) = (TABLE.bytes(), TABLE.reachable());
    let table_s = begin.elapsed().as_secs_f64();
    let mut groups = Vec::new();
    for controller in ["funnel", "seek"] {
        groups.push(go(controller, &from_one_point(seed, controller), vec![Vec2::ZERO; FEW], false));
    }
    let (starts, goals) = across(seed);
    groups.push(go("funnel", &goals, starts, true));
    Report { entries: ENTRIES, bytes, reachable, table_s, control_us: control_us(), groups }
}

/// Goals like those of figure 4.20: before, above and below one point, each with a direction and tolerances of its own.
fn from_one_point(seed: u64, controller: &str) -> Vec<Goal> {
    let mut stream = Random::new(seed, 42, 0, Purpose::BIRTH);
    let one = |number: usize| {
        let (row, column) = (number % 7, number / 7);
        let place = Vec2::new(4.0 + 2.2 * column as f32, 3.0 * (row as f32 - 3.0));
        Goal {
            at: place + Vec2::new(stream.between(-0.6, 0.6), stream.between(-0.6, 0.6)),
            towards: Vec2::from_angle(stream.between(-std::f32::consts::PI, std::f32::consts::PI)),
            funnel: Funnel {
                gain: if controller == "seek" { 0.0 } else { Funnel::default().gain },
                horizon: 0.0,
                tolerance: stream.between(0.15, 0.5),
                angle_tolerance: stream.between(5.0, 25.0),
                ..Funnel::default()
            },
        }
    };
    (0..FEW).map(one).collect()
}

/// People on a square of ground, and places 5 to 15 m away that nobody else wants.
fn across(seed: u64) -> (Vec<Vec2>, Vec<Goal>) {
    let mut stream = Random::new(seed, 1000, 0, Purpose::BIRTH);
    let side = (MANY as f32).sqrt().ceil() as usize;
    let place = |number: usize, stream: &mut Random| {
        let own = Vec2::new((number % side) as f32, (number / side) as f32) * 1.8;
        own + Vec2::new(stream.between(-0.4, 0.4), stream.between(-0.4, 0.4))
    };
    let starts: Vec<Vec2> = (0..MANY).map(|number| place(number, &mut stream)).collect();
    let mut free: Vec<usize> = (0..MANY).collect();
    let goals = starts.iter().map(|start| {
        // The first of a few free places that is far enough.
        let mut pick = free.len() - 1;
        for _ in 0..40 {
            let tried = stream.below(free.len() as u32) as usize;
            pick = tried;
            if (5.0..15.0).contains(&place(free[tried], &mut stream.clone()).distance(*start)) {
                break;
            }
        }
        Goal {
            at: place(free.swap_remove(pick), &mut stream),
            towards: Vec2::from_angle(stream.between(-std::f32::consts::PI, std::f32::consts::PI)),
            funnel: Funnel::default(),
        }
    });
    let goals = goals.collect();
    (starts, goals)
}

/// Lets everybody go to their goals.
fn go(controller: &'static str, goals: &[Goal], starts: Vec<Vec2>, avoid: bool) -> Row {
    let people = goals.len();
    let mut crowd = VelocityCrowd::new(1);
    for (goal, start) in goals.iter().zip(starts) {
        // Nobody makes itself narrow, so that overlaps are overlaps of bodies.
        let usual = Manners { squeeze: 0.0, ..Manners::default() };
        let manners = if avoid { usual } else { Manners::none() };
        let agent = crowd.add(Walker {
            manners,
            neighbour_distance: if avoid { 5.0 } else { 0.1 },
            ..Walker::new(start, Model::Funnel(goal.funnel))
        });
        if !avoid {
            crowd.set_velocity(agent, Vec2::X * SPEED);
        }
    }
    let mut ways: Vec<Vec<Vec2>> = crowd.positions().iter().map(|at| vec![*at]).collect();
    let mut done: Vec<Option<(f32, f32)>> = vec![None; people];
    let mut nearest = vec![f32::INFINITY; people];
    let mut headings = vec![0.0f32; people];
    let (mut curvature, mut overlaps, mut spent, mut updates) = (0.0f32, 0, 0.0, 0usize);
    for step in 1..=(PATIENCE / STEP) as usize {
        let there = |agent: usize| done[agent].is_some();
        crowd.prefer(|agent, at| match (there(agent), avoid) {
            // Who has passed its goal goes on, or, in a crowd, stays there.
            (true, false) => Vec2::ZERO,
            (_, true) => (goals[agent].at - at).clamp_length_max(1.0) * SPEED,
            _ => (goals[agent].at - at).normalize_or_zero() * SPEED,
        });
        crowd.aim(|agent, _| {
            let goal = &goals[agent];
            Some(Aim { at: goal.at, towards: goal.towards, stays: avoid })
        });
        let begin = Instant::now();
        crowd.step(Surroundings { touching: !avoid, ..Surroundings::default() }, STEP);
        spent += begin.elapsed().as_secs_f64();
        updates += people;
        for (agent, goal) in goals.iter().enumerate() {
            let (at, velocity) = (crowd.positions()[agent], crowd.velocities()[agent]);
            let heading = crowd.memories()[agent].heading;
            let speed = velocity.length();
            if speed > 0.5 && done[agent].is_none() && step > 1 {
                curvature = curvature.max(between(heading, headings[agent]) / STEP / speed);
            }
            headings[agent] = heading;
            if done[agent].is_some() {
                continue;
            }
            ways[agent].push(at);
            let (left, off) = (goal.at.distance(at), between(heading, goal.towards.to_angle()));
            // Who stays has arrived once it stands and has turned; who goes on, where it is nearest.
            let within = nearest[agent].min(left) < goal.funnel.tolerance;
            let turns = crowd.memories()[agent].spin.abs() > 0.05;
            let passed = if avoid { speed < 0.05 && !turns } else { left >= nearest[agent] };
            if within && passed {
                done[agent] = Some((off.to_degrees(), step as f32 * STEP));
            }
            nearest[agent] = nearest[agent].min(left);
        }
        if avoid {
            overlaps = overlaps.max(crowd.overlaps(0.1).0);
        }
        if done.iter().all(Option::is_some) {
            break;
        }
    }
    let arrived: Vec<(usize, (f32, f32))> =
        done.iter().enumerate().filter_map(|(agent, done)| done.map(|done| (agent, done))).collect();
    let mean = |part: fn(&(f32, f32)) -> f32| {
        arrived.iter().map(|(_, done)| part(done)).sum::<f32>() / arrived.len().max(1) as f32
    };
    let fits = |(agent, (off, _)): &&(usize, (f32, f32))| *off <= goals[*agent].funnel.angle_tolerance;
    Row {
        controller,
        people,
        avoid,
        arrived: arrived.len(),
        in_direction: arrived.iter().filter(fits).count(),
        off_degrees: mean(|done| done.0),
        seconds: mean(|done| done.1),
        curvature,
        overlaps,
        update_us: spent * 1e6 / updates.max(1) as f64,
        ways,
    }
}

/// Microseconds of one control update alone.
fn control_us() -> f64 {
    use crowdloom_crowd::velocity::funnel::Going;
    const UPDATES: usize = 10_000;
    let funnel = Funnel::default();
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let mut going = Going { heading: 0.0, speed: SPEED, spin: 0.0 };
        let begin = Instant::now();
        for update in 0..UPDATES {
            let offset = Vec2::from_angle(update as f32 * 0.01) * (0.5 + (update % 97) as f32 * 0.1);
            funnel.funnel(&mut going, offset, update as f32 * 0.003, SPEED, STEP);
        }
        std::hint::black_box(going);
        best = best.min(begin.elapsed().as_secs_f64() * 1e6 / UPDATES as f64);
    }
    best
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "table of {} entries, {} bytes (source: 43,200, 0.5 MB), {:.0} % reachable, made in {:.2} s; one control update {:.2} µs",
            self.entries,
            self.bytes,
            100.0 * self.reachable,
            self.table_s,
            self.control_us
        )?;
        write!(
            f,
            "controller  people  avoid  arrived  in direction  off °  seconds  curve 1/m  overlaps  µs an update"
        )?;
        for row in &self.groups {
            write!(
                f,
                "\n{:<10} {:>7}  {:<5} {:>8} {:>13} {:>6.1} {:>8.1} {:>10.2} {:>9} {:>13.2}",
                row.controller,
                row.people,
                if row.avoid { "yes" } else { "no" },
                row.arrived,
                row.in_direction,
                row.off_degrees,
                row.seconds,
                row.curvature,
                row.overlaps,
                row.update_us
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn funnelling_arrives_in_directions_that_seeking_misses() {
        let found = super::run(1);
        assert_eq!(found.entries, 43_200);
        assert!(found.bytes <= 500_000, "{found}");
        let [funnel, seek, crowd] = &found.groups[..] else { panic!("three groups") };
        assert_eq!((funnel.arrived, funnel.in_direction), (42, 42), "{found}");
        assert!(seek.in_direction < 20, "{found}");
        assert!(crowd.arrived >= 950 && crowd.in_direction >= 900 && crowd.overlaps == 0, "{found}");
    }
}
