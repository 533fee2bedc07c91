//! The scene's text with all that was changed in the studio: comments and order of the file stay as they are.

use crate::protocol::Mark;
use crowdloom_motion::FRAME_RATE;
use serde_json::{Map, Value as Json};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

/// Numbers are written to the thousandth, which is a millimetre.
const FINE: f64 = 1000.0;

/// Why something cannot be written into a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The fields of an event are nested too deep, or hold what TOML cannot.
    #[error("this cannot be written into a scene: {0}")]
    Value(&'static str),
}

/// A change that was made in the studio: an event of the scene.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The frame after which it happens.
    pub frame: u32,
    /// The fields of its table, without `at`.
    pub fields: Table,
    /// What it is, in words.
    pub what: String,
    /// How many steps take it back.
    pub steps: usize,
    /// Whether it is taken back together with the change before it.
    pub joined: bool,
    /// How many changes had been made before it, whatever their frames: the last is taken back first.
    pub order: u32,
    /// Whether it was taken out of the past, and is made again in its own frame.
    pub of_the_past: bool,
}

impl Made {
    /// The lines of its table, without `at`.
    pub fn lines(&self) -> String {
        self.fields.to_string()
    }
}

/// The scene's file and the changes since.
#[derive(Clone, Debug, Default)]
pub struct Document {
    base: String,
    /// Changes in the order of their frames.
    pub made: Vec<Made>,
    /// Changes that were taken back, the last one last.
    pub taken_back: Vec<Made>,
    /// How many changes were made in all, here and in texts before.
    made_in_all: u32,
    /// How many of them came from the text before: that one is gone back to before they are taken back.
    inherited: u32,
}

impl Document {
    /// A document without changes.
    pub fn new(base: String) -> Self {
        Self { base, ..Self::default() }
    }

    /// Notes a change at a place among all.
    pub fn make(&mut self, place: usize, mut made: Made) {
        made.order = self.next_order();
        self.made.insert(place, made);
    }

    /// The place among all changes of one that is made now, here or elsewhere.
    pub fn next_order(&mut self) -> u32 {
        self.made_in_all += 1;
        self.made_in_all - 1
    }

    /// How many changes were made in texts before: those are taken back after this text.
    pub fn inherited(&self) -> u32 {
        self.inherited
    }

    /// Lets go of what was taken back.
    pub fn forget_taken_back(&mut self) {
        self.taken_back.clear();
    }

    /// The place of the change that was made last in this text.
    pub fn last_made(&self) -> Option<usize> {
        let own = self.made.iter().enumerate().filter(|(_, made)| made.order >= self.inherited);
        own.max_by_key(|(_, made)| made.order).map(|(place, _)| place)
    }

    /// The same changes on another text, or changed themselves: what is gone back from as a whole.
    fn following(&self) -> Self {
        Self { taken_back: Vec::new(), inherited: self.made_in_all, ..self.clone() }
    }

    /// The places of the changes that are moved and deleted together with one.
    fn joined_with(&self, place: usize) -> std::ops::Range<usize> {
        let first = (0..=place).rev().find(|at| !self.made[*at].joined).unwrap_or(0);
        let after = self.made[place + 1..].iter().take_while(|made| made.joined).count();
        first..place + 1 + after
    }

    /// The lines of an event of the time line; none if it is not there any more.
    pub fn lines_of(&self, mark: &Mark) -> Option<String> {
        if !self.marks().contains(mark) {
            return None;
        }
        let number = mark.number as usize;
        if mark.own {
            return self.made.get(number).map(Made::lines);
        }
        let file = self.base.parse::<DocumentMut>().ok()?;
        file.get("event")?.as_array_of_tables()?.get(number).map(ToString::to_string)
    }

