//! How long it takes to make the bodies of a population (Thalmann and Musse 2013, table 3.1).

use crowdloom_bodies::{Person, Told, outfits, shape_points};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// The least vertices that a body is made of: those of the book's template.
pub const LEAST_VERTICES: usize = 8_672;

/// What making bodies took.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Bodies made, each a person of its own.
    pub bodies: usize,
    /// Vertices of each.
    pub vertices: usize,
    /// Seconds for all, without writing anything.
    pub seconds: f64,
    /// Threads that worked.
    pub threads: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bodies of {} vertices in {:.2} s on {} threads (the book's took 12 s a thousand)",
            self.bodies, self.vertices, self.seconds, self.threads
        )
    }
}

/// Makes as many bodies: draws people, and moves every point of skin of a fine template to where it is on each of them.
pub fn run(bodies: usize) -> Report {
    let templates = crowdloom_bodies::fine_templates(LEAST_VERTICES);
    let outfits = outfits();
    let start = Instant::now();
    // One body a thread at a time: memory does not grow with the population.
    (0..bodies as u32).into_par_iter().for_each_init(Vec::new, |points, number| {
        let person = Person::draw(&Told::default(), number, &outfits);
        shape_points(&templates[person.template], &person, points);
        black_box(points);
    });
    Report {
        bodies,
        vertices: templates.iter().map(|template| template.len()).min().unwrap_or(0),
        seconds: start.elapsed().as_secs_f64(),
        threads: rayon::current_num_threads(),
    }
}
