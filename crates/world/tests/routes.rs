//! Routers and fields against brute force.

use crowdloom_world::{
    City, DistanceField, GridMap, Ground, MeshRouter, NavMesh, Roadmap, RoadmapOptions, Rooms, RouteQuery,
    Router, Stream, nearest_exit,
};
use glam::Vec2;
use proptest::prelude::*;
use std::sync::Arc;

/// The shortest way through the corners of the walls, by visibility and Dijkstra.
fn brute_force(ground: &Ground, from: Vec2, to: Vec2) -> Option<f64> {
    let mut points = vec![from, to];
    points.extend(ground.walls().all().iter().map(|wall| wall.start));
    let mut length = vec![f64::INFINITY; points.len()];
    let mut done = vec![false; points.len()];
    length[0] = 0.0;
    while let Some(i) = (0..points.len())
        .filter(|i| !done[*i] && length[*i].is_finite())
        .min_by(|a, b| length[*a].total_cmp(&length[*b]))
    {
        done[i] = true;
        if i == 1 {
            return Some(length[1]);
        }
        for j in 0..points.len() {
            let longer = length[i] + points[i].as_dvec2().distance(points[j].as_dvec2());
            if longer < length[j] && ground.straight_is_free(points[i], points[j], 0.0) {
                length[j] = longer;
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn mesh_routes_are_the_shortest(
        mut cells in prop::collection::vec(prop::bool::weighted(0.68), 8 * 8),
        (fx, fy, tx, ty) in (0usize..8, 0usize..8, 0usize..8, 0usize..8),
    ) {
        cells[fy * 8 + fx] = true;
        cells[ty * 8 + tx] = true;
        let rows: Vec<String> =
            cells.chunks(8).map(|row| row.iter().map(|c| if *c { '.' } else { '@' }).collect()).collect();
        let grid = GridMap::parse(&format!("type octile\nheight 8\nwidth 8\nmap\n{}\n", rows.join("\n"))).unwrap();
        let ground = Arc::new(grid.ground(1.0).unwrap());
        let (from, to) = (grid.centre(fx, fy, 1.0), grid.centre(tx, ty, 1.0));
        let found = MeshRouter::new(Arc::clone(&ground)).route(from, to, 0.0).ok();
        if let Some(route) = &found {
            prop_assert!(route.way_points.windows(2).all(|p| ground.straight_is_free(p[0], p[1], 0.0)));
            // The visibility graph squeezes through corners where two blocked cells touch; the mesh must not.
            let shortest = brute_force(&ground, from, to).unwrap();
            prop_assert!(route.length >= shortest - 1e-6, "{} {shortest}", route.length);
            let pinched = (1..8).any(|y| (1..8).any(|x| {
                let free = |x: usize, y: usize| grid.is_walkable(x, y);
                free(x, y) == free(x - 1, y - 1) && free(x - 1, y) == free(x, y - 1) && free(x, y) != free(x - 1, y)
            }));
            // A way of no width may still squeeze through such a corner in one direction.
            if !pinched {
                prop_assert!((route.length - shortest).abs() < 1e-6, "{} {shortest}", route.length);
                let back = MeshRouter::new(Arc::clone(&ground)).route(to, from, 0.0).unwrap();
                prop_assert!((route.length - back.length).abs() < 1e-6, "there {} and back {}", route.length, back.length);
            }
        }
    }
}

fn city() -> Arc<Ground> {
    Arc::new(City { blocks: 3, ..City::default() }.build().unwrap())
}

fn places(ground: &Ground, count: usize, clearance: f32) -> Vec<Vec2> {
    let mut random = Stream::new(5, 5);
    (0..count).filter_map(|_| ground.random_point(None, clearance, &mut random)).collect()
}

#[test]
fn both_routers_keep_the_radius_clear() {
    let ground = city();
    let mesh = MeshRouter::new(Arc::clone(&ground));
    let roadmap = Roadmap::new(Arc::clone(&ground), RoadmapOptions::default());
    assert!(roadmap.unconnected().is_empty(), "{:?}", roadmap.unconnected());
    for radius in [0.25, 0.6, 1.2] {
        for pair in places(&ground, 60, radius * 1.1).chunks_exact(2) {
            let best = mesh.route(pair[0], pair[1], radius).unwrap();
            assert!(
                best.way_points.windows(2).all(|p| ground.straight_is_free(p[0], p[1], radius)),
                "{best:?}"
            );
            assert_eq!((best.way_points.first(), best.way_points.last()), (Some(&pair[0]), Some(&pair[1])));
            let other = roadmap.route(pair[0], pair[1], radius).unwrap();
            assert!(other.way_points.windows(2).all(|p| ground.straight_is_free(p[0], p[1], radius)));
            assert!(other.length >= best.length * 0.995, "{} {}", other.length, best.length);
            for gate in best.gates(&ground, radius, 3.0) {
                assert!(ground.is_free(gate.left, radius * 0.5) && ground.is_free(gate.right, radius * 0.5));
            }
        }
    }
}

#[test]
fn many_routes_are_the_same_as_one_by_one() {
    let ground = city();
    let mesh = MeshRouter::new(Arc::clone(&ground));
    let queries: Vec<RouteQuery> = places(&ground, 200, 0.3)
        .chunks_exact(2)
        .map(|pair| RouteQuery { from: pair[0], to: pair[1], radius: 0.3 })
        .collect();
    let together = mesh.routes(&queries);
    for (query, route) in queries.iter().zip(&together) {
        assert_eq!(*route, mesh.route(query.from, query.to, query.radius));
    }
    let lengths = mesh.lengths(&queries);
    assert!(lengths.iter().zip(&together).all(|(length, route)| *length == route.as_ref().unwrap().length));
}

#[test]
fn a_walker_too_wide_for_a_door_has_no_way() {
    let ground = Arc::new(Rooms::default().build().unwrap());
    let mesh = MeshRouter::new(Arc::clone(&ground));
    let (from, to) = (Vec2::new(2.0, 2.0), Vec2::new(14.0, 2.0));
    assert!(mesh.route(from, to, 0.49).is_ok());
    assert!(mesh.route(from, to, 0.51).is_err());
    assert_eq!(mesh.mesh(0.51).component_count(), 2);
    let roadmap = Roadmap::new(ground, RoadmapOptions { radius: 0.51, ..RoadmapOptions::default() });
    assert!(roadmap.unconnected().iter().any(|line| line.contains("room 1") && line.contains("room 2")));
}

#[test]
fn the_field_agrees_with_the_router() {
    let ground = city();
    let mesh = MeshRouter::new(Arc::clone(&ground));
    let goals = places(&ground, 2, 1.0);
    let field = DistanceField::new(&mesh, &goals, 0.25, 0.5).unwrap();
    let (mut exact, mut count) = (0, 0);
    for point in places(&ground, 1000, 0.3) {
        let sample = field.sample(&ground, point).unwrap();
        let (_, route) = nearest_exit(&mesh, point, &goals, 0.25).unwrap();
        let error = (f64::from(sample.distance) - route.length).abs();
        assert!(error <= 2.0 * 2.0f64.sqrt() * 0.5 + 1e-3, "{point}: {} {}", sample.distance, route.length);
        // Following the direction for a step comes nearer to the goal.
        let step = 0.1f32.min(sample.distance);
        if let Some(next) = field.sample(&ground, point + sample.direction * step) {
            assert!(next.distance < sample.distance + 0.05);
        }
        exact += usize::from(error < 1e-2);
        count += 1;
    }
    assert!(exact * 100 >= count * 97, "{exact} of {count} are exact");
}

#[test]
fn the_nearest_exit_is_by_way_and_not_by_sight() {
    let ground = Arc::new(Rooms { columns: 2, rows: 1, ..Rooms::default() }.build().unwrap());
    let mesh = MeshRouter::new(Arc::clone(&ground));
    // The second exit is just behind the wall, the first a short walk away.
    let exits = [Vec2::new(3.0, 0.5), Vec2::new(8.6, 0.5)];
    let (exit, route) = nearest_exit(&mesh, Vec2::new(7.5, 0.5), &exits, 0.25).unwrap();
    assert_eq!(exit, 0);
    assert!((route.length - 4.5).abs() < 1e-5);
    assert!(nearest_exit(&mesh, Vec2::new(7.5, 0.5), &[], 0.25).is_err());
}

#[test]
fn cells_cover_the_ground_and_are_convex() {
    let ground = city();
    let mesh = NavMesh::new(ground.areas());
    let mut size = 0.0;
    for outline in mesh.cell_outlines() {
        for i in 0..outline.len() {
            let (a, b, c) = (outline[i], outline[(i + 1) % outline.len()], outline[(i + 2) % outline.len()]);
            assert!((b - a).perp_dot(c - b) >= -1e-9);
            size += a.perp_dot(b) / 2.0;
        }
    }
    assert!((size - ground.size()).abs() < 1e-6 * size);
}

#[test]
fn the_nearest_free_point_is_the_nearest() {
    let ground = city();
    let mut random = Stream::new(9, 9);
    for _ in 0..300 {
        let point = Vec2::new(random.unit() as f32, random.unit() as f32) * 170.0;
        let found = ground.nearest_free(point, 0.4).unwrap();
        assert!(ground.is_free(found, 0.4));
        // No point on a fine ring that is clearly nearer is free.
        let distance = found.distance(point);
        for i in 0..360 {
            let (sin, cos) = (i as f32).to_radians().sin_cos();
            let nearer = point + Vec2::new(cos, sin) * (distance * 0.99 - 0.01).max(0.0);
            assert!(distance < 0.02 || !ground.is_free(nearer, 0.4), "{point} {found} {nearer}");
        }
    }
}
