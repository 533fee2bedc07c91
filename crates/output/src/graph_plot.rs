//! A motion graph as a picture: nodes on a circle, actions as arcs coloured by what they show.

use crate::chart::{document, escape};
use crowdloom_motion::graph::MotionGraph;
use std::collections::BTreeMap;
use std::f32::consts::TAU;
use std::fmt::Write;

const SIZE: f32 = 900.0;
const NODE_RADIUS: f32 = 26.0;
/// How far the first of parallel actions is bent away from the straight line, how much farther each of the others is, and all of
/// them together: loops at a node reach three times as far outwards.
const LEAST_SPREAD: f32 = 14.0;
const RANK_STEP: f32 = 5.0;
const MOST_SPREAD: f32 = 22.0;

/// Colours of actions by their first label, in the order of the legend.
const COLOURS: [(&str, &str); 9] = [
    ("stand", "#8a8f98"),
    ("walk", "#2f7fd0"),
    ("run", "#d9480f"),
    ("turn", "#0b7285"),
    ("sit", "#7048e8"),
    ("carry", "#a9671c"),
    ("talk", "#2b8a3e"),
    ("fight", "#c2255c"),
    ("fall", "#5c3d2e"),
];
const OTHER_COLOUR: &str = "#495057";

fn colour(labels: &[String]) -> &'static str {
    let known = labels.iter().find_map(|label| COLOURS.iter().find(|(name, _)| name == label));
    known.map_or(OTHER_COLOUR, |(_, colour)| colour)
}

/// Draws the graph as an SVG document.
pub fn plot_graph(graph: &MotionGraph) -> String {
    let count = graph.nodes().len();
    let centre = SIZE / 2.0;
    let place = |node: usize| {
        let angle = TAU * node as f32 / count as f32 - TAU / 4.0;
        (centre + libm::cosf(angle) * SIZE * 0.34, centre + libm::sinf(angle) * SIZE * 0.34)
    };
    let mut svg = String::new();
    // Parallel actions fan out, so that their number can be seen, but none farther than the frame.
    let mut parallel: BTreeMap<(u16, u16), u32> = BTreeMap::new();
    for action in graph.actions() {
        *parallel.entry((action.from.0, action.to.0)).or_default() += 1;
    }
    let mut seen: BTreeMap<(u16, u16), u32> = BTreeMap::new();
    for action in graph.actions() {
        let ends = (action.from.0, action.to.0);
        let rank = seen.entry(ends).or_default();
        let step = (MOST_SPREAD / parallel[&ends].max(1) as f32).min(RANK_STEP);
        let spread = LEAST_SPREAD + step * *rank as f32;
        let path = arc(place(action.from.index()), place(action.to.index()), centre, spread);
        *rank += 1;
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.55\" stroke-width=\"1.4\"><title>{} ({:.2} s)</title></path>",
            colour(&action.clip.labels),
            escape(&action.clip.name),
            action.clip.seconds()
        );
    }
    for (index, node) in graph.nodes().iter().enumerate() {
        let (x, y) = place(index);
        let (fill, stroke) = if node.rest { ("#e6fcf5", "#087f5b") } else { ("#ffffff", "#343a40") };
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{NODE_RADIUS}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"2\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"10\" text-anchor=\"middle\">{}</text>",
            y + 3.5,
            escape(&node.name)
        );
    }
    legend(&mut svg, graph);
    document(SIZE, SIZE, &svg)
}

/// A curve from one node to another, bent away from the straight line by its spread; a loop where both are the same.
fn arc(from: (f32, f32), to: (f32, f32), centre: f32, spread: f32) -> String {
    if from == to {
        let (dx, dy) = (from.0 - centre, from.1 - centre);
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let (reach, half) = (NODE_RADIUS + 3.0 * spread, 0.8 * spread);
        let tip =
            |side: f32| (from.0 + ux * reach - uy * half * side, from.1 + uy * reach + ux * half * side);
        let (a, b) = (tip(1.0), tip(-1.0));
        return format!(
            "M {:.1} {:.1} C {:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            from.0, from.1, a.0, a.1, b.0, b.1, from.0, from.1
        );
    }
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(1.0);
    let middle = (
        (from.0 + to.0) / 2.0 - dy / length * spread * 1.5,
        (from.1 + to.1) / 2.0 + dx / length * spread * 1.5,
    );
    format!("M {:.1} {:.1} Q {:.1} {:.1} {:.1} {:.1}", from.0, from.1, middle.0, middle.1, to.0, to.1)
}

fn legend(svg: &mut String, graph: &MotionGraph) {
    let _ = writeln!(
        svg,
        "<text x=\"20\" y=\"32\" font-size=\"17\" font-weight=\"bold\">{} nodes, {} actions, {:.0} s of motion</text>",
        graph.nodes().len(),
        graph.actions().len(),
        graph.seconds()
    );
    let used =
        COLOURS.iter().filter(|(name, _)| graph.actions().iter().any(|action| action.clip.has_label(name)));
    for (row, (name, colour)) in used.enumerate() {
        let y = 56.0 + 18.0 * row as f32;
        let _ = writeln!(
            svg,
            "<line x1=\"20\" x2=\"44\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"3\"/>\
             <text x=\"52\" y=\"{}\" font-size=\"12\">{name}</text>",
            y + 4.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_motion::Library;
    use crowdloom_motion::builtin;
    use crowdloom_motion::graph::{BuildOptions, build_graph};

    #[test]
    fn the_picture_stays_inside_its_frame() {
        // Fifty ways to stand and fifty to walk on between the same two nodes.
        let library = builtin::library();
        let chosen = |from: &str, to: &str| {
            let ends = |clip: &&crowdloom_motion::Clip| {
                clip.ends.as_ref().is_some_and(|ends| ends.from == from && ends.to == to)
            };
            library.clips.iter().find(ends).cloned()
        };
        let loops: Vec<_> = library.clips.iter().filter_map(|clip| clip.ends.clone()).collect();
        let same = loops.iter().find(|ends| ends.from == ends.to).expect("somebody stands");
        let clip = chosen(&same.from, &same.to).expect("it is there");
        let clips: Vec<_> = (0..60)
            .map(|number| {
                let mut clip = clip.clone();
                clip.name = format!("{} {number}", clip.name);
                clip
            })
            .collect();
        let library = Library { skeleton: library.skeleton.clone(), clips };
        let (graph, _) = build_graph(&library, &BuildOptions::default()).unwrap();
        let svg = plot_graph(&graph);
        let paths: Vec<&str> = svg.lines().filter_map(|line| line.strip_prefix("<path d=\"")).collect();
        assert_eq!(paths.len(), 60);
        let numbers = paths.iter().flat_map(|line| line.split('"').next().unwrap_or_default().split(' '));
        let outside =
            numbers.filter_map(|word| word.parse::<f32>().ok()).find(|at| !(0.0..=SIZE).contains(at));
        assert_eq!(outside, None);
    }
}
