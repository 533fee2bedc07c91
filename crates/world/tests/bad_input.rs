//! Maps and questions that are wrong: a clear error or a clear answer, in bounded time and memory.

use crowdloom_world::{
    Fault, GridMap, Ground, MAX_IMAGE_SIDE, MeshRouter, NoWay, Outline, ReadOptions, Repair, Roadmap,
    RoadmapOptions, Rooms, Router, WorldError, ground_from_bitmap, ground_from_geojson, ground_from_wkt,
    read_ground, rectangle,
};
use glam::{DVec2, Vec2};
use std::path::Path;
use std::sync::Arc;

fn fault(result: Result<Ground, WorldError>) -> Fault {
    let error = result.expect_err("the map is wrong");
    assert!(!error.fix().is_empty());
    error.fault
}

#[test]
fn an_open_ring_is_closed_and_reported() {
    let ground = ground_from_wkt("POLYGON((0 0, 10 0, 10 10, 0 10))").unwrap();
    assert_eq!(ground.size(), 100.0);
    assert_eq!(ground.repairs(), [Repair::ClosedRing { place: "polygon 1".into() }]);
}

#[test]
fn text_that_is_cut_off_is_refused() {
    assert!(matches!(fault(ground_from_wkt("POLYGON((0 0, 10 0, 10")), Fault::Syntax { .. }));
    assert!(matches!(fault(ground_from_wkt("SQUARE((0 0))")), Fault::Syntax { .. }));
    assert!(matches!(fault(ground_from_geojson("{\"type\": \"Polygon\"")), Fault::Syntax { .. }));
    assert!(matches!(fault(ground_from_geojson("[1, 2]")), Fault::Syntax { .. }));
}

#[test]
fn wrong_types_are_named() {
    let Fault::NotAnArea { found, .. } = fault(ground_from_wkt("LINESTRING(0 0, 1 1)")) else { panic!() };
    assert_eq!(found, "LINESTRING");
    let text = r#"{"type": "Point", "coordinates": [1, 2]}"#;
    assert!(matches!(fault(ground_from_geojson(text)), Fault::NotAnArea { found: "Point", .. }));
    let text = r#"{"type": "Feature", "properties": {"role": "roof"}, "geometry":
        {"type": "Polygon", "coordinates": [[[0,0],[5,0],[5,5],[0,0]]]}}"#;
    assert!(fault(ground_from_geojson(text)).to_string().contains("roof"));
}

#[test]
fn not_a_number_and_far_away_name_the_vertex() {
    let ring = vec![DVec2::ZERO, DVec2::new(1.0, f64::NAN), DVec2::ONE];
    let Fault::NotFinite { vertex, .. } =
        fault(Ground::builder().floor(Outline::solid("hall", ring)).build())
    else {
        panic!()
    };
    assert_eq!(vertex, 2);
    let Fault::TooFar { vertex, place, .. } = fault(ground_from_wkt("POLYGON((0 0, 1e300 0, 1 1, 0 0))"))
    else {
        panic!()
    };
    assert_eq!((vertex, place.as_str()), (2, "polygon 1"));
    assert!(fault(ground_from_wkt("POLYGON((0 0, nan 0, 1 1, 0 0))")).to_string().len() > 5);
    assert!(matches!(fault(ground_from_wkt("POLYGON((0 0, 1e6 0, 1e6 1e6, 0 0))")), Fault::TooWide { .. }));
}

#[test]
fn a_self_crossing_outline_names_the_vertex() {
    let bow_tie = "POLYGON((0 0, 10 10, 10 0, 0 10, 0 0))";
    let Fault::SelfCrossing { vertex, place, .. } = fault(ground_from_wkt(bow_tie)) else { panic!() };
    assert_eq!((vertex, place.as_str()), (3, "polygon 1"));
    let hole = "POLYGON((0 0, 20 0, 20 20, 0 20, 0 0), (2 2, 8 8, 8 2, 2 8, 2 2))";
    let Fault::SelfCrossing { place, .. } = fault(ground_from_wkt(hole)) else { panic!() };
    assert_eq!(place, "polygon 1, hole 1");
}

#[test]
fn nothing_walkable_is_refused() {
    for text in ["POLYGON EMPTY", "GEOMETRYCOLLECTION EMPTY", "POLYGON((0 0, 5 0, 0 0, 0 0))"] {
        assert!(
            matches!(fault(ground_from_wkt(text)), Fault::EmptyFloor | Fault::TooFewVertices { .. }),
            "{text}"
        );
    }
    let covered = Ground::builder()
        .floor(Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::ONE)))
        .obstacle(Outline::solid("block", rectangle(-DVec2::ONE, DVec2::splat(2.0))))
        .build();
    assert!(matches!(fault(covered), Fault::EmptyFloor));
}

