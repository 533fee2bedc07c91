//! A velocity model of one's own: `cargo run --release -p crowdloom --example own_model`.
//!
//! The collision-free speed model (Tordeux, Chraibi and Seyfried 2016): others bend one's direction the more the nearer they
//! are, and the gap ahead sets the speed.

use crowdloom::glam::Vec2;
use crowdloom::prelude::*;

/// How strongly others bend one's direction, and over which distance in metres.
const REPULSION: (f32, f32) = (4.0, 0.1);
/// Seconds that one keeps to who is ahead.
const TIME_GAP: f32 = 1.0;

struct CollisionFreeSpeed;

impl VelocityModel for CollisionFreeSpeed {
    fn choose(&self, batch: &Batch<'_>, velocities: &mut [Vec2], _memories: &mut [Memory]) {
        for (person, velocity) in velocities.iter_mut().enumerate() {
            let (here, radius) = (batch.positions[person], batch.radii[person]);
            let neighbours = || batch.neighbours_of(person).iter().map(|&other| other as usize);
            let gap = |other: usize, offset: Vec2| offset.length() - radius - batch.others.radii[other];
            let push = |gap: f32| REPULSION.0 * libm::expf(-gap / REPULSION.1);

            let mut direction = batch.preferred[person].normalize_or_zero();
            for other in neighbours() {
                let offset = batch.others.positions[other] - here;
                direction -= offset.normalize_or_zero() * push(gap(other, offset));
            }
            for &wall in batch.walls_of(person) {
                direction -= wall.normalize_or_zero() * push(wall.length() - radius);
            }
            let direction = direction.normalize_or_zero();

            let mut speed = batch.preferred[person].length();
            for other in neighbours() {
                let offset = batch.others.positions[other] - here;
                let aside = direction.perp_dot(offset).abs();
                if direction.dot(offset) > 0.0 && aside < radius + batch.others.radii[other] {
                    speed = speed.min(gap(other, offset).max(0.0) / TIME_GAP);
                }
            }
            *velocity = direction * speed;
        }
    }
}

const HALL: &str = "name = 'hall'\n[world]\nfloor = [[0, 0], [24, 0], [24, 12], [0, 12]]\n\
    [[people]]\ncount = 20\nmover = 'my-speed'\n[[people]]\ncount = 20\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let additions = Additions::new().with_model("my-speed", CollisionFreeSpeed);
    let (mut hall, _) = parse_with(Path::new("hall.toml"), HALL, Overrides::default(), &additions)?;
    (0..150).for_each(|_| hall.step());

    // Somebody who followed clips is moved by the model from now on, as soon as promises allow it.
    let walker = (0..hall.crowd().len()).find(|index| hall.crowd().mover(*index) == Mover::Graph);
    let walker = walker.map(|index| hall.crowd().id(index)).ok_or("somebody follows clips")?;
    let mover = hall.crowd_mut().added_mover("my-speed").ok_or("the model was added")?;
    hall.edit_when_free(Edit::Mover(walker, mover))?;
    (0..150).for_each(|_| hall.step());

    // Put away and gone on with: the program gives the same model again.
    let put_away = hall.snapshot()?;
    let mut again = Simulation::from_snapshot_with(&put_away, &additions)?;
    for _ in 0..60 {
        hall.step();
        again.step();
    }
    if hall.crowd().positions() != again.crowd().positions() {
        return Err("going on is not the same as never stopping".into());
    }
    let steered = (0..hall.crowd().len()).filter(|index| hall.crowd().steered_velocity(*index).is_some());
    println!(
        "{} of {} people are moved by the model; {} promises are broken",
        steered.count(),
        hall.crowd().len(),
        hall.crowd().promise_overlaps()
    );
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
