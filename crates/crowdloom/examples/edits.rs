//! Watching a running crowd and changing it: `cargo run --release -p crowdloom --example edits`.

use crowdloom::prelude::*;
use glam::Vec2;

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

    // From now on social forces move the first of them, as soon as the promises of others allow it; then it is undone.
    let mut back = None;
    while let (None, Some(&first)) = (&back, west.first()) {
        match hall.edit(Edit::Mover(first, Mover::Steered(0))) {
            Ok(undo) => back = Some(undo),
            Err(refusal) if refusal.is_for_now() => hall.step(),
            Err(refusal) => return Err(refusal.into()),
        }
    }
    (0..300).for_each(|_| hall.step());
    if let Some(undo) = back {
        match hall.edit(undo) {
            Ok(_) | Err(Refusal::NoRoom) => {}
            Err(refusal) => return Err(refusal.into()),
        }
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
