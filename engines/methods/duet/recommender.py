"""Deep learning recommendation models: embedding tables, a bottom MLP, a top MLP (goyal-2023 section 5.1, Table 5.1).

A bottom MLP reads dense inputs of the user, tables are looked up by the user's history and by the candidate, and the top MLP reads
all their results side by side. RM1 to RM5 stand in `recommenders.yaml`; a model of one's own has the same keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from engines.contract.errors import ProblemError
from hardware.documents import DocumentSyntaxError, load_yaml, parse_document
from hardware.sections import Section, Words
from hardware.validation import findings_of

Side = Literal["user", "item", "shared"]
Width = Annotated[int, Field(ge=1, le=65536)]
BYTES_FP32 = 4
BUILT_IN = ("rm1", "rm2", "rm3", "rm4", "rm5")


class TablesSection(Section):
    """Embedding tables of one kind."""

    side: Side
    count: Annotated[int, Field(ge=1, le=1024)] = 1
    lookups: Annotated[int, Field(ge=1, le=10_000)]
    entries: Annotated[int, Field(ge=2, le=10**10)] = 1_000_000


class AccuracySection(Section):
    """Measured accuracies in per cent: monolithic, split and trained again, and with the user's top MLP in int8."""

    monolithic_percent: Annotated[float, Field(gt=0, le=100)]
    split_percent: Annotated[float, Field(gt=0, le=100)]
    split_int8_percent: Annotated[float, Field(gt=0, le=100)]


class RecommenderSection(Section):
    """A recommender as YAML writes it.

    Widths of the bottom MLP begin with its input; those of the top MLP do not, as its input follows from the rest.
    """

    title: Words
    bottom_mlp: Annotated[list[Width], Field(max_length=12)]
    top_mlp: Annotated[list[Width], Field(min_length=1, max_length=12)]
    embedding_dimension: Annotated[int, Field(ge=1, le=4096)]
    tables: Annotated[list[TablesSection], Field(min_length=1, max_length=64)]
    static_inputs_share: Annotated[float, Field(gt=0, lt=1)] = 0.875
    top_layers_split: Annotated[int, Field(ge=0, le=11)] | None = None
    accuracy: AccuracySection | None = None


@dataclass(frozen=True)
class Tables:
    """`count` embedding tables.

    Attributes:
        side: "user": looked up by the history alone; "item": by the candidate; "shared": one of its lookups is the candidate.
        lookups: into each of them for one inference.
        entries: rows of each.
    """

    side: Side
    count: int
    lookups: int
    entries: int

    @property
    def user_lookups(self) -> int:
        """Into each table, by the user's history."""
        return {"user": self.lookups, "item": 0, "shared": self.lookups - 1}[self.side]

    @property
    def item_lookups(self) -> int:
        """Into each table, by a candidate."""
        return self.lookups - self.user_lookups


@dataclass(frozen=True)
class Recommender:
    """A monolithic model.

    Attributes:
        bottom: widths of the bottom MLP, its input first; () where there is none.
        top: widths of the layers of the top MLP, the output last.
        dimension: dimension of an embedding, and of the bottom MLP's output.
        static_share: static share of the dense inputs, what does not change from query to query.
        published_split: layers of the top MLP that the publication splits.
        accuracy: measured, in per cent; None where nobody did.
    """

    title: str
    bottom: tuple[int, ...]
    top: tuple[int, ...]
    dimension: int
    tables: tuple[Tables, ...]
    static_share: float = 0.875
    published_split: int = 2
    accuracy: AccuracySection | None = None

    @property
    def user_features(self) -> int:
        """Width of what the user gives to the top MLP: pooled user embeddings, and the bottom MLP's output."""
        return self.pooled_values + (self.bottom[-1] if self.bottom else 0)

    @property
    def pooled_values(self) -> int:
        """Return the values of the user's embeddings, added up table by table."""
        return sum(each.count for each in self.tables if each.user_lookups) * self.dimension

    @property
    def item_features(self) -> int:
        """Width of what a candidate gives to the top MLP."""
        return sum(each.count for each in self.tables if each.item_lookups) * self.dimension

    @property
    def features(self) -> int:
        """Width of the top MLP's input."""
        return self.user_features + self.item_features

    @property
    def feature_share(self) -> float:
        """The user's share of the top MLP's input, in which the publication splits its layers."""
        return self.user_features / self.features

    @property
    def user_lookups(self) -> int:
        """By the history, in all tables."""
        return sum(each.count * each.user_lookups for each in self.tables)

    @property
    def item_lookups(self) -> int:
        """By one candidate, in all tables."""
        return sum(each.count * each.item_lookups for each in self.tables)

    @property
    def scratchpad_rows(self) -> int:
        """Rows of the user's own tables for the whole history: Table 5.4 counts the candidate's row of a shared table too."""
        return sum(each.count * each.lookups for each in self.tables if each.user_lookups)

    @property
    def scratchpad_bytes(self) -> float:
        """Return the bytes of those rows in 32-bit numbers."""
        return float(self.scratchpad_rows * self.dimension * BYTES_FP32)


