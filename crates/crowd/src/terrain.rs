//! The ground of a crowd as it changes: obstacles that come and go, and regions that are drawn anew.
//!
//! An obstacle comes only where nobody has promised to be. One that is to come as soon as that is so is *closing*: ways
//! lead around it and nobody enters its ground any more, but whoever is on it may leave.

use crate::commitment::SKIN;
use crate::consult::Who;
use crate::crowd::{Crowd, Setting};
use crate::decision::Decider;
use crate::edit::{Edit, Refusal};
use crate::mind::Mind;
use crate::person::Errand;
use crate::random::Random;
use crate::situation::Influence;
use crate::wayfinding::Wayfinding;
use crowdloom_motion::mobb::Disc;
use crowdloom_world::{Ground, MeshRouter, Obstacle, Ring};
use glam::Vec2;
use std::sync::Arc;

/// What of the ground comes and goes.
#[derive(Clone)]
pub(crate) struct Terrain {
    /// The ground without any of the obstacles.
    base: Arc<Ground>,
    obstacles: Vec<Known>,
    /// Changes that bring obstacles and are waited for.
    awaited: Vec<Edit>,
    closing: Option<Closing>,
}

/// An obstacle that is there, or not at the moment.
#[derive(Clone)]
struct Known {
    name: String,
    obstacle: Arc<Obstacle>,
    there: bool,
}

/// Obstacles that come as soon as everybody has left their ground.
#[derive(Clone)]
pub(crate) struct Closing {
    /// All obstacles as they will be, and the ground without them.
    to_be: Vec<Known>,
    base: Arc<Ground>,
    /// Those that are to come.
    coming: Vec<Arc<Obstacle>>,
    ground: Arc<Ground>,
    router: Arc<MeshRouter>,
}

impl Closing {
    fn touches(&self, point: Vec2, radius: f32) -> bool {
        self.coming.iter().any(|obstacle| obstacle.touches(point, radius))
    }

    /// Whether a step of a disc of `radius` metres does not lead onto ground that is about to close.
    pub(crate) fn lets_step(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        !self.touches(to, radius + SKIN) || self.touches(from, radius + SKIN)
    }
}

/// The most obstacles that may come and go: they are numbered in 16 bits.
const MOST_OBSTACLES: usize = u16::MAX as usize;

/// Who leaves ground that is about to close goes this much farther than it must, in metres.
const ROOM_BESIDE: f32 = 0.3;

/// Points around an obstacle by which vehicles notice it are this far apart, in metres.
const RIM: f32 = 0.2;

impl Terrain {
    pub(crate) fn new(base: Arc<Ground>) -> Self {
        Self { base, obstacles: Vec::new(), awaited: Vec::new(), closing: None }
    }

    /// How many regions there are.
    pub(crate) fn regions(&self) -> usize {
        self.base.regions().len()
    }

    /// The obstacles that are to come.
    pub(crate) fn closing(&self) -> Option<&Closing> {
        self.closing.as_ref()
    }

    /// The changes of the ground that are waited for.
    pub(crate) fn awaited(&self) -> &[Edit] {
        &self.awaited
    }

    /// A setting with the ground as it will be, where some of it is about to close.
    pub(crate) fn setting_to_be(&self, setting: &Setting) -> Option<Setting> {
        let Closing { ground, router, .. } = self.closing.as_ref()?;
        Some(Setting { ground: ground.clone(), router: router.clone(), ..setting.clone() })
    }

    /// Whether no obstacle is on ground that a test of discs tells.
    pub(crate) fn is_off_obstacles(&self, meets: &dyn Fn(Disc) -> bool) -> bool {
        let mut there = self.obstacles.iter().filter(|known| known.there);
        !there.any(|known| known.obstacle.rim(RIM).any(|point| meets(Disc::new(point, 0.0))))
    }

