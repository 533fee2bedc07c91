"""A crowd as a PettingZoo environment."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from pettingzoo import ParallelEnv

from .._scene import SceneLike
from ._world import Options, World

Observation = npt.NDArray[np.float32]


class ParallelCrowd(ParallelEnv[str, Observation, npt.NDArray[np.float32]]):  # type: ignore[misc,unused-ignore]
    """Every person of a scene is an agent, called ``person_0`` and so on; who arrives is gone.

    >>> env = ParallelCrowd("street", seconds=10)
    >>> seen, infos = env.reset(seed=1)
    >>> seen, rewards, ended, cut, infos = env.step({name: env.action_space(name).sample() for name in env.agents})
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "crowdloom_v0", "render_modes": ["rgb_png"]}
    render_mode: str | None = None

    def __init__(self, scene: SceneLike, options: Options | None = None, **fields: Any) -> None:
        self.world = World(scene, options or Options(**fields))
        self.possible_agents = [f"person_{number}" for number in self.world.ids]
        self.agents: list[str] = []
        self._place = {name: place for place, name in enumerate(self.possible_agents)}
        seen, done = self.world.spaces()
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, done)

    def observation_space(self, agent: str) -> Any:
        """What a person sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What a person does."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins again; another seed is another crowd with other goals."""
        self.world.reset(seed)
        self.agents = list(self.possible_agents)
        seen = self.world.observe()
        return self._of(seen), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, npt.NDArray[np.float32]]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Lets everybody act."""
        world = self.world
        wishes, acting = np.zeros((world.count, 2)), np.zeros(world.count, dtype=bool)
        for name, action in actions.items():
            if name not in self._place:
                raise KeyError(f"there is no agent {name!r}")
            wish = np.asarray(action, dtype=np.float64)
            if wish.shape != (2,):
                raise ValueError(f"the action of {name!r} has shape (2,), not {wish.shape}")
            wishes[self._place[name]], acting[self._place[name]] = wish, True
        world.step(wishes, acting)
        rewards, seen = world.rewards(), world.observe()
        over = world.is_over
        # Who is gone by itself has ended as well.
        ends = {name: bool(world.arrived[place] or not world.there[place]) for name, place in self._places()}
        cuts = {name: over and not ends[name] for name in self.agents}
        paid = {name: float(rewards[place]) for name, place in self._places()}
        told = {name: {"distance": float(world.distances[place])} for name, place in self._places()}
        looks = self._of(seen)
        world.remove(world.arrived)
        self.agents = [name for name in self.agents if not (ends[name] or cuts[name])]
        return looks, paid, ends, cuts, told

    def _places(self) -> list[tuple[str, int]]:
        return [(name, self._place[name]) for name in self.agents]

    def _of(self, seen: Observation) -> dict[str, Observation]:
        return {name: seen[place] for name, place in self._places()}

    def state(self) -> npt.NDArray[np.float64]:
        """Everything at once: place, velocity and goal of everybody."""
        world = self.world
        return np.concatenate([world.positions, world.velocities, world.goals], axis=1)

    def render(self) -> bytes:
        """The crowd from above, as a PNG."""
        return self.world.sim.picture()

    def close(self) -> None:
        """Nothing has to be closed."""
