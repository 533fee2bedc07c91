"""Pictures of runs with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Columns = Mapping[str, npt.NDArray[Any]]


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


def rings(wkt: str) -> list[npt.NDArray[np.float64]]:
    """The rings of all polygons of well-known text.

    >>> [len(ring) for ring in rings("POLYGON ((0 0, 4 0, 4 3, 0 0), (1 1, 2 1, 1 2, 1 1))")]
    [4, 4]
    """
    found = []
    for part in wkt.replace(")", "(").split("("):
        numbers = part.replace(",", " ").split()
        try:
            values = [float(number) for number in numbers]
        except ValueError:
            continue
        if len(values) >= 6:
            found.append(np.array(values).reshape(-1, 2))
    return found


def walls(ax: Axes, wkt: str) -> None:
    """Draws the outlines of a ground."""
    for ring in rings(wkt):
        closed = np.concatenate([ring, ring[:1]])
        ax.plot(closed[:, 0], closed[:, 1], color="black", linewidth=1.0)
    ax.set_aspect("equal")
    ax.set_xlabel("x / m")
    ax.set_ylabel("y / m")


def trajectories(columns: Columns, wkt: str, ax: Axes | None, **style: Any) -> Axes:
    """Draws everybody's way."""
    from matplotlib.collections import LineCollection

    ax = _axes(ax)
    order = np.lexsort((columns["frame"], columns["id"]))
    points = np.column_stack([columns["x"], columns["y"]])[order]
    ids, frames = columns["id"][order], columns["frame"][order].astype(np.int64)
    # Who went and came again has two ways.
    breaks = np.flatnonzero((np.diff(ids) != 0) | (np.diff(frames) != 1)) + 1
    ways = [way for way in np.split(points, breaks) if len(way) > 1]
    ax.add_collection(LineCollection(ways, **{"linewidths": 0.6, "alpha": 0.7, "colors": "tab:blue", **style}))
    walls(ax, wkt)
    ax.autoscale_view()
    return ax


def density(columns: Columns, wkt: str, ax: Axes | None, cell: float, **style: Any) -> Axes:
    """Draws the mean number of people a square metre."""
    if not 0.05 <= cell <= 100:
        raise ValueError(f"cells are 0.05 to 100 m wide, not {cell}")
    ax = _axes(ax)
    outline = np.concatenate(rings(wkt))
    low, high = outline.min(axis=0), outline.max(axis=0)
    edges = [np.arange(low[axis], high[axis] + cell, cell) for axis in (0, 1)]
    counts, *_ = np.histogram2d(columns["x"], columns["y"], bins=edges)
    records = len(np.unique(columns["frame"])) or 1
    mean = counts.T / (records * cell * cell)
    image = ax.pcolormesh(edges[0], edges[1], mean, **{"cmap": "viridis", **style})
    ax.figure.colorbar(image, ax=ax, label="people / m²")
    walls(ax, wkt)
    return ax


def egress(curve: Sequence[float], seconds: float, ax: Axes | None, **style: Any) -> Axes:
    """Draws how many have left by when."""
    ax = _axes(ax)
    times = np.sort(np.asarray(curve, dtype=np.float64))
    steps = np.concatenate([[0.0], times, [max(seconds, times[-1] if len(times) else 0.0)]])
    counts = np.concatenate([np.arange(len(times) + 1), [len(times)]])
    ax.step(steps, counts, where="post", **style)
    ax.set_xlabel("time / s")
    ax.set_ylabel("people who have left")
    return ax
