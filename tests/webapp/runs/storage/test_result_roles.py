"""Results that were written before they had roles get the ones that their names told."""

from __future__ import annotations

from typing import Any

import pytest

from webapp.runs.storage.result_roles import with_role


@pytest.mark.parametrize(
    ("content", "role"),
    [
        ({"type": "Curve", "name": "loss"}, {"role": "progress"}),
        ({"type": "Curve", "name": "exact-share"}, {"role": "progress", "belongs_to": "hypervolume"}),
        ({"type": "Note", "name": "proof"}, {"role": "proof"}),
        ({"type": "Note", "name": "loss"}, {}),
        ({"type": "Curve", "name": "power"}, {}),
        ({"type": "Curve", "name": "loss", "role": "document"}, {}),
    ],
)
def test_what_has_none_gets_the_one_of_its_name(content: dict[str, Any], role: dict[str, str]) -> None:
    assert with_role(content) == {**content, **role}
