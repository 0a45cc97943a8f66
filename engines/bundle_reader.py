"""Reads a bundle completely and compares everything in it with everything else; runs in the limited child."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

import pyarrow as pa

from engines.bundle import MAX_SMALL, BundleArchive, Manifest
from engines.bundle_figures import check_figures, spread
from engines.contract import Document, Problem
from engines.counts import counted
from engines.designs import Designs, table_from_bytes
from engines.documents import ReadDocument
from engines.errors import EngineError, ProblemError
from engines.inspection import run_quantities
from engines.problems import make_problem
from engines.registry import get_engine
from engines.result_json import from_json, to_json
from engines.runner.protocol import MAX_PART_BYTES

_STEP_KEYS = {
    "number",
    "attempt",
    "fraction",
    "message",
    "metrics",
    "evaluations",
    "design_count",
    "hypervolume",
    "time",
}
_LOG_KEYS = {"number", "attempt", "level", "text", "time"}

_MOST = {"number": 2**53, "attempt": MAX_SMALL, "evaluations": 2**53, "design_count": 2**53}
_LENGTHS = {"message": 500, "level": 10, "text": 2000, "time": 40}


def read_bundle(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """What a bundle holds, once all of it was compared; `report` says what was checked.

    Args:
        data: the file.
        name: what messages call it.
        options: `engines`: name -> "module:Class" of the engines that are installed.

    Raises:
        ProblemError: names the first thing that does not agree.
    """
    archive = BundleArchive(data)
    manifest = archive.manifest
    engines = {str(key): str(path) for key, path in options.get("engines", {}).items()}
    _check_named_once(manifest)
    problem = _check_problem(archive, manifest, engines)
    designs, sample = _check_designs(archive, manifest, engines)
    compared = check_figures(problem, sample, engines[manifest.engine]) if sample is not None else 0
    _check_results(archive, manifest)
    _check_records(archive, manifest)
    for file in manifest.files:
        archive.read(file.member)
    report = {"designs": designs, "compared": compared, "members": len(manifest.members)}
    return ReadDocument(manifest.model_dump(mode="json", by_alias=True), {}, report)


def _check_named_once(manifest: Manifest) -> None:
    """Each member stands for one thing: a small file that names one of them very often must not fill the database."""
    members = [manifest.steps, manifest.log]
    members += [item.member for item in manifest.inputs]
    members += [item.member for item in manifest.results]
    members += [item.member for item in manifest.files]
    members += [name for chunk in manifest.chunks for name in (chunk.scalars, chunk.decisions)]
    each_once = {
        "members": members,
        "inputs": [item.slot for item in manifest.inputs],
        "results": [item.name for item in manifest.results],
        "files": [item.name for item in manifest.files],
    }
    for field, names in each_once.items():
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ProblemError(f"bundle.{field}", twice[0], "each name once")


def _check_problem(archive: BundleArchive, manifest: Manifest, engines: Mapping[str, str]) -> Problem:
    """The problem of the bundle, rebuilt from its documents and compared with what the run says it was."""
    if manifest.engine not in engines:
        raise ProblemError("bundle.engine", manifest.engine, f"one of {', '.join(engines)}")
    path = engines[manifest.engine]
    installed = get_engine(manifest.engine, path).version
    if manifest.engine_version != installed:
        accepted = (
            f"{installed}, the version of {manifest.engine} that is installed here: its figures mean something else. Start the "
            "problem document of the other run here instead"
        )
        raise ProblemError("bundle.engine_version", manifest.engine_version, accepted)
    documents = {}
    for item in manifest.inputs:
        content = archive.read_json(item.member)
        if not isinstance(content, Mapping):
            raise ProblemError(f"bundle.{item.member}", type(content).__name__, "a document")
        document = Document(item.kind, item.slug, item.version, content)  # type: ignore[arg-type]  # checked by make_problem
        if document.content_hash() != item.content_hash:
            raise ProblemError(f"bundle.inputs.{item.slot}", document.content_hash(), item.content_hash)
        documents[item.slot] = document
    params, seed = manifest.problem.get("params"), cast(int, manifest.problem.get("seed"))  # made sure of below
    problem = make_problem(manifest.engine, documents, params or {}, seed, engine_path=path)
    if problem.canonical() != manifest.problem or problem.hash() != manifest.problem_hash:
        accepted = f"{problem.hash()}, which engine, documents, parameters and seed of the bundle give"
        raise ProblemError("bundle.problem_hash", manifest.problem_hash, accepted)
    return problem


def _check_designs(
    archive: BundleArchive, manifest: Manifest, engines: Mapping[str, str]
) -> tuple[int, Designs | None]:
    """How many designs there are, and some of them from first to last; every chunk is read, and follows the one before."""
    params = manifest.problem["params"]
    wanted = {
        quantity.name for quantity in run_quantities(get_engine(manifest.engine, engines[manifest.engine]), params)
    }
    picked, sample = spread(manifest.run.design_count), []
    count = 0
    for chunk in manifest.chunks:
        if chunk.first != count:
            raise ProblemError("bundle.chunks", chunk.first, f"{count}: chunks follow each other")
        designs = _designs(archive, chunk.scalars, chunk.decisions)
        if len(designs) != chunk.count:
            raise ProblemError(f"bundle.{chunk.scalars}", len(designs), f"{chunk.count} designs, as the manifest says")
        if set(designs.columns) != wanted:
            got = sorted(set(designs.columns) ^ wanted)
            raise ProblemError(f"bundle.{chunk.scalars}", f"other columns: {got}", f"the columns {sorted(wanted)}")
        sample.append(designs.take([index - count for index in picked if 0 <= index - count < len(designs)]))
        count += len(designs)
    if count != manifest.run.design_count:
        raise ProblemError("bundle.run.design_count", manifest.run.design_count, f"{count}, which the chunks hold")
    return count, Designs.concatenate(sample) if sample else None


def _designs(archive: BundleArchive, scalars: str, decisions: str) -> Designs:
    parts = [archive.read(scalars), archive.read(decisions)]
    if any(len(part) > MAX_PART_BYTES for part in parts):
        raise ProblemError(
            f"bundle.{scalars}", max(map(len, parts)), f"parts of at most {counted(MAX_PART_BYTES)} bytes"
        )
    try:
        tables = [table_from_bytes(part) for part in parts]
        for table in tables:
            table.validate(full=True)
        designs = Designs.from_tables(*tables)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProblemError(f"bundle.{scalars}", str(error)[:200], "designs as Arrow streams") from error
    if not all(isinstance(decision, Mapping) for decision in designs.decisions):
        raise ProblemError(f"bundle.{decisions}", "a decision that is no object", "JSON objects")
    return designs


def _check_results(archive: BundleArchive, manifest: Manifest) -> None:
    for item in manifest.results:
        content = archive.read_json(item.member)
        try:
            result = from_json(content)
            same = to_json(result) == content and result.name == item.name
        except (ValueError, TypeError, KeyError, AttributeError, EngineError) as error:
            raise ProblemError(f"bundle.{item.member}", str(error)[:200], "a result") from error
        if not same:
            raise ProblemError(f"bundle.{item.member}", item.name, "a result of that name, as results are written")


def _check_records(archive: BundleArchive, manifest: Manifest) -> None:
    """Steps and lines of the log: objects with exactly their keys, numbered upwards."""
    for member, keys in ((manifest.steps, _STEP_KEYS), (manifest.log, _LOG_KEYS)):
        rows, last = archive.read_json(member), -1
        if not isinstance(rows, list):
            raise ProblemError(f"bundle.{member}", type(rows).__name__, "a list")
        for row in rows:
            if not isinstance(row, Mapping) or set(row) != keys:
                raise ProblemError(f"bundle.{member}", str(row)[:200], f"objects with {sorted(keys)}")
            number = row["number"]
            if not isinstance(number, int) or isinstance(number, bool) or number <= last:
                raise ProblemError(f"bundle.{member}", str(number)[:40], "numbers that rise")
            last = number
            _check_row(member, row)


def _check_row(member: str, row: Mapping[str, Any]) -> None:
    numbers = [row[key] for key in ("attempt", "fraction", "evaluations", "design_count") if key in row]
    numbers += [row["hypervolume"]] if row.get("hypervolume") is not None else []
    metrics = row["metrics"].values() if isinstance(row.get("metrics"), Mapping) else ()
    numbers += [value for value in metrics if value is not None]  # None: not a number, or infinite
    texts = [row[key] for key in ("message", "level", "text", "time") if key in row]
    if not all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers):
        raise ProblemError(f"bundle.{member}", str(row)[:200], "numbers where numbers belong")
    if any(not 0 <= row.get(key, 0) <= most for key, most in _MOST.items()):
        raise ProblemError(f"bundle.{member}", str(row)[:200], f"numbers from 0 to {dict(_MOST)}")
    if any(isinstance(row.get(key), str) and len(row[key]) > most for key, most in _LENGTHS.items()):
        raise ProblemError(f"bundle.{member}", str(row)[:200], f"texts of at most {dict(_LENGTHS)} characters")
    if not all(isinstance(text, str) for text in texts) or not isinstance(row.get("metrics", {}), Mapping):
        raise ProblemError(f"bundle.{member}", str(row)[:200], "texts where texts belong")
