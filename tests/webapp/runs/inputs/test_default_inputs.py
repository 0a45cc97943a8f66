"""Every engine's bare command is a whole problem, and a missing or unknown document is answered with those that fit."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from engines.contract.errors import ProblemError
from engines.documents.builtin import builtin_documents, fitting_builtins
from engines.documents.problems import make_problem
from engines.registry import engine_names, get_engine
from tests.support.stored_runs import People
from webapp.runs.inputs.default_inputs import usual_inputs
from webapp.runs.inputs.documents import problem_from_document
from webapp.runs.management.commands.explore import _usual

ENGINES = [name for name in engine_names() if not name.startswith("toy")]


@pytest.mark.parametrize("name", ENGINES)
def test_the_bare_command_of_every_engine_is_a_whole_problem(people: People, name: str) -> None:
    engine = get_engine(name)
    out = io.StringIO()
    document: dict[str, Any] = {"engine": name, "inputs": {}, "params": {}, "seed": 0}
    document["inputs"] = _usual(people.stranger, document, Console(file=out))
    required = [slot for slot, kind in engine.inputs.items() if kind.required]
    assert list(document["inputs"]) == required
    assert problem_from_document(people.stranger, document).engine == name
    told = [f"{document['inputs'][slot]} (preferred)" for slot in required]
    assert [line.split(" ", 1)[1].rpartition("=")[2] for line in out.getvalue().splitlines()] == told


@pytest.mark.parametrize("name", ENGINES)
def test_what_an_engine_prefers_is_built_in_and_fits(name: str) -> None:
    for slot, kind in get_engine(name).inputs.items():
        fitting = fitting_builtins(kind)
        assert kind.preferred in fitting if kind.required else not kind.preferred or kind.preferred in fitting, slot


def test_given_inputs_stay_and_a_doubt_is_left_to_people(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = get_engine("soc-mapping")
    assert set(usual_inputs(people.stranger, engine, {"hardware": "jetson-tx2"})) == {"workload"}
    kinds = {"hardware": replace(engine.inputs["hardware"], preferred="")}
    monkeypatch.setattr(type(engine), "inputs", kinds)
    assert usual_inputs(people.stranger, engine, {}) == {}
    monkeypatch.setattr("webapp.runs.inputs.default_inputs.names_that_fit", lambda *_: ["mine"])
    assert usual_inputs(people.stranger, engine, {}) == {"hardware": ("mine", "the only one that fits")}


def test_a_notebook_names_the_built_in_ones() -> None:
    with pytest.raises(ProblemError, match=r"three-dataflow-accelerators-sums-kept \(preferred\), drive-px2") as caught:
        make_problem("soc-mapping", {}, {})
    assert caught.value.field == "inputs.hardware"
    package = builtin_documents("hardware")["simba-3x3-nvdla"]
    with pytest.raises(ProblemError, match="for example three-dataflow-accelerators-sums-kept"):
        make_problem("soc-mapping", {"hardware": package, "workload": builtin_documents("workload")["vig-s"]}, {})
