"""A running crowd."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import EditError, Problem
from ._minds import Additions, BehaviourFunction, SituationKind
from ._models import ModelLike
from ._pieces import worded
from ._progress import Bar
from ._run import Run
from ._scene import Scene, SceneLike, _text_of
from ._toml import lines

if TYPE_CHECKING:
    from ._widget import CrowdWidget

__all__ = ["Edited", "Simulation"]

Ids = int | Sequence[int] | npt.NDArray[np.integer[Any]]
"""Numbers of people: one, or many."""

_LONGEST = 86_400.0


@dataclass(frozen=True)
class Edited:
    """What came of changes that were asked for: what ``Simulation.edit`` returns."""

    made: int
    """How many were made."""
    waiting: int
    """How many are made as soon as promises of people allow it."""
    ids: npt.NDArray[np.uint32]
    """The numbers of those who came."""
    steps: int
    """How often ``undo`` takes all of it back: once for each event, and once for each change that waits."""


class Simulation(_core.Simulation):
    """A running crowd. Frames are thirtieths of a second; lengths are metres, angles radians.

    Arrays are of the frame in which they are asked for, all in the same order of people. An array is made once a frame and
    then handed out without a copy, so it is read-only (``sim.positions.copy()`` is one's own); it owns its numbers, and stays
    what it is when the crowd goes on or is gone. The same scene and seed give the same numbers to the last bit, on any number
    of threads.

    >>> sim = Simulation.from_scene({"name": "hall", "world": {"floor": [[0, 0], [20, 0], [20, 10], [0, 10]]},
    ...                              "people": [{"count": 12}]}, seed=7)
    >>> sim.step(30)
    >>> sim.time, sim.positions.shape
    (1.0, (12, 2))
    """

    _added: Additions = Additions({}, {}, {})

    @classmethod
    def from_scene(
        cls,
        scene: SceneLike,
        *,
        seed: int | None = None,
        people: int | None = None,
        movers: Sequence[str] = (),
        models: Mapping[str, ModelLike] | None = None,
        behaviours: Mapping[str, BehaviourFunction] | None = None,
        situations: Mapping[str, SituationKind] | None = None,
        discs: bool = False,
    ) -> Self:
        """A simulation of a scene file, a scene that comes with Crowdloom, TOML, a dictionary or a ``Scene``.

        ``seed`` and ``people`` (how many altogether) take the place of the scene's own. ``movers`` are those that nobody has
        at the beginning but somebody may get later. ``models`` are velocity models of one's own by name: people have them with
        ``mover = "name"``. ``behaviours`` are behaviour functions of one's own, which situations lend with
        ``behaviours = ["name"]``, and ``situations`` are kinds of them, ``kind = "name"``. With ``discs`` people have no bodies, which is quicker, and may get any mover later; such a
        simulation cannot be saved.
        """
        text, file = _text_of(scene)
        if movers:
            table = Scene.read(scene)
            for mover in movers:
                table.add_people(count=0, mover=mover)
            text = table.to_toml()
        numbers = {"seed": _natural(seed, "seed", 2**64), "people": _natural(people, "people", 2**32)}
        added = Additions(dict(models or {}), dict(behaviours or {}), dict(situations or {}))
        sim = cls(text, file, **numbers, **added.given(), discs=discs)
        sim._added = added
        return sim

    @classmethod
    def load(
        cls,
        saved: bytes | str | os.PathLike[str],
        models: Mapping[str, ModelLike] | None = None,
        behaviours: Mapping[str, BehaviourFunction] | None = None,
        situations: Mapping[str, SituationKind] | None = None,
    ) -> Self:
        """The simulation that ``save`` put away, as bytes or in a file, with the same functions of one's own."""
        data = saved if isinstance(saved, bytes) else Path(saved).read_bytes()
        return cls._resumed(data, Additions(dict(models or {}), dict(behaviours or {}), dict(situations or {})))

    @classmethod
    def _resumed(cls, saved: bytes, added: Additions) -> Self:
        sim = cls("", Path("scene.toml"), snapshot=saved, **added.given())
        sim._added = added
        return sim

    def copy(self) -> Self:
        """Another simulation in the same frame; what happens to one does not happen to the other."""
        return self._resumed(self.save(), self._added)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self)._resumed, (self.save(), self._added))

    @property
    def warnings(self) -> list[Problem]:
        """What is wrong with the scene in spite of which it runs."""
        return [Problem(*problem) for problem in self._warnings]

    @property
    def outcomes(self) -> list[dict[str, Any]]:
        """What came of each goal of planned people: ``name``, ``goal``, ``met``, how far off it is, and why it is not met."""
        told: list[dict[str, Any]] = json.loads(self._outcomes)
        return told

    @property
    def scene(self) -> Scene:
        """The scene as it was read."""
        return Scene.from_toml(self.text)

    def step(self, frames: int = 1) -> None:
        """Goes on by some frames. Other threads go on meanwhile; Ctrl-C stops between two frames."""
        if frames is None:
            raise TypeError("frames is a whole number, not None")
        left = _natural(frames, "frames", 2**32)
        while left:
            left -= self._advance(left)

    def run(self, seconds: float | None = None, *, progress: bool = False) -> None:
        """Goes on for some seconds, or to the end that the scene asks for, and shows how far it is if wanted."""
        total = self._frames_of(seconds)
        with Bar(total / _core.FRAME_RATE, self.name, progress) as bar:
            done = 0
            while done < total:
                done += self._advance(total - done)
                bar.to(done / _core.FRAME_RATE)

    def _frames_of(self, seconds: float | None) -> int:
        if seconds is None:
            return max(round(self.seconds * _core.FRAME_RATE) - self.frame, 0)
        if not (math.isfinite(seconds) and 0 <= seconds <= _LONGEST):
            raise ValueError(f"seconds are between 0 and {_LONGEST:.0f}, not {seconds}")
        return round(seconds * _core.FRAME_RATE)

    def poses(self, ids: Ids | None = None) -> npt.NDArray[np.float64]:
        """Where the joints of people are: an array (people, joints, 4, 4) of matrices; of everybody without ``ids``.

        The last column of a matrix is where the joint is, z up. ``joint_names`` and ``joint_parents`` tell the joints.
        """
        return self._poses(self.ids if ids is None else _ids(ids))

    def index_of(self, ids: Ids) -> npt.NDArray[np.intp]:
        """Where people are in the arrays of this frame."""
        wanted, there = _ids(ids), self.ids
        places = np.searchsorted(there, wanted)
        found = places < len(there)
        found[found] = there[places[found]] == wanted[found]
        if not found.all():
            raise EditError(f"there is no person {wanted[~found][0]}")
        return places

    def edit(self, *tables: Mapping[str, Any], who: Ids | str | None = None, **fields: Any) -> Edited:
        """Changes the running crowd, in the words of a scene's ``[[event]]`` tables, given as keywords or dictionaries.

        ``who`` is one number, many numbers, or the name of a person, a region or a situation; everybody without it. What
        somebody's promise forbids happens as soon as it can, unless ``only_then=True``.

        >>> sim = Simulation.from_scene({"name": "hall", "world": {"floor": [[0, 0], [20, 0], [20, 10], [0, 10]]},
        ...                              "people": [{"count": 12, "at": [9.0, 2.0], "repeat": {"columns": 4, "rows": 3,
        ...                                          "step": [2.0, 2.0]}}]})
        >>> sim.edit(who=sim.ids[:5], speed=1.9).made
        5
        >>> new = sim.edit(people={"count": 2, "at": [[2.0, 2.0], [2.0, 3.0]]})
        >>> len(new.ids), new.made
        (2, 2)
        """
        rows = [worded(table) for table in tables]
        if fields:
            rows.append(worded(fields))
        if not rows:
            raise TypeError("say what to change: sim.edit(who=3, speed=1.5)")
        for row in rows:
            row.pop("at", None)
        if isinstance(who, str):
            rows = [{**row, "who": who} for row in rows]
        elif who is not None:
            ids = _ids(who)
            self.index_of(ids)
            rows = [{**row, "numbers": ids} for row in rows]
        made = waiting = steps = 0
        came: list[npt.NDArray[np.uint32]] = []
        refused: list[tuple[str, str, bool]] = []
        for row in rows:
            done = self._enact(lines(row))
            made, waiting, steps = made + done[0], waiting + done[1], steps + done[2]
            came.append(done[3])
            refused += done[4]
        if refused:
            what, why, later = refused[0]
            more = f", and {len(refused) - 1} more" if len(refused) > 1 else ""
            told = [(what, why) for what, why, _ in refused]
            raise EditError(f"refused: {what}: {why}{more}", later, told)
        return Edited(made, waiting, np.concatenate(came), steps)

    def add(self, at: Sequence[float] | npt.NDArray[np.floating[Any]], **fields: Any) -> npt.NDArray[np.uint32]:
        """Adds people at a point or points, with the fields of a ``[[people]]`` table; returns their numbers."""
        places = np.atleast_2d(_floats(at, "at"))
        if places.ndim != 2 or places.shape[1] != 2:
            raise ValueError(f"places are (x, y), not of shape {np.shape(at)}")
        return self.edit(people={**worded(fields), "at": places.tolist()}).ids

    def remove(self, ids: Ids) -> None:
        """Takes people out of the scene."""
        self.edit(who=ids, leave=True)

    def set_goals(self, ids: Ids, goals: npt.ArrayLike) -> None:
        """Sends people to points: one for all, or one for each."""
        numbers = _ids(ids)
        places = _floats(goals, "goals")
        if places.shape == (2,):
            places = np.tile(places, (len(numbers), 1))
        if places.shape != (len(numbers), 2):
            raise ValueError(f"goals of {len(numbers)} people have shape ({len(numbers)}, 2), not {places.shape}")
        self._set_goals(numbers, places)

    def set_speeds(self, ids: Ids, speeds: npt.ArrayLike) -> None:
        """Sets the speeds that people like, in metres a second: one for all, or one for each."""
        numbers = _ids(ids)
        values = _floats(speeds, "speeds")
        if values.ndim == 0:
            values = np.full(len(numbers), float(values))
        if values.shape != (len(numbers),):
            raise ValueError(f"speeds of {len(numbers)} people have shape ({len(numbers)},), not {values.shape}")
        self._set_speeds(numbers, values)

    def set_mover(self, ids: Ids, mover: str) -> Edited:
        """Lets something else move people: ``graph``, ``orca``, ``social-force`` …"""
        return self.edit(who=ids, mover=mover)

    def open(self, door: str) -> Edited:
        """Opens a door, or takes an obstacle away."""
        return self.edit(open=door)

    def close(self, door: str) -> Edited:
        """Closes a door, or puts an obstacle back, as soon as nobody has promised to be there."""
        return self.edit(close=door)

    def switch(self, signal: str, on: bool | None) -> Edited:
        """Switches a signal, or gives it back to its timer."""
        return self.edit(signal=signal, on=on)

    def is_walkable(self, points: npt.ArrayLike, radius: float = 0.0) -> npt.NDArray[np.bool_]:
        """Whether a disc could stand at points, as far as walls are concerned."""
        return self._are_walkable(_points(points), _radius(radius))

    def route(
        self, start: Sequence[float], goal: Sequence[float], radius: float = 0.25
    ) -> npt.NDArray[np.float64]:
        """A shortest way from one point to another for a disc: its turning points, both ends included."""
        ends = np.concatenate([_points(start), _points(goal)])
        return self._route(ends, _radius(radius))

    def cast_rays(
        self, points: npt.ArrayLike, directions: npt.ArrayLike, limit: float = 10.0
    ) -> npt.NDArray[np.float64]:
        """How far one sees from points in directions (radians) until a wall, at most ``limit``: (points, directions).

        Directions are the same for all points, or a row for each.
        """
        places, angles = _points(points), np.atleast_1d(_floats(directions, "directions"))
        if angles.ndim == 1:
            angles = np.tile(angles, (len(places), 1))
        if angles.ndim != 2 or len(angles) != len(places):
            raise ValueError(f"directions of {len(places)} points have as many rows, not shape {angles.shape}")
        return self._cast_rays(places, np.ascontiguousarray(angles), _radius(limit))

    def record(
        self,
        folder: str | os.PathLike[str],
        seconds: float | None = None,
        *,
        stride: int = 1,
        page: bool = True,
        report: bool = False,
        save_every: float = 0.0,
        progress: bool = False,
    ) -> Run:
        """Goes on for some seconds, or to the scene's end, and writes what happens into a folder.

        ``stride`` frames lie between two recorded ones. ``page`` writes the replay page, ``report`` the report. After
        Ctrl-C what there is is written, and can be read.
        """
        total = self._frames_of(seconds) / _core.FRAME_RATE
        if not 1 <= stride <= 30:
            raise ValueError(f"stride is between 1 and 30, not {stride}")
        if not 0 <= save_every <= _LONGEST:
            raise ValueError(f"save_every is between 0 and {_LONGEST:.0f} seconds, not {save_every}")
        with Bar(total, self.name, progress) as bar:
            summary = self._record(
                Path(folder),
                total,
                stride=stride,
                page=page,
                report=report,
                save_every=round(save_every * _core.FRAME_RATE),
                show=bar.to if progress else None,
            )
            bar.to(total)
        run = Run(folder)
        run.summary = json.loads(summary)
        return run

    def widget(self, height: int = 420) -> CrowdWidget:
        """A live view with play and pause for notebooks (needs ``anywidget``)."""
        from ._widget import CrowdWidget

        return CrowdWidget(self, height)

    def __repr__(self) -> str:
        return f"<Simulation {self.name!r}: {len(self)} people after {self.time:.2f} s>"

    def _repr_png_(self) -> bytes:
        return self.picture()


