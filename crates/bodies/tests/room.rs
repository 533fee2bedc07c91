//! Chance gives things that are pushed, pulled or sat in only to people whose discs hold them.

use crowdloom_bodies::{Person, Told, outfits, pieces, room_in, room_with};

/// The things of that many people by chance that ask for room, each once, sorted.
fn wide_things(room: Option<f32>) -> Vec<String> {
    let outfits = outfits();
    let told = Told { room, ..Told::default() };
    let worn = (0..4000).flat_map(|number| Person::draw(&told, number, &outfits).look.worn);
    let names = worn.flatten().map(|piece| pieces()[usize::from(piece)].name.to_string());
    let mut wide: Vec<String> = names.filter(|name| room_with([name.as_str()]) > 0.0).collect();
    wide.sort();
    wide.dedup();
    wide
}

#[test]
fn chance_gives_wide_things_only_where_discs_hold_them() {
    assert!(wide_things(None).is_empty());
    assert_eq!(wide_things(room_in(0.45)), ["suitcase"]);
    assert_eq!(wide_things(room_in(0.5)), ["suitcase", "wheelchair"]);
    assert_eq!(wide_things(room_in(0.7)), ["stroller", "suitcase", "wheelchair"]);
    assert_eq!((room_in(0.25), room_in(0.42), room_in(2.0)), (None, Some(0.42), Some(0.65)));
    // Whoever is told to have something has it.
    let told = Told { things: vec!["stroller".into()], ..Told::default() };
    let person = Person::draw(&told, 3, &outfits());
    assert!(person.look.worn.contains(&crowdloom_bodies::piece_named("stroller")));
}
