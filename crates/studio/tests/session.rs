//! A scene in the studio, without pages: time, changes, going back, saving.

use crowdloom_crowd::Steps;
use crowdloom_output::run::Recordable;
use crowdloom_scene::{Overrides, Simulation, embedded, load};
use crowdloom_studio::files::Files;
use crowdloom_studio::protocol::{Answer, Ask};
use crowdloom_studio::session::{Outcome, Session, read};
use crowdloom_studio::telling;
use serde_json::{Value, json};

fn files(folder: &tempfile::TempDir) -> Files {
    Files { folder: folder.path().to_owned(), name: "street.toml".into() }
}

fn ask(session: &mut Session<'_>, ask: Ask) -> Answer {
    session.answer(ask, &mut Outcome::default())
}

fn enact(session: &mut Session<'_>, event: Value) -> Answer {
    ask(session, Ask::Enact { event: event.as_object().unwrap().clone(), joined: false })
}

fn done(answer: Answer) -> Vec<u32> {
    match answer {
        Answer::Done { people, .. } => people,
        other => panic!("{other:?}"),
    }
}

fn run_to(session: &mut Session<'_>, frame: u32) {
    while session.crowd().frame() < frame {
        session.step();
    }
}

/// Everybody's number and place, to the bit.
type Bits = Vec<(u32, u32, u32)>;

fn bits(simulation: &Simulation) -> Bits {
    let crowd = simulation.crowd();
    let place = |index: usize| crowd.positions()[index];
    (0..crowd.len()).map(|i| (crowd.id(i), place(i).x.to_bits(), place(i).y.to_bits())).collect()
}

fn pause(name: &str) -> Value {
    let spots = json!([[22, 3, 90], [25.5, 3, 90]]);
    json!({
        "region": { "name": name, "polygon": [[20, 0.5], [28, 0.5], [28, 4.001], [20, 4]] },
        "set-situation": { "name": name, "kind": "pause", "region": name, "spots": spots, "stay": [5, 9] },
    })
}

/// Runs to a frame and notes where everybody is in each but the last.
fn note_to(session: &mut Session<'_>, frame: u32, seen: &mut Vec<(u32, Bits)>) {
    while session.crowd().frame() < frame {
        session.step();
        if session.crowd().frame() < frame {
            seen.push((session.crowd().frame(), bits(session.simulation())));
        }
    }
}

#[test]
fn what_is_made_can_be_saved_and_run_elsewhere_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let text = embedded::scene("street").unwrap();
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    let mut seen = Vec::new();
    note_to(&mut session, 40, &mut seen);
    done(enact(&mut session, pause("shop")));
    note_to(&mut session, 75, &mut seen);
    let people = json!({ "at": [[3, 11], [3.05, 11], [6, 11.5], [-4, 2]], "to": "south side" });
    let came = done(enact(&mut session, json!({ "people": people })));
    assert_eq!(came.len(), 2, "one has no room, one no floor");
    let wall = json!({ "name": "wall 1", "polygon": [[40, 17.5], [40.3, 17.5], [40.3, 21], [40, 21]] });
    done(enact(&mut session, json!({ "obstacle": wall })));
    note_to(&mut session, 140, &mut seen);
    done(enact(&mut session, json!({ "numbers": [4, 5, 6], "mover": "social-force", "speed": 1.7 })));
    done(enact(&mut session, json!({ "numbers": [7], "goal": [60, 3] })));
    note_to(&mut session, 600, &mut seen);
    done(ask(&mut session, Ask::SaveAs { name: "mine".into() }));
    let saved = folder.path().join("mine.toml");
    let written = std::fs::read_to_string(&saved).unwrap();
    assert!(written.starts_with(&text[..200]), "comments and order stay");
    assert_eq!(written.matches("[[event]]").count(), 5);
    let (mut elsewhere, problems) = load(&saved, Overrides::default()).unwrap();
    assert!(problems.iter().all(|problem| problem.harmless), "{problems:?}");
    for (frame, seen) in seen {
        while elsewhere.crowd().frame() < frame {
            elsewhere.step();
        }
        let now = bits(&elsewhere);
        let differ: Vec<u32> = now.iter().zip(&seen).filter(|(a, b)| a != b).map(|(a, _)| a.0).collect();
        assert!(now.len() == seen.len() && differ.is_empty(), "frame {frame}: {differ:?} are elsewhere");
    }
}

