//! Sorting unlabelled primitives into types by their energies (section IV-B).

use super::primitive::{MotionType, Primitive};

/// A cycle is a run where the mean speed of its group is over this many metres a second.
use super::cycles::RUNNING_SPEED;

/// Mean energy of the upper body, in joules, from which on a group of motions on the spot fights rather than waits:
/// a tenth of a hard punch (ours).
const FIGHTING_ENERGY: f32 = 3.0;

/// Gives every primitive its type: cycles and motions on the spot each fall into two groups by their features, and a
/// group's mean speed or energy names it.
pub(super) fn name_types(primitives: &mut [Primitive]) {
    let mean = |members: &[&Primitive], value: &dyn Fn(&Primitive) -> f32| {
        members.iter().map(|primitive| value(primitive)).sum::<f32>() / members.len().max(1) as f32
    };
    for cyclic in [true, false] {
        let own: Vec<usize> =
            (0..primitives.len()).filter(|&index| primitives[index].kind.is_cyclic() == cyclic).collect();
        let features: Vec<[f32; 2]> = own.iter().map(|&index| primitives[index].feature).collect();
        let groups = two_means(&features);
        for group in [false, true] {
            let members: Vec<usize> =
                own.iter().zip(&groups).filter(|(_, other)| **other == group).map(|(&index, _)| index).collect();
            let views: Vec<&Primitive> = members.iter().map(|&index| &primitives[index]).collect();
            let kind = if cyclic {
                let runs = mean(&views, &|primitive| primitive.speed) > RUNNING_SPEED;
                if runs { MotionType::Running } else { MotionType::Walking }
            } else {
                let fights = mean(&views, &|primitive| libm::expf(primitive.feature[0]) - 1.0) > FIGHTING_ENERGY;
                if fights { MotionType::Fighting } else { MotionType::Waiting }
            };
            for index in members {
                primitives[index].kind = kind;
            }
        }
    }
}

/// Splits points into two groups around their means (Lloyd 1982), from the two that are farthest apart.
fn two_means(points: &[[f32; 2]]) -> Vec<bool> {
    let mut centres = farthest_pair(points);
    let mut groups = vec![false; points.len()];
    for _ in 0..100 {
        let nearer = |point: &[f32; 2]| distance(*point, centres[1]) < distance(*point, centres[0]);
        let next: Vec<bool> = points.iter().map(nearer).collect();
        for (group, centre) in centres.iter_mut().enumerate() {
            let members = points.iter().zip(&next).filter(|(_, own)| **own == (group == 1));
            let (sum, count) = members
                .fold(([0.0, 0.0], 0.0), |(sum, count), (p, _)| ([sum[0] + p[0], sum[1] + p[1]], count + 1.0));
            if count > 0.0 {
                *centre = [sum[0] / count, sum[1] / count];
            }
        }
        if next == groups {
            break;
        }
        groups = next;
    }
    groups
}

fn farthest_pair(points: &[[f32; 2]]) -> [[f32; 2]; 2] {
    let first = points.first().copied().unwrap_or_default();
    let mut best = ([first, first], 0.0);
    for (index, &a) in points.iter().enumerate() {
        for &b in &points[index + 1..] {
            if distance(a, b) > best.1 {
                best = ([a, b], distance(a, b));
            }
        }
    }
    best.0
}

/// Euclidean distance of two features.
pub(super) fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_heaps_are_told_apart() {
        let points: Vec<[f32; 2]> = (0..20)
            .map(|index| {
                let (heap, spread) = ((index % 2) as f32, (index as f32 * 0.618).fract());
                [heap * 3.0 + spread, heap + spread]
            })
            .collect();
        let groups = two_means(&points);
        assert!((0..20).all(|index| groups[index] == groups[index % 2]) && groups[0] != groups[1]);
        assert!(two_means(&[]).is_empty() && two_means(&[[1.0, 2.0]]) == [false]);
    }
}
