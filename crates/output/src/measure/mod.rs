//! Measures how a crowd behaves, from any run and from trajectories of anybody's.
//!
//! `docs/measure.md` tells what each number means and how it is found.

mod bodies;
mod conduct;
mod crowding;
mod egress;
mod figures;
pub(crate) mod flows;
mod lanes;
mod nearness;
mod page;
mod table;
mod tracks;

pub use crowding::DensityClass;
pub use egress::{Egress, Exit};
pub use flows::LineUse;
pub use lanes::Lanes;
pub use nearness::Nearness;
pub use page::html;
pub(crate) use page::{egress_plot, exit_table, tiles};

use crate::run::{GroundShape, Line, ReadError, Run};
use bodies::{BodyConduct, bodies, percentile};
use conduct::{Conduct, Meanings, conduct};
use crowdloom_trajectory::Trajectories;
use crowdloom_world::{WorldError, outlines_from_wkt};
use figures::Figures;
use rayon::prelude::*;
use serde::Serialize;
use tracks::Tracks;

/// What a run or a file of trajectories came to.
#[derive(Clone, Debug, Serialize)]
pub struct Measures {
    /// The run's name, or the file's.
    pub name: String,
    /// `run` or `trajectories`.
    pub kind: &'static str,
    /// Whether there are bodies: without, nothing can be told of joints and feet.
    pub bodies: bool,
    /// Seconds from the first record to the last.
    pub seconds: f32,
    /// Records in a second.
    pub records_per_s: f32,
    /// Different people.
    pub people: usize,
    /// Minutes that all people were there, added up.
    pub person_minutes: f32,
    /// Everybody together.
    pub totals: Totals,
    /// Flow through lines.
    pub lines: Vec<LineUse>,
    /// Speed and flow against density.
    pub by_density: Vec<DensityClass>,
    /// Whether people walk in lanes.
    pub lanes: Lanes,
    /// Who left when.
    pub egress: Egress,
    /// What cannot be told, and why.
    pub not_told: Vec<String>,
    /// What was assumed because the file does not say it.
    pub assumed: Vec<String>,
    /// Everybody by number.
    pub persons: Vec<Person>,
}

/// Everybody together. What is `None` cannot be told from the file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// Share of all time in which people get on.
    pub moving_share: f32,
    /// Share in which they stand, sit or play idle motions.
    pub waiting_share: f32,
    /// Share in which they turn in place or step aside or back.
    pub fidgeting_share: Option<f32>,
    /// Share in which they turn in place.
    pub turning_share: Option<f32>,
    /// Share in which they step aside or back.
    pub stepping_share: Option<f32>,
    /// Changes of fidgeting from left to right and back, per person and minute.
    pub left_right_pairs_per_minute: Option<f32>,
    /// Share of people who stay within 0.8 m for 15 s, whatever they do there.
    pub lingering_people_share: f32,
    /// Share of people who do so without resting.
    pub hovering_people_share: Option<f32>,
    /// Share of all time in which no joint has moved for 0.5 s.
    pub statue_share: Option<f32>,
    /// Share of people who ever were such a statue.
    pub statue_people_share: Option<f32>,
    /// Speed of feet in contact: half of all are not faster, in metres a second.
    pub foot_speed_median_m_s: Option<f32>,
    /// The same for 95 % of all.
    pub foot_speed_p95_m_s: Option<f32>,
    /// The same for 99 % of all.
    pub foot_speed_p99_m_s: Option<f32>,
    /// Changes of the hips' velocity above 0.7 m/s from one record to the next, per person and minute.
    pub jolts_per_minute: Option<f32>,
    /// The fastest that a joint of bodies on their own feet turned from one record to the next, in radians a second.
    pub fastest_joint_rad_s: Option<f32>,
    /// Changes of gait per person and minute.
    pub gait_changes_per_minute: f32,
    /// Mean speed over the ground in metres a second.
    pub mean_speed_m_s: f32,
    /// Mean speed while getting on, in metres a second.
    pub moving_speed_m_s: f32,
    /// Pairs of bodies nearer than 25 cm.
    pub near: Nearness,
    /// Pairs of bodies with limbs in each other.
    pub limbs: Option<Nearness>,
}

/// One person. What is `None` cannot be told from the file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Person {
    /// The person's number.
    pub id: u32,
    /// When they came, in seconds from the start.
    pub from_s: f32,
    /// When they were last there, in seconds from the start.
    pub to_s: f32,
    /// Metres walked.
    pub distance_m: f32,
    /// Share of the time in which they get on.
    pub moving_share: f32,
    /// Share in which they wait.
    pub waiting_share: f32,
    /// Share in which they fidget.
    pub fidgeting_share: Option<f32>,
    /// Left-right pairs.
    pub left_right_pairs: Option<u32>,
    /// Whether they stay within 0.8 m for 15 s without resting.
    pub hovers: Option<bool>,
    /// Share of the time as a statue.
    pub statue_share: Option<f32>,
    /// Speed that 95 % of what their feet have in contact is below, in metres a second.
    pub foot_speed_p95_m_s: Option<f32>,
    /// Changes of the hips' velocity above 0.7 m/s from one record to the next.
    pub jolts: Option<u32>,
    /// Changes of gait.
    pub gait_changes: u32,
    /// The exit through which they left.
    pub exit: Option<String>,
}

