"""The share of the limits that measurement results use: a user's share contains the measurements that the user requested."""

from __future__ import annotations

from django.db.models import Sum

from webapp.limits.usage import count
from webapp.measuring.models import Measurement


def count_measurements() -> None:
    """Make the limits count the measurements of agents."""
    count("stored_mb", "measurements", _bytes)


def _bytes(of: str, key: int) -> int:
    measured = Measurement.objects.filter(**({"device__project": key} if of == "project" else {"asked_by": key}))
    return int(measured.order_by().aggregate(total=Sum("stored_bytes"))["total"] or 0)
