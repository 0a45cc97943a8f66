from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engines.contract.errors import ProblemError
from tests.support.stored_runs import People
from webapp.runs.models import Run
from webapp.runs.results import readers
from webapp.runs.results.cost_models import compared_numbers, cost_model_comparison, ratio_words, robust_sentences


@pytest.fixture
def scar_run(people: People) -> Run:
    arguments = ("--hardware", "simba-3x3-het-sides-256", "--workload", "squeezenet1-0", "--set", "evaluations=100")
    call_command("explore", "scar", *arguments, "--user", people.owner.get_username(), stdout=StringIO())
    return Run.objects.latest("pk")


def test_designs_of_a_run_under_several_models(people: People, scar_run: Run, tmp_path: Path) -> None:
    found = cost_model_comparison(scar_run)
    quantities = readers.quantities_of(scar_run)
    designs = readers.load_designs(scar_run, [quantity.name for quantity in quantities])
    front = designs.front(quantities).tolist()
    assert found["models"] == ["dataflow", "ideal-array"] and found["numbers"][: len(front)] == front
    assert len(set(found["numbers"])) == len(found["numbers"]) == len(compared_numbers(scar_run))
    stored = designs.columns["edp_js"][found["numbers"]].tolist()
    assert found["values"]["dataflow"]["edp_js"] == stored
    assert {found["numbers"][place] for place, kept in enumerate(found["optimal"]["dataflow"]) if kept} == set(front)
    assert cost_model_comparison(scar_run) is found  # asked once

    out, file = StringIO(), tmp_path / "o.json"
    user = people.owner.get_username()
    call_command("estimators", "run", str(scar_run.pk), "--json", str(file), "--user", user, stdout=out)
    assert json.loads(file.read_text())["always"] == found["always"]
    assert "compared under 2 cost models: dataflow, ideal-array." in out.getvalue()
    assert "× the EDP under dataflow. " in out.getvalue()
    with pytest.raises(CommandError, match="Got 'abacus'"):
        call_command("estimators", "run", str(scar_run.pk), "--estimators", "abacus", "--user", user)


def test_a_run_without_cost_models_or_of_somebody_else_is_refused(people: People, run: Run) -> None:
    with pytest.raises(ProblemError, match="a run of an engine that takes a cost model of layers"):
        cost_model_comparison(run)
    with pytest.raises(CommandError, match="There is no run"):
        call_command("estimators", "run", str(run.pk), "--user", people.stranger.get_username())


def test_sentences_name_the_design_that_loses_least() -> None:
    found = {
        "models": ["a", "b"], "numbers": [7, 9], "always": [], "sometimes": [0, 1], "metric": "edp_js", "metric_title": "EDP",
        "agreement": [["a", "b", None]], "least_regret": 1, "largest_regret": [0.5, 0.125],
    }  # fmt: skip
    sentences = robust_sentences(found)
    assert "Optimal under every model: 0 designs. Optimal under at least one: 2 designs." in sentences
    assert (
        "Design 9 loses at most 12 % whichever model is right, against the best of the compared designs." in sentences
    )
    assert ratio_words(0.25, "a", "b") == "4 × the EDP under a" and ratio_words(2.0, "a", "b") == "2 × the EDP under b"
