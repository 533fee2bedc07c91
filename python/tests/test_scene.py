"""Scenes: where they come from, and what is wrong with them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import crowdloom
from crowdloom import Door, Event, Ground, People, Region, Scene, SceneError, Simulation, Situation, Stop


def test_paths_names_text_and_dicts_give_the_same(tmp_path: Path, hall: dict[str, Any]) -> None:
    scene = Scene.from_dict(hall)
    file = tmp_path / "hall.toml"
    scene.save(file)
    sims = [Simulation.from_scene(source, seed=5) for source in (hall, scene, scene.to_toml(), file, str(file))]
    for sim in sims:
        sim.step(30)
    for sim in sims[1:]:
        np.testing.assert_array_equal(sim.positions, sims[0].positions)
    assert Simulation.from_scene("street", people=5).name == "street"


def test_pieces_are_tables(hall: dict[str, Any]) -> None:
    scene = Scene("hall", world=hall["world"], seconds=10)
    for piece in (
        Region("west", rectangle=[0, 0, 8, 12]),
        Region("east", rectangle=[20, 0, 24, 12]),
        Stop("out", region="east", exit=True),
        Door("gate", rectangle=[18, 5, 18.4, 7]),
        Situation("friends", "group"),
        People(count=20, in_="west", to="out", pre_movement=2.0),
        Event(3, close="gate"),
    ):
        scene.add(piece)
    assert scene.check() == [] and scene.table["people"] == [{"count": 20, "in": "west", "to": "out", "pre-movement": 2.0}]
    assert Scene("hall", world=hall["world"], people=[People(count=3)]).table["people"] == [{"count": 3}]
    sim = Simulation.from_scene(scene, seed=1)
    assert len(sim) == 20 and len(sim.edit(people=People(count=2, in_="west", to="out")).ids) == 2
    with pytest.raises(TypeError):
        Situation("alone")  # type: ignore[call-arg]
    with pytest.raises(SceneError, match="no stop"):
        Simulation.from_scene(Scene("x", world=hall["world"], people=[People(count=1, to="nowhere")]))


def test_toml_round_trip(hall: dict[str, Any]) -> None:
    assert Scene.from_toml(Scene.from_dict(hall).to_toml()).table == hall
    strange = {"name": 'a "b"\n\\ \x01 ü', "world": {"floor": [[0, 0], [1e-9, 2.5e20], [3, -4]]}, "x y": [True]}
    assert Scene.from_toml(Scene.from_dict(strange).to_toml()).table == strange


def test_every_embedded_scene_survives_the_way_through_python() -> None:
    for name in crowdloom.embedded_scenes():
        scene = Scene.read(name)
        assert Scene.from_toml(scene.to_toml()) == scene, name


def test_mistakes_say_where_and_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("name = 'bad'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9]]\n[[people]]\ncount = 3\nin = 'wset'\n"
                    "[[region]]\nname = 'west'\nrectangle = [0, 0, 3, 3]\n")
    with pytest.raises(SceneError) as caught:
        Simulation.from_scene(file)
    assert caught.value.file == str(file)
    assert caught.value.line == 6
    assert "west" in caught.value.help
    assert "wset" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.line, again.help, str(again)) == (6, caught.value.help, str(caught.value))


def test_no_file_and_no_toml() -> None:
    with pytest.raises(SceneError, match="cannot be read"):
        Simulation.from_scene("no-such-scene")
    with pytest.raises(SceneError) as caught:
        Simulation.from_scene("name = 'x'\n[world\n")
    assert caught.value.line == 2
    with pytest.raises(SceneError):
        Scene.from_toml("name = ")
    for wrong in (3, None, 2.5, [1], b"name"):
        with pytest.raises(TypeError):
            Simulation.from_scene(wrong)  # type: ignore[arg-type]


def test_check_tells_harmless_things_too(hall: dict[str, Any]) -> None:
    hall["region"].append({"name": "far", "rectangle": [100, 100, 110, 110]})
    problems = Scene.from_dict(hall).check()
    assert [problem.harmless for problem in problems] == [True]
    assert Simulation.from_scene(hall).warnings == problems


def test_scene_piece_by_piece() -> None:
    scene = Scene("lobby", world=Ground.from_wkt("POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (9 4, 11 4, 11 6, 9 6, 9 4))"))
    scene.add_region("door", rectangle=[18, 4, 20, 6])
    scene.add_stop("out", region="door", exit=True)
    scene.add_people(count=8, to="out", speed=1.4, top_speed=2.0, mover="social-force")
    assert scene.check() == []
    sim = Simulation.from_scene(scene)
    assert len(sim) == 8 and not sim.is_walkable([10, 5])[0] and sim.is_walkable([5, 5])[0]
    other = scene.with_changes({"people.0.count": 3})
    assert len(Simulation.from_scene(other)) == 3
    for path in ("people.7.count", "people.count.0", "nothing.here", ""):
        with pytest.raises(KeyError):
            scene.with_changes({path: 1})


def test_grounds() -> None:
    with pytest.raises(ValueError):
        Ground.from_wkt("LINESTRING (0 0, 1 1)")
    with pytest.raises(ValueError):
        Ground.from_wkt("POLYGON ((0 0, x 1, 2 2))")
    with pytest.raises(ValueError):
        Ground.from_polygon([(0, 0), (1, 1)])
    shapely = pytest.importorskip("shapely")
    square = shapely.box(0, 0, 10, 10).difference(shapely.box(4, 4, 6, 6))
    assert Ground.from_shapely(square)["obstacle"]
    with pytest.raises(ValueError, match="one polygon"):
        Ground.from_shapely(shapely.Point(1, 2))


def test_numbers_that_are_none() -> None:
    scene = {"name": "x", "world": {"floor": [[0, 0], [float("nan"), 0], [1, 1]]}}
    with pytest.raises(ValueError, match="floor"):
        Simulation.from_scene(scene)
    with pytest.raises(TypeError):
        Simulation.from_scene({"name": "x", "world": object()})
