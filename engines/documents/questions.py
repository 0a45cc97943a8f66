"""Questions that a person without a run can have answered: ready-made problems of seconds, whose fronts have a trade-off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.engine import Engine
from engines.contract.inputs import Preset
from engines.registry import FIRST_ASKED, get_engine, installed_engines


@dataclass(frozen=True)
class Question:
    """A ready-made problem of an engine, and what it answers."""

    engine: str
    preset: Preset

    @property
    def words(self) -> str:
        """Return the question as a sentence."""
        return self.preset.question

    def document(self) -> Mapping[str, Any]:
        """Return the problem document of the question."""
        return {
            "engine": self.engine,
            "inputs": dict(self.preset.inputs),
            "params": dict(self.preset.params),
            "seed": 0,
        }


def asked_questions() -> list[Question]:
    """Return the questions of all engines, in the order in which engines are offered."""
    return _questions(installed_engines())


def first_questions() -> list[Question]:
    """Return the first of `asked_questions`, and load only the engines that ask them."""
    return _questions(get_engine(name) for name in FIRST_ASKED)


def _questions(engines: Iterable[Engine]) -> list[Question]:
    return [Question(engine.name, each) for engine in engines for each in engine.presets if each.question]
