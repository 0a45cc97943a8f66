"""The contract between an engine and everything that runs, stores and shows it."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, Protocol

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypeVar

from engines.contract.designs import Designs, Origin, canonical_json, ordered_json
from engines.contract.errors import ProblemError
from engines.contract.quantities import Quantity
from engines.contract.results import Result
from hardware.family import DocumentKind

MAX_RESULT_BYTES = 1_000_000
MAX_CHECKPOINT_BYTES = 1_000_000
# Characters. Results and files are stored in columns of these lengths, which not every database enforces.
MAX_RESULT_NAME = 120
MAX_FILE_NAME = 200
MAX_WORKING_NAME = 150  # `FileStore.get_or_build`
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

Determinism = Literal["exact", "pinned"]
LogLevel = Literal["debug", "info", "warning"]
Item = TypeVar("Item")
Shared = TypeVar("Shared")
Out = TypeVar("Out")
Parsed = TypeVar("Parsed")


@dataclass(frozen=True)
class Document:
    """One version of a catalogue document, as an engine sees it.

    Attributes:
        kind: what the document describes.
        slug: name in the catalogue (hyphens).
        version: number of the version, from 1 on.
        content: the JSON-able mapping that the YAML of that version reads as.
    """

    kind: DocumentKind
    slug: str
    version: int
    content: Mapping[str, Any]

    def content_hash(self) -> str:
        """SHA-256 (hex) of the canonical JSON of `content`.

        The order of keys is no part of it. Engines that list units, settings or layers as a mapping does may find other designs for
        the same keys in another order: stored documents therefore keep theirs, and every run is computed from its own.
        """
        return self._hash

    @cached_property
    def _hash(self) -> str:
        return hashlib.sha256(canonical_json(self.content).encode()).hexdigest()

    @cached_property
    def ordered_hash(self) -> str:
        """`content_hash` of the keys in their own order: of what is made by following that."""
        return hashlib.sha256(ordered_json(self.content).encode()).hexdigest()


@dataclass(frozen=True)
class InputKind:
    """A named slot of an engine.

    Attributes:
        kind: which documents fit.
        schemas: values of the document's own `schema` key that fit (("chiplet-package/1",)); empty accepts any.
        title, help: words for forms.
        required: whether a problem without it is refused.
        preferred: slug of the built-in document that forms open with and that `manage.py explore` takes where none is named; ""
            leaves it to them.
        load: parses a document's content into what the engine works with; raises `ProblemError` or the loader's own error.
    """

    kind: DocumentKind
    title: str
    help: str
    load: Callable[[Mapping[str, Any]], Any]
    schemas: tuple[str, ...] = ()
    required: bool = True
    preferred: str = ""

    def takes(self, kind: str, schema: str) -> bool:
        """Whether documents of that kind and `schema` fit."""
        return self.kind == kind and (not self.schemas or schema in self.schemas)


@dataclass(frozen=True)
class ReadyMade:
    """A problem that forms offer by name.

    Attributes:
        name: in addresses.
        title: what people read.
        inputs: slot -> slug of a built-in document.
        params: those that are not the defaults.
    """

    name: str
    title: str
    inputs: Mapping[str, str]
    params: Mapping[str, Any] = field(default_factory=dict)


class EngineParams(BaseModel):
    """Base of every engine's `Params`: frozen, refuses unknown names.

    A field is declared with `Field(default, title=..., description=..., ge=..., le=..., json_schema_extra={"unit": "splits",
    "group": "Search", "advanced": False})`. Choices are `Literal[...]`; words for them go to `json_schema_extra["choices"]` as
    {value: title}. Form, CLI and API are generated from it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")


OfParams_co = TypeVar("OfParams_co", bound=EngineParams, default=EngineParams, covariant=True)


