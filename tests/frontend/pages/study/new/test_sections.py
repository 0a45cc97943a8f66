from __future__ import annotations

from engines.registry import get_engine
from frontend.components.form import field_specs, help_text
from frontend.ids.study import NewStudyIds
from tests.frontend.conftest import Ask
from tests.frontend.pages.study.cases import form, judged, key
from tests.support.stored_runs import People


def test_every_field_keeps_its_help_when_another_became_an_axis(people: People, ask: Ask) -> None:
    given = form(["simba-3x3-nvdla"], objective=["edp", "latency"])
    replaced = f"{key(name='objective', type=NewStudyIds.PARAMETER_TYPE)}.value"
    given[replaced] = given.pop(replaced)  # a control that was drawn again stands last
    answer = judged(ask, people.owner, given)
    for spec in field_specs(get_engine("scar").Params):
        named = key(name=spec.name, type=f"{NewStudyIds.PARAMETER_TYPE}-help")
        assert answer[named]["children"] == help_text(spec)