#[test]
fn going_back_and_changing_keeps_what_comes_later() {
    let folder = tempfile::tempdir().unwrap();
    let text = embedded::scene("street").unwrap();
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 300);
    done(enact(&mut session, pause("late")));
    run_to(&mut session, 400);
    let first = bits(session.simulation());
    done(ask(&mut session, Ask::GoTo { frame: 200 }));
    run_to(&mut session, 200);
    assert_eq!(session.going_to, None);
    assert!(session.crowd().setting().ground.region("late").is_none());
    run_to(&mut session, 400);
    assert_eq!(bits(session.simulation()), first, "nothing was changed on the way back");
    done(ask(&mut session, Ask::GoTo { frame: 200 }));
    run_to(&mut session, 200);
    done(enact(&mut session, json!({ "numbers": [1, 2, 3, 4, 5, 6, 7, 8], "leave": true })));
    let state = telling::state(&session);
    assert_eq!(state.marks.iter().map(|mark| mark.frame).collect::<Vec<_>>(), [200, 300]);
    run_to(&mut session, 400);
    assert!(session.crowd().setting().ground.region("late").is_some(), "what comes later comes again");
    assert_ne!(bits(session.simulation()), first);
    // What was changed last is taken back first, though another change comes after it in time.
    let late = |session: &Session<'_>| {
        telling::state(session).situations.iter().any(|own| own.name == "late" && own.on)
    };
    assert!(session.last_made().unwrap().contains("leave") && late(&session));
    done(ask(&mut session, Ask::Undo));
    run_to(&mut session, 400);
    assert_eq!(bits(session.simulation()), first, "as if it had never been changed");
    assert!(session.last_made().unwrap().contains("late") && late(&session));
    done(ask(&mut session, Ask::Undo));
    assert!(session.last_made().is_none() && !late(&session));
    done(ask(&mut session, Ask::Redo));
    assert!(late(&session));
    done(ask(&mut session, Ask::Redo));
    run_to(&mut session, 400);
    assert_eq!(telling::state(&session).marks.iter().map(|mark| mark.frame).collect::<Vec<_>>(), [200, 400]);
    assert!(session.crowd().index_of(3).is_none());
}