/// Why trajectories cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum FloorError {
    /// The floor is no well-known text.
    #[error("the floor cannot be read: {0}")]
    Floor(#[from] WorldError),
}

/// Measures a run; `lines` besides its own.
pub fn measure_run(run: &Run, lines: Vec<Line>) -> Result<Measures, ReadError> {
    let mut tracks = Tracks::of_run(run)?;
    tracks.lines.extend(lines);
    let figures = Figures::of(run);
    Ok(measure(&tracks, Some((&figures, &Meanings::of(&run.header().clips)))))
}

/// Measures trajectories on the floor that they come with, or on `floor` as well-known text.
pub fn measure_trajectories(
    name: &str,
    people: &Trajectories,
    floor: Option<&str>,
    lines: Vec<Line>,
) -> Result<Measures, FloorError> {
    let mut ground = GroundShape::default();
    if let Some(text) = floor.or(people.floor.as_deref()) {
        for outline in outlines_from_wkt(text)? {
            let rings = outline.rings.iter().map(|ring| ring.iter().map(|p| p.to_array()).collect());
            ground.areas.push(rings.collect());
        }
    }
    let mut tracks = Tracks::of_trajectories(name, people, ground);
    tracks.lines = lines;
    Ok(measure(&tracks, None))
}

fn measure(tracks: &Tracks, clips: Option<(&Figures, &Meanings)>) -> Measures {
    let none = Meanings::of(&[]);
    let meanings = clips.map_or(&none, |(_, meanings)| meanings);
    let found: Vec<(Conduct, Option<BodyConduct>)> = tracks
        .pieces
        .par_iter()
        .map(|piece| {
            let body = clips.map(|(figures, _)| bodies(piece, tracks, figures));
            (conduct(piece, tracks, meanings), body)
        })
        .collect();
    let headings = tracks.pieces.iter().all(|piece| !piece.headings.is_empty());
    let mut not_told = Vec::new();
    if !headings {
        not_told.push("fidgeting: the file does not tell which way people face".into());
    }
    if clips.is_none() {
        not_told.push("statues, hovering, feet, hips and limbs: the file has no bodies".into());
    }
    if tracks.ground.areas.is_empty() {
        not_told.push(
            "density at walls: no floor is given, parts of the floor end 1.5 m from people only".into(),
        );
    }
    let egress = egress::egress(tracks);
    let records: u64 = tracks.pieces.iter().map(|piece| piece.positions.len() as u64).sum();
    let (persons, totals) = gather(tracks, &found, headings, clips.map(|clips| clips.0), &egress);
    Measures {
        name: tracks.name.clone(),
        kind: if clips.is_some() { "run" } else { "trajectories" },
        bodies: clips.is_some(),
        seconds: tracks.records as f32 * tracks.step,
        records_per_s: 1.0 / tracks.step,
        people: persons.len(),
        person_minutes: records as f32 * tracks.step / 60.0,
        totals,
        lines: flows::line_uses(tracks),
        by_density: crowding::by_density(tracks),
        lanes: lanes::lanes(tracks),
        egress,
        not_told,
        assumed: tracks.assumed.clone(),
        persons,
    }
}

