//! The words that the page and the server exchange: the page's TypeScript is made from these definitions by a test.

mod state;

pub use state::{
    Mark, ObstacleState, ParcelStageState, ParcelState, PropState, RegionState, SignalState, SituationState,
    State, StopState, WallState,
};

use serde::{Deserialize, Serialize};

/// The longest message of a page, in bytes: a scene file and what surrounds it.
pub const LONGEST_MESSAGE: usize = 4 << 20;

/// The most people that one message speaks of.
pub const MOST_PEOPLE: usize = 20_000;

/// The most people whose looks are told at once.
pub const MOST_LOOKS: usize = 1000;

/// What a page asks for; the answer carries the same number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The number of the question.
    pub id: u32,
    /// What is asked.
    pub ask: Ask,
}

/// What a page can ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[serde(deny_unknown_fields)]
pub enum Ask {
    /// Let time run.
    Play,
    /// Let time stand still.
    Pause,
    /// Go on by some frames and stand still.
    Step {
        /// How many, at most a second's.
        frames: u32,
    },
    /// Let time run this many times as fast as real time, 0.1 to 16.
    Speed {
        /// How many times.
        times: f32,
    },
    /// Go to a frame, back or ahead.
    GoTo {
        /// The frame.
        frame: u32,
    },
    /// Let an event happen now: the fields of an `[[event]]` of the scene file, without `at`.
    Enact {
        /// The fields, as JSON.
        #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
        event: serde_json::Map<String, serde_json::Value>,
        /// Whether it is taken back together with the change before it.
        #[serde(default)]
        joined: bool,
    },
    /// Take the last change back.
    Undo,
    /// Make the change again that was taken back last.
    Redo,
    /// Tell what an event of the time line says.
    Event {
        /// Which, as it was told.
        mark: Mark,
    },
    /// Let an event of the time line happen after another frame, with all that is taken back with it.
    MoveEvent {
        /// Which, as it was told.
        mark: Mark,
        /// The frame.
        frame: u32,
    },
    /// Take an event out of the time line, with all that is taken back with it.
    DeleteEvent {
        /// Which, as it was told.
        mark: Mark,
    },
    /// Let brushes leave people alone, or not any more.
    Lock {
        /// Their numbers.
        people: Vec<u32>,
        /// Whether they are locked.
        on: bool,
    },
    /// Tell about a person.
    Person {
        /// Its number.
        number: u32,
    },
    /// Tell what people look like.
    Looks {
        /// Their numbers, at most 1000.
        people: Vec<u32>,
    },
    /// Tell what holds at a spot, in metres of the scene.
    Spot {
        /// Metres along x.
        x: f64,
        /// Metres along y.
        y: f64,
    },
    /// Tell a table of the scene as it is now, such as a situation's.
    Table {
        /// Of what: `situation`, `region` or `stop`.
        of: String,
        /// Its name.
        name: String,
    },
    /// Tell what is wrong with a scene's text.
    Check {
        /// The text.
        text: String,
    },
    /// Run another text of the scene from its beginning to the present moment.
    Text {
        /// The text.
        text: String,
        /// The text that it was made from: where the scene has another by now, nothing changes.
        #[serde(default)]
        onto: Option<String>,
    },
    /// Keep a floor plan in the scene's folder, so that a scene can have it as its `map`.
    Plan {
        /// The file's name.
        name: String,
        /// Its bytes, two hexadecimal digits each.
        hex: String,
    },
    /// Write the scene to its file.
    Save,
    /// Write the scene to another file of its folder.
    SaveAs {
        /// The file's name.
        name: String,
    },
    /// Run the scene from its beginning into a folder beside it, with replay page and report.
    TakeAway {
        /// The folder's name.
        name: String,
        /// Seconds to run.
        seconds: f32,
        /// What the run is exported to besides: `csv`, `glb`, `usdc` …; nothing where it is empty.
        #[serde(default)]
        to: String,
    },
    /// Note how fast a page draws, for whoever measures that.
    Drawn {
        /// How fast.
        drawn: Drawn,
    },
    /// Go on with what was saved by itself before the studio ended, or let go of it.
    Recover {
        /// Whether to go on with it.
        keep: bool,
    },
}

/// How fast a page draws, and with what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Pictures a second.
    pub pictures: f32,
    /// What draws them.
    pub renderer: String,
}

/// What the server tells, besides frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Tell {
    /// The scene that runs: once for every scene.
    Scene(Box<Scene>),
    /// Places, time line and switches: whenever one of them has changed.
    State(Box<State>),
    /// The scene's text: whenever it has changed.
    Text(Text),
    /// What came of a question.
    Answer {
        /// The number of the question.
        id: u32,
        /// The answer.
        answer: Answer,
    },
}

/// A scene that runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// Frames and clips carry the same number.
    pub generation: u32,
    /// What the scene is called.
    pub name: String,
    /// Its file, where it has one.
    pub file: String,
    /// Frames in a second.
    pub frame_rate: f32,
    /// How long the scene lasts, in frames.
    pub frames: u32,
    /// The scene's coordinates of the ground's origin, in metres.
    pub origin: [f64; 2],
    /// From where places in frames are counted, in metres of the ground.
    pub corner: [f32; 2],
    /// Radius of the disc that somebody claims, in metres.
    pub radius: f32,
    /// The joints of every body, as in a run's header.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub skeleton: serde_json::Value,
    /// The names of all clips.
    pub clips: Vec<String>,
    /// Styles that people can walk in.
    pub styles: Vec<String>,
    /// The styles that frames tell of, by number.
    pub shown_styles: Vec<String>,
    /// Outfits that people can wear.
    pub outfits: Vec<String>,
    /// Poses that people can rest in.
    pub poses: Vec<String>,
    /// What can move people.
    pub movers: Vec<String>,
    /// Vehicles: name, length and width in metres.
    pub vehicles: Vec<(String, f32, f32)>,
}

