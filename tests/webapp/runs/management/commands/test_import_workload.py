from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.engines.workloads.importing.onnx.onnx_models import convolutional, with_unknown
from tests.support.stored_runs import People

pytestmark = pytest.mark.django_db


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


def test_a_recording_is_recognised_and_the_command_says_where_it_belongs(people: People, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("time_s,power_w\n0,1\n1,2\n")
    words = r"scenario or network\. Got 'log\.csv, a recording' .*Add a recording on the page Catalogue.*NAME=log\.csv"
    with pytest.raises(CommandError, match=words):
        command(str(tmp_path / "log.csv"), "--user", people.owner.get_username())
