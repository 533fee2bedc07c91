//! The ground of a scene, from its tables.

use crate::build::Checker;
use crate::file::{Likely, Name, Point, Region, Repeat, SceneFile, Shape};
use crate::problem::nearest;
use crowdloom_crowd::Crowd;
use crowdloom_world::{
    Bounds, City, Fault, Ground, Layer, Obstacle, Outline, ReadOptions, Ring, Stream, bitmap_layer,
    read_ground, rectangle, regular_polygon,
};
use glam::DVec2;
use std::path::Path;

/// Corners of the polygon that stands for a circle.
const CIRCLE_CORNERS: usize = 24;

/// The ground without obstacles, things and regions of the scene.
fn base_ground(scene: &SceneFile, folder: &Path, checker: &mut Checker<'_>) -> Option<Ground> {
    let world = &scene.world;
    let kinds = [world.map.is_some(), world.city.is_some(), world.floor.is_some()];
    if kinds.iter().filter(|&&given| given).count() != 1 {
        checker.problem(None, "the world needs exactly one of `map`, `city` and `floor`", "keep one of them");
        return None;
    }
    let ready = if let Some(map) = &world.map {
        let path = folder.join(map.get_ref());
        let mut options = ReadOptions::default();
        if let Some(size) = world.metres_per_cell {
            options.metres_per_pixel = size;
        }
        read_ground(&path, &options).map_err(|error| (Some(map.span()), error))
    } else if let Some(city) = world.city {
        let crate::file::City { blocks, block, street, alley, sidewalk } = city;
        let city = City { blocks, block, street, alley, sidewalk };
        city.build().map_err(|error| (None, error))
    } else {
        let corners = world.floor.as_deref().unwrap_or_default();
        let floor = Outline::solid("floor", points(corners));
        Ground::builder().floor(floor).build().map_err(|error| (None, error))
    };
    match ready {
        Ok(base) => Some(base),
        Err((span, error)) => {
            checker.problem(span, format!("the world cannot be built: {error}"), error.fix());
            None
        }
    }
}

/// What floors and houses are drawn of, each an outline and its holes, in the map's metres: the ground with neither things nor
/// obstacles that are drawn as themselves, which have a height of their own or come and go. Empty where it is the ground itself.
pub fn build_floor(scene: &SceneFile, folder: &Path, text: &str) -> Vec<Vec<Ring>> {
    let drawn_apart = |shape: &&Shape| shape.name.is_some() || shape.height.is_some();
    let obstacles = &scene.world.obstacle;
    let no_things = scene.prop.iter().all(|prop| prop.footprint().is_none());
    if no_things && scene.door.is_empty() && !obstacles.iter().any(|shape| drawn_apart(&shape)) {
        return Vec::new();
    }
    // Mistakes were told when the ground was built.
    let mut checker = Checker::new(text);
    let Some(base) = base_ground(scene, folder, &mut checker) else { return Vec::new() };
    let mut builder = base.to_builder();
    for obstacle in obstacles.iter().filter(|shape| !drawn_apart(shape)) {
        for ring in copies(scene, obstacle, &mut checker) {
            builder = builder.obstacle(Outline::solid("obstacle", ring));
        }
    }
    let Ok(floor) = builder.build() else { return Vec::new() };
    let given = |ring: &Ring| ring.iter().map(|&corner| corner + floor.origin()).collect();
    floor.areas().iter().map(|area| area.rings().map(given).collect()).collect()
}

