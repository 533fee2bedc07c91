"""Walkable areas, however they are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import shapely

from .geometry import Geometry, Point

GeometryLike = Any
"""Well-known text, a ``shapely`` polygon or collection of polygons, corners, or a ``Geometry``."""


class GeometryError(RuntimeError):
    """Something that is no walkable area."""


def build_geometry(geometry: GeometryLike, excluded_areas: Sequence[Sequence[Point]] | None = None) -> Geometry:
    """One polygon out of whatever was given; polygons that touch are united."""
    if isinstance(geometry, Geometry):
        return geometry
    shape = _shape(geometry, excluded_areas or ())
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
        if not shape.is_valid:
            raise GeometryError("a polygon crosses itself")
        yield shape
    elif isinstance(shape, shapely.LinearRing):
        yield shapely.Polygon(shape)
    elif isinstance(shape, shapely.MultiPoint):
        yield shapely.Polygon([(point.x, point.y) for point in shape.geoms])
    elif isinstance(shape, (shapely.MultiPolygon, shapely.GeometryCollection)):
        for part in shape.geoms:
            yield from _polygons(part)
    else:
        raise GeometryError(f"an area is made of polygons, not of a {shape.geom_type}")
