//! The density of a crowd and the physical complexity of its ground, as the thesis defines them (section 1.4).

use crowdloom_crowd::Crowd;
use crowdloom_world::Ground;
use serde::Serialize;

/// Square metres that a character of the thesis' chapter 4 takes: 100 of them on 30 m × 40 m are a density of 9.5.
pub const SIZE_IN_CHAPTER_4: f64 = 0.095 * 1200.0 / 100.0;

/// The same in its chapter 6: 1,000 in 25 blocks of 50 m × 50 m, of which obstacles take 30.3 %, are a density of 4.85 (and 3,500
/// one of 17.0).
pub const SIZE_IN_CHAPTER_6: f64 = 0.0485 * 25.0 * 2500.0 * (1.0 - 0.303) / 1000.0;

/// Both numbers, in per cent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Crowding {
    /// The share of the walkable ground that people of the thesis' size would cover.
    pub density: f64,
    /// The share that the discs of our people cover, which are smaller.
    pub density_of_discs: f64,
    /// The share of all ground that obstacles take.
    pub complexity: f64,
}

impl Crowding {
    /// Of a crowd whose people count as `size` square metres each.
    pub fn of(crowd: &Crowd, size: f64) -> Self {
        let setting = crowd.setting();
        let radius = f64::from(setting.book.options().radius);
        let discs = crowd.len() as f64 * std::f64::consts::PI * radius * radius;
        let walkable = setting.ground.size();
        Self {
            density: 100.0 * crowd.len() as f64 * size / walkable,
            density_of_discs: 100.0 * discs / walkable,
            complexity: complexity(&setting.ground),
        }
    }
}

/// The share of the box around a ground that cannot be walked on, in per cent.
pub fn complexity(ground: &Ground) -> f64 {
    let extent = ground.bounds().max - ground.bounds().min;
    100.0 * (1.0 - ground.size() / (extent.x * extent.y))
}
