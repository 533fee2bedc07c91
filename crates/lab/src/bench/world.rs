//! Times the world's hot queries and its routers.
//!
//! The maps of the data folder are used where they are present (`CROWDLOOM_DATA`, or `../shared/data` beside the
//! workspace); the 25-block city is made by a program and always there.

use crowdloom_world::{
    City, DistanceField, GridMap, Ground, MeshRouter, ReadOptions, Roadmap, RoadmapOptions, Route, Router,
    ScenarioQuery, Stream, read_ground, read_scenario,
};
use glam::Vec2;
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Every question is asked in so many rounds; the best round counts.
const ROUNDS: usize = 200;
/// All ways of a map are found so often; the best round counts.
const REPEATS: usize = 5;
/// The radius of a pedestrian in metres.
const RADIUS: f32 = 0.25;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Questions about the ground.
    pub queries: Vec<QueryFigure>,
    /// Ways.
    pub routes: Vec<RouteFigure>,
    /// Maps that were looked for and not found.
    pub missing: Vec<String>,
}

/// One question on one map.
#[derive(Debug, Serialize)]
pub struct QueryFigure {
    /// The map.
    pub map: String,
    /// The question.
    pub name: String,
    /// Nanoseconds for one answer, on one core.
    pub ns: f64,
}

/// One router on one map.
#[derive(Debug, Serialize)]
pub struct RouteFigure {
    /// The map.
    pub map: String,
    /// The router.
    pub router: String,
    /// How many different queries were asked.
    pub queries: usize,
    /// Queries a second on one core.
    pub per_second: f64,
    /// Mean over the queries of this router's length by the mesh router's.
    pub mean_length_vs_mesh: f64,
    /// The greatest length by the file's optimal grid length; none without such a file.
    pub max_length_vs_optimal: Option<f64>,
    /// Ways that pass through a wall.
    pub wall_crossings: usize,
}

/// Runs the benchmark.
pub fn run() -> Report {
    let mut report = Report { queries: Vec::new(), routes: Vec::new(), missing: Vec::new() };
    if let Ok(city) = City::default().build() {
        let city = Arc::new(city);
        report.queries.extend(time_queries("city25", &city));
        report.routes.extend(random_routes("city25", &city));
    }
    let data = data_folder();
    let plan = data.as_ref().map(|folder| folder.join("maps/wkt/aknz_evac.wkt"));
    match plan.and_then(|path| read_ground(&path, &ReadOptions::default()).ok()) {
        Some(plan) => {
            let plan = Arc::new(plan);
            report.queries.extend(time_queries("aknz", &plan));
            report.routes.extend(random_routes("aknz", &plan));
        }
        None => report.missing.push("aknz".into()),
    }
    for map in ["Berlin_0_256", "Paris_1_256"] {
        match data.as_ref().and_then(|folder| scenario_routes(folder, map)) {
            Some(figures) => report.routes.extend(figures),
            None => report.missing.push(map.into()),
        }
    }
    report
}

fn data_folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("CROWDLOOM_DATA")
        .map(PathBuf::from)
        .into_iter()
        .chain([beside])
        .find(|path| path.is_dir())
}

/// Nanoseconds for one call of `ask`: the best round through all arguments, so that what else runs on the machine
/// counts little.
fn time<T, A>(arguments: &[A], rounds: usize, mut ask: impl FnMut(&A) -> T) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for argument in arguments {
            black_box(ask(black_box(argument)));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / arguments.len() as f64);
    }
    best
}

