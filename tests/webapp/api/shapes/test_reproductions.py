import pytest
from pydantic import ValidationError

from webapp.api.shapes.reproductions import NewReproduction, ValueOrigin


def test_a_day_of_release_is_written_as_such() -> None:
    from datetime import date

    facts = {
        "at": "release",
        "versions": {"toy": 1},
        "quick": False,
        "duration_s": None,
        "outdated": False,
        "words": "",
    }
    assert ValueOrigin.model_validate({**facts, "computed": date(2026, 5, 4)}).computed == "2026-05-04"


def test_everything_is_computed_unless_it_is_said() -> None:
    assert NewReproduction.model_validate({}) == NewReproduction(quick=False, project=None)
    with pytest.raises(ValidationError):
        NewReproduction.model_validate({"quick": "yes"})
