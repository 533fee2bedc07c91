"""The compiled half of `crowdloom`."""

# Written by scripts/write-stubs from crates/python; do not change it by hand.

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self, final

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

__all__ = [
    "FRAME_RATE",
    "Graph",
    "Motions",
    "Run",
    "Simulation",
    "Trajectories",
    "__version__",
    "check_scene",
    "embedded_scene",
    "embedded_scenes",
    "scene_schema",
    "set_threads",
]

__version__: Final[str]
FRAME_RATE: Final[float]

def check_scene(text: str, file: str | PathLike[str]) -> list[tuple[int | None, str, str, bool]]:
    """All that is wrong with the text of a scene, harmless or not."""

def embedded_scene(name: str) -> str | None:
    """The text of a scene that comes with Crowdloom, such as `street` or `situation:bench`."""

def embedded_scenes() -> list[tuple[str, str]]:
    """Names of the scenes that come with Crowdloom, each with what it shows."""

def scene_schema() -> str:
    """The JSON Schema of scenes, as JSON."""

def set_threads(count: int = 0) -> None:
    """Sets how many threads simulations run on; 0 means all cores. Results are the same on any number."""

@final
class Graph:
    """A motion graph."""

    def __new__(cls, file: str | PathLike[str]) -> Self:
        """The graph of a file."""

    @staticmethod
    def _build(motions: Motions, *, threshold: float, bridge_threshold: float, least_seconds: float, most_nodes: int, mirror: bool) -> Graph:
        """Builds the graph of some clips."""

    def save(self, file: str | PathLike[str]) -> None:
        """Writes the graph into a file, for `[motion] graph` of scenes."""

    @property
    def _report(self) -> str | None: ...
    @property
    def nodes(self) -> list[str]:
        """The names of the nodes."""

    @property
    def actions(self) -> list[tuple[str, str, str, float]]:
        """All actions: the clip's name, the nodes that it leads from and to, and its seconds."""

    def motions(self) -> Motions:
        """The clips of the graph's actions."""

