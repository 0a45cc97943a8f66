"""Rows of Figure 5.8 and Tables 5.3 to 5.5, and the runs behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from typing import Any

from engines.contract.problem import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.split_computing.controllers import DQN, ORACLE, R_AGNOSTIC
from engines.methods.split_computing.instance import instance_of
from engines.methods.split_computing.scoring import bench_of
from engines.reproduction.comparisons import Comparison, Kind
from engines.reproduction.frame import Case, OutcomeReader
from engines.reproduction.rows import Publication, Rows
from engines.running.context import LocalContext

PUBLICATION = Publication(Path(__file__).parent, "odema-2024")
_WINDOWS = 1_000_000
_LOADS = ("0.90", "0.97", "0.99")
_THRESHOLDS = ("0.50", "0.68", "0.98")
_COUNTS = (0, 2, 3)
_PLAIN = "table5.3.R-agnostic.AMAP_offload"
_TITLES = {R_AGNOSTIC: "R-agnostic", ORACLE: "Oracle", DQN: "DRL"}
_CHANNEL = (
    "Scale of the channel (8 Mbit/s) and time per task ahead (1 ms) are not published. They are fitted to "
    "R-agnostic's rows of Table 5.4."
)
_SCENES = "Scenes are drawn from shares and means of robust windows that follow from Tables 5.3 to 5.5."
_LEARNT = (
    "Our double DQN sees a simulated context. How much this context reveals is fitted to one published quality. "
    "Sizes and rates of the published network are not published."
)
_ENERGY = (
    "At a load of 0.9, the default of the text. The published saving needs three pipelines in time in nearly every "
    "window. Table 5.4 states this for no load."
)


@dataclass(frozen=True)
class ControllerOutcome:
    """The outcome of a controller.

    Attributes:
        shares: shares of actions, in per cent.
        quality: mean mAP in per cent by action, NaN where it was never taken.
        saved: energy against all in the car, in per cent.
        risky: share of offloaded windows that are risky, in per cent.
    """

    shares: tuple[float, float, float]
    quality: tuple[float, float, float]
    saved: float
    risky: float


@dataclass(frozen=True)
class Run(Case[ControllerOutcome]):
    """A controller on a million windows of the published car."""

    controller: str
    load: float
    threshold: float

    def run(self) -> ControllerOutcome:
        """Train the double DQN first."""
        problem = problem_of(self.load, self.threshold)
        instance, context = instance_of(problem), LocalContext(problem)
        windows = instance.windows(context, _WINDOWS, "reproduced")
        bench = replace(bench_of(instance, context), windows=windows)
        actions = bench.controller({"controller": self.controller})(windows)
        columns = bench.columns(actions)
        away = actions > 0
        return ControllerOutcome(
            _three(100 * float((actions == action).mean()) for action in range(3)),
            _three(100 * float(windows.quality[actions == action].mean()) for action in range(3)),
            100 * columns["saved_fraction"],
            100 * float((~windows.robust[away]).mean()),
        )

    def blank(self) -> ControllerOutcome:
        """Return nothing."""
        return ControllerOutcome((nan, nan, nan), (nan, nan, nan), nan, nan)


@dataclass(frozen=True)
class LeastBandwidth(Case[float]):
    """Mbit/s from which so many pipelines come back in time."""

    count: int
    delay_s: float

    def run(self) -> float:
        """Return the values by the closed form."""
        return instance_of(problem_of(0.9, 0.68)).system.least_bits_per_s(self.count, self.delay_s) / 1e6

    def blank(self) -> float:
        """Return None."""
        return nan


def problem_of(load: float, threshold: float) -> Problem[Any]:
    """Return the published car."""
    documents = {"radio": get_builtin("hardware", "wifi-smartphone")}
    return make_problem(
        "split-computing", documents, {"load": load, "quality_threshold": threshold, "round_trip_ms": 0.0}
    )


def thresholds(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figure 5.8."""
    why = (
        "Read off a sweep in whole Mbit/s. The latency is the longer of both sides, as their sum would need 16.5 and "
        "11.5 Mbit/s."
    )
    rows = PUBLICATION.rows("Figure 5.8", why=why, kind="chosen")
    delay_s = PUBLICATION.value("sweep.fixed_q") / 1e3
    for count in (2, 3):
        ours = look(LeastBandwidth(count, delay_s))
        yield rows(
            f"Least bandwidth, {count} offloaded", f"fig5.8.phi_min_offload{count}", ours, inputs=("sweep.fixed_q",)
        )


