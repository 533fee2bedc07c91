"""A simulation with JuPedSim's interface, run by Crowdloom."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from .. import _simulation
from .._core import FRAME_RATE
from .._errors import EditError, SceneError
from .._scene import Ground, Scene
from ._arrivals import Arrivals, Coming
from .agent import Agent
from .geometry import Geometry, Point
from .geometry_utils import GeometryLike, build_geometry
from .journey import JourneyDescription
from .library import tell
from .models import AnyParameters, kind_of
from .serialization import TrajectoryWriter
from .stages import (
    DirectSteeringStage,
    ExitStage,
    NotifiableQueueStage,
    Stage,
    WaitingSetStage,
    WaypointStage,
)

@dataclass
class Trace:
    """How long the last iteration took, in microseconds."""

    iteration_duration: int = 0
    """All of it."""
    operational_level_duration: int = 0
    """The part in which agents are moved."""

    def __repr__(self) -> str:
        return f"Trace( Iteration: {self.iteration_duration}us, OperationalLevel {self.operational_level_duration}us)"


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
        self._geometry = build_geometry(geometry, excluded_areas)
        self._writer = trajectory_writer
        self._iteration = 0
        self._trace = Trace()
        self._stages: dict[int, Stage] = {}
        self._journeys: dict[int, JourneyDescription] = {}
        self._targeting: dict[int, int] = {}
        # Of agents, by their numbers. Those who are about to come have all of it but a number in the crowd.
        self._parameters: dict[int, AnyParameters] = {}
        self._stage_of: dict[int, int] = {}
        self._journey_of: dict[int, int] = {}
        self._targets: dict[int, Point] = {}
        self._number_of: dict[int, int] = {}
        self._next_agent = 1
        self._arrivals = Arrivals(self._kind, model, self._geometry)
        # Of people, by their numbers in the crowd: agents and their stages.
        self._agents: npt.NDArray[np.int64] = np.zeros(1024, np.int64)
        self._stage_by_number: npt.NDArray[np.int64] = np.zeros(1024, np.int64)
        # Who has been told where to go since the last step: the crowd hears of all of them at once.
        self._told: list[int] = []
        self._marked: list[int] = []
        self._removed: list[int] = []
        self._sim: _simulation.Simulation | None = None
        self._first_frame = 0
        self._look()

    # Stages and journeys

    def _add_stage(self, stage: Stage) -> int:
        self._stages[stage.id] = stage
        self._targeting[stage.id] = 0
        return stage.id

    def _next_stage(self) -> int:
        return len(self._stages) + 1

    def _count_targeting(self, stage_id: int) -> int:
        return self._targeting[stage_id]

    def add_waypoint_stage(self, position: Point, distance: float) -> int:
        """Adds a point that is reached within some distance; returns the stage's number."""
        if not (math.isfinite(distance) and distance > 0):
            raise self._refuse(f"a distance is above 0, not {distance}")
        point = self._inside(position)
        return self._add_stage(WaypointStage(self._next_stage(), self._count_targeting, point, distance))

    def add_exit_stage(self, polygon: GeometryLike) -> int:
        """Adds an area in which agents are gone; returns the stage's number."""
        stage = ExitStage(self._next_stage(), self._count_targeting, build_geometry(polygon).polygon)
        if not stage.fit(self._geometry.polygon):
            raise self._refuse("this exit lies outside of the walkable area")
        return self._add_stage(stage)

    def add_queue_stage(self, positions: list[Point]) -> int:
        """Adds a line, its head first; returns the stage's number."""
        places = [self._inside(position) for position in positions]
        return self._add_stage(NotifiableQueueStage(self._next_stage(), self._count_targeting, places))

    def add_waiting_set_stage(self, positions: list[Point]) -> int:
        """Adds places that agents wait at while it is active; returns the stage's number."""
        places = [self._inside(position) for position in positions]
        return self._add_stage(WaitingSetStage(self._next_stage(), self._count_targeting, places))

    def add_direct_steering_stage(self) -> int:
        """Adds a stage on which agents go where ``agent.target`` says; returns its number."""
        return self._add_stage(DirectSteeringStage(self._next_stage(), self._count_targeting))

    def get_stage(self, stage_id: int) -> Any:
        """A stage by its number."""
        if stage_id not in self._stages:
            raise self._refuse(f"there is no stage {stage_id}")
        return self._stages[stage_id]

    def add_journey(self, journey: JourneyDescription) -> int:
        """Adds a journey; returns its number."""
        wrong = journey.mistake(self._stages)
        if wrong is not None:
            raise self._refuse(wrong)
        number = len(self._journeys) + 1
        self._journeys[number] = journey
        return number

    def _inside(self, position: Point) -> Point:
        x, y = (float(number) for number in position)
        if not self._arrivals.is_inside((x, y)):
            raise self._refuse(f"({x}, {y}) lies outside of the walkable area")
        return (x, y)

    def _refuse(self, why: str) -> RuntimeError:
        """What to raise, after it was told to whoever listens."""
        tell("error", why)
        return RuntimeError(why)

    # Agents

    def _running(self) -> _simulation.Simulation:
        """The crowd; it is made when somebody is in it for the first time."""
        if self._sim is None:
            world = Ground.from_shapely(self._geometry.polygon)
            scene = Scene("jupedsim", world=world, seconds=86_400, motion={"graph": "standing"})
            self._sim = _simulation.Simulation.from_scene(scene, discs=True)
            self._first_frame = self._frames_due()
        return self._sim

    def _frames_due(self) -> int:
        """Crowdloom's frames until now."""
        return int(self.elapsed_time() * FRAME_RATE + 1e-6)

    def add_agent(self, parameters: AnyParameters) -> int:
        """Adds an agent; returns its number."""
        if type(parameters) is not self._kind.agent:
            kind = type(parameters).__name__
            raise self._refuse(f"agents of this model are given by {self._kind.agent.__name__}, not by {kind}")
        self._check_on(parameters.journey_id, parameters.stage_id)
        self._inside(parameters.position)
        others = (self._positions, self._radii) if len(self._ids) else None
        wrong = self._arrivals.mistake(parameters, others)
        if wrong is not None:
            raise self._refuse(wrong)
        agent_id = self._next_agent
        self._next_agent += 1
        # Scripts change one object and add it again and again.
        parameters = copy.copy(parameters)
        self._parameters[agent_id] = parameters
        self._journey_of[agent_id] = parameters.journey_id
        self._arrivals.expect(Coming(agent_id, parameters))
        self._send(agent_id, parameters.stage_id)
        return agent_id

    def _come(self) -> None:
        """Lets those into the crowd who were added since it was last looked at."""
        if not self._arrivals.coming:
            return
        towards = {agent: self._targets[agent] for agent in self._arrivals.coming}
        try:
            came = self._arrivals.let_in(self._running(), towards)
        except (EditError, SceneError) as error:
            raise self._refuse(f"an agent cannot be where it was added: {error}") from None
        most = max(came.values())
        if most >= len(self._agents):
            self._agents = np.resize(self._agents, 2 * most + 16)
            self._stage_by_number = np.resize(self._stage_by_number, 2 * most + 16)
        for agent_id, number in came.items():
            self._number_of[agent_id] = number
            self._agents[number] = agent_id
            self._stage_by_number[number] = self._stage_of[agent_id]
        self._told += came
        tell("info", f"{len(came)} agents came, {self.agent_count()} are there")
        self._look()

    def _check_on(self, journey_id: int, stage_id: int) -> None:
        if journey_id not in self._journeys:
            raise self._refuse(f"there is no journey {journey_id}")
        if stage_id not in self._journeys[journey_id].stage_ids:
            raise self._refuse(f"stage {stage_id} is not in journey {journey_id}")

    def _send(self, agent_id: int, stage_id: int) -> None:
        """Lets an agent go to a stage."""
        self._let_go(agent_id)
        self._stage_of[agent_id] = stage_id
        number = self._number_of.get(agent_id)
        if number is not None:
            self._stage_by_number[number] = stage_id
        self._targeting[stage_id] += 1
        self._aim([agent_id])

    def _let_go(self, agent_id: int) -> None:
        before = self._stage_of.pop(agent_id, None)
        if before is not None:
            self._targeting[before] -= 1
            self._stages[before].leave(agent_id)

    def _aim(self, agents: list[int]) -> None:
        """Notes where the stages of agents are."""
        for agent in dict.fromkeys(agents):
            if agent in self._stage_of:
                target = self._stages[self._stage_of[agent]].target(agent)
                # Who has not been told where to go stays where it is.
                self._targets[agent] = self._position(agent) if math.isnan(target[0]) else target
                self._told.append(agent)

    def _tell(self) -> None:
        """Tells the crowd where those go who were sent somewhere."""
        agents = [agent for agent in dict.fromkeys(self._told) if agent in self._number_of]
        self._told = []
        if agents:
            goals = np.array([self._targets[agent] for agent in agents])
            self._running().set_goals(self._numbers(agents), goals)

    def _numbers(self, agents: list[int]) -> npt.NDArray[np.uint32]:
        return np.array([self._number_of[agent] for agent in agents], dtype=np.uint32)

    def _steer(self, agent_id: int, target: Point) -> None:
        stage = self._stages[self._stage_of[self._known_agent(agent_id)]]
        if isinstance(stage, DirectSteeringStage):
            stage.steer(agent_id, self._inside(target))
            self._aim(stage.moved())

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
            raise self._refuse(f"there is no agent {agent_id}")
        return agent_id

    def _place(self, agent_id: int) -> int:
        """Where an agent is in the arrays of all."""
        self._known_agent(agent_id)
        self._come()
        return int(np.searchsorted(self._running().ids, self._number_of[agent_id]))

    def _position(self, agent_id: int) -> Point:
        coming = self._arrivals.coming.get(agent_id)
        x, y = coming.place if coming is not None else self._positions[self._place(agent_id)]
        return (float(x), float(y))

    def _orientation(self, agent_id: int) -> Point:
        heading = float(self._running_with_all().headings[self._place(agent_id)])
        return (math.cos(heading), math.sin(heading))

    def _running_with_all(self) -> _simulation.Simulation:
        self._come()
        return self._running()

    # What models know of agents

    def _parameter(self, agent_id: int, name: str) -> Any:
        return getattr(self._parameters[self._known_agent(agent_id)], name)

    def _set_parameter(self, agent_id: int, name: str, value: Any) -> None:
        """Gives an agent another number of its model."""
        self._place(agent_id)
        # Others may have been added with the same parameters.
        own = self._parameters[agent_id]
        changed = type(own)(**{field.name: getattr(own, field.name) for field in fields(own)} | {name: value})
        wrong = self._arrivals.wrong_number(changed)
        if wrong is not None:
            raise self._refuse(wrong)
        sim, number = self._running(), self._number_of[agent_id]
        try:
            if changed.desired_speed != own.desired_speed:
                sim.set_speeds(number, changed.desired_speed)
            if changed.radius != own.radius:
                sim.edit(who=number, radius=float(changed.radius), only_then=True)
            before, after = (self._kind.steering(self._model, one) for one in (own, changed))
            if before != after:
                sim.edit({**after, "only-then": True}, who=number)
        except (EditError, SceneError) as error:
            raise self._refuse(f"agent {agent_id} cannot have {name} = {value}: {error}") from None
        self._parameters[agent_id] = changed
        self._look()

    def _velocity(self, agent_id: int) -> Point:
        x, y = self._running_with_all().velocities[self._place(agent_id)]
        return (float(x), float(y))

    def _set_velocity(self, agent_id: int, velocity: Point) -> None:
        x, y = (float(number) for number in velocity)
        self._place(agent_id)
        try:
            self._running().edit(who=self._number_of[agent_id], velocity=[x, y])
        except (EditError, SceneError, ValueError) as error:
            raise self._refuse(f"agent {agent_id} cannot move at ({x}, {y}): {error}") from None

    def _speed(self, agent_id: int) -> float:
        return math.hypot(*self._velocity(agent_id))

    def _set_pace(self, agent_id: int, speed: float) -> None:
        velocity = self._velocity(agent_id)
        now = math.hypot(*velocity)
        x, y = (velocity[0] / now, velocity[1] / now) if now > 1e-6 else self._orientation(agent_id)
        self._set_velocity(agent_id, (x * float(speed), y * float(speed)))

    # Everybody

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
        self._come()
        near = np.linalg.norm(self._positions - np.asarray(pos, dtype=np.float64), axis=1) <= distance
        return [int(number) for number in self._ids[near]]

    def agents_in_polygon(self, poly: GeometryLike) -> list[int]:
        """Numbers of the agents in an area."""
        self._come()
        area = build_geometry(poly).polygon
        inside = shapely.contains_xy(area, self._positions[:, 0], self._positions[:, 1])
        return [int(number) for number in self._ids[inside]]

    def positions(self) -> npt.NDArray[np.float64]:
        """Where all agents are, in the order of ``ids`` (JuPedSim has no such thing)."""
        self._come()
        return self._positions.copy()

    def orientations(self) -> npt.NDArray[np.float64]:
        """Which way all agents face, as unit vectors in the order of ``ids`` (JuPedSim has no such thing)."""
        self._come()
        headings = self._running().headings if len(self._ids) else np.zeros(0)
        return np.stack([np.cos(headings), np.sin(headings)], axis=1)

    def ids(self) -> npt.NDArray[np.int64]:
        """All agents' numbers (JuPedSim has no such thing)."""
        self._come()
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
            since = time.perf_counter_ns()
            moving = 0
            self._removed = []
            self._remove(self._marked)
            self._marked = []
            self._come()
            self._iteration += 1
            if self._sim is not None:
                moving = self._catch_up(self._sim)
            self._trace = Trace((time.perf_counter_ns() - since) // 1000, moving // 1000)
            if self._writer is not None:
                self._writer.write_iteration_state(self)

    def _catch_up(self, sim: _simulation.Simulation) -> int:
        """Makes the frames that are due; returns for how many nanoseconds agents were moved."""
        moving = 0
        for _ in range(self._frames_due() - self._first_frame - sim.frame):
            self._tell()
            since = time.perf_counter_ns()
            sim.step()
            moving += time.perf_counter_ns() - since
            self._look()
            self._go_on()
            tell("debug", f"frame {sim.frame}: {len(self._ids)} agents")
        return moving

    def set_tracing(self, status: bool) -> None:
        """Iterations are timed whether this is asked for or not."""

    def get_last_trace(self) -> Trace:
        """How long the last iteration took."""
        return self._trace

    def _look(self) -> None:
        """Takes the arrays of the frame."""
        if self._sim is None:
            self._ids: npt.NDArray[np.int64] = np.zeros(0, np.int64)
            self._positions: npt.NDArray[np.float64] = np.zeros((0, 2))
            return
        self._ids, self._positions = self._agents[self._sim.ids], self._sim.positions

    @property
    def _radii(self) -> npt.NDArray[np.float64]:
        return self._running().radii

    def _go_on(self) -> None:
        """Sends those on who have been where they went."""
        stages = self._stage_by_number[self._running().ids]
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
        self._aim(moved)

    def _remove(self, agents: list[int]) -> None:
        gone = [agent_id for agent_id in dict.fromkeys(agents) if agent_id in self._stage_of]
        if not gone:
            return
        self._come()
        self._running().remove(self._numbers(gone))
        for agent_id in gone:
            self._let_go(agent_id)
            del self._journey_of[agent_id], self._targets[agent_id], self._parameters[agent_id]
            del self._number_of[agent_id]
        self._removed += gone
        self._look()

    # Ground

    def get_geometry(self) -> Geometry:
        """The walkable area."""
        return self._geometry

    def switch_geometry(self, geometry: GeometryLike) -> None:
        """Takes another walkable area, in which all agents and stages lie."""
        other = build_geometry(geometry)
        self._come()
        inside = shapely.intersects_xy(other.polygon, self._positions[:, 0], self._positions[:, 1])
        if not inside.all():
            outside = ", ".join(str(number) for number in sorted(self._ids[~inside]))
            raise self._refuse(f"agents would be outside of the other area: {outside}")
        lost = [stage.id for stage in self._stages.values() if not stage.fits(other.polygon)]
        if lost:
            raise self._refuse(f"stages would be outside of the other area: {', '.join(map(str, lost))}")
        people = self._people_as_they_are()
        self._geometry = other
        for stage in self._stages.values():
            stage.fit(other.polygon)
        self._arrivals = Arrivals(self._kind, self._model, other)
        self._sim, self._number_of = None, {}
        for one in people:
            self._arrivals.expect(one)
        self._look()
        self._aim(list(self._stage_of))
        tell("info", f"the walkable area has {other.polygon.area:.1f} m² now")

    def _people_as_they_are(self) -> list[Coming]:
        """All agents, to come into another crowd as they are."""
        if self._sim is None:
            return []
        columns = zip(self._ids, self._positions, self._sim.headings, self._sim.velocities)
        return [
            Coming(int(agent), self._parameters[int(agent)], tuple(place.tolist()), float(facing), tuple(velocity.tolist()))
            for agent, place, facing, velocity in columns
        ]
