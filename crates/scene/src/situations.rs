//! Situations of a scene, from their tables.

use crate::bounds::DAY;
use crate::build::Checker;
use crate::file::{Kind, Name, Point, Repeat, SceneFile, Situation as Table, Time};
use crate::people::People;
use crate::problem::nearest;
use crate::rules::{build_script, find_signal, movers_of_rules};
use crate::spread::{SpreadTable, read_spread};
use crate::term::Term;
use crate::vehicles::find_vehicle;
use crowdloom_crowd::Crowd;
use crowdloom_crowd::Spread;
use crowdloom_crowd::labels::LabelSet;
use crowdloom_crowd::situation::{Activity, Defaults, Exact, Place, Situation, SituationId, Spot};
use crowdloom_motion::FRAME_RATE;
use crowdloom_motion::graph::{ActionId, NodeId};
use crowdloom_motion::mobb::Disc;
use crowdloom_world::Ground;
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
        for situation in build_situation(scene, table, crowd, checker) {
            named.push((table.name.get_ref().clone(), crowd.add_situation(situation)));
        }
    }
    checker.here = None;
    named
}

/// The situations of a table, one for each copy of its region.
pub fn build_situation(
    scene: &SceneFile,
    table: &Table,
    crowd: &mut Crowd,
    checker: &mut Checker<'_>,
) -> Vec<Situation> {
    let mut built = Vec::new();
    checker.here = Some(checker.line_of(&table.name));
    let mover = table.mover.as_ref().and_then(|mover| mover.lent(&People::default(), crowd, checker));
    let movers = movers_of_rules(table, crowd, checker);
    let crowd = &*crowd;
    if table.capacity == Some(0) {
        let what = format!("situation `{}` has room for nobody", table.name.get_ref());
        checker.warning(
            Some(table.name.span()),
            what,
            "it is left out; give a capacity of at least 1, or none",
        );
    }
    if !(0.0..=1.0).contains(&table.share) {
        let what = format!("a share of {} is not possible", table.share);
        checker.problem(Some(table.name.span()), what, "between 0 and 1");
    }
    let ground = crowd.setting().ground.clone();
    let vehicle = table.vehicle.as_ref().and_then(|name| find_vehicle(scene, name, checker));
    let places: Vec<Place> = match (&table.region, table.kind.known()) {
        (_, Some(Kind::Bus)) => {
            if table.vehicle.is_none() {
                missing(table, "vehicle", checker);
            }
            vehicle.into_iter().map(Place::Vehicle).collect()
        }
        (None, _) => vec![Place::Members],
        (Some(name), _) => checker.regions(&ground, scene, name).into_iter().map(Place::Region).collect(),
    };
    check_motions(scene, table, crowd, checker);
    let actions = lent_actions(table, crowd, checker);
    let removes = removed(table, checker);
    let behaviours = lent_behaviours(table, crowd, checker);
    let during = table.during.map(|during| {
        let [from, to] = checker.range(during, "a time to be in force");
        ((from * FRAME_RATE) as u32, (to * FRAME_RATE) as u32)
    });
    for (copy, &place) in places.iter().enumerate() {
        // Copies of a region move what is given with it.
        let shift = match (place, places.first()) {
            (Place::Region(own), Some(&Place::Region(first))) => {
                centre_of(&ground, own) - centre_of(&ground, first)
            }
            _ => Vec2::ZERO,
        };
        let local = |[x, y]: Point| ground.to_local(DVec2::new(x, y)) + shift;
        let site = Site { scene, table, place, copy, local: &local };
        let Some(activity) = build_activity(&site, crowd, checker) else { continue };
        let script = build_script(scene, table, crowd, (&local, &movers), copy == 0, checker);
        let grants = lent_labels(&activity, table, crowd, shown(table, crowd, checker));
        built.push(Situation {
            // One that has room for nobody is there, so that its name is known, but not in force.
            enabled: table.capacity != Some(0),
            during,
            capacity: table.capacity,
            // At a crosswalk that is told everybody minds the light, whoever crosses.
            share: if table.kind.is(Kind::Crosswalk) && !table.over.is_empty() { 1.0 } else { table.share },
            priority: table.priority,
            grants,
            actions: actions.clone(),
            removes,
            behaviours: behaviours.clone(),
            mover,
            script,
            ..Situation::new(table.name.get_ref().clone(), place, activity)
        });
    }
    built
}

