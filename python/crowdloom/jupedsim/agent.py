"""Agents as long as they are there, and what their models know of them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .geometry import Point
from .models import KINDS, SOCIAL_FORCE_NAMES, other_name

if TYPE_CHECKING:
    from .simulation import Simulation


class ModelState:
    """What can be asked of an agent's model, and set: whatever it was added with, and how it moves."""

    def __init__(self, simulation: Simulation, agent_id: int) -> None:
        self._simulation, self._id = simulation, agent_id

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...


class CollisionFreeSpeedModelState(ModelState):
    """An agent of the first collision-free speed model."""


class CollisionFreeSpeedModelV2State(ModelState):
    """An agent of the second collision-free speed model."""


class CollisionFreeSpeedModelV3State(ModelState):
    """An agent of the third collision-free speed model."""


class AnticipationVelocityModelState(ModelState):
    """An agent of the anticipation velocity model."""


class GeneralizedCentrifugalForceModelState(ModelState):
    """An agent of the generalised centrifugal force model."""

    @property
    def speed(self) -> float:
        """How fast it goes, in metres a second; who stands and is given a speed goes the way it faces."""
        return self._simulation._speed(self._id)

    @speed.setter
    def speed(self, speed: float) -> None:
        self._simulation._set_pace(self._id, speed)


class SocialForceModelState(ModelState):
    """An agent of the social force model."""

    @property
    def velocity(self) -> Point:
        """How it moves, in metres a second."""
        return self._simulation._velocity(self._id)

    @velocity.setter
    def velocity(self, velocity: Point) -> None:
        self._simulation._set_velocity(self._id, velocity)


class WarpDriverModelState(ModelState):
    """An agent of WarpDriver."""


_STATES = {state.__name__.removesuffix("State"): state for state in ModelState.__subclasses__()}

_ELSEWHERE = ("position", "orientation", "journey_id", "stage_id")
"""What agents are added with, but their models know nothing of."""


def _parameter(name: str) -> property:
    def get(self: ModelState) -> Any:
        return self._simulation._parameter(self._id, name)

    def put(self: ModelState, value: Any) -> None:
        self._simulation._set_parameter(self._id, name, value)

    return property(get, put, doc=f"The agent's `{name}`.")


def _give_parameters() -> None:
    """Gives each state the parameters of its model as properties, by their older names too."""
    for kind in KINDS:
        state = _STATES[kind.model.__name__]
        for field in fields(kind.agent):
            if field.name not in (*_ELSEWHERE, *vars(state)):
                setattr(state, field.name, _parameter(field.name))
    for speed_of in _STATES.values():
        if speed_of not in (AnticipationVelocityModelState, SocialForceModelState, WarpDriverModelState):
            setattr(speed_of, "v0", other_name("desired_speed"))
    setattr(GeneralizedCentrifugalForceModelState, "e0", other_name("desired_direction"))
    for old, new in SOCIAL_FORCE_NAMES.items():
        setattr(SocialForceModelState, old, other_name(new))


_give_parameters()


class Agent:
    """One agent, as long as it is there."""

    def __init__(self, simulation: Simulation, agent_id: int) -> None:
        self._simulation = simulation
        self._id = agent_id

    @property
    def id(self) -> int:
        """The agent's number."""
        return self._id

    @property
    def journey_id(self) -> int:
        """The journey that it is on."""
        return self._simulation._journey_of[self._simulation._known_agent(self._id)]

    @property
    def stage_id(self) -> int:
        """The stage that it goes to."""
        return self._simulation._stage_of[self._simulation._known_agent(self._id)]

    @property
    def position(self) -> Point:
        """Where it is."""
        return self._simulation._position(self._id)

    @property
    def orientation(self) -> Point:
        """Which way it faces, as a unit vector."""
        return self._simulation._orientation(self._id)

    @property
    def target(self) -> Point:
        """Where it goes; can be set while the agent is on a direct steering stage, and is ignored else."""
        return self._simulation._targets[self._simulation._known_agent(self._id)]

    @target.setter
    def target(self, target: Point) -> None:
        self._simulation._steer(self._id, target)

    @property
    def model(self) -> ModelState:
        """What its model knows of it."""
        self._simulation._known_agent(self._id)
        return _STATES[type(self._simulation._model).__name__](self._simulation, self._id)
