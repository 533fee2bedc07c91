//! Sorting unlabelled primitives into types (section IV-B).

use super::primitive::{MotionType, Primitive};
use glam::{Mat2, Vec2};

/// Mean energy of the upper body, in joules, from which on a motion on the spot is first taken for a fight (ours).
const FIGHTING_ENERGY: f32 = 3.0;

/// A blow has at least this share of the energy at its height that fights usually have (ours).
const BLOW: f32 = 0.6;

/// The share of a cycle without a foot on the ground from which on it is a run (ours): runs are in the air for about half
/// of it, walks never but for what the detection of contacts misses.
const FLIGHT: f32 = 0.3;

/// The type that a clip's labels tell.
fn labelled(primitive: &Primitive) -> Option<MotionType> {
    const LABELS: [(&str, MotionType); 4] = [
        ("walk", MotionType::Walking),
        ("run", MotionType::Running),
        ("wait", MotionType::Waiting),
        ("fight", MotionType::Fighting),
    ];
    LABELS.iter().find(|(label, _)| primitive.clip.has_label(label)).map(|(_, kind)| *kind)
}

/// Gives every primitive its type: that of its clip's labels, or where there are none, what its feet and its energies
/// tell; `peaks` are the highest energies of arms or legs in joules.
///
/// Cycles are parted by their feet: a brisk walk has a run's energy. Motions on the spot are two groups by energy, and
/// who strikes no blow does not fight.
pub(super) fn name_types(primitives: &mut [&mut Primitive], peaks: &[f32]) {
    let mut on_the_spot = Vec::new();
    for (index, primitive) in primitives.iter_mut().enumerate() {
        let told = labelled(primitive);
        if told.is_none() && !primitive.kind.is_cyclic() {
            primitive.kind = MotionType::Waiting;
            on_the_spot.push(index);
        }
        let runs = primitive.kind.is_cyclic() && flight(primitive) > FLIGHT;
        primitive.kind = told.unwrap_or(if runs { MotionType::Running } else { primitive.kind });
    }
    let features: Vec<Vec2> = on_the_spot.iter().map(|&index| primitives[index].feature.into()).collect();
    let first = features.iter().map(|feature| libm::expf(feature.x) - 1.0 > FIGHTING_ENERGY).collect();
    let groups = two_groups(&features, first);
    let vigorous = on_the_spot.iter().zip(groups).filter(|(_, vigorous)| *vigorous);
    let vigorous: Vec<usize> = vigorous.map(|(index, _)| *index).collect();
    let mut highest: Vec<f32> = vigorous.iter().map(|&index| peaks[index]).collect();
    highest.sort_by(f32::total_cmp);
    for index in vigorous {
        if peaks[index] >= BLOW * highest[highest.len() / 2] {
            primitives[index].kind = MotionType::Fighting;
        }
    }
}

/// The share of a loop in which no foot is on the ground.
fn flight(primitive: &Primitive) -> f32 {
    let contacts = &primitive.clip.contacts;
    let air = contacts.iter().filter(|contact| contact.0 == 0).count();
    air as f32 / contacts.len().max(1) as f32
}

/// Parts points into two groups of the same shape, from a first guess: each point goes to the group whose mean is nearer
/// as measured by the spread that both have in common (classification EM, Celeux and Govaert 1992).
///
/// Types are long clouds side by side: within each the arms' energy varies more than it differs between them.
fn two_groups(points: &[Vec2], mut groups: Vec<bool>) -> Vec<bool> {
    for _ in 0..100 {
        let mean = |group: bool| {
            let own = points.iter().zip(&groups).filter(|(_, other)| **other == group);
            let (sum, count) =
                own.fold((Vec2::ZERO, 0), |(sum, count), (point, _)| (sum + *point, count + 1));
            (count > 0).then(|| sum / count as f32)
        };
        let (Some(calm), Some(vigorous)) = (mean(false), mean(true)) else { return groups };
        let mut spread = Mat2::from_diagonal(Vec2::splat(LEAST_SPREAD));
        for (point, group) in points.iter().zip(&groups) {
            let off = *point - if *group { vigorous } else { calm };
            spread += Mat2::from_cols(off * off.x, off * off.y) * (1.0 / points.len() as f32);
        }
        let inverse = spread.inverse();
        let away = |point: Vec2, mean: Vec2| (point - mean).dot(inverse * (point - mean));
        let next: Vec<bool> = points.iter().map(|&point| away(point, vigorous) < away(point, calm)).collect();
        if next == groups {
            break;
        }
        groups = next;
    }
    groups
}

/// Points have at least this variance, so that few of them make groups too.
const LEAST_SPREAD: f32 = 1e-4;

/// Euclidean distance of two features.
pub(super) fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_clouds_side_by_side_are_told_apart() {
        let points: Vec<Vec2> = (0..40)
            .map(|index| {
                let along = (index as f32 * 0.618).fract() * 3.0;
                Vec2::new(
                    along,
                    (index % 2) as f32 * 0.6 + along * 0.3 + (index as f32 * 0.755).fract() * 0.2,
                )
            })
            .collect();
        // One in ten of the first guesses is wrong.
        let guess = (0..40).map(|index| (index % 2 == 1) != (index % 10 == 0)).collect();
        let groups = two_groups(&points, guess);
        assert!((0..40).all(|index| groups[index] == (index % 2 == 1)), "{groups:?}");
        assert_eq!(two_groups(&points[..2], vec![false; 2]), [false; 2]);
        assert!(two_groups(&[], vec![]).is_empty());
    }
}
