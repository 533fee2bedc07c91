//! Reader of Acclaim skeleton files (`.asf`).

use super::capture::{Axis, CaptureJoint, MAX_JOINTS};
use super::text::{FileError, Words, read_text, shorten};
use glam::{DQuat, DVec3};
use std::collections::HashMap;
use std::path::Path;

/// One degree of freedom of a bone, in the order in which a motion file lists it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// A translation along an axis.
    Translation(Axis),
    /// A rotation about an axis.
    Rotation(Axis),
    /// A change of the bone's length.
    Length,
}

/// A bone of an Acclaim skeleton with what its motion needs.
#[derive(Clone, Debug)]
pub struct Bone {
    /// The bone's own axes at rest, as a rotation from the world's.
    pub axes: DQuat,
    /// Degrees of freedom in file order.
    pub freedoms: Vec<Freedom>,
}

/// An Acclaim skeleton: joints as the importer wants them, and the bones that drive them.
#[derive(Clone, Debug)]
pub struct AcclaimSkeleton {
    /// One joint for each bone, at the bone's beginning; the root first.
    pub joints: Vec<CaptureJoint>,
    /// The bone of each joint.
    pub bones: Vec<Bone>,
    /// Whether the files' angles are degrees; otherwise they are radians.
    pub degrees: bool,
    /// Root position and orientation that every frame adds to.
    pub root_position: DVec3,
}

/// Reads an ASF file.
pub fn read_asf(path: &Path) -> Result<AcclaimSkeleton, FileError> {
    parse_asf(path, &read_text(path)?)
}

/// Reads ASF text; `path` is only used in messages.
pub fn parse_asf(path: &Path, text: &str) -> Result<AcclaimSkeleton, FileError> {
    let mut sections = Sections::default();
    let mut words = Words::new(path, text);
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            ":root" => sections.root = Some(parse_root(&mut words)?),
            ":units" => parse_units(&mut words, &mut sections)?,
            ":bonedata" => parse_bones(&mut words, &mut sections)?,
            ":hierarchy" => parse_hierarchy(&mut words, &mut sections)?,
            other if other.starts_with(':') || other.starts_with('#') => skip_section(&mut words),
            _ => {
                let message = format!("`{}` stands outside any section", shorten(word));
                return Err(words.error(message));
            }
        }
    }
    sections.assemble(path)
}

struct RawBone {
    name: String,
    direction: DVec3,
    length: f64,
    axis: (DVec3, Vec<Axis>),
    freedoms: Vec<Freedom>,
}

struct RawRoot {
    order: Vec<Freedom>,
    axis: Vec<Axis>,
    position: DVec3,
    orientation: DVec3,
}

#[derive(Default)]
struct Sections {
    root: Option<RawRoot>,
    radians: bool,
    bones: Vec<RawBone>,
    /// `(parent, child, line)` in file order.
    links: Vec<(String, String, usize)>,
}

/// Whether the next word begins a new section, or the text ends.
fn at_section(words: &mut Words<'_>) -> bool {
    words.peek().is_none_or(|word| word.starts_with(':'))
}

fn skip_section(words: &mut Words<'_>) {
    words.rest_of_line();
    while !at_section(words) {
        words.next();
        words.rest_of_line();
    }
}

fn parse_units(words: &mut Words<'_>, sections: &mut Sections) -> Result<(), FileError> {
    while !at_section(words) {
        let key = words.expect("a unit")?;
        let value = words.rest_of_line();
        if key.eq_ignore_ascii_case("angle") {
            sections.radians = value.to_ascii_lowercase().starts_with("rad");
        }
    }
    Ok(())
}

fn parse_freedom(word: &str) -> Option<Freedom> {
    let mut letters = word.chars();
    let kind = letters.next()?.to_ascii_lowercase();
    match (kind, letters.next()) {
        ('l', None) => Some(Freedom::Length),
        ('t', Some(axis)) => Axis::from_letter(axis).map(Freedom::Translation),
        ('r', Some(axis)) => Axis::from_letter(axis).map(Freedom::Rotation),
        _ => None,
    }
}

fn parse_freedoms(words: &mut Words<'_>) -> Result<Vec<Freedom>, FileError> {
    let line = words.rest_of_line();
    line.split_whitespace()
        .map(|word| {
            parse_freedom(word).ok_or_else(|| {
                words.error(format!("`{}` is not a degree of freedom such as rx or tz", shorten(word)))
            })
        })
        .collect()
}

fn parse_axis_order(words: &Words<'_>, word: &str) -> Result<Vec<Axis>, FileError> {
    let axes: Option<Vec<Axis>> = word.chars().map(Axis::from_letter).collect();
    axes.filter(|axes| axes.len() == 3)
        .ok_or_else(|| words.error(format!("`{}` is not an axis order such as XYZ", shorten(word))))
}

fn parse_root(words: &mut Words<'_>) -> Result<RawRoot, FileError> {
    let mut root = RawRoot {
        order: Vec::new(),
        axis: vec![Axis::X, Axis::Y, Axis::Z],
        position: DVec3::ZERO,
        orientation: DVec3::ZERO,
    };
    while !at_section(words) {
        let key = words.expect("a property of the root")?;
        match key.to_ascii_lowercase().as_str() {
            "order" => root.order = parse_freedoms(words)?,
            "axis" => {
                let order = words.expect("an axis order")?;
                root.axis = parse_axis_order(words, order)?;
            }
            "position" => root.position = words.vector("the root's position")?,
            "orientation" => root.orientation = words.vector("the root's orientation")?,
            _ => {
                words.rest_of_line();
            }
        }
    }
    Ok(root)
}

