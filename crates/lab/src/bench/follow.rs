//! What bodies that follow discs cost in a frame: gaits, footsteps and hips of everybody, and with them styles.

use crowdloom_crowd::diversity::{Demand, StyleBook, StyleControl, StyleOptions};
use crowdloom_crowd::grid::NeighbourGrid;
use crowdloom_follower::{Follower, Moment, View};
use crowdloom_motion::body::Body;
use crowdloom_motion::styles::{MotionType, StyleLibrary};
use crowdloom_motion::{FRAME_TIME, Placement, builtin};
use glam::Vec2;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The number of followers.
    pub agents: usize,
    /// The number of threads.
    pub threads: usize,
    /// Timed frames; half of them are not slower than what is told.
    pub frames: usize,
    /// Milliseconds of a frame: followers and the choice of styles, without poses.
    pub ms_per_frame: f64,
    /// Milliseconds of it that the followers alone take.
    pub followers_ms: f64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agents, threads, frames, ms_per_frame, followers_ms } = self;
        writeln!(f, "{agents} followers, {threads} threads, {frames} frames, without poses")?;
        write!(f, "{ms_per_frame:.2} ms a frame, {followers_ms:.2} ms of it followers")
    }
}

/// Frames before time counts: loops are made when first played.
const WARM_UP: usize = 450;
const FRAMES: usize = 300;
/// Followers that one job moves.
const JOB: usize = 256;

/// People who wander about on a plaza with a square metre each, some of whom stand for a while.
struct Discs {
    places: Vec<Vec2>,
    frame: u32,
}

impl Discs {
    fn new(agents: usize) -> Self {
        let columns = (agents as f32).sqrt().ceil() as usize;
        let place = |agent: usize| Vec2::new((agent % columns) as f32, (agent / columns) as f32);
        Self { places: (0..agents).map(place).collect(), frame: 0 }
    }

    fn velocity(agent: usize, frame: u32) -> Vec2 {
        let own = agent as f32 * 2.399;
        let speed =
            if (frame / 90 + agent as u32).is_multiple_of(5) { 0.0 } else { 0.8 + (agent % 7) as f32 * 0.12 };
        Vec2::from_angle(own + frame as f32 * 0.01 * if agent.is_multiple_of(2) { 1.0 } else { -1.0 }) * speed
    }

    fn step(&mut self) {
        self.frame += 1;
        for (agent, place) in self.places.iter_mut().enumerate() {
            *place += Self::velocity(agent, self.frame) * FRAME_TIME;
        }
    }
}

/// Runs the benchmark.
pub fn run(agents: usize) -> Report {
    let options = crowdloom_motion::styles::StyleOptions::default();
    let library = StyleLibrary::build(&builtin::library(), &options);
    let Ok((library, _)) = library else {
        return Report { agents: 0, threads: 0, frames: 0, ms_per_frame: 0.0, followers_ms: 0.0 };
    };
    let book = Arc::new(StyleBook::new(Arc::new(library)));
    let skeleton = book.library().skeleton();
    let leg = Body::guess(skeleton).leg_length(skeleton).unwrap_or(0.85);
    let mut control = StyleControl::new(Arc::clone(&book), StyleOptions::default(), Vec::new(), 1);
    (0..agents).for_each(|_| control.add(0, Demand { kind: MotionType::Walking, speed: 1.3, rate: None }));
    let moment = |control: &StyleControl, agent: usize| {
        let playing = control.playing()[agent];
        let number = book.number(playing.from, playing.style, playing.start);
        let (frame, rate, kind) = (playing.frame, control.rate(agent), book.kind(playing.style));
        Moment { played: book.played(number), number: number as u32, frame, rate, kind, leg, size: 1.0 }
    };
    let mut discs = Discs::new(agents);
    let mut followers: Vec<Follower> = (0..agents)
        .map(|agent| {
            let at = Placement { position: discs.places[agent], heading: 0.0 };
            Follower::new(at, Discs::velocity(agent, 0), &moment(&control, agent))
        })
        .collect();
    let mut grid = NeighbourGrid::default();
    let mut times: Vec<[f64; 2]> = Vec::with_capacity(FRAMES);
    for frame in 0..WARM_UP + FRAMES {
        discs.step();
        grid.rebuild(&discs.places, 2.0);
        let begin = Instant::now();
        followers
            .par_iter_mut()
            .zip(&discs.places)
            .with_min_len(JOB)
            .for_each(|(own, place)| own.watch(*place));
        let watched = begin.elapsed();
        let styles: Vec<u16> = control.playing().iter().map(|playing| playing.style).collect();
        control.step(&grid, &discs.places, |agent, current| {
            let follower = &followers[agent];
            let rate = Some(follower.cadence(book.speed(styles[agent])));
            Demand { kind: follower.wants(current), speed: follower.speed(), rate }
        });
        let chosen = begin.elapsed();
        followers.par_iter_mut().enumerate().with_min_len(JOB).for_each(|(agent, own)| {
            own.go(discs.places[agent], &moment(&control, agent), View::default());
        });
        let all = begin.elapsed();
        if frame >= WARM_UP {
            let milliseconds = |duration: std::time::Duration| duration.as_secs_f64() * 1e3;
            times.push([milliseconds(all), milliseconds(all - chosen + watched)]);
        }
    }
    let median = |part: usize| {
        let mut own: Vec<f64> = times.iter().map(|time| time[part]).collect();
        own.sort_by(f64::total_cmp);
        own[own.len() / 2]
    };
    let threads = rayon::current_num_threads();
    Report { agents, threads, frames: FRAMES, ms_per_frame: median(0), followers_ms: median(1) }
}