    /// Makes a change; returns the one that takes it back, and the obstacle that comes.
    fn apply(&mut self, edit: &Edit) -> Result<(Edit, Option<Arc<Obstacle>>), Refusal> {
        let solid = |outlines: &[Ring]| {
            Obstacle::new(outlines.to_vec()).map(Arc::new).map_err(|_| Refusal::Senseless("that outline"))
        };
        let unknown = Refusal::Unknown("obstacle");
        match edit {
            Edit::AddObstacle(name, outlines) => {
                let number = self.obstacles.len();
                if number >= MOST_OBSTACLES {
                    return Err(Refusal::Senseless("one more obstacle"));
                }
                let (name, obstacle) = (name.clone(), solid(outlines)?);
                self.obstacles.push(Known { name, obstacle: obstacle.clone(), there: true });
                Ok((Edit::Obstacle(number as u16, false), Some(obstacle)))
            }
            &Edit::Obstacle(number, there) => {
                let known = self.obstacles.get_mut(usize::from(number)).ok_or(unknown)?;
                let before = std::mem::replace(&mut known.there, there);
                let comes = (there && !before).then(|| known.obstacle.clone());
                Ok((Edit::Obstacle(number, before), comes))
            }
            Edit::ChangeObstacle(number, outlines) => {
                let known = self.obstacles.get_mut(usize::from(*number)).ok_or(unknown)?;
                let before = std::mem::replace(&mut known.obstacle, solid(outlines)?);
                let comes = known.there.then(|| known.obstacle.clone());
                Ok((Edit::ChangeObstacle(*number, before.outlines().to_vec()), comes))
            }
            Edit::AddRegion(name, polygons) => {
                let number = self.base.regions().len();
                if number > usize::from(u16::MAX) {
                    return Err(Refusal::Senseless("one more region"));
                }
                self.draw_region(None, name, polygons)?;
                Ok((Edit::ChangeRegion(number as u32, Vec::new()), None))
            }
            Edit::ChangeRegion(number, polygons) => {
                let region = self.base.regions().get(*number as usize).ok_or(Refusal::Unknown("region"))?;
                if region.layer().is_some() {
                    return Err(Refusal::Senseless("drawing a painted region"));
                }
                let before = region.areas().iter().map(|area| area.rings().cloned().collect()).collect();
                let name = region.name.clone();
                self.draw_region(Some(*number as usize), &name, polygons)?;
                Ok((Edit::ChangeRegion(*number, before), None))
            }
            _ => Err(Refusal::Senseless("that change of the ground")),
        }
    }

    fn draw_region(
        &mut self,
        number: Option<usize>,
        name: &str,
        polygons: &[Vec<Ring>],
    ) -> Result<(), Refusal> {
        let drawn = self.base.with_region(number, name, polygons);
        self.base = Arc::new(drawn.map_err(|_| Refusal::Senseless("that outline"))?);
        Ok(())
    }

    /// The ground with all obstacles that are there.
    fn lay(&self) -> Result<Arc<Ground>, Refusal> {
        let is_as_here =
            |(a, b): (&Known, &Known)| a.there == b.there && a.obstacle.outlines() == b.obstacle.outlines();
        if let Some(Closing { to_be, base, ground, .. }) = &self.closing
            && Arc::ptr_eq(base, &self.base)
            && to_be.len() == self.obstacles.len()
            && to_be.iter().zip(&self.obstacles).all(is_as_here)
        {
            return Ok(ground.clone());
        }
        let mut there = self.obstacles.iter().filter(|known| known.there).map(|known| &*known.obstacle);
        if self.obstacles.iter().all(|known| !known.there) {
            return Ok(self.base.clone());
        }
        let ground = self.base.without(&mut there);
        ground.map(Arc::new).map_err(|_| Refusal::Senseless("a ground without any floor"))
    }

    /// Lets obstacles close that these changes bring, in place of all that were to close before.
    fn close(&mut self, edits: Vec<Edit>) {
        (self.closing, self.awaited) = (None, edits);
        let mut after = self.clone();
        let applied = self.awaited.iter().filter_map(|edit| after.apply(edit).ok());
        let coming: Vec<Arc<Obstacle>> = applied.filter_map(|(_, comes)| comes).collect();
        if coming.is_empty() {
            return;
        }
        if let Ok(ground) = after.lay() {
            let (router, base) = (Arc::new(MeshRouter::new(ground.clone())), self.base.clone());
            self.closing = Some(Closing { to_be: after.obstacles, base, coming, ground, router });
        }
    }
}

