//! What is said about people in words, and a mark that tells whether that has changed.

use crowdloom_crowd::{Crowd, Mover};

/// What a mark starts from.
const FIRST_MARK: u64 = 0xcbf2_9ce4_8422_2325;

/// Goes on with a mark by a word (FNV-1a, a word at a time).
fn mark(mark: u64, word: u32) -> u64 {
    (mark ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3)
}

/// Who somebody is, what it likes and where it goes; `name` is its own, where it has one.
pub(super) fn about(crowd: &Crowd, index: usize, name: Option<&str>) -> String {
    let mind = crowd.mind(index);
    let who = match name {
        Some(name) => name,
        None if mind.wanders => "wanderer",
        None => "walker",
    };
    let situations = &crowd.shared().situations;
    let taking_part = mind.visits.iter().filter(|visit| visit.takes_part && !visit.done);
    let names: Vec<&str> =
        taking_part.map(|visit| situations[visit.situation.index()].name.as_str()).collect();
    let place = if names.is_empty() { String::new() } else { format!("; in {}", names.join(", ")) };
    let goal = match mind.goal {
        Some(goal) => format!("heading for ({:.0}, {:.0})", goal.x, goal.y),
        None => "without a goal".into(),
    };
    let mover = match crowd.mover(index) {
        Mover::Graph => String::new(),
        Mover::Planned => "; moves as planned".into(),
        Mover::Recorded => "; follows a recording".into(),
        Mover::CellMarking(_) => "; plans captured motion".into(),
        Mover::Steered(number) => {
            let name = crowd.steering_name(number);
            name.map_or(String::new(), |name| format!("; moved by {name}"))
        }
    };
    let likes = mind.speed;
    format!("{who} who likes {likes:.2} m/s; {goal}; {} goals reached{place}{mover}", mind.arrivals)
}

/// A number that changes with what [`about`] says.
pub(super) fn about_mark(crowd: &Crowd, index: usize) -> u64 {
    let mind = crowd.mind(index);
    let goal = mind.goal.map_or([0, 0], |goal| [goal.x.to_bits(), goal.y.to_bits()]);
    let visits = mind.visits.iter().filter(|visit| visit.takes_part && !visit.done);
    let situations = visits.map(|visit| 1 + visit.situation.index() as u32);
    let mover = match crowd.mover(index) {
        Mover::Graph => 0,
        Mover::Planned => 1,
        Mover::Recorded => 2,
        Mover::CellMarking(_) => 3,
        Mover::Steered(number) => 4 + u32::from(number),
    };
    let first =
        [u32::from(mind.wanders), u32::from(mind.goal.is_some()), mind.speed.to_bits(), mind.arrivals, mover];
    first.into_iter().chain(goal).chain(situations).fold(FIRST_MARK, mark)
}
