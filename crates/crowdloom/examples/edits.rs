//! Watching a running crowd and changing it: `cargo run --release -p crowdloom --example edits`.

use crowdloom::glam::{DVec2, Vec2};
use crowdloom::prelude::*;

const HALL: &str = "name = 'hall'\n[world]\nfloor = [[0, 0], [24, 0], [24, 12], [0, 12]]\n\
    [[people]]\ncount = 30\n[[people]]\ncount = 1\nmover = 'social-force'\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut hall, _) = parse(Path::new("hall.toml"), HALL, Overrides::default())?;
    (0..90).for_each(|_| hall.step());

    // Everybody in the west is to come to the east, the slow ones faster.
    let west: Vec<u32> = (0..hall.crowd().len())
        .filter(|index| hall.crowd().positions()[*index].x < 12.0)
        .map(|index| hall.crowd().id(index))
        .collect();
    for &id in &west {
        hall.edit(Edit::Goal(id, Some(Vec2::new(20.0, 6.0))))?;
        hall.edit(Edit::Speed(id, 1.5))?;
    }

    // From now on social forces move the first of them, and a pillar stands in the middle, both as soon as the promises of
    // others allow it.
    if let Some(&first) = west.first() {
        hall.edit_when_free(Edit::Mover(first, Mover::Steered(0)))?;
    }
    let pillar = [(11.5, 5.5), (12.5, 5.5), (12.5, 6.5), (11.5, 6.5)];
    let pillar = pillar.map(|(x, y)| DVec2::new(x, y)).to_vec();
    hall.edit_when_free(Edit::AddObstacle("pillar".into(), vec![pillar]))?;
    (0..300).for_each(|_| hall.step());

    // The last change is taken back, and made again.
    hall.undo()?;
    match hall.redo() {
        Ok(()) | Err(Refusal::NoRoom | Refusal::Promised(_)) => {}
        Err(refusal) => return Err(refusal.into()),
    }
    println!(
        "{} changes were made; {} promises are broken",
        hall.log().len(),
        hall.crowd().promise_overlaps()
    );
    Ok(())
}

#[test]
fn it_runs() {
    assert!(main().is_ok());
}