impl Decider<'_> {
    /// The ground whose walls somebody keeps off: whoever is on ground that is about to close may leave it.
    pub(crate) fn walls_for(&self, who: Who) -> &Ground {
        let radius = self.setting.book.options().radius;
        match self.closing {
            Some((closing, now)) if closing.touches(who.placement.position, radius + SKIN) => now,
            _ => &self.setting.ground,
        }
    }

    /// Sends those away who are on ground that is about to close, whatever else they would do.
    pub(crate) fn leave_closing(&self, who: Who, mind: &Mind, influence: &mut Influence) {
        let radius = self.setting.book.options().radius;
        let position = who.placement.position;
        let Some((closing, _)) = self.closing else { return };
        if mind.ride.is_some() || !closing.touches(position, radius + SKIN) {
            return;
        }
        if let Some(out) = closing.ground.nearest_free(position, radius + ROOM_BESIDE) {
            influence.target = Some(out);
            influence.stand = false;
        }
    }
}

/// Frames after which somebody who found no way tries again, and as many again for those who are slow to.
const TRIES_AGAIN: u32 = 45;

impl Wayfinding<'_> {
    /// Lets somebody wait who cannot get to where it wants to be: a way may open. Elsewhere the wish is given up.
    pub(crate) fn wait_for_a_way(&self, mind: &mut Mind, random: &mut Random) {
        let goal = mind.goal.take();
        if !self.shared.ways_may_open || mind.diverted {
            return;
        }
        match mind.stop {
            Some(stop) => mind.bound_for = Some(stop),
            None if !mind.wanders && matches!(mind.errand, Errand::None | Errand::Onward) => {
                mind.own_goal = goal;
            }
            None => {}
        }
        mind.stays_until = self.frame + TRIES_AGAIN + random.below(TRIES_AGAIN);
    }

    /// Lets somebody try again who waits for a way.
    pub(crate) fn try_again(&self, mind: &mut Mind) {
        if !mind.diverted
            && self.frame >= mind.stays_until
            && mind.goal.is_none()
            && let Some(goal) = mind.own_goal.take()
        {
            mind.head_for(goal);
        }
    }
}

impl Crowd {
    /// The number of the obstacle of that name.
    pub fn obstacle_named(&self, name: &str) -> Option<u16> {
        self.terrain.obstacles.iter().position(|known| known.name == name).map(|number| number as u16)
    }

    /// The obstacles that come and go, by number: name, shape, and whether each is there.
    pub fn obstacles(&self) -> impl Iterator<Item = (&str, &Obstacle, bool)> {
        self.terrain.obstacles.iter().map(|known| (known.name.as_str(), &*known.obstacle, known.there))
    }

    /// Adds obstacles that come and go to a crowd without anybody: name, solid polygons, and whether each is there.
    pub fn lay_obstacles(&mut self, obstacles: Vec<(String, Vec<Ring>, bool)>) -> Result<(), Refusal> {
        for (name, outlines, there) in obstacles {
            self.terrain.apply(&Edit::AddObstacle(name, outlines))?;
            if let Some(last) = self.terrain.obstacles.last_mut() {
                last.there = there;
            }
        }
        self.restore_ground(Vec::new())
    }

    /// The ground as it will be once all that is about to close has closed.
    pub(crate) fn ground_to_be(&self) -> &Arc<Ground> {
        self.terrain.closing.as_ref().map_or(&self.setting.ground, |closing| &closing.ground)
    }

