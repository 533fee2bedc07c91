//! What events of a scene come to: their tables, read and checked.
//!
//! All that events bring is known from the beginning, so that others can speak of it and every mistake is found: it is only
//! not there yet.

use crate::build::{Checker, build_stop, read_signal};
use crate::events::{Deed, Event, EventTable, OneOrEach, Values, Whom};
use crate::file::{Name, Point, SceneFile, Situation as SituationTable};
use crate::formation::Formation;
use crate::ground::{event_obstacle, region_polygons, regions_called};
use crate::mover::Mover;
use crate::people::People;
use crate::rules::find_signal;
use crate::situations::build_situation;
use crowdloom_bodies::{outfits, piece_named, pieces, room_with};
use crowdloom_crowd::scenario::Stop;
use crowdloom_crowd::situation::{Place, Situation, SituationId};
use crowdloom_crowd::{Crowd, Dress, Edit};
use crowdloom_motion::FRAME_RATE;
use glam::{DVec2, Vec2};

/// How much of each sort a scene has without what its events bring.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    regions: usize,
    stops: usize,
    signals: usize,
    situations: usize,
}

/// Takes what events bring into the tables of the scene.
pub fn take_in(scene: &mut SceneFile, checker: &mut Checker<'_>) {
    scene.given = Given {
        regions: scene.region.len(),
        stops: scene.stop.len(),
        signals: scene.signal.len(),
        situations: scene.situation.len(),
    };
    let is_new = |name: &Name, mut names: Box<dyn Iterator<Item = &Name> + '_>| {
        names.all(|own| own.get_ref() != name.get_ref())
    };
    for (index, event) in scene.event.iter().enumerate() {
        if let Some(region) = &event.region
            && is_new(&region.name, Box::new(scene.region.iter().map(|own| &own.name)))
        {
            scene.region.push(region.clone());
        }
        if let Some(stop) = &event.stop
            && is_new(&stop.name, Box::new(scene.stop.iter().map(|own| &own.name)))
        {
            scene.stop.push(stop.clone());
        }
        if let Some(signal) = &event.set_signal
            && is_new(&signal.name, Box::new(scene.signal.iter().map(|own| &own.name)))
        {
            scene.signal.push(signal.clone());
        }
        if let Some(situation) = &event.set_situation
            && is_new(&situation.name, Box::new(scene.situation.iter().map(|own| &own.name)))
        {
            scene.situation.push((**situation).clone());
        }
        if let Some(people) = &event.people {
            let line = checker.table_line("event", index);
            checker.here = line;
            if people.appear != [0.0; 2] {
                let fix = "leave it out; they come when the event happens";
                checker.problem(None, "people of an event have no `appear` of their own", fix);
            }
            if matches!(people.mover.known(), Some(Mover::Planned | Mover::Recorded)) {
                let fix = "give `graph` or a velocity mover, or people of their own with `appear`";
                checker.problem(None, "nobody who is planned or recorded can come by an event", fix);
            }
            let appear = [event.at.max(0.0); 2];
            scene.people.push(People { appear, ..(**people).clone() });
            checker.note_table("people", line.unwrap_or_default());
        }
    }
    checker.here = None;
}

/// Lets the scene begin without what its events bring.
pub fn begin_without(scene: &SceneFile, crowd: &mut Crowd, situations: &[(String, SituationId)]) {
    let Given { regions, stops, signals, situations: own } = scene.given;
    let ground = crowd.setting().ground.clone();
    let mut edits = Vec::new();
    for region in &scene.region[regions..] {
        let numbers = regions_called(&ground, scene, region.name.get_ref());
        edits.extend(numbers.into_iter().map(|number| Edit::ChangeRegion(number as u32, Vec::new())));
    }
    for (number, stop) in crowd.shared().scenario.stops.iter().enumerate().skip(stops) {
        edits.push(Edit::ChangeStop(number as u16, Stop { closed: true, ..stop.clone() }));
    }
    edits.extend((signals..scene.signal.len()).map(|number| Edit::Signal(number as u16, Some(false))));
    for table in &scene.situation[own..] {
        let named = situations.iter().filter(|(name, _)| name == table.name.get_ref());
        edits.extend(named.map(|(_, id)| Edit::Situation(*id, false)));
    }
    for edit in edits {
        // What cannot be built was told before.
        let _ = crowd.edit(edit);
    }
}

