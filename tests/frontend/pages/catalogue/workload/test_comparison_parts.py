from __future__ import annotations

import pytest
from dash.exceptions import PreventUpdate

from frontend.bridge import get_app
from tests.support.stored_runs import People


def test_the_network_of_the_page_or_of_the_picked_model_is_compared(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_app()  # pages can only be imported once it is there
    from frontend.pages.catalogue.document import frame
    from frontend.pages.catalogue.workload.comparison_parts import compared_network

    monkeypatch.setattr(frame, "current_user", lambda: people.owner)
    single = {"kind": "workload", "name": "resnet50", "version": 1}
    assert compared_network(single, None).slug == "resnet50"
    scenario = {"kind": "workload", "name": "mlperf-scenario-4", "version": 1}
    first, second = (compared_network(scenario, model) for model in (None, "1"))
    assert first.slug != second.slug and compared_network(scenario, "99").slug == first.slug
    with pytest.raises(PreventUpdate):
        compared_network({"kind": "hardware", "name": "jetson-tx2", "version": 1}, None)
