//! `crowdloom motion graph LIB -o GRAPH`.

use super::source::load_clips;
use crate::progress::spinner;
use crowdloom_motion::draft::write_whole;
use crowdloom_motion::graph::{Annotations, BuildOptions, NamedNode, build_graph};
use crowdloom_output::graph_plot::plot_graph;
use miette::{IntoDiagnostic, WrapErr, miette};
use std::path::PathBuf;

/// Arguments of `crowdloom motion graph`.
#[derive(clap::Args)]
pub struct Graph {
    /// The clip library, or `builtin`.
    library: PathBuf,
    /// The graph to write.
    #[arg(short, long)]
    output: PathBuf,
    /// Draw the graph as SVG.
    #[arg(long)]
    plot: Option<PathBuf>,
    /// A node given by hand: CLIP:SECONDSs, or NAME=CLIP:SECONDSs (for example stand=16_31:0.1s). Can be repeated.
    #[arg(long = "node", value_parser = parse_node)]
    nodes: Vec<NamedNode>,
    /// Use the given nodes only, and look for no others.
    #[arg(long, requires = "nodes")]
    only_given: bool,
    /// Use clips only as they are; by default every clip is used mirrored, too.
    #[arg(long)]
    unmirrored: bool,
    /// The longest action in seconds: what passes no node for longer is not kept.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.5)]
    longest: f32,
    /// The largest distance in metres between a clip and a node that it snaps to.
    #[arg(long, default_value_t = BuildOptions::default().threshold)]
    threshold: f32,
    /// Labels for clips (TOML with [[clip]] tables: name, labels, from, to).
    #[arg(long)]
    labels: Option<PathBuf>,
}

/// Parses `16_15:1.2s` or `walk=16_15:1.2s`.
fn parse_node(text: &str) -> Result<NamedNode, String> {
    let (name, place) = text.split_once('=').unwrap_or((text, text));
    let (clip, seconds) = place.rsplit_once(':').ok_or("a node looks like 16_15:1.2s")?;
    let seconds = seconds
        .trim_end_matches('s')
        .parse()
        .map_err(|_| format!("`{seconds}` is not a time such as 1.2s"))?;
    Ok(NamedNode { name: name.into(), clip: clip.into(), seconds })
}

impl Graph {
    /// Builds, writes and draws the graph, and prints what was kept.
    pub fn run(self) -> miette::Result<()> {
        let least = BuildOptions::default().least_seconds;
        if self.longest.is_nan() || self.longest < least {
            return Err(miette!("actions of {} s are too short: give at least {least}", self.longest));
        }
        let library = load_clips(&self.library)?;
        let annotations = match &self.labels {
            None => Annotations::default(),
            Some(path) => {
                let named = || path.display().to_string();
                let text = std::fs::read_to_string(path).into_diagnostic().wrap_err_with(named)?;
                Annotations::parse(&text, &library).map_err(|error| miette!("{}: {error}", path.display()))?
            }
        };
        let options = BuildOptions {
            threshold: self.threshold,
            bridge_threshold: self.threshold * 1.6,
            named: self.nodes,
            only_named: self.only_given,
            mirror: !self.unmirrored,
            most_seconds: self.longest,
            annotations,
            ..BuildOptions::default()
        };
        let spinner = spinner("building the graph");
        let (graph, report) = build_graph(&library, &options).into_diagnostic()?;
        spinner.finish_and_clear();
        graph.save(&self.output).into_diagnostic()?;
        say!("{} nodes, {} actions", graph.nodes().len(), graph.actions().len());
        say_on!("{report}");
        say!("wrote {}", self.output.display());
        if let Some(path) = self.plot {
            write_whole(&path, plot_graph(&graph))
                .into_diagnostic()
                .wrap_err_with(|| path.display().to_string())?;
            say!("wrote {}", path.display());
        }
        Ok(())
    }
}