/// What people in a situation may show at any time. What they show on their spot only, or now and then, the activity
/// itself allows at that moment.
fn lent_labels(activity: &Activity, table: &Table, crowd: &Crowd, show: LabelSet) -> LabelSet {
    match activity {
        Activity::Spend { .. } | Activity::Approach { .. } | Activity::Show { .. } => LabelSet::NONE,
        _ if table.kind.is(Kind::Hurry) => crowd.setting().book.labels().set(["run"]),
        _ => show,
    }
}

/// A situation's table and one of the places where it is in force.
struct Site<'a> {
    scene: &'a SceneFile,
    table: &'a Table,
    place: Place,
    copy: usize,
    local: &'a dyn Fn(Point) -> Vec2,
}

fn missing(table: &Table, field: &str, checker: &mut Checker<'_>) {
    let what = format!("situation `{}` needs `{field}`", table.name.get_ref());
    checker.problem(Some(table.name.span()), what, "see `crowdloom schema`");
}

/// The actions of the graph that a situation lends: those of the named clips that leave from the named nodes, or from
/// nodes that only such clips lead to.
fn lent_actions(table: &Table, crowd: &Crowd, checker: &mut Checker<'_>) -> Vec<ActionId> {
    let graph = crowd.setting().book.graph();
    let mut on: Vec<NodeId> = Vec::new();
    for name in &table.on {
        match graph.find_node(name.get_ref()) {
            Some(node) => on.push(node),
            None => checker.unknown("node", name, graph.nodes().iter().map(|node| node.name.as_str())),
        }
    }
    let special = crowd.shared().labels.special;
    let labels = crowd.setting().book.labels();
    let is_plain = |action: &crowdloom_motion::graph::Action| {
        !labels.set(action.clip.labels.iter().map(String::as_str)).meets(special)
    };
    let plain = |node: NodeId| graph.actions().iter().any(|action| action.to == node && is_plain(action));
    let mut lent = Vec::new();
    for name in &table.actions {
        let wanted = name.get_ref();
        let fits = |clip: &str| match wanted.strip_suffix('*') {
            Some(start) => clip.starts_with(start),
            None => clip == wanted,
        };
        let before = lent.len();
        for (index, action) in graph.actions().iter().enumerate() {
            if fits(&action.clip.name) && (on.is_empty() || on.contains(&action.from) || !plain(action.from))
            {
                lent.push(ActionId(index as u16));
            }
        }
        if lent.len() == before {
            let clips = graph.actions().iter().map(|action| action.clip.name.as_str());
            let hint = nearest(wanted, clips).map(|near| format!("did you mean `{near}`?"));
            let fix = hint.unwrap_or("`crowdloom motion info builtin` lists the clips".into());
            checker.problem(Some(name.span()), format!("no clip `{wanted}` leaves from there"), fix);
        }
    }
    lent.sort_unstable();
    lent.dedup();
    lent
}

/// The defaults that a situation takes away.
fn removed(table: &Table, checker: &mut Checker<'_>) -> Defaults {
    let mut removes = Defaults::default();
    for name in &table.removes {
        match Defaults::named(name.get_ref()) {
            Some(default) => removes = removes.with(default),
            None => {
                let names: Vec<&str> = Defaults::NAMES.iter().map(|(name, _)| *name).collect();
                let what = format!("there is no default behaviour `{}`", name.get_ref());
                checker.problem(Some(name.span()), what, format!("one of {}", names.join(", ")));
            }
        }
    }
    removes
}

/// The labels of clips that suit a kind of situation.
fn usual_labels(kind: &Term<Kind>) -> &'static [&'static str] {
    match kind {
        Term::Known(Kind::Bench | Kind::SeatRows) => &["sit"],
        Term::Known(Kind::Gather | Kind::GetTogether | Kind::Talk) => &["talk", "listen"],
        Term::Known(Kind::Pause | Kind::ShopWindow) => &["look"],
        Term::Known(Kind::Hurry) => &["run"],
        _ => &[],
    }
}

