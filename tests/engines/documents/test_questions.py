"""Questions for whoever has no run yet."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engines import explore
from engines.contract.designs import canonical_json
from engines.contract.problem import Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.documents.questions import asked_questions, first_questions
from engines.registry import get_engine


def test_four_engines_ask_a_question_each_packages_and_mapping_first() -> None:
    found = asked_questions()
    assert len({each.engine for each in found}) == len(found) == 4
    assert (
        "chiplets" in found[0].words
        and "accelerators" in found[1].words
        and all(each.words.endswith("?") for each in found)
    )


def test_the_first_questions_are_found_without_loading_every_engine() -> None:
    assert first_questions() == asked_questions()[:3]
    code = "import sys, engines.documents.questions as q; q.first_questions(); print('engines.methods.hadas' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "False\n"


@pytest.mark.parametrize("number", [0, 1])
def test_the_first_answers_beat_every_baseline(number: int) -> None:
    """What somebody new sees first must be worth a run: no baseline is as good as the best that is found."""
    first = asked_questions()[number].document()
    found = explore(first["engine"], **first["inputs"], params=first["params"], seed=first["seed"]).designs
    for name in ("latency_s", "edp_js"):
        alone = found.columns[name][found.of_origin("baseline")].min()
        assert alone > 1.05 * found.columns[name].min()
    assert len({canonical_json(each) for each in found.decisions}) > 10


def test_every_question_is_a_problem_that_its_engine_takes() -> None:
    for each in asked_questions():
        document = each.document()
        inputs = {
            slot: get_builtin(get_engine(each.engine).inputs[slot].kind, slug)
            for slot, slug in document["inputs"].items()
        }
        assert isinstance(make_problem(each.engine, inputs, document["params"], document["seed"]), Problem)
