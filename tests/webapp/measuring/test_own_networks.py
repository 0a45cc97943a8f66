"""Uploaded networks: the file itself is measured, whole and in the pieces of a run's designs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import onnx
import pytest

from engines.contract.errors import ProblemError
from paretoscope_agent.limited import measure_limited
from paretoscope_agent.measuring import Conditions
from tests.engines.workloads.importing.onnx.own_network import VOCABULARY, transformer
from tests.support.stored_runs import People, computed_run
from webapp.catalogue.imports import Upload
from webapp.catalogue.models import Document
from webapp.limits.models import ProjectLimits
from webapp.limits.usage import used
from webapp.measuring import jobs
from webapp.measuring.calibrations import newest_results
from webapp.measuring.designs import ask_designs
from webapp.measuring.models import AgentDevice, DesignPiece, Measurement, RunnableFile
from webapp.measuring.run_measurements import DeviceMeasurer
from webapp.runs.models import DocumentFile, FileBlob
from webapp.runs.storage.document_files import import_file, network_copies
from webapp.runs.storage.files import sweep_contents

UPLOAD = Upload("mine.onnx", transformer().SerializeToString(), dims={"length": 12})
SPLIT: dict[str, Any] = {
    "engine": "split-network",
    "inputs": {"hardware": "jetson-tx2", "workload": "lab/mine", "radio": "wifi-smartphone"},
    "params": {"compression": 1.0, "unmeasured": "assumed"},
    "title": "Cuts of mine",
}  # fmt: skip


def test_an_agent_measures_the_uploaded_file(people: People, device: AgentDevice, tmp_path: Path) -> None:
    assert import_file(people.owner, people.project, UPLOAD).reference == "lab/mine@1"
    jobs.ask(people.editor, device, ["lab/mine"], [1])
    job = jobs.take_here(device)
    assert job is not None and job.network.about["whole_numbers"] == {"//tokens": VOCABULARY}
    (tmp_path / "network.onnx").write_bytes(bytes(job.network.onnx))
    limits = {"memory_mb": 4096, "time_s": 60}
    jobs.answer(
        job,
        result=measure_limited(tmp_path / "network.onnx", Conditions(time_s=0.1), about=job.network.about, **limits),
    )
    rows = {each["name"] for each in job.network.content["operations"]}
    assert {node["name"] for node in Measurement.objects.get().profiled["nodes"]} <= rows
    assert [each.network.slug for each in newest_results(device, 1)] == ["mine"]
    RunnableFile.objects.update(content={**job.network.content, "weight_bits": 8})
    assert not newest_results(device, 1), "a calibration in fp32 leaves other precisions out"


def test_an_upload_of_an_older_release_is_written_until_it_is_uploaded_again(
    people: People, device: AgentDevice
) -> None:
    import_file(people.owner, people.project, UPLOAD)
    DocumentFile.objects.all().delete()
    with pytest.raises(ProblemError, match="gather"):
        jobs.ask(people.editor, device, ["lab/mine"], [1])
    assert not import_file(people.owner, people.project, UPLOAD).created
    assert len(jobs.ask(people.editor, device, ["lab/mine"], [1]).waiting) == 1


def test_pieces_of_designs_are_cut_out_of_the_file(people: People, device: AgentDevice) -> None:
    import_file(people.owner, people.project, UPLOAD)
    run = computed_run(people, SPLIT)
    asked = ask_designs(people.editor, run, range(run.design_count), device, 1)
    assert asked.waiting > 2 and all("All layers run on the server" in words for words in asked.refused.values())
    operators = {
        node.op_type
        for piece in DesignPiece.objects.select_related("file")
        for node in onnx.load_from_string(bytes(piece.file.onnx)).graph.node
    }
    assert {"Gather", "Reshape", "Transpose"} <= operators
    run.measure = {"device": device.pk, "designs": 3, "threads": 1, "wait_minutes": 1}
    assert set(DeviceMeasurer(run).budget.copies) == {"mine"}, "and so while a run searches"


def test_the_copy_counts_is_seen_by_members_and_goes_with_the_document(people: People) -> None:
    before = used("stored_mb", "project", people.project.pk)
    import_file(people.owner, people.project, UPLOAD)
    content = Document.objects.get(slug="mine").versions.get().content
    copy = network_copies(people.viewer, [content])["mine"]
    assert not network_copies(people.stranger, [content])
    assert used("stored_mb", "project", people.project.pk) - before == pytest.approx(len(copy) / 1e6)
    Document.objects.get(slug="mine").delete()
    assert sweep_contents() == 1 and not FileBlob.objects.exists()


def test_a_project_without_room_refuses_the_upload(people: People) -> None:
    ProjectLimits.objects.create(project=people.project, stored_mb=1)
    import_file(people.owner, people.project, UPLOAD)
    FileBlob.objects.update(size=999_999)
    with pytest.raises(ProblemError, match="MB stored"):
        import_file(people.owner, people.project, replace(UPLOAD, title="Another"))
    assert Document.objects.count() == 1
