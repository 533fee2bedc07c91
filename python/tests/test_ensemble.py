"""Many runs side by side."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crowdloom import Run, ensemble


def last_frame(run: Run) -> dict[str, float]:
    columns = run.trajectories().columns()
    return {"rows": len(columns["id"]), "east": float(columns["x"][-1])}


def dies_once(run: Run) -> dict[str, float]:
    mark = Path(os.environ["CROWDLOOM_TEST_MARK"]) / str(run.seed)
    if not mark.exists():
        mark.write_text("")
        os._exit(1)
    return {"seed": run.seed}


def always_fails(run: Run) -> dict[str, float]:
    raise RuntimeError("this measure fails")


def test_rows_and_intervals(hall: dict[str, Any]) -> None:
    found = ensemble(hall, range(4), vary={"people.0.count": [5, 9]}, seconds=6, workers=2)
    assert len(found.rows) == 8 and not found.failed
    assert [row["seed"] for row in found.rows] == [0, 1, 2, 3] * 2
    assert found.interval("people", people__0__count=9).mean == 19
    told = found.summary()
    assert [row["people.0.count"] for row in told] == [5, 9] and told[0]["people"].mean == 15
    speed = found.interval("mean_speed_m_s") if "mean_speed_m_s" in found.rows[0] else None
    assert speed is None or speed.low <= speed.mean <= speed.high
    pandas = pytest.importorskip("pandas")
    assert isinstance(found.to_pandas(), pandas.DataFrame)
    with pytest.raises(KeyError):
        found.interval("nothing")


def test_results_do_not_depend_on_the_executor(hall: dict[str, Any]) -> None:
    with ThreadPoolExecutor(2) as threads:
        one = ensemble(hall, [1, 2], seconds=2, measure=last_frame, executor=threads)
    two = ensemble(hall, [1, 2], seconds=2, measure=last_frame, workers=1)
    assert one.rows == two.rows and one.rows[0]["rows"] > 100


def test_dask(hall: dict[str, Any]) -> None:
    distributed = pytest.importorskip("distributed")
    here = ensemble(hall, [1, 2], seconds=2, workers=1)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert ensemble(hall, [1, 2], seconds=2, executor=client).rows == here.rows


def test_ray(hall: dict[str, Any]) -> None:
    ray = pytest.importorskip("ray")
    here = ensemble(hall, [1, 2], seconds=2, workers=1)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        assert ensemble(hall, [1, 2], seconds=2, executor="ray").rows == here.rows
    finally:
        ray.shutdown()


def test_what_is_no_executor(hall: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="no executor"):
        ensemble(hall, [1], executor=3)


def test_what_is_done_is_not_done_again(hall: dict[str, Any], tmp_path: Path) -> None:
    first = ensemble(hall, [1, 2], seconds=1, measure=last_frame, folder=tmp_path, workers=1)
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == 2
    done = json.loads(files[0].read_text())
    files[0].write_text(json.dumps({**done, "rows": -1}))
    (tmp_path / "x.part").write_text("{")
    again = ensemble(hall, [1, 2, 3], seconds=1, measure=last_frame, folder=tmp_path, workers=1)
    assert sorted(row["rows"] for row in again.rows)[0] == -1 and len(again.rows) == 3
    assert first.rows[0]["seed"] == 1
    files[1].write_text("{ broken")
    assert len(ensemble(hall, [1, 2], seconds=1, measure=last_frame, folder=tmp_path, workers=1).rows) == 2


def test_failures_are_tried_again_and_named(
    hall: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROWDLOOM_TEST_MARK", str(tmp_path))
    assert len(ensemble(hall, [5], seconds=1, measure=dies_once, workers=1).rows) == 1
    found = ensemble(hall, [1, 2], seconds=1, measure=always_fails, workers=1)
    assert found.rows == [] and [row["seed"] for row in found.failed] == [1, 2]
    assert "this measure fails" in found.failed[0]["error"]


def test_senseless_ensembles(hall: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        ensemble(hall, [])
    with pytest.raises(ValueError):
        ensemble(hall, [1], vary={"seconds": []})
    with pytest.raises(KeyError):
        ensemble(hall, [1], vary={"peple.0.count": [1]})
    with pytest.raises(ValueError):
        ensemble(hall, [1], keep_runs=True)
    with pytest.raises(ValueError):
        ensemble(hall, [1], workers=0)


def test_kept_runs(hall: dict[str, Any], tmp_path: Path) -> None:
    ensemble(hall, [1], seconds=1, folder=tmp_path, keep_runs=True, workers=1)
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    assert Run.open(folder).seed == 1


def test_students_intervals_cover(hall: dict[str, Any]) -> None:
    from crowdloom import Ensemble

    random = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        rows = [{"seed": n, "value": value} for n, value in enumerate(random.normal(5, 2, 6))]
        found = Ensemble(rows, [], ()).interval("value", 0.9)
        hits += found.low <= 5 <= found.high
    assert 0.85 < hits / 400 < 0.95
