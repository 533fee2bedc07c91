//! The clone-finding study of section VI-C: a page on which participants look for two who move alike, against the clock, and
//! the analysis of what they found.

use super::study::{STYLES, Stage};
use crate::experiment::statistics::{TwoWay, two_way};
use crate::experiment::study_page;
use crowdloom_crowd::diversity::Scheme;
use crowdloom_motion::Placement;
use crowdloom_motion::styles::{MotionType, Primitive, StyleLibrary};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Frames of a trial; who has not found a pair by then has not found any.
const FRAMES: u32 = 60 * 30;
/// The styles of both arms.
const SCHEMES: [Scheme; 2] = [Scheme::Random, Scheme::Diverse];
/// What participants look at.
const KINDS: [MotionType; 2] = [MotionType::Walking, MotionType::Fighting];

/// One style as the page draws it.
#[derive(Serialize)]
struct Loop {
    /// Millimetres of every joint in every frame, seen from where the agent stands: x, y, z, joint by joint.
    joints: Vec<Vec<i16>>,
}

/// What one agent shows from a frame on.
#[derive(Serialize)]
struct Shown {
    /// The frame of the trial.
    from: u32,
    /// The style, by its number in the library.
    style: usize,
    /// The part of its loop that is over then.
    phase: f32,
    /// Frames that one round takes.
    frames: f32,
}

/// Sixteen agents and what they show for a minute.
#[derive(Serialize)]
struct Trial {
    kind: &'static str,
    styles: usize,
    scheme: &'static str,
    places: Vec<[f32; 2]>,
    agents: Vec<Vec<Shown>>,
}

#[derive(Serialize)]
struct Material {
    parents: Vec<Option<usize>>,
    loops: BTreeMap<usize, Loop>,
    trials: Vec<Trial>,
    frames: u32,
}

/// The page with all trials in it, to be opened in a browser: twenty for each participant where there are ten styles of
/// walking and of fighting.
pub fn page(library: &StyleLibrary, seed: u64) -> String {
    let mut trials = Vec::new();
    for kind in KINDS {
        for styles in STYLES.into_iter().filter(|&styles| styles <= library.table(kind).len()) {
            for scheme in SCHEMES {
                trials.push(trial(library, kind, styles, scheme, seed + styles as u64));
            }
        }
    }
    let used = trials.iter().flat_map(|trial| trial.agents.iter().flatten().map(|shown| shown.style));
    let primitives = library.primitives();
    let loops = used.map(|style| (style, drawn(library, &primitives[style]))).collect();
    let parents = (0..library.skeleton().len()).map(|joint| library.skeleton().parent(joint)).collect();
    let material = Material { parents, loops, trials, frames: FRAMES };
    let text = serde_json::to_string(&material).expect("numbers and names are JSON");
    study_page::fill(include_str!("clone_study.html"), &text)
}

fn trial(library: &StyleLibrary, kind: MotionType, styles: usize, scheme: Scheme, seed: u64) -> Trial {
    let mut stage = Stage::new(library, kind, styles, scheme, seed, Some(1.0));
    let own: BTreeMap<&str, usize> = library
        .primitives()
        .iter()
        .enumerate()
        .map(|(number, style)| (style.name.as_str(), number))
        .collect();
    let mut agents: Vec<Vec<Shown>> = stage.positions.iter().map(|_| Vec::new()).collect();
    let mut before: Vec<f32> = vec![f32::INFINITY; agents.len()];
    for frame in 0..FRAMES {
        for ((shown, before), playing) in agents.iter_mut().zip(&mut before).zip(stage.control.playing()) {
            if playing.frame < *before {
                let book = stage.control.book();
                let frames = book.pace(playing.from, playing.style, playing.start).frames;
                let style = own[book.library().primitives()[usize::from(playing.style)].name.as_str()];
                // Who goes on as before needs no word of it, nor does the end of its round.
                let same = shown.last().is_some_and(|last| last.style == style && last.frames == frames);
                if !same {
                    shown.push(Shown { from: frame, style, phase: playing.frame / frames, frames });
                }
            }
            *before = playing.frame;
        }
        stage.step();
    }
    let places = stage.positions.iter().map(|place| place.to_array()).collect();
    Trial { kind: kind.name(), styles, scheme: scheme.name(), places, agents }
}

/// The joints of a style's loop, in millimetres.
fn drawn(library: &StyleLibrary, style: &Primitive) -> Loop {
    let frame = |frame: usize| {
        let sway = style.sway[frame];
        let place = Placement { position: sway.position, heading: sway.heading };
        let joints = style.clip.pose(frame).joints(library.skeleton(), place);
        joints.positions.iter().flat_map(|at| at.to_array().map(|metres| (metres * 1000.0) as i16)).collect()
    };
    Loop { joints: (0..style.clip.frames()).map(frame).collect() }
}

