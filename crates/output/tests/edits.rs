//! Runs that were changed by hand while they went on: made again from their run file, they are the same to the last bit.

use crowdloom_crowd::scenario::{Choose, Stop};
use crowdloom_crowd::signal::Signal;
use crowdloom_crowd::situation::{Activity, Place, Situation, SituationId};
use crowdloom_crowd::{Cause, Crowd, Edit, Happened, Mind, Mover, Newcomer, Spread, Steps};
use crowdloom_motion::Placement;
use crowdloom_output::run::{CrowdRecording, RUN_NAME, Run, RunInfo, record};
use crowdloom_scene::{Overrides, Simulation, parse};
use glam::{DVec2, Vec2};
use std::path::Path;

const SECONDS: f32 = 24.0;

fn hall() -> Simulation {
    let text = "name = 'hall'\nseconds = 24\n[world]\nfloor = [[0, 0], [24, 0], [24, 16], [0, 16]]\n\
        [[world.obstacle]]\nrectangle = [11.8, 0, 12.2, 6]\n[[world.obstacle]]\nrectangle = [11.8, 9, 12.2, 16]\n\
        [[door]]\nname = 'gate'\nrectangle = [11.8, 6, 12.2, 9]\n\
        [[region]]\nname = 'west'\nrectangle = [0, 0, 8, 16]\n[[region]]\nname = 'east'\nrectangle = [20, 0, 24, 16]\n\
        [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n[[signal]]\nname = 'walk'\non = 5\noff = 5\n\
        [[situation]]\nname = 'friends'\nkind = 'close'\n\
        [[situation]]\nname = 'rest'\nkind = 'pause'\nregion = 'west'\nspots = [[3, 3, 0], [5, 3, 0]]\n\
        [[people]]\ncount = 25\n[[people]]\ncount = 12\nin = 'west'\nto = 'out'\nmover = 'orca'\n\
        [[event]]\nat = 4\npeople = { count = 5, in = 'west' }\n[[event]]\nat = 9\nspeed = 1.3\nwho = 'west'\n";
    let read = parse(Path::new("hall.toml"), text, Overrides::default());
    read.unwrap_or_else(|error| panic!("{error}")).0
}

/// A hall in which somebody changes something in every so many frames.
struct Edited(Simulation);

impl Edited {
    fn change(&mut self) {
        let frame = self.0.crowd().frame();
        let id = |index: usize| self.0.crowd().id(index);
        let square = |x: f64, y: f64, side: f64| {
            vec![vec![
                DVec2::new(x, y),
                DVec2::new(x + side, y),
                DVec2::new(x + side, y + side),
                DVec2::new(x, y + side),
            ]]
        };
        let shared = self.0.crowd().shared();
        let edit = match frame {
            15 => Edit::Speed(id(3), 0.8),
            30 => Edit::Goal(id(4), Some(Vec2::new(20.0, 2.0))),
            45 => Edit::Mover(id(2), Mover::Steered(0)),
            60 => Edit::Obstacle(0, true),
            75 => Edit::AddObstacle("box".into(), square(15.0, 3.0, 1.5)),
            90 => Edit::AddRegion("corner".into(), vec![square(20.0, 12.0, 3.0)]),
            105 => Edit::AddStop(Stop {
                name: "corner".into(),
                regions: vec![2],
                choose: Choose::Any,
                stay: Spread::Uniform { least: 0.0, most: 1.0 },
                next: Vec::new(),
                exit: true,
                closed: false,
            }),
            120 => Edit::Stop(id(6), Some(1)),
            135 => Edit::AddSignal(Signal {
                name: "late".into(),
                on_frames: 30,
                off_frames: 30,
                offset: 0,
                by_hand: None,
            }),
            150 => Edit::Signal(0, Some(true)),
            165 => {
                let activity = Activity::Hurry { speed: 2.0 };
                Edit::AddSituation(Box::new(Situation::new("rush", Place::Region(1), activity)))
            }
            180 => Edit::Join(id(5), SituationId(0)),
            195 => Edit::Situation(SituationId(1), false),
            210 => Edit::Remove(id(7)),
            225 => {
                let newcomer = Newcomer::from(Mind { speed: 1.2, wanders: true, ..Mind::default() });
                let place = Placement { position: Vec2::new(1.0, 15.0), heading: 0.0 };
                Edit::Add(place, Box::new(newcomer))
            }
            240 => Edit::Looks(id(8), Some(3)),
            255 => Edit::ChangeObstacle(1, square(15.0, 12.0, 1.0)),
            270 => Edit::ChangeRegion(2, vec![square(18.0, 12.0, 4.0)]),
            285 => Edit::ChangeStop(1, Stop { closed: true, ..shared.scenario.stops[1].clone() }),
            300 => Edit::ChangeSituation(
                SituationId(1),
                Box::new(Situation { share: 0.5, ..shared.situations[1].clone() }),
            ),
            315 => Edit::Move(id(1), Placement { position: Vec2::new(23.0, 1.0), heading: 1.0 }),
            330 => Edit::Obstacle(0, false),
            // Nobody can stand in the way of taking these back.
            345 => Edit::Rules(SituationId(1), None),
            360 => Edit::Style(id(9), None),
            375 => Edit::Part(id(5), SituationId(0)),
            390 | 405 | 420 => return self.0.undo().unwrap(),
            435 => return self.0.redo().unwrap(),
            _ => return,
        };
        // What somebody stands in the way of is asked for.
        let _ = self.0.edit_when_free(edit);
    }
}

