import hashlib

import pytest

from engines.files import MemoryFileStore
from engines.runner import packing
from engines.runner.child_files import ChildFiles
from engines.runner.protocol import FileName, FileReply, FileRequest, Stop

DATA = bytes(range(250))
KEY = hashlib.sha256(DATA).hexdigest()


def test_what_a_child_put_it_can_get_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MAX_PART_BYTES", 100)
    files = ChildFiles(None)
    for part in packing.file_parts(DATA):
        assert files.handle(part) is None  # handed out as well: the keeper stores it
    replies = files.handle(FileRequest(9, "sha256", KEY))
    assert replies is not None
    assert [(reply.request, reply.part, reply.parts) for reply in replies] == [(9, 0, 3), (9, 1, 3), (9, 2, 3)]
    assert b"".join(reply.data for reply in replies) == DATA


def test_a_name_is_kept() -> None:
    keeper = MemoryFileStore()
    keeper.put(DATA)
    files = ChildFiles(keeper)
    assert files.handle(FileName("table", KEY)) == []
    assert keeper.lookup("table") == DATA


@pytest.mark.parametrize("by", ["sha256", "name"])
def test_a_miss_is_answered(by: str) -> None:
    request = FileRequest(2, by, "nothing")  # type: ignore[arg-type]
    assert ChildFiles(None).handle(request) == [FileReply(2, 0, 0, b"")]


def test_other_frames_are_handed_out() -> None:
    assert ChildFiles(None).handle(Stop()) is None
