"""The head of the run page says where the run belongs."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.quantities import Quantity
from engines.workloads.importing.language_reader import read_configuration
from frontend.bridge import get_app
from frontend.designs.run_designs import RunDesigns
from tests.engines.survey.language.configurations import QWEN3_4B
from tests.support.stored_runs import People
from webapp.catalogue.service import store_version
from webapp.runs.models import Run
from webapp.studies import service


def links(run: Run) -> dict[str, str]:
    get_app()
    from frontend.pages.run.header import _study_link

    return {part.href: part.children for part in _study_link(run) if hasattr(part, "href")}


def test_a_run_of_a_study_links_back_to_it_and_others_do_not(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    grid = {"engine": "toy", "title": "Grid", "params": {"steps": {"each": [1, 2]}}, "seeds": [1]}
    study = service.create(people.owner, grid, project=people.project)
    run = Run.objects.filter(study=study).first()
    assert run is not None
    assert links(run) == {f"/studies/{study.pk}": "Grid"}
    run.study = None
    assert links(run) == {}


def test_what_others_measured_of_the_network_on_the_device_stands_beside_the_cost_model(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    get_app()
    from frontend.pages.run.header import estimator
    from webapp.runs import service as runs

    chips = {}
    for workload in ("resnet50", "vgg19"):
        inputs = {"hardware": "jetson-agx-xavier", "workload": workload}
        document = {"engine": "soc-mapping", "inputs": inputs, "params": {"unmeasured": "assumed"}}
        chips[workload] = str(estimator(runs.create(people.owner, document)))
    assert "1.83 ms (int8, TensorRT 8.0.1, v1.1)" in chips["resnet50"] and "fp16, calibration" in chips["resnet50"]
    assert "measured in public" not in chips["vgg19"]


@pytest.mark.parametrize(
    ("name", "words"), [("energy_j", "Lowest energy with exit"), ("latency_s", "Fastest"), ("share", "Highest share")]
)
def test_two_objectives_of_one_unit_have_names_of_their_own(name: str, words: str) -> None:
    get_app()
    from frontend.pages.run.header import _extreme

    quantities = (
        Quantity("energy_j", "Energy with exit", "J", "minimise", "objective"),
        Quantity("backbone_energy_j", "Energy without exit", "J", "minimise", "objective"),
        Quantity("latency_s", "Latency", "s", "minimise", "objective"),
        Quantity("share", "Share", "%", "maximise", "objective"),
    )
    designs = RunDesigns.empty(quantities, "energy_j")
    assert words in str(_extreme(designs, designs.quantity(name)))


def test_what_a_run_waits_for_is_said_beside_its_progress_until_the_next_line(run: Run) -> None:
    get_app()
    from frontend.pages.run.header import progress_line
    from frontend.pages.run.run_reader import designs_of

    words = "The run waits for the cluster: it has no worker."
    run.log.create(number=1000, attempt=1, level="waiting", text=words)
    assert words not in str(progress_line(run, designs_of(run)))
    run.status = Run.Status.RUNNING
    assert words in str(progress_line(run, designs_of(run)))
    run.log.create(number=1001, attempt=1, level="info", text="The cluster answers again.")
    assert words not in str(progress_line(run, designs_of(run)))


def test_a_run_with_a_language_model_leads_to_the_survey_of_the_same_model(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    get_app()
    from frontend.pages.run import header
    from webapp.runs import service as runs

    own = read_configuration({**QWEN3_4B, "num_hidden_layers": 2}, "qwen3-4b.json").content
    store_version(people.owner, people.project, "workload", own)
    document = {
        "engine": "language-mapping",
        "inputs": {"hardware": "rk3588", "workload": "lab/qwen3-4b"},
        "params": {"bits": "w8a8"},
    }
    run = runs.create(people.owner, document)

    def address(person: Any) -> str:
        monkeypatch.setattr(header, "current_user", lambda: person)
        return "".join(link.href for link in header._survey_link(run))

    assert address(people.owner) == "/survey?workload=lab/qwen3-4b&bits=w8a8&prompt=512&answer=128"
    assert address(people.stranger) == ""
    # The survey takes the newest version, which is no longer the model of the run.
    changed = read_configuration({**QWEN3_4B, "num_hidden_layers": 3}, "qwen3-4b.json").content
    store_version(people.owner, people.project, "workload", changed)
    assert address(people.owner) == ""
