//! Where everybody else is and will be: an index over ground and time of motions reduced to discs.
//!
//! Time is cut into spans of 32 frames, about as long as a clip; the disc around a span is found by the cell
//! of the ground and the span of time it lies in, which takes the place of the tree's upper levels when thousands of
//! motions are asked about at once. What the discs cannot tell apart is compared frame by frame.

mod limbs;

use crate::outline::{Figure, Stance};
use crowdloom_world::Bounds;
use glam::Vec2;

/// Whose motion it is.
pub type Owner = u32;

/// Halvings of a span of time down to one frame.
const SPAN_BITS: i32 = 5;
const SPAN: i32 = 1 << SPAN_BITS;
/// Spans of time that have lists of their own in each cell; later ones share them.
const WINDOW: usize = 32;
/// Side of a cell in metres.
const CELL: f32 = 3.0;
/// No more cells than this; a larger ground has larger cells.
const MOST_CELLS: f32 = 40_000.0;
const NONE: u32 = u32::MAX;
/// Discs are this much larger in tests, in metres: rounding must not make anybody overlap.
const SKIN: f32 = 5e-4;

/// A span of somebody's motion.
#[derive(Clone, Copy, Debug)]
struct Bead {
    centre: Vec2,
    /// Holds the positions, not the body.
    radius: f32,
    /// Radius of the body.
    body: f32,
    span: i32,
    /// Where its frames are among all positions, and which of the span they are.
    first: u32,
    frames: (i32, i32),
    owner: Owner,
    next: u32,
}

/// Somebody who keeps still.
#[derive(Clone, Copy, Debug)]
struct Stay {
    at: Vec2,
    body: f32,
    from: i32,
    /// The first frame in which it is over.
    to: i32,
    owner: Owner,
    stance: Stance,
    /// Whether it is only wished for, by somebody who is not planned yet.
    claim: bool,
    next: u32,
}

/// Which of the others count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heed {
    /// Whose own claims do not.
    pub own: Owner,
    /// Whether claims of others do.
    pub claims: bool,
}

/// All motions that are settled, and places that are claimed.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    low: Vec2,
    cells_per_metre: f32,
    columns: i32,
    rows: i32,
    heads: Vec<u32>,
    stay_heads: Vec<u32>,
    beads: Vec<Bead>,
    stays: Vec<Stay>,
    positions: Vec<Vec2>,
    /// What bodies look like there.
    stances: Vec<Stance>,
    /// The largest radius of a span, and of a body.
    widest: f32,
    stoutest: f32,
    /// The last frame in which anybody moves.
    latest: i32,
}

/// The disc around positions that follow each other.
#[inline]
fn around(positions: &[Vec2]) -> (Vec2, f32) {
    let (first, last) = (positions[0], positions[positions.len() - 1]);
    let centre = (first + last) * 0.5;
    let squared = positions.iter().map(|p| p.distance_squared(centre)).fold(0.0, f32::max);
    (centre, squared.sqrt())
}

impl Traffic {
    /// Nobody yet, on ground within `bounds`.
    pub fn new(bounds: Bounds) -> Self {
        let mut traffic = Self::default();
        traffic.lay_out(bounds);
        traffic
    }

    /// Forgets everybody and makes cells for ground within `bounds`; who is outside is found a little slower.
    pub fn lay_out(&mut self, bounds: Bounds) {
        let (low, high) = (bounds.min.as_vec2(), bounds.max.as_vec2());
        let size = (high - low).max(Vec2::splat(CELL));
        let side = CELL.max((size.x * size.y / MOST_CELLS).sqrt());
        let (columns, rows) = ((size.x / side) as i32 + 1, (size.y / side) as i32 + 1);
        let cells = (columns * rows) as usize;
        (self.low, self.cells_per_metre, self.columns, self.rows) = (low, 1.0 / side, columns, rows);
        self.heads.resize(cells * WINDOW, NONE);
        self.stay_heads.resize(cells, NONE);
        self.clear();
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.heads.fill(NONE);
        self.stay_heads.fill(NONE);
        self.beads.clear();
        self.stays.clear();
        self.positions.clear();
        self.stances.clear();
        (self.widest, self.stoutest, self.latest) = (0.0, 0.0, 0);
    }