/// Adds up pieces by person, and persons to all.
fn gather(
    tracks: &Tracks,
    found: &[(Conduct, Option<BodyConduct>)],
    headings: bool,
    figures: Option<&Figures>,
    egress: &Egress,
) -> (Vec<Person>, Totals) {
    let together: Vec<_> = tracks.pieces.iter().zip(found).collect();
    let mut persons = Vec::new();
    let mut foot_speeds = vec![0u32; bodies::FOOT_CLASSES];
    let mut sum = Sum::default();
    for pieces in together.chunk_by(|a, b| a.0.id == b.0.id) {
        let mut own = Sum { people: 1, ..Sum::default() };
        let mut own_feet = vec![0u32; if figures.is_some() { bodies::FOOT_CLASSES } else { 0 }];
        let (mut lingers, mut hovers) = (false, false);
        for (piece, (conduct, body)) in pieces {
            own.records += piece.positions.len() as u64;
            own.steps += piece.positions.len() as u64 - 1;
            own.moving += u64::from(conduct.moving);
            own.waiting += u64::from(conduct.waiting);
            own.turning += u64::from(conduct.turning);
            own.stepping += u64::from(conduct.stepping);
            own.pairs += u64::from(conduct.pairs);
            own.gait_changes += u64::from(conduct.gait_changes);
            own.distance += f64::from(conduct.distance);
            lingers |= conduct.lingers;
            hovers |= conduct.hovers;
            if let Some(body) = body {
                own.statue += u64::from(body.statue);
                own.jolts += u64::from(body.jolts);
                own_feet.iter_mut().zip(&body.foot_speeds).for_each(|(sum, count)| *sum += count);
            }
        }
        (own.lingering, own.hovering) = (u64::from(lingers), u64::from(hovers));
        own.statues = u64::from(own.statue > 0);
        foot_speeds.iter_mut().zip(&own_feet).for_each(|(sum, count)| *sum += count);
        let (first, last) = (pieces[0].0, pieces[pieces.len() - 1].0);
        let id = first.id;
        let left = egress.by_person.binary_search_by_key(&id, |person| person.0).ok();
        persons.push(Person {
            id,
            from_s: first.first as f32 * tracks.step,
            to_s: (last.end() - 1) as f32 * tracks.step,
            distance_m: own.distance as f32,
            moving_share: own.share(own.moving),
            waiting_share: own.share(own.waiting),
            fidgeting_share: headings.then(|| own.share(own.turning + own.stepping)),
            left_right_pairs: headings.then_some(own.pairs as u32),
            hovers: figures.is_some().then_some(hovers),
            statue_share: figures.is_some().then(|| own.share(own.statue)),
            foot_speed_p95_m_s: percentile(&own_feet, 0.95),
            jolts: figures.is_some().then_some(own.jolts as u32),
            gait_changes: own.gait_changes as u32,
            exit: left.map(|at| egress.exits[egress.by_person[at].2].name.clone()),
        });
        sum.add(&own);
    }
    let minutes = (sum.records as f64 * f64::from(tracks.step) / 60.0).max(1e-9);
    let per_minute = |count: u64| (count as f64 / minutes) as f32;
    let of_people = |count: u64| count as f32 / sum.people.max(1) as f32;
    let bodies = figures.is_some();
    let fastest = found.iter().filter_map(|(_, body)| Some(body.as_ref()?.fastest_joint)).reduce(f32::max);
    let time = |records: u64| (records as f64 * f64::from(tracks.step)).max(1e-9);
    let totals = Totals {
        moving_share: sum.share(sum.moving),
        waiting_share: sum.share(sum.waiting),
        fidgeting_share: headings.then(|| sum.share(sum.turning + sum.stepping)),
        turning_share: headings.then(|| sum.share(sum.turning)),
        stepping_share: headings.then(|| sum.share(sum.stepping)),
        left_right_pairs_per_minute: headings.then(|| per_minute(sum.pairs)),
        lingering_people_share: of_people(sum.lingering),
        hovering_people_share: bodies.then(|| of_people(sum.hovering)),
        statue_share: bodies.then(|| sum.share(sum.statue)),
        statue_people_share: bodies.then(|| of_people(sum.statues)),
        foot_speed_median_m_s: percentile(&foot_speeds, 0.5),
        foot_speed_p95_m_s: percentile(&foot_speeds, 0.95),
        foot_speed_p99_m_s: percentile(&foot_speeds, 0.99),
        jolts_per_minute: bodies.then(|| per_minute(sum.jolts)),
        fastest_joint_rad_s: fastest.filter(|fastest| *fastest > 0.0),
        gait_changes_per_minute: per_minute(sum.gait_changes),
        mean_speed_m_s: (sum.distance / time(sum.steps)) as f32,
        moving_speed_m_s: (sum.distance / time(sum.moving)) as f32,
        near: nearness::too_near(tracks),
        limbs: figures.map(|figures| nearness::limbs(tracks, figures)),
    };
    (persons, totals)
}

#[derive(Default)]
struct Sum {
    people: u64,
    records: u64,
    steps: u64,
    moving: u64,
    waiting: u64,
    turning: u64,
    stepping: u64,
    pairs: u64,
    lingering: u64,
    hovering: u64,
    statue: u64,
    statues: u64,
    jolts: u64,
    gait_changes: u64,
    distance: f64,
}

impl Sum {
    fn share(&self, records: u64) -> f32 {
        records as f32 / self.records.max(1) as f32
    }

    fn add(&mut self, other: &Self) {
        self.people += other.people;
        self.records += other.records;
        self.steps += other.steps;
        self.moving += other.moving;
        self.waiting += other.waiting;
        self.turning += other.turning;
        self.stepping += other.stepping;
        self.pairs += other.pairs;
        self.lingering += other.lingering;
        self.hovering += other.hovering;
        self.statue += other.statue;
        self.statues += other.statues;
        self.jolts += other.jolts;
        self.gait_changes += other.gait_changes;
        self.distance += other.distance;
    }
}
