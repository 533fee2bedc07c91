//! Situations of a scene, from their tables.

use crate::build::Checker;
use crate::file::{Kind, Name, SceneFile, Situation as Table};
use crowdloom_crowd::Crowd;
use crowdloom_crowd::labels::LabelSet;
use crowdloom_crowd::signal::SignalId;
use crowdloom_crowd::situation::{Activity, Defaults, Place, Situation, SituationId, Spot, Stay};
use glam::{DVec2, Vec2};
use std::f32::consts::TAU;

/// Frames that must be left of a signal for people to set out: time to cross.
const LEAST_TO_CROSS: u32 = 5 * 30;

/// Adds all situations to the crowd; returns their names and numbers (copies of a region give copies).
pub fn build_situations(
    scene: &SceneFile,
    crowd: &mut Crowd,
    checker: &mut Checker<'_>,
) -> Vec<(String, SituationId)> {
    let mut named = Vec::new();
    for table in &scene.situation {
        if table.capacity == Some(0) {
            let what = format!("situation `{}` has room for nobody", table.name.get_ref());
            checker.problem(Some(table.name.span()), what, "give a capacity of at least 1, or none");
        }
        if !(0.0..=1.0).contains(&table.share) {
            let what = format!("a share of {} is not possible", table.share);
            checker.problem(Some(table.name.span()), what, "between 0 and 1");
        }
        let ground = crowd.setting().ground.clone();
        let places: Vec<Place> = match &table.region {
            None => vec![Place::Members],
            Some(name) => checker.regions(&ground, scene, name).into_iter().map(Place::Region).collect(),
        };
        for (copy, &place) in places.iter().enumerate() {
            let Some(activity) = build_activity(scene, table, place, copy, crowd, checker) else { continue };
            let show = shown(table, crowd, checker);
            let id = crowd.add_situation(Situation {
                name: table.name.get_ref().clone(),
                place,
                enabled: true,
                capacity: table.capacity,
                share: table.share,
                grants: if table.kind == Kind::Hurry {
                    crowd.setting().book.labels().set(["run"])
                } else {
                    show
                },
                removes: Defaults::default(),
                activity,
            });
            named.push((table.name.get_ref().clone(), id));
        }
    }
    named
}

/// The labels that a situation shows, by default those that suit its kind.
fn shown(table: &Table, crowd: &Crowd, checker: &mut Checker<'_>) -> LabelSet {
    let labels = crowd.setting().book.labels();
    let default: &[&str] = match table.kind {
        Kind::Bench => &["sit"],
        Kind::Gather | Kind::Talk => &["talk", "listen"],
        Kind::Pause => &["look"],
        _ => &[],
    };
    let Some(names) = &table.show else { return labels.set(default.iter().copied()) };
    for name in names.iter().filter(|name| !labels.names().contains(name)) {
        let what = format!("no clip carries the label `{name}`");
        checker.problem(Some(table.name.span()), what, format!("one of {}", labels.names().join(", ")));
    }
    labels.set(names.iter().map(String::as_str))
}

