"""A run as one file: its members, and an archive that is opened with bounds on every size that it declares.

A bundle is a zip file with `bundle.json` (the manifest) and the members that it lists with size and SHA-256. Nothing in it is
executed, unpickled or written to a path of its choosing: members are read by name into memory, each within its bound.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import zipfile
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from engines.contract.engine import FILE_MEDIA_TYPES
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.running.time_limits import MAX_MINUTES

SCHEMA = "paretoscope-run/1"
MANIFEST = "bundle.json"
MAX_BUNDLE_BYTES = 200_000_000
MAX_MEMBERS = 20_000
MAX_TOTAL_BYTES = 1_000_000_000
MAX_JSON_BYTES = 64_000_000
# A run keeps 5 250 lines of its log, and few more steps; those of engines without checkpoints are all kept.
MAX_STEPS = 50_000
MAX_LOG_LINES = 10_000
MAX_RECORD_BYTES = 24_000_000  # of all steps, or of all lines
# What is stored in one transaction, during which nobody else writes: a document, a result, a file.
MAX_CONTENT_BYTES = 16_000_000
MAX_FILE_BYTES = 64_000_000
MAX_SMALL = 2**31 - 1  # what a column of small whole numbers holds
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_.-]*)?\.?[a-z0-9]*")

Text = Annotated[str, Field(max_length=500)]
Count = Annotated[int, Field(ge=0, le=2**53)]
Small = Annotated[int, Field(ge=0, le=MAX_SMALL)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _media_type(text: str) -> str:
    if text not in FILE_MEDIA_TYPES:
        raise PydanticCustomError("media_type", "one of {known}", {"known": ", ".join(sorted(FILE_MEDIA_TYPES))})
    return text


class Part(BaseModel):
    """A part of a bundle: only the declared fields, in exactly those types."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class MemberFacts(Part):
    """Size and SHA-256 of a member."""

    size: Count
    sha256: Hash


class RunFacts(Part):
    """The run's own row, as far as it means something elsewhere. Times are ISO 8601."""

    number: Count
    title: Annotated[str, Field(max_length=200)]
    project: Text
    owner: Text
    status: Literal["done", "stopped", "failed"]
    outcome: Literal["", "feasible", "infeasible", "error"]
    outcome_detail: dict[str, Any]
    fraction: Annotated[float, Field(ge=0, le=1)]
    message: Text
    metrics: dict[str, float | None]  # None: not a number, or infinite
    evaluations: Count
    design_count: Count
    step_number: Small
    hypervolume_reference: list[float] | None
    created: Text | None
    started: Text | None
    finished: Text | None
    attempt: Small
    platform: dict[str, Any]
    plan: dict[str, Any]
    stop_after_minutes: Annotated[float, Field(gt=0, le=MAX_MINUTES * 1000)] | None = None
    computed_s: Annotated[float, Field(ge=0)] = 0.0


class InputFacts(Part):
    """A pinned document; its content is a member."""

    slot: Annotated[str, Field(max_length=80)]
    kind: Annotated[str, Field(max_length=20)]
    slug: Annotated[str, Field(max_length=120)]
    version: Small
    content_hash: Hash
    member: Text


class ChunkFacts(Part):
    """Designs in a row: two members, each an Arrow stream."""

    first: Count
    count: Annotated[int, Field(ge=1, le=10_000_000)]
    step: Small
    scalars: Text
    decisions: Text


class ResultFacts(Part):
    """A result by name; its content is a member."""

    name: Annotated[str, Field(max_length=120)]
    step: Small
    member: Text


class FileFacts(Part):
    """The description of a file made by the engine; a member holds its content."""

    name: Annotated[str, Field(max_length=200)]
    media_type: Annotated[str, AfterValidator(_media_type)]
    step: Small
    member: Text


class Manifest(Part):
    """The manifest of a bundle."""

    schema_: Literal["paretoscope-run/1"] = Field(alias="schema")
    made_with: Text
    exported: Text
    engine: Annotated[str, Field(max_length=80)]
    engine_version: Annotated[int, Field(ge=1, le=MAX_SMALL)]
    problem: dict[str, Any]
    problem_hash: Hash
    run: RunFacts
    inputs: list[InputFacts]
    chunks: list[ChunkFacts]
    results: list[ResultFacts]
    files: list[FileFacts]
    steps: Text
    log: Text
    measured: Text | None = None  # left out where nothing was: versions that do not measure take the run too
    members: dict[str, MemberFacts]


