//! Shortest any-angle ways on a navigation mesh (Cui, Harabor and Grastien, "Compromise-free Pathfinding on a
//! Navigation Mesh", IJCAI 2017), with exact predicates.
//!
//! A search node is a *root* (the last turning point) and what it sees through one side of a cell: a cone. The
//! cone's borders are kept as lines through two mesh corners and never as computed points, so every decision about
//! visibility is an exact orientation test of input points. Computed points serve only to estimate lengths.

use super::cells::{Cells, NONE};
use super::landmarks::{GoalBounds, SAFETY};
use super::nav_mesh::NavMesh;
use crate::area::turn;
use glam::DVec2;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Lengths that differ by less, in metres, are the same.
const SAME_LENGTH: f64 = 1e-9;

/// A root, by corner; roots from `corners.len()` on are starts.
type Root = u32;

/// A border of a cone: the line from one point through another. `through == NONE` means no border: the root is
/// itself the end of the side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Border {
    origin: Root,
    through: u32,
}

const OPEN: Border = Border { origin: NONE, through: NONE };

/// What a root sees through one side of a cell, about to enter that cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchNode {
    pub(crate) root: Root,
    parent: u32,
    /// The side of the entered cell, or [`NONE`] for the goal itself.
    pub(crate) side: u32,
    left: Border,
    right: Border,
    /// Length of the way up to the root.
    pub(crate) length: f64,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    estimate: f64,
    node: u32,
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Open {}
impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Open {
    /// The heap gives the greatest first: that is the shortest estimate, then the newest node.
    fn cmp(&self, other: &Self) -> Ordering {
        other.estimate.total_cmp(&self.estimate).then(self.node.cmp(&other.node))
    }
}

/// The best known length to a root, and from which root.
#[derive(Clone, Copy, Debug)]
struct Reached {
    search: u32,
    from: Root,
    length: f64,
}

/// Memory that searches use again.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    nodes: Vec<SearchNode>,
    open: BinaryHeap<Open>,
    reached: Vec<Reached>,
    /// The search in which a corner was last looked at, and what landmarks say is left from there, in metres.
    rests: Vec<(u32, f64)>,
    allowed: Vec<u32>,
    goal_cells: Vec<u32>,
    start_cells: Vec<u32>,
    search: u32,
}

impl Workspace {
    fn begin(&mut self, mesh: &NavMesh) {
        self.nodes.clear();
        self.open.clear();
        self.goal_cells.clear();
        self.start_cells.clear();
        let corners = mesh.cells.corners.len();
        if self.reached.len() < corners || self.allowed.len() < mesh.cells.count() || self.search == u32::MAX
        {
            self.reached.clear();
            self.reached.resize(corners, Reached { search: 0, from: NONE, length: 0.0 });
            self.rests.clear();
            self.rests.resize(corners, (0, 0.0));
            self.allowed.clear();
            self.allowed.resize(mesh.cells.count(), 0);
            self.search = 0;
        }
        self.search += 1;
    }
}

impl Workspace {
    /// The length to a corner found by the last search, and the root before it.
    pub(crate) fn reached(&self, corner: usize) -> Option<(f64, u32)> {
        let reached = self.reached.get(corner)?;
        (reached.search == self.search).then_some((reached.length, reached.from))
    }
}

/// Where a search wants to go.
#[derive(Clone, Copy)]
enum Aim {
    Point(DVec2, GoalBounds),
    Everywhere,
}

struct Search<'a> {
    cells: &'a Cells,
    mesh: &'a NavMesh,
    starts: &'a [DVec2],
    aim: Aim,
    work: &'a mut Workspace,
}

/// The shortest way as points from `from` to `to`; none when the mesh does not join them.
pub(crate) fn shortest(mesh: &NavMesh, from: DVec2, to: DVec2, work: &mut Workspace) -> Option<Vec<DVec2>> {
    work.begin(mesh);
    let starts = [from];
    mesh.locate(to, |cell| work.goal_cells.push(cell));
    mesh.locate(from, |cell| work.start_cells.push(cell));
    let bounds = mesh.landmarks.goal_bounds(mesh, &work.goal_cells, to);
    let mut search = Search { cells: &mesh.cells, mesh, starts: &starts, aim: Aim::Point(to, bounds), work };
    if search.work.start_cells.iter().any(|cell| search.work.goal_cells.contains(cell)) {
        return Some(vec![from, to]);
    }
    let joined = search.work.start_cells.iter().any(|a| {
        search.work.goal_cells.iter().any(|b| mesh.component[*a as usize] == mesh.component[*b as usize])
    });
    if !joined {
        return None;
    }
    // A branch that leads nowhere else is entered only if the goal is on it, and left if the start is.
    let Workspace { goal_cells, start_cells, allowed, search: number, .. } = &mut *search.work;
    for &end in goal_cells.iter().chain(start_cells.iter()) {
        let mut cell = end;
        while cell != NONE {
            allowed[cell as usize] = *number;
            cell = mesh.trunk[cell as usize];
        }
    }
    search.leave_starts();
    let last = search.run(|_| {})?;
    let mut way = vec![to];
    let mut node = last;
    loop {
        let SearchNode { root, parent, .. } = search.work.nodes[node as usize];
        let point = search.point(root);
        if way.last() != Some(&point) {
            way.push(point);
        }
        if parent == NONE {
            break;
        }
        node = parent;
    }
    way.reverse();
    Some(way)
}