    /// What it is with an event of the time line moved to another frame, or deleted; none if it is not there any more.
    pub fn with_event_at(&self, mark: &Mark, frame: Option<u32>) -> Option<Self> {
        if !self.marks().contains(mark) {
            return None;
        }
        let (mut next, number) = (self.following(), mark.number as usize);
        if mark.own {
            let moved: Vec<Made> = next.made.drain(self.joined_with(number)).collect();
            let Some(frame) = frame else { return Some(next) };
            for mut made in moved {
                let shifted = i64::from(made.frame) + i64::from(frame) - i64::from(mark.frame);
                made.frame = shifted.clamp(1, i64::from(u32::MAX)) as u32;
                let place = next.made.partition_point(|other| other.frame <= made.frame);
                next.made.insert(place, made);
            }
            return Some(next);
        }
        let mut file = self.base.parse::<DocumentMut>().ok()?;
        let events = file.get_mut("event")?.as_array_of_tables_mut()?;
        match frame {
            Some(frame) => put(events.get_mut(number)?.get_mut("at")?.as_value_mut()?, seconds_of(frame)),
            None => drop(events.remove(number)),
        }
        if events.is_empty() {
            file.remove("event");
        }
        next.base = file.to_string();
        Some(next)
    }

    /// The file as it was read.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The text with all changes as events.
    pub fn text(&self) -> String {
        if self.made.is_empty() {
            return self.base.clone();
        }
        let Ok(mut file) = self.base.parse::<DocumentMut>() else { return self.base.clone() };
        let tables = self.made.iter().map(table_of);
        match file.get_mut("event") {
            Some(Item::ArrayOfTables(events)) => tables.for_each(|table| events.push(table)),
            Some(Item::Value(Value::Array(events))) => {
                tables.for_each(|table| events.push(Value::InlineTable(table.into_inline_table())));
            }
            _ => {
                let mut events = ArrayOfTables::new();
                tables.for_each(|table| events.push(table));
                file.insert("event", Item::ArrayOfTables(events));
            }
        }
        let last = self.made.iter().map(|made| seconds_of(made.frame)).fold(0.0, f64::max);
        let seconds = number_in(&file, "seconds").unwrap_or(60.0);
        if last > seconds {
            // What happens after the end would never be seen.
            let longer = (last + 10.0).ceil() as i64;
            match file.get_mut("seconds").and_then(Item::as_value_mut) {
                Some(own) => put(own, longer),
                None => drop(file.insert("seconds", value(longer))),
            }
        }
        file.to_string()
    }

    /// The table of a situation, a region or a stop as it is after all events, as JSON.
    pub fn table(&self, of: &str, name: &str) -> Option<Map<String, Json>> {
        let file: Json = toml::from_str(&self.text()).ok()?;
        let named = |table: &&Json| table.get("name").and_then(Json::as_str) == Some(name);
        let list = |key: &str| file.get(key).and_then(Json::as_array).into_iter().flatten();
        let in_events =
            list("event").filter_map(|event| event.get(of).or_else(|| event.get(format!("set-{of}"))));
        let last = list(of).chain(in_events).rfind(named);
        last?.as_object().cloned()
    }

    /// All events on the time line: those of the file, and those made since.
    pub fn marks(&self) -> Vec<Mark> {
        let file = self.base.parse::<DocumentMut>().unwrap_or_default();
        let tables = file.get("event").and_then(Item::as_array_of_tables);
        let own = (0..).zip(tables.into_iter().flatten()).filter_map(|(number, table)| {
            let at = table.get("at")?;
            let at = at.as_float().or(at.as_integer().map(|at| at as f64))?;
            let frame = (at as f32 * FRAME_RATE).max(1.0) as u32;
            Some(Mark { frame, what: describe(table), own: false, number })
        });
        let made = (0..).zip(&self.made);
        let made =
            made.map(|(number, made)| Mark { frame: made.frame, what: made.what.clone(), own: true, number });
        let mut marks: Vec<Mark> = own.chain(made).collect();
        marks.sort_by_key(|mark| mark.frame);
        marks
    }
}

/// The time of an event that happens after a frame, in seconds: well within the frame.
fn seconds_of(frame: u32) -> f64 {
    round((f64::from(frame) + 0.3) / f64::from(FRAME_RATE))
}

fn round(number: f64) -> f64 {
    (number * FINE).round() / FINE
}

/// Puts another value in the place of one, with the comments about it.
fn put(own: &mut Value, other: impl Into<Value>) {
    let decor = own.decor().clone();
    *own = other.into();
    *own.decor_mut() = decor;
}

fn number_in(file: &DocumentMut, key: &str) -> Option<f64> {
    let own = file.get(key)?;
    own.as_float().or(own.as_integer().map(|own| own as f64))
}

