//! Changes of places: signals, situations, rules, stops, and the ground.

use super::{Edit, Refusal};
use crate::crowd::{Crowd, Setting};
use crate::labels::LabelSet;
use crate::scenario::Stop;
use crate::shared::Shared;
use crate::signal::{Signal, SignalId};
use crate::situation::{Activity, Place, Situation, SituationId, Visit};
use crate::terrain::Terrain;

/// Changes of places that were made so far, and what there was before them.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) made: Vec<Edit>,
    before: Option<Box<Places>>,
}

/// All places of a crowd.
#[derive(Clone)]
pub(crate) struct Places {
    setting: Setting,
    shared: Shared,
    terrain: Terrain,
    made: Vec<Edit>,
}

/// The most of anything that is numbered in 16 bits.
const MOST: usize = u16::MAX as usize;

impl Crowd {
    /// Makes a change of places; returns the change that takes it back.
    pub(super) fn edit_places(&mut self, edit: Edit) -> Result<Edit, Refusal> {
        let before = self.changes.before.is_none().then(|| Box::new(self.places()));
        let back = match &edit {
            Edit::AddObstacle(..)
            | Edit::Obstacle(..)
            | Edit::ChangeObstacle(..)
            | Edit::AddRegion(..)
            | Edit::ChangeRegion(..) => self.change_ground(&edit)?,
            _ => self.change_places(&edit)?,
        };
        if before.is_some() {
            self.changes.before = before;
        }
        self.changes.made.push(edit);
        Ok(back)
    }

    /// All places as they are.
    pub(crate) fn places(&self) -> Places {
        Places {
            setting: self.setting.clone(),
            shared: self.shared.clone(),
            terrain: self.terrain.clone(),
            made: self.changes.made.clone(),
        }
    }

    /// Goes back to places as they were; the book of moves stays.
    pub(crate) fn put_places_back(&mut self, places: Places) {
        let Places { setting, shared, terrain, made } = places;
        self.setting.ground = setting.ground;
        self.setting.router = setting.router;
        (self.shared, self.terrain, self.changes.made) = (shared, terrain, made);
        self.planners.clear();
        self.renew_director();
    }

    /// Goes back to places as they were at first and makes changes again that were made before, with all that is waited
    /// for.
    pub(crate) fn redo_changes(&mut self, made: Vec<Edit>, awaited: Vec<Edit>) -> Result<(), Refusal> {
        if made.is_empty() && awaited.is_empty() && self.changes.before.is_none() {
            return Ok(());
        }
        match &self.changes.before {
            Some(before) => {
                let before = (**before).clone();
                self.put_places_back(before);
            }
            None => self.changes.before = Some(Box::new(self.places())),
        }
        for edit in &made {
            match edit {
                Edit::AddObstacle(..)
                | Edit::Obstacle(..)
                | Edit::ChangeObstacle(..)
                | Edit::AddRegion(..)
                | Edit::ChangeRegion(..) => self.restore_change(edit)?,
                _ => self.change_places(edit).map(|_| ())?,
            }
        }
        self.changes.made = made;
        self.restore_ground(awaited)
    }

    fn change_places(&mut self, edit: &Edit) -> Result<Edit, Refusal> {
        match edit {
            Edit::AddSignal(signal) => {
                room_for_more(self.shared.signals.len())?;
                let number = self.add_signal(signal.clone());
                Ok(Edit::Signal(number, Some(false)))
            }
            Edit::ChangeSignal(number, signal) => {
                let own: Option<&mut Signal> = self.shared.signals.get_mut(usize::from(*number));
                let before = std::mem::replace(own.ok_or(Refusal::Unknown("signal"))?, signal.clone());
                Ok(Edit::ChangeSignal(*number, before))
            }
            Edit::AddSituation(situation) => {
                room_for_more(self.shared.situations.len())?;
                self.check_situation(situation)?;
                let id = self.add_situation((**situation).clone());
                Ok(Edit::Situation(id, false))
            }
            Edit::ChangeSituation(id, situation) => {
                self.check_situation(situation)?;
                let before = self.replace_situation(*id, (**situation).clone())?;
                Ok(Edit::ChangeSituation(*id, Box::new(before)))
            }
            Edit::Rules(id, script) => {
                let own = self.shared.situations.get(id.index()).ok_or(Refusal::Unknown("situation"))?;
                let (own, before) = (own.clone(), own.script.clone());
                self.replace_situation(*id, Situation { script: script.clone(), ..own })?;
                Ok(Edit::Rules(*id, before))
            }
            Edit::AddStop(stop) => {
                room_for_more(self.shared.scenario.stops.len())?;
                self.check_stop(stop, self.shared.scenario.stops.len() + 1)?;
                let stops = &mut self.shared.scenario.stops;
                stops.push(stop.clone());
                let closed = Stop { closed: true, ..stop.clone() };
                Ok(Edit::ChangeStop(stops.len() as u16 - 1, closed))
            }
            Edit::ChangeStop(number, stop) => {
                self.check_stop(stop, self.shared.scenario.stops.len())?;
                let own = self.shared.scenario.stops.get_mut(usize::from(*number));
                let before = std::mem::replace(own.ok_or(Refusal::Unknown("stop"))?, stop.clone());
                self.send_anew(*number);
                Ok(Edit::ChangeStop(*number, before))
            }
            _ => Err(Refusal::Senseless("that change of places")),
        }
    }