/// Visits every cell from each root that may lie on a shortest way from the nearest of `starts`, and calls `visit`
/// with the search node.
pub(crate) fn flood(
    mesh: &NavMesh,
    starts: &[DVec2],
    work: &mut Workspace,
    mut visit: impl FnMut(&Flooded<'_>, &SearchNode),
) {
    work.begin(mesh);
    work.allowed.fill(work.search);
    let mut search = Search { cells: &mesh.cells, mesh, starts, aim: Aim::Everywhere, work };
    for (i, start) in starts.iter().enumerate() {
        search.work.start_cells.clear();
        mesh.locate(*start, |cell| search.work.start_cells.push(cell));
        search.leave_start(i);
    }
    let view = Flooded { cells: search.cells, starts };
    search.run(|node| visit(&view, node));
}

/// What a flood's visitor can ask.
pub(crate) struct Flooded<'a> {
    pub(crate) cells: &'a Cells,
    starts: &'a [DVec2],
}

impl Flooded<'_> {
    pub(crate) fn point(&self, root: Root) -> DVec2 {
        match self.cells.corners.get(root as usize) {
            Some(corner) => *corner,
            None => self.starts[root as usize - self.cells.corners.len()],
        }
    }

    /// Whether the point of the entered cell is in the cone of the node.
    pub(crate) fn sees(&self, node: &SearchNode, point: DVec2) -> bool {
        let side = |border: Border| {
            if border == OPEN {
                0.0
            } else {
                turn(self.point(border.origin), self.cells.corners[border.through as usize], point)
            }
        };
        side(node.right) >= 0.0 && side(node.left) <= 0.0
    }
}

