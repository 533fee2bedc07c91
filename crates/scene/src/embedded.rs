//! Scenes that come with Crowdloom.

/// Name, what it shows, and text of each embedded scene.
pub const SCENES: [(&str, &str, &str); 4] = [
    (
        "city",
        "a city of 25 blocks with crosswalks, benches and places to meet (thesis 6.1)",
        include_str!("../scenes/city.toml"),
    ),
    (
        "street",
        "two sidewalks, a crosswalk with a light and people in a hurry (thesis 3.5.1)",
        include_str!("../scenes/street.toml"),
    ),
    ("field", "a crowd that keeps together (thesis 3.5.3)", include_str!("../scenes/field.toml")),
    (
        "rendezvous",
        "people who have to be somewhere exactly: then, facing that way, in that pose (thesis chapter 5)",
        include_str!("../scenes/rendezvous.toml"),
    ),
];

/// The text of an embedded scene.
pub fn scene(name: &str) -> Option<&'static str> {
    SCENES.iter().find(|(own, _, _)| *own == name).map(|(_, _, text)| *text)
}
