"""A thousand damaged YAML files: each is stored whole or refused clearly, and nothing is stored by halves."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents.families import example, published
from engines.running.runner.readers import get_reader
from tests.support.stored_runs import People
from webapp.catalogue.imports import Upload, import_upload
from webapp.catalogue.models import Document, DocumentVersion

FILES = 1000
SLOWEST_S = 10.0
_ODD = ("~", "-1", "0", "1e400", ".nan", "!!python/object:os.system x", "&a [*a]", "[", "{", "'", "\x00", "\ufeff", "2026-01-01",
        "9" * 400,
        "true", "? x", "<<: {a: 1}", "\t", "- - - -", "é\u2028")  # fmt: skip


def damaged(dice: random.Random, text: str) -> bytes:
    """The text with lines taken out, doubled or moved, values replaced, bytes changed or the end cut off."""
    lines = text.splitlines()
    for _ in range(dice.randint(1, 5)):
        place = dice.randrange(len(lines))
        match dice.randrange(6):
            case 0 if len(lines) > 1:
                del lines[place]
            case 1:
                lines.insert(place, lines[dice.randrange(len(lines))])
            case 2:
                key, colon, _ = lines[place].partition(":")
                lines[place] = f"{key}{colon} {dice.choice(_ODD)}"
            case 3:
                lines[place] = " " * dice.randint(0, 6) + lines[place].lstrip()
            case 4:
                lines = lines[: max(place, 1)]
            case _:
                at = dice.randrange(len(lines[place]) + 1)
                lines[place] = lines[place][:at] + dice.choice(_ODD) + lines[place][at:]
    data = bytearray("\n".join(lines).encode(errors="replace"))
    if data and dice.random() < 0.2:
        data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data)


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.timeout(600)
def test_a_thousand_damaged_documents_are_stored_whole_or_refused(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Read in this process: what the child adds is tried elsewhere, and a thousand of them would take a quarter of an hour.
    def here(reader: str, data: bytes, name: str, options: Any, limits: Any) -> Any:
        return get_reader(reader)(data, name, options)

    monkeypatch.setattr("webapp.catalogue.imports.read_in_child", here)
    dice = random.Random(20240607)
    texts = [to_yaml(example(family)) for family in published()]
    stored = 0
    for _ in range(FILES):
        upload = Upload("damaged.yaml", damaged(dice, dice.choice(texts)))
        before, begun = _rows(), time.process_time()
        refusal = _refusal(people, upload)
        assert time.process_time() - begun < SLOWEST_S
        if refusal is not None:
            assert refusal.accepted and _rows() == before
        stored += refusal is None
    assert 0.01 * FILES < stored < 0.9 * FILES
    assert not Document.objects.filter(versions__isnull=True).exists()


def _refusal(people: People, upload: Upload) -> ProblemError | None:
    try:
        import_upload(people.owner, people.project, upload)
    except ProblemError as error:
        return error
    return None


def _rows() -> Any:
    return Document.objects.count(), DocumentVersion.objects.count()