#[test]
fn events_are_told_moved_and_deleted_on_the_time_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = embedded::scene("street").unwrap();
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 200);
    let never = bits(session.simulation());
    let marks = |session: &Session<'_>| telling::state(session).marks;
    done(ask(&mut session, Ask::GoTo { frame: 100 }));
    run_to(&mut session, 100);
    done(enact(&mut session, json!({ "numbers": [1, 2, 3], "goal": [60, 3] })));
    let sized = |id: u32| json!({ "numbers": [id], "size": 1.5 }).as_object().unwrap().clone();
    done(ask(&mut session, Ask::Enact { event: sized(4), joined: false }));
    done(ask(&mut session, Ask::Enact { event: sized(5), joined: true }));
    run_to(&mut session, 200);
    let made = bits(session.simulation());
    let [goal, size, _] = &marks(&session)[..] else { panic!("{:?}", marks(&session)) };
    let (goal, size) = (goal.clone(), size.clone());
    let Answer::Done { said: Some(said), .. } = ask(&mut session, Ask::Event { mark: goal.clone() }) else {
        panic!("nothing is told")
    };
    assert!(said.contains("goal = [60, 3]"), "{said}");
    // Those that are joined move together.
    done(ask(&mut session, Ask::MoveEvent { mark: size.clone(), frame: 150 }));
    run_to(&mut session, 200);
    assert_eq!(marks(&session).iter().map(|mark| mark.frame).collect::<Vec<_>>(), [100, 150, 150]);
    assert_eq!(telling::state(&session).sizes, [(4, 1.5), (5, 1.5)]);
    // Whoever looks at an older time line changes nothing.
    let stale = ask(&mut session, Ask::MoveEvent { mark: size, frame: 170 });
    assert!(matches!(stale, Answer::Refused { .. }), "{stale:?}");
    done(ask(&mut session, Ask::DeleteEvent { mark: goal }));
    run_to(&mut session, 200);
    assert_eq!(bits(session.simulation()), never);
    assert_eq!(session.document.text().matches("[[event]]").count(), text.matches("[[event]]").count() + 2);
    for frames in [vec![100, 150, 150], vec![100, 100, 100]] {
        done(ask(&mut session, Ask::Undo));
        run_to(&mut session, 200);
        assert_eq!(marks(&session).iter().map(|mark| mark.frame).collect::<Vec<_>>(), frames);
        assert_eq!(bits(session.simulation()), made);
    }
    for _ in 0..2 {
        done(ask(&mut session, Ask::Redo));
        run_to(&mut session, 200);
    }
    assert_eq!(bits(session.simulation()), never);
    for _ in 0..2 {
        done(ask(&mut session, Ask::Undo));
    }
    done(ask(&mut session, Ask::Undo));
    run_to(&mut session, 200);
    assert_eq!((marks(&session).len(), telling::state(&session).sizes.len()), (1, 0));
}

#[test]
fn the_locked_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (mut simulation, warnings) = read(&files(&folder), embedded::scene("street").unwrap()).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    done(ask(&mut session, Ask::Lock { people: vec![3, 4], on: true }));
    done(enact(&mut session, json!({ "numbers": [3, 4, 5, 6], "reshuffle": 77 })));
    let looks = telling::state(&session).looks;
    assert_eq!(looks.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [5, 6]);
    assert_ne!(looks[0].1, looks[1].1, "everybody gets looks of its own");
    assert!(matches!(
        enact(&mut session, json!({ "numbers": [3, 4], "leave": true })),
        Answer::Refused { .. }
    ));
    done(ask(&mut session, Ask::Lock { people: vec![3, 4], on: false }));
    done(enact(&mut session, json!({ "numbers": [3, 4], "leave": true })));
    assert!(session.crowd().index_of(3).is_none());
}

#[test]
fn locking_is_taken_back_in_turn_with_what_else_was_done() {
    let folder = tempfile::tempdir().unwrap();
    let (mut simulation, warnings) = read(&files(&folder), embedded::scene("street").unwrap()).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    let locked = |session: &Session<'_>| telling::state(session).locked;
    let looks = |session: &Session<'_>| telling::state(session).looks.len();
    done(ask(&mut session, Ask::Lock { people: vec![3, 4], on: true }));
    done(enact(&mut session, json!({ "numbers": [5, 6], "reshuffle": 77 })));
    done(ask(&mut session, Ask::Lock { people: vec![4, 5], on: true }));
    done(ask(&mut session, Ask::Lock { people: vec![3], on: false }));
    // What changes nothing is nothing to take back.
    done(ask(&mut session, Ask::Lock { people: vec![4], on: true }));
    assert_eq!((locked(&session), looks(&session)), (vec![4, 5], 2));
    let states = [(vec![3, 4, 5], 2), (vec![3, 4], 2), (vec![3, 4], 0), (vec![], 0)];
    for state in &states {
        done(ask(&mut session, Ask::Undo));
        assert_eq!((locked(&session), looks(&session)), *state);
    }
    assert!(matches!(ask(&mut session, Ask::Undo), Answer::Refused { .. }));
    for state in states.iter().rev().skip(1) {
        done(ask(&mut session, Ask::Redo));
        assert_eq!((locked(&session), looks(&session)), *state);
    }
    assert_eq!(telling::state(&session).redo.unwrap(), "no more lock for one person");
    done(ask(&mut session, Ask::Redo));
    done(ask(&mut session, Ask::Undo));
    done(enact(&mut session, json!({ "numbers": [6], "reshuffle": 78 })));
    assert_eq!(telling::state(&session).redo, None, "something else was done");
}

