"""Designs of a problem as files that machines run, in a child process: a question of `engines.running.runner.questions`."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engines.contract.designs import Decision, canonical_json
from engines.contract.engine import Engine, Problem
from engines.contract.errors import ProblemError
from engines.contract.progress.measurements import MeasurementRequest
from engines.contract.runnable import RunnablePiece
from engines.registry import engine_path as path_of_engine
from engines.registry import get_engine
from engines.running.prepared_problems import ready_of
from engines.running.runner.frame_parts import pack_problem, unpack_problem
from engines.running.runner.protocol import Start
from engines.workloads.network import Network, Operation
from engines.workloads.parts import kept_operations
from engines.workloads.runnable.version import VERSION

if TYPE_CHECKING:  # ONNX is loaded on use: every process of a site knows this module, few write files
    from engines.workloads.runnable.graph import RunnableNetwork

# Of a design: a network with an exit after each of dozens of blocks is no question of a few seconds.
MOST_PIECES = 40
_NAME = "design"  # of every file's graph, so that equal pieces are equal files
# Slug of an uploaded network -> copy of its file (`engines.workloads.importing.onnx.onnx_copy`).
Copies = Mapping[str, bytes]
_NO_COPIES: Copies = MappingProxyType({})


def question_of(
    problem: Problem,
    decisions: Sequence[Decision],
    memory_mb: float,
    figures: Sequence[Mapping[str, float]] = (),
    copies: Copies = _NO_COPIES,
) -> dict[str, Any]:
    """Return the request to `answer` as JSON values; the documents of the problem may be unloaded.

    Args:
        problem: problem of the designs.
        decisions: decisions of each.
        memory_mb: memory in MB of the child process.
        figures: figures of each, those that the engine's `measurable` names; empty where it names none.
        copies: copies of uploaded networks among the documents.
    """
    start = pack_problem(problem, path_of_engine(problem.engine), memory_limit_mb=memory_mb)
    told = [dict(each) for each in figures] or [{} for _ in decisions]
    texts = {slug: base64.b64encode(copy).decode() for slug, copy in copies.items()}
    return {
        "problem": vars(start), "decisions": [dict(each) for each in decisions], "figures": told, "copies": texts,
    }  # fmt: skip


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the designs as files.

    Returns:
        `files`: content hash -> `onnx` in base64 and `about`, what has to be drawn to run it; `designs`: of each decision
        `pieces` (`file`, `title` and `share`), `rest_s` and `rest_words`, or `refused`, why it cannot be run.

    Raises:
        ProblemError: the engine refuses the problem, or has no designs that machines run.
    """
    start = Start(**asked["problem"])
    engine: Engine = get_engine(start.engine, start.engine_path)
    problem = unpack_problem(start)
    if engine.measurable is None:
        raise ProblemError("run", engine.title, "a run of an engine whose designs devices can measure")
    wanted = [MeasurementRequest(*each) for each in zip(asked["decisions"], asked["figures"], strict=True)]
    copies = {slug: base64.b64decode(text) for slug, text in asked["copies"].items()}
    return as_files(engine, problem, wanted, copies)


def as_files(
    engine: Engine, problem: Problem, wanted: Iterable[MeasurementRequest], copies: Copies = _NO_COPIES
) -> dict[str, Any]:
    """Return the files of `answer` for a problem at hand, cut out of the copies of uploaded networks where there are some."""
    files: dict[str, dict[str, Any]] = {}
    designs = [_design(engine, problem, each, files, copies) for each in wanted]
    return {"files": files, "designs": designs}


def content_hash(about: Mapping[str, Any], onnx: bytes) -> str:
    """Return the name of a file by its content, SHA-256 (hex)."""
    return hashlib.sha256(f"{VERSION}:{canonical_json(about)}:".encode() + onnx).hexdigest()


def _design(
    engine: Engine, problem: Problem, wanted: MeasurementRequest, files: dict[str, dict[str, Any]], copies: Copies
) -> dict[str, Any]:
    try:
        found = engine.runnable(problem, ready_of(engine, problem), wanted.decision, wanted.figures)
        if not 1 <= len(found.pieces) <= MOST_PIECES:
            raise ProblemError("design", f"{len(found.pieces)} pieces", f"from 1 to {MOST_PIECES}")
        pieces = [
            {"file": _file(network, files), "title": title, "share": each.share}
            for each in found.pieces
            for title, network in _networks(each, copies)
        ]
    except ProblemError as error:
        return {"refused": str(error)}
    return {"pieces": pieces, "rest_s": found.rest_s, "rest_words": found.rest_words}


def _networks(piece: RunnablePiece, copies: Copies) -> list[tuple[str, RunnableNetwork]]:
    """Return title and file of a piece; what it adds to an uploaded network has a file of its own."""
    from engines.workloads.runnable.cut import cut_piece

    copy = copies.get(piece.network)
    if copy is None:
        return [(piece.title, _written(piece.operations))]
    network, added = cut_piece(copy, piece.operations)
    further = [(f"{piece.title}: added", _written(kept_operations(piece.operations, added)))] if added else []
    return [(piece.title, network), *further]


def _written(operations: Sequence[Operation]) -> RunnableNetwork:
    from engines.workloads.runnable.build import runnable_network

    return runnable_network(Network(_NAME, _NAME, "", (), "", operations=tuple(operations)))


def _file(network: RunnableNetwork, files: dict[str, dict[str, Any]]) -> str:
    """Return the content hash of a file, which is put among `files`."""
    from engines.workloads.runnable.build import file_of

    about = file_of(network)
    onnx = base64.b64decode(about.pop("onnx"))
    digest = content_hash(about, onnx)
    files.setdefault(digest, {"onnx": base64.b64encode(onnx).decode(), "about": about})
    return digest