def actions(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Table 5.4 without learning."""
    yield from _actions(look, R_AGNOSTIC, _CHANNEL, "fitted")
    yield from _actions(look, ORACLE, f"{_CHANNEL} {_SCENES}", "fitted")


def learnt_actions(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Table 5.4 of the double DQN."""
    yield from _actions(look, DQN, _LEARNT, "predicted")


def quality(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Table 5.3 without learning."""
    rows = PUBLICATION.rows("Table 5.3", why=_SCENES, kind="fitted")
    plain = look(Run(R_AGNOSTIC, 0.97, 0.68))
    for count, ours in zip(_COUNTS, plain.quality, strict=True):
        yield rows(f"R-agnostic: mAP, {_words(count)}", f"{_PLAIN}{count}", ours)
    for threshold in _THRESHOLDS:
        found = look(Run(ORACLE, 0.97, float(threshold)))
        yield from _gained_quality(rows, ORACLE, threshold, found, plain)


def learnt_quality(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Table 5.3 for the double DQN; the context share was fitted at the threshold of 0.68."""
    for threshold in _THRESHOLDS:
        kind: Kind = "fitted" if threshold == "0.68" else "predicted"
        rows = PUBLICATION.rows("Table 5.3", why=_LEARNT, kind=kind)
        found = look(Run(DQN, 0.97, float(threshold)))
        yield from _gained_quality(rows, DQN, threshold, found, look(Run(R_AGNOSTIC, 0.97, 0.68)))


def _gained_quality(
    rows: Rows, controller: str, threshold: str, found: ControllerOutcome, plain: ControllerOutcome
) -> Iterator[Comparison]:
    """Yield by how much the mean quality of each action is above that of R-agnostic."""
    title = _TITLES[controller]
    for count, own, other in zip(_COUNTS, found.quality, plain.quality, strict=True):
        name = f"table5.3.{title}.mAPth_{threshold}.AMAP_offload{count}"
        above = PUBLICATION.difference(name, f"{_PLAIN}{count}")
        yield rows(
            f"{title}, threshold {threshold}: mAP above R-agnostic, {_words(count)}", above, own - other, baseline=0
        )


def energy(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Table 5.5 without learning."""
    yield from _energy(look, R_AGNOSTIC, _ENERGY)
    yield from _energy(look, ORACLE, _ENERGY)


def learnt_energy(look: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Table 5.5 of the double DQN."""
    yield from _energy(look, DQN, f"{_ENERGY} {_LEARNT}")


def arithmetic(_: OutcomeReader) -> Iterator[Comparison]:
    """Yield the rows of Figure 5.11."""
    rows = PUBLICATION.rows("Published values combined", why="Rounded.", kind="arithmetic")
    names = ("table5.5.R-agnostic.risky_actions", "table5.5.DRL.risky_actions")
    plain, learnt = (PUBLICATION.value(name) for name in names)
    yield rows(
        "Fewer risky actions, threshold 0.98",
        "fig5.11.risky_reduction_at_0.98",
        100 * (plain - learnt) / plain,
        inputs=names,
    )


def _actions(look: OutcomeReader, controller: str, why: str, kind: Kind) -> Iterator[Comparison]:
    rows = PUBLICATION.rows("Table 5.4", why=why, kind=kind)
    for load in _LOADS:
        found = look(Run(controller, float(load), 0.68))
        for count, ours in zip(_COUNTS, found.shares, strict=True):
            name = f"table5.4.{_TITLES[controller]}.rho_{load}.offload{count}"
            yield rows(
                f"{_TITLES[controller]}, load {load}: {_words(count)}", name, ours, baseline=None if count else 100
            )


def _energy(look: OutcomeReader, controller: str, why: str) -> Iterator[Comparison]:
    title, found = _TITLES[controller], look(Run(controller, 0.9, 0.98))
    rows = PUBLICATION.rows("Table 5.5", why=why)
    yield rows(f"{title}: energy saved", f"table5.5.{title}.energy_reduction", found.saved)
    risk: Kind = "fitted" if controller == R_AGNOSTIC else "predicted"
    if controller != ORACLE:
        yield rows(f"{title}: risky, of offloaded", f"table5.5.{title}.risky_actions", found.risky, kind=risk)


def _words(count: int) -> str:
    return f"{count} offloaded" if count else "in the car"


def _three(values: Iterator[float]) -> tuple[float, float, float]:
    first, second, third = values
    return first, second, third
