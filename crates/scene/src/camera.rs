//! Cameras: named eyes that stand, go along keys, or follow somebody.

use schemars::JsonSchema;
use serde::Deserialize;

/// A camera of the scene, for the page and for `crowdloom film`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Camera {
    /// Its name.
    pub name: String,
    /// Where it is, in metres; of a camera that follows, from the one that is followed: ahead, to the left, up.
    pub at: Option<[f64; 3]>,
    /// What it looks at, in metres; a camera that follows looks at who is followed.
    pub look_at: Option<[f64; 3]>,
    /// The number of the person that it follows.
    pub follow: Option<u32>,
    /// How much it sees from the lower to the upper edge, in degrees.
    #[serde(default = "usual")]
    pub field_of_view: f32,
    /// Where it is when, in the order of time.
    #[serde(default)]
    pub key: Vec<CameraKey>,
}

fn usual() -> f32 {
    45.0
}

/// Where a camera is at a moment; between keys it goes smoothly.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CameraKey {
    /// Seconds from the start.
    pub time: f32,
    /// Where it is, in metres.
    pub at: [f64; 3],
    /// What it looks at, in metres.
    pub look_at: [f64; 3],
}

impl Camera {
    /// What is wrong with it, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        let name = &self.name;
        let all = self
            .at
            .iter()
            .chain(&self.look_at)
            .chain(self.key.iter().flat_map(|key| [&key.at, &key.look_at]));
        if !all.flatten().all(|value| value.is_finite())
            || !self.key.iter().all(|key| (0.0..1e6).contains(&key.time))
        {
            return Some(format!("camera `{name}` needs places of numbers and times from 0 on"));
        }
        if !(5.0..=150.0).contains(&self.field_of_view) {
            return Some(format!("camera `{name}` cannot see {} degrees: 5 to 150", self.field_of_view));
        }
        if self.key.windows(2).any(|pair| pair[0].time >= pair[1].time) {
            return Some(format!("the keys of camera `{name}` are not in the order of time"));
        }
        let whole =
            self.follow.is_some() || !self.key.is_empty() || self.at.is_some() && self.look_at.is_some();
        (!whole)
            .then(|| format!("camera `{name}` needs `at` and `look-at`, or `[[camera.key]]`, or `follow`"))
    }

    /// The keys of a camera, also of one that stands: time, place, and what it looks at; of one that follows nothing but where
    /// it is from there.
    pub fn keys(&self) -> Vec<(f32, [f64; 3], [f64; 3])> {
        let place = |at: [f64; 3], look: [f64; 3]| vec![(0.0, at, look)];
        match (self.follow, self.at, self.look_at) {
            (Some(_), at, look) => place(at.unwrap_or([-3.2, 0.9, 2.0]), look.unwrap_or([0.6, 0.0, 1.35])),
            (None, Some(at), Some(look)) if self.key.is_empty() => place(at, look),
            _ => self.key.iter().map(|key| (key.time, key.at, key.look_at)).collect(),
        }
    }
}
