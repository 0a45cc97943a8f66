from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.http_receiver import Receiver, receiver
from tests.support.stored_runs import People, make_people

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


@pytest.fixture
def people(db: Any) -> People:
    return make_people()


@pytest.fixture
def loopback(settings: Any) -> None:
    """The setting allows this machine."""
    settings.PARETOSCOPE_WEBHOOK_NETWORKS = LOOPBACK


@pytest.fixture
def server() -> Iterator[Receiver]:
    with receiver() as found:
        yield found
