//! Who is in the crowd: coming in where there is room, and going.

use crate::commitment::Commitment;
use crate::crowd::Crowd;
use crate::grid::NeighbourGrid;
use crate::mind::Mind;
use crate::random::{Purpose, Random};
use crate::situation::Change;
use crowdloom_motion::Placement;
use crowdloom_motion::graph::NodeId;
use glam::Vec2;

impl Crowd {
    /// Adds an agent that stands at `placement`, if the place is free; returns its number.
    pub fn add(&mut self, placement: Placement, mind: Mind) -> Option<usize> {
        self.add_at(placement, self.standing_node(), mind)
    }

    /// The same in the pose of a node at rest.
    pub fn add_at(&mut self, placement: Placement, node: NodeId, mind: Mind) -> Option<usize> {
        let book = &self.setting.book;
        let commitment = Commitment::standing(placement, self.frame, node);
        if !self.setting.ground.is_free(placement.position, book.options().radius) {
            return None;
        }
        if self.commitments.iter().any(|other| commitment.clashes(other, book))
            || self.directed.iter().any(|(_, motion)| motion.clashes(&commitment, book))
            || self.bystanders.are_met_by(&commitment, self.frame, book)
        {
            return None;
        }
        self.push(commitment, mind);
        Some(self.len() - 1)
    }

    /// Adds up to `count` agents at random free places of the ground (or of a region, by its index), facing anywhere;
    /// returns how many found a place.
    pub fn scatter(
        &mut self,
        count: usize,
        region: Option<usize>,
        mut mind: impl FnMut(&mut Random) -> Mind,
    ) -> usize {
        const TRIES: usize = 30;
        let book = self.setting.book.clone();
        let ground = self.setting.ground.clone();
        let region = region.and_then(|index| ground.regions().get(index));
        let clearance = book.options().radius + 0.08;
        let spacing = 2.0 * book.options().radius + 0.02;
        let mut stream =
            crowdloom_world::Stream::new(self.setting.seed, 0x5ca7_0000 + u64::from(self.next_id));
        // New agents stand: they must stay off all that was promised before, and off each other.
        let mut grid = NeighbourGrid::default();
        let centres: Vec<Vec2> = self.bounds.iter().map(|bounds| bounds.centre).collect();
        let widest = self.bounds.iter().map(|bounds| bounds.radius).fold(0.0, f32::max);
        grid.rebuild(&centres, 4.0);
        let mut occupied: std::collections::HashMap<(i32, i32), Vec<Vec2>> = std::collections::HashMap::new();
        let cell = |point: Vec2| ((point.x / spacing).floor() as i32, (point.y / spacing).floor() as i32);
        let node = self.standing_node();
        let mut placed = 0;
        for _ in 0..count {
            for _ in 0..TRIES {
                let Some(point) = ground.random_point(region, clearance, &mut stream) else { break };
                let (column, row) = cell(point);
                let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
                let crowded = near
                    .filter_map(|key| occupied.get(&key))
                    .flatten()
                    .any(|other| other.distance(point) < spacing);
                let standing =
                    Commitment::standing(Placement { position: point, heading: 0.0 }, self.frame, node);
                let mut clashes = crowded
                    || self.directed.iter().any(|(_, motion)| motion.clashes(&standing, &book))
                    || self.bystanders.are_met_by(&standing, self.frame, &book);
                grid.for_each_within(point, widest + clearance, |other, _, _| {
                    clashes |= standing.clashes(&self.commitments[other as usize], &book);
                });
                if clashes {
                    continue;
                }
                let mut random = Random::new(self.setting.seed, self.next_id, self.frame, Purpose::BIRTH);
                let heading = random.between(-std::f32::consts::PI, std::f32::consts::PI);
                let mind = mind(&mut random);
                self.push(
                    Commitment::standing(Placement { position: point, heading }, self.frame, node),
                    mind,
                );
                occupied.entry((column, row)).or_default().push(point);
                placed += 1;
                break;
            }
        }
        placed
    }

    /// The node in which newcomers stand.
    fn standing_node(&self) -> NodeId {
        self.setting.book.rest_nodes().next().unwrap_or(NodeId(0))
    }

    fn push(&mut self, commitment: Commitment, mind: Mind) {
        let mut random = Random::new(self.setting.seed, self.next_id, self.frame, Purpose::FIRST_DECISION);
        self.ids.push(self.next_id);
        self.next_id += 1;
        self.bounds.push(commitment.bounds(&self.setting.book));
        self.positions.push(commitment.start.position);
        // Not everybody starts in the same frame.
        self.due.push(self.frame + 1 + random.below(30));
        self.settled_in.push(self.frame);
        self.commitments.push(commitment);
        self.minds.push(mind);
    }

    /// Takes an agent out of the scene; those behind it move up, so that numbers stay in order.
    pub fn remove(&mut self, agent: usize) {
        let id = self.ids.remove(agent);
        self.commitments.remove(agent);
        self.bounds.remove(agent);
        self.positions.remove(agent);
        self.due.remove(agent);
        self.settled_in.remove(agent);
        let mind = self.minds.remove(agent);
        for visit in mind.visits {
            if let Some(spot) = visit.spot {
                self.shared.apply(id, Change::Release(visit.situation, spot), self.frame);
            }
            self.shared.apply(id, Change::Leave(visit.situation), self.frame);
        }
        if let Some(ride) = mind.ride {
            self.shared.apply(id, Change::Alight(ride.vehicle.into()), self.frame);
        }
        for &room in &self.shared.rooms {
            let holders = &mut self.shared.rolls[room.index()].holders;
            holders.iter_mut().filter(|holder| **holder == Some(id)).for_each(|holder| *holder = None);
        }
    }
}
