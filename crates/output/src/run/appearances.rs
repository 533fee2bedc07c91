//! People who come to look otherwise while a run goes on: from when on, and how.

use crowdloom_bodies::Told;
use crowdloom_crowd::{Edit, Happened};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How somebody looks from a frame on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Appearance {
    /// The frame.
    pub frame: u32,
    /// Who.
    pub agent: u32,
    /// The number that it is drawn by, where it is not its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<u32>,
    /// What is told about its body and clothes.
    #[serde(default)]
    pub told: Told,
}

/// How those look when who were changed, their first looks included, by agent and then by time; `people` is what was told at first and becomes what holds in the end.
pub(super) fn appearances(log: &[Happened], people: &mut BTreeMap<u32, Told>, first: u32) -> Vec<Appearance> {
    let mut all: BTreeMap<u32, Vec<Appearance>> = BTreeMap::new();
    for happened in log {
        for edit in happened.edit.parts() {
            let (Edit::Looks(agent, _) | Edit::Dress(agent, _)) = *edit else { continue };
            let at_first = || Appearance {
                frame: first,
                agent,
                looks: None,
                told: people.get(&agent).cloned().unwrap_or_default(),
            };
            let own = all.entry(agent).or_insert_with(|| vec![at_first()]);
            let mut now = own[own.len() - 1].clone();
            now.frame = happened.frame;
            match edit {
                Edit::Looks(_, looks) => now.looks = *looks,
                Edit::Dress(_, Some(dress)) => {
                    let outfit = dress.outfit.clone();
                    now.told.outfit = outfit.or_else(|| own[0].told.outfit.clone());
                    now.told.only = dress.things.is_some();
                    now.told.things = dress.things.clone().unwrap_or_else(|| own[0].told.things.clone());
                }
                _ => now.told = own[0].told.clone(),
            }
            own.push(now);
        }
    }
    for (agent, own) in &all {
        if let Some(last) = own.last().filter(|last| last.told != Told::default()) {
            people.insert(*agent, last.told.clone());
        }
    }
    all.into_values().flatten().collect()
}
