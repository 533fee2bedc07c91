"""Recorded runs: tables, measures, exports and pictures."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core, _plots

if TYPE_CHECKING:
    import pandas
    import pedpy
    from matplotlib.axes import Axes

__all__ = ["Format", "Run", "Trajectories"]

Format = Literal["jupedsim", "text", "csv", "parquet", "glb", "bvh", "usda", "usdc"]

_FORMATS: dict[str, Format] = {
    ".sqlite": "jupedsim",
    ".txt": "text",
    ".csv": "csv",
    ".parquet": "parquet",
    ".glb": "glb",
    ".bvh": "bvh",
    ".usda": "usda",
    ".usdc": "usdc",
}


class Trajectories:
    """Where everybody was in each recorded frame: one row for each person and frame.

    Whatever takes Arrow's stream interface takes it: ``pyarrow.table(t)``, ``polars.DataFrame(t)``. Columns: ``id``,
    ``frame``, ``time`` (s), ``x``, ``y`` (m), ``heading`` (rad), ``speed`` (m/s), ``clip``, ``style``, ``state``.

    >>> import tempfile, crowdloom
    >>> run = crowdloom.Simulation.from_scene("street", people=5).record(tempfile.mkdtemp(), 1, page=False)
    >>> columns = run.trajectories(ids=[2], start=0.5).columns()
    >>> set(columns["id"].tolist()), bool(columns["time"].min() >= 0.5)
    ({2}, True)
    """

    def __init__(self, table: _core.Trajectories) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """All columns as NumPy arrays; ``clip``, ``style`` and ``state`` are indices into ``names``."""
        return self._table.columns()

    @property
    def names(self) -> dict[str, list[str]]:
        """What the numbers of clips, styles and states mean."""
        return self._table.names()

    def to_pandas(self) -> pandas.DataFrame:
        """A ``pandas`` table; clips, styles and states are categories."""
        import pandas

        columns: dict[str, Any] = dict(self.columns())
        for column, names in self.names.items():
            unique = list(dict.fromkeys(names))
            # Two clips may have one name, two categories may not.
            place = {name: index for index, name in enumerate(unique)}
            codes = np.array([place[name] for name in names] or [0], dtype=np.int64)[columns[column]]
            columns[column] = pandas.Categorical.from_codes(codes, categories=pandas.Index(unique))
        return pandas.DataFrame(columns)


class Run(_core.Run):
    """A recorded run in its folder.

    >>> import tempfile, crowdloom
    >>> folder = tempfile.mkdtemp()
    >>> run = crowdloom.Simulation.from_scene("street", people=10).record(folder, 2)
    >>> run.seconds > 1.9, len(run.trajectories().columns()["x"]) > 100
    (True, True)
    """

    summary: dict[str, Any] | None = None
    """How the recording went, of a run that was just recorded."""

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Run:
        """Opens the run in a folder, or a run file."""
        return cls(folder)

    def trajectories(
        self, *, ids: Iterable[int] | None = None, start: float | None = None, end: float | None = None
    ) -> Trajectories:
        """Where everybody, or some, were in each recorded frame, from and to some seconds."""
        wanted = None if ids is None else [int(number) for number in ids]
        if wanted is not None and any(not 0 <= number < 2**32 for number in wanted):
            raise ValueError("numbers of people are from 0 up")
        return Trajectories(self._trajectories(ids=wanted, start=start, end=end))

    def to_pandas(self) -> pandas.DataFrame:
        """All trajectories as a ``pandas`` table."""
        return self.trajectories().to_pandas()

    def to_pedpy(self) -> pedpy.TrajectoryData:
        """All trajectories as PedPy takes them."""
        import pandas
        import pedpy

        columns = self.trajectories().columns()
        data = pandas.DataFrame({name: columns[name] for name in ("id", "frame", "x", "y")})
        data["id"], data["frame"] = data["id"].astype("int64"), data["frame"].astype("int64")
        return pedpy.TrajectoryData(data=data, frame_rate=self.frame_rate)

    def pedpy_area(self) -> pedpy.WalkableArea:
        """The walkable ground as PedPy takes it."""
        import pedpy

        return pedpy.WalkableArea(self.ground_wkt)

    def measure(
        self, lines: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None
    ) -> dict[str, Any]:
        """What people do in numbers (``docs/measure.md``); ``lines`` are those through which the flow is measured, by name.

        ``egress["curve_s"]`` has when each of those who left was out, in seconds.
        """
        given = []
        for name, (begin, end) in (lines or {}).items():
            ends = np.asarray([begin, end], dtype=np.float64)
            if ends.shape != (2, 2) or not np.isfinite(ends).all():
                raise ValueError(f"line {name!r} is ((x, y), (x, y))")
            given.append((name, tuple(ends[0].tolist()), tuple(ends[1].tolist())))
        text, curve = self._measure(given)
        measures: dict[str, Any] = json.loads(text)
        measures["egress"]["curve_s"] = curve
        return measures

    def export(
        self,
        path: str | os.PathLike[str],
        format: Format | None = None,
        *,
        ids: Iterable[int] | None = None,
        start: float | None = None,
        end: float | None = None,
        every: int = 1,
        animations: Literal["together", "per person", "per clip"] = "together",
        detail: Literal["near", "middle", "far"] = "middle",
        character: str | os.PathLike[str] | None = None,
    ) -> list[Path]:
        """Writes the run as other programs read it, in the format that the file's name ends in; returns the files.

        ``every``, ``animations`` (of glTF), ``detail`` and ``character`` (a rigged glTF figure that all wear) are those of
        ``crowdloom export``.
        """
        target = Path(path)
        wanted = format or _FORMATS.get(target.suffix.lower())
        if wanted is None or wanted not in _FORMATS.values():
            raise ValueError(f"no format is known for `{format or target.name}`: {', '.join(_FORMATS.values())}")
        numbers = None if ids is None else [int(number) for number in ids]
        figure = None if character is None else Path(character)
        files = self._export(
            target,
            wanted,
            ids=numbers,
            start=start,
            end=end,
            every=every,
            animations=animations,
            detail=detail,
            character=figure,
        )
        return [Path(file) for file in files]

    def replay(self, folder: str | os.PathLike[str] | None = None) -> Path:
        """Writes the replay page, beside the run or into another folder; returns its path."""
        return Path(self._write_page(Path(folder) if folder is not None else Path(self.path).parent))

    def plot_trajectories(self, ax: Axes | None = None, **style: Any) -> Axes:
        """Draws everybody's way with ``matplotlib``."""
        return _plots.trajectories(self.trajectories().columns(), self.ground_wkt, ax, **style)

    def plot_density(self, ax: Axes | None = None, *, cell: float = 0.5, **style: Any) -> Axes:
        """Draws the mean number of people a square metre, cell by cell, with ``matplotlib``."""
        return _plots.density(self.trajectories().columns(), self.ground_wkt, ax, cell, **style)

    def plot_egress(self, ax: Axes | None = None, **style: Any) -> Axes:
        """Draws how many have left by when, with ``matplotlib``."""
        return _plots.egress(self.measure()["egress"]["curve_s"], self.seconds, ax, **style)

    def __repr__(self) -> str:
        cut = "" if self.is_whole else ", cut off"
        return f"<Run {self.name!r}: {self.seconds:.1f} s{cut}>"

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = self.replay(folder).read_text(encoding="utf-8")
        # In an attribute: browsers load no address of more than 2 MB, and the page is longer.
        title, document = html.escape(self.name, quote=True), html.escape(page, quote=True)
        return (
            f'<iframe title="{title}" width="100%" height="520" style="border:0" '
            f'sandbox="allow-scripts" srcdoc="{document}"></iframe>'
        )