fn build_activity(
    scene: &SceneFile,
    table: &Table,
    place: Place,
    copy: usize,
    crowd: &Crowd,
    checker: &mut Checker<'_>,
) -> Option<Activity> {
    let ground = crowd.setting().ground.clone();
    let stay = |checker: &mut Checker<'_>, default: [f32; 2]| -> Stay {
        checker.range(table.stay.unwrap_or(default), "a stay")
    };
    let signal = table.signal.as_ref().and_then(|name| find_signal(scene, name, checker));
    // Copies of a region move what is given with it.
    let shift = match (place, &table.region) {
        (Place::Region(region), Some(_)) if copy > 0 => {
            let first = checker.regions(&ground, scene, table.region.as_ref()?).first().copied()?;
            centre_of(&ground, region) - centre_of(&ground, first)
        }
        _ => Vec2::ZERO,
    };
    let local = |[x, y]: [f64; 2]| ground.to_local(DVec2::new(x, y)) + shift;
    let spots = || -> Vec<Spot> {
        let spot = |&[x, y, degrees]: &[f64; 3]| {
            let heading = (degrees as f32).to_radians();
            Spot { at: local([x, y]), facing: Vec2::new(libm::cosf(heading), libm::sinf(heading)) }
        };
        table.spots.iter().map(spot).collect()
    };
    let missing = |checker: &mut Checker<'_>, field: &str| {
        let what = format!("situation `{}` needs `{field}`", table.name.get_ref());
        checker.problem(Some(table.name.span()), what, "see `crowdloom schema`");
    };
    Some(match table.kind {
        Kind::Crosswalk => {
            let mut to = Vec::new();
            for name in &table.to {
                let regions = checker.regions(&ground, scene, name);
                // Copies of a crosswalk lead to the copies of the other side.
                let region = regions.get(copy.min(regions.len().saturating_sub(1)));
                to.extend(region.map(|&region| centre_of(&ground, region)));
            }
            if table.to.is_empty() {
                missing(checker, "to");
            }
            Activity::Cross { signal, to, least_frames: LEAST_TO_CROSS }
        }
        Kind::Hurry => Activity::Hurry { speed: table.speed.unwrap_or(2.6) },
        Kind::Bench | Kind::Pause => {
            if table.spots.is_empty() {
                missing(checker, "spots");
            }
            let stay = stay(checker, [8.0, 25.0]);
            Activity::Spend { spots: spots(), stay, show: shown(table, crowd, checker) }
        }
        Kind::Gather => {
            let Some(at) = table.at else {
                missing(checker, "at");
                return None;
            };
            let radius = table.radius.unwrap_or(2.0);
            let count = ((TAU * radius / 0.8) as usize).clamp(3, 24);
            let ring = (0..count).map(|index| {
                let angle = TAU * index as f32 / count as f32;
                let out = Vec2::new(libm::cosf(angle), libm::sinf(angle));
                Spot { at: local(at) + out * radius, facing: -out }
            });
            Activity::Spend {
                spots: ring.collect(),
                stay: stay(checker, [10.0, 30.0]),
                show: shown(table, crowd, checker),
            }
        }
        Kind::Queue => {
            if table.spots.is_empty() {
                missing(checker, "spots");
            }
            Activity::Queue { line: spots(), service: stay(checker, [3.0, 8.0]) }
        }
        Kind::StayIn => match place {
            Place::Region(region) => Activity::StayIn { region, signal },
            Place::Members => {
                missing(checker, "region");
                return None;
            }
        },
        Kind::Follow => {
            if table.way.len() < 2 {
                missing(checker, "way");
            }
            Activity::Follow { way: table.way.iter().map(|&point| local(point)).collect() }
        }
        Kind::Talk => Activity::Show { labels: shown(table, crowd, checker), chance: 0.5 },
        Kind::Close => Activity::Close { within: table.radius.unwrap_or(3.0) },
        Kind::Group => Activity::Nothing,
    })
}

fn find_signal(scene: &SceneFile, name: &Name, checker: &mut Checker<'_>) -> Option<SignalId> {
    let found = scene.signal.iter().position(|signal| signal.name.get_ref() == name.get_ref());
    if found.is_none() {
        checker.unknown("signal", name, scene.signal.iter().map(|signal| signal.name.get_ref().as_str()));
    }
    found.map(|index| SignalId(index as u16))
}

/// The middle of a region's bounds, in metres.
fn centre_of(ground: &crowdloom_world::Ground, region: usize) -> Vec2 {
    let areas = ground.regions()[region].areas();
    crowdloom_world::Bounds::of_areas(areas)
        .map_or(Vec2::ZERO, |bounds| ((bounds.min + bounds.max) * 0.5).as_vec2())
}
