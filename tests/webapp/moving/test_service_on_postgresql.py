"""The tests of `test_service` and `test_copying` once more, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.databases import Templates, using
from tests.webapp.moving.test_row_copies import *  # noqa: F403  # its test
from tests.webapp.moving.test_service import *  # noqa: F403  # its tests and their fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture(autouse=True, scope="module")
def _on_postgresql(
    tmp_path_factory: Any, django_db_setup: None, django_db_blocker: Any, postgresql_templates: Templates
) -> Iterator[None]:
    with (
        django_db_blocker.unblock(),
        postgresql_templates.postgresql(tmp_path_factory.mktemp("database")) as database,
        using(database.url),
    ):
        yield


def test_it_is_postgresql(db: None) -> None:
    from django.db import connection

    assert connection.vendor == "postgresql"
