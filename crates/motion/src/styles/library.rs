//! All styles of all types, with the tables that crowds choose from.

use super::cluster::name_types;
use super::cycles::{self, CycleRule};
use super::energy::BodyEnergy;
use super::left_out::{LeftOut, write_left_out};
use super::poses;
use super::primitive::{Closing, MotionType, Primitive, Stretch};
use super::prune::{PruneRule, prune};
use super::stances::{self, StanceRule};
use super::table::StyleTable;
use crate::container::{self, ContainerError, Kind};
use crate::{Clip, Library, Skeleton};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use thiserror::Error;

/// How styles are found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StyleOptions {
    /// What counts as a cycle.
    pub cycles: CycleRule,
    /// What counts as a motion on the spot.
    pub stances: StanceRule,
    /// What is redundant or outlying.
    pub prune: PruneRule,
    /// Styles in a row of the consistency table (r; source: 5).
    pub candidates: usize,
    /// Labelled clips are used only if they have one of these labels …
    pub labels: Vec<String>,
    /// … and none of these.
    pub without: Vec<String>,
}

impl Default for StyleOptions {
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            cycles: CycleRule::default(),
            stances: StanceRule::default(),
            prune: PruneRule::default(),
            candidates: 5,
            labels: names(&["walk", "run", "wait", "fight"]),
            without: names(&["carry", "sit", "fall", "start", "stop", "turn", "single", "glance"]),
        }
    }
}

/// Why there are no styles.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum StyleError {
    /// No clip has a cycle or a motion on the spot.
    #[error("no walking, running, waiting or fighting was found in {0} clip(s)")]
    Nothing(usize),
    /// More styles than can be numbered.
    #[error("{0} styles are too many; at most {max} are supported", max = StyleLibrary::MOST_STYLES)]
    TooMany(usize),
}

/// Styles on one skeleton, sorted by type and then by energy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StyleLibrary {
    skeleton: Skeleton,
    primitives: Vec<Primitive>,
    /// One table a type, in the order of [`MotionType::ALL`].
    tables: Vec<StyleTable>,
}

/// What became of the primitives of one type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TypeReport {
    /// The type.
    pub kind: MotionType,
    /// Found in the clips.
    pub found: usize,
    /// Removed because another one is nearly the same.
    pub redundant: usize,
    /// Removed because they are far from all others.
    pub outlying: usize,
    /// Kept.
    pub kept: usize,
    /// Clips that the kept ones come from.
    pub clips: usize,
    /// Those of the kept ones that are others in a mirror.
    pub mirrored: usize,
    /// How far apart the poses of the two that look most alike are, in metres; none where there are fewer than two.
    pub least_apart: Option<f32>,
    /// The worst closing of a captured loop that was kept, before it was bent to close.
    pub worst_captured: Closing,
    /// The worst closing of what was kept.
    pub worst: Closing,
    /// Styles in a row of the consistency table.
    pub candidates: usize,
}

/// What happened while styles were found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildReport {
    /// One entry a type.
    pub types: Vec<TypeReport>,
    /// The clips that have no style, and why.
    pub left_out: Vec<(String, LeftOut)>,
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<9} {:>6} {:>10} {:>9} {:>5} {:>6} {:>9} {:>12} {:>18} {:>18} {:>11}",
            "type",
            "found",
            "redundant",
            "outlying",
            "kept",
            "clips",
            "mirrored",
            "least apart",
            "captured closing",
            "closing",
            "candidates"
        )?;
        for row in &self.types {
            let closing = |c: Closing| format!("{:.1} cm {:.1}°", 100.0 * c.position, c.angle.to_degrees());
            writeln!(
                f,
                "{:<9} {:>6} {:>10} {:>9} {:>5} {:>6} {:>9} {:>12} {:>18} {:>18} {:>11}",
                row.kind.name(),
                row.found,
                row.redundant,
                row.outlying,
                row.kept,
                row.clips,
                row.mirrored,
                row.least_apart.map_or_else(String::new, |apart| format!("{:.1} cm", 100.0 * apart)),
                closing(row.worst_captured),
                closing(row.worst),
                row.candidates
            )?;
        }
        write_left_out(&self.left_out, f)
    }
}

/// Cuts the primitives out of all clips, the best of each clip first; their types are settled by energy and speed.
pub fn find_primitives(library: &Library, options: &StyleOptions) -> Vec<Primitive> {
    search(library, options).0
}

