"""A simulation with JuPedSim's interface, run by Crowdloom."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from .. import _simulation
from .._core import FRAME_RATE
from .._errors import EditError
from .._scene import Ground, Scene
from ._geometry import Geometry, GeometryLike, Point, build_geometry
from ._journeys import JourneyDescription
from ._models import AgentParameters, kind_of
from ._recording import TrajectoryWriter
from ._stages import (
    DirectSteeringStage,
    ExitStage,
    NotifiableQueueStage,
    Stage,
    WaitingSetStage,
    WaypointStage,
)

_NOWHERE = (math.nan, math.nan)

_AT = 0.2
"""Who is nearer to its target than this, in metres, is there."""


class ModelState:
    """What can be asked and set of an agent's model: ``radius`` (not set), ``desired_speed``, and what it was added with."""

    def __init__(self, simulation: Simulation, agent_id: int) -> None:
        object.__setattr__(self, "_simulation", simulation)
        object.__setattr__(self, "_id", agent_id)

    def __getattr__(self, name: str) -> Any:
        parameters = self._simulation._parameters[self._id]
        if name == "v0":
            name = "desired_speed"
        try:
            return getattr(parameters, name)
        except AttributeError:
            raise AttributeError(f"an agent of this model has no `{name}`") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("desired_speed", "v0"):
            raise AttributeError(f"`{name}` of an agent cannot be changed here; `desired_speed` can")
        self._simulation._set_speed(self._id, float(value))


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


class SocialForceModelState(ModelState):
    """An agent of the social force model."""


class WarpDriverModelState(ModelState):
    """An agent of WarpDriver."""


_STATES = {state.__name__.removesuffix("State"): state for state in ModelState.__subclasses__()}


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
        return self._simulation._journey_of[self._id]

    @property
    def stage_id(self) -> int:
        """The stage that it goes to."""
        return self._simulation._stage_of[self._id]

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
        return self._simulation._targets.get(self._id, _NOWHERE)

    @target.setter
    def target(self, target: Point) -> None:
        self._simulation._steer(self._id, target)

    @property
    def model(self) -> ModelState:
        """What its model knows of it."""
        return _STATES[type(self._simulation._model).__name__](self._simulation, self._id)


