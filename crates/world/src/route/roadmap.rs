//! The probabilistic roadmap of the thesis (sections 3.2.2 and 5.2.2): random samples outside obstacles, edges
//! between neighbours that see each other, shortest ways along the edges.

use super::inflate::free_areas;
use super::nav_mesh::NavMesh;
use crate::ground::Ground;
use crate::random::Stream;
use glam::Vec2;
use rayon::prelude::*;
use std::sync::Arc;

/// How a roadmap is sampled.
#[derive(Clone, Copy, Debug)]
pub struct RoadmapOptions {
    /// The smallest radius in metres that the roadmap serves.
    pub radius: f32,
    /// Samples before looking whether everything is connected; 0 chooses by the number of walls.
    pub samples: usize,
    /// No more samples than this.
    pub max_samples: usize,
    /// Edges are made to so many of the nearest samples that are visible.
    pub neighbours: usize,
    /// The seed of the samples.
    pub seed: u64,
    /// Whether ways are shortened by skipping way points where the next is visible.
    pub shorten: bool,
}

impl Default for RoadmapOptions {
    fn default() -> Self {
        Self { radius: 0.25, samples: 0, max_samples: 20_000, neighbours: 12, seed: 1, shorten: true }
    }
}

/// Samples and edges, each edge with how wide it is.
#[derive(Clone, Debug)]
pub struct Roadmap {
    pub(crate) ground: Arc<Ground>,
    pub(crate) options: RoadmapOptions,
    pub(crate) nodes: Vec<Vec2>,
    /// The edges of node i are `first_edge[i]..first_edge[i + 1]`.
    pub(crate) first_edge: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) buckets: NodeBuckets,
    unconnected: Vec<String>,
}

/// A straight way to another node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    /// The largest radius that is known to pass, in metres.
    pub(crate) radius: f32,
}

impl Roadmap {
    /// Samples the ground until everything that touches is connected, or there are too many samples.
    pub fn new(ground: Arc<Ground>, options: RoadmapOptions) -> Self {
        let mesh = NavMesh::new(&free_areas(&ground, f64::from(options.radius)));
        let mut sampler = Sampler::new(&ground, &mesh, options);
        sampler.spread();
        let mut links = sampler.link_all();
        // A few rounds near the gates of the mesh: random points find doors only by luck.
        let mut parts = sampler.parts(&links);
        while sampler.is_split(&parts) && sampler.nodes.len() < options.max_samples {
            sampler.sample_gates(&parts);
            links = sampler.link_all();
            let after = sampler.parts(&links);
            if !sampler.is_split(&after) {
                parts = after;
                break;
            }
            sampler.join_parts(&after, &mut links);
            parts = sampler.parts(&links);
        }
        let unconnected = sampler.describe_parts(&parts);
        let buckets = sampler.buckets();
        let nodes = sampler.nodes;
        let (first_edge, edges) = into_rows(nodes.len(), &links);
        Self { ground, options, nodes, first_edge, edges, buckets, unconnected }
    }

    /// The samples, in metres.
    pub fn nodes(&self) -> &[Vec2] {
        &self.nodes
    }

    /// The edges, each once: the two nodes and the largest radius that is known to pass, in metres.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize, f32)> + '_ {
        (0..self.nodes.len()).flat_map(move |from| {
            self.edges_of(from as u32)
                .iter()
                .filter(move |edge| (edge.to as usize) > from)
                .map(move |edge| (from, edge.to as usize, edge.radius))
        })
    }

    /// What could not be connected, in words: regions or parts of the ground that do not touch, and parts that do
    /// but where the samples ran out.
    pub fn unconnected(&self) -> &[String] {
        &self.unconnected
    }

    pub(crate) fn edges_of(&self, node: u32) -> &[Edge] {
        &self.edges[self.first_edge[node as usize] as usize..self.first_edge[node as usize + 1] as usize]
    }
}

/// One undirected link.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    a: u32,
    b: u32,
    radius: f32,
}