def _natural(number: int | None, what: str, most: int) -> Any:
    """A whole number from 0 up, or none."""
    if number is None:
        return None
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{what} is a whole number, not {number!r}")
    value = number.__index__()
    if not 0 <= value < most:
        raise ValueError(f"{what} is from 0 up and below {most}, not {value}")
    return value


def _ids(ids: Ids) -> npt.NDArray[np.uint32]:
    numbers = np.atleast_1d(np.asarray(ids))
    if numbers.size == 0:
        return np.zeros(0, np.uint32)
    if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"people are given by their numbers, not by {numbers.dtype} of shape {numbers.shape}")
    if numbers.min() < 0 or numbers.max() > np.iinfo(np.uint32).max:
        wrong = numbers[(numbers < 0) | (numbers > np.iinfo(np.uint32).max)][0]
        raise EditError(f"there is no person {wrong}")
    return numbers.astype(np.uint32)


def _floats(values: npt.ArrayLike, what: str) -> npt.NDArray[np.float64]:
    if np.iscomplexobj(values):
        raise TypeError(f"{what} are real numbers, not complex ones")
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{what} are numbers") from None
    if not np.isfinite(numbers).all():
        raise ValueError(f"{what} must be finite")
    return numbers if numbers.ndim == 0 else np.ascontiguousarray(numbers)


def _points(points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    places = np.atleast_2d(_floats(points, "points"))
    if places.ndim != 2 or places.shape[1] != 2:
        raise ValueError(f"points have shape (N, 2), not {np.shape(points)}")
    return places


def _radius(radius: float) -> float:
    if not (math.isfinite(radius) and 0 <= radius <= 1e6):
        raise ValueError(f"a length is from 0 up, not {radius}")
    return float(radius)
