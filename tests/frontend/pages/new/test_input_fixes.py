"""What of a draft does not fit its engine: replaced with one sentence, or mended by a button."""

from __future__ import annotations

from contextlib import AbstractContextManager

import pytest

from engines.registry import get_engine
from engines.running.runner import limited_process
from engines.running.runner.slots import FairSlots
from frontend.pages.drafts import Draft
from frontend.pages.new import input_fixes as new_fitting
from frontend.pages.new.initial_draft import entries_of
from frontend.pages.new.input_fixes import INPUTS, fitted_draft, mended, mends
from frontend.pages.new.start_conditions import mend_buttons
from frontend.pages.new.summary import Judgement, judge
from hardware.errors import Remedy
from tests.engines.methods.soc_mapping.problems import tiny_network
from tests.frontend.pages.run.states.test_cards import words
from tests.support.stored_runs import People
from webapp.catalogue.service import store_version

SCAR = {"hardware": "simba-3x3-het-sides-256", "workload": "mlperf-scenario-4"}
MAPPING = {"hardware": "jetson-agx-xavier", "workload": "magnas-vig-s-gin"}
OWN_BOARD = "three-dataflow-accelerators-sums-kept"
TITLES = {"hardware": "The board", "workload": "The work"}


def fitted(people: People, name: str, wanted: dict[str, str]) -> tuple[Draft, str]:
    engine = get_engine(name)
    return fitted_draft(people.owner, engine, entries_of(people.owner, engine, wanted), wanted, TITLES)


def test_what_fits_is_kept_without_a_word(people: People) -> None:
    assert fitted(people, "package-search", SCAR) == (Draft("package-search", SCAR), "")
    mapping, note = fitted(people, "scar", {"workload": MAPPING["workload"]})
    assert mapping.inputs == {**SCAR, "workload": MAPPING["workload"]} and note == ""


@pytest.mark.parametrize(
    ("engine", "wanted", "now", "told"),
    [
        ("soc-mapping", SCAR, {**SCAR, "hardware": OWN_BOARD}, "The board does not fit SoC mapping. Chosen"),
        ("sbrs", SCAR, None, "The board and The work do not fit Run-time switching"),
        ("sbrs", {"workload": SCAR["workload"]}, None, "The work does not fit Run-time switching: no measurements of embedding, "),
        ("magnas", {"hardware": "jetson-tx2"}, {"hardware": MAPPING["hardware"]}, "The board does not fit "),
        # One network alone can be run, as an application in which nothing switches: not what the engine is chosen for.
        ("sbrs", MAPPING, None, "One network alone: a static application, nothing switches. Chosen"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_replaced_by_the_engines_own_with_one_sentence(
    people: People, engine: str, wanted: dict[str, str], now: dict[str, str] | None, told: str
) -> None:
    draft, note = fitted(people, engine, wanted)
    assert draft.inputs == (now or {"hardware": "jetson-tx2", "workload": "switching-image-networks"})
    assert judge(people.owner, draft, get_engine(engine)).ready
    assert told in note and "Chosen instead: " in note and len(note) < 330


def test_one_document_of_two_is_replaced_where_that_is_enough(people: People) -> None:
    draft, note = fitted(people, "soc-mapping", {"hardware": "jetson-tx2", "workload": SCAR["workload"]})
    assert draft.inputs == {"hardware": OWN_BOARD, "workload": SCAR["workload"]}
    assert judge(people.owner, draft, get_engine("soc-mapping")).ready
    assert "The board does not fit SoC mapping: block transformer.wte, gpu: the " in note and "The work" not in note


def test_a_refusal_has_buttons_that_mend_it(people: People) -> None:
    engine = get_engine("soc-mapping")
    draft = Draft(engine.name, {**MAPPING, "workload": "resnet50"}, {"clock_steps": 3}, seed=5)
    entries, judgement = entries_of(people.owner, engine, MAPPING), judge(people.owner, draft, engine)
    found = {mend.field + mend.value: mend for mend in mends(people.owner, draft, engine, entries, judgement)}
    assert {"params.unmeasuredassumed", "inputs.hardware" + OWN_BOARD} <= set(found)
    chosen = found["params.unmeasuredassumed"]
    text = words(mend_buttons(list(found.values())))
    assert "Choose “Estimated like others”" in text and "Operations that no calibration measured" in text
    for mend in found.values():
        after = mended(draft, engine, entries, mend.field, mend.value)
        assert judge(people.owner, after, engine).ready and after.seed == 5 and after.params["clock_steps"] == 3
    assert mended(draft, engine, entries, chosen.field, chosen.value).params["unmeasured"] == "assumed"


def test_all_inputs_are_offered_where_one_alone_does_not_mend(people: People) -> None:
    engine = get_engine("sbrs")
    draft = Draft("sbrs", {"hardware": "x86-server", "workload": SCAR["workload"]})
    found = mends(people.owner, draft, engine, entries_of(people.owner, engine), judge(people.owner, draft, engine))
    assert INPUTS in {mend.field for mend in found}


def test_nothing_is_offered_for_what_runs_or_for_a_typing_mistake(people: People) -> None:
    engine = get_engine("soc-mapping")
    entries = entries_of(people.owner, engine)
    for params in ({}, {"clock_steps": "many"}):
        draft = Draft(engine.name, MAPPING, params)
        assert not mends(people.owner, draft, engine, entries, judge(people.owner, draft, engine))
    assert mended(draft, engine, entries, "params.no_such", "1") == draft


def test_a_busy_site_is_asked_once_and_replaces_nothing(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(FairSlots):
        asked = 0

        def slot(self, person: str, long: bool, wait_s: float) -> AbstractContextManager[None]:
            self.asked += 1
            return super().slot(person, long, 0.0)

    engine, content = get_engine("soc-mapping"), {**tiny_network(301).content, "slug": "long"}
    store_version(people.owner, people.project, "workload", content)  # too long to be planned in this process
    found = entries_of(people.owner, engine, MAPPING)["workload"]
    wanted = {**MAPPING, "workload": next(entry.name for entry in found if entry.slug == "long")}
    monkeypatch.setattr(limited_process, "_SLOTS", slots := Full(slots=0))
    assert fitted(people, engine.name, wanted) == (Draft(engine.name, wanted), "") and slots.asked == 1

    slots.asked = 0
    refused = Judgement(
        refused=True, remedies=tuple(Remedy.to_set("params.unmeasured", each) for each in ("assumed", "refused"))
    )
    entries = entries_of(people.owner, engine, wanted)
    assert not mends(people.owner, Draft(engine.name, wanted), engine, entries, refused) and slots.asked == 1


def test_no_draft_is_tried_once_the_time_of_the_callback_is_over(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = get_engine("soc-mapping")
    draft = Draft(engine.name, {**MAPPING, "workload": "resnet50"})
    entries, judgement = entries_of(people.owner, engine, MAPPING), judge(people.owner, draft, engine)
    assert mends(people.owner, draft, engine, entries, judgement)
    monkeypatch.setattr(new_fitting, "_TRIALS_S", 0.0)
    assert not mends(people.owner, draft, engine, entries, judgement)
