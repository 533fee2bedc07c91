"""Motions: captured clips, and the graphs that crowds walk on.

>>> from crowdloom.motion import Motions
>>> motions = Motions()
>>> walk = motions[next(name for name in motions.names if "walk" in name)]
>>> walk.seconds > 0.3, walk.poses([0.0, 0.1]).shape[0], walk.foot_skate < 0.02
(True, 2, True)
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import MotionError

__all__ = ["Clip", "Imported", "MotionGraph", "Motions"]

_Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Imported:
    """What became of a file that was read."""

    file: Path
    seconds: float | None
    """How long its motion is; None where the file was refused."""
    problem: str | None
    """Why it was refused."""
    notes: list[str]
    """Glitches that were mended, guesses, and what else is worth knowing."""


class Clip:
    """One motion, relative to where it begins: x forward, y left, z up, in metres.

    >>> from crowdloom.motion import Motions
    >>> motions = Motions()
    >>> clip = motions[motions.names[0]]
    >>> clip.track.shape[1], clip.contacts.shape[1]
    (3, 4)
    """

    def __init__(self, motions: Motions, name: str) -> None:
        self._motions = motions
        self.name = name
        self.seconds, self.labels = motions._own._about(name)

    def poses(self, seconds: npt.ArrayLike | None = None) -> npt.NDArray[np.float64]:
        """Where the joints are at some moments, or in each frame: matrices (N, joints, 4, 4), the last column the place."""
        if seconds is None:
            seconds = np.arange(len(self.track)) / _core.FRAME_RATE
        moments = np.ascontiguousarray(np.atleast_1d(np.asarray(seconds, dtype=np.float64)))
        if moments.ndim != 1:
            raise ValueError(f"moments are a list of seconds, not of shape {moments.shape}")
        return self._motions._own._poses(self.name, moments)

    @property
    def track(self) -> npt.NDArray[np.float64]:
        """Where the body is on the ground in each frame, thirty a second: (N, 3) of x, y and heading."""
        return self._motions._own._track(self.name)

    @property
    def contacts(self) -> npt.NDArray[np.bool_]:
        """What touches the ground in each frame: (N, 4) of left heel, left toe, right heel, right toe."""
        return self._motions._own._contacts(self.name)

    @property
    def foot_skate(self) -> float | None:
        """The mean speed of feet in contact, in metres a second; None where no foot ever is."""
        return self._motions._own._foot_skate(self.name)

    def export(self, file: _Path) -> Path:
        """Writes the clip as BVH."""
        target = Path(file)
        if target.suffix.lower() != ".bvh":
            raise ValueError(f"clips are written as BVH, not as `{target.name}`")
        self._motions._own._write_bvh(self.name, target)
        return target

    def __repr__(self) -> str:
        return f"<Clip {self.name!r}: {self.seconds:.2f} s>"


class Motions:
    """Clips on one skeleton: those that come with Crowdloom, or those of a file."""

    def __init__(self, file: _Path | None = None, *, _own: _core.Motions | None = None) -> None:
        self._own = _own if _own is not None else _core.Motions(None if file is None else Path(file))
        self.imported: list[Imported] = []
        """What became of each file, of clips that were just imported."""

    @classmethod
    def load(cls, file: _Path) -> Self:
        """The clips of a file that ``save`` or ``crowdloom motion`` wrote; of a motion graph its actions."""
        return cls(file)

    def save(self, file: _Path) -> None:
        """Writes the clips into a file."""
        self._own.save(Path(file))

    @property
    def names(self) -> list[str]:
        """The names of all clips."""
        return self._own.names

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints, in the order of poses."""
        return self._own.joint_names

    @property
    def joint_parents(self) -> npt.NDArray[np.int32]:
        """The index of each joint's parent; -1 of the root."""
        return self._own.joint_parents

    @classmethod
    def from_files(
        cls,
        files: _Path | Iterable[_Path],
        *,
        preset: Literal["cmu"] | None = None,
        metres_per_unit: float | None = None,
        up: Literal["y", "z"] = "y",
        frame_rate: float | None = None,
        drop_first_frame: bool = False,
        clean_feet: bool = True,
    ) -> Self:
        """Reads BVH and AMC files, on the skeleton of the first; other bodies are retargeted to it.

        ``preset`` knows the conventions of the CMU database. Files that cannot be used are told in ``imported``; where none
        can, that is a ``MotionError``.
        """
        given = [files] if isinstance(files, (str, os.PathLike)) else list(files)
        if up not in ("y", "z") or preset not in (None, "cmu"):
            raise ValueError(f"up is y or z and preset cmu or None, not {up!r} and {preset!r}")
        for number, what in ((metres_per_unit, "metres_per_unit"), (frame_rate, "frame_rate")):
            if number is not None and not 0 < number < 1e6:
                raise ValueError(f"{what} is above 0, not {number}")
        found, outcomes = _core.Motions._import(
            [Path(file) for file in given],
            cmu=preset == "cmu",
            metres_per_unit=metres_per_unit,
            z_up=up == "z",
            frame_rate=frame_rate,
            drop_first_frame=drop_first_frame,
            clean_feet=clean_feet,
        )
        told = [Imported(Path(file), seconds, problem, notes) for file, seconds, problem, notes in outcomes]
        if found is None:
            why = next((own.problem for own in told if own.problem), "there are none")
            raise MotionError(f"no file can be used: {why}")
        motions = cls(_own=found)
        motions.imported = told
        return motions

    def __getitem__(self, name: str) -> Clip:
        return Clip(self, name)

    def __iter__(self) -> Iterator[Clip]:
        return (Clip(self, name) for name in self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<Motions: {len(self)} clips>"


class MotionGraph:
    """Poses that motions have in common, and the motions between them (``[motion] graph`` of scenes)."""

    def __init__(self, file: _Path | None = None, *, _own: _core.Graph | None = None) -> None:
        if _own is None and file is None:
            raise TypeError("a graph comes from a file, or from `MotionGraph.build`")
        self._own = _own if _own is not None else _core.Graph(Path(file or ""))

    @classmethod
    def load(cls, file: _Path) -> Self:
        """The graph of a file."""
        return cls(file)

    @classmethod
    def build(
        cls,
        motions: Motions,
        *,
        threshold: float = 0.075,
        bridge_threshold: float = 0.12,
        least_seconds: float = 0.6,
        most_nodes: int = 24,
        mirror: bool = False,
    ) -> Self:
        """Finds poses that clips have in common, at most ``threshold`` metres apart, and cuts the clips there.

        ``bridge_threshold`` is what is still accepted where motion would be lost otherwise, ``mirror`` uses every clip mirrored
        as well. Where nothing connects, that is a ``MotionError``.
        """
        for number in (threshold, bridge_threshold, least_seconds):
            if not 0 <= number < 100:
                raise ValueError(f"thresholds and seconds are from 0 up, not {number}")
        if not 1 <= most_nodes <= 10_000:
            raise ValueError(f"there are 1 to 10000 nodes, not {most_nodes}")
        own = _core.Graph._build(
            motions._own,
            threshold=threshold,
            bridge_threshold=bridge_threshold,
            least_seconds=least_seconds,
            most_nodes=most_nodes,
            mirror=mirror,
        )
        return cls(_own=own)

    def save(self, file: _Path) -> None:
        """Writes the graph into a file, for ``[motion] graph`` of scenes."""
        self._own.save(Path(file))

    @property
    def report(self) -> dict[str, Any] | None:
        """What building kept and dropped, of a graph that was just built."""
        text = self._own._report
        return None if text is None else json.loads(text)

    @property
    def nodes(self) -> list[str]:
        """The names of the poses."""
        return self._own.nodes

    @property
    def actions(self) -> list[tuple[str, str, str, float]]:
        """All motions: the clip's name, the nodes that it leads from and to, and its seconds."""
        return self._own.actions

    def motions(self) -> Motions:
        """The clips of all actions."""
        return Motions(_own=self._own.motions())

    def __repr__(self) -> str:
        return f"<MotionGraph: {len(self.nodes)} nodes, {len(self.actions)} actions>"
