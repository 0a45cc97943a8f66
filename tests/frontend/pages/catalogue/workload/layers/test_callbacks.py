from __future__ import annotations

import json

from tests.frontend.conftest import Ask
from tests.frontend.pages.catalogue.workload.cases import controls
from tests.support.stored_runs import People


def test_a_control_draws_the_comparison_anew(people: People, ask: Ask) -> None:
    answer = ask(people.owner, "layers-legend.children", controls(), "layers-mappings.value")
    assert answer.status_code == 200
    response = answer.json()["response"]
    heat = json.dumps(response["layers-heat"])
    assert "dpt, " in heat and "yxp_os" not in heat
    assert response['{"of":"layers","type":"document-asked"}']["data"]["mappings"] == ["kcp_ws", "dpt"]


def test_the_next_layer_is_a_button_away_and_the_last_is_the_last(people: People, ask: Ask) -> None:
    step = '{"step":1,"type":"layers-step"}.n_clicks'
    answer = ask(people.owner, "layers-legend.children", controls(**{step: 1, "layers-layer.value": "4"}), step)
    assert answer.json()["response"]["layers-layer"]["value"] == "5"
    answer = ask(people.owner, "layers-legend.children", controls(**{step: 1, "layers-layer.value": "53"}), step)
    assert answer.json()["response"]["layers-layer"]["value"] == "53"
