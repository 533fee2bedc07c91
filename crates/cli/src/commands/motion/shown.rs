//! The library `engine`: what the locomotion engine can do, to be looked at.

use crowdloom_gesture::Gesture;
use crowdloom_locomotion::{Engine, Pace, Terrain, Walk};
use crowdloom_motion::{Clip, Library, measure_radii};
use miette::{IntoDiagnostic, miette};

/// Walks and runs at 0.5 to 4 m/s, turning, sideways, backwards, starting and stopping, on slopes and stairs, with burdens, a
/// telephone, a limp and old age.
pub fn engine_library() -> miette::Result<Library> {
    let engine = Engine::builtin().ok_or_else(|| miette!("the built-in gait cannot be learnt"))?;
    let skeleton = engine.skeleton().clone();
    let mut clips: Vec<Clip> = Vec::new();
    let ahead = |speed: f32| move |_: f32| Pace { ahead: speed, ..Pace::default() };
    let plain = Walk::default();
    let mut add = |walk: &Walk, seconds: f32, name: &str, pace: &dyn Fn(f32) -> Pace, arms: &[&str]| {
        let made =
            engine.walk(walk, seconds, name, pace).ok_or_else(|| miette!("the skeleton has no legs"))?;
        clips.push(with_arms(&engine, made, arms)?);
        miette::Result::<()>::Ok(())
    };
    for speed in [0.5, 1.0, 1.5, 2.0] {
        add(&plain, 2.0, &format!("walk {speed:.1} m/s"), &ahead(speed), &[])?;
    }
    for speed in [2.0, 3.0, 4.0] {
        add(&Walk { runs: 1.0, ..plain.clone() }, 1.5, &format!("run {speed:.1} m/s"), &ahead(speed), &[])?;
    }
    let turn = std::f32::consts::FRAC_PI_2;
    add(&plain, 2.0, "turn on the spot", &|_| Pace { turn, ..Pace::default() }, &[])?;
    add(&plain, 2.0, "curve", &|_| Pace { ahead: 1.2, turn, aside: 0.0 }, &[])?;
    add(&plain, 2.0, "sideways", &|_| Pace { aside: 0.5, ..Pace::default() }, &[])?;
    add(&plain, 2.0, "backwards", &ahead(-0.7), &[])?;
    let start_and_stop = |second: f32| {
        let share = (second / 0.5).min(1.0) * ((2.0 - second) / 0.5).clamp(0.0, 1.0);
        Pace { ahead: 1.3 * share, ..Pace::default() }
    };
    add(&plain, 3.0, "start and stop", &start_and_stop, &[])?;
    let on = |terrain: Terrain| Walk { terrain, ..plain.clone() };
    add(&on(Terrain::Slope(0.15)), 2.0, "uphill", &ahead(1.1), &[])?;
    add(&on(Terrain::Slope(-0.15)), 2.0, "downhill", &ahead(1.1), &[])?;
    add(&on(Terrain::Stairs { tread: 0.3, rise: 0.17 }), 3.0, "stairs up", &ahead(0.55), &[])?;
    add(&on(Terrain::Stairs { tread: 0.3, rise: -0.17 }), 3.0, "stairs down", &ahead(0.55), &[])?;
    let carrying = Walk { burden: 0.3, ..plain.clone() };
    add(&carrying, 2.0, "carrying a box", &ahead(1.0), &["box", "left box"])?;
    add(&plain, 2.0, "pushing a stroller", &ahead(1.1), &["stroller", "left stroller"])?;
    add(&plain, 2.0, "phoning", &ahead(1.2), &["phone"])?;
    add(&Walk { limp: 0.9, ..plain.clone() }, 2.5, "limping", &ahead(0.9), &[])?;
    add(&Walk { age: 1.0, ..plain.clone() }, 2.5, "old", &ahead(0.7), &[])?;
    add(&Walk { youth: 1.0, ..plain }, 2.5, "toddling", &ahead(0.7), &[])?;
    Ok(Library { skeleton, clips })
}

/// A clip with arms that do something of their own.
pub fn with_arms(engine: &Engine, mut clip: Clip, arms: &[&str]) -> miette::Result<Clip> {
    for name in arms {
        let gesture = Gesture::find(name).into_diagnostic()?;
        clip = gesture.apply(engine.skeleton(), &clip, |_| 1.0).into_diagnostic()?.0;
        clip.labels.push(gesture.name);
    }
    if !arms.is_empty() {
        clip.radii = measure_radii(engine.skeleton(), &clip.rotations);
    }
    Ok(clip)
}
