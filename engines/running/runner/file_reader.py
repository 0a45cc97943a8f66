"""Reads a file that a person handed in, in a child process with limits on memory, processor time and time.

Whatever the file does to its reader - an exception, a crash of native code, endless work - comes back as a `ProblemError`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import BusyError, ProblemError
from engines.running.runner.child_exit import ChildExit
from engines.running.runner.frame_parts import file_parts
from engines.running.runner.limited_process import AllBusyError, ChildLimits, answer_of, took_too_long
from engines.running.runner.protocol import MAX_PART_BYTES, FileContent, Frame, ReadRequest

logger = logging.getLogger(__name__)


TEXT_LIMITS = ChildLimits()
# A network of a hundred megabytes takes a second or two and half a gigabyte; benchmarks/bench_import.py measures it.
NETWORK_LIMITS = ChildLimits(memory_mb=2560.0, cpu_s=40, time_s=60.0)


def read_in_child(
    reader: str,
    data: bytes,
    name: str,
    options: Mapping[str, Any] | None = None,
    limits: ChildLimits = TEXT_LIMITS,
) -> ReadDocument:
    """Return the document that `reader` makes of a file, read in a limited child process.

    Args:
        reader: name of one of `engines.running.runner.readers`.
        data: the file.
        name: name of the file in messages.
        options: the reader's own.
        limits: bounds of the child process.

    Raises:
        BusyError: other files are being read, and none ended in time.
        ProblemError: the file is not what the reader reads, or took more than the limits; the message says which.
    """
    try:
        found, ending = answer_of(_frames(reader, data, name, options or {}, limits), FileContent, limits)
    except AllBusyError as error:
        raise BusyError("file", 30 if limits.time_s > TEXT_LIMITS.time_s else 5) from error
    if found is None:
        raise _refusal(ending, name, limits)
    return ReadDocument(json.loads(found.content), found.lines, found.report, found.copy)


def _frames(reader: str, data: bytes, name: str, options: Mapping[str, Any], limits: ChildLimits) -> Iterator[Frame]:
    parts = max(1, -(-len(data) // MAX_PART_BYTES))
    yield ReadRequest(reader, name, dict(options), parts, limits.memory_mb, limits.cpu_s)
    yield from file_parts(data)


def _refusal(ending: ChildExit, name: str, limits: ChildLimits) -> ProblemError:
    """Return the ending of a child that did not read its file, in words for the person who handed it in."""
    failed = ending.failed
    if failed is not None and failed.category == "problem":
        return failed.problem()
    if ending.reason == "memory":
        return ProblemError("file", name, f"a file that is read within {limits.memory_mb:.0f} MB of memory")
    if took_too_long(ending):
        seconds = f"{limits.cpu_s} s of computing ({limits.time_s:.0f} s on the clock)"
        return ProblemError("file", name, f"a file that is read within {seconds}")
    # A reader that fails in a way of its own has met a file that it does not foresee, or has a fault: somebody should look.
    logger.warning("Reading %s failed: %s\n%s", name, ending.message, failed.traceback if failed else "")
    reason = f"The reader of the file ended with: {ending.message}"
    return ProblemError("file", name, "a complete and undamaged file of its format", reason=reason)
