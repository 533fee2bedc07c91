//! What people do about others who have a name: the steering set of Reynolds 1999.

use crate::build::Checker;
use crate::file::{Name, SceneFile};
use crate::people::People;
use crowdloom_crowd::Reaction;
use schemars::JsonSchema;
use serde::Deserialize;

/// What people of a velocity mover do about others in sight, or about walls; one of `seek`, `flee`, `pursue`, `evade`,
/// `follow` and `wall`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SteersTable {
    /// They go to where the nearest of the people called so is.
    #[schemars(with = "Option<String>")]
    pub seek: Option<Name>,
    /// They go away from where the nearest of the people called so is.
    #[schemars(with = "Option<String>")]
    pub flee: Option<Name>,
    /// They go to where the nearest of the people called so will be.
    #[schemars(with = "Option<String>")]
    pub pursue: Option<Name>,
    /// They go away from where the nearest of the people called so will be.
    #[schemars(with = "Option<String>")]
    pub evade: Option<Name>,
    /// They follow the nearest of the people called so.
    #[schemars(with = "Option<String>")]
    pub follow: Option<Name>,
    /// They go along walls, at this distance in metres.
    pub wall: Option<f32>,
    /// Flee and evade: only from those nearer than this, in metres [default: 10].
    pub within: Option<f32>,
    /// Follow: how far behind, in metres [default: 1.5].
    pub behind: Option<f32>,
}

/// Whom one flees from is nearer than this, in metres, where nothing is said.
const WITHIN: f32 = 10.0;
/// Who follows is so far behind, in metres, where nothing is said.
const BEHIND: f32 = 1.5;

/// The number of a name of people, in the order of their tables; 0 where nobody has it.
pub(crate) fn number_of(scene: &SceneFile, name: &str) -> u16 {
    let named = |table: &People| table.name.as_ref().is_some_and(|own| own.get_ref() == name);
    scene.people.iter().position(named).map_or(0, |place| u16::try_from(place + 1).unwrap_or(0))
}

/// What the people of a table do about others; `steered` tells whether a velocity model moves them, and mistakes go to
/// the checker.
pub(crate) fn read_steers(
    table: &SteersTable,
    steered: bool,
    scene: &SceneFile,
    checker: &mut Checker<'_>,
) -> Option<Reaction> {
    if !steered {
        let fix = "give them a velocity mover, such as `mover = \"boids\"`";
        checker.problem(None, "`steers` is for people of velocity movers", fix);
        return None;
    }
    let SteersTable { seek, flee, pursue, evade, follow, wall, within, behind } = table;
    let told =
        [seek, flee, pursue, evade, follow].into_iter().flatten().count() + usize::from(wall.is_some());
    if told != 1 {
        let what = "people steer by one of `seek`, `flee`, `pursue`, `evade`, `follow` and `wall`";
        checker.problem(None, what, "keep one of them");
        return None;
    }
    if let Some(distance) = wall {
        return Some(Reaction::AlongWall(*distance));
    }
    let mut whom = |name: &Name| match number_of(scene, name.get_ref()) {
        0 => {
            let names = scene.people.iter().filter_map(|table| table.name.as_ref());
            checker.unknown("name of people", name, names.map(|name| name.get_ref().as_str()));
            None
        }
        number => Some(number),
    };
    let within = within.unwrap_or(WITHIN);
    match (seek, flee, pursue, evade, follow) {
        (Some(name), ..) => whom(name).map(Reaction::Seek),
        (_, Some(name), ..) => whom(name).map(|whom| Reaction::Flee { whom, within }),
        (_, _, Some(name), ..) => whom(name).map(Reaction::Pursue),
        (_, _, _, Some(name), _) => whom(name).map(|whom| Reaction::Evade { whom, within }),
        (.., Some(name)) => {
            let behind = behind.unwrap_or(BEHIND);
            whom(name).map(|whom| Reaction::Follow { whom, behind })
        }
        _ => None,
    }
}