@dataclass(frozen=True)
class Problem(Generic[OfParams_co]):
    """What a run computes: engine, documents by slot, validated parameters, seed.

    Attributes:
        engine, version: name and version of the engine.
        inputs: slot -> document version.
        params: an instance of the engine's `Params`.
        seed: non-negative integer below 2**63.
        values: slot -> parsed document (`InputKind.load`), derived, not part of the identity.
    """

    engine: str
    version: int
    inputs: Mapping[str, Document]
    params: OfParams_co
    seed: int = 0
    values: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def value(self, slot: str, kind: type[Parsed]) -> Parsed:
        """The parsed document of `slot`; of a slot that need not be filled ask only where it is among `inputs`.

        Raises:
            KeyError: the slot is empty.
            TypeError: what its loader gave is no `kind`.
        """
        found = self.values[slot]
        if not isinstance(found, kind):
            raise TypeError(f"The input {slot} of {self.engine} is a {type(found).__name__}, not a {kind.__name__}.")
        return found

    def canonical(self) -> dict[str, Any]:
        """The problem as one JSON-able document: what the CLI, the API, a notebook and the browser exchange."""
        return {
            "engine": self.engine,
            "version": self.version,
            "inputs": {
                slot: {"kind": doc.kind, "slug": doc.slug, "version": doc.version, "hash": doc.content_hash()}
                for slot, doc in sorted(self.inputs.items())
            },
            "params": self.params.model_dump(mode="json"),
            "seed": self.seed,
        }

    def hash(self) -> str:
        """SHA-256 (hex) of the canonical document, slugs and version numbers left out: equal content, equal hash."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        document = self.canonical()
        document["inputs"] = {slot: {"kind": d["kind"], "hash": d["hash"]} for slot, d in document["inputs"].items()}
        return hashlib.sha256(canonical_json(document).encode()).hexdigest()


@dataclass(frozen=True)
class PlanCheck:
    """One line of "Will it fit?": a fact about the problem, met or not, in words with numbers and units.

    Attributes:
        hopeless: no design can be found, as the plan knows already; pages say that before everything else.
    """

    ok: bool
    text: str
    hopeless: bool = False


@dataclass(frozen=True)
class Bound:
    """A value that is known before anything runs.

    Attributes:
        column: the quantity that no design passes it in: none has less where that is minimised, none has more where it is
            maximised. None where the value bounds no column; it is told, and no line is drawn.
        title: what is bounded, in words.
        value: in `unit`.
        unit: as of a quantity.
    """

    column: str | None
    title: str
    value: float
    unit: str


@dataclass(frozen=True)
class Plan:
    """What running a problem will take. Cheap to make: tens of milliseconds.

    Attributes:
        evaluations: designs that will be evaluated (upper bound).
        memory_mb: peak resident memory of the child process.
        time_s: (low, high) estimate of the run time in seconds on one core.
        needs: out of "torch", "gpu", "data"; a worker without them leaves the run alone.
        determinism: "exact" or "pinned".
        checks: facts for "Will it fit?".
        bounds: what is known before anything runs.
        notes: warnings for the user, one sentence each.
    """

    evaluations: int
    memory_mb: float
    time_s: tuple[float, float]
    needs: frozenset[str] = frozenset()
    determinism: Determinism = "exact"
    checks: tuple[PlanCheck, ...] = ()
    bounds: tuple[Bound, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class File:
    """A file that a step produced; stored under the hash of its content.

    Attributes:
        name: unique within the run; a later file of the same name replaces it.
        media_type: for the download; one of `FILE_MEDIA_TYPES`.
        data: the content.
    """

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class Infeasibility:
    """No design can meet the limits: a result, not a crash.

    Attributes:
        limit: which limit, in words ("chiplets in window 1").
        demand: what is needed. bound: what is there. Both in `unit`.
        unit: unit of demand and bound.
        gap: demand - bound for an upper limit, bound - demand for a lower one; always positive.
        remedies: (what would mend it, which field to change) pairs.
    """

    limit: str
    demand: float
    bound: float
    unit: str
    gap: float
    remedies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Step:
    """One report of a running engine.

    Attributes:
        fraction: share of the work done, 0..1, never falling.
        message: one line for people.
        metrics: name -> value; names come from the engine's quantities or are `evaluations` (from 0 to below 2**63).
        designs: NEW designs only; they are appended, front and hypervolume are derived by the reader.
        results: small results; one of the same name replaces the earlier. Names have at most `MAX_RESULT_NAME` characters,
            and no text in a result holds a NUL character, which PostgreSQL cannot store.
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
    """Where to go on: the last checkpoint and everything stored up to it."""

    checkpoint: bytes
    designs: Designs