fn into_rows(count: usize, links: &[Link]) -> (Vec<u32>, Vec<Edge>) {
    let mut both: Vec<(u32, u32, f32)> =
        links.iter().flat_map(|l| [(l.a, l.b, l.radius), (l.b, l.a, l.radius)]).collect();
    both.sort_by_key(|link| (link.0, link.1));
    both.dedup_by_key(|link| (link.0, link.1));
    let mut first = vec![0u32; count + 1];
    for (from, ..) in &both {
        first[*from as usize + 1] += 1;
    }
    for i in 0..count {
        first[i + 1] += first[i];
    }
    (first, both.into_iter().map(|(_, to, radius)| Edge { to, radius }).collect())
}

struct Sampler<'a> {
    ground: &'a Ground,
    mesh: &'a NavMesh,
    options: RoadmapOptions,
    random: Stream,
    nodes: Vec<Vec2>,
    /// The part of the mesh each node is in.
    component: Vec<u32>,
}

impl<'a> Sampler<'a> {
    fn new(ground: &'a Ground, mesh: &'a NavMesh, options: RoadmapOptions) -> Self {
        let random = Stream::new(options.seed, 0x0070_726d);
        Self { ground, mesh, options, random, nodes: Vec::new(), component: Vec::new() }
    }

    fn add(&mut self, point: Vec2) {
        if !self.ground.is_free(point, self.options.radius) {
            return;
        }
        let mut component = u32::MAX;
        self.mesh.locate(point.as_dvec2(), |cell| component = self.mesh.component[cell as usize]);
        if component != u32::MAX {
            self.nodes.push(point);
            self.component.push(component);
        }
    }

    /// Half of the samples lie anywhere; the other half near walls, where shortest ways turn.
    fn spread(&mut self) {
        let corners = self.mesh.cells.is_turning_point.iter().filter(|turning| **turning).count();
        let wanted = match self.options.samples {
            0 => (corners * 2).clamp(400, 5000),
            given => given,
        }
        .min(self.options.max_samples);
        for i in 0..wanted * 4 {
            if self.nodes.len() >= wanted {
                break;
            }
            let Some(point) = self.ground.random_point(None, self.options.radius, &mut self.random) else {
                break;
            };
            let point = if i % 2 == 0 { point } else { self.near_corner().unwrap_or(point) };
            self.add(point);
        }
        // No part of the ground is left out, however small.
        let mut has_sample = vec![false; self.mesh.component_count()];
        for component in &self.component {
            has_sample[*component as usize] = true;
        }
        for (cell, outline) in self.mesh.cell_outlines().enumerate() {
            let component = self.mesh.component[cell] as usize;
            if !has_sample[component] {
                let middle = outline.iter().sum::<glam::DVec2>() / outline.len() as f64;
                has_sample[component] = true;
                self.add(middle.as_vec2());
            }
        }
    }

    /// A random point near a random corner of a wall.
    fn near_corner(&mut self) -> Option<Vec2> {
        let corners = &self.mesh.cells.corners;
        let turning = &self.mesh.cells.is_turning_point;
        let corner = (0..50).map(|_| self.random.below(corners.len())).find(|corner| turning[*corner])?;
        let (u, v) = (self.random.unit() as f32, self.random.unit() as f32);
        let (sin, cos) = libm::sincosf(std::f32::consts::TAU * u);
        Some(corners[corner].as_vec2() + Vec2::new(cos, sin) * (0.02 + v * v * 1.5))
    }

    /// More samples, near random gates between mesh cells of parts that are split.
    fn sample_gates(&mut self, parts: &[u32]) {
        let split = self.split_components(parts);
        let cells = &self.mesh.cells;
        let gates: Vec<(u32, u32)> = (0..cells.from.len() as u32)
            .filter(|side| cells.twin[*side as usize] != u32::MAX && *side < cells.twin[*side as usize])
            .filter(|side| split[self.mesh.component[cells.cell[*side as usize] as usize] as usize])
            .map(|side| cells.ends(side))
            .collect();
        let wanted = (self.nodes.len() / 4).clamp(50, 1000).min(self.options.max_samples - self.nodes.len());
        for _ in 0..wanted {
            let Some((a, b)) = gates.get(self.random.below(gates.len())) else { return };
            let t = self.random.unit() * 0.8 + 0.1;
            let point = cells.corners[*a as usize].lerp(cells.corners[*b as usize], t);
            self.add(point.as_vec2());
        }
        // The loop of the caller ends even if no sample was taken.
        self.options.max_samples = self.options.max_samples.saturating_sub(1);
    }

