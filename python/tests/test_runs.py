"""Recorded runs: tables, measures, exports, pictures."""

from __future__ import annotations

import html
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import crowdloom
from crowdloom import Run, RunError, Simulation


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    from conftest import HALL

    sim = Simulation.from_scene(HALL, seed=3)
    sim.step(15)
    return sim.record(tmp_path_factory.mktemp("run"), 8.0)


def test_what_is_recorded_is_what_happened(tmp_path: Path, sim: Simulation) -> None:
    copy = sim.copy()
    run = sim.record(tmp_path, 3.0)
    copy.step(90)
    np.testing.assert_array_equal(sim.positions, copy.positions)
    columns = run.trajectories().columns()
    last = columns["frame"] == columns["frame"].max()
    assert columns["frame"].max() == 90
    order = np.argsort(columns["id"][last])
    places = np.column_stack([columns["x"], columns["y"]])[last][order]
    np.testing.assert_array_equal(np.sort(columns["id"][last]), copy.ids)
    # Bodies of steered people follow their discs.
    graph = np.array(copy.movers) == "graph"
    np.testing.assert_allclose(places[graph], copy.positions[graph], atol=2e-3)
    assert run.summary is not None and run.summary["agents"] == 30
    assert (tmp_path / "replay.html").exists()


def test_open(run: Run, tmp_path: Path) -> None:
    again = Run.open(Path(run.path).parent)
    assert (again.name, again.seed, again.is_whole, again.frame_rate) == ("hall", 3, True, 30.0)
    assert abs(again.seconds - 8.0) < 0.1 and "POLYGON" in again.ground_wkt
    assert crowdloom.Scene.from_toml(again.scene_text).table["name"] == "hall"
    assert again.edits == []
    with pytest.raises(RunError):
        Run.open(tmp_path)
    (tmp_path / "run.loom").write_bytes(b"nonsense")
    with pytest.raises(RunError, match="not a run"):
        Run.open(tmp_path)


def test_selections(run: Run) -> None:
    some = run.trajectories(ids=[1, 2], start=1.0, end=2.0).columns()
    assert set(some["id"]) == {1, 2} and some["time"].min() == 1.0 and some["time"].max() == 2.0
    assert len(run.trajectories(ids=[]).columns()["id"]) == 0
    assert len(run.trajectories(start=100.0).columns()["id"]) == 0
    with pytest.raises(ValueError):
        run.trajectories(start=-1.0)
    with pytest.raises(ValueError):
        run.trajectories(ids=[-4])


def test_tables(run: Run) -> None:
    columns = run.trajectories().columns()
    pandas = pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert list(frame.columns) == list(columns) and len(frame) == len(columns["id"])
    assert isinstance(frame["clip"].dtype, pandas.CategoricalDtype)
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(run.trajectories())
    assert table.num_rows == len(frame) and table.column_names == list(columns)
    for name in ("id", "frame", "time", "x", "y", "heading", "speed"):
        np.testing.assert_array_equal(table[name].to_numpy(), columns[name])
    assert list(table["clip"].to_pylist()[:50]) == [str(clip) for clip in frame["clip"][:50]]
    part = pyarrow.table(run.trajectories(ids=[0], start=3.0, end=4.0))
    assert part.num_rows == 31
    assert pyarrow.table(run.trajectories(ids=[])).num_rows == 0
    table.validate(full=True)


def test_polars(run: Run) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(run.trajectories())
    assert frame.height == len(run.trajectories().columns()["id"])


def test_a_table_outlives_its_run(tmp_path: Path, sim: Simulation) -> None:
    table = sim.record(tmp_path, 1.0, page=False).trajectories()
    assert len(table.columns()["id"]) == 31 * 30


def test_pedpy(run: Run) -> None:
    pedpy = pytest.importorskip("pedpy")
    data, area = run.to_pedpy(), run.pedpy_area()
    assert data.frame_rate == 30.0 and len(data.data) == len(run.trajectories().columns()["id"])
    speed = pedpy.compute_individual_speed(traj_data=data, frame_step=5)
    assert 0.2 < speed["speed"].mean() < 2.0
    density = pedpy.compute_classic_density(traj_data=data, measurement_area=pedpy.MeasurementArea(area.polygon))
    assert density["density"].max() > 0


