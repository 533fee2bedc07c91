//! `crowdloom experiment NAME`.

use super::report;
use super::running::{Running, run_and_write};
use crowdloom_crowd::cell_marking::SegmentOptions;
use crowdloom_crowd::diversity::{Scheme, StyleBook};
use crowdloom_lab::experiment::cell_marking::film_study;
use crowdloom_lab::experiment::diversity::clone_study;
use crowdloom_lab::experiment::reference::DOORS;
use crowdloom_lab::experiment::{self, bottleneck, diversity, following, fundamental_diagram, plans};
use crowdloom_lab::staged::MOVERS;
use crowdloom_lab::verify::fundamental_diagram::weidmann;
use crowdloom_motion::draft::write_whole;
use crowdloom_motion::styles::StyleLibrary;
use crowdloom_output::fundamental_diagram::{Series, plot_doors, plot_fundamental_diagram};
use crowdloom_output::path_plot::{Paths, plot_paths};
use crowdloom_output::run::{CrowdRecording, RunInfo};
use miette::{Context, IntoDiagnostic, miette};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of `crowdloom experiment`.
#[derive(clap::Args)]
pub struct Experiment {
    /// Which experiment to reproduce.
    name: Name,
    #[command(flatten)]
    running: Running,
    /// Diversity only: run this scene and write it, to be looked at.
    #[arg(long, requires = "output")]
    scene: Option<String>,
    /// With --scene: the folder to write the run, its replay page and its report to.
    #[arg(short, long, requires = "scene")]
    output: Option<PathBuf>,
    /// Following, and diversity with --scene: how many seconds.
    #[arg(long, default_value_t = 30.0)]
    seconds: f32,
    /// With --scene: choose styles by lot.
    #[arg(long, requires = "scene")]
    random: bool,
    /// Diversity only: a style library of `crowdloom motion styles` [default: the built-in styles].
    #[arg(long)]
    styles: Option<PathBuf>,
    /// Diversity and cell-marking: write the page of the source's user study (who moves alike; which film is more real) here and run
    /// nothing else.
    #[arg(long, value_name = "PAGE.html", conflicts_with = "scene")]
    study: Option<PathBuf>,
    /// Diversity and cell-marking: analyse these answers of the study's participants and run nothing else.
    #[arg(long, value_name = "CSV", num_args = 1.., conflicts_with_all = ["scene", "study"])]
    answers: Vec<PathBuf>,
    /// Diversity, following, funnel, fundamental-diagram, bottleneck and plans: the first of the seeds that are run
    /// [default: 1, for diversity 101].
    #[arg(long)]
    first_seed: Option<u64>,
    /// Cell-marking: also vary the side of cells, δ and w_θ.
    #[arg(long)]
    sweep: bool,
    /// Diversity, fundamental-diagram, bottleneck and cell-marking: how many seeds are run [default: 8, 3, 20 and 20].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Fundamental-diagram, bottleneck and plans: only this mover; may be given several times [default: all].
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(MOVERS))]
    mover: Vec<String>,
    /// Following, fundamental-diagram, bottleneck and plans: only the scene, geometry or plan of this name; may be given
    /// several times [default: all].
    #[arg(long)]
    only: Vec<String>,
    /// Plans only: how many walk alone on each plan.
    #[arg(long, default_value_t = 50)]
    alone: usize,
    /// Plans only: how many leave each plan together.
    #[arg(long, default_value_t = 300)]
    leaving: usize,
    /// Cell marking and funnel: where to draw everybody's way; fundamental-diagram and bottleneck: what was found beside what was
    /// measured of people; city, situations and synthesis: their figures; as SVG.
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Locomotion: a folder of captures (BVH, `PERSON_NUMBER.bvh`) whose cycles are learnt, too.
    #[arg(long, value_name = "FOLDER")]
    captures: Option<PathBuf>,
    /// Frames that each case of `city` and `situations` is run for.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Name {
    /// Doors, doors both ways, streams, a crossing and a T junction: flow, and who is left.
    Bottleneck,
    /// Captured motion in the planning step beside RVO (Brunner 2014, tables 5.1 and 5.2).
    CellMarking,
    /// The virtual city: memory, time and collision tests (Sung 2005, table 6.1, figures 6.4 to 6.6).
    City,
    /// Motion styles beside styles by lot (Gu and Deng 2010, section VI).
    Diversity,
    /// 250 people leave a room through a door of one metre.
    Door,
    /// Bodies that follow discs: feet that stay put, hips that do not jerk, roots near discs, in six crowds.
    Following,
    /// Speed against density in corridors, a ring and single file, beside what was measured of people.
    FundamentalDiagram,
    /// Seek and funnel: 42 people with places and directions of their own, and 1,000 (section 4.9 of the source, figure 4.20).
    Funnel,
    /// The locomotion engine: variance kept, times, and feet at every speed (chapter 4 of its source, tables 4.1 and 4.2).
    Locomotion,
    /// People alone and a crowd on plans of buildings, streets and mazes: who arrives, and when.
    Plans,
    /// Memory and time against the number of situations and of people (Sung 2005, figure 3.11).
    Situations,
    /// Constrained motion synthesis (Sung, Kovar and Gleicher 2005, table 1, figures 11 and 12).
    Synthesis,
}

