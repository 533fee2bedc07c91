"""Walkable areas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import shapely

Point = tuple[float, float]


class Geometry:
    """The walkable area: one polygon with holes."""

    def __init__(self, polygon: shapely.Polygon) -> None:
        self.polygon = polygon

    def boundary(self) -> list[Point]:
        """The corners of the outline."""
        return _corners(self.polygon.exterior.coords)

    def holes(self) -> list[list[Point]]:
        """The corners of each hole."""
        return [_corners(hole.coords) for hole in self.polygon.interiors]

    def as_wkt(self) -> str:
        """The area as well-known text."""
        return str(shapely.to_wkt(self.polygon, rounding_precision=-1))


def _corners(ring: Iterable[Sequence[float]]) -> list[Point]:
    points = [(float(point[0]), float(point[1])) for point in ring]
    return points[:-1] if len(points) > 1 and points[0] == points[-1] else points
