"""Social forces (Helbing, Farkas and Vicsek 2000, without contact) in NumPy, beside people who follow clips."""

import time

import numpy as np
import numpy.typing as npt

from crowdloom import Batch, Simulation, VelocityModel

STRENGTH, RANGE, MASS, REACTION = 2000.0, 0.08, 80.0, 0.5


def push(offsets: npt.NDArray[np.float32], gaps: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    distances = np.maximum(np.linalg.norm(offsets, axis=1), 1e-6)
    strengths = STRENGTH / MASS * np.exp(np.minimum(-gaps / RANGE, 1.0))
    return np.asarray(-offsets * (strengths / distances)[:, None], dtype=np.float32)


def social_force(batch: Batch) -> npt.NDArray[np.float32]:
    change = (batch.preferred - batch.velocities) / REACTION
    owners, others = batch.neighbour_owners(), batch.neighbours
    offsets = batch.other_positions[others] - batch.positions[owners]
    gaps = np.linalg.norm(offsets, axis=1) - batch.radii[owners] - batch.other_radii[others]
    change = change + batch.sum_of_neighbours(push(offsets, gaps))
    room = np.linalg.norm(batch.walls, axis=1) - batch.radii[batch.wall_owners()]
    change = change + batch.sum_of_walls(push(batch.walls, room))
    return np.asarray(batch.velocities + change * batch.seconds, dtype=np.float32)


plaza = {
    "name": "plaza",
    "world": {"floor": [[0, 0], [40, 0], [40, 40], [0, 40]], "obstacle": [{"circle": [20, 20, 3]}]},
    "people": [{"count": 400, "mover": "mine"}, {"count": 40}],
}
sim = Simulation.from_scene(plaza, seed=1, models={"mine": VelocityModel(social_force, neighbour_distance=2.0)})
since = time.perf_counter()
sim.run(5)
took = time.perf_counter() - since
print(f"{400 * 150 / took * 60 / 1e6:.1f} million steps of people a minute")
print(f"they go at {np.linalg.norm(sim.velocities, axis=1).mean():.2f} m/s; {sim.overlaps} overlap")