#[test]
fn an_outfit_that_is_given_is_worn_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let (mut simulation, warnings) = read(&files(&folder), embedded::scene("street").unwrap()).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    let facts = |session: &mut Session<'_>| match ask(session, Ask::Looks { people: vec![3, 4] }) {
        Answer::Looks { facts } => facts,
        other => panic!("{other:?}"),
    };
    let before = facts(&mut session);
    assert!(telling::scene(&session).outfits.iter().any(|outfit| outfit == "business"));
    done(enact(&mut session, json!({ "numbers": [3], "outfit": "business" })));
    assert_eq!(telling::state(&session).dresses, [(3, "business".to_owned())]);
    let index = session.crowd().index_of(3).unwrap();
    assert_eq!(session.recording().told(index).unwrap().outfit.as_deref(), Some("business"));
    assert_ne!(facts(&mut session), before);
    assert!(session.text().text.contains("outfit = \"business\""));
    done(ask(&mut session, Ask::Undo));
    assert_eq!(facts(&mut session), before);
    assert!(matches!(
        enact(&mut session, json!({ "numbers": [3], "outfit": "busines" })),
        Answer::Refused { problems, .. } if problems[0].fix.contains("business")
    ));
    assert!(matches!(ask(&mut session, Ask::Looks { people: vec![1; 2000] }), Answer::Refused { .. }));
}

#[test]
fn what_no_event_of_a_scene_can_say_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (mut simulation, warnings) = read(&files(&folder), embedded::scene("street").unwrap()).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    let shape = json!([30, 18, 31, 19]);
    done(enact(&mut session, json!({ "obstacle": { "name": "box", "rectangle": shape } })));
    for (event, said) in [
        (json!({ "people": { "count": 5, "in": "south" } }), "places"),
        (json!({ "obstacle": { "rectangle": shape } }), "name"),
        (json!({ "obstacle": { "name": "box", "rectangle": shape } }), "already"),
    ] {
        match enact(&mut session, event.clone()) {
            Answer::Refused { why, .. } => assert!(why.contains(said), "{event}: {why}"),
            other => panic!("{event}: {other:?}"),
        }
    }
    assert_eq!(telling::state(&session).marks.len(), 1);
}

#[test]
fn people_and_spots_are_told_about() {
    let folder = tempfile::tempdir().unwrap();
    let (mut simulation, warnings) = read(&files(&folder), embedded::scene("street").unwrap()).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 500);
    let mut reasons = std::collections::BTreeSet::new();
    for index in 0..session.crowd().len() {
        let number = session.crowd().id(index);
        let Answer::Person(person) = ask(&mut session, Ask::Person { number }) else { panic!("nobody") };
        assert!(person.wants.contains("side"), "{person:?}");
        reasons.extend(person.stands);
    }
    assert!(reasons.iter().any(|why| why.contains("signal “walk”")), "{reasons:?}");
    let told = ask(&mut session, Ask::Spot { x: 13.0, y: 4.0 });
    let Answer::Spot { situations, floor, .. } = told else { panic!("{told:?}") };
    assert!(floor && situations.iter().any(|name| name == "traffic sign in the south"), "{situations:?}");
    assert!(matches!(ask(&mut session, Ask::Person { number: 99_999 }), Answer::Refused { .. }));
}

#[test]
fn snapshots_stay_few() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = 'empty'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n";
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 60 * 1000);
    let frames = session.snapshot_frames();
    assert!(frames.len() <= 150 && frames[0] == 1, "{} snapshots", frames.len());
    done(ask(&mut session, Ask::GoTo { frame: 100 }));
    assert!(session.crowd().frame() <= 100);
}

