"""Decisions of many designs, read by a child process with limits: a hundred thousand decisions take seconds of a core."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines.contract.decision_values import DecidedValues, values_by_name
from engines.contract.designs import table_from_bytes
from engines.contract.encoding.document_text import ReadDocument
from engines.registry import get_engine
from engines.running.runner.file_reader import read_in_child
from engines.running.runner.limited_process import ChildLimits

LIMITS = ChildLimits(memory_mb=3072.0, cpu_s=120, time_s=180.0)


def decided_in_child(engine: str, tables: Sequence[bytes], skipped: int = 0) -> dict[str, DecidedValues]:
    """Return name of a column -> its values over the designs of some tables.

    Args:
        engine: whose decisions they are.
        tables: Arrow streams with a column `decision` of JSON texts, as runs are stored.
        skipped: number of leading designs to skip.

    Raises:
        BusyError: other questions are being answered.
        ProblemError: the child took more than its limits.
    """
    options = {"engine": engine, "lengths": [len(table) for table in tables], "skipped": skipped}
    found = read_in_child("decided", b"".join(tables), "the decisions of these designs", options, LIMITS).content
    return {name: _unpacked(packed) for name, packed in found.items()}


def read_decided(data: bytes, _name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the decisions that `decided_in_child` requested, in the child."""
    texts: list[str] = []
    first = 0
    for length in options["lengths"]:
        texts += table_from_bytes(data[first : first + length])["decision"].to_pylist()
        first += length
    decisions = [json.loads(text) for text in texts[options["skipped"] :]]
    found = values_by_name(get_engine(options["engine"]).decision_columns, decisions)
    return ReadDocument({name: _packed(values) for name, values in found.items()})


def _packed(values: DecidedValues) -> dict[str, Any]:
    numbers = None if np.isnan(values.numbers).all() else _text(values.numbers)
    return {"words": list(values.words), "which": _text(values.which), "numbers": numbers}


def _unpacked(packed: Mapping[str, Any]) -> DecidedValues:
    which = np.frombuffer(base64.b64decode(packed["which"]), np.int64)
    known = packed["numbers"]
    numbers = np.full(len(which), np.nan) if known is None else np.frombuffer(base64.b64decode(known), np.float64)
    return DecidedValues(tuple(packed["words"]), which, numbers)


def _text(values: np.ndarray) -> str:
    return base64.b64encode(values.tobytes()).decode()
