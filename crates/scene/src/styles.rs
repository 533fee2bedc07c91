//! Motion styles of a scene: which there are and how people choose them.

use crate::apart::apart;
use crate::build::Checker;
use crate::file::{Name, Point, SceneFile};
use crate::mover::Mover;
use crate::people::read_favours;
use crate::problem::nearest;
use crate::spread::SpreadTable;
use crate::template::CHILD;
use crowdloom_crowd::diversity::{
    Camera, CameraPath, Priorities, Scheme, StyleAdditions, StyleBook, StyleControl, StyleOptions,
    StyleWeights,
};
use crowdloom_crowd::{Bodies, Crowd, needs_own_strides};
use crowdloom_motion::builtin;
use crowdloom_motion::styles::{StyleLibrary, StyleOptions as Finding};
use crowdloom_world::Ground;
use glam::{DVec2, Vec2};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The motion styles of people, and how they are chosen.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct StylesTable {
    /// A style library of `crowdloom motion styles` beside the scene; the built-in styles without it.
    #[schemars(with = "Option<String>")]
    pub library: Option<Name>,
    /// How styles are chosen.
    pub choose: Choose,
    /// How much people differ from their neighbours (w_d).
    pub local: f32,
    /// How evenly styles are used (w_u).
    pub utilisation: f32,
    /// How much people stay as they are (w_c).
    pub consistency: f32,
    /// Whether the three terms are relative to what is usual, so that weights mean the same in crowds of any size (ours; `text`
    /// has none of it, nor of the next five).
    pub relative: bool,
    /// How much styles are avoided whose own speed is far from a person's (ours).
    pub speed: f32,
    /// What a neighbour of the very same style costs, in mean differences of two styles (ours).
    pub clone_cost: f32,
    /// What it costs to do the same again on the spot, in mean differences of two styles (ours).
    pub repetition_cost: f32,
    /// Whether those whom a velocity moves go no faster than their style can be played without hurrying (ours).
    pub gives_way: bool,
    /// Seconds for which people keep a way of walking or running, unless much is gained by another (ours).
    pub keep: f32,
    /// Who looks on; seen from everywhere alike without it.
    pub camera: Option<CameraTable>,
}

impl Default for StylesTable {
    fn default() -> Self {
        let StyleWeights { local, utilisation, consistency } = StyleWeights::default();
        let StyleAdditions { relative, speed, clone_cost, repetition_cost, gives_way, keep } =
            StyleAdditions::default();
        Self {
            library: None,
            choose: Choose::Diverse,
            local,
            utilisation,
            consistency,
            relative,
            speed,
            clone_cost,
            repetition_cost,
            gives_way,
            keep,
            camera: None,
        }
    }
}

/// How styles are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Choose {
    /// So that neighbours differ, all styles are used, and nobody changes much.
    Diverse,
    /// The same by the published equations to the letter (Gu and Deng 2010, equations 2 to 8).
    Text,
    /// By lot at the end of every primitive.
    ByLot,
    /// By lot once, and kept.
    Fixed,
    /// Dealt out evenly once, and kept.
    Dealt,
}

/// A camera; people near to it change their styles less.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CameraTable {
    /// Where it is, `[x, y, z]` in metres.
    pub at: [f64; 3],
    /// The point on the ground that it looks at.
    pub towards: Point,
    /// The angle that it sees, in degrees.
    #[serde(default = "view")]
    pub view: f32,
    /// How far it sees, in metres.
    #[serde(default = "range")]
    pub range: f32,
    /// The distance in metres at which changes count as much as without a camera.
    #[serde(default = "threshold")]
    pub threshold: f32,
    /// Where it goes from there, in the order of time.
    #[serde(default)]
    pub key: Vec<CameraKeyTable>,
}

/// Where a camera is at a moment; between keys it goes straight.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CameraKeyTable {
    /// Seconds from the start.
    pub time: f32,
    /// Where it is, `[x, y, z]` in metres.
    pub at: [f64; 3],
    /// The point on the ground that it looks at.
    pub towards: Point,
}

fn view() -> f32 {
    80.0
}

fn range() -> f32 {
    80.0
}

fn threshold() -> f32 {
    15.0
}

/// What replaces a scene's own styles.
#[derive(Clone, Debug, Default)]
pub struct OtherStyles {
    /// The styles.
    pub book: Option<Arc<StyleBook>>,
    /// How they are chosen.
    pub scheme: Option<Scheme>,
}

