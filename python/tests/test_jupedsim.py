"""JuPedSim's interface."""

from __future__ import annotations

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
    assert 0.2 < times[-1] / their_times[-1] < 5.0
    assert 0.2 < times[0] / their_times[0] < 5.0


def test_written_files(tmp_path: Path) -> None:
    sim, _, times = bottleneck(jps, "CollisionFreeSpeedModel", tmp_path / "run.sqlite")
    recording = jps.Recording(str(tmp_path / "run.sqlite"))
    assert recording.fps == 25.0 and abs(recording.num_frames / 25 - times[-1]) < 0.5
    first = recording.frame(0)
    assert len(first.agents) == 25
    assert abs(np.linalg.norm(first.agents[0].orientation) - 1) < 1e-6
    assert recording.geometry().equals(sim.get_geometry().polygon)
    west, east, south, north = recording.bounds()
    assert 0 <= west < east <= 12 and 0 <= south < north <= 8
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
    with pytest.raises(ValueError):
        sim.agent(one).target = (100.0, 0.0)
    with pytest.raises(AttributeError):
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
    sim.switch_geometry(narrow)
    assert sim.get_geometry().polygon.equals(narrow)
    highest = 0.0
    while sim.agent_count() and sim.iteration_count() < 4000:
        sim.iterate()
        if sim.agent_count():
            highest = max(highest, sim.agent(one).position[1])
    assert sim.agent_count() == 0 and highest > 6.0
    sim.switch_geometry(ROOM)


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


def test_bad_input() -> None:
    sim, out = simple()
    number = sim.add_journey(jps.JourneyDescription([out]))
    with pytest.raises(ValueError):
        sim.add_waypoint_stage((100, 100), 1.0)
    with pytest.raises(ValueError):
        sim.add_waypoint_stage((float("nan"), 1), 1.0)
    with pytest.raises(ValueError):
        sim.add_exit_stage(shapely.box(50, 50, 60, 60))
    with pytest.raises(ValueError):
        sim.add_journey(jps.JourneyDescription([999]))
    with pytest.raises(ValueError):
        agent(sim, 999, out, (1, 1))
    with pytest.raises(ValueError):
        agent(sim, number, 999, (1, 1))
    with pytest.raises(ValueError):
        agent(sim, number, out, (-5, 1))
    with pytest.raises(TypeError):
        sim.add_agent(jps.CollisionFreeSpeedModelAgentParameters(position=(1, 1), journey_id=number, stage_id=out))
    agent(sim, number, out, (1, 1))
    with pytest.raises(RuntimeError, match="too near"):
        agent(sim, number, out, (1.1, 1))
    for dt in (0, -1, float("nan")):
        with pytest.raises(ValueError):
            simple(dt=dt)
    with pytest.raises(TypeError):
        jps.Simulation(model="social force", geometry=ROOM)
    with pytest.raises(ValueError):
        sim.get_stage(4711)
    with pytest.raises(RuntimeError):
        sim.mark_agent_for_removal(4711)
    sim.iterate(5)
