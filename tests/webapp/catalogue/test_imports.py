"""Files of people become versions of documents."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engines.contract.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents.builtin import get_builtin
from tests.engines.workloads.importing.onnx_models import convolutional
from tests.engines.workloads.importing.test_onnx_reader import with_unknown
from tests.hardware.zigzag_for_tests import OLDER
from tests.support.stored_runs import People
from webapp.catalogue.command_line import upload_from
from webapp.catalogue.imports import Upload, import_upload, names_file, upload_of
from webapp.catalogue.models import Document, DocumentVersion
from webapp.teams.visibility import NotAllowed

pytestmark = pytest.mark.django_db


def test_a_network_becomes_a_version_and_the_same_file_no_second_one(people: People) -> None:
    upload = Upload("small.onnx", convolutional())
    first = import_upload(people.owner, people.project, upload)
    again = import_upload(people.editor, people.project, upload)
    assert (first.reference, first.created, again.created) == (f"{people.project.slug}/small@1", True, False)
    assert first.summary.startswith("3 layers") and first.report["layers"] == 3
    other = import_upload(people.owner, people.project, Upload("small.onnx", convolutional("n"), dims={"n": 2}))
    assert other.reference.endswith("small@2")


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
        (Upload("net.txt", b"x"), "file"),
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
    assert [names_file(text) for text in ("a.ONNX", "b/c.yaml", "lab/net@2", "resnet50")] == [True, True, False, False]
    with pytest.raises(ProblemError, match="No such file"):
        upload_of(tmp_path / "nothing.onnx")


# -- manage.py import-workload ----------------------------------------------------------------------------------------


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command("import_workload", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_says_how_each_operator_was_read(people: People, tmp_path: Path) -> None:
    file = tmp_path / "odd.onnx"
    file.write_bytes(with_unknown())
    text = command(str(file), "--name", "Odd net", "--exclude", "NonZero", "--user", people.owner.get_username())
    assert "without a cost model: my.domain.GridThing × 2, MatMul (size not known) × 1" in text
    assert "left out, as asked: NonZero × 1" in text and "computed: MatMul × 1" in text
    assert "depends on the data, as NonZero gives it; give it a size: --dim nz.1=100" in text
    assert "Odd net: 1 layer," in text and "odd-net@1 (stored)" in text


def test_the_command_asks_for_open_dimensions(people: People, tmp_path: Path) -> None:
    file = tmp_path / "small.onnx"
    file.write_bytes(convolutional("batch"))
    owner = ("--user", people.owner.get_username())
    with pytest.raises(CommandError, match="--dim batch=1") as caught:
        command(str(file), *owner)
    assert caught.value.returncode == 2
    for wrong in ("batch", "batch=", "=1", "batch=-1", "batch=1.5"):
        with pytest.raises(CommandError, match="NAME=SIZE"):
            command(str(file), "--dim", wrong, *owner)
    assert "3 layers" in command(str(file), "--dim", "batch=1", *owner)


# -- manage.py import-hardware ----------------------------------------------------------------------------------------


def test_hardware_is_imported_with_what_has_no_counterpart_told(people: People, tmp_path: Path) -> None:
    file, out = tmp_path / "acc.yaml", io.StringIO()
    file.write_text(to_yaml(OLDER))
    given = ("import_hardware", str(file), "--user", "ann")
    with pytest.raises(CommandError, match="process_node_nm"):
        call_command(*given, "--dim", "clock_mhz=200", stdout=out)
    call_command(*given, "--dim", "clock_mhz=200", "--dim", "process_node_nm=28", stdout=out)
    words = out.getvalue()
    assert "ZigZag hardware" in words and "row_buffer" in words and "small-array@1 (stored)" in words


def test_figures_that_hardware_leaves_open_are_not_said_of_networks(tmp_path: Path) -> None:
    options = {"dim": ["clock_mhz=200", "n=2"], "exclude": ["NonZero"]}
    for name, kind, dims in (
        ("a.yaml", "hardware", {"clock_mhz": 200}),
        ("a.onnx", "workload", {"n": 2}),
        ("a.yaml", "workload", {}),
    ):
        file = tmp_path / name
        file.write_bytes(b"x")
        assert upload_from(file, options, kind).dims == dims
