"""Crowds made of human motion: where people go, what they do in each place and how their bodies move.

>>> import crowdloom
>>> sim = crowdloom.Simulation.from_scene("street", people=20)
>>> sim.step(60)
>>> sim.positions.shape
(20, 2)
"""

from ._core import FRAME_RATE, __version__, set_threads
from ._ensemble import Ensemble, Interval, ensemble
from ._errors import CrowdloomError, EditError, MotionError, Problem, RunError, SceneError, SnapshotError
from ._minds import Ask, Candidates, Deciding, Visit
from ._models import Batch, VelocityModel
from ._pieces import Door, Event, People, Piece, Region, Situation, Stop
from ._run import Run, Trajectories
from ._scene import Ground, Scene, embedded_scenes, scene_schema
from ._simulation import Edited, Simulation

__all__ = [
    "FRAME_RATE",
    "Ask",
    "Batch",
    "Candidates",
    "CrowdloomError",
    "Deciding",
    "Door",
    "EditError",
    "Edited",
    "Ensemble",
    "Event",
    "Ground",
    "Interval",
    "MotionError",
    "People",
    "Piece",
    "Problem",
    "Region",
    "Run",
    "RunError",
    "Scene",
    "SceneError",
    "Simulation",
    "Situation",
    "SnapshotError",
    "Stop",
    "Trajectories",
    "VelocityModel",
    "Visit",
    "__version__",
    "embedded_scenes",
    "ensemble",
    "scene_schema",
    "set_threads",
]
