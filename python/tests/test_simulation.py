"""Running, looking, and going on from where one stopped."""

from __future__ import annotations

import copy
import gc
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

import crowdloom
from crowdloom import EditError, Simulation, SnapshotError


def test_arrays_fit_together(sim: Simulation) -> None:
    sim.step(60)
    count = len(sim)
    assert (sim.frame, sim.time) == (60, 2.0) and count == 30
    assert sim.positions.shape == sim.velocities.shape == sim.goals.shape == (count, 2)
    assert sim.headings.shape == sim.ids.shape == sim.radii.shape == sim.situations.shape == (count,)
    assert sim.positions.dtype == np.float64 and sim.ids.dtype == np.uint32
    assert sim.is_walkable(sim.positions).all()
    assert set(sim.movers) == {"graph", "orca"}
    assert (sim.situations == -1).all() and sim.situation_names == ["friends"]
    assert sim.signals == {"light": True} and sim.obstacles == {"gate": False}
    assert (sim.stops, sim.regions) == (["out"], ["west", "east"])
    assert sim.overlaps == 0


def test_velocities_are_what_positions_do(sim: Simulation) -> None:
    sim.step(90)
    before, velocities, ids = sim.positions, sim.velocities, sim.ids
    sim.step()
    moved = (sim.positions - before) * crowdloom.FRAME_RATE
    graph = np.array(sim.movers) == "graph"
    assert (ids == sim.ids).all() and graph.any()
    assert np.median(np.linalg.norm(moved[graph] - velocities[graph], axis=1)) < 0.05
    assert np.linalg.norm(velocities, axis=1).max() > 0.5


def test_arrays_are_made_once_a_frame_and_outlive_their_simulation(sim: Simulation) -> None:
    sim.step(10)
    for name in ("positions", "velocities", "goals", "headings", "ids", "radii", "preferred_speeds", "situations"):
        first = getattr(sim, name)
        assert getattr(sim, name) is first, f"{name} is copied"
        with pytest.raises(ValueError, match="read-only"):
            first[:] = 0
    first, kept = sim.positions, sim.positions.copy()
    # Whatever changes the crowd makes another array, and leaves the first as it was.
    seen = [first]
    for change in (
        lambda: sim.step(10),
        lambda: sim.remove(sim.ids[0]),
        lambda: sim.undo(),
        lambda: sim.set_goals(sim.ids[1:2], [3.0, 3.0]),
        lambda: sim.restore(sim.save()),
    ):
        change()
        assert all(sim.positions is not other for other in seen)
        seen.append(sim.positions)
    np.testing.assert_array_equal(first, kept)
    kept[:] = 0.0
    del sim
    gc.collect()
    assert all(np.isfinite(array).all() and array.sum() > 0 for array in seen)


def test_many_simulations_are_freed_while_their_arrays_live() -> None:
    hall = {"name": "x", "world": {"floor": [[0, 0], [9, 0], [9, 9], [0, 9]]}, "people": [{"count": 5, "mover": "orca"}]}
    arrays = []
    for seed in range(20):
        sim = Simulation.from_scene(hall, seed=seed)
        sim.step(2)
        arrays += [sim.positions, sim.ids, sim.poses(), sim.velocities[::2], memoryview(sim.headings)]
        del sim
    gc.collect()
    assert all(np.isfinite(np.asarray(array)).all() for array in arrays)


def test_poses_are_bodies(sim: Simulation) -> None:
    sim.step(45)
    poses = sim.poses()
    assert poses.shape == (len(sim), len(sim.joint_names), 4, 4)
    assert len(sim.joint_parents) == len(sim.joint_names) and sim.joint_parents[0] == -1
    turns = poses[..., :3, :3]
    np.testing.assert_allclose(turns @ np.swapaxes(turns, -1, -2), np.broadcast_to(np.eye(3), turns.shape), atol=1e-5)
    roots = poses[:, 0, :3, 3]
    assert np.linalg.norm(roots[:, :2] - sim.positions, axis=1).max() < 0.6
    assert ((roots[:, 2] > 0.3) & (roots[:, 2] < 1.3)).all()
    np.testing.assert_array_equal(sim.poses(sim.ids[3:5]), poses[3:5])
    assert sim.poses([]).shape[0] == 0
    with pytest.raises(EditError, match="no person 4000"):
        sim.poses([4000])


def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(hall: dict[str, Any]) -> None:
    found = []
    for threads in (1, 2, 0):
        crowdloom.set_threads(threads)
        sim = Simulation.from_scene(hall, seed=11)
        sim.step(120)
        found.append(sim.positions)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])
    other = Simulation.from_scene(hall, seed=12)
    other.step(120)
    assert len(other) != len(found[0]) or (other.positions != found[0]).any()


