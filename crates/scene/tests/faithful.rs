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
        // Those whom rules and sensors count, and of whom they tell the first, take part.
        let takes_part = |id: &u32| {
            (0..crowd.len()).any(|index| {
                crowd.id(index) == *id && crowd.mind(index).visits.iter().any(|visit| visit.takes_part)
            })
        };
        let present = &crowd.shared().rolls[0].present;
        assert!(present.len() <= 5 && present.iter().all(takes_part), "{present:?}");
        enough += usize::from(frame > 90 && members >= 4);
    }
    assert_eq!(most, 5, "as many as there is room for");
    assert!(enough > 250, "four or five were in it in {enough} of 510 frames only");
}

/// Who is this far from the kerb, in metres, crosses.
const HALF_WAY: f32 = 3.0;

/// Crossings of the road between two kerbs: begun while the signal was on, and while it was off.
fn crossings(text: &str, kerbs: [&str; 2], seconds: u32) -> [usize; 2] {
    let mut simulation = read(text);
    let mut counts = [0; 2];
    // The frame in which each was last on a kerb, of those who have not got half way over the road since.
    let mut on_kerb: BTreeMap<u32, u32> = BTreeMap::new();
    for frame in 0..seconds * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        let ground = &crowd.setting().ground;
        let kerb = |name: &str| ground.regions().iter().find(|region| region.name == name).unwrap();
        let [south, north] = kerbs.map(kerb);
        // Who steps down from a full kerb to get round others does not cross.
        let (low, high) = (south.bounds().max.y as f32 + HALF_WAY, north.bounds().min.y as f32 - HALF_WAY);
        let (west, east) = (south.bounds().min.x as f32, south.bounds().max.x as f32);
        for index in 0..crowd.len() {
            let (id, place) = (crowd.id(index), crowd.positions()[index]);
            if south.contains(place) || north.contains(place) {
                on_kerb.insert(id, frame);
            } else if (low..high).contains(&place.y) && (west..east).contains(&place.x) {
                // Who left the kerb long before has come onto the road elsewhere.
                let left = on_kerb.remove(&id).filter(|left| frame - left < 6 * 30);
                let began = left.map(|left| crowd.shared().signals[0].is_on(left));
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

/// A hall where everybody else is told by a rule about `ann`, who is moved in some way.
fn hall_with(ann: &str, rule: &str, sensor: &str) -> String {
    format!(
        "name = 'hall'\nwarm-up = false\n[world]\nfloor = [[0, 0], [30, 0], [30, 12], [0, 12]]\n\
         [[region]]\nname = 'west'\nrectangle = [0, 0, 8, 12]\n\
         [[region]]\nname = 'east'\nrectangle = [25, 4, 29, 8]\n\
         [[stop]]\nname = 'east'\nregion = 'east'\nstay = 100\nnext = {{ east = 1 }}\n\
         [[signal]]\nname = 'bell'\non = 0\noff = 1\n\
         [[situation]]\nname = 'watch'\nkind = 'group'\nregion = 'west'\nsensor = {{ other = {sensor} }}\n\
         rules = ['{rule}']\n\
         [[people]]\ncount = 1\nat = [[2, 6]]\nstays = 'waiting'\nname = 'ben'\n{ann}"
    )
}

#[test]
fn sensors_see_everybody_whatever_moves_them() {
    let far =
        |mover: &str| format!("[[people]]\nname = 'ann'\nat = [[20, 6]]\nto = 'east'\nmover = '{mover}'\n");
    let planned = "[[people]]\nname = 'ann'\nat = [20, 6]\nmover = 'planned'\n\
        [[constraint]]\nperson = 'ann'\nat = [27, 6]\nfacing = 0\npose = 'stand'\n";
    let rung = |ann: &str, rule: &str, sensor: &str| {
        let mut simulation = read(&hall_with(ann, rule, sensor));
        let mut rung = false;
        for _ in 0..240 {
            simulation.step();
            rung |= simulation.crowd().shared().signals[0].by_hand == Some(true);
        }
        assert!(
            simulation.crowd().shared().warnings.is_empty(),
            "{:?}",
            simulation.crowd().shared().warnings
        );
        rung
    };
    for ann in [far("graph"), far("orca"), far("cell-marking"), planned.to_owned()] {
        // By name, wherever she is: that she walks is seen from 18 m away; the nearest is out of sight.
        let walks = "if other.there && other.speed > 0.5 && other.distance > 12.0 { me.raise(\"bell\") }";
        assert!(rung(&ann, walks, "{ agent = 'ann' }"), "{ann}");
        assert!(!rung(&ann, walks, "{ agent = 'nearest' }"), "{ann}");
        let near = ann.replace("[20, 6]", "[4, 6]");
        let walks = "if other.there && other.speed > 0.5 { me.raise(\"bell\") }";
        assert!(rung(&near, walks, "{ agent = 'nearest' }"), "{near}");
        let there = "if other > 0.0 { me.raise(\"bell\") }";
        assert!(rung(&near, there, "{ density = { at = [5, 6], radius = 2.0 } }"), "{near}");
        assert!(
            rung(&near, "if !other { me.raise(\"bell\") }", "{ empty = { at = [5, 6], radius = 2.0 } }"),
            "{near}"
        );
        assert!(
            !rung(&near, "if !other { me.raise(\"bell\") }", "{ empty = { at = [5, 10], radius = 2.0 } }"),
            "{near}"
        );
    }
    let unknown = hall_with(&far("graph"), "me.stand()", "{ agent = 'anna' }");
    let error =
        parse(Path::new("scene.toml"), &unknown, Overrides::default()).err().map(|error| error.to_string());
    assert!(error.as_ref().is_some_and(|error| error.contains("did you mean `ann`?")), "{error:?}");
}

#[test]
fn who_has_to_sit_at_some_time_sits_down_then() {
    let text = |time: &str| {
        format!(
            "name = 'a'\nwarm-up = false\n[world]\nfloor = [[0, 0], [16, 0], [16, 12], [0, 12]]\n\
             [[region]]\nname = 'around'\nrectangle = [2, 2, 14, 11]\n\
             [[situation]]\nname = 'bench'\nkind = 'bench'\nregion = 'around'\n{time}\n\
             spots = [[5, 9, -90], [7, 9, -90], [9, 9, -90], [11, 9, -90]]\nstay = [60, 60]\n\
             [[people]]\ncount = 4\nat = [[4, 4], [7, 3], [10, 3], [12, 4]]\n"
        )
    };
    let seats = [5.0, 7.0, 9.0, 11.0].map(|x| Vec2::new(x, 9.0));
    // The frames in which each of the seats is sat on first.
    let seated = |time: &str| {
        let mut simulation = read(&text(time));
        let mut first = [None; 4];
        for frame in 1..=45 * 30u32 {
            simulation.step();
            let crowd = simulation.crowd();
            for (seat, first) in seats.iter().zip(&mut first) {
                let on_it = |place: &&Vec2| place.distance(*seat) < 0.005;
                if first.is_none() && crowd.positions().iter().any(|place| on_it(&place)) {
                    *first = Some(frame);
                }
            }
        }
        println!("{:?}", simulation.crowd().arrival_tally());
        first
    };
    let at_any_time = seated("");
    assert!(at_any_time.iter().flatten().all(|frame| *frame < 600), "{at_any_time:?}");
    let then = seated("time = 30");
    println!("{at_any_time:?} at any time, {then:?} at 30 s");
    // The body is on the seat a moment before it is at rest; for one no way may be found that takes as long.
    assert!(then.iter().flatten().count() >= 3, "{then:?}");
    assert!(then.iter().flatten().all(|frame| (870..=900).contains(frame)), "{then:?}");
    let between = seated("time = [25, 32]");
    assert!(between.iter().flatten().count() >= 3, "{between:?}");
    assert!(between.iter().flatten().all(|frame| (720..=960).contains(frame)), "{between:?}");
    let wrong = text("exact = false\ntime = 20");
    let error =
        parse(Path::new("scene.toml"), &wrong, Overrides::default()).err().map(|error| error.to_string());
    assert!(error.as_ref().is_some_and(|error| error.contains("exact = true")), "{error:?}");
}

#[test]
fn people_cross_to_anywhere_on_the_other_side() {
    let mut simulation = read(embedded::scene("situation:crosswalk").unwrap());
    let mut goals: BTreeMap<(u32, u32), Vec2> = BTreeMap::new();
    for _ in 0..60 * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        let ground = &crowd.setting().ground;
        let north = ground.regions().iter().find(|region| region.name == "north kerb").unwrap();
        let wishes = (0..crowd.len()).filter_map(|index| crowd.mind(index).wish());
        goals
            .extend(wishes.filter(|at| north.contains(*at)).map(|at| ((at.x.to_bits(), at.y.to_bits()), at)));
    }
    let ground = simulation.crowd().setting().ground.clone();
    let wide = ground.regions().iter().find(|region| region.name == "north kerb").unwrap().bounds();
    let (least, most) = goals
        .values()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), at| (least.min(at.x), most.max(at.x)));
    assert!(goals.len() >= 6, "{goals:?}");
    assert!(most - least > 0.4 * (wide.max.x - wide.min.x) as f32, "{least} to {most} of {wide:?}");
}