    #[inline]
    fn cell(&self, point: Vec2) -> (i32, i32) {
        let place = (point - self.low) * self.cells_per_metre;
        ((place.x as i32).clamp(0, self.columns - 1), (place.y as i32).clamp(0, self.rows - 1))
    }

    /// Settles a motion of which only the discs are known: one position for each frame from `first_frame` on, in metres.
    pub fn add(&mut self, owner: Owner, positions: &[Vec2], first_frame: i32, body: f32) {
        self.add_figures(owner, positions, std::iter::repeat(Stance::DISC), first_frame, body);
    }

    /// Settles a motion: one position, and what the body looks like, for each frame from `first_frame` on, in metres.
    pub(crate) fn add_figures(
        &mut self,
        owner: Owner,
        positions: &[Vec2],
        stances: impl Iterator<Item = Stance>,
        first_frame: i32,
        body: f32,
    ) {
        let end = first_frame + positions.len() as i32;
        let base = self.positions.len() as i32 - first_frame;
        self.positions.extend_from_slice(positions);
        self.stances.extend(stances.chain(std::iter::repeat(Stance::DISC)).take(positions.len()));
        self.latest = self.latest.max(end);
        self.stoutest = self.stoutest.max(body);
        let mut from = first_frame;
        while from < end {
            let span = from >> SPAN_BITS;
            let to = ((span + 1) << SPAN_BITS).min(end);
            let slice = &positions[(from - first_frame) as usize..(to - first_frame) as usize];
            let (centre, radius) = around(slice);
            self.widest = self.widest.max(radius);
            let (column, row) = self.cell(centre);
            let cell = (row * self.columns + column) as usize;
            let head = &mut self.heads[cell * WINDOW + span as usize % WINDOW];
            let first = (base + from) as u32;
            let bead = Bead { centre, radius, body, span, first, frames: (from, to), owner, next: *head };
            *head = self.beads.len() as u32;
            self.beads.push(bead);
            from = to;
        }
    }

    /// Settles that somebody keeps still at a place in the frames `from .. to`.
    pub fn add_stay(&mut self, owner: Owner, at: Vec2, from: i32, to: i32, body: f32) {
        let stance = Stance::DISC;
        self.push_stay(Stay { at, body, from, to, owner, stance, claim: false, next: NONE });
    }

    /// Settles that somebody keeps still from a frame on, for ever.
    pub(crate) fn add_standing(&mut self, owner: Owner, Figure { at, stance }: Figure, from: i32, body: f32) {
        self.push_stay(Stay { at, body, from, to: i32::MAX, owner, stance, claim: false, next: NONE });
    }

    /// Notes that somebody who is not planned yet will want a place.
    pub(crate) fn claim(&mut self, owner: Owner, at: Vec2, from: i32, to: i32, body: f32) {
        let stance = Stance::DISC;
        self.push_stay(Stay { at, body, from, to, owner, stance, claim: true, next: NONE });
    }

    fn push_stay(&mut self, stay: Stay) {
        let (column, row) = self.cell(stay.at);
        let head = &mut self.stay_heads[(row * self.columns + column) as usize];
        self.stoutest = self.stoutest.max(stay.body);
        self.stays.push(Stay { next: *head, ..stay });
        *head = self.stays.len() as u32 - 1;
    }

    /// Gives up all claims of somebody.
    pub(crate) fn drop_claims(&mut self, owner: Owner, claims: &mut Vec<u32>) {
        for claim in claims.drain(..) {
            if let Some(stay) = self.stays.get_mut(claim as usize).filter(|stay| stay.owner == owner) {
                stay.to = stay.from;
            }
        }
    }

    /// Forgets where somebody is.
    pub(crate) fn remove(&mut self, owner: Owner) {
        for bead in self.beads.iter_mut().filter(|bead| bead.owner == owner) {
            (bead.span, bead.frames) = (i32::MIN, (0, 0));
        }
        for stay in self.stays.iter_mut().filter(|stay| stay.owner == owner) {
            stay.to = stay.from;
        }
    }