    /// Links every node to its nearest visible neighbours.
    fn link_all(&self) -> Vec<Link> {
        let buckets = self.buckets();
        let per_node: Vec<Vec<Link>> = (0..self.nodes.len() as u32)
            .into_par_iter()
            .with_min_len(32)
            .map(|node| self.link(node, &buckets))
            .collect();
        let mut links: Vec<Link> = per_node.into_iter().flatten().collect();
        links.sort_by_key(|link| (link.a, link.b));
        links.dedup_by_key(|link| (link.a, link.b));
        links
    }

    fn link(&self, node: u32, buckets: &NodeBuckets) -> Vec<Link> {
        let here = self.nodes[node as usize];
        let mut near = Vec::new();
        buckets.near(here, 2, |other| {
            if other != node && self.component[other as usize] == self.component[node as usize] {
                near.push((self.nodes[other as usize].distance_squared(here), other));
            }
        });
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut links = Vec::new();
        for (_, other) in near.into_iter().take(self.options.neighbours * 4) {
            if let Some(radius) = self.passing_radius(here, self.nodes[other as usize]) {
                links.push(Link { a: node.min(other), b: node.max(other), radius });
                if links.len() >= self.options.neighbours {
                    break;
                }
            }
        }
        links
    }

    /// The largest radius, to within a few per cent, that passes straight from a to b.
    fn passing_radius(&self, a: Vec2, b: Vec2) -> Option<f32> {
        if !self.ground.straight_is_free(a, b, self.options.radius) {
            return None;
        }
        let clearance = |p: Vec2| self.ground.nearest_wall(p).map_or(0.0, |wall| wall.distance);
        let (mut low, mut high) = (self.options.radius, clearance(a).min(clearance(b)));
        for _ in 0..5 {
            let middle = (low + high) / 2.0;
            if high <= low {
                break;
            }
            if self.ground.straight_is_free(a, b, middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(low)
    }

    /// Links the nearest nodes of different parts where they see each other, however far apart they are.
    fn join_parts(&self, parts: &[u32], links: &mut Vec<Link>) {
        let split = self.split_components(parts);
        for node in 0..self.nodes.len() {
            if !split[self.component[node] as usize] {
                continue;
            }
            let here = self.nodes[node];
            let mut others: Vec<(f32, usize)> = (0..self.nodes.len())
                .filter(|other| {
                    parts[*other] != parts[node] && self.component[*other] == self.component[node]
                })
                .map(|other| (self.nodes[other].distance_squared(here), other))
                .collect();
            let count = others.len().min(8);
            if count == 0 {
                continue;
            }
            others.select_nth_unstable_by(count - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (_, other) in &others[..count] {
                if let Some(radius) = self.passing_radius(here, self.nodes[*other]) {
                    links.push(Link { a: node.min(*other) as u32, b: node.max(*other) as u32, radius });
                }
            }
        }
        links.sort_by_key(|link| (link.a, link.b));
        links.dedup_by_key(|link| (link.a, link.b));
    }

    /// The connected part of the roadmap each node is in, named by its first node.
    fn parts(&self, links: &[Link]) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..self.nodes.len() as u32).collect();
        fn find(parent: &mut [u32], mut node: u32) -> u32 {
            while parent[node as usize] != node {
                parent[node as usize] = parent[parent[node as usize] as usize];
                node = parent[node as usize];
            }
            node
        }
        for link in links {
            let (a, b) = (find(&mut parent, link.a), find(&mut parent, link.b));
            parent[a.max(b) as usize] = a.min(b);
        }
        (0..self.nodes.len() as u32).map(|node| find(&mut parent, node)).collect()
    }

    /// Which parts of the mesh the roadmap has in pieces.
    fn split_components(&self, parts: &[u32]) -> Vec<bool> {
        let mut first = vec![u32::MAX; self.mesh.component_count()];
        let mut split = vec![false; self.mesh.component_count()];
        for (node, part) in parts.iter().enumerate() {
            let component = self.component[node] as usize;
            if first[component] == u32::MAX {
                first[component] = *part;
            }
            split[component] |= first[component] != *part;
        }
        split
    }

    fn is_split(&self, parts: &[u32]) -> bool {
        self.split_components(parts).contains(&true)
    }

    fn describe_parts(&self, parts: &[u32]) -> Vec<String> {
        let mut lines = Vec::new();
        let components = self.mesh.component_count();
        if components > 1 {
            lines.push(format!("the ground is in {components} parts that do not touch"));
        }
        let pieces = self.split_components(parts).iter().filter(|split| **split).count();
        if pieces > 0 {
            lines.push(format!("{pieces} parts of the ground are connected, but not by the samples so far"));
        }
        // A region belongs to the part that its first free point is in.
        let mut random = Stream::new(self.options.seed, 0x0072_6567);
        let home: Vec<(&str, u32)> = self
            .ground
            .regions()
            .iter()
            .filter_map(|region| {
                let point = self.ground.random_point(Some(region), self.options.radius, &mut random)?;
                let mut component = None;
                self.mesh
                    .locate(point.as_dvec2(), |cell| component = Some(self.mesh.component[cell as usize]));
                Some((region.name.as_str(), component?))
            })
            .collect();
        for (i, (name, part)) in home.iter().enumerate() {
            for (other, _) in home[i + 1..].iter().filter(|(_, other)| other != part).take(100) {
                lines.push(format!("the regions “{name}” and “{other}” are not connected"));
            }
        }
        lines
    }

    fn buckets(&self) -> NodeBuckets {
        NodeBuckets::new(self.ground, &self.nodes)
    }
}

/// Nodes by place.
#[derive(Clone, Debug)]
pub(crate) struct NodeBuckets {
    min: Vec2,
    size: f32,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    nodes: Vec<u32>,
}

impl NodeBuckets {
    fn new(ground: &Ground, nodes: &[Vec2]) -> Self {
        let bounds = ground.bounds();
        let extent = bounds.size().max(glam::DVec2::splat(1e-3)).as_vec2();
        // About six nodes in a bucket, if they were even over the walkable part.
        let size = ((ground.size() as f32) * 6.0 / nodes.len().max(1) as f32)
            .sqrt()
            .max(extent.max_element() / 1000.0);
        let (columns, rows) = ((extent.x / size) as usize + 1, (extent.y / size) as usize + 1);
        let min = bounds.min.as_vec2();
        Self::rebuild(Self { min, size, columns, rows, first: Vec::new(), nodes: Vec::new() }, nodes)
    }

