//! The scenes of Gu and Deng 2010, section VI-A, and one of people on a motion graph: embedded scenes, with styles and a
//! way of choosing them put in.

use crowdloom_crowd::diversity::{Scheme, StyleBook};
use crowdloom_crowd::{Bodies, Steps};
use crowdloom_scene::{OtherStyles, Overrides, Simulation, embedded, parse_styled};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// A scene of the source, or ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scene {
    /// A flock that goes round and round (Boids).
    Flocking,
    /// People walk up and down a street (HiDAC).
    UrbanStreet,
    /// A hall is left at a run (HiDAC).
    PanicEvacuation,
    /// Rows of people who train to fight.
    FightingTraining,
    /// People stand and watch, others pass by (HiDAC).
    StreetEntertainment,
    /// A formation marches among people who walk.
    MilitaryMarch,
    /// People on a motion graph and with a mover walk up and down (ours).
    Promenade,
}

impl Scene {
    /// All of them, in the order of table I.
    pub const ALL: [Self; 7] = [
        Self::Flocking,
        Self::UrbanStreet,
        Self::PanicEvacuation,
        Self::FightingTraining,
        Self::StreetEntertainment,
        Self::MilitaryMarch,
        Self::Promenade,
    ];

    /// The name of the embedded scene.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flocking => "flocking",
            Self::UrbanStreet => "urban-street",
            Self::PanicEvacuation => "panic-evacuation",
            Self::FightingTraining => "fighting-training",
            Self::StreetEntertainment => "street-entertainment",
            Self::MilitaryMarch => "military-march",
            Self::Promenade => "promenade",
        }
    }

    /// The scene of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }
}

/// The style layer of a scene with styles.
pub fn layer(simulation: &Simulation) -> &Bodies {
    simulation.crowd().bodies().expect("the scene has styles")
}

/// Makes a scene ready to run.
pub fn build(scene: Scene, book: &Arc<StyleBook>, scheme: Scheme, seed: u64) -> Simulation {
    let text = embedded::scene(scene.name()).expect("the scene is embedded");
    let overrides = Overrides { seed: Some(seed), people: None };
    let other = OtherStyles { book: Some(Arc::clone(book)), scheme: Some(scheme) };
    let built = parse_styled(Path::new(scene.name()), text, overrides, &other);
    built
        .map(|(simulation, _)| simulation)
        .unwrap_or_else(|error| panic!("an embedded scene is right: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::diversity::builtin_styles;
    use crowdloom_crowd::diversity::StyleWeights;
    use crowdloom_motion::styles::MotionType;

    /// Table I: w_d, w_u and w_c of each scene, and P_S of what it favours.
    const TABLE_I: [(Scene, [f32; 3], f32); 6] = [
        (Scene::Flocking, [1.0, 1.0, 5.0], 1.0),
        (Scene::UrbanStreet, [1.0, 1.0, 1.0], 1.0),
        (Scene::PanicEvacuation, [5.0, 5.0, 1.0], 1.0),
        (Scene::FightingTraining, [10.0, 5.0, 1.0], 1.0),
        (Scene::StreetEntertainment, [10.0, 5.0, 3.0], 1.0),
        (Scene::MilitaryMarch, [1.0, 10.0, 5.0], 10.0),
    ];

    #[test]
    fn scenes_have_the_weights_of_table_1() {
        let book = Arc::new(StyleBook::new(Arc::new(builtin_styles())));
        for (scene, published, priority) in TABLE_I {
            let crowd = build(scene, &book, Scheme::Diverse, 1);
            let styles = layer(&crowd).control();
            let StyleWeights { local, utilisation, consistency, .. } = styles.options().weights;
            assert_eq!([local, utilisation, consistency], published, "{}", scene.name());
            // Of the group that favours most: targetNum over agentNum / styleNum.
            let walks = book.library().styles(MotionType::Walking);
            let most = (0..styles.group_count())
                .flat_map(|group| walks.clone().map(move |style| (group, style as u16)))
                .map(|(group, style)| styles.share(group, style) * walks.len() as f32)
                .fold(0.0, f32::max);
            assert!((most - priority).abs() < 1e-3, "{}: {most}", scene.name());
        }
    }
}
