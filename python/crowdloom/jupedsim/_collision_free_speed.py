"""The collision-free speed model (Tordeux, Chraibi and Seyfried 2015, arXiv:1512.05597), for all of its people at once.

Direction: e = norm(e0 + Σ a exp((l - s) / D) away from others + the same away from walls). Speed: min(v0, max(0, (s - l) / T))
with the distance s to the nearest who is ahead and overlaps one's lane, and l the sum of both radii.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .._models import Batch, VelocityModel

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CollisionFreeSpeed:
    """The model's numbers; the same for all of its people."""

    time_gap: float = 1.0
    strength_neighbor_repulsion: float = 8.0
    range_neighbor_repulsion: float = 0.1
    strength_geometry_repulsion: float = 5.0
    range_geometry_repulsion: float = 0.02

    def model(self) -> VelocityModel:
        """As simulations take it."""
        # Who is farther off neither bends the direction nor bounds the speed.
        return VelocityModel(self, neighbour_distance=2.5, max_neighbours=12, wall_reach=0.5)

    def __call__(self, batch: Batch) -> Floats:
        """The next velocities."""
        wish = batch.preferred.astype(np.float64)
        speeds = np.linalg.norm(wish, axis=1)
        directions = _unit(wish)
        owners, others = batch.neighbour_owners(), batch.neighbours
        offsets = batch.other_positions[others].astype(np.float64) - batch.positions[owners]
        reach = batch.radii[owners] + batch.other_radii[others]
        gaps = np.linalg.norm(offsets, axis=1) - reach
        push = self.strength_neighbor_repulsion * np.exp(-gaps / self.range_neighbor_repulsion)
        directions = directions - batch.sum_of_neighbours(_unit(offsets) * push[:, None])
        walls, mine = batch.walls.astype(np.float64), batch.wall_owners()
        far = np.linalg.norm(walls, axis=1) - batch.radii[mine]
        push = self.strength_geometry_repulsion * np.exp(np.minimum(-far / self.range_geometry_repulsion, 50.0))
        directions = _unit(directions - batch.sum_of_walls(_unit(walls) * push[:, None]))
        ahead = directions[owners]
        aside = np.abs(ahead[:, 0] * offsets[:, 1] - ahead[:, 1] * offsets[:, 0])
        blocks = ((ahead * offsets).sum(axis=1) > 0) & (aside < reach)
        allowed = np.full(len(batch), np.inf)
        np.minimum.at(allowed, owners[blocks], np.maximum(gaps[blocks], 0.0) / max(self.time_gap, 1e-3))
        return np.asarray(directions * np.minimum(speeds, allowed)[:, None])


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1)
    return np.asarray(vectors / np.maximum(lengths, 1e-9)[:, None])
