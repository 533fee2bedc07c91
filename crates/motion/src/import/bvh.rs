//! Reader of Biovision hierarchy files (`.bvh`).

use super::capture::{Axis, Capture, CaptureJoint, MAX_JOINTS};
use super::text::{FileError, Words, read_text, shorten};
use glam::{DQuat, DVec3};
use std::collections::HashSet;
use std::path::Path;

/// Reads a BVH file.
pub fn read_bvh(path: &Path) -> Result<Capture, FileError> {
    parse_bvh(path, &read_text(path)?)
}

/// Reads BVH text; `path` is only used in messages.
pub fn parse_bvh(path: &Path, text: &str) -> Result<Capture, FileError> {
    let mut words = Words::new(path, text);
    words.keyword("HIERARCHY")?;
    let hierarchy = parse_hierarchy(&mut words)?;
    parse_motion(&mut words, hierarchy)
}

/// What one column of a BVH frame drives.
#[derive(Clone, Copy)]
enum Channel {
    Position(Axis),
    Rotation(Axis),
}

impl Channel {
    fn parse(word: &str) -> Option<Self> {
        let axis = Axis::from_letter(word.chars().next()?)?;
        match word.get(1..)? {
            kind if kind.eq_ignore_ascii_case("position") => Some(Self::Position(axis)),
            kind if kind.eq_ignore_ascii_case("rotation") => Some(Self::Rotation(axis)),
            _ => None,
        }
    }
}

struct Hierarchy {
    joints: Vec<CaptureJoint>,
    channels: Vec<Vec<Channel>>,
    notes: Vec<String>,
}

fn parse_hierarchy(words: &mut Words<'_>) -> Result<Hierarchy, FileError> {
    let mut hierarchy = Hierarchy { joints: Vec::new(), channels: Vec::new(), notes: Vec::new() };
    let mut names = HashSet::new();
    words.keyword("ROOT")?;
    open_joint(words, &mut hierarchy, &mut names, None)?;
    // The joints whose braces are open, innermost last: depth costs heap, not stack.
    let mut open = vec![0];
    while let Some(&joint) = open.last() {
        let word = words.expect("`}`")?;
        match word.to_ascii_uppercase().as_str() {
            "OFFSET" => hierarchy.joints[joint].offset = words.vector("an offset")?,
            "CHANNELS" => hierarchy.channels[joint] = parse_channels(words)?,
            "JOINT" => {
                open.push(hierarchy.joints.len());
                open_joint(words, &mut hierarchy, &mut names, Some(joint))?;
            }
            "END" => hierarchy.joints[joint].tip = Some(parse_end_site(words)?),
            "}" => {
                open.pop();
            }
            _ => {
                let message = format!(
                    "`{}` is not known here; OFFSET, CHANNELS, JOINT, End Site or a brace was expected",
                    shorten(word)
                );
                return Err(words.error(message));
            }
        }
    }
    Ok(hierarchy)
}

/// Reads a joint's name and opening brace and appends the joint.
fn open_joint(
    words: &mut Words<'_>,
    hierarchy: &mut Hierarchy,
    names: &mut HashSet<String>,
    parent: Option<usize>,
) -> Result<(), FileError> {
    if hierarchy.joints.len() >= MAX_JOINTS {
        return Err(words.error(format!("more than {MAX_JOINTS} joints")));
    }
    let rest = words.rest_of_line();
    let (name, brace_seen) = match rest.strip_suffix('{') {
        Some(name) => (name.trim(), true),
        None => (rest, false),
    };
    if name.is_empty() {
        return Err(words.error("a joint has no name"));
    }
    let mut unique = name.to_owned();
    let mut copy = 2;
    while !names.insert(unique.to_lowercase()) {
        unique = format!("{name}_{copy}");
        copy += 1;
    }
    if unique != name {
        hierarchy.notes.push(format!("a second joint called `{name}` was renamed `{unique}`"));
    }
    if !brace_seen {
        words.keyword("{")?;
    }
    hierarchy.joints.push(CaptureJoint { name: unique, parent, offset: DVec3::ZERO, tip: None });
    hierarchy.channels.push(Vec::new());
    Ok(())
}

fn parse_channels(words: &mut Words<'_>) -> Result<Vec<Channel>, FileError> {
    let count = words.count("the number of channels")?;
    if count > 6 {
        return Err(words.error(format!("a joint has at most 6 channels, not {count}")));
    }
    (0..count)
        .map(|_| {
            let word = words.expect("a channel")?;
            Channel::parse(word).ok_or_else(|| {
                words.error(format!("`{}` is not a channel such as Xposition or Zrotation", shorten(word)))
            })
        })
        .collect()
}

