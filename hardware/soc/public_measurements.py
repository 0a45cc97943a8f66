"""Public measurements of whole networks on devices of the catalogue, to stand next to estimates; nothing is fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from hardware.document_reader import contents_of, validated
from hardware.sections import Section, Slug, Words

FOLDER = Path(__file__).parent / "public"
_SECONDS_PER_MILLISECOND = 1e-3


@dataclass(frozen=True)
class PublicMeasurement:
    """One published figure.

    Attributes:
        device, network: slugs of the catalogue.
        measured_network: measured network, as its source names it.
        unit: unit of the device; all others were idle.
        latency_s: latency in seconds of a batch.
        statistic: what of many measurements it is ("90th percentile of single queries").
        source, version: who published it, and in which round or release.
        where: the file that it was read in.
    """

    device: str
    network: str
    measured_network: str
    unit: str
    latency_s: float
    statistic: str
    precision: str
    batch: int
    runtime: str
    source: str
    version: str
    where: str


class _Row(Section):
    device: Slug
    network: Slug
    measured_network: Words
    unit: Slug
    quantity: Literal["latency"]
    value: Annotated[float, Field(gt=0, le=1e9)]
    in_unit: Literal["ms"]
    statistic: Words
    precision: Literal["int8", "fp16", "fp32"]
    batch: Annotated[int, Field(ge=1)]
    runtime: Words
    source: Words
    version: Words
    where: Words


class _Document(Section):
    slug: Slug
    title: Words
    rows: Annotated[list[_Row], Field(min_length=1)]


@cache
def public_measurements() -> tuple[PublicMeasurement, ...]:
    """Return all of them, in the order of their files; read once per process.

    Raises:
        HardwareError: a file is not what it should be.
    """
    documents = [validated(_Document, content, slug) for slug, content in contents_of(FOLDER).items()]
    return tuple(
        PublicMeasurement(
            latency_s=row.value * _SECONDS_PER_MILLISECOND,
            **row.model_dump(exclude={"value", "in_unit", "quantity"}),
        )
        for document in documents
        for row in document.rows
    )


def measured_in_public(
    devices: Sequence[str], network: str = "", batch: int | None = None
) -> tuple[PublicMeasurement, ...]:
    """Return the public measurements of the first of `devices` that has any.

    Args:
        devices: slugs, nearest first (`Soc.names`).
        network: slug; "" for any.
        batch: samples together; None for any.
    """
    for device in devices:
        found = tuple(
            row
            for row in public_measurements()
            if row.device == device and network in ("", row.network) and batch in (None, row.batch)
        )
        if found:
            return found
    return ()
