//! Many runs of one scene with other seeds: what they come to together.

use crate::report::{plot, plots, whole_page};
use crate::run::{WriteError, write_whole};
use crowdloom_crowd::Steps;
use crowdloom_motion::FRAME_RATE;
use crowdloom_scene::{SceneError, Simulation};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most moments of the egress curve.
const MOMENTS: usize = 600;

/// What one run came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OneRun {
    /// The seed.
    pub seed: u64,
    /// Different people.
    pub people: usize,
    /// People who left before the end.
    pub left: usize,
    /// People who were still there at the end.
    pub stayed: usize,
    /// Goals reached.
    pub goals_reached: u64,
    /// Mean speed over all people and frames, in metres a second.
    pub mean_speed_m_s: f32,
    /// When half of those who left were out, in seconds.
    pub t50_s: Option<f32>,
    /// When 95 % of those who left were out, in seconds.
    pub t95_s: Option<f32>,
    /// When the last of those who left was out, in seconds.
    pub total_s: Option<f32>,
    /// When each left, in order, in seconds.
    #[serde(skip)]
    pub curve: Vec<f32>,
}

/// A mean, and the band that holds nine of ten runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Band {
    /// The mean.
    pub mean: f32,
    /// What 5 % of the runs are below.
    pub p5: f32,
    /// What 95 % of the runs are below.
    pub p95: f32,
}

impl Band {
    /// The band of some numbers; none of no numbers.
    pub fn of(mut numbers: Vec<f32>) -> Option<Self> {
        numbers.sort_by(f32::total_cmp);
        let last = numbers.len().checked_sub(1)? as f32;
        // Between two runs as between two marks of a ruler.
        let quantile = |share: f32| {
            let place = share * last;
            let below = place as usize;
            let above = (below + 1).min(numbers.len() - 1);
            numbers[below] + (numbers[above] - numbers[below]) * (place - below as f32)
        };
        let mean = numbers.iter().sum::<f32>() / numbers.len() as f32;
        Some(Self { mean, p5: quantile(0.05), p95: quantile(0.95) })
    }
}

/// How many had left by a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// The moment, in seconds.
    pub time_s: f32,
    /// How many had left.
    #[serde(flatten)]
    pub left: Band,
}

