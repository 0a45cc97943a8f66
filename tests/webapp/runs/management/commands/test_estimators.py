from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.engines.cost.estimators.tools.fake_tool import asked, fake_tool
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
        (
            (*COMPARE, "--estimators", "dataflow,abacus"),
            "one of dataflow, ideal-array, table, scalesim, zigzag. Got 'abacus'",
        ),
        ((*COMPARE, "--estimators", ","), "names of cost models, separated by commas"),
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


def test_costs_of_an_installed_tool_are_a_table_for_every_search(
    people: People, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PARETOSCOPE_VAR = tmp_path
    (tmp_path / "estimators").mkdir()
    about = ("--hardware", "simba-3x3-het-sides-256", "--workload", "activity-cnn-128")
    with pytest.raises(CommandError, match="SCALE-Sim is not installed"):
        estimators(people, "costs", "scalesim", *about, "--output", str(tmp_path / "o.csv"))
    tool = fake_tool(tmp_path / "estimators")
    monkeypatch.setattr("webapp.runs.management.commands.estimators.TOOLS", {"scalesim": tool})
    estimators(people, "costs", "scalesim", *about, "--output", str(tmp_path / "o.csv"))
    claim = (
        "compare",
        "--claim",
        "edp(simba-3x3-het-sides-256) < edp(simba-3x3-nvdla-256)",
        "--workload",
        "activity-cnn-128",
    )
    files = [tmp_path / name for name in ("a.json", "b.json")]
    estimators(people, *claim, "--estimators", "scalesim", "--json", str(files[0]))
    estimators(people, *claim, "--estimators", "table", "--table", str(tmp_path / "o.csv"), "--json", str(files[1]))
    one, other = (next(iter(json.loads(file.read_text())["estimators"].values())) for file in files)
    assert one == other and len(asked(tmp_path / "estimators")) == 6


def test_the_models_are_listed() -> None:
    out = StringIO()
    call_command("estimators", "list", stdout=out)
    assert [line.split()[0] for line in out.getvalue().splitlines()] == [
        "dataflow",
        "ideal-array",
        "table",
        "calibrated",
        "scalesim",
        "zigzag",
    ]
