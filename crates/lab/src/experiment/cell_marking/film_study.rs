//! The user study of Brunner 2014, chapter 5: a page that shows a pair of films and a third, asks about them, and what the answers
//! of all participants come to.

use super::{Crowd, Method, Scenario, Setup};
use crate::experiment::statistics::coin_tail;
use crate::experiment::study_page;
use crowdloom_crowd::cell_marking::Shown;
use crowdloom_motion::FRAME_RATE;
use glam::Vec2;
use serde::Serialize;
use std::fmt;
use thiserror::Error;

/// Frames from one picture to the next; the page draws what is between.
const STRIDE: usize = 3;
/// The close-up films: first and last second, and how far from the middle people are seen, in metres.
const CLOSE: [f32; 2] = [5.0, 15.0];
const CLOSE_REACH: f32 = 4.0;
/// The film of the whole crowd: seconds.
const WHOLE: f32 = 20.0;

/// A film: joints of everybody in it, in centimetres.
#[derive(Serialize)]
struct Film {
    name: &'static str,
    /// Metres from the middle to the eye.
    distance: f32,
    /// For each person a picture after the other: x, y, z of every joint.
    people: Vec<Vec<Vec<i16>>>,
}

#[derive(Serialize)]
struct Material {
    parents: Vec<Option<usize>>,
    pictures_per_second: f32,
    films: [Film; 3],
}

/// The page with all films in it, to be opened in a browser. Feet are held in none of them.
pub fn page(setup: &Setup, seed: u64) -> String {
    let close = |method: Method, name: &'static str| {
        let people = film(setup, method, seed, CLOSE);
        let near = |own: &Vec<Vec<i16>>| {
            let middle = |joints: &Vec<i16>| Vec2::new(f32::from(joints[0]), f32::from(joints[1])) * 0.01;
            own.iter().any(|joints| middle(joints).length() < CLOSE_REACH)
        };
        Film { name, distance: 1.6 * CLOSE_REACH, people: people.into_iter().filter(near).collect() }
    };
    let skeleton = &setup.library.skeleton;
    let material = Material {
        parents: (0..skeleton.len()).map(|joint| skeleton.parent(joint)).collect(),
        pictures_per_second: FRAME_RATE / STRIDE as f32,
        films: [
            close(Method::Rvo, "overlay"),
            close(Method::CellMarking, "planned"),
            Film {
                name: "whole",
                distance: 34.0,
                people: film(setup, Method::CellMarking, seed, [0.0, WHOLE]),
            },
        ],
    };
    let text = serde_json::to_string(&material).expect("numbers and names are JSON");
    study_page::fill(include_str!("film_study.html"), &text)
}

/// Everybody's joints in centimetres between two seconds of the close swap.
fn film(setup: &Setup, method: Method, seed: u64, [first, last]: [f32; 2]) -> Vec<Vec<Vec<i16>>> {
    let mut crowd = Crowd::new(setup, method, Scenario::CloseSwap, seed);
    let agents = crowd.positions().len();
    let mut people = vec![Vec::new(); agents];
    for frame in 0..(last * FRAME_RATE) as usize {
        crowd.step();
        // The overlay's cycles go on in every frame that is shown, so all are.
        let shown: Vec<Shown> = (0..agents).map(|agent| crowd.show(agent)).collect();
        if frame < (first * FRAME_RATE) as usize || !frame.is_multiple_of(STRIDE) {
            continue;
        }
        for (own, body) in people.iter_mut().zip(shown) {
            let joints = body.pose.joints(&setup.library.skeleton, body.placement).positions;
            let numbers = joints.iter().flat_map(|at| at.to_array().map(|metres| (metres * 100.0) as i16));
            own.push(numbers.collect());
        }
    }
    people
}

/// Why answers cannot be read.
#[derive(Debug, Error, PartialEq)]
pub enum AnswerError {
    /// The first line is not the page's.
    #[error("line 1 is not `{HEADER}`")]
    Header,
    /// A line that is none of the page's.
    #[error("line {0} is not an answer: a participant, `planned`, `overlay` or `neither`, and `yes` or `no`")]
    Line(usize),
}

/// The first line of what the page gives to take away.
const HEADER: &str = "participant,more real,plausible";

