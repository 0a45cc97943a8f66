"""What tests of this folder share."""

from pathlib import Path

import pytest

from tests.support.databases import LiveDatabase
from tests.support.stored_runs import finished_run, make_people


@pytest.fixture
def site(live_database: LiveDatabase, toys: None, tmp_path: Path) -> Path:
    """A site with people and a run; where its backup goes."""
    finished_run(make_people())
    return tmp_path / "site.tar.gz"
