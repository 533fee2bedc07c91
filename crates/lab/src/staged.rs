//! Scenes that experiments and standard tests write, run as anybody's scene runs: from its text, with its defaults.

use crowdloom_crowd::{Setting, Steps};
use crowdloom_motion::FRAME_RATE;
use crowdloom_scene::{Overrides, Simulation, parse};
use glam::Vec2;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The movers that a scene knows and that claim to move people; `graph` is what a scene without a mover has.
pub const MOVERS: [&str; 5] = ["graph", "orca", "social-force", "hidac", "rvo"];

/// A scene in the making. Distances are metres, times seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct SceneText {
    world: String,
    tables: String,
    mover: String,
    asked: usize,
}

impl SceneText {
    /// A scene on a floor with the corners `floor`, whose people are moved by `mover`.
    pub(crate) fn new(floor: &[[f64; 2]], mover: &str) -> Self {
        let world = format!("[world]\nfloor = {floor:?}\n");
        Self { world, mover: mover.into(), ..Self::default() }
    }

    /// A scene on the floor that a file describes.
    pub(crate) fn of_map(file: &Path, mover: &str) -> Self {
        let world = format!("[world]\nmap = {:?}\n", file.display().to_string());
        Self { world, mover: mover.into(), ..Self::default() }
    }

    /// Takes a polygon out of the floor.
    pub(crate) fn obstacle(mut self, corners: &[[f64; 2]]) -> Self {
        let _ = write!(self.tables, "[[world.obstacle]]\npolygon = {corners:?}\n");
        self
    }

    /// Takes a rectangle out of the floor.
    pub(crate) fn wall(mut self, rectangle: [f64; 4]) -> Self {
        let _ = write!(self.tables, "[[world.obstacle]]\nrectangle = {rectangle:?}\n");
        self
    }

    /// Names a polygon.
    pub(crate) fn region(mut self, name: &str, corners: &[[f64; 2]]) -> Self {
        let _ = write!(self.tables, "[[region]]\nname = \"{name}\"\npolygon = {corners:?}\n");
        self
    }

    /// Names a rectangle.
    pub(crate) fn place(mut self, name: &str, rectangle: [f64; 4]) -> Self {
        let _ = write!(self.tables, "[[region]]\nname = \"{name}\"\nrectangle = {rectangle:?}\n");
        self
    }

    /// Makes a region a stop at which people leave.
    pub(crate) fn exit(mut self, region: &str) -> Self {
        let _ = write!(self.tables, "[[stop]]\nname = \"{region}\"\nregion = \"{region}\"\nexit = true\n");
        self
    }

    /// Makes a region a stop after which people go to another.
    pub(crate) fn stop(mut self, region: &str, next: &str) -> Self {
        let _ = write!(
            self.tables,
            "[[stop]]\nname = \"{region}\"\nregion = \"{region}\"\nnext = {{ \"{next}\" = 1 }}\n"
        );
        self
    }

    /// Lets people come in a region between two times, on their way to a stop; at the scene's usual speeds without any.
    pub(crate) fn people(
        mut self,
        count: usize,
        (place, to): (&str, &str),
        appear: [f32; 2],
        speed: Option<[f32; 2]>,
    ) -> Self {
        let mover = self.mover();
        let speed = speed.map_or(String::new(), |speed| format!("speed = {speed:?}\n"));
        let _ = write!(
            self.tables,
            "[[people]]\ncount = {count}\nin = \"{place}\"\nto = \"{to}\"\nappear = {appear:?}\n{mover}{speed}"
        );
        self.asked += count;
        self
    }

    /// Lets somebody start at a place, on the way to a stop, with a speed of its own.
    pub(crate) fn person(mut self, at: [f64; 2], to: &str, speed: f32) -> Self {
        let mover = self.mover();
        let _ = write!(self.tables, "[[people]]\nat = {at:?}\nto = \"{to}\"\nspeed = {speed:?}\n{mover}");
        self.asked += 1;
        self
    }

    /// Lets people come anywhere, on their way to a stop.
    pub(crate) fn people_anywhere(mut self, count: usize, to: &str) -> Self {
        let mover = self.mover();
        let _ = write!(self.tables, "[[people]]\ncount = {count}\nto = \"{to}\"\n{mover}");
        self.asked += count;
        self
    }

    /// The line that says what moves people.
    fn mover(&self) -> String {
        if self.mover == "graph" { String::new() } else { format!("mover = \"{}\"\n", self.mover) }
    }

