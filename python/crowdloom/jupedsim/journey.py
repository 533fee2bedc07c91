"""Journeys: stages, and what comes after each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


@dataclass
class Transition:
    """What comes after a stage."""

    kind: str
    stages: tuple[int, ...]
    weights: tuple[int, ...] = ()
    _taken: int = 0

    @staticmethod
    def create_fixed_transition(stage_id: int) -> Transition:
        """All go on to one stage."""
        return Transition("fixed", (stage_id,))

    @staticmethod
    def create_round_robin_transition(stage_weights: list[tuple[int, int]]) -> Transition:
        """Agents go on to stages in turn, to each as many as its weight says."""
        if not stage_weights or any(weight <= 0 for _, weight in stage_weights):
            raise ValueError("a round robin needs stages, and weights above 0")
        stages, weights = zip(*stage_weights)
        return Transition("round robin", tuple(stages), tuple(weights))

    @staticmethod
    def create_least_targeted_transition(stage_ids: list[int]) -> Transition:
        """Agents go on to the stage that fewest are on the way to."""
        if not stage_ids:
            raise ValueError("there is no stage to choose from")
        return Transition("least targeted", tuple(stage_ids))

    def next(self, count_targeting: Callable[[int], int]) -> int:
        """The stage that the next agent goes on to."""
        if self.kind == "round robin":
            place = self._taken % sum(self.weights)
            self._taken += 1
            for stage, weight in zip(self.stages, self.weights):
                if place < weight:
                    return stage
                place -= weight
        if self.kind == "least targeted":
            return min(self.stages, key=count_targeting)
        return self.stages[0]


@dataclass
class JourneyDescription:
    """The stages of a journey; a stage without a transition is its end."""

    stage_ids: list[int] = field(default_factory=list)

    def __init__(self, stage_ids: Iterable[int] | None = None) -> None:
        self.stage_ids = list(stage_ids or ())
        self.transitions: dict[int, Transition] = {}

    def add(self, stages: int | list[int]) -> None:
        """Adds a stage, or several."""
        self.stage_ids += [stages] if isinstance(stages, int) else stages

    def set_transition_for_stage(self, stage_id: int, transition: Transition) -> None:
        """Sets what comes after a stage."""
        self.transitions[stage_id] = transition

    def mistake(self, known: Iterable[int]) -> str | None:
        """What is wrong with it, where ``known`` are the stages that there are."""
        known = set(known)
        own = set(self.stage_ids)
        for stage in own - known:
            return f"there is no stage {stage}"
        for stage, transition in self.transitions.items():
            for other in (stage, *transition.stages):
                if other not in own:
                    return f"stage {other} of a transition is not in the journey"
        return None