impl Search<'_> {
    fn point(&self, root: Root) -> DVec2 {
        match self.cells.corners.get(root as usize) {
            Some(corner) => *corner,
            None => self.starts[root as usize - self.cells.corners.len()],
        }
    }

    /// Positive when the point is on the left of the border.
    #[inline]
    fn side_of(&self, border: Border, point: DVec2) -> f64 {
        turn(self.point(border.origin), self.cells.corners[border.through as usize], point)
    }

    fn leave_starts(&mut self) {
        for start in 0..self.starts.len() {
            self.leave_start(start);
        }
    }

    /// Opens every side of the cells that hold the start.
    fn leave_start(&mut self, start: usize) {
        let root = (self.cells.corners.len() + start) as Root;
        let point = self.starts[start];
        for i in 0..self.work.start_cells.len() {
            let cell = self.work.start_cells[i];
            for side in self.cells.sides(cell) {
                let (p, q) = self.cells.ends(side);
                let (p_at, q_at) = (self.cells.corners[p as usize], self.cells.corners[q as usize]);
                // A side through the start opens a cell that holds the start, too. A side in line with it is open:
                // one may go along it and turn at its near end.
                let is_on_side = turn(p_at, q_at, point) == 0.0 && (p_at - point).dot(q_at - point) <= 0.0;
                if !is_on_side {
                    let (right, left) =
                        (Border { origin: root, through: p }, Border { origin: root, through: q });
                    self.open(side, root, NONE, 0.0, left, right);
                }
            }
        }
    }

    /// Takes nodes by estimated length until the goal comes up, whose node is returned.
    fn run(&mut self, mut visit: impl FnMut(&SearchNode)) -> Option<u32> {
        while let Some(Open { node: index, .. }) = self.work.open.pop() {
            let node = self.work.nodes[index as usize];
            if node.side == NONE {
                return Some(index);
            }
            if let Some(reached) = self.work.reached.get(node.root as usize)
                && reached.search == self.work.search
                && node.length > reached.length + SAME_LENGTH
            {
                continue;
            }
            visit(&node);
            self.expand(index, node, &mut visit);
        }
        None
    }

    fn expand(&mut self, index: u32, node: SearchNode, visit: &mut impl FnMut(&SearchNode)) {
        let cells = self.cells;
        // Seen from the root, the side runs from `a` on the left to `b` on the right.
        let (a, b) = cells.ends(node.side);
        let turns_right =
            node.right == Border { origin: node.root, through: b } && cells.is_turning_point[b as usize];
        let turns_left =
            node.left == Border { origin: node.root, through: a } && cells.is_turning_point[a as usize];
        if let Aim::Point(goal, _) = self.aim
            && self.work.goal_cells.contains(&cells.cell[node.side as usize])
        {
            let is_right = node.right != OPEN && self.side_of(node.right, goal) < 0.0;
            let is_left = node.left != OPEN && self.side_of(node.left, goal) > 0.0;
            match (is_right, is_left) {
                (false, false) => self.close(index, node.root, node.length, goal),
                (true, _) if turns_right => self.turn_to_goal(index, node, b, goal),
                (_, true) if turns_left => self.turn_to_goal(index, node, a, goal),
                _ => {}
            }
            return;
        }
        let mut side = cells.next[node.side as usize];
        while side != node.side {
            self.see_through(side, index, node.root, node.length, node.left, node.right);
            side = cells.next[side as usize];
        }
        if turns_right && let Some(length) = self.reach(node, b) {
            let left = Border { origin: node.root, through: b };
            visit(&SearchNode { root: b, left, right: OPEN, length, ..node });
            let mut side = cells.next[node.side as usize];
            while side != node.side {
                self.see_through(side, index, b, length, left, OPEN);
                side = cells.next[side as usize];
            }
        }
        if turns_left && let Some(length) = self.reach(node, a) {
            let right = Border { origin: node.root, through: a };
            visit(&SearchNode { root: a, left: OPEN, right, length, ..node });
            let mut side = cells.next[node.side as usize];
            while side != node.side {
                self.see_through(side, index, a, length, OPEN, right);
                side = cells.next[side as usize];
            }
        }
    }

    /// The length up to `corner` as the next root, unless a way at least as short is known from another root: of two
    /// equally long ways to a corner one is enough, since what is shortest beyond it is so for both.
    fn reach(&mut self, node: SearchNode, corner: u32) -> Option<f64> {
        let (root, at) = (self.point(node.root), self.cells.corners[corner as usize]);
        let length = node.length + root.distance(at);
        let search = self.work.search;
        let known = self.work.reached[corner as usize];
        if known.search == search {
            if length > known.length + SAME_LENGTH {
                return None;
            }
            if length > known.length - SAME_LENGTH {
                // Roots in line with the corner are stations of one way, and each opens another side of it.
                let is_same_way = turn(self.point(known.from), root, at) == 0.0;
                return is_same_way.then_some(length);
            }
        }
        self.work.reached[corner as usize] = Reached { search, from: node.root, length };
        Some(length)
    }

    /// Whether there is a cell across `side` that may lead to the goal.
    #[inline]
    fn leads_on(&self, side: u32) -> bool {
        let twin = self.cells.twin[side as usize];
        twin != NONE && {
            let cell = self.cells.cell[twin as usize] as usize;
            self.mesh.trunk[cell] == NONE || self.work.allowed[cell] == self.work.search
        }
    }

    /// Opens the cell across `side` for the part of it that is in the cone.
    #[inline]
    fn see_through(&mut self, side: u32, parent: u32, root: Root, length: f64, left: Border, right: Border) {
        if !self.leads_on(side) {
            return;
        }
        let (p, q) = self.cells.ends(side);
        let (p_at, q_at) = (self.cells.corners[p as usize], self.cells.corners[q as usize]);
        // Positive when the point is inside the border; 0 stands for being the root itself.
        let inside_right = |corner: u32, at: DVec2| match right {
            OPEN if corner == root => 0.0,
            OPEN => 1.0,
            border => self.side_of(border, at),
        };
        let inside_left = |corner: u32, at: DVec2| match left {
            OPEN if corner == root => 0.0,
            OPEN => 1.0,
            border => -self.side_of(border, at),
        };
        let (p_left, q_right) = (inside_left(p, p_at), inside_right(q, q_at));
        if p_left < 0.0 || q_right < 0.0 {
            return;
        }
        let (p_right, q_left) = (inside_right(p, p_at), inside_left(q, q_at));
        // The cone touches the side in one point only, unless the side lies along the border: then one can go along
        // it and turn at its end, or turn around the root itself.
        if (p_left == 0.0 && q_left != 0.0 && p != root) || (q_right == 0.0 && p_right != 0.0 && q != root) {
            return;
        }
        if (p == root && (right != OPEN || q_left < 0.0)) || (q == root && (left != OPEN || p_right < 0.0)) {
            return;
        }
        let through =
            |corner: u32| if corner == root { OPEN } else { Border { origin: root, through: corner } };
        let new_right = if p_right >= 0.0 { through(p) } else { right };
        let new_left = if q_left >= 0.0 { through(q) } else { left };
        self.open(side, root, parent, length, new_left, new_right);
    }

    /// Puts the cell across `side` on the list, with an estimate of the whole length.
    fn open(&mut self, side: u32, root: Root, parent: u32, length: f64, left: Border, right: Border) {
        if !self.leads_on(side) {
            return;
        }
        let twin = self.cells.twin[side as usize];
        let (p, q) = self.cells.ends(side);
        let (p_at, q_at) = (self.cells.corners[p as usize], self.cells.corners[q as usize]);
        let end = |border: Border, corner: u32, corner_at: DVec2| {
            if border == OPEN || border.through == corner {
                corner_at
            } else {
                meet(self.point(border.origin), self.cells.corners[border.through as usize], p_at, q_at)
            }
        };
        let (right_at, left_at) = (end(right, p, p_at), end(left, q, q_at));
        let root_at = self.point(root);
        let rest = match self.aim {
            Aim::Point(goal, ref bounds) => {
                let landmarks = &self.mesh.landmarks;
                let rests = &mut self.work.rests;
                let search = self.work.search;
                // A corner is the end of many sides, and what is left from there does not change.
                let mut rest = |corner: u32| {
                    let known = &mut rests[corner as usize];
                    if known.0 != search {
                        *known = (search, landmarks.rest(corner, bounds));
                    }
                    known.1
                };
                // The way goes on from some point x of the interval, from which an end of the side is seen. |root x| − |x end|
                // never grows with the distance from the end: it is least where the interval is farthest from it.
                let mut beyond = |end: u32, end_at: DVec2, far: DVec2| {
                    root_at.distance(far) - far.distance(end_at) + rest(end) - SAFETY
                };
                let through = length_through(root_at, left_at, right_at, goal);
                through.max(beyond(p, p_at, left_at)).max(beyond(q, q_at, right_at))
            }
            Aim::Everywhere => distance_to_segment(root_at, left_at, right_at),
        };
        let node = self.work.nodes.len() as u32;
        self.work.nodes.push(SearchNode { root, parent, side: twin, left, right, length });
        self.work.open.push(Open { estimate: length + rest, node });
    }

    fn turn_to_goal(&mut self, index: u32, node: SearchNode, corner: u32, goal: DVec2) {
        if let Some(length) = self.reach(node, corner) {
            self.close(index, corner, length, goal);
        }
    }

    /// Puts the goal on the list.
    fn close(&mut self, parent: u32, root: Root, length: f64, goal: DVec2) {
        let node = self.work.nodes.len() as u32;
        let estimate = length + self.point(root).distance(goal);
        self.work.nodes.push(SearchNode { root, parent, side: NONE, left: OPEN, right: OPEN, length });
        self.work.open.push(Open { estimate, node });
    }
}

