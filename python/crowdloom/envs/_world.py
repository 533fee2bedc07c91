"""What both environments share: a crowd that is told what to do, seen and rewarded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .._core import FRAME_RATE
from .._plots import rings
from .._scene import Scene, SceneLike
from .._simulation import Simulation

Floats = npt.NDArray[np.float64]
Reward = Callable[["World"], Floats]
"""A function of the world after a step: a number for each person."""


@dataclass(frozen=True)
class Options:
    """How people act, see and are rewarded."""

    action: Literal["velocity", "goal"] = "velocity"
    """Whether an action is a velocity or a point; both are from the person's place, in its own frame."""
    frames: int = 10
    """Frames (thirtieths of a second) in a step; people who are steered think anew every tenth."""
    seconds: float = 60.0
    """How long an episode lasts at most."""
    max_speed: float = 1.8
    """The speed in metres a second of an action of length 1."""
    reach: float = 4.0
    """How far in metres a goal of length 1 lies."""
    neighbours: int = 6
    """How many nearest people are seen."""
    sight: float = 10.0
    """How far people, walls and goals are seen, in metres; a goal farther off is seen at its direction."""
    rays: int = 16
    """In how many directions the distance to walls is seen."""
    near: float = 0.6
    """Who is nearer to its goal than this, in metres, has arrived."""
    mover: str | None = "orca"
    """What moves everybody, or none for what the scene says."""
    reward: Reward | None = None
    """What people are rewarded for; without it metres that they came nearer to their goals, and 1 for arriving."""

    def __post_init__(self) -> None:
        sound = (
            self.action in ("velocity", "goal")
            and 1 <= self.frames <= 300
            and self.seconds > 0
            and self.max_speed > 0
            and self.reach > 0
            and 0 <= self.neighbours <= 100
            and self.sight > 0
            and 0 <= self.rays <= 360
            and self.near > 0
        )
        if not sound:
            raise ValueError(f"these options are not possible: {self}")

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return 5 + 5 * self.neighbours + self.rays


