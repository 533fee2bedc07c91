"""Where the runs of an ensemble go on: worker processes, Dask or Ray."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from types import ModuleType
from typing import Any, Literal, TypeVar, Union

T = TypeVar("T")

ExecutorLike = Union[Executor, Literal["ray"], Any]
"""An executor of ``concurrent.futures``, a Dask client, or ``"ray"`` (or the module ``ray``)."""


class RayExecutor(Executor):
    """Runs functions as tasks of Ray, which is started on this machine unless it runs already."""

    def __init__(self) -> None:
        import ray

        if not ray.is_initialized():
            ray.init(include_dashboard=False, log_to_driver=False)
        self._ray = ray

    def submit(self, function: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Starts a task."""
        future: Future[T] = self._ray.remote(function).remote(*args, **kwargs).future()
        return future


def executor_of(given: ExecutorLike) -> Executor:
    """The executor that stands for what was given."""
    if isinstance(given, Executor):
        return given
    if given == "ray" or (isinstance(given, ModuleType) and given.__name__ == "ray"):
        return RayExecutor()
    # A Dask client makes its own.
    make = getattr(given, "get_executor", None)
    if callable(make):
        made = make()
        if isinstance(made, Executor):
            return made
    raise TypeError(f"{given!r} is no executor: give one of concurrent.futures, a Dask client or \"ray\"")
