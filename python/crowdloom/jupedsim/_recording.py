"""Trajectories in JuPedSim's SQLite format, version 2: written, and read."""

from __future__ import annotations

import abc
import sqlite3
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from ._geometry import Point

if TYPE_CHECKING:
    from ._simulation import Simulation


class WriterError(Exception):
    """Why nothing can be written."""


class TrajectoryWriter(abc.ABC):
    """Something that writes agents down."""

    Exception = WriterError

    @abc.abstractmethod
    def begin_writing(self, simulation: Simulation) -> None:
        """Called once before the first iteration."""

    @abc.abstractmethod
    def write_iteration_state(self, simulation: Simulation) -> None:
        """Called before the first iteration and after each."""

    @abc.abstractmethod
    def every_nth_frame(self) -> int:
        """How many iterations lie between two frames that are written."""


class SqliteTrajectoryWriter(TrajectoryWriter):
    """Writes what PedPy and JuPedSim's viewers read."""

    def __init__(
        self, *, output_file: str | Path, every_nth_frame: int = 4, commit_every_nth_write: int = 100
    ) -> None:
        if every_nth_frame < 1:
            raise WriterError("every_nth_frame must be above 0")
        if commit_every_nth_write < 1:
            raise WriterError("commit_every_nth_write must be above 0")
        self._every, self._commit_every = every_nth_frame, commit_every_nth_write
        try:
            self._database = sqlite3.connect(output_file, isolation_level=None)
        except sqlite3.Error as error:
            raise WriterError(f"cannot write {output_file}: {error}") from None
        self._writes = 0
        self._bounds = [np.inf, -np.inf, np.inf, -np.inf]

    def begin_writing(self, simulation: Simulation) -> None:
        rate = 1 / simulation.delta_time() / self._every
        database = self._database
        try:
            for table in ("trajectory_data", "metadata", "geometry", "frame_data"):
                database.execute(f"DROP TABLE IF EXISTS {table}")
            database.execute(
                "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,"
                " pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL)"
            )
            database.execute(
                "CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL)"
            )
            database.executemany("INSERT INTO metadata VALUES (?, ?)", [("version", "2"), ("fps", str(rate))])
            database.execute("CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL)")
            database.execute("CREATE UNIQUE INDEX geometry_hash ON geometry (hash)")
            database.execute("CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL)")
            database.execute("CREATE INDEX frame_id_idx ON trajectory_data (frame, id)")
            database.execute("BEGIN")
        except sqlite3.Error as error:
            raise WriterError(f"cannot write: {error}") from None

    def write_iteration_state(self, simulation: Simulation) -> None:
        if simulation.iteration_count() % self._every:
            return
        frame = simulation.iteration_count() // self._every
        places, ids = simulation.positions(), simulation.ids()
        faces = simulation._running().headings if len(ids) else np.zeros(0)
        rows = [
            (frame, int(number), float(x), float(y), float(east), float(north))
            for number, (x, y), east, north in zip(ids, places, np.cos(faces), np.sin(faces))
        ]
        if len(places):
            (low_x, low_y), (high_x, high_y) = places.min(axis=0), places.max(axis=0)
            low = min(self._bounds[0], low_x), max(self._bounds[1], high_x)
            self._bounds = [*low, min(self._bounds[2], low_y), max(self._bounds[3], high_y)]
        wkt = simulation.get_geometry().as_wkt()
        code = zlib.crc32(wkt.encode())
        database = self._database
        try:
            database.executemany("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)", rows)
            database.execute("INSERT OR IGNORE INTO geometry VALUES (?, ?)", (code, wkt))
            database.execute("INSERT INTO frame_data VALUES (?, ?)", (frame, code))
            self._writes += 1
            if self._writes % self._commit_every == 0:
                self._commit()
                database.execute("BEGIN")
        except sqlite3.Error as error:
            raise WriterError(f"cannot write: {error}") from None

    def _commit(self) -> None:
        names = ("xmin", "xmax", "ymin", "ymax")
        bounds = [(name, str(float(value))) for name, value in zip(names, self._bounds) if np.isfinite(value)]
        self._database.executemany("INSERT OR REPLACE INTO metadata VALUES (?, ?)", bounds)
        self._database.execute("COMMIT")

    def close(self) -> None:
        """Writes what is left."""
        if self._database.in_transaction:
            self._commit()
        self._database.close()

    def every_nth_frame(self) -> int:
        return self._every

    def connection(self) -> sqlite3.Connection:
        """The database."""
        return self._database

    def __del__(self) -> None:
        try:
            self.close()
        except (AttributeError, sqlite3.Error):
            pass


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

    def bounds(self) -> tuple[float, float, float, float]:
        """Least and greatest x, least and greatest y of all agents."""
        west, east, south, north = (float(self._metadata(key)) for key in ("xmin", "xmax", "ymin", "ymax"))
        return (west, east, south, north)

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
