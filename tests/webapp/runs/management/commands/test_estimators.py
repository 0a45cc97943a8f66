from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.support.stored_runs import People

CLAIM = "edp(simba-3x3-het-sides) < edp(simba-3x3-nvdla)"
COMPARE = ("compare", "--claim", CLAIM, "--workload", "mlperf-scenario-4")


def estimators(people: People, *arguments: str) -> str:
    out = StringIO()
    call_command("estimators", *arguments, "--user", people.stranger.get_username(), stdout=out)
    return out.getvalue()


def test_the_claim_of_scar_holds_where_partial_sums_stay_in_the_array(people: People, tmp_path: Path) -> None:
    file = tmp_path / "o.json"
    text = estimators(people, *COMPARE, "--estimators", "dataflow,ideal-array", "--json", str(file))
    found = json.loads(file.read_text())
    models = found["estimators"]
    assert not models["dataflow"]["holds"] and models["dataflow"]["ratio"] == pytest.approx(1.0266, abs=5e-4)
    assert models["ideal-array"]["holds"] and models["ideal-array"]["ratio"] == pytest.approx(0.9728, abs=5e-4)
    assert found["holds_in"] == 1 and all(each["proven"] for each in models.values())
    assert "holds under 1 of 2 cost models: ideal-array." in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*COMPARE, "--estimators", "dataflow,abacus"), "one of dataflow, ideal-array, table. Got 'abacus'"),
        ((*COMPARE, "--estimators", ","), "names out of dataflow, ideal-array"),
        ((*COMPARE, "--estimators", "table"), "The table lacks network"),
        (("compare", "--claim", "edp(a", "--workload", "mlperf-scenario-4"), "of the form edp"),
        (("compare", "--claim", "edp(nowhere) < edp(simba-3x3-nvdla)", "--workload", "resnet50"), "Got 'nowhere'"),
        (("compare", "--claim", "edp(jetson-tx2) < edp(simba-3x3-nvdla)", "--workload", "resnet50"), "a package of"),
        (("compare", "--claim", CLAIM, "--workload", "nothing"), "Got 'nothing'"),
        ((*COMPARE, "--table", "/nowhere.csv"), "No such file"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(
    people: People, arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words) as error:
        estimators(people, *arguments)
    assert error.value.returncode == 2 and "\n" not in str(error.value)


def test_the_models_are_listed() -> None:
    out = StringIO()
    call_command("estimators", "list", stdout=out)
    assert [line.split()[0] for line in out.getvalue().splitlines()] == [
        "dataflow",
        "ideal-array",
        "table",
        "calibrated",
    ]
