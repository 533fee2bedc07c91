//! What a program adds to what there is, by name.

use crate::BehaviourFunction;
use crate::crowd::Crowd;
use crate::person::Mover;
use crate::situation::SituationKind;
use crate::steering::Steering;
use crate::velocity::{Model, VelocityModel};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Velocity models, behaviour functions and kinds of situations that a program adds; scenes name them as they name the
/// ready ones.
#[derive(Clone, Default)]
pub struct Additions {
    pub(crate) models: Named<dyn VelocityModel>,
    pub(crate) behaviours: Named<dyn BehaviourFunction>,
    pub(crate) kinds: Named<dyn SituationKind>,
}

/// The names of what a program adds, in the order in which they are numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AddedNames {
    models: Vec<String>,
    behaviours: Vec<String>,
    kinds: Vec<String>,
}

impl AddedNames {
    /// The first of these that is not among `own`, or not in the same place: what it is, and its name.
    pub(crate) fn missing_in(&self, own: &Self) -> Option<(&'static str, &str)> {
        let missing = |names: &[String], own: &[String]| {
            (0..names.len()).find(|&number| own.get(number) != Some(&names[number]))
        };
        let model = missing(&self.models, &own.models).map(|number| ("velocity model", &self.models[number]));
        let behaviour = missing(&self.behaviours, &own.behaviours)
            .map(|number| ("behaviour function", &self.behaviours[number]));
        let kind = missing(&self.kinds, &own.kinds).map(|number| ("kind of situation", &self.kinds[number]));
        model.or(behaviour).or(kind).map(|(what, name)| (what, name.as_str()))
    }
}

/// Values by name and number.
pub(crate) struct Named<T: ?Sized> {
    names: Vec<String>,
    values: Vec<Arc<T>>,
}

impl<T: ?Sized> Clone for Named<T> {
    fn clone(&self) -> Self {
        Self { names: self.names.clone(), values: self.values.clone() }
    }
}

impl<T: ?Sized> Default for Named<T> {
    fn default() -> Self {
        Self { names: Vec::new(), values: Vec::new() }
    }
}

impl<T: ?Sized> Named<T> {
    fn add(&mut self, name: String, value: Arc<T>) {
        match self.number(&name) {
            Some(number) => self.values[usize::from(number)] = value,
            None => {
                self.names.push(name);
                self.values.push(value);
            }
        }
    }

    pub(crate) fn number(&self, name: &str) -> Option<u16> {
        self.names.iter().position(|own| own == name).map(|number| number as u16)
    }

    pub(crate) fn get(&self, number: u16) -> Option<&Arc<T>> {
        self.values.get(usize::from(number))
    }

    pub(crate) fn values(&self) -> &[Arc<T>] {
        &self.values
    }
}

impl fmt::Debug for Additions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (models, behaviours, kinds) = (self.models(), self.behaviours(), self.kinds());
        write!(f, "Additions {{ models: {models:?}, behaviours: {behaviours:?}, kinds: {kinds:?} }}")
    }
}

impl Additions {
    /// Nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a velocity model: people have it with `mover = "name"`. Replaces one of the same name.
    pub fn with_model(mut self, name: impl Into<String>, model: impl VelocityModel + 'static) -> Self {
        self.models.add(name.into(), Arc::new(model));
        self
    }

    /// With a behaviour function: situations lend it with `behaviours = ["name"]`. Replaces one of the same name.
    pub fn with_behaviour(
        mut self,
        name: impl Into<String>,
        function: impl BehaviourFunction + 'static,
    ) -> Self {
        self.behaviours.add(name.into(), Arc::new(function));
        self
    }

    /// With a kind of situation: situations are of it with `kind = "name"`. Replaces one of the same name.
    pub fn with_kind(mut self, name: impl Into<String>, kind: impl SituationKind + 'static) -> Self {
        self.kinds.add(name.into(), Arc::new(kind));
        self
    }

    /// The names of the velocity models.
    pub fn models(&self) -> &[String] {
        &self.models.names
    }

    /// The names of the behaviour functions.
    pub fn behaviours(&self) -> &[String] {
        &self.behaviours.names
    }

    /// The names of the kinds of situations.
    pub fn kinds(&self) -> &[String] {
        &self.kinds.names
    }

    /// The number of the behaviour function called `name`.
    pub fn behaviour(&self, name: &str) -> Option<u16> {
        self.behaviours.number(name)
    }

    /// The number of the kind of situation called `name`.
    pub fn kind(&self, name: &str) -> Option<u16> {
        self.kinds.number(name)
    }

    /// The names of everything, as a crowd is saved with them.
    pub(crate) fn names(&self) -> AddedNames {
        AddedNames {
            models: self.models.names.clone(),
            behaviours: self.behaviours.names.clone(),
            kinds: self.kinds.names.clone(),
        }
    }

    /// The velocity model called `name` with its usual manners, as people are steered by it.
    pub fn steering(&self, name: &str) -> Option<Steering> {
        let number = self.models.number(name)?;
        let model = self.models.get(number)?;
        let mut steering = Steering::new(Model::Added(number));
        steering.walker.neighbour_distance = model.neighbour_distance();
        steering.walker.max_neighbours = model.max_neighbours();
        steering.walker.manners = model.manners();
        Some(steering)
    }
}

impl Crowd {
    /// Lets the crowd have what a program adds, before anybody makes use of it: people can be steered by all added models
    /// from now on.
    pub fn set_additions(&mut self, additions: Additions) {
        let names = additions.models().to_vec();
        let steerings: Vec<Steering> = names.iter().filter_map(|name| additions.steering(name)).collect();
        self.shared.additions = additions;
        steerings.into_iter().for_each(|steering| _ = self.add_steering(steering));
    }

    /// What the program has added.
    pub fn additions(&self) -> &Additions {
        &self.shared.additions
    }

    /// What the model of a way to be steered is called, by its number.
    pub fn steering_name(&self, number: u16) -> Option<&str> {
        match self.steerings.get(usize::from(number))?.walker.model {
            Model::Added(model) => self.additions().models().get(usize::from(model)).map(String::as_str),
            model => Some(model.name()),
        }
    }

    /// What moves people by the added velocity model called `name`, for [`crate::Edit::Mover`] and newcomers.
    pub fn added_mover(&self, name: &str) -> Option<Mover> {
        let steering = self.shared.additions.steering(name)?;
        let number = self.steerings.iter().position(|own| *own == steering)?;
        Some(Mover::Steered(number as u16))
    }
}
