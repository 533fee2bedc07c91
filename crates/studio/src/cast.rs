//! What people look like, by all that the scene tells of them: drawn as a run draws them.

use crowdloom_bodies::{Carriage, Outfit, PERSON_BYTES, Person, outfits, pack_people, stature};
use crowdloom_crowd::Steps;
use crowdloom_output::run::{CrowdRecording, Keeper, Recordable};

/// What bodies and clothes of a scene are drawn from.
pub struct Cast {
    outfits: Vec<Outfit>,
    carriage: Option<Carriage>,
    stature: f32,
}

impl Cast {
    /// What the people of a crowd are drawn from.
    pub fn of<S: Steps + Sync>(crowd: &CrowdRecording<'_, S>) -> Self {
        let skeleton = crowd.skeleton();
        Self {
            outfits: outfits().into_iter().chain(crowd.staging().outfits).collect(),
            // Pages know the arms of the built-in gestures.
            carriage: Carriage::of(skeleton, &[]),
            stature: stature(skeleton),
        }
    }

    /// Facts about people, by their numbers, [`PERSON_BYTES`] each; zeros of whoever is not there. Who has carried a box, as the keeper
    /// knows, has nothing else in its hands.
    pub fn facts<S: Steps + Sync>(
        &self,
        crowd: &CrowdRecording<'_, S>,
        keeper: &Keeper,
        people: &[u32],
    ) -> Vec<u8> {
        let own = crowd.source().crowd();
        let mut facts = Vec::with_capacity(people.len() * PERSON_BYTES);
        for &id in people {
            match own.index_of(id) {
                Some(index) => {
                    let mut told = crowd.told(index).unwrap_or_default();
                    told.empty_handed |= keeper.has_carried(id);
                    let person = Person::draw(&told, crowd.looks(index).unwrap_or(id), &self.outfits);
                    facts.extend(pack_people([person], self.stature, self.carriage.as_ref()));
                }
                None => facts.resize(facts.len() + PERSON_BYTES, 0),
            }
        }
        facts
    }
}
