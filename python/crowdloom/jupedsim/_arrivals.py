"""Agents who are about to come: checked one by one as they are added, and let into the crowd together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from .._simulation import Simulation
from .geometry import Geometry, Point
from .library import tell
from .models import KINDS, AnyParameters, Kind

_LEAST_RADIUS, _MOST_RADIUS = 0.05, 1.0
"""Radii that a body can have, in metres."""
_FASTEST = 12.0
"""The fastest that anybody may like to go, in metres a second."""
_SKIN = 2e-3
"""Bodies of the least radius are this much more apart when they come, in metres."""
_CELL = 0.5
"""The side of the cells in which newcomers are found, in metres."""


_VECTORS = frozenset({"position", "orientation", "velocity", "desired_direction"})
"""The parameters of agents that are vectors."""

_NAMES = {kind.agent.__name__: tuple(field.name for field in fields(kind.agent)) for kind in KINDS}
"""The parameters of the agents of each model."""


@dataclass(frozen=True)
class Coming:
    """An agent who is about to come, for the first time or from another crowd."""

    agent: int
    parameters: AnyParameters
    position: Point | None = None
    facing: float | None = None
    velocity: Point | None = None

    @property
    def place(self) -> Point:
        """Where it comes."""
        x, y = self.position if self.position is not None else self.parameters.position
        return (float(x), float(y))

    @property
    def moves(self) -> Point:
        """How it moves at first, in metres a second."""
        if self.velocity is not None:
            return self.velocity
        x, y = getattr(self.parameters, "velocity", (0.0, 0.0))
        speed = float(getattr(self.parameters, "speed", 0.0))
        if speed > 0.0:
            x, y = getattr(self.parameters, "orientation")
            length = math.hypot(x, y) or 1.0
            x, y = speed * x / length, speed * y / length
        return (float(x), float(y))

    def heading(self, towards: Point) -> float:
        """Which way it faces, in degrees: as it was told, or to where it goes."""
        if self.facing is not None:
            return math.degrees(self.facing)
        east, north = getattr(self.parameters, "orientation", (0.0, 0.0))
        if math.hypot(east, north) < 1e-9:
            east, north = towards[0] - self.place[0], towards[1] - self.place[1]
        return math.degrees(math.atan2(north, east))


class Arrivals:
    """The agents who are about to come into one crowd."""

    def __init__(self, kind: Kind, model: Any, geometry: Geometry) -> None:
        self._kind, self._model, self._area = kind, model, geometry.polygon
        self._walls = self._area.boundary
        shapely.prepare(self._area)
        shapely.prepare(self._walls)
        self.coming: dict[int, Coming] = {}
        self._cells: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
        self._widest = 0.0

    def is_inside(self, point: Point) -> bool:
        """Whether a point is walkable."""
        return math.isfinite(point[0]) and math.isfinite(point[1]) and bool(shapely.intersects_xy(self._area, *point))

    def wrong_number(self, parameters: AnyParameters) -> str | None:
        """What is wrong with the numbers of an agent."""
        for name in _NAMES[type(parameters).__name__]:
            value = getattr(parameters, name)
            if name in _VECTORS:
                try:
                    x, y = (float(number) for number in value)
                except (TypeError, ValueError):
                    return f"{name} is (x, y), not {value!r}"
                if not (math.isfinite(x) and math.isfinite(y)):
                    return f"{name} is {value}, which are no numbers"
            elif type(value) is not float and (
                isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating))
            ):
                return f"{name} is a number, not {value!r}"
            elif not 0 <= value < math.inf:
                return f"{name} is from 0 up, not {value}"
        if not _LEAST_RADIUS <= parameters.radius <= _MOST_RADIUS:
            return f"a radius is between {_LEAST_RADIUS} and {_MOST_RADIUS} m, not {parameters.radius}"
        if parameters.desired_speed > _FASTEST:
            return f"a desired speed is at most {_FASTEST} m/s, not {parameters.desired_speed}"
        return None

    def mistake(
        self, parameters: AnyParameters, others: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None
    ) -> str | None:
        """Why an agent cannot come; ``others`` are places and radii of those who are there."""
        wrong = self.wrong_number(parameters)
        if wrong is not None:
            return wrong
        x, y = parameters.position
        radius = parameters.radius
        if shapely.dwithin(self._walls, shapely.Point(x, y), self._kind.off_walls * radius):
            return f"the agent at ({x}, {y}) is too near to a wall"
        share, least = self._kind.apart, 2 * _LEAST_RADIUS + _SKIN
        near = any(
            math.hypot(x - a, y - b) < max(share * (radius + other) - 1e-9, least)
            for a, b, other in self._near(x, y, radius)
        )
        if not near and others is not None:
            places, radii = others
            gaps = np.hypot(places[:, 0] - x, places[:, 1] - y)
            near = bool((gaps < np.maximum(share * (radii + radius) - 1e-6, least)).any())
        return f"the agent at ({x}, {y}) is too near to another" if near else None

    def _near(self, x: float, y: float, radius: float) -> Iterator[tuple[float, float, float]]:
        reach = math.ceil((radius + self._widest + _SKIN) / _CELL)
        column, row = math.floor(x / _CELL), math.floor(y / _CELL)
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                yield from self._cells.get((column + dx, row + dy), ())

    def expect(self, one: Coming) -> None:
        """Lets an agent come with the next."""
        (x, y), radius = one.place, float(one.parameters.radius)
        self.coming[one.agent] = one
        self._cells.setdefault((math.floor(x / _CELL), math.floor(y / _CELL)), []).append((x, y, radius))
        self._widest = max(self._widest, radius)

    def let_in(self, sim: Simulation, towards: Mapping[int, Point]) -> dict[int, int]:
        """Lets all come who are about to, facing where they go; returns their numbers in the crowd."""
        groups: dict[str, tuple[dict[str, Any], list[Coming]]] = {}
        for one in self.coming.values():
            steering = self._kind.steering(self._model, one.parameters)
            groups.setdefault(repr(steering), (steering, []))[1].append(one)
        self.coming, self._cells, self._widest = {}, {}, 0.0
        numbers: dict[int, int] = {}
        for steering, group in groups.values():
            came = self._let_group_in(sim, steering, group, towards)
            numbers.update((one.agent, int(number)) for one, number in zip(group, came))
        return numbers

    def _let_group_in(
        self, sim: Simulation, steering: dict[str, Any], group: list[Coming], towards: Mapping[int, Point]
    ) -> npt.NDArray[np.uint32]:
        speeds = np.array([one.parameters.desired_speed for one in group], dtype=np.float64)
        people = {
            **steering,
            "onward": True,
            "at": self._off_walls(group),
            "facing": [one.heading(towards[one.agent]) for one in group],
            "speed": float(speeds.max()),
            "top-speed": max(1.3 * float(speeds.max()), 0.1),
            # Those of some models may overlap when they come: they grow once they are in.
            "radius": _LEAST_RADIUS,
        }
        came = sim.edit(people=people).ids
        sim.set_speeds(came, speeds)
        sim.edit(who=came, radius=[float(one.parameters.radius) for one in group], only_then=True)
        moves = np.array([one.moves for one in group])
        if moves.any():
            sim.edit(who=came, velocity=moves.tolist())
        return came

    def _off_walls(self, group: list[Coming]) -> list[list[float]]:
        """The places of agents; where a body would be in a wall, one near it."""
        places = np.array([one.place for one in group])
        radii = np.array([one.parameters.radius for one in group], dtype=np.float64)
        near = shapely.distance(self._walls, shapely.points(places)) < radii + _SKIN
        for number in np.flatnonzero(near):
            places[number] = self._off_wall(group[number].agent, places[number], float(radii[number]))
        return [[float(x), float(y)] for x, y in places]

    def _off_wall(self, agent: int, place: npt.NDArray[np.float64], radius: float) -> npt.NDArray[np.float64]:
        before = place
        for _ in range(20):
            point = shapely.Point(place)
            gap = shapely.distance(self._walls, point)
            if gap >= radius + 0.5 * _SKIN:
                break
            wall = np.array(shapely.shortest_line(self._walls, point).coords[0])
            away = place - wall if gap > 1e-6 else np.array(self._area.representative_point().coords[0]) - place
            place = wall + away / (np.linalg.norm(away) or 1.0) * (radius + _SKIN)
        if np.linalg.norm(place - before) > 2 * _SKIN:
            tell("warning", f"agent {agent} is put from {before.tolist()} to {place.tolist()}, off a wall")
        return place
