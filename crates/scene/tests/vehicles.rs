//! A bus, its stops and people: nobody is ever hit, and people get on and off.

use crowdloom_crowd::Steps;
use crowdloom_motion::mobb::Disc;
use crowdloom_scene::{Overrides, Simulation, parse};
use std::path::Path;

const LINE: &str = r#"
name = "bus line"
[world]
floor = [[0, 0], [80, 0], [80, 14], [0, 14]]

[[region]]
name = "west stop"
rectangle = [16, 9.8, 30, 13.5]

[[region]]
name = "east stop"
rectangle = [52, 9.8, 66, 13.5]

[[vehicle]]
name = "bus"
way = [[-12, 8], [92, 8]]
first = 4
every = 60
stop = [{ at = [23, 8], seconds = 12, region = "west stop" }, { at = [59, 8], seconds = 12, region = "east stop" }]

[[situation]]
name = "waiting in the west"
kind = "bus-stop"
region = "west stop"
vehicle = "bus"

[[situation]]
name = "on the bus"
kind = "bus"
vehicle = "bus"
show = ["talk"]

[[people]]
count = 12
in = "west stop"

[[people]]
count = 15
"#;

fn start() -> Simulation {
    parse(Path::new("bus.toml"), LINE, Overrides::default()).unwrap_or_else(|error| panic!("{error}")).0
}

fn bits(simulation: &Simulation) -> Vec<(u32, u32)> {
    simulation.crowd().positions().iter().map(|p| (p.x.to_bits(), p.y.to_bits())).collect()
}

#[test]
fn people_ride_the_bus_and_nobody_is_hit() {
    let mut simulation = start();
    let (mut most_riders, mut farthest, mut in_situation, mut most_off) = (0, 0.0f32, 0, 0);
    for _ in 0..120 * 30 {
        simulation.step();
        let crowd = simulation.crowd();
        assert_eq!(crowd.overlaps(), (0, 0.0), "frame {}", crowd.frame());
        let bus = &crowd.shared().vehicles[0];
        let (mut riders, mut off) = (0, 0);
        for agent in 0..crowd.len() {
            let ride = crowd.mind(agent).ride.as_deref();
            off += usize::from(ride.is_none() && crowd.id(agent) < 12 && crowd.positions()[agent].x > 40.0);
            let radius = crowd.setting().book.options().radius;
            let body = Disc::new(crowd.positions()[agent], radius);
            if ride.is_some_and(|ride| ride.offset.is_some()) {
                riders += 1;
                farthest = farthest.max(bus.state.front);
                assert!(
                    bus.holds(Disc::new(body.centre, radius - 1e-3)),
                    "frame {}: rides outside",
                    crowd.frame()
                );
            } else if ride.is_none() {
                assert!(!bus.claims(body), "frame {}: in the way of the bus", crowd.frame());
            }
        }
        in_situation = in_situation.max(crowd.shared().rolls[1].present.len());
        most_riders = most_riders.max(riders);
        most_off = most_off.max(off);
    }
    assert!(most_riders >= 4, "only {most_riders} rode");
    assert!(farthest > 55.0, "they rode only to {farthest} m");
    assert!(in_situation >= 4, "only {in_situation} in the bus situation");
    // Where they go from there is up to them.
    assert!(most_off >= 3, "{most_off} got off in the east at most");
}

#[test]
fn riding_repeats_itself_on_two_threads_and_after_resuming() {
    let run = |threads: usize, save_at: &[u32]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = start();
            for frame in 0..900 {
                if save_at.contains(&frame) {
                    let bytes = postcard::to_stdvec(&simulation.crowd().save()).unwrap();
                    let mut resumed = start();
                    resumed.crowd_mut().resume(postcard::from_bytes(&bytes).unwrap()).unwrap();
                    simulation = resumed;
                }
                simulation.step();
            }
            bits(&simulation)
        })
    };
    let whole = run(1, &[]);
    // Once while people board, once while they ride.
    assert_eq!(whole, run(2, &[430, 730]));
}

#[test]
fn mistakes_of_vehicles_are_told() {
    let problems = |text: &str| match parse(Path::new("bus.toml"), text, Overrides::default()) {
        Ok((_, problems)) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(error) => error.to_string(),
    };
    assert!(
        problems(&LINE.replace("vehicle = \"bus\"\nshow", "vehicle = \"bis\"\nshow"))
            .contains("did you mean `bus`?")
    );
    assert!(problems(&LINE.replace("[92, 8]]", "[-12, 8]]")).contains("has no way"));
    assert!(problems(&LINE.replace("at = [23, 8]", "at = [70, 8]")).contains("not in the order of its way"));
    assert!(
        problems(&LINE.replace("first = 4", "first = 4\nwidth = -1")).contains("a vehicle's width of -1")
    );
    assert!(problems(&LINE.replace("9.8, 30", "8, 30")).contains("stand in the way of `bus`"));
    assert!(problems(&LINE.replace("first = 4", "first = 4\nplaces = 500")).contains("has room for"));
}
