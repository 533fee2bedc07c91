"""A bar that shows how far something is, in terminals and notebooks."""

from __future__ import annotations

import sys
import time
from types import TracebackType


class Bar:
    """A bar on standard error: ``tqdm``'s where it is installed, else a plain one, and none where ``shown`` is false."""

    def __init__(self, total: float, what: str, shown: bool = True, unit: str = "s") -> None:
        self._total, self._what, self._unit = max(total, 1e-9), what, unit
        self._done, self._last = 0.0, 0.0
        self._own = False
        self._tqdm = None
        if not shown:
            return
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            self._own = sys.stderr is not None and sys.stderr.isatty()
            return
        form = "{desc}: {percentage:3.0f}%|{bar}| {n:.1f}/{total:.1f} {unit} [{elapsed}<{remaining}]"
        self._tqdm = tqdm(total=total, desc=what, unit=unit, bar_format=form)

    def to(self, done: float) -> None:
        """Shows that so much of the total is done."""
        if self._tqdm is not None:
            self._tqdm.update(done - self._done)
        elif self._own and time.monotonic() - self._last > 0.1:
            self._last = time.monotonic()
            self._draw(done)
        self._done = done

    def _draw(self, done: float) -> None:
        share = min(done / self._total, 1.0)
        bar = "█" * round(30 * share) + "·" * (30 - round(30 * share))
        sys.stderr.write(f"\r{self._what}: {bar} {done:.1f} of {self._total:.1f} {self._unit}")
        sys.stderr.flush()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._tqdm is not None:
            self._tqdm.close()
        elif self._own:
            self._draw(self._done)
            sys.stderr.write("\n")
