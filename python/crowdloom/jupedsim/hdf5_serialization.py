"""Trajectories in JuPedSim's HDF5 format, version 1 (needs ``h5py``)."""

from __future__ import annotations

import json
import zlib
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from .._core import __version__
from .serialization import TrajectoryWriter, WriterError, check_positive, rows_of

if TYPE_CHECKING:
    from .simulation import Simulation

_COLUMNS = (
    ("frame", "<u4", "-", "number of the frame"),
    ("id", "<u4", "-", "number of the agent"),
    ("x", "<f8", "m", "where the agent is (x)"),
    ("y", "<f8", "m", "where the agent is (y)"),
    ("z", "<f8", "m", "where the agent is (z): 0, areas are flat"),
    ("ox", "<f8", "-", "which way the agent faces, a unit vector (x)"),
    ("oy", "<f8", "-", "which way the agent faces, a unit vector (y)"),
)
_ROW = np.dtype([(name, kind) for name, kind, _, _ in _COLUMNS])
_CHUNK = 6400


class Hdf5TrajectoryWriter(TrajectoryWriter):
    """Writes one table of all agents in all frames, and the walkable area."""

    def __init__(
        self,
        *,
        output_file: str | Path,
        every_nth_frame: int = 4,
        commit_every_nth_write: int = 100,
        compression_level: int = 1,
    ) -> None:
        check_positive(every_nth_frame=every_nth_frame, commit_every_nth_write=commit_every_nth_write)
        if not 0 <= compression_level <= 9:
            raise WriterError("compression_level is between 0 and 9")
        try:
            import h5py
        except ImportError:
            raise WriterError("HDF5 files need the package h5py") from None
        self._h5py, self._file_name = h5py, Path(output_file)
        self._every, self._commit_every = every_nth_frame, commit_every_nth_write
        self._compression = compression_level
        self._file: Any = None
        self._rows: list[np.ndarray[Any, Any]] = []
        self._areas: list[tuple[int, str]] = []

    def begin_writing(self, simulation: Simulation) -> None:
        rate = 1 / simulation.delta_time() / self._every
        try:
            self._file = self._h5py.File(self._file_name, "w")
        except OSError as error:
            raise WriterError(f"cannot write {self._file_name}: {error}") from None
        zipped = {"compression": "gzip", "compression_opts": self._compression} if self._compression else {}
        table = self._file.create_dataset(
            "trajectory", shape=(0,), maxshape=(None,), dtype=_ROW, chunks=(_CHUNK,), **zipped
        )
        table.attrs["fps"] = rate
        table.attrs["column_descriptions"] = json.dumps({name: what for name, _, _, what in _COLUMNS})
        table.attrs["column_units"] = json.dumps({name: unit for name, _, unit, _ in _COLUMNS})
        about = {
            "schema_version": 1,
            "producer": "Crowdloom",
            "producer_version": __version__,
            "created": datetime.now(timezone.utc).isoformat(),
            "dt": simulation.delta_time(),
            "every_nth_frame": self._every,
            "fps": rate,
        }
        self._file.attrs.update(about)
        self._note_area(simulation)

    def _note_area(self, simulation: Simulation) -> None:
        """Notes the area of the frame: the first is of the whole file, another comes with the frame from which on it holds."""
        area = simulation.get_geometry()
        wkt = area.as_wkt()
        if self._areas and self._areas[-1][1] == wkt:
            return
        frame = simulation.iteration_count() // self._every
        self._areas.append((frame, wkt))
        if frame == 0:
            self._file.attrs["wkt_geometry"] = wkt
        # The rectangle that all areas are in.
        bounds = shapely.union_all([shapely.from_wkt(wkt) for _, wkt in self._areas]).bounds
        self._file.attrs.update(dict(zip(("xmin", "ymin", "xmax", "ymax"), bounds)))

    def _write_areas(self) -> None:
        """Writes all areas, where there were several."""
        if len(self._areas) < 2:
            return
        codes = [zlib.crc32(wkt.encode()) for _, wkt in self._areas]
        known = dict(zip(codes, (wkt for _, wkt in self._areas)))
        group = self._file.create_group("geometry")
        group.create_dataset("hash", data=np.array(list(known), np.int64))
        group.create_dataset("wkt", data=list(known.values()), dtype=self._h5py.string_dtype())
        rows = [(frame, code) for (frame, _), code in zip(self._areas, codes)][1:]
        self._file.create_dataset("frame_geometry", data=np.array(rows, [("frame", "<u4"), ("geometry_hash", "<i8")]))

    def write_iteration_state(self, simulation: Simulation) -> None:
        if self._file is None:
            raise WriterError("the file is not open")
        if simulation.iteration_count() % self._every:
            return
        self._note_area(simulation)
        ids, places, faces = rows_of(simulation)
        rows = np.zeros(len(ids), _ROW)
        rows["frame"], rows["id"] = simulation.iteration_count() // self._every, ids
        rows["x"], rows["y"] = places.T
        rows["ox"], rows["oy"] = faces.T
        self._rows.append(rows)
        if len(self._rows) >= self._commit_every:
            self._write()

    def _write(self) -> None:
        rows = np.concatenate(self._rows) if self._rows else np.zeros(0, _ROW)
        self._rows = []
        if len(rows):
            table = self._file["trajectory"]
            before = len(table)
            table.resize((before + len(rows),))
            table[before:] = rows
        self._file.flush()

    def close(self) -> None:
        """Writes what is left."""
        if self._file is not None:
            self._write()
            self._write_areas()
            self._file.close()
            self._file = None

    def every_nth_frame(self) -> int:
        return self._every

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self.close()
