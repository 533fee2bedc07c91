"""JuPedSim's interface."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

shapely = pytest.importorskip("shapely")
import crowdloom.jupedsim as jps  # noqa: E402

ROOM = shapely.box(0, 0, 12, 8)
DOOR = shapely.box(11, 3, 12, 5)


def bottleneck(jps: ModuleType, model: str, file: Path | None = None) -> tuple[Any, list[int], list[float]]:
    """The same script for both: a room, a door, an exit behind it. Returns numbers and times of those who left."""
    area = shapely.union_all([shapely.box(0, 0, 8, 8), shapely.box(8, 3.2, 9, 4.8), shapely.box(9, 0, 12, 8)])
    places = jps.distribute_by_number(
        polygon=shapely.box(0, 0, 7, 8), number_of_agents=25, distance_to_agents=0.7, distance_to_polygon=0.4, seed=7
    )
    writer = jps.SqliteTrajectoryWriter(output_file=file) if file is not None else None
    sim = jps.Simulation(model=getattr(jps, model)(), geometry=area, trajectory_writer=writer)
    exit_id = sim.add_exit_stage(shapely.box(11, 0, 12, 8))
    journey_id = sim.add_journey(jps.JourneyDescription([exit_id]))
    make = getattr(jps, f"{model}AgentParameters")
    # Ellipses have no radius.
    size = {} if model == "GeneralizedCentrifugalForceModel" else {"radius": 0.2}
    for place in places:
        sim.add_agent(make(position=place, journey_id=journey_id, stage_id=exit_id, desired_speed=1.2, **size))
    left: list[int] = []
    times: list[float] = []
    while sim.agent_count() > 0 and sim.iteration_count() < 12_000:
        sim.iterate()
        left += sim.removed_agents()
        times += [sim.elapsed_time()] * len(sim.removed_agents())
    if writer is not None:
        writer.close()
    return sim, left, times


@pytest.mark.parametrize("model", ["SocialForceModel", "CollisionFreeSpeedModel", "CollisionFreeSpeedModelV2", "CollisionFreeSpeedModelV3", "WarpDriverModel", "AnticipationVelocityModel", "GeneralizedCentrifugalForceModel"])
def test_the_same_script_runs_on_both(model: str) -> None:
    theirs = pytest.importorskip("jupedsim")
    _, left, times = bottleneck(jps, model)
    assert len(left) == 25 and len(set(left)) == 25
    _, their_left, their_times = bottleneck(theirs, model)
    assert len(their_left) == 25
    assert 0.5 < times[-1] / their_times[-1] < 2.0
    assert 0.8 < times[0] / their_times[0] < 1.25


def test_written_files(tmp_path: Path) -> None:
    sim, _, times = bottleneck(jps, "CollisionFreeSpeedModel", tmp_path / "run.sqlite")
    recording = jps.Recording(str(tmp_path / "run.sqlite"))
    assert recording.fps == 25.0 and abs(recording.num_frames / 25 - times[-1]) < 0.5
    first = recording.frame(0)
    assert len(first.agents) == 25
    assert abs(np.linalg.norm(first.agents[0].orientation) - 1) < 1e-6
    assert recording.geometry().equals(sim.get_geometry().polygon)
    bounds = recording.bounds()
    assert 0 <= bounds.xmin < bounds.xmax <= 12 and 0 <= bounds.ymin < bounds.ymax <= 8
    assert bounds.width == bounds.xmax - bounds.xmin and 0 < bounds.center[1] < 8
    assert recording.geometry_id_for_frame(0) == recording.geometry_id_for_frame(20)
    pedpy = pytest.importorskip("pedpy")
    data = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=tmp_path / "run.sqlite")
    assert data.frame_rate == 25.0
    with pytest.raises(ValueError):
        jps.Recording(str(tmp_path / "other.sqlite"))


def simple(**options: Any) -> tuple[Any, int]:
    sim = jps.Simulation(model=jps.SocialForceModel(), geometry=ROOM, **options)
    return sim, sim.add_exit_stage(DOOR)


def agent(sim: Any, journey: int, stage: int, place: tuple[float, float], **fields: Any) -> int:
    parameters = jps.SocialForceModelAgentParameters(
        position=place, journey_id=journey, stage_id=stage, desired_speed=1.3, radius=0.25, **fields
    )
    return int(sim.add_agent(parameters))


def test_journeys_and_transitions() -> None:
    sim, out = simple()
    north, south = sim.add_waypoint_stage((6, 7), 0.7), sim.add_waypoint_stage((6, 1), 0.7)
    start = sim.add_waypoint_stage((2, 4), 2.0)
    journey = jps.JourneyDescription([start, north, south, out])
    journey.set_transition_for_stage(start, jps.Transition.create_round_robin_transition([(north, 1), (south, 2)]))
    for stage in (north, south):
        journey.set_transition_for_stage(stage, jps.Transition.create_fixed_transition(out))
    number = sim.add_journey(journey)
    for y in (2, 3, 4, 5, 6, 7):
        agent(sim, number, start, (1.0, y))
    assert sim.get_stage(start).count_targeting() == 6
    sim.iterate(300)
    assert sim.get_stage(start).count_targeting() == 0
    seen = {stage: sim.get_stage(stage).count_targeting() for stage in (north, south)}
    assert seen[north] + seen[south] <= 6 and seen[south] >= seen[north]
    sim.iterate(3000)
    assert sim.agent_count() == 0


def shop(jps: ModuleType) -> tuple[list[int], float, int]:
    """A line before a till, then one of three doors; one object stands for all agents, as scripts have it."""
    sim = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=shapely.box(0, 0, 20, 12))
    doors = [sim.add_exit_stage(shapely.box(19, y, 20, y + 2)) for y in (1, 5, 9)]
    line = sim.add_queue_stage([(9, 6), (8, 6), (7, 6)])
    hall = sim.add_waypoint_stage((12, 6), 1)
    journey = jps.JourneyDescription([line, hall])
    journey.add(doors)
    journey.set_transition_for_stage(line, jps.Transition.create_fixed_transition(hall))
    journey.set_transition_for_stage(
        hall, jps.Transition.create_round_robin_transition([(doors[0], 1), (doors[1], 2), (doors[2], 1)])
    )
    one = jps.CollisionFreeSpeedModelAgentParameters(journey_id=sim.add_journey(journey), stage_id=line, radius=0.25)
    for row in range(4):
        for column in range(3):
            one.position = (1 + column, 2 + 2 * row)
            sim.add_agent(one)
    assert len({found.position for found in sim.agents()}) == 12
    went = dict.fromkeys(doors, 0)
    where: dict[int, int] = {}
    while sim.agent_count() > 0 and sim.iteration_count() < 12_000:
        if sim.iteration_count() % 200 == 0:
            sim.get_stage(line).pop(1)
        where.update({found.id: found.stage_id for found in sim.agents()})
        sim.iterate()
        for gone in sim.removed_agents():
            went[where[gone]] += 1
    return list(went.values()), sim.elapsed_time(), sim.agent_count()


def test_a_line_and_doors_in_turn_on_both() -> None:
    went, took, left = shop(jps)
    theirs, their_took, their_left = shop(pytest.importorskip("jupedsim"))
    assert left == their_left == 0 and went == theirs == [3, 6, 3]
    assert 0.8 < took / their_took < 1.25


def test_least_targeted() -> None:
    sim, out = simple()
    start, other = sim.add_waypoint_stage((2, 4), 3.0), sim.add_exit_stage(shapely.box(11, 6, 12, 8))
    journey = jps.JourneyDescription([start, out, other])
    journey.set_transition_for_stage(start, jps.Transition.create_least_targeted_transition([out, other]))
    number = sim.add_journey(journey)
    for y in (2, 3, 4, 5):
        agent(sim, number, start, (1.0, y))
    sim.iterate(60)
    assert [sim.get_stage(stage).count_targeting() for stage in (out, other)] == [2, 2]


def test_queues() -> None:
    sim, out = simple()
    line = sim.add_queue_stage([(8, 4), (7, 4), (6, 4)])
    journey = jps.JourneyDescription([line, out])
    journey.set_transition_for_stage(line, jps.Transition.create_fixed_transition(out))
    number = sim.add_journey(journey)
    agents = [agent(sim, number, line, (1.0, y)) for y in (2, 4, 6)]
    sim.iterate(1500)
    queue = sim.get_stage(line)
    assert queue.count_enqueued() == 3 and sorted(queue.enqueued()) == sorted(agents)
    head = queue.enqueued()[0]
    assert np.linalg.norm(np.array(sim.agent(head).position) - (8, 4)) < 0.6
    queue.pop(1)
    sim.iterate(30)
    assert head not in queue.enqueued() and sim.agent(head).stage_id == out
    sim.iterate(1000)
    assert sim.agent_count() == 2
    assert np.linalg.norm(np.array(sim.agent(queue.enqueued()[0]).position) - (8, 4)) < 0.6
    queue.pop(5)
    sim.iterate(1500)
    assert sim.agent_count() == 0


def test_waiting_sets() -> None:
    sim, out = simple()
    places = sim.add_waiting_set_stage([(6, 3), (6, 5)])
    journey = jps.JourneyDescription([places, out])
    journey.set_transition_for_stage(places, jps.Transition.create_fixed_transition(out))
    number = sim.add_journey(journey)
    for y in (2, 6):
        agent(sim, number, places, (1.0, y))
    sim.iterate(1200)
    waiting = sim.get_stage(places)
    assert waiting.count_waiting() == 2 and waiting.state is jps.WaitingSetState.ACTIVE
    waiting.state = jps.WaitingSetState.INACTIVE
    sim.iterate(1500)
    assert sim.agent_count() == 0


def test_direct_steering_and_agents() -> None:
    sim, _ = simple()
    stage = sim.add_direct_steering_stage()
    number = sim.add_journey(jps.JourneyDescription([stage]))
    one = agent(sim, number, stage, (2.0, 4.0))
    sim.iterate(200)
    assert np.linalg.norm(np.array(sim.agent(one).position) - (2, 4)) < 0.6
    sim.agent(one).target = (9.0, 6.0)
    assert sim.agent(one).target == (9.0, 6.0)
    sim.agent(one).model.desired_speed = 1.6
    assert sim.agent(one).model.desired_speed == 1.6 and sim.agent(one).model.radius == 0.25
    sim.iterate(900)
    assert np.linalg.norm(np.array(sim.agent(one).position) - (9, 6)) < 0.8
    assert sim.agents_in_range((9, 6), 1.0) == [one] and sim.agents_in_range((1, 1), 1.0) == []
    assert sim.agents_in_polygon(shapely.box(8, 5, 10, 7)) == [one]
    assert [found.id for found in sim.agents()] == [one]
    with pytest.raises(RuntimeError):
        sim.agent(one).target = (100.0, 0.0)
    with pytest.raises(RuntimeError):
        sim.agent(one).model.radius = 3.0
    assert sim.mark_agent_for_removal(one)
    sim.iterate()
    assert sim.removed_agents() == [one] and sim.agent_count() == 0
    with pytest.raises(RuntimeError):
        sim.agent(one)


def test_time_goes_on_as_asked() -> None:
    sim, _ = simple(dt=0.02)
    sim.iterate(100)
    assert (sim.iteration_count(), sim.delta_time()) == (100, 0.02) and sim.elapsed_time() == pytest.approx(2.0)


def test_switch_geometry() -> None:
    sim, out = simple()
    number = sim.add_journey(jps.JourneyDescription([out]))
    one = agent(sim, number, out, (1.0, 4.0))
    closed = ROOM.difference(shapely.box(6, 0, 6.5, 8))
    with pytest.raises(jps.GeometryError):
        sim.switch_geometry(closed)
    narrow = ROOM.difference(shapely.box(6, 0, 6.5, 6))
    sim.iterate(100)
    before, speed = sim.agent(one).position, np.linalg.norm(sim.agent(one).model.velocity)
    sim.switch_geometry(narrow)
    # Who walks walks on.
    assert np.allclose(sim.agent(one).position, before, atol=1e-4)
    assert np.linalg.norm(sim.agent(one).model.velocity) == pytest.approx(speed, abs=1e-4) and speed > 0.5
    assert sim.get_geometry().polygon.equals(narrow)
    highest = 0.0
    while sim.agent_count() and sim.iteration_count() < 4000:
        sim.iterate()
        if sim.agent_count():
            highest = max(highest, sim.agent(one).position[1])
    assert sim.agent_count() == 0 and highest > 6.0
    sim.switch_geometry(ROOM)


@pytest.mark.parametrize("module", ["crowdloom.jupedsim", "jupedsim"])
def test_switching_to_another_area(module: str) -> None:
    jps = pytest.importorskip(module)
    sim = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=shapely.box(0, 0, 6, 4))
    first = sim.add_waypoint_stage((5, 2), 0.5)
    journey = jps.JourneyDescription([first])
    number = sim.add_journey(journey)
    agents = [
        sim.add_agent(jps.CollisionFreeSpeedModelAgentParameters(position=(1, y), journey_id=number, stage_id=first))
        for y in (1, 2, 3)
    ]
    sim.iterate(100)
    before = {one.id: one.position for one in sim.agents()}
    for area in (shapely.box(4, 0, 20, 4), shapely.box(0, 0, 4, 4)):
        with pytest.raises(RuntimeError):
            sim.switch_geometry(area)
    assert shapely.from_wkt(sim.get_geometry().as_wkt()).equals(shapely.box(0, 0, 6, 4))
    # Larger on all sides, and with a pillar.
    sim.switch_geometry(shapely.box(-5, -5, 20, 9).difference(shapely.box(12, -1, 13, 3)))
    for one in sim.agents():
        assert np.allclose(one.position, before[one.id], atol=1e-4)
    out = sim.add_exit_stage(shapely.box(18, 0, 20, 4))
    leaving = sim.add_journey(jps.JourneyDescription([out]))
    for one in agents:
        sim.switch_agent_journey(one, leaving, out)
    late = sim.add_agent(
        jps.CollisionFreeSpeedModelAgentParameters(position=(-4, 0), journey_id=leaving, stage_id=out)
    )
    assert late == max(agents) + 1
    sim.iterate(3000)
    assert sim.agent_count() == 0


def test_geometries() -> None:
    for geometry in (ROOM, ROOM.wkt, [(0, 0), (12, 0), (12, 8), (0, 8)], shapely.GeometryCollection([ROOM])):
        sim = jps.Simulation(model=jps.SocialForceModel(), geometry=geometry)
        assert sim.get_geometry().polygon.equals(ROOM) and len(sim.get_geometry().boundary()) == 4
    holed = jps.Simulation(
        model=jps.SocialForceModel(),
        geometry=[(0, 0), (12, 0), (12, 8), (0, 8)],
        excluded_areas=[[(4, 4), (5, 4), (5, 5)]],
    )
    assert len(holed.get_geometry().holes()) == 1
    for wrong in ("POLYGON", "POINT (1 2)", [(0, 0)], shapely.Point(1, 1), shapely.union_all([ROOM, shapely.box(50, 50, 60, 60)])):
        with pytest.raises(jps.GeometryError):
            jps.Simulation(model=jps.SocialForceModel(), geometry=wrong)


def test_routing() -> None:
    engine = jps.RoutingEngine(ROOM.difference(shapely.box(5, 0, 6, 6)))
    way = engine.compute_waypoints((1, 1), (11, 1))
    assert way[0] == (1, 1) and way[-1] == (11, 1) and len(way) == 4
    assert engine.is_routable((1, 1)) and not engine.is_routable((5.5, 1))
    with pytest.raises(RuntimeError):
        engine.compute_waypoints((1, 1), (5.5, 1))


@pytest.mark.parametrize("module", ["crowdloom.jupedsim", "jupedsim"])
def test_meshes(module: str) -> None:
    area = ROOM.difference(shapely.box(5, 0, 6, 6)).difference(shapely.box(8, 3, 9, 4))
    corners, polygons = pytest.importorskip(module).RoutingEngine(area).mesh()
    parts = [shapely.Polygon([corners[number] for number in polygon]) for polygon in polygons]
    assert all(part.exterior.is_ccw and part.is_valid for part in parts)
    assert shapely.union_all(parts).symmetric_difference(area).area < 1e-9
    assert sum(part.area for part in parts) == pytest.approx(area.area)


def test_distributions() -> None:
    area = shapely.box(0, 0, 10, 10)
    common: dict[str, Any] = {"polygon": area, "distance_to_agents": 0.5, "distance_to_polygon": 0.3}
    sets = [
        jps.distribute_by_number(number_of_agents=60, seed=1, **common),
        jps.distribute_by_density(density=0.5, seed=1, **common),
        jps.distribute_until_filled(seed=1, **common),
        jps.distribute_by_percentage(percent=50, seed=1, **common),
        jps.distribute_in_circles_by_number(
            center_point=(5, 5), circle_segment_radii=[(0, 2), (3, 4)], numbers_of_agents=[10, 20], seed=1, **common
        ),
        jps.distribute_in_circles_by_density(
            center_point=(5, 5), circle_segment_radii=[(0, 2), (3, 4)], densities=[1.0, 0.5], seed=1, **common
        ),
    ]
    assert [len(places) for places in sets[:2]] == [60, 50] and len(sets[2]) > 150 and len(sets[4]) == 30
    assert abs(len(sets[3]) - len(sets[2]) / 2) <= 1
    room = area.buffer(-0.3 + 1e-9)
    for places in sets:
        points = np.array(places)
        assert shapely.contains_xy(room, points[:, 0], points[:, 1]).all()
        gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
        assert gaps[~np.eye(len(points), dtype=bool)].min() >= 0.5
    assert jps.distribute_by_number(number_of_agents=60, seed=1, **common) == sets[0]
    with pytest.raises(jps.AgentNumberError):
        jps.distribute_by_number(number_of_agents=1000, seed=1, max_iterations=50, **common)
    with pytest.raises(jps.NegativeValueError):
        jps.distribute_by_number(number_of_agents=-1, **common)
    with pytest.raises(jps.OverlappingCirclesError):
        jps.distribute_in_circles_by_number(
            center_point=(5, 5), circle_segment_radii=[(0, 3), (2, 4)], numbers_of_agents=[1, 1], **common
        )
    with pytest.raises(jps.IncorrectParameterError):
        jps.distribute_by_percentage(percent=120, **common)


MODELS = ["CollisionFreeSpeedModel", "CollisionFreeSpeedModelV2", "CollisionFreeSpeedModelV3", "AnticipationVelocityModel", "GeneralizedCentrifugalForceModel", "SocialForceModel", "WarpDriverModel"]

NOT_HERE = {
    # JuPedSim 1.4.2 has it, and raises AttributeError.
    "RoutingEngine.edges_for",
}


def public(owner: Any) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_") and name != "as_native"]


def test_every_public_name_of_jupedsim_is_here() -> None:
    theirs = pytest.importorskip("jupedsim")
    lacking = set(theirs.__all__) - set(dir(jps))
    for name in set(theirs.__all__) & set(dir(jps)):
        one, other = getattr(theirs, name), getattr(jps, name)
        if inspect.isclass(one):
            # Fields of data classes without defaults are no attributes of the class.
            fields = getattr(other, "__dataclass_fields__", {})
            lacking |= {f"{name}.{own}" for own in public(one) if not hasattr(other, own) and own not in fields}
        is_error = inspect.isclass(one) and issubclass(one, Exception)
        if callable(one) and not is_error and not name.endswith(("State", "Stage")) and name not in ("Agent", "Geometry", "Transition"):
            own = inspect.signature(other).parameters
            old = {"v0", "e0", "bodyForce", "desiredSpeed", "reactionTime", "agentScale", "obstacleScale", "forceDistance"}
            lacking |= {f"{name}({word})" for word in inspect.signature(one).parameters.keys() - own - old - {"kwargs"}}
    assert lacking == NOT_HERE
    for module in ("agent", "distributions", "geometry", "geometry_utils", "hdf5_serialization", "journey", "library",
                   "models", "recording", "routing", "serialization", "simulation", "sqlite_serialization", "stages"):  # fmt: skip
        own = importlib.import_module(f"crowdloom.jupedsim.{module}")
        defined = {
            name for name, value in vars(importlib.import_module(f"jupedsim.{module}")).items()
            if getattr(value, "__module__", "") == f"jupedsim.{module}" and not name.startswith("_")
        }  # fmt: skip
        # What makes files of version 1 those of version 2.
        old_files = {name for name in defined if "database" in name}
        assert defined - old_files <= set(dir(own)), module


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("model", MODELS)
def test_defaults_are_jupedsims(model: str) -> None:
    theirs = pytest.importorskip("jupedsim")
    for kind in (model, f"{model}AgentParameters"):
        one, other = getattr(theirs, kind)(), getattr(jps, kind)()
        for name in public(one):
            # That seed is another in each process.
            if name != "rng_seed" and (name != "v0" or hasattr(other, name)):
                assert getattr(one, name) == getattr(other, name), f"{kind}.{name}"


@pytest.mark.parametrize("model", MODELS)
def test_whatever_a_model_knows_can_be_changed(model: str) -> None:
    sim = jps.Simulation(model=getattr(jps, model)(), geometry=ROOM)
    out = sim.add_exit_stage(DOOR)
    number = sim.add_journey(jps.JourneyDescription([out]))
    make = getattr(jps, f"{model}AgentParameters")
    one, other = (sim.add_agent(make(position=(1, y), journey_id=number, stage_id=out)) for y in (2, 6))
    sim.iterate(50)
    state, before = sim.agent(one).model, sim.agent(other).model
    for name in public(state):
        value = getattr(state, name)
        if isinstance(value, tuple):
            setattr(state, name, (0.5, 0.25))
            assert getattr(state, name) == pytest.approx((0.5, 0.25), abs=1e-6), name
        else:
            setattr(state, name, 1.25 * value)
            assert getattr(state, name) == pytest.approx(1.25 * value, rel=1e-6), name
    assert before.desired_speed == make().desired_speed and state.desired_speed != before.desired_speed
    for wrong in (float("nan"), -1.0, "fast", None):
        with pytest.raises(RuntimeError):
            state.desired_speed = wrong
    sim.iterate(2000)
    assert sim.agent_count() == 0
    with pytest.raises(RuntimeError):
        state.desired_speed = 1.0


def test_numbers_of_agents_matter() -> None:
    def reached(**fields: Any) -> float:
        sim, out = simple()
        number = sim.add_journey(jps.JourneyDescription([out]))
        one = agent(sim, number, out, (1.0, 4.0), **fields)
        sim.iterate(100)
        return float(sim.agent(one).position[0])

    assert reached(velocity=(1.3, 0.0)) > reached() + 0.3
    assert reached(reaction_time=0.1) > reached() + 0.2
    # Walls repel by themselves.
    aside = []
    for scale in (100.0, 4000.0):
        sim, out = simple()
        number = sim.add_journey(jps.JourneyDescription([out]))
        one = agent(sim, number, out, (1.0, 0.3), obstacle_scale=scale)
        sim.iterate(30)
        aside.append(sim.agent(one).position[1])
    assert aside[1] > aside[0] + 0.02


def test_older_names() -> None:
    with pytest.warns(DeprecationWarning, match="desired_speed"):
        old = jps.CollisionFreeSpeedModelAgentParameters(v0=1.7)
    assert old.desired_speed == old.v0 == 1.7
    with pytest.warns(DeprecationWarning):
        assert jps.SocialForceModelAgentParameters(desiredSpeed=1.1, forceDistance=0.1).force_distance == 0.1
    with pytest.warns(DeprecationWarning):
        assert jps.SocialForceModel(bodyForce=5.0).body_force == 5.0
    # In order, without names.
    assert jps.SocialForceModelAgentParameters((1, 2), (1, 0), 3, 4).stage_id == 4


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("gap", [0.15, 0.3, 0.45])
def test_agents_may_be_as_near_as_in_jupedsim(model: str, gap: float) -> None:
    def fits(jps: ModuleType) -> tuple[bool, bool]:
        sim = jps.Simulation(model=getattr(jps, model)(), geometry=ROOM)
        out = sim.add_exit_stage(DOOR)
        number = sim.add_journey(jps.JourneyDescription([out]))
        size = {} if model == "GeneralizedCentrifugalForceModel" else {"radius": 0.2}
        make = getattr(jps, f"{model}AgentParameters")

        def comes(*place: float) -> bool:
            try:
                sim.add_agent(make(position=place, journey_id=number, stage_id=out, **size))
            except RuntimeError:
                return False
            return True

        found = (comes(3, 4) and comes(3 + gap, 4), comes(6, gap))
        sim.iterate(10)
        return found

    assert fits(jps) == fits(pytest.importorskip("jupedsim"))


def test_hdf5_files(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    theirs = pytest.importorskip("jupedsim")

    def write(jps: ModuleType) -> Any:
        file = tmp_path / f"{jps.__name__}.h5"
        writer = jps.Hdf5TrajectoryWriter(output_file=file, every_nth_frame=5, commit_every_nth_write=7)
        sim = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=ROOM, trajectory_writer=writer)
        out = sim.add_exit_stage(DOOR)
        number = sim.add_journey(jps.JourneyDescription([out]))
        for y in (2, 4, 6):
            sim.add_agent(
                jps.CollisionFreeSpeedModelAgentParameters(position=(1, y), journey_id=number, stage_id=out)
            )
        sim.iterate(250)
        sim.switch_geometry(shapely.box(0, 0, 14, 9))
        sim.iterate(250)
        writer.close()
        return h5py.File(file)

    with write(jps) as own, write(theirs) as other:
        assert own.attrs.keys() == other.attrs.keys()
        table, reference = own["trajectory"], other["trajectory"]
        assert table.dtype == reference.dtype and table.attrs.keys() == reference.attrs.keys()
        for name in ("fps", "dt", "every_nth_frame", "schema_version", "xmin", "xmax", "ymin", "ymax"):
            assert own.attrs[name] == other.attrs[name], name
        assert shapely.from_wkt(own.attrs["wkt_geometry"]).equals(shapely.from_wkt(other.attrs["wkt_geometry"]))
        assert (table["frame"][-1], table["id"][0], len(table)) == (100, 1, 303)
        assert own.keys() == other.keys()
        for file in (own, other):
            areas = [shapely.from_wkt(wkt) for wkt in file["geometry/wkt"]]
            assert [area.area for area in areas] == [96, 126] and len(file["geometry/hash"]) == 2
            assert list(file["frame_geometry"]["frame"]) == [51]
            assert file["frame_geometry"]["geometry_hash"][0] == file["geometry/hash"][1]
        assert np.abs(table["x"] - reference["x"]).max() < 0.3 and np.allclose(np.hypot(table["ox"], table["oy"]), 1)
    for wrong in ({"every_nth_frame": 0}, {"compression_level": 10}, {"commit_every_nth_write": 0}):
        with pytest.raises(jps.TrajectoryWriter.Exception):
            jps.Hdf5TrajectoryWriter(output_file=tmp_path / "x.h5", **wrong)


def test_messages_and_traces() -> None:
    heard: dict[str, list[str]] = {level: [] for level in ("debug", "info", "warning", "error")}
    for level, told in heard.items():
        getattr(jps, f"set_{level}_callback")(told.append)
    try:
        sim, out = simple()
        number = sim.add_journey(jps.JourneyDescription([out]))
        agent(sim, number, out, (1.0, 0.15))
        with pytest.raises(RuntimeError):
            agent(sim, number, out, (1.0, 0.1))
        sim.iterate(10)
    finally:
        for level in heard:
            getattr(jps, f"set_{level}_callback")(lambda message: None)
    assert "off a wall" in heard["warning"][0] and "too near to a wall" in heard["error"][0]
    assert "1 agents came" in heard["info"][0] and len(heard["debug"]) == 3
    with pytest.raises(TypeError):
        jps.set_info_callback(3)
    sim.set_tracing(True)
    sim.iterate(4)
    trace = sim.get_last_trace()
    assert trace.iteration_duration >= trace.operational_level_duration >= 0
    assert jps.__version__ in repr(jps.get_build_info()) and jps.get_build_info().library_version == jps.__version__


def test_a_thousand_agents_come_at_once() -> None:
    places = jps.distribute_by_number(
        polygon=shapely.box(0, 0, 40, 40), number_of_agents=1000, distance_to_agents=0.5, distance_to_polygon=0.3, seed=1
    )
    sim = jps.Simulation(model=jps.CollisionFreeSpeedModelV2(), geometry=shapely.box(0, 0, 40, 40))
    out = sim.add_exit_stage(shapely.box(39, 0, 40, 40))
    number = sim.add_journey(jps.JourneyDescription([out]))
    random = np.random.default_rng(1)
    speeds, gaps = random.normal(1.3, 0.1, 1000), random.choice([0.8, 1.0, 1.2], 1000)
    agents = [
        sim.add_agent(
            jps.CollisionFreeSpeedModelV2AgentParameters(
                position=place, journey_id=number, stage_id=out, desired_speed=speed, time_gap=gap
            )
        )
        for place, speed, gap in zip(places, speeds, gaps)
    ]
    assert agents == list(range(1, 1001)) and sorted(sim.ids()) == agents
    found = dict(zip(sim.ids(), sim.positions()))
    assert all(np.allclose(found[one], place, atol=1e-4) for one, place in zip(agents, places))
    assert [sim.agent(one).model.time_gap for one in agents[:50]] == list(gaps[:50])
    assert sim.agent(agents[7]).model.desired_speed == speeds[7]
    with pytest.raises(RuntimeError, match="too near"):
        sim.add_agent(
            jps.CollisionFreeSpeedModelV2AgentParameters(position=places[0], journey_id=number, stage_id=out)
        )


def test_bad_input() -> None:
    sim, out = simple()
    number = sim.add_journey(jps.JourneyDescription([out]))
    with pytest.raises(RuntimeError):
        sim.add_waypoint_stage((100, 100), 1.0)
    with pytest.raises(RuntimeError):
        sim.add_waypoint_stage((float("nan"), 1), 1.0)
    with pytest.raises(RuntimeError):
        sim.add_exit_stage(shapely.box(50, 50, 60, 60))
    with pytest.raises(RuntimeError):
        sim.add_journey(jps.JourneyDescription([999]))
    with pytest.raises(RuntimeError):
        agent(sim, 999, out, (1, 1))
    with pytest.raises(RuntimeError):
        agent(sim, number, 999, (1, 1))
    with pytest.raises(RuntimeError):
        agent(sim, number, out, (-5, 1))
    with pytest.raises(RuntimeError):
        sim.add_agent(jps.CollisionFreeSpeedModelAgentParameters(position=(1, 1), journey_id=number, stage_id=out))
    agent(sim, number, out, (1, 1))
    with pytest.raises(RuntimeError, match="too near"):
        agent(sim, number, out, (1.1, 1))
    for dt in (0, -1, float("nan")):
        with pytest.raises(ValueError):
            simple(dt=dt)
    with pytest.raises(TypeError):
        jps.Simulation(model="social force", geometry=ROOM)
    with pytest.raises(RuntimeError):
        sim.get_stage(4711)
    with pytest.raises(RuntimeError):
        sim.mark_agent_for_removal(4711)
    sim.iterate(5)
