"""Fixtures for all tests: databases of both kinds, people, and real worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.support.databases import LiveDatabase, Templates, using
from tests.support.live import LiveSite
from tests.support.postgresql import NoServerError, Server, server

# A first example that fills a cache, or a busy machine, is no failure: speed has its own tests.
hypothesis.settings.register_profile("no-deadline", deadline=None)
hypothesis.settings.load_profile("no-deadline")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests go to whichever process is free, but all browser tests to one: they share one site and one Chromium.

    (The groups of pytest-xdist 3.8 have no effect under pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class OneSite(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            return "browser" if nodeid.startswith("tests/browser/") else nodeid

    return OneSite(config, log)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Server]:
    """A PostgreSQL server; tests that need it are skipped, with the reason, where there is none."""
    try:
        with server() as found:
            yield found
    except NoServerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def database_templates(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: Any) -> Iterator[Any]:
    """Makes migrated databases: call it with the server, or None for SQLite alone."""
    made: dict[bool, Templates] = {}

    def templates(found: Server | None) -> Templates:
        key = found is not None
        if key not in made:
            made[key] = Templates(tmp_path_factory.mktemp("templates"), found)
        return made[key]

    with django_db_blocker.unblock():
        yield templates
        for item in made.values():
            item.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def live_database(
    request: pytest.FixtureRequest, tmp_path: Path, database_templates: Any, django_db_blocker: Any
) -> Iterator[LiveDatabase]:
    """A migrated database of each kind, which this process uses as its default one and others can open by its URL."""
    found = request.getfixturevalue("postgresql_server") if request.param == "postgresql" else None
    templates = database_templates(found)
    with django_db_blocker.unblock(), getattr(templates, request.param)(tmp_path) as database, using(database.url):
        yield database


@pytest.fixture
def live_site(live_database: LiveDatabase) -> Iterator[LiveSite]:
    """People, toys and worker processes around a `live_database`."""
    with LiveSite(live_database) as site:
        yield site
