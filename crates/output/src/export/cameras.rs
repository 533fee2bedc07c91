//! The scene's cameras as other programs have them: where each is and where it looks, recorded frame by recorded frame.

use super::animation::Motion;
use super::glb::{Document, Film, turned};
use super::{ExportError, Selection};
use crate::run::{Camera, CameraKey, Run};
use crowdloom_motion::{Placement, wrap_angle};
use glam::{Quat, Vec2, Vec3};
use serde_json::json;
use std::f32::consts::FRAC_PI_2;
use std::ops::RangeInclusive;

/// How fast a camera that follows turns with whom it follows, as a share a second, as on the page.
const TURNING: f32 = 2.0;
/// What cameras see: from so many metres on.
pub(super) const NEAREST: f32 = 0.05;
/// What cameras turn is this far away, in metres.
const REACH: f32 = 5.0;

/// A camera, and where it is when.
pub(super) struct Shot {
    /// Its name.
    pub name: String,
    /// How much it sees from the lower to the upper edge, in radians.
    pub field_of_view: f32,
    /// At least one; only one where it stands still.
    pub moments: Vec<Moment>,
}

/// Where a camera is at a recorded frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    /// The recorded frame from the start of the run.
    pub record: u32,
    /// The place in metres.
    pub at: Vec3,
    /// The turn about the vertical in radians, without jumps: at 0 it looks along +y.
    pub pan: f32,
    /// The turn about its own x axis in radians: at a right angle it looks level, at 0 down.
    pub tilt: f32,
}

impl Moment {
    /// The turn of a camera that at rest looks along -z with y up.
    pub fn turn(&self) -> Quat {
        Quat::from_rotation_z(self.pan) * Quat::from_rotation_x(self.tilt)
    }
}

/// All cameras of a run over some of its recorded frames; who follows somebody who is not there then is left out.
pub(super) fn shots(run: &Run, records: RangeInclusive<u32>, every: u32) -> Result<Vec<Shot>, ExportError> {
    run.header()
        .cameras
        .iter()
        .filter_map(|camera| shot(run, camera, records.clone(), every).transpose())
        .collect()
}

fn shot(
    run: &Run,
    camera: &Camera,
    records: RangeInclusive<u32>,
    every: u32,
) -> Result<Option<Shot>, ExportError> {
    let seconds = |record: u32| record as f32 * run.header().record_time();
    let field_of_view = camera.field_of_view.to_radians();
    let mut moments: Vec<Moment> = Vec::new();
    let mut add = |record: u32, at: Vec3, look: Vec3| {
        let towards = look - at;
        let before = moments.last().map_or(0.0, |moment: &Moment| moment.pan);
        let flat = towards.truncate();
        let pan = match flat.length() > 1e-4 {
            true => libm::atan2f(flat.y, flat.x) - FRAC_PI_2,
            false => before,
        };
        let pan = before + wrap_angle(pan - before);
        let tilt = FRAC_PI_2 + libm::atan2f(towards.z, flat.length());
        moments.push(Moment { record, at, pan, tilt });
    };
    let place = |time: f32| {
        let of = |part: fn(&CameraKey) -> [f32; 3]| {
            Vec3::from_array(std::array::from_fn(|axis| between(&camera.keys, &|key| part(key)[axis], time)))
        };
        (of(|key| key.at), of(|key| key.look_at))
    };
    let shown = records.clone().step_by(every.max(1) as usize);
    match camera.follow {
        Some(id) => {
            let only = Selection { agents: vec![(id, id)], ..Selection::default() };
            let all = only.by_agent(run)?;
            let samples = all.get(&id).map(Vec::as_slice).unwrap_or_default();
            // It turns more slowly than the person does.
            let mut heading: Option<(u32, f32)> = None;
            for (record, sample) in samples.iter().filter(|(record, _)| records.contains(record)) {
                let Placement { position, heading: faces } = sample.placement();
                let now = match heading {
                    Some((before, own)) => {
                        let share = 1.0 - libm::expf(-TURNING * (seconds(*record) - seconds(before)));
                        own + wrap_angle(faces - own) * share
                    }
                    None => faces,
                };
                heading = Some((*record, now));
                if (record - records.start()).is_multiple_of(every.max(1)) {
                    let (at, look) = place(seconds(*record));
                    let moved = |p: Vec3| (position + Vec2::from_angle(now).rotate(p.truncate())).extend(p.z);
                    add(*record, moved(at), moved(look));
                }
            }
        }
        None if camera.keys.len() == 1 => {
            let (at, look) = place(0.0);
            add(*records.start(), at, look);
        }
        None => shown.for_each(|record| {
            let (at, look) = place(seconds(record));
            add(record, at, look);
        }),
    }
    let there = !moments.is_empty();
    Ok(there.then(|| Shot { name: camera.name.clone(), field_of_view, moments }))
}