fn parse_end_site(words: &mut Words<'_>) -> Result<DVec3, FileError> {
    words.keyword("Site")?;
    // Some writers name their end sites; the name has no use.
    if words.peek() != Some("{") && words.more_on_line() {
        words.rest_of_line();
    }
    if words.peek() == Some("{") {
        words.keyword("{")?;
    }
    words.keyword("OFFSET")?;
    let tip = words.vector("the offset of an end site")?;
    words.keyword("}")?;
    Ok(tip)
}

fn parse_motion(words: &mut Words<'_>, hierarchy: Hierarchy) -> Result<Capture, FileError> {
    words.keyword("MOTION")?;
    let frames = parse_frame_count(words)?;
    let frame_time = parse_frame_time(words)?;
    let columns: usize = hierarchy.channels.iter().map(Vec::len).sum();
    if columns == 0 {
        return Err(words.error("the hierarchy has no channels, so there is no motion"));
    }

    let Hierarchy { joints, channels, notes } = hierarchy;
    let mut capture =
        Capture { joints, frame_time, root_positions: Vec::new(), rotations: Vec::new(), notes };
    let mut moved = JointTranslations::new(capture.joints.len());
    let mut row = Vec::with_capacity(columns);
    for frame in 0..frames {
        read_row(words, &mut row, columns, frame, frames)?;
        let mut values = row.iter();
        for (index, channels) in channels.iter().enumerate() {
            let mut position = capture.joints[index].offset;
            let mut rotation = DQuat::IDENTITY;
            let mut has_position = false;
            for (channel, &value) in channels.iter().zip(&mut values) {
                match channel {
                    Channel::Position(axis) => {
                        position[*axis as usize] = value;
                        has_position = true;
                    }
                    Channel::Rotation(axis) => rotation *= axis.rotation(value),
                }
            }
            if index == 0 {
                capture.root_positions.push(position);
            } else if has_position {
                moved.add(index, position);
            }
            capture.rotations.push(rotation.normalize());
        }
    }
    if let Some(word) = words.next() {
        let message = format!("`{}` follows the last of {frames} frames of {columns} values", shorten(word));
        return Err(words.error(message));
    }
    moved.settle(&mut capture);
    Ok(capture)
}

/// Reads the values of one frame, wherever its line breaks are.
fn read_row(
    words: &mut Words<'_>,
    row: &mut Vec<f64>,
    columns: usize,
    frame: usize,
    frames: usize,
) -> Result<(), FileError> {
    row.clear();
    while row.len() < columns {
        let Some(word) = words.next() else {
            let message = format!(
                "the file ends in frame {} of {frames}, after {} of its {columns} values",
                frame + 1,
                row.len()
            );
            return Err(words.error(message));
        };
        row.push(words.parse_number(word, "a channel value")?);
    }
    // A whole frame on one line with more values after it means that the channel count is wrong.
    if words.more_on_line() && columns > 1 {
        let line = words.line();
        if let Some(word) = words.peek()
            && word.parse::<f64>().is_ok()
        {
            return Err(words.error(format!(
                "frame {} has more values on line {line} than the hierarchy's {columns} channels",
                frame + 1
            )));
        }
    }
    Ok(())
}

fn parse_frame_count(words: &mut Words<'_>) -> Result<usize, FileError> {
    let word = words.expect("`Frames:`")?;
    let lower = word.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("frames") else {
        return Err(words.error(format!("`Frames:` was expected, not `{}`", shorten(word))));
    };
    let inline = rest.trim_start_matches(':');
    let digits = match inline {
        "" => match words.expect("the number of frames")? {
            ":" => words.expect("the number of frames")?,
            digits => digits,
        },
        inline => inline,
    };
    let frames: usize = digits.parse().map_err(|_| {
        words.error(format!("the number of frames should be whole, not `{}`", shorten(digits)))
    })?;
    if frames == 0 {
        return Err(words.error("the file has no frames"));
    }
    Ok(frames)
}

/// Reads `Frame Time: s`; a file without that line has no frame time.
fn parse_frame_time(words: &mut Words<'_>) -> Result<Option<f64>, FileError> {
    if !words.peek().is_some_and(|word| word.eq_ignore_ascii_case("frame")) {
        return Ok(None);
    }
    words.next();
    let word = words.expect("`Time:`")?;
    if !word.trim_end_matches(':').eq_ignore_ascii_case("time") {
        return Err(words.error(format!("`Frame Time:` was expected, not `Frame {}`", shorten(word))));
    }
    if words.peek() == Some(":") {
        words.next();
    }
    if !words.more_on_line() {
        return Ok(None);
    }
    let seconds = words.number("the frame time")?;
    if seconds <= 0.0 {
        return Err(words.error(format!(
            "a frame time of {seconds} s is not possible; correct it, for example to 0.0333333"
        )));
    }
    Ok(Some(seconds))
}

