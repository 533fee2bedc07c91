"""The pieces that scenes are built of, as objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = ["Door", "Event", "People", "Piece", "Region", "Situation", "Stop", "worded"]


def worded(table: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of Python as keys of a scene: ``top_speed`` is ``top-speed``, ``in_`` is ``in``."""
    return {key.rstrip("_").replace("_", "-"): value for key, value in table.items() if value is not None}


class Piece(dict[str, Any]):
    """A table of a scene: a dictionary whose keys are the fields that ``docs/scenes.md`` explains."""

    table: ClassVar[str]
    """The name of such tables."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(worded(fields))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self.items())})"


class People(Piece):
    """People: ``count``, ``in_``, ``at``, ``to``, ``mover``, ``speed`` and so on.

    >>> People(count=12, in_="hall", top_speed=2.0)
    People(count=12, in='hall', top-speed=2.0)
    """

    table = "people"


class Region(Piece):
    """A named place: ``rectangle``, ``polygon`` or ``circle``."""

    table = "region"

    def __init__(self, name: str, **fields: Any) -> None:
        super().__init__(name=name, **fields)


class Stop(Piece):
    """A stop that people go to: ``region``, ``stay``, ``next``, ``exit``."""

    table = "stop"

    def __init__(self, name: str, **fields: Any) -> None:
        super().__init__(name=name, **fields)


class Situation(Piece):
    """A situation: ``region`` and what its kind needs."""

    table = "situation"

    def __init__(self, name: str, kind: str, **fields: Any) -> None:
        super().__init__(name=name, kind=kind, **fields)


class Door(Piece):
    """A door: a shape, and whether it is ``closed``."""

    table = "door"

    def __init__(self, name: str, **fields: Any) -> None:
        super().__init__(name=name, **fields)


class Event(Piece):
    """What happens ``at`` so many seconds."""

    table = "event"

    def __init__(self, at: float, **fields: Any) -> None:
        super().__init__(at=at, **fields)
