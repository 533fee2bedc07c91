"""Shortest ways over a walkable area."""

from __future__ import annotations

from typing import Any

import shapely

from .. import _simulation
from .._scene import Ground, Scene
from ._geometry import GeometryLike, Point, build_geometry


class RoutingEngine:
    """Shortest ways of a point over a walkable area."""

    def __init__(self, geometry: GeometryLike, **areas: Any) -> None:
        self._area = build_geometry(geometry, areas.get("excluded_areas", ())).polygon
        self._sim = _simulation.Simulation.from_scene(Scene("ways", world=Ground.from_shapely(self._area)))

    def compute_waypoints(self, frm: Point, to: Point) -> list[Point]:
        """The turning points of a shortest way, both ends included."""
        for point in (frm, to):
            if not self.is_routable(point):
                raise RuntimeError(f"{point} lies outside of the walkable area")
        try:
            way = self._sim.route(frm, to, radius=0.0)
        except ValueError as error:
            raise RuntimeError(str(error)) from None
        return [(float(x), float(y)) for x, y in way]

    def is_routable(self, p: Point) -> bool:
        """Whether a point lies in the walkable area."""
        return bool(self._area.covers(shapely.Point(p)))
