"""Every engine under faults at random moments, with SQLite and files and with PostgreSQL and Redis (`make chaos MINUTES=n`)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command

from engines.registry import BUILT_INS
from tests.engines.tiny import tiny_problem
from tests.support.cut_network import CutNetwork
from tests.support.databases import LiveDatabase, using
from tests.support.live import LiveSite
from tests.support.own_redis import OwnRedis
from tests.support.postgresql import NoServerError, OwnServer, own_server
from tests.support.soak import Soak

MINUTES = float(os.environ.get("PARETOSCOPE_SOAK_MINUTES") or 4.0)
CUT_S = 3.0
pytestmark = [pytest.mark.chaos, pytest.mark.long, pytest.mark.timeout(int(60 * (MINUTES + 40)))]
OFFERS = {"PARETOSCOPE_WORKER_OFFERS": "torch,data"}


def soak(site: LiveSite, environment: Mapping[str, str], outside: Mapping[str, Callable[[], None]]) -> None:
    """Half of the minutes, or one round through all engines if that takes longer."""
    seed = int(os.environ.get("PARETOSCOPE_SOAK_SEED") or time.time())
    tested = Soak(site, environment, outside, seed)
    end = time.monotonic() + 60.0 * MINUTES / 2
    for number, engine in enumerate(cycle(sorted(BUILT_INS))):
        if number >= len(BUILT_INS) and time.monotonic() > end:
            break
        tested.run(tiny_problem(engine).problem)
    print(f"\n{site.database.kind}, seed {seed}: {tested.counts.words}.")
    for broken in tested.counts.broken:
        print(f"  {broken}")
    assert not tested.counts.broken and sum(tested.counts.faults.values()) >= len(BUILT_INS) / 2


@pytest.mark.parametrize("live_database", ["sqlite"], indirect=True)
def test_every_engine_ends_as_unbroken_with_sqlite_and_files(live_site: LiveSite) -> None:
    soak(live_site, OFFERS, {})


def test_every_engine_ends_as_unbroken_with_postgresql_and_redis(tmp_path: Path, django_db_blocker: object) -> None:
    with ExitStack() as stack:
        try:
            server = stack.enter_context(own_server())
        except NoServerError as error:
            pytest.skip(str(error))
        broker = stack.enter_context(OwnRedis(tmp_path))
        near = urlsplit(server.url)
        network = stack.enter_context(CutNetwork(near.hostname or "127.0.0.1", near.port or 5432))
        stack.enter_context(django_db_blocker.unblock())  # type: ignore[attr-defined]
        name = server.create()
        stack.enter_context(using(server.url_of(name)))
        call_command("migrate", interactive=False, verbosity=0)
        database = LiveDatabase("postgresql", server.url_of(name), tmp_path)
        site = stack.enter_context(LiveSite(database))
        through = server.url_of(name).replace(f":{near.port}/", f":{network.port}/")
        soak(site, OFFERS | {"DATABASE_URL": through, "BROKER_URL": broker.url}, outside(server, broker, network))


def outside(server: OwnServer, broker: OwnRedis, network: CutNetwork) -> Mapping[str, Callable[[], None]]:
    """What may break beside workers."""

    def cut_the_network() -> None:
        network.cut()
        time.sleep(CUT_S)
        network.mend()

    return {
        "restart of the database": server.restart,
        "kill -9 of the broker": broker.kill_and_start_again,
        "cut network": cut_the_network,
    }
