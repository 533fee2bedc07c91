"""Writing agents down."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .simulation import Simulation


class WriterError(Exception):
    """Why nothing can be written."""


class TrajectoryWriter(abc.ABC):
    """Something that writes agents down."""

    Exception = WriterError

    @abc.abstractmethod
    def begin_writing(self, simulation: Simulation) -> None:
        """Called once before the first iteration."""

    @abc.abstractmethod
    def write_iteration_state(self, simulation: Simulation) -> None:
        """Called before the first iteration and after each."""

    @abc.abstractmethod
    def every_nth_frame(self) -> int:
        """How many iterations lie between two frames that are written."""


def check_positive(**numbers: int) -> None:
    """Refuses numbers below 1."""
    for name, number in numbers.items():
        if number < 1:
            raise WriterError(f"{name} must be above 0")


def rows_of(simulation: Simulation) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Numbers, places and unit vectors of all agents, by their numbers."""
    ids, places, faces = simulation.ids(), simulation.positions(), simulation.orientations()
    order = np.argsort(ids)
    return ids[order], places[order], faces[order]
