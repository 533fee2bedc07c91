//! Motion kits: random choice under constraints, nearest speeds, and counterparts in poorer repertoires.

use crowdloom_locomotion::{Action, Engine, KitWish, Kits};
use crowdloom_motion::Library;

/// More than a hundred cycles, and a few with a hand at the ear.
fn rich(engine: &Engine) -> Library {
    let mut clips = engine.database(&[], 0.025);
    let mut phoning = engine.database(&[], 0.5);
    for clip in &mut phoning {
        clip.labels.push("left phone".into());
        clip.name.push_str(" phone");
    }
    clips.extend(phoning);
    Library { skeleton: engine.skeleton().clone(), clips }
}

#[test]
fn motions_are_found_by_what_they_show() {
    let engine = Engine::builtin().unwrap();
    let kits = Kits::of(&rich(&engine), &["phone", "pocket"]);
    let plain = |action| KitWish {
        action: Some(action),
        left_arm: Some(String::new()),
        right_arm: Some(String::new()),
        ..KitWish::default()
    };
    assert!(kits.all().iter().filter(|kit| kit.left_arm.is_empty()).count() > 100);
    assert_eq!(kits.cells().count(), 4, "walks and runs, each with and without a telephone");
    let near = kits.nearest(&plain(Action::Walk), 1.31).unwrap();
    assert!((near.speed - 1.31).abs() < 0.02 && near.left_arm.is_empty(), "{near:?}");
    assert!(kits.nearest(&plain(Action::Run), 0.0).unwrap().speed > 1.4);
    let phoning = KitWish { left_arm: Some("phone".into()), ..KitWish::default() };
    let drawn: Vec<&str> =
        (0..50).map(|draw| kits.pick(&phoning, draw as f32 / 49.0).unwrap().name.as_str()).collect();
    assert!(drawn.iter().all(|name| name.ends_with("phone")));
    let mut different = drawn.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 8, "all that fit are drawn: {different:?}");
    let pocket = KitWish { right_arm: Some("pocket".into()), ..KitWish::default() };
    assert!(kits.pick(&pocket, 0.5).is_none() && kits.nearest(&pocket, 1.0).is_none());
}

#[test]
fn poorer_repertoires_have_a_counterpart_for_all() {
    let engine = Engine::builtin().unwrap();
    let kits = Kits::of(&rich(&engine), &["phone"]);
    let few = Library { skeleton: engine.skeleton().clone(), clips: engine.database(&[], 0.5) };
    let few = Kits::of(&few, &["phone"]);
    for kit in kits.all() {
        let other = few.counterpart(kit).unwrap();
        assert_eq!(other.action, kit.action);
        assert!((other.speed - kit.speed).abs() < 0.27, "{kit:?} and {other:?}");
    }
}
