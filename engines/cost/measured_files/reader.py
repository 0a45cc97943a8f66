"""The reader of files of measured values. It runs in a limited child process, as the files are not trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from engines.contract.encoding.document_text import ReadDocument, parse_yaml
from engines.contract.encoding.json_text import read_json
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.cost.measured_files.columns import read_table
from engines.cost.measured_files.json_results import read_ai_hub_profile, read_list, read_perf_yaml
from engines.cost.measured_files.logs import read_log
from engines.cost.measured_files.value import MOST_VALUES, MeasuredFile
from engines.tables.text import as_utf8

MAX_BYTES = 5_000_000
FORMATS = "JSON of an AI Hub profile job, of trtexec --exportTimes or of onnxruntime's profiler"


def read_values(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the measured values of a file, of whichever known format.

    Args:
        data: the file.
        name: its name.
        options: `mapping` and `stated`, as `read_table` takes them.

    Raises:
        ProblemError: it is of no known format, or has no value.
    """
    read = _read(data, name, options)
    if len(read.values) > MOST_VALUES:
        raise ProblemError(
            "file", f"{counted(len(read.values))} values", f"a file of at most {counted(MOST_VALUES)} values"
        )
    return ReadDocument(asdict(read))


def _read(data: bytes, name: str, options: Mapping[str, Any]) -> MeasuredFile:
    text = as_utf8(data, name)[0].decode()
    if (log := read_log(text)) is not None:  # logs of trtexec begin with a bracket, as JSON does
        return log
    if text.lstrip().startswith(("{", "[")):
        return _read_json(text)
    if "performance_metrics:" in text or name.lower().endswith((".yaml", ".yml")):
        content = parse_yaml(data, name).content
        if "precisions" not in content:
            raise ProblemError("file", name, "a perf.yaml of AI Hub Models with the key precisions")
        return read_perf_yaml(content)
    return read_table(data, name, options.get("mapping"), options.get("stated", {}))


def _read_json(text: str) -> MeasuredFile:
    try:
        content = json.loads(text) if text.lstrip().startswith("[") else read_json(text)
    except (ValueError, RecursionError) as error:
        raise ProblemError("file", str(error)[:200], FORMATS) from error
    if isinstance(content, list):
        return read_list(content)
    if "execution_summary" in content:
        return read_ai_hub_profile(content)
    raise ProblemError("file", ", ".join(map(str, content))[:200], FORMATS)
