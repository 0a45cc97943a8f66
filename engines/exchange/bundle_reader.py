"""Reads a bundle completely and compares everything in it with everything else; runs in the limited child."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, cast, get_args

import numpy as np
import pyarrow as pa

from engines.contract.arrays import IntArray
from engines.contract.designs import Designs, table_from_bytes
from engines.contract.encoding.document_text import ReadDocument
from engines.contract.encoding.plan_json import bounds_from_json
from engines.contract.encoding.result_json import from_json, to_json
from engines.contract.engine import Document, Problem
from engines.contract.errors import EngineError, ProblemError
from engines.contract.integer_format import counted
from engines.contract.results import ResultRole
from engines.contract.stored_decisions import StoredDecisions
from engines.documents.problems import make_problem
from engines.exchange.bundle import (
    MAX_CONTENT_BYTES,
    MAX_FILE_BYTES,
    MAX_LOG_LINES,
    MAX_RECORD_BYTES,
    MAX_SMALL,
    MAX_STEPS,
    BundleArchive,
    Manifest,
)
from engines.exchange.bundle_figures import BundleCheck, check_figures, check_metrics, pick
from engines.exchange.bundle_measurements import check_measured
from engines.registry import get_engine
from engines.running.inspection import run_quantities
from engines.running.runner.protocol import MAX_PART_BYTES

RECOMPUTING_S = 45.0  # of the child's seconds, for designs that are computed again
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
    """Return the content of a bundle after checking all of it; `report` lists the checks.

    Args:
        data: the file.
        name: name in messages.
        options: `engines`: name -> "module:Class" of the engines that are installed; `seed`: of what is computed again, which
            the maker of the file must not know; `within_s`: seconds for that.

    Raises:
        ProblemError: names the first thing that does not agree.
    """
    archive = BundleArchive(data)
    manifest = archive.manifest
    engines = {str(key): str(path) for key, path in options.get("engines", {}).items()}
    _check_named_once(manifest)
    _check_sizes(manifest)
    problem = _check_problem(archive, manifest, engines)
    scalars = _check_designs(archive, manifest, engines)
    _check_results(archive, manifest)
    _check_bounds(manifest)
    _check_records(archive, manifest)
    if manifest.measured is not None:
        check_measured(manifest.measured, archive.read_json(manifest.measured), manifest.run.design_count)
    checked = _check_against_engine(archive, manifest, problem, scalars, options)
    for file in manifest.files:
        archive.read(file.member)
    report = {"members": len(manifest.members), **checked.to_json()}
    return ReadDocument(manifest.model_dump(mode="json", by_alias=True), {}, report)


def _check_named_once(manifest: Manifest) -> None:
    """Check that each member represents one thing: a small file that names one very often must not fill the database."""
    members = [manifest.steps, manifest.log, *([] if manifest.measured is None else [manifest.measured])]
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
            raise ProblemError(f"bundle.{field}", twice[0], "distinct names")


def _check_sizes(manifest: Manifest) -> None:
    """Bound what is stored at once, before any of it is read."""
    documents = [item.member for item in manifest.inputs] + [item.member for item in manifest.results]
    most = dict.fromkeys(documents, MAX_CONTENT_BYTES) | {file.member: MAX_FILE_BYTES for file in manifest.files}
    records = [name for name in (manifest.steps, manifest.log, manifest.measured) if name is not None]
    for name, bound in (most | dict.fromkeys(records, MAX_RECORD_BYTES)).items():
        size = manifest.members[name].size if name in manifest.members else 0
        if size > bound:
            raise ProblemError(f"bundle.{name}", f"{counted(size)} bytes", f"at most {counted(bound)} bytes")


def _check_problem(archive: BundleArchive, manifest: Manifest, engines: Mapping[str, str]) -> Problem:
    """Return the problem of the bundle, rebuilt from its documents and compared with what the run says it was."""
    if manifest.engine not in engines:
        raise ProblemError("bundle.engine", manifest.engine, f"one of {', '.join(engines)}")
    path = engines[manifest.engine]
    installed = get_engine(manifest.engine, path).version
    if manifest.engine_version != installed:
        accepted = f"{installed}, the version of {manifest.engine} that is installed here"
        reason = "Metrics of another version have another meaning."
        ways = ["Start the problem document of the other run here."]
        raise ProblemError("bundle.engine_version", manifest.engine_version, accepted, reason=reason, remedies=ways)
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
    # A bundle of an earlier release lacks parameters that were added since.
    problem = replace(make_problem(manifest.engine, documents, params or {}, seed, engine_path=path), written=True)
    if problem.canonical() != manifest.problem or problem.hash() != manifest.problem_hash:
        accepted = f"{problem.hash()}, which engine, documents, parameters and seed of the bundle give"
        raise ProblemError("bundle.problem_hash", manifest.problem_hash, accepted)
    return problem


def _check_designs(archive: BundleArchive, manifest: Manifest, engines: Mapping[str, str]) -> Designs:
    """Return all designs without decisions and labels; every chunk is read, and follows the one before."""
    quantities = run_quantities(get_engine(manifest.engine, engines[manifest.engine]), manifest.problem["params"])
    wanted = {quantity.name for quantity in quantities}
    parts, count = [Designs.empty(quantities)], 0
    for chunk in manifest.chunks:
        if chunk.first != count:
            raise ProblemError("bundle.chunks", chunk.first, f"{count}", reason="Chunks follow each other.")
        designs = _designs(archive, chunk.scalars, chunk.decisions)
        if len(designs) != chunk.count:
            raise ProblemError(f"bundle.{chunk.scalars}", len(designs), f"{chunk.count} designs, as the manifest says")
        if set(designs.columns) != wanted:
            got = sorted(set(designs.columns) ^ wanted)
            raise ProblemError(f"bundle.{chunk.scalars}", f"other columns: {got}", f"the columns {sorted(wanted)}")
        parts.append(replace(designs, decisions=StoredDecisions(len(designs)), label=()))
        count += len(designs)
    if count != manifest.run.design_count:
        raise ProblemError(
            "bundle.run.design_count", manifest.run.design_count, f"{count}, the number of designs in the chunks"
        )
    return Designs.concatenate(parts)


def _check_against_engine(
    archive: BundleArchive, manifest: Manifest, problem: Problem, designs: Designs, options: Mapping[str, Any]
) -> BundleCheck:
    """Return the metrics against designs, and designs against what the engine computes."""
    path = str(options["engines"][manifest.engine])
    quantities = run_quantities(get_engine(manifest.engine, path), manifest.problem["params"])
    told = [("bundle.run", manifest.run.metrics)]
    told += [(f"bundle.{manifest.steps}", row["metrics"]) for row in archive.read_json(manifest.steps)]
    check_metrics(quantities, designs.columns, told)
    seed = int(options.get("seed", 0))
    parts = np.repeat(np.arange(len(manifest.chunks)), [chunk.count for chunk in manifest.chunks])
    return check_figures(
        problem,
        pick(quantities, designs, parts, seed),
        lambda numbers: _some_designs(archive, manifest, numbers),
        count=len(designs),
        seed=seed,
        within_s=float(options.get("within_s", RECOMPUTING_S)),
        engine_path=path,
    )


def _some_designs(archive: BundleArchive, manifest: Manifest, numbers: IntArray) -> Designs:
    """Return the designs by their numbers, in rising order; of other decisions none is read."""
    ordered, found = np.sort(numbers), []
    for chunk in manifest.chunks:
        first, last = np.searchsorted(ordered, [chunk.first, chunk.first + chunk.count])
        if last > first:
            rows = pa.array(ordered[first:last] - chunk.first)
            tables = [table_from_bytes(archive.read(member)).take(rows) for member in (chunk.scalars, chunk.decisions)]
            found.append(Designs.from_tables(*tables))
    return Designs.concatenate(found)


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
        if result.role not in get_args(ResultRole) or not isinstance(result.belongs_to, str):
            got = str((result.role, result.belongs_to))[:200]
            raise ProblemError(
                f"bundle.{item.member}", got, f"one of the roles {get_args(ResultRole)} with the name of a result"
            )


def _check_bounds(manifest: Manifest) -> None:
    """Check the bounds of the plan: plots and key metrics are drawn with them."""
    stored = manifest.run.plan.get("bounds", ())
    kinds = {"column": str | None, "title": str, "value": int | float, "unit": str, "reached": bool}
    try:
        bounds = [asdict(bound) for bound in bounds_from_json(stored)]
        whole = all(isinstance(bound[name], kind) for bound in bounds for name, kind in kinds.items())
    except (ValueError, TypeError):
        whole = False
    if not whole:
        raise ProblemError("bundle.run.plan.bounds", str(stored)[:200], "a list of bounds, as plans are written")


def _check_records(archive: BundleArchive, manifest: Manifest) -> None:
    """Check steps and lines of the log: objects with exactly their keys, numbered upwards."""
    records = ((manifest.steps, _STEP_KEYS, MAX_STEPS, "steps"), (manifest.log, _LOG_KEYS, MAX_LOG_LINES, "lines"))
    for member, keys, most, words in records:
        rows, last = archive.read_json(member), -1
        if not isinstance(rows, list):
            raise ProblemError(f"bundle.{member}", type(rows).__name__, "a list")
        if len(rows) > most:
            raise ProblemError(f"bundle.{member}", f"{counted(len(rows))} {words}", f"at most {counted(most)} {words}")
        for row in rows:
            if not isinstance(row, Mapping) or set(row) != keys:
                raise ProblemError(f"bundle.{member}", str(row)[:200], f"objects with {sorted(keys)}")
            number = row["number"]
            if not isinstance(number, int) or isinstance(number, bool) or number <= last:
                raise ProblemError(f"bundle.{member}", str(number)[:40], "increasing numbers")
            last = number
            _check_row(member, row)


def _check_row(member: str, row: Mapping[str, Any]) -> None:
    numbers = [row[key] for key in ("attempt", "fraction", "evaluations", "design_count") if key in row]
    numbers += [row["hypervolume"]] if row.get("hypervolume") is not None else []
    metrics = row["metrics"].values() if isinstance(row.get("metrics"), Mapping) else ()
    numbers += [value for value in metrics if value is not None]  # None: not a number, or infinite
    texts = [row[key] for key in ("message", "level", "text", "time") if key in row]
    if not all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers):
        raise ProblemError(f"bundle.{member}", str(row)[:200], "numbers in its numeric fields")
    if any(not 0 <= row.get(key, 0) <= most for key, most in _MOST.items()):
        raise ProblemError(f"bundle.{member}", str(row)[:200], f"numbers from 0 to {dict(_MOST)}")
    if any(isinstance(row.get(key), str) and len(row[key]) > most for key, most in _LENGTHS.items()):
        raise ProblemError(f"bundle.{member}", str(row)[:200], f"texts of at most {dict(_LENGTHS)} characters")
    if not all(isinstance(text, str) for text in texts) or not isinstance(row.get("metrics", {}), Mapping):
        raise ProblemError(f"bundle.{member}", str(row)[:200], "texts in its text fields")
