"""The live view."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import crowdloom
from crowdloom import Simulation

pytest.importorskip("anywidget")


def test_frames_are_sent_as_they_are_asked_for(sim: Simulation) -> None:
    widget = sim.widget(height=300)
    sent: list[tuple[dict[str, Any], list[bytes]]] = []
    widget.send = lambda content, buffers=None: sent.append((content, buffers or []))
    widget._asked(widget, {"kind": "look"}, [])
    widget._asked(widget, {"kind": "step", "frames": 4}, [])
    widget._asked(widget, {"kind": "step", "frames": 10**9}, [])
    assert sim.frame == 34 and [told["time"] for told, _ in sent] == [0, 4 / 30, 34 / 30]
    told, (people,) = sent[-1]
    rows = np.frombuffer(people, np.float32).reshape(-1, 5)
    assert len(rows) == told["count"] == len(sim) and told["movers"] == ["graph", "orca"]
    np.testing.assert_allclose(rows[:, :2], sim.positions, atol=1e-4)
    for odd in ({}, {"kind": "step", "frames": "x"}, {"kind": "step", "frames": -3}):
        widget._asked(widget, odd, [])
    assert sim.frame == 34 and widget.height == 300 and len(widget.ground[0]) >= 4


def test_the_page_draws() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node.js")
    page = Path(crowdloom.__file__).with_name("_widget.js")
    script = f"""
    const {{ draw, default: page }} = await import({str(page.as_uri())!r});
    const calls = [];
    const context = new Proxy({{}}, {{ get: (_, name) => (...given) => calls.push([name, ...given]), set: () => true }});
    const people = new Float32Array([5, 5, 0, 0.25, 0, 6, 5, 1, 0.25, 1]);
    draw(context, {{ width: 600, height: 300 }}, [[[0, 0], [10, 0], [10, 10], [0, 10]]], people, ["graph", "orca"]);
    const discs = calls.filter((call) => call[0] === "arc");
    if (discs.length !== 2 || Math.abs(discs[0][1] - 300) > 1 || Math.abs(discs[0][2] - 150) > 1) throw Error(discs);
    if (typeof page.render !== "function") throw Error("nothing to render");
    """
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=False)
    if "Unexpected token 'export'" in done.stderr or "ERR_UNKNOWN_FILE_EXTENSION" in done.stderr:
        pytest.skip(f"this Node.js takes no modules from files ({sys.platform})")
    assert done.returncode == 0, done.stderr