    /// Brings the scene to life.
    pub(crate) fn stage(&self, seed: u64) -> Result<Staged, String> {
        let text =
            format!("name = \"experiment\"\nseed = {seed}\nseconds = 600\n{}{}", self.world, self.tables);
        let (simulation, _) = parse(Path::new("experiment.toml"), &text, Overrides::default())
            .map_err(|error| error.to_string())?;
        Ok(Staged { simulation, asked: self.asked })
    }
}

/// A scene that runs.
pub(crate) struct Staged {
    simulation: Simulation,
    /// How many people the scene asks for, whether they find room or not.
    pub(crate) asked: usize,
}

impl Staged {
    /// Goes on by a frame.
    pub(crate) fn step(&mut self) {
        self.simulation.step();
    }

    /// Seconds since the beginning.
    pub(crate) fn time(&self) -> f32 {
        self.simulation.crowd().frame() as f32 / FRAME_RATE
    }

    /// Everybody's number and position.
    pub(crate) fn people(&self) -> BTreeMap<u32, Vec2> {
        let crowd = self.simulation.crowd();
        (0..crowd.len()).map(|index| (crowd.id(index), crowd.positions()[index])).collect()
    }

    /// Ground, ways and moves.
    pub(crate) fn setting(&self) -> &Setting {
        self.simulation.crowd().setting()
    }

    /// Whether somebody's middle is off the floor.
    pub(crate) fn anybody_in_a_wall(&self) -> bool {
        let ground = &self.simulation.crowd().setting().ground;
        self.people().values().any(|place| !ground.is_free(*place, 0.0))
    }
}

/// A line that nobody crosses.
pub(crate) const NOWHERE: (Vec2, Vec2) = (Vec2::NEG_INFINITY, Vec2::NEG_INFINITY);

/// What became of everybody who was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// When each who did first crossed the line, in seconds, in order.
    pub(crate) crossed: Vec<f32>,
    /// When each who left did, in seconds, in order.
    pub(crate) gone: Vec<f32>,
    /// How many of those asked for had not left in the end, those included who never found room.
    pub(crate) left: usize,
    /// Whether anybody's middle was ever off the floor.
    pub(crate) crossed_walls: bool,
}

impl Outcome {
    /// People a second from the first to the last who crossed the line.
    pub(crate) fn flow(&self) -> f32 {
        match (self.crossed.first(), self.crossed.last()) {
            (Some(first), Some(last)) if last > first => (self.crossed.len() - 1) as f32 / (last - first),
            _ => 0.0,
        }
    }

    /// When the last one left, in seconds.
    pub(crate) fn end(&self) -> f32 {
        self.gone.last().copied().unwrap_or(0.0)
    }
}

/// Runs a scene until all who were asked for have left, or for so many seconds; `line` is from one point to another.
pub(crate) fn run_out(
    scene: &SceneText,
    seed: u64,
    seconds: f32,
    line: (Vec2, Vec2),
) -> Result<Outcome, String> {
    let mut staged = scene.stage(seed)?;
    let mut outcome = Outcome::default();
    let mut before = staged.people();
    let mut has_crossed: BTreeMap<u32, ()> = BTreeMap::new();
    while staged.time() < seconds && outcome.gone.len() < staged.asked {
        staged.step();
        let now = staged.people();
        for (id, from) in &before {
            match now.get(id) {
                Some(to) => {
                    if crosses(line, *from, *to) && has_crossed.insert(*id, ()).is_none() {
                        outcome.crossed.push(staged.time());
                    }
                }
                None => outcome.gone.push(staged.time()),
            }
        }
        // Often enough: nobody comes through a wall and back within a second.
        if ((staged.time() * FRAME_RATE) as u32).is_multiple_of(15) {
            outcome.crossed_walls |= staged.anybody_in_a_wall();
        }
        before = now;
    }
    outcome.left = staged.asked - outcome.gone.len();
    Ok(outcome)
}

/// Whether the step from `a` to `b` crosses a line between its ends.
fn crosses((from, to): (Vec2, Vec2), a: Vec2, b: Vec2) -> bool {
    let side = |p: Vec2| (to - from).perp_dot(p - from) >= 0.0;
    let along = |p: Vec2| (b - a).perp_dot(p - a) >= 0.0;
    side(a) != side(b) && along(from) != along(to)
}

/// Points on an arc from one angle to another, both included.
pub(crate) fn arc(centre: [f64; 2], radius: f64, from: f64, to: f64, points: usize) -> Vec<[f64; 2]> {
    (0..points)
        .map(|point| {
            let (sin, cos) = libm::sincos(from + (to - from) * point as f64 / (points as f64 - 1.0));
            [centre[0] + radius * cos, centre[1] + radius * sin]
        })
        .collect()
}
