"""Whatever a file does to its reader comes back as a `ProblemError`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.running.runner import readers
from engines.running.runner.file_reader import read_in_child
from engines.running.runner.limited_process import ChildLimits

# However busy the machine is, one limit of each is reached and the other is not.
TIGHT = ChildLimits(memory_mb=1024.0, cpu_s=1, time_s=100.0)
SHORT = ChildLimits(memory_mb=1024.0, cpu_s=60, time_s=1.0)
ROOMY = ChildLimits(memory_mb=1024.0, cpu_s=60, time_s=100.0)
MEGABYTE = 1 << 20


def echo(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    return ReadDocument({"size": len(data), "name": name, **options}, {"a": 1}, {"notes": []})


def work_for_ever(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    while True:
        pass


def sleep_for_ever(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    time.sleep(600)
    raise AssertionError


def take_memory(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    return ReadDocument({"x": "x" * (2000 * MEGABYTE)})


def crash(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    import ctypes

    ctypes.string_at(0)
    raise AssertionError


def fail(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    raise ZeroDivisionError("nobody foresaw this")


def write_a_file(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    Path(options["path"]).write_text("x" * 10_000)
    raise AssertionError


@pytest.fixture(autouse=True)
def in_the_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have children know this module's readers: they look for them in a module of the environment."""
    table = {each.__name__: f"{__name__}:{each.__name__}" for each in
             (echo, work_for_ever, sleep_for_ever, take_memory, crash, fail, write_a_file)}  # fmt: skip
    (tmp_path / "sitecustomize.py").write_text(
        f"import engines.running.runner.readers as readers\nreaders.READERS = {{**readers.READERS, **{table!r}}}\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert "echo" not in readers.READERS


def test_a_file_of_several_parts_arrives_whole() -> None:
    read = read_in_child("echo", b"x" * (9 * MEGABYTE), "nine.bin", {"dims": {"batch": 2}})
    assert read.content == {"size": 9 * MEGABYTE, "name": "nine.bin", "dims": {"batch": 2}}
    assert (read.lines, read.report) == ({"a": 1}, {"notes": []})


def test_an_empty_file_arrives() -> None:
    assert read_in_child("echo", b"", "empty").content["size"] == 0


@pytest.mark.parametrize(
    ("reader", "limits", "part"),
    [
        ("work_for_ever", TIGHT, "within 1 s of computing"),
        ("sleep_for_ever", SHORT, r"60 s of computing \(1 s on the clock"),
        ("take_memory", ROOMY, "within 1024 MB of memory"),
        ("crash", ROOMY, "SIGSEGV"),
        ("fail", ROOMY, "nobody foresaw this"),
        ("unknown", ROOMY, "undamaged"),
    ],
)
def test_what_goes_wrong_is_a_refusal(reader: str, limits: ChildLimits, part: str) -> None:
    with pytest.raises(ProblemError, match=part) as caught:
        read_in_child(reader, b"data", "my.file", limits=limits)
    assert caught.value.got == "my.file"


def test_a_reader_writes_no_file(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="File too large"):
        read_in_child("write_a_file", b"", "f", {"path": str(tmp_path / "out")}, ROOMY)
    assert (tmp_path / "out").stat().st_size == 0