fn parse_bones(words: &mut Words<'_>, sections: &mut Sections) -> Result<(), FileError> {
    while !at_section(words) {
        words.keyword("begin")?;
        let mut bone = RawBone {
            name: String::new(),
            direction: DVec3::ZERO,
            length: 0.0,
            axis: (DVec3::ZERO, vec![Axis::X, Axis::Y, Axis::Z]),
            freedoms: Vec::new(),
        };
        loop {
            let key = words.expect("`end` of a bone")?;
            match key.to_ascii_lowercase().as_str() {
                "end" => break,
                "name" => bone.name = words.expect("a bone's name")?.to_owned(),
                "direction" => bone.direction = words.vector("a bone's direction")?,
                "length" => bone.length = words.number("a bone's length")?,
                "axis" => {
                    let angles = words.vector("a bone's axis")?;
                    let order = words.expect("an axis order")?;
                    bone.axis = (angles, parse_axis_order(words, order)?);
                }
                "dof" => bone.freedoms = parse_freedoms(words)?,
                // Joint limits and other properties do not change how a recorded motion plays.
                _ => {
                    words.rest_of_line();
                }
            }
        }
        if bone.name.is_empty() {
            return Err(words.error("a bone has no name"));
        }
        if sections.bones.len() >= MAX_JOINTS {
            return Err(words.error(format!("more than {MAX_JOINTS} bones")));
        }
        sections.bones.push(bone);
    }
    Ok(())
}

fn parse_hierarchy(words: &mut Words<'_>, sections: &mut Sections) -> Result<(), FileError> {
    words.keyword("begin")?;
    loop {
        let parent = words.expect("`end` of the hierarchy")?;
        if parent.eq_ignore_ascii_case("end") && !words.more_on_line() {
            return Ok(());
        }
        let line = words.line();
        for child in words.rest_of_line().split_whitespace() {
            if sections.links.len() >= MAX_JOINTS {
                return Err(words.error(format!("more than {MAX_JOINTS} links")));
            }
            sections.links.push((parent.to_owned(), child.to_owned(), line));
        }
    }
}

/// The rotation that an axis triple in listed order means: the first listed is applied first.
fn ordered_rotation(angles: DVec3, order: &[Axis], degrees: bool) -> DQuat {
    let to_degrees = if degrees { 1.0 } else { 180.0 / std::f64::consts::PI };
    // The file lists the angles as x, y, z whatever the order of their application.
    order
        .iter()
        .fold(DQuat::IDENTITY, |total, &axis| axis.rotation(angles[axis as usize] * to_degrees) * total)
}

impl Sections {
    fn assemble(self, path: &Path) -> Result<AcclaimSkeleton, FileError> {
        let whole = |problem: String| FileError::whole(path, problem);
        let root = self.root.ok_or_else(|| whole("has no :root section; is it an ASF file?".into()))?;
        if root.order.is_empty() {
            return Err(whole("the root has no `order` of channels".into()));
        }
        let degrees = !self.radians;
        let by_name: HashMap<String, usize> =
            self.bones.iter().enumerate().map(|(index, bone)| (bone.name.to_lowercase(), index)).collect();
        if by_name.len() != self.bones.len() {
            return Err(whole("two bones share a name".into()));
        }

        let mut skeleton = AcclaimSkeleton {
            joints: vec![CaptureJoint { name: "root".into(), parent: None, offset: DVec3::ZERO, tip: None }],
            bones: vec![Bone {
                axes: ordered_rotation(root.orientation, &root.axis, degrees),
                freedoms: root.order,
            }],
            degrees,
            root_position: root.position,
        };
        // Each link's parent must stand above it, so a cycle cannot be written: it names a bone twice or too early.
        let mut placed: HashMap<String, (usize, DVec3)> = HashMap::from([("root".into(), (0, DVec3::ZERO))]);
        for (parent, child, line) in self.links {
            let at_line = |problem: String| FileError { file: path.to_owned(), line: Some(line), problem };
            let &(parent_joint, parent_end) = placed.get(&parent.to_lowercase()).ok_or_else(|| {
                at_line(format!(
                    "`{}` has children before it has a parent itself, or is part of a cycle",
                    shorten(&parent)
                ))
            })?;
            let &bone = by_name
                .get(&child.to_lowercase())
                .ok_or_else(|| at_line(format!("`{}` is not in :bonedata", shorten(&child))))?;
            let bone = &self.bones[bone];
            let end = bone.direction.normalize_or_zero() * bone.length;
            if placed.insert(child.to_lowercase(), (skeleton.joints.len(), end)).is_some() {
                return Err(at_line(format!("`{}` has two parents", shorten(&child))));
            }
            skeleton.joints.push(CaptureJoint {
                name: bone.name.clone(),
                parent: Some(parent_joint),
                offset: parent_end,
                tip: Some(end),
            });
            skeleton.bones.push(Bone {
                axes: ordered_rotation(bone.axis.0, &bone.axis.1, degrees),
                freedoms: bone.freedoms.clone(),
            });
        }
        if skeleton.joints.len() == 1 {
            return Err(whole("has no bones under its root".into()));
        }
        // Only the last bone of a chain keeps its end: the others' ends are where their children begin.
        for index in 1..skeleton.joints.len() {
            if let Some(parent) = skeleton.joints[index].parent {
                skeleton.joints[parent].tip = None;
            }
        }
        Ok(skeleton)
    }
}
