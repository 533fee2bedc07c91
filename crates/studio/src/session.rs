//! A scene that runs and is changed: time, changes, and going back. It knows nothing of clients.

use crate::cast::Cast;
use crate::document::{Document, Made, describe, fields_of};
use crate::files::Files;
use crate::frame::{self, Head};
use crate::locks::Locks;
use crate::people_brush;
use crate::protocol::{Answer, Ask, Drawn, MOST_LOOKS, MOST_PEOPLE, Mistake, Text};
use crate::texts::{Reload, Texts, Which};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crowdloom_crowd::{Crowd, Edit, Steps};
use crowdloom_motion::FRAME_RATE;
use crowdloom_output::run::block::{self, Kind};
use crowdloom_output::run::{CrowdRecording, Keeper, Recordable, encode_clips};
use crowdloom_scene::{Enacted, Overrides, Problem, SavedSimulation, SceneError, Simulation, parse};
use glam::Vec2;
use serde_json::{Map, Value as Json};
use std::time::Instant;

/// Frames from one snapshot to the next: two seconds.
const SNAPSHOT_EVERY: u32 = 60;
/// The most snapshots that are kept; older ones are then farther apart.
const MOST_SNAPSHOTS: usize = 150;
/// The last frame that can be gone to: a day.
pub(crate) const LAST_FRAME: u32 = 24 * 3600 * FRAME_RATE as u32;

/// The longest name of what draws a page, in bytes.
const LONGEST_NAME: usize = 400;

/// A moment to go back to.
pub(crate) struct Snapshot {
    pub(crate) frame: u32,
    /// How many of the changes had been made.
    pub(crate) enacted: usize,
    saved: SavedSimulation,
    keeper: Keeper,
}

/// What a question leads to besides its answer.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Whether places, time line or switches have changed.
    pub state: bool,
    /// Whether the text has changed.
    pub text: bool,
    /// Another text to run.
    pub reload: Option<Reload>,
}

/// A scene in the studio.
pub struct Session<'a> {
    pub(crate) recording: CrowdRecording<'a, Simulation>,
    /// The scene's number.
    pub generation: u32,
    /// The scene's text and what was changed.
    pub document: Document,
    /// What is wrong with the text, harmlessly.
    pub warnings: Vec<Mistake>,
    /// Where it is saved.
    pub files: Files,
    /// How many of the changes have been made; the others are to come.
    pub(crate) enacted: usize,
    /// Other texts that were run.
    pub texts: Texts,
    refused: usize,
    pub(crate) snapshots: Vec<Snapshot>,
    /// People whom brushes leave alone.
    pub locks: Locks,
    /// Whether time runs.
    pub playing: bool,
    /// How many times as fast as real time.
    pub speed: f32,
    /// The frame that is being gone to.
    pub going_to: Option<u32>,
    /// The last frame reached so far.
    pub reached: u32,
    /// Whether there is something to save.
    pub unsaved: bool,
    /// What was saved by itself before, if anything.
    pub recoverable: Option<String>,
    /// Something that happened without being asked for.
    pub notice: Option<String>,
    /// How fast a page draws that was asked to tell it.
    pub drawn: Option<Drawn>,
    known_clips: Vec<bool>,
    head: Head,
    cast: Cast,
    /// Where boxes are that people carry about.
    keeper: Keeper,
    waiting: usize,
}

/// Reads a scene for the studio, and lets its first frame pass: events happen from then on.
pub fn read(files: &Files, text: &str) -> Result<(Simulation, Vec<Mistake>), SceneError> {
    let (mut simulation, problems) = parse(&files.file(), text, Overrides::default())?;
    simulation.prepare_for_any_mover();
    simulation.prepare_directing();
    simulation.step();
    Ok((simulation, mistakes(&problems)))
}

/// Mistakes as pages are told.
pub fn mistakes(problems: &[Problem]) -> Vec<Mistake> {
    let mistake = |problem: &Problem| Mistake {
        line: problem.line.map(|line| line as u32),
        what: problem.what.clone(),
        fix: problem.fix.clone(),
        harmless: problem.harmless,
    };
    problems.iter().map(mistake).collect()
}

