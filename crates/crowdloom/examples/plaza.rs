//! A plaza in 15 lines: `cargo run --release -p crowdloom --example plaza`.

use crowdloom::prelude::*;

const PLAZA: &str = "name = 'plaza'\n[world]\nfloor = [[0, 0], [30, 0], [30, 30], [0, 30]]\n\
    obstacle = [{ circle = [15, 15, 2] }]\n[[people]]\ncount = 80\n[[people]]\ncount = 40\nmover = 'orca'\n";

fn main() -> Result<(), SceneError> {
    let (mut plaza, _) = parse(Path::new("plaza.toml"), PLAZA, Overrides::default())?;
    for _ in 0..300 {
        plaza.step();
    }
    let crowd = plaza.crowd();
    println!("{} people after 10 s, {} broken promises", crowd.len(), crowd.promise_overlaps());
    Ok(())
}

#[test]
fn it_runs() {
    assert!(main().is_ok());
}
