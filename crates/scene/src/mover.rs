//! What may move people, with its numbers.

use crate::build::Checker;
use crate::motion::segments_of;
use crate::people::People;
use crate::spread::SpreadTable;
use crate::term::Term;
use crowdloom_crowd::cell_marking::{Marking, Markings, OwnNumber};
use crowdloom_crowd::velocity::{Manners, Model};
use crowdloom_crowd::{Crowd, Steering};
use schemars::JsonSchema;
use serde::Deserialize;

/// Numbers of a mover, by name.
pub type Parameters = toml::Table;

/// What moves people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mover {
    /// Clips of the motion graph, chosen by the probability scheme.
    #[default]
    Graph,
    /// Sampled reciprocal velocity obstacles.
    Rvo,
    /// Optimal reciprocal collision avoidance.
    Orca,
    /// Social forces.
    SocialForce,
    /// Flocking.
    Boids,
    /// Pushing, waiting and panic.
    Hidac,
    /// Speed and direction apart: nobody walks into somebody ahead.
    CollisionFreeSpeed,
    /// The same, looking ahead.
    Anticipation,
    /// Forces between ellipses.
    CentrifugalForce,
    /// Turning away from whoever is ahead and matters most.
    RotationalSteering,
    /// Chances to meet others, seen ahead in time.
    WarpDriver,
    /// Turning towards goals within bounds, and arriving there in a direction (`parameters = { facing = 90 }`).
    Funnel,
    /// Motions planned to meet the constraints of the scene; who has none stays.
    Planned,
    /// Trajectories from a file.
    Recorded,
    /// Captured motion, planned a second at a time, each with the stop after it.
    CellMarking,
}

/// How polite people with a velocity mover are.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MannersTable {
    /// By name.
    Named(NamedManners),
    /// By number.
    Numbers(MannersNumbers),
}

/// Manners that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NamedManners {
    /// The bare published model.
    None,
    /// The bare model, but that bodies which touch are parted as is usual for it.
    Solid,
    /// As people are.
    Usual,
}

/// Manners by number; what is left out is as usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MannersNumbers {
    /// The time that people keep to those who walk ahead, in seconds.
    pub headway: Option<f32>,
    /// The distance from middle to middle, in metres, at which they would stand behind somebody.
    pub spacing: Option<f32>,
    /// How far aside of their way, in metres from middle to middle, somebody is still ahead of them.
    pub breadth: Option<f32>,
    /// The part of their preferred speed that is left when somebody is right ahead.
    pub creep: Option<f32>,
    /// How far ahead, in seconds, they count on those who walk on ahead of them.
    pub anticipation: Option<f32>,
    /// The part of their radius by which they make themselves narrower where only shoulders hold them up.
    pub squeeze: Option<f32>,
    /// How far they turn off their way at most, in radians, where they get on sooner there.
    pub overtake: Option<f32>,
    /// How much they give way to the right to those who come towards them: 0 not at all, 1 by up to 45°.
    pub keep_right: Option<f32>,
    /// How far ahead somebody who comes towards them matters, in metres.
    pub oncoming_reach: Option<f32>,
    /// How deep two may be in each other, as a part of the sum of their radii, before they are parted; 1 parts nobody.
    pub touching: Option<f32>,
}

impl MannersNumbers {
    fn over(self, usual: Manners) -> Manners {
        Manners {
            headway: self.headway.unwrap_or(usual.headway),
            spacing: self.spacing.unwrap_or(usual.spacing),
            breadth: self.breadth.unwrap_or(usual.breadth),
            creep: self.creep.unwrap_or(usual.creep),
            anticipation: self.anticipation.unwrap_or(usual.anticipation),
            squeeze: self.squeeze.unwrap_or(usual.squeeze),
            overtake: self.overtake.unwrap_or(usual.overtake),
            keep_right: self.keep_right.unwrap_or(usual.keep_right),
            oncoming_reach: self.oncoming_reach.unwrap_or(usual.oncoming_reach),
            touching: self.touching.unwrap_or(usual.touching),
        }
    }
}

