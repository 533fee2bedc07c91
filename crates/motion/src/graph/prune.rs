//! What can be reached, left and brought to rest.

use super::{Action, ActionId, Node, NodeId};

/// How a node is connected to the part of the graph that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// It belongs to it.
    Both,
    /// It can be reached from it, or reaches it, but not both.
    OneWay,
    /// There is no way in either direction.
    None,
}

/// Which nodes may stay: those that reach each other and, where there is a rest at all, reach it too.
///
/// `links` are `(from, to, seconds)`. Among the strongly connected parts that hold a rest (or, without any rest, among
/// all), the one with most seconds wins.
pub fn connections(rest: &[bool], links: &[(usize, usize, f32)]) -> Vec<Connection> {
    let count = rest.len();
    let mut reaches = vec![vec![false; count]; count];
    for (node, row) in reaches.iter_mut().enumerate() {
        let mut open = vec![node];
        row[node] = true;
        while let Some(at) = open.pop() {
            for &(_, to, _) in links.iter().filter(|link| link.0 == at) {
                if !std::mem::replace(&mut row[to], true) {
                    open.push(to);
                }
            }
        }
    }
    let together = |a: usize, b: usize| reaches[a][b] && reaches[b][a];
    let seconds = |node: usize| {
        let inside = links.iter().filter(|link| together(node, link.0) && together(node, link.1));
        inside.map(|link| link.2).sum::<f32>()
    };
    let rests = |node: usize| (0..count).any(|other| rest[other] && together(node, other));
    let any_rest = (0..count).any(|node| rests(node) && seconds(node) > 0.0);
    let best = (0..count)
        .filter(|&node| seconds(node) > 0.0 && (!any_rest || rests(node)))
        .rev()
        .max_by(|&a, &b| seconds(a).total_cmp(&seconds(b)));
    let connection = |node: usize| match best {
        Some(best) if together(best, node) => Connection::Both,
        Some(best) if reaches[best][node] || reaches[node][best] => Connection::OneWay,
        _ => Connection::None,
    };
    (0..count).map(connection).collect()
}

/// Which nodes belong to the part that stays.
pub fn surviving(rest: &[bool], links: &[(usize, usize, f32)]) -> Vec<bool> {
    connections(rest, links).into_iter().map(|connection| connection == Connection::Both).collect()
}

/// For each node the first action of its quickest way to rest; `None` at rest, or where there is no way.
pub fn toward_rest(nodes: &[Node], actions: &[Action]) -> Vec<Option<ActionId>> {
    let mut seconds: Vec<f32> =
        nodes.iter().map(|node| if node.rest { 0.0 } else { f32::INFINITY }).collect();
    let mut first = vec![None; nodes.len()];
    // Bellman-Ford: graphs have tens of nodes, and this runs once.
    loop {
        let mut changed = false;
        for (index, action) in actions.iter().enumerate() {
            let through = seconds[action.to.index()] + action.clip.seconds();
            let from = action.from.index();
            if through < seconds[from] {
                seconds[from] = through;
                first[from] = Some(ActionId(index as u16));
                changed = true;
            }
        }
        if !changed {
            return first;
        }
    }
}

/// Nodes that have no way to rest.
pub fn restless(nodes: &[Node], toward_rest: &[Option<ActionId>]) -> Vec<NodeId> {
    (0..nodes.len())
        .filter(|&node| !nodes[node].rest && toward_rest[node].is_none())
        .map(|node| NodeId(node as u16))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_ends_go() {
        // 0 ⇄ 1 → 2 (rest) → 0, and 1 → 3 that nothing leaves, 4 → 0 that nothing reaches.
        let links = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 0, 1.0), (1, 3, 9.0), (4, 0, 9.0)];
        let rest = [false, false, true, false, false];
        assert_eq!(surviving(&rest, &links), [true, true, true, false, false]);
    }

    #[test]
    fn the_part_with_rest_wins_over_a_larger_one() {
        let links = [(0, 0, 50.0), (1, 1, 1.0)];
        assert_eq!(surviving(&[false, true], &links), [false, true]);
        assert_eq!(surviving(&[false, false], &links), [true, false]);
    }
}