/// Builds the ground with all regions; mistakes go to the checker.
pub fn build_ground(scene: &SceneFile, folder: &Path, checker: &mut Checker<'_>) -> Option<Ground> {
    let world = &scene.world;
    let base = base_ground(scene, folder, checker)?;
    // Things that are wrong are told elsewhere.
    let sound = scene.prop.iter().filter(|prop| prop.problem().is_none());
    let things: Vec<Vec<DVec2>> = sound.filter_map(|prop| prop.footprint()).collect();
    let shapes = [&world.obstacle, &world.road];
    if shapes.iter().all(|shapes| shapes.is_empty())
        && scene.region.is_empty()
        && world.likely.is_none()
        && things.is_empty()
    {
        return Some(base);
    }
    let mut builder = base.to_builder();
    if let Some(layer) = world.likely.as_ref().and_then(|likely| read_likely(likely, folder, checker)) {
        builder = builder.likelihood(layer);
    }
    // Obstacles with a name come and go: the crowd lays them on the ground.
    for obstacle in world.obstacle.iter().filter(|obstacle| obstacle.name.is_none()) {
        for ring in copies(scene, obstacle, checker) {
            builder = builder.obstacle(Outline::solid("obstacle", ring));
        }
    }
    for road in &world.road {
        for ring in copies(scene, road, checker) {
            builder = builder.road(Outline::solid("road", ring));
        }
    }
    for ring in things {
        builder = builder.obstacle(Outline::solid("thing", ring));
    }
    for region in &scene.region {
        let name = region.name.get_ref();
        checker.here = Some(checker.line_of(&region.name));
        if base.regions().iter().any(|own| own.name == *name) {
            let what = format!("the world has a region `{name}` of its own");
            checker.problem(None, what, "give this one another name");
        }
        let all = region_copies(scene, region, checker);
        let many = all.len() > 1;
        for (index, polygons) in all.into_iter().enumerate() {
            let own = if many { format!("{name}-{}", index + 1) } else { name.clone() };
            for rings in polygons {
                builder = builder.region(own.clone(), Outline { name: name.clone(), rings, closed: false });
            }
        }
    }
    checker.here = None;
    match builder.build() {
        Ok(ground) => {
            check_regions(scene, &ground, checker);
            Some(ground)
        }
        Err(error) => {
            if let Fault::NoWalkways = error.fault {
                let line = |start: &str| checker.line_starting(start);
                checker.here = line("[[world.road]]").or_else(|| line("road"));
            }
            checker.problem(None, format!("the world cannot be built: {error}"), error.fix());
            checker.here = None;
            None
        }
    }
}

/// The rings and heights of obstacles that the scene gives heights, in the map's metres.
pub fn build_walls(scene: &SceneFile, checker: &mut Checker<'_>) -> Vec<(Ring, f32)> {
    let mut walls = Vec::new();
    for obstacle in scene.world.obstacle.iter().filter(|obstacle| obstacle.name.is_none()) {
        let Some(height) = obstacle.height else { continue };
        if !(0.0..=500.0).contains(&height) {
            checker.problem(
                None,
                format!("an obstacle {height} m high is not possible"),
                "metres, up to 500",
            );
        }
        walls.extend(copies(scene, obstacle, checker).into_iter().map(|ring| (ring, height)));
    }
    walls
}

/// Lays the obstacles on the ground that come and go: those with a name, doors, and those that events bring. The names of
/// the last begin with what [`event_obstacle`] says.
pub fn build_obstacles(scene: &SceneFile, crowd: &mut Crowd, checker: &mut Checker<'_>) {
    let mut all: Vec<(String, Vec<Ring>, bool)> = Vec::new();
    let mut names: Vec<&Name> = Vec::new();
    let ground = crowd.setting().ground.clone();
    let mut add = |name: String, shape: &Shape, there: bool, checker: &mut Checker<'_>| {
        let local = |ring: Vec<DVec2>| ring.iter().map(|corner| *corner - ground.origin()).collect();
        let rings: Vec<Ring> = copies(scene, shape, checker).into_iter().map(local).collect();
        if let Err(error) = Obstacle::new(rings.clone()) {
            checker.problem(None, format!("this obstacle cannot be: {error}"), error.fix());
        }
        all.push((name, rings, there));
    };
    for obstacle in &scene.world.obstacle {
        if let Some(name) = &obstacle.name {
            checker.here = Some(checker.line_of(name));
            add(name.get_ref().clone(), obstacle, true, checker);
            names.push(name);
        }
    }
    for door in &scene.door {
        checker.here = Some(checker.line_of(&door.name));
        add(door.name.get_ref().clone(), &door.shape(), door.closed, checker);
        names.push(&door.name);
    }
    for (index, event) in scene.event.iter().enumerate() {
        if let Some(shape) = &event.obstacle {
            checker.here = checker.table_line("event", index);
            add(event_obstacle(index, shape), shape, false, checker);
            names.extend(&shape.name);
        }
    }
    checker.here = None;
    crate::bounds::unique("obstacle", names.into_iter(), checker);
    let right = checker.problems.iter().all(|problem| problem.harmless);
    if right
        && !all.is_empty()
        && let Err(refusal) = crowd.lay_obstacles(all)
    {
        checker.problem(None, format!("the obstacles cannot be laid: {refusal}"), "leave some floor");
    }
}

