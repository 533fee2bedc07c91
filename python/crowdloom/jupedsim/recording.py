"""Trajectories in JuPedSim's SQLite format, version 2, as files to read."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

import shapely

from .geometry import Point


@dataclass
class RecordingAgent:
    """One agent in one frame."""

    id: int
    position: Point
    orientation: Point


@dataclass
class RecordingFrame:
    """All agents of a frame."""

    index: int
    agents: list[RecordingAgent]


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """A rectangle along the axes."""

    xmin: float
    xmax: float
    ymin: float
    ymax: float

    @property
    def width(self) -> float:
        """Its length along x."""
        return self.xmax - self.xmin

    @property
    def height(self) -> float:
        """Its length along y."""
        return self.ymax - self.ymin

    @property
    def center(self) -> Point:
        """Its middle."""
        return ((self.xmin + self.xmax) / 2, (self.ymin + self.ymax) / 2)


class Recording:
    """Trajectories in a file."""

    def __init__(self, db_connection_str: str, uri: bool = False) -> None:
        self.db = sqlite3.connect(db_connection_str, uri=uri, isolation_level=None)
        try:
            version = self._metadata("version")
        except (sqlite3.Error, KeyError):
            self.db.close()
            raise ValueError(f"{db_connection_str} holds no trajectories of JuPedSim") from None
        if version != "2":
            self.db.close()
            raise ValueError(f"{db_connection_str} is of version {version}; version 2 can be read")

    def _metadata(self, key: str) -> str:
        row = self.db.execute("SELECT value FROM metadata WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        return str(row[0])

    def frame(self, index: int) -> RecordingFrame:
        """All agents of a frame."""
        rows = self.db.execute(
            "SELECT id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data WHERE frame = ? ORDER BY id", (index,)
        )
        return RecordingFrame(index, [RecordingAgent(row[0], row[1:3], row[3:5]) for row in rows])

    def geometry(self) -> Any:
        """All that was walkable."""
        rows = self.db.execute("SELECT wkt FROM geometry")
        return shapely.union_all([shapely.from_wkt(wkt) for (wkt,) in rows])

    def geometry_id_for_frame(self, frame_id: int) -> int:
        """The number of the walkable area of a frame."""
        row = self.db.execute("SELECT geometry_hash FROM frame_data WHERE frame = ?", (frame_id,)).fetchone()
        if row is None:
            raise KeyError(f"there is no frame {frame_id}")
        return int(row[0])

    def bounds(self) -> Bounds:
        """The rectangle that all agents were in."""
        return Bounds(**{key: float(self._metadata(key)) for key in ("xmin", "xmax", "ymin", "ymax")})

    @property
    def num_frames(self) -> int:
        """How many frames there are."""
        return int(self.db.execute("SELECT count(*) FROM frame_data").fetchone()[0])

    @property
    def fps(self) -> float:
        """Frames in a second."""
        return float(self._metadata("fps"))

    def close(self) -> None:
        """Closes the file."""
        self.db.close()

    def __del__(self) -> None:
        if hasattr(self, "db"):
            self.db.close()
