"""The step, one report of a running engine: new designs, results, files, checkpoint, and limits that no design can meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.contract.designs import Designs
from engines.contract.quantities import SHARE
from engines.contract.results import Result

MAX_RESULT_BYTES = 1_000_000
MAX_CHECKPOINT_BYTES = 1_000_000
# Characters. Results and files are stored in columns of these lengths, which not every database enforces.
MAX_RESULT_NAME = 120
MAX_FILE_NAME = 200
MAX_FILE_BYTES = 256 * 1024 * 1024
# A file of this media type is a document of the catalogue, as JSON. When the run is done it is stored in the run's project, and
# with it the run's file whose hash stands under `file.sha256`.
DOCUMENT_MEDIA_TYPE = "application/vnd.paretoscope.document+json"
# What files may be: nothing that a browser would run or draw with scripts in it (no HTML, SVG, XML or JavaScript), as bundles carry
# files from one installation to another.
FILE_MEDIA_TYPES = frozenset(
    {
        DOCUMENT_MEDIA_TYPE,
        "application/json",
        "application/octet-stream",
        "application/onnx",
        "application/vnd.apache.arrow.file",
        "application/vnd.apache.parquet",
        "application/yaml",
        "application/zip",
        "image/png",
        "text/csv",
        "text/plain",
        "text/x-c",
    }
)


@dataclass(frozen=True)
class File:
    """A file that a step produced; stored under the hash of its content.

    Attributes:
        name: file name, unique within the run; a later file of the same name replaces it.
        media_type: media type of the download; one of `FILE_MEDIA_TYPES`.
        data: content of the file, at most `MAX_FILE_BYTES`.
    """

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class Infeasibility:
    """The proof that no design meets the limits. It is a result of a run, not an error.

    Attributes:
        limit: the limited value in words ("chiplets in window 1").
        demand, bound: value that is needed and value that is available, both in `unit`.
        unit: unit of demand, bound and gap.
        gap: demand - bound for an upper limit, bound - demand for a lower one; always positive.
        remedies: (sentence with a way to continue, field to change) pairs.
    """

    limit: str
    demand: float
    bound: float
    unit: str
    gap: float
    remedies: tuple[tuple[str, str], ...] = ()


def shortfall(limit: str, demand: float, bound: float, unit: str) -> str:
    """Return the sentence on a limit that no design meets, with the gap and its direction; arguments as in `Infeasibility`."""
    factor, shown = (100.0, "%") if unit == SHARE else (1.0, unit)
    numbers = (f"{factor * value:.4g}".replace("inf", "∞") for value in (demand, bound))
    best, allowed = (f"{number} {shown}".strip() for number in numbers)
    if demand > bound:
        return f"{limit}: at least {best} is needed, at most {allowed} is allowed."
    return f"{limit}: at most {best} can be reached, at least {allowed} is asked for."


@dataclass(frozen=True)
class Step:
    """One report of a running engine.

    Attributes:
        fraction: share of the work done, 0..1, never falling.
        message: one line for the run page.
        metrics: name -> value; names come from the engine's quantities or are `evaluations` (from 0 to below 2**63).
        designs: only the designs that are new in this step; readers append them and derive front and hypervolume.
        results: small results; a later one of the same name replaces it. Names have at most `MAX_RESULT_NAME` characters,
            and no text in a result contains a NUL character, which PostgreSQL cannot store.
        files: produced files; names have at most `MAX_FILE_NAME` characters, media types are of `FILE_MEDIA_TYPES`,
            contents `MAX_FILE_BYTES`.
        checkpoint: with the stored designs and files, enough to continue exactly after this step.
        infeasible: set when the limits cannot be met; the run then ends with that outcome.
    """

    fraction: float
    message: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    designs: Designs | None = None
    results: tuple[Result, ...] = ()
    files: tuple[File, ...] = ()
    checkpoint: bytes | None = None
    infeasible: Infeasibility | None = None


@dataclass(frozen=True)
class Resume:
    """The state from which a run continues: its last checkpoint and the designs stored up to it."""

    checkpoint: bytes
    designs: Designs
