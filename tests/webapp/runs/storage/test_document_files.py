"""Documents with files: trained weights, data sets that were brought along, and who may read them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from engines.contract.errors import ProblemError
from engines.data.digits import digits
from engines.data.documents import packed_image_data
from engines.learning.weights_file import packed
from engines.methods.myml.uploaded_weights import FILE
from tests.engines.methods.magnas.problems import TINY_TRAINING
from tests.engines.methods.myml.problems import SMALL
from tests.support.databases import SQLITE
from tests.support.live import LiveSite
from webapp.catalogue import service as catalogue
from webapp.catalogue.imports import Upload
from webapp.catalogue.models import DocumentVersion
from webapp.runs import service
from webapp.runs.foreground import run_here
from webapp.runs.models import FileBlob, Run
from webapp.runs.results.readers import load_designs
from webapp.runs.storage.document_files import import_file, store_documents_of, store_with_file
from webapp.runs.storage.files import RunFileKeeper, read_content, sweep_contents
from webapp.runs.storage.lease import FencingToken
from webapp.teams.visibility import NotAllowed, personal_project

TINY = [part for name, value in TINY_TRAINING.items() for part in ("--set", f"{name}={value}")]


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command(arguments[0].replace("-", "_"), *arguments[1:], stdout=out)
    return out.getvalue()


@SQLITE
@pytest.mark.long
def test_a_trained_supernet_is_searched_by_the_engine_that_takes_its_weights(live_site: LiveSite) -> None:
    pytest.importorskip("torch")
    said = command("explore", "train-supernet", *TINY, "--seed", "3", "--user", "ann")
    assert "In the catalogue: ann/supernet-small-digits@1" in said and "paretoscope explore magnas" in said
    version = DocumentVersion.objects.get()
    training = Run.objects.get()
    assert version.files.get().blob_id == version.content["file"]["sha256"]
    assert store_documents_of(training.pk) == ["In the catalogue: ann/supernet-small-digits@1, " + version.title + "."]
    assert DocumentVersion.objects.count() == 1  # the same again changes nothing
    problem = {
        "engine": "magnas",
        "inputs": {"hardware": "jetson-agx-xavier", "weights": "ann/supernet-small-digits"},
        "params": {"evaluations": 4, "population": 4, "validation_images": 16},
    }
    run = run_here(live_site.ann, problem)
    assert run.status == "done", run.outcome_detail
    assert run.design_count >= 4 and "torch" in run.needs
    # Bob sees neither the document nor, through his own run, its file.
    with pytest.raises(ProblemError, match="weights"):
        service.create(live_site.bob, problem)


@SQLITE
@pytest.mark.long
def test_weights_bring_the_data_set_that_they_learnt(live_site: LiveSite) -> None:
    pytest.importorskip("torch")
    content, file = packed_image_data(digits(), "my-digits")
    store_with_file(live_site.ann, personal_project(live_site.ann), content, file)
    training = {"engine": "train-supernet", "inputs": {"data": "my-digits"}, "params": TINY_TRAINING, "seed": 3}
    assert run_here(live_site.ann, training).status == "done"
    search = {
        "engine": "magnas",
        "inputs": {"hardware": "jetson-agx-xavier", "weights": "ann/supernet-small-my-digits"},
        "params": {"evaluations": 4, "population": 4, "validation_images": 16, "baselines": False},
    }
    run = run_here(live_site.ann, search)
    assert run.status == "done", run.outcome_detail


@SQLITE
def test_a_document_keeps_its_file_when_the_run_that_made_it_is_deleted(live_site: LiveSite) -> None:
    content, file = packed_image_data(digits(), "my-digits")
    version = store_with_file(live_site.ann, personal_project(live_site.ann), content, file)
    assert sweep_contents() == 0 and FileBlob.objects.count() == 1
    version.document.delete()
    assert sweep_contents() > 0 and FileBlob.objects.count() == 0


@SQLITE
def test_a_run_reads_files_of_its_own_documents_alone(live_site: LiveSite) -> None:
    content, file = packed_image_data(digits(), "my-digits")
    store_with_file(live_site.ann, personal_project(live_site.ann), content, file)
    problem = {"engine": "train-supernet", "inputs": {"data": "my-digits"}, "params": TINY_TRAINING}
    own = service.create(live_site.ann, problem)
    other = service.create(live_site.bob, {**problem, "inputs": {}})
    sha256 = content["file"]["sha256"]
    assert RunFileKeeper(FencingToken(own.pk, 1)).get(sha256) == file
    with pytest.raises(KeyError):
        RunFileKeeper(FencingToken(other.pk, 1)).get(sha256)
    # A document that merely names the file, without having brought it, does not open it.
    named = catalogue.store_version(
        live_site.bob, personal_project(live_site.bob), "data", {**content, "title": "Mine"}
    )
    third = service.create(live_site.bob, {**problem, "inputs": {"data": f"bob/{named.document.slug}"}})
    with pytest.raises(KeyError):
        RunFileKeeper(FencingToken(third.pk, 1)).get(sha256)
    # Nor does one that repeats it word by word.
    copied = catalogue.store_version(live_site.bob, personal_project(live_site.bob), "data", content)
    fourth = service.create(live_site.bob, {**problem, "inputs": {"data": f"bob/{copied.document.slug}"}})
    with pytest.raises(KeyError):
        RunFileKeeper(FencingToken(fourth.pk, 1)).get(sha256)


@SQLITE
def test_a_document_that_names_another_file_is_refused(live_site: LiveSite) -> None:
    content, file = packed_image_data(digits(), "my-digits")
    with pytest.raises(ProblemError, match="SHA-256 of the file"):
        store_with_file(live_site.ann, personal_project(live_site.ann), content, file + b"more")
    assert not DocumentVersion.objects.exists() and not FileBlob.objects.exists()


@SQLITE
def test_weights_are_uploaded_with_their_file_once(live_site: LiveSite) -> None:
    data = packed({"a": np.zeros(3, np.float32)}, {"title": "Mine"})
    project = personal_project(live_site.ann)
    first, again = (import_file(live_site.ann, project, Upload("w.safetensors", data)) for _ in range(2))
    assert (first.reference, first.created, again.created) == ("ann/mine@1", True, False)
    assert read_content(DocumentVersion.objects.get().files.get().blob_id) == data
    with pytest.raises(ProblemError, match="undamaged"):
        import_file(live_site.ann, project, Upload("w.npz", data[:20]))
    with pytest.raises(NotAllowed):
        import_file(live_site.bob, project, Upload("w.safetensors", data))
    assert FileBlob.objects.count() == 1


@SQLITE
@pytest.mark.long
def test_weights_of_a_run_are_uploaded_and_start_another(live_site: LiveSite) -> None:
    pytest.importorskip("torch")
    problem = {"engine": "myml", "inputs": {"hardware": "snapdragon-855"}, "params": {**SMALL, "evaluations": 3}}
    first = run_here(live_site.ann, problem)
    assert first.status == "done", first.outcome_detail
    file = first.files.get(name=FILE)
    project = personal_project(live_site.ann)
    said = import_file(live_site.ann, project, Upload(file.name, read_content(file.blob_id)))
    again = run_here(live_site.ann, {**problem, "inputs": {"hardware": "snapdragon-855", "weights": said.reference}})
    assert again.status == "done", again.outcome_detail
    columns = [load_designs(run).columns["accuracy_percent"] for run in (first, again)]
    assert np.array_equal(*columns)


@SQLITE
def test_a_data_set_is_brought_along_by_command(live_site: LiveSite, tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    images = np.arange(60 * 3 * 64, dtype=np.uint8).reshape(60, 3, 8, 8)
    np.savez(path, features=images, labels=np.arange(60) % 3)
    said = command("import-data", "npz", str(path), "--name", "mine", "--user", "ann")
    assert "60 images of 3 × 8 × 8, 3 classes" in said and "explore train-supernet --input data=ann/mine@1" in said
    assert json.dumps(DocumentVersion.objects.get().content["examples"]).count(":") == 3
    with pytest.raises(CommandError, match="binary version"):
        command("import-data", "cifar-10", str(tmp_path), "--user", "ann")
