"""Corrections of values: each names an engine and a version, and stands in the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engines.errata import Erratum, all_errata, errata_of
from engines.registry import get_engine

PAGE = (Path(__file__).parents[2] / "docs" / "errata.md").read_text(encoding="utf-8")


def test_every_erratum_belongs_to_a_version_that_is_installed_and_stands_in_the_docs() -> None:
    for erratum in all_errata():
        assert erratum.version <= get_engine(erratum.engine).version, erratum
        assert f"| `{erratum.engine}` {erratum.version} | {erratum.values} | {erratum.reason} |" in PAGE
    assert len(re.findall(r"^\| `[\w-]+` \d+ \|", PAGE, re.MULTILINE)) == len(all_errata()), (
        "the docs list no other one"
    )


def test_a_run_lacks_the_corrections_of_later_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    errata = [Erratum("scar", 6, "a", "b"), Erratum("scar", 4, "c", "d"), Erratum("hadas", 9, "e", "f")]
    monkeypatch.setattr("engines.errata.all_errata", lambda: tuple(errata))
    assert [errata_of("scar", version) for version in (3, 4, 5, 6)] == [(*errata[:2],), (errata[0],), (errata[0],), ()]
