//! Times the velocity movers in the two scenes that others are timed in, and says how good the crowds are.
//!
//! `plaza`: N agents in a square of N m², random goals replaced on arrival. `circle`: N agents on a circle cross to the
//! opposite side. Wishes (the direction to the goal) are part of the timed step. The models are bare, without manners,
//! as those of others are.

use crowdloom_crowd::random::{Purpose, Random};
use crowdloom_crowd::velocity::{
    Boids, Hidac, Manners, Model, Orca, Rvo, SocialForce, Surroundings, VelocityCrowd, Walker,
};
use glam::Vec2;
use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// Which runs to make; everything when a filter is `None`.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The number of agents.
    pub agents: Option<usize>,
    /// The model, as in the report.
    pub model: Option<String>,
    /// The scene, as in the report.
    pub scene: Option<String>,
    /// Threads; all when `None`.
    pub threads: Option<usize>,
}

/// What the benchmark measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// One entry for each model, scene and number of agents.
    pub runs: Vec<Run>,
}

/// One scene with one model.
#[derive(Debug, Serialize)]
pub struct Run {
    /// The model.
    pub model: &'static str,
    /// The scene.
    pub scene: &'static str,
    /// The number of agents.
    pub agents: usize,
    /// The number of threads.
    pub threads: usize,
    /// Agents times steps by seconds of computing, over all timed steps of the best of three runs, as others are timed.
    pub agent_steps_per_s: f64,
    /// Steps in a timed run, after the warm-up.
    pub steps: usize,
    /// Mean speed that all agents made good over the timed steps, by where they really got to, in metres per second.
    pub mean_speed: f64,
    /// Mean speed towards the goal, by where agents really got to, in metres per second.
    pub progress: f64,
    /// Pairs that overlap after the last step, however little.
    pub overlapping_pairs: usize,
    /// Depth in metres that half, 95 % and all of these overlaps are not above.
    pub overlap_depths: [f32; 3],
    /// Goals that an agent reaches in a second, over the timed steps.
    pub goals_per_agent_s: f64,
}

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const WARM_UP: usize = 30;
/// Runs of which the best counts.
const REPEATS: usize = 3;
const PREFERRED_SPEED: f32 = 1.34;

/// Runs the benchmark.
pub fn run(filter: &Filter) -> Report {
    let models: [Model; 5] = [
        Model::Orca(Orca::default()),
        Model::SocialForce(SocialForce::default()),
        Model::Hidac(Hidac::default()),
        Model::Boids(Boids::default()),
        Model::Rvo(Rvo::default()),
    ];
    let threads = filter.threads.unwrap_or_else(rayon::current_num_threads).max(1);
    let mut runs = Vec::new();
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else {
        return Report { runs };
    };
    for model in models {
        for scene in ["plaza", "circle"] {
            for agents in filter.agents.map_or(SIZES.to_vec(), |agents| vec![agents]) {
                let wanted =
                    |name: &Option<String>, own: &str| name.as_deref().is_none_or(|name| name == own);
                if wanted(&filter.model, model.name()) && wanted(&filter.scene, scene) {
                    runs.push(pool.install(|| measure(model, scene, agents, threads)));
                }
            }
        }
    }
    Report { runs }
}

/// Agents with goals.
struct Scene {
    crowd: VelocityCrowd,
    goals: Vec<Vec2>,
    /// The side of the square in which new goals are drawn; `None` where goals stay.
    side: Option<f32>,
    step: f32,
    arrived: Vec<u32>,
    preferred_speed: f32,
}

/// No manners, but bodies that part as is usual for a model.
fn solid(model: &Model) -> Manners {
    Manners { touching: Manners::of(model).touching, ..Manners::none() }
}

impl Scene {
    fn plaza(model: Model, agents: usize) -> Self {
        let side = (agents as f32).sqrt();
        let columns = side.ceil() as usize;
        let mut crowd = VelocityCrowd::new(1);
        let mut goals = Vec::new();
        for agent in 0..agents {
            let cell = Vec2::new((agent % columns) as f32, (agent / columns) as f32);
            let walker = Walker::new((cell + 0.5) * (side / columns as f32), model);
            crowd.add(Walker { manners: solid(&model), ..walker });
            goals.push(goal(agent, 0, side));
        }
        let arrived = vec![0; agents];
        Self { crowd, goals, side: Some(side), step: 0.1, arrived, preferred_speed: PREFERRED_SPEED }
    }

