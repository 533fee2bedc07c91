//! Scenes that come with Crowdloom.

/// Name, what it shows, and text of each embedded scene.
pub const SCENES: [(&str, &str, &str); 13] = [
    (
        "city",
        "a city of 25 blocks with crosswalks, benches and places to meet (thesis 6.1)",
        include_str!("../scenes/city.toml"),
    ),
    (
        "street",
        "two sidewalks, two crosswalks, one with a light, and people in a hurry (thesis 3.5.1)",
        include_str!("../scenes/street.toml"),
    ),
    (
        "theater",
        "ticket booth, lobby, restrooms and a movie room (thesis 3.5.2)",
        include_str!("../scenes/theater.toml"),
    ),
    (
        "field",
        "a crowd that follows, spreads and gathers back (thesis 3.5.3)",
        include_str!("../scenes/field.toml"),
    ),
    (
        "move-to-region",
        "people wander about until a signal sends them elsewhere (thesis A.7)",
        include_str!("../scenes/move-to-region.toml"),
    ),
    (
        "rendezvous",
        "people who have to be somewhere exactly: then, facing that way, in that pose (thesis chapter 5)",
        include_str!("../scenes/rendezvous.toml"),
    ),
    (
        "flocking",
        "a flock goes round and round, everybody in a style of its own (Gu and Deng 2010, section VI-A)",
        include_str!("../scenes/flocking.toml"),
    ),
    (
        "urban-street",
        "people walk up and down a street in many styles (the same)",
        include_str!("../scenes/urban-street.toml"),
    ),
    (
        "panic-evacuation",
        "a hall is left at a run (the same)",
        include_str!("../scenes/panic-evacuation.toml"),
    ),
    (
        "fighting-training",
        "rows of people train to fight (the same)",
        include_str!("../scenes/fighting-training.toml"),
    ),
    (
        "street-entertainment",
        "people stand and watch, others pass by (the same)",
        include_str!("../scenes/street-entertainment.toml"),
    ),
    (
        "military-march",
        "a formation marches among people who walk (the same)",
        include_str!("../scenes/military-march.toml"),
    ),
    (
        "promenade",
        "people on a motion graph and among them some with a mover, everybody in a style of its own",
        include_str!("../scenes/promenade.toml"),
    ),
];

/// What the name of an experiment of constrained motion synthesis begins with.
pub const EXPERIMENT: &str = "experiment:";

/// Number, what it shows, and text of the experiments of Sung, Kovar and Gleicher 2005, table 1.
pub const EXPERIMENTS: [(&str, &str, &str); 7] = [
    ("1", "20 arrive at once, in a ring", include_str!("../scenes/experiments/1.toml")),
    ("2", "70 spell a word", include_str!("../scenes/experiments/2.toml")),
    ("3", "one goes through rooms full of people to a box", include_str!("../scenes/experiments/3.toml")),
    ("4", "40 go from a lobby to theatre seats", include_str!("../scenes/experiments/4.toml")),
    ("5", "20 who sit each carry a box and return", include_str!("../scenes/experiments/5.toml")),
    ("6a", "300 on crossing grids", include_str!("../scenes/experiments/6a.toml")),
    ("6b", "500 on crossing grids", include_str!("../scenes/experiments/6b.toml")),
];

/// Experiment 6 with so many rows of ten, `spacing` metres apart.
pub fn crossing_grids(rows: usize, spacing: f64) -> String {
    // The way is the same however near they are, so that only the density differs.
    let way = 32.0f64.max(10.0 * spacing);
    let (far, high) = (10.0 * spacing + way + 20.0, rows as f64 * spacing + 20.0);
    include_str!("../scenes/experiments/6a.toml")
        .replace("rows = 30", &format!("rows = {rows}"))
        .replace("step = [3, 3]", &format!("step = [{spacing}, {spacing}]"))
        .replace("at = [32, 0]", &format!("at = [{way}, 0]"))
        .replace("[82, -20], [82, 110], [-20, 110]", &format!("[{far}, -20], [{far}, {high}], [-20, {high}]"))
}

/// What the name of an example of a situation begins with.
pub const SITUATION: &str = "situation:";

/// A small scene that shows one kind of situation.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The kind's name.
    pub name: &'static str,
    /// The scene.
    pub text: &'static str,
    /// The second in which there is most to be seen.
    pub second: f32,
}

macro_rules! examples {
    ($($name:literal at $second:literal),* $(,)?) => {
        [$(Example {
            name: $name,
            text: include_str!(concat!("../scenes/situations/", $name, ".toml")),
            second: $second,
        }),*]
    };
}

/// An example of every kind of situation.
pub const SITUATIONS: [Example; 20] = examples![
    "crosswalk" at 14.0,
    "traffic-light" at 14.0,
    "hurry" at 6.0,
    "bench" at 25.0,
    "seat-rows" at 50.0,
    "ticket-queue" at 45.0,
    "follow" at 14.0,
    "gather" at 25.0,
    "stay-in" at 20.0,
    "talk" at 25.0,
    "vending-machine" at 24.0,
    "exclusive-room" at 30.0,
    "bus-stop" at 24.0,
    "bus" at 42.0,
    "friends" at 20.0,
    "group" at 30.0,
    "close" at 30.0,
    "get-together" at 22.0,
    "shop-window" at 25.0,
    "balance" at 50.0,
];

/// The text of an embedded scene, of an example of a situation such as `situation:bench`, or of an experiment such as
/// `experiment:4`.
pub fn scene(name: &str) -> Option<&'static str> {
    if let Some(number) = name.strip_prefix(EXPERIMENT) {
        return EXPERIMENTS.iter().find(|(own, _, _)| *own == number).map(|(_, _, text)| *text);
    }
    if let Some(kind) = name.strip_prefix(SITUATION) {
        return SITUATIONS.iter().find(|example| example.name == kind).map(|example| example.text);
    }
    SCENES.iter().find(|(own, _, _)| *own == name).map(|(_, _, text)| *text)
}

/// Where the set of the city begins, which is made for its own number of blocks.
const SET_OF_THE_CITY: &str = "\n# What is seen of the roads";

/// The embedded city with `blocks` blocks a side, each with its situations, and so many people; without its set.
pub fn city(blocks: usize, people: usize) -> String {
    let text = include_str!("../scenes/city.toml");
    let text = text.split_once(SET_OF_THE_CITY).map_or(text, |(city, _)| city);
    text.replace("blocks = 5", &format!("blocks = {blocks}"))
        .replace("columns = 5, rows = 5", &format!("columns = {blocks}, rows = {blocks}"))
        .replace("count = 2000", &format!("count = {people}"))
}
