"""Many runs of a scene side by side: other seeds, other numbers."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._core import __version__, set_threads
from ._executors import ExecutorLike, executor_of
from ._progress import Bar
from ._scene import Scene, SceneLike
from ._simulation import Simulation

if TYPE_CHECKING:
    import pandas

__all__ = ["Ensemble", "Interval", "ensemble"]

Measure = Callable[[Any], Mapping[str, float]]


@dataclass(frozen=True)
class Interval:
    """A mean with the interval that holds it with some confidence.

    >>> print(Interval(count=10, mean=41.5, low=40.25, high=42.75))
    41.5 (40.25 to 42.75, 10 runs)
    """

    count: int
    """How many runs it is the mean of."""
    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} ({self.low:.4g} to {self.high:.4g}, {self.count} runs)"


@dataclass(frozen=True)
class Ensemble:
    """What many runs came to: a row for each, and those that failed. ``crowdloom.ensemble`` makes one.

    >>> found = Ensemble([{"seed": 1, "t95_s": 40.0}, {"seed": 2, "t95_s": 44.0}], [], ())
    >>> found.interval("t95_s").mean
    42.0
    """

    rows: list[dict[str, Any]]
    """One row for each run, in order: ``seed``, what was varied, and what was measured."""
    failed: list[dict[str, Any]]
    """Runs that failed twice: ``seed``, what was varied, and ``error``."""
    varied: tuple[str, ...]
    """The names of what was varied."""

    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a ``pandas`` table."""
        import pandas

        return pandas.DataFrame(self.rows)

    def interval(self, column: str, confidence: float = 0.95, **where: Any) -> Interval:
        """The mean of a column over all runs, or over those ``where`` varied values are some, with Student's interval.

        Runs in which the column could not be measured are left out.
        """
        values = self.column(column, **where)
        values = values[np.isfinite(values)]
        if len(values) == 0:
            raise ValueError(f"no run has a `{column}`")
        mean = float(values.mean())
        if len(values) == 1:
            return Interval(1, mean, -math.inf, math.inf)
        reach = student(confidence, len(values) - 1) * float(values.std(ddof=1)) / math.sqrt(len(values))
        return Interval(len(values), mean, mean - reach, mean + reach)

    def column(self, column: str, **where: Any) -> npt.NDArray[np.float64]:
        """One column; NaN where it could not be measured. In ``where``, ``__`` stands for the dots of a path."""
        wanted = {key.replace("__", "."): value for key, value in where.items()}
        rows = [row for row in self.rows if all(row.get(key) == value for key, value in wanted.items())]
        if not any(column in row for row in rows):
            raise KeyError(f"no run has a column `{column}`")
        numbers = [row.get(column) for row in rows]
        return np.array([math.nan if number is None else number for number in numbers], dtype=np.float64)

    def summary(self, confidence: float = 0.95) -> list[dict[str, Any]]:
        """For each combination of what was varied, the interval of every measured column."""
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in self.rows:
            groups.setdefault(tuple(json.dumps(row[key]) for key in self.varied), []).append(row)
        found = []
        for rows in groups.values():
            part = Ensemble(rows, [], self.varied)
            told: dict[str, Any] = {key: rows[0][key] for key in self.varied}
            for column in rows[0]:
                if column in self.varied or column in ("seed", "variant"):
                    continue
                if np.isfinite(part.column(column)).any():
                    told[column] = part.interval(column, confidence)
            found.append(told)
        return found

    def __repr__(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"<Ensemble of {len(self.rows)} runs{failed}>"


@functools.cache
def student(confidence: float, freedom: int) -> float:
    """How many standard errors about a mean hold it with some confidence (Student 1908).

    >>> round(student(0.95, 9), 3), round(student(0.99, 1), 2), round(student(0.9, 1000), 3)
    (2.262, 63.66, 1.646)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence is between 0 and 1, not {confidence}")

    def within(angle: float) -> float:
        # With t = sqrt(n) tan(angle) the density is proportional to cos(angle)^(n - 1).
        angles = np.linspace(0.0, angle, 4097)
        heights = np.cos(angles) ** (freedom - 1)
        return float((heights[1:] + heights[:-1]).sum() * angle / 8192)

    whole = within(math.pi / 2)
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < confidence * whole else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


@dataclass(frozen=True)
class _Job:
    """One run, as it is sent to a worker."""

    text: str
    file: str
    seed: int
    seconds: float | None
    folder: str | None
    measure: Measure | None


def ensemble(
    scene: SceneLike,
    seeds: Iterable[int] = range(10),
    *,
    vary: Mapping[str, Sequence[Any]] | None = None,
    seconds: float | None = None,
    measure: Measure | None = None,
    folder: str | os.PathLike[str] | None = None,
    keep_runs: bool = False,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> Ensemble:
    """Runs a scene with every seed and every combination of ``vary``, side by side in worker processes.

    ``vary`` names values of the scene by their paths, such as ``{"people.0.count": [100, 200]}``. Each run is measured by
    ``measure(run)``, a function of a module that returns numbers by name; without it by the usual numbers of ``Run.measure``.
    A run that fails is tried once more, then listed in ``failed``. With a ``folder``, what is done is kept there, and the
    same call after an interruption goes on from it; ``keep_runs`` keeps the run files as well. An ``executor`` of
    ``concurrent.futures``, a Dask client or ``"ray"`` takes the place of worker processes.
    """
    base = Scene.read(scene)
    varied = {key: list(values) for key, values in (vary or {}).items()}
    combinations = [dict(zip(varied, values)) for values in itertools.product(*varied.values())]
    numbers = [int(seed) for seed in seeds]
    if not numbers or not combinations:
        raise ValueError("there is nothing to run: give seeds, and values for all that is varied")
    place = None if folder is None else Path(folder)
    if keep_runs and place is None:
        raise ValueError("keep_runs needs a folder")
    jobs: dict[str, tuple[dict[str, Any], _Job]] = {}
    for number, values in enumerate(combinations):
        text = base.with_changes(values).to_toml()
        for seed in numbers:
            name = _name_of(text, seed, seconds, measure)
            kept = str(place / name) if place is not None and keep_runs else None
            row = {"seed": seed, "variant": number, **values}
            file = os.path.abspath(base.file)
            jobs[name] = (row, _Job(text, file, seed, seconds, kept, measure))
    found = _read_done(place, jobs)
    left = [name for name in jobs if name not in found]
    failed: dict[str, str] = {}
    own = executor is None
    pool = _workers(workers, len(left)) if executor is None else executor_of(executor)
    try:
        with Bar(len(jobs), "runs", progress, unit="runs") as bar:
            bar.to(len(found))

            def note(name: str, result: dict[str, Any]) -> None:
                found[name] = result
                if place is not None:
                    _write_done(place, name, result)
                bar.to(len(found))

            first = _run_all(pool, {name: jobs[name][1] for name in left}, note)
            if first and own and isinstance(pool, ProcessPoolExecutor):
                # A worker that died takes its pool with it.
                pool.shutdown(wait=False, cancel_futures=True)
                pool = _workers(workers, len(first))
            failed = _run_all(pool, {name: jobs[name][1] for name in first}, note)
    except BaseException:
        if own:
            pool.shutdown(wait=False, cancel_futures=True)
        raise
    finally:
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
    rows = [{**row, **found[name]} for name, (row, _) in jobs.items() if name in found]
    lost = [{**jobs[name][0], "error": error} for name, error in failed.items()]
    return Ensemble(rows, lost, tuple(varied))


def _name_of(text: str, seed: int, seconds: float | None, measure: Measure | None) -> str:
    """A name that is another where anything is that a result depends on."""
    how = "" if measure is None else f"{measure.__module__}.{measure.__qualname__}"
    whole = json.dumps([text, seed, seconds, how, __version__])
    return hashlib.sha256(whole.encode()).hexdigest()[:20]


def _workers(workers: int | None, jobs: int) -> ProcessPoolExecutor:
    count = workers if workers is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"at least one worker, not {count}")
    context = multiprocessing.get_context("spawn")
    # Every worker is one thread: runs side by side are quicker than threads inside of one.
    return ProcessPoolExecutor(max(min(count, jobs), 1), mp_context=context, initializer=set_threads, initargs=(1,))


def _run_all(pool: Executor, jobs: Mapping[str, _Job], note: Callable[[str, dict[str, Any]], None]) -> dict[str, str]:
    """Runs jobs and notes what they come to; returns the names of those that failed, and why."""
    futures: dict[Future[dict[str, Any]], str] = {}
    failed: dict[str, str] = {}
    for name, job in jobs.items():
        try:
            futures[pool.submit(_run_one, job)] = name
        except BrokenProcessPool as error:
            failed[name] = str(error)
    for future in as_completed(futures):
        name = futures[future]
        try:
            note(name, future.result())
        except Exception as error:
            failed[name] = f"{type(error).__name__}: {error}"
    return {name: failed[name] for name in jobs if name in failed}


def _run_one(job: _Job) -> dict[str, Any]:
    sim = Simulation(job.text, job.file, seed=job.seed)
    if job.folder is not None:
        return _measured(sim, job, Path(job.folder))
    with tempfile.TemporaryDirectory(prefix="crowdloom-") as folder:
        return _measured(sim, job, Path(folder))


def _measured(sim: Simulation, job: _Job, folder: Path) -> dict[str, Any]:
    run = sim.record(folder, job.seconds, page=False, stride=3)
    if job.measure is not None:
        return {str(key): _number(value) for key, value in job.measure(run).items()}
    measures, summary = run.measure(), run.summary or {}
    egress = measures["egress"]
    numbers: dict[str, Any] = {
        "people": measures["people"],
        "goals_reached": summary.get("arrivals"),
        "left": egress["left"],
        "stayed": egress["stayed"],
        "t50_s": egress["t50_s"],
        "t95_s": egress["t95_s"],
        "total_s": egress["total_s"],
    }
    for key, value in measures["totals"].items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            numbers[key] = value
    return numbers


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _read_done(place: Path | None, jobs: Mapping[str, object]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    if place is None:
        return found
    place.mkdir(parents=True, exist_ok=True)
    for name in jobs:
        try:
            done = json.loads((place / f"{name}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(done, dict):
            found[name] = done
    return found


def _write_done(place: Path, name: str, result: Mapping[str, Any]) -> None:
    # The file has its name only once it is whole.
    part = place / f"{name}.part"
    part.write_text(json.dumps(result), encoding="utf-8")
    part.replace(place / f"{name}.json")

