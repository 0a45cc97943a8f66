"""Fixtures for all tests: databases of both kinds, people, and real worker processes."""

from __future__ import annotations

import fcntl
import gc
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.db import connections
from pytest_django.live_server_helper import LiveServer

from tests.support.databases import LiveDatabase, Templates, fill_test_database, migrated_file, using
from tests.support.file_order import pytest_addoption, shuffle_files  # noqa: F401  # the first is a hook of pytest
from tests.support.live import LiveSite
from tests.support.postgresql import NoServerError, Server, shared_server
from tests.support.remembered import forget_runs
from tests.support.toy_engine import toys_offered
from tests.support.warm_children import warm_children
from webapp.runs.queue import workers

# A first example that fills a cache, or a busy machine, is no failure: speed has its own tests. `make test` draws the same examples
# every time; `make test-long` asks for others (`--hypothesis-profile=random`) and prints how to repeat one that fails.
PATIENT = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("fixed", PATIENT, max_examples=50, derandomize=True)
hypothesis.settings.register_profile("random", PATIENT, max_examples=100, print_blob=True)
hypothesis.settings.load_profile("fixed")

# A sign of life counts for five seconds; a test that gives one may be held up for longer.
workers.ALIVE_S = 50.0

# Half a million objects of modules and of collected tests stay for good: looking through them for garbage again and again takes a
# sixth of the tests' time.
gc.set_threshold(100_000, 50, 100)


# What Hypothesis keeps of the sources once they have been read; in a fresh checkout nothing is compiled yet either.
READ_BEFORE = Path(".hypothesis", "constants")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """In a fresh checkout one process compiles thousands of files, and the others read what it wrote."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        with Path(__file__).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (session.config.rootpath / READ_BEFORE).exists():
                return (yield)
    return (yield)


def pytest_collection_finish() -> None:
    """What there is now is no garbage."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Every test has a database of its own, where the same number is another run."""
    forget_runs()


@pytest.fixture(scope="session", autouse=True)
def _warm_children() -> Iterator[None]:
    """Whatever asks a child process is answered by a fork of one that has imported everything."""
    with warm_children():
        yield


# Long files whose tests share nothing: each of them goes to whichever process is free.
SPLIT = ("tests/webapp/runs/worker/test_run_supervisor.py", "tests/tools/")

# Half of the browser tests, by the time they take: the rest is the other half.
BROWSER_RUN_PAGE = (
    "tests/browser/test_exploration.py",
    "tests/browser/test_front.py",
    "tests/browser/test_result.py",
    "tests/browser/test_time_strips.py",
    "tests/browser/test_two_designs.py",
    "tests/browser/test_layout.py",
    "tests/browser/test_upload.py",
    "tests/browser/test_compare.py",
)

# Files that read every built-in network go to one process: reading all takes seconds, once per process.
ALL_NETWORKS = (
    "tests/engines/workloads/test_builtins.py",
    "tests/engines/workloads/test_zoo_graphs.py",
    "tests/engines/workloads/families/",
    "tests/engines/documents/test_builtin.py",
    "tests/engines/cost/dataflow/test_model.py",
    "tests/frontend/pages/catalogue/workload/test_view.py",
)

# Where the time goes. They are handed out first: a long file at the end would keep one process busy alone. What computes stands
# between what waits for workers, so that the cores always have something to do.
LONG_FIRST = (
    "tests/browser/",
    "tests/engines/test_conformance.py",
    "tests/webapp/runs/worker/test_run_supervisor.py",
    "tests/frontend/test_permission_matrix.py",
    "tests/webapp/runs/worker/test_keeper_with_one_worker.py",
    "tests/webapp/api/test_permissions.py",
    "tests/webapp/runs/management/",
    "tests/engines/methods/package_search/test_engine.py",
    "tests/engines/running/runner/test_client.py",
    "tests/engines/methods/scar/test_engine.py",
    "tests/webapp/studies/management/",
    "tests/webapp/site/test_checks.py",
    "tests/webapp/studies/test_service.py",
    "tests/engines/simulation/noc/",
    "tests/webapp/runs/queue/test_workers.py",
    "tests/engines/methods/magnas/",
    "tests/webapp/runs/test_",
)