    /// The number that the next claim will have.
    pub(crate) fn next_claim(&self) -> u32 {
        self.stays.len() as u32
    }

    /// The last frame in which anybody moves.
    pub(crate) fn latest(&self) -> i32 {
        self.latest
    }

    /// Who is in the way of a body that goes through `positions`, one for each frame from `first_frame` on.
    pub(crate) fn meets(&self, positions: &[Vec2], first_frame: i32, body: f32, heed: Heed) -> Option<Owner> {
        let end = first_frame + positions.len() as i32;
        let mut from = first_frame;
        while from < end {
            let to = (((from >> SPAN_BITS) + 1) << SPAN_BITS).min(end);
            let own = &positions[(from - first_frame) as usize..(to - first_frame) as usize];
            let hit = self.span_meets(own, from, body, heed);
            if hit.is_some() {
                return hit;
            }
            from = to;
        }
        None
    }

    /// Who is in the way of a body that stands at `at` from `from` on, for ever.
    pub(crate) fn meets_standing(&self, at: Vec2, from: i32, body: f32, heed: Heed) -> Option<Owner> {
        let forever =
            self.stays_near(at, 0.0, body, heed, (from, i32::MAX), |stay| stay.at.distance_squared(at));
        if forever.is_some() {
            return forever;
        }
        let still = [at; SPAN as usize];
        let mut frame = from;
        while frame < self.latest {
            let to = ((frame >> SPAN_BITS) + 1) << SPAN_BITS;
            let hit = self.beads_meet(&still[..(to - frame) as usize], frame, (at, 0.0), body);
            if hit.is_some() {
                return hit;
            }
            frame = to;
        }
        None
    }

    /// The first frame from `from` on in which somebody else is at `at`; `None` where nobody ever is.
    pub(crate) fn free_until(&self, at: Vec2, from: i32, body: f32, heed: Heed) -> Option<i32> {
        let mut first: Option<i32> = None;
        self.visits(at, body, heed, |start, end| {
            if end > from {
                let start = start.max(from);
                first = Some(first.map_or(start, |first: i32| first.min(start)));
            }
            true
        });
        first
    }

    /// The frame from which on nobody else is ever at `at`; `None` where somebody stays for ever.
    pub(crate) fn clear_from(&self, at: Vec2, body: f32, heed: Heed) -> Option<i32> {
        let mut last = 0;
        let passes = self.visits(at, body, heed, |_, end| {
            last = last.max(end);
            end < i32::MAX
        });
        passes.then_some(last)
    }

    /// Tells all stretches of frames in which somebody else is at `at`, in no order, until told to stop.
    fn visits(&self, at: Vec2, body: f32, heed: Heed, mut tell: impl FnMut(i32, i32) -> bool) -> bool {
        let stopped = self.first_cell(at, body + self.stoutest + SKIN, |cell| {
            let mut index = self.stay_heads[cell];
            while let Some(stay) = self.stays.get(index as usize) {
                index = stay.next;
                let counts = !stay.claim || (heed.claims && stay.owner != heed.own);
                let apart = body + stay.body + 2.0 * SKIN;
                if counts
                    && stay.from < stay.to
                    && stay.at.distance_squared(at) < apart * apart
                    && !tell(stay.from, stay.to)
                {
                    return Some(());
                }
            }
            None
        });
        let stopped = stopped.or_else(|| {
            self.first_cell(at, self.widest + body + self.stoutest, |cell| {
                for head in &self.heads[cell * WINDOW..(cell + 1) * WINDOW] {
                    let mut index = *head;
                    while let Some(bead) = self.beads.get(index as usize) {
                        index = bead.next;
                        let apart = body + bead.body + 2.0 * SKIN;
                        let reach = bead.radius + apart;
                        if bead.centre.distance_squared(at) >= reach * reach {
                            continue;
                        }
                        for frame in bead.frames.0..bead.frames.1 {
                            let other = self.positions[(bead.first as i32 + frame - bead.frames.0) as usize];
                            if other.distance_squared(at) < apart * apart && !tell(frame, frame + 1) {
                                return Some(());
                            }
                        }
                    }
                }
                None
            })
        });
        stopped.is_none()
    }

