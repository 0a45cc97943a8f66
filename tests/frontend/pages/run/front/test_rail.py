from __future__ import annotations

from frontend.ids.run import RunIds
from frontend.pages.run.run_reader import designs_of
from tests.frontend.conftest import Ask
from tests.frontend.pages.run.cases import values
from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_no_design_left_names_the_limit_and_offers_to_relax_it(people: People, run: Run, ask: Ask) -> None:
    key = f"{RunIds.FRONT}.figure...{RunIds.FRONT_SUMMARY}.aria-label...{RunIds.FRONT_EMPTY}"
    answer = ask(people.viewer, key, values(run, **{f"{RunIds.LIMITS}.data": {"latency_s": 0.001}}))
    text = str(answer.json()["response"][RunIds.FRONT_EMPTY])
    assert "Latency" in text and "Relax to" in text


def test_relaxing_the_limit_in_the_way_brings_designs_back(people: People, run: Run, ask: Ask) -> None:
    relax = f'{{"name":"latency_s","type":"{RunIds.RELAX_TYPE}"}}.n_clicks'
    given = values(run, **{relax: 1, f"{RunIds.LIMITS}.data": {"latency_s": 0.001}})
    answer = ask(people.viewer, f"{RunIds.LIMIT_BOX}.children", given, relax).json()["response"]
    limit = answer[RunIds.LIMITS]["data"]["latency_s"]
    assert limit == designs_of(run).columns["latency_s"].min()


def test_the_short_list_follows_the_weights(people: People, run: Run, ask: Ask) -> None:
    weight = {name: f'{{"name":"{name}","type":"{RunIds.RANKING_TYPE}"}}' for name in ("latency_s", "energy_j")}
    ranking = {f"{RunIds.SHORT_BY}.value": "weights", f"{RunIds.RANKING}.data": {"by": "weights", "values": {}}}

    def first(latency: float, energy: float) -> int:
        fields = {f"{weight['latency_s']}.value": latency, f"{weight['energy_j']}.value": energy}
        fields |= {f"{key}.id": None for key in weight.values()}
        answer = ask(people.viewer, f"{RunIds.SHORT_WORDS}.data", values(run, **ranking, **fields)).json()["response"]
        assert answer[RunIds.RANKING]["data"]["values"] == {"latency_s": latency, "energy_j": energy}
        rows = answer[RunIds.SHORT_WORDS]["data"]["html"][RunIds.SHORT_LIST]
        return int(rows.partition('title="Design ')[2].partition('"')[0])

    designs = designs_of(run)
    assert first(1, 0) == designs.front[0] and first(0, 1) == designs.front[-1]
