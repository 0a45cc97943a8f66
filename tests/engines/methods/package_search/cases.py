from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs
from engines.contract.engine import Problem
from engines.contract.results import Table, TableColumn
from engines.methods.package_search.engine import PackageSearchEngine
from engines.methods.package_search.packages.space import build_space
from engines.methods.package_search.quantities import COLUMNS
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.testing import conformance
from tests.engines.methods.package_search.problems import search_problem, setting_of

ENGINE = PackageSearchEngine()


runs: dict[str, tuple[Designs, dict[str, Table]]] = {}


def run(problem: Problem) -> tuple[Designs, dict[str, Table]]:
    """Designs and tables of a run; equal problems are run once."""
    if problem.hash() not in runs:
        runs[problem.hash()] = run_now(problem)
    return runs[problem.hash()]


def run_now(problem: Problem) -> tuple[Designs, dict[str, Table]]:
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    tables = {result.name: result for step in steps for result in step.results if isinstance(result, Table)}
    return conformance.designs_of(steps), tables


def counts(table: Table) -> dict[str, float]:
    what, values = (column.values for column in table.table_columns)
    return dict(zip(what, np.asarray(values).tolist(), strict=True))


def column(table: Table, title: str) -> TableColumn:
    return next(column for column in table.table_columns if column.title == title)


def searched(designs: Designs) -> np.ndarray:
    return designs.matrix(COLUMNS)[np.array([origin == "search" for origin in designs.origin])]


PROBLEM = search_problem()


SETTING = setting_of(PROBLEM)


SPACE = build_space(SETTING.base, SETTING.params)