/// The primitives of all clips, and why the clips without any have none.
fn search(library: &Library, options: &StyleOptions) -> (Vec<Primitive>, Vec<(String, LeftOut)>) {
    let skeleton = &library.skeleton;
    let clips: Vec<&Clip> = library.clips.iter().filter(|clip| is_wanted(clip, options)).collect();
    let found: Vec<(Vec<Found>, Option<LeftOut>)> = clips
        .par_iter()
        .enumerate()
        .map(|(number, clip)| {
            let long = long_enough(clip);
            let mut why = [None; 2];
            let mut stretches = cycles::find(skeleton, &long, &options.cycles, &mut why[0]);
            // Who walks in a capture may swing its arms, but does not fight there.
            let walks = !stretches.is_empty() && clip.labels.is_empty();
            let stances = stances::find(skeleton, &long, &options.stances, &mut why[1]);
            stretches.extend(stances.into_iter().filter(|(stretch, _)| !(walks && stretch.lively)));
            // Who covers ground does not stand.
            let goes = clip.displacement().position.length() >= options.cycles.speed * clip.seconds();
            let why = why[usize::from(!goes)].filter(|_| stretches.is_empty());
            // Every round of a loop is the same.
            stretches.truncate(if long.frames() > clip.frames() { 1 } else { usize::MAX });
            let cut = |stretch| Found::cut(skeleton, &long, number, stretch);
            (stretches.into_iter().map(cut).collect(), why)
        })
        .collect();
    let why = clips.iter().zip(&found).filter_map(|(clip, (_, why))| Some((clip.name.clone(), (*why)?)));
    let mut left_out: Vec<(String, LeftOut)> = why.collect();
    let mut found: Vec<Found> = found.into_iter().flat_map(|(found, _)| found).collect();
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    settle_types(&mut found);
    let more: Vec<Vec<Found>> = clips
        .par_iter()
        .enumerate()
        .map(|(number, clip)| look_again(skeleton, clip, options, (number, &found)))
        .collect();
    let first = found.len();
    found.extend(more.into_iter().flatten());
    found[first..].sort_by(|a, b| a.distance.total_cmp(&b.distance));
    settle_types(&mut found);
    // Bursts of energy that are no fight are something else than waiting.
    found.retain(|Found { primitive, stretch, .. }| {
        let told = !primitive.clip.labels.is_empty();
        let keeps = primitive.kind != MotionType::Waiting || told || !stretch.lively;
        if !keeps {
            left_out.push((primitive.clip.name.clone(), LeftOut::Lively));
        }
        keeps
    });
    (found.into_iter().map(|found| found.primitive).collect(), left_out)
}

/// A primitive and where it comes from.
#[derive(Clone)]
struct Found {
    primitive: Primitive,
    /// The number of its clip.
    clip: usize,
    stretch: Stretch,
    /// Of its ends, in metres.
    distance: f32,
    /// The highest energy of arms or legs, in joules.
    peak: f32,
}

impl Found {
    fn cut(skeleton: &Skeleton, from: &Clip, clip: usize, (stretch, distance): (Stretch, f32)) -> Self {
        let mut primitive = Primitive::cut(skeleton, from, stretch);
        let energy = BodyEnergy::new(skeleton, &primitive.clip);
        primitive.feature = energy.feature();
        Self { primitive, clip, stretch, distance, peak: energy.peak() }
    }
}

fn settle_types(found: &mut [Found]) {
    let peaks: Vec<f32> = found.iter().map(|found| found.peak).collect();
    let mut primitives: Vec<&mut Primitive> = found.iter_mut().map(|found| &mut found.primitive).collect();
    name_types(&mut primitives, &peaks);
}

/// What else a capture holds besides what was found of it: blows of other kinds where somebody fights, and brief waiting.
fn look_again(
    skeleton: &Skeleton,
    clip: &Clip,
    options: &StyleOptions,
    (number, found): (usize, &[Found]),
) -> Vec<Found> {
    if !clip.labels.is_empty() {
        return Vec::new();
    }
    let own: Vec<&Found> = found.iter().filter(|found| found.clip == number).collect();
    let fights = own.iter().any(|found| found.primitive.kind == MotionType::Fighting);
    let more = stances::find(skeleton, clip, &options.stances.besides(fights), &mut None);
    let is_new = |stretch: &Stretch| {
        own.iter().all(|own| stretch.last <= own.stretch.first || stretch.first >= own.stretch.last)
    };
    let more = more.into_iter().filter(|(stretch, _)| (fights || !stretch.lively) && is_new(stretch));
    more.map(|stretch| Found::cut(skeleton, clip, number, stretch)).collect()
}

