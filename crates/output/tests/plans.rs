//! A crowd on a motion graph is recorded as the clips that people follow: what is read is where they were.

use crowdloom_crowd::moves::{BookOptions, MoveBook};
use crowdloom_crowd::situation::{Activity, Exact, Place, Situation, Spot};
use crowdloom_crowd::{Crowd, Mind, Setting, Spread, Steps};
use crowdloom_motion::builtin;
use crowdloom_motion::graph::{BuildOptions, build_graph};
use crowdloom_output::run::{CrowdRecording, Recordable, Run, RunInfo, record};
use crowdloom_world::{City, MeshRouter};
use glam::Vec2;
use std::sync::Arc;

/// A crowd in which people come and go.
struct Town(Crowd);

impl Town {
    fn new() -> Self {
        let (graph, _) = build_graph(&builtin::library(), &BuildOptions::default()).unwrap();
        let book = Arc::new(MoveBook::new(Arc::new(graph), BookOptions::default()).unwrap());
        let ground = Arc::new(City { blocks: 1, ..City::default() }.build().unwrap());
        let router = Arc::new(MeshRouter::new(ground.clone()));
        let mut town = Self(Crowd::new(Setting { book, ground, router, seed: 5 }));
        town.come(120);
        town.sit(40);
        town
    }

    /// Gives some people seats, which they get onto by planned motions.
    fn sit(&mut self, count: usize) {
        let book = self.0.setting().book.clone();
        let ground = self.0.setting().ground.clone();
        let show = book.labels().set(["sit"]);
        let near = |agent: usize| ground.nearest_free(self.0.positions()[agent] + Vec2::new(1.0, 3.0), 0.6);
        let spots = (0..count).filter_map(near).map(|at| Spot { at, facing: Vec2::Y }).collect();
        let exact = Some(Exact { pose: book.pose_showing(show), step: Vec2::ZERO, time: None });
        let stay = Spread::Uniform { least: 2.0, most: 4.0 };
        let seats = Situation::new("seats", Place::Members, Activity::Spend { spots, stay, show, exact });
        let seats = self.0.add_situation(Situation { grants: show, ..seats });
        (0..count).for_each(|agent| self.0.join(agent, seats));
    }

    fn come(&mut self, count: usize) {
        self.0.scatter(count, None, |_| Mind { speed: 1.3, wanders: true, ..Mind::default() });
    }
}

impl Steps for Town {
    fn crowd(&self) -> &Crowd {
        &self.0
    }

    fn step(&mut self) {
        match self.0.frame() {
            50 => [99, 40, 0].into_iter().for_each(|agent| self.0.remove(agent)),
            77 => self.come(7),
            90 => (60..80).for_each(|agent| self.0.hold(agent)),
            200 => (60..80).for_each(|agent| self.0.wake(agent)),
            _ => {}
        }
        self.0.step();
    }
}

#[test]
fn what_is_read_is_where_people_were() {
    for stride in [1u32, 3] {
        let folder = tempfile::tempdir().unwrap();
        let mut town = Town::new();
        let info = RunInfo { stride, ..RunInfo::default() };
        let mut recorded = CrowdRecording::new(&mut town);
        assert!(recorded.has_plans());
        record(&mut recorded, &info, 10.0, folder.path(), &mut |_| (), &|| false).unwrap();
        let run = Run::open(folder.path()).unwrap();

        let mut again = Town::new();
        let mut live = CrowdRecording::new(&mut again);
        let (mut compared, mut still, mut moving) = (0, 0, 0);
        for frame in 0..=300 {
            if frame % stride == 0 {
                let chunk = run.chunk(run.chunk_of(frame).unwrap()).unwrap();
                let record = (frame - chunk.first_frame) / stride;
                let mut there: Vec<_> =
                    chunk.tracks.iter().filter_map(|t| t.at(record).map(|sample| (t.id, *sample))).collect();
                there.sort_by_key(|(id, _)| *id);
                assert_eq!(there.len(), live.count(), "frame {frame}");
                for (index, (id, sample)) in there.into_iter().enumerate() {
                    let moment = live.moment(index);
                    assert_eq!(id, live.id(index));
                    assert_eq!(
                        (sample.clip, sample.style, sample.state),
                        (moment.clip, moment.style, moment.state),
                        "agent {id} in frame {frame}"
                    );
                    let far = sample.position().distance(moment.placement.position);
                    assert!(far < 1.5e-3, "agent {id} is {far} m off in frame {frame}");
                    let turned = sample.placement().heading - moment.placement.heading;
                    assert!(crowdloom_motion::wrap_angle(turned).abs() < 5e-4);
                    assert!((sample.clip_frame() - moment.clip_frame).abs() < 0.02);
                    assert!((sample.metres_a_second() - moment.speed).abs() < 1e-3);
                    compared += 1;
                    *(if moment.speed > 0.0 { &mut moving } else { &mut still }) += 1;
                }
            }
            live.step();
        }
        assert!(again.0.arrival_tally().met >= 2, "{:?}", again.0.arrival_tally());
        assert!(compared > 30_000 / stride && still > 100 && moving > 1000, "{compared} {still} {moving}");
    }
}
