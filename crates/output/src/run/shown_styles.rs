//! The styles that people of a crowd show, as runs number them.

use crowdloom_crowd::Bodies;
use crowdloom_motion::graph::MotionGraph;

/// What a label of a style starts with.
const STYLE: &str = "style:";
/// The style, number 0, of whoever shows none.
const PLAIN: &str = "plain";

/// The styles of a graph and the number of each action's, as the clips' labels tell.
pub(super) fn by_label(graph: &MotionGraph) -> (Vec<String>, Vec<u8>) {
    let mut styles = vec![PLAIN.to_owned()];
    let mut style_of = Vec::new();
    for action in graph.actions() {
        let name = action.clip.labels.iter().find_map(|label| label.strip_prefix(STYLE));
        let number = name.map_or(0, |name| {
            styles.iter().position(|known| known == name).unwrap_or_else(|| {
                styles.push(name.to_owned());
                styles.len() - 1
            })
        });
        style_of.push(number.min(255) as u8);
    }
    (styles, style_of)
}

/// The same as the style layer tells, which also parts plain walks.
pub(super) fn by_layer(layer: &Bodies) -> (Vec<String>, Vec<u8>) {
    let primitives = layer.control().book().library().primitives();
    let names = primitives.iter().map(|primitive| primitive.name.clone());
    let shown = |style: &Option<u16>| style.filter(|_| layer.styles_graph()).map_or(0, styled_number);
    let numbers = layer.shown().iter().map(shown);
    (std::iter::once(PLAIN.to_owned()).chain(names).collect(), numbers.collect())
}

/// The number under which a style of the layer is recorded.
pub(super) fn styled_number(style: u16) -> u8 {
    (style + 1).min(255) as u8
}
