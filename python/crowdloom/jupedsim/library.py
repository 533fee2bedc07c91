"""What this library is, and whom it tells what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from .._core import __version__ as _OWN_VERSION

INTERFACE_VERSION = "1.4.2"
"""The version of JuPedSim whose interface this is."""

Level = Literal["debug", "info", "warning", "error"]
Listener = Callable[[str], None]

_listeners: dict[Level, Listener] = {}


def tell(level: Level, message: str) -> None:
    """Tells whoever listens."""
    listener = _listeners.get(level)
    if listener is not None:
        listener(message)


def _listen(level: Level, fn: Listener) -> None:
    if not callable(fn):
        raise TypeError(f"messages go to a function, not to {fn!r}")
    _listeners[level] = fn


def set_debug_callback(fn: Listener) -> None:
    """Lets a function have messages about each frame."""
    _listen("debug", fn)


def set_info_callback(fn: Listener) -> None:
    """Lets a function have messages about agents who come and about other areas."""
    _listen("info", fn)


def set_warning_callback(fn: Listener) -> None:
    """Lets a function have messages about what was not done quite as asked."""
    _listen("warning", fn)


def set_error_callback(fn: Listener) -> None:
    """Lets a function have messages about what could not be done; an exception tells it as well."""
    _listen("error", fn)


class BuildInfo:
    """What this library is: Crowdloom, with JuPedSim's interface of ``library_version``."""

    @property
    def library_version(self) -> str:
        """The version of JuPedSim whose interface this is."""
        return INTERFACE_VERSION

    @property
    def git_commit_hash(self) -> str:
        """Nothing: wheels of Crowdloom are known by their version."""
        return ""

    @property
    def git_commit_date(self) -> str:
        """Nothing, as above."""
        return ""

    @property
    def git_branch(self) -> str:
        """Crowdloom and its version."""
        return f"crowdloom {_OWN_VERSION}"

    @property
    def compiler(self) -> str:
        """What it was compiled with."""
        return "rustc"

    @property
    def compiler_version(self) -> str:
        """Nothing that is known."""
        return ""

    def __repr__(self) -> str:
        return f"JuPedSim {self.library_version}, as Crowdloom {_OWN_VERSION} has it"


def get_build_info() -> BuildInfo:
    """What this library is."""
    return BuildInfo()
