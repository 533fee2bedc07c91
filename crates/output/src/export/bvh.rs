//! One BVH file an agent.

use super::acts::{Act, acts};
use super::pose::Poser;
use super::{ExportError, Selection};
use crate::body::stature;
use crate::run::{Run, Sample, WriteError, write_whole};
use crowdloom_motion::import::{Capture, write_bvh};
use crowdloom_motion::{Clip, Contacts, Placement};
use std::path::{Path, PathBuf};

/// Writes `path` for one agent, or files `agent-NUMBER.bvh` in the folder `path` for several; returns what was written.
///
/// Metres, y up, facing +z, as `crowdloom motion` reads and writes BVH; bones are as long as the person's own.
pub fn write_bvh_files(run: &Run, selection: &Selection, path: &Path) -> Result<Vec<PathBuf>, ExportError> {
    let agents = selection.by_agent(run)?;
    if agents.is_empty() {
        return Err(ExportError::Nobody);
    }
    let single = agents.len() == 1 && path.extension().is_some();
    if !single {
        std::fs::create_dir_all(path).map_err(|cause| WriteError { path: path.to_owned(), cause })?;
    }
    let (mut written, outfits) = (Vec::new(), run.outfits());
    for (id, samples) in agents {
        let file = if single { path.to_owned() } else { path.join(format!("agent-{id}.bvh")) };
        let acts = acts(run, id, &samples, &outfits);
        // A file has one skeleton: who comes to be of another size keeps the first.
        let scale = acts[0].person.scale * 1.75 / stature(&run.header().skeleton);
        let clip = as_clip(run, &samples, &acts, scale);
        let mut capture = Capture::from_clip(&run.header().skeleton, &clip, Placement::IDENTITY);
        for joint in &mut capture.joints {
            joint.offset *= f64::from(scale);
            joint.tip = joint.tip.map(|tip| tip * f64::from(scale));
        }
        capture.frame_time = Some(f64::from(run.header().record_time()));
        write_whole(&file, write_bvh(&capture).as_bytes())?;
        written.push(file);
    }
    Ok(written)
}

/// All that an agent does as one clip in the world's coordinates, for bones `scale` times as long as the skeleton's.
fn as_clip(run: &Run, samples: &[(u32, Sample)], acts: &[Act], scale: f32) -> Clip {
    let mut clip = Clip {
        name: String::new(),
        labels: Vec::new(),
        ends: None,
        track: Vec::with_capacity(samples.len()),
        root_heights: Vec::with_capacity(samples.len()),
        rotations: Vec::new(),
        contacts: vec![Contacts::default(); samples.len()],
        radii: vec![run.header().radius; samples.len()],
    };
    let mut rotations = Vec::new();
    let poser = Poser::new(&run.header().skeleton);
    let carriage = run.carriage();
    for act in acts {
        for (frame, sample) in &samples[act.samples.clone()] {
            let mut height = poser.pose_sized(run, sample, scale, &mut rotations);
            if let Some(carriage) = &carriage {
                let seconds = (*frame - samples[0].0) as f32 * run.header().record_time();
                carriage.carry(&run.header().skeleton, &act.person, seconds, &mut height, &mut rotations);
            }
            clip.root_heights.push(height * scale);
            clip.rotations.extend_from_slice(&rotations);
            clip.track.push(sample.placement());
        }
    }
    clip
}
