//! What a rule sees of the visitor that it runs for, and what it can ask for.

use super::Names;
use crate::behaviour::Behaviour;
use crate::scheme::Alphas;
use crate::sensor::Seen;
use crate::signal::SignalId;
use crate::situation::{Defaults, Influence};
use crowdloom_base::Mover;
use crowdloom_base::labels::LabelSet;
use crowdloom_world::Stream;
use glam::{DVec2, Vec2};
use rhai::{Engine, EvalAltResult};
use std::sync::Arc;

type Outcome<T> = Result<T, Box<EvalAltResult>>;

/// What a visitor knows about itself.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Seconds since the run began.
    pub time: f32,
    /// Where it is, in metres.
    pub position: Vec2,
    /// Where it faces, in radians.
    pub heading: f32,
    /// How fast it goes, in metres a second.
    pub speed: f32,
    /// How fast it likes to go, in metres a second.
    pub likes: f32,
    /// Seconds since it entered.
    pub inside: f32,
    /// Where it wants to be, in metres.
    pub goal: Option<Vec2>,
    /// Whether it stands.
    pub at_rest: bool,
    /// How many are in the situation.
    pub present: usize,
    /// What the numbers that it draws follow from.
    pub seed: u64,
    /// The region of the situation, by its index.
    pub region: Option<usize>,
    /// Slopes of the behaviour functions that rules add.
    pub alphas: Alphas,
    /// What other situations and earlier rules ask of it.
    pub influence: Influence,
}

/// Something that a rule asks for and that takes effect after the decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Be through with the situation.
    Leave,
    /// Switch a signal; `None` gives it back to its timer.
    Switch(SignalId, Option<bool>),
    /// Want to be at a point, in metres, here and beyond the situation.
    Goal(Vec2),
    /// Want to be anywhere in a region, by its index, here and beyond the situation.
    GoalIn(usize),
    /// Go to a stop of the scenario, by its number, and on from there.
    Stop(u16),
    /// Become a member of a group, by its name.
    Join(String),
    /// Be no member of a group any longer, by its name.
    Part(String),
}

/// The visitor that a rule runs for.
#[derive(Clone)]
pub struct Me {
    names: Arc<Names>,
    facts: Facts,
    stream: Stream,
    /// What all situations ask, with what the rule added.
    pub influence: Influence,
    /// What the rule asks for besides.
    pub wishes: Vec<Wish>,
}

/// The most wishes of one rule.
const MOST_WISHES: usize = 16;

impl Me {
    pub(super) fn new(names: Arc<Names>, mut facts: Facts) -> Self {
        let stream = Stream::new(facts.seed, 0);
        let influence = std::mem::take(&mut facts.influence);
        Self { names, stream, influence, facts, wishes: Vec::new() }
    }

    fn wish(&mut self, wish: Wish) -> Outcome<()> {
        if self.wishes.len() == MOST_WISHES {
            return Err("a rule cannot ask for that much".into());
        }
        self.wishes.push(wish);
        Ok(())
    }

    /// A point of the scene file on the ground.
    fn point(&self, x: f64, y: f64) -> Outcome<Vec2> {
        let point = (DVec2::new(x, y) - self.names.origin).as_vec2();
        if point.is_finite() { Ok(point) } else { Err(format!("({x}, {y}) is no point").into()) }
    }

    fn place(&self, name: &str) -> Outcome<Vec2> {
        let found = self.names.places.iter().find(|(own, _)| own == name);
        found.map(|(_, at)| *at).ok_or_else(|| format!("no sensor `{name}` looks at a place").into())
    }

    fn label(&self, name: &str) -> Outcome<LabelSet> {
        let set = self.names.labels.set([name]);
        if set == LabelSet::NONE {
            Err(format!("no clip carries the label `{name}`").into())
        } else {
            Ok(set)
        }
    }

    fn signal(&self, name: &str) -> Outcome<SignalId> {
        let found = self.names.signals.iter().find(|(own, _)| own == name);
        found.map(|(_, id)| *id).ok_or_else(|| format!("there is no signal `{name}`").into())
    }

    fn mover(&self, name: &str) -> Outcome<Mover> {
        let found = self.names.movers.iter().find(|(own, _)| own == name);
        found.map(|(_, mover)| *mover).ok_or_else(|| {
            let names: Vec<&str> = self.names.movers.iter().map(|(name, _)| name.as_str()).collect();
            format!("nobody can go by `{name}`; one of {}", names.join(", ")).into()
        })
    }

