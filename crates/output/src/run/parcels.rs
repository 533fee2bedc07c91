//! Boxes that people pick up, carry, hand over and put down: who has each from when on.

use super::header::Prop;
use super::recordable::{Hands, Recordable};
use crowdloom_motion::{Placement, wrap_angle};
use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A box that people carry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parcel {
    /// Its length across the way it faces, width along it and height, in metres.
    pub size: [f32; 3],
    /// Where it is, from when on, in the order of time; the first is where it is at the beginning.
    pub stages: Vec<ParcelStage>,
}

/// Where a box is from a frame on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParcelStage {
    /// The frame.
    pub frame: u32,
    /// Who has it in its hands; nobody where it is on the ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<u32>,
    /// Where its middle is on the ground, in metres: that is where it was taken, while somebody has it.
    pub at: [f32; 2],
    /// Which way it faces, in radians.
    pub heading: f32,
}

/// How far before somebody's root the middle of a box is that it takes or lets go of, in metres: who bends down for it moves the hips back
/// by 0.17 m.
const BEFORE_ROOT: f32 = 0.59;
/// Length, width and height of a box of which nothing is told, in metres: so large that the built-in motions hold it by its sides.
pub const USUAL_BOX: [f32; 3] = [0.3, 0.3, 0.28];
/// Who bends down takes a box within so many metres of where the hands are.
const REACH: f32 = 0.6;
/// Hands of two who hand a box over are within so many metres.
const BETWEEN_HANDS: f32 = 0.5;
/// Seconds that one may have let go before the other draws it in, who holds out its hands meanwhile.
const BETWEEN: f32 = 10.0;

/// Where the middle of a box in somebody's hands is from the middle between the wrists, in metres of a body of 1.75 m: ahead and up.
const FROM_WRISTS: [f32; 2] = [0.10, -0.05];
/// Seconds in which a box gets from where it was into hands, or out of them.
const GOES_OVER: f32 = 0.25;

impl Parcel {
    /// The middle of the box in metres and the way it faces in radians, in `frame` with its fraction. `hands` tells where somebody is in that frame,
    /// where the middle between its wrists is in its own frame, in metres, and how many times as tall as 1.75 m it is.
    pub fn placed(
        &self,
        frame: f32,
        frame_rate: f32,
        hands: impl Fn(u32) -> Option<(Placement, Vec3, f32)>,
    ) -> (Vec3, f32) {
        let now = self.stages.iter().rposition(|stage| stage.frame as f32 <= frame).unwrap_or(0);
        let place = |stage: &ParcelStage| match stage.holder.and_then(&hands) {
            Some((placement, wrists, size)) => {
                let [ahead, up] = FROM_WRISTS;
                let own = wrists + Vec3::new(ahead, 0.0, up) * size;
                let at = placement.transform_point(own.truncate());
                (at.extend(own.z.max(self.size[2] / 2.0)), placement.heading)
            }
            None => (Vec2::from(stage.at).extend(self.size[2] / 2.0), stage.heading),
        };
        let (at, heading) = place(&self.stages[now]);
        let gone_over = (frame - self.stages[now].frame as f32) / (frame_rate * GOES_OVER);
        if now == 0 || gone_over >= 1.0 {
            return (at, heading);
        }
        let (from, before) = place(&self.stages[now - 1]);
        let share = gone_over * gone_over * (3.0 - 2.0 * gone_over);
        (from.lerp(at, share), before + wrap_angle(heading - before) * share)
    }
}

/// Watches hands, and knows where all boxes are.
#[derive(Clone, Debug)]
pub struct Keeper {
    parcels: Vec<Parcel>,
    /// The box that each of those has who hold one.
    held: BTreeMap<u32, usize>,
    /// Since which frame those have their hands full who have.
    full: BTreeMap<u32, u32>,
    first: u32,
    /// Frames from when one has let go to when the other has to have it.
    between: u32,
}