/// What all runs came to.
#[derive(Clone, Debug, Serialize)]
pub struct ManyRuns {
    /// The scene's name.
    pub name: String,
    /// How long each run was, in seconds.
    pub seconds: f32,
    /// Each of them, in the order of the seeds.
    pub runs: Vec<OneRun>,
    /// The band of each number by name, over the runs that have it.
    pub bands: Vec<(&'static str, Band)>,
    /// How many had left by when.
    pub egress: Vec<Moment>,
    /// Whether it was interrupted before all seeds were run.
    pub interrupted: bool,
}

/// Runs a scene once.
pub fn run_once(
    simulation: &mut Simulation,
    seed: u64,
    seconds: f32,
    interrupt: &AtomicBool,
) -> Option<OneRun> {
    let mut found = OneRun { seed, ..OneRun::default() };
    let (mut way, mut steps, mut present) = (0.0f64, 0usize, Vec::new());
    let mut before = std::collections::BTreeMap::new();
    for frame in 0..(seconds * FRAME_RATE) as u32 {
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        simulation.step();
        let crowd = simulation.crowd();
        present.clear();
        present.extend((0..crowd.len()).map(|index| (crowd.id(index), crowd.positions()[index])));
        for (id, position) in &present {
            match before.insert(*id, (frame, *position)) {
                Some((_, last)) => (way, steps) = (way + f64::from(position.distance(last)), steps + 1),
                None => found.people += 1,
            }
        }
        // Who was not seen in this frame has left.
        let gone = before.len() - present.len();
        before.retain(|_, (seen, _)| *seen == frame);
        found.curve.extend(std::iter::repeat_n((frame + 1) as f32 / FRAME_RATE, gone));
    }
    let crowd = simulation.crowd();
    (found.left, found.stayed) = (found.curve.len(), crowd.len());
    found.goals_reached = crowd.goals_reached();
    found.mean_speed_m_s = (way / steps.max(1) as f64) as f32 * FRAME_RATE;
    let share = |share: f32| {
        let number = (found.curve.len() as f32 * share).ceil() as usize;
        found.curve.get(number.saturating_sub(1)).copied()
    };
    (found.t50_s, found.t95_s, found.total_s) = (share(0.5), share(0.95), share(1.0));
    Some(found)
}

/// Runs the scene that `load` gives for each of `seeds`, `jobs` of them side by side; `note` is told how many are done.
/// Without `seconds` runs are as long as the scene says.
pub fn run_many(
    load: &(dyn Fn(u64) -> Result<Simulation, SceneError> + Sync),
    seeds: &[u64],
    seconds: Option<f32>,
    jobs: usize,
    interrupt: &AtomicBool,
    note: &(dyn Fn(usize) + Sync),
) -> Result<ManyRuns, SceneError> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new((Vec::<OneRun>::new(), None::<(String, f32)>));
    let work = || -> Result<(), SceneError> {
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut simulation = load(seed)?;
            let seconds = seconds.unwrap_or(simulation.frames() as f32 / FRAME_RATE);
            let Some(run) = run_once(&mut simulation, seed, seconds, interrupt) else { break };
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.0.push(run);
            found.1.get_or_insert_with(|| (simulation.name().to_owned(), seconds));
            note(found.0.len());
        }
        Ok(())
    };
    std::thread::scope(|threads| {
        // Runs side by side are quicker than threads inside of one.
        let alone = || match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(),
        };
        let started: Vec<_> = (0..jobs.clamp(1, seeds.len().max(1))).map(|_| threads.spawn(alone)).collect();
        started.into_iter().try_for_each(|thread| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let (mut runs, told) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Whoever was done first.
    runs.sort_by_key(|run| seeds.iter().position(|seed| *seed == run.seed));
    let (name, seconds) = told.unwrap_or_default();
    let interrupted = runs.len() < seeds.len();
    Ok(ManyRuns { bands: bands(&runs), egress: egress(&runs, seconds), name, seconds, runs, interrupted })
}

fn bands(runs: &[OneRun]) -> Vec<(&'static str, Band)> {
    let band = |name, number: &dyn Fn(&OneRun) -> Option<f32>| {
        Some((name, Band::of(runs.iter().filter_map(number).collect())?))
    };
    let bands = [
        band("people", &|run| Some(run.people as f32)),
        band("left", &|run| Some(run.left as f32)),
        band("stayed", &|run| Some(run.stayed as f32)),
        band("goals_reached", &|run| Some(run.goals_reached as f32)),
        band("mean_speed_m_s", &|run| Some(run.mean_speed_m_s)),
        band("t50_s", &|run| run.t50_s),
        band("t95_s", &|run| run.t95_s),
        band("total_s", &|run| run.total_s),
    ];
    bands.into_iter().flatten().collect()
}

/// How many had left, second by second, or less often in long runs.
fn egress(runs: &[OneRun], seconds: f32) -> Vec<Moment> {
    let step = (seconds / MOMENTS as f32).ceil().max(1.0);
    let by = |time_s: f32| {
        let left = |run: &OneRun| run.curve.partition_point(|left| *left <= time_s) as f32;
        Some(Moment { time_s, left: Band::of(runs.iter().map(left).collect())? })
    };
    (0..=(seconds / step) as usize).filter_map(|moment| by(moment as f32 * step)).collect()
}

/// A number's name in words, with its unit.
fn label(name: &str) -> String {
    let (name, unit) = match (name.strip_suffix("_m_s"), name.strip_suffix("_s")) {
        (Some(name), _) => (name, ", m/s"),
        (None, Some(name)) => (name, ", s"),
        (None, None) => (name, ""),
    };
    name.replace('_', " ") + unit
}

impl ManyRuns {
    /// Writes `folder/runs.html` and `folder/runs.json`, and returns their paths.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, WriteError> {
        let (html, json) = (folder.join("runs.html"), folder.join("runs.json"));
        std::fs::create_dir_all(folder).map_err(|cause| WriteError { path: folder.to_owned(), cause })?;
        write_whole(&html, self.html().as_bytes())?;
        let text = serde_json::to_vec_pretty(self)
            .map_err(|error| WriteError { path: json.clone(), cause: error.into() })?;
        write_whole(&json, &text)?;
        Ok(vec![html, json])
    }

    /// The page of all runs.
    pub fn html(&self) -> String {
        let mut page = format!(
            "<p>{} runs of {:.1} s with other seeds{}</p><h2>Means, and what nine of ten runs lie between</h2>\
             <table><tr><th></th><th>mean</th><th>5 %</th><th>95 %</th></tr>",
            self.runs.len(),
            self.seconds,
            if self.interrupted { " · interrupted before all were run" } else { "" }
        );
        for (name, Band { mean, p5, p95 }) in &self.bands {
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{mean:.2}</td><td>{p5:.2}</td><td>{p95:.2}</td></tr>",
                label(name)
            );
        }
        page.push_str("</table>");
        if self.runs.iter().any(|run| run.left > 0) {
            let points: Vec<(f32, Band)> =
                self.egress.iter().map(|moment| (moment.time_s, moment.left)).collect();
            let plot = plot::band("People who have left", "time, s", "people", &points);
            let _ = write!(
                page,
                "<h2>Leaving</h2><p>The mean, and the band that holds nine of ten runs.</p>{}",
                plots([plot])
            );
        }
        page.push_str(
            "<h2>Runs</h2><table><tr><th>seed</th><th>people</th><th>left</th><th>half out, s</th><th>95 % out, s</th><th>last out, s</th><th>mean speed, m/s</th></tr>",
        );
        let number = |value: Option<f32>| value.map_or("–".into(), |value| format!("{value:.1}"));
        for run in &self.runs {
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}</td></tr>",
                run.seed,
                run.people,
                run.left,
                number(run.t50_s),
                number(run.t95_s),
                number(run.total_s),
                run.mean_speed_m_s
            );
        }
        whole_page(&self.name, "runs", &(page + "</table>"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_hold_nine_of_ten() {
        let band = Band::of((0..=100).rev().map(|number| number as f32).collect()).unwrap();
        assert_eq!(band, Band { mean: 50.0, p5: 5.0, p95: 95.0 });
        assert_eq!(Band::of(vec![3.0]), Some(Band { mean: 3.0, p5: 3.0, p95: 3.0 }));
        assert_eq!(Band::of(Vec::new()), None);
    }
}
