"""Velocity models written in Python."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crowdloom import Batch, Run, SceneError, Simulation, SnapshotError, VelocityModel

HALL: dict[str, Any] = {
    "name": "hall",
    "world": {"floor": [[0, 0], [24, 0], [24, 12], [0, 12]]},
    "people": [{"count": 15, "mover": "mine"}, {"count": 10}],
}


def straight(batch: Batch) -> Any:
    return batch.preferred


def make(model: Any, **options: Any) -> Simulation:
    return Simulation.from_scene(HALL, seed=2, models={"mine": model}, **options)


def test_people_go_as_the_model_says() -> None:
    def east(batch: Batch) -> Any:
        assert batch.positions.shape == batch.velocities.shape == batch.preferred.shape == (15, 2)
        assert batch.radii.shape == batch.max_speeds.shape == (15,) and len(batch) == 15
        assert len(batch.neighbour_offsets) == len(batch.wall_offsets) == 16
        assert len(batch.neighbours) == batch.neighbour_offsets[-1] == len(batch.neighbour_owners())
        assert len(batch.walls) == batch.wall_offsets[-1] == len(batch.wall_owners())
        assert len(batch.other_positions) == len(batch.other_radii) == len(batch.other_fallen) >= 15
        assert batch.seconds == pytest.approx(1 / 30)
        return np.tile([1.0, 0.0], (len(batch), 1))

    sim = make(east)
    before, own = sim.positions, np.array(sim.movers) == "mine"
    assert own.sum() == 15
    sim.step(60)
    moved = sim.positions - before
    assert np.median(moved[own, 0]) > 0.5 and sim.overlaps == 0 and sim.is_walkable(sim.positions).all()


def test_neighbours_are_near_and_in_order() -> None:
    def check(batch: Batch) -> Any:
        owners = batch.neighbour_owners()
        gaps = np.linalg.norm(batch.other_positions[batch.neighbours] - batch.positions[owners], axis=1)
        assert (gaps < 3.5).all() and (gaps > 0).all()
        for start, end in zip(batch.neighbour_offsets, batch.neighbour_offsets[1:]):
            assert end - start <= 4 and (np.diff(gaps[start:end]) >= -1e-5).all()
        return batch.preferred

    make(VelocityModel(check, neighbour_distance=3.0, max_neighbours=4)).step(30)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda batch: np.zeros((3, 2)), "shape"),
        (lambda batch: np.zeros(len(batch)), "shape"),
        (lambda batch: np.full((len(batch), 2), np.nan), "no number"),
        (lambda batch: "fast", "could not convert"),
        (lambda batch: None, "float|shape|number"),
        (lambda batch: 1 / 0, "division"),
        (lambda batch: np.zeros((len(batch), 2), complex), "complex"),
    ],
)
def test_what_a_model_raises_is_raised(answer: Any, words: str, tmp_path: Path) -> None:
    sim = make(answer)
    with pytest.raises((ValueError, TypeError, ZeroDivisionError), match=words):
        sim.step(10)
    assert sim.frame == 1 and np.isfinite(sim.positions).all() and sim.overlaps == 0
    with pytest.raises((ValueError, TypeError, ZeroDivisionError), match=words):
        sim.record(tmp_path, 60.0, page=False)
    assert not Run.open(tmp_path).is_whole


def test_a_model_cannot_use_its_own_simulation() -> None:
    def meddle(batch: Batch) -> Any:
        return sim.positions

    sim = make(meddle)
    with pytest.raises(RuntimeError, match="at work"):
        sim.step()
    assert len(sim) == 25


def test_copies_snapshots_and_recordings(tmp_path: Path) -> None:
    sim = make(straight)
    sim.step(40)
    others = [sim.copy(), Simulation.load(sim.save(), {"mine": straight}), pickle.loads(pickle.dumps(sim))]
    sim.step(40)
    for other in others:
        other.step(40)
        np.testing.assert_array_equal(other.positions, sim.positions)
    with pytest.raises((SnapshotError, SceneError)):
        Simulation.load(sim.save())
    run = sim.record(tmp_path, 1.0, page=False)
    assert run.is_whole


def test_people_change_to_a_model_and_back() -> None:
    sim = make(straight)
    clips = sim.ids[np.array(sim.movers) == "graph"][:3]
    sim.set_mover(clips, "mine")
    sim.step(90)
    assert sum(sim.movers[place] == "mine" for place in sim.index_of(clips)) >= 1
    again = sim.copy()
    for one in (sim, again):
        one.step(30)
    np.testing.assert_array_equal(sim.positions, again.positions)


def test_bad_models() -> None:
    with pytest.raises(TypeError):
        VelocityModel(3)  # type: ignore[arg-type]
    for wrong in ({"neighbour_distance": 0.0}, {"max_neighbours": 100}, {"wall_reach": float("nan")}):
        with pytest.raises(ValueError):
            VelocityModel(straight, **wrong)  # type: ignore[arg-type]
    with pytest.raises(SceneError):
        Simulation.from_scene(HALL)
    with pytest.raises(SceneError):
        Simulation.from_scene(HALL, models={"mine": straight, "orca": straight})