/// Position channels of joints other than the root: bones do not stretch here, so their mean becomes the offset.
struct JointTranslations {
    sums: Vec<DVec3>,
    least: Vec<DVec3>,
    greatest: Vec<DVec3>,
    counts: Vec<usize>,
}

impl JointTranslations {
    fn new(joints: usize) -> Self {
        Self {
            sums: vec![DVec3::ZERO; joints],
            least: vec![DVec3::INFINITY; joints],
            greatest: vec![DVec3::NEG_INFINITY; joints],
            counts: vec![0; joints],
        }
    }

    fn add(&mut self, joint: usize, position: DVec3) {
        self.sums[joint] += position;
        self.least[joint] = self.least[joint].min(position);
        self.greatest[joint] = self.greatest[joint].max(position);
        self.counts[joint] += 1;
    }

    fn settle(self, capture: &mut Capture) {
        for (index, joint) in capture.joints.iter_mut().enumerate() {
            if self.counts[index] == 0 {
                continue;
            }
            joint.offset = self.sums[index] / self.counts[index] as f64;
            let spread = (self.greatest[index] - self.least[index]).max_element();
            if spread > 1e-3 * joint.offset.length().max(1e-9) {
                capture.notes.push(format!(
                    "`{}` moves against its parent by up to {spread:.3} units; its mean offset is used",
                    joint.name
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: &str = "HIERARCHY\r\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
        JOINT Left Knee {\n OFFSET 0 -1 0 CHANNELS 3 Zrotation Yrotation Xrotation\n End Site\n{\nOFFSET 0 -1 0\n}\n}\n}\n\
        MOTION\nFrames: 2\nFrame Time: .5\n1 2 3 90 0 0\n0 0 0\n1 2 3 0 0 0 0 0 90\n";

    fn parse(text: &str) -> Result<Capture, FileError> {
        parse_bvh(Path::new("t.bvh"), text)
    }

    #[test]
    fn reads_any_spacing_and_channel_order() {
        let capture = parse(TINY).unwrap();
        assert_eq!(capture.frames(), 2);
        assert_eq!(capture.frame_time, Some(0.5));
        assert_eq!(capture.joints[1].name, "Left Knee");
        let knee = capture.joint_positions(0)[1];
        assert!(knee.distance(DVec3::new(2.0, 2.0, 3.0)) < 1e-12, "{knee}");
    }

    #[test]
    fn missing_frame_time_is_left_open() {
        let capture = parse(&TINY.replace("Frame Time: .5\n", "")).unwrap();
        assert_eq!(capture.frame_time, None);
        assert_eq!(parse(&TINY.replace("Time: .5", "Time:")).unwrap().frame_time, None);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (from, to, expected) in [
            ("Frame Time: .5", "Frame Time: 0", "t.bvh:16: a frame time of 0 s"),
            ("Frames: 2", "Frames: 0", "no frames"),
            ("Frames: 2", "Frames: 99999999999", "the file ends in frame 3 of 99999999999"),
            ("1 2 3 0 0 0 0 0 90", "1 2 3 0 0 0 0 nan 90", "t.bvh:19: a channel value is NaN"),
            ("1 2 3 0 0 0 0 0 90", "1 2 3 0 0 0 0 inf 90", "not a usable number"),
            ("1 2 3 0 0 0 0 0 90", "1 2 3 0 0 0 0 0 90 7", "t.bvh:19: frame 2 has more values"),
            ("1 2 3 0 0 0 0 0 90", "1 2 3 0", "the file ends in frame 2 of 2, after 4 of its 9 values"),
            ("CHANNELS 3 Z", "CHANNELS 9 Z", "at most 6 channels"),
            ("MOTION", "", "`MOTION` was expected"),
            ("Xposition", "Qposition", "is not a channel"),
        ] {
            let message = parse(&TINY.replace(from, to)).unwrap_err().to_string();
            assert!(message.contains(expected), "{from} -> {to}: {message}");
        }
        assert!(parse("HIERARCHY").unwrap_err().to_string().contains("the file ends"));
    }

    #[test]
    fn twins_are_renamed() {
        let capture = parse(&TINY.replace("Left Knee", "hips")).unwrap();
        assert_eq!(capture.joints[1].name, "hips_2");
        assert_eq!(capture.notes.len(), 1);
    }
}
