"""Operations without a cost model are named, and left out only where the network says so."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.contract.engine import Document
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.inspection import plan as plan_of
from engines.running.prepared_problems import ready_of
from engines.workloads.loader import load_scenario
from engines.workloads.summary import network_in_words
from engines.workloads.unknown_operators import left_out_notes, require_priced, unpriced_operators


def network(*unpriced: dict[str, Any]) -> dict[str, Any]:
    rows = [{"name": "u", "kind": "unpriced", **row} for row in unpriced]
    return {
        "schema": "network/1", "slug": "mine", "title": "Mine", "short_title": "Mine", "source": "a test",
        "operations": [{"name": "stem", "kind": "gemm", "k": 64, "c": 64, "y": 64}, *rows],
    }  # fmt: skip


SUPPRESSION, LOOP = {"operator": "NonMaxSuppression"}, {"operator": "Loop"}


def test_they_are_counted_and_refused_by_name() -> None:
    scenario = load_scenario(network(SUPPRESSION, LOOP, LOOP))
    assert unpriced_operators(scenario.models[0].network) == Counter({"Loop": 2, "NonMaxSuppression": 1})
    with pytest.raises(ProblemError, match="--exclude Loop --exclude NonMaxSuppression") as caught:
        require_priced(scenario)
    assert (caught.value.field, caught.value.got) == ("inputs.workload.mine", "Loop × 2, NonMaxSuppression")
    assert left_out_notes(scenario) == ()


def test_a_size_is_asked_for_before_anything_is_left_out() -> None:
    with pytest.raises(
        ProblemError, match=r"asks for them by name\. Leave the operators out.* --exclude 'MatMul \(size not known\)'"
    ):
        require_priced(load_scenario(network({"operator": "MatMul (size not known)"})))


@pytest.mark.parametrize("name", ["scar", "package-search"])
def test_an_engine_refuses_them(name: str) -> None:
    package = get_builtin("hardware", "simba-3x3-het-sides-256")
    workload = Document("workload", "mine", 1, network(SUPPRESSION))
    with pytest.raises(ProblemError, match="NonMaxSuppression"):
        ready_of(get_engine(name), make_problem(name, {"hardware": package, "workload": workload}, {}))


def test_a_summary_names_them() -> None:
    words = network_in_words(load_scenario(network(SUPPRESSION, {**LOOP, "excluded": True})).models[0].network)
    assert words.endswith("; without a cost model: NonMaxSuppression; left out: Loop")


def test_a_plan_tells_what_was_left_out() -> None:
    package = get_builtin("hardware", "simba-3x3-het-sides")
    engine = get_engine("scar")

    def problem(*rows: dict[str, Any]) -> Any:
        return make_problem(
            "scar", {"hardware": package, "workload": Document("workload", "mine", 1, network(*rows))}, {}
        )

    allowed = problem({**SUPPRESSION, "excluded": True})
    ready_of(engine, allowed)
    assert any("without NonMaxSuppression" in note for note in plan_of(allowed).notes)
