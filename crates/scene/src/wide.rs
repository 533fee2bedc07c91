//! Who pushes, pulls or sits in something wide: the disc that is promised holds it, or somebody else has to promise.

use crate::build::Checker;
use crate::mover::Mover;
use crate::people::People;
use crowdloom_bodies::room_with;
use crowdloom_crowd::Crowd;

/// The least radius in metres of discs that hold what the people of a table are told to have.
pub(crate) fn room_of(table: &People) -> f32 {
    room_with(table.things.iter().map(|thing| thing.get_ref().as_str()))
}

/// What moves the people of a table: clips promise discs of the motion graph, and who has what is wider is steered instead.
pub(crate) fn mover_with_things(
    table: &People,
    crowd: &mut Crowd,
    checker: &mut Checker<'_>,
) -> Option<crowdloom_crowd::Mover> {
    let (room, promised) = (room_of(table), crowd.setting().book.options().radius);
    if table.mover.is(Mover::Graph) && room > promised {
        let what = format!("what they have takes a disc of {room} m, but clips promise {promised} m");
        checker.warning(None, what, "they are steered by `orca`; give them a velocity mover");
        return Mover::Orca.build(table, crowd, checker);
    }
    match refuse_too_wide(table, crowd, checker) {
        true => None,
        false => table.mover.build(table, crowd, checker),
    }
}

/// Notes that people who plan, and so promise discs of the motion graph, are told to have what these do not hold; whether it is so.
pub(crate) fn refuse_too_wide(table: &People, crowd: &Crowd, checker: &mut Checker<'_>) -> bool {
    let (room, promised) = (room_of(table), crowd.setting().book.options().radius);
    let plans = match table.mover.known() {
        Some(Mover::Planned) => true,
        Some(Mover::CellMarking) => !table.parameters.contains_key("radius"),
        _ => false,
    };
    let refused = plans && room > promised;
    if refused {
        let what = format!("what they have takes a disc of {room} m, but they promise {promised} m");
        let fix = "give them a velocity mover, such as `mover = \"orca\"`, or other things";
        checker.problem(None, what, fix);
    }
    refused
}