/// The styles to choose from and how; mistakes go to the checker.
pub fn read_styles(
    table: &StylesTable,
    ground: &Ground,
    folder: &Path,
    other: &OtherStyles,
    checker: &mut Checker<'_>,
) -> Option<(Arc<StyleBook>, StyleOptions)> {
    let book = other.book.clone().or_else(|| read_book(table, folder, checker))?;
    let mut options = read_options(table, ground, checker);
    options.scheme = other.scheme.unwrap_or(options.scheme);
    Some((book, options))
}

/// The bodies of those who follow discs and the styles of everybody who has some; mistakes go to the checker.
pub fn build_bodies(
    scene: &SceneFile,
    crowd: &Crowd,
    folder: &Path,
    other: &OtherStyles,
    checker: &mut Checker<'_>,
) -> Option<Bodies> {
    let setting = crowd.setting();
    // Who did not ask for styles is not slowed down by them.
    let plain = || StylesTable { gives_way: false, ..StylesTable::default() };
    let table = scene.styles.clone().unwrap_or_else(plain);
    let (book, options) = read_styles(&table, &setting.ground, folder, other, checker)?;
    let groups = read_favours(scene, &book, checker);
    let mut control = StyleControl::new(book, options, groups, scene.seed);
    if let Some(table) = table.camera.as_ref().filter(|table| !table.key.is_empty()) {
        control.set_camera_path(read_camera_path(table, &setting.ground, checker));
    }
    let mut bodies = Bodies::new(control, setting.book.graph(), scene.styles.is_some());
    bodies.let_stride_alone(tells_other_sizes(scene, crowd));
    checker.here = checker.line_starting("[styles");
    if scene.styles.is_some() && scene.people.is_empty() {
        checker.warning(None, "`styles` are for those in `people`, and there are none", "leave them out");
    } else if scene.styles.is_some() && !bodies.has_walks() {
        let what = "none of the walks in the library is in the motion graph of `people`";
        checker.warning(None, what, "only those with a velocity mover or a recording will show these styles");
    }
    checker.here = None;
    Some(bodies)
}

/// Whether a scene tells of people on the motion graph whose legs are much shorter or longer than its own.
pub fn tells_other_sizes(scene: &SceneFile, crowd: &Crowd) -> bool {
    let skeleton = crowd.setting().book.graph().skeleton();
    let bounds = |own: Option<SpreadTable>, common| own.or(common).map(|table| table.spread().bounds());
    scene.people.iter().filter(|people| people.mover.is(Mover::Graph)).any(|people| {
        let heights = bounds(people.height, scene.population.height);
        let ages = bounds(people.age, scene.population.age);
        heights
            .is_some_and(|(least, most)| [least, most].iter().any(|tall| needs_own_strides(skeleton, *tall)))
            || heights.is_none() && ages.is_some_and(|(youngest, _)| youngest < CHILD)
    })
}

/// The built-in styles: found once, as many scenes need them.
static BUILTIN: LazyLock<Option<Arc<StyleBook>>> = LazyLock::new(|| {
    apart(|| {
        let (library, _) = StyleLibrary::build(&builtin::library(), &Finding::default()).ok()?;
        Some(Arc::new(StyleBook::new(Arc::new(library))))
    })
});

/// The styles to choose from; mistakes go to the checker.
fn read_book(table: &StylesTable, folder: &Path, checker: &mut Checker<'_>) -> Option<Arc<StyleBook>> {
    let library = match &table.library {
        None => return BUILTIN.clone(),
        Some(name) => match StyleLibrary::load(&folder.join(name.get_ref())) {
            Ok(library) => library,
            Err(error) => {
                let fix = "make one with `crowdloom motion styles`";
                checker.problem(Some(name.span()), error.to_string(), fix);
                return None;
            }
        },
    };
    Some(Arc::new(StyleBook::new(Arc::new(library))))
}

