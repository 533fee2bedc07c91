"""What people decide by, written in Python: behaviour functions and kinds of situations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._models import ModelLike, given

__all__ = ["Ask", "BehaviourFunction", "Candidates", "Deciding", "SituationKind", "Visit"]

Floats = npt.NDArray[np.float32]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Deciding:
    """Somebody who decides which clip of the motion graph comes next. Places are those of the scene, in metres."""

    agent: int
    """Its number."""
    frame: int
    position: Point
    facing: Point
    """Where it faces, as a unit vector."""
    goal: Point | None
    """Where it wants to be in the end."""
    likes: float
    """The speed that it likes, in metres a second."""
    past_positions: npt.NDArray[np.float64]
    """Where it began what it did before, the last one last, at most 8: (P, 2)."""
    past_frames: npt.NDArray[np.uint32]
    """In which frames that was: (P,)."""
    other_positions: npt.NDArray[np.float64]
    """Where those are whose promises come near: (K, 2)."""
    other_velocities: npt.NDArray[np.float64]
    """How they move, in metres a second: (K, 2)."""
    other_radii: Floats
    """The radii of their discs: (K,)."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What somebody could do next; the same row of every array is the same candidate, and the last one is staying."""

    positions: npt.NDArray[np.float64]
    """Where one is afterwards: (N, 2)."""
    facings: npt.NDArray[np.float64]
    """Where one faces afterwards, as unit vectors: (N, 2)."""
    turns: Floats
    """How far one turns, in radians: (N,)."""
    distances: Floats
    """How far one goes, in metres: (N,)."""
    speeds: Floats
    """How fast one goes on afterwards, in metres a second: (N,)."""
    seconds: Floats
    """How long it takes: (N,)."""

    def __len__(self) -> int:
        return len(self.turns)


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody who is in a situation, at one of its decisions. Places are those of the scene, in metres."""

    agent: int
    """Its number."""
    frame: int
    since: float
    """For how many seconds it has been in the situation."""
    position: Point
    facing: Point
    """Where it faces, as a unit vector."""
    goal: Point | None
    """Where it wants to be itself."""
    likes: float
    """The speed that it likes, in metres a second."""
    at_rest: bool
    """Whether it stands still."""
    spot: tuple[float, float, float] | None
    """The spot that it holds, with the direction to face in radians; it goes there by itself."""
    at_spot: bool
    """Whether it has settled there."""
    busy: float | None
    """How many seconds are left of the time that ``Ask.busy`` set; None before."""
    done: bool
    """Whether ``Ask.done`` said so."""
    present: npt.NDArray[np.uint32]
    """The numbers of all who were in the situation before this decision."""
    chance: float
    """A number between 0 and 1, another one at each decision, the same in each run."""
    parameters: dict[str, float]
    """The situation's ``parameters``."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a situation asks of a visitor until its next decision.

    >>> from crowdloom import Ask
    >>> Ask(stand=True, busy=2.0).busy
    2.0
    """

    take_spot: bool = False
    """Take one of the situation's ``spots`` that is free, and go there; it is held until given up."""
    give_up_spot: bool = False
    stand: bool = False
    """Stay where one is."""
    busy: float | None = None
    """Note that one is busy for so many seconds from now; ``Visit.busy`` tells what is left."""
    done: bool = False
    """Note that one is through with it; ``Visit.done`` tells."""
    leave: bool = False
    """Take no part any longer."""
    speed: float | None = None
    """Go at this speed, in metres a second."""
    face: Point | None = None
    """Turn to a point."""
    goal: Point | None = None
    """Make a point one's own goal."""
    keep_off: tuple[float, float, float] | None = None
    """Keep off a point (x, y) by so many metres."""

    def _told(self) -> tuple[object, ...]:
        flags = (self.take_spot, self.give_up_spot, self.stand, self.done, self.leave)
        return (tuple(map(bool, flags)), _number(self.busy), _number(self.speed), _numbers(self.face, 2), _numbers(self.goal, 2), _numbers(self.keep_off, 3))


BehaviourFunction = Callable[[Deciding, Candidates], npt.ArrayLike]
"""Gives every candidate a weight from 0, never, to 1, gladly; it must depend on nothing else, so that runs repeat themselves."""

SituationKind = Callable[[Visit], Ask | None]
"""Says what a situation asks of a visitor; it must depend on nothing else, so that runs repeat themselves."""


def _number(value: float | None) -> float | None:
    return None if value is None else _numbers((value,), 1)[0]


def _numbers(values: tuple[float, ...] | None, count: int) -> Any:
    if values is None:
        return None
    numbers = tuple(float(value) for value in values)
    if len(numbers) != count or not np.isfinite(numbers).all():
        raise ValueError(f"{values} are not {count} finite numbers")
    return numbers


def _weighing(function: BehaviourFunction) -> Callable[[dict[str, Any], dict[str, Any]], Floats]:
    def ask(who: dict[str, Any], what: dict[str, Any]) -> Floats:
        candidates = Candidates(**what)
        weights = np.ascontiguousarray(function(Deciding(**who), candidates), dtype=np.float32)
        if weights.shape != (len(candidates),):
            raise ValueError(f"a behaviour function answers with shape ({len(candidates)},), not {weights.shape}")
        if not (np.isfinite(weights) & (weights >= 0)).all():
            raise ValueError("weights are numbers from 0 up")
        return weights

    return ask


def _visiting(function: SituationKind) -> Callable[[dict[str, Any]], tuple[object, ...] | None]:
    def ask(fields: dict[str, Any]) -> tuple[object, ...] | None:
        answer = function(Visit(**fields))
        if answer is None:
            return None
        if not isinstance(answer, Ask):
            raise TypeError(f"a situation answers with an Ask or None, not {answer!r}")
        return answer._told()

    return ask


@dataclass(frozen=True)
class Additions:
    """What a simulation has of one's own, as it is given and pickled."""

    models: Mapping[str, ModelLike]
    behaviours: Mapping[str, BehaviourFunction]
    situations: Mapping[str, SituationKind]

    def given(self) -> dict[str, Any]:
        """As the compiled half takes them."""
        for name, function in (*self.behaviours.items(), *self.situations.items()):
            if not callable(function):
                raise TypeError(f"`{name}` is no function but {function!r}")
        return {
            "models": given(self.models),
            "behaviours": [(name, _weighing(own)) for name, own in self.behaviours.items()],
            "situations": [(name, _visiting(own)) for name, own in self.situations.items()],
        }