impl Mover {
    /// What situations and rules can let people go by, by name.
    pub const LENT: [(&str, Self); 13] = [
        ("graph", Self::Graph),
        ("rvo", Self::Rvo),
        ("orca", Self::Orca),
        ("social-force", Self::SocialForce),
        ("boids", Self::Boids),
        ("hidac", Self::Hidac),
        ("collision-free-speed", Self::CollisionFreeSpeed),
        ("anticipation", Self::Anticipation),
        ("centrifugal-force", Self::CentrifugalForce),
        ("rotational-steering", Self::RotationalSteering),
        ("warp-driver", Self::WarpDriver),
        ("funnel", Self::Funnel),
        ("cell-marking", Self::CellMarking),
    ];

    /// The velocity model with some numbers of its own; `None` for what is none.
    pub fn model(self, parameters: Parameters) -> Option<Result<Model, toml::de::Error>> {
        Some(match self {
            Self::Rvo => parameters.try_into().map(Model::Rvo),
            Self::Orca => parameters.try_into().map(Model::Orca),
            Self::SocialForce => parameters.try_into().map(Model::SocialForce),
            Self::Boids => parameters.try_into().map(Model::Boids),
            Self::Hidac => parameters.try_into().map(Model::Hidac),
            Self::CollisionFreeSpeed => parameters.try_into().map(Model::CollisionFreeSpeed),
            Self::Anticipation => parameters.try_into().map(Model::Anticipation),
            Self::CentrifugalForce => parameters.try_into().map(Model::CentrifugalForce),
            Self::RotationalSteering => parameters.try_into().map(Model::RotationalSteering),
            Self::WarpDriver => parameters.try_into().map(Model::WarpDriver),
            Self::Funnel => parameters.try_into().map(Model::Funnel),
            Self::Graph | Self::CellMarking | Self::Planned | Self::Recorded => return None,
        })
    }

    /// What moves the people of a table; mistakes go to the checker.
    pub fn build(
        self,
        table: &People,
        crowd: &mut Crowd,
        checker: &mut Checker<'_>,
    ) -> Option<crowdloom_crowd::Mover> {
        if !(0.0..=1.0).contains(&table.panic) {
            checker.problem(None, format!("a panic of {} makes no sense", table.panic), "from 0 to 1");
        }
        if self == Self::CellMarking {
            return build_marking(table, crowd, checker).map(crowdloom_crowd::Mover::CellMarking);
        }
        let Some(model) = self.model(table.parameters.clone()) else {
            if !table.parameters.is_empty() || table.manners.is_some() || table.panic > 0.0 {
                let what = "`parameters`, `manners` and `panic` are for velocity movers";
                checker.problem(None, what, "leave them out, or give a `mover` such as \"social-force\"");
            }
            return Some(match self {
                Self::Planned => crowdloom_crowd::Mover::Planned,
                Self::Recorded => crowdloom_crowd::Mover::Recorded,
                _ => crowdloom_crowd::Mover::Graph,
            });
        };
        let model = match model {
            Ok(model) => model,
            Err(error) => {
                checker.problem(None, format!("the mover's parameters: {}", error.message()), "");
                return None;
            }
        };
        steered(Steering::new(model), table, crowd, checker)
    }
}

impl Term<Mover> {
    /// What somebody goes by from some moment on, with the numbers and manners of a table; mistakes go to the checker.
    pub fn lent(
        &self,
        table: &People,
        crowd: &mut Crowd,
        checker: &mut Checker<'_>,
    ) -> Option<crowdloom_crowd::Mover> {
        if matches!(self.known(), Some(Mover::Planned | Mover::Recorded)) {
            let what = "nobody can be planned or recorded from one moment to the next";
            checker.problem(None, what, "give `graph`, `cell-marking` or a velocity mover");
            return None;
        }
        self.build(table, crowd, checker)
    }

