"""Clips and motion graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from crowdloom import MotionError, Simulation
from crowdloom.motion import MotionGraph, Motions


@pytest.fixture(scope="module")
def motions() -> Motions:
    return Motions()


def test_clips(motions: Motions) -> None:
    assert len(motions) > 1000 and len(motions.joint_names) == len(motions.joint_parents)
    clip = next(clip for clip in motions if "walk" in clip.labels and clip.seconds > 0.4)
    frames = len(clip.track)
    assert clip.seconds == pytest.approx((frames - 1) / 30) and clip.contacts.shape == (frames, 4)
    poses = clip.poses()
    assert poses.shape == (frames, len(motions.joint_names), 4, 4)
    np.testing.assert_allclose(poses[..., 3, :], np.broadcast_to([0, 0, 0, 1], poses.shape[:2] + (4,)))
    turns = poses[..., :3, :3]
    np.testing.assert_allclose(turns @ np.swapaxes(turns, -1, -2), np.broadcast_to(np.eye(3), turns.shape), atol=1e-4)
    between = clip.poses([0.5 / 30])[0, 0, :3, 3]
    np.testing.assert_allclose(between, (poses[0, 0, :3, 3] + poses[1, 0, :3, 3]) / 2, atol=1e-3)
    assert clip.foot_skate is not None and clip.foot_skate < 0.02
    for wrong in ([-1.0], [clip.seconds + 1], [np.nan]):
        with pytest.raises(ValueError):
            clip.poses(wrong)
    with pytest.raises(KeyError):
        motions["no such clip"]


def test_files_come_and_go(motions: Motions, tmp_path: Path) -> None:
    clip = next(clip for clip in motions if "walk" in clip.labels and clip.seconds > 0.9)
    file = clip.export(tmp_path / "walk.bvh")
    again = Motions.from_files(file, metres_per_unit=1.0, clean_feet=False)
    assert again.names == ["walk"] and again.imported[0].problem is None
    np.testing.assert_allclose(again["walk"].track[:, :2], clip.track[:, :2], atol=5e-3)
    again.save(tmp_path / "own.motions")
    assert Motions.load(tmp_path / "own.motions").names == ["walk"]
    (tmp_path / "bad.bvh").write_text("no motion")
    mixed = Motions.from_files([tmp_path / "bad.bvh", file])
    assert [own.problem is None for own in mixed.imported] == [False, True]
    with pytest.raises(MotionError, match="no file"):
        Motions.from_files([tmp_path / "bad.bvh"])
    with pytest.raises(MotionError):
        Motions.load(tmp_path / "bad.bvh")
    with pytest.raises(ValueError):
        clip.export(tmp_path / "walk.fbx")


def test_graphs(motions: Motions, tmp_path: Path) -> None:
    graph = MotionGraph.build(motions)
    assert len(graph.nodes) > 10 and len(graph.actions) > 100 and graph.report is not None
    name, begin, end, seconds = graph.actions[0]
    assert begin in graph.nodes and end in graph.nodes and seconds > 0 and name in graph.motions().names
    graph.save(tmp_path / "own.graph")
    assert MotionGraph.load(tmp_path / "own.graph").nodes == graph.nodes
    scene = {
        "name": "hall",
        "world": {"floor": [[0, 0], [9, 0], [9, 9], [0, 9]]},
        "motion": {"graph": str(tmp_path / "own.graph")},
        "people": [{"count": 4}],
    }
    sim = Simulation.from_scene(scene)
    sim.step(60)
    assert sim.outcomes == []
    walk = tmp_path / "walk.bvh"
    next(clip for clip in motions if "walk" in clip.labels and clip.seconds > 0.9).export(walk)
    with pytest.raises(MotionError, match="share no pose"):
        MotionGraph.build(Motions.from_files(walk), threshold=0.0, bridge_threshold=0.0)
    with pytest.raises(MotionError):
        MotionGraph.load(walk)


def test_planned_motions() -> None:
    scene = {
        "name": "hall",
        "seconds": 20,
        "world": {"floor": [[0, 0], [14, 0], [14, 9], [0, 9]]},
        "people": [
            {"mover": "planned", "name": "Ann", "at": [2, 4]},
            {"mover": "planned", "name": "Ben", "at": [3, 7]},
        ],
        "constraint": [
            {"person": "Ann", "at": [11, 5], "facing": 90, "time": 12},
            {"person": "Ben", "at": [9, 2]},
        ],
    }
    sim = Simulation.from_scene(scene)
    assert [(own["name"], own["met"]) for own in sim.outcomes] == [("Ann", True), ("Ben", True)]
    sim.step(360)
    assert abs(sim.outcomes[0]["time_s"] - 12) < 0.05
    np.testing.assert_allclose(sim.positions[0], [11, 5], atol=0.02)
    assert sim.overlaps == 0