impl Steps for Edited {
    fn crowd(&self) -> &Crowd {
        self.0.crowd()
    }

    fn step(&mut self) {
        self.0.step();
        self.change();
    }

    fn log(&self) -> &[Happened] {
        Steps::log(&self.0)
    }
}

fn record_to(source: &mut (impl Steps + Sync), folder: &Path) -> Vec<u8> {
    let info = RunInfo { name: "hall".into(), seed: 1, stride: 1, ..RunInfo::default() };
    let mut recording = CrowdRecording::new(source);
    record(&mut recording, &info, SECONDS, folder, &mut |_| {}, &|| false).unwrap();
    std::fs::read(folder.join(RUN_NAME)).unwrap()
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn a_run_with_many_edits_is_made_again_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let mut live = Edited(hall());
    let bytes = on_threads(2, || record_to(&mut live, &place("live")));
    let log = Run::open(&place("live")).unwrap().edits().unwrap();
    assert_eq!(log, live.log());
    let kinds = |cause: Cause| log.iter().filter(|happened| happened.cause == cause).count();
    assert!(kinds(Cause::Hand) + kinds(Cause::Granted) >= 24, "{} by hand", kinds(Cause::Hand));
    assert!(kinds(Cause::Asked) == kinds(Cause::Granted) && kinds(Cause::Asked) >= 1);
    assert_eq!((kinds(Cause::Undo), kinds(Cause::Redo)), (3, 1));
    assert_eq!(live.crowd().promise_overlaps(), 0);
    for threads in [1, 2] {
        let mut again = hall();
        again.repeat(&log);
        let repeated = on_threads(threads, || record_to(&mut again, &place("again")));
        assert!(again.refused().is_empty(), "{:?}", again.refused());
        assert!(repeated == bytes, "the run differs on {threads} threads");
        assert_eq!(again.log(), live.log());
    }
    // The changes matter: without them it is another run.
    assert!(record_to(&mut hall(), &place("plain")) != bytes);
}

#[test]
fn a_run_with_edits_goes_on_from_the_middle() {
    let mut whole = Edited(hall());
    // While an obstacle waits for room, and after most changes.
    for middle in [62, 200, 400] {
        let mut first = Edited(hall());
        (0..middle).for_each(|_| first.step());
        let bytes = first.0.snapshot().unwrap();
        let mut second = Edited(Simulation::from_snapshot(&bytes).unwrap());
        (middle..500).for_each(|_| {
            first.step();
            second.step();
        });
        assert_eq!(first.crowd().positions(), second.crowd().positions(), "from frame {middle}");
        assert_eq!(first.log(), second.log());
        // Back in the same process: places are as they were.
        let saved = first.0.save();
        (0..100).for_each(|_| first.step());
        first
            .0
            .edit(Edit::AddObstacle(
                "late".into(),
                vec![vec![DVec2::new(0.1, 0.1), DVec2::new(0.2, 0.1), DVec2::new(0.2, 0.2)]],
            ))
            .unwrap();
        first.0.resume(saved).unwrap();
        (0..100).for_each(|_| {
            first.step();
            second.step();
        });
        assert_eq!(first.crowd().positions(), second.crowd().positions(), "back to frame 500");
        assert_eq!(first.crowd().obstacles().count(), second.crowd().obstacles().count());
    }
    (0..600).for_each(|_| whole.step());
    assert_eq!(whole.crowd().promise_overlaps(), 0);
}
