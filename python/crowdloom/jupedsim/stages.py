"""Stages: where agents go, and when they have been there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum

import numpy as np
import numpy.typing as npt
import shapely

from .geometry import Point

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.uint32]

_ON_SPOT = 0.5
"""Who is nearer to its waiting place than this, in metres, waits there."""


class Stage(ABC):
    """Something that agents go to."""

    def __init__(self, id: int, targeting: Callable[[int], int]) -> None:
        self.id = id
        self._targeting = targeting

    def count_targeting(self) -> int:
        """How many agents are on the way there."""
        return self._targeting(self.id)

    @abstractmethod
    def target(self, agent: int) -> Point:
        """Where an agent has to go."""

    @abstractmethod
    def done(self, ids: Ids, positions: Floats) -> npt.NDArray[np.bool_]:
        """Which of the agents on the way there have been there."""

    def moved(self) -> list[int]:
        """Agents whose target has changed since this was last asked."""
        return []

    def leave(self, agent: int) -> None:
        """Forgets an agent that goes elsewhere."""

    def points(self) -> list[Point]:
        """The points that must be walkable."""
        return []

    def fits(self, area: shapely.Polygon) -> bool:
        """Whether it lies in a walkable area."""
        return bool(shapely.intersects_xy(area, np.array(self.points()).reshape(-1, 2)).all())

    def fit(self, area: shapely.Polygon) -> bool:
        """Takes another walkable area; returns whether it lies in it."""
        return self.fits(area)


class WaypointStage(Stage):
    """A point that is reached within some distance."""

    def __init__(self, id: int, targeting: Callable[[int], int], position: Point, distance: float) -> None:
        super().__init__(id, targeting)
        self.position, self.distance = position, distance

    def points(self) -> list[Point]:
        return [self.position]

    def target(self, agent: int) -> Point:
        return self.position

    def done(self, ids: Ids, positions: Floats) -> npt.NDArray[np.bool_]:
        return np.asarray(np.linalg.norm(positions - self.position, axis=1) <= self.distance)


class ExitStage(Stage):
    """An area in which agents are gone."""

    def __init__(self, id: int, targeting: Callable[[int], int], polygon: shapely.Polygon) -> None:
        super().__init__(id, targeting)
        self._whole = polygon
        self.polygon, self._middle = polygon, (0.0, 0.0)

    def fits(self, area: shapely.Polygon) -> bool:
        return bool(self._whole.intersection(area).area > 0)

    def fit(self, area: shapely.Polygon) -> bool:
        reached = self._whole.intersection(area)
        if reached.area <= 0:
            return False
        if reached.geom_type != "Polygon":
            reached = max(reached.geoms, key=lambda part: part.area)
        self.polygon = reached
        shapely.prepare(reached)
        middle = reached.centroid if reached.contains(reached.centroid) else reached.representative_point()
        self._middle = (middle.x, middle.y)
        return True

    def target(self, agent: int) -> Point:
        return self._middle

    def done(self, ids: Ids, positions: Floats) -> npt.NDArray[np.bool_]:
        return np.asarray(shapely.contains_xy(self.polygon, positions[:, 0], positions[:, 1]))


class DirectSteeringStage(Stage):
    """Agents go where they are told to, one by one."""

    def __init__(self, id: int, targeting: Callable[[int], int]) -> None:
        super().__init__(id, targeting)
        self._targets: dict[int, Point] = {}
        self._moved: list[int] = []

    def target(self, agent: int) -> Point:
        return self._targets.get(agent, (np.nan, np.nan))

    def steer(self, agent: int, target: Point) -> None:
        """Sends an agent somewhere."""
        self._targets[agent] = target
        self._moved.append(agent)

    def moved(self) -> list[int]:
        moved, self._moved = self._moved, []
        return moved

    def done(self, ids: Ids, positions: Floats) -> npt.NDArray[np.bool_]:
        return np.zeros(len(ids), dtype=bool)

    def leave(self, agent: int) -> None:
        self._targets.pop(agent, None)


class _Places(Stage):
    """Places that are taken in their order; who finds none left goes to the last."""

    def __init__(self, id: int, targeting: Callable[[int], int], positions: list[Point]) -> None:
        super().__init__(id, targeting)
        if not positions:
            raise ValueError("there is no place to wait at")
        self.positions = [(float(x), float(y)) for x, y in positions]
        self._line: list[int] = []
        self._there: set[int] = set()
        self._released: set[int] = set()
        self._moved: list[int] = []

    def points(self) -> list[Point]:
        return self.positions

    def _place(self, agent: int) -> int:
        return min(self._line.index(agent), len(self.positions) - 1)

    def target(self, agent: int) -> Point:
        if agent not in self._line:
            return self.positions[min(len(self._line), len(self.positions) - 1)]
        return self.positions[self._place(agent)]

    def moved(self) -> list[int]:
        moved, self._moved = self._moved, []
        return moved

    def leave(self, agent: int) -> None:
        if agent in self._line:
            place = self._line.index(agent)
            self._line.remove(agent)
            self._moved += self._line[place:]
        self._there.discard(agent)
        self._released.discard(agent)

    def _arrive(self, ids: Ids, positions: Floats) -> None:
        """Gives places to those who come near the next that is free, nearest first."""
        there = {int(number): place for number, place in zip(ids, positions)}
        for agent in self._line:
            if agent in there and np.linalg.norm(there[agent] - self.target(agent)) < _ON_SPOT:
                self._there.add(agent)
        coming = [agent for agent in there if agent not in self._line and agent not in self._released]
        if not coming:
            return
        spot = np.array(self.positions[min(len(self._line), len(self.positions) - 1)])
        distances = {agent: float(np.linalg.norm(there[agent] - spot)) for agent in coming}
        nearest = min(coming, key=lambda agent: (distances[agent], agent))
        if distances[nearest] < 2 * _ON_SPOT:
            self._line.append(nearest)
            self._moved += coming


class NotifiableQueueStage(_Places):
    """A line in which agents wait until they are let go from its head."""

    def count_enqueued(self) -> int:
        """How many stand in line."""
        return len(self._line)

    def enqueued(self) -> list[int]:
        """Who stands in line, the head first."""
        return list(self._line)

    def pop(self, count: int) -> None:
        """Lets some go from the head of the line."""
        if count < 0:
            raise ValueError(f"{count} agents cannot be let go")
        for agent in self._line[:count]:
            self._released.add(agent)

    def done(self, ids: Ids, positions: Floats) -> npt.NDArray[np.bool_]:
        self._arrive(ids, positions)
        return np.array([int(number) in self._released for number in ids], dtype=bool)


class WaitingSetState(Enum):
    """Whether agents wait at a set of places, or only pass by."""

    ACTIVE = 0
    INACTIVE = 1


class WaitingSetStage(_Places):
    """Places at which agents wait while it is active."""

    def __init__(self, id: int, targeting: Callable[[int], int], positions: list[Point]) -> None:
        super().__init__(id, targeting, positions)
        self._state = WaitingSetState.ACTIVE

    @property
    def state(self) -> WaitingSetState:
        """Whether agents wait there."""
        return self._state

    @state.setter
    def state(self, state: WaitingSetState) -> None:
        self._state = WaitingSetState(state)

    def count_waiting(self) -> int:
        """How many wait."""
        return len(self._line)

    def waiting(self) -> list[int]:
        """Who waits, in the order of the places."""
        return list(self._line)

    def done(self, ids: Ids, positions: Floats) -> npt.NDArray[np.bool_]:
        if self._state is WaitingSetState.ACTIVE:
            self._arrive(ids, positions)
            return np.zeros(len(ids), dtype=bool)
        # Who waited is let go at once; all others pass by the first place.
        waited = np.array([int(number) in self._line for number in ids], dtype=bool)
        return np.asarray(waited | (np.linalg.norm(positions - np.array(self.positions[0]), axis=1) < 2 * _ON_SPOT))
