"""Downloads by name, type and content."""

from __future__ import annotations

import csv
import io
import json
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from rest_framework.test import APIClient

from engines.contract.results import Note
from webapp.runs.exports import documents
from webapp.runs.models import Run
from webapp.runs.results import readers


def _download(client: APIClient, run: Run, name: str, **query: Any) -> bytes:
    answer = client.get(f"/api/v1/runs/{run.pk}/{name}", query)
    assert answer.status_code == 200
    data = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert f'filename="run-{run.pk}-' in answer.headers["Content-Disposition"]
    return bytes(data)


def test_it_exports_csv_with_units(client: APIClient, run: Run) -> None:
    rows = list(csv.reader(io.StringIO(_download(client, run, "designs.csv").decode())))
    plain, marked = _download(client, run, "designs.csv"), _download(client, run, "designs.csv?bom=1")
    assert marked == b"\xef\xbb\xbf" + plain and not plain.startswith(b"\xef")
    assert rows[0] == ["design", "latency_s [s]", "energy_j [J]", "spread", "found_at_evaluation", "origin", "label"]
    stored = readers.load_designs(run)
    assert [float(row[1]) for row in rows[1:]] == stored.columns["latency_s"].tolist()
    assert [int(row[0]) for row in rows[1:]] == list(range(12))


@pytest.mark.parametrize("name", ["designs.parquet", "designs.arrow"])
def test_it_exports_columnar_files(client: APIClient, run: Run, name: str) -> None:
    data = _download(client, run, name)
    table = pq.read_table(io.BytesIO(data)) if name.endswith("parquet") else pa.ipc.open_file(data).read_all()
    assert table["energy_j"].to_pylist() == readers.load_designs(run).columns["energy_j"].tolist()
    assert table.schema.field("energy_j").metadata[b"unit"] == b"J"
    assert "decision" not in table.column_names


@pytest.mark.parametrize("name", ["designs.csv", "designs.parquet", "designs.arrow"])
def test_it_adds_decisions_on_demand(client: APIClient, run: Run, name: str) -> None:
    data = _download(client, run, name, decisions=1)
    if name.endswith("csv"):
        texts = [row["decision"] for row in csv.DictReader(io.StringIO(data.decode()))]
    else:
        opened = pq.read_table(io.BytesIO(data)) if name.endswith("parquet") else pa.ipc.open_file(data).read_all()
        texts = opened["decision"].to_pylist()
    assert [json.loads(text) for text in texts] == [readers.load_decision(run, number) for number in range(12)]


@pytest.mark.parametrize("decisions", [0, 1])
def test_it_exports_json_with_units(client: APIClient, run: Run, decisions: int) -> None:
    found = json.loads(_download(client, run, "designs.json", decisions=decisions))
    stored = readers.load_designs(run)
    assert [row["latency_s"] for row in found["designs"]] == stored.columns["latency_s"].tolist()
    assert next(c for c in found["columns"] if c["name"] == "energy_j")["unit"] == "J"
    assert found["problem"] == run.problem_hash
    if decisions:
        assert [row["decision"] for row in found["designs"]] == [readers.load_decision(run, n) for n in range(12)]
    else:
        assert "decision" not in found["designs"][0]


def test_it_exports_a_schedule_for_perfetto(client: APIClient, run: Run) -> None:
    trace = json.loads(_download(client, run, "schedule.json", design=2))
    spans = [event for event in trace["traceEvents"] if event["ph"] == "X" and event["cat"] != "window"]
    latency_s = readers.load_designs(run).columns["latency_s"][2]
    assert max(event["ts"] + event["dur"] for event in spans) == pytest.approx(latency_s * 1e6)
    assert trace["otherData"]["run"] == run.pk and trace["otherData"]["design"] == 2


def test_it_exports_the_problem(client: APIClient, run: Run) -> None:
    as_json = json.loads(_download(client, run, "problem.json"))
    assert yaml.safe_load(_download(client, run, "problem.yaml")) == as_json
    again = client.post("/api/v1/plan/", {**as_json}, format="json")
    assert again.json()["problem_hash"] == run.problem_hash


def test_it_refuses_other_switches(client: APIClient, run: Run) -> None:
    assert client.get(f"/api/v1/runs/{run.pk}/designs.csv", {"decisions": "yes"}).json()["field"] == "decisions"


def test_it_exports_the_schedule_of_the_best_design_by_default(client: APIClient, run: Run) -> None:
    trace = json.loads(_download(client, run, "schedule.json"))
    assert trace["otherData"]["design"] == readers.load_designs(run).columns["latency_s"].argmin()
    assert client.get(f"/api/v1/runs/{run.pk}/schedule.json", {"design": "-1"}).status_code == 400


def test_it_hands_out_a_document_of_a_design_by_name(
    client: APIClient, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = (
        Note("nvpmodel.conf", "Clocks", "< POWER_MODEL >\nGPU MAX_FREQ 1\n", role="document"),
        Note("remark", "Remark", "One line."),
    )
    monkeypatch.setattr(readers, "explain_design", lambda run, design: notes)
    assert _download(client, run, "design/2/documents/nvpmodel.conf").startswith(b"< POWER_MODEL >\n")
    missing = client.get(f"/api/v1/runs/{run.pk}/design/2/documents/remark")
    assert missing.status_code == 404 and "nvpmodel.conf" in missing.json()["message"]


def test_it_exports_results_and_what_to_cite(client: APIClient, run: Run) -> None:
    energy = list(csv.reader(io.StringIO(_download(client, run, "design/2/results/energy.csv").decode())))
    assert energy[0] == ["row", "column", "value", "unit"]
    name = next(iter(readers.results(run)))
    assert _download(client, run, f"results/{name}.csv")
    assert _download(client, run, "citation.bib").decode().startswith("% ")
    assert client.get(f"/api/v1/runs/{run.pk}/results/nowhere.csv").status_code == 404
    assert client.get(f"/api/v1/runs/{run.pk}/design/999/results/energy.csv").status_code == 404


def test_a_name_from_elsewhere_cannot_change_the_header(
    client: APIClient, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = (Note('a"; x=1\nSet-Cookie: b', "Strange", "two\nlines", role="document"),)
    monkeypatch.setattr(readers, "explain_design", lambda run, design: notes)
    (name,) = documents(notes)
    answer = client.get(f"/api/v1/runs/{run.pk}/design/2/documents/{quote(name)}")
    assert answer.status_code == 200 and "Set-Cookie" not in answer.headers
    assert answer.headers["Content-Disposition"].endswith('-2-a\\"; x=1_Set-Cookie: b"')
