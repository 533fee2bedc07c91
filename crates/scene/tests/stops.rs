//! Stops: a repeated region means all its copies.

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, parse};
use std::collections::{BTreeMap, BTreeSet};
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

/// Those who wait at a door get through it, one after the other, and nobody is left.
#[test]
fn forty_people_leave_through_a_door_of_a_metre() {
    let text = "name = 'door'\n[world]\nfloor = [[0, 0], [14, 0], [14, 8], [0, 8]]\n\
        obstacle = [{ rectangle = [8, 0, 8.2, 3.5] }, { rectangle = [8, 4.5, 8.2, 8] }]\n\
        [[region]]\nname = 'room'\nrectangle = [0.2, 0.2, 7.5, 7.8]\n\
        [[region]]\nname = 'outside'\nrectangle = [12, 1, 14, 7]\n\
        [[stop]]\nname = 'out'\nregion = 'outside'\nexit = true\n\
        [[people]]\ncount = 40\nin = 'room'\nto = 'out'\n";
    for seed in 301..303 {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let (mut simulation, _) = parse(Path::new("door.toml"), text, overrides).unwrap();
        while !simulation.crowd().is_empty() && simulation.crowd().frame() < 80 * 30 {
            simulation.step();
            assert_eq!(simulation.crowd().overlaps(), (0, 0.0));
        }
        let (left, seconds) = (simulation.crowd().len(), simulation.crowd().frame() / 30);
        println!("seed {seed}: all out after {seconds} s");
        assert_eq!(left, 0, "with seed {seed} some are left");
    }
}

/// Who has to go back turns round in a few steps and does not stop for it.
#[test]
fn who_goes_to_and_fro_keeps_walking() {
    let text = "name = 'to and fro'\n[world]\nfloor = [[0, 0], [20, 0], [20, 12], [0, 12]]\n\
        [[region]]\nname = 'west'\nrectangle = [1, 4, 4, 8]\n\
        [[region]]\nname = 'east'\nrectangle = [16, 4, 19, 8]\n\
        [[stop]]\nname = 'west'\nregion = 'west'\nnext = { east = 1 }\n\
        [[stop]]\nname = 'east'\nregion = 'east'\nnext = { west = 1 }\n\
        [[people]]\nat = [10, 6]\nto = 'east'\nspeed = 1.3\n";
    let (mut simulation, _) = parse(Path::new("to-and-fro.toml"), text, Overrides::default()).unwrap();
    let (mut before, mut stood) = (simulation.crowd().positions()[0], 0);
    for frame in 0..60 * 30 {
        simulation.step();
        let now = simulation.crowd().positions()[0];
        // Not while it sets out.
        stood += u32::from(frame > 90 && now.distance(before) * 30.0 < 0.1);
        before = now;
    }
    assert!(simulation.crowd().mind(0).arrivals >= 4);
    assert!(stood < 30, "stood for {stood} of 1,710 frames");
}

/// In the first frame people walk already, and hardly anybody is in the pose of another.
#[test]
fn a_scene_starts_as_if_it_had_been_going_on() {
    let scene = |warm_up: bool| {
        format!(
            "name = 'square'\nwarm-up = {warm_up}\n[world]\nfloor = [[0, 0], [40, 0], [40, 40], [0, 40]]\n\
            [[people]]\ncount = 60\n"
        )
    };
    let start = |warm_up: bool| {
        let read = parse(Path::new("square.toml"), &scene(warm_up), Overrides::default());
        let (mut simulation, _) = read.unwrap_or_else(|error| panic!("{error}"));
        let crowd = simulation.crowd();
        let poses = (0..crowd.len()).map(|index| crowd.showing(index).map(|(clip, at)| (clip.0, at as u32)));
        let poses: BTreeSet<_> = poses.collect();
        let before = crowd.positions().to_vec();
        assert_eq!((crowd.promise_overlaps(), crowd.overlaps()), (0, (0, 0.0)));
        (0..3).for_each(|_| simulation.step());
        let ways = before.iter().zip(simulation.crowd().positions());
        (poses.len(), ways.filter(|(before, now)| before.distance(**now) > 0.05).count())
    };
    let (poses, walk) = start(true);
    println!("{poses} poses, {walk} of 60 walk");
    assert!(poses > 40 && walk > 45, "{poses} poses, {walk} walk");
    assert_eq!(start(false), (1, 0));
}