/// Reads all events of a scene; mistakes go to the checker.
pub(crate) fn build_events(
    scene: &SceneFile,
    crowd: &mut Crowd,
    situations: &[(String, SituationId)],
    names: &[(u32, String)],
    checker: &mut Checker<'_>,
) -> Vec<Event> {
    let mut events = Vec::new();
    for (index, table) in scene.event.iter().enumerate() {
        checker.here = checker.table_line("event", index);
        if table.at > scene.seconds {
            let what = format!("this happens after the end of the run, which lasts {} s", scene.seconds);
            checker.warning(None, what, "let it happen earlier, or give more `seconds`");
        }
        let mut reader = Reader { scene, crowd, situations, names, checker };
        let whom = reader.find_all(table);
        let deeds = reader.read_deeds(table);
        let formation = reader.read_formation(table);
        let mut changes = Vec::new();
        reader.read_ground(index, table, &mut changes);
        reader.read_places(table, &mut changes);
        reader.read_situations(table, &mut changes);
        let (Some(whom), Some(deeds)) = (whom, deeds) else { continue };
        let nobody = deeds.is_empty() && table.direct.is_none();
        if nobody && changes.is_empty() && table.people.is_none() {
            let fix = "say what: `speed`, `to`, `leave`, `open`, `close`, `people`, `signal`, `situation` …";
            checker.problem(None, "nothing happens in this event", fix);
        } else if nobody && (table.who.is_some() || table.numbers.is_some()) {
            let fix = "leave out `who` or `numbers`, or say what they do: `speed`, `to`, `goal`, `mover`, `leave` …";
            checker.problem(None, "nothing happens to anybody in this event", fix);
        }
        // Whatever happens at the very beginning happens in the first frame.
        let frame = ((table.at * FRAME_RATE) as u32).max(1);
        events.push(Event { frame, whom, deeds, formation, changes, waits: !table.only_then });
    }
    checker.here = None;
    events
}

/// What reading an event looks at.
pub(crate) struct Reader<'a, 'c> {
    pub(crate) scene: &'a SceneFile,
    pub(crate) crowd: &'a mut Crowd,
    pub(crate) situations: &'a [(String, SituationId)],
    pub(crate) names: &'a [(u32, String)],
    pub(crate) checker: &'a mut Checker<'c>,
}

impl Reader<'_, '_> {
    fn local(&self, [x, y]: Point) -> Vec2 {
        self.crowd.setting().ground.to_local(DVec2::new(x, y))
    }

    /// Whom an event concerns; a mistake is noted where nobody knows.
    pub(crate) fn find_all(&mut self, table: &EventTable) -> Option<Whom> {
        match (&table.who, &table.numbers) {
            (Some(_), Some(_)) => {
                let fix = "keep one of them";
                self.checker.problem(None, "people are told by `who` or by `numbers`, not both", fix);
                None
            }
            (_, Some(numbers)) => {
                let mut numbers = numbers.clone();
                numbers.sort_unstable();
                Some(Whom::Persons(numbers))
            }
            (Some(who), None) => self.find_whom(who),
            (None, None) => Some(Whom::Everybody),
        }
    }

    pub(crate) fn find_whom(&mut self, who: &Name) -> Option<Whom> {
        let name = who.get_ref();
        let person = self.names.iter().find(|(_, own)| own == name).map(|(id, _)| Whom::Persons(vec![*id]));
        let regions = self.crowd.setting().ground.regions();
        let region = || regions.iter().position(|region| region.name == *name);
        let members =
            || self.situations.iter().find(|(own, _)| own == name).map(|(_, id)| Whom::Members(*id));
        let found = person.or_else(|| region().map(Whom::Region)).or_else(members);
        if found.is_none() {
            let regions = self.scene.region.iter().map(|region| region.name.get_ref().as_str());
            let known = self.names.iter().map(|(_, name)| name.as_str()).chain(regions);
            self.checker.unknown("person, region or situation", who, known);
        }
        found
    }