class Executor(Protocol):
    """Runs independent pieces of work, in order, on processes where that pays."""

    def map(self, function: Callable[[Shared, Item], Out], shared: Shared, batch: Sequence[Item]) -> list[Out]:
        """`[function(shared, item) for item in batch]`; the order is kept; `function` is importable by name."""
        ...


class FileStore(Protocol):
    """Content-addressed files of a run."""

    def put(self, data: bytes) -> str:
        """Store `data`, at most `MAX_FILE_BYTES`; return its SHA-256 (hex)."""
        ...

    def get(self, key: str) -> bytes:
        """The content of `key`. Raises KeyError if there is none."""
        ...

    def get_or_build(self, key: str, build: Callable[[], bytes]) -> bytes:
        """The content stored under the name `key` (at most `MAX_WORKING_NAME` characters), built and kept on first use."""
        ...


class Context(Protocol):
    """What a running engine may ask of its surroundings."""

    executor: Executor
    files: FileStore
    device: str

    def random(self, *names: str | int) -> np.random.Generator:
        """A random stream keyed by the problem's seed and `names`; never stored, so results cannot depend on how work is split."""
        ...

    def stop_requested(self) -> bool:
        """Whether a stop was asked for; an engine then ends its current piece of work and returns."""
        ...

    def log(self, message: str, level: LogLevel = "info") -> None:
        """One line for the run's log."""
        ...


class Recorder(Protocol):
    """What a run has told so far. It makes the steps, and keeps what the next attempt needs to go on exactly there.

    Attributes:
        context: the surroundings of the run.
        state: what the last step with a checkpoint was given, tuples as lists; None at the start.
        designs: all that were added so far, by earlier attempts too.
        told: how many those are, without joining them.
        evaluations: how many designs were scored so far.
    """

    context: Context
    state: Mapping[str, Any] | None
    evaluations: int

    @property
    def designs(self) -> Designs:  # noqa: D102
        ...

    @property
    def told(self) -> int:  # noqa: D102
        ...

    def scored(self, count: int) -> npt.NDArray[np.int64]:
        """Count `count` more evaluations; their numbers, shape `count`."""
        ...

    def sampled(self, number: int, count: int, total: float) -> npt.NDArray[np.bool_]:
        """Which of `count` designs are told though others are better: about 15,000 of a whole run.

        Args:
            number: of the batch, which keys the draw.
            count: how many designs the batch has.
            total: how many the run may score in all; up to 15,000 every one is told.
        """
        ...

    def add(
        self, designs: Designs, origin: Origin | Sequence[str] = "search", at: npt.NDArray[np.int64] | None = None
    ) -> None:
        """Take in new designs, which the next step tells.

        Args:
            designs: origin and numbers of evaluation are set here.
            origin: of all of them, or of each.
            at: of every design the number of the evaluation that found it, as `scored` gave it, 0 for none; by default the designs
                are the next evaluations.
        """
        ...

    def step(
        self,
        fraction: float,
        message: str,
        results: Sequence[Result] = (),
        files: Sequence[File] = (),
        state: Mapping[str, Any] | None = None,
    ) -> Step:
        """The next step, with what was added since the last; its metrics are `evaluations` and the best of what the engine `tells`.

        Args:
            fraction: share of the work done; what is less than an earlier one counts as that.
            message: one line for people.
            results: small results.
            files: produced files.
            state: arrays and JSON values from which the run goes on after this step; None makes no checkpoint.
        """
        ...

    def infeasible(self, found: Infeasibility, message: str) -> Step:
        """The last step of a run whose limits cannot be met."""
        ...


P = TypeVar("P", bound=EngineParams, default=Any)
S = TypeVar("S", default=Any)


