"""What a run reports: which mappings become designs, the front so far, and what a checkpoint keeps beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.counts import counted
from engines.contract.designs import Designs
from engines.contract.engine import Context, Problem, Resume, Step
from engines.contract.front import best_among
from engines.contract.non_dominated import non_dominated
from engines.contract.results import Result
from engines.mapping.designs.decision import GOVERNOR
from engines.mapping.designs.scoring import evaluated_designs, mapped_designs
from engines.mapping.explain.broken_limits import broken_words, own_note
from engines.mapping.problem.instance import Instance, standalone
from engines.mapping.search.exact import Progress, best_points
from engines.mapping.solver.unit_mapping import score
from engines.methods.soc_mapping.own_mappings import own_mappings
from engines.methods.soc_mapping.params import SocMappingParams
from engines.methods.soc_mapping.quantities import QUANTITIES
from engines.running.checkpoints import pack_checkpoint, unpack_checkpoint
from engines.search.nsga2 import Rated
from hardware.soc.summary import unit_title

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_SAMPLED_DESIGNS = 15_000


class Report:
    """The steps of a run.

    Attributes:
        metric: the column by which mappings are called best, the lower the better.
        front: latency and energy of the non-dominated mappings so far that keep all limits, shape `k x 2`.
        evaluations: complete mappings that were scored, baselines left out.
        best: decision of the least `metric` so far within the limits; None before the first.
        state: of the last checkpoint; empty at the start.
    """

    def __init__(
        self,
        problem: Problem[SocMappingParams],
        instance: Instance,
        context: Context,
        resume: Resume | None,
        metric: str,
    ) -> None:
        self._problem, self._instance, self._context = problem, instance, context
        self.metric = metric
        self._hash = problem.hash()
        self.front: FloatArray = np.empty((0, 2))
        self.evaluations = 0
        self.best: Mapping[str, Any] | None = None
        self._least = np.inf
        self.state: Mapping[str, Any] = {}
        if resume is not None:
            self.state = unpack_checkpoint(resume.checkpoint, problem.engine, problem.version, self._hash)
            self.evaluations = int(self.state["evaluations"])
            designs = resume.designs
            kept = designs.counted(QUANTITIES)
            self._note_best(designs.take(np.flatnonzero(kept)))
            self._add(designs.matrix(("latency_s", "energy_j"))[kept])

    def baselines(self) -> Step:
        """The network on each unit alone, where a unit can run it, and the user's own mappings, at the highest of the clocks."""
        found = [self._alone()] if self._problem.params.baselines else []
        instance = self._instance
        names, units = own_mappings(self._problem.params.own_mappings, instance)
        at = np.zeros(len(names), np.int64)
        if names:
            found.append(mapped_designs(instance, units, instance.reference + at, at, "baseline", names))
        broken = broken_words(instance, units, score(instance.costs, units, instance.reference + at))
        words = "Each unit alone" + (", and the mappings that were given" if names else "")
        step = self._step(0.01, words, Designs.concatenate(found) if found else None, {})
        return replace(step, results=tuple(own_note(names, broken)))

    def _alone(self) -> Designs:
        units, scores = standalone(self._instance.costs, self._instance.reference)
        able = np.flatnonzero(np.isfinite(scores.latency_s))
        setting, at = np.full(len(able), self._instance.reference), np.zeros(len(able), np.int64)
        titles = [f"{unit_title(self._instance.units[unit])} alone" for unit in able]
        designs = mapped_designs(self._instance, units[able], setting, at, "baseline", titles)
        if len(self._instance.settings) == 1:
            return designs
        return Designs.concatenate([designs, self._governed(designs, titles)])

    def _governed(self, alone: Designs, titles: Sequence[str]) -> Designs:
        """The same mappings at the clocks that the default governors choose."""
        decisions = [{"units": decision["units"], "clocks_mhz": GOVERNOR} for decision in alone.decisions]
        scored = evaluated_designs(self._instance, decisions)
        labels = [f"{title}, default governor" for title in titles]
        at = np.zeros(len(labels), np.int64)
        return Designs(scored.columns, scored.decisions, at, ["baseline"] * len(labels), labels)

    def exact(self, progress: Progress) -> Step:
        """The mappings that a piece of the exact search found."""
        front = progress.front
        count = len(front.setting)
        found_at = self.evaluations + np.arange(1, count + 1)
        designs = mapped_designs(self._instance, front.units, front.setting, found_at, "search")
        self.evaluations += count
        self._note_best(designs)
        self._add(designs.matrix(("latency_s", "energy_j")))
        left = len(progress.rest)
        words = (
            f"{counted(len(self.front))} mappings on the front, {counted(progress.searched)} clock settings searched, "
        )
        words += f"{counted(left)} left"
        state = {
            "rest": progress.rest, "searched": progress.searched, "labels": progress.labels, "error_s": progress.error_s,
        }  # fmt: skip
        return self._step(0.98 * progress.searched / (progress.searched + left), words, designs, state)

    def take(self, number: int, rated: Rated) -> Designs:
        """Count a generation; designs of all its mappings that are new on the front, and of a sample of the others."""
        places = np.arange(len(rated.genes))
        found_at = self.evaluations + 1 + places
        self.evaluations += len(places)
        merged = np.concatenate([self._goals(self.front), rated.costs])
        on_front = _on_front(merged, rated.violation, len(self.front))
        self._add(rated.costs[rated.violation <= 0, :2])
        share = _SAMPLED_DESIGNS / self._problem.params.evaluations
        picked = np.flatnonzero(on_front | (self._context.random("report", number).random(len(places)) < share))
        genes = rated.genes[picked]
        designs = mapped_designs(self._instance, genes[:, :-1], genes[:, -1], found_at[picked], "search")
        self._note_best(designs)
        return designs

    def generation(self, designs: Designs, state: Mapping[str, Any]) -> Step:
        """The step of a generation."""
        words = f"{counted(self.evaluations)} mappings, {counted(len(self.front))} on the front"
        return self._step(0.98 * self.evaluations / self._problem.params.evaluations, words, designs, state)

    def end(self, message: str, results: Sequence[Result]) -> Step:
        """The last step."""
        return Step(1.0, message, self.metrics(), results=tuple(results))

    def metrics(self) -> dict[str, float]:
        """For a step."""
        found = {"evaluations": float(self.evaluations)}
        if len(self.front):
            found |= {"latency_s": float(self.front[:, 0].min()), "energy_j": float(self.front[:, 1].min())}
            found["edp_js"] = float(self.front.prod(axis=1).min())
        return found

    def _step(self, fraction: float, message: str, designs: Designs | None, state: Mapping[str, Any]) -> Step:
        kept = {"evaluations": self.evaluations, **state}
        packed = pack_checkpoint(self._problem.engine, self._problem.version, self._hash, kept)
        return Step(
            max(0.01, fraction), message, self.metrics(), designs if designs is not None and len(designs) else None,
            checkpoint=packed,
        )  # fmt: skip

    def _note_best(self, designs: Designs) -> None:
        values = designs.columns[self.metric]
        best = best_among(values, "minimise", np.flatnonzero(designs.feasible(QUANTITIES)))
        if best is not None and values[best] < self._least:
            self._least, self.best = float(values[best]), designs.decisions[best]

    def _add(self, points: FloatArray) -> None:
        self.front = best_points(np.concatenate([self.front, points]), by_power=self._instance.by_power)

    def _goals(self, points: FloatArray) -> FloatArray:
        """What mappings are ranked by: latency and energy, and power where it is an objective."""
        return np.column_stack([points, points[:, 1] / points[:, 0]]) if self._instance.by_power else points


def _on_front(merged: FloatArray, violation: FloatArray, before: int) -> npt.NDArray[np.bool_]:
    """Which of the rows after `before` are on the front of all that keep the limits."""
    values = merged.copy()
    values[before:][violation > 0] = np.nan
    return non_dominated(values, ("minimise",) * values.shape[1])[before:]
