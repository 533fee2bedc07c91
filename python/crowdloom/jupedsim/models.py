"""The models of JuPedSim by name, and the movers that they are here."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from .geometry import Point

C = TypeVar("C", bound=type)


def renamed(**names: str) -> Callable[[C], C]:
    """Lets a class of parameters know fields by older names too: as keywords, with a warning, and as attributes."""

    def rename(owner: C) -> C:
        make = owner.__init__  # type: ignore[misc]

        @functools.wraps(make)
        def __init__(self: Any, *args: Any, **fields: Any) -> None:
            for old in names.keys() & fields.keys():
                value = fields.pop(old)
                if value is not None:
                    warnings.warn(f"`{old}` is called `{names[old]}` now", DeprecationWarning, stacklevel=2)
                    fields[names[old]] = value
            make(self, *args, **fields)

        setattr(owner, "__init__", __init__)
        for old, new in names.items():
            setattr(owner, old, other_name(new))
        return owner

    return rename


def other_name(name: str) -> property:
    """A property that is another one."""
    return property(
        lambda self: getattr(self, name), lambda self, value: setattr(self, name, value), doc=f"`{name}` by an older name."
    )


SOCIAL_FORCE_NAMES = {
    "desiredSpeed": "desired_speed",
    "reactionTime": "reaction_time",
    "agentScale": "agent_scale",
    "obstacleScale": "obstacle_scale",
    "forceDistance": "force_distance",
}


@dataclass(kw_only=True)
class CollisionFreeSpeedModel:
    """Tordeux, Chraibi and Seyfried 2015."""

    strength_neighbor_repulsion: float = 8.0
    range_neighbor_repulsion: float = 0.1
    strength_geometry_repulsion: float = 5.0
    range_geometry_repulsion: float = 0.02


@dataclass(kw_only=True)
class CollisionFreeSpeedModelV2:
    """The same with strengths of each agent's own."""


@dataclass(kw_only=True)
class CollisionFreeSpeedModelV3:
    """The same, turning away from one person only."""


@dataclass(kw_only=True)
class AnticipationVelocityModel:
    """Xu, Chraibi and Seyfried 2021."""

    pushout_strength: float = 0.3
    rng_seed: int = 1


@dataclass(kw_only=True)
class GeneralizedCentrifugalForceModel:
    """Chraibi, Seyfried and Schadschneider 2010."""

    strength_neighbor_repulsion: float = 0.3
    strength_geometry_repulsion: float = 0.2
    max_neighbor_interaction_distance: float = 2.0
    max_geometry_interaction_distance: float = 2.0
    max_neighbor_interpolation_distance: float = 0.1
    max_geometry_interpolation_distance: float = 0.1
    max_neighbor_repulsion_force: float = 9.0
    max_geometry_repulsion_force: float = 3.0


@renamed(bodyForce="body_force")
@dataclass(kw_only=True)
class SocialForceModel:
    """Helbing, Farkas and Vicsek 2000: the same equations, without the courtesy that scenes add to them."""

    body_force: float = 120_000.0
    friction: float = 240_000.0


@dataclass(kw_only=True)
class WarpDriverModel:
    """Wolinski, Lin and Pettré 2016."""

    time_horizon: float = 2.0
    step_size: float = 0.5
    sigma: float = 0.3
    time_uncertainty: float = 0.5
    velocity_uncertainty_x: float = 0.2
    velocity_uncertainty_y: float = 0.2


@dataclass(kw_only=True)
class AgentParameters:
    """What all agents have."""

    position: Point = (0.0, 0.0)
    journey_id: int = 0
    stage_id: int = 0
    desired_speed: float = 1.2


@renamed(v0="desired_speed")
@dataclass(kw_only=True)
class CollisionFreeSpeedModelAgentParameters(AgentParameters):
    """An agent of the collision-free speed model."""

    radius: float = 0.2
    time_gap: float = 1.0


