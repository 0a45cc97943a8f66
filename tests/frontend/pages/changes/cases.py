"""What tests of this folder share."""

from __future__ import annotations

from typing import Any

from tests.support.stored_runs import People
from webapp.base.actor import command_line
from webapp.runs import service


def started(people: People) -> Any:
    with command_line() as who:
        who.person = lambda: people.owner
        return service.create(people.owner, {"engine": "toy", "title": "Told"}, people.project)
