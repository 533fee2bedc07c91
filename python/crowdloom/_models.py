"""Velocity models of one's own: a function of arrays, asked once a step for all of its people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
import numpy.typing as npt

__all__ = ["Batch", "ModelLike", "VelocityModel"]

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Batch:
    """The people of one model in one step; the same row of every array is the same person.

    Lengths are metres, in a frame that begins at the corner of the ground where its coordinates are large. The neighbours of
    person ``i`` are ``neighbours[neighbour_offsets[i]:neighbour_offsets[i + 1]]``.
    """

    seconds: float
    """The length of the step."""
    positions: Floats
    """Where they are: (N, 2)."""
    velocities: Floats
    """How they move, in metres a second: (N, 2)."""
    preferred: Floats
    """How they would like to move, along their ways, in metres a second: (N, 2)."""
    radii: Floats
    """The radii of their discs: (N,)."""
    max_speeds: Floats
    """The highest speeds that they ever take, in metres a second: (N,)."""
    neighbour_offsets: Numbers
    """Where the neighbours of each begin in ``neighbours``: (N + 1,)."""
    neighbours: Numbers
    """Everybody's neighbours one after the other, nearest first, as rows of the arrays of others: (M,)."""
    other_positions: Floats
    """Where everybody is, whatever moves them: (K, 2)."""
    other_velocities: Floats
    """How everybody moves: (K, 2)."""
    other_radii: Floats
    """The radius of everybody: (K,)."""
    other_fallen: npt.NDArray[np.bool_]
    """Who has fallen and lies on the ground: (K,)."""
    wall_offsets: Numbers
    """Where the walls of each begin in ``walls``: (N + 1,)."""
    walls: Floats
    """From each person to the nearest point of every wall in reach: (W, 2)."""

    def __len__(self) -> int:
        return len(self.positions)

    def neighbour_owners(self) -> npt.NDArray[np.intp]:
        """Whose neighbour each of ``neighbours`` is, by row."""
        return _owners(self.neighbour_offsets)

    def wall_owners(self) -> npt.NDArray[np.intp]:
        """Whose wall each of ``walls`` is, by row."""
        return _owners(self.wall_offsets)

    def sum_of_neighbours(self, vectors: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        """For each person the sum of vectors (M, 2), one for each of ``neighbours``: (N, 2)."""
        return _sums(self.neighbour_owners(), vectors, len(self))

    def sum_of_walls(self, vectors: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        """For each person the sum of vectors (W, 2), one for each of ``walls``: (N, 2)."""
        return _sums(self.wall_owners(), vectors, len(self))


def _sums(
    owners: npt.NDArray[np.intp], vectors: npt.NDArray[np.floating[Any]], count: int
) -> npt.NDArray[np.float64]:
    # Much quicker than `np.add.at`.
    return np.column_stack([np.bincount(owners, vectors[:, axis], count) for axis in (0, 1)])


def _owners(offsets: Numbers) -> npt.NDArray[np.intp]:
    counts = offsets[1:].astype(np.intp) - offsets[:-1].astype(np.intp)
    return np.repeat(np.arange(len(counts)), counts)


@dataclass(frozen=True)
class VelocityModel:
    """A function from a ``Batch`` to the next velocities (N, 2) in metres a second, and what its people see.

    Bodies stay solid, walls stay closed and promises of others are kept whatever it answers.

    >>> from crowdloom import Simulation, VelocityModel
    >>> slow = VelocityModel(lambda batch: 0.5 * batch.preferred, neighbour_distance=2.0)
    >>> sim = Simulation.from_scene({"name": "hall", "world": {"floor": [[0, 0], [9, 0], [9, 9], [0, 9]]},
    ...                              "people": [{"count": 4, "mover": "slow"}]}, models={"slow": slow})
    >>> sim.step(30)
    >>> set(sim.movers)
    {'slow'}
    """

    choose: Callable[[Batch], npt.ArrayLike]
    """The function; it must depend on its batch only, so that runs repeat themselves."""
    neighbour_distance: float = 5.0
    """How far others are seen, in metres."""
    max_neighbours: int = 10
    """How many others are heeded, the nearest first; at most 32."""
    wall_reach: float = 1.0
    """How far walls matter, in metres from a body's edge."""
    manners: bool = False
    """Whether people keep to the right and a distance to those ahead before the model is asked."""

    def __post_init__(self) -> None:
        if not callable(self.choose):
            raise TypeError(f"a model is a function, not {self.choose!r}")
        if not (0 < self.neighbour_distance <= 50 and 0 < self.max_neighbours <= 32 and 0 <= self.wall_reach <= 50):
            raise ValueError(f"these numbers of a model are not possible: {self}")

    def _ask(self, fields: dict[str, Any]) -> Floats:
        batch = Batch(**fields)
        given = self.choose(batch)
        if np.iscomplexobj(given):
            raise TypeError("a model answers with real numbers, not with complex ones")
        answer = np.ascontiguousarray(given, dtype=np.float32)
        if answer.shape != (len(batch), 2):
            raise ValueError(f"a model answers with shape ({len(batch)}, 2), not {answer.shape}")
        if not np.isfinite(answer).all():
            raise ValueError("a model answered with what is no number")
        return answer


ModelLike = Union[VelocityModel, Callable[[Batch], npt.ArrayLike]]
"""A velocity model, or only its function."""


Given = tuple[str, Callable[[dict[str, Any]], Floats], float, int, float, bool]


def given(models: Mapping[str, ModelLike]) -> list[Given]:
    """Models as the compiled half takes them."""
    rows: list[Given] = []
    for name, model in models.items():
        own = model if isinstance(model, VelocityModel) else VelocityModel(model)
        numbers = (own.neighbour_distance, own.max_neighbours, own.wall_reach, own.manners)
        rows.append((name, own._ask, *numbers))
    return rows