    fn find_stop(&mut self, name: &Name) -> Option<u16> {
        let stops = self.scene.stop.iter().map(|stop| stop.name.get_ref().as_str());
        let found = stops.clone().position(|stop| stop == name.get_ref());
        if found.is_none() {
            self.checker.unknown("stop", name, stops);
        }
        found.map(|stop| stop as u16)
    }

    /// The situations of a name, copies included; a mistake is noted where there is none.
    fn find_situations(&mut self, name: &Name) -> Vec<SituationId> {
        let all = self.situations.iter().filter(|(own, _)| own == name.get_ref());
        let found: Vec<SituationId> = all.map(|(_, id)| *id).collect();
        if found.is_empty() {
            let names = self.scene.situation.iter().map(|situation| situation.name.get_ref().as_str());
            self.checker.unknown("situation", name, names);
        }
        found
    }

    /// A situation that people can be members of.
    fn find_group(&mut self, name: &Name) -> Option<SituationId> {
        let id = self.find_situations(name).first().copied()?;
        if self.crowd.shared().situations.get(id.index())?.place != Place::Members {
            let what = format!("nobody is a member of `{}`, which is a place", name.get_ref());
            self.checker.problem(Some(name.span()), what, "name a situation without `region`");
            return None;
        }
        Some(id)
    }

    pub(crate) fn read_deeds(&mut self, table: &EventTable) -> Option<Vec<Deed>> {
        let mut deeds = Vec::new();
        deeds.extend(self.values(table.speed.as_ref(), "speed", table)?.map(Deed::Speed));
        if let Some(to) = &table.to {
            deeds.extend(self.find_stop(to).map(Deed::Stop));
        }
        deeds.extend(table.goal.map(|goal| Deed::Goal(self.local(goal))));
        let facing = self.values(table.facing.as_ref(), "facing", table)?;
        match (table.move_to, facing) {
            (Some(place), Some(Values::One(facing))) => {
                deeds.push(Deed::Place(self.local(place), Some(facing.to_radians())));
            }
            (Some(place), None) => deeds.push(Deed::Place(self.local(place), None)),
            (Some(_), Some(Values::Each(_))) => {
                self.checker.problem(None, "`move-to` is for one person", "give one `facing`");
            }
            (None, Some(Values::One(facing))) => deeds.push(Deed::Turn(Values::One(facing.to_radians()))),
            (None, Some(Values::Each(all))) => {
                let all = all.into_iter().map(|(id, facing)| (id, facing.to_radians()));
                deeds.push(Deed::Turn(Values::Each(all.collect())));
            }
            (None, None) => {}
        }
        if let Some(mover) = &table.mover {
            let (parameters, manners) = (table.parameters.clone(), table.manners);
            let how = People { parameters, manners, ..People::default() };
            deeds.push(Deed::Mover(mover.lent(&how, self.crowd, self.checker)?));
        } else if !table.parameters.is_empty() || table.manners.is_some() {
            let what = "`parameters` and `manners` are those of a `mover`";
            self.checker.problem(None, what, "give the `mover` too, also where it stays the same");
        }
        deeds.extend(self.values(table.radius.as_ref(), "radius", table)?.map(Deed::Radius));
        deeds.extend(self.values(table.velocity.as_ref(), "velocity", table)?.map(Deed::Velocity));
        if let Some(style) = &table.style {
            deeds.push(Deed::Style(self.find_style(style)?));
        }
        deeds.extend(self.values(table.looks.as_ref(), "looks", table)?.map(Deed::Looks));
        deeds.extend(self.values(table.size.as_ref(), "size", table)?.map(Deed::Size));
        deeds.extend(table.reshuffle.map(Deed::Reshuffle));
        deeds.extend(self.find_dress(table)?.map(Deed::Dress));
        if let Some(name) = &table.joins {
            deeds.push(Deed::Join(self.find_group(name)?));
        }
        if let Some(name) = &table.parts {
            deeds.push(Deed::Part(self.find_group(name)?));
        }
        if table.leave {
            deeds.push(Deed::Leave);
        }
        Some(deeds)
    }