@renamed(v0="desired_speed")
@dataclass(kw_only=True)
class CollisionFreeSpeedModelV2AgentParameters(CollisionFreeSpeedModelAgentParameters):
    """An agent with strengths of its own."""

    strength_neighbor_repulsion: float = 8.0
    range_neighbor_repulsion: float = 0.1
    strength_geometry_repulsion: float = 5.0
    range_geometry_repulsion: float = 0.02


@renamed(v0="desired_speed")
@dataclass(kw_only=True)
class CollisionFreeSpeedModelV3AgentParameters(CollisionFreeSpeedModelV2AgentParameters):
    """An agent that turns."""

    range_x_scale: float = 20.0
    range_y_scale: float = 8.0
    theta_max_upper_bound: float = 1.57
    agent_buffer: float = 0.0


@dataclass(kw_only=True)
class AnticipationVelocityModelAgentParameters(AgentParameters):
    """An agent of the anticipation velocity model."""

    radius: float = 0.2
    time_gap: float = 1.06
    strength_neighbor_repulsion: float = 8.0
    range_neighbor_repulsion: float = 0.1
    wall_buffer_distance: float = 0.1
    anticipation_time: float = 1.0
    reaction_time: float = 0.3


@renamed(v0="desired_speed", e0="desired_direction")
@dataclass(kw_only=True)
class GeneralizedCentrifugalForceModelAgentParameters(AgentParameters):
    """An agent of the generalised centrifugal force model; bodies are discs of radius ``b_min`` where they touch."""

    journey_id: int = -1
    stage_id: int = -1
    speed: float = 0.0
    desired_direction: Point = (0.0, 0.0)
    orientation: Point = (1.0, 0.0)
    mass: float = 1.0
    tau: float = 0.5
    a_v: float = 1.0
    a_min: float = 0.2
    b_min: float = 0.2
    b_max: float = 0.4

    @property
    def radius(self) -> float:
        """The radius of the disc that it is where bodies touch, in metres."""
        return self.b_min


@renamed(**SOCIAL_FORCE_NAMES)
@dataclass
class SocialForceModelAgentParameters:
    """An agent of the social force model; may also be given in this order, without names."""

    position: Point = (0.0, 0.0)
    orientation: Point = (0.0, 0.0)
    journey_id: int = -1
    stage_id: int = -1
    velocity: Point = (0.0, 0.0)
    mass: float = 80.0
    desired_speed: float = 0.8
    reaction_time: float = 0.5
    agent_scale: float = 2000.0
    obstacle_scale: float = 2000.0
    force_distance: float = 0.08
    radius: float = 0.3


@dataclass(kw_only=True)
class WarpDriverModelAgentParameters(AgentParameters):
    """An agent of WarpDriver."""

    orientation: Point = (0.0, 0.0)
    radius: float = 0.15


AnyParameters = (
    CollisionFreeSpeedModelAgentParameters
    | AnticipationVelocityModelAgentParameters
    | GeneralizedCentrifugalForceModelAgentParameters
    | SocialForceModelAgentParameters
    | WarpDriverModelAgentParameters
)


@dataclass(frozen=True)
class Kind:
    """The mover that a model is here."""

    model: type
    agent: type[AnyParameters]
    mover: str
    numbers: Mapping[str, str | Callable[[Any], float]]
    """The parameters of the mover, each with the field of the agent or of the model that it is, or with what it is of an agent."""
    apart: float = 1.0
    """The part of the sum of their radii that newcomers have to be off others."""
    off_walls: float = 1.0
    """The part of their radius that they have to be off walls."""

    def steering(self, model: Any, agent: AnyParameters) -> dict[str, Any]:
        """Mover, numbers and manners of an agent, as in a ``[[people]]`` table."""

        def number(what: str | Callable[[Any], float]) -> float:
            if callable(what):
                return float(what(agent))
            # The first version of a model has in the model what later ones have in the agents.
            return float(getattr(agent if hasattr(agent, what) else model, what))

        numbers = {own: number(what) for own, what in self.numbers.items()}
        return {"mover": self.mover, "parameters": numbers, "manners": "solid"}


