"""Changing a running crowd."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from crowdloom import EditError, SceneError, Simulation


def test_people_come_and_go(sim: Simulation) -> None:
    new = sim.add([[10, 3], [10, 4.5]], mover="orca", speed=1.2)
    np.testing.assert_allclose(sim.positions[sim.index_of(new)], [[10, 3], [10, 4.5]], atol=1e-5)
    assert len(sim) == 32 and [sim.movers[index] for index in sim.index_of(new)] == ["orca"] * 2
    came = sim.edit(people={"count": 5, "in": "west", "to": "out", "member-of": ["friends"]})
    assert len(came.ids) == 5 and came.made == 10
    assert (sim.situations[sim.index_of(came.ids)] == 0).all()
    assert sim.situations_of(int(came.ids[0])) == ["friends"]
    sim.remove(new)
    assert len(sim) == 35
    with pytest.raises(EditError, match=f"no person {new[0]}"):
        sim.index_of(new)
    sim.step(30)
    assert sim.overlaps == 0


def test_no_room(sim: Simulation) -> None:
    place = sim.positions[0]
    with pytest.raises(EditError) as caught:
        sim.add(place)
    assert caught.value.later and len(caught.value.refused) == 1
    with pytest.raises(SceneError, match="off the floor"):
        sim.add([[500.0, 500.0], [1.0, 1.0]])
    assert len(sim) == 30


def test_goals_speeds_and_movers(sim: Simulation) -> None:
    ids = sim.ids[:4]
    sim.set_goals(ids, [20, 6])
    np.testing.assert_allclose(sim.goals[:4], np.tile([20, 6], (4, 1)), atol=1e-5)
    goals = np.array([[1, 1], [2, 2], [3, 3], [4, 4.0]])
    sim.set_goals(ids, goals)
    np.testing.assert_allclose(sim.goals[:4], goals, atol=1e-5)
    sim.set_speeds(ids, 1.75)
    sim.set_speeds(ids[:2], [1.25, 1.5])
    np.testing.assert_allclose(sim.preferred_speeds[:4], [1.25, 1.5, 1.75, 1.75])
    asked = sim.set_mover(ids, "social-force")
    sim.step(60)
    moved = [mover for mover, number in zip(sim.movers, sim.ids) if number in ids]
    assert asked.made + asked.waiting == 4 and "social-force" in moved


def test_movers_must_be_known_from_the_beginning(hall: dict[str, Any]) -> None:
    sim = Simulation.from_scene(hall)
    # However often it is tried.
    for _ in range(2):
        with pytest.raises(SceneError, match="from its beginning") as caught:
            sim.set_mover(sim.ids[:1], "hidac")
        with pytest.raises(SceneError, match="from its beginning"):
            sim.add([10, 3], mover="rvo")
        with pytest.raises(SceneError, match="from its beginning"):
            sim.add([10, 3], to=["west", "east"])
    sim.copy()
    assert "count = 0" in caught.value.help
    other = Simulation.from_scene(hall, movers=["hidac"])
    other.set_mover(other.ids[:1], "hidac")
    other.step(30)
    # A snapshot knows of it.
    again = other.copy()
    again.step(30)
    other.step(30)
    np.testing.assert_array_equal(again.positions, other.positions)


def test_doors_signals_and_situations(sim: Simulation) -> None:
    sim.close("gate")
    sim.step(60)
    assert sim.obstacles["gate"] and not sim.is_walkable([18.2, 6])[0]
    sim.open("gate")
    assert sim.is_walkable([18.2, 6])[0]
    sim.switch("light", False)
    assert sim.signals == {"light": False}
    sim.switch("light", None)
    assert sim.signals == {"light": True}
    sim.edit(who=sim.ids[:3], joins="friends")
    assert (sim.situations[:3] == 0).all()
    assert sim.edit(who="friends", speed=1.0).made == 3
    assert sim.edit(who="west", speed=1.1).made >= 10
    with pytest.raises(EditError, match="joining twice"):
        sim.edit(who=sim.ids[:1], joins="friends")


def test_places_come_by_hand(sim: Simulation) -> None:
    sim.edit(region={"name": "corner", "rectangle": [20, 9, 24, 12]})
    sim.edit(stop={"name": "meet", "region": "corner", "stay": [1, 2], "next": {"meet": 1}})
    sim.edit(set_signal={"name": "bell", "on": 1, "off": 1})
    sim.edit({"set-situation": {"name": "chat", "kind": "gather", "region": "corner", "at": [22, 10.5], "stay": [5, 9]}})
    sim.edit(obstacle={"name": "pillar", "circle": [14, 10, 0.4]})
    assert sim.regions[-1] == "corner" and sim.stops[-1] == "meet" and "bell" in sim.signals
    assert sim.situation_names[-1] == "chat"
    # An obstacle waits for promises of people to be there.
    for _ in range(600):
        if not sim.waiting_edits:
            break
        sim.step()
    assert sim.obstacles["pillar"] and not sim.is_walkable([14, 10])[0]
    sim.edit(who=sim.ids[:6], to="meet")
    sim.switch("bell", True)
    sim.edit(situation="chat", on=False)
    sim.edit(situation="chat", on=True)
    # Two at once, and what is there already is changed.
    sim.edit({"region": {"name": "nook", "rectangle": [0, 0, 2, 2]}}, {"stop": {"name": "rest", "region": "nook", "exit": True}})
    sim.edit(region={"name": "nook", "rectangle": [0, 0, 3, 3]}, obstacle={"name": "pillar", "circle": [14, 9, 0.4]})
    assert sim.regions.count("nook") == 1 and list(sim.obstacles).count("pillar") == 1
    sim.step(90)
    again = sim.copy()
    for one in (sim, again):
        one.step(300)
    np.testing.assert_array_equal(again.positions, sim.positions)
    assert "chat" in {sim.situation_names[number] for number in sim.situations if number >= 0}


def test_undo_redo_and_the_log(sim: Simulation) -> None:
    before = sim.preferred_speeds.copy()
    sim.edit(who=int(sim.ids[0]), speed=1.9)
    sim.edit(who=int(sim.ids[1]), speed=0.7)
    sim.undo()
    np.testing.assert_allclose(sim.preferred_speeds[:2], [1.9, before[1]])
    sim.redo()
    np.testing.assert_allclose(sim.preferred_speeds[:2], [1.9, 0.7])
    sim.undo()
    sim.undo()
    np.testing.assert_array_equal(sim.preferred_speeds, before)
    with pytest.raises(EditError, match="nothing to undo"):
        sim.undo()
    # One event is one step.
    assert sim.edit({"speed": 1.0}, {"speed": 1.1}).steps == 2
    sim.undo()
    assert (sim.preferred_speeds == 1.0).all()
    sim.undo()
    np.testing.assert_array_equal(sim.preferred_speeds, before)
    assert len(sim.log) == 10 and "1.90 m/s" in sim.log[0][1] and sim.log[0][0] == 0
    assert sim.waiting_edits == [] and sim.refused_edits == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"spede": 1.0}, "speed"),
        ({"speed": "fast"}, "speed|float|expected"),
        ({"speed": 1000.0}, "speed"),
        ({"close": "gaet"}, "gate"),
        ({"to": "nowhere"}, "nowhere"),
        ({"signal": "x", "on": True}, "signal"),
        ({"obstacle": {"circle": [5, 5]}}, "circle|array|expected"),
        ({"obstacle": {}}, "shape"),
        ({"people": {"count": 3, "mover": "planned"}}, "planned"),
        ({"people": {"count": 10**9}}, "number of people"),
        ({"who": "nobody", "speed": 1.0}, "nobody"),
        ({"on": True}, "nothing"),
        ({"only_then": True}, "nothing happens"),
    ],
)
def test_mistakes(sim: Simulation, change: dict[str, Any], words: str) -> None:
    with pytest.raises(SceneError, match=words):
        sim.edit(change)
    assert sim.log == [] and len(sim) == 30


def test_senseless_input(sim: Simulation) -> None:
    gone = 4711
    for wrong in (gone, [0, gone], np.array([gone])):
        with pytest.raises(EditError, match="no person 4711"):
            sim.set_speeds(wrong, 1.0)
        with pytest.raises(EditError, match="no person 4711"):
            sim.edit(who=wrong, speed=1.0)
    with pytest.raises(EditError):
        sim.set_speeds(-1, 1.0)
    with pytest.raises(EditError):
        sim.set_speeds(2**40, 1.0)
    for odd in (1.5, "0", [[0]], None, [True]):
        with pytest.raises((TypeError, EditError)):
            sim.set_speeds(odd, 1.0)  # type: ignore[arg-type]
    with pytest.raises(EditError):
        sim.set_speeds(0, 500.0)
    for goals in ([np.nan, 1], [[1, 2, 3]], [1], [[1, 2], [3, 4]], "here", [np.inf, 0]):
        with pytest.raises((TypeError, ValueError)):
            sim.set_goals([0], goals)
    with pytest.raises(TypeError):
        sim.edit()
    with pytest.raises(ValueError):
        sim.add([1, 2, 3])
    with pytest.raises(ValueError):
        sim.edit(goal=[np.nan, 2])
    assert sim.log == []
    sim.step(5)


def test_bodies_velocities_and_numbers_of_movers(sim: Simulation) -> None:
    steered = sim.ids[np.array(sim.movers) == "orca"]
    places = sim.index_of(steered)
    sim.edit(who=steered[:2], radius=[0.3, 0.2], velocity=[[0.5, 0], [0, -0.5]])
    np.testing.assert_allclose(sim.radii[places[:2]], [0.3, 0.2], atol=1e-6)
    np.testing.assert_allclose(sim.velocities[places[:2]], [[0.5, 0], [0, -0.5]], atol=1e-6)
    sim.undo()
    assert np.abs(sim.velocities[places[:2]]).max() < 0.5 and (sim.radii[places[:2]] == sim.radii[places[2]]).all()
    with pytest.raises(SceneError, match="from its beginning"):
        sim.edit(who=steered[:1], mover="orca", parameters={"horizon": 9.0})
    with pytest.raises(SceneError, match="are those of a `mover`"):
        sim.edit(who=steered[:1], parameters={"horizon": 9.0})
    walking = sim.ids[np.array(sim.movers) == "graph"][:1]
    for wrong in ({"radius": 0.3}, {"velocity": [1.0, 0.0]}):
        with pytest.raises(EditError, match="velocity mover"):
            sim.edit(who=walking, **wrong)
    with pytest.raises(EditError):
        sim.edit(who=steered[:1], velocity=[99.0, 0.0])
    sim.step(30)
    assert sim.overlaps == 0


def test_complex_numbers_and_nothing_are_no_input(sim: Simulation) -> None:
    with pytest.raises(TypeError, match="complex"):
        sim.set_goals(sim.ids[:1], np.array([[1 + 2j, 3]]))
    with pytest.raises(TypeError):
        sim.step(None)  # type: ignore[arg-type]