/// How many stand in the painted place, and how many of them wait there for the signal.
fn standing(session: &mut Session<'_>) -> (usize, usize) {
    let crowd = session.crowd();
    let there = |index: &usize| {
        let place = crowd.positions()[*index];
        (30.5..35.5).contains(&place.x) && (7.0..15.0).contains(&place.y) && crowd.body(*index).speed < 0.1
    };
    let numbers: Vec<u32> = (0..crowd.len()).filter(there).map(|index| crowd.id(index)).collect();
    let mut waiting = 0;
    for &number in &numbers {
        let Answer::Person(person) = ask(session, Ask::Person { number }) else { panic!("nobody") };
        waiting += usize::from(person.stands.is_some_and(|why| why.contains("“light”")));
    }
    (numbers.len(), waiting)
}

#[test]
fn a_painted_light_stops_people_and_undo_lets_them_go() {
    let folder = tempfile::tempdir().unwrap();
    let (mut simulation, warnings) = read(&files(&folder), embedded::scene("street").unwrap()).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 300);
    done(enact(
        &mut session,
        json!({
            "region": { "name": "light", "rectangle": [30.2, 6.2, 35.8, 15.8] },
            "set-signal": { "name": "own", "on": 0, "off": 600 },
            "set-situation": { "name": "light", "kind": "traffic-light", "region": "light", "signal": "own" },
        }),
    ));
    run_to(&mut session, 900);
    let (count, waiting) = standing(&mut session);
    assert!(count >= 5 && waiting >= 5, "{waiting} of {count} wait");
    done(ask(&mut session, Ask::Undo));
    // The crowd that has gathered needs a while to go.
    run_to(&mut session, 1500);
    let (count, waiting) = standing(&mut session);
    assert!(count <= 3 && waiting == 0, "{count} stand, {waiting} of them wait");
}

#[test]
fn a_change_in_the_very_frame_in_which_people_came_is_on_the_time_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = 'hall'\n[world]\nfloor = [[0, 0], [70, 0], [70, 20], [0, 20]]\n\
        [[region]]\nname = 'far'\nrectangle = [60, 15, 70, 20]\n[[people]]\ncount = 3\nin = 'far'\n";
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    let spray = |session: &mut Session<'_>, x: f64| {
        let people = json!({ "at": [[x, 11], [x + 0.8, 11], [x, 11.8]], "speed": 1.4, "mover": "graph" });
        done(enact(session, json!({ "people": people })))
    };
    for (frame, first) in [(120, 14.0), (130, 34.0)] {
        run_to(&mut session, frame);
        let came: Vec<u32> =
            [0.0, 4.0, 8.0, 12.0].iter().flat_map(|x| spray(&mut session, first + *x)).collect();
        run_to(&mut session, frame + 70);
        done(ask(&mut session, Ask::GoTo { frame }));
        run_to(&mut session, frame);
        assert!(came.iter().all(|id| session.crowd().index_of(*id).is_some()), "they come again");
        let before = telling::state(&session).marks.len();
        done(enact(&mut session, json!({ "numbers": came, "goal": [60, 3] })));
        let marks = telling::state(&session).marks;
        assert_eq!(marks.len(), before + 1);
        let last = marks.iter().rfind(|mark| mark.frame == frame).unwrap();
        assert!(last.what.starts_with("another goal for"), "{marks:?}");
        // It is taken back, and what came before it is still there.
        done(ask(&mut session, Ask::Undo));
        assert_eq!(telling::state(&session).marks.len(), before);
    }
}