_COLLISION_FREE_SPEED = {
    "time-gap": "time_gap",
    "repulsion": "strength_neighbor_repulsion",
    "repulsion-range": "range_neighbor_repulsion",
    "wall-repulsion": "strength_geometry_repulsion",
    "wall-repulsion-range": "range_geometry_repulsion",
}

KINDS = (
    Kind(
        CollisionFreeSpeedModel,
        CollisionFreeSpeedModelAgentParameters,
        "collision-free-speed",
        _COLLISION_FREE_SPEED,
    ),
    Kind(
        CollisionFreeSpeedModelV2,
        CollisionFreeSpeedModelV2AgentParameters,
        "collision-free-speed",
        _COLLISION_FREE_SPEED,
    ),
    Kind(
        CollisionFreeSpeedModelV3,
        CollisionFreeSpeedModelV3AgentParameters,
        "rotational-steering",
        {
            "time-gap": "time_gap",
            "buffer": "agent_buffer",
            "most-turn": lambda agent: min(agent.strength_neighbor_repulsion, agent.theta_max_upper_bound),
            "range-ahead": lambda agent: agent.range_neighbor_repulsion * agent.range_x_scale,
            "range-aside": lambda agent: agent.range_neighbor_repulsion * agent.range_y_scale,
            "wall-repulsion": "strength_geometry_repulsion",
            "wall-repulsion-range": "range_geometry_repulsion",
        },
    ),
    Kind(
        AnticipationVelocityModel,
        AnticipationVelocityModelAgentParameters,
        "anticipation",
        {
            "time-gap": "time_gap",
            "repulsion": "strength_neighbor_repulsion",
            "repulsion-range": "range_neighbor_repulsion",
            "anticipation-time": "anticipation_time",
            "reaction-time": "reaction_time",
            "wall-buffer": "wall_buffer_distance",
        },
    ),
    Kind(
        GeneralizedCentrifugalForceModel,
        GeneralizedCentrifugalForceModelAgentParameters,
        "centrifugal-force",
        {
            "reaction-time": "tau",
            "length": "a_min",
            "stretch": "a_v",
            "least-width": "b_min",
            "most-width": "b_max",
            "repulsion": "strength_neighbor_repulsion",
            "wall-repulsion": "strength_geometry_repulsion",
            "cut-off": "max_neighbor_interaction_distance",
            "wall-cut-off": "max_geometry_interaction_distance",
            "transition": "max_neighbor_interpolation_distance",
            "wall-transition": "max_geometry_interpolation_distance",
            "most": "max_neighbor_repulsion_force",
            "most-of-walls": "max_geometry_repulsion_force",
        },
        apart=0.5,
    ),
    Kind(
        SocialForceModel,
        SocialForceModelAgentParameters,
        "social-force",
        {
            "repulsion": "agent_scale",
            "wall-repulsion": "obstacle_scale",
            "repulsion-range": "force_distance",
            "stiffness": "body_force",
            "friction": "friction",
            "mass": "mass",
            "reaction-time": "reaction_time",
        },
        apart=0.5,
        off_walls=0.5,
    ),
    Kind(
        WarpDriverModel,
        WarpDriverModelAgentParameters,
        "warp-driver",
        {
            "horizon": "time_horizon",
            "step": "step_size",
            "blur": "sigma",
            "time-uncertainty": "time_uncertainty",
            "speed-uncertainty": "velocity_uncertainty_x",
            "direction-uncertainty": "velocity_uncertainty_y",
        },
        apart=0.0,
        off_walls=0.0,
    ),
)


def kind_of(model: Any) -> Kind:
    """The mover that a model is here."""
    for kind in KINDS:
        if type(model) is kind.model:
            return kind
    raise TypeError(f"a {type(model).__name__} is no model of JuPedSim")
