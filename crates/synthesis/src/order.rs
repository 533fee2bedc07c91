//! Who is planned when: those whose arrival others wait for come first.

use crate::goal::{Task, When};
use thiserror::Error;

/// Why no order exists.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// Agents wait for each other in a ring.
    #[error("these wait for each other: {}; give one of them a time of its own", .0.join(" → "))]
    Circle(Vec<String>),
    /// An agent waits for one that is not there.
    #[error("{who} waits for agent number {whom}, but there are only {count}")]
    Nobody {
        /// Who waits.
        who: String,
        /// The number it waits for.
        whom: usize,
        /// How many agents there are.
        count: usize,
    },
}

/// The order of planning: as given, except that everybody comes after those it waits for.
pub fn order(tasks: &[Task]) -> Result<Vec<usize>, OrderError> {
    let mut order = Vec::with_capacity(tasks.len());
    let mut state = vec![State::Open; tasks.len()];
    for first in 0..tasks.len() {
        let mut path = vec![(first, 0)];
        if state[first] != State::Open {
            continue;
        }
        state[first] = State::Waiting;
        while let Some((agent, next)) = path.pop() {
            match awaited(&tasks[agent]).nth(next) {
                None => {
                    state[agent] = State::Placed;
                    order.push(agent);
                }
                Some(other) if other >= tasks.len() => {
                    let who = tasks[agent].name.clone();
                    return Err(OrderError::Nobody { who, whom: other, count: tasks.len() });
                }
                Some(other) => {
                    path.push((agent, next + 1));
                    match state[other] {
                        State::Placed => {}
                        State::Open => {
                            state[other] = State::Waiting;
                            path.push((other, 0));
                        }
                        State::Waiting => {
                            let start = path.iter().position(|&(one, _)| one == other).unwrap_or(0);
                            let ring = path[start..].iter().map(|&(one, _)| one).chain([other]);
                            return Err(OrderError::Circle(
                                ring.map(|one| tasks[one].name.clone()).collect(),
                            ));
                        }
                    }
                }
            }
        }
    }
    Ok(order)
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Waiting,
    Placed,
}

/// Those whose arrival an agent waits for.
pub(crate) fn awaited(task: &Task) -> impl Iterator<Item = usize> + '_ {
    task.goals.iter().filter_map(|goal| match goal.time {
        Some(When::AfterArrival { of, .. } | When::AfterGoal { of, .. }) => Some(of),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goal::Goal;
    use crowdloom_motion::Placement;
    use crowdloom_motion::graph::NodeId;

    fn task(name: &str, waits_for: &[usize]) -> Task {
        let goal = |&of: &usize| Goal {
            time: Some(When::AfterArrival { of, from: 0.0, to: 1.0 }),
            ..Goal::default()
        };
        let goals = waits_for.iter().map(goal).collect();
        Task { name: name.into(), start: Placement::IDENTITY, pose: NodeId(0), goals }
    }

    #[test]
    fn those_awaited_come_first() {
        let tasks = [task("a", &[2]), task("b", &[]), task("c", &[3]), task("d", &[])];
        assert_eq!(order(&tasks), Ok(vec![3, 2, 0, 1]));
    }

    #[test]
    fn a_ring_is_named() {
        let tasks = [task("ann", &[]), task("ben", &[2]), task("cem", &[3]), task("dot", &[1])];
        let names = ["ben", "cem", "dot", "ben"].map(String::from).to_vec();
        assert_eq!(order(&tasks), Err(OrderError::Circle(names)));
        let alone = [task("eve", &[0])];
        assert_eq!(order(&alone), Err(OrderError::Circle(vec!["eve".into(), "eve".into()])));
        assert!(matches!(order(&[task("f", &[7])]), Err(OrderError::Nobody { whom: 7, .. })));
    }
}
