"""Files over REST, and the schemas that documents are checked against."""

from __future__ import annotations

import io
from typing import Any

import jsonschema
import pytest
import yaml
from rest_framework.test import APIClient

from engines.contract.encoding.document_text import to_yaml
from engines.documents.families import families, published
from engines.running.runner import limited_process
from frontend.pages.upload.result import result
from tests.engines.workloads.importing.onnx.onnx_models import convolutional
from tests.hardware.zigzag_for_tests import OLDER
from tests.support.stored_runs import People
from tests.webapp.api.conftest import client_of
from webapp.catalogue.models import Document

URL = "/api/v1/documents/upload/"


def upload(client: APIClient, name: str, data: bytes, /, **fields: Any) -> Any:
    file = io.BytesIO(data)
    file.name = name
    return client.post(URL, {"file": file, **fields}, format="multipart")


def test_a_network_becomes_a_document(client: APIClient) -> None:
    first = upload(client, "small.onnx", convolutional("n"), name="My net", dim=["n=2"])
    body = first.json()
    assert (first.status_code, body["reference"], body["title"]) == (201, f"{body['project']}/my-net@1", "My net")
    assert (
        body["report"]["layers"] == 3
        and {"operator": "Conv", "treatment": "computed", "count": 2} in body["report"]["operators"]
    )
    again = upload(client, "small.onnx", convolutional("n"), name="My net", dim=["n=2"])
    assert (again.status_code, again.json()["created"]) == (200, False)
    got = client.get(f"/api/v1/documents/workload/{body['slug']}/")
    assert got.json()["content"]["operations"][0]["name"] == "stem"


def test_other_content_under_a_taken_name_is_asked_about(client: APIClient) -> None:
    first = upload(client, "model.onnx", convolutional()).json()
    refused = upload(client, "model.onnx", convolutional("n"), dim=["n=2"])
    body = refused.json()
    assert (refused.status_code, body["field"], body["got"]) == (409, "name", first["reference"])
    page = str(result({"status": 409, "body": body, "file": "model.onnx"}))
    assert "Store as version 2" in page and "Store under this name" in page and "version 1 has other content" in page
    again = upload(client, "model.onnx", convolutional("n"), dim=["n=2"], next_version="true").json()
    other = upload(client, "model.onnx", convolutional("n"), dim=["n=2"], name="model b").json()
    assert [(each["slug"], each["version"]) for each in (again, other)] == [("model", 2), ("model-b", 1)]


def test_hardware_goes_out_and_comes_back(client: APIClient, people: People) -> None:
    exported = client.get("/api/v1/documents/hardware/simba-3x3-het-sides/document.yaml").content
    unchanged = upload(client, "board.yaml", exported, kind="hardware")
    assert (unchanged.status_code, unchanged.json()["reference"]) == (200, "simba-3x3-het-sides")
    content = yaml.safe_load(exported) | {"slug": "mine", "clock_mhz": 700.0}
    assert upload(client, "board.yaml", to_yaml(content).encode(), project="lab").status_code == 201
    back = client.get("/api/v1/documents/hardware/mine/document.yaml").content
    assert yaml.safe_load(back) == content
    assert upload(client, "board.yaml", back, project="lab").json()["created"] is False


@pytest.mark.parametrize(
    ("name", "data", "fields", "field"),
    [
        ("net.onnx", convolutional()[:50], {}, "file"),
        ("net.onnx", convolutional("n"), {}, "dims"),
        ("net.onnx", convolutional("n"), {"dim": ["n"]}, "dims"),
        ("net.bin", b"1", {}, "file"),
        ("net.onnx", convolutional(), {"kind": "hardware"}, "file"),
        ("net.onnx", convolutional(), {"kind": "cake"}, "kind"),
        ("net.onnx", convolutional(), {"surprise": "1"}, "surprise"),
        ("a.yaml", b"a: &x [1]\nb: *x", {}, "document"),
        ("w.safetensors", b"no weights", {}, "file"),
        ("w.npz", b"no weights", {}, "file"),
    ],
)
def test_what_is_wrong_is_named(client: APIClient, name: str, data: bytes, fields: dict[str, Any], field: str) -> None:
    answer = upload(client, name, data, **fields)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert answer.json()["accepted"] and not Document.objects.exists()


