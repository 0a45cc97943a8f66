"""The page lists plug-ins with their versions, and says why one is left out; a broken one ends nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from engines import registry
from engines.cost.estimators import registry as estimators
from engines.documents import families
from tests.support.callbacks import ask
from tests.support.stored_runs import make_people
from webapp.studies.presets import presets

pytestmark = pytest.mark.django_db
ENTRIES = """[paretoscope.engines]
broken = broken_plug_in:Engine
later = later_plug_in:LaterEngine
scar = later_plug_in:LaterEngine
[paretoscope.estimators]
breaking = broken_plug_in:Estimator
[paretoscope.families]
missing = later_plug_in:FAMILY
"""
LATER = """from tests.engines.random_shares import RandomEngine
class LaterEngine(RandomEngine):
    name, contract = "later", 2
"""


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plug-ins that raise when they are imported, are for another contract, take a name, and lack what they announce."""
    folder = tmp_path / "others-2.1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 2.1\n")
    (folder / "entry_points.txt").write_text(ENTRIES)
    (tmp_path / "broken_plug_in.py").write_text("raise ValueError('no licence key')")
    (tmp_path / "later_plug_in.py").write_text(LATER)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert metadata.version("others") == "2.1"
    caches: tuple[Any, ...] = (
        registry._announced, estimators._announced, estimators._of_arrays, families._announced, families._working_plug_ins,
    )  # fmt: skip
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


@pytest.mark.filterwarnings("ignore:.*left out:UserWarning")
@pytest.mark.usefixtures("_installed")
def test_plug_ins_that_fail_are_messages() -> None:
    from frontend.bridge import get_app

    client = Client()
    client.force_login(make_people().owner)
    router = next(key for key in get_app().callback_map if key.startswith(".._pages_content"))
    given = {"_pages_location.pathname": "/about", "_pages_location.search": ""}
    told = json.dumps(ask(client, router, given, {}, "_pages_location.pathname").json())
    for words in (
        "others", "2.1", "engine broken", "cannot be imported: no licence key", "is for contract 2",
        "is taken by engines.methods.scar", "cost model breaking", "family missing",
    ):  # fmt: skip
        assert words in told, words
    assert told.count("left out") == 5 and "works" not in told
    # Everything that lists engines, cost models, families or presets goes on without them.
    assert "broken" not in {engine.name for engine in registry.installed_engines()}
    assert "breaking" not in estimators.array_estimator_names()
    assert "missing" not in {family.name for family in families.families()}
    assert presets()
    assert client.get("/api/v1/engines/").status_code == 200