#[test]
fn directed_people_tell_their_plan_and_locked_ones_keep_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let text = embedded::scene("street").unwrap();
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 60);
    let Some(index) = (0..session.crowd().len()).find(|&index| session.crowd().positions()[index].y < 4.5)
    else {
        panic!("nobody is on the pavement")
    };
    let (id, at) = (session.crowd().id(index), session.crowd().positions()[index]);
    let goal = [at.x + if at.x < 33.0 { 4.0 } else { -4.0 }, 2.0];
    done(enact(&mut session, json!({ "numbers": [id], "direct": { "at": goal, "by": 20 } })));
    let Answer::Person(told) = ask(&mut session, Ask::Person { number: id }) else { panic!() };
    let last = told.plan.last().unwrap();
    assert!(
        (last[0] - goal[0]).abs() < 0.01 && (last[1] - 2.0).abs() < 0.01 && (last[2] - 18.0).abs() < 0.1,
        "{last:?}"
    );
    assert!(told.directed.is_some());
    let why = enact(&mut session, json!({ "numbers": [id], "direct": { "at": [goal[0], 2.0], "by": 2.1 } }));
    assert!(
        matches!(why, Answer::Refused { ref why, .. } if why.contains("too little") || why.contains("no motion")),
        "{why:?}"
    );
    // One of three is locked: the values of the others stay theirs.
    done(ask(&mut session, Ask::Lock { people: vec![11], on: true }));
    let likes =
        |session: &Session<'_>, id: u32| session.crowd().mind(session.crowd().index_of(id).unwrap()).speed;
    let before = likes(&session, 11);
    done(enact(&mut session, json!({ "numbers": [10, 11, 12], "speed": [0.9, 1.1, 1.7] })));
    assert_eq!([10, 11, 12].map(|id| likes(&session, id)), [0.9, before, 1.7]);
}

#[test]
fn what_is_joined_is_taken_back_and_made_again_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let text = embedded::scene("street").unwrap();
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 30);
    done(enact(&mut session, json!({ "numbers": [1], "speed": 0.9 })));
    for (id, size) in [(2, 1.5), (3, 0.5), (4, 2.0)] {
        let event = json!({ "numbers": [id], "size": size });
        let joined = id > 2;
        done(ask(&mut session, Ask::Enact { event: event.as_object().unwrap().clone(), joined }));
    }
    let sizes = |session: &Session<'_>| telling::state(session).sizes;
    assert_eq!(sizes(&session), [(2, 1.5), (3, 0.5), (4, 2.0)]);
    done(ask(&mut session, Ask::Undo));
    assert_eq!((sizes(&session).len(), telling::state(&session).marks.len()), (0, 1));
    done(ask(&mut session, Ask::Redo));
    assert_eq!(sizes(&session), [(2, 1.5), (3, 0.5), (4, 2.0)]);
    let refused = enact(&mut session, json!({ "numbers": [1], "size": 9 }));
    assert!(matches!(refused, Answer::Refused { .. }), "{refused:?}");
}

#[test]
fn who_is_asked_about_tells_the_weights_of_its_decisions_and_decides_as_ever() {
    let folder = tempfile::tempdir().unwrap();
    let text = embedded::scene("street").unwrap();
    let (mut simulation, warnings) = read(&files(&folder), text).unwrap();
    let (mut other, _) = read(&files(&folder), text).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, warnings);
    run_to(&mut session, 60);
    let walks = |session: &Session<'_>| {
        let crowd = session.crowd();
        (0..crowd.len()).find(|&index| crowd.body(index).speed > 0.8).map(|index| crowd.id(index))
    };
    let number = walks(&session).unwrap();
    let mut told = Vec::new();
    while session.crowd().frame() < 240 {
        session.step();
        if let Answer::Person(person) = ask(&mut session, Ask::Person { number }) {
            told.extend(person.decision);
        }
    }
    told.dedup();
    let weighed: Vec<_> = told.iter().filter(|own| !own.likeliest.is_empty()).collect();
    assert!(weighed.len() > 3, "{} decisions", weighed.len());
    for decision in weighed {
        let all: f32 = decision.likeliest.iter().map(|own| own.share).sum();
        assert!(all > 0.1 && all < 2.001 && decision.weighed <= decision.moves, "{decision:?}");
        assert!(decision.likeliest.iter().all(|own| own.weights.iter().all(|(_, weight)| *weight >= 0.0)));
    }
    let taken = told.iter().flat_map(|own| &own.likeliest).filter(|own| own.fate == "taken");
    assert!(taken.count() > 0, "nothing was taken");
    while other.crowd().frame() < 240 {
        other.step();
    }
    assert_eq!(bits(session.simulation()), bits(&other), "being watched changes nothing");
}

