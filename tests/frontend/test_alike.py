"""What is not there and what one may not see are answered alike, also in how long the answer takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest
from django.core.cache import cache

from tests.frontend.test_permission_matrix import NOBODY, world, world_of_module
from tests.support.callbacks import page_at
from tests.support.subjects import Subjects

__all__ = ["world", "world_of_module"]
pytestmark = [pytest.mark.django_db, pytest.mark.long]
PAIRS = 120
# Of medians, one request of each kind in turn: far more than noise, and far less than reading a run takes.
MARGIN = 1.35


def took_s(ask: Callable[[], Any]) -> float:
    cache.clear()
    begun = time.perf_counter()
    ask()
    return time.perf_counter() - begun


def ratio(first: Callable[[], Any], second: Callable[[], Any]) -> float:
    """Median time of the first over that of the second."""
    pairs = [(took_s(first), took_s(second)) for _ in range(PAIRS)][PAIRS // 6 :]
    return median(one for one, _ in pairs) / median(two for _, two in pairs)


@pytest.mark.parametrize("subject", ["stranger", "administrator"])
@pytest.mark.parametrize(
    ("there", "gone"),
    [
        ("/api/v1/runs/{run}/", f"/api/v1/runs/{NOBODY}/"),
        ("/api/v1/runs/{run}/front/", f"/api/v1/runs/{NOBODY}/front/"),
        ("/api/v1/studies/{study}/", f"/api/v1/studies/{NOBODY}/"),
        ("/api/v1/documents/hardware/board/?project=lab", "/api/v1/documents/hardware/none/?project=lab"),
        ("/runs/{run}", f"/runs/{NOBODY}"),
        ("/team/lab", "/team/none"),
    ],
)
def test_a_stranger_learns_nothing_from_a_clock(world: Subjects, subject: str, there: str, gone: str) -> None:
    client = world.client(subject)
    address = there.format(run=world.run.pk, study=world.study.pk)
    assert client.get(address).status_code == client.get(gone).status_code == 404
    found = ratio(lambda: client.get(address), lambda: client.get(gone))
    assert 1 / MARGIN < found < MARGIN, found


def test_nor_from_the_content_of_a_page(world: Subjects) -> None:
    client = world.client("stranger")
    found = ratio(lambda: page_at(client, f"/runs/{world.run.pk}"), lambda: page_at(client, f"/runs/{NOBODY}"))
    assert 1 / MARGIN < found < MARGIN, found


def test_a_link_that_is_over_takes_as_long_as_one_that_never_was(world: Subjects) -> None:
    guest, anybody = world.client("expired link"), world.client("anonymous")
    found = ratio(lambda: guest.get(f"/runs/{world.run.pk}"), lambda: guest.get(f"/runs/{NOBODY}"))
    assert 1 / MARGIN < found < MARGIN, found
    found = ratio(lambda: anybody.get(f"/runs/{world.run.pk}"), lambda: anybody.get(f"/runs/{NOBODY}"))
    assert 1 / MARGIN < found < MARGIN, found


def test_the_clock_would_tell(world: Subjects) -> None:
    """A member, whose answers differ: the margin is not so wide that it hides that."""
    client = world.client("viewer")
    found = ratio(lambda: page_at(client, f"/runs/{world.run.pk}"), lambda: page_at(client, f"/runs/{NOBODY}"))
    assert found > MARGIN
