//! Where the boxes are that people carry, in files.

use super::acts::{Act, acts};
use super::glb::Agents;
use super::pose::Poser;
use crate::run::{Parcel, Run};
use crowdloom_motion::JointFrames;
use glam::Vec3;
use std::collections::BTreeMap;

/// The boxes of a run, each with the middle of its bottom in metres and the way it faces in radians, in each of `records`, counted
/// from the start of the run: on the ground, or in the hands of who has it.
pub(super) fn placed_boxes<'a>(
    run: &'a Run,
    agents: &Agents,
    records: &[u32],
) -> Vec<(&'a Parcel, Vec<(Vec3, f32)>)> {
    let parcels = run.end().map(|end| &end.parcels[..]).unwrap_or_default();
    if parcels.is_empty() {
        return Vec::new();
    }
    let (header, outfits, poser) = (run.header(), run.outfits(), Poser::new(&run.header().skeleton));
    let tall = crowdloom_bodies::stature(&header.skeleton);
    let holders = parcels.iter().flat_map(|parcel| parcel.stages.iter().filter_map(|stage| stage.holder));
    let looks: BTreeMap<u32, Vec<Act>> =
        holders.filter_map(|id| Some((id, acts(run, id, agents.get(&id)?, &outfits)))).collect();
    let wrists = run.carriage().map(|carriage| carriage.wrists());
    let hands = |record: u32, id: u32| {
        let [left, right] = wrists?;
        let own = agents.get(&id)?;
        let at = own.binary_search_by_key(&record, |(at, _)| *at).ok()?;
        let sample = &own[at].1;
        let act = looks.get(&id)?.iter().find(|act| act.samples.contains(&at))?;
        let scale = act.person.scale * 1.75 / tall;
        let (mut rotations, mut frames) = (Vec::new(), JointFrames::default());
        let height = poser.pose_sized(run, sample, scale, &mut rotations);
        frames.compute(&header.skeleton, Vec3::Z * height, &rotations);
        let middle = (frames.positions[left] + frames.positions[right]) * 0.5;
        Some((sample.placement(), middle * scale, scale * tall / 1.75))
    };
    let placed = |parcel: &Parcel, record: u32| {
        let frame = (run.frames().start + record * header.stride) as f32;
        let (middle, heading) = parcel.placed(frame, header.frame_rate, |id| hands(record, id));
        (middle - Vec3::Z * (parcel.size[2] / 2.0), heading)
    };
    let ways = parcels.iter();
    ways.map(|parcel| (parcel, records.iter().map(|&record| placed(parcel, record)).collect())).collect()
}