    /// What people of an event are to wear; a mistake is noted where there is no such piece.
    fn find_dress(&mut self, table: &EventTable) -> Option<Option<Dress>> {
        if table.outfit.is_none() && table.things.is_none() {
            return Some(None);
        }
        let before = self.checker.problems.len();
        if let Some(name) = &table.outfit {
            let built_in = outfits();
            let own = self.scene.outfit.iter().map(|outfit| outfit.name.get_ref().as_str());
            let names: Vec<&str> = built_in.iter().map(|outfit| outfit.name.as_str()).chain(own).collect();
            if !names.contains(&name.get_ref().as_str()) {
                self.checker.unknown("outfit", name, names.into_iter());
            }
        }
        for thing in table.things.iter().flatten() {
            if piece_named(thing.get_ref()).is_none() {
                let names = pieces().iter().map(|piece| &*piece.name);
                self.checker.unknown("piece of clothing or thing", thing, names);
            }
        }
        let text = |name: &Name| name.get_ref().clone();
        let things = table.things.as_ref().map(|things| things.iter().map(text).collect());
        let room = room_with(table.things.iter().flatten().map(|thing| thing.get_ref().as_str()));
        (self.checker.problems.len() == before)
            .then(|| Some(Dress { outfit: table.outfit.as_ref().map(text), things, room }))
    }

    /// A value for all, or one for each of an event's numbers; a mistake is noted where they do not fit.
    fn values<T: Copy>(
        &mut self,
        given: Option<&OneOrEach<T>>,
        name: &str,
        table: &EventTable,
    ) -> Option<Option<Values<T>>> {
        let all = match given {
            None => return Some(None),
            Some(OneOrEach::One(value)) => return Some(Some(Values::One(*value))),
            Some(OneOrEach::Each(all)) => all,
        };
        match &table.numbers {
            Some(numbers) if numbers.len() == all.len() => {
                Some(Some(Values::Each(numbers.iter().copied().zip(all.iter().copied()).collect())))
            }
            numbers => {
                let count = numbers.as_ref().map_or(0, Vec::len);
                let what = format!("`{name}` has {} values for {count} `numbers`", all.len());
                self.checker.problem(None, what, "give one for each of `numbers`, or one for all");
                None
            }
        }
    }

    /// Where an event directs people, if it does.
    pub(crate) fn read_formation(&mut self, table: &EventTable) -> Option<Formation> {
        Formation::read(table.direct.as_deref()?, table.at, self.crowd, self.checker)
    }

    fn find_style(&mut self, style: &Name) -> Option<Option<u16>> {
        if style.get_ref() == "plain" {
            return Some(None);
        }
        if self.scene.styles.is_some() {
            let fix = "leave out `style`, or [styles]";
            self.checker.problem(Some(style.span()), "the scene chooses everybody's styles", fix);
            return None;
        }
        let graph = self.crowd.setting().book.graph().clone();
        let found = graph.find_node(style.get_ref());
        if found.is_none() {
            let nodes = graph.nodes().iter().map(|node| node.name.as_str());
            self.checker.unknown("style", style, nodes.chain(["plain"]));
        }
        found.map(|node| Some(node.0))
    }