def test_open_dimensions_are_facts_for_a_form(client: APIClient) -> None:
    assert upload(client, "net.onnx", convolutional("batch")).json()["got"] == {"batch": None}


def test_the_line_is_told(client: APIClient) -> None:
    answer = upload(client, "board.yaml", client.get("/api/v1/schemas/soc/example.yaml").content + b"surprise: 1\n")
    assert answer.status_code == 400 and answer.json()["field"] == "surprise" and answer.json()["line"] > 10


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("power.csv", b"time_s,power_w\n0,1\n1,NaN\n", 3),
        ("route.gpx", b"<gpx><trk>\n<trkseg>\n<trkpt lat='148' lon='1'/></trkseg></trk></gpx>", 3),
        ("board.yaml", b"schema: soc/1\n\tslug: x\n", 2),
    ],
)
def test_the_line_is_told_of_every_format(client: APIClient, name: str, data: bytes, line: int) -> None:
    answer = upload(client, name, data).json()
    assert answer["line"] == line and answer["message"].startswith(f"line {line}, ")


def test_a_file_is_needed(client: APIClient) -> None:
    assert client.post(URL, {"name": "x"}, format="multipart").json()["field"] == "file"


def test_foreign_projects_are_not_written_to(people: People) -> None:
    assert upload(client_of(people.stranger), "net.onnx", convolutional(), project="lab").status_code == 404
    assert upload(client_of(people.viewer), "net.onnx", convolutional(), project="lab").status_code == 403


# -- schemas ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", [family.name for family in published()])
def test_every_schema_accepts_its_example_and_so_does_an_upload(client: APIClient, family: str) -> None:
    schema = client.get(f"/api/v1/schemas/{family}/").json()
    text = client.get(f"/api/v1/schemas/{family}/example.yaml").content
    jsonschema.Draft202012Validator(schema).validate(yaml.safe_load(text))
    assert upload(client, "example.yaml", text).status_code == 201
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({**yaml.safe_load(text), "surprise": 1})


def test_hardware_and_workloads_all_have_a_schema(client: APIClient) -> None:
    names = {family.name for kind in ("hardware", "workload") for family in families(kind)}
    assert names <= set(client.get("/api/v1/schemas/").json())
    assert client.get("/api/v1/schemas/cake/").status_code == 404


def test_an_accelerator_of_zigzag_becomes_a_package_that_engines_take(client: APIClient) -> None:
    data = to_yaml(OLDER).encode()
    assert upload(client, "acc.yaml", data).json()["got"] == {"clock_mhz": None, "process_node_nm": None}
    body = upload(client, "acc.yaml", data, dim=["clock_mhz=200", "process_node_nm=28"]).json()
    assert (body["kind"], body["schema"], body["slug"]) == ("hardware", "chiplet-package/1", "small-array")
    assert body["report"]["format"] == "ZigZag hardware" and any(
        "row_buffer" in note for note in body["report"]["notes"]
    )
    costs = client.get("/api/v1/workloads/resnet50/dataflows/", {"hardware": "small-array"})
    assert costs.status_code == 200 and costs.json()["choices"][0]["processing_elements"] == 64


def test_a_site_that_reads_other_files_answers_503_and_the_page_says_when_to_try_again(
    client: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited_process, "_SLOTS", limited_process.FairSlots(slots=0))
    monkeypatch.setattr(limited_process, "_WAIT_S", 0.0)

    def form(address: str, **fields: str) -> Any:
        return client.post(f"/api/v1/{address}", {"file": io.BytesIO(b"a,b"), **fields}, format="multipart")

    answers = [
        upload(client, "small.onnx", convolutional("n")),
        upload(client, "board.yaml", b"slug: mine"),
        form("runs/import/"),
        form("calibrations/fit/", soc="jetson-agx-xavier"),
    ]
    for answer in answers:
        assert answer.status_code == 503 and answer["Content-Type"] == "application/problem+json", answer.content
        assert int(answer["Retry-After"]) > 0
        assert f"Try again in {answer['Retry-After']} s" in answer.json()["message"]
    page = str(result({"status": 503, "body": answers[0].json(), "file": "small.onnx"}))
    assert "Try again in" in page and "was not read" in page and "Refused" not in page
