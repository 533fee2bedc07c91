"""Scenes: from files, text and dictionaries, or piece by piece."""

from __future__ import annotations

import copy
import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from . import _core
from ._errors import Problem, SceneError
from ._pieces import Door, Event, People, Piece, Region, Situation, Stop, worded
from ._toml import dumps

__all__ = ["Ground", "Scene", "SceneLike", "embedded_scenes", "scene_schema"]

SceneLike = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scene"]
"""A scene file, the name of a scene that comes with Crowdloom, TOML, a dictionary, or a ``Scene``."""

_UNNAMED = "scene.toml"


def embedded_scenes() -> dict[str, str]:
    """Names of the scenes that come with Crowdloom, each with what it shows.

    >>> "street" in embedded_scenes()
    True
    """
    return dict(_core.embedded_scenes())


def scene_schema() -> dict[str, Any]:
    """The JSON Schema of scenes: every table and field, with what it means."""
    schema: dict[str, Any] = json.loads(_core.scene_schema())
    return schema


class Ground:
    """The walkable ground, as a scene's ``world`` table."""

    @staticmethod
    def from_polygon(
        floor: Sequence[Sequence[float]], holes: Sequence[Sequence[Sequence[float]]] = ()
    ) -> dict[str, Any]:
        """A floor of corners ``(x, y)`` in metres, with holes.

        >>> Ground.from_polygon([(0, 0), (8, 0), (8, 5), (0, 5)])
        {'floor': [[0.0, 0.0], [8.0, 0.0], [8.0, 5.0], [0.0, 5.0]]}
        """
        world: dict[str, Any] = {"floor": _ring(floor)}
        if holes:
            world["obstacle"] = [{"polygon": _ring(hole)} for hole in holes]
        return world

    @staticmethod
    def from_shapely(polygon: Any) -> dict[str, Any]:
        """A ``shapely`` polygon, with its holes; of several polygons those that touch must be united before."""
        if getattr(polygon, "geom_type", None) == "MultiPolygon" and len(polygon.geoms) == 1:
            polygon = polygon.geoms[0]
        if getattr(polygon, "geom_type", None) != "Polygon":
            kind = getattr(polygon, "geom_type", type(polygon).__name__)
            raise ValueError(f"the ground is one polygon, not a {kind}: unite what touches first")
        holes = [list(hole.coords) for hole in polygon.interiors]
        return Ground.from_polygon(list(polygon.exterior.coords), holes)

    @staticmethod
    def from_wkt(text: str) -> dict[str, Any]:
        """A polygon as well-known text.

        >>> Ground.from_wkt("POLYGON ((0 0, 4 0, 4 3, 0 3, 0 0))")["floor"][2]
        [4.0, 3.0]
        """
        head, _, body = text.strip().partition("(")
        kind = head.strip().upper()
        if kind != "POLYGON" or not body.rstrip().endswith(")"):
            raise ValueError(f"the ground is `POLYGON ((x y, …), …)`, not `{text.strip()[:40]}`")
        rings = []
        for part in body.rstrip()[:-1].split("("):
            ring = part.partition(")")[0]
            if ring.strip(" ,"):
                try:
                    rings.append([[float(number) for number in point.split()[:2]] for point in ring.split(",")])
                except ValueError:
                    raise ValueError(f"`{ring.strip()[:40]}` is no list of points") from None
        if not rings:
            raise ValueError("this polygon is empty")
        return Ground.from_polygon(rings[0], rings[1:])

    @staticmethod
    def from_file(path: str | os.PathLike[str], metres_per_cell: float | None = None) -> dict[str, Any]:
        """A map file: well-known text, GeoJSON, a bitmap or a MovingAI grid."""
        world: dict[str, Any] = {"map": os.fspath(Path(path).resolve())}
        if metres_per_cell is not None:
            world["metres-per-cell"] = metres_per_cell
        return world


def _ring(points: Sequence[Sequence[float]]) -> list[list[float]]:
    ring = []
    for point in points:
        if len(point) < 2:
            raise ValueError(f"a corner is (x, y), not {point!r}")
        ring.append([float(point[0]), float(point[1])])
    if len(ring) > 1 and ring[0] == ring[-1]:
        ring.pop()
    if len(ring) < 3:
        raise ValueError("a polygon has at least three corners")
    return ring


