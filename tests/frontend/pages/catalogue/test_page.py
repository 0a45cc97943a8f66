from __future__ import annotations

import json

from tests.frontend.conftest import Ask
from tests.support.stored_runs import People


def test_typing_filters(people: People, ask: Ask) -> None:
    select = '{"name":"task","type":"catalogue-filter"}.value'
    values = {"catalogue-search.value": "bert", select: None, "catalogue-kind.data": "workload"}
    answer = ask(people.owner, "catalogue-results", values, "catalogue-search.value")
    assert answer.status_code == 200
    shown = json.dumps(answer.json()["response"])
    assert "bert-large-384" in shown and "/catalogue/workload/resnet50" not in shown