/// One line of what the page gives to take away.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Answer {
    kind: String,
    styles: usize,
    scheme: String,
    seconds: f64,
    wrong: u32,
}

/// Why answers cannot be read.
#[derive(Debug, Error, PartialEq)]
pub enum AnswerError {
    /// The first line is not the page's.
    #[error("line 1 is not `{HEADER}`")]
    Header,
    /// A line that is none of the page's.
    #[error(
        "line {0} is not an answer: a participant, a motion type, a number of styles, a scheme, seconds and wrong picks"
    )]
    Line(usize),
}

/// The first line of what the page gives to take away.
const HEADER: &str = "participant,kind,styles,scheme,seconds,wrong";

/// Mean time to find a pair, in one condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Condition {
    /// Styles at most.
    pub styles: usize,
    /// How they were chosen.
    pub scheme: String,
    /// Trials.
    pub trials: usize,
    /// Mean seconds until a pair was found.
    pub mean_seconds: f64,
    /// Standard deviation of these.
    pub deviation_seconds: f64,
    /// Mean number of wrong picks before.
    pub wrong: f64,
}

/// The study of one motion type: figure 10 and its analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The motion type.
    pub kind: String,
    /// All conditions.
    pub conditions: Vec<Condition>,
    /// Two-way analysis of variance of the seconds, by number of styles (rows) and scheme (columns), where trials allow it.
    pub variance: Option<TwoWay>,
}

/// The whole study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyReport {
    /// One entry for each motion type.
    pub kinds: Vec<Analysis>,
}

/// Analyses the answers of any number of participants, one text each as the page gives it.
pub fn analyse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<StudyReport, AnswerError> {
    let mut answers = Vec::new();
    for text in texts {
        answers.extend(read(text)?);
    }
    let analysis = |kind: MotionType| {
        let own: Vec<&Answer> = answers.iter().filter(|answer| answer.kind == kind.name()).collect();
        let mut numbers: Vec<usize> = own.iter().map(|answer| answer.styles).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let of = |styles: usize, scheme: Scheme| -> Vec<&Answer> {
            let same = |answer: &&&Answer| answer.styles == styles && answer.scheme == scheme.name();
            own.iter().filter(same).copied().collect()
        };
        let seconds = |answers: &[&Answer]| answers.iter().map(|answer| answer.seconds).collect::<Vec<f64>>();
        let cells: Vec<Vec<Vec<f64>>> = numbers
            .iter()
            .map(|&styles| SCHEMES.map(|scheme| seconds(&of(styles, scheme))).to_vec())
            .collect();
        let conditions = numbers.iter().flat_map(|&styles| SCHEMES.map(|scheme| (styles, scheme)));
        Analysis {
            kind: kind.name().to_owned(),
            conditions: conditions
                .map(|(styles, scheme)| condition(styles, scheme, &of(styles, scheme)))
                .collect(),
            variance: two_way(&cells),
        }
    };
    let kinds = KINDS.into_iter().map(analysis).filter(|analysis| !analysis.conditions.is_empty());
    Ok(StudyReport { kinds: kinds.collect() })
}

fn condition(styles: usize, scheme: Scheme, answers: &[&Answer]) -> Condition {
    let count = answers.len().max(1) as f64;
    let mean = answers.iter().map(|answer| answer.seconds).sum::<f64>() / count;
    let squares: f64 = answers.iter().map(|answer| (answer.seconds - mean).powi(2)).sum();
    Condition {
        styles,
        scheme: scheme.name().to_owned(),
        trials: answers.len(),
        mean_seconds: mean,
        deviation_seconds: (squares / (count - 1.0).max(1.0)).sqrt(),
        wrong: answers.iter().map(|answer| f64::from(answer.wrong)).sum::<f64>() / count,
    }
}

/// The lines of one participant.
fn read(text: &str) -> Result<Vec<Answer>, AnswerError> {
    let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    if lines.next().is_none_or(|(_, line)| line != HEADER) {
        return Err(AnswerError::Header);
    }
    let answer = |(number, line): (usize, &str)| {
        let wrong = AnswerError::Line(number + 1);
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [_, kind, styles, scheme, seconds, picks] = fields[..] else { return Err(wrong) };
        let parsed = styles.parse().ok().zip(seconds.parse::<f64>().ok()).zip(picks.parse().ok());
        let Some(((styles, seconds), picks)) = parsed else { return Err(wrong) };
        let known = KINDS.iter().any(|own| own.name() == kind)
            && SCHEMES.iter().any(|own| own.name() == scheme)
            && seconds.is_finite();
        known
            .then(|| Answer { kind: kind.into(), styles, scheme: scheme.into(), seconds, wrong: picks })
            .ok_or(wrong)
    };
    lines.map(answer).collect()
}

