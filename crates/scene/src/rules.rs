//! Sensors, memory and rules of a situation, from their tables.

use crate::build::Checker;
use crate::file::{Name, Point, SceneFile, Situation as Table};
use crate::mover::Mover;
use crate::people::People;
use crate::steers::number_of;
use crowdloom_crowd::Crowd;
use crowdloom_crowd::rule::{Names, Script, Source, Value};
use crowdloom_crowd::sensor::{Sensor, Whom};
use crowdloom_crowd::signal::SignalId;
use glam::Vec2;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;

/// Something that rules can notice: one of `empty`, `proximity`, `signal`, `agent` and `density`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum SensorTable {
    /// Whether nobody else is within `radius` metres of a point.
    Empty(Place),
    /// The distance to a point `[x, y]` in metres.
    Proximity(Point),
    /// Whether a signal, by its name, is on.
    #[schemars(with = "String")]
    Signal(Name),
    /// Somebody else: the `nearest`, the `first` who came in, or the nearest of the people of a name, wherever that one is.
    #[schemars(with = "String")]
    Agent(Name),
    /// People per square metre within `radius` metres of a point.
    Density(Place),
}

/// A disc on the ground.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Place {
    /// The middle.
    pub at: Point,
    /// The radius in metres.
    pub radius: f32,
}

/// What rules remember: true or false, a whole number or a number.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Memory {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
}

/// Movers by name.
type Movers = [(String, crowdloom_crowd::Mover)];

/// What the rules of a situation can let people go by: whatever they call by its name.
pub fn movers_of_rules(
    table: &Table,
    crowd: &mut Crowd,
    checker: &mut Checker<'_>,
) -> Vec<(String, crowdloom_crowd::Mover)> {
    let mut movers = Vec::new();
    let is_named = |name: &str| {
        let quoted = format!("\"{name}\"");
        table.rules.iter().any(|rule| rule.get_ref().contains(&quoted))
    };
    for (name, mover) in Mover::LENT {
        if is_named(name)
            && let Some(built) = mover.build(&People::default(), crowd, checker)
        {
            movers.push((name.to_owned(), built));
        }
    }
    let added = crowd.additions().models().iter().filter(|name| is_named(name));
    movers.extend(added.filter_map(|name| Some((name.clone(), crowd.added_mover(name)?))));
    movers
}

/// The script of a situation whose points are mapped by `local`; `first` tells each mistake only once for all copies.
pub fn build_script(
    scene: &SceneFile,
    table: &Table,
    crowd: &Crowd,
    (local, movers): (&dyn Fn(Point) -> Vec2, &Movers),
    first: bool,
    checker: &mut Checker<'_>,
) -> Option<Arc<Script>> {
    if table.rules.is_empty() {
        if first && !(table.sensor.is_empty() && table.memory.is_empty()) {
            let what = format!("situation `{}` has sensors or memory but no rules", table.name.get_ref());
            checker.warning(Some(table.name.span()), what, "nothing reads them; add `rules`");
        }
        return None;
    }
    let mut sensors = Vec::new();
    for (name, sensor) in &table.sensor {
        let sensor = match sensor {
            SensorTable::Empty(place) => Sensor::Empty { at: local(place.at), within: place.radius },
            SensorTable::Density(place) => Sensor::Density { at: local(place.at), within: place.radius },
            SensorTable::Proximity(to) => Sensor::Proximity { to: local(*to) },
            SensorTable::Agent(whom) => Sensor::Agent(find_whom(scene, whom, checker)?),
            SensorTable::Signal(name) => Sensor::Signal(find_signal(scene, name, checker)?),
        };
        if let Sensor::Empty { within, .. } | Sensor::Density { within, .. } = sensor
            && !(within > 0.0 && within.is_finite())
        {
            let what = format!("the sensor `{name}` has a radius of {within}");
            checker.problem(Some(table.name.span()), what, "give a radius above 0");
        }
        sensors.push((name.clone(), sensor));
    }
    let value = |memory: Memory| match memory {
        Memory::Flag(flag) => Value::Flag(flag),
        Memory::Whole(number) => Value::Whole(number),
        Memory::Number(number) => Value::Number(number),
    };
    let memory = table.memory.iter().map(|(name, memory)| (name.clone(), value(*memory))).collect();
    let sources: Vec<Source> = table
        .rules
        .iter()
        .map(|rule| Source { text: rule.get_ref().clone(), line: checker.first_line(rule) })
        .collect();
    let signals = scene.signal.iter().enumerate();
    let stops = scene.stop.iter().enumerate();
    let regions = crowd.setting().ground.regions().iter().enumerate();
    let names = Names {
        labels: crowd.setting().book.labels().clone(),
        signals: signals.map(|(i, signal)| (signal.name.get_ref().clone(), SignalId(i as u16))).collect(),
        groups: groups(scene),
        movers: movers.to_vec(),
        regions: regions.map(|(i, region)| (region.name.clone(), i)).collect(),
        stops: stops.map(|(i, stop)| (stop.name.get_ref().clone(), i as u16)).collect(),
        places: Vec::new(),
        origin: crowd.setting().ground.origin(),
    };
    match Script::compile(sensors, memory, &sources, names) {
        Ok(script) => {
            if first {
                for error in script.rehearse() {
                    let what = format!("a rule of `{}` can fail: {}", table.name.get_ref(), error.what);
                    checker.warning_at(error.line, what, "it is then off for whom it failed");
                }
            }
            Some(Arc::new(script))
        }
        Err(errors) => {
            for error in errors.into_iter().filter(|_| first) {
                let what = format!("a rule of `{}` cannot be read: {}", table.name.get_ref(), error.what);
                checker.problem_at(error.line, what, "docs/situations.md lists what rules can use");
            }
            None
        }
    }
}

/// Names of the situations that only members are in.
fn groups(scene: &SceneFile) -> Vec<String> {
    let members = scene.situation.iter().filter(|table| table.region.is_none() && table.vehicle.is_none());
    members.map(|table| table.name.get_ref().clone()).collect()
}

/// Whom an agent sensor looks at; a mistake is noted where nobody is called so.
fn find_whom(scene: &SceneFile, name: &Name, checker: &mut Checker<'_>) -> Option<Whom> {
    match (name.get_ref().as_str(), number_of(scene, name.get_ref())) {
        ("nearest", _) => Some(Whom::Nearest),
        ("first", _) => Some(Whom::First),
        (_, 0) => {
            let names = scene.people.iter().filter_map(|table| table.name.as_ref());
            let names = names.map(|name| name.get_ref().as_str()).chain(["nearest", "first"]);
            checker.unknown("name of people", name, names);
            None
        }
        (_, number) => Some(Whom::Named(number)),
    }
}

/// The signal of that name; a mistake is noted where there is none.
pub fn find_signal(scene: &SceneFile, name: &Name, checker: &mut Checker<'_>) -> Option<SignalId> {
    let found = scene.signal.iter().position(|signal| signal.name.get_ref() == name.get_ref());
    if found.is_none() {
        checker.unknown("signal", name, scene.signal.iter().map(|signal| signal.name.get_ref().as_str()));
    }
    found.map(|index| SignalId(index as u16))
}