    fn circle(model: Model, agents: usize) -> Self {
        let model = match model {
            Model::Orca(orca) => Model::Orca(Orca { horizon: 10.0, ..orca }),
            Model::Rvo(rvo) => Model::Rvo(Rvo { horizon: 10.0, ..rvo }),
            other => other,
        };
        let mut crowd = VelocityCrowd::new(1);
        let mut goals = Vec::new();
        for agent in 0..agents {
            let angle = std::f64::consts::TAU * agent as f64 / agents as f64;
            let (sin, cos) = libm::sincos(angle);
            let position = (glam::DVec2::new(cos, sin) * 0.8 * agents as f64).as_vec2();
            let walker = Walker::new(position, model);
            let (manners, neighbour_distance) = (solid(&model), 15.0);
            crowd.add(Walker { radius: 1.5, max_speed: 2.0, neighbour_distance, manners, ..walker });
            goals.push(-position);
        }
        Self { crowd, goals, side: None, step: 0.25, arrived: vec![0; agents], preferred_speed: 1.0 }
    }

    fn step(&mut self) {
        if let Some(side) = self.side {
            let positions = self.crowd.positions();
            for (agent, (goal_of, arrived)) in self.goals.iter_mut().zip(&mut self.arrived).enumerate() {
                if goal_of.distance_squared(positions[agent]) < 1.0 {
                    *arrived += 1;
                    *goal_of = goal(agent, *arrived, side);
                }
            }
        }
        let (goals, speed) = (&self.goals, self.preferred_speed);
        self.crowd.prefer(|agent, position| {
            let way = goals[agent] - position;
            let length = way.length();
            if length > speed { way * (speed / length) } else { way }
        });
        self.crowd.step(Surroundings::default(), self.step);
    }
}

/// The `number`th goal of an agent.
fn goal(agent: usize, number: u32, side: f32) -> Vec2 {
    let mut random = Random::new(1, agent as u32, number, Purpose::BIRTH);
    Vec2::new(random.unit(), random.unit()) * side
}

fn measure(model: Model, scene: &'static str, agents: usize, threads: usize) -> Run {
    let steps = if agents > 50_000 { 30 } else { 200 };
    let mut run = Run {
        model: model.name(),
        scene,
        agents,
        threads,
        agent_steps_per_s: 0.0,
        steps,
        mean_speed: 0.0,
        progress: 0.0,
        overlapping_pairs: 0,
        overlap_depths: [0.0; 3],
        goals_per_agent_s: 0.0,
    };
    for _ in 0..REPEATS {
        let mut scene = match scene {
            "plaza" => Scene::plaza(model, agents),
            _ => Scene::circle(model, agents),
        };
        (0..WARM_UP).for_each(|_| scene.step());
        let goals_before: u32 = scene.arrived.iter().sum();
        let (mut way, mut seconds, mut progress) = (0.0, 0.0, 0.0);
        let mut before = Vec::new();
        for _ in 0..steps {
            before.clear();
            before.extend_from_slice(scene.crowd.positions());
            let start = Instant::now();
            scene.step();
            seconds += start.elapsed().as_secs_f64();
            for (agent, goal) in scene.goals.iter().enumerate() {
                let there = scene.crowd.positions()[agent];
                progress += f64::from(before[agent].distance(*goal) - there.distance(*goal));
                way += f64::from(before[agent].distance(there));
            }
        }
        let total = (agents * steps) as f64;
        run.agent_steps_per_s = run.agent_steps_per_s.max(total / seconds);
        run.mean_speed = way / (total * f64::from(scene.step));
        run.progress = progress / (total * f64::from(scene.step));
        let depths = scene.crowd.overlap_depths();
        let depth = |share: f32| {
            let at = (depths.len() as f32 * share).ceil() as usize;
            depths.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        run.overlapping_pairs = depths.len();
        run.overlap_depths = [0.5, 0.95, 1.0].map(depth);
        let goals = scene.arrived.iter().sum::<u32>() - goals_before;
        run.goals_per_agent_s = f64::from(goals) / (total * f64::from(scene.step));
    }
    run
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "{:<13} {:<7} {:>7} {:>7} {:>14} {:>10} {:>12} {:>9} {:>21} {:>15}",
            "model",
            "scene",
            "agents",
            "threads",
            "agent-steps/s",
            "mean m/s",
            "progress m/s",
            "overlaps",
            "median, 95 %, deepest",
            "goals/agent/s"
        )?;
        for run in &self.runs {
            writeln!(
                f,
                "{:<13} {:<7} {:>7} {:>7} {:>14.0} {:>10.3} {:>12.3} {:>9} {:>5.3} {:>5.3} {:>5.3} m   {:>15.4}",
                run.model,
                run.scene,
                run.agents,
                run.threads,
                run.agent_steps_per_s,
                run.mean_speed,
                run.progress,
                run.overlapping_pairs,
                run.overlap_depths[0],
                run.overlap_depths[1],
                run.overlap_depths[2],
                run.goals_per_agent_s
            )?;
        }
        Ok(())
    }
}