/// A number between keys, smooth in value and slope: Hermite's curve with the slopes between neighbours, at rest at both ends.
fn between(keys: &[CameraKey], value: &dyn Fn(&CameraKey) -> f32, time: f32) -> f32 {
    let last = keys.len().saturating_sub(1);
    let Some(next) = keys.iter().position(|key| key.time > time).filter(|&next| next > 0) else {
        let end = if keys.first().is_some_and(|key| time < key.time) { keys.first() } else { keys.last() };
        return end.map_or(0.0, value);
    };
    let slope = |key: usize| match key == 0 || key == last {
        true => 0.0,
        false => (value(&keys[key + 1]) - value(&keys[key - 1])) / (keys[key + 1].time - keys[key - 1].time),
    };
    let (a, b) = (&keys[next - 1], &keys[next]);
    let step = b.time - a.time;
    let t = (time - a.time) / step;
    let (t2, t3) = (t * t, t * t * t);
    value(a) * (2.0 * t3 - 3.0 * t2 + 1.0)
        + value(b) * (3.0 * t2 - 2.0 * t3)
        + slope(next - 1) * step * (t3 - 2.0 * t2 + t)
        + slope(next) * step * (t3 - t2)
}

impl Document {
    /// Puts the scene's cameras into the file; returns names and motions of those that move.
    pub(super) fn add_cameras(&mut self, film: &Film<'_>) -> Result<Vec<(String, Motion)>, ExportError> {
        let mut moving = Vec::new();
        let upright = Quat::from_rotation_x(-FRAC_PI_2);
        for shot in shots(film.run, film.records(), film.every())? {
            let (node, first) = (self.nodes.len(), shot.moments[0]);
            self.cameras.push(json!({
                "name": shot.name,
                "type": "perspective",
                "perspective": { "yfov": shot.field_of_view, "znear": NEAREST },
            }));
            self.nodes.push(json!({
                "name": shot.name,
                "camera": self.cameras.len() - 1,
                "translation": turned(first.at).to_array(),
                "rotation": (upright * first.turn()).to_array(),
            }));
            self.roots.push(node);
            if shot.moments.len() > 1 {
                let times = shot.moments.iter().map(|moment| film.seconds_of(moment.record)).collect();
                let mut motion = Motion::at(times);
                motion.places(node, shot.moments.iter().map(|moment| turned(moment.at)).collect());
                let turns = shot.moments.iter().map(|moment| upright * moment.turn());
                motion.turns(node, REACH, turns.collect());
                moving.push((shot.name, motion));
            }
        }
        Ok(moving)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(time: f32, x: f32) -> CameraKey {
        CameraKey { time, at: [x, 0.0, 1.0], look_at: [x, 1.0, 1.0] }
    }

    #[test]
    fn cameras_go_smoothly_from_key_to_key() {
        let keys = [key(1.0, 2.0), key(3.0, 4.0), key(5.0, 0.0)];
        let x = |time: f32| between(&keys, &|key| key.at[0], time);
        assert_eq!([x(0.0), x(1.0), x(3.0), x(5.0), x(9.0)], [2.0, 2.0, 4.0, 0.0, 0.0]);
        // It starts and ends at rest, and passes the key in the middle without a kink.
        assert!(x(1.01) - 2.0 < 1e-3 && x(4.99) < 1e-3);
        let (before, after) = ((x(3.0) - x(2.99)) / 0.01, (x(3.01) - x(3.0)) / 0.01);
        assert!((before - after).abs() < 0.05, "{before} {after}");
    }

    #[test]
    fn a_camera_looks_along_its_own_negative_z_with_y_up() {
        let moment = Moment { record: 0, at: Vec3::ZERO, pan: 0.3, tilt: FRAC_PI_2 - 0.2 };
        let (look, up) = (moment.turn() * Vec3::NEG_Z, moment.turn() * Vec3::Y);
        let wanted = Quat::from_rotation_z(0.3) * Vec3::new(0.0, libm::cosf(0.2), -libm::sinf(0.2));
        assert!(look.distance(wanted) < 1e-5, "{look}");
        assert!(up.z > 0.9 && up.dot(look).abs() < 1e-5);
    }
}
