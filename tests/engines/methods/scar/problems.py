"""Small SCAR problems for tests."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from engines.contract.designs import Designs
from engines.contract.engine import Document, Problem, Resume, Step
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.scar.engine import ScarEngine
from engines.running.context import LocalContext
from engines.running.driver import drive


def tiny_package() -> Document:
    """A 2 x 2 package: NVDLA left, Shi-diannao right; every chiplet has an interface."""
    content = dict(get_builtin("hardware", "simba-3x3-het-sides").content)
    content |= {"slug": "tiny-2x2", "title": "Tiny 2x2"}
    content["package"] = {"rows": 2, "columns": 2, "layout": ["N S", "N S"]}
    return Document("hardware", "tiny-2x2", 1, content)


def tiny_network(slug: str, channels: tuple[int, ...], size: int) -> dict[str, Any]:
    """A network of 3x3 convolutions without padding."""
    operations = []
    for number, (c, k) in enumerate(pairwise(channels)):
        side = size - 2 * number
        operations.append(
            {"name": f"conv{number}", "kind": "conv", "k": k, "c": c, "r": 3, "s": 3, "y": side, "x": side}
        )
    return {
        "schema": "network/1",
        "slug": slug,
        "title": f"Three convolutions, {slug}",
        "short_title": slug,
        "source": "made up for tests",
        "operations": operations,
    }


def tiny_scenario(models: int = 2, batch: int = 3) -> Document:
    """`models` networks of three layers, alternately wide and long."""
    networks = [tiny_network("wide", (3, 64, 64, 32), 18), tiny_network("long", (8, 16, 16, 16), 30)]
    content = {
        "schema": "scenario/1",
        "slug": f"tiny-{models}",
        "title": "Tiny scenario",
        "source": "made up for tests",
        "models": [{"network": networks[number % 2], "batch": batch} for number in range(models)],
    }
    return Document("workload", f"tiny-{models}", 1, content)


def scar_problem(params: Mapping[str, Any] | None = None, models: int = 2, batch: int = 3, seed: int = 0) -> Problem:
    """Networks of three layers on the 2 x 2 package, 100 evaluations; more than four models cannot fit."""
    inputs = {"hardware": tiny_package(), "workload": tiny_scenario(models, batch)}
    return make_problem("scar", inputs, {"evaluations": 100, "n_splits": 1} | dict(params or {}), seed=seed)


def scenario_problem(hardware: str, workload: str, params: Mapping[str, Any] | None = None, seed: int = 0) -> Problem:
    """A problem of built-in documents."""
    inputs = {"hardware": get_builtin("hardware", hardware), "workload": get_builtin("workload", workload)}
    return make_problem("scar", inputs, dict(params or {}), seed=seed)


ENGINE = ScarEngine()


def run(problem: Problem, resume: Resume | None = None) -> list[Step]:
    return list(drive(ENGINE, problem, LocalContext(problem), resume))


def designs_of(steps: list[Step]) -> Designs:
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])
