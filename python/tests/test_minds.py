"""Behaviour functions and kinds of situations written in Python."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from crowdloom import Ask, Candidates, Deciding, SceneError, Simulation, Visit

YARD: dict[str, Any] = {
    "name": "yard",
    "world": {"floor": [[100, 0], [124, 0], [124, 12], [100, 12]]},
    "region": [{"name": "yard", "rectangle": [100, 0, 124, 12]}],
    "situation": [{"name": "frost", "kind": "group", "region": "yard", "behaviours": ["careful"]}],
    "people": [{"count": 12}],
}


def careful(who: Deciding, candidates: Candidates) -> Any:
    slips = np.where(candidates.positions[:, 0] > 112, np.maximum(candidates.speeds - 0.9, 0), 0)
    return np.exp(-20 * slips)


def indifferent(who: Deciding, candidates: Candidates) -> Any:
    assert len(candidates.positions) == len(candidates) == len(candidates.seconds)
    assert candidates.distances[-1] == 0 and 100 <= who.position[0] <= 124
    assert np.hypot(*who.facing) == pytest.approx(1, abs=1e-3)
    assert len(who.other_positions) == len(who.other_velocities) == len(who.other_radii)
    return np.ones(len(candidates))


def speed_in_the_east(function: Any) -> float:
    sim = Simulation.from_scene(YARD, seed=2, behaviours={"careful": function})
    steps = []
    for _ in range(500):
        before = sim.positions
        sim.step()
        after = sim.positions
        step = np.linalg.norm(after - before, axis=1)
        # Who stands says nothing about going.
        steps += list(step[(after[:, 0] > 113) & (step > 0.01)])
    return float(np.mean(steps)) * 30


def test_people_take_care_on_ice() -> None:
    assert speed_in_the_east(careful) < 0.9 * speed_in_the_east(indifferent)


def photo_stop(visit: Visit) -> Ask | None:
    assert 100 <= visit.position[0] <= 120 and 0 <= visit.chance < 1
    if visit.done:
        return None
    if visit.spot is None or (visit.busy is None and not visit.at_spot):
        return Ask(take_spot=True)
    if visit.busy is None:
        return Ask(busy=visit.parameters["seconds"], stand=True)
    if visit.busy > 0:
        return Ask(stand=True, face=(110, 10))
    return Ask(done=True, give_up_spot=True)


PLAZA: dict[str, Any] = {
    "name": "plaza",
    "world": {"floor": [[100, 0], [120, 0], [120, 20], [100, 20]]},
    "region": [{"name": "fountain", "circle": [110, 10, 4]}],
    "situation": [
        {
            "name": "photo",
            "kind": "photo-stop",
            "region": "fountain",
            "parameters": {"seconds": 1.5},
            "spots": [[107.5, 10, 0], [112.5, 10, 180], [110, 7.5, 90], [110, 12.5, -90]],
        }
    ],
    "people": [{"count": 12}, {"count": 6, "mover": "orca"}],
}


def test_visitors_do_as_the_situation_says() -> None:
    sim = Simulation.from_scene(PLAZA, seed=5, situations={"photo-stop": photo_stop})
    sim.step(300)
    again = pickle.loads(pickle.dumps(sim))
    spots = np.array([spot[:2] for spot in PLAZA["situation"][0]["spots"]])
    seen: set[int] = set()
    for _ in range(600):
        sim.step()
        near = np.linalg.norm(sim.positions[:, None] - spots[None], axis=2).min(axis=1) < 0.35
        seen |= set(sim.ids[near].tolist())
    assert len(seen) > 4 and sim.overlaps == 0
    again.step(600)
    np.testing.assert_array_equal(again.positions, sim.positions)
    with pytest.raises(SceneError, match="photo-stop"):
        Simulation.load(sim.save())


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (lambda who, candidates: np.ones(3), "shape"),
        (lambda who, candidates: np.full(len(candidates), np.nan), "from 0 up"),
        (lambda who, candidates: -np.ones(len(candidates)), "from 0 up"),
        (lambda who, candidates: None, "shape"),
        (lambda who, candidates: 1 / 0, "division"),
    ],
)
def test_functions_that_fail(behaviour: Any, error: str) -> None:
    sim = Simulation.from_scene(YARD, behaviours={"careful": behaviour})
    with pytest.raises((ValueError, TypeError, ZeroDivisionError), match=error):
        sim.step(120)
    frame = sim.frame
    assert frame > 0 and np.isfinite(sim.positions).all()


def test_wrong_answers_of_situations() -> None:
    for wrong, error in [(3, TypeError), (Ask(face=(1, np.inf)), ValueError), (Ask(goal=(1,)), ValueError)]:  # type: ignore[arg-type]
        sim = Simulation.from_scene(PLAZA, situations={"photo-stop": lambda visit, wrong=wrong: wrong})  # type: ignore[misc]
        with pytest.raises(error):
            sim.step(600)
    with pytest.raises(SceneError, match="careful"):
        Simulation.from_scene(YARD)
    with pytest.raises(TypeError, match="no function"):
        Simulation.from_scene(YARD, behaviours={"careful": 3})  # type: ignore[dict-item]