@final
class Motions:
    """Clips on one skeleton."""

    def __new__(cls, file: str | PathLike[str] | None = None) -> Self:
        """The clips that come with Crowdloom, without a file; else those of a file of clips or of a motion graph."""

    @staticmethod
    def _import(files: Sequence[str | PathLike[str]], *, cmu: bool, metres_per_unit: float | None, z_up: bool, frame_rate: float | None, drop_first_frame: bool, clean_feet: bool) -> tuple[Motions | None, list[tuple[Path, float | None, str | None, list[str]]]]:
        """Reads BVH and AMC files; returns the clips, if any, and what became of each file."""

    def save(self, file: str | PathLike[str]) -> None:
        """Writes the clips into a file."""

    @property
    def names(self) -> list[str]:
        """The names of all clips."""

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints, in the order of poses."""

    @property
    def joint_parents(self) -> npt.NDArray[np.int32]:
        """The index of each joint's parent; -1 of the root."""

    def _about(self, name: str) -> tuple[float, list[str]]:
        """The seconds and the labels of a clip."""

    def _poses(self, name: str, seconds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Where the joints are at moments of a clip, in seconds from its beginning: a matrix of 4 × 4 for each."""

    def _track(self, name: str) -> npt.NDArray[np.float64]:
        """Where the body is on the ground in each frame of a clip: x and y in metres, and the heading in radians."""

    def _contacts(self, name: str) -> npt.NDArray[np.bool_]:
        """Which parts of the feet touch the ground in each frame of a clip: left heel, left toe, right heel, right toe."""

    def _foot_skate(self, name: str) -> float | None:
        """The mean speed of feet in contact, in metres a second; none where no foot is ever."""

    def _write_bvh(self, name: str, file: str | PathLike[str]) -> None:
        """Writes a clip as BVH."""

@disjoint_base
class Run:
    """A recorded run."""

    def __new__(cls, folder: str | PathLike[str]) -> Self: ...
    @property
    def path(self) -> Path:
        """The run file."""

    @property
    def name(self) -> str:
        """The name of the scene."""

    @property
    def seed(self) -> int:
        """What everything random followed from."""

    @property
    def scene_text(self) -> str:
        """The scene, in TOML."""

    @property
    def seconds(self) -> float:
        """Seconds that can be read."""

    @property
    def frame_rate(self) -> float:
        """Recorded frames in a second."""

    @property
    def is_whole(self) -> bool:
        """Whether it was written to its end; a run that was cut off can be read up to there."""

    @property
    def ground_wkt(self) -> str:
        """The walkable ground as well-known text."""

    @property
    def edits(self) -> list[tuple[int, str]]:
        """What was changed while it ran: the frame and what."""

    def _trajectories(self, *, ids: Sequence[int] | None = None, start: float | None = None, end: float | None = None) -> Trajectories:
        """Where everybody was in each recorded frame."""

    def _measure(self, lines: Sequence[tuple[str, tuple[float, float], tuple[float, float]]]) -> tuple[str, list[float]]:
        """What people do in numbers, as JSON, and when each left, in seconds."""

    def _write_page(self, folder: str | PathLike[str]) -> Path:
        """Writes the replay page into a folder; returns its path."""

    def _export(self, path: str | PathLike[str], format: str, *, ids: Sequence[int] | None, start: float | None, end: float | None, every: int, animations: str, detail: str, character: str | PathLike[str] | None) -> list[Path]:
        """Writes the run as other programs read it; returns the files."""

@disjoint_base
class Simulation:
    """A running scene."""

    def __new__(cls, text: str, file: str | PathLike[str], *, seed: int | None = None, people: int | None = None, snapshot: bytes | None = None, models: Sequence[tuple[str, Any, float, int, float, bool]] = ..., behaviours: Sequence[tuple[str, Any]] = ..., situations: Sequence[tuple[str, Any]] = ..., discs: bool = False) -> Self: ...
    @property
    def name(self) -> str:
        """What the scene is called."""

    @property
    def text(self) -> str:
        """The scene as it was read, in TOML."""

    @property
    def seed(self) -> int:
        """What everything random follows from."""

    @property
    def seconds(self) -> float:
        """How long the scene asks to be run, in seconds."""

    @property
    def _warnings(self) -> list[tuple[int | None, str, str, bool]]: ...
    @property
    def frame(self) -> int:
        """The frame that it is in."""

    @property
    def time(self) -> float:
        """Seconds since the beginning."""

    def __len__(self) -> int: ...
    def _advance(self, frames: int) -> int:
        """Steps for up to `frames` frames, or until signals should be looked at; returns how many were made."""

    @property
    def positions(self) -> npt.NDArray[np.float64]:
        """Where everybody is, in metres: (N, 2)."""

    @property
    def headings(self) -> npt.NDArray[np.float64]:
        """Which way everybody faces, in radians from east to north: (N,)."""

    @property
    def velocities(self) -> npt.NDArray[np.float64]:
        """How everybody moves, in metres a second: (N, 2)."""

    @property
    def ids(self) -> npt.NDArray[np.uint32]:
        """Everybody's number, ascending: (N,)."""

    @property
    def goals(self) -> npt.NDArray[np.float64]:
        """Where everybody wants to be, in metres; NaN of those who want to be nowhere: (N, 2)."""

    @property
    def preferred_speeds(self) -> npt.NDArray[np.float64]:
        """The speed that everybody likes, in metres a second: (N,)."""

    @property
    def radii(self) -> npt.NDArray[np.float64]:
        """The radius of everybody's disc, in metres: (N,)."""

    @property
    def situations(self) -> npt.NDArray[np.int32]:
        """The situation that everybody takes part in, as an index into `situation_names`; -1 of those who take part in none."""

    @property
    def situation_names(self) -> list[str]:
        """Names of all situations."""

    @property
    def movers(self) -> list[str]:
        """What moves everybody."""

    @property
    def stops(self) -> list[str]:
        """Names of all stops."""

    @property
    def regions(self) -> list[str]:
        """Names of all regions."""

    @property
    def signals(self) -> dict[str, bool]:
        """Signals by name, and whether each is on."""

    @property
    def obstacles(self) -> dict[str, bool]:
        """Doors and obstacles with a name, and whether each is there (a door that is closed is)."""

    @property
    def ground_wkt(self) -> str:
        """The walkable ground as it is now, as well-known text."""

    @property
    def goals_reached(self) -> int:
        """Goals reached so far."""

    @property
    def waiting(self) -> int:
        """People who wait for room to appear."""

    @property
    def overlaps(self) -> int:
        """Pairs of people whose discs overlap now, pairs of the same velocity model left out."""

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints of every body, in the order of `poses`."""

    @property
    def joint_parents(self) -> npt.NDArray[np.int32]:
        """The index of each joint's parent; -1 of the root."""

    def _poses(self, ids: npt.NDArray[np.uint32]) -> npt.NDArray[np.float64]:
        """Where the joints of some people's bodies are: a matrix of 4 × 4 for each person and joint."""

    def _enact(self, fields: str) -> tuple[int, int, int, npt.NDArray[np.uint32], list[tuple[str, str, bool]]]:
        """Lets an event happen now, in the words of an `[[event]]` table."""

    def _set_goals(self, ids: npt.NDArray[np.uint32], goals: npt.NDArray[np.float64]) -> None:
        """Sends some people to points, in metres."""

    def _set_speeds(self, ids: npt.NDArray[np.uint32], speeds: npt.NDArray[np.float64]) -> None:
        """Sets the speeds that some people like, in metres a second."""

    def undo(self) -> None:
        """Takes the last change back that was made by hand."""

    def redo(self) -> None:
        """Makes the last change again that was taken back."""

    @property
    def log(self) -> list[tuple[int, str]]:
        """All changes so far, by events and by hand: the frame and what was changed."""

    @property
    def waiting_edits(self) -> list[str]:
        """Changes that are made as soon as promises allow it."""

    @property
    def refused_edits(self) -> list[tuple[int, str, str]]:
        """Changes of events that were refused for good: the frame, what was to be changed, and why not."""

    @property
    def _outcomes(self) -> str:
        """What came of the goals of planned people, as JSON."""

    def save(self) -> bytes:
        """All that is needed to go on from this frame, as bytes."""

    def restore(self, saved: bytes) -> None:
        """Goes back, or ahead, to a frame of the same scene that was saved."""

    def _are_walkable(self, places: npt.NDArray[np.float64], radius: float) -> npt.NDArray[np.bool_]:
        """Whether a disc of some radius in metres could stand at points, as far as walls are concerned."""

    def _cast_rays(self, places: npt.NDArray[np.float64], directions: npt.NDArray[np.float64], limit: float) -> npt.NDArray[np.float64]:
        """How far rays from points in directions (radians, a row for each point) go until they meet a wall, in metres, at most
        `limit`."""

    def _route(self, ends: npt.NDArray[np.float64], radius: float) -> npt.NDArray[np.float64]:
        """A shortest way for a disc from one point to another: its turning points, in metres."""

    def situations_of(self, id: int) -> list[str]:
        """Names of the situations that somebody is in."""

    def picture(self, pixels: int | None = None) -> bytes:
        """The scene from above, as a PNG."""

    def _record(self, folder: str | PathLike[str], seconds: float, *, stride: int, page: bool, report: bool, save_every: int, show: Any | None) -> str:
        """Runs on for some seconds and writes what happens into a folder."""

@final
class Trajectories:
    """Where everybody was in each recorded frame."""

    def columns(self) -> dict[str, Any]:
        """All columns as NumPy arrays; clips, styles and states are indices into `names`."""

    def names(self) -> dict[str, Any]:
        """What the numbers of clips, styles and states mean."""

    def __arrow_c_stream__(self, requested_schema: Any | None = None) -> object: ...
