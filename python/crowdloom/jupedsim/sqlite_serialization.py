"""Trajectories in JuPedSim's SQLite format, version 2, as files to write."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .serialization import TrajectoryWriter, WriterError, check_positive, rows_of

if TYPE_CHECKING:
    from .simulation import Simulation


class SqliteTrajectoryWriter(TrajectoryWriter):
    """Writes what PedPy and JuPedSim's viewers read."""

    def __init__(
        self, *, output_file: str | Path, every_nth_frame: int = 4, commit_every_nth_write: int = 100
    ) -> None:
        check_positive(every_nth_frame=every_nth_frame, commit_every_nth_write=commit_every_nth_write)
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
        ids, places, faces = rows_of(simulation)
        rows = list(zip([frame] * len(ids), ids.tolist(), *places.T.tolist(), *faces.T.tolist()))
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
