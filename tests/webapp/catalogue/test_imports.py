"""Files of people become versions of documents."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from engines.workloads.importing.gguf.gguf_file import MAX_HEADER_BYTES
from engines.workloads.importing.limits import MAX_FILE_BYTES
from tests.engines.workloads.importing.gguf.gguf_files import model_header
from tests.engines.workloads.importing.onnx.onnx_models import convolutional
from tests.engines.workloads.language.configurations import SMALL
from tests.support.stored_runs import People
from webapp.catalogue.imports import Upload, import_upload, names_file, upload_of
from webapp.catalogue.models import Document, DocumentVersion
from webapp.catalogue.service import NameTakenError, store_version
from webapp.teams.visibility import NotAllowed

pytestmark = pytest.mark.django_db


def test_a_network_becomes_a_version_and_the_same_file_no_second_one(people: People) -> None:
    upload = Upload("small.onnx", convolutional())
    first = import_upload(people.owner, people.project, upload)
    again = import_upload(people.editor, people.project, upload)
    assert (first.reference, first.created, again.created) == (f"{people.project.slug}/small@1", True, False)
    assert first.summary.startswith("3 layers") and first.report["layers"] == 3
    changed = Upload("small.onnx", convolutional("n"), dims={"n": 2})
    with pytest.raises(NameTakenError, match="version 1 has other content") as caught:
        import_upload(people.owner, people.project, changed)
    assert (caught.value.got, caught.value.remedies[-1][1:]) == (first.reference, ("next_version", True))
    renamed = import_upload(people.owner, people.project, replace(changed, title="Other net"))
    other = import_upload(people.owner, people.project, replace(changed, next_version=True))
    assert (renamed.slug, renamed.version) == ("other-net", 1) and other.reference.endswith("small@2")
    there = import_upload(people.owner, people.project, changed)
    assert (there.version, there.created) == (2, False)
    content = {**DocumentVersion.objects.earliest("pk").content, "title": "Mine"}
    own = import_upload(people.owner, people.project, Upload("a.yaml", to_yaml(content).encode(), title="A third"))
    assert (own.slug, own.title) == ("a-third", "A third")


def test_a_gguf_file_is_stored_with_bits_and_only_its_header_is_read(people: People, tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    with path.open("wb") as file:
        file.write(model_header())
        file.truncate(3 * MAX_FILE_BYTES)  # weights, which nothing reads
    upload = upload_of(path)
    assert len(upload.data) == MAX_HEADER_BYTES
    found = import_upload(people.owner, people.project, upload)
    assert (found.slug, found.created) == ("small", True) and "Stored as well: small, decode" in found.report["notes"][
        -1
    ]
    stored = DocumentVersion.objects.get(document__slug="small").content
    assert {row.get("weight_bits") for row in stored["operations"] if row["kind"] == "gemm"} == {4.5, 6.5625}


def test_a_language_model_is_stored_as_two_networks_or_none(people: People) -> None:
    upload = Upload("tiny.json", json.dumps(SMALL).encode())
    found = import_upload(people.owner, people.project, upload)
    assert (found.slug, found.title, found.created) == ("tiny", "tiny", True)
    assert found.report["notes"][-1] == "Stored as well: tiny, decode after 512 (tiny-decode-after-512)."
    assert {each.slug for each in Document.objects.all()} == {"tiny", "tiny-decode-after-512"}
    assert "further" not in found.report
    with pytest.raises(ProblemError, match="num_hidden_layers"):
        import_upload(
            people.owner, people.project, Upload("b.json", json.dumps({**SMALL, "num_hidden_layers": 10**12}).encode())
        )
    wider = Upload("other.json", json.dumps({**SMALL, "hidden_size": 64}).encode(), title="tiny, decode after 512")
    with pytest.raises(NameTakenError):
        import_upload(people.owner, people.project, wider)
    assert Document.objects.count() == 2


@pytest.mark.parametrize("names", [("网络 🚀", "模型", "детектор", "δίκτυο"), ("net (最新)", "net"), ("🚀", "💡")])
def test_names_without_latin_letters_never_share_a_document(people: People, names: tuple[str, ...]) -> None:
    found = [import_upload(people.owner, people.project, Upload(f"{each}.onnx", convolutional())) for each in names]
    assert len({each.slug for each in found}) == len(names) and {each.version for each in found} == {1}
    assert [each.title for each in found] == list(names)


@pytest.mark.parametrize("title", ["a\u0007b", "a\nb", "\u200b", "\u3164", "x\u202ey"])
def test_titles_that_cannot_be_shown_are_refused(people: People, title: str) -> None:
    with pytest.raises(ProblemError, match="name: must be"):
        import_upload(people.owner, people.project, Upload("small.onnx", convolutional(), title=title))
    content = {**get_builtin("workload", "resnet50").content, "slug": "mine", "title": title}
    with pytest.raises(ProblemError, match="title: must be"):
        store_version(people.owner, people.project, "workload", content)


def test_a_network_with_the_name_of_a_built_in_gets_its_own(people: People) -> None:
    found = import_upload(people.owner, people.project, Upload("resnet50.onnx", convolutional()))
    assert found.slug == "resnet50-imported"


def test_exported_hardware_is_recognised_and_an_edited_copy_is_stored(people: People, package: dict[str, Any]) -> None:
    builtin = get_builtin("hardware", "simba-3x3-het-sides")
    exported = Upload("board.yaml", to_yaml(builtin.content).encode())
    assert import_upload(people.owner, people.project, exported, "hardware").reference == builtin.slug
    assert not Document.objects.exists()
    mine = import_upload(people.owner, people.project, Upload("board.yml", to_yaml(package).encode()))
    assert (mine.kind, mine.version, mine.report) == ("hardware", 1, {})
    stored = DocumentVersion.objects.get()
    again = import_upload(people.owner, people.project, Upload("b.yaml", to_yaml(stored.content).encode()))
    assert (again.created, again.version) == (False, 1)


@pytest.mark.parametrize(
    ("upload", "field"),
    [
        (Upload("net.fit", b"x"), "file"),
        (Upload("net.onnx", convolutional()[:100]), "file"),
        (Upload("net.onnx", convolutional("batch")), "dims"),
        (Upload("net.onnx", convolutional(), exclude=("Conv",)), "exclude"),
        (Upload("board.yaml", b"schema: [", dims={}), "document"),
        (Upload("board.yaml", b"schema: x/1", dims={"batch": 1}), "dims"),
        (Upload("board.yaml", b"schema: x/1\nslug: a"), "schema"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_stored(people: People, upload: Upload, field: str) -> None:
    with pytest.raises(ProblemError) as caught:
        import_upload(people.owner, people.project, upload)
    assert caught.value.field == field and not Document.objects.exists()


def test_a_line_is_named(people: People, package: dict[str, Any]) -> None:
    text = to_yaml({**package, "word_bytes": "one"})
    with pytest.raises(ProblemError) as caught:
        import_upload(people.owner, people.project, Upload("board.yaml", text.encode()))
    assert text.splitlines()[(caught.value.line or 0) - 1].startswith("word_bytes")


def test_only_editors_import(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.catalogue.imports.read_upload", None)  # before anything is read
    with pytest.raises(NotAllowed):
        import_upload(people.viewer, people.project, Upload("small.onnx", convolutional()))


def test_files_are_told_by_their_ending(tmp_path: Path) -> None:
    files, names = ("a.ONNX", "b/c.yaml", "run.gpx.gz", "run.fit"), ("lab/net@2", "resnet50", "resnet50@1")
    assert all(map(names_file, files)) and not any(map(names_file, names))
    with pytest.raises(ProblemError, match="No such file"):
        upload_of(tmp_path / "nothing.onnx")


# -- manage.py import-workload ----------------------------------------------------------------------------------------


# -- manage.py import-hardware ----------------------------------------------------------------------------------------