    #[inline]
    fn span_meets(&self, own: &[Vec2], from: i32, body: f32, heed: Heed) -> Option<Owner> {
        let (centre, radius) = around(own);
        let frames = (from, from + own.len() as i32);
        let nearest = |stay: &Stay| {
            let first = (stay.from.max(frames.0) - frames.0) as usize;
            let last = (stay.to.min(frames.1) - frames.0) as usize;
            own[first..last].iter().map(|p| p.distance_squared(stay.at)).fold(f32::INFINITY, f32::min)
        };
        self.beads_meet(own, from, (centre, radius), body)
            .or_else(|| self.stays_near(centre, radius, body, heed, frames, nearest))
    }

    /// The first answer among the cells within `reach` metres of a point.
    #[inline]
    fn first_cell<T>(&self, centre: Vec2, reach: f32, mut look: impl FnMut(usize) -> Option<T>) -> Option<T> {
        let (low, high) = (self.cell(centre - reach), self.cell(centre + reach));
        for row in low.1..high.1 + 1 {
            let first = row * self.columns;
            for cell in first + low.0..first + high.0 + 1 {
                let answer = look(cell as usize);
                if answer.is_some() {
                    return answer;
                }
            }
        }
        None
    }

    #[inline]
    fn beads_meet(&self, own: &[Vec2], from: i32, (centre, radius): (Vec2, f32), body: f32) -> Option<Owner> {
        let span = from >> SPAN_BITS;
        self.first_cell(centre, radius + self.widest + body + self.stoutest, |cell| {
            let mut index = self.heads[cell * WINDOW + span as usize % WINDOW];
            while let Some(bead) = self.beads.get(index as usize) {
                index = bead.next;
                let apart = body + bead.body + 2.0 * SKIN;
                let reach = radius + bead.radius + apart;
                if bead.span != span || bead.centre.distance_squared(centre) >= reach * reach {
                    continue;
                }
                let start = bead.frames.0.max(from);
                let end = bead.frames.1.min(from + own.len() as i32);
                for frame in start..end {
                    let other = self.positions[(bead.first as i32 + frame - bead.frames.0) as usize];
                    if other.distance_squared(own[(frame - from) as usize]) < apart * apart {
                        return Some(bead.owner);
                    }
                }
            }
            None
        })
    }

