//! People are directed by events and by hand: exactly, with a reason where it cannot be, and to the same bits.

use crowdloom_crowd::{Refusal, Steps};
use crowdloom_scene::{Overrides, Simulation, parse};
use glam::Vec2;
use std::path::Path;

const HALL: &str = "name = 'hall'\nseed = 4\nseconds = 60\n[world]\nfloor = [[0, 0], [24, 0], [24, 18], [0, 18]]\n\
    [[people]]\ncount = 24\n[[people]]\ncount = 6\nmover = 'orca'\n";

fn hall(events: &str) -> Simulation {
    let text = format!("{HALL}{events}");
    parse(Path::new("hall.toml"), &text, Overrides::default()).unwrap().0
}

fn run_to(simulation: &mut Simulation, frame: u32) {
    while simulation.crowd().frame() < frame {
        simulation.step();
        assert_eq!(simulation.crowd().overlaps().0, 0);
    }
}

fn place(simulation: &Simulation, id: u32) -> (Vec2, f32) {
    let crowd = simulation.crowd();
    let placement = crowd.placement(crowd.index_of(id).unwrap());
    (placement.position, placement.heading)
}

fn bits(simulation: &Simulation) -> Vec<[u32; 2]> {
    simulation.crowd().positions().iter().map(|at| at.to_array().map(f32::to_bits)).collect()
}

#[test]
fn somebody_is_where_it_is_told_to_be_when_it_is_told_to_be() {
    let events = "[[event]]\nat = 2\nnumbers = [4]\ndirect = { at = [12, 15], facing = 90, by = 20, stay = 5 }\n\
        [[event]]\nat = 2\nnumbers = [27]\ndirect = { at = [4, 4], facing = 180, by = 25, stay = 3 }\n\
        [[event]]\nat = 3\nnumbers = [7]\ndirect = { at = [20, 4], pose = 'sit', stay = 60 }\n";
    let mut simulation = hall(events);
    run_to(&mut simulation, 600);
    let (at, heading) = place(&simulation, 4);
    assert!(
        at.distance(Vec2::new(12.0, 15.0)) < 1e-3 && (heading.to_degrees() - 90.0).abs() < 0.1,
        "{at} {heading}"
    );
    run_to(&mut simulation, 750);
    // Who is steered is directed as well.
    let (at, heading) = place(&simulation, 27);
    assert!(
        at.distance(Vec2::new(4.0, 4.0)) < 1e-3 && (heading.to_degrees().abs() - 180.0).abs() < 0.1,
        "{at} {heading}"
    );
    run_to(&mut simulation, 1200);
    // Who sits stays seated, and the others have gone on.
    let (at, _) = place(&simulation, 7);
    assert!(at.distance(Vec2::new(20.0, 4.0)) < 1e-3, "{at}");
    assert!(place(&simulation, 4).0.distance(Vec2::new(12.0, 15.0)) > 1.0);
    assert!(simulation.refused().is_empty(), "{:?}", simulation.refused());
}

#[test]
fn what_cannot_be_is_told_with_its_reason_and_changes_nothing() {
    let mut simulation = hall("");
    run_to(&mut simulation, 90);
    let before = bits(&simulation);
    let mut why = |fields: &str| match simulation.enact(fields) {
        Ok(enacted) => enacted.refused[0].1.to_string(),
        Err(problems) => problems[0].what.clone(),
    };
    let (x, y) = (before[3].map(f32::from_bits)[0], before[3].map(f32::from_bits)[1]);
    let far = if x < 12.0 { 23.0 } else { 1.0 };
    assert!(why(&format!("numbers = [3]\ndirect = {{ at = [{far}, {y}], by = 4 }}")).contains("too little"));
    assert!(why("numbers = [3]\ndirect = { at = [30, 30] }").contains("wall"));
    assert!(why("numbers = [3]\ndirect = { at = [3, 3], by = 1 }").contains("before"));
    assert!(why("numbers = [3]\ndirect = { at = [3, 3], pose = 'stitting' }").contains("pose"));
    assert!(
        why("numbers = [3]\ndirect = { at = [3, 3], word = { text = 'A', at = [1, 1], size = 2 } }")
            .contains("nobody knows where")
    );
    assert!(
        why("numbers = [3]\ndirect = { word = { text = 'ä', at = [1, 1], size = 2 } }").contains("spelled")
    );
    assert!(why("numbers = [3]\ndirect = { fill = [[1, 1], [2, 2]] }").contains("three corners"));
    assert_eq!(bits(&simulation), before);
    let mut other = hall("");
    run_to(&mut other, 150);
    run_to(&mut simulation, 150);
    assert_eq!(bits(&simulation), bits(&other), "what was refused left a trace");
}

#[test]
fn many_form_a_word_and_fill_an_area() {
    let numbers: Vec<u32> = (0..12).collect();
    let events = format!(
        "[[event]]\nat = 2\nnumbers = {numbers:?}\ndirect = {{ word = {{ text = 'HI', at = [8, 8], size = 3 }}, by = 30, stay = 9 }}\n\
         [[event]]\nat = 2\nnumbers = [13, 14, 15, 16, 17, 18]\ndirect = {{ fill = [[1, 1], [7, 1], [7, 5], [1, 5]], by = 30, stay = 9 }}\n"
    );
    let mut simulation = hall(&events);
    run_to(&mut simulation, 900);
    let stands = |id: &u32| {
        let crowd = simulation.crowd();
        crowd.body(crowd.index_of(*id).unwrap()).speed < 0.05
    };
    let refused = simulation.refused().len();
    assert!(refused <= 3, "{:?}", simulation.refused());
    let spelled = numbers.iter().filter(|id| {
        let at = place(&simulation, **id).0;
        (7.9..16.0).contains(&at.x) && (7.9..12.3).contains(&at.y) && stands(id)
    });
    assert!(spelled.count() >= 12 - refused, "too few spell the word");
    let filled = (13..=18).filter(|id| {
        let at = place(&simulation, *id).0;
        // Its edge belongs to it.
        (0.99..7.01).contains(&at.x) && (0.99..5.01).contains(&at.y) && stands(id)
    });
    assert!(filled.count() >= 6 - refused);
}

