"""Environments for reinforcement learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

HALL: dict[str, Any] = {
    "name": "hall",
    "world": {"floor": [[0, 0], [16, 0], [16, 10], [0, 10]], "obstacle": [{"circle": [8, 5, 1]}]},
    "people": [{"count": 8}],
}


def test_pettingzoo_accepts_it() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    from crowdloom.envs import ParallelCrowd

    parallel_api_test(ParallelCrowd(HALL, seconds=10), num_cycles=100)
    parallel_seed_test(lambda: ParallelCrowd(HALL, seconds=10), num_cycles=20)


@pytest.mark.parametrize("action", ["velocity", "goal"])
def test_who_walks_to_its_goal_arrives(action: str) -> None:
    pytest.importorskip("pettingzoo")
    from crowdloom.envs import ParallelCrowd

    # Without the pillar: whoever goes straight for a goal behind it stands in front of it.
    env = ParallelCrowd({**HALL, "world": {"floor": HALL["world"]["floor"]}}, seconds=60, action=action)
    seen, _ = env.reset(seed=3)
    total, arrived = 0.0, 0
    while env.agents:
        # The goal's direction is what is seen third and fourth.
        seen, rewards, ended, _, _ = env.step({name: _unit(seen[name][2:4]) for name in env.agents})
        total += sum(rewards.values())
        arrived += sum(ended.values())
    assert arrived >= 6 and total > 10


def _unit(vector: Any) -> Any:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6), dtype=np.float32)


@pytest.mark.parametrize("action", ["velocity", "goal"])
def test_vector(action: str) -> None:
    from gymnasium.vector import VectorEnv
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    from crowdloom.envs import VectorCrowd

    env = VectorCrowd(HALL, seconds=5, action=action)
    assert isinstance(env, VectorEnv) and env.num_envs == 8
    wrapped = RecordEpisodeStatistics(env)
    seen, _ = wrapped.reset(seed=1)
    assert seen in env.observation_space
    cuts = 0
    for _ in range(40):
        seen, rewards, ended, cut, info = wrapped.step(env.action_space.sample())
        assert seen in env.observation_space and rewards.shape == ended.shape == cut.shape == (8,)
        cuts += int(cut.all())
    assert cuts == 2


@pytest.mark.parametrize("action", ["velocity", "goal"])
def test_gymnasium_accepts_it(action: str) -> None:
    import gymnasium
    from gymnasium.utils import env_checker, passive_env_checker

    from crowdloom.envs import VectorCrowd

    # What Gymnasium asks of any environment that does not want single numbers.
    env = VectorCrowd(HALL, seconds=5, action=action)
    for check in (
        env_checker.check_reset_seed_determinism,
        env_checker.check_reset_options,
        env_checker.check_reset_return_type,
        env_checker.check_reset_return_info_deprecation,
        env_checker.check_seed_deprecation,
    ):
        check(env)
    passive_env_checker.check_space(env.observation_space, "observation", passive_env_checker.check_observation_space)
    passive_env_checker.check_space(env.action_space, "action", passive_env_checker.check_action_space)
    passive_env_checker.check_obs(env.reset(seed=1)[0], env.observation_space, "reset()")

    class Alone(gymnasium.Env[Any, Any]):
        """One person of it, for the whole check."""

        def __init__(self) -> None:
            self.crowd = VectorCrowd({**HALL, "people": [{"count": 1}]}, seconds=5, action=action)
            self.observation_space = self.crowd.single_observation_space
            self.action_space = self.crowd.single_action_space

        def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
            super().reset(seed=seed)
            return self.crowd.reset(seed=seed, options=options)[0][0], {}

        def step(self, action: Any) -> Any:
            seen, rewards, ended, cut, _ = self.crowd.step(np.asarray(action)[None])
            return seen[0], float(rewards[0]), bool(ended[0]), bool(cut[0]), {}

    env_checker.check_env(Alone(), skip_render_check=True)


def test_seeds_repeat_themselves() -> None:
    from crowdloom.envs import VectorCrowd

    env = VectorCrowd(HALL, seconds=5)
    found = []
    for seed in (4, 4, 5):
        env.reset(seed=seed)
        actions = np.random.default_rng(0).uniform(-1, 1, (10, 8, 2)).astype(np.float32)
        found.append(np.array([env.step(action)[0] for action in actions]))
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[0] != found[2]).any()


def test_own_rewards_and_bad_input() -> None:
    from crowdloom.envs import Options, VectorCrowd, World

    def still(world: World) -> Any:
        return -np.linalg.norm(world.velocities, axis=1)

    env = VectorCrowd(HALL, reward=still)
    env.reset(seed=1)
    assert (env.step(np.zeros((8, 2), np.float32))[1] <= 0).all()
    with pytest.raises(ValueError):
        env.step(np.zeros((7, 2), np.float32))
    broken = VectorCrowd(HALL, reward=lambda world: np.zeros(3))
    broken.reset(seed=1)
    with pytest.raises(ValueError, match="shape"):
        broken.step(np.zeros((8, 2), np.float32))
    # What is no number is no action.
    seen = env.step(np.full((8, 2), np.nan, np.float32))[0]
    assert np.isfinite(seen).all()
    for wrong in ({"frames": 0}, {"seconds": -1.0}, {"action": "jump"}):
        with pytest.raises(ValueError):
            Options(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nobody"):
        VectorCrowd({**HALL, "people": []})