    /// What moves the people of a table; mistakes go to the checker.
    pub fn build(
        &self,
        table: &People,
        crowd: &mut Crowd,
        checker: &mut Checker<'_>,
    ) -> Option<crowdloom_crowd::Mover> {
        let name = match self {
            Self::Known(mover) => return mover.build(table, crowd, checker),
            Self::Other(name) => name,
        };
        let Some(steering) = crowd.additions().steering(name.get_ref()) else {
            Self::refuse("mover", name, crowd.additions().models(), checker);
            return None;
        };
        if !table.parameters.is_empty() {
            let what = format!("the numbers of `{}` are the program's", name.get_ref());
            checker.problem(Some(name.span()), what, "leave out `parameters`");
        }
        steered(steering, table, crowd, checker)
    }
}

/// People who are steered, with the manners and the panic of their table.
fn steered(
    mut steering: Steering,
    table: &People,
    crowd: &mut Crowd,
    checker: &mut Checker<'_>,
) -> Option<crowdloom_crowd::Mover> {
    steering.panic = table.panic;
    let manners = &mut steering.walker.manners;
    match table.manners {
        None | Some(MannersTable::Named(NamedManners::Usual)) => {}
        Some(MannersTable::Named(NamedManners::None)) => *manners = Manners::none(),
        Some(MannersTable::Named(NamedManners::Solid)) => {
            *manners = Manners { touching: manners.touching, ..Manners::none() };
        }
        Some(MannersTable::Numbers(numbers)) => *manners = numbers.over(*manners),
    }
    if !manners.is_sound() {
        checker.problem(None, "these manners are not possible", "numbers from 0 up, `touching` up to 1");
    }
    let number = crowd.add_steering(steering);
    if number.is_none() {
        let what = "people are steered in more than 65,536 ways";
        checker.problem(None, what, "give more of them the same `parameters` and `manners`");
    }
    number.map(crowdloom_crowd::Mover::Steered)
}

/// The number of the way in which people of a table plan captured motion; mistakes go to the checker.
fn build_marking(table: &People, crowd: &mut Crowd, checker: &mut Checker<'_>) -> Option<u16> {
    if table.manners.is_some() || table.panic > 0.0 {
        checker.problem(None, "`manners` and `panic` are for velocity movers", "leave them out");
    }
    let markings = match read_markings(&table.parameters) {
        Ok(markings) => markings,
        Err(message) => {
            checker.problem(None, format!("the mover's parameters: {message}"), "");
            return None;
        }
    };
    if !markings.is_sound() {
        let fix = "numbers from 0 up, `horizon`, `top-speed` and `tests` above 0, `decides-after` up to 1";
        checker.problem(None, "these parameters are not possible", fix);
        return None;
    }
    let known = crowd.segments().cloned().map(Ok);
    match known.unwrap_or_else(|| segments_of(crowd.setting().book.graph())) {
        Ok(segments) => Some(crowd.add_marking(&segments, markings)),
        Err(error) => {
            let what = format!("the motions cannot be cut into segments for `cell-marking`: {error}");
            checker.problem(None, what, "give it clips labelled `walk`, with some that come to a stand");
            None
        }
    }
}

/// How those choose who plan captured motion: a number is the same for all of a table, `[least, most]` and a distribution are
/// drawn for each of them.
fn read_markings(parameters: &Parameters) -> Result<Markings, String> {
    let is_own = |value: &toml::Value| value.is_array() || value.is_table();
    let (own, shared): (Parameters, Parameters) =
        parameters.clone().into_iter().partition(|(_, value)| is_own(value));
    let usual: Marking = shared.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let mut markings = Markings::from(usual);
    for (name, value) in own {
        let Some(number) = OwnNumber::named(&name) else {
            return Err(format!("`{name}` is no number that differs from person to person"));
        };
        let table: SpreadTable = value
            .try_into()
            .map_err(|_| format!("`{name}` is neither a number nor [least, most] nor a distribution"))?;
        markings.differ(number, table.spread());
    }
    Ok(markings)
}
