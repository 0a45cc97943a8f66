"""Measurements over REST: a fit that is only shown, one that is stored, and what is wrong with a file."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rest_framework.test import APIClient

from hardware.calibration.loader import load_calibration
from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.models import Document

URL = "/api/v1/calibrations/fit/"
CSV = (
    "layer,unit,latency_ms,energy_mj\n,gpu,20.0,300\nfeatures.0,gpu,0.5,6\nfeatures.2,gpu,1.6,\nfeatures.34,gpu,0.4,\n"
)
LOG = "EMC_FREQ 20%@2133 GR3D_FREQ 99%@1377 GPU 12000/12000 VDDRQ 2000/2000\n" * 3


def named(name: str, text: str | bytes) -> io.BytesIO:
    file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
    file.name = name
    return file


def fit(client: APIClient, text: str | bytes = CSV, /, name: str = "run.csv", **fields: Any) -> Any:
    given = {"soc": "jetson-agx-xavier", "workload": "vgg19", **fields}
    return client.post(URL, {"file": named(name, text), **given}, format="multipart")


def test_a_fit_is_shown_and_stored_only_when_asked(client: APIClient, people: People) -> None:
    shown = fit(client, prior="xavier-map-and-conquer", title="My board", project="lab")
    body = shown.json()
    assert (shown.status_code, body["reference"], body["created"]) == (200, None, False), body
    calibration = load_calibration(body["content"])
    assert calibration.slug == "my-board" and calibration.author == "ann"
    assert body["errors"]["fitted"]["rows"] == len(calibration.rows) == 6 and body["errors"]["left_out"]["median"] > 0
    assert not Document.objects.exists()
    stored = fit(client, prior="xavier-map-and-conquer", title="My board", project="lab", store="true")
    assert (stored.status_code, stored.json()["reference"]) == (201, "lab/my-board@1")
    assert client.get("/api/v1/documents/calibration/my-board/").json()["content"] == body["content"]
    again = fit(client, prior="xavier-map-and-conquer", title="My board", project="lab", store="true")
    assert (again.status_code, again.json()["reference"], again.json()["created"]) == (200, "lab/my-board@1", False)


def test_a_profile_and_a_log_make_energies(client: APIClient) -> None:
    profile = '[{"count": 10}, {"name": "features.0 + relu", "averageMs": 0.5}, {"name": "Reformat", "averageMs": 0.1}]'
    with_log = {"unit": "gpu", "clock": ["gpu=1377"], "name": "profile.json"}
    asked = fit(client, profile, **with_log, tegrastats=named("t.log", LOG))
    assert (asked.status_code, asked.json()["field"]) == (400, "rails")
    assert asked.json()["got"] == {"GPU": 12.0, "VDDRQ": 2.0}
    body = fit(client, profile, **with_log, tegrastats=named("t.log", LOG), rail=["GPU", "VDDRQ"]).json()
    assert [(row["quantity"], row["measured"]) for row in body["content"]["rows"]] == [
        ("latency", 0.5),
        ("energy", 7.0),
    ]
    assert body["report"]["unmatched"] == [
        {"line": 3, "name": "Reformat", "latency_ms": 0.1, "folded": False, "nearest": "", "copy": True}
    ]
    assert body["report"]["rails_w"] == {"GPU": 12.0, "VDDRQ": 2.0} and body["report"]["notes"] == []


def test_a_file_may_name_its_networks(client: APIClient) -> None:
    text = "layer,unit,latency_ms,workload\n,gpu,20.0,vgg19\n,gpu,8.0,resnet50\n"
    rows = fit(client, text, workload="").json()["content"]["rows"]
    assert [row["workload"] for row in rows] == ["vgg19", "resnet50"]


def test_totals_scale_a_calibration(client: APIClient) -> None:
    body = fit(client, "layer,unit,latency_ms\n,gpu,50.52\n", scale="xavier-map-and-conquer").json()
    assert body["content"]["scales"][0]["latency_factor"] == pytest.approx(2, rel=0.01)


HEAD = "layer,unit,latency_ms\n"


@pytest.mark.parametrize(
    ("text", "fields", "field"),
    [
        (HEAD + "features.0,gpu,nan\n", {}, "line 2.latency_ms"),
        (HEAD.encode() + b"features.0,gpu,\xff\n", {}, "line 2"),
        ("layer,unit,latency_ms,workload\n,gpu,1,nothing\n", {}, "workload"),
        ('[{"name": "features.0", "averageMs": NaN}]', {"unit": "gpu"}, "profile.0.averageMs"),
        ('[{"name": "features.0", "averageMs": [1]}]', {"unit": "gpu"}, "profile.0.averageMs"),
        (CSV, {"unit": "gpu", "clock": ["gpu=fast"]}, "clock"),
        (CSV, {"soc": "simba-3x3-nvdla"}, "soc"),
        (CSV, {"soc": ""}, "soc"),
        (CSV, {"precision": "fp8"}, "precision"),
        (CSV, {"prior": "xavier-magnas", "scale": "xavier-magnas"}, "scales"),
        (CSV, {"store": "perhaps"}, "store"),
        (CSV, {"surprise": "1"}, "surprise"),
    ],
)
def test_what_is_wrong_is_named_by_line_and_column(
    client: APIClient, text: str | bytes, fields: dict[str, Any], field: str
) -> None:
    answer = fit(client, text, **fields)
    assert (answer.status_code, answer.json()["field"]) == (400, field), answer.json()
    assert answer.json()["accepted"] and not Document.objects.exists()


def test_foreign_projects_and_strangers_documents_are_left_alone(people: People) -> None:
    assert fit(client_of(people.stranger), project="lab").status_code == 404
    assert fit(client_of(people.viewer), project="lab").status_code == 403


def test_files_that_are_far_too_large_are_refused(client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.api.views.calibrations.MAX_BYTES", 50)
    assert fit(client).json()["field"] == "file"
