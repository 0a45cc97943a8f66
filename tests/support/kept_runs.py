"""What a run leaves when its worker goes away, one file per engine: `python -m tests.support.kept_runs ENGINE ...` makes them.

They are kept as the release of 26 November 2026 wrote them, so that tests see whether a later one goes on with its runs. Make one
again only where the engine has a new version: its old runs cannot go on then.
"""

from __future__ import annotations

import json
import lzma
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from engines.contract.designs import Designs, table_from_bytes, table_to_bytes
from engines.contract.engine import Document, Problem, Resume
from engines.documents.builtin import get_builtin
from engines.documents.problems import kept_problem, make_problem
from engines.registry import get_engine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.files import MemoryFileStore

FOLDER = Path(__file__).parents[1] / "data" / "kept_runs"
# Weights of networks are most of what is kept: parameters and a workload that make them smaller.
SMALLER: dict[str, tuple[dict[str, Any], str]] = {
    "sbrs-search": ({"population": 2, "space": "baseline", "width_percent": 25.0, "largest_kernel": 3}, "digits-chain")
}


def kept_run(name: str) -> dict[str, Any]:
    """The file of an engine."""
    file = _file(name)
    assert file.exists(), f"There is no kept run of {name}. Make it: python -m tests.support.kept_runs {name}"
    found: dict[str, Any] = json.loads(lzma.decompress(file.read_bytes()))
    return found


def problem_of(kept: dict[str, Any]) -> Problem:
    """Its problem, as it is read today."""
    said, inputs = kept["problem"], {slot: Document(**each) for slot, each in kept["inputs"].items()}
    return kept_problem(said["engine"], inputs, said["params"], said["seed"], said["version"])


def resume_of(kept: dict[str, Any]) -> tuple[Resume | None, MemoryFileStore]:
    """Its checkpoint with the designs up to there, and the files that it had by then; no checkpoint where none is made."""
    files = MemoryFileStore()
    for name, data in kept["names"].items():
        files.keep(name, _bytes(data))
    for data in kept["files"]:
        files.put(_bytes(data))
    if kept["kept"] is None:
        return None, files
    scalars, decisions = (table_from_bytes(_bytes(text)) for text in kept["kept"]["designs"])
    return Resume(_bytes(kept["kept"]["checkpoint"]), Designs.from_tables(scalars, decisions)), files


def keep(name: str) -> None:
    """Run the engine's tiny problem up to its first checkpoint and keep what is there by then."""
    from tests.engines.tiny import tiny_problem

    problem, files = tiny_problem(name).problem, MemoryFileStore()
    if name in SMALLER:
        params, workload = SMALLER[name]
        inputs = {**problem.inputs, "workload": get_builtin("workload", workload)}
        problem = make_problem(name, inputs, {**problem.params.model_dump(), **params}, problem.seed)
    engine = get_engine(name)
    designs, checkpoint = Designs.empty(engine.quantities), None
    for step in drive(engine, problem, LocalContext(problem, files=files)):
        designs = designs if step.designs is None else Designs.concatenate([designs, step.designs])
        checkpoint = step.checkpoint
        if checkpoint is not None:
            break
    kept = _as_json(problem, designs, checkpoint, files)
    packed = lzma.compress(json.dumps(kept, sort_keys=True).encode())
    _file(name).write_bytes(packed)
    print(f"{name}: {len(packed):,} bytes{'' if kept['kept'] else ', no checkpoint'}")


def _as_json(problem: Problem, designs: Designs, checkpoint: bytes | None, files: MemoryFileStore) -> dict[str, Any]:
    names = {name: files.get(key) for name, key in files._names.items()}
    others = [data for data in files._contents.values() if data not in names.values()]
    kept = None
    if checkpoint is not None:  # without one a run begins again, and what it had found is dropped
        tables = designs.scalars_table(), designs.decisions_table()
        kept = {"checkpoint": _text(checkpoint), "designs": [_text(table_to_bytes(table)) for table in tables]}
    return {
        "problem": problem.canonical(),
        "hash": problem.hash(),
        "inputs": {
            slot: {"kind": each.kind, "slug": each.slug, "version": each.version, "content": dict(each.content)}
            for slot, each in problem.inputs.items()
        },
        "kept": kept,
        "names": {name: _text(data) for name, data in names.items()},
        "files": [_text(data) for data in others],
    }


def _file(name: str) -> Path:
    return FOLDER / f"{name}.json.xz"


def _text(data: bytes) -> str:
    return b64encode(lzma.compress(data)).decode()


def _bytes(text: str) -> bytes:
    return lzma.decompress(b64decode(text))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in sys.argv[1:]:
        keep(each)