#[test]
fn who_comes_faces_its_way_and_walks_in() {
    let text = |facing: &str| {
        format!(
            "name = 'in'\nseed = 4\n[world]\nfloor = [[0, 0], [40, 0], [40, 10], [0, 10]]\n\
             [[region]]\nname = 'west'\nrectangle = [0, 0, 4, 10]\n\
             [[region]]\nname = 'east'\nrectangle = [36, 0, 40, 10]\n\
             [[stop]]\nname = 'out'\nregion = 'east'\nexit = true\n\
             [[people]]\ncount = 20\nin = 'west'\nto = 'out'\nappear = [0, 30]\n{facing}"
        )
    };
    // How many came after the beginning, who of them faced east within 45 degrees, and who had gone a quarter of a metre
    // half a second later.
    let come = |facing: &str| {
        let (mut simulation, _) = parse(Path::new("in.toml"), &text(facing), Overrides::default()).unwrap();
        let mut came: Vec<(u32, u32, glam::Vec2)> = Vec::new();
        let (mut eastward, mut walked) = (0, 0);
        for frame in 1..=1000u32 {
            simulation.step();
            let crowd = simulation.crowd();
            for who in 0..crowd.len() {
                let (id, place) = (crowd.id(who), crowd.placement(who));
                match came.iter().find(|(known, ..)| *known == id) {
                    None => {
                        eastward += usize::from(place.facing().x > 0.7);
                        came.push((id, frame, place.position));
                    }
                    Some((_, first, from)) if frame == first + 15 => {
                        walked += usize::from(place.position.distance(*from) > 0.25);
                    }
                    Some(_) => {}
                }
            }
        }
        (came.len(), eastward, walked)
    };
    let (count, eastward, walked) = come("");
    assert_eq!((count, eastward), (20, 20));
    // Who finds no room for a step stands first.
    assert!(walked >= 16, "{walked} of 20 walk in");
    let (count, eastward, _) = come("facing = 180\n");
    assert_eq!((count, eastward), (20, 0), "who is told a direction faces it");
}

#[test]
fn who_sets_foot_on_an_exit_is_gone() {
    let text = "name = 'out'\nseed = 4\n[world]\nfloor = [[0, 0], [12, 0], [12, 10], [0, 10]]\n\
        [[region]]\nname = 'out'\nrectangle = [8, 2, 11, 8]\n\
        [[stop]]\nname = 'out'\nregion = 'out'\nexit = true\n\
        [[people]]\ncount = 12\nto = 'out'\n";
    let (mut simulation, _) = parse(Path::new("out.toml"), text, Overrides::default()).unwrap();
    let inside = |place: &glam::Vec2| (8.0..11.0).contains(&place.x) && (2.0..8.0).contains(&place.y);
    let mut since: Vec<(u32, u32)> = Vec::new();
    for frame in 0..600u32 {
        simulation.step();
        let crowd = simulation.crowd();
        let there: Vec<u32> = (0..crowd.len())
            .filter(|&who| inside(&crowd.positions()[who]))
            .map(|who| crowd.id(who))
            .collect();
        since.retain(|(id, _)| there.contains(id));
        for id in there {
            match since.iter().find(|(known, _)| *known == id) {
                // Who started there leaves with its first decision.
                Some((_, first)) => {
                    assert!(*first < 15 || frame - first < 2, "{id} lingers in frame {frame}")
                }
                None => since.push((id, frame)),
            }
        }
    }
    assert_eq!(simulation.crowd().len(), 0, "everybody leaves");
}