fn time_queries(map: &str, ground: &Arc<Ground>) -> Vec<QueryFigure> {
    let mut random = Stream::new(1, 1);
    let bounds = ground.bounds();
    let anywhere: Vec<Vec2> = (0..4096)
        .map(|_| {
            let (u, v) = (random.unit(), random.unit());
            (bounds.min + bounds.size() * glam::DVec2::new(u, v)).as_vec2()
        })
        .collect();
    let walkable: Vec<Vec2> =
        (0..4096).filter_map(|_| ground.random_point(None, RADIUS, &mut random)).collect();
    let headings: Vec<(Vec2, Vec2)> = walkable
        .iter()
        .map(|p| {
            let (sin, cos) = (random.unit() as f32 * std::f32::consts::TAU).sin_cos();
            (*p, Vec2::new(cos, sin))
        })
        .collect();
    // Two steps of a walk, 40 frames, turning left.
    let clip: Vec<Vec2> = (0..40)
        .map(|frame| {
            let t = frame as f32 / 39.0;
            Vec2::new(1.6 * t, 0.4 * t * t)
        })
        .collect();
    let radii = vec![RADIUS; clip.len()];
    let mut figures = Vec::new();
    let mut add = |name: &str, ns: f64| figures.push(QueryFigure { map: map.into(), name: name.into(), ns });
    add("disc_free", time(&walkable, ROUNDS, |p| ground.is_free(*p, RADIUS)));
    add("disc_free_anywhere", time(&anywhere, ROUNDS, |p| ground.is_free(*p, RADIUS)));
    add("nearest_wall", time(&walkable, ROUNDS, |p| ground.nearest_wall(*p)));
    add("nearest_wall_anywhere", time(&anywhere, ROUNDS, |p| ground.nearest_wall(*p)));
    add(
        "straight_sweep_2m",
        time(&headings, ROUNDS, |(p, facing)| ground.straight_is_free(*p, *p + *facing * 2.0, RADIUS)),
    );
    add(
        "clip_sweep_40_frames",
        time(&headings, ROUNDS, |(p, facing)| ground.sweep_is_free(&clip, &radii, *p, *facing)),
    );
    add("nearest_free_anywhere", time(&anywhere, REPEATS, |p| ground.nearest_free(*p, RADIUS)));
    add("regions_at", time(&walkable, ROUNDS, |p| ground.regions_at(*p).count()));
    let mut stream = Stream::new(2, 2);
    add("random_point", time(&walkable, ROUNDS, |_| ground.random_point(None, RADIUS, &mut stream)));
    add("ray_20m", time(&headings, ROUNDS, |(p, facing)| ground.cast_ray(*p, *facing, 20.0)));
    let router = MeshRouter::new(Arc::clone(ground));
    if let Some(goal) = walkable.first()
        && let Ok(field) = DistanceField::new(&router, &[*goal], RADIUS, 0.5)
    {
        add("distance_field", time(&walkable, ROUNDS, |p| field.sample(ground, *p)));
    }
    figures
}

/// One way to ask for.
struct Question {
    from: Vec2,
    to: Vec2,
    optimal: Option<f64>,
}

/// Random pairs of places for a pedestrian.
fn random_routes(map: &str, ground: &Arc<Ground>) -> Vec<RouteFigure> {
    let mut random = Stream::new(3, 3);
    let mut place = || ground.random_point(None, RADIUS * 2.0, &mut random);
    let questions: Vec<Question> =
        (0..1000).filter_map(|_| Some(Question { from: place()?, to: place()?, optimal: None })).collect();
    let crosses = |route: &Route| {
        route.way_points.windows(2).any(|p| !ground.straight_is_free(p[0], p[1], RADIUS * 0.99))
    };
    time_routers(map, ground, &questions, RADIUS, crosses)
}

/// All queries of a MovingAI scenario.
fn scenario_routes(data: &Path, map: &str) -> Option<Vec<RouteFigure>> {
    let folder = data.join("maps/movingai");
    let grid = GridMap::parse(&std::fs::read_to_string(folder.join(format!("{map}.map"))).ok()?).ok()?;
    let ground = Arc::new(grid.ground(1.0).ok()?);
    let queries = read_scenario(&folder.join(format!("{map}.map.scen.gz"))).ok()?;
    let question = |query: &ScenarioQuery| Question {
        from: grid.centre(query.from.0, query.from.1, 1.0),
        to: grid.centre(query.to.0, query.to.1, 1.0),
        optimal: Some(query.optimal),
    };
    let questions: Vec<Question> = queries.iter().map(question).collect();
    let crosses = |route: &Route| route.way_points.windows(2).any(|p| passes_blocked_cell(&grid, p[0], p[1]));
    Some(time_routers(map, &ground, &questions, 0.0, crosses))
}

fn time_routers(
    map: &str,
    ground: &Arc<Ground>,
    questions: &[Question],
    radius: f32,
    crosses: impl Fn(&Route) -> bool,
) -> Vec<RouteFigure> {
    let mesh = MeshRouter::new(Arc::clone(ground));
    let roadmap = Roadmap::new(Arc::clone(ground), RoadmapOptions { radius, ..RoadmapOptions::default() });
    let ask = |router: &dyn Router| -> Vec<Option<Route>> {
        questions.iter().map(|q| router.route(q.from, q.to, radius).ok()).collect()
    };
    let shortest = ask(&mesh);
    let routers: [(&str, &dyn Router); 2] = [("mesh", &mesh), ("roadmap", &roadmap)];
    routers
        .into_iter()
        .map(|(name, router)| {
            let routes = ask(router);
            let ratios: Vec<f64> = routes
                .iter()
                .zip(&shortest)
                .filter_map(|(route, best)| Some(route.as_ref()?.length / best.as_ref()?.length))
                .filter(|ratio| ratio.is_finite())
                .collect();
            let max_length_vs_optimal = routes
                .iter()
                .zip(questions)
                .filter_map(|(route, q)| {
                    let optimal = q.optimal.filter(|optimal| *optimal > 0.0)?;
                    // A query without an answer must not look good.
                    Some(route.as_ref().map_or(f64::INFINITY, |route| route.length / optimal))
                })
                .reduce(f64::max);
            RouteFigure {
                map: map.into(),
                router: name.into(),
                queries: questions.len(),
                per_second: 1e9 / time(questions, REPEATS, |q| router.route(q.from, q.to, radius)),
                mean_length_vs_mesh: ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
                max_length_vs_optimal,
                wall_crossings: routes.iter().flatten().filter(|route| crosses(route)).count(),
            }
        })
        .collect()
}

