//! What a crowd is like in a frame, as columns.

use crowdloom_crowd::{Crowd, Mover};
use crowdloom_motion::{FRAME_RATE, JointFrames};
use glam::{DVec2, DVec3, Vec2};

/// Points of the ground's local frame in the coordinates of the map, pair after pair.
pub fn in_map(crowd: &Crowd, points: impl Iterator<Item = Vec2>) -> Vec<f64> {
    let origin = crowd.setting().ground.origin();
    points.flat_map(|point| (point.as_dvec2() + origin).to_array()).collect()
}

/// Where everybody wants to be, in the coordinates of the map; NaN of those who want to be nowhere.
pub fn goals(crowd: &Crowd) -> Vec<f64> {
    let goals = (0..crowd.len()).map(|index| crowd.mind(index).goal.unwrap_or(Vec2::NAN));
    in_map(crowd, goals)
}

/// How everybody moves, in metres a second, pair after pair.
pub fn velocities(crowd: &Crowd) -> Vec<f64> {
    let (book, frame) = (&crowd.setting().book, crowd.frame());
    let velocity = |index: usize| {
        crowd.steered_velocity(index).unwrap_or_else(|| {
            let next = crowd.commitment(index).position(book, frame + 1);
            (next - crowd.positions()[index]) * FRAME_RATE
        })
    };
    (0..crowd.len()).flat_map(|index| velocity(index).as_dvec2().to_array()).collect()
}

/// The first situation that everybody takes part in, by number; -1 of those who take part in none.
pub fn situations(crowd: &Crowd) -> Vec<i32> {
    let first = |index: usize| {
        let mut visits = crowd.mind(index).visits.iter().filter(|visit| visit.takes_part);
        visits.next().map_or(-1, |visit| visit.situation.index() as i32)
    };
    (0..crowd.len()).map(first).collect()
}

/// What moves somebody, in the words of scenes.
pub fn mover_name(crowd: &Crowd, index: usize) -> &str {
    match crowd.mover(index) {
        Mover::Graph => "graph",
        Mover::Planned => "planned",
        Mover::Recorded => "recorded",
        Mover::CellMarking(_) => "cell-marking",
        Mover::Steered(number) => crowd.steering_name(number).unwrap_or("steered"),
    }
}

/// The radius of everybody's disc in metres.
pub fn radii(crowd: &Crowd) -> Vec<f64> {
    let book = &crowd.setting().book;
    (0..crowd.len()).map(|index| f64::from(crowd.commitment(index).radius(book))).collect()
}

/// The joints of some people's bodies as matrices of 4 × 4, row by row, in the coordinates of the map.
pub fn poses(crowd: &Crowd, people: &[usize]) -> Vec<f64> {
    let skeleton = &crowd.setting().book.graph().skeleton();
    let origin = crowd.setting().ground.origin();
    let mut numbers = Vec::with_capacity(people.len() * skeleton.len() * 16);
    for &index in people {
        let shown = crowd.posed(index);
        let joints = shown.pose.joints(skeleton, shown.placement);
        matrices(&joints, DVec2::extend(origin, 0.0), &mut numbers);
    }
    numbers
}

/// Adds joints as matrices of 4 × 4, row by row, seen from `origin`.
pub fn matrices(joints: &JointFrames, origin: DVec3, numbers: &mut Vec<f64>) {
    for (position, orientation) in joints.positions.iter().zip(&joints.orientations) {
        let turn = glam::DMat3::from_quat(orientation.as_dquat()).transpose();
        let place = position.as_dvec3() + origin;
        let rows = [turn.x_axis.extend(place.x), turn.y_axis.extend(place.y), turn.z_axis.extend(place.z)];
        rows.iter().for_each(|row| numbers.extend(row.to_array()));
        numbers.extend([0.0, 0.0, 0.0, 1.0]);
    }
}