/// Everybody is sent elsewhere again and again, some of them on the last step to an exit.
#[test]
fn who_is_called_back_from_an_exit_ends_its_step_first() {
    let mut text = "name = 'out'\nseed = 4\n[world]\nfloor = [[0, 0], [14, 0], [14, 10], [0, 10]]\n\
        [[region]]\nname = 'out'\nrectangle = [9, 0, 14, 10]\n\
        [[region]]\nname = 'back'\nrectangle = [0, 0, 5, 10]\n\
        [[region]]\nname = 'middle'\nrectangle = [5.5, 0.5, 8.5, 9.5]\n\
        [[stop]]\nname = 'out'\nregion = 'out'\nexit = true\n\
        [[stop]]\nname = 'back'\nregion = 'back'\nexit = true\n\
        [[people]]\ncount = 30\nin = 'middle'\nto = 'out'\n"
        .to_owned();
    for turn in 0..20 {
        let to = ["back", "out"][turn % 2];
        text += &format!("[[event]]\nat = {}\nto = '{to}'\n", 1.0 + 0.4 * turn as f32);
    }
    let (mut simulation, problems) = parse(Path::new("out.toml"), &text, Overrides::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let mut before: BTreeMap<u32, Vec<glam::Quat>> = BTreeMap::new();
    let mut fastest = 0.0f32;
    for _ in 0..300 {
        simulation.step();
        let crowd = simulation.crowd();
        assert_eq!((crowd.overlaps(), crowd.promise_overlaps()), ((0, 0.0), 0), "frame {}", crowd.frame());
        let poses = (0..crowd.len()).map(|who| (crowd.id(who), crowd.posed(who).pose.rotations));
        let now: BTreeMap<u32, Vec<glam::Quat>> = poses.collect();
        for (id, pose) in &now {
            let turned = before.get(id).into_iter().flat_map(|old| pose.iter().zip(old));
            fastest = turned.map(|(a, b)| a.angle_between(*b)).fold(fastest, f32::max);
        }
        before = now;
    }
    assert!(fastest < 0.75, "a joint turned by {fastest} radians in a frame");
}

/// Who stays in a hall spreads in it, and nobody stands shoulder to shoulder while there is room.
#[test]
fn who_stays_at_a_stop_has_a_place_of_its_own() {
    let text = "name = 'hall'\n[world]\nfloor = [[0, 0], [30, 0], [30, 10], [0, 10]]\n\
        [[region]]\nname = 'way in'\nrectangle = [0, 0, 8, 10]\n\
        [[region]]\nname = 'hall'\nrectangle = [14, 0, 30, 10]\n\
        [[stop]]\nname = 'wait'\nregion = 'hall'\nstay = [200, 300]\n\
        [[people]]\ncount = 30\nin = 'way in'\nto = 'wait'\n";
    for seed in 311..313 {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let (mut simulation, _) = parse(Path::new("hall.toml"), text, overrides).unwrap();
        for _ in 0..50 * 30 {
            simulation.step();
        }
        let places = simulation.crowd().positions();
        let mean = places.iter().map(|place| place.x).sum::<f32>() / places.len() as f32;
        assert!((19.0..25.0).contains(&mean), "seed {seed}: people stand at {mean} m in the mean");
        let nearest = |own: usize| {
            let others = (0..places.len()).filter(|&other| other != own);
            others.map(|other| places[own].distance(places[other])).fold(f32::INFINITY, f32::min)
        };
        let crowded = (0..places.len()).filter(|&own| nearest(own) < 0.6).count();
        assert!(crowded <= 5, "seed {seed}: {crowded} of 30 stand shoulder to shoulder");
    }
}

/// In a passage of a metre people walk half beside each other: it is no single file.
#[test]
fn forty_people_get_through_a_passage_of_a_metre() {
    let text = "name = 'passage'\n[world]\nfloor = [[0, 0], [24, 0], [24, 8], [0, 8]]\n\
        obstacle = [{ rectangle = [8, 0, 13, 3.5] }, { rectangle = [8, 4.5, 13, 8] }]\n\
        [[region]]\nname = 'room'\nrectangle = [0.2, 0.2, 7.5, 7.8]\n\
        [[region]]\nname = 'outside'\nrectangle = [20, 1, 24, 7]\n\
        [[stop]]\nname = 'out'\nregion = 'outside'\nexit = true\n\
        [[people]]\ncount = 40\nin = 'room'\nto = 'out'\n";
    for seed in 321..323 {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let (mut simulation, _) = parse(Path::new("passage.toml"), text, overrides).unwrap();
        while !simulation.crowd().is_empty() && simulation.crowd().frame() < 66 * 30 {
            simulation.step();
        }
        let (left, seconds) = (simulation.crowd().len(), simulation.crowd().frame() / 30);
        println!("seed {seed}: all out after {seconds} s");
        assert_eq!(left, 0, "with seed {seed} some are left");
    }
}

/// Who comes over a crosswalk neither waits for its light nor turns back over it.
#[test]
fn who_has_crossed_goes_on() {
    let text = "name = 'street'\n[world]\nfloor = [[0, 0], [10, 0], [10, 24], [0, 24]]\n\
        [[region]]\nname = 'south kerb'\nrectangle = [0, 4, 10, 7]\n\
        [[region]]\nname = 'north kerb'\nrectangle = [0, 17, 10, 20]\n\
        [[region]]\nname = 'start'\nrectangle = [0, 12, 10, 15]\n\
        [[region]]\nname = 'home'\nrectangle = [0, 0, 10, 3]\n\
        [[signal]]\nname = 'walk'\non = 1\noff = 500\noffset = 2\n\
        [[stop]]\nname = 'home'\nregion = 'home'\nexit = true\n\
        [[situation]]\nname = 'crossing'\nkind = 'crosswalk'\nregion = 'south kerb'\nto = ['north kerb']\n\
        signal = 'walk'\n\
        [[people]]\ncount = 10\nin = 'start'\nto = 'home'\n";
    let (mut simulation, problems) = parse(Path::new("street.toml"), text, Overrides::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    for _ in 0..45 * 30 {
        simulation.step();
    }
    assert_eq!(simulation.crowd().len(), 0, "some wait at the light that they have come from");
}

/// Who is alone keeps to its way through doors, also right after a corner that it came round too far out.
#[test]
fn who_is_alone_goes_through_doors_without_turning_back() {
    let text = "name = 'rooms'\n[world]\nfloor = [[0, 0], [12, 0], [12, 15], [0, 15]]\n\
        obstacle = [{ rectangle = [5.9, 5, 6.1, 7] }, { rectangle = [5.9, 8, 6.1, 10] }, \
        { rectangle = [6, 4.9, 12, 5.1] }, { rectangle = [0, 9.9, 4, 10.1] }, { rectangle = [5, 9.9, 12, 10.1] }, \
        { rectangle = [0, 4.9, 6, 5.1] }]\n\
        [[region]]\nname = 'goal'\nrectangle = [2.6, 13.8, 3.4, 14.6]\n\
        [[stop]]\nname = 'goal'\nregion = 'goal'\nexit = true\n\
        [[people]]\nat = [8.5, 6.0]\nto = 'goal'\nspeed = 1.2\n";
    let seconds = |seed: u64| {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        let (mut simulation, _) = parse(Path::new("rooms.toml"), text, overrides).unwrap();
        while !simulation.crowd().is_empty() && simulation.crowd().frame() < 60 * 30 {
            simulation.step();
        }
        simulation.crowd().frame() as f32 / 30.0
    };
    let mut all: Vec<f32> = (401..421).map(seconds).collect();
    all.sort_by(f32::total_cmp);
    println!("{all:?}");
    // The way is 10.3 m long, which takes 8.6 s at this speed.
    assert!(all[17] < 10.0 && all[19] < 14.0, "some turn back: {all:?} s");
}
