"""Drafts of problems and facts about their inputs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.documents.builtin import builtin_documents, get_builtin
from engines.documents.problems import make_problem
from engines.registry import get_engine
from engines.running.prepared_problems import ready_of
from engines.workloads.loader import load_scenario
from frontend.pages.drafts import (
    SEED,
    Draft,
    command,
    dataflow_counts,
    default_title,
    draft_of_document,
    fresh_draft,
    hardware_facts,
    model_rows,
    reference_document,
    soc_facts,
    specs_of,
    with_form,
    workload_facts,
)
from hardware.package.loader import load_package
from hardware.soc.loader import load_soc

SCAR = get_engine("scar")
HET_SIDES = load_package(builtin_documents("hardware")["simba-3x3-het-sides"].content)
SCENARIO_4 = load_scenario(builtin_documents("workload")["mlperf-scenario-4"].content)
AVAILABLE = {"hardware": ["simba-3x3-nvdla", "simba-3x3-het-sides-256"], "workload": ["mlperf-scenario-1"]}


@pytest.mark.parametrize("reference", ["vig-s", "vig-s@", "vig-s@²", "vig-s@newest"])
def test_what_names_no_version_stays_as_it_is_written(reference: str) -> None:
    assert reference_document(reference) == reference
    assert reference_document("team/vig-s@3") == {"slug": "team/vig-s", "version": 3}


def test_an_engine_for_systems_on_a_chip_opens_with_what_it_prefers_and_can_run() -> None:
    networks = ["mlperf-scenario-4", "resnet50"]
    available = {"hardware": ["drive-px2-autochauffeur", "three-dataflow-accelerators-sums-kept"], "workload": networks}
    engine = get_engine("soc-mapping")
    draft = fresh_draft(engine, available, {})
    assert draft.inputs == {"hardware": "three-dataflow-accelerators-sums-kept", "workload": "resnet50"}
    documents = {
        "hardware": get_builtin("hardware", draft.inputs["hardware"]),
        "workload": get_builtin("workload", draft.inputs["workload"]),
    }
    ready_of(engine, make_problem("soc-mapping", documents, draft.params))


def test_a_ready_made_problem_comes_when_it_is_asked_for_and_only_then() -> None:
    engine = get_engine("soc-mapping")
    available = {"hardware": ["jetson-agx-xavier", "jetson-tx2"], "workload": ["magnas-vig-s-gin", "vig-s"]}
    assert fresh_draft(engine, available, {}).params == {}
    assert fresh_draft(engine, available, {"workload": "vig-s"}).params == {}
    asked = fresh_draft(engine, available, {"ready": "accelerators-layers"})
    assert asked.inputs["hardware"] == "three-dataflow-accelerators-sums-kept"
    assert asked.params == {"granularity": "layers"}
    assert fresh_draft(engine, available, {"ready": "nonsense"}).inputs["hardware"] == "jetson-agx-xavier"


def test_a_fresh_draft_takes_what_is_wanted_then_preferred_then_first() -> None:
    assert fresh_draft(SCAR, AVAILABLE, {}).inputs == {
        "hardware": "simba-3x3-het-sides-256",
        "workload": "mlperf-scenario-1",
    }
    assert fresh_draft(SCAR, AVAILABLE, {"hardware": "simba-3x3-nvdla"}).inputs["hardware"] == "simba-3x3-nvdla"
    assert fresh_draft(SCAR, AVAILABLE, {"hardware": "nonsense"}).inputs["hardware"] == "simba-3x3-het-sides-256"


def test_a_problem_document_survives_the_draft() -> None:
    document = {
        "engine": "scar",
        "inputs": {"hardware": {"slug": "simba-3x3-nvdla", "version": 1}, "workload": "mlperf-scenario-4"},
        "params": {"n_splits": 2},
        "seed": 7,
    }
    draft = draft_of_document(document, parent=12)
    assert draft.document() == document
    assert Draft.from_json(draft.to_json()) == draft


@pytest.mark.parametrize("seed", [0, 2**53 + 1, 2**63 - 1, -1, "many"])
def test_a_seed_survives_the_browser(seed: Any) -> None:
    stored = json.loads(json.dumps(Draft("scar", {}, seed=seed).to_json()), parse_int=float)
    assert Draft.from_json(stored).seed == seed


def test_the_form_gives_what_differs_from_the_defaults() -> None:
    draft = with_form(Draft("scar", {}), SCAR, {"n_splits": "2", "evaluations": "4\u2009200", SEED: "9"})
    assert (draft.params, draft.seed) == ({"n_splits": 2}, 9)
    assert [spec.name for spec in specs_of(SCAR) if spec.tier == "usual"][-1] == SEED


def test_the_same_from_the_command_line() -> None:
    draft = Draft("scar", {"hardware": "h@2", "workload": "w", "data": "d"}, {"baselines": False, "n_splits": 3}, 5)
    assert command(draft) == (
        ".venv/bin/python manage.py explore scar --hardware h@2 --workload w --input data=d --set baselines=false "
        "--set n_splits=3 --seed 5"
    )


def test_titles() -> None:
    assert (
        default_title({"workload": "Scenario 4: heavy", "hardware": "Het-Sides 3×3"}, SCAR)
        == "Scenario 4 on Het-Sides 3×3"
    )
    assert default_title({"hardware": "Het-Sides 3×3", "calibration": "Mine"}, SCAR) == "SCAR on Het-Sides 3×3"
    assert default_title({"hardware": "Node", "data": "Walk"}, SCAR) == "Node, Walk"
    assert default_title({}, SCAR) == "SCAR"


def test_facts_about_hardware() -> None:
    assert dataflow_counts(HET_SIDES) == "6 NVDLA, 3 Shi"
    facts = dict(hardware_facts(HET_SIDES))
    assert (
        facts["Array"] == "4\u2009096\u00a0PE"
        and facts["Clock"] == "500\u00a0MHz"
        and facts["DRAM"] == "14.8\u00a0pJ/bit"
    )


def test_facts_about_a_workload() -> None:
    rows = model_rows(SCENARIO_4)
    assert [row.batch for row in rows] == [model.batch for model in SCENARIO_4.models]
    assert max(row.share for row in rows) == 1.0
    assert sum(row.macs for row in rows) == sum(model.batch * model.network.macs for model in SCENARIO_4.models)
    # 9 chiplets of 4096 PEs at 500 MHz do 18.4 TMAC/s.
    total = sum(row.macs for row in rows) / (9 * 4096 * 500e6)
    assert dict(workload_facts(SCENARIO_4, HET_SIDES))["All MACs at full use"] == f"{total * 1e3:.0f}\u00a0ms"
    assert "Weights" in dict(workload_facts(SCENARIO_4, None))


def test_facts_about_a_system_on_a_chip() -> None:
    soc = load_soc(get_builtin("hardware", "jetson-agx-xavier").content)
    facts = dict(soc_facts(soc))
    assert facts["GPU"] == "14 clocks to 1.38\u00a0GHz" and facts["2\u00a0DLA"].startswith("7 clocks")
    assert facts["Memory"] == "137\u00a0GB/s" and facts["Power modes"] == "9"


def test_a_time_limit_is_part_of_the_document_and_the_command_only_where_there_is_one() -> None:
    document = {"engine": "scar", "inputs": {}, "params": {}, "seed": 0, "stop_after_minutes": 2.5}
    draft = draft_of_document(document)
    assert draft.document() == document and Draft.from_json(draft.to_json()) == draft
    assert command(draft).endswith("--seed 0 --stop-after-minutes 2.5")
    assert "stop" not in command(Draft("scar", {}))


def test_an_address_sets_parameters_and_what_it_gets_wrong_is_kept_for_the_form_to_name() -> None:
    engine = get_engine("soc-mapping")
    available = {"hardware": ["jetson-tx2"], "workload": ["magnas-vig-s-gin"]}
    wanted = {"hardware": "jetson-tx2", "unmeasured": "datasheet", "evaluations": "many", "none-of-it": "1"}
    params = fresh_draft(engine, available, wanted).params
    assert params["unmeasured"] == "datasheet"
    assert "none-of-it" not in params and params.get("evaluations", "many") == "many"
