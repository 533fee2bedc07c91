"""Environments for reinforcement learning over any scene: every person of it is an agent.

``ParallelCrowd`` is a PettingZoo ``ParallelEnv`` (needs ``pettingzoo``), ``VectorCrowd`` a Gymnasium ``VectorEnv`` (needs
``gymnasium``): ``pip install crowdloom[rl]``.

An action is the velocity, or the point, that a person would like; the scene's mover (ORCA unless another is given) still
keeps people off each other and off walls. An observation is the person's own velocity, where its goal lies, its nearest
neighbours and the distance to walls all round, turned so that the person faces east.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._world import Options, World

if TYPE_CHECKING:
    from ._parallel import ParallelCrowd
    from ._vector import VectorCrowd

__all__ = ["Options", "ParallelCrowd", "VectorCrowd", "World"]


def __getattr__(name: str) -> object:
    # Each needs a package that the other does without.
    if name == "ParallelCrowd":
        from ._parallel import ParallelCrowd

        return ParallelCrowd
    if name == "VectorCrowd":
        from ._vector import VectorCrowd

        return VectorCrowd
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