    /// Lets those who are on their way to a stop find out where it is now; who is sent to a closed one waits for it to open.
    fn send_anew(&mut self, stop: u16) {
        for mind in &mut self.minds {
            let wish = if mind.diverted { &mut mind.own_goal } else { &mut mind.goal };
            if mind.stop == Some(stop) && wish.is_some() {
                *wish = None;
                (mind.stop, mind.bound_for) = (None, Some(stop));
            }
        }
    }

    /// Lets a situation be another; members stay members, all others come in anew.
    fn replace_situation(&mut self, id: SituationId, situation: Situation) -> Result<Situation, Refusal> {
        let own = self.shared.situations.get(id.index()).ok_or(Refusal::Unknown("situation"))?.clone();
        let members = match (own.place, situation.place) {
            (Place::Members, Place::Members) => std::mem::take(&mut self.shared.rolls[id.index()].present),
            _ => Vec::new(),
        };
        self.shared.forget(id);
        for mind in &mut self.minds {
            mind.visits.retain(|visit| visit.situation != id);
        }
        self.shared.rolls[id.index()] = situation.empty_roll();
        self.shared.situations[id.index()] = situation;
        self.shared.index(id);
        for index in members.iter().filter_map(|id| self.ids.binary_search(id).ok()) {
            self.minds[index].visits.push(Visit::new(id, self.frame, true));
            self.shared.rolls[id.index()].present.push(self.ids[index]);
        }
        Ok(own)
    }

    fn check_stop(&self, stop: &Stop, stops: usize) -> Result<(), Refusal> {
        let regions = self.terrain.regions();
        let sound = |weight: f32| weight.is_finite() && weight >= 0.0;
        if stop.regions.iter().any(|region| *region >= regions) {
            return Err(Refusal::Unknown("region"));
        }
        if stop.next.iter().any(|(next, _)| usize::from(*next) >= stops) {
            return Err(Refusal::Unknown("stop"));
        }
        if !stop.next.iter().all(|(_, weight)| sound(*weight)) {
            return Err(Refusal::Senseless("that weight"));
        }
        let (least, most) = stop.stay.bounds();
        if !(stop.stay.makes_sense() && sound(least) && sound(most)) {
            return Err(Refusal::Senseless("that stay"));
        }
        Ok(())
    }

    /// Checks that a situation speaks of nothing that is not there.
    fn check_situation(&self, situation: &Situation) -> Result<(), Refusal> {
        let Shared { signals, vehicles, .. } = &self.shared;
        let graph = self.setting.book.graph();
        let regions = self.terrain.regions();
        let region = |region: usize| (region < regions).then_some(()).ok_or(Refusal::Unknown("region"));
        let vehicle =
            |vehicle: usize| (vehicle < vehicles.len()).then_some(()).ok_or(Refusal::Unknown("vehicle"));
        let signal = |id: Option<SignalId>| match id {
            Some(id) if usize::from(id.0) >= signals.len() => Err(Refusal::Unknown("signal")),
            _ => Ok(()),
        };
        match situation.place {
            Place::Region(number) => region(number)?,
            Place::Vehicle(number) => vehicle(number)?,
            Place::Members => {}
        }
        match &situation.activity {
            Activity::Cross { signal: id, to, over, .. } => {
                signal(*id)?;
                to.iter().chain(over).try_for_each(|number| region(*number))?;
            }
            Activity::Light { signal: id, over, .. } => {
                signal(Some(*id))?;
                over.iter().try_for_each(|number| region(*number))?;
            }
            Activity::StayIn { region: number, signal: id } => {
                region(*number)?;
                signal(*id)?;
            }
            Activity::Board { vehicle: number, .. } => vehicle(*number)?,
            Activity::Added { kind, .. } if self.shared.additions.kinds.get(*kind).is_none() => {
                return Err(Refusal::Unknown("kind of situation"));
            }
            Activity::Spend { exact: Some(exact), .. }
                if exact.pose.is_some_and(|pose| pose.index() >= graph.nodes().len()) =>
            {
                return Err(Refusal::Unknown("pose"));
            }
            _ => {}
        }
        let functions = &self.shared.additions.behaviours;
        if situation.behaviours.iter().any(|number| functions.get(*number).is_none()) {
            return Err(Refusal::Unknown("behaviour function"));
        }
        if situation.mover.is_some_and(|mover| !self.can_go_by(mover)) {
            return Err(Refusal::Unknown("mover"));
        }
        if situation.actions.iter().any(|action| action.index() >= graph.actions().len()) {
            return Err(Refusal::Unknown("action"));
        }
        if !situation.actions.is_sorted() || situation.activity.spots().len() > MOST {
            return Err(Refusal::Senseless("that order of actions, or so many spots"));
        }
        if situation.grants == LabelSet::ALL || !(0.0..=1.0).contains(&situation.share) {
            return Err(Refusal::Senseless("that share, or what is granted"));
        }
        Ok(())
    }
}

fn room_for_more(count: usize) -> Result<(), Refusal> {
    if count < MOST { Ok(()) } else { Err(Refusal::Senseless("one more of them")) }
}