#[test]
fn files_that_are_empty_missing_or_strange_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.wkt");
    std::fs::write(&empty, " \n").unwrap();
    let error = read_ground(&empty, &ReadOptions::default()).unwrap_err();
    assert!(matches!(error.fault, Fault::EmptyFile));
    assert!(error.to_string().contains("empty.wkt"), "{error}");
    let missing = read_ground(Path::new("no/such/map.wkt"), &ReadOptions::default());
    assert!(matches!(fault(missing), Fault::Unreadable(_)));
    let strange = folder.path().join("plan.dwg");
    std::fs::write(&strange, "AC1027").unwrap();
    assert!(matches!(fault(read_ground(&strange, &ReadOptions::default())), Fault::UnknownFormat(_)));
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let text = "GEOMETRYCOLLECTION(".repeat(100_000);
    assert!(matches!(fault(ground_from_wkt(&text)), Fault::Syntax { .. }));
    let text = "{\"type\":\"GeometryCollection\",\"geometries\":[".repeat(100_000);
    assert!(matches!(fault(ground_from_geojson(&text)), Fault::Syntax { .. }));
}

#[test]
fn a_polygon_of_100_000_vertices_is_read() {
    let count = 100_000;
    let ring: Vec<DVec2> = (0..count)
        .map(|i| {
            let (sin, cos) = libm_sincos(std::f64::consts::TAU * f64::from(i) / f64::from(count));
            // Ragged, so that half of the vertices are reflex.
            DVec2::new(cos, sin) * (500.0 + 0.02 * f64::from(i % 2))
        })
        .collect();
    let ground = Ground::builder().floor(Outline::solid("lake", ring)).build().unwrap();
    assert!((ground.size() / (std::f64::consts::PI * 500.0f64.powi(2)) - 1.0).abs() < 1e-3);
    assert!((ground.nearest_wall(Vec2::ZERO).unwrap().distance - 500.0).abs() < 0.05);
    assert!(ground.is_free(Vec2::new(499.0, 0.0), 0.9));
    let too_many = vec![DVec2::ZERO; 1_000_001];
    let crowded = Ground::builder().floor(Outline::solid("points", too_many)).build();
    assert!(matches!(fault(crowded), Fault::TooManyVertices { .. }));
}

fn libm_sincos(angle: f64) -> (f64, f64) {
    angle.sin_cos()
}

#[test]
fn an_image_bomb_is_refused_before_it_is_unpacked() {
    // A PGM file of 20 bytes that claims 10 thousand million pixels.
    let bomb = b"P5\n100000 100000\n255\n";
    let found = fault(ground_from_bitmap(bomb, &ReadOptions::default()));
    assert!(matches!(found, Fault::ImageTooLarge { limit: MAX_IMAGE_SIDE, .. }), "{found}");
    assert!(matches!(
        fault(ground_from_bitmap(b"not an image", &ReadOptions::default())),
        Fault::Syntax { .. }
    ));
    let pixel = b"P5\n1 1\n255\n\xFF";
    for size in [0.0, -1.0, f64::NAN] {
        let options = ReadOptions { metres_per_pixel: size, ..ReadOptions::default() };
        assert!(matches!(fault(ground_from_bitmap(pixel, &options)), Fault::BadPixelSize(_)));
    }
}

#[test]
fn grid_maps_name_the_line() {
    let message = |text: &str| GridMap::parse(text).unwrap_err().to_string();
    assert!(message("type octile\nheight 2\nwidth 2\nmap\n..\n.?\n").contains("line 6"));
    assert!(message("type octile\nheight 2\nwidth 3\nmap\n..\n..\n").contains("line 5"));
    assert!(message("height 2\nwidth 2\nmap\n..\n").contains("1 rows"));
    assert!(message("height 99999999\nwidth 99999999\nmap\n").contains("memory"));
    assert!(message("height -3\n").contains("line 1"));
    assert!(message("hello").contains("hello"));
}

