//! What a program adds takes part in everything: promises, edits, recording, saving and going on.

use crowdloom::glam::Vec2;
use crowdloom::motion::graph::MotionGraph;
use crowdloom::output::run::Run;
use crowdloom::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Goes where one wants, but around those who are near; looks at all that it is given.
#[derive(Default)]
struct Swerve {
    asked: Arc<AtomicUsize>,
}

impl VelocityModel for Swerve {
    fn choose(&self, batch: &Batch<'_>, velocities: &mut [Vec2], memories: &mut [Memory]) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        assert!(!batch.is_empty() && batch.len() == velocities.len() && batch.len() == memories.len());
        assert_eq!(velocities, batch.preferred);
        assert_eq!(batch.neighbour_offsets.len(), batch.len() + 1);
        assert_eq!(batch.wall_offsets.len(), batch.len() + 1);
        for person in 0..batch.len() {
            let here = batch.positions[person];
            let distance = |other: &u32| batch.others.positions[*other as usize].distance(here);
            let neighbours = batch.neighbours_of(person);
            assert!(neighbours.is_sorted_by(|a, b| distance(a) <= distance(b)));
            assert!(neighbours.iter().all(|other| distance(other) <= self.neighbour_distance()));
            let reach = batch.radii[person] + self.wall_reach();
            assert!(batch.walls_of(person).iter().all(|wall| wall.length() <= reach + 1e-3));
            if let Some(nearest) = neighbours.first() {
                let offset = batch.others.positions[*nearest as usize] - here;
                velocities[person] += offset.perp().normalize_or_zero() * batch.random(person).unit();
            }
            memories[person].waiting += batch.seconds;
        }
        // Whatever a model answers is made possible.
        velocities[0] *= 100.0;
        if let Some(last) = velocities.get_mut(1) {
            *last = Vec2::NAN;
        }
    }
}

/// Nobody turns left.
struct OnlyRight(Arc<AtomicUsize>);

impl BehaviourFunction for OnlyRight {
    fn weigh(&self, deciding: &Deciding<'_>, candidates: &Candidates<'_>, weights: &mut [f32]) {
        self.0.fetch_add(1, Ordering::Relaxed);
        assert_eq!(candidates.len(), weights.len());
        assert_eq!(candidates.positions.last(), Some(&deciding.position));
        assert!(
            (deciding.facing.length() - 1.0).abs() < 1e-3 && deciding.ground.is_free(deciding.position, 0.0)
        );
        for (weight, turn) in weights.iter_mut().zip(candidates.turns) {
            *weight = if *turn > 0.05 { 0.0 } else { 1.0 };
        }
    }
}

/// Looks at what people did before.
#[derive(Default)]
struct Recalls {
    asked: AtomicUsize,
    recalled: AtomicUsize,
    led_here: AtomicUsize,
    graph: OnceLock<Arc<MotionGraph>>,
}

struct Recaller(Arc<Recalls>);

impl BehaviourFunction for Recaller {
    fn weigh(&self, deciding: &Deciding<'_>, _: &Candidates<'_>, _: &mut [f32]) {
        self.0.asked.fetch_add(1, Ordering::Relaxed);
        assert!(deciding.past.len() <= PAST_STATES);
        assert!(deciding.past.windows(2).all(|pair| pair[0].frame < pair[1].frame));
        let Some(last) = deciding.past.last() else { return };
        assert!(last.frame < deciding.frame);
        self.0.recalled.fetch_add(1, Ordering::Relaxed);
        // What it did leads from where it was to where it is, unless it has stopped on the way.
        if let (Some(graph), Some(action)) = (self.0.graph.get(), last.action) {
            let end = last.placement.then(graph.action(action).clip.displacement());
            let led = end.position.distance(deciding.position) < 0.01;
            self.0.led_here.fetch_add(usize::from(led), Ordering::Relaxed);
        }
    }
}

#[test]
fn what_people_did_before_reaches_behaviour_functions() {
    let recalls = Arc::new(Recalls::default());
    let additions = additions().with_behaviour("recalls", Recaller(recalls.clone()));
    let (text, _) = HALL.split_once("[[event]]").unwrap();
    let text = text.replace("'only-right'", "'recalls'").replace("mover = 'swerve'", "");
    let mut hall = parse_with(Path::new("hall.toml"), &text, Overrides::default(), &additions).unwrap().0;
    recalls.graph.set(hall.crowd().setting().book.graph().clone()).unwrap();
    steps(&mut hall, 300);
    let [asked, recalled, led] =
        [&recalls.asked, &recalls.recalled, &recalls.led_here].map(|count| count.load(Ordering::Relaxed));
    println!("{recalled} of {asked} decisions with a past; {led} at the end of what was done last");
    // Who comes in with its first decision has none.
    assert!(asked > 50 && recalled * 4 > asked * 3, "{recalled} of {asked}");
    assert!(led * 2 > recalled, "{led} of {recalled}");
}

