//! `crowdloom motion info FILE|LIB|GRAPH|STYLES`.

use super::source::BUILT_IN;
use crowdloom_motion::container::{Kind, kind_of};
use crowdloom_motion::graph::MotionGraph;
use crowdloom_motion::import::{Capture, read_capture};
use crowdloom_motion::styles::{MotionType, StyleLibrary};
use crowdloom_motion::{Clip, FRAME_RATE, Library, builtin};
use miette::IntoDiagnostic;
use std::path::PathBuf;

/// Arguments of `crowdloom motion info`.
#[derive(clap::Args)]
pub struct Info {
    /// A motion file, a library, a graph, a style library, or `builtin`.
    file: PathBuf,
}

impl Info {
    /// Prints it.
    pub fn run(self) -> miette::Result<()> {
        if self.file.as_os_str() == BUILT_IN {
            print_library(&builtin::library());
            return Ok(());
        }
        match kind_of(&self.file) {
            Some(Kind::Library) => print_library(&Library::load(&self.file).into_diagnostic()?),
            Some(Kind::Graph) => print_graph(&MotionGraph::load(&self.file).into_diagnostic()?),
            Some(Kind::Styles) => print_styles(&StyleLibrary::load(&self.file).into_diagnostic()?),
            None => print_capture(&read_capture(&self.file).into_diagnostic()?),
        }
        Ok(())
    }
}

fn print_capture(capture: &Capture) {
    let rate =
        capture.frame_time.map_or("no frame time".into(), |time| format!("{:.2} frames/s", 1.0 / time));
    let seconds =
        capture.frame_time.map_or(f64::NAN, |time| time * capture.frames().saturating_sub(1) as f64);
    say!(
        "{} joints, {} frames, {rate}, {seconds:.2} s (file units and axes)",
        capture.joints.len(),
        capture.frames()
    );
    for note in &capture.notes {
        say!("note: {note}");
    }
    let mut depths: Vec<usize> = Vec::new();
    for joint in &capture.joints {
        let depth = joint.parent.map_or(0, |parent| depths[parent] + 1);
        depths.push(depth);
        let offset = joint.offset;
        say!("{}{}  ({:.3} {:.3} {:.3})", "  ".repeat(depth), joint.name, offset.x, offset.y, offset.z);
    }
}

fn print_library(library: &Library) {
    say!("{} clips, {:.1} s, {} joints", library.clips.len(), library.seconds(), library.skeleton.len());
    say!("{:36} {:>7} {:>7} {:>7}  labels", "clip", "seconds", "m/s", "turn °");
    for clip in &library.clips {
        print_clip(clip, "");
    }
}

fn print_styles(library: &StyleLibrary) {
    say!("{} styles", library.primitives().len());
    say!(
        "{:>4} {:44} {:>7} {:>7} {:>9} {:>9} {:>20}",
        "",
        "style",
        "seconds",
        "m/s",
        "upper",
        "lower",
        "captured closing"
    );
    for (index, primitive) in library.primitives().iter().enumerate() {
        let closing = primitive.captured_closing;
        say!(
            "{:>4} {:44} {:>7.2} {:>7.2} {:>9.3} {:>9.3} {:>11.1} cm {:>4.1}°",
            index + 1,
            primitive.name,
            primitive.clip.seconds(),
            primitive.speed,
            primitive.feature[0],
            primitive.feature[1],
            100.0 * closing.position,
            closing.angle.to_degrees()
        );
    }
    print_tables(library);
}

/// The style variation table and the consistency table of every type (Gu and Deng 2010, figure 4), and how far apart poses are, numbered
/// as listed above.
fn print_tables(library: &StyleLibrary) {
    for kind in MotionType::ALL {
        let (table, first) = (library.table(kind), library.styles(kind).start);
        if table.is_empty() {
            continue;
        }
        let row = |style: usize, cells: Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!(" {cell:>5}")).collect();
            say!("{:>5}{cells}", first + style + 1);
        };
        let header = |count: usize, from: usize| -> String {
            (0..count).map(|column| format!(" {:>5}", from + column + 1)).collect()
        };
        say!("\nvariation of {}", kind.name());
        say!("     {}", header(table.len(), first));
        for style in 0..table.len() {
            row(style, table.row(style).iter().map(|value| format!("{value:.2}")).collect());
        }
        say!(
            "\nposes of {}: how far the joint that differs most is off, in cm on average over the loop",
            kind.name()
        );
        say!("     {}", header(table.len(), first));
        for (style, apart) in library.poses_apart(kind).iter().enumerate() {
            row(style, apart.iter().map(|metres| format!("{:.1}", 100.0 * metres)).collect());
        }
        say!("\nconsistency of {}: the styles that each may change to, the most alike first", kind.name());
        say!("     {}", header(table.candidate_count(), 0));
        for style in 0..table.len() {
            let of = table.candidates(style).iter();
            row(style, of.map(|candidate| (first + usize::from(*candidate) + 1).to_string()).collect());
        }
    }
}

fn print_graph(graph: &MotionGraph) {
    say!("{} nodes, {} actions, {:.1} s", graph.nodes().len(), graph.actions().len(), graph.seconds());
    for (index, node) in graph.nodes().iter().enumerate() {
        let id = crowdloom_motion::graph::NodeId(index as u16);
        let rest = if node.rest { ", rest" } else { "" };
        say!("{} ({:.2} m/s{rest})", node.name, node.state.velocity.ground.length());
        for action in graph.outgoing(id) {
            let action = graph.action(action);
            print_clip(&action.clip, &format!("  → {:12} ", graph.node(action.to).name));
        }
    }
}

fn print_clip(clip: &Clip, before: &str) {
    let length: f32 = clip.track.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum();
    let speed = length / (clip.frames().saturating_sub(1).max(1) as f32) * FRAME_RATE;
    let turn = clip.displacement().heading.to_degrees();
    let (name, seconds, labels) = (&clip.name, clip.seconds(), clip.labels.join(", "));
    say!("{before}{name:36} {seconds:>7.2} {speed:>7.2} {turn:>7.0}  {labels}");
}
