"""Places for agents in an area: random, apart from each other and from its walls."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import shapely

from .geometry import Point


class AgentNumberError(Exception):
    """So many agents find no place."""


class IncorrectParameterError(Exception):
    """Something is given that makes no sense."""


class OverlappingCirclesError(Exception):
    """Circle segments overlap."""


class NegativeValueError(Exception):
    """Something negative is given."""


class _Placer:
    """Finds places one after the other."""

    def __init__(self, polygon: shapely.Polygon, apart: float, off_walls: float, seed: int | None) -> None:
        if not isinstance(polygon, shapely.Polygon):
            raise IncorrectParameterError(f"a polygon is a shapely.Polygon, not a {type(polygon).__name__}")
        if apart < 0 or off_walls < 0:
            raise NegativeValueError("distances are from 0 up")
        self.polygon, self.apart = polygon, apart
        self.room = polygon.buffer(-off_walls) if off_walls > 0 else polygon
        shapely.prepare(self.room)
        self.random = np.random.default_rng(seed)
        self.places: list[Point] = []
        self._cells: dict[tuple[int, int], list[Point]] = {}
        self._side = max(apart, 1e-3)

    def is_free(self, x: float, y: float) -> bool:
        column, row = math.floor(x / self._side), math.floor(y / self._side)
        near = (
            place
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for place in self._cells.get((column + dx, row + dy), ())
        )
        return all(math.hypot(x - a, y - b) >= self.apart for a, b in near)

    def take(self, x: float, y: float) -> None:
        self.places.append((x, y))
        self._cells.setdefault((math.floor(x / self._side), math.floor(y / self._side)), []).append((x, y))

    def place(self, draw: Callable[[], tuple[float, float]], tries: int) -> bool:
        """Takes a place that is drawn, unless none is free in so many tries."""
        for _ in range(tries):
            x, y = draw()
            if self.is_free(x, y) and shapely.contains_xy(self.room, x, y):
                self.take(x, y)
                return True
        return False

    def anywhere(self) -> tuple[float, float]:
        west, south, east, north = self.polygon.bounds
        return (float(self.random.uniform(west, east)), float(self.random.uniform(south, north)))


def distribute_by_number(
    *,
    polygon: shapely.Polygon,
    number_of_agents: int,
    distance_to_agents: float,
    distance_to_polygon: float,
    seed: int | None = None,
    max_iterations: int = 10_000,
) -> list[Point]:
    """So many places, all over the area."""
    if number_of_agents < 0:
        raise NegativeValueError("a number of agents is from 0 up")
    placer = _Placer(polygon, distance_to_agents, distance_to_polygon, seed)
    for _ in range(number_of_agents):
        if not placer.place(placer.anywhere, max_iterations):
            what = f"only {len(placer.places)} of {number_of_agents} agents find a place"
            raise AgentNumberError(what)
    return placer.places


def distribute_by_density(
    *,
    polygon: shapely.Polygon,
    density: float,
    distance_to_agents: float,
    distance_to_polygon: float,
    seed: int | None = None,
    max_iterations: int = 10_000,
) -> list[Point]:
    """So many places a square metre, all over the area."""
    if density < 0:
        raise NegativeValueError("a density is from 0 up")
    if not isinstance(polygon, shapely.Polygon):
        raise IncorrectParameterError(f"a polygon is a shapely.Polygon, not a {type(polygon).__name__}")
    return distribute_by_number(
        polygon=polygon,
        number_of_agents=round(density * polygon.area),
        distance_to_agents=distance_to_agents,
        distance_to_polygon=distance_to_polygon,
        seed=seed,
        max_iterations=max_iterations,
    )


def distribute_until_filled(
    *,
    polygon: shapely.Polygon,
    distance_to_agents: float,
    distance_to_polygon: float,
    seed: int | None = None,
    max_iterations: int = 10_000,
    k: int = 30,
) -> list[Point]:
    """Places until hardly one more fits (Bridson 2007: every place tries ``k`` neighbours between one and two distances)."""
    if distance_to_agents <= 0:
        raise IncorrectParameterError("an area is filled with places that are some distance apart")
    placer = _Placer(polygon, distance_to_agents, distance_to_polygon, seed)
    if not placer.place(placer.anywhere, max_iterations):
        raise AgentNumberError("nobody finds a place")
    active = [placer.places[0]]
    while active:
        at = int(placer.random.integers(len(active)))
        x, y = active[at]

        def beside(x: float = x, y: float = y) -> tuple[float, float]:
            angle = placer.random.uniform(0, 2 * math.pi)
            reach = placer.apart * math.sqrt(placer.random.uniform(1, 4))
            return (x + reach * math.cos(angle), y + reach * math.sin(angle))

        if placer.place(beside, k):
            active.append(placer.places[-1])
        else:
            active.pop(at)
    return placer.places


def distribute_by_percentage(
    *,
    polygon: shapely.Polygon,
    percent: float,
    distance_to_agents: float,
    distance_to_polygon: float,
    seed: int | None = None,
    max_iterations: int = 10_000,
    k: int = 30,
) -> list[Point]:
    """A share of the places of a filled area."""
    if not 0 <= percent <= 100:
        raise IncorrectParameterError(f"a percentage is from 0 to 100, not {percent}")
    places = distribute_until_filled(
        polygon=polygon,
        distance_to_agents=distance_to_agents,
        distance_to_polygon=distance_to_polygon,
        seed=seed,
        max_iterations=max_iterations,
        k=k,
    )
    order = np.random.default_rng(seed).permutation(len(places))
    return [places[place] for place in order[: int(len(places) * percent / 100)]]


def distribute_in_circles_by_number(
    *,
    polygon: shapely.Polygon,
    distance_to_agents: float,
    distance_to_polygon: float,
    center_point: Point,
    circle_segment_radii: Sequence[tuple[float, float]],
    numbers_of_agents: Sequence[int],
    seed: int | None = None,
    max_iterations: int = 10_000,
) -> list[Point]:
    """So many places in each ring about a point."""
    _check_rings(circle_segment_radii, numbers_of_agents)
    placer = _Placer(polygon, distance_to_agents, distance_to_polygon, seed)
    for (inner, outer), number in zip(circle_segment_radii, numbers_of_agents):

        def in_ring(inner: float = inner, outer: float = outer) -> tuple[float, float]:
            angle = placer.random.uniform(0, 2 * math.pi)
            reach = math.sqrt(placer.random.uniform(inner**2, outer**2))
            return (center_point[0] + reach * math.cos(angle), center_point[1] + reach * math.sin(angle))

        for placed in range(number):
            if not placer.place(in_ring, max_iterations):
                what = f"only {placed} of {number} agents find a place between {inner} and {outer} m"
                raise AgentNumberError(what)
    return placer.places


def distribute_in_circles_by_density(
    *,
    polygon: shapely.Polygon,
    distance_to_agents: float,
    distance_to_polygon: float,
    center_point: Point,
    circle_segment_radii: Sequence[tuple[float, float]],
    densities: Sequence[float],
    seed: int | None = None,
    max_iterations: int = 10_000,
) -> list[Point]:
    """So many places a square metre in each ring about a point."""
    _check_rings(circle_segment_radii, densities)
    centre = shapely.Point(center_point)
    numbers = []
    for (inner, outer), density in zip(circle_segment_radii, densities):
        ring = centre.buffer(outer, 64).difference(centre.buffer(inner, 64)) if inner > 0 else centre.buffer(outer, 64)
        numbers.append(round(density * ring.intersection(polygon).area))
    return distribute_in_circles_by_number(
        polygon=polygon,
        distance_to_agents=distance_to_agents,
        distance_to_polygon=distance_to_polygon,
        center_point=center_point,
        circle_segment_radii=circle_segment_radii,
        numbers_of_agents=numbers,
        seed=seed,
        max_iterations=max_iterations,
    )


def _check_rings(rings: Sequence[tuple[float, float]], numbers: Sequence[float]) -> None:
    if len(rings) != len(numbers):
        raise IncorrectParameterError(f"there are {len(rings)} rings, but {len(numbers)} numbers")
    if any(number < 0 for number in numbers) or any(inner < 0 or outer < 0 for inner, outer in rings):
        raise NegativeValueError("radii and numbers are from 0 up")
    if any(inner >= outer for inner, outer in rings):
        raise OverlappingCirclesError("an inner radius is less than its outer one")
    ordered = sorted(rings)
    if any(first[1] > second[0] for first, second in zip(ordered, ordered[1:])):
        raise OverlappingCirclesError("the rings overlap")