/// How styles are chosen; mistakes go to the checker.
fn read_options(table: &StylesTable, ground: &Ground, checker: &mut Checker<'_>) -> StyleOptions {
    let &StylesTable { local, utilisation, consistency, relative, .. } = table;
    let &StylesTable { speed, clone_cost, repetition_cost, gives_way, keep, .. } = table;
    checker.here = checker.line_starting("[styles");
    let weights = [
        ("local", local),
        ("utilisation", utilisation),
        ("consistency", consistency),
        ("speed", speed),
        ("clone-cost", clone_cost),
        ("repetition-cost", repetition_cost),
        ("keep", keep),
    ];
    for (name, weight) in weights {
        if !(weight.is_finite() && weight >= 0.0) {
            checker.problem(
                None,
                format!("`{name}` is {weight}"),
                "weights, costs and seconds are 0 or more",
            );
        }
    }
    let camera = table.camera.as_ref().map(|camera| {
        if !((0.0..=360.0).contains(&camera.view) && camera.range > 0.0 && camera.threshold > 0.0) {
            let fix = "`view` is an angle up to 360 degrees, `range` and `threshold` are metres";
            checker.problem(None, "the camera sees nothing", fix);
        }
        read_camera(camera, camera.at, camera.towards, ground, checker)
    });
    checker.here = None;
    StyleOptions {
        scheme: match table.choose {
            Choose::Diverse => Scheme::Diverse,
            Choose::Text => Scheme::Text,
            Choose::ByLot => Scheme::Random,
            Choose::Fixed => Scheme::Fixed,
            Choose::Dealt => Scheme::Dealt,
        },
        weights: StyleWeights { local, utilisation, consistency },
        additions: StyleAdditions { relative, speed, clone_cost, repetition_cost, gives_way, keep },
        camera,
        ..StyleOptions::default()
    }
}

/// A camera at a place that looks at a point of the ground; mistakes go to the checker.
fn read_camera(
    table: &CameraTable,
    [x, y, z]: [f64; 3],
    [to_x, to_y]: Point,
    ground: &Ground,
    checker: &mut Checker<'_>,
) -> Camera {
    let position = ground.to_local(DVec2::new(x, y));
    let facing = (ground.to_local(DVec2::new(to_x, to_y)) - position).normalize_or_zero();
    if facing == Vec2::ZERO {
        checker.problem(None, "the camera looks straight down", "let `towards` be another point than `at`");
    }
    Camera {
        position: position.extend(z as f32),
        facing,
        half_view: 0.5 * table.view.to_radians(),
        range: table.range,
        threshold: table.threshold,
    }
}

/// Where a camera goes from where it is first; mistakes go to the checker.
fn read_camera_path(table: &CameraTable, ground: &Ground, checker: &mut Checker<'_>) -> CameraPath {
    checker.here = checker.line_starting("[styles");
    let ordered = table.key.windows(2).all(|pair| pair[0].time < pair[1].time);
    if !ordered || !table.key.iter().all(|key| key.time > 0.0 && key.time < 1e6) {
        checker.problem(None, "the keys of the camera are not in the order of time", "from above 0 on");
    }
    let first = (0.0, read_camera(table, table.at, table.towards, ground, checker));
    let keys =
        table.key.iter().map(|key| (key.time, read_camera(table, key.at, key.towards, ground, checker)));
    let path = CameraPath(std::iter::once(first).chain(keys).collect());
    checker.here = None;
    path
}

/// P_S of those who favour some styles, by name; a name that ends in `*` means all that begin so.
pub fn read_priorities(
    favours: &BTreeMap<String, f32>,
    book: &StyleBook,
    checker: &mut Checker<'_>,
) -> Priorities {
    let names: Vec<&str> = book.library().primitives().iter().map(|style| style.name.as_str()).collect();
    let is_meant = |wanted: &str, name: &str| match wanted.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == wanted,
    };
    for (wanted, priority) in favours {
        if !(priority.is_finite() && *priority >= 0.0) {
            checker.problem(
                None,
                format!("the priority of `{wanted}` is {priority}"),
                "priorities are 0 or more",
            );
        }
        if !names.iter().any(|name| is_meant(wanted, name)) {
            let near = nearest(wanted, names.iter().copied());
            let fix = near.map_or("`crowdloom motion info` lists the styles of a library".into(), |near| {
                format!("did you mean `{near}`?")
            });
            checker.warning(None, format!("there is no style `{wanted}`"), fix);
        }
    }
    Priorities::new(book, |style| {
        let name = names[usize::from(style)];
        favours.iter().find(|(wanted, _)| is_meant(wanted, name)).map_or(1.0, |(_, priority)| *priority)
    })
}
