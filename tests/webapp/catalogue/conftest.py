"""People and documents for the tests of the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.stored_runs import People, make_people
from tests.webapp.catalogue.calibrations_for_tests import CSV
from webapp.catalogue.service import copy_of


@pytest.fixture
def people(db: None) -> People:
    return make_people()


@pytest.fixture
def package(people: People) -> dict[str, Any]:
    """A package that differs from a built-in in its name alone."""
    return copy_of(people.owner, "hardware", "simba-3x3-nvdla")


@pytest.fixture
def network() -> dict[str, Any]:
    """One matrix product of 2 x 3 by 3 x 4: 24 multiply-accumulates."""
    product = {"name": "product", "kind": "gemm", "k": 4, "c": 3, "y": 2}
    return {
        "schema": "network/1", "slug": "tiny", "title": "Tiny", "short_title": "Tiny", "source": "made for tests",
        "operations": [product],
    }  # fmt: skip


@pytest.fixture
def csv_file(tmp_path: Path) -> Path:
    path = tmp_path / "my run.csv"
    path.write_text(CSV)
    return path