#[test]
fn a_start_inside_a_wall_is_a_clear_answer() {
    let ground = Arc::new(Rooms::default().build().unwrap());
    let mesh = MeshRouter::new(Arc::clone(&ground));
    let roadmap = Roadmap::new(Arc::clone(&ground), RoadmapOptions::default());
    let (inside, wall) = (Vec2::new(2.0, 2.0), Vec2::new(8.1, 1.0));
    for router in [&mesh as &dyn Router, &roadmap] {
        let Err(NoWay::StartBlocked { nearest: Some(nearest) }) = router.route(wall, inside, 0.25) else {
            panic!()
        };
        assert!(ground.is_free(nearest, 0.25) && (nearest.distance(wall) - 0.35).abs() < 1e-3, "{nearest}");
        assert!(matches!(router.route(inside, wall, 0.25), Err(NoWay::GoalBlocked { .. })));
        assert!(matches!(router.route(Vec2::NAN, inside, 0.25), Err(NoWay::StartBlocked { nearest: None })));
        let far = Vec2::new(14.0, 2.0);
        let why = router.route(inside, far, 0.7).unwrap_err();
        assert_eq!(why, NoWay::NotConnected { radius: 0.7 });
        assert!(why.to_string().contains("0.7"));
    }
}

#[test]
fn messy_files_are_mended_and_say_so() {
    // Far away (UTM), a repeated vertex, a spike, overlapping obstacles that stick out of the floor.
    let (x, y) = (359_000.0, 5_640_000.0);
    let at =
        |points: &[(f64, f64)]| points.iter().map(|(dx, dy)| DVec2::new(x + dx, y + dy)).collect::<Vec<_>>();
    let floor =
        at(&[(0.0, 0.0), (20.0, 0.0), (20.0, 0.0), (25.0, 0.0), (20.0, 0.0), (20.0, 10.0), (0.0, 10.0)]);
    let ground = Ground::builder()
        .floor(Outline::solid("floor", floor))
        .obstacle(Outline::solid("a", at(&[(4.0, 4.0), (8.0, 4.0), (8.0, 6.0), (4.0, 6.0)])))
        .obstacle(Outline::solid("b", at(&[(7.0, 3.0), (9.0, 3.0), (9.0, 12.0), (7.0, 12.0)])))
        .build()
        .unwrap();
    assert_eq!(ground.origin(), DVec2::new(x, y));
    assert!((ground.size() - (200.0 - 8.0 - 14.0 + 2.0)).abs() < 1e-3, "{}", ground.size());
    assert!(ground.is_free(ground.to_local(DVec2::new(x + 2.0, y + 5.0)), 1.9));
    let has = |wanted: fn(&Repair) -> bool| ground.repairs().iter().any(wanted);
    assert!(has(|r| matches!(r, Repair::Recentred { .. })));
    assert!(has(|r| matches!(r, Repair::MergedVertices { count: 1, .. })));
    assert!(has(|r| matches!(r, Repair::RemovedSpikes { .. })));
    assert!(has(|r| matches!(r, Repair::CutOverlaps { .. })));
    assert!(ground.repairs().iter().all(|r| !r.to_string().is_empty()));
}

#[test]
fn floors_that_touch_are_joined() {
    let ground = ground_from_wkt(
        "GEOMETRYCOLLECTION(POLYGON((0 0, 5 0, 5 5, 0 5, 0 0)), POLYGON((5 1, 9 1, 9 2, 5 2, 5 1)))",
    )
    .unwrap();
    assert_eq!(ground.areas().len(), 1);
    assert!(ground.straight_is_free(Vec2::new(1.0, 1.5), Vec2::new(8.0, 1.5), 0.4));
    assert_eq!(ground.repairs(), [Repair::JoinedFloors { before: 2, after: 1 }]);
}

#[test]
fn grey_is_a_likelihood_and_layers_paint_regions() {
    let image = b"P5\n3 2\n255\n\xFF\x80\x00\xFF\xFF\x00";
    let options = ReadOptions { metres_per_pixel: 2.0, ..ReadOptions::default() };
    let ground = ground_from_bitmap(image, &options).unwrap();
    assert_eq!(ground.size(), 16.0);
    assert!((ground.likelihood(Vec2::new(3.0, 3.0)) - 128.0 / 255.0).abs() < 1e-6);
    assert_eq!(ground.likelihood(Vec2::new(5.0, 3.0)), 0.0);
    assert_eq!(ground.likelihood(Vec2::new(1.0, 1.0)), 1.0);
    let layer = crowdloom_world::bitmap_layer(b"P5\n2 1\n255\n\x00\xFF", 3.0).unwrap();
    let painted = Ground::builder()
        .floor(Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::new(6.0, 3.0))))
        .painted_region("stage", layer)
        .build()
        .unwrap();
    assert_eq!(painted.regions_at(Vec2::new(4.0, 1.0)).collect::<Vec<_>>(), [0]);
    assert_eq!(painted.regions_at(Vec2::new(2.0, 1.0)).count(), 0);
    assert_eq!(painted.regions()[0].size(), 9.0);
}