/// Everybody stands for as many seconds as the table says, once.
struct Freeze;

impl SituationKind for Freeze {
    fn influence(
        &self,
        situation: &Situation,
        scenery: &mut Scenery<'_>,
        visit: &mut Visit,
        influence: &mut Influence,
    ) -> Option<Vec2> {
        let seconds = situation.activity.number("seconds").unwrap_or_default();
        if scenery.frame > visit.since + (seconds * FRAME_RATE) as u32 {
            scenery.leave(visit);
        } else {
            influence.stand = true;
        }
        None
    }
}

fn additions() -> Additions {
    Additions::new()
        .with_model("swerve", Swerve::default())
        .with_behaviour("only-right", OnlyRight(Arc::default()))
        .with_kind("freeze", Freeze)
}

const HALL: &str = "name = 'hall'
seconds = 20
[world]
floor = [[0, 0], [20, 0], [20, 12], [0, 12]]
obstacle = [{ circle = [10, 6, 1] }]
[[region]]
name = 'middle'
rectangle = [6, 2, 14, 10]
[[situation]]
name = 'cold'
kind = 'freeze'
region = 'middle'
behaviours = ['only-right']
parameters = { seconds = 1.5 }
[[people]]
count = 15
mover = 'swerve'
[[people]]
count = 15
[[people]]
count = 5
mover = 'orca'
[[event]]
at = 3
who = 'middle'
mover = 'swerve'
";

fn hall(additions: &Additions) -> Simulation {
    parse_with(Path::new("hall.toml"), HALL, Overrides::default(), additions).unwrap().0
}

fn steps(simulation: &mut Simulation, count: usize) {
    (0..count).for_each(|_| simulation.step());
}

#[test]
fn everybody_keeps_promises_and_each_model_is_asked_once_a_step() {
    let asked = Arc::new(AtomicUsize::new(0));
    let additions = additions().with_model("swerve", Swerve { asked: asked.clone() });
    let mut hall = hall(&additions);
    for _ in 0..10 {
        steps(&mut hall, 30);
        assert_eq!(hall.crowd().promise_overlaps(), 0);
        let fastest = |index: usize| hall.crowd().profile(index).top_speed;
        let steered = |index: usize| hall.crowd().steered_velocity(index);
        for (index, velocity) in (0..hall.crowd().len()).filter_map(|index| Some((index, steered(index)?))) {
            // Who is pushed aside by others may be a little faster than it wants.
            assert!(velocity.length() <= 2.0 * fastest(index) + 1.0, "{velocity}");
        }
    }
    assert_eq!(asked.load(Ordering::Relaxed), 300);
}

#[test]
fn a_run_is_the_same_on_any_number_of_threads_and_after_being_put_away() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut hall = hall(&additions());
            steps(&mut hall, 120);
            let put_away = hall.snapshot().unwrap();
            steps(&mut hall, 60);
            (put_away, hall.crowd().positions().to_vec())
        })
    };
    let (one, three) = (on(1), on(3));
    assert!(one == three);
    let mut again = Simulation::from_snapshot_with(&one.0, &additions()).unwrap();
    steps(&mut again, 60);
    assert_eq!(again.crowd().positions(), one.1);
}

#[test]
fn nobody_goes_on_without_what_was_added() {
    let mut hall = hall(&additions());
    steps(&mut hall, 10);
    let put_away = hall.snapshot().unwrap();
    let refusal = |additions: &Additions| match Simulation::from_snapshot_with(&put_away, additions) {
        Ok(_) => panic!("it must not go on"),
        Err(error) => error.to_string(),
    };
    assert!(refusal(&Additions::new()).contains("there is no mover `swerve`"));
    let other_order = Additions::new().with_model("other", Swerve::default());
    let other_order = other_order.with_model("swerve", Swerve::default()).with_kind("freeze", Freeze);
    let told = refusal(&other_order.with_behaviour("only-right", OnlyRight(Arc::default())));
    assert!(told.contains("adds the velocity model `swerve`"), "{told}");
}