    #[inline]
    fn stays_near(
        &self,
        centre: Vec2,
        radius: f32,
        body: f32,
        heed: Heed,
        frames: (i32, i32),
        nearest_squared: impl Fn(&Stay) -> f32,
    ) -> Option<Owner> {
        self.first_cell(centre, radius + body + self.stoutest + SKIN, |cell| {
            let mut index = self.stay_heads[cell];
            while let Some(stay) = self.stays.get(index as usize) {
                index = stay.next;
                let counts = !stay.claim || (heed.claims && stay.owner != heed.own);
                let apart = body + stay.body + 2.0 * SKIN;
                let reach = radius + apart;
                if counts
                    && stay.from.max(frames.0) < stay.to.min(frames.1)
                    && stay.at.distance_squared(centre) < reach * reach
                    && nearest_squared(stay) < apart * apart
                {
                    return Some(stay.owner);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;
    use proptest::prelude::*;

    const HEED: Heed = Heed { own: 99, claims: true };

    fn bounds() -> Bounds {
        Bounds { min: DVec2::ZERO, max: DVec2::splat(20.0) }
    }

    fn line(from: Vec2, step: Vec2, frames: usize) -> Vec<Vec2> {
        (0..frames).map(|frame| from + step * frame as f32).collect()
    }

    fn motion() -> impl Strategy<Value = (Vec<Vec2>, i32)> {
        let point = (-2.0f32..22.0, -2.0f32..22.0);
        (point, (-0.1f32..0.1, -0.1f32..0.1), 1usize..300, 0i32..2000)
            .prop_map(|(at, step, frames, first)| (line(at.into(), step.into(), frames), first))
    }

    proptest! {
        #[test]
        fn meets_as_the_frames_do(motions in prop::collection::vec(motion(), 1..12), own in motion(), stays in prop::collection::vec(((0.0f32..20.0, 0.0f32..20.0), 0i32..2000, 0i32..400), 0..6)) {
            let mut traffic = Traffic::new(bounds());
            for (owner, (positions, first)) in motions.iter().enumerate() {
                traffic.add(owner as u32, positions, *first, 0.25);
            }
            for &(at, from, length) in &stays {
                traffic.add_stay(50, at.into(), from, from + length, 0.3);
            }
            let mut gap = f32::INFINITY;
            for (index, &here) in own.0.iter().enumerate() {
                let frame = own.1 + index as i32;
                for (positions, first) in &motions {
                    if let Some(there) = usize::try_from(frame - first).ok().and_then(|at| positions.get(at)) {
                        gap = gap.min(there.distance(here) - 0.5);
                    }
                }
                for &(at, from, length) in &stays {
                    if (from..from + length).contains(&frame) {
                        gap = gap.min(here.distance(at.into()) - 0.55);
                    }
                }
            }
            if !(-1e-4..=2e-3).contains(&gap) {
                prop_assert_eq!(traffic.meets(&own.0, own.1, 0.25, HEED).is_some(), gap < 0.0);
            }
        }

        #[test]
        fn standing_is_met_by_whoever_comes_later(other in motion(), at in (0.0f32..20.0, 0.0f32..20.0), from in 0i32..2000) {
            let mut traffic = Traffic::new(bounds());
            traffic.add(1, &other.0, other.1, 0.25);
            let gap = other.0.iter().enumerate().filter(|(index, _)| other.1 + *index as i32 >= from)
                .map(|(_, there)| there.distance(at.into()) - 0.5).fold(f32::INFINITY, f32::min);
            if !(-1e-4..=2e-3).contains(&gap) {
                prop_assert_eq!(traffic.meets_standing(at.into(), from, 0.25, HEED).is_some(), gap < 0.0);
                prop_assert_eq!(traffic.free_until(at.into(), from, 0.25, HEED).is_some(), gap < 0.0);
                prop_assert_eq!(traffic.clear_from(at.into(), 0.25, HEED).unwrap() > from, gap < 0.0);
            }
        }
    }

    #[test]
    fn claims_count_for_others_only() {
        let mut traffic = Traffic::new(bounds());
        let mut claims = vec![traffic.next_claim()];
        traffic.claim(3, Vec2::splat(5.0), 0, 60, 0.25);
        let path = line(Vec2::splat(5.0), Vec2::ZERO, 10);
        let heed = |own, claims| Heed { own, claims };
        assert_eq!(traffic.meets(&path, 0, 0.25, heed(1, true)), Some(3));
        assert_eq!(traffic.meets(&path, 0, 0.25, heed(3, true)), None);
        assert_eq!(traffic.meets(&path, 0, 0.25, heed(1, false)), None);
        assert_eq!(traffic.meets(&path, 60, 0.25, heed(1, true)), None);
        traffic.drop_claims(3, &mut claims);
        assert_eq!(traffic.meets(&path, 0, 0.25, heed(1, true)), None);
    }

    #[test]
    fn who_is_removed_is_in_nobodys_way() {
        let mut traffic = Traffic::new(bounds());
        let path = line(Vec2::splat(5.0), Vec2::X * 0.04, 90);
        for owner in [1, 2] {
            traffic.add(owner, &path, 0, 0.25);
            traffic.add_stay(owner, path[89], 90, i32::MAX, 0.25);
        }
        traffic.remove(2);
        assert_eq!(traffic.meets(&path, 0, 0.25, HEED), Some(1));
        traffic.remove(1);
        assert_eq!(traffic.meets(&path, 0, 0.25, HEED), None);
        assert_eq!(traffic.meets_standing(path[89], 0, 0.25, HEED), None);
        assert_eq!(traffic.clear_from(path[89], 0.25, HEED), Some(0));
    }
}