impl fmt::Display for StudyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for analysis in &self.kinds {
            writeln!(f, "{}: seconds until a pair of clones was found (figure 10)", analysis.kind)?;
            for own in &analysis.conditions {
                writeln!(
                    f,
                    "  {:>2} styles {:<8} {:>4} trials {:>7.2} ± {:.2} s, {:.2} wrong picks",
                    own.styles, own.scheme, own.trials, own.mean_seconds, own.deviation_seconds, own.wrong
                )?;
            }
            let Some(found) = analysis.variance else {
                writeln!(f, "  too few trials for an analysis of variance")?;
                continue;
            };
            let effects = [
                ("number of styles", found.rows),
                ("scheme", found.columns),
                ("both together", found.interaction),
            ];
            for (name, effect) in effects {
                let [degrees, error] = effect.degrees;
                writeln!(f, "  {name}: F({degrees:.0}, {error:.0}) = {:.2}, p = {:.4}", effect.f, effect.p)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::diversity::builtin_styles;

    #[test]
    fn the_page_has_every_trial_and_every_style_in_it() {
        let library = builtin_styles();
        let text = page(&library, 1);
        let start = text.find("const MATERIAL = ").unwrap() + "const MATERIAL = ".len();
        let end = start + text[start..].find(";\n").unwrap();
        let material: serde_json::Value = serde_json::from_str(&text[start..end]).unwrap();
        let trials = material["trials"].as_array().unwrap();
        let offered = |kind: MotionType| STYLES.iter().filter(|n| **n <= library.table(kind).len()).count();
        assert_eq!(trials.len(), 2 * (offered(KINDS[0]) + offered(KINDS[1])));
        for trial in trials {
            let agents = trial["agents"].as_array().unwrap();
            assert_eq!(agents.len(), 16);
            let mut styles = std::collections::BTreeSet::new();
            for shown in agents.iter().flat_map(|agent| agent.as_array().unwrap()) {
                let style = shown["style"].as_u64().unwrap();
                assert_eq!(library.primitives()[style as usize].kind.name(), trial["kind"].as_str().unwrap());
                assert!(material["loops"][style.to_string()]["joints"][0].as_array().unwrap().len() > 60);
                styles.insert(style);
            }
            assert!(styles.len() as u64 <= trial["styles"].as_u64().unwrap(), "{styles:?}");
            assert!(agents.iter().all(|agent| agent[0]["from"] == 0));
        }
    }

    /// What a participant gives who needs `seconds(styles, scheme)` for walks.
    fn answers(name: &str, seconds: impl Fn(usize, usize) -> f64) -> String {
        let mut text = format!("{HEADER}\n");
        for styles in STYLES {
            for (number, scheme) in SCHEMES.into_iter().enumerate() {
                let time = seconds(styles, number);
                text += &format!("{name},walking,{styles},{},{time:.2},0\n", scheme.name());
            }
        }
        text
    }

    #[test]
    fn what_makes_clones_hard_to_find_is_found() {
        // Every style costs a second, the scheme three; people differ by one.
        let one = answers("a", |styles, scheme| styles as f64 + 3.0 * scheme as f64);
        let two = answers("b", |styles, scheme| 1.0 + styles as f64 + 3.0 * scheme as f64);
        let found = analyse([one.as_str(), two.as_str()]).unwrap();
        let [walking] = &found.kinds[..] else { panic!("{found:?}") };
        let variance = walking.variance.unwrap();
        assert!(variance.rows.p < 0.001 && variance.columns.p < 0.001 && variance.interaction.p > 0.9);
        assert_eq!(walking.conditions.len(), 10);
        assert!((walking.conditions[1].mean_seconds - 5.5).abs() < 1e-9, "{found}");
        // Where the scheme does nothing, nothing is found.
        let none = answers("a", |styles, _| styles as f64);
        let noise = answers("b", |styles, scheme| styles as f64 + 0.3 * ((styles / 2 + scheme) % 2) as f64);
        let found = analyse([none.as_str(), noise.as_str()]).unwrap();
        assert!(found.kinds[0].variance.unwrap().columns.p > 0.5, "{found}");
        assert_eq!(analyse(["a,b\n"]), Err(AnswerError::Header));
        let bad = format!("{HEADER}\na,walking,two,text,1,0\n");
        assert_eq!(analyse([bad.as_str()]), Err(AnswerError::Line(2)));
    }
}