    fn rebuild(mut self, nodes: &[Vec2]) -> Self {
        let mut pairs: Vec<(u32, u32)> = nodes
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let (x, y) = self.index(*p);
                ((y * self.columns + x) as u32, i as u32)
            })
            .collect();
        pairs.sort_unstable();
        self.first = vec![0; self.columns * self.rows + 1];
        for (bucket, _) in &pairs {
            self.first[*bucket as usize + 1] += 1;
        }
        for i in 1..self.first.len() {
            self.first[i] += self.first[i - 1];
        }
        self.nodes = pairs.into_iter().map(|(_, node)| node).collect();
        self
    }

    fn index(&self, point: Vec2) -> (usize, usize) {
        let at = ((point - self.min) / self.size).max(Vec2::ZERO);
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }

    /// Calls `visit` with the nodes in the buckets up to `rings` away.
    pub(crate) fn near(&self, point: Vec2, rings: usize, mut visit: impl FnMut(u32)) {
        let (x, y) = self.index(point);
        for y in y.saturating_sub(rings)..=(y + rings).min(self.rows - 1) {
            for x in x.saturating_sub(rings)..=(x + rings).min(self.columns - 1) {
                let bucket = y * self.columns + x;
                for &node in &self.nodes[self.first[bucket] as usize..self.first[bucket + 1] as usize] {
                    visit(node);
                }
            }
        }
    }

    /// How many rings reach everything.
    pub(crate) fn all_rings(&self) -> usize {
        self.columns.max(self.rows)
    }
}