def layers_of(widths: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return the inputs and outputs of each layer of an MLP whose input stands first."""
    return tuple(pairwise(widths))


def macs_of(widths: tuple[int, ...]) -> int:
    """Return the multiply-accumulates of an MLP for one input; as many as it has weights."""
    return sum(before * after for before, after in layers_of(widths))


@cache
def built_in(name: str) -> Recommender:
    """Return one of RM1 to RM5 by its name in small letters."""
    return recommender_of(load_yaml(Path(__file__).parent / "recommenders.yaml")[name], name)


def recommender_of(content: Mapping[str, Any], field: str) -> Recommender:
    """Return the model that YAML describes; `field` is named where it is wrong.

    Raises:
        ProblemError: a key, value or width that does not fit.
    """
    try:
        section = RecommenderSection.model_validate(content)
    except ValidationError as error:
        key, got, accepted = findings_of(error, RecommenderSection)[0]
        raise ProblemError(f"{field}.{key}", got, accepted) from None
    model = Recommender(
        section.title, tuple(section.bottom_mlp), tuple(section.top_mlp), section.embedding_dimension,
        tuple(Tables(each.side, each.count, each.lookups, each.entries) for each in section.tables),
        section.static_inputs_share,
        min(2, len(section.top_mlp) - 1) if section.top_layers_split is None else section.top_layers_split,
        section.accuracy,
    )  # fmt: skip
    _refuse_misfits(model, field)
    return model


def recommender_from_yaml(text: str, field: str) -> Recommender:
    """Read a recommender like `recommender_of`, from text.

    Raises:
        ProblemError: also for what is no YAML, with its line.
    """
    try:
        content = parse_document(text, field).content
    except DocumentSyntaxError as error:
        if error.key != error.NO_KEY:
            raise ProblemError(f"{field}.{error.key}", error.got, error.accepted, error.line) from None
        accepted = "YAML with title, bottom_mlp, top_mlp, embedding_dimension and tables"
        raise ProblemError(field, error.message, accepted, error.line) from None
    return recommender_of(content, field)


def widths_of(text: str, field: str) -> list[int]:
    """Return the widths as Table 5.1 writes them: "128-64-32".

    Raises:
        ProblemError: something between the hyphens is no whole number from 1 to 65536.
    """
    parts = [part.strip() for part in text.split("-")] if text.strip() else []
    accepted = 'whole numbers from 1 to 65536 with hyphens between them, as "128-64-32"'
    for part in parts:
        if not (part.isascii() and part.isdigit() and 1 <= int(part) <= 65536):
            raise ProblemError(field, text, accepted)
    return [int(part) for part in parts]


def _refuse_misfits(model: Recommender, field: str) -> None:
    """Refuse widths that do not fit together, and models of which nothing can be split."""
    if len(model.bottom) == 1:
        raise ProblemError(
            f"{field}.bottom_mlp", list(model.bottom), "nothing, or the input's width and at least one layer"
        )
    if model.bottom and model.bottom[-1] != model.dimension:
        accepted = f"widths that end in embedding_dimension, {model.dimension}"
        reason = "The results of the bottom MLP are combined with the embeddings."
        raise ProblemError(f"{field}.bottom_mlp", list(model.bottom), accepted, reason=reason)
    if model.bottom and min(model.bottom) < 2:
        raise ProblemError(
            f"{field}.bottom_mlp", list(model.bottom), "widths from 2 on", reason="Each layer is split in two."
        )
    if min(model.top[:-1], default=2) < 2:
        reason = "Each of these layers is split in two."
        raise ProblemError(
            f"{field}.top_mlp", list(model.top), "widths of at least 2, except for the last", reason=reason
        )
    if model.top[-1] not in (1, 2):
        raise ProblemError(f"{field}.top_mlp", list(model.top), "widths that end in 1, or in 2 (clicked or not)")
    if any(each.side == "shared" and each.lookups < 2 for each in model.tables):
        reason = "One of the lookups is the item to rank."
        raise ProblemError(f"{field}.tables", "a shared table with 1 lookup", "2 lookups or more", reason=reason)
    if not model.user_lookups or not model.item_lookups:
        raise ProblemError(f"{field}.tables", "one side only", "a table of the user and a table of the item")
    if not 0 <= model.published_split < len(model.top):
        accepted = f"from 0 to {len(model.top) - 1}"
        reason = "The last layer of the top MLP joins both sides."
        raise ProblemError(f"{field}.top_layers_split", model.published_split, accepted, reason=reason)
