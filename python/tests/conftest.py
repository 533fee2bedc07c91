"""What all tests share."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import crowdloom

HALL: dict[str, Any] = {
    "name": "hall",
    "seconds": 10,
    "world": {"floor": [[0, 0], [24, 0], [24, 12], [0, 12]]},
    "region": [
        {"name": "west", "rectangle": [0, 0, 8, 12]},
        {"name": "east", "rectangle": [20, 0, 24, 12]},
    ],
    "stop": [{"name": "out", "region": "east", "exit": True}],
    "door": [{"name": "gate", "rectangle": [18, 5, 18.4, 7]}],
    "signal": [{"name": "light", "on": 5, "off": 5}],
    "situation": [{"name": "friends", "kind": "group"}],
    "people": [
        {"count": 20, "in": "west", "to": "out"},
        {"count": 10, "mover": "orca"},
        {"count": 0, "mover": "social-force"},
    ],
}


@pytest.fixture
def hall() -> dict[str, Any]:
    return copy.deepcopy(HALL)


@pytest.fixture
def sim(hall: dict[str, Any]) -> crowdloom.Simulation:
    return crowdloom.Simulation.from_scene(hall, seed=3)