/// Whether the segment passes through the inside of a blocked cell, or between two that touch in a corner. Written
/// on the cells themselves, so that it shares no code with what it checks; `slack` forgives rounding.
fn passes_blocked_cell(grid: &GridMap, a: Vec2, b: Vec2) -> bool {
    let flip = |p: Vec2| (f64::from(p.x), grid.height as f64 - f64::from(p.y));
    let ((ax, ay), (bx, by)) = (flip(a), flip(b));
    let (dx, dy) = (bx - ax, by - ay);
    let slack = 1e-6;
    let is_blocked = |x: i64, y: i64| x < 0 || y < 0 || !grid.is_walkable(x as usize, y as usize);
    for y in ay.min(by).floor() as i64 - 1..=ay.max(by).ceil() as i64 {
        for x in ax.min(bx).floor() as i64 - 1..=ax.max(bx).ceil() as i64 {
            let (mut enter, mut leave) = (0.0f64, 1.0f64);
            for (start, step, low) in [(ax, dx, x as f64), (ay, dy, y as f64)] {
                let (low, high) = (low + slack, low + 1.0 - slack);
                if step == 0.0 {
                    if start <= low || start >= high {
                        leave = -1.0;
                    }
                } else {
                    let (t0, t1) = ((low - start) / step, (high - start) / step);
                    enter = enter.max(t0.min(t1));
                    leave = leave.min(t0.max(t1));
                }
            }
            if is_blocked(x, y) && enter < leave {
                return true;
            }
            // The corner at the north-west of the cell, between two blocked cells in one diagonal.
            let (north_west, south_east) = (is_blocked(x - 1, y - 1), is_blocked(x, y));
            let (north_east, south_west) = (is_blocked(x, y - 1), is_blocked(x - 1, y));
            let falls = north_west && south_east && !north_east && !south_west;
            let rises = north_east && south_west && !north_west && !south_east;
            let (cx, cy) = (x as f64 - ax, y as f64 - ay);
            let length = (dx * dx + dy * dy).sqrt();
            let along = (cx * dx + cy * dy) / length;
            let touches =
                (cx * dy - cy * dx).abs() / length < slack && along > slack && along < length - slack;
            if (falls && dx * dy < 0.0 || rises && dx * dy > 0.0) && touches {
                return true;
            }
        }
    }
    false
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<14} {:<24} {:>10}", "map", "question", "ns")?;
        for q in &self.queries {
            writeln!(f, "{:<14} {:<24} {:>10.1}", q.map, q.name, q.ns)?;
        }
        writeln!(
            f,
            "\n{:<14} {:<9} {:>8} {:>11} {:>13} {:>17} {:>15}",
            "map", "router", "queries", "per second", "mean / mesh", "max / optimal", "wall crossings"
        )?;
        for r in &self.routes {
            let optimal = r.max_length_vs_optimal.map_or_else(|| "-".into(), |value| format!("{value:.9}"));
            writeln!(
                f,
                "{:<14} {:<9} {:>8} {:>11.0} {:>13.4} {:>17} {:>15}",
                r.map, r.router, r.queries, r.per_second, r.mean_length_vs_mesh, optimal, r.wall_crossings
            )?;
        }
        for map in &self.missing {
            writeln!(f, "{map}: not found; set CROWDLOOM_DATA to the data folder")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wall_check_sees_cells_and_pinched_corners() {
        let grid = GridMap::parse("type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n..@.\n").unwrap();
        let passes = |a: (f32, f32), b: (f32, f32)| passes_blocked_cell(&grid, a.into(), b.into());
        assert!(passes((0.5, 1.5), (3.5, 1.5)), "through a cell");
        assert!(!passes((0.5, 2.5), (3.5, 2.5)), "past it");
        assert!(!passes((1.0, 0.5), (1.0, 2.5)), "along its side");
        assert!(passes((1.5, 0.5), (2.5, 1.5)), "between two that touch");
        assert!(passes((0.5, 2.5), (4.5, 2.5)), "out of the grid");
    }
}
