"""Every engine under faults at random moments, with SQLite and files and with PostgreSQL and Redis (`make chaos MINUTES=n`)."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command

from engines.registry import BUILT_INS
from tests.engines.tiny import tiny_problem
from tests.support.cut_network import CutNetwork
from tests.support.databases import LiveDatabase, Templates, using
from tests.support.live import LiveSite
from tests.support.outside_faults import OutsideFaults
from tests.support.own_redis import OwnRedis
from tests.support.postgresql import NoServerError, own_server
from tests.support.soak import Soak

MINUTES = float(os.environ.get("PARETOSCOPE_SOAK_MINUTES") or 4.0)
KINDS = tuple(filter(None, os.environ.get("PARETOSCOPE_SOAK_KINDS", "").split(",")))
pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(int(60 * (MINUTES + 40)))]
OFFERS = {"PARETOSCOPE_WORKER_OFFERS": "torch,data"}


def soak(site: LiveSite, environment: Mapping[str, str], outside: OutsideFaults) -> None:
    """Half of the minutes, or one round through all engines if that takes longer."""
    seed = int(os.environ.get("PARETOSCOPE_SOAK_SEED") or time.time())
    for kind, why in outside.left_out.items():
        print(f"\n{site.database.kind}: left out, {kind}: {why}.", flush=True)
    tested = Soak(site, environment, outside.of(site, environment, seed), seed, KINDS)
    end = time.monotonic() + 60.0 * MINUTES / 2
    for number, engine in enumerate(cycle(sorted(BUILT_INS))):
        if number >= len(BUILT_INS) and time.monotonic() > end:
            break
        tested.run(tiny_problem(engine).problem)
    print(f"\n{site.database.kind}, seed {seed}: {tested.counts.words}.")
    for broken in tested.counts.broken:
        print(f"  {broken}")
    assert not tested.counts.broken and sum(tested.counts.faults.values()) >= len(BUILT_INS) / 2


def test_every_engine_ends_as_unbroken_with_sqlite_and_files(
    tmp_path: Path, sqlite_templates: Templates, django_db_blocker: object
) -> None:
    """All that the site writes lies on one disk, and goes by one clock."""
    with ExitStack() as stack:
        outside = stack.enter_context(OutsideFaults())
        clock = outside.clock("the machine", threads=True)
        folder = outside.disk("the machine") or tmp_path
        stack.enter_context(django_db_blocker.unblock())  # type: ignore[attr-defined]
        database = stack.enter_context(sqlite_templates.sqlite(folder))
        stack.enter_context(using(database.url))
        site = stack.enter_context(LiveSite(database))
        soak(site, OFFERS | temporary_files(folder) | clock, outside)


def test_every_engine_ends_as_unbroken_with_postgresql_and_redis(tmp_path: Path, django_db_blocker: object) -> None:
    """The database has a disk and a clock of its own, and so have the workers and the web server."""
    with ExitStack() as stack:
        outside = stack.enter_context(OutsideFaults())
        folder = outside.disk("the workers") or tmp_path
        workers_clock = outside.clock("the workers", threads=True)
        try:
            clock = outside.clock("the database", threads=False)
            server = stack.enter_context(own_server(outside.disk("the database"), clock))
        except NoServerError as error:
            pytest.skip(str(error))
        broker = stack.enter_context(OwnRedis(tmp_path))
        near = urlsplit(server.url)
        network = stack.enter_context(CutNetwork(near.hostname or "127.0.0.1", near.port or 5432))
        stack.enter_context(django_db_blocker.unblock())  # type: ignore[attr-defined]
        name = server.create()
        stack.enter_context(using(server.url_of(name)))
        call_command("migrate", interactive=False, verbosity=0)
        site = stack.enter_context(LiveSite(LiveDatabase("postgresql", server.url_of(name), folder)))
        through = server.url_of(name).replace(f":{near.port}/", f":{network.port}/")
        outside.team(server, broker, network)
        reached = {"DATABASE_URL": through, "BROKER_URL": broker.url}
        soak(site, OFFERS | temporary_files(folder) | workers_clock | reached, outside)


def temporary_files(folder: Path) -> dict[str, str]:
    """Where workers and what they start write them."""
    found = folder / "tmp"
    found.mkdir()
    return {"TMPDIR": str(found)}
