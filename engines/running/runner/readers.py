"""The readers of files that people upload. They run in a child process, with limits, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from engines.contract.errors import ProblemError
from hardware.errors import sentence

if TYPE_CHECKING:  # a child that reads nothing does without what this imports
    from engines.contract.encoding.document_text import ReadDocument

Reader = Callable[[bytes, str, Mapping[str, Any]], "ReadDocument"]

# Name -> dotted path: a child imports the one that it needs.
READERS: Mapping[str, str] = {
    "yaml": "engines.contract.encoding.document_text:read_yaml",
    "document": "engines.workloads.importing.zigzag_reader:read_document",
    "onnx": "engines.workloads.importing.onnx.onnx_reader:read_onnx",
    "litert": "engines.workloads.importing.litert.litert_reader:read_litert",
    "gguf": "engines.workloads.importing.gguf.gguf_reader:read_gguf",
    "maestro": "engines.workloads.importing.maestro_reader:read_maestro",
    "run-bundle": "engines.exchange.bundle_reader:read_bundle",
    "table": "engines.exchange.click_reader:read_csv",
    "gpx": "engines.recordings.gpx:read_gpx",
    "weights": "engines.learning.weights_file:read_weights",
    "measurements": "engines.cost.calibration.reader:read_calibration",
    "measured-values": "engines.cost.measured_files.reader:read_values",
    "profiles": "engines.cost.profiles.profile_reader:read_profiles",
    "runnable": "engines.workloads.runnable.build:read_runnable",
    "importance": "engines.running.importance:read_importance",
    "decided": "engines.running.decision_reader:read_decided",
}


# Ending of a file -> its reader.
ENDINGS: Mapping[str, str] = {
    ".onnx": "onnx",
    ".tflite": "litert",
    ".gguf": "gguf",
    ".yaml": "document",
    ".yml": "document",
    ".json": "document",
    ".m": "maestro",
    ".csv": "table",
    ".tsv": "table",
    ".txt": "table",
    ".log": "table",
    ".gpx": "gpx",
    ".safetensors": "weights",
    ".npz": "weights",
}


# Ending of a file that is not read -> the way on.
_CONVERSIONS: Mapping[str, str] = {
    **dict.fromkeys(
        (".fit", ".tcx", ".kml", ".kmz", ".nmea"), "export the track as GPX, or convert it (GPSBabel does)"
    ),
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".parquet"), "save the table as CSV"),
    **dict.fromkeys((".pt", ".pth", ".h5", ".keras"), "export the network as ONNX, weights as safetensors"),
    **dict.fromkeys((".bz2", ".xz", ".zip", ".7z", ".tar", ".tgz"), "unpack it"),
    ".gz": "unpack it (gunzip)",
}


def reader_for(file: str) -> str:
    """Return the name of the reader of a file, by its ending.

    Raises:
        ProblemError: no reader has that ending.
    """
    ending = PurePath(file).suffix.lower()
    if ending not in ENDINGS:
        ways = [sentence(_CONVERSIONS[ending])] if ending in _CONVERSIONS else []
        raise ProblemError("file", file, f"a file that ends in {', '.join(ENDINGS)}", remedies=ways)
    return ENDINGS[ending]


def get_reader(name: str) -> Reader:
    """Return the reader `name`: a function of file, file name for messages, and options that returns the content.

    Raises:
        KeyError: there is none.
    """
    module, _, function = READERS[name].partition(":")
    found: Reader = getattr(import_module(module), function)
    return found
