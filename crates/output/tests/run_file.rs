//! Run files: what goes in comes out, at any moment, and from a file that was cut off anywhere.

use crowdloom_motion::{Clip, Joint, Placement, Skeleton};
use crowdloom_output::run::{
    ClipEntry, Moment, PARTIAL_NAME, RUN_NAME, Recordable, Run, RunInfo, Sample, record,
};
use crowdloom_world::{Ground, Outline, rectangle};
use glam::{DVec2, Quat, Vec3};

/// Agents on circles; agent `n` is there from frame `5 n` on, and every third has breaks.
struct Dancers {
    frame: u32,
    agents: u32,
    ground: Ground,
    skeleton: Skeleton,
}

impl Dancers {
    fn new(agents: u32) -> Self {
        let floor = Outline::solid("floor", rectangle(DVec2::ZERO, DVec2::splat(50.0)));
        let joint = Joint { name: "Hips".into(), parent: None, offset: Vec3::Z, tip: Some(Vec3::Z) };
        Self {
            frame: 100,
            agents,
            ground: Ground::builder().floor(floor).build().unwrap(),
            skeleton: Skeleton::new(vec![joint]).unwrap(),
        }
    }

    fn there(&self) -> Vec<u32> {
        let here =
            |id: &u32| self.frame >= 100 + id * 5 && (!id.is_multiple_of(3) || (self.frame + id) % 41 > 7);
        (0..self.agents).filter(here).collect()
    }

    fn of(frame: u32, id: u32) -> Moment {
        let angle = frame as f32 * 0.05 + id as f32;
        let (sin, cos) = libm::sincosf(angle);
        Moment {
            placement: Placement::new(25.0 + 3.0 * cos + id as f32, 25.0 + 3.0 * sin, angle),
            speed: 4.5,
            clip: (id % 2) as u16,
            clip_frame: (frame % 9) as f32 * 1.15,
            style: (id % 3) as u8,
            state: (frame / 50 % 2) as u8,
            under: None,
            stance: None,
        }
    }
}

impl Recordable for Dancers {
    fn step(&mut self) {
        self.frame += 1;
    }
    fn frame(&self) -> u32 {
        self.frame
    }
    fn count(&self) -> usize {
        self.there().len()
    }
    fn id(&self, index: usize) -> u32 {
        self.there()[index]
    }
    fn moment(&self, index: usize) -> Moment {
        Self::of(self.frame, self.id(index))
    }
    fn about(&self, index: usize) -> String {
        format!("dancer {} in round {}", self.id(index), self.frame / 120)
    }
    fn about_mark(&self, _: usize) -> u64 {
        u64::from(self.frame / 120)
    }
    fn ground(&self) -> &Ground {
        &self.ground
    }
    fn radius(&self) -> f32 {
        0.2
    }
    fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }
    fn clips(&self) -> Vec<ClipEntry> {
        ["left", "right", "never"].map(|name| ClipEntry { name: name.into(), labels: vec![] }).to_vec()
    }
    fn clip(&self, number: u16) -> Clip {
        Clip {
            name: String::new(),
            labels: vec![],
            ends: None,
            track: vec![Placement::IDENTITY; 10],
            root_heights: vec![1.0; 10],
            rotations: vec![Quat::from_rotation_x(f32::from(number)); 10],
            contacts: vec![Default::default(); 10],
            radii: vec![0.2; 10],
        }
    }
    fn styles(&self) -> Vec<String> {
        vec!["a".into(), "b".into(), "c".into()]
    }
    fn states(&self) -> Vec<String> {
        vec!["on".into(), "off".into()]
    }
}

fn record_dancers(folder: &std::path::Path, interrupt: bool) -> crowdloom_output::run::Summary {
    let info = RunInfo { name: "dance".into(), seed: 3, scene: "text = 1".into(), stride: 1, save_every: 0 };
    record(&mut Dancers::new(12), &info, 7.3, folder, &mut |_| {}, &|| interrupt).unwrap()
}

#[test]
fn a_run_comes_back_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    let summary = record_dancers(folder.path(), false);
    assert!(!folder.path().join(PARTIAL_NAME).exists());
    let run = Run::open(folder.path()).unwrap();
    assert_eq!((run.frames(), run.header().name.as_str(), run.header().seed), (100..320, "dance", 3));
    assert_eq!(run.clips().keys().copied().collect::<Vec<_>>(), [0, 1], "only clips that are shown");
    assert_eq!((run.end().unwrap().agents, summary.agents, run.chunk_count()), (12, 12, 4));
    let mut dancers = Dancers::new(12);
    for frame in (100..320).rev() {
        dancers.frame = frame;
        let chunk = run.chunk(run.chunk_of(frame).unwrap()).unwrap();
        let record = frame - chunk.first_frame;
        let mut seen: Vec<(u32, Sample)> =
            chunk.tracks.iter().filter_map(|track| Some((track.id, *track.at(record)?))).collect();
        seen.sort_unstable_by_key(|(id, _)| *id);
        let expected = dancers.there().into_iter().map(|id| {
            let moment = Dancers::of(frame, id);
            let names = (moment.style, moment.state);
            (id, Sample::new(moment.placement, moment.speed, moment.clip, moment.clip_frame, names))
        });
        assert_eq!(seen, expected.collect::<Vec<_>>(), "frame {frame}");
    }
    assert!(run.chunk_of(99).is_none() && run.chunk_of(320).is_none());
    assert!(summary.bytes_per_agent_frame < 12.0);
}

#[test]
fn a_file_cut_off_anywhere_is_read_up_to_its_last_whole_block() {
    let folder = tempfile::tempdir().unwrap();
    record_dancers(folder.path(), false);
    let whole = std::fs::read(folder.path().join(RUN_NAME)).unwrap();
    let run = Run::open(folder.path()).unwrap();
    let ends: Vec<usize> =
        run.blocks().iter().map(|block| block.at as usize + 16 + block.prefix.stored).collect();
    assert_eq!(ends.last(), Some(&whole.len()));
    let cut = folder.path().join("cut");
    std::fs::create_dir(&cut).unwrap();
    for length in 0..whole.len() {
        std::fs::write(cut.join(PARTIAL_NAME), &whole[..length]).unwrap();
        match Run::open(&cut) {
            Ok(run) => {
                assert_eq!(run.blocks().len(), ends.iter().filter(|&&end| end <= length).count());
                assert!(run.end().is_none());
                (0..run.chunk_count()).for_each(|chunk| assert!(run.chunk(chunk).is_ok()));
            }
            Err(_) => assert!(length < ends[0], "not even a header in {length} bytes"),
        }
    }
}

#[test]
fn an_interrupted_run_is_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    assert!(record_dancers(folder.path(), true).interrupted);
    let run = Run::open(folder.path()).unwrap();
    assert_eq!(run.frames(), 100..101);
    assert!(run.end().unwrap().interrupted);
}

#[test]
fn nothing_is_left_under_a_final_name_where_writing_fails() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let info = RunInfo::default();
    let error = record(&mut Dancers::new(3), &info, 1.0, &file, &mut |_| {}, &|| false);
    assert!(error.unwrap_err().to_string().contains("file"));
    // A device that is always full.
    let full = std::path::Path::new("/dev/full");
    if full.exists() {
        let folder = folder.path().join("full");
        std::fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(full, folder.join(PARTIAL_NAME)).unwrap();
        let result = record(&mut Dancers::new(3), &info, 60.0, &folder, &mut |_| {}, &|| false);
        assert!(result.unwrap_err().to_string().contains(PARTIAL_NAME));
        assert!(!folder.join(RUN_NAME).exists());
    }
}