class BundleArchive:
    """An opened bundle.

    Attributes:
        manifest: what it says about itself; well formed, not yet compared with its members.
    """

    def __init__(self, data: bytes) -> None:
        """Open `data`.

        Raises:
            ProblemError: it is no zip file, is too large, holds names that lead elsewhere, claims sizes beyond the bounds, or has
                no manifest that can be read.
        """
        if len(data) > MAX_BUNDLE_BYTES:
            raise ProblemError("bundle", f"{len(data)} bytes", f"a file of at most {counted(MAX_BUNDLE_BYTES)} bytes")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            infos = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise ProblemError(
                "bundle", str(error)[:200], "a complete bundle, the zip file of an exported run"
            ) from error
        self._infos = _checked(infos)
        self.manifest = self._read_manifest()
        listed, found = set(self.manifest.members), set(self._infos) - {MANIFEST}
        if listed != found:
            got = f"missing {sorted(listed - found)[:5]}, unlisted {sorted(found - listed)[:5]}"
            raise ProblemError("bundle.members", got, "exactly the members that the manifest lists")

    def read(self, name: str) -> bytes:
        """Return the content of a member that the manifest lists.

        Raises:
            ProblemError: it is not listed, is damaged, or is not what its size and SHA-256 say.
        """
        facts = self.manifest.members.get(name)
        if facts is None:
            raise ProblemError("bundle.members", name, "a member that the manifest lists")
        data = self._bounded(name, facts.size)
        digest = hashlib.sha256(data).hexdigest()
        if (len(data), digest) != (facts.size, facts.sha256):
            got = f"{len(data)} bytes with the SHA-256 {digest}"
            raise ProblemError(f"bundle.{name}", got, f"{facts.size} bytes with {facts.sha256}, as the manifest says")
        return data

    def read_json(self, name: str) -> Any:
        """Return a member that is JSON; NaN and infinity are refused."""
        if name in self.manifest.members and self.manifest.members[name].size > MAX_JSON_BYTES:
            raise ProblemError(
                f"bundle.{name}", self.manifest.members[name].size, f"at most {counted(MAX_JSON_BYTES)} bytes"
            )
        return _parsed(name, self.read(name))

    def _read_manifest(self) -> Manifest:
        if MANIFEST not in self._infos:
            raise ProblemError("bundle", "no bundle.json in it", "a file that a run was exported to")
        content = _parsed(MANIFEST, self._bounded(MANIFEST, MAX_JSON_BYTES))
        if isinstance(content, Mapping) and content.get("schema") != SCHEMA:
            raise ProblemError("bundle.schema", content.get("schema"), SCHEMA)
        try:
            return Manifest.model_validate(content)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            missing = first["type"] == "missing"
            got = "nothing" if missing else str(first.get("input"))[:200]
            raise ProblemError(f"bundle.{place}", got, _accepted(first["type"], first["msg"])) from error

    def _bounded(self, name: str, most: int) -> bytes:
        """Return at most one byte more than `most`, whatever the zip file claims."""
        try:
            with self._zip.open(self._infos[name]) as stream:
                return stream.read(most + 1)
        except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise ProblemError(f"bundle.{name}", str(error)[:200], "an undamaged member") from error
        except Exception as error:  # zlib.error has no base of its own
            if type(error).__module__ == "zlib":
                raise ProblemError(f"bundle.{name}", str(error)[:200], "an undamaged member") from error
            raise


def _accepted(kind: str, message: str) -> str:
    """Return the accepted values of a pydantic error, in words that follow "must be"."""
    known = {"missing": "there", "extra_forbidden": "left out: this version knows nothing of that name"}
    return known.get(kind, message.removeprefix("Input should be ").removeprefix("Value error, "))


def _checked(infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    if len(infos) > MAX_MEMBERS:
        raise ProblemError("bundle", f"{len(infos)} members", f"at most {counted(MAX_MEMBERS)}")
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        if not _NAME.fullmatch(info.filename) or ".." in info.filename:
            raise ProblemError("bundle.members", info.filename[:200], "member names without paths to other folders")
        if info.filename in found:
            raise ProblemError("bundle.members", info.filename, "distinct names")
        if info.flag_bits & 1:
            raise ProblemError("bundle.members", info.filename, "members that are not encrypted")
        found[info.filename] = info
    total = sum(info.file_size for info in infos)
    if total > MAX_TOTAL_BYTES:
        raise ProblemError("bundle", f"{counted(total)} bytes once unpacked", f"at most {counted(MAX_TOTAL_BYTES)}")
    return found


def _parsed(name: str, data: bytes) -> Any:
    if len(data) > MAX_JSON_BYTES:
        raise ProblemError(f"bundle.{name}", f"{len(data)} bytes", f"at most {counted(MAX_JSON_BYTES)} bytes")
    try:
        return json.loads(data, parse_constant=_refused, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise ProblemError(f"bundle.{name}", str(error)[:200], "JSON") from error


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no number in JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _refused(digits[:40])  # 1e999
