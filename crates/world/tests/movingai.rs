//! The MovingAI street maps: no way longer than the grid's, none through a wall. Skipped without the data folder.

use crowdloom_world::{GridMap, MeshRouter, Roadmap, RoadmapOptions, Router, read_scenario};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("CROWDLOOM_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("maps/movingai");
    if !folder.is_dir() {
        println!("skipped: no map data");
        return None;
    }
    Some(folder)
}

fn check(map: &str) {
    let Some(folder) = folder() else { return };
    let grid = GridMap::parse(&std::fs::read_to_string(folder.join(format!("{map}.map"))).unwrap()).unwrap();
    let ground = Arc::new(grid.ground(1.0).unwrap());
    let mesh = MeshRouter::new(Arc::clone(&ground));
    let roadmap =
        Roadmap::new(Arc::clone(&ground), RoadmapOptions { radius: 0.0, ..RoadmapOptions::default() });
    let mut ratios = Vec::new();
    let mut failures = Vec::new();
    for query in read_scenario(&folder.join(format!("{map}.map.scen.gz"))).unwrap() {
        let (from, to) =
            (grid.centre(query.from.0, query.from.1, 1.0), grid.centre(query.to.0, query.to.1, 1.0));
        let route = match mesh.route(from, to, 0.0) {
            Ok(route) => route,
            Err(why) => {
                failures.push(format!("{query:?} {from} {to}: {why}"));
                continue;
            }
        };
        if route.length > query.optimal * (1.0 + 1e-6) {
            failures.push(format!("{query:?}: {} is longer", route.length));
        }
        if !route.way_points.windows(2).all(|p| ground.straight_is_free(p[0], p[1], 0.0)) {
            failures.push(format!("{query:?}: through a wall {:?}", route.way_points));
        }
        let sampled = roadmap.route(from, to, 0.0).unwrap();
        if sampled.length < route.length - 1e-3 {
            failures.push(format!("{query:?}: the roadmap found {} < {}", sampled.length, route.length));
        }
        if route.length > 0.0 {
            ratios.push(sampled.length / route.length);
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures, such as\n{}",
        failures.len(),
        failures[..failures.len().min(8)].join("\n")
    );
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    assert!(mean < 1.08, "roadmap ways are {mean} times the shortest on average");
}

#[test]
fn berlin() {
    check("Berlin_0_256");
}

#[test]
fn paris() {
    check("Paris_1_256");
}