impl<'a> Session<'a> {
    /// A scene that stands in its first frame.
    pub fn new(
        simulation: &'a mut Simulation,
        files: Files,
        generation: u32,
        warnings: Vec<Mistake>,
    ) -> Self {
        let document = Document::new(simulation.text().to_owned());
        let recording = CrowdRecording::of_scene(simulation);
        let bounds = recording.ground().bounds();
        // Room for bodies that lean over the edge.
        let corner = bounds.min.as_vec2() - Vec2::splat(50.0);
        let mut keeper = Keeper::new(&mut recording.present_props(), recording.frame(), FRAME_RATE);
        keeper.watch(&recording);
        let mut session = Self {
            generation,
            document,
            warnings,
            files,
            enacted: 0,
            texts: Texts::default(),
            refused: 0,
            snapshots: Vec::new(),
            locks: Locks::default(),
            playing: true,
            speed: 1.0,
            going_to: None,
            reached: recording.frame(),
            unsaved: false,
            recoverable: None,
            notice: None,
            drawn: None,
            known_clips: vec![false; recording.clips().len()],
            head: Head { generation, corner, took: 0, styles: recording.styles().len() },
            cast: Cast::of(&recording),
            keeper,
            waiting: 0,
            recording,
        };
        session.keep_snapshot();
        session
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        self.recording.source()
    }

