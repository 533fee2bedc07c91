//! Places of people who come by a brush.

use crowdloom_world::Ground;
use glam::DVec2;
use serde_json::{Map, Value as Json};

fn places(event: &mut Map<String, Json>) -> Option<&mut Vec<Json>> {
    event.get_mut("people")?.as_object_mut()?.get_mut("at")?.as_array_mut()
}

/// Leaves out places off the floor.
pub fn keep_on_floor(event: &mut Map<String, Json>, ground: &Ground) {
    let Some(places) = places(event) else { return };
    places.retain(|place| {
        let number = |index: usize| place.get(index).and_then(Json::as_f64);
        match (number(0), number(1)) {
            (Some(x), Some(y)) => ground.is_free(ground.to_local(DVec2::new(x, y)), 0.0),
            // What is no list of places is for others to refuse.
            _ => true,
        }
    });
}

/// Keeps the places that were free.
pub fn keep_places(event: &mut Map<String, Json>, free: &[usize]) {
    let Some(places) = places(event) else { return };
    if places.first().is_none_or(|place| !place.is_array()) {
        return;
    }
    let mut index = 0;
    places.retain(|_| {
        index += 1;
        free.binary_search(&(index - 1)).is_ok()
    });
}
