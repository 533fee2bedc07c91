//! How well each goal is met.

use crate::goal::{Arrivals, Task, When};
use crate::planner::Planned;
use crate::repertoire::Repertoire;
use crowdloom_motion::{FRAME_TIME, wrap_angle};
use serde::Serialize;

/// One goal of one agent, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Who.
    pub name: String,
    /// Which of its goals, from 1.
    pub goal: usize,
    /// Whether it is met, in time too.
    pub met: bool,
    /// When, in seconds.
    pub time_s: Option<f32>,
    /// Distance from the place asked for, in metres.
    pub position_error_m: Option<f32>,
    /// Angle to the facing asked for, in degrees.
    pub heading_error_deg: Option<f32>,
    /// Seconds outside the time asked for.
    pub time_error_s: Option<f32>,
    /// Adjustment of the motion before it, in centimetres (or degrees) a second.
    pub adjustment: Option<f32>,
    /// Why it is not met.
    pub problem: Option<String>,
    /// Whose limbs its own come nearer to than two arms are thick, on any of its ways; discs are apart all the same.
    pub touches: Option<String>,
}

/// What came of all goals of all agents, in their order.
pub fn outcomes(tasks: &[Task], planned: &[Planned], repertoire: &Repertoire) -> Vec<Outcome> {
    let of = |planned: &Planned| planned.motion.arrivals(planned.failure.is_none());
    let arrivals: Vec<Arrivals> = planned.iter().map(of).collect();
    let mut all = Vec::new();
    for (task, Planned { motion, failure, touches }) in tasks.iter().zip(planned) {
        for (index, goal) in task.goals.iter().enumerate() {
            let leg = motion.legs().get(index);
            let placement = leg.map(|leg| motion.at(repertoire, leg.last_frame()).0);
            let time_s = leg.map(|leg| leg.last_frame() as f32 * FRAME_TIME);
            let bounds = goal.time.and_then(|time| match time {
                When::Between { from, to } => Some((from, to)),
                When::AfterArrival { of, from, to } | When::AfterGoal { of, from, to, .. } => {
                    let base = arrivals.get(of)?.base(time)? as f32 * FRAME_TIME;
                    Some((base + from, base + to))
                }
            });
            let problem = failure.as_ref().filter(|failure| failure.goal <= index).map(|failure| {
                if failure.goal == index {
                    failure.to_string()
                } else {
                    format!("goal {} was not met", failure.goal + 1)
                }
            });
            let time_error_s =
                bounds.zip(time_s).map(|((from, to), time)| (from - time).max(time - to).max(0.0));
            all.push(Outcome {
                name: task.name.clone(),
                goal: index + 1,
                // Times are met to the frame.
                met: leg.is_some()
                    && problem.is_none()
                    && time_error_s.is_none_or(|error| error <= FRAME_TIME),
                time_s,
                position_error_m: goal
                    .at
                    .zip(placement)
                    .map(|(at, placement)| at.distance(placement.position)),
                heading_error_deg: goal
                    .facing
                    .zip(placement)
                    .map(|(facing, placement)| wrap_angle(facing - placement.heading).abs().to_degrees()),
                time_error_s,
                adjustment: leg.map(|leg| leg.adjustment().per_second * 100.0),
                problem,
                touches: touches.map(|other| {
                    tasks.get(other as usize).map_or_else(|| "somebody".into(), |task| task.name.clone())
                }),
            });
        }
    }
    all
}
