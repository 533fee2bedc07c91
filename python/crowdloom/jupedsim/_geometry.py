"""Walkable areas, however they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import shapely

Point = tuple[float, float]
GeometryLike = Any
"""Well-known text, a ``shapely`` polygon or collection of polygons, corners, or a ``Geometry``."""


class GeometryError(Exception):
    """Something that is no walkable area."""


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


def build_geometry(geometry: GeometryLike, excluded_areas: Sequence[Sequence[Point]] = ()) -> Geometry:
    """One polygon out of whatever was given; polygons that touch are united."""
    if isinstance(geometry, Geometry):
        return geometry
    shape = _shape(geometry, excluded_areas)
    united = shapely.union_all(list(_polygons(shape)))
    if united.geom_type != "Polygon":
        raise GeometryError("the walkable area is not one piece: its polygons do not touch")
    if united.is_empty or not united.is_valid or united.area <= 0:
        raise GeometryError("this is no walkable area: it is empty or crosses itself")
    return Geometry(united)


def _shape(geometry: Any, excluded_areas: Sequence[Sequence[Point]]) -> Any:
    if isinstance(geometry, str):
        try:
            return shapely.from_wkt(geometry)
        except shapely.errors.ShapelyError as error:
            raise GeometryError(f"this is no well-known text: {error}") from None
    if isinstance(geometry, shapely.Geometry):
        return geometry
    try:
        return shapely.Polygon(geometry, list(excluded_areas))
    except (TypeError, ValueError, shapely.errors.ShapelyError) as error:
        raise GeometryError(f"these are no corners of a polygon: {error}") from None


def _polygons(shape: Any) -> Iterable[shapely.Polygon]:
    if isinstance(shape, shapely.Polygon):
        yield shape
    elif isinstance(shape, shapely.MultiPoint):
        yield shapely.Polygon([(point.x, point.y) for point in shape.geoms])
    elif isinstance(shape, (shapely.MultiPolygon, shapely.GeometryCollection)):
        for part in shape.geoms:
            yield from _polygons(part)
    else:
        raise GeometryError(f"an area is made of polygons, not of a {shape.geom_type}")
