"""Measurements of a run's designs in its bundle: each piece with its interval, and where it ran."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted, many
from engines.exchange.bundle import Part

MAX_MEASURED = 20_000
_Seconds = Annotated[float, Field(gt=0, le=1e6)]


class PieceFacts(Part):
    """A piece of a design: what its latency is multiplied by, and the latency with its 95 % interval (null where there is none)."""

    title: Annotated[str, Field(max_length=200)]
    share: Annotated[float, Field(gt=0, le=1e6)]
    median_s: _Seconds
    low_s: _Seconds | None
    high_s: _Seconds | None


class MeasuredFacts(Part):
    """A design on a device; its latency is the sum of share x latency over the pieces, and `rest_s` as the run predicts it."""

    number: Annotated[int, Field(ge=0, le=2**31 - 1)]
    device: Annotated[str, Field(min_length=1, max_length=80)]
    slug: Annotated[str, Field(max_length=60)]
    machine: Annotated[str, Field(max_length=800)]
    threads: Annotated[int, Field(ge=1, le=4096)]
    provider: Annotated[str, Field(max_length=60)]
    agent: Annotated[str, Field(max_length=40)]
    measured: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    settled: bool
    rest_s: Annotated[float, Field(ge=0, le=1e9)]
    rest_words: Annotated[str, Field(max_length=300)]
    pieces: Annotated[list[PieceFacts], Field(min_length=1, max_length=1000)]


_ROWS = TypeAdapter(list[MeasuredFacts])


def check_measured(member: str, content: Any, design_count: int) -> None:
    """Refuse what cannot have been measured of a run with that many designs.

    Raises:
        ProblemError: names the row, what was got and what is accepted.
    """
    if isinstance(content, list) and len(content) > MAX_MEASURED:
        raise ProblemError(f"bundle.{member}", many(len(content), "row"), f"at most {counted(MAX_MEASURED)}")
    try:
        rows = _ROWS.validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        accepted = first["msg"].removeprefix("Input should be ")
        raise ProblemError(f"bundle.{member}.{place}", str(first.get("input"))[:200], accepted) from error
    seen = set()
    for at, row in enumerate(rows):
        if row.number >= design_count:
            accepted = f"a number of a design, below {design_count}"
            raise ProblemError(f"bundle.{member}.{at}.number", row.number, accepted)
        where = (row.number, row.device, row.slug, row.threads, row.provider)
        if where in seen:
            raise ProblemError(f"bundle.{member}.{at}", str(where), "each design once on a device with its threads")
        seen.add(where)
        for piece in row.pieces:
            low, high = piece.low_s, piece.high_s
            if (low is not None and low > piece.median_s) or (high is not None and high < piece.median_s):
                got = f"{low} to {high} around {piece.median_s}"
                raise ProblemError(f"bundle.{member}.{at}.pieces", got, "an interval that holds its median")