/// What participants said.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StudyReport {
    /// Participants.
    pub participants: u64,
    /// Those to whom captured motion in the planning step looked more real (23 of 31 in the source) …
    pub planned: u64,
    /// … to whom clips laid over RVO did (7), …
    pub overlay: u64,
    /// … and to whom neither did (1).
    pub neither: u64,
    /// The probability that at least as many of those who saw a difference say `planned` by tossing a coin.
    pub planned_by_chance: f64,
    /// Those who found the movement of the whole crowd plausible (27 of 31 in the source).
    pub plausible: u64,
    /// The probability that at least as many do by tossing a coin.
    pub plausible_by_chance: f64,
}

/// Counts the answers of any number of participants, in texts as the page gives them.
pub fn count<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<StudyReport, AnswerError> {
    let mut report = StudyReport::default();
    for text in texts {
        let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
        if lines.next().is_none_or(|(_, line)| line != HEADER) {
            return Err(AnswerError::Header);
        }
        for (number, line) in lines {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let [_, real, plausible] = fields[..] else { return Err(AnswerError::Line(number + 1)) };
            match real {
                "planned" => report.planned += 1,
                "overlay" => report.overlay += 1,
                "neither" => report.neither += 1,
                _ => return Err(AnswerError::Line(number + 1)),
            }
            match plausible {
                "yes" => report.plausible += 1,
                "no" => {}
                _ => return Err(AnswerError::Line(number + 1)),
            }
            report.participants += 1;
        }
    }
    report.planned_by_chance = coin_tail(report.planned, report.planned + report.overlay);
    report.plausible_by_chance = coin_tail(report.plausible, report.participants);
    Ok(report)
}

impl fmt::Display for StudyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} of {} find captured motion in the planning step more real (23 of 31 in the source), {} the overlay (7), {} \
             neither (1); by chance {:.4}",
            self.planned, self.participants, self.overlay, self.neither, self.planned_by_chance
        )?;
        writeln!(
            f,
            "{} of {} find the whole crowd plausible (27 of 31 in the source); by chance {:.4}",
            self.plausible, self.participants, self.plausible_by_chance
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdloom_crowd::cell_marking::SegmentOptions;

    #[test]
    fn answers_are_counted() {
        let mut text = format!("{HEADER}\n");
        for participant in 1..=31 {
            let real = if participant <= 23 { "planned" } else { "overlay" };
            let real = if participant == 31 { "neither" } else { real };
            let plausible = if participant <= 27 { "yes" } else { "no" };
            text += &format!("{participant},{real},{plausible}\n");
        }
        let report = count([text.as_str()]).unwrap();
        assert_eq!((report.planned, report.overlay, report.neither, report.plausible), (23, 7, 1, 27));
        assert!(report.planned_by_chance < 0.003 && report.plausible_by_chance < 2e-5, "{report}");
        assert_eq!(count(["a\n"]), Err(AnswerError::Header));
        let bad = format!("{HEADER}\n1,planned,yes\n2,both,yes\n");
        assert_eq!(count([bad.as_str()]), Err(AnswerError::Line(3)));
    }

    #[test]
    fn the_page_holds_a_pair_of_films_and_one_of_the_whole_crowd() {
        let setup = Setup::new(&SegmentOptions { stride: 10, ..SegmentOptions::default() });
        let text = page(&setup, 1);
        let start = text.find("const MATERIAL = ").unwrap() + "const MATERIAL = ".len();
        let end = start + text[start..].find(";\n").unwrap();
        let material: serde_json::Value = serde_json::from_str(&text[start..end]).unwrap();
        let people = |film: usize| material["films"][film]["people"].as_array().unwrap();
        let pictures = |film: usize| people(film)[0].as_array().unwrap().len();
        assert!(people(0).len() > 10 && people(1).len() > 10 && people(2).len() == super::super::AGENTS);
        assert_eq!((pictures(0), pictures(1), pictures(2)), (100, 100, 200));
        // People move, and are as tall as people.
        let of = |picture: usize| people(1)[0][picture].as_array().unwrap();
        assert_ne!(of(0), of(50));
        let tall = of(0).chunks(3).map(|at| at[2].as_i64().unwrap()).max().unwrap();
        assert!((130..200).contains(&tall), "{tall} cm");
    }
}