/// Tells what people cannot do in a situation because their motion graph has no clip of it.
fn check_motions(scene: &SceneFile, table: &Table, crowd: &Crowd, checker: &mut Checker<'_>) {
    if table.show.is_some() || !scene.motion.is_bare() {
        return;
    }
    let book = &crowd.setting().book;
    for (island, (graph, _)) in scene.motion.all().enumerate() {
        let lacking: Vec<String> = usual_labels(&table.kind)
            .iter()
            .filter(|label| !book.can_show(island as u16, label))
            .map(|label| format!("`{label}`"))
            .collect();
        if lacking.is_empty() {
            continue;
        }
        let what = format!(
            "situation `{}` needs clips with the label {}, which {graph} has not",
            table.name.get_ref(),
            lacking.join(" and ")
        );
        let fix = "people only stand there; `fill = true` in [motion] takes them from the built-in motions";
        checker.warning(Some(table.name.span()), what, fix);
    }
}

/// The labels that a situation shows, by default those that suit its kind.
fn shown(table: &Table, crowd: &Crowd, checker: &mut Checker<'_>) -> LabelSet {
    let labels = crowd.setting().book.labels();
    let Some(names) = &table.show else { return labels.set(usual_labels(&table.kind).iter().copied()) };
    for name in names.iter().filter(|name| !labels.names().contains(name)) {
        let what = format!("no clip carries the label `{name}`");
        checker.problem(Some(table.name.span()), what, format!("one of {}", labels.names().join(", ")));
    }
    labels.set(names.iter().map(String::as_str))
}

/// The regions of some names that belong to a copy of a situation: copies of a crosswalk lead to the copies of the other side.
fn regions_of_copy(
    site: &Site<'_>,
    names: &[Name],
    ground: &Ground,
    checker: &mut Checker<'_>,
) -> Vec<usize> {
    let mut found = Vec::new();
    for name in names {
        let regions = checker.regions(ground, site.scene, name);
        found.extend(regions.get(site.copy.min(regions.len().saturating_sub(1))));
    }
    found
}