fn is_wanted(clip: &Clip, options: &StyleOptions) -> bool {
    let has = |labels: &[String]| labels.iter().any(|label| clip.has_label(label));
    clip.frames() > 2 && (clip.labels.is_empty() || (has(&options.labels) && !has(&options.without)))
}

/// The clip, or three rounds of it where it is a loop: a cycle is then found whole wherever it starts.
fn long_enough(clip: &Clip) -> Clip {
    let mut long = clip.clone();
    if clip.ends.as_ref().is_some_and(|ends| ends.from == ends.to) {
        let joints = clip.joint_count();
        for _ in 0..2 {
            let end = long.displacement();
            long.track.extend(clip.track[1..].iter().map(|place| end.then(*place)));
            long.root_heights.extend_from_slice(&clip.root_heights[1..]);
            long.rotations.extend_from_slice(&clip.rotations[joints..]);
            long.contacts.extend_from_slice(&clip.contacts[1..]);
            long.radii.extend_from_slice(&clip.radii[1..]);
        }
    }
    long
}

/// What a clip is called without saying again what type it is.
fn manner(clip: &Clip) -> &str {
    if let Some(style) = clip.labels.iter().find_map(|label| label.strip_prefix("style:")) {
        return style;
    }
    let name = clip.name.strip_suffix("-straight").unwrap_or(&clip.name);
    let types = ["walk-", "run-", "stand-", "fight-"];
    types.iter().find_map(|start| name.strip_prefix(start)).unwrap_or(name)
}

/// The number of clips that primitives come from, in a mirror or not.
fn count_clips(primitives: &[Primitive]) -> usize {
    primitives.iter().map(Primitive::capture).collect::<BTreeSet<_>>().len()
}

/// The least that two are apart.
fn least_of_two(apart: &[Vec<f32>]) -> Option<f32> {
    let pairs = apart.iter().enumerate().flat_map(|(index, row)| row[..index].iter().copied());
    pairs.min_by(f32::total_cmp)
}

impl StyleLibrary {
    /// The most styles that a library may have: a run numbers the transitions between all of them, from
    /// every quarter of a loop, with 16 bits.
    pub const MOST_STYLES: usize = 128;

    /// Finds the styles of a clip library.
    pub fn build(library: &Library, options: &StyleOptions) -> Result<(Self, BuildReport), StyleError> {
        let (found, left_out) = search(library, options);
        if found.is_empty() {
            return Err(StyleError::Nothing(library.clips.len()));
        }
        let (built, mut report) = Self::from_primitives(&library.skeleton, found, options)?;
        report.left_out.extend(left_out);
        // A clip with some style is not left out, whatever else of it was.
        let has_style = |name: &str| built.primitives.iter().any(|style| style.clip.name == name);
        report.left_out.retain(|(name, _)| !has_style(name));
        report.left_out.sort_by(|a, b| a.0.cmp(&b.0));
        report.left_out.dedup_by(|a, b| a.0 == b.0);
        Ok((built, report))
    }

    /// Sorts, prunes and tabulates primitives that are given best first.
    pub fn from_primitives(
        skeleton: &Skeleton,
        found: Vec<Primitive>,
        options: &StyleOptions,
    ) -> Result<(Self, BuildReport), StyleError> {
        let mut built = Self { skeleton: skeleton.clone(), primitives: Vec::new(), tables: Vec::new() };
        let mut report = BuildReport { types: Vec::new(), left_out: Vec::new() };
        for kind in MotionType::ALL {
            let own: Vec<Primitive> =
                found.iter().filter(|primitive| primitive.kind == kind).cloned().collect();
            let count = own.len();
            let (mut kept, left_out) = prune(skeleton, own, &options.prune);
            let many = |why: LeftOut| left_out.iter().filter(|(_, own)| *own == why).count();
            let (redundant, outlying) = (many(LeftOut::Redundant), many(LeftOut::Outlying));
            report.left_out.extend(left_out);
            kept.sort_by(|a, b| (a.feature[0] + a.feature[1]).total_cmp(&(b.feature[0] + b.feature[1])));
            let features: Vec<[f32; 2]> = kept.iter().map(|primitive| primitive.feature).collect();
            let table = StyleTable::new(&features, options.candidates);
            let worst = |closing: &dyn Fn(&Primitive) -> Closing| {
                kept.iter().map(closing).fold(Closing::default(), |a, b| Closing {
                    position: a.position.max(b.position),
                    angle: a.angle.max(b.angle),
                })
            };
            report.types.push(TypeReport {
                kind,
                found: count,
                redundant,
                outlying,
                kept: kept.len(),
                clips: count_clips(&kept),
                mirrored: kept.iter().filter(|primitive| primitive.is_mirrored()).count(),
                least_apart: least_of_two(&poses::apart(skeleton, &kept)),
                worst_captured: worst(&|primitive| primitive.captured_closing),
                worst: worst(&|primitive| primitive.closing(skeleton)),
                candidates: table.candidate_count(),
            });
            built.primitives.extend(kept);
            built.tables.push(table);
        }
        if built.primitives.len() > Self::MOST_STYLES {
            return Err(StyleError::TooMany(built.primitives.len()));
        }
        built.name_styles();
        Ok((built, report))
    }