#[test]
fn seats_are_chosen_with_an_eye_to_nearness() {
    let (mut chosen, mut any, mut count) = (0.0, 0.0, 0.0);
    for seed in 1..=4 {
        let seats: Vec<String> = (0..12).map(|place| format!("[{}, 8, -90]", 3 + 3 * place)).collect();
        let people: Vec<String> = (0..12).map(|place| format!("[{}, 5]", 3 + 3 * place)).collect();
        let text = format!(
            "name = 'a'\nseed = {seed}\nwarm-up = false\n[world]\nfloor = [[0, 0], [40, 0], [40, 12], [0, 12]]\n\
             [[region]]\nname = 'around'\nrectangle = [1, 2, 39, 10]\n\
             [[situation]]\nname = 'bench'\nkind = 'bench'\nregion = 'around'\nspots = [{}]\n\
             [[people]]\ncount = 12\nat = [{}]\n",
            seats.join(", "),
            people.join(", ")
        );
        let mut simulation = read(&text);
        (0..30).for_each(|_| simulation.step());
        let crowd = simulation.crowd();
        for (seat, holder) in crowd.shared().rolls[0].holders.iter().enumerate() {
            let Some(index) = holder.and_then(|id| (0..crowd.len()).find(|index| crowd.id(*index) == id))
            else {
                continue;
            };
            let place = crowd.positions()[index];
            let away = |seat: usize| Vec2::new((3 + 3 * seat) as f32, 8.0).distance(place);
            chosen += away(seat);
            any += (0..12).map(away).sum::<f32>() / 12.0;
            count += 1.0;
        }
    }
    assert!(count > 30.0, "{count} hold a seat");
    assert!(chosen < 0.75 * any, "{} m away, {} m if it did not matter", chosen / count, any / count);
}