fn build_activity(site: &Site<'_>, crowd: &Crowd, checker: &mut Checker<'_>) -> Option<Activity> {
    let Site { scene, table, place, local, .. } = *site;
    let ground = crowd.setting().ground.clone();
    let stay = |checker: &mut Checker<'_>, default: [f32; 2]| -> Spread {
        let usual = SpreadTable::Between(default);
        let asked = table.stay.unwrap_or(usual);
        read_spread(asked, [0.0, DAY as f32], "a stay", checker).unwrap_or(usual.spread())
    };
    let signal = table.signal.as_ref().and_then(|name| find_signal(scene, name, checker));
    let time = constraint_time(table, checker);
    let mut spend = |seconds: [f32; 2]| {
        if table.spots.is_empty() {
            missing(table, "spots", checker);
        }
        let stay = stay(checker, seconds);
        let mut spots = spots(site);
        let show = shown(table, crowd, checker);
        let seated = matches!(table.kind.known(), Some(Kind::Bench | Kind::SeatRows));
        let step = if seated { stand_before_seats(crowd, &mut spots) } else { Vec2::ZERO };
        let pose = crowd.setting().book.pose_showing(show).filter(|_| seated);
        let exact = table.exact.unwrap_or(seated).then_some(Exact { pose, step, time });
        Activity::Spend { spots, stay, show, exact }
    };
    let kind = match &table.kind {
        Term::Known(kind) => *kind,
        Term::Other(name) => return build_added(site, name, crowd, checker),
    };
    Some(match kind {
        Kind::Crosswalk => {
            let to = regions_of_copy(site, &table.to, &ground, checker);
            let over = regions_of_copy(site, &table.over, &ground, checker);
            if table.to.is_empty() {
                missing(table, "to", checker);
            }
            let share = if over.is_empty() { 1.0 } else { table.share };
            Activity::Cross { signal, to, over, share, least_frames: LEAST_TO_CROSS }
        }
        Kind::TrafficLight => {
            let Some(signal) = signal else {
                if table.signal.is_none() {
                    missing(table, "signal", checker);
                }
                return None;
            };
            let over = regions_of_copy(site, &table.over, &ground, checker);
            Activity::Light { signal, over, least_frames: LEAST_TO_CROSS }
        }
        Kind::Hurry => Activity::Hurry { speed: table.speed.unwrap_or(2.6) },
        Kind::Bench | Kind::Pause => spend([8.0, 25.0]),
        Kind::SeatRows => spend([60.0, 120.0]),
        Kind::VendingMachine => spend([3.0, 7.0]),
        Kind::ShopWindow => spend([4.0, 15.0]),
        Kind::Gather => {
            let Some(at) = table.at else {
                missing(table, "at", checker);
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
                exact: table.exact.unwrap_or(false).then_some(Exact { pose: None, step: Vec2::ZERO, time }),
            }
        }
        Kind::GetTogether => {
            let Some(at) = table.at else {
                missing(table, "at", checker);
                return None;
            };
            Activity::Approach {
                at: local(at),
                within: table.radius.unwrap_or(2.5),
                stay: stay(checker, [10.0, 30.0]),
                show: shown(table, crowd, checker),
            }
        }
        Kind::Queue => {
            if table.spots.is_empty() {
                missing(table, "spots", checker);
            }
            Activity::Queue { line: spots(site), service: stay(checker, [3.0, 8.0]) }
        }
        Kind::StayIn => match place {
            Place::Region(region) => Activity::StayIn { region, signal },
            _ => {
                missing(table, "region", checker);
                return None;
            }
        },
        Kind::Exclusive => match place {
            Place::Region(region) => Activity::Exclusive { around: around(&ground, region) },
            _ => {
                missing(table, "region", checker);
                return None;
            }
        },
        Kind::Balance => {
            let mut to = Vec::new();
            for name in &table.to {
                to.extend(checker.regions(&ground, scene, name));
            }
            if to.len() < 2 {
                missing(table, "to", checker);
            }
            Activity::Balance { to }
        }
        Kind::BusStop => {
            let Some(name) = &table.vehicle else {
                missing(table, "vehicle", checker);
                return None;
            };
            let vehicle = find_vehicle(scene, name, checker)?;
            let Place::Region(region) = place else {
                missing(table, "region", checker);
                return None;
            };
            // The stop whose middle is nearest to the region.
            let own = crowd.shared().vehicles.get(vehicle)?;
            let distance = |index: usize| {
                let middle = own.track.at(own.halts[index].along - 0.5 * own.length);
                middle.distance(centre_of(&ground, region))
            };
            let Some(halt) = (0..own.halts.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b))) else {
                let what = format!("vehicle `{}` never stops", name.get_ref());
                checker.problem(Some(name.span()), what, "give it stops: `stop = [{ at = [x, y] }]`");
                return None;
            };
            let radius = crowd.setting().book.options().radius;
            let corners = ground.regions()[region].areas().iter().flat_map(|area| area.rings().flatten());
            let in_the_way = |corner: &DVec2| {
                let along = own.track.nearest(corner.as_vec2());
                own.track.at(along).distance(corner.as_vec2()) + 1e-3 < own.lane() + radius
            };
            if site.copy == 0 && corners.into_iter().any(in_the_way) {
                let what =
                    format!("people in `{}` can stand in the way of `{}`", table.name.get_ref(), own.name);
                let fix = format!("keep the region {:.1} m from its way", own.lane() + radius);
                checker.warning(Some(table.name.span()), what, fix);
            }
            Activity::Board { vehicle, halt: halt as u16 }
        }
        Kind::Follow => {
            if table.way.len() < 2 {
                missing(table, "way", checker);
            }
            Activity::Follow { way: table.way.iter().map(|&point| local(point)).collect() }
        }
        Kind::Talk => Activity::Show { labels: shown(table, crowd, checker), chance: 0.5 },
        Kind::Close => Activity::Close { within: table.radius.unwrap_or(3.0) },
        Kind::Friends => Activity::Together { apart: table.radius.unwrap_or(0.8) },
        Kind::Group | Kind::Bus => Activity::Nothing,
    })
}