    /// Gives every primitive a name of its own: `walking proud`, `walking 16_15`, `walking 16_15 b`.
    fn name_styles(&mut self) {
        let mut taken: Vec<String> = Vec::new();
        for primitive in &mut self.primitives {
            let plain = format!("{} {}", primitive.kind.name(), manner(&primitive.clip));
            let more = (b'b'..=b'z').map(|letter| format!("{plain} {}", char::from(letter)));
            let numbers = (27..).map(|number| format!("{plain} {number}"));
            let name = std::iter::once(plain.clone()).chain(more).chain(numbers);
            primitive.name = name.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
            taken.push(primitive.name.clone());
        }
    }

    /// The skeleton of all primitives.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// All styles: walking, running, waiting, fighting.
    pub fn primitives(&self) -> &[Primitive] {
        &self.primitives
    }

    /// The tables of a type.
    pub fn table(&self, kind: MotionType) -> &StyleTable {
        &self.tables[kind as usize]
    }

    /// How far apart the poses of a type's styles are: the joint that differs most, on average over the loop, in metres; a row for each.
    pub fn poses_apart(&self, kind: MotionType) -> Vec<Vec<f32>> {
        poses::apart(&self.skeleton, &self.primitives[self.styles(kind)])
    }

    /// The numbers of a type's styles.
    pub fn styles(&self, kind: MotionType) -> std::ops::Range<usize> {
        let first = self.tables[..kind as usize].iter().map(StyleTable::len).sum();
        first..first + self.table(kind).len()
    }

    /// A library of some of the styles only, by their numbers.
    pub fn subset(&self, styles: &[usize], candidates: usize) -> Self {
        let mut part = Self { skeleton: self.skeleton.clone(), primitives: Vec::new(), tables: Vec::new() };
        for kind in MotionType::ALL {
            let own: Vec<&Primitive> = self
                .styles(kind)
                .filter(|style| styles.contains(style))
                .map(|style| &self.primitives[style])
                .collect();
            let features: Vec<[f32; 2]> = own.iter().map(|primitive| primitive.feature).collect();
            part.tables.push(StyleTable::new(&features, candidates));
            part.primitives.extend(own.into_iter().cloned());
        }
        part
    }

    /// Writes the library in its binary form.
    pub fn save(&self, path: &Path) -> Result<(), ContainerError> {
        container::save(path, Kind::Styles, self)
    }

    /// Reads a library that [`Self::save`] wrote.
    pub fn load(path: &Path) -> Result<Self, ContainerError> {
        let library: Self = container::load(path, Kind::Styles)?;
        match library.flaw() {
            None => Ok(library),
            Some(problem) => Err(ContainerError { file: path.to_owned(), problem }),
        }
    }

    /// What does not fit together in what a file claimed, if anything.
    fn flaw(&self) -> Option<String> {
        if Skeleton::new(self.skeleton.joints().to_vec()).is_err() {
            return Some("the skeleton is not consistent; find the styles again".into());
        }
        let joints = self.skeleton.len();
        if let Some(bad) = self.primitives.iter().find(|primitive| !primitive.is_consistent(joints)) {
            return Some(format!("style `{}` is not consistent; find the styles again", bad.name));
        }
        let counted = |kind: MotionType| self.primitives.iter().filter(|p| p.kind == kind).count();
        let fits = self.tables.len() == MotionType::ALL.len()
            && self.primitives.len() <= Self::MOST_STYLES
            && self.primitives.is_sorted_by_key(|primitive| primitive.kind)
            && MotionType::ALL.iter().all(|&kind| {
                let table = &self.tables[kind as usize];
                table.len() == counted(kind) && table.is_consistent()
            });
        (!fits).then(|| "the tables do not fit the styles; find the styles again".into())
    }
}