    fn region(&self, name: &str) -> Outcome<usize> {
        let found = self.names.regions.iter().find(|(own, _)| own == name);
        found.map(|(_, region)| *region).ok_or_else(|| format!("there is no region `{name}`").into())
    }

    fn stop(&self, name: &str) -> Outcome<u16> {
        let found = self.names.stops.iter().find(|(own, _)| own == name);
        found.map(|(_, stop)| *stop).ok_or_else(|| format!("there is no stop `{name}`").into())
    }

    fn group(&self, name: &str) -> Outcome<String> {
        let found = self.names.groups.iter().find(|own| *own == name);
        found.cloned().ok_or_else(|| format!("there is no situation with members called `{name}`").into())
    }

    fn switch(&mut self, name: &str, to: Option<bool>) -> Outcome<()> {
        let signal = self.signal(name)?;
        self.wish(Wish::Switch(signal, to))
    }

    fn show(&mut self, name: &str) -> Outcome<()> {
        let labels = self.label(name)?;
        self.influence.grants = self.influence.grants | labels;
        self.influence.wants = self.influence.wants | labels;
        Ok(())
    }

    fn add(&mut self, behaviour: Behaviour, power: f64) -> Outcome<()> {
        if !(power.is_finite() && (0.0..=100.0).contains(&power)) {
            return Err(format!("a behaviour cannot count {power} times").into());
        }
        self.influence.add_scaled(behaviour, power as f32);
        Ok(())
    }

    fn come_nearer(&mut self, to: Vec2, power: f64) -> Outcome<()> {
        let pace = self.facts.likes.max(0.5);
        self.add(Behaviour::ComeNearer { to, pace, alpha: self.facts.alphas.come_nearer }, power)
    }
}

fn default(name: &str) -> Outcome<Defaults> {
    Defaults::named(name).ok_or_else(|| {
        let names: Vec<&str> = Defaults::NAMES.iter().map(|(name, _)| *name).collect();
        format!("there is no behaviour `{name}`; one of {}", names.join(", ")).into()
    })
}

/// Another agent, as a rule sees it.
#[derive(Clone)]
pub struct Other(pub Seen, pub Arc<Names>);

/// Tells the engine about [`Me`] and [`Other`].
pub fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Me>("me").register_type_with_name::<Other>("agent");
    let engine = facts(engine);
    others(engine);
    behaviours(engine);
    engine.register_fn("leave", |me: &mut Me| me.wish(Wish::Leave));
    engine.register_fn("raise", |me: &mut Me, name: &str| me.switch(name, Some(true)));
    engine.register_fn("lower", |me: &mut Me, name: &str| me.switch(name, Some(false)));
    engine.register_fn("release", |me: &mut Me, name: &str| me.switch(name, None));
    engine.register_fn("set_goal", |me: &mut Me, x: f64, y: f64| {
        let goal = me.point(x, y)?;
        me.wish(Wish::Goal(goal))
    });
    engine.register_fn("set_goal", |me: &mut Me, name: &str| {
        let region = me.region(name)?;
        me.wish(Wish::GoalIn(region))
    });
    engine.register_fn("set_stop", |me: &mut Me, name: &str| {
        let stop = me.stop(name)?;
        me.wish(Wish::Stop(stop))
    });
    engine.register_fn("join", |me: &mut Me, name: &str| {
        let group = me.group(name)?;
        me.wish(Wish::Join(group))
    });
    engine.register_fn("part", |me: &mut Me, name: &str| {
        let group = me.group(name)?;
        me.wish(Wish::Part(group))
    });
    engine.register_fn("chance", |me: &mut Me| me.stream.unit());
    engine.register_fn("distance", |me: &mut Me, x: f64, y: f64| -> Outcome<f64> {
        Ok(f64::from(me.point(x, y)?.distance(me.facts.position)))
    });
}

fn facts(engine: &mut Engine) -> &mut Engine {
    let world = |me: &Me| me.facts.position.as_dvec2() + me.names.origin;
    engine.register_get("x", move |me: &mut Me| world(me).x);
    engine.register_get("y", move |me: &mut Me| world(me).y);
    engine.register_get("time", |me: &mut Me| f64::from(me.facts.time));
    engine.register_get("heading", |me: &mut Me| f64::from(me.facts.heading.to_degrees()));
    engine.register_get("speed", |me: &mut Me| f64::from(me.facts.speed));
    engine.register_get("likes", |me: &mut Me| f64::from(me.facts.likes));
    engine.register_get("inside", |me: &mut Me| f64::from(me.facts.inside));
    engine.register_get("at_rest", |me: &mut Me| me.facts.at_rest);
    engine.register_get("present", |me: &mut Me| me.facts.present as i64);
    engine.register_get("has_goal", |me: &mut Me| me.facts.goal.is_some());
    engine.register_get("to_go", |me: &mut Me| {
        f64::from(me.facts.goal.map_or(0.0, |goal| goal.distance(me.facts.position)))
    })
}

