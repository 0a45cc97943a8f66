from __future__ import annotations

from typing import Any

from engines.contract.engine import Problem
from engines.documents.problems import unloaded_problem
from tests.engines.methods.soc_mapping.problems import mapping_problem, tiny_network


def unloaded(**params: Any) -> Problem:
    given = mapping_problem(params, tiny_network())
    return unloaded_problem("soc-mapping", given.inputs, given.params.model_dump(mode="json"), given.seed)
