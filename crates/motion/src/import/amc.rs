//! Reader of Acclaim motion files (`.amc`), which need their skeleton (`.asf`).

use super::asf::{AcclaimSkeleton, Freedom};
use super::capture::Capture;
use super::text::{FileError, Words, read_text, shorten};
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Reads an AMC file that moves `skeleton`.
pub fn read_amc(path: &Path, skeleton: &AcclaimSkeleton) -> Result<Capture, FileError> {
    parse_amc(path, &read_text(path)?, skeleton)
}

/// The skeleton file that belongs to a motion file: same stem, or same subject (`16.asf` for `16_24.amc`).
pub fn find_asf(amc: &Path) -> Option<PathBuf> {
    let same_stem = amc.with_extension("asf");
    if same_stem.is_file() {
        return Some(same_stem);
    }
    let subject = amc.file_stem()?.to_str()?.split(['_', '-']).next()?.to_owned();
    let folder = amc.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut candidates: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("asf")))
        .filter(|path| {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            stem.split(['_', '-']).next() == Some(subject.as_str())
        })
        .collect();
    candidates.sort();
    candidates.into_iter().next()
}

/// Reads AMC text; `path` is only used in messages.
pub fn parse_amc(path: &Path, text: &str, skeleton: &AcclaimSkeleton) -> Result<Capture, FileError> {
    let by_name: HashMap<String, usize> =
        skeleton.joints.iter().enumerate().map(|(index, joint)| (joint.name.to_lowercase(), index)).collect();
    let mut capture = Capture {
        joints: skeleton.joints.clone(),
        frame_time: None,
        root_positions: Vec::new(),
        rotations: Vec::new(),
        notes: Vec::new(),
    };
    let mut degrees = skeleton.degrees;
    let mut words = Words::new(path, text);
    let mut frame = FrameReader::new(skeleton);
    while let Some(word) = words.next() {
        if word.starts_with('#') {
            words.rest_of_line();
        } else if word.starts_with(':') {
            match word.to_ascii_uppercase().as_str() {
                ":DEGREES" => degrees = true,
                ":RADIANS" => degrees = false,
                _ => {}
            }
            words.rest_of_line();
        } else if !words.more_on_line() && word.bytes().all(|byte| byte.is_ascii_digit()) {
            frame.finish(&words, &mut capture)?;
            frame.start();
        } else {
            let Some(&joint) = by_name.get(&word.to_lowercase()) else {
                return Err(words.error(format!("the skeleton has no bone `{}`", shorten(word))));
            };
            frame.read_bone(&mut words, joint, degrees)?;
        }
    }
    frame.finish(&words, &mut capture)?;
    if capture.frames() == 0 {
        return Err(words.error("the file has no frames"));
    }
    if skeleton
        .bones
        .iter()
        .skip(1)
        .any(|bone| bone.freedoms.iter().any(|f| !matches!(f, Freedom::Rotation(_))))
    {
        capture.notes.push("bones that slide or stretch are held at their rest length".into());
    }
    Ok(capture)
}

/// Collects the bones of one frame.
struct FrameReader<'a> {
    skeleton: &'a AcclaimSkeleton,
    root_position: DVec3,
    rotations: Vec<DQuat>,
    seen: Vec<bool>,
    started: bool,
}

impl<'a> FrameReader<'a> {
    fn new(skeleton: &'a AcclaimSkeleton) -> Self {
        let joints = skeleton.joints.len();
        Self {
            skeleton,
            root_position: DVec3::ZERO,
            rotations: vec![DQuat::IDENTITY; joints],
            seen: vec![false; joints],
            started: false,
        }
    }

    fn start(&mut self) {
        self.started = true;
        self.seen.fill(false);
    }

    fn read_bone(&mut self, words: &mut Words<'_>, joint: usize, degrees: bool) -> Result<(), FileError> {
        if !self.started {
            return Err(words.error("a bone stands before the first frame number"));
        }
        let name = &self.skeleton.joints[joint].name;
        if std::mem::replace(&mut self.seen[joint], true) {
            return Err(words.error(format!("`{name}` is given twice in one frame")));
        }
        let bone = &self.skeleton.bones[joint];
        let mut turn = DQuat::IDENTITY;
        let mut shift = DVec3::ZERO;
        for (index, freedom) in bone.freedoms.iter().enumerate() {
            if !words.more_on_line() {
                return Err(words.error(format!(
                    "`{name}` has {index} values; its skeleton gives it {}",
                    bone.freedoms.len()
                )));
            }
            let value = words.number("a bone's value")?;
            match freedom {
                // The first listed rotation is applied first.
                Freedom::Rotation(axis) => {
                    turn = axis.rotation(if degrees { value } else { value.to_degrees() }) * turn;
                }
                Freedom::Translation(axis) => shift[*axis as usize] += value,
                Freedom::Length => {}
            }
        }
        if words.more_on_line() {
            return Err(words.error(format!(
                "`{name}` has more values than the {} that its skeleton gives it",
                bone.freedoms.len()
            )));
        }
        // A bone turns about its own axes: L = C · R(dof) · Cᵀ.
        self.rotations[joint] = match joint {
            0 => (turn * bone.axes).normalize(),
            _ => (bone.axes * turn * bone.axes.inverse()).normalize(),
        };
        if joint == 0 {
            self.root_position = self.skeleton.root_position + shift;
        }
        Ok(())
    }

    /// Appends the frame that was being read, if one was.
    fn finish(&mut self, words: &Words<'_>, capture: &mut Capture) -> Result<(), FileError> {
        if !self.started {
            return Ok(());
        }
        for (joint, seen) in self.seen.iter().enumerate() {
            if !seen && !self.skeleton.bones[joint].freedoms.is_empty() {
                let name = &self.skeleton.joints[joint].name;
                let message = format!("frame {} ends without bone `{name}`", capture.frames() + 1);
                return Err(words.error(message));
            }
        }
        capture.root_positions.push(self.root_position);
        capture.rotations.extend_from_slice(&self.rotations);
        Ok(())
    }
}
