//! What situations must and must not do, told from what people are seen to do.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use glam::Vec2;
use std::collections::BTreeMap;
use std::path::Path;

fn read(text: &str) -> Simulation {
    let read = parse(Path::new("scene.toml"), text, Overrides::default());
    read.unwrap_or_else(|error| panic!("{error}")).0
}

/// Whether a person shows a clip with this label, or rests in a pose that only such clips lead to.
fn sits(simulation: &Simulation, index: usize) -> bool {
    let crowd = simulation.crowd();
    let book = &crowd.setting().book;
    let graph = book.graph();
    match crowd.showing(index) {
        Some((action, _)) => graph.action(action).clip.has_label("sit"),
        None => false,
    }
}

#[test]
fn people_sit_on_seats_only_and_not_for_ever() {
    let mut simulation = read(embedded::scene("situation:bench").unwrap());
    let seats = [7.2, 8.4, 9.6, 10.8].map(|x| Vec2::new(x, 8.0));
    let mut since: BTreeMap<u32, u32> = BTreeMap::new();
    let (mut seated, mut astray, mut longest) = (0, 0, 0);
    for frame in 0..180 * 30u32 {
        simulation.step();
        let crowd = simulation.crowd();
        for index in 0..crowd.len() {
            if !sits(&simulation, index) {
                since.remove(&crowd.id(index));
                continue;
            }
            seated += 1;
            longest = longest.max(frame - *since.entry(crowd.id(index)).or_insert(frame));
            let place = crowd.positions()[index];
            let off = seats.iter().map(|seat| seat.distance(place)).fold(f32::MAX, f32::min);
            // Sitting down begins, and getting up ends, half a metre before the seat.
            astray += usize::from(off > 0.8);
        }
    }
    assert!(seated > 1000, "{seated} frames seated");
    assert_eq!(astray, 0, "of {seated} frames seated");
    // They stay for 15 to 30 seconds, and take a while to sit down and get up.
    assert!(longest < 45 * 30, "one sat for {} s", longest / 30);
}

#[test]
fn who_only_comes_by_takes_no_room() {
    let text = "name = 'a'\nseed = 2\n[world]\nfloor = [[0, 0], [16, 0], [16, 12], [0, 12]]\n\
        [[region]]\nname = 'place'\nrectangle = [2, 2, 14, 10]\n\
        [[situation]]\nname = 'talk'\nkind = 'talk'\nregion = 'place'\ncapacity = 5\nshare = 0.5\n\
        [[people]]\ncount = 30\nin = 'place'\n";
    let mut simulation = read(text);
    let mut most = 0;
    let mut enough = 0;
    for frame in 0..20 * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        let in_it =
            |index: &usize| crowd.mind(*index).visits.iter().any(|visit| visit.takes_part && !visit.asks);
        let members = (0..crowd.len()).filter(in_it).count();
        most = most.max(members);
        enough += usize::from(frame > 90 && members >= 4);
    }
    assert_eq!(most, 5, "as many as there is room for");
    assert!(enough > 250, "four or five were in it in {enough} of 510 frames only");
}

/// Crossings of the road between two kerbs: begun while the signal was on, and while it was off.
fn crossings(text: &str, kerbs: [&str; 2], seconds: u32) -> [usize; 2] {
    let mut simulation = read(text);
    let mut counts = [0; 2];
    // The frame in which each was last on a kerb, of those who have not got a metre onto the road since.
    let mut on_kerb: BTreeMap<u32, u32> = BTreeMap::new();
    for frame in 0..seconds * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        let ground = &crowd.setting().ground;
        let kerb = |name: &str| ground.regions().iter().find(|region| region.name == name).unwrap();
        let [south, north] = kerbs.map(kerb);
        let (low, high) = (south.bounds().max.y as f32 + 1.0, north.bounds().min.y as f32 - 1.0);
        let (west, east) = (south.bounds().min.x as f32, south.bounds().max.x as f32);
        for index in 0..crowd.len() {
            let (id, place) = (crowd.id(index), crowd.positions()[index]);
            if south.contains(place) || north.contains(place) {
                on_kerb.insert(id, frame);
            } else if (low..high).contains(&place.y) && (west..east).contains(&place.x) {
                let began = on_kerb.remove(&id).map(|left| crowd.shared().signals[0].is_on(left));
                counts[0] += usize::from(began == Some(true));
                counts[1] += usize::from(began == Some(false));
            }
        }
    }
    counts
}

#[test]
fn nobody_sets_out_on_red() {
    let (mut green, mut red) = (0, 0);
    for seed in 1..4 {
        let text = embedded::scene("street").unwrap();
        let text = text.replacen("seconds = 90", &format!("seconds = 180\nseed = {seed}"), 1);
        let text = text.replacen("seed = 1\n", "", usize::from(seed != 1));
        let [on, off] = crossings(&text, ["signed kerb-south", "signed kerb-north"], 180);
        (green, red) = (green + on, red + off);
    }
    println!("{green} crossings began on green, {red} on red");
    assert!(green > 30, "{green} crossings began on green");
    assert!(red * 50 <= green, "{red} of {} crossings began on red", green + red);
}

#[test]
fn a_signal_moves_everybody_to_the_region() {
    let mut simulation = read(embedded::scene("move-to-region").unwrap());
    let is_in = |simulation: &Simulation, name: &str| {
        let crowd = simulation.crowd();
        let region =
            crowd.setting().ground.regions().iter().find(|region| region.name == name).unwrap().clone();
        crowd.positions().iter().filter(|place| region.contains(**place)).count()
    };
    let start = simulation.crowd().positions().to_vec();
    for _ in 0..19 * 30 {
        simulation.step();
        // Standing people sway: a little beyond the border is still there.
        let farthest = simulation.crowd().positions().iter().map(|place| place.x).fold(0.0, f32::max);
        assert!(farthest < 12.3, "somebody is at {farthest} m in second {}", simulation.crowd().frame() / 30);
    }
    let moved =
        start.iter().zip(simulation.crowd().positions()).filter(|(a, b)| a.distance(**b) > 1.0).count();
    assert!(moved > 20, "only {moved} of 30 wander about");
    (0..41 * 30).for_each(|_| simulation.step());
    let arrived = is_in(&simulation, "there");
    assert!(arrived >= 28, "{arrived} of 30 have arrived after 40 s");
}
