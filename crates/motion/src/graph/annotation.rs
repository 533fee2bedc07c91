//! Labels on clips, from a small text file.

use super::posture::posture_labels;
use crate::{Clip, Contacts, FRAME_RATE, Library, Skeleton};
use serde::Deserialize;
use thiserror::Error;

/// Labels for clips, by name and time.
///
/// ```toml
/// [[clip]]
/// name = "16_1*"          # `*` stands for anything
/// labels = ["walk"]
///
/// [[clip]]
/// name = "16_17"
/// from = 1.5              # seconds; both ends are optional
/// to = 2.8
/// labels = ["turn", "left"]
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotations {
    #[serde(default)]
    clip: Vec<Annotation>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Annotation {
    name: String,
    labels: Vec<String>,
    from: Option<f32>,
    to: Option<f32>,
}

/// Why an annotation file was refused.
#[derive(Debug, Error)]
pub enum AnnotationError {
    /// The text is not what it should be; the message names the line.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// A name fits no clip.
    #[error("annotation {number}: no clip is called `{name}`{}", hint.as_ref().map(|hint| format!("; did you mean `{hint}`?")).unwrap_or_default())]
    UnknownClip {
        /// Which `[[clip]]` table, counted from 1.
        number: usize,
        /// The name that fits nothing.
        name: String,
        /// The nearest name there is.
        hint: Option<String>,
    },
}

impl Annotations {
    /// Reads annotations and checks that each fits a clip of `library`.
    pub fn parse(text: &str, library: &Library) -> Result<Self, AnnotationError> {
        let annotations: Self = toml::from_str(text)?;
        for (index, annotation) in annotations.clip.iter().enumerate() {
            if !library.clips.iter().any(|clip| matches(&annotation.name, &clip.name)) {
                return Err(AnnotationError::UnknownClip {
                    number: index + 1,
                    name: annotation.name.clone(),
                    hint: nearest(&annotation.name, library),
                });
            }
        }
        Ok(annotations)
    }

    /// The labels of the frames `first ..= last` of a clip: those that hold for more than half of them.
    pub fn labels(&self, clip: &str, first: usize, last: usize) -> Vec<String> {
        let (start, end) = (first as f32 / FRAME_RATE, last as f32 / FRAME_RATE);
        let mut labels = Vec::new();
        for annotation in self.clip.iter().filter(|annotation| matches(&annotation.name, clip)) {
            let from = annotation.from.unwrap_or(f32::NEG_INFINITY).max(start);
            let to = annotation.to.unwrap_or(f32::INFINITY).min(end);
            if to - from > 0.5 * (end - start) {
                for label in &annotation.labels {
                    if !labels.contains(label) {
                        labels.push(label.clone());
                    }
                }
            }
        }
        labels
    }
}

/// Labels from the motion itself, for clips that nobody annotated: `stand`, `walk` or `run`; `turn`, `start`, `stop`; `sit`, `carry`,
/// `fight`, `wait`.
pub fn labels_from_motion(skeleton: &Skeleton, clip: &Clip) -> Vec<String> {
    const STANDING: f32 = 0.25;
    const RUNNING: f32 = 2.1;
    const TURNING: f32 = 0.21;
    const JOGGING: f32 = 1.5;
    const FLIGHT: f32 = 0.2;
    const PLANTED: f32 = 0.75;
    const SHORTEST_WAIT: f32 = 0.5;
    let speed =
        |frame: usize| clip.track[frame].position.distance(clip.track[frame - 1].position) * FRAME_RATE;
    let frames = clip.frames();
    let mean = |range: std::ops::Range<usize>| {
        let count = range.len().max(1) as f32;
        range.map(speed).sum::<f32>() / count
    };
    let edge = 3.min(frames - 1);
    let (begins, goes, ends) = (mean(1..1 + edge), mean(1..frames), mean(frames - edge..frames));
    // Who runs is in the air between steps, however slowly it gets on; feet whose contacts are not known tell nothing.
    let flies = clip.contacts.iter().filter(|contacts| **contacts == Contacts::default()).count();
    let known = flies < frames;
    let runs = goes > RUNNING || known && goes > JOGGING && flies as f32 > FLIGHT * frames as f32;
    let postures = posture_labels(skeleton, clip);
    let mut labels = vec![match goes {
        _ if postures.contains(&"sit") && goes < JOGGING => "sit",
        speed if speed < STANDING => "stand",
        _ if runs => "run",
        _ => "walk",
    }];
    // Who stands with empty hands, on both feet, and goes nowhere, waits.
    let both = |own: &&Contacts| own.touches(Contacts::LEFT) && own.touches(Contacts::RIGHT);
    let planted = clip.contacts.iter().filter(both).count() as f32 > PLANTED * frames as f32;
    let stays = begins < STANDING && ends < STANDING && clip.seconds() >= SHORTEST_WAIT;
    if labels == ["stand"] && postures.is_empty() && planted && stays {
        labels.push("wait");
    }
    labels.extend(postures.into_iter().filter(|label| *label != "sit"));
    if clip.displacement().heading.abs() > TURNING {
        labels.push("turn");
    }
    if begins < STANDING && ends > 2.0 * STANDING {
        labels.push("start");
    }
    if ends < STANDING && begins > 2.0 * STANDING {
        labels.push("stop");
    }
    labels.into_iter().map(str::to_owned).collect()
}

/// Whether `name` fits `pattern`, in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn nearest(name: &str, library: &Library) -> Option<String> {
    let common = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    library.clips.iter().map(|clip| clip.name.as_str()).max_by_key(|other| common(other)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, name, fits) in [
            ("16_15", "16_15", true),
            ("16_15", "16_150", false),
            ("16_*", "16_15", true),
            ("*_1*", "16_15", true),
            ("*", "", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn times_decide() {
        let annotations: Annotations = toml::from_str(
            "[[clip]]\nname='a'\nlabels=['walk']\n[[clip]]\nname='a'\nfrom=1.0\nlabels=['turn']",
        )
        .unwrap();
        assert_eq!(annotations.labels("a", 0, 30), ["walk"]);
        assert_eq!(annotations.labels("a", 25, 60), ["walk", "turn"]);
        assert!(annotations.labels("b", 0, 30).is_empty());
    }
}
