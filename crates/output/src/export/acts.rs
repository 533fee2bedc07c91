//! Who comes to look otherwise while a run goes on is another body from then on.

use crate::body::Person;
use crate::run::{Appearance, Run, Sample};
use crowdloom_bodies::Outfit;
use std::ops::Range;

/// A stretch of somebody's samples in which it looks the same.
pub(super) struct Act {
    /// The number that it is drawn by then.
    pub number: u32,
    /// How it looks.
    pub person: Person,
    /// Which of its samples.
    pub samples: Range<usize>,
    /// The recorded frame in which it comes to look otherwise.
    pub until: Option<u32>,
}

/// Somebody's acts, in the order of time; one for who looks the same all the time.
pub(super) fn acts(run: &Run, id: u32, samples: &[(u32, Sample)], outfits: &[Outfit]) -> Vec<Act> {
    let all = run.end().map(|end| &end.appearances[..]).unwrap_or_default();
    let own: Vec<&Appearance> = all.iter().filter(|appearance| appearance.agent == id).collect();
    if own.is_empty() {
        let (number, person) = (run.looks_of(id), run.person(id, outfits));
        return vec![Act { number, person, samples: 0..samples.len(), until: None }];
    }
    let (start, stride) = (run.frames().start, run.header().stride);
    let begin = |number: usize| match own.get(number) {
        _ if number == 0 => 0,
        None => samples.len(),
        Some(appearance) => {
            let record = appearance.frame.saturating_sub(start).div_ceil(stride);
            samples.partition_point(|(at, _)| *at < record)
        }
    };
    let stretches = (0..own.len()).map(|number| (own[number], begin(number)..begin(number + 1)));
    let shown = stretches.filter(|(_, stretch)| !stretch.is_empty()).map(|(looks, stretch)| Act {
        number: looks.looks.unwrap_or(id),
        person: run.person_as(looks, outfits),
        until: samples.get(stretch.end).map(|(record, _)| *record),
        samples: stretch,
    });
    shown.collect()
}

/// The name of a body: `name` at first, `name` and a number in later acts.
pub(super) fn name_of_act(name: &str, act: usize, between: char) -> String {
    if act == 0 { name.to_owned() } else { format!("{name}{between}{}", act + 1) }
}
