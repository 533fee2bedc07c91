//! Measures how a crowd of clip agents flows: doors, corridors, two streams, ready scenes.
//!
//! `cargo run -p crowdloom-scene --example flow -- doors|density|streams|speeds|plain|scene:NAME [SEEDS…]`

use crowdloom_crowd::Steps;
use crowdloom_scene::{Overrides, Simulation, embedded, parse};
use glam::Vec2;
use std::collections::BTreeMap;
use std::path::Path;

fn simulate(text: &str, seed: u64) -> Simulation {
    let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
    match parse(Path::new("flow.toml"), text, overrides) {
        Ok((simulation, _)) => simulation,
        Err(error) => panic!("{error:?}"),
    }
}

fn room(width: f32, count: usize) -> String {
    let (low, high) = (5.0 - width / 2.0, 5.0 + width / 2.0);
    format!(
        "name = 'door'\nseconds = 240\n[world]\nfloor = [[0, 0], [18, 0], [18, 10], [0, 10]]\n\
         obstacle = [{{ rectangle = [10, 0, 10.3, {low}] }}, {{ rectangle = [10, {high}, 10.3, 10] }}]\n\
         [[region]]\nname = 'in'\nrectangle = [0.5, 0.5, 9, 9.5]\n[[region]]\nname = 'out'\nrectangle = [13, 2, 17, 8]\n\
         [[stop]]\nname = 'exit'\nregion = 'out'\nexit = true\n[[people]]\ncount = {count}\nin = 'in'\nto = 'exit'\n"
    )
}

fn l_room(edge: f32, count: usize) -> String {
    format!(
        "name = 'l'\nseconds = 120\n[world]\nfloor = [[0, 0], [16, 0], [16, 6], [7, 6], [7, 14], [0, 14]]\n\
         obstacle = [{{ rectangle = [0, 6, 2.9, 6.3] }}, {{ rectangle = [{edge}, 6, 7, 6.3] }}]\n\
         [[region]]\nname = 'in'\nrectangle = [0.5, 7, 6.5, 13.5]\n[[region]]\nname = 'out'\nrectangle = [13, 1, 16, 5]\n\
         [[stop]]\nname = 'exit'\nregion = 'out'\nexit = true\n[[people]]\ncount = {count}\nin = 'in'\nto = 'exit'\n"
    )
}

/// Frames at which people leave, and how many are left.
fn leave(simulation: &mut Simulation, seconds: u32) -> (Vec<u32>, usize) {
    let mut exits = Vec::new();
    let mut count = simulation.crowd().len();
    for frame in 0..seconds * 30 {
        simulation.step();
        let now = simulation.crowd().len();
        exits.extend(std::iter::repeat_n(frame, count.saturating_sub(now)));
        count = now;
        if count == 0 && frame > 60 {
            break;
        }
    }
    (exits, count)
}

fn corridor(density: f32) -> String {
    let count = (60.0 * 3.0 * density) as usize;
    format!(
        "name = 'corridor'\nseconds = 60\n[world]\nfloor = [[0, 0], [200, 0], [200, 3], [0, 3]]\n\
         [[region]]\nname = 'in'\nrectangle = [0, 0, 60, 3]\n[[region]]\nname = 'out'\nrectangle = [195, 0, 200, 3]\n\
         [[stop]]\nname = 'exit'\nregion = 'out'\nexit = true\n[[people]]\ncount = {count}\nin = 'in'\nto = 'exit'\n"
    )
}

fn streams(per_second: f32) -> String {
    let count = (120.0 * per_second) as usize;
    let stream = |from: &str, to: &str| {
        format!("[[people]]\ncount = {count}\nin = '{from}'\nto = '{to}'\nappear = [0, 120]\n")
    };
    format!(
        "name = 'streams'\nseconds = 180\n[world]\nfloor = [[0, 0], [40, 0], [40, 4], [0, 4]]\n\
         [[region]]\nname = 'west'\nrectangle = [0, 0, 3, 4]\n[[region]]\nname = 'east'\nrectangle = [37, 0, 40, 4]\n\
         [[stop]]\nname = 'w'\nregion = 'west'\nexit = true\n[[stop]]\nname = 'e'\nregion = 'east'\nexit = true\n{}{}",
        stream("west", "e"),
        stream("east", "w")
    )
}

#[derive(Default, Clone)]
struct Watch {
    frames: u32,
    moving: u32,
    waiting: u32,
    fidgets: u32,
    pairs: u32,
    last_side: Option<(char, u32)>,
    last_action: Option<u16>,
    anchor: Vec2,
    since: u32,
    hovers: bool,
}