#[test]
fn who_names_what_nobody_has_added_is_told_what_there_is() {
    let text = |lines: &str| format!("name = 'x'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9]]\n{lines}");
    let told = |lines: &str, additions: &Additions| {
        let read = parse_with(Path::new("x.toml"), &text(lines), Overrides::default(), additions);
        read.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let mover = told("[[people]]\ncount = 1\nmover = 'drift'", &additions());
    assert!(mover.contains("line 6: there is no mover `drift`; there are graph, rvo, orca"), "{mover}");
    assert!(mover.contains("recorded, cell-marking, swerve"), "{mover}");
    let kind = told("[[situation]]\nname = 's'\nkind = 'freez'", &additions());
    assert!(
        kind.contains("there is no kind of situation `freez`") && kind.contains("did you mean `freeze`?")
    );
    let function = told("[[situation]]\nname = 's'\nkind = 'group'\nbehaviours = ['no']", &additions());
    assert!(function.contains("the program adds no behaviour function `no`"), "{function}");
    let twice = told("", &Additions::new().with_model("orca", Swerve::default()));
    assert!(twice.contains("the program adds the mover `orca`, which there is already"), "{twice}");
}

#[test]
fn people_are_given_an_added_model_by_an_edit_and_it_is_taken_back() {
    let text = HALL.replace("mover = 'swerve'", "");
    let text = &text[..text.find("[[event]]").unwrap()];
    let (mut hall, _) = parse_with(Path::new("hall.toml"), text, Overrides::default(), &additions()).unwrap();
    steps(&mut hall, 30);
    let mover = hall.crowd().added_mover("swerve").unwrap();
    let id = hall.crowd().id(0);
    hall.edit_when_free(Edit::Mover(id, mover)).unwrap();
    let changed = (0..600).any(|_| {
        hall.step();
        hall.crowd().mover(0) == mover
    });
    assert!(changed && hall.crowd().promise_overlaps() == 0);
    // Though no table of the scene names the model, the run can be gone on with.
    let put_away = hall.snapshot().unwrap();
    let mut again = Simulation::from_snapshot_with(&put_away, &additions()).unwrap();
    steps(&mut again, 30);
    steps(&mut hall, 30);
    assert_eq!(again.crowd().positions(), hall.crowd().positions());
    hall.undo().unwrap();
}

#[test]
fn added_functions_are_asked_and_heeded() {
    let asked = Arc::new(AtomicUsize::new(0));
    let turned_left = |lent: &str| {
        let additions = additions().with_behaviour("only-right", OnlyRight(asked.clone()));
        let text = format!(
            "name = 'x'\n[world]\nfloor = [[0, 0], [30, 0], [30, 30], [0, 30]]\n[[people]]\ncount = 10\n\
             [[region]]\nname = 'all'\nrectangle = [0, 0, 30, 30]\n\
             [[situation]]\nname = 's'\nkind = 'group'\nregion = 'all'\n{lent}"
        );
        let read = parse_with(Path::new("x.toml"), &text, Overrides::default(), &additions);
        let (mut simulation, _) = read.unwrap();
        // The first decision enters the situation; steps sway a little to both sides.
        steps(&mut simulation, 60);
        let mut left = 0.0;
        let headings = |simulation: &Simulation| -> Vec<f32> {
            (0..10).map(|index| simulation.crowd().body(index).placement.heading).collect()
        };
        for _ in 0..20 {
            let before = headings(&simulation);
            steps(&mut simulation, 30);
            for (before, after) in before.iter().zip(headings(&simulation)) {
                left += crowdloom::motion::wrap_angle(after - before).max(0.0);
            }
        }
        left
    };
    let (free, bound) = (turned_left(""), turned_left("behaviours = ['only-right']\n"));
    assert!(asked.load(Ordering::Relaxed) > 100);
    assert!(bound < 0.3 * free, "{bound} against {free} radians to the left");
}

#[test]
fn people_stand_in_a_situation_of_an_added_kind_and_then_go_on() {
    let mut hall = hall(&additions());
    let (mut stood, mut gone_on) = (0, 0);
    for _ in 0..20 {
        steps(&mut hall, 15);
        let present = &hall.crowd().shared().rolls[0].present;
        for index in 0..hall.crowd().len() {
            let visit = hall.crowd().mind(index).visits.first();
            stood += usize::from(visit.is_some_and(|visit| visit.takes_part));
            gone_on += usize::from(visit.is_some_and(|visit| !visit.takes_part));
            let counted = present.contains(&hall.crowd().id(index));
            assert_eq!(counted, visit.is_some_and(|visit| visit.takes_part && !visit.asks));
        }
    }
    assert!(stood > 20 && gone_on > 20, "{stood} and {gone_on}");
}

#[test]
fn a_run_with_additions_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut hall = hall(&additions());
    let mut recording = CrowdRecording::new(&mut hall);
    let info = RunInfo { name: "hall".into(), stride: 1, ..RunInfo::default() };
    let summary = record(&mut recording, &info, 2.0, folder.path(), &mut |_| {}, &|| false).unwrap();
    assert_eq!(summary.agents, 35);
    let run = Run::open(folder.path()).unwrap();
    let notes = run.chunk(0).unwrap().notes;
    assert!(notes.iter().filter(|(_, note)| note.contains("moved by swerve")).count() >= 15);
}
