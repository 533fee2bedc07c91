//! `crowdloom world info|plot MAP`.

use crowdloom_motion::draft::write_whole;
use crowdloom_output::map_plot::MapPlot;
use crowdloom_world::{
    City, Ground, MeshRouter, ReadOptions, Roadmap, RoadmapOptions, Rooms, Route, Router, WorldError,
    read_ground,
};
use glam::{DVec2, Vec2};
use miette::{Context, IntoDiagnostic, miette};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of `crowdloom world`.
#[derive(clap::Args)]
pub struct World {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Tell what is in a map, what was mended, and what is connected.
    Info(Info),
    /// Draw a map.
    Plot(Plot),
}

#[derive(clap::Args)]
struct MapArguments {
    /// A WKT, GeoJSON, image or MovingAI file; or `city` or `rooms`, which are made up.
    map: PathBuf,
    /// The side of a pixel or of a grid cell in metres.
    #[arg(long, default_value_t = 1.0)]
    metres_per_pixel: f64,
    /// The radius of a walker in metres.
    #[arg(long, default_value_t = 0.25)]
    radius: f32,
}

#[derive(clap::Args)]
struct Info {
    #[command(flatten)]
    map: MapArguments,
}

#[derive(clap::Args)]
struct Plot {
    #[command(flatten)]
    map: MapArguments,
    /// Where to write the picture; the name ends in .png or .svg.
    #[arg(short, long)]
    output: PathBuf,
    /// Draw a probabilistic roadmap.
    #[arg(long)]
    roadmap: bool,
    /// Draw the shortest way from one point to another, in the map's own coordinates.
    #[arg(long, num_args = 2, value_names = ["X,Y", "X,Y"], allow_hyphen_values = true, value_parser = parse_point)]
    route: Option<Vec<DVec2>>,
}

fn parse_point(text: &str) -> Result<DVec2, String> {
    let parse = |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    text.split_once(',')
        .and_then(|(x, y)| Some(DVec2::new(parse(x)?, parse(y)?)))
        .ok_or_else(|| "expected two numbers with a comma between, such as 3.5,10".into())
}

impl World {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self.action {
            Action::Info(info) => info.run(),
            Action::Plot(plot) => plot.run(),
        }
    }
}

impl MapArguments {
    fn read(&self) -> miette::Result<Ground> {
        let ground = match self.map.to_str() {
            Some("city") if !self.map.exists() => City::default().build(),
            Some("rooms") if !self.map.exists() => Rooms { columns: 3, rows: 2, ..Rooms::default() }.build(),
            _ => {
                let options =
                    ReadOptions { metres_per_pixel: self.metres_per_pixel, ..ReadOptions::default() };
                read_ground(&self.map, &options)
            }
        };
        ground.map_err(|error: WorldError| {
            let fix = error.fix();
            miette!(help = fix, "{error}")
        })
    }
}

impl Info {
    fn run(self) -> miette::Result<()> {
        let ground = Arc::new(self.map.read()?);
        let (bounds, origin) = (ground.bounds(), ground.origin());
        let size = bounds.size();
        let holes: usize = ground.areas().iter().map(|area| area.holes.len()).sum();
        say!("map         {}", self.map.map.display());
        say!("walkable    {:.2} m²", ground.size());
        say!(
            "bounds      x {:.2} to {:.2}, y {:.2} to {:.2} ({:.2} × {:.2} m)",
            bounds.min.x + origin.x,
            bounds.max.x + origin.x,
            bounds.min.y + origin.y,
            bounds.max.y + origin.y,
            size.x,
            size.y
        );
        say!("origin      {}, {}", origin.x, origin.y);
        say!("walls       {}", ground.walls().all().len());
        say!("obstacles   {holes} inside the floor");
        say!("regions     {}", ground.regions().len());
        for region in ground.regions() {
            say!("            “{}”, {:.2} m²", region.name, region.size());
        }
        if ground.likelihood_layer().is_some() {
            say!("likelihood  painted");
        }
        let mesh = MeshRouter::new(Arc::clone(&ground)).mesh(self.map.radius);
        say!(
            "parts       {} that do not touch; {} for a walker of radius {} m, on {} convex cells",
            ground.areas().len(),
            mesh.component_count(),
            self.map.radius,
            mesh.cell_count()
        );
        if ground.repairs().is_empty() {
            say!("repairs     none needed");
        }
        for repair in ground.repairs() {
            say!("repair      {repair}");
        }
        Ok(())
    }
}

impl Plot {
    fn run(self) -> miette::Result<()> {
        let is_svg = match extension(&self.output).as_str() {
            "svg" => true,
            "png" => false,
            _ => {
                return Err(miette!(
                    help = "end its name in .png or .svg",
                    "{}: unknown picture format",
                    self.output.display()
                ));
            }
        };
        let ground = Arc::new(self.map.read()?);
        let radius = self.map.radius;
        let roadmap = self.roadmap.then(|| {
            Roadmap::new(Arc::clone(&ground), RoadmapOptions { radius, ..RoadmapOptions::default() })
        });
        for line in roadmap.iter().flat_map(|roadmap| roadmap.unconnected()) {
            tell!("note: {line}");
        }
        let route = self.route.as_deref().map(|points| find_route(&ground, points, radius)).transpose()?;
        let plot = MapPlot { ground: &ground, roadmap: roadmap.as_ref(), route: route.as_ref() };
        let bytes = if is_svg { plot.svg().map(String::into_bytes) } else { plot.png() }.into_diagnostic()?;
        write_whole(&self.output, bytes)
            .into_diagnostic()
            .wrap_err_with(|| format!("cannot write {}", self.output.display()))?;
        if let Some(route) = &route {
            say!("route of {:.2} m with {} turns", route.length, route.way_points.len().saturating_sub(2));
        }
        say!("{}", self.output.display());
        Ok(())
    }
}

fn find_route(ground: &Arc<Ground>, points: &[DVec2], radius: f32) -> miette::Result<Route> {
    let local: Vec<Vec2> = points.iter().map(|p| ground.to_local(*p)).collect();
    let [from, to] = local[..] else { return Err(miette!("a route needs two points")) };
    MeshRouter::new(Arc::clone(ground))
        .route(from, to, radius)
        .map_err(|why| miette!(help = "choose another point, or a smaller --radius", "{why}"))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