def test_measures(run: Run) -> None:
    measures = run.measure({"door": ((19, 4), (19, 8))})
    assert measures["people"] == 30 and "door" in [line["name"] for line in measures["lines"]]
    assert len(measures["egress"]["curve_s"]) == measures["egress"]["left"]
    with pytest.raises(ValueError):
        run.measure({"x": ((1, 2), (np.nan, 3))})


@pytest.mark.parametrize("name", ["a.sqlite", "a.txt", "a.csv", "a.parquet", "a.glb", "a.usda", "a.usdc"])
def test_exports(run: Run, tmp_path: Path, name: str) -> None:
    files = run.export(tmp_path / name, ids=[0, 1], end=1.0)
    assert files == [tmp_path / name] and files[0].stat().st_size > 100


def test_more_exports(run: Run, tmp_path: Path) -> None:
    assert len(run.export(tmp_path / "bodies", "bvh", ids=[0, 1], end=1.0)) == 2
    for path, options in [("x.doc", {}), ("x.glb", {"detail": "fine"}), ("x.glb", {"every": 0}), ("x.csv", {"start": -1.0})]:
        with pytest.raises(ValueError):
            run.export(tmp_path / path, **options)  # type: ignore[arg-type]
    with pytest.raises(RunError):
        run.export(tmp_path / "no" / "folder.csv")
    with pytest.raises(RunError, match="nobody"):
        run.export(tmp_path / "x.csv", ids=[999])


def test_notebooks(run: Run, tmp_path: Path) -> None:
    page = run._repr_html_()
    assert page.startswith("<iframe") and "hall" in page and len(page) > 10_000
    # The whole page is in an attribute: browsers show nothing of an address that is longer than 2 MB.
    document = page.partition(' srcdoc="')[2].removesuffix('"></iframe>')
    assert '"' not in document and html.unescape(document) == run.replay(tmp_path).read_text(encoding="utf-8")


def test_plots(run: Run) -> None:
    pytest.importorskip("matplotlib").use("agg")
    import matplotlib.pyplot as plt

    assert run.plot_trajectories().collections
    assert run.plot_density(cell=1.0).collections
    assert run.plot_egress().lines
    fig, ax = plt.subplots()
    assert run.plot_trajectories(ax) is ax
    with pytest.raises(ValueError):
        run.plot_density(cell=0.0)
    plt.close("all")


def test_interrupted_runs_can_be_read(tmp_path: Path) -> None:
    code = (
        "import crowdloom, os, signal, sys, threading\n"
        "sim = crowdloom.Simulation.from_scene('city', people=100)\n"
        "threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    sim.record(sys.argv[1], 36000, page=False)\n"
        "except KeyboardInterrupt:\n    print('stopped', sim.frame)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("stopped"), done.stderr
    run = Run.open(tmp_path)
    assert not run.is_whole and run.seconds > 0


def test_bad_recordings(sim: Simulation, tmp_path: Path) -> None:
    for options in ({"stride": 0}, {"save_every": -1.0}, {"seconds": float("nan")}):
        with pytest.raises(ValueError):
            sim.record(tmp_path, **options)  # type: ignore[arg-type]
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(RunError):
        sim.record(file / "folder", 1.0)
    sim.step()


def test_edits_are_recorded(sim: Simulation, tmp_path: Path) -> None:
    sim.edit(who=0, speed=1.8)
    run = sim.record(tmp_path, 1.0, page=False, stride=3)
    assert len(run.edits) == 1 and run.frame_rate == 10.0


def test_progress_may_fail(sim: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crowdloom import _progress

    def broken(self: Any, done: float) -> None:
        raise RuntimeError("broken bar")

    monkeypatch.setattr(_progress.Bar, "to", broken)
    with pytest.raises(RuntimeError, match="broken bar"):
        sim.record(tmp_path, 30.0, page=False, progress=True)
    assert Run.open(tmp_path).seconds >= 0