impl Keeper {
    /// Takes the boxes among things that stand about; `frame` is the first.
    pub fn new(props: &mut Vec<Prop>, frame: u32, frame_rate: f32) -> Self {
        let is_box = |prop: &Prop| prop.kind == "box";
        let parcels = props.iter().filter(|prop| is_box(prop)).map(|prop| Parcel {
            size: prop.size,
            stages: vec![ParcelStage { frame, holder: None, at: prop.at, heading: prop.heading }],
        });
        let parcels = parcels.collect();
        props.retain(|prop| !is_box(prop));
        let between = (BETWEEN * frame_rate) as u32;
        Self { parcels, held: BTreeMap::new(), full: BTreeMap::new(), first: frame, between }
    }

    /// Looks at everybody's hands; tells whether a box has come into other hands or onto the ground.
    pub fn watch(&mut self, crowd: &impl Recordable) -> bool {
        let (frame, mut changed) = (crowd.frame(), false);
        let hands: Vec<(usize, Hands)> = (0..crowd.count())
            .map(|index| (index, crowd.hands(index)))
            .filter(|(index, hands)| *hands != Hands::Empty || self.full.contains_key(&crowd.id(*index)))
            .collect();
        // Who lets go comes first: others may take it.
        for &(index, _) in hands.iter().filter(|(_, hands)| *hands == Hands::Empty) {
            self.full.remove(&crowd.id(index));
            changed |= self.let_go(frame, crowd.id(index), crowd.moment(index).placement);
        }
        for &(index, hands) in hands.iter().filter(|(_, hands)| *hands != Hands::Empty) {
            let id = crowd.id(index);
            let since = *self.full.entry(id).or_insert(frame);
            if !self.held.contains_key(&id) && since + self.between >= frame {
                changed |= self.take(frame, id, crowd.moment(index).placement, hands);
            }
        }
        changed
    }

    /// Lets somebody have the box that is before its hands, if there is one.
    fn take(&mut self, frame: u32, id: u32, placement: Placement, hands: Hands) -> bool {
        let before = before_root(placement);
        let near = |(number, parcel): (usize, &Parcel)| {
            let stage = parcel.stages.last().filter(|stage| stage.holder.is_none())?;
            let away = before.distance(Vec2::from(stage.at));
            let within = match hands {
                Hands::Lift => away < REACH,
                _ => stage.frame + self.between >= frame && away < BETWEEN_HANDS,
            };
            within.then_some((number, away))
        };
        let found = self.parcels.iter().enumerate().filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1));
        let stage = ParcelStage { frame, holder: None, at: before.to_array(), heading: placement.heading };
        let number = match found {
            Some((number, _)) => number,
            // Who starts with full hands, or bends down where nothing was told to be, has one all the same.
            None if hands == Hands::Lift || frame == self.first => {
                self.parcels.push(Parcel {
                    size: USUAL_BOX,
                    stages: vec![ParcelStage { frame: self.first, ..stage }],
                });
                self.parcels.len() - 1
            }
            None => return false,
        };
        let stages = &mut self.parcels[number].stages;
        let mut taken = ParcelStage { holder: Some(id), ..stage };
        // What goes from hand to hand is never on the ground, nor is what somebody has from the beginning.
        let handed = hands != Hands::Lift && stages.len() > 1;
        if let Some(last) = stages.pop_if(|last| handed || last.frame == frame) {
            taken.frame = last.frame;
        }
        stages.push(taken);
        self.held.insert(id, number);
        true
    }

    fn let_go(&mut self, frame: u32, id: u32, placement: Placement) -> bool {
        let Some(number) = self.held.remove(&id) else { return false };
        let stage = ParcelStage {
            frame,
            holder: None,
            at: before_root(placement).to_array(),
            heading: placement.heading,
        };
        self.parcels[number].stages.push(stage);
        true
    }

    /// All boxes as far as is known by now.
    pub fn parcels(&self) -> &[Parcel] {
        &self.parcels
    }

    /// Whether somebody has had a box in its hands by now: who has carries nothing else.
    pub fn has_carried(&self, id: u32) -> bool {
        self.parcels.iter().flat_map(|parcel| &parcel.stages).any(|stage| stage.holder == Some(id))
    }

    /// All boxes.
    pub fn finish(self) -> Vec<Parcel> {
        self.parcels
    }
}

/// Where a box is that somebody takes or lets go of.
fn before_root(placement: Placement) -> Vec2 {
    placement.transform_point(Vec2::new(BEFORE_ROOT, 0.0))
}
