import hashlib
from dataclasses import replace

import numpy as np
import pytest

from engines.contract.designs import Designs, joined_tables, table_from_bytes, table_to_bytes
from engines.contract.encoding.result_json import result_from_bytes
from engines.contract.engine import Document, File, Infeasibility, Problem, Step
from engines.contract.errors import ProblemError
from engines.contract.results import Note
from engines.documents.problems import make_problem
from engines.running.runner import frame_parts
from engines.running.runner.wire import decode_body, encode_frame
from tests.support.toy_engine import QUANTITIES


def many(count: int) -> Designs:
    random = np.random.default_rng(1)
    return Designs(
        columns={q.name: random.normal(size=count) for q in QUANTITIES},
        decisions=[{"x": row} for row in random.random((count, 3)).tolist()],
        found_at_evaluation=np.arange(count),
        origin=["search"] * count,
    )


def test_designs_come_back_equal() -> None:
    (chunk,) = frame_parts.pack_designs(many(100))
    assert chunk.count == 100
    found = frame_parts.unpack_designs([chunk])
    assert found is not None
    assert found.equals(many(100))


def test_no_designs_are_no_chunks() -> None:
    assert frame_parts.pack_designs(Designs.empty(QUANTITIES)) == ()
    assert frame_parts.unpack_designs(()) is None


def test_many_designs_are_cut_into_chunks_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_parts, "MAX_PART_BYTES", 8_000)
    chunks = frame_parts.pack_designs(many(1000))
    assert len(chunks) > 1
    assert sum(chunk.count for chunk in chunks) == 1000
    assert all(max(len(chunk.scalars), len(chunk.decisions)) <= 8_000 for chunk in chunks)
    found = frame_parts.unpack_designs(chunks)
    assert found is not None
    assert found.equals(many(1000))


def test_tables_that_are_put_together_are_those_of_all_designs() -> None:
    """To the byte: also where one part has other origins and names than the next."""
    parts = [many(3), replace(many(2), origin=("baseline", "search"), label=("standard", "")), many(4)]
    tables = [(part.scalars_table(), part.decisions_table()) for part in parts]
    read = [[table_from_bytes(table_to_bytes(table)) for table in pair] for pair in tables]
    joined = [joined_tables([pair[side] for pair in read]) for side in (0, 1)]
    assert frame_parts.pack_tables(*joined) == frame_parts.pack_designs(Designs.concatenate(parts))


@pytest.mark.parametrize(("size", "parts"), [(0, 1), (1, 1), (100, 1), (101, 2), (250, 3)])
def test_files_are_cut_into_parts(monkeypatch: pytest.MonkeyPatch, size: int, parts: int) -> None:
    monkeypatch.setattr(frame_parts, "MAX_PART_BYTES", 100)
    data = bytes(range(256))[:size]
    found = list(frame_parts.file_parts(data))
    assert [(one.part, one.parts, one.size) for one in found] == [(i, parts, size) for i in range(parts)]
    assert b"".join(one.data for one in found) == data
    assert {one.sha256 for one in found} == {hashlib.sha256(data).hexdigest()}


def test_a_step_keeps_everything_but_the_content_of_its_files() -> None:
    infeasible = Infeasibility("limit", 2.0, 1.0, "J", 1.0)
    file = File("a.txt", "text/plain", b"abc")
    step = Step(0.5, "half", {"evaluations": np.int64(3)}, many(2), (Note("n", "N", "t"),), (file,), b"c", infeasible)
    frame = decode_body(encode_frame(frame_parts.pack_step(step, 4))[4:])
    assert frame == frame_parts.pack_step(step, 4)
    assert isinstance(frame, frame_parts.StepFrame)
    assert (frame.number, frame.metrics, frame.checkpoint) == (4, {"evaluations": 3.0}, b"c")
    assert frame.files[0].sha256 == hashlib.sha256(b"abc").hexdigest()
    assert tuple(result_from_bytes(entry.content) for entry in frame.results) == step.results


def test_a_problem_comes_back_with_the_same_hash() -> None:
    document = Document("data", "even", 3, {"schema": "toy/1", "weights": [1.0, 2.0, 0.1]})
    problem = make_problem("toy", {"weights": document}, {"steps": 3}, seed=2**63 - 1)
    start = decode_body(encode_frame(frame_parts.pack_problem(problem, "tests.support.toy_engine:ToyEngine"))[4:])
    assert isinstance(start, frame_parts.Start)
    again = frame_parts.unpack_problem(start)
    assert again == problem
    assert again.values == problem.values
    assert again.hash() == problem.hash()


def test_a_problem_of_another_version_is_refused() -> None:
    problem = Problem("toy", 2, {}, make_problem("toy", {}, {}).params)
    with pytest.raises(ProblemError, match="version"):
        frame_parts.unpack_problem(frame_parts.pack_problem(problem, "tests.support.toy_engine:ToyEngine"))
