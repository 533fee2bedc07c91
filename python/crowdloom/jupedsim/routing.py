"""Shortest ways over a walkable area."""

from __future__ import annotations

from typing import Any

import shapely

from .. import _simulation
from .._scene import Ground, Scene
from .geometry import Point
from .geometry_utils import GeometryLike, build_geometry


class RoutingEngine:
    """Shortest ways of a point over a walkable area."""

    def __init__(self, geometry: GeometryLike, **areas: Any) -> None:
        self._area = build_geometry(geometry, areas.get("excluded_areas")).polygon
        shapely.prepare(self._area)
        scene = Scene("ways", world=Ground.from_shapely(self._area), motion={"graph": "standing"})
        self._sim = _simulation.Simulation.from_scene(scene, discs=True)

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
        return bool(shapely.intersects_xy(self._area, *p))

    def mesh(self) -> tuple[list[Point], list[list[int]]]:
        """The area as triangles: all corners, and of each triangle the numbers of its corners, against the clock."""
        corners: dict[Point, int] = {}
        triangles = []
        for triangle in shapely.constrained_delaunay_triangles(self._area).geoms:
            ring = triangle.exterior.coords if triangle.exterior.is_ccw else triangle.exterior.coords[::-1]
            triangles.append([corners.setdefault((x, y), len(corners)) for x, y in ring[:3]])
        return list(corners), triangles