    /// What is streamed.
    pub fn recording(&self) -> &CrowdRecording<'a, Simulation> {
        &self.recording
    }

    /// The crowd.
    pub fn crowd(&self) -> &Crowd {
        self.simulation().crowd()
    }

    /// Where boxes are that people carry about.
    pub fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    /// From where places in frames are counted, in metres.
    pub fn corner(&self) -> Vec2 {
        self.head.corner
    }

    /// The scene's text and what is wrong with it.
    pub fn text(&self) -> Text {
        Text { text: self.document.text(), problems: self.warnings.clone() }
    }

    /// Frames that can be gone back to at once.
    pub fn snapshot_frames(&self) -> Vec<u32> {
        self.snapshots.iter().map(|snapshot| snapshot.frame).collect()
    }

    /// Moves time on by a frame; returns whether pages have to be told more than the frame.
    pub fn step(&mut self) -> bool {
        let started = Instant::now();
        self.recording.source_mut().step();
        self.head.took = started.elapsed().as_micros().min(u128::from(u32::MAX)) as u32;
        let frame = self.recording.frame();
        self.reached = self.reached.max(frame);
        // As in a run: without boxes, nobody whose motion is known ahead comes to carry one.
        let keeps = !self.keeper.parcels().is_empty() || !self.recording.has_plans();
        let carried = keeps && self.keeper.watch(&self.recording);
        if frame.is_multiple_of(SNAPSHOT_EVERY) {
            self.keep_snapshot();
        }
        let mut changed = self.enact_due() | carried;
        if self.going_to.is_some_and(|target| frame >= target) {
            self.going_to = None;
            changed = true;
        }
        // What waited for promises has come, or an event has happened.
        let waiting = self.simulation().waiting_edits().count();
        changed |=
            waiting != self.waiting || self.simulation().log().last().is_some_and(|last| last.frame == frame);
        self.waiting = waiting;
        let refused = self.simulation().refused();
        let (count, last) = (refused.len(), refused.last());
        if let Some(last) = last.filter(|_| count > self.refused) {
            self.notice = Some(format!("{} could not be: {}", last.edit, last.why));
            changed = true;
        }
        self.refused = count;
        changed
    }

    /// Makes changes whose time has come again.
    pub(crate) fn enact_due(&mut self) -> bool {
        let mut changed = false;
        while let Some(next) = self.document.made.get(self.enacted)
            && next.frame <= self.recording.frame()
        {
            let lines = next.lines();
            let what = next.what.clone();
            let enacted = self.recording.source_mut().enact(&lines);
            self.document.made[self.enacted].steps = match enacted {
                Ok(enacted) => enacted.steps,
                Err(problems) => {
                    let why = problems.first().map(|problem| problem.what.clone()).unwrap_or_default();
                    self.notice = Some(format!("{what} is not possible any more: {why}"));
                    0
                }
            };
            self.enacted += 1;
            changed = true;
        }
        changed
    }

    fn keep_snapshot(&mut self) {
        let frame = self.recording.frame();
        if self.snapshots.iter().any(|snapshot| snapshot.frame == frame) {
            return;
        }
        let (enacted, saved, keeper) = (self.enacted, self.simulation().save(), self.keeper.clone());
        let place = self.snapshots.partition_point(|snapshot| snapshot.frame < frame);
        self.snapshots.insert(place, Snapshot { frame, enacted, saved, keeper });
        if self.snapshots.len() > MOST_SNAPSHOTS {
            // Every other of the older half goes, never the first.
            let half = self.snapshots.len() / 2;
            let mut index = 0;
            self.snapshots.retain(|_| {
                index += 1;
                index > half || index % 2 == 1
            });
        }
    }

    /// Goes to a frame: back by a snapshot, the rest step by step.
    fn go_to(&mut self, frame: u32) -> Answer {
        let now = self.recording.frame();
        let frame = frame.clamp(1, LAST_FRAME);
        let place = self.snapshots.partition_point(|snapshot| snapshot.frame <= frame);
        let Some(nearest) = place.checked_sub(1) else {
            return Answer::refused("there is no way back there");
        };
        if frame < now || self.snapshots[nearest].frame > now {
            if let Err(answer) = self.go_back_to(nearest) {
                return answer;
            }
            self.enact_due();
        }
        self.going_to = (self.recording.frame() < frame).then_some(frame);
        Answer::done()
    }

    /// Goes on from a snapshot.
    pub(crate) fn go_back_to(&mut self, snapshot: usize) -> Result<(), Answer> {
        let Snapshot { enacted, saved, keeper, .. } = &self.snapshots[snapshot];
        let (enacted, saved, keeper) = (*enacted, saved.clone(), keeper.clone());
        let back = self.recording.source_mut().resume(saved);
        back.map_err(|error| Answer::refused(format!("there is no way back there: {error}")))?;
        (self.enacted, self.keeper) = (enacted, keeper);
        Ok(())
    }

    /// Lets go of all that follows a frame but was not made by it.
    pub(crate) fn cut_snapshots(&mut self, frame: u32) {
        self.snapshots.retain(|snapshot| snapshot.frame <= frame);
        self.reached = self.recording.frame();
    }

    /// Answers a question about the running scene.
    pub fn answer(&mut self, ask: Ask, outcome: &mut Outcome) -> Answer {
        outcome.state = true;
        match ask {
            Ask::Play => self.playing = true,
            Ask::Pause => (self.playing, self.going_to) = (false, None),
            Ask::Step { frames } => {
                (self.playing, self.going_to) = (false, None);
                let target = self.recording.frame() + frames.clamp(1, FRAME_RATE as u32);
                while self.recording.frame() < target {
                    self.step();
                }
            }
            Ask::Speed { times } if times.is_finite() => self.speed = times.clamp(0.1, 16.0),
            Ask::Speed { .. } => return Answer::refused("that speed is no number"),
            Ask::GoTo { frame } => return self.go_to(frame),
            Ask::Enact { event, joined } => return self.enact(event, joined, outcome),
            Ask::Undo => return self.undo(outcome),
            Ask::Redo => return self.redo(outcome),
            Ask::Event { mark } => {
                outcome.state = false;
                return self.tell_event(&mark);
            }
            Ask::MoveEvent { mark, frame } => return self.change_event(&mark, Some(frame), outcome),
            Ask::DeleteEvent { mark } => return self.change_event(&mark, None, outcome),
            Ask::Lock { people, .. } if people.len() > MOST_PEOPLE => {
                return Answer::refused("these are too many people");
            }
            Ask::Lock { people, on } => {
                let order = self.document.next_order();
                if self.locks.set(people, on, order) {
                    self.forget_taken_back();
                }
            }
            Ask::Person { number } => {
                outcome.state = false;
                self.recording.source_mut().watch(Some(number));
                return crate::telling::person(self, number);
            }
            Ask::Looks { people } if people.len() > MOST_LOOKS => {
                return Answer::refused("these are too many people");
            }
            Ask::Looks { people } => {
                outcome.state = false;
                return Answer::Looks {
                    facts: STANDARD.encode(self.cast.facts(&self.recording, &self.keeper, &people)),
                };
            }
            Ask::Spot { x, y } => {
                outcome.state = false;
                return crate::telling::spot(self.crowd(), x, y);
            }
            Ask::Table { of, name } => {
                outcome.state = false;
                let known = ["situation", "region", "stop"].contains(&of.as_str());
                return match self.document.table(&of, &name).filter(|_| known) {
                    Some(table) => Answer::Table { table },
                    None => Answer::refused(format!("there is no {of} “{name}” in the scene")),
                };
            }
            Ask::Text { onto: Some(onto), .. } if onto != self.document.text() => {
                return Answer::refused("the scene was changed meanwhile: run your text on what it is now");
            }
            Ask::Text { text, .. } => outcome.reload = Some(self.reload(Document::new(text), Which::New)),
            Ask::Plan { name, hex } => {
                outcome.state = false;
                return match self.files.keep_plan(&name, &hex) {
                    Ok(path) => Answer::said(format!("kept as {}", path.display())),
                    Err(error) => Answer::refused(error.to_string()),
                };
            }
            Ask::Save => return self.save(None),
            Ask::SaveAs { name } => return self.save(Some(&name)),
            Ask::Recover { keep } => match self.recoverable.take().filter(|_| keep) {
                Some(text) => outcome.reload = Some(self.reload(Document::new(text), Which::New)),
                None => self.files.forget_autosaved(),
            },
            Ask::Drawn { drawn } if drawn.pictures.is_finite() && drawn.renderer.len() < LONGEST_NAME => {
                self.drawn = Some(drawn);
            }
            Ask::Drawn { .. } => return Answer::refused("that is no renderer"),
            Ask::Check { .. } | Ask::TakeAway { .. } => return Answer::refused("nobody does that here"),
        }
        Answer::done()
    }

    /// What runs another text up to the present moment.
    pub(crate) fn reload(&self, document: Document, which: Which) -> Reload {
        Reload { document, frame: self.recording.frame(), which }
    }

    fn save(&mut self, name: Option<&str>) -> Answer {
        match self.files.save(name, &self.document.text()) {
            Ok(path) => {
                self.unsaved = false;
                Answer::said(format!("saved as {}", path.display()))
            }
            Err(error) => Answer::refused(error.to_string()),
        }
    }

    /// Makes a change now. Whoever is locked is left alone.
    fn enact(&mut self, mut event: Map<String, Json>, joined: bool, outcome: &mut Outcome) -> Answer {
        if let Err(why) = self.leave_locked_alone(&mut event) {
            return Answer::refused(why);
        }
        if let Some(why) = self.is_no_event_of_a_scene(&event) {
            return Answer::refused(why);
        }
        people_brush::keep_on_floor(&mut event, &self.crowd().setting().ground);
        let fields = match fields_of(&event) {
            Ok(fields) => fields,
            Err(error) => return Answer::refused(error.to_string()),
        };
        let frame = self.recording.frame();
        let what = describe(&fields);
        let mut made = Made { frame, fields, what, joined, ..Made::default() };
        let enacted = match self.recording.source_mut().enact(&made.lines()) {
            Ok(enacted) => enacted,
            Err(problems) => {
                let why = problems.first().map_or("nothing happened".into(), |problem| problem.what.clone());
                return Answer::Refused { why, problems: mistakes(&problems) };
            }
        };
        if enacted.steps == 0 {
            let why = enacted.refused.first().map(|(_, why)| why.to_string());
            return Answer::refused(why.unwrap_or_else(|| "there is nobody to do that to".into()));
        }
        if event.contains_key("people") {
            people_brush::keep_places(&mut event, &enacted.free);
            if let Ok(fields) = fields_of(&event) {
                made.what = describe(&fields);
                made.fields = fields;
            }
        }
        made.steps = enacted.steps;
        self.forget_taken_back();
        self.document.make(self.enacted, made);
        self.enacted += 1;
        self.after_change(frame, outcome);
        tell(enacted)
    }

    /// Lets go of what was taken back: something else was done.
    fn forget_taken_back(&mut self) {
        self.document.forget_taken_back();
        self.texts.forget_after();
        self.locks.forget_taken_back();
    }

    /// Why a change cannot be saved as an event: what events of a scene bring has a name or a place of its own.
    fn is_no_event_of_a_scene(&self, event: &Map<String, Json>) -> Option<&'static str> {
        let comes = |name: &str| {
            let brings = |edit: &Edit| matches!(edit, Edit::AddObstacle(own, _) if own == name);
            self.simulation().waiting_edits().any(|edit| edit.parts().iter().any(brings))
        };
        let obstacle = event.get("obstacle").map(|obstacle| obstacle.get("name").and_then(Json::as_str));
        match (obstacle, event.get("people")) {
            (Some(None), _) => Some("an obstacle needs a name"),
            (Some(Some(name)), _) if self.crowd().obstacle_named(name).is_some() || comes(name) => {
                Some("there is an obstacle of that name already")
            }
            (_, Some(people)) if people.get("at").is_none() => Some("people come at places: give `at`"),
            _ => None,
        }
    }

    pub(crate) fn after_change(&mut self, since: u32, outcome: &mut Outcome) {
        self.cut_snapshots(since);
        self.unsaved = true;
        self.waiting = self.simulation().waiting_edits().count();
        (outcome.state, outcome.text) = (true, true);
    }

    fn leave_locked_alone(&self, event: &mut Map<String, Json>) -> Result<(), String> {
        let Some(Json::Array(numbers)) = event.get("numbers") else { return Ok(()) };
        if numbers.len() > MOST_PEOPLE {
            return Err("these are too many people".into());
        }
        let is_free = |number: &Json| {
            let id = number.as_u64().and_then(|id| u32::try_from(id).ok());
            id.is_none_or(|id| !self.locks.people().contains(&id))
        };
        let free: Vec<bool> = numbers.iter().map(is_free).collect();
        if !free.contains(&true) {
            return Err("all of them are locked".into());
        }
        // Where there is a value for each, those of the locked go with them.
        for key in ["numbers", "speed", "facing", "looks", "size"] {
            if let Some(Json::Array(values)) = event.get_mut(key)
                && values.len() == free.len()
            {
                let mut is_free = free.iter();
                values.retain(|_| is_free.next() == Some(&true));
            }
        }
        Ok(())
    }

    /// Writes the present frame into `out`; returns clips that no frame has shown before, as a message of their own.
    pub fn encode(&mut self, out: &mut Vec<u8>) -> Option<Vec<u8>> {
        let (known, mut new) = (&mut self.known_clips, Vec::new());
        frame::encode(&self.recording, &self.head, out, &mut |clip| {
            if let Some(known @ false) = known.get_mut(usize::from(clip)) {
                *known = true;
                new.push(clip);
            }
        });
        if new.is_empty() {
            return None;
        }
        let clips: Vec<_> = new.into_iter().map(|number| (number, self.recording.clip(number))).collect();
        let contents = encode_clips(clips.iter().map(|(number, clip)| (*number, clip)));
        let mut message = frame::CLIPS.to_le_bytes().to_vec();
        message.extend(self.generation.to_le_bytes());
        message.extend(block::encode(Kind::Clips, &contents));
        Some(message)
    }
}

/// What came of a change, in words.
fn tell(enacted: Enacted) -> Answer {
    let said = match (enacted.waiting, enacted.refused.first()) {
        (0, None) => None,
        (0, Some((_, why))) => Some(format!("{} could not be: {why}", enacted.refused.len())),
        _ => Some("it happens as soon as everybody's way allows it".into()),
    };
    Answer::Done { said, people: enacted.came }
}
