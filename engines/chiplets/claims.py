"""Claims about packages, such as "edp(simba-3x3-het-sides) < edp(simba-3x3-nvdla)", under several cost models.

A side is the best schedule of the workload on the package: searched exactly over all time windows, under the cost model in
question. The ratio of both sides says by how much a claim holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.chiplets.costs.scoring import COLUMNS, Scorer
from engines.chiplets.joint.best_schedule import best_schedule
from engines.chiplets.params import Objective, ScheduleParams
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.requirements import require_package, require_work
from engines.chiplets.problem.tables import build_tables
from engines.chiplets.windows.feasibility import find_infeasibility
from engines.chiplets.windows.options import DeadEndError
from engines.chiplets.windows.reconfig import assign_windows
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.contract.progress.step import shortfall
from engines.workloads.network import Scenario
from hardware.package.model import ChipletPackage

METRICS: Mapping[str, Objective] = {"edp": "edp", "latency": "latency", "energy": "energy"}
_COLUMNS = {"edp": "edp_js", "latency": "latency_s", "energy": "energy_j"}
_SIDE = r"(?P<{0}>[a-z]+)\((?P<{1}>[^()\s]+)\)"
_CLAIM = re.compile(rf"\s*{_SIDE.format('metric', 'left')}\s*(?P<sign><|>)\s*{_SIDE.format('other', 'right')}\s*")
_FORM = "of the form edp(PACKAGE) < edp(PACKAGE), with edp, latency or energy on both sides"


@dataclass(frozen=True)
class Claim:
    """A metric of the best schedule on one package, compared with that on another.

    Attributes:
        metric: a name of `METRICS`.
        left, right: names of packages.
        less: whether the left side is said to be less; else more.
    """

    metric: str
    left: str
    right: str
    less: bool

    def holds(self, ratio: float) -> bool:
        """Return whether the claim holds where left over right is `ratio`."""
        return ratio < 1 if self.less else ratio > 1


@dataclass(frozen=True)
class BestMetrics:
    """The metrics of the best schedule on a package by column, and whether it is proven optimal for the stated model."""

    values: Mapping[str, float]
    proven: bool


def read_claim(text: str) -> Claim:
    """Return the claim in a text.

    Raises:
        ProblemError: it has another form.
    """
    found = _CLAIM.fullmatch(text)
    if found is None or found["metric"] not in METRICS or found["metric"] != found["other"]:
        raise ProblemError("claim", text, _FORM)
    return Claim(found["metric"], found["left"], found["right"], found["sign"] == "<")


def best_metrics(package: ChipletPackage, scenario: Scenario, metric: str, params: ScheduleParams) -> BestMetrics:
    """Return the latency, energy and EDP of the best schedule by `metric`, and whether it is proven.

    Args:
        package: package that runs the scenario.
        scenario: networks that run.
        metric: a name of `METRICS`.
        params: params of the schedules, with the cost model.

    Raises:
        ProblemError: the package cannot run the scenario, or the cost model lacks a layer.
    """
    require_package(package)
    require_work(scenario, package, ignore_memory=params.ignore_memory, bits=params.bits)
    tables = build_tables(package, scenario, params.model_copy(update={"objective": METRICS[metric]}))
    windows = assign_windows(tables, params.n_splits)
    infeasible = find_infeasibility(tables, windows)
    if infeasible is not None:
        reason = shortfall(infeasible.limit, infeasible.demand, infeasible.bound, infeasible.unit)
        raise ProblemError("workload", scenario.slug, f"a workload that {package.slug} can run", reason=reason)
    scorer = Scorer(tables)
    try:
        best = best_schedule(scorer, windows, Goal(METRICS[metric]), joint=True, joint_states=params.joint_states)
    except DeadEndError as error:
        raise ProblemError("workload", scenario.slug, f"a workload that {package.slug} can run") from error
    return BestMetrics(dict(zip(COLUMNS, scorer.score(best.schedule), strict=True)), bool(best.proven))


def compare_claim(
    claim: Claim, packages: Mapping[str, ChipletPackage], scenario: Scenario, params: Mapping[str, ScheduleParams]
) -> dict[str, Any]:
    """Return the outcome of the claim under every cost model, as JSON values.

    Args:
        claim: text of the claim.
        packages: name -> package, for both sides.
        scenario: networks that run.
        params: name of a cost model -> parameters of the schedules under it.

    Raises:
        ProblemError: as `best_metrics`.
    """
    column, models = _COLUMNS[claim.metric], dict[str, dict[str, Any]]()
    for name, each in params.items():
        sides = [best_metrics(packages[side], scenario, claim.metric, each) for side in (claim.left, claim.right)]
        values = [side.values[column] for side in sides]
        ratio = values[0] / values[1]
        models[name] = {
            "holds": claim.holds(ratio), "ratio": ratio, "left": values[0], "right": values[1],
            "proven": all(side.proven for side in sides),
        }  # fmt: skip
    return {"metric": column, "estimators": models, "holds_in": sum(each["holds"] for each in models.values())}


def holding_words(models: Mapping[str, Mapping[str, Any]]) -> str:
    """Return in how many models a claim holds, as one sentence."""
    holding = [name for name, each in models.items() if each["holds"]]
    total = many(len(models), "cost model")
    if not holding:
        return f"The claim holds under none of {total}."
    return f"The claim holds under {len(holding)} of {total}: {', '.join(holding)}."