/// What the crowd calls the obstacle of an event, by the event's index.
pub fn event_obstacle(index: usize, shape: &Shape) -> String {
    shape
        .name
        .as_ref()
        .map_or_else(|| format!("obstacle of event {}", index + 1), |name| name.get_ref().clone())
}

/// A region's polygons in the ground's local frame, each an outline and its holes, for every copy.
pub fn region_polygons(
    scene: &SceneFile,
    region: &Region,
    ground: &Ground,
    checker: &mut Checker<'_>,
) -> Vec<Vec<Polygon>> {
    let mut all = region_copies(scene, region, checker);
    for corner in all.iter_mut().flatten().flatten().flatten() {
        *corner -= ground.origin();
    }
    all
}

/// The rings of an obstacle's shape in the ground's local frame, one for each copy.
pub fn obstacle_rings(
    scene: &SceneFile,
    shape: &Shape,
    ground: &Ground,
    checker: &mut Checker<'_>,
) -> Vec<Ring> {
    let local = |ring: Vec<DVec2>| ring.iter().map(|corner| *corner - ground.origin()).collect();
    copies(scene, shape, checker).into_iter().map(local).collect()
}

/// Reads the image of where people like to walk.
fn read_likely(likely: &Likely, folder: &Path, checker: &mut Checker<'_>) -> Option<Layer> {
    let name = likely.image.get_ref();
    let span = Some(likely.image.span());
    let bytes = match std::fs::read(folder.join(name)) {
        Ok(bytes) => bytes,
        Err(error) => {
            let what = format!("the image `{name}` cannot be read: {error}");
            checker.problem(span, what, "put it beside the scene file");
            return None;
        }
    };
    match bitmap_layer(&bytes, likely.metres_per_pixel) {
        Ok(layer) => Some(Layer {
            corner: DVec2::from(likely.at).as_vec2(),
            slope: likely.slope.unwrap_or(layer.slope),
            intercept: likely.intercept.unwrap_or(layer.intercept),
            ..layer
        }),
        Err(error) => {
            checker.problem(span, format!("the image `{name}` cannot be used: {error}"), error.fix());
            None
        }
    }
}

/// Tells of regions where nobody can ever be.
fn check_regions(scene: &SceneFile, ground: &Ground, checker: &mut Checker<'_>) {
    let bounds = ground.bounds();
    for region in &scene.region {
        let all = regions_called(ground, scene, region.name.get_ref());
        let off = |&&index: &&usize| {
            let own = &ground.regions()[index];
            let apart = Bounds::of_areas(own.areas())
                .is_none_or(|own| own.min.cmpgt(bounds.max).any() || own.max.cmplt(bounds.min).any());
            apart || ground.random_point(Some(own), 0.0, &mut Stream::new(1, 0)).is_none()
        };
        let count = all.iter().filter(off).count();
        if count > 0 {
            let copies =
                if all.len() > 1 { format!(" ({count} of its {} copies)", all.len()) } else { String::new() };
            let what = format!("region `{}` lies outside the floor{copies}", region.name.get_ref());
            let (low, high) = (bounds.min + ground.origin(), bounds.max + ground.origin());
            let fix = format!(
                "nobody ever gets there; the floor is within [{:.1}, {:.1}] and [{:.1}, {:.1}]",
                low.x, low.y, high.x, high.y
            );
            checker.warning(Some(region.name.span()), what, fix);
        }
    }
}

