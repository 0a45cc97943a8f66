from __future__ import annotations

from engines.contract.plan import warnings_of
from engines.contract.results import Note


def test_of_the_notes_only_those_that_warn_are_told_beforehand() -> None:
    notes = (Note("a", "A", "Nothing special."), Note("b", "B", "Too small.", "warning"))
    assert warnings_of(notes) == ("Too small.",)
