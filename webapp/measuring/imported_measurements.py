"""Measurements of a run in its bundle, and those of an imported run by devices of other installations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.measuring.measured_designs import MeasuredDesign, MeasuredPiece, measured_of_run
from webapp.measuring.models import MeasuredElsewhere
from webapp.runs.models import Run


def rows_of(run: Run) -> list[dict[str, Any]]:
    """Return the measured designs, as `engines.exchange.bundle_measurements` says; what waits or failed is left out."""
    return [_row(each) for each in measured_of_run(run) if each.latency is not None]


def store_rows(run: Run, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store the measurements of an imported run after validation of its bundle."""
    renamed = {"device": "device_name", "slug": "device_slug"}
    MeasuredElsewhere.objects.bulk_create(
        MeasuredElsewhere(run=run, **{renamed.get(name, name): value for name, value in row.items()}) for row in rows
    )


def _row(each: MeasuredDesign) -> dict[str, Any]:
    place = each.place
    return {
        "number": each.number,
        "device": place.name,
        "slug": place.slug,
        "machine": place.machine,
        "threads": place.threads,
        "provider": place.provider,
        "agent": each.agent,
        "measured": each.measured,
        "settled": each.settled,
        "rest_s": each.rest_s,
        "rest_words": each.rest_words,
        "pieces": [_piece(piece) for piece in each.pieces],
    }


def _piece(piece: MeasuredPiece) -> dict[str, Any]:
    latency = piece.latency
    assert latency is not None  # of a design that is measured
    ends = {"median_s": latency.median_s, "low_s": latency.low_s, "high_s": latency.high_s}
    return {"title": piece.title, "share": piece.share, **ends}
