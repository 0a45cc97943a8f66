"""Every engine's bare command is a whole problem, and a missing or unknown document is answered with those that fit."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from rich.console import Console

from engines.contract.errors import ProblemError
from engines.documents.accepted_documents import listed
from engines.documents.builtin import builtin_documents, fitting_builtins
from engines.documents.problems import make_problem
from engines.registry import engine_names, get_engine
from tests.support.stored_runs import People, make_people
from webapp.catalogue.service import store_version
from webapp.runs.documents import problem_from_document
from webapp.runs.management.commands.explore import _usual
from webapp.runs.usual_inputs import usual_inputs

ENGINES = [name for name in engine_names() if not name.startswith("toy")]


@pytest.fixture
def people(db: None) -> People:
    return make_people()


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
    monkeypatch.setattr("webapp.runs.usual_inputs.names_that_fit", lambda *_: ["mine"])
    assert usual_inputs(people.stranger, engine, {}) == {"hardware": ("mine", "the only one that fits")}


@pytest.mark.parametrize("given", [{}, {"hardware": "xavier"}, {"hardware": ""}])
def test_the_catalogue_names_what_fits(people: People, given: dict[str, str]) -> None:
    with pytest.raises(ProblemError) as caught:
        problem_from_document(people.stranger, {"engine": "soc-mapping", "inputs": given})
    assert caught.value.field == "inputs.hardware" and caught.value.got == (given.get("hardware") or None)
    words = "a hardware document (System on a chip): jetson-agx-xavier (preferred), drive-px2-autochauffeur, "
    assert caught.value.accepted.startswith(words) and "simba" not in caught.value.accepted


def test_documents_of_ones_own_are_named_too(people: People) -> None:
    soc = {**builtin_documents("hardware")["jetson-tx2"].content, "slug": "my-soc"}
    store_version(people.owner, people.project, "hardware", soc)
    with pytest.raises(ProblemError, match=f"{people.project.slug}/my-soc"):
        problem_from_document(people.owner, {"engine": "magnas"})


def test_a_long_list_ends_with_the_command_that_has_the_rest(people: People) -> None:
    with pytest.raises(ProblemError, match=r" and \d+ more: manage\.py documents workload --engine scar") as caught:
        problem_from_document(people.stranger, {"engine": "scar", "inputs": {"hardware": "simba-3x3-nvdla"}})
    assert caught.value.accepted.count(",") == 9
    assert listed(["a", "b"], "more", "b") == "b (preferred), a"


def test_a_notebook_names_the_built_in_ones() -> None:
    with pytest.raises(ProblemError, match=r"jetson-agx-xavier \(preferred\), drive-px2") as caught:
        make_problem("soc-mapping", {}, {})
    assert caught.value.field == "inputs.hardware"
    package = builtin_documents("hardware")["simba-3x3-nvdla"]
    with pytest.raises(ProblemError, match="for example jetson-agx-xavier"):
        make_problem("soc-mapping", {"hardware": package, "workload": builtin_documents("workload")["vig-s"]}, {})


def test_the_command_that_lists_documents(people: People) -> None:
    out = io.StringIO()
    call_command("documents", "hardware", "--engine", "seesaw", "--user", people.stranger.get_username(), stdout=out)
    assert [line.split()[1] for line in out.getvalue().splitlines()] == ["fitness-tracker", "openmv-gps-camera"]
    for wrong in (("software",), ("hardware", "--engine", "nothing")):
        with pytest.raises(CommandError, match="must be one of") as caught:
            call_command("documents", *wrong)
        assert caught.value.returncode == 2
