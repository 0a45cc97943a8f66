"""The keeper's side of a child's files: what it sent it gets back, and nothing is taken on trust."""

import hashlib
from dataclasses import replace

import pytest

from engines.running.files import MemoryFileStore
from engines.running.runner import frame_parts
from engines.running.runner.child_files import ChildFiles
from engines.running.runner.protocol import (
    FileEntry,
    FileName,
    FilePart,
    FileReply,
    FileRequest,
    ProtocolError,
    StepFrame,
    Stop,
)

DATA = bytes(range(250))
KEY = hashlib.sha256(DATA).hexdigest()


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_parts, "MAX_PART_BYTES", 100)


def parts() -> list[FilePart]:
    return list(frame_parts.file_parts(DATA))


def send(files: ChildFiles) -> None:
    for part in parts():
        assert files.handle(part) is None  # handed out as well: the keeper stores it


def test_what_a_child_put_it_can_get_again() -> None:
    files = ChildFiles(None)
    send(files)
    replies = list(files.handle(FileRequest(9, "sha256", KEY)) or ())
    assert [(reply.request, reply.part, reply.parts) for reply in replies] == [(9, 0, 3), (9, 1, 3), (9, 2, 3)]
    assert b"".join(reply.data for reply in replies) == DATA


def test_a_name_is_kept() -> None:
    keeper = MemoryFileStore()
    files = ChildFiles(keeper)
    send(files)
    keeper.put(DATA)  # as the run's keeper does with what is handed out
    assert list(files.handle(FileName("table", KEY)) or ()) == []
    assert keeper.lookup("table") == DATA


@pytest.mark.parametrize("by", ["sha256", "name"])
def test_a_miss_is_answered(by: str) -> None:
    request = FileRequest(2, by, "nothing")  # type: ignore[arg-type]
    assert list(ChildFiles(None).handle(request) or ()) == [FileReply(2, 0, 0, b"")]


def test_other_frames_are_handed_out() -> None:
    assert ChildFiles(None).handle(Stop()) is None


def test_what_a_child_did_not_send_it_cannot_name() -> None:
    keeper = MemoryFileStore()
    keeper.put(DATA)  # another run's
    with pytest.raises(ProtocolError, match="was not sent"):
        ChildFiles(keeper).handle(FileName("table", KEY))
    step = StepFrame(1, 0.5, "", {}, files=(FileEntry("out", "text/plain", KEY, len(DATA)),))
    with pytest.raises(ProtocolError, match="was not sent"):
        ChildFiles(keeper).handle(step)


def test_parts_that_do_not_make_up_the_file_are_refused() -> None:
    first, second, third = parts()
    with pytest.raises(ProtocolError, match="whose first part did not come"):
        ChildFiles(None).handle(second)
    files = ChildFiles(None)
    files.handle(first)
    with pytest.raises(ProtocolError, match="Part 1 of 3"):
        files.handle(third)
    files = ChildFiles(None)
    files.handle(first)
    files.handle(second)
    with pytest.raises(ProtocolError, match="not what its parts make up"):
        files.handle(replace(third, data=bytes(len(third.data))))


def test_a_name_of_odd_characters_is_refused() -> None:
    with pytest.raises(ProtocolError, match="none of them NUL"):
        ChildFiles(None).handle(FileRequest(1, "name", "a\0b"))