class World:
    """A crowd that is told what to do. Arrays have a row for each of the ``count`` people there were at the beginning."""

    def __init__(self, scene: SceneLike, options: Options) -> None:
        self.options = options
        table = Scene.read(scene)
        if options.mover is not None:
            for people in table.table.get("people", []):
                if people.get("mover") not in ("planned", "recorded"):
                    people["mover"] = options.mover
                    people.pop("parameters", None)
        # People whom we send must not leave by themselves, nor come later.
        for people in table.table.get("people", []):
            people.pop("to", None)
            people["appear"] = [0, 0]
        self._scene = table
        self.sim = Simulation.from_scene(table)
        self._begin = self.sim.save()
        self.count = len(self.sim)
        if self.count == 0:
            raise ValueError("nobody is in this scene at its beginning")
        outline = np.concatenate(rings(self.sim.ground_wkt))
        self._low, self._high = outline.min(axis=0), outline.max(axis=0)
        self.random = np.random.default_rng()
        self.there = np.ones(self.count, dtype=bool)
        self.positions, self.headings = self.sim.positions, self.sim.headings
        self.reset(None)

    def reset(self, seed: int | None) -> None:
        """Begins again; another seed is another crowd."""
        if seed is not None and seed != self.sim.seed:
            other = Simulation.from_scene(self._scene, seed=seed % 2**63)
            if len(other) == self.count:
                self.sim = other
                self._begin = other.save()
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.sim.restore(self._begin)
        self.ids = self.sim.ids
        self.goals: Floats = self._sample_goals(self.sim.positions)
        self.last_action = np.zeros((self.count, 2))
        self._look()
        self.nearer = np.zeros(self.count)
        self.arrived = np.zeros(self.count, dtype=bool)

    @property
    def is_over(self) -> bool:
        """Whether the time of the episode is over."""
        return self.sim.time >= self.options.seconds

    def step(self, actions: Floats, acting: npt.NDArray[np.bool_]) -> None:
        """Lets those act who are ``acting``, and time go on."""
        actions = np.clip(np.nan_to_num(actions), -1.0, 1.0)
        lengths = np.linalg.norm(actions, axis=1)
        actions = actions / np.maximum(lengths, 1.0)[:, None]
        self.last_action = actions
        who = acting & self.there
        self._tell(actions, who)
        self.sim.step(self.options.frames)
        before = self.distances
        self._look()
        self.nearer = np.where(self.there, before - self.distances, 0.0)
        self.arrived = self.there & (self.distances < self.options.near)

    def rewards(self) -> Floats:
        """What everybody is rewarded with for the last step."""
        if self.options.reward is None:
            return self.nearer + self.arrived
        given = np.asarray(self.options.reward(self), dtype=np.float64)
        if given.shape != (self.count,):
            raise ValueError(f"a reward has shape ({self.count},), not {given.shape}")
        return given

    def remove(self, who: npt.NDArray[np.bool_]) -> None:
        """Takes people out of the crowd."""
        gone = who & self.there
        if gone.any():
            self.sim.remove(self.ids[gone])
            self.there = self.there & ~gone

    def send_anew(self, who: npt.NDArray[np.bool_]) -> None:
        """Gives people other goals."""
        if who.any():
            self.goals[who] = self._sample_goals(self.positions)[who]
            self.distances = np.linalg.norm(self.goals - self.positions, axis=1)

    def _tell(self, actions: Floats, who: npt.NDArray[np.bool_]) -> None:
        if not who.any():
            return
        ids, wish = self.ids[who], _turned(actions[who], self.headings[who])
        places = self.positions[who]
        lengths = np.linalg.norm(wish, axis=1)
        if self.options.action == "velocity":
            self.sim.set_speeds(ids, lengths * self.options.max_speed)
            reach = np.full(len(ids), 2.0)
        else:
            reach = lengths * self.options.reach
        directions = np.arctan2(wish[:, 1], wish[:, 0])
        # A goal inside of a wall is none.
        free = self.sim.cast_rays(places, directions[:, None], 2 * self.options.reach + 2.0)[:, 0]
        reach = np.minimum(reach, np.maximum(free - 0.35, 0.0)) * (lengths > 1e-6)
        offsets = np.column_stack([np.cos(directions), np.sin(directions)]) * reach[:, None]
        self.sim.set_goals(ids, places + offsets)

    def _look(self) -> None:
        ids = self.sim.ids
        places = np.searchsorted(ids, self.ids)
        self.there = places < len(ids)
        self.there[self.there] = ids[places[self.there]] == self.ids[self.there]
        at = places[self.there]

        def column(values: Floats, full: Floats) -> Floats:
            full[self.there] = values[at]
            return full

        # Who has gone is where it was last.
        self.positions = column(self.sim.positions, self.positions.copy())
        self.headings = column(self.sim.headings, self.headings.copy())
        self.velocities = column(self.sim.velocities, np.zeros((self.count, 2)))
        self.distances = np.linalg.norm(self.goals - self.positions, axis=1)

    def observe(self) -> npt.NDArray[np.float32]:
        """What everybody sees: own velocity, goal and its distance, neighbours, walls; about from -1 to 1."""
        options = self.options
        seen = np.zeros((self.count, options.size))
        seen[:, 0:2] = _turned(self.velocities, -self.headings) / options.max_speed
        way = _turned(self.goals - self.positions, -self.headings) / options.sight
        distance = np.linalg.norm(way, axis=1)
        seen[:, 2:4] = way / np.maximum(distance, 1.0)[:, None]
        seen[:, 4] = np.minimum(distance, 1.0)
        if options.neighbours and self.there.sum() > 1:
            seen[:, 5 : 5 + 5 * options.neighbours] = self._neighbours()
        if options.rays:
            around = np.arange(options.rays) * (2 * np.pi / options.rays)
            directions = self.headings[:, None] + around[None, :]
            rays = self.sim.cast_rays(self.positions, directions, options.sight)
            seen[:, 5 + 5 * options.neighbours :] = rays / options.sight
        seen[~self.there] = 0.0
        return np.clip(seen, -10.0, 10.0).astype(np.float32)

    def _neighbours(self) -> Floats:
        """Of the nearest people each: whether there is one, where, and how it moves."""
        options = self.options
        seen = np.zeros((self.count, options.neighbours, 5))
        offsets = self.positions[None, :, :] - self.positions[:, None, :]
        distances = np.linalg.norm(offsets, axis=2)
        distances[:, ~self.there] = np.inf
        np.fill_diagonal(distances, np.inf)
        count = min(options.neighbours, self.count - 1)
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :count]
        rows = np.arange(self.count)[:, None]
        visible = distances[rows, nearest] < options.sight
        turn = -self.headings[:, None]
        seen[:, :count, 0] = visible
        seen[:, :count, 1:3] = _turned(offsets[rows, nearest], turn) / options.sight
        seen[:, :count, 3:5] = _turned(self.velocities[nearest], turn) / options.max_speed
        seen[:, :count][~visible] = 0.0
        return seen.reshape(self.count, -1)

    def _sample_goals(self, places: Floats) -> Floats:
        """Points of the ground that people could stand on, at least 3 m away where that can be had."""
        goals = places.copy()
        open_ = np.ones(len(places), dtype=bool)
        for least in (3.0,) * 50 + (0.0,) * 50:
            if not open_.any():
                break
            tried = self.random.uniform(self._low, self._high, (len(places), 2))
            far = np.linalg.norm(tried - places, axis=1) >= least
            take = open_ & far & self.sim.is_walkable(tried, 0.4)
            goals[take] = tried[take]
            open_ &= ~take
        return goals

    def spaces(self) -> tuple[Any, Any]:
        """The spaces of what one person sees and does."""
        from gymnasium.spaces import Box

        seen = Box(-10.0, 10.0, (self.options.size,), np.float32)
        return seen, Box(-1.0, 1.0, (2,), np.float32)

    @property
    def step_seconds(self) -> float:
        """How long a step is."""
        return self.options.frames / FRAME_RATE


def _turned(vectors: Floats, angles: Floats) -> Floats:
    """Vectors (…, 2) turned by angles (…)."""
    cosines, sines = np.cos(angles), np.sin(angles)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([cosines * x - sines * y, sines * x + cosines * y], axis=-1)