impl Experiment {
    /// Runs the experiment and prints its report.
    pub fn run(self) -> miette::Result<()> {
        if self.name != Name::Diversity && (self.scene.is_some() || self.styles.is_some()) {
            return Err(miette!("--scene and --styles are for `crowdloom experiment diversity`"));
        }
        let has_study = matches!(self.name, Name::Diversity | Name::CellMarking);
        if !has_study && (self.study.is_some() || !self.answers.is_empty()) {
            return Err(miette!("--study and --answers are for diversity and cell-marking"));
        }
        let of_movers = matches!(self.name, Name::FundamentalDiagram | Name::Bottleneck | Name::Plans);
        let is_plotted = matches!(
            self.name,
            Name::FundamentalDiagram
                | Name::Bottleneck
                | Name::CellMarking
                | Name::Funnel
                | Name::City
                | Name::Situations
                | Name::Synthesis
        );
        if !is_plotted && self.plot.is_some() {
            return Err(miette!(
                "--plot is for cell-marking, fundamental-diagram, funnel, bottleneck, city, situations and synthesis"
            ));
        }
        if self.sweep && self.name != Name::CellMarking {
            return Err(miette!("--sweep is for cell-marking"));
        }
        if !of_movers && !self.mover.is_empty() {
            return Err(miette!("--mover is for fundamental-diagram, bottleneck and plans"));
        }
        self.check_only()?;
        let json = self.running.json;
        match self.name {
            Name::Bottleneck => self.bottleneck(),
            Name::CellMarking => self.cell_marking(),
            Name::City => {
                let found = experiment::city::run(self.steps);
                self.write_curves(|| found.plot())?;
                report(&found, json)
            }
            Name::Diversity => self.diversity(),
            Name::Door => report(&experiment::door::run(), json),
            Name::Following => {
                let asked = |name: &&str| self.only.is_empty() || self.only.iter().any(|own| own == name);
                let names: Vec<&'static str> = following::SCENES.into_iter().filter(asked).collect();
                let found = following::run(&names, self.seconds, self.first_seed.unwrap_or(1));
                report(&found.map_err(|error| miette!("{error}"))?, json)
            }
            Name::FundamentalDiagram => self.fundamental_diagram(),
            Name::Funnel => self.funnel(),
            Name::Locomotion => {
                let found = experiment::locomotion::run(self.captures.as_deref());
                report(&found.ok_or_else(|| miette!("the built-in gait cannot be learnt"))?, json)
            }
            Name::Plans => {
                let (movers, seeds) = self.extent(1);
                let (seed, only, alone, leaving) = (seeds.start, self.only.clone(), self.alone, self.leaving);
                let extent = plans::Extent { movers, seed, only, alone, leaving, reduced: false };
                report(&plans::run(&extent), json)
            }
            Name::Situations => {
                let found = experiment::situations::run(self.steps);
                self.write_curves(|| found.plot())?;
                report(&found, json)
            }
            Name::Synthesis => {
                let found = experiment::synthesis::run();
                self.write_curves(|| found.plot())?;
                report(&found, json)
            }
        }
    }

    /// Writes the figures of an experiment, where they are asked for.
    fn write_curves(&self, plot: impl FnOnce() -> String) -> miette::Result<()> {
        self.plot.as_ref().map_or(Ok(()), |file| write_plot(file, &plot()))
    }

    /// Whether all names that `--only` has are known.
    fn check_only(&self) -> miette::Result<()> {
        let known: Vec<String> = match self.name {
            Name::Bottleneck => bottleneck::SCENES.map(String::from).to_vec(),
            Name::Following => following::SCENES.map(String::from).to_vec(),
            Name::FundamentalDiagram => fundamental_diagram::GEOMETRIES.map(String::from).to_vec(),
            Name::Plans => plans::names(),
            _ if self.only.is_empty() => return Ok(()),
            _ => return Err(miette!("--only is for following, fundamental-diagram, bottleneck and plans")),
        };
        match self.only.iter().find(|name| !known.contains(name)) {
            Some(name) => Err(miette!(help = known.join("\n"), "there is nothing called `{name}` to run")),
            None => Ok(()),
        }
    }

    /// Movers and seeds that were asked for.
    fn extent(&self, usual: u64) -> (Vec<String>, std::ops::Range<u64>) {
        let movers =
            if self.mover.is_empty() { MOVERS.map(String::from).to_vec() } else { self.mover.clone() };
        let first = self.first_seed.unwrap_or(1);
        (movers, first..first.saturating_add(self.seeds.unwrap_or(usual)))
    }

    fn bottleneck(self) -> miette::Result<()> {
        let (movers, seeds) = self.extent(20);
        let found =
            bottleneck::run(&bottleneck::Extent { movers, seeds, only: self.only.clone(), reduced: false });
        if let Some(file) = &self.plot {
            write_plot(
                file,
                &plot_doors(&found.curves().into_iter().map(series).collect::<Vec<_>>(), &DOORS),
            )?;
        }
        report(&found, self.running.json)
    }