fn others(engine: &mut Engine) {
    let world = |other: &Other| other.0.position.as_dvec2() + other.1.origin;
    engine.register_get("there", |other: &mut Other| other.0.there);
    engine.register_get("x", move |other: &mut Other| world(other).x);
    engine.register_get("y", move |other: &mut Other| world(other).y);
    engine.register_get("heading", |other: &mut Other| f64::from(other.0.heading.to_degrees()));
    engine.register_get("distance", |other: &mut Other| f64::from(other.0.distance));
    engine.register_get("speed", |other: &mut Other| f64::from(other.0.speed));
    engine.register_fn("shows", |other: &mut Other, label: &str| {
        other.0.shows.meets(other.1.labels.set([label]))
    });
}

fn behaviours(engine: &mut Engine) {
    engine.register_fn("stand", |me: &mut Me| me.influence.stand = true);
    engine.register_fn("go_to", |me: &mut Me, x: f64, y: f64| -> Outcome<()> {
        me.influence.target = Some(me.point(x, y)?);
        Ok(())
    });
    engine.register_fn("go_to", |me: &mut Me, name: &str| -> Outcome<()> {
        me.influence.target = Some(me.place(name)?);
        Ok(())
    });
    engine.register_fn("go_at", |me: &mut Me, speed: f64| -> Outcome<()> {
        if !(speed.is_finite() && (0.1..=8.0).contains(&speed)) {
            return Err(format!("nobody goes at {speed} m/s").into());
        }
        me.influence.pace = Some(speed as f32);
        Ok(())
    });
    engine.register_fn("go_by", |me: &mut Me, name: &str| -> Outcome<()> {
        me.influence.mover = Some(me.mover(name)?);
        Ok(())
    });
    engine.register_fn("stay_in", |me: &mut Me| -> Outcome<()> {
        let region = me.facts.region.ok_or("there is no region to stay in")?;
        me.influence.stay_in(region);
        Ok(())
    });
    engine.register_fn("show", Me::show);
    engine.register_fn("remove", |me: &mut Me, name: &str| -> Outcome<()> {
        me.influence.removes = me.influence.removes.with(default(name)?);
        Ok(())
    });
    engine.register_fn("scale", |me: &mut Me, name: &str, power: f64| -> Outcome<()> {
        if !(power.is_finite() && (0.0..=100.0).contains(&power)) {
            return Err(format!("a behaviour cannot count {power} times").into());
        }
        me.influence.scale(default(name)?, power as f32);
        Ok(())
    });
    engine.register_fn("come_nearer", |me: &mut Me, x: f64, y: f64, power: f64| -> Outcome<()> {
        me.come_nearer(me.point(x, y)?, power)
    });
    engine.register_fn("come_nearer", |me: &mut Me, name: &str, power: f64| -> Outcome<()> {
        me.come_nearer(me.place(name)?, power)
    });
    engine.register_fn("keep_away", |me: &mut Me, x: f64, y: f64, distance: f64| -> Outcome<()> {
        let from = me.point(x, y)?;
        me.add(Behaviour::KeepAway { from, distance: distance as f32, alpha: me.facts.alphas.keep_away }, 1.0)
    });
    engine.register_fn("keep_away", |me: &mut Me, name: &str, distance: f64| -> Outcome<()> {
        let from = me.place(name)?;
        me.add(Behaviour::KeepAway { from, distance: distance as f32, alpha: me.facts.alphas.keep_away }, 1.0)
    });
    engine.register_fn("face", |me: &mut Me, x: f64, y: f64| -> Outcome<()> {
        let toward = me.point(x, y)?;
        me.add(Behaviour::Face { toward, alpha: me.facts.alphas.face }, 1.0)
    });
    engine.register_fn("face", |me: &mut Me, name: &str| -> Outcome<()> {
        let toward = me.place(name)?;
        me.add(Behaviour::Face { toward, alpha: me.facts.alphas.face }, 1.0)
    });
}
