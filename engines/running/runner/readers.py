"""The readers of files that people upload. They run in a child process, with limits, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a child that reads nothing does without what this imports
    from engines.contract.document_text import ReadDocument

Reader = Callable[[bytes, str, Mapping[str, Any]], "ReadDocument"]

# Name -> dotted path: a child imports the one that it needs.
READERS: Mapping[str, str] = {
    "yaml": "engines.contract.document_text:read_yaml",
    "document": "engines.workloads.importing.zigzag_reader:read_document",
    "onnx": "engines.workloads.importing.onnx_reader:read_onnx",
    "maestro": "engines.workloads.importing.maestro_reader:read_maestro",
    "run-bundle": "engines.exchange.bundle_reader:read_bundle",
    "table": "engines.exchange.click_reader:read_csv",
    "gpx": "engines.recordings.gpx:read_gpx",
    "weights": "engines.learning.weights_file:read_weights",
    "measurements": "engines.cost.calibration_reader:read_calibration",
    "profiles": "engines.cost.profile_reader:read_profiles",
    "runnable": "engines.workloads.runnable.build:read_runnable",
    "importance": "engines.running.importance:read_importance",
    "decided": "engines.running.deciding:read_decided",
}


# Ending of a file -> its reader.
ENDINGS: Mapping[str, str] = {
    ".onnx": "onnx",
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


def get_reader(name: str) -> Reader:
    """The reader of that name: (file, what messages call it, options) -> what the file says.

    Raises:
        KeyError: there is none.
    """
    module, _, function = READERS[name].partition(":")
    found: Reader = getattr(import_module(module), function)
    return found
