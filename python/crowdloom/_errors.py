"""What can go wrong, as exceptions."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CrowdloomError", "EditError", "Problem", "RunError", "SceneError", "SnapshotError"]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scene."""

    line: int | None
    """The line of the scene's text, counted from 1, where one can be named."""
    what: str
    """What is wrong."""
    help: str
    """What to do about it."""
    harmless: bool
    """Whether the scene can run in spite of it."""

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line is not None else ""
        return f"{line}{self.what}" + (f" ({self.help})" if self.help else "")


class CrowdloomError(Exception):
    """Anything that Crowdloom refuses."""


class SceneError(CrowdloomError, ValueError):
    """A scene, or a change in the words of a scene, that is wrong.

    ``file``, ``line`` and ``help`` are those of the first mistake; ``problems`` has them all.
    """

    def __init__(self, file: str, problems: list[tuple[int | None, str, str, bool]]) -> None:
        self.file = file
        self.problems = [Problem(*problem) for problem in problems]
        mistakes = [problem for problem in self.problems if not problem.harmless]
        first = mistakes[0] if mistakes else None
        self.line = first.line if first else None
        self.help = first.help if first else ""
        lines = "".join(f"\n  {problem}" for problem in self.problems)
        super().__init__(f"{file}: {len(mistakes)} mistake(s){lines}")
        self._arguments = (file, problems)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), self._arguments)


class EditError(CrowdloomError):
    """A change to a running crowd that was refused; ``later`` says whether it may be possible later.

    Where many changes were asked for at once, those that are not in ``refused`` were made.
    """

    def __init__(
        self, message: str, later: bool = False, refused: list[tuple[str, str]] | None = None
    ) -> None:
        super().__init__(message)
        self.later = later
        self.refused = refused or []

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.later, self.refused))


class SnapshotError(CrowdloomError, ValueError):
    """Bytes from which no simulation, or not this one, can go on."""


class RunError(CrowdloomError, OSError):
    """A run that cannot be written, read, measured or exported."""


class MotionError(CrowdloomError, ValueError):
    """Motions that cannot be read, written or joined."""