fn watch(text: &str, seed: u64, seconds: u32) {
    let mut simulation = simulate(text, seed);
    let mut people: BTreeMap<u32, Watch> = BTreeMap::new();
    for frame in 0..seconds * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        let book = crowd.setting().book.clone();
        for agent in 0..crowd.len() {
            let own = people.entry(crowd.id(agent)).or_default();
            own.frames += 1;
            let at = crowd.positions()[agent];
            let commitment = crowd.commitment(agent);
            let going = commitment.rest_frame(&book) > crowd.frame();
            let showing = crowd.showing(agent).filter(|_| going);
            let Some((action, _)) = showing else {
                own.waiting += 1;
                own.last_action = None;
                if at.distance(own.anchor) > 0.8 {
                    (own.anchor, own.since) = (at, frame);
                }
                own.hovers |= frame - own.since > 450;
                continue;
            };
            let clip = &book.graph().action(action).clip;
            let fidget = ["turn-in-place", "side-step", "step-back"].iter().any(|l| clip.has_label(l));
            let travels = clip.has_label("walk") || clip.has_label("run");
            own.fidgets += u32::from(fidget);
            own.moving += u32::from(travels);
            let idle = !fidget && !travels;
            if idle || at.distance(own.anchor) > 0.8 {
                (own.anchor, own.since) = (at, frame);
            }
            own.hovers |= frame - own.since > 450;
            if own.last_action != Some(action.0) && fidget {
                let side = if clip.name.contains("left") { 'l' } else { 'r' };
                if own.last_side.is_some_and(|(last, when)| last != side && frame - when < 150) {
                    own.pairs += 1;
                }
                own.last_side = Some((side, frame));
            }
            own.last_action = Some(action.0);
        }
    }
    if std::env::var("DUMP").is_ok() {
        dump(&simulation);
    }
    let sum = |of: fn(&Watch) -> u32| people.values().map(of).sum::<u32>() as f32;
    let frames = sum(|w| w.frames);
    println!(
        "seed {seed}: {} people; moving {:.1} %, standing {:.1} %, fidgeting {:.1} %, pairs {:.2} /min, hovering {:.1} % of people, arrivals {}",
        people.len(),
        100.0 * sum(|w| w.moving) / frames,
        100.0 * sum(|w| w.waiting) / frames,
        100.0 * sum(|w| w.fidgets) / frames,
        sum(|w| w.pairs) / (frames / 1800.0),
        100.0 * people.values().filter(|w| w.hovers).count() as f32 / people.len() as f32,
        (0..simulation.crowd().len()).map(|a| simulation.crowd().mind(a).arrivals).sum::<u32>(),
    );
}

/// Prints who stands and does not get on.
fn dump(simulation: &Simulation) {
    let crowd = simulation.crowd();
    let book = &crowd.setting().book;
    for agent in 0..crowd.len() {
        let (mind, own) = (crowd.mind(agent), crowd.placement(agent));
        let near =
            (0..crowd.len()).filter(|o| *o != agent).map(|o| crowd.positions()[o].distance(own.position));
        println!(
            "  {} at {:.2} {:.2} heading {:.0} target {:?} blocked {} near {:.2} node {} goal {:?} shows {:?} visits {:?} style {:?}",
            crowd.id(agent),
            own.position.x,
            own.position.y,
            own.heading.to_degrees(),
            mind.target().map(|t| (t - own.position, (t - own.position).to_angle().to_degrees())),
            mind.blocked,
            near.fold(9.0, f32::min),
            book.graph().node(crowd.node(agent)).name,
            mind.goal,
            crowd.showing(agent).map(|(a, _)| &book.graph().action(a).clip.name),
            mind.visits
                .iter()
                .filter(|v| v.takes_part)
                .map(|v| crowd.shared().situations[v.situation.index()].name.clone())
                .collect::<Vec<_>>(),
            mind.style
        );
    }
}