class Engine(ABC, Generic[P, S]):
    """A method that explores designs. `S` is what its search needs of a problem, prepared.

    Call order: `prepare(problem)` (before anything is stored), `plan(problem, ready)` (for the form and the scheduler), then
    `run(problem, ready, record)` in a process of its own, which yields `Step`s. `evaluate` and `explain` may be called at
    any time afterwards, in any process, with decisions stored earlier; they never depend on state that `run` left behind.
    Engines keep no state between calls, and nothing changes what was prepared: it is kept for whoever asks for that problem again.

    `tells` names the columns whose best value so far, of designs of the search that keep all limits, is a metric of every step.

    `explains` says which types of results `explain` may give, so that pages leave out from the first moment on what the engine
    never shows: without `Schedule` among them there is no tab for it. None: not known before the first design is explained.

    `ready_made` are problems that the form offers by name; with the inputs of the first it opens with its parameters as well.

    `precedence`: engines of a higher one are offered before others where several take what is there; the form of a new exploration
    opens with the highest.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    version: ClassVar[int]
    tags: ClassVar[tuple[str, ...]] = ()
    inputs: ClassVar[Mapping[str, InputKind]]
    Params: ClassVar[type[EngineParams]]
    quantities: ClassVar[tuple[Quantity, ...]]
    tells: ClassVar[tuple[str, ...]] = ()
    explains: ClassVar[tuple[type[Result], ...] | None] = None
    ready_made: ClassVar[tuple[ReadyMade, ...]] = ()
    precedence: ClassVar[int] = 0

    @abstractmethod
    def prepare(self, problem: Problem[P]) -> S:
        """Refuse a problem that cannot be run, and build what the search of any other needs. Cheap.

        What takes longer than tens of milliseconds is left to the first use (`cached_property`).

        Raises:
            ProblemError: names the field, what was got and what is accepted.
        """

    @abstractmethod
    def plan(self, problem: Problem[P], ready: S) -> Plan:
        """What running `problem` will take."""

    @abstractmethod
    def run(self, problem: Problem[P], ready: S, record: Recorder) -> Iterator[Step]:
        """Search. Yields at least every second of work where it can, with a checkpoint at least once per minute of work."""

    @abstractmethod
    def evaluate(
        self, problem: Problem[P], ready: S, decisions: Sequence[Mapping[str, Any]], context: Context
    ) -> Designs:
        """The same numbers again for stored decisions, or the numbers of a user's own.

        Raises:
            DecisionError: a decision does not describe a design of this problem.
        """

    @abstractmethod
    def explain(
        self, problem: Problem[P], ready: S, decision: Mapping[str, Any], context: Context
    ) -> tuple[Result, ...]:
        """Grid, schedule, traces, breakdowns of one design; their totals equal `evaluate`."""

    def explains_of(self, problem: Problem[P]) -> tuple[type[Result], ...] | None:
        """`explains` for one problem; overridden where inputs or parameters decide."""
        return self.explains

    def estimator(self, problem: Problem[P]) -> tuple[str, Literal["fitted", "predicted", "measured"]]:
        """Which cost model gives the figures, in words, and whether it was fitted or predicts."""
        return (self.title, "predicted")

    def model(self, problem: Problem[P]) -> str:
        """Which networks or supernet are computed, in words, where no workload says it; "" where one does.

        Runs whose models or workloads differ are not set against each other in comparisons.
        """
        return ""

    def error_factors(self, problem: Problem[P]) -> Mapping[str, float]:
        """Column -> factor, up or down, within which its estimates are expected; columns without a known one are left out."""
        return {}

    def quantities_of(self, params: P) -> tuple[Quantity, ...]:
        """The quantities of a run with these parameters: the same columns, objectives only those that were asked for."""
        return self.quantities

    def primary_metric(self, problem: Problem[P]) -> str:
        """Name of the quantity by which "best" is told on pages and in lists."""
        return next(q.name for q in self.quantities if q.role == "objective")


def require(condition: bool, field_name: str, got: Any, accepted: str) -> None:
    """Raise `ProblemError(field_name, got, accepted)` unless `condition` holds."""
    if not condition:
        raise ProblemError(field_name, got, accepted)
