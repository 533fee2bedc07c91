//! Saving the style layer and going on from there.

use super::control::{Memory, NONE, Playing, StyleControl, Switches};
use crowdloom_motion::styles::{MotionType, Start};
use serde::{Deserialize, Serialize};

/// All of a style layer that changes while it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedStyles {
    frame: u32,
    playing: Vec<Playing>,
    speeds: Vec<f32>,
    rates: Vec<f32>,
    wanted: Vec<MotionType>,
    groups: Vec<u8>,
    memories: Vec<Memory>,
    /// The counters of each group.
    counters: Vec<(Vec<i32>, [i32; 4])>,
    switches: Switches,
}

impl SavedStyles {
    /// The number of agents.
    pub fn len(&self) -> usize {
        self.playing.len()
    }

    /// Whether nobody is there.
    pub fn is_empty(&self) -> bool {
        self.playing.is_empty()
    }
}

impl StyleControl {
    /// Everything that is needed to go on from this frame.
    pub fn save(&self) -> SavedStyles {
        SavedStyles {
            frame: self.frame,
            playing: self.playing.clone(),
            speeds: self.speeds.clone(),
            rates: self.rates.clone(),
            wanted: self.wanted.clone(),
            groups: self.groups.clone(),
            memories: self.memories.clone(),
            counters: self.populations.iter().map(|population| population.counters()).collect(),
            switches: self.switches,
        }
    }

    /// Whether what was saved is whole and has the styles and groups of this layer.
    pub fn knows(&self, saved: &SavedStyles) -> bool {
        let knows = |style: u16| usize::from(style) < self.book().len();
        let count = saved.playing.len();
        let counts = [saved.speeds.len(), saved.rates.len(), saved.wanted.len(), saved.groups.len()];
        counts.iter().chain(&[saved.memories.len()]).all(|own| *own == count)
            && saved.counters.len() == self.populations.len()
            && saved.counters.iter().all(|(styles, _)| styles.len() == self.book().len())
            && saved.groups.iter().all(|group| usize::from(*group) < self.populations.len())
            && saved.speeds.iter().chain(&saved.rates).all(|number| number.is_finite())
            && saved.playing.iter().all(|playing| {
                knows(playing.from)
                    && knows(playing.style)
                    && usize::from(playing.start.0) < Start::COUNT
                    && playing.frame.is_finite()
                    && playing.frame >= 0.0
            })
            && saved.memories.iter().all(|memory| {
                let mut all = memory.habits.iter().chain([&memory.told]);
                all.all(|&style| style == NONE || knows(style))
            })
    }

    /// Goes on from what was saved, with the styles and options of this layer.
    pub fn resume(&mut self, saved: SavedStyles) {
        self.frame = saved.frame;
        self.styles = saved.playing.iter().map(|playing| playing.style as u8).collect();
        self.playing = saved.playing;
        self.speeds = saved.speeds;
        self.rates = saved.rates;
        self.wanted = saved.wanted;
        self.groups = saved.groups;
        self.memories = saved.memories;
        self.switches = saved.switches;
        for (population, counters) in self.populations.iter_mut().zip(saved.counters) {
            population.count_from(counters);
        }
    }
}
