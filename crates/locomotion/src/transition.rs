//! Going over from one way of walking or running to another within a given time (section 4.6.4 of the source): all cycles begin
//! where the right foot is set down, so that the same phase of any two is the same moment of a step.

use crate::clip::{Frame, Growing, LEAST_FREQUENCY, frames_of};
use crate::engine::{Engine, Wish};
use crowdloom_motion::{Clip, FRAME_RATE, FRAME_TIME};

/// From one wish to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// What it begins with.
    pub from: Wish,
    /// What it ends with.
    pub to: Wish,
    /// Seconds that it takes.
    pub seconds: f32,
}

impl Transition {
    /// The wish so many seconds after it began: people, speed, gait and legs all go over together, slowly at both ends.
    pub fn wish(&self, second: f32) -> Wish {
        let t = if self.seconds > 0.0 { (second / self.seconds).clamp(0.0, 1.0) } else { 1.0 };
        let share = t * t * (3.0 - 2.0 * t);
        let between = |from: f32, to: f32| from + (to - from) * share;
        let (from, to) = (normalised(&self.from.people), normalised(&self.to.people));
        let people = match (from.is_empty(), to.is_empty()) {
            (true, true) => Vec::new(),
            // Nobody is everybody alike: as long as the longer list.
            _ => {
                let longest = from.len().max(to.len());
                let of = |own: &[f32], number: usize| match own.is_empty() {
                    true => 1.0 / longest as f32,
                    false => own.get(number).copied().unwrap_or(0.0),
                };
                (0..longest).map(|number| between(of(&from, number), of(&to, number))).collect()
            }
        };
        Wish {
            people,
            speed: between(self.from.speed, self.to.speed),
            runs: between(self.from.runs.clamp(0.0, 1.0), self.to.runs.clamp(0.0, 1.0)),
            leg: between(self.from.leg, self.to.leg),
        }
    }
}

/// Shares whose sum is 1; none where nobody is named.
fn normalised(people: &[f32]) -> Vec<f32> {
    let total: f32 = people.iter().map(|share| share.max(0.0)).sum();
    if total > 0.0 { people.iter().map(|share| share.max(0.0) / total).collect() } else { Vec::new() }
}

impl Engine {
    /// A clip that goes over: a cycle of what it begins with, the change, and a cycle of what it ends with, at phases that go on
    /// evenly (equation 4.8).
    ///
    /// The skeleton's own legs count, whatever the wishes say: clips are of one body.
    pub fn transition(&self, transition: &Transition, name: &str) -> Clip {
        let own = |wish: &Wish| Wish { leg: self.leg(), ..self.everybody(wish) };
        let seconds = transition.seconds.max(0.0);
        let transition = Transition { from: own(&transition.from), to: own(&transition.to), seconds };
        let [before, after] = [&transition.from, &transition.to].map(|wish| frames_of(self.frequency(wish)));
        let frames = before + (seconds * FRAME_RATE).round() as usize + after;
        let label = if transition.to.runs > 0.5 { "run" } else { "walk" };
        let mut clip = Growing::new(self.skeleton(), name, label, frames);
        let (mut phase, mut way, mut rotations) = (0.0f32, 0.0, Vec::new());
        for frame in 0..=frames {
            let second = (frame as f32 - before as f32) * FRAME_TIME;
            let wish = transition.wish(second);
            let (speed, stances) = (wish.speed, self.stances(&wish));
            let root = self.pose(&wish, phase, &mut rotations);
            clip.push(Frame { root, rotations: &mut rotations, way, speed, phase, stances });
            // The middle of the next frame tells how fast it goes on.
            let wish = transition.wish(second + 0.5 * FRAME_TIME);
            way += wish.speed * FRAME_TIME;
            phase += self.frequency(&wish).max(LEAST_FREQUENCY) * FRAME_TIME;
            phase -= phase.floor();
        }
        clip.finish()
    }

    /// The same wish with everybody named where nobody is.
    fn everybody(&self, wish: &Wish) -> Wish {
        let named = wish.people.iter().take(self.people()).any(|share| *share > 0.0);
        let people = if named { wish.people.clone() } else { vec![1.0; self.people()] };
        Wish { people, ..wish.clone() }
    }
}
