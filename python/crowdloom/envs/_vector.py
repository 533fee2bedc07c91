"""A crowd as a Gymnasium vector environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .._scene import SceneLike
from ._world import Options, World

Observations = npt.NDArray[np.float32]


class VectorCrowd(VectorEnv[Observations, npt.NDArray[np.float32], npt.NDArray[Any]]):
    """Every person of a scene is one of the environments, all in one crowd.

    Who arrives is given another goal in the step after (``AutoresetMode.NEXT_STEP``), and stays where it is. When the time
    is over all are cut off, and the crowd begins again in the step after.

    >>> env = VectorCrowd("street", seconds=10)
    >>> seen, infos = env.reset(seed=1)
    >>> seen, rewards, ended, cut, infos = env.step(env.action_space.sample())
    >>> len(rewards) == env.num_envs
    True
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": ["rgb_png"]}

    def __init__(self, scene: SceneLike, options: Options | None = None, **fields: Any) -> None:
        self.world = World(scene, options or Options(**fields))
        self.num_envs = self.world.count
        self.single_observation_space, self.single_action_space = self.world.spaces()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.render_mode = None
        self._done = np.zeros(self.num_envs, dtype=bool)
        self._over = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins again; another seed is another crowd with other goals."""
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first)
        self.world.reset(first)
        self._done[:] = False
        self._over = False
        return self.world.observe(), {}

    def step(
        self, actions: npt.NDArray[np.float32]
    ) -> tuple[
        Observations, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Lets everybody act."""
        wishes = np.asarray(actions, dtype=np.float64)
        if wishes.shape != (self.num_envs, 2):
            raise ValueError(f"actions have shape ({self.num_envs}, 2), not {wishes.shape}")
        world, fresh = self.world, self._done
        nobody = np.zeros(self.num_envs, dtype=bool)
        if self._over:
            world.reset(None)
            self._done, self._over = nobody, False
            return world.observe(), np.zeros(self.num_envs), nobody.copy(), nobody.copy(), {}
        world.send_anew(fresh)
        world.step(wishes, ~fresh)
        rewards = np.where(fresh, 0.0, world.rewards())
        ended = world.arrived & ~fresh
        self._over = world.is_over
        cut = ~ended if self._over else nobody.copy()
        self._done = ended | cut
        told = {"distance": world.distances.copy(), "_distance": np.ones(self.num_envs, dtype=bool)}
        return world.observe(), rewards, ended, cut, told

    def render(self) -> tuple[Any, ...]:
        """The crowd from above, as a PNG."""
        return (self.world.sim.picture(),)
