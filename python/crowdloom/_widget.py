"""A live view of a simulation in notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from ._errors import CrowdloomError
from ._plots import rings

if TYPE_CHECKING:
    from ._simulation import Simulation

_MOST_FRAMES = 30


class CrowdWidget(anywidget.AnyWidget):
    """People from above, with play and pause; the page asks for frames, and the simulation takes them when it is asked."""

    _esm = Path(__file__).with_name("_widget.js").read_text(encoding="utf-8")
    ground: Any = traitlets.List().tag(sync=True)
    height: Any = traitlets.Int(420).tag(sync=True)

    def __init__(self, simulation: Simulation, height: int = 420) -> None:
        outlines = [ring.tolist() for ring in rings(simulation.ground_wkt)]
        super().__init__(ground=outlines, height=height)
        self.simulation = simulation
        self.on_msg(self._asked)

    def _asked(self, _widget: object, content: Any, _buffers: object) -> None:
        frames = content.get("frames", 0) if content.get("kind") == "step" else 0
        try:
            if isinstance(frames, int) and frames > 0:
                self.simulation.step(min(frames, _MOST_FRAMES))
        except (CrowdloomError, RuntimeError) as error:
            self.send({"kind": "trouble", "what": str(error)})
            return
        self.show()

    def show(self) -> None:
        """Draws the frame that the simulation is in, also where it was changed or stepped by hand."""
        sim = self.simulation
        outlines = [ring.tolist() for ring in rings(sim.ground_wkt)]
        if outlines != self.ground:
            self.ground = outlines
        movers = sim.movers
        names = sorted(set(movers))
        columns = [*sim.positions.T, sim.headings, sim.radii, [names.index(mover) for mover in movers]]
        people = np.column_stack(columns).astype(np.float32)
        told = {"kind": "frame", "time": sim.time, "count": len(sim), "movers": names}
        self.send(told, buffers=[people.tobytes()])