fn table_of(made: &Made) -> Table {
    let mut table = Table::new();
    table.insert("at", value(seconds_of(made.frame)));
    for (key, item) in made.fields.iter() {
        table.insert(key, item.clone());
    }
    table
}

/// The fields of an event from JSON, tables in tables written in one line.
pub fn fields_of(event: &Map<String, Json>) -> Result<Table, Unwritable> {
    let mut table = Table::new();
    for (key, json) in event {
        if let Some(value) = value_of(json, 0)? {
            table.insert(key, Item::Value(value));
        }
    }
    Ok(table)
}

/// Tables in tables in tables are enough for any event.
const DEEPEST: usize = 8;

fn value_of(json: &Json, depth: usize) -> Result<Option<Value>, Unwritable> {
    if depth > DEEPEST {
        return Err(Unwritable::Value("tables are nested too deep"));
    }
    Ok(Some(match json {
        Json::Null => return Ok(None),
        Json::Bool(own) => Value::from(*own),
        Json::Number(own) => match (own.as_i64(), own.as_f64()) {
            (Some(whole), _) => Value::from(whole),
            (None, Some(number)) if number.is_finite() => {
                let rounded = round(number);
                // 3.0 is written as 3.
                if rounded.fract() == 0.0 && rounded.abs() < 1e9 {
                    Value::from(rounded as i64)
                } else {
                    Value::from(rounded)
                }
            }
            _ => return Err(Unwritable::Value("a number is none")),
        },
        Json::String(own) => Value::from(own.as_str()),
        Json::Array(all) => {
            let mut array = Array::new();
            for one in all {
                array.extend(value_of(one, depth + 1)?);
            }
            Value::Array(array)
        }
        Json::Object(all) => {
            let mut table = InlineTable::new();
            for (key, one) in all {
                if let Some(one) = value_of(one, depth + 1)? {
                    table.insert(key, one);
                }
            }
            Value::InlineTable(table)
        }
    }))
}