/// The frames between which people arrive exactly on their spots; mistakes go to the checker.
fn constraint_time(table: &Table, checker: &mut Checker<'_>) -> Option<(u32, u32)> {
    let [from, to] = match table.time? {
        Time::At(time) => [time, time],
        Time::Between(between) => between,
    };
    let seated = matches!(table.kind.known(), Some(Kind::Bench | Kind::SeatRows));
    if !table.exact.unwrap_or(seated) {
        let what = format!("situation `{}` has a `time` for nothing that is exact", table.name.get_ref());
        checker.problem(Some(table.name.span()), what, "add `exact = true`");
    }
    let [from, to] = checker.range([from, to], "a time to be there");
    Some(((from * FRAME_RATE).round() as u32, (to * FRAME_RATE).round() as u32))
}

/// What a kind of situation says that the program has added.
fn build_added(site: &Site<'_>, name: &Name, crowd: &Crowd, checker: &mut Checker<'_>) -> Option<Activity> {
    let Some(kind) = crowd.additions().kind(name.get_ref()) else {
        Term::<Kind>::refuse("kind of situation", name, crowd.additions().kinds(), checker);
        return None;
    };
    Some(Activity::Added { kind, spots: spots(site), numbers: site.table.parameters.clone() })
}

/// The numbers of the behaviour functions that a situation lends.
fn lent_behaviours(table: &Table, crowd: &Crowd, checker: &mut Checker<'_>) -> Vec<u16> {
    let known = crowd.additions();
    let mut lent = Vec::new();
    for name in &table.behaviours {
        match known.behaviour(name.get_ref()) {
            Some(number) => lent.push(number),
            None => {
                let what = format!("the program adds no behaviour function `{}`", name.get_ref());
                let fix = match nearest(name.get_ref(), known.behaviours().iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "leave it out, or run it by a program that adds it".to_owned(),
                };
                checker.problem(Some(name.span()), what, fix);
            }
        }
    }
    if table.kind.known().is_some() && !table.parameters.is_empty() {
        let what = format!("`parameters` of situation `{}` mean nothing", table.name.get_ref());
        checker.problem(Some(table.name.span()), what, "they are for kinds that a program adds");
    }
    lent
}

/// Moves spots from where people sit to where they stand before they sit down; returns the step from there, in metres.
fn stand_before_seats(crowd: &Crowd, spots: &mut [Spot]) -> Vec2 {
    let graph = crowd.setting().book.graph();
    let sits_down = |action: &&crowdloom_motion::graph::Action| {
        action.clip.labels.iter().any(|label| label == "sit-down")
    };
    let sits_down = graph.actions().iter().find(sits_down);
    let moves = sits_down.map_or(Vec2::ZERO, |action| action.clip.displacement().position);
    spots.iter_mut().for_each(|spot| spot.at -= moves.rotate(spot.facing));
    moves
}

/// The spots of a situation, with their copies.
fn spots(site: &Site<'_>) -> Vec<Spot> {
    let Repeat { columns, rows, step } =
        site.table.rows.unwrap_or(Repeat { columns: 1, rows: 1, step: [0.0, 0.0] });
    let copies = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let spot = |&[x, y, degrees]: &[f64; 3], (column, row): (usize, usize)| {
        let heading = (degrees as f32).to_radians();
        Spot {
            at: (site.local)([x + column as f64 * step[0], y + row as f64 * step[1]]),
            facing: Vec2::new(libm::cosf(heading), libm::sinf(heading)),
        }
    };
    copies.flat_map(|copy| site.table.spots.iter().map(move |own| spot(own, copy))).collect()
}

/// A disc around a region.
fn around(ground: &crowdloom_world::Ground, region: usize) -> Disc {
    let areas = ground.regions()[region].areas();
    crowdloom_world::Bounds::of_areas(areas).map_or(Disc::new(Vec2::ZERO, 0.0), |bounds| {
        Disc::new(((bounds.min + bounds.max) * 0.5).as_vec2(), (bounds.size() * 0.5).length() as f32)
    })
}

/// The middle of a region's bounds, in metres.
fn centre_of(ground: &crowdloom_world::Ground, region: usize) -> Vec2 {
    let areas = ground.regions()[region].areas();
    crowdloom_world::Bounds::of_areas(areas)
        .map_or(Vec2::ZERO, |bounds| ((bounds.min + bounds.max) * 0.5).as_vec2())
}
