//! Rules: short scripts that tell the visitors of a situation what to do (thesis section 3.3.1: event rules).
//!
//! A script is compiled once and runs at every decision of a visitor. It sees the readings of the situation's sensors
//! and the memory of the visit under their names, and the visitor itself as `me`. It has no files, no modules, no clock,
//! no functions of its own and no more than [`MOST_STEPS`] steps; arithmetic goes through `libm`, so that machines
//! agree. What a failing script asked for is dropped.

mod engine;
mod me;
pub mod recipe;

pub use me::{Facts, Me, Wish};

use crate::sensor::{Reading, Seen, Sensor};
use crate::signal::SignalId;
use crowdloom_base::Mover;
use crowdloom_base::labels::Labels;
use glam::{DVec2, Vec2};
use rhai::{AST, Engine, Scope};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// The most steps that a rule may take.
pub const MOST_STEPS: u64 = 10_000;

/// The most rules of a situation.
pub const MOST_RULES: usize = 32;

/// Something that a visit remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
}

/// What rules keep of one visit; gone when it ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    /// The values of the situation's memory, in its order.
    pub memory: Vec<Value>,
    /// Rules that failed for this visitor and are not run again, one bit each.
    pub broken: u32,
}

/// Why a rule cannot be compiled, or stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}")]
pub struct RuleError {
    /// The line of the scene file, counted from 1; zero where it is not known.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Names that scripts use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Names {
    /// Labels of clips.
    pub labels: Labels,
    /// Signals.
    pub signals: Vec<(String, SignalId)>,
    /// Situations that only members are in.
    pub groups: Vec<String>,
    /// Regions, by their indices.
    pub regions: Vec<(String, usize)>,
    /// Stops of the scenario, by their numbers.
    pub stops: Vec<(String, u16)>,
    /// What moves people.
    pub movers: Vec<(String, Mover)>,
    /// Places of sensors, in metres.
    pub places: Vec<(String, Vec2)>,
    /// What to subtract from a point of the scene file to get metres on the ground.
    pub origin: DVec2,
}

/// A rule as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The script.
    pub text: String,
    /// The line of the scene file where it begins, counted from 1.
    pub line: usize,
}

/// Sensors, memory and rules of a situation, ready to be run.
#[derive(Debug)]
pub struct Script {
    engine: Arc<Engine>,
    names: Arc<Names>,
    /// The sensors, by the names under which rules see them.
    pub sensors: Vec<(String, Sensor)>,
    memory: Vec<(String, Value)>,
    rules: Vec<(AST, usize)>,
    sources: Vec<Source>,
}

/// Names that scripts cannot give to sensors and memory.
const RESERVED: &str = "me";