/// What an event does, in a few words.
pub fn describe(fields: &Table) -> String {
    let text = |key: &str| fields.get(key).and_then(Item::as_str).map(str::to_owned);
    let inner = |key: &str, of: &str| {
        let own = fields.get(key)?.as_table_like()?.get(of)?;
        own.as_str().map(str::to_owned)
    };
    let whom = match (text("who"), fields.get("numbers").and_then(Item::as_array).map(Array::len)) {
        (Some(who), _) => who,
        (None, Some(1)) => "one person".into(),
        (None, Some(count)) => format!("{count} people"),
        (None, None) => "everybody".into(),
    };
    let kind = inner("set-situation", "kind").unwrap_or_default();
    let of_people = |key: &str| match key {
        "speed" => Some("another speed for"),
        "to" | "goal" => Some("another goal for"),
        "move-to" => Some("another place for"),
        "direct" => Some("directions for"),
        "facing" => Some("another way round for"),
        "mover" => Some("another mover for"),
        "style" => Some("another style for"),
        "size" => Some("another size for"),
        "looks" | "reshuffle" => Some("other looks for"),
        "outfit" => Some("another outfit for"),
        "joins" => Some("a group for"),
        "parts" => Some("no more group for"),
        _ => None,
    };
    let places = [
        inner("set-situation", "name").map(|name| format!("{kind} “{name}”")),
        inner("region", "name").map(|name| format!("region “{name}”")),
        inner("obstacle", "name").map(|name| format!("wall “{name}”")),
        inner("set-signal", "name").map(|name| format!("signal “{name}”")),
        inner("stop", "name").map(|name| format!("stop “{name}”")),
        text("open").map(|name| format!("“{name}” opens")),
        text("close").map(|name| format!("“{name}” closes")),
        text("close-stop").map(|name| format!("stop “{name}” closes")),
        text("close-region").map(|name| format!("region “{name}” goes")),
        text("signal").map(|name| format!("“{name}” is switched")),
        text("situation").map(|name| match fields.get("on").and_then(Item::as_bool) {
            Some(false) => format!("“{name}” is removed"),
            _ => format!("“{name}” is in force"),
        }),
    ];
    if let Some(place) = places.into_iter().flatten().next() {
        return place;
    }
    if let Some(people) = fields.get("people").and_then(Item::as_table_like) {
        let count = people.get("at").and_then(Item::as_array).map_or(1, Array::len);
        return format!("{count} people come");
    }
    if fields.get("leave").is_some() {
        return format!("{whom} leave");
    }
    let deed = fields.iter().find_map(|(key, _)| of_people(key));
    deed.map_or_else(|| "a change".into(), |deed| format!("{deed} {whom}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(json: &str, frame: u32) -> Made {
        let fields = fields_of(&serde_json::from_str(json).unwrap()).unwrap();
        let what = describe(&fields);
        Made { frame, fields, what, steps: 1, ..Made::default() }
    }

    #[test]
    fn changes_are_written_as_events_and_comments_stay() {
        let base = "# about\nname = 'x' # here\nseconds = 20 # long\n\n[world]\nfloor = [[0, 0], [9, 0], [9, 9]] # floor\n";
        let mut document = Document::new(base.into());
        assert_eq!(document.text(), base);
        document.make(document.made.len(), made(r#"{"close": "door"}"#, 30));
        document
            .make(document.made.len(), made(r#"{"people": {"at": [[1.00049, 2.5]], "speed": 1.5}}"#, 900));
        let text = document.text();
        for kept in
            ["# about", "# here", "# long", "# floor", "close = \"door\"", "[[1, 2.5]]", "seconds = 41"]
        {
            assert!(text.contains(kept), "{kept} is missing in\n{text}");
        }
        assert_eq!(text.matches("[[event]]").count(), 2);
        let marks = Document::new(text).marks();
        assert_eq!(marks.iter().map(|mark| mark.frame).collect::<Vec<_>>(), [30, 900]);
        assert_eq!(marks[0].what, "“door” closes");
    }

    #[test]
    fn an_event_of_the_file_is_moved_and_deleted_in_its_text() {
        let base = "name = 'x'\n# the door\n[[event]]\nat = 2 # early\nclose = 'door'\n[[event]]\nat = 5\nopen = 'door'\n";
        let document = Document::new(base.into());
        let marks = document.marks();
        assert!(document.lines_of(&marks[1]).unwrap().contains("open = 'door'"));
        let moved = document.with_event_at(&marks[0], Some(180)).unwrap();
        assert_eq!(moved.text(), base.replace("at = 2 #", "at = 6.01 #"));
        assert_eq!(moved.marks().iter().map(|mark| mark.frame).collect::<Vec<_>>(), [150, 180]);
        assert!(moved.with_event_at(&marks[0], None).is_none(), "it is not there any more");
        let deleted = document.with_event_at(&marks[0], None).unwrap();
        assert_eq!(deleted.marks().len(), 1);
        let none = deleted.with_event_at(&deleted.marks()[0], None).unwrap();
        assert!(!none.text().contains("event") && none.text().contains("name = 'x'"));
    }

    #[test]
    fn a_table_is_as_the_last_event_made_it() {
        let base = "name = 'x'\n[[situation]]\nname = 'a'\nkind = 'pause'\nspots = [[1, 2, 90]]\n";
        let mut document = Document::new(base.into());
        assert_eq!(document.table("situation", "a").unwrap()["kind"], "pause");
        assert_eq!(document.table("situation", "b"), None);
        document.make(
            document.made.len(),
            made(r#"{"set-situation": {"name": "a", "kind": "hurry", "speed": 2}}"#, 30),
        );
        document
            .make(document.made.len(), made(r#"{"region": {"name": "r", "rectangle": [1, 2, 3.5, 4]}}"#, 30));
        assert_eq!(document.table("situation", "a").unwrap()["kind"], "hurry");
        assert_eq!(document.table("region", "r").unwrap()["rectangle"][2], 3.5);
    }

    #[test]
    fn every_frame_comes_back_from_its_time() {
        for frame in 1..200_000u32 {
            assert_eq!((seconds_of(frame) as f32 * FRAME_RATE) as u32, frame);
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_refused() {
        let deep = format!("{{\"a\": {}1{}}}", "[".repeat(20), "]".repeat(20));
        assert!(fields_of(&serde_json::from_str(&deep).unwrap()).is_err());
    }
}