const ANN_AND_BEN: &str = "seconds = 55\nname = 'hall'\n[world]\nfloor = [[0, 0], [26, 0], [26, 14], [0, 14]]\n\
    [[prop]]\nkind = 'box'\nname = 'crate'\nat = [8, 7]\n[[prop]]\nkind = 'lamp'\nat = [20, 12]\n\
    [[people]]\nmover = 'planned'\nname = 'Ann'\nat = [2, 3]\nthings = ['briefcase']\n\
    [[people]]\nmover = 'planned'\nname = 'Ben'\nat = [24, 7]\nfacing = 180\n\
    [[constraint]]\nperson = 'Ann'\ntake = 'crate'\nfacing = 30\n\
    [[constraint]]\nperson = 'Ann'\ngive-to = 'Ben'\nat = [15, 7]\nfacing = 0\ntime = 22\n\
    [[constraint]]\nperson = 'Ann'\nat = [4, 11]\n\
    [[constraint]]\nperson = 'Ben'\nput-down = [20, 2]\n\
    [[constraint]]\nperson = 'Ben'\nat = [24, 4]\n";

#[test]
fn boxes_are_picked_up_handed_over_and_put_down_and_are_back_when_time_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let (mut simulation, _) = read(&files(&folder), ANN_AND_BEN).unwrap();
    let mut session = Session::new(&mut simulation, files(&folder), 1, Vec::new());
    let holders = |session: &Session<'_>| {
        let state = telling::state(session);
        assert_eq!(state.parcels.len(), 1);
        assert!(state.props.iter().all(|prop| prop.kind != "box") && !state.props.is_empty());
        state.parcels[0].stages.iter().map(|stage| (stage.frame, stage.holder)).collect::<Vec<_>>()
    };
    let looks = |session: &mut Session<'_>| match ask(session, Ask::Looks { people: vec![0] }) {
        Answer::Looks { facts } => facts,
        other => panic!("{other:?}"),
    };
    assert_eq!(holders(&session), [(1, None)]);
    let (with_briefcase, dressed) = (looks(&mut session), telling::state(&session).dresses);
    assert!(dressed.is_empty());
    // Pages are told when a box changes hands.
    let mut told = 0;
    while session.crowd().frame() < 54 * 30 {
        let before = holders(&session);
        let changed = session.step();
        if holders(&session) != before {
            assert!(changed, "in frame {}", session.crowd().frame());
            told += 1;
        }
    }
    let whole = holders(&session);
    let hands: Vec<Option<u32>> = whole.iter().map(|(_, holder)| *holder).collect();
    assert_eq!(hands, [None, Some(0), Some(1), None], "{whole:?}");
    assert!(told >= 3);
    let put_down = telling::state(&session).parcels[0].stages[3].at;
    assert!((put_down[0] - 20.0).abs() < 0.05 && (put_down[1] - 2.0).abs() < 0.05, "{put_down:?}");
    // Who carries a box has nothing else in its hands, and pages know when to ask.
    assert_ne!(looks(&mut session), with_briefcase);
    assert_eq!(telling::state(&session).dresses.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [0, 1]);
    // Back to when Ann carries it, back to the beginning, and on again.
    let taken = whole[1].0;
    for (frame, known) in [(taken + 90, 2), (30, 1), (54 * 30, 4)] {
        done(ask(&mut session, Ask::GoTo { frame }));
        run_to(&mut session, frame);
        assert_eq!(holders(&session), whole[..known], "at frame {frame}");
        assert_eq!(looks(&mut session) == with_briefcase, known == 1);
    }
}