    fn fundamental_diagram(self) -> miette::Result<()> {
        let (movers, seeds) = self.extent(3);
        let found = fundamental_diagram::run(&fundamental_diagram::Extent {
            movers,
            seeds,
            only: self.only.clone(),
            reduced: false,
        });
        if let Some(file) = &self.plot {
            let mut all = vec![Series { name: "people (HERMES)".into(), points: found.measured.clone() }];
            all.extend(found.curves().into_iter().map(series));
            write_plot(file, &plot_fundamental_diagram(&all, weidmann))?;
        }
        report(&found, self.running.json)
    }

    fn cell_marking(self) -> miette::Result<()> {
        if !self.answers.is_empty() {
            let found = self.read_answers(|texts| film_study::count(texts.iter().copied()))?;
            return report(&found, self.running.json);
        }
        if let Some(file) = &self.study {
            let setup = experiment::cell_marking::Setup::new(&SegmentOptions::default());
            return write_plot(file, &film_study::page(&setup, self.first_seed.unwrap_or(1)));
        }
        let mut found = experiment::cell_marking::run(self.seeds.unwrap_or(20) as usize, self.sweep);
        if let Some(file) = &self.plot {
            let paths = |row: &mut experiment::cell_marking::Row| Paths {
                title: format!("{}, {}: {:.0} s", row.scenario.name(), row.method.name(), row.seconds),
                ways: std::mem::take(&mut row.ways),
            };
            let runs: Vec<Paths> = found.rows.iter_mut().map(paths).collect();
            write_plot(file, &plot_paths(&runs, experiment::cell_marking::Method::ALL.len()))?;
        }
        report(&found, self.running.json)
    }

    fn funnel(self) -> miette::Result<()> {
        let mut found = experiment::funnel::run(self.first_seed.unwrap_or(1));
        if let Some(file) = &self.plot {
            let paths = |row: &mut experiment::funnel::Row| Paths {
                title: format!("{}, {} people", row.controller, row.people),
                ways: std::mem::take(&mut row.ways),
            };
            let runs: Vec<Paths> = found.groups.iter_mut().map(paths).collect();
            write_plot(file, &plot_paths(&runs, runs.len()))?;
        }
        report(&found, self.running.json)
    }

    fn diversity(self) -> miette::Result<()> {
        let json = self.running.json;
        if !self.answers.is_empty() {
            return report(&self.read_answers(|texts| clone_study::analyse(texts.iter().copied()))?, json);
        }
        let library = Arc::new(match &self.styles {
            Some(path) => StyleLibrary::load(path).into_diagnostic()?,
            None => diversity::builtin_styles(),
        });
        if let Some(file) = &self.study {
            return write_plot(file, &clone_study::page(&library, self.first_seed.unwrap_or(1)));
        }
        let (Some(name), Some(folder)) = (&self.scene, &self.output) else {
            let first = self.first_seed.unwrap_or(diversity::FIRST_SEED);
            let seeds = first..first.saturating_add(self.seeds.unwrap_or(8));
            return report(&diversity::run(&library, seeds, 100), self.running.json);
        };
        let Some(scene) = diversity::Scene::named(name) else {
            let known: Vec<&str> = diversity::Scene::ALL.iter().map(|scene| scene.name()).collect();
            return Err(miette!(help = known.join("\n"), "there is no scene called `{name}`"));
        };
        if !(0.0..=3600.0).contains(&self.seconds) {
            return Err(miette!("--seconds must be between 0 and 3600, not {}", self.seconds));
        }
        let scheme = if self.random { Scheme::Random } else { Scheme::Diverse };
        let info = RunInfo { name: name.clone(), seed: 1, scene: String::new(), stride: 1, save_every: 0 };
        let mut simulation = diversity::build(scene, &Arc::new(StyleBook::new(library)), scheme, 1);
        let mut recording = CrowdRecording::new(&mut simulation);
        run_and_write(&mut recording, &info, self.seconds, folder, &self.running)
    }
}

impl Experiment {
    /// What the participants of a study answered, all together, as `analyse` sees it.
    fn read_answers<T, E>(&self, analyse: impl Fn(&[&str]) -> Result<T, E>) -> miette::Result<T>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let read = |file: &PathBuf| {
            let text = std::fs::read_to_string(file).into_diagnostic();
            text.wrap_err_with(|| format!("cannot read {}", file.display()))
        };
        let texts: Vec<String> = self.answers.iter().map(read).collect::<miette::Result<_>>()?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        // Each by itself first: a mistake is told with its file.
        for (file, text) in self.answers.iter().zip(&texts) {
            let alone = analyse(std::slice::from_ref(text)).into_diagnostic();
            alone.wrap_err_with(|| format!("cannot read {}", file.display()))?;
        }
        analyse(&texts).into_diagnostic()
    }
}

fn series((name, points): (String, Vec<(f32, f32)>)) -> Series {
    Series { name, points }
}

fn write_plot(file: &Path, svg: &str) -> miette::Result<()> {
    write_whole(file, svg).into_diagnostic().wrap_err_with(|| format!("cannot write {}", file.display()))
}
