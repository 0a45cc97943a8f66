from __future__ import annotations

from engines.running.files import MemoryFileStore
from engines.running.runner.client import RunnerProcess
from engines.running.runner.protocol import Explanation, FilePart, Log, SearchReport, StepFrame
from tests.engines.running.runner.children_for_tests import collect, toy_problem


def test_files_go_through_the_pipe_and_back() -> None:
    files = MemoryFileStore()
    with RunnerProcess(toy_problem(use_files=True, with_file=True)) as process:
        frames = collect(process)
    assert process.ending.status == "done", process.ending.message
    parts = [frame for frame in frames if isinstance(frame, FilePart)]
    assert len(parts) == 2  # the start, sent once, and the file of the last step
    assert any(isinstance(frame, Log) and parts[0].sha256 in frame.message for frame in frames)
    entry = [frame for frame in frames if isinstance(frame, StepFrame)][-1].files[0]
    assert (entry.sha256, entry.size) == (parts[1].sha256, len(parts[1].data))
    assert files.put(parts[1].data) == entry.sha256


def test_a_file_that_the_keeper_has_is_not_built_again() -> None:
    files = MemoryFileStore()
    files.keep("toy-start", b"\0" * 24)
    with RunnerProcess(toy_problem(use_files=True), files=files) as process:
        frames = collect(process)
    assert process.ending.status == "done", process.ending.message
    assert [frame.data for frame in frames if isinstance(frame, FilePart)] == [b"\0" * 24]


def test_what_an_explanation_builds_is_not_sent_after_the_run() -> None:
    """The run has ended by then: its keeper stores nothing more, and refuses a name for what it does not have."""
    files = MemoryFileStore()
    files.keep("toy-start", b"\0" * 24)
    with RunnerProcess(toy_problem(use_files=True), files=files) as process:
        frames = collect(process)
    assert process.ending.status == "done", process.ending.message
    kinds = [type(frame) for frame in frames]
    assert Explanation in kinds and FilePart not in kinds[kinds.index(SearchReport) :]
    assert files.lookup("toy-explanation") is None