class Simulation:
    """Agents on a walkable area, on journeys from stage to stage.

    Crowdloom's clock has 30 frames a second: positions change when an iteration passes the next frame, and stand still in
    the iterations between.

    >>> import crowdloom.jupedsim as jps
    >>> sim = jps.Simulation(model=jps.CollisionFreeSpeedModelV3(), geometry=[(0, 0), (10, 0), (10, 4), (0, 4)])
    >>> out = sim.add_exit_stage([(9, 0), (10, 0), (10, 4), (9, 4)])
    >>> journey = sim.add_journey(jps.JourneyDescription([out]))
    >>> agent = sim.add_agent(jps.CollisionFreeSpeedModelV3AgentParameters(position=(1, 2), journey_id=journey, stage_id=out))
    >>> sim.iterate(1000)
    >>> sim.agent_count()
    0
    """

    def __init__(
        self,
        *,
        model: Any,
        geometry: GeometryLike,
        dt: float = 0.01,
        trajectory_writer: TrajectoryWriter | None = None,
        excluded_areas: list[list[Point]] | None = None,
    ) -> None:
        if not (math.isfinite(dt) and 0 < dt <= 1):
            raise ValueError(f"dt is between 0 and 1 second, not {dt}")
        self._kind, self._model, self._dt = kind_of(model), model, dt
        self._geometry = build_geometry(geometry, excluded_areas or ())
        self._writer = trajectory_writer
        self._iteration = 0
        self._next_id = 1
        self._stages: dict[int, Stage] = {}
        self._journeys: dict[int, JourneyDescription] = {}
        self._stage_of: dict[int, int] = {}
        # The same as an array, for all at once.
        self._stage_by_id: npt.NDArray[np.int64] = np.zeros(1024, np.int64)
        self._journey_of: dict[int, int] = {}
        self._targeting: dict[int, int] = {}
        self._targets: dict[int, Point] = {}
        # Who has been told where to go since the last step: the crowd hears of all of them at once.
        self._told: list[int] = []
        self._parameters: dict[int, AgentParameters] = {}
        self._marked: list[int] = []
        self._removed: list[int] = []
        self._sim: _simulation.Simulation | None = None
        self._ids: npt.NDArray[np.uint32] = np.zeros(0, np.uint32)
        self._positions: npt.NDArray[np.float64] = np.zeros((0, 2))
        self._headings: npt.NDArray[np.float64] | None = None

    # Stages and journeys

    def _add_stage(self, stage: Stage) -> int:
        self._stages[stage.id] = stage
        self._targeting[stage.id] = 0
        self._next_id += 1
        return stage.id

    def _count_targeting(self, stage_id: int) -> int:
        return self._targeting[stage_id]

    def add_waypoint_stage(self, position: Point, distance: float) -> int:
        """Adds a point that is reached within some distance; returns the stage's number."""
        if not (math.isfinite(distance) and distance > 0):
            raise ValueError(f"a distance is above 0, not {distance}")
        point = self._inside(position)
        return self._add_stage(WaypointStage(self._next_id, self._count_targeting, point, distance))

    def add_exit_stage(self, polygon: GeometryLike) -> int:
        """Adds an area in which agents are gone; returns the stage's number."""
        area = build_geometry(polygon).polygon
        reached = area.intersection(self._geometry.polygon)
        if reached.area <= 0:
            raise ValueError("this exit lies outside of the walkable area")
        if reached.geom_type != "Polygon":
            reached = max(reached.geoms, key=lambda part: part.area)
        return self._add_stage(ExitStage(self._next_id, self._count_targeting, reached))

    def add_queue_stage(self, positions: list[Point]) -> int:
        """Adds a line, its head first; returns the stage's number."""
        places = [self._inside(position) for position in positions]
        return self._add_stage(NotifiableQueueStage(self._next_id, self._count_targeting, places))

    def add_waiting_set_stage(self, positions: list[Point]) -> int:
        """Adds places that agents wait at while it is active; returns the stage's number."""
        places = [self._inside(position) for position in positions]
        return self._add_stage(WaitingSetStage(self._next_id, self._count_targeting, places))

    def add_direct_steering_stage(self) -> int:
        """Adds a stage on which agents go where ``agent.target`` says; returns its number."""
        return self._add_stage(DirectSteeringStage(self._next_id, self._count_targeting))

    def get_stage(self, stage_id: int) -> Any:
        """A stage by its number."""
        return self._stages[self._known_stage(stage_id)]

    def add_journey(self, journey: JourneyDescription) -> int:
        """Adds a journey; returns its number."""
        journey.check(self._stages)
        number = self._next_id
        self._next_id += 1
        self._journeys[number] = journey
        return number

    def _known_stage(self, stage_id: int) -> int:
        if stage_id not in self._stages:
            raise ValueError(f"there is no stage {stage_id}")
        return stage_id

    def _inside(self, position: Point) -> Point:
        x, y = (float(number) for number in position)
        if not (math.isfinite(x) and math.isfinite(y) and self._geometry.polygon.covers(shapely.Point(x, y))):
            raise ValueError(f"({x}, {y}) lies outside of the walkable area")
        return (x, y)

    # Agents

    def _running(self) -> _simulation.Simulation:
        """The crowd; it is made when the first agent comes."""
        if self._sim is None:
            scene = Scene("jupedsim", world=Ground.from_shapely(self._geometry.polygon), seconds=86_400)
            self._sim = _simulation.Simulation.from_scene(scene, discs=True)
            self._sim.step(int(self.elapsed_time() * FRAME_RATE + 1e-6))
        return self._sim

    def add_agent(self, parameters: AgentParameters) -> int:
        """Adds an agent; returns its number."""
        if type(parameters) is not self._kind.agent:
            kind = type(parameters).__name__
            raise TypeError(f"agents of this model are given by {self._kind.agent.__name__}, not by {kind}")
        position = self._inside(parameters.position)
        self._check_on(parameters.journey_id, parameters.stage_id)
        sim = self._running()
        orientation = getattr(parameters, "orientation", (0.0, 0.0))
        facing = math.degrees(math.atan2(orientation[1], orientation[0]))
        people = {
            **self._kind.steering(self._model, parameters),
            "at": [list(position)],
            "speed": float(parameters.desired_speed),
            "top-speed": max(1.3 * float(parameters.desired_speed), 0.1),
            "radius": float(parameters.radius),
            "facing": facing,
        }
        try:
            agent_id = int(sim.edit(people=people).ids[0])
        except EditError as error:
            raise RuntimeError(f"the agent at {position} is too near to another or to a wall: {error}") from None
        self._parameters[agent_id] = parameters
        self._journey_of[agent_id] = parameters.journey_id
        self._look()
        self._send(agent_id, parameters.stage_id)
        return agent_id

    def _check_on(self, journey_id: int, stage_id: int) -> None:
        if journey_id not in self._journeys:
            raise ValueError(f"there is no journey {journey_id}")
        if stage_id not in self._journeys[journey_id].stage_ids:
            raise ValueError(f"stage {stage_id} is not in journey {journey_id}")

    def _send(self, agent_id: int, stage_id: int) -> None:
        """Lets an agent go to a stage."""
        self._let_go(agent_id)
        self._stage_of[agent_id] = stage_id
        if agent_id >= len(self._stage_by_id):
            self._stage_by_id = np.resize(self._stage_by_id, 2 * agent_id + 16)
        self._stage_by_id[agent_id] = stage_id
        self._targeting[stage_id] += 1
        self._aim([agent_id])

    def _let_go(self, agent_id: int) -> None:
        before = self._stage_of.pop(agent_id, None)
        if before is not None:
            self._targeting[before] -= 1
            self._stages[before].leave(agent_id)

    def _aim(self, agents: list[int]) -> None:
        """Tells agents where their stages are."""
        agents = [agent for agent in dict.fromkeys(agents) if agent in self._stage_of]
        if not agents:
            return
        for agent in agents:
            target = self._stages[self._stage_of[agent]].target(agent)
            # Who has not been told where to go stays where it is.
            self._targets[agent] = self._position(agent) if math.isnan(target[0]) else target
        self._told += agents

    def _tell(self) -> None:
        """Tells the crowd where those go who were sent somewhere."""
        agents = [agent for agent in dict.fromkeys(self._told) if agent in self._stage_of]
        self._told = []
        if agents:
            goals = np.array([self._targets[agent] for agent in agents])
            self._running().set_goals(np.array(agents, dtype=np.uint32), goals)

    def _steer(self, agent_id: int, target: Point) -> None:
        stage = self._stages[self._stage_of[agent_id]]
        if isinstance(stage, DirectSteeringStage):
            stage.steer(agent_id, self._inside(target))
            self._aim(stage.moved())

    def _set_speed(self, agent_id: int, speed: float) -> None:
        self._running().set_speeds(agent_id, speed)
        self._parameters[agent_id].desired_speed = speed

    def mark_agent_for_removal(self, agent_id: int) -> bool:
        """Lets an agent be gone at the start of the next iteration."""
        self._known_agent(agent_id)
        self._marked.append(agent_id)
        return True

    def removed_agents(self) -> list[int]:
        """Agents that were gone in the last iteration."""
        return list(self._removed)

    def switch_agent_journey(self, agent_id: int, journey_id: int, stage_id: int) -> None:
        """Lets an agent go to a stage of another journey."""
        self._known_agent(agent_id)
        self._check_on(journey_id, stage_id)
        self._journey_of[agent_id] = journey_id
        self._send(agent_id, stage_id)

    def _known_agent(self, agent_id: int) -> int:
        if agent_id not in self._stage_of:
            raise RuntimeError(f"there is no agent {agent_id}")
        return agent_id

    def _place(self, agent_id: int) -> int:
        self._known_agent(agent_id)
        return int(np.searchsorted(self._ids, agent_id))

    def _position(self, agent_id: int) -> Point:
        x, y = self._positions[self._place(agent_id)]
        return (float(x), float(y))

    def _orientation(self, agent_id: int) -> Point:
        if self._headings is None:
            self._headings = self._running().headings
        heading = float(self._headings[self._place(agent_id)])
        return (math.cos(heading), math.sin(heading))

    def agent_count(self) -> int:
        """How many agents there are."""
        return len(self._stage_of)

    def agents(self) -> Iterator[Agent]:
        """All agents."""
        return (Agent(self, agent_id) for agent_id in list(self._stage_of))

    def agent(self, agent_id: int) -> Agent:
        """One agent by its number."""
        return Agent(self, self._known_agent(agent_id))

    def agents_in_range(self, pos: Point, distance: float) -> list[int]:
        """Numbers of the agents within some distance of a point."""
        near = np.linalg.norm(self._positions - np.asarray(pos, dtype=np.float64), axis=1) <= distance
        return [int(number) for number in self._ids[near]]

    def agents_in_polygon(self, poly: GeometryLike) -> list[int]:
        """Numbers of the agents in an area."""
        area = build_geometry(poly).polygon
        inside = shapely.contains_xy(area, self._positions[:, 0], self._positions[:, 1])
        return [int(number) for number in self._ids[inside]]

    def positions(self) -> npt.NDArray[np.float64]:
        """Where all agents are, in the order of ``ids`` (JuPedSim has no such thing)."""
        return self._positions.copy()

    def ids(self) -> npt.NDArray[np.uint32]:
        """All agents' numbers (JuPedSim has no such thing)."""
        return self._ids.copy()

    # Time

    def elapsed_time(self) -> float:
        """Seconds since the start."""
        return self._iteration * self._dt

    def delta_time(self) -> float:
        """Seconds in an iteration."""
        return self._dt

    def iteration_count(self) -> int:
        """Iterations since the start."""
        return self._iteration

    def iterate(self, count: int = 1) -> None:
        """Goes on by some iterations."""
        if count < 0:
            raise ValueError(f"{count} iterations cannot be made")
        if self._writer is not None and self._iteration == 0 and count > 0:
            self._writer.begin_writing(self)
            self._writer.write_iteration_state(self)
        for _ in range(count):
            self._removed = []
            self._remove(self._marked)
            self._marked = []
            self._iteration += 1
            sim = self._running()
            due = int(self.elapsed_time() * FRAME_RATE + 1e-6) - sim.frame
            for _ in range(due):
                self._tell()
                sim.step()
                self._look()
                self._go_on()
            if self._writer is not None:
                self._writer.write_iteration_state(self)

    def _look(self) -> None:
        sim = self._running()
        self._ids, self._positions, self._headings = sim.ids, sim.positions, None

    def _go_on(self) -> None:
        """Sends those on who have been where they went."""
        stages = self._stage_by_id[self._ids]
        moved: list[int] = []
        for stage_id, stage in self._stages.items():
            own = stages == stage_id
            if not own.any():
                continue
            ids = self._ids[own]
            done = ids[stage.done(ids, self._positions[own])]
            moved += stage.moved()
            for agent_id in map(int, done):
                if isinstance(stage, ExitStage):
                    self._marked.append(agent_id)
                    continue
                transition = self._journeys[self._journey_of[agent_id]].transitions.get(stage_id)
                if transition is not None:
                    self._send(agent_id, transition.next(self._count_targeting))
            moved += stage.moved()
        self._aim(moved + self._stopped_short())

    def _stopped_short(self) -> list[int]:
        """Agents that think they are at their target, which is within 0.8 m for Crowdloom, but are not."""
        self._tell()
        idle = np.flatnonzero(np.isnan(self._running().goals[:, 0]))
        agents = [int(self._ids[place]) for place in idle]
        far = [math.dist(self._positions[place], self._targets[agent]) > _AT for place, agent in zip(idle, agents)]
        return [agent for agent, is_far in zip(agents, far) if is_far]

    def _remove(self, agents: list[int]) -> None:
        gone = [agent_id for agent_id in dict.fromkeys(agents) if agent_id in self._stage_of]
        if not gone:
            return
        self._running().remove(np.array(gone, dtype=np.uint32))
        for agent_id in gone:
            self._let_go(agent_id)
            for table in (self._journey_of, self._targets, self._parameters):
                table.pop(agent_id, None)
        self._removed += gone
        self._look()

    # Ground

    def get_geometry(self) -> Geometry:
        """The walkable area."""
        return self._geometry

    def switch_geometry(self, geometry: GeometryLike) -> None:
        """Takes another walkable area inside of the first: what is not in it is closed, and opened again later."""
        other = build_geometry(geometry)
        sim = self._running()
        if not hasattr(self, "_whole"):
            self._whole = self._geometry
        outside = other.polygon.difference(self._whole.polygon.buffer(1e-6))
        if outside.area > 1e-6:
            raise ValueError("the other area must lie inside of the one that the simulation began with")
        for x, y in self._positions:
            if not other.polygon.covers(shapely.Point(x, y)):
                raise RuntimeError(f"an agent at ({x:.2f}, {y:.2f}) would be outside of the other area")
        for name, there in sim.obstacles.items():
            if there:
                sim.open(name)
        closed = self._whole.polygon.difference(other.polygon)
        parts = [part for part in getattr(closed, "geoms", [closed]) if part.area > 1e-6]
        for number, part in enumerate(parts):
            corners = [list(point[:2]) for point in part.exterior.coords[:-1]]
            sim.edit(obstacle={"name": f"closed {number}", "polygon": corners}, only_then=True)
        self._geometry = other

    def set_tracing(self, status: bool) -> None:
        """Nothing is traced here."""