impl Script {
    /// Compiles the rules of a situation; all mistakes are told.
    pub fn compile(
        sensors: Vec<(String, Sensor)>,
        memory: Vec<(String, Value)>,
        rules: &[Source],
        mut names: Names,
    ) -> Result<Self, Vec<RuleError>> {
        let line = rules.first().map_or(0, |rule| rule.line);
        let mut errors: Vec<RuleError> = Vec::new();
        let mut known: Vec<&str> = vec![RESERVED];
        for name in sensors.iter().map(|(name, _)| name).chain(memory.iter().map(|(name, _)| name)) {
            if known.contains(&name.as_str()) {
                errors.push(RuleError { line, what: format!("the name `{name}` is taken") });
            } else if !is_name(name) {
                errors.push(RuleError { line, what: format!("`{name}` is no name that a rule can use") });
            }
            known.push(name);
        }
        if rules.len() > MOST_RULES {
            errors.push(RuleError { line, what: format!("more than {MOST_RULES} rules") });
        }
        names.places =
            sensors.iter().filter_map(|(name, sensor)| Some((name.clone(), sensor.place()?))).collect();
        let mut script = Self {
            engine: engine::engine(),
            names: Arc::new(names),
            sensors,
            memory,
            rules: Vec::new(),
            sources: rules.to_vec(),
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        let someone = script.someone(Facts::default());
        let scope = script.scope(&script.blank(false), &script.fresh().memory, someone);
        let mut compiled = Vec::new();
        for rule in rules {
            match script.engine.compile_with_scope(&scope, &rule.text) {
                Ok(tree) => compiled.push((tree, rule.line)),
                Err(error) => errors.push(RuleError {
                    line: rule.line + error.position().line().unwrap_or(1) - 1,
                    what: error.err_type().to_string(),
                }),
            }
        }
        script.rules = compiled;
        if errors.is_empty() { Ok(script) } else { Err(errors) }
    }

    /// The same sensors and memory with other rules; all mistakes are told.
    pub fn with_rules(&self, rules: &[Source]) -> Result<Self, Vec<RuleError>> {
        Self::compile(self.sensors.clone(), self.memory.clone(), rules, (*self.names).clone())
    }

    /// The number of rules.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// The number of values that a visit remembers.
    pub fn remembers(&self) -> usize {
        self.memory.len()
    }

    /// What a new visit remembers.
    pub fn fresh(&self) -> Notes {
        Notes { memory: self.memory.iter().map(|(_, value)| *value).collect(), broken: 0 }
    }

    /// The visitor that rules see.
    pub fn someone(&self, facts: Facts) -> Me {
        Me::new(self.names.clone(), facts)
    }

    /// Runs a rule for a visitor; `memory` changes only where the rule succeeds.
    pub fn run(
        &self,
        rule: usize,
        me: Me,
        readings: &[Reading],
        memory: &mut [Value],
    ) -> Result<Me, RuleError> {
        let Some((tree, line)) = self.rules.get(rule) else { return Ok(me) };
        let fail = |at: usize, what: String| RuleError { line: line + at.max(1) - 1, what };
        let mut scope = self.scope(readings, memory, me);
        self.engine
            .run_ast_with_scope(&mut scope, tree)
            .map_err(|error| fail(error.position().line().unwrap_or(1), explain(&error)))?;
        let mut kept = Vec::with_capacity(memory.len());
        for (name, _) in &self.memory {
            let value = scope.get(name).and_then(|value| {
                let whole = value.as_int().ok().map(Value::Whole);
                whole.or(value.as_float().ok().map(Value::Number)).or(value.as_bool().ok().map(Value::Flag))
            });
            kept.push(value.ok_or_else(|| fail(1, format!("`{name}` must stay a number, true or false")))?);
        }
        let me = scope.remove::<Me>("me").ok_or_else(|| fail(1, "`me` must not be replaced".into()))?;
        memory.copy_from_slice(&kept);
        Ok(me)
    }

    /// Runs every rule a few times with made-up readings; returns what failed, each rule once.
    pub fn rehearse(&self) -> Vec<RuleError> {
        let attempts = [(false, 0.0), (true, 0.0), (false, 60.0), (true, 60.0)];
        let rehearse = |rule: usize| {
            attempts.iter().find_map(|&(on, inside)| {
                let facts = Facts { inside, at_rest: on, region: Some(0), ..Facts::default() };
                let mut memory = self.fresh().memory;
                self.run(rule, self.someone(facts.clone()), &self.blank(on), &mut memory).err()
            })
        };
        (0..self.rules.len()).filter_map(rehearse).collect()
    }

    /// Made-up readings of all sensors.
    fn blank(&self, on: bool) -> Vec<Reading> {
        let blank = |sensor: &Sensor| match sensor {
            Sensor::Empty { .. } | Sensor::Signal(_) => Reading::Flag(on),
            Sensor::Proximity { .. } | Sensor::Density { .. } => Reading::Number(if on { 1.0 } else { 0.0 }),
            Sensor::Agent(_) => Reading::Agent(Seen { there: on, ..Seen::default() }),
        };
        self.sensors.iter().map(|(_, sensor)| blank(sensor)).collect()
    }

    fn scope(&self, readings: &[Reading], memory: &[Value], me: Me) -> Scope<'_> {
        let mut scope = Scope::new();
        scope.push("me", me);
        for ((name, _), reading) in self.sensors.iter().zip(readings) {
            match *reading {
                Reading::Flag(flag) => scope.push_constant(name.as_str(), flag),
                Reading::Number(number) => scope.push_constant(name.as_str(), f64::from(number)),
                Reading::Agent(seen) => {
                    scope.push_constant(name.as_str(), me::Other(seen, self.names.clone()))
                }
            };
        }
        for ((name, _), value) in self.memory.iter().zip(memory) {
            match *value {
                Value::Flag(flag) => scope.push(name.as_str(), flag),
                Value::Whole(number) => scope.push(name.as_str(), number),
                Value::Number(number) => scope.push(name.as_str(), number),
            };
        }
        scope
    }
}

/// Whether a word can be the name of something in a script.
fn is_name(word: &str) -> bool {
    let starts = word.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
    starts && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// What went wrong, in words for whoever wrote the rule.
fn explain(error: &rhai::EvalAltResult) -> String {
    match error {
        rhai::EvalAltResult::ErrorTooManyOperations(_) => {
            format!("the rule did not end within {MOST_STEPS} steps")
        }
        rhai::EvalAltResult::ErrorRuntime(what, _) => what.to_string(),
        other => {
            let mut told = other.to_string();
            if let Some(at) = told.rfind(" (line ") {
                told.truncate(at);
            }
            told
        }
    }
}

#[cfg(test)]
mod tests;