def test_copies_go_their_own_ways_and_agree_until_then(sim: Simulation) -> None:
    sim.step(40)
    sim.edit(who=sim.ids[:3], speed=1.9)
    others = [sim.copy(), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
    saved = sim.save()
    sim.step(60)
    for other in others:
        other.step(60)
        np.testing.assert_array_equal(other.positions, sim.positions)
        assert other.log == sim.log
    others[0].remove(int(others[0].ids[0]))
    assert len(others[0]) == len(sim) - 1
    end = sim.positions
    sim.restore(saved)
    assert sim.frame == 40
    sim.step(60)
    np.testing.assert_array_equal(sim.positions, end)


def test_what_is_no_snapshot(sim: Simulation) -> None:
    for wrong in (b"", b"nonsense", sim.save()[:50], sim.save()[:-9]):
        with pytest.raises(SnapshotError):
            sim.restore(wrong)
        with pytest.raises(SnapshotError):
            Simulation.load(wrong)
    with pytest.raises(SnapshotError, match="another scene"):
        sim.restore(Simulation.from_scene("street", people=3).save())
    with pytest.raises(TypeError):
        sim.restore("text")  # type: ignore[arg-type]
    assert sim.frame == 0 and len(sim) == 30


def test_run_goes_to_the_end_of_the_scene(sim: Simulation, capsys: pytest.CaptureFixture[str]) -> None:
    sim.run(1.0)
    assert sim.frame == 30
    sim.run()
    assert sim.time == sim.seconds == 10.0
    sim.run()
    assert sim.time == 10.0
    for wrong in (-1, float("nan"), float("inf"), 1e9):
        with pytest.raises(ValueError):
            sim.run(wrong)
    for odd in (1.5, "3", True):
        with pytest.raises(TypeError):
            sim.step(odd)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        sim.step(-1)


def test_threads_step_different_simulations_at_once(hall: dict[str, Any]) -> None:
    alone = Simulation.from_scene(hall, seed=1)
    alone.step(60)
    sims = [Simulation.from_scene(hall, seed=1) for _ in range(4)]
    threads = [threading.Thread(target=sim.step, args=(60,)) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for sim in sims:
        np.testing.assert_array_equal(sim.positions, alone.positions)


def test_threads_share_one_simulation(sim: Simulation) -> None:
    errors: list[Exception] = []

    def look() -> None:
        try:
            while sim.frame < 90:
                assert sim.positions.shape[1] == 2
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    watchers = [threading.Thread(target=look) for _ in range(3)]
    for watcher in watchers:
        watcher.start()
    sim.step(90)
    for watcher in watchers:
        watcher.join(60)
    assert not errors and sim.frame == 90


def test_python_goes_on_while_it_runs() -> None:
    city = Simulation.from_scene("city", people=400)
    worker = threading.Thread(target=city.step, args=(200,))
    worker.start()
    ticks = 0
    while worker.is_alive():
        ticks += 1
        time.sleep(0.005)
    assert ticks > 5


def test_ctrl_c_stops_between_two_frames() -> None:
    code = (
        "import crowdloom, os, signal, threading\n"
        "sim = crowdloom.Simulation.from_scene('city', people=300)\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    sim.run(3600)\n"
        "except KeyboardInterrupt:\n"
        "    frame = sim.frame\n    assert 0 < frame < 100000\n    sim.step(3)\n    assert sim.frame == frame + 3\n"
        "    print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "stopped", done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs signals of Unix")
def test_a_signal_handler_cannot_reach_into_a_recording(sim: Simulation, tmp_path: Any) -> None:
    def handler(*_: object) -> None:
        sim.step()

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(RuntimeError, match="at work"):
            sim.record(tmp_path, 600, page=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    sim.step()


def _positions_in_child(method: str) -> None:
    import multiprocessing

    hall = {"name": "x", "world": {"floor": [[0, 0], [20, 0], [20, 20], [0, 20]]}, "people": [{"count": 15}]}
    sim = Simulation.from_scene(hall, seed=4)
    sim.step(30)
    here = sim.copy()
    here.step(30)
    with multiprocessing.get_context(method).Pool(1) as pool:
        there = pool.apply_async(_step_on, (sim.save(),)).get(60)
    np.testing.assert_array_equal(there, here.positions)


def _step_on(saved: bytes) -> Any:
    sim = Simulation.load(saved)
    sim.step(30)
    return sim.positions


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_have_threads_of_their_own() -> None:
    import multiprocessing

    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not fork")
    _positions_in_child("fork")


def test_spawned_processes() -> None:
    _positions_in_child("spawn")


def test_ways_and_rays(sim: Simulation) -> None:
    way = sim.route([1, 1], [23, 11])
    assert way.shape[1] == 2 and len(way) >= 2
    np.testing.assert_allclose(way[[0, -1]], [[1, 1], [23, 11]], atol=1e-5)
    with pytest.raises(ValueError):
        sim.route([1, 1], [100, 100])
    rays = sim.cast_rays([[12, 6], [1, 6]], [0, np.pi], 20)
    np.testing.assert_allclose(rays, [[12, 12], [20, 1]], atol=1e-3)
    for wrong in ([1, 2, 3], [[np.nan, 1]], "x", [[[1, 2]]]):
        with pytest.raises((TypeError, ValueError)):
            sim.is_walkable(wrong)


def test_pictures(sim: Simulation) -> None:
    assert sim.picture(300).startswith(b"\x89PNG")
    assert sim._repr_png_().startswith(b"\x89PNG")
    for wrong in (1, 100_000):
        with pytest.raises(ValueError):
            sim.picture(wrong)


def test_maps_with_large_coordinates() -> None:
    east, north = 356_000.0, 5_645_000.0
    corners = [[east, north], [east + 20, north], [east + 20, north + 20], [east, north + 20]]
    sim = Simulation.from_scene({"name": "utm", "world": {"floor": corners}, "people": [{"count": 9}]})
    assert ((sim.positions >= [east, north]) & (sim.positions <= [east + 20, north + 20])).all()
    new = sim.add([east + 10, north + 10])
    place = sim.positions[sim.index_of(new)[0]]
    np.testing.assert_allclose(place, [east + 10, north + 10], atol=1e-3)
    sim.set_goals(new, [east + 15, north + 15])
    np.testing.assert_allclose(sim.goals[sim.index_of(new)[0]], [east + 15, north + 15], atol=1e-3)