/// The scene's text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Text {
    /// The text.
    pub text: String,
    /// What is wrong with it, where it runs in spite of that.
    pub problems: Vec<Mistake>,
}

/// Something wrong with a scene or an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mistake {
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub fix: String,
    /// Whether the scene can run in spite of it.
    pub harmless: bool,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "came", rename_all = "kebab-case")]
pub enum Answer {
    /// It was done.
    Done {
        /// What is worth saying about it.
        said: Option<String>,
        /// Numbers of the people who came.
        people: Vec<u32>,
    },
    /// It was not done, and nothing changed.
    Refused {
        /// Why.
        why: String,
        /// All mistakes.
        problems: Vec<Mistake>,
    },
    /// What is wrong with a text.
    Checked {
        /// All mistakes.
        problems: Vec<Mistake>,
    },
    /// About a person.
    Person(Box<Person>),
    /// What people look like.
    Looks {
        /// Facts about each, one after the other, as the page came with those of others; in base64.
        facts: String,
    },
    /// A table of the scene.
    Table {
        /// Its fields.
        #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
        table: serde_json::Map<String, serde_json::Value>,
    },
    /// What holds at a spot.
    Spot {
        /// Regions there.
        regions: Vec<String>,
        /// Situations in force there.
        situations: Vec<String>,
        /// Whether one can walk there.
        floor: bool,
    },
}

impl Answer {
    /// Done, with nothing to say.
    pub fn done() -> Self {
        Self::Done { said: None, people: Vec::new() }
    }

    /// Done, with something to say.
    pub fn said(what: impl Into<String>) -> Self {
        Self::Done { said: Some(what.into()), people: Vec::new() }
    }

    /// Not done.
    pub fn refused(why: impl Into<String>) -> Self {
        Self::Refused { why: why.into(), problems: Vec::new() }
    }
}

/// About a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub struct Person {
    /// Its number.
    pub number: u32,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// What it wants.
    pub wants: String,
    /// Where it is going, in metres of the ground.
    pub goal: Option<[f32; 2]>,
    /// Points of its way that are left, in metres of the ground.
    pub way: Vec<[f32; 2]>,
    /// Where it will be by a motion that was planned, in metres of the ground, and in how many seconds.
    pub plan: Vec<[f32; 3]>,
    /// What it was directed to, in words.
    pub directed: Option<String>,
    /// What moves it.
    pub mover: String,
    /// Situations that it takes part in, and what it does there.
    pub situations: Vec<String>,
    /// Why it stands, where it does.
    pub stands: Option<String>,
    /// The speed that it likes, in metres a second.
    pub likes: f32,
    /// Goals reached so far.
    pub reached: u32,
    /// Whether brushes leave it alone.
    pub locked: bool,
    /// Its last decision, where it was watched meanwhile: whoever is asked about is watched from then on.
    pub decision: Option<Decision>,
}

/// A decision: what could have been done, and what spoke for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decision {
    /// The frame of the decision.
    pub frame: u32,
    /// How many moves there were.
    pub moves: u32,
    /// How many of them were not forbidden or hopeless.
    pub weighed: u32,
    /// The likeliest of them, the likeliest first.
    pub likeliest: Vec<Weighed>,
}

/// A move that could have been taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Weighed {
    /// The clip that shows it.
    pub clip: String,
    /// How far it goes, in metres.
    pub metres: f32,
    /// How far it turns to the left, in degrees.
    pub degrees: f32,
    /// How likely it was, of all.
    pub share: f32,
    /// What every behaviour function weighs it by.
    pub weights: Vec<(String, f32)>,
    /// What became of it, in words.
    pub fate: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};
    use ts_rs::TS;

    /// The page's types; `CROWDLOOM_WRITE_TYPES=1 cargo test -p crowdloom-studio` writes them anew.
    #[test]
    fn the_page_speaks_the_same_language() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replay/page/src/studio/protocol");
        let made = tempfile::tempdir().unwrap();
        Request::export_all_to(made.path()).unwrap();
        Tell::export_all_to(made.path()).unwrap();
        let names = |folder: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().file_name().into()).collect();
            names.sort();
            names
        };
        if std::env::var_os("CROWDLOOM_WRITE_TYPES").is_some() {
            let _ = std::fs::remove_dir_all(&page);
            std::fs::create_dir_all(&page).unwrap();
            for name in names(made.path()) {
                std::fs::copy(made.path().join(&name), page.join(&name)).unwrap();
            }
        }
        assert_eq!(names(made.path()), names(&page));
        for name in names(&page) {
            let text = |folder: &Path| std::fs::read_to_string(folder.join(&name)).unwrap();
            assert_eq!(text(made.path()), text(&page), "{}", name.display());
        }
    }

    #[test]
    fn unknown_words_are_refused() {
        let read = |text: &str| serde_json::from_str::<Request>(text);
        assert_eq!(read(r#"{"id": 3, "ask": {"kind": "play"}}"#).unwrap().ask, Ask::Play);
        for wrong in [
            r#"{"id": 3, "ask": {"kind": "fly"}}"#,
            r#"{"id": -3, "ask": {"kind": "play"}}"#,
            r#"{"id": 3, "ask": {"kind": "go-to", "frame": 1.5}}"#,
            r#"{"id": 3, "ask": {"kind": "go-to"}}"#,
            r#"{"id": 3, "ask": {"kind": "step", "frames": 1, "more": 2}}"#,
            r#"{"ask": {"kind": "play"}}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
