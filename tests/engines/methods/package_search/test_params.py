from __future__ import annotations

from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.documents.problems import make_problem
from engines.methods.package_search.params import OBJECTIVE_COLUMNS
from engines.running.prepared_problems import ready_of
from tests.engines.methods.package_search.cases import ENGINE
from tests.engines.methods.package_search.problems import search_problem


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({f"minimise_{name}": False for name in OBJECTIVE_COLUMNS}, "params.minimise_edp"),
        ({"processing_elements": "64, many"}, "params.processing_elements"),
        ({"processing_elements": "8"}, "params.processing_elements"),
        ({"link_bandwidth_gb_per_s": "0"}, "params.link_bandwidth_gb_per_s"),
        ({"memory_bandwidth_gb_per_s": "nan"}, "params.memory_bandwidth_gb_per_s"),
        ({"interface_sides": "left+left"}, "params.interface_sides"),
        ({"interface_sides": "north"}, "params.interface_sides"),
        ({"processing_elements": ",".join(str(16 + i) for i in range(20))}, "params.processing_elements"),
    ],
)
def test_bad_parameters_are_named(params: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        ready_of(ENGINE, search_problem(params))
    assert caught.value.field == field


def test_wide_words_are_refused_with_a_way_that_works() -> None:
    problem = search_problem()
    content = {**problem.inputs["hardware"].content, "word_bytes": 2}
    inputs = {**problem.inputs, "hardware": Document("hardware", "wide", 1, content)}
    with pytest.raises(ProblemError, match=r"units of 8 bits alone.*with word_bytes 1, and set params\.bits"):
        ready_of(ENGINE, make_problem(ENGINE.name, inputs, {}))
    ready_of(ENGINE, make_problem(ENGINE.name, problem.inputs, {"bits": "fp16"}))