/// What share of time which kinds of clips take.
fn kinds(simulation: &Simulation, into: &mut BTreeMap<String, u32>) {
    let crowd = simulation.crowd();
    let book = &crowd.setting().book;
    for agent in 0..crowd.len() {
        let going = crowd.commitment(agent).rest_frame(book) > crowd.frame();
        let name = crowd.showing(agent).filter(|_| going).map_or("still".to_string(), |(action, _)| {
            let action = book.graph().action(action);
            let (a, b) = (book.cruise(action.from), book.cruise(action.to));
            let kind = if action.clip.has_label("stop") {
                "stop"
            } else if action.clip.has_label("start") {
                "start"
            } else if !action.clip.has_label("walk") {
                return action.clip.name.clone();
            } else if b > a + 0.05 {
                "faster"
            } else if b < a - 0.05 {
                "slower"
            } else {
                "steady"
            };
            format!("{kind}{}", if action.clip.has_label("turn") { " turning" } else { "" })
        });
        *into.entry(name).or_default() += 1;
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let what = words.first().map_or("plain", String::as_str);
    let seeds: Vec<u64> = words.iter().skip(1).filter_map(|word| word.parse().ok()).collect();
    let seeds = if seeds.is_empty() { vec![101] } else { seeds };
    for seed in seeds {
        match what {
            "plain" => {
                let (exits, left) = leave(&mut simulate(&l_room(4.1, 60), seed), 120);
                println!("seed {seed}: door 1.2: {left} left, last {:?}", exits.last().map(|f| f / 30));
                let (exits, left) = leave(&mut simulate(&l_room(3.8, 1), seed), 90);
                println!("seed {seed}: alone 0.9: {left} left, last {:?}", exits.last().map(|f| f / 30));
            }
            "doors" => {
                for width in [0.8, 1.0, 1.2, 1.5, 2.0] {
                    let mut simulation = simulate(&room(width, 120), seed);
                    let (exits, left) = leave(&mut simulation, 240);
                    if std::env::var("DUMP").is_ok() {
                        dump(&simulation);
                    }
                    let flow = match (exits.first(), exits.last()) {
                        (Some(first), Some(last)) if last > first => {
                            (exits.len() - 1) as f32 / ((last - first) as f32 / 30.0) / width
                        }
                        _ => 0.0,
                    };
                    println!(
                        "seed {seed}: door {width} m: {flow:.2} /(m s), {left} left, last {:?} s",
                        exits.last().map(|f| f / 30)
                    );
                }
            }
            "density" => {
                for density in [0.5, 1.1, 1.5, 1.9, 2.5] {
                    let mut simulation = simulate(&corridor(density), seed);
                    let (mut speed, mut seen) = (0.0, 0.0);
                    let mut shown = BTreeMap::new();
                    let mut course: Vec<(f32, f32)> = vec![(0.0, 0.0); 8];
                    for frame in 0..24 * 30 {
                        let before: BTreeMap<u32, Vec2> = (0..simulation.crowd().len())
                            .map(|a| (simulation.crowd().id(a), simulation.crowd().positions()[a]))
                            .collect();
                        simulation.step();
                        {
                            let crowd = simulation.crowd();
                            let part = &mut course[frame / 90];
                            for agent in
                                (0..crowd.len()).filter(|a| (15.0..45.0).contains(&crowd.positions()[*a].x))
                            {
                                part.0 += (crowd.positions()[agent].x - before[&crowd.id(agent)].x) * 30.0;
                                part.1 += 1.0;
                            }
                        }
                        if frame < 6 * 30 {
                            continue;
                        }
                        kinds(&simulation, &mut shown);
                        let crowd = simulation.crowd();
                        for agent in 0..crowd.len() {
                            let at = crowd.positions()[agent];
                            if (20.0..40.0).contains(&at.x) {
                                seen += 1.0;
                                speed += (at.x - before[&crowd.id(agent)].x) * 30.0;
                            }
                        }
                    }
                    println!(
                        "seed {seed}: asked {density}, there {:.2} /m2: {:.2} m/s",
                        seen / (18.0 * 30.0) / 60.0,
                        speed / seen
                    );
                    println!(
                        "   {}",
                        course
                            .iter()
                            .map(|(v, n)| format!("{:.2} ({:.2})", v / n, n / 90.0 / 90.0))
                            .collect::<Vec<_>>()
                            .join(" ")
                    );
                    let total: u32 = shown.values().sum();
                    println!(
                        "   {}",
                        shown
                            .iter()
                            .map(|(k, v)| format!("{k} {:.0} %", 100.0 * *v as f32 / total as f32))
                            .collect::<Vec<_>>()
                            .join(", ")
                    );
                }
            }
            "streams" => {
                for rate in [1.0, 1.5] {
                    let mut simulation = simulate(&streams(rate), seed);
                    let (exits, _) = leave(&mut simulation, 180);
                    println!(
                        "seed {seed}: {rate} /s: {} out, {} left, {} waiting",
                        exits.len(),
                        simulation.crowd().len(),
                        simulation.waiting()
                    );
                }
            }
            "speeds" => {
                for speed in [0.2, 0.3, 0.45, 0.6, 0.9, 1.2, 1.34, 1.5, 1.7, 1.9, 2.5, 3.0, 4.0, 5.0] {
                    let text = format!("{}speed = [{speed}, {speed}]\n", corridor(0.006));
                    let mut simulation = simulate(&text, seed);
                    let (mut at, mut frame) = (None, 0);
                    while frame < 1200 {
                        simulation.step();
                        frame += 1;
                        if simulation.crowd().len() == 0 {
                            break;
                        }
                        let x = simulation.crowd().positions()[0].x;
                        if at.is_none() && frame > 150 {
                            at = Some((x, frame));
                        }
                        if let Some((from, when)) = at
                            && (frame == 1200 || x > 180.0)
                        {
                            let made = (x - from) / ((frame - when) as f32 / 30.0);
                            println!(
                                "seed {seed}: asked {speed}: {made:.3} m/s ({:+.1} %)",
                                100.0 * (made / speed - 1.0)
                            );
                            break;
                        }
                    }
                }
            }
            scene => {
                let name = scene.trim_start_matches("scene:");
                let found = embedded::SCENES.iter().find(|entry| entry.0 == name);
                watch(found.expect("a scene").2, seed, 90);
            }
        }
    }
}
