"""A changed copy of a calibrated device keeps what was measured, whichever way it was made."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml

from engines.contract.encoding.document_text import to_yaml
from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.families import example, family_called
from engines.documents.problems import make_problem
from engines.methods.soc_mapping.problem.instance import instance_of
from engines.registry import get_engine
from engines.running.inspection import plan as plan_of
from frontend.pages.hardware_form.data import NAMES, SOURCE
from frontend.pages.hardware_form.rail import drawn_facts
from frontend.pages.hardware_form.values import built_values, value_groups
from tests.support.stored_runs import People
from webapp.catalogue.imports import Upload, import_upload
from webapp.catalogue.service import copy_of, resolve, store_version
from webapp.comparisons.certainty import estimator_of
from webapp.comparisons.differences import differing
from webapp.runs import service
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.models import Run
from webapp.teams.visibility import Principal, personal_project

pytestmark = pytest.mark.django_db

XAVIER = "jetson-agx-xavier"


def problem_on(hardware: Document) -> Problem:
    """ResNet-50 on a device; what no calibration of it measured is estimated, units by their data sheet too."""
    inputs = {"hardware": hardware, "workload": get_builtin("workload", "resnet50")}
    return make_problem("soc-mapping", inputs, {"unmeasured": "datasheet"})


def assert_inherits(principal: Principal, name: str) -> None:
    """Twice the bytes per cycle: the calibration of Xavier, scaled, and nothing slower."""
    problem, original = problem_on(resolve(principal, "hardware", name)), problem_on(get_builtin("hardware", XAVIER))
    words, kind = get_engine("soc-mapping").estimator(problem)
    assert f"of {XAVIER}, scaled to" in words and kind == "data sheet", (
        "units without measurements are the least sure part"
    )
    faster, measured = instance_of(problem), instance_of(original)
    places = [faster.units.index(unit) for unit in measured.units]
    now, before = faster.costs.latency_s[:, places], measured.costs.latency_s
    assert (now <= before).all() and (now < before).any()
    notes = plan_of(problem).notes
    assert any("64 bytes per cycle, now 128" in note for note in notes)


def test_a_copy_made_in_the_form(people: People) -> None:
    opened = copy_of(people.owner, "hardware", XAVIER)
    raw = {name: words for group in value_groups(opened) for name, words in group.values.items()}
    raw |= {name: str(opened[name]) for name in NAMES} | {SOURCE: "a wider bus", "memory:bytes_per_cycle": "128"}
    content, mistakes = built_values(opened, raw)
    assert mistakes == []
    assert "64 bytes per cycle, now 128" in str(drawn_facts(content))
    store_version(people.owner, people.project, "hardware", content)
    assert_inherits(people.owner, opened["slug"])


def edited_yaml(content: Any, slug: str) -> bytes:
    text = to_yaml(content).replace("bytes_per_cycle: 64", "bytes_per_cycle: 128")
    return text.replace(f"slug: {content['slug']}", f"slug: {slug}", 1).encode()


def test_an_uploaded_file_that_was_exported_and_edited(people: People) -> None:
    content = get_builtin("hardware", XAVIER).content
    import_upload(people.owner, people.project, Upload("wide.yaml", edited_yaml(content, "wide")), "hardware")
    assert resolve(people.owner, "hardware", "wide").content["lineage"] == ["wide", XAVIER]
    assert_inherits(people.owner, "wide")
    again = edited_yaml(resolve(people.owner, "hardware", "wide").content, "wider")
    import_upload(people.owner, people.project, Upload("wider.yaml", again), "hardware")
    assert resolve(people.owner, "hardware", "wider").content["lineage"] == ["wider", "wide", XAVIER]
    assert_inherits(people.owner, "wider")


def test_an_unchanged_export_stays_the_built_in(people: People) -> None:
    content = get_builtin("hardware", XAVIER).content
    found = import_upload(people.owner, people.project, Upload("x.yaml", to_yaml(content).encode()), "hardware")
    assert (found.project, found.slug) == (None, XAVIER)


def test_content_sent_as_it_was_read(people: People) -> None:
    content = copy.deepcopy(dict(get_builtin("hardware", XAVIER).content)) | {"slug": "sent"}
    content["memory"]["bytes_per_cycle"] = 128
    store_version(people.owner, people.project, "hardware", content)
    assert_inherits(people.owner, "sent")


def test_a_run_in_a_bundle_and_what_comparing_it_says(people: People) -> None:
    content = edited_yaml(get_builtin("hardware", XAVIER).content, "wide")
    import_upload(people.owner, people.project, Upload("wide.yaml", content), "hardware")
    runs = [
        service.create(
            people.owner, {"engine": "soc-mapping", "inputs": {"hardware": device, "workload": "magnas-vig-s-gin"}}
        )
        for device in (XAVIER, "wide")
    ]
    Run.objects.update(status="stopped")
    with write_bundle(Run.objects.get(pk=runs[1].pk)) as stream:
        imported = import_bundle(people.stranger, personal_project(people.stranger), stream.read())
    assert estimator_of(imported) == estimator_of(runs[1])
    rows = {row.name: row.values for row in differing([runs[0], imported])}
    assert rows["estimator"] == (
        "roofline of systems on a chip, fp16, calibration xavier-magnas",
        f"roofline of systems on a chip, fp16, calibration xavier-magnas of {XAVIER}, scaled to wide",
    )


def test_a_device_of_one_s_own_hands_its_calibration_on(people: People) -> None:
    board = {**yaml.safe_load(to_yaml(get_builtin("hardware", "snapdragon-855").content)), "slug": "mine"}
    store_version(people.owner, people.project, "hardware", {**board, "lineage": []})
    assert copy_of(people.owner, "hardware", "mine")["lineage"] == ["mine"]
    store_version(people.owner, people.project, "hardware", copy_of(people.owner, "hardware", "mine"))
    assert resolve(people.owner, "hardware", "mine-copy").content["lineage"] == ["mine-copy", "mine"]


def test_the_example_of_the_schema_is_a_copy_of_nothing(people: People) -> None:
    assert "lineage" not in example(family_called("soc"))