    /// Tells the changes that are to be made as soon as promises allow it, in place of those told before: from now on
    /// nobody enters the ground of obstacles that they bring.
    pub fn announce<'a>(&mut self, edits: impl Iterator<Item = &'a Edit>) {
        let edits: Vec<Edit> = edits.filter(|edit| edit.brings_obstacles()).cloned().collect();
        if edits == self.terrain.awaited {
            return;
        }
        let before = self.ground_to_be().clone();
        self.terrain.close(edits);
        self.shared.ways_may_open |= !self.terrain.awaited.is_empty();
        if !Arc::ptr_eq(&before, self.ground_to_be()) {
            self.plan_all_anew();
        }
    }

    /// Changes the ground, unless somebody has promised to be where an obstacle comes; returns the change that takes it
    /// back.
    pub(crate) fn change_ground(&mut self, edit: &Edit) -> Result<Edit, Refusal> {
        let mut terrain = self.terrain.clone();
        let (back, comes) = terrain.apply(edit)?;
        if let Some(obstacle) = comes {
            self.check_off(&obstacle)?;
        }
        let ground = terrain.lay()?;
        let before = self.ground_to_be().clone();
        let closed = self.terrain.closing.take().filter(|closing| Arc::ptr_eq(&closing.ground, &ground));
        let mut awaited = std::mem::take(&mut terrain.awaited);
        if let Some(made) = awaited.iter().position(|own| own == edit) {
            awaited.remove(made);
        }
        terrain.close(awaited);
        self.terrain = terrain;
        self.setting.router =
            closed.map_or_else(|| Arc::new(MeshRouter::new(ground.clone())), |closing| closing.router);
        self.setting.ground = ground;
        self.shared.ways_may_open = !self.terrain.obstacles.is_empty();
        if !Arc::ptr_eq(&before, self.ground_to_be()) {
            self.plan_all_anew();
        }
        Ok(back)
    }

    /// Makes changes of the ground that were made before, without a look at anybody.
    pub(crate) fn restore_ground(&mut self, awaited: Vec<Edit>) -> Result<(), Refusal> {
        self.setting.ground = self.terrain.lay()?;
        self.setting.router = Arc::new(MeshRouter::new(self.setting.ground.clone()));
        self.shared.ways_may_open = !self.terrain.obstacles.is_empty();
        self.terrain.close(awaited);
        self.shared.ways_may_open |= !self.terrain.awaited.is_empty();
        self.planners.clear();
        self.renew_director();
        Ok(())
    }

    /// Makes a change of the ground that was made before; it is laid by [`Self::restore_ground`].
    pub(crate) fn restore_change(&mut self, edit: &Edit) -> Result<(), Refusal> {
        self.terrain.apply(edit).map(|_| ())
    }

    /// Lets everybody find its way anew.
    fn plan_all_anew(&mut self) {
        self.planners.clear();
        self.renew_director();
        self.minds.iter_mut().for_each(crate::mind::Mind::plan_anew);
        for id in &self.steered.ids {
            // Without a way they would head straight for their goals.
            if let Ok(index) = self.ids.binary_search(id) {
                self.due[index] = self.due[index].min(self.frame + 1);
            }
        }
    }

    /// Refuses an obstacle where anybody has promised to be, or a vehicle has claimed the ground.
    fn check_off(&self, obstacle: &Obstacle) -> Result<(), Refusal> {
        let (book, frame) = (&self.setting.book, self.frame);
        let meets = |disc: Disc| obstacle.touches(disc.centre, disc.radius + SKIN);
        for (index, promise) in self.ledger.promises.iter().enumerate() {
            if meets(self.ledger.bounds[index]) && promise.any_disc(book, frame, &meets) {
                return Err(Refusal::Promised(self.ids[index]));
            }
        }
        let mut foretold = self.ledger.foretold.iter();
        if foretold.any(|(_, promise, around)| meets(*around) && promise.any_disc(book, frame, &meets)) {
            return Err(Refusal::NoRoom);
        }
        let claims =
            |vehicle: &crate::vehicle::Vehicle| vehicle.state.under_way && vehicle.claim_discs().any(meets);
        match self.shared.vehicles.iter().position(claims) {
            Some(vehicle) => Err(Refusal::Claimed(vehicle as u16)),
            None => Ok(()),
        }
    }
}
