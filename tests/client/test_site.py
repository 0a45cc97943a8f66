"""The catalogue, documents and what is started, over the client."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import yaml
from django.db import connections

from paretoscope_client import ChangedError, Paretoscope, RefusedError
from tests.client.conftest import connected
from tests.support.live import LiveSite
from tests.support.stored_runs import People


def test_what_there_is_is_listed(site: Paretoscope) -> None:
    assert "toy" in [engine["name"] for engine in site.engines()]
    assert site.engine("toy")["name"] == "toy"
    assert {project["slug"]: project["role"] for project in site.projects()}["lab"] == "maintainer"
    hardware = list(site.documents("hardware"))
    assert len(hardware) == len({document.slug for document in hardware}) > 20
    assert {document.schema for document in site.documents(schema="soc/1")} == {"soc/1"}
    assert site.plan("toy")["evaluations"] == 20


def test_numbers_of_numpy_and_of_every_form_of_json_are_numbers(site: Paretoscope) -> None:
    assert site.plan("toy", params={"steps": np.int64(2)}, seed=np.uint8(3))["evaluations"] == 8  # type: ignore[arg-type]
    assert site.plan("toy", params={"steps": 2e0, "energy_limit_j": np.float32(1e3)}, seed=1e3)["evaluations"] == 8  # type: ignore[arg-type]


def test_a_document_is_stored_in_versions(site: Paretoscope) -> None:
    content = dict(site.document("hardware", "simba-3x3-nvdla").content) | {"slug": "mine", "title": "Mine"}
    first = site.store(content, project="lab")
    assert (first.slug, first.version, first.project) == ("mine", 1, "lab")
    assert site.store(content, project="lab").version == 1
    assert site.store(content | {"title": "Mine again"}, project="lab").version == 2
    assert site.document("hardware", "mine", project="lab", version=1).title == "Mine"
    assert first.reference == "lab/mine@1"


def test_the_second_of_two_who_edit_at_once_loses_nothing(site: Paretoscope, people: People) -> None:
    """The second is told, reads what the first has stored, and makes the change on that."""
    other = connected(people.editor)
    start = dict(site.document("hardware", "simba-3x3-nvdla").content) | {"slug": "board", "title": "Board"}
    site.store(start, "lab")
    mine, theirs = (each.document("hardware", "board", project="lab") for each in (site, other))
    site.store(dict(mine.content) | {"title": "Renamed"}, "lab", seen=mine)
    with pytest.raises(ChangedError, match="changed since"):
        other.store(dict(theirs.content) | {"title": "Board of nine"}, "lab", seen=theirs)
    newest = other.document("hardware", "board", project="lab")
    assert (newest.version, newest.title) == (2, "Renamed")
    both = other.store(dict(newest.content) | {"title": f"{newest.title}, of nine"}, "lab", seen=newest)
    assert (both.version, both.title) == (3, "Renamed, of nine")
    first = site.document("hardware", "board", project="lab", version=1)
    restored = site.store(first.content, "lab", seen=both)
    assert (restored.version, restored.title) == (4, "Board"), "an earlier version comes back as a new one"


@pytest.mark.long
def test_of_many_who_store_at_once_one_does(live_site: LiveSite) -> None:
    """On both databases, from threads with connections of their own."""
    site = connected(live_site.ann)
    start = dict(site.document("hardware", "simba-3x3-nvdla").content) | {"slug": "board"}
    seen = site.store(start)

    def store(number: int) -> int | None:
        try:
            return site.store(start | {"title": f"Title {number}"}, seen=seen).version
        except ChangedError:
            return None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(store, range(6)))
    assert sorted(found, key=str) == [2, *[None] * 5]
    assert site.document("hardware", "board").title == f"Title {found.index(2)}"


def test_a_file_is_uploaded(site: Paretoscope, tmp_path: Path) -> None:
    content = dict(site.document("hardware", "simba-3x3-nvdla").content) | {"slug": "from-file"}
    file = tmp_path / "from-file.yaml"
    file.write_text(yaml.safe_dump(content))
    stored = site.upload(file, project="lab")
    assert stored.created and stored.reference == "lab/from-file@1" and stored.project == "lab"
    assert not site.upload(str(file), project="lab").created
    with pytest.raises(RefusedError):
        site.upload(file, kind="workload")


def test_a_run_goes_where_it_is_told(site: Paretoscope, people: People) -> None:
    run = site.explore("toy", params={"steps": 3}, seed=4, title="In the lab", project="lab", stop_after_minutes=2)
    assert (run.facts["project"], run.facts["seed"], run.facts["stop_after_minutes"]) == ("lab", 4, 2.0)
    assert run.title == "In the lab" and run.url == f"http://testserver/runs/{run.number}"
    assert site.explore("toy").facts["project"] == people.owner.personal_project.slug
    assert [each.number for each in site.runs(project="lab")] == [run.number]
    assert "Paretoscope http://testserver" in repr(site)
    with site:
        pass


def test_a_survey_is_a_frame_by_device(site: Paretoscope) -> None:
    every = site.survey("resnet18")
    chosen = site.survey("resnet18", ["raspberry-pi-5", "jetson-tx2"], bits="int8")
    assert list(chosen.index) == ["raspberry-pi-5", "jetson-tx2"] and len(every) > 79
    assert chosen.latency_s.between(1e-4, 1).all() and chosen.attrs["network"] == "ResNet-18, 224x224"
    assert chosen.energy_j.isna()["raspberry-pi-5"] and chosen.energy_j["jetson-tx2"] > 0
    assert every[every.latency_s.isna()].reason.str.len().min() > 10
    with pytest.raises(ValueError, match="no device abacus"):
        site.survey("resnet18", ["abacus"])
    with pytest.raises(RefusedError) as refused:
        site.survey("resnet18", bits="w3")
    assert refused.value.field == "bits"
