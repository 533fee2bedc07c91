//! Stops: a repeated region means all its copies.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, parse};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn people_go_to_all_copies_of_a_region() {
    let text = "name = 'stalls'\n[world]\nfloor = [[0, 0], [40, 0], [40, 20], [0, 20]]\n\
        [[region]]\nname = 'start'\nrectangle = [0, 0, 8, 20]\n\
        [[region]]\nname = 'stall'\nrectangle = [14, 2, 18, 6]\nrepeat = { columns = 2, rows = 2, step = [12, 10] }\n\
        [[stop]]\nname = 'shopping'\nregion = 'stall'\nstay = [2, 4]\nnext = { shopping = 1 }\n\
        [[people]]\ncount = 24\nin = 'start'\nto = 'shopping'\n";
    let (mut simulation, problems) = parse(Path::new("test.toml"), text, Overrides::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let ground = simulation.crowd().setting().ground.clone();
    let stalls: Vec<_> = ground.regions().iter().filter(|region| region.name.starts_with("stall-")).collect();
    assert_eq!(stalls.len(), 4);
    // Where people are when they have just arrived somewhere.
    let mut arrivals = vec![0; simulation.crowd().len()];
    let mut visited = BTreeSet::new();
    for _ in 0..60 * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        for (agent, &position) in crowd.positions().iter().enumerate() {
            if crowd.mind(agent).arrivals > arrivals[agent] {
                arrivals[agent] = crowd.mind(agent).arrivals;
                // Or within a step of a goal at its edge.
                visited.extend(stalls.iter().position(|stall| stall.contains(position)));
            }
        }
    }
    assert_eq!(visited.len(), 4, "only {visited:?} were ever visited");
}
