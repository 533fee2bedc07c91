//! The style variation table and the consistency table of one motion type (section IV-B and V-C, figure 4).

use super::cluster::distance;
use serde::{Deserialize, Serialize};

/// How much the styles of one type differ, and which are near enough to change to.
///
/// Styles are numbered from 0 within the type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StyleTable {
    count: u16,
    /// Distances, `count` to a row.
    variation: Vec<f32>,
    /// The nearest styles of each, itself first, row after row.
    consistency: Vec<u16>,
    /// Where each row of `consistency` ends.
    ends: Vec<u16>,
    /// The first style on the shortest way from each to each through the consistency table.
    next: Vec<u16>,
}

impl StyleTable {
    /// Makes both tables with `candidates` styles to choose from (r in the source). Where some style could not be reached from
    /// another, the row that is nearest to what it misses gets that one more.
    pub fn new(features: &[[f32; 2]], candidates: usize) -> Self {
        let count = features.len();
        let variation: Vec<f32> =
            features.iter().flat_map(|&a| features.iter().map(move |&b| distance(a, b))).collect();
        let mut rows: Vec<Vec<u16>> = Vec::with_capacity(count);
        for style in 0..count {
            let row = &variation[style * count..(style + 1) * count];
            let mut order: Vec<u16> = (0..count as u16).collect();
            // Itself first even where another has the very same feature.
            order.sort_by(|&a, &b| {
                let key = |other: u16| (usize::from(other) != style, row[usize::from(other)]);
                key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(&b))
            });
            order.truncate(candidates.max(1));
            rows.push(order);
        }
        let mut table = Self { count: count as u16, variation, ..Self::default() };
        loop {
            table.set_rows(&rows);
            let missed = (0..count * count).filter(|&pair| table.next[pair] == u16::MAX);
            let nearest = missed.min_by(|&a, &b| table.variation[a].total_cmp(&table.variation[b]));
            match nearest {
                Some(pair) => rows[pair / count].push((pair % count) as u16),
                None => return table,
            }
        }
    }

    /// Takes the rows of the consistency table.
    fn set_rows(&mut self, rows: &[Vec<u16>]) {
        self.consistency = rows.concat();
        self.ends = rows
            .iter()
            .scan(0, |end, row| {
                *end += row.len() as u16;
                Some(*end)
            })
            .collect();
        self.next = self.ways();
    }

    /// The number of styles.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether there is no style.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many styles one can change to at once at most, its own included: the longest row.
    pub fn candidate_count(&self) -> usize {
        (0..self.len()).map(|style| self.row_of(style).len()).max().unwrap_or(0)
    }

    #[inline]
    fn row_of(&self, style: usize) -> std::ops::Range<usize> {
        let start = if style == 0 { 0 } else { self.ends[style - 1] };
        start.into()..self.ends[style].into()
    }

    /// The difference of two styles: the distance of their features.
    #[inline]
    pub fn variation(&self, a: usize, b: usize) -> f32 {
        self.variation[a * usize::from(self.count) + b]
    }

    /// The differences of a style from all.
    #[inline]
    pub fn row(&self, style: usize) -> &[f32] {
        let count = usize::from(self.count);
        &self.variation[style * count..(style + 1) * count]
    }

    /// The styles nearest to `style`, itself first.
    #[inline]
    pub fn candidates(&self, style: usize) -> &[u16] {
        &self.consistency[self.row_of(style)]
    }

    /// The distance of the farthest candidate: `maxDistance` of equation 7.
    #[inline]
    pub fn reach(&self, style: usize) -> f32 {
        let last = self.candidates(style).last().copied().unwrap_or_default();
        self.variation(style, usize::from(last))
    }

    /// The mean difference of two different styles.
    pub fn mean_variation(&self) -> f32 {
        let pairs = (self.len() * self.len().saturating_sub(1)).max(1);
        self.variation.iter().sum::<f32>() / pairs as f32
    }

    /// The style to change to next on the way from `from` to `to`, which may be too different for one change.
    pub fn step_towards(&self, from: usize, to: usize) -> usize {
        usize::from(self.next[from * self.len() + to])
    }

    /// Whether all parts fit each other, for files that claim to hold a table.
    pub(super) fn is_consistent(&self) -> bool {
        let count = self.len();
        let known = |style: &u16| usize::from(*style) < count;
        // Every row has a style at least.
        let rows = std::iter::once(&0).chain(&self.ends).is_sorted_by(|a, b| a < b);
        rows && self.ends.len() == count
            && self.variation.len() == count * count
            && self.variation.iter().all(|value| value.is_finite())
            && self.consistency.len() == self.ends.last().map_or(0, |&end| usize::from(end))
            && self.consistency.iter().all(known)
            && self.next.len() == count * count
            && self.next.iter().all(known)
    }

    /// The first step of the shortest way from each style to each, by breadth-first search; `u16::MAX` where there is
    /// none.
    fn ways(&self) -> Vec<u16> {
        let count = self.len();
        let mut next = vec![u16::MAX; count * count];
        for from in 0..count {
            let first = &mut next[from * count..(from + 1) * count];
            first[from] = from as u16;
            let mut queue: std::collections::VecDeque<usize> = [from].into();
            while let Some(style) = queue.pop_front() {
                for &to in self.candidates(style) {
                    let to = usize::from(to);
                    if first[to] == u16::MAX {
                        first[to] = if style == from { to as u16 } else { first[style] };
                        queue.push_back(to);
                    }
                }
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn figure_4_comes_out() {
        // Seven styles on a line, √3 apart: the source's own example.
        let features: Vec<[f32; 2]> = (0..7).map(|index| [index as f32 * 3f32.sqrt(), 0.0]).collect();
        let table = StyleTable::new(&features, 5);
        assert!((table.variation(0, 6) - 10.39).abs() < 0.01 && (table.variation(2, 1) - 1.73).abs() < 0.01);
        assert_eq!(table.candidates(0), [0, 1, 2, 3, 4]);
        assert_eq!(table.candidates(2)[0], 2);
        // From style 1 to style 7 by way of a middle one.
        let middle = table.step_towards(0, 6);
        assert!(middle == 2 || middle == 3 || middle == 4);
        assert_eq!(table.step_towards(middle, 6), 6);
    }

    #[test]
    fn far_heaps_are_joined_where_they_are_nearest() {
        let heap = |x: f32| (0..5).map(move |index| [x + index as f32 * 0.01, 0.0]);
        let features: Vec<[f32; 2]> = heap(0.0).chain(heap(10.0)).collect();
        let table = StyleTable::new(&features, 3);
        // One row on either side has one more, and nobody else.
        let longer: Vec<usize> = (0..10).filter(|&style| table.candidates(style).len() > 3).collect();
        assert_eq!(longer, [4, 5]);
        assert_eq!((table.candidates(4)[3], table.candidates(5)[3]), (5, 4));
        assert!(StyleTable::new(&[], 5).is_empty());
    }

    proptest! {
        #[test]
        fn every_style_is_reached(points in prop::collection::vec((0.0f32..5.0, 0.0f32..5.0), 1..30), r in 1usize..8) {
            let features: Vec<[f32; 2]> = points.into_iter().map(|(x, y)| [x, y]).collect();
            let table = StyleTable::new(&features, r);
            prop_assert!(table.is_consistent());
            for from in 0..table.len() {
                prop_assert_eq!(usize::from(table.candidates(from)[0]), from);
                for to in 0..table.len() {
                    let mut at = from;
                    for _ in 0..table.len() {
                        let next = table.step_towards(at, to);
                        prop_assert!(table.candidates(at).contains(&(next as u16)));
                        at = next;
                    }
                    prop_assert_eq!(at, to);
                }
            }
        }
    }
}
