"""People, a finished run of the toy engine, and its bundle."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People, finished_run, make_people
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.models import Run


@pytest.fixture
def people(db: None, toys: None) -> People:
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    return finished_run(people)


@pytest.fixture
def bundle(run: Run) -> bytes:
    with write_bundle(run) as stream:
        return stream.read()