/// Takes back the last change, as soon as others leave room for it.
fn undo(simulation: &mut Simulation) {
    until_made(simulation, Simulation::undo);
}

/// Makes it again, as soon as it is planned.
fn redo(simulation: &mut Simulation) {
    until_made(simulation, Simulation::redo);
}

fn until_made(simulation: &mut Simulation, make: fn(&mut Simulation) -> Result<(), Refusal>) {
    let end = simulation.crowd().frame() + 60;
    while let Err(why) = make(simulation) {
        assert!(simulation.crowd().frame() < end, "{why}");
        simulation.step();
    }
}

#[test]
fn directions_are_taken_back_made_again_saved_and_the_same_by_hand() {
    let fields = "numbers = [4]\ndirect = { at = [12, 15], facing = 90, by = 20, stay = 5 }";
    let mut by_event = hall(&format!("[[event]]\nat = 3\n{fields}\n"));
    let mut by_hand = hall("");
    run_to(&mut by_event, 90);
    run_to(&mut by_hand, 90);
    assert_eq!(by_hand.enact(fields).unwrap().made, 1);
    run_to(&mut by_event, 300);
    run_to(&mut by_hand, 300);
    assert_eq!(bits(&by_event), bits(&by_hand));
    let saved = by_hand.snapshot().unwrap();
    undo(&mut by_hand);
    run_to(&mut by_hand, 600);
    assert!(place(&by_hand, 4).0.distance(Vec2::new(12.0, 15.0)) > 0.5, "it was let go");
    let mut resumed = Simulation::from_snapshot(&saved).unwrap();
    run_to(&mut resumed, 700);
    run_to(&mut by_event, 700);
    assert_eq!(bits(&by_event), bits(&resumed));
    resumed.restore(&saved).unwrap();
    undo(&mut resumed);
    redo(&mut resumed);
    run_to(&mut resumed, 600);
    assert!(place(&resumed, 4).0.distance(Vec2::new(12.0, 15.0)) < 1e-3, "it is directed again");
}

#[test]
fn who_is_in_the_way_is_waited_for_and_few_are_planned_between_two_frames() {
    // Somebody stands where another is to be, and goes on a little later.
    let stands =
        "[[event]]\nat = 2\nnumbers = [4]\ndirect = { at = [12, 15], facing = 90, by = 20, stay = 5 }\n";
    let mut simulation = hall(stands);
    run_to(&mut simulation, 600);
    assert!(place(&simulation, 4).0.distance(Vec2::new(12.0, 15.0)) < 1e-3);
    let enacted = simulation.enact("numbers = [9]\ndirect = { at = [12.1, 15], stay = 8 }").unwrap();
    assert_eq!((enacted.made, enacted.waiting, enacted.steps), (0, 1, 1), "{enacted:?}");
    let mut nearest = f32::INFINITY;
    while simulation.crowd().frame() < 2100 {
        let next = simulation.crowd().frame() + 1;
        run_to(&mut simulation, next);
        nearest = nearest.min(place(&simulation, 9).0.distance(Vec2::new(12.1, 15.0)));
    }
    assert!(nearest < 1e-3, "it came within {nearest} m: {:?}", simulation.refused());
    let numbers: Vec<u32> = (10..20).collect();
    let word = format!(
        "numbers = {numbers:?}\ndirect = {{ word = {{ text = 'LA', at = [4, 4], size = 3 }}, stay = 9 }}"
    );
    let enacted = simulation.enact(&word).unwrap();
    assert!(enacted.made <= 2 && enacted.waiting >= 8, "{enacted:?}");
    let (mut waiting, mut most) = (simulation.waiting_edits().count(), 0);
    while simulation.crowd().frame() < 2130 {
        simulation.step();
        most = most.max(waiting - simulation.waiting_edits().count());
        waiting = simulation.waiting_edits().count();
    }
    assert!(most <= 2 && waiting < 5, "{most} at once, {waiting} still wait");
}

#[test]
fn many_who_are_directed_are_the_same_by_hand_and_by_an_event_and_in_a_repeated_run() {
    let numbers: Vec<u32> = (0..9).collect();
    let fields = format!(
        "numbers = {numbers:?}\ndirect = {{ fill = [[8, 5], [16, 5], [16, 12], [8, 12]], by = 25, stay = 9 }}"
    );
    let mut by_event = hall(&format!("[[event]]\nat = 3\n{fields}\n"));
    let mut by_hand = hall("");
    run_to(&mut by_event, 90);
    run_to(&mut by_hand, 90);
    by_hand.enact(&fields).unwrap();
    run_to(&mut by_event, 800);
    run_to(&mut by_hand, 800);
    assert_eq!(bits(&by_event), bits(&by_hand));
    let mut again = hall("");
    again.repeat(by_hand.log());
    run_to(&mut again, 800);
    assert_eq!(bits(&again), bits(&by_hand));
}