fn points(corners: &[Point]) -> Vec<DVec2> {
    corners.iter().map(|&[x, y]| DVec2::new(x, y)).collect()
}

/// An outline and its holes.
type Polygon = Vec<Ring>;

/// The polygons of a region, and of its copies.
fn region_copies(scene: &SceneFile, region: &Region, checker: &mut Checker<'_>) -> Vec<Vec<Polygon>> {
    let shape = region.shape();
    let Some(painted) = &region.painted else {
        return copies(scene, &shape, checker).into_iter().map(|ring| vec![vec![ring]]).collect();
    };
    if shape.rectangle.is_some() || shape.polygon.is_some() || shape.circle.is_some() {
        checker.problem(None, "a painted region has no other shape", "keep `painted` or the drawn shape");
        return Vec::new();
    }
    let Some(polygons) = painted.polygons(checker) else { return Vec::new() };
    let moved = |offset: DVec2| {
        let mut own = polygons.clone();
        own.iter_mut().flatten().flatten().for_each(|corner| *corner += offset);
        own
    };
    offsets(scene, &shape, checker).into_iter().map(moved).collect()
}

/// The rings of a shape and its copies.
fn copies(scene: &SceneFile, shape: &Shape, checker: &mut Checker<'_>) -> Vec<Ring> {
    let ring = match (shape.rectangle, &shape.polygon, shape.circle) {
        (Some([x0, y0, x1, y1]), None, None) => {
            rectangle(DVec2::new(x0.min(x1), y0.min(y1)), DVec2::new(x0.max(x1), y0.max(y1)))
        }
        (None, Some(corners), None) => points(corners),
        (None, None, Some([x, y, radius])) => regular_polygon(DVec2::new(x, y), radius, CIRCLE_CORNERS),
        _ => {
            checker.problem(
                None,
                "a shape needs exactly one of `rectangle`, `polygon` and `circle`",
                "keep one of them",
            );
            return Vec::new();
        }
    };
    let moved = |offset: DVec2| ring.iter().map(|&corner| corner + offset).collect();
    offsets(scene, shape, checker).into_iter().map(moved).collect()
}

/// How far each copy of a shape is from it, in metres.
fn offsets(scene: &SceneFile, shape: &Shape, checker: &mut Checker<'_>) -> Vec<DVec2> {
    let block = shape.block.as_deref().and_then(|name| {
        let found = scene.block.get(name).copied();
        if found.is_none() {
            let near = nearest(name, scene.block.keys().map(String::as_str));
            let fix = near.map_or("add it to [block]".into(), |near| format!("did you mean `{near}`?"));
            checker.problem(None, format!("there is no block `{name}`"), fix);
        }
        found
    });
    let once = Repeat { columns: 1, rows: 1, step: [0.0, 0.0] };
    let Repeat { columns, rows, step } = shape.repeat.or(block).unwrap_or(once);
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    places.map(|(column, row)| DVec2::new(column as f64 * step[0], row as f64 * step[1])).collect()
}

/// The indices of the regions that a name means: the region itself, or all its copies, which are next to each other.
pub fn regions_called(ground: &Ground, scene: &SceneFile, name: &str) -> Vec<usize> {
    let exact = |wanted: &str| ground.regions().iter().position(|region| region.name == wanted);
    if let Some(index) = exact(name) {
        return vec![index];
    }
    if !scene.region.iter().any(|region| region.name.get_ref() == name) {
        return Vec::new();
    }
    let Some(first) = exact(&format!("{name}-1")) else { return Vec::new() };
    let is_copy = |index: &usize| ground.regions()[*index].name == format!("{name}-{}", index - first + 1);
    (first..ground.regions().len()).take_while(is_copy).collect()
}