    /// Reads doors, obstacles and regions.
    pub(crate) fn read_ground(&mut self, index: usize, table: &EventTable, changes: &mut Vec<Edit>) {
        for (name, there) in [(&table.open, false), (&table.close, true)] {
            let Some(name) = name else { continue };
            match self.crowd.obstacle_named(name.get_ref()) {
                Some(number) => changes.push(Edit::Obstacle(number, there)),
                None => {
                    let known: Vec<String> =
                        self.crowd.obstacles().map(|(name, ..)| name.to_owned()).collect();
                    self.checker.unknown("door", name, known.iter().map(String::as_str));
                }
            }
        }
        if let Some(shape) = &table.obstacle {
            let number = self.crowd.obstacle_named(&event_obstacle(index, shape));
            changes.extend(number.map(|number| Edit::Obstacle(number, true)));
        }
        if let Some(name) = &table.close_region {
            let ground = self.crowd.setting().ground.clone();
            let numbers = self.checker.regions(&ground, self.scene, name).into_iter();
            changes.extend(numbers.map(|number| Edit::ChangeRegion(number as u32, Vec::new())));
        }
        if let Some(region) = &table.region {
            let ground = self.crowd.setting().ground.clone();
            let numbers = regions_called(&ground, self.scene, region.name.get_ref());
            let all = region_polygons(self.scene, region, &ground, self.checker);
            if all.len() != numbers.len() {
                let what = format!(
                    "region `{}` has {} copies, not {}",
                    region.name.get_ref(),
                    numbers.len(),
                    all.len()
                );
                self.checker.problem(Some(region.name.span()), what, "draw as many as there are");
            }
            for (number, polygons) in numbers.into_iter().zip(all) {
                changes.push(Edit::ChangeRegion(number as u32, polygons));
            }
        }
    }

    /// Reads stops and signals.
    pub(crate) fn read_places(&mut self, table: &EventTable, changes: &mut Vec<Edit>) {
        let ground = self.crowd.setting().ground.clone();
        if let Some(stop) = &table.stop
            && let Some(number) = self.find_stop(&stop.name)
        {
            let built = build_stop(self.scene, stop, &ground, self.checker);
            changes.push(Edit::ChangeStop(number, built));
        }
        if let Some(name) = &table.close_stop
            && let Some(number) = self.find_stop(name)
            && let Some(stop) = self.crowd.shared().scenario.stops.get(usize::from(number))
        {
            changes.push(Edit::ChangeStop(number, Stop { closed: true, ..stop.clone() }));
        }
        if let Some(name) = &table.signal
            && let Some(signal) = find_signal(self.scene, name, self.checker)
        {
            changes.push(Edit::Signal(signal.0, table.on));
        }
        if let Some(signal) = &table.set_signal
            && let Some(number) = find_signal(self.scene, &signal.name, self.checker)
        {
            changes.push(Edit::ChangeSignal(number.0, read_signal(signal, self.checker)));
        }
    }

    /// Reads situations and rules.
    pub(crate) fn read_situations(&mut self, table: &EventTable, changes: &mut Vec<Edit>) {
        if let Some(name) = &table.situation {
            let found = self.find_situations(name);
            if table.rules.is_none() || table.on.is_some() {
                let on = table.on.unwrap_or(true);
                changes.extend(found.iter().map(|id| Edit::Situation(*id, on)));
            }
            let own = self.scene.situation.iter().find(|own| own.name.get_ref() == name.get_ref());
            if let (Some(rules), Some(own)) = (&table.rules, own) {
                let other = SituationTable { rules: rules.clone(), ..own.clone() };
                let built = self.build(&other);
                let scripts = built.into_iter().map(|situation| situation.script);
                changes.extend(found.iter().zip(scripts).map(|(id, script)| Edit::Rules(*id, script)));
            }
        } else if table.rules.is_some() {
            self.checker.problem(None, "nobody knows whose `rules` these are", "name their `situation`");
        }
        if table.on.is_some() && table.signal.is_none() && table.situation.is_none() {
            self.checker.problem(None, "nothing is switched by `on`", "name a `signal` or a `situation`");
        }
        if let Some(other) = &table.set_situation {
            let found = self.find_situations(&other.name);
            let built = self.build(other);
            if built.len() != found.len() {
                let what = format!(
                    "situation `{}` has {} copies, not {}",
                    other.name.get_ref(),
                    found.len(),
                    built.len()
                );
                self.checker.problem(Some(other.name.span()), what, "let it be in as many regions");
            }
            let all = found.into_iter().zip(built);
            changes.extend(all.map(|(id, built)| Edit::ChangeSituation(id, Box::new(built))));
        }
    }

    pub(crate) fn build(&mut self, table: &SituationTable) -> Vec<Situation> {
        let here = self.checker.here;
        let built = build_situation(self.scene, table, self.crowd, self.checker);
        self.checker.here = here;
        built
    }
}