@cache
def _attacks() -> frozenset[str]:
    """Files of tests that docs/attacks.md names."""
    text = (Path(__file__).resolve().parents[1] / "docs" / "attacks.md").read_text()
    return frozenset(re.findall(r"`(tests/\w[\w/]+\.py)`", text))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of what docs/attacks.md names."""
    if item.nodeid.partition("::")[0] in _attacks():
        item.add_marker(pytest.mark.attack)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a process of several, tests stand in the order in which `ByFile` is to hand them out: long files, then large ones."""
    seed = config.getoption("--file-order")
    if seed is not None:
        shuffle_files(items, seed)
        return
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    counts = Counter(item.path for item in items)

    def place(item: pytest.Item) -> tuple[int, int]:
        long = next((at for at, name in enumerate(LONG_FIRST) if item.nodeid.startswith(name)), None)
        return (len(LONG_FIRST), -counts[item.path]) if long is None else (long, 0)

    items.sort(key=place)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Files go to whichever process is free, so that what the tests of one share is computed once.

    Browser tests go to two: each half shares one site and one Chromium.
    (The groups of pytest-xdist 3.8 have no effect under pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith("tests/browser/"):
                return "browser, run page" if nodeid.startswith(BROWSER_RUN_PAGE) else "browser, other pages"
            if nodeid.startswith(ALL_NETWORKS):
                return "all networks"
            return nodeid if nodeid.startswith(SPLIT) else nodeid.partition("::")[0]

    config.option.loadscopereorder = False  # scopes keep the order of `pytest_collection_modifyitems`
    return ByFile(config, log)


@pytest.fixture
def toys() -> Iterator[None]:
    """The toy engines are offered."""
    with toys_offered():
        yield


@pytest.fixture(scope="session")
def postgresql_server(session_folder: Path) -> Iterator[Server]:
    """A PostgreSQL server for all processes; tests that need it are skipped, with the reason, where there is none."""
    try:
        with shared_server(session_folder, lambda found: Templates(session_folder, found).close()) as found:
            yield found
    except NoServerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this test session share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Django makes the tables from the models, which is quick; `django_db_setup` puts the migrated ones in their place."""
    default = connections["default"]
    default.settings_dict["TEST"]["MIGRATE"] = default.vendor != "sqlite"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, session_folder: Path, django_db_blocker: Any) -> None:
    """The test database, as the migrations leave it: made by one process for all, and copied."""
    with django_db_blocker.unblock():
        if connections["default"].vendor == "sqlite":
            fill_test_database(migrated_file(session_folder))


@pytest.fixture(scope="session")
def sqlite_templates(session_folder: Path, django_db_blocker: Any) -> Templates:
    """Makes migrated SQLite databases."""
    with django_db_blocker.unblock():
        return Templates(session_folder, None)


@pytest.fixture(scope="session")
def postgresql_templates(session_folder: Path, django_db_blocker: Any, postgresql_server: Server) -> Templates:
    """Makes migrated PostgreSQL databases."""
    with django_db_blocker.unblock():
        return Templates(session_folder, postgresql_server)


@pytest.fixture(params=["sqlite", "postgresql"])
def live_database(request: pytest.FixtureRequest, tmp_path: Path, django_db_blocker: Any) -> Iterator[LiveDatabase]:
    """A migrated database of each kind, which this process uses as its default one and others can open by its URL."""
    templates = request.getfixturevalue(f"{request.param}_templates")
    with django_db_blocker.unblock(), getattr(templates, request.param)(tmp_path) as database, using(database.url):
        yield database


@pytest.fixture
def live_site(live_database: LiveDatabase) -> Iterator[LiveSite]:
    """People, toys and worker processes around a `live_database`."""
    with LiveSite(live_database) as site:
        yield site


@pytest.fixture
def live_url(live_site: LiveSite) -> Iterator[str]:
    """The address of a web server of this process, on the database of the workers."""
    server = LiveServer("127.0.0.1")
    try:
        yield server.url
    finally:
        server.stop()