class Scene:
    """A scene: ground, people, situations and what happens when.

    Whatever ``docs/scenes.md`` explains can be given as keywords; ``_`` stands for ``-``, and ``in_`` for ``in``.

    >>> scene = Scene("hall", world=Ground.from_polygon([(0, 0), (20, 0), (20, 10), (0, 10)]), seconds=5)
    >>> scene.add_people(count=12, speed=1.3)
    >>> scene.check()
    []
    """

    def __init__(
        self, name: str = "scene", *, world: Mapping[str, Any] | None = None, **fields: Any
    ) -> None:
        self.table: dict[str, Any] = {"name": name, **worded(fields)}
        if world is not None:
            self.table["world"] = dict(world)
        self.file = Path(_UNNAMED)

    @classmethod
    def read(cls, source: SceneLike) -> Scene:
        """A scene from a file, the name of one that comes with Crowdloom, TOML, a dictionary, or another scene."""
        text, file = _text_of(source)
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            # Crowdloom tells the line and what to do.
            problems = _core.check_scene(text, file)
            raise SceneError(os.fspath(file), problems) from None
        return cls.from_dict(table, file)

    @classmethod
    def from_toml(cls, text: str) -> Scene:
        """A scene from TOML."""
        return cls.read(text if "\n" in text else text + "\n")

    @classmethod
    def from_dict(cls, table: Mapping[str, Any], file: str | os.PathLike[str] = _UNNAMED) -> Scene:
        """A scene from a dictionary; files that it names are looked for beside ``file``."""
        scene = cls()
        scene.table = copy.deepcopy(dict(table))
        scene.file = Path(file)
        return scene

    def add(self, kind: str | Piece, /, **fields: Any) -> None:
        """Adds a piece, such as ``People(count=3)``, or a table ``[[kind]]``: ``people``, ``region``, ``prop``, ``camera`` …"""
        name = kind.table if isinstance(kind, Piece) else kind.replace("_", "-")
        rows = self.table.setdefault(name, [])
        if not isinstance(rows, list):
            raise TypeError(f"`{name}` is one table, not a list of them: set `scene.table[{name!r}]`")
        rows.append({**kind, **worded(fields)} if isinstance(kind, Piece) else worded(fields))

    def add_people(self, **fields: Any) -> None:
        """Adds people: ``count``, ``in_``, ``at``, ``to``, ``mover``, ``speed`` and so on."""
        self.add(People(**fields))

    def add_region(self, name: str, **fields: Any) -> None:
        """Adds a named place: ``rectangle``, ``polygon`` or ``circle``."""
        self.add(Region(name, **fields))

    def add_stop(self, name: str, **fields: Any) -> None:
        """Adds a stop that people go to: ``region``, ``stay``, ``next``, ``exit``."""
        self.add(Stop(name, **fields))

    def add_situation(self, name: str, kind: str, **fields: Any) -> None:
        """Adds a situation: ``region`` and what its kind needs."""
        self.add(Situation(name, kind, **fields))

    def add_door(self, name: str, **fields: Any) -> None:
        """Adds a door: a shape, and whether it is ``closed``."""
        self.add(Door(name, **fields))

    def add_event(self, at: float, **fields: Any) -> None:
        """Adds what happens after so many seconds."""
        self.add(Event(at, **fields))

    def to_toml(self) -> str:
        """The scene as a TOML file."""
        return dumps(self.table)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene as a TOML file."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def check(self) -> list[Problem]:
        """All that is wrong with it, harmless or not."""
        return [Problem(*problem) for problem in _core.check_scene(self.to_toml(), self.file)]

    def with_changes(self, changes: Mapping[str, Any]) -> Scene:
        """A copy in which values at paths such as ``"people.0.count"`` are others."""
        other = Scene.from_dict(self.table, self.file)
        for path, value in changes.items():
            _set(other.table, path, value)
        return other

    def __repr__(self) -> str:
        tables = {key: len(rows) for key, rows in self.table.items() if isinstance(rows, list)}
        told = ", ".join(f"{count} {key}" for key, count in tables.items())
        return f"<Scene {self.table.get('name')!r}{': ' + told if told else ''}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.table == other.table

    __hash__ = None  # type: ignore[assignment]


def _set(table: dict[str, Any], path: str, value: Any) -> None:
    *before, last = _steps(path)
    place: Any = table
    try:
        for step in before:
            place = place[step]
        if isinstance(place, list) and isinstance(last, int):
            place[last] = value
        elif isinstance(place, dict) and isinstance(last, str):
            place[last] = value
        else:
            raise KeyError(last)
    except (KeyError, IndexError, TypeError):
        raise KeyError(f"the scene has no `{path}`") from None


def _steps(path: str) -> Iterator[str | int]:
    if not path:
        raise KeyError("a path is empty")
    for step in path.split("."):
        yield int(step) if step.isdigit() else step


def _text_of(source: SceneLike) -> tuple[str, Path]:
    """The TOML of a scene, and the file beside which others are looked for."""
    if isinstance(source, Scene):
        return source.to_toml(), source.file
    if isinstance(source, Mapping):
        return dumps(source), Path(_UNNAMED)
    if isinstance(source, str) and ("\n" in source or ("=" in source and not os.path.exists(source))):
        return source, Path(_UNNAMED)
    if not isinstance(source, (str, os.PathLike)):
        kind = type(source).__name__
        raise TypeError(f"a scene is a path, a name, TOML, a dictionary or a Scene, not a {kind}")
    path = Path(source)
    if isinstance(source, str) and not path.exists():
        embedded = _core.embedded_scene(source)
        if embedded is not None:
            return embedded, path
    try:
        return path.read_text(encoding="utf-8"), path
    except UnicodeDecodeError:
        raise SceneError(os.fspath(path), [(None, "is not UTF-8", "save it as UTF-8", False)]) from None
    except OSError as error:
        known = ", ".join(name for name, _ in _core.embedded_scenes() if ":" not in name)
        help = f"give a file, TOML, or one of: {known}"
        why = error.strerror or str(error)
        raise SceneError(os.fspath(path), [(None, f"cannot be read: {why}", help, False)]) from error