/// Where the line through a and b meets the segment p-q.
fn meet(a: DVec2, b: DVec2, p: DVec2, q: DVec2) -> DVec2 {
    let across = (b - a).perp_dot(q - p);
    if across == 0.0 {
        return p;
    }
    let t = (p - a).perp_dot(b - a) / across;
    p + (q - p) * t.clamp(0.0, 1.0)
}

/// The length of the shortest way from `root` to `goal` through the segment.
fn length_through(root: DVec2, left: DVec2, right: DVec2, goal: DVec2) -> f64 {
    let along = left - right;
    let root_side = along.perp_dot(root - right);
    let goal_side = along.perp_dot(goal - right);
    // A goal on the root's side is as far as its mirror image.
    let goal = if root_side * goal_side > 0.0 {
        goal - along.perp() * (2.0 * goal_side / along.length_squared())
    } else {
        goal
    };
    let way = goal - root;
    if way.perp_dot(right - root) > 0.0 {
        root.distance(right) + right.distance(goal)
    } else if way.perp_dot(left - root) < 0.0 {
        root.distance(left) + left.distance(goal)
    } else {
        way.length()
    }
}

fn distance_to_segment(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    let length_squared = (b - a).length_squared();
    let t =
        if length_squared > 0.0 { ((point - a).dot(b - a) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(a + (b - a) * t)
}
