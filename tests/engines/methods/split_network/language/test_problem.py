"""Placements of prefill and decode: by hand, by brute force, and what is refused."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract.designs import Designs
from engines.contract.engine import Problem
from engines.contract.errors import DecisionError, ProblemError
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.split_network.language.costs import DEVICE, DRAFT, SERVER, Placement, expected_tokens
from engines.methods.split_network.language.engine import LanguageSplitEngine
from engines.methods.split_network.language.problem import PreparedConversation
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import plan as plan_of
from tests.engines.methods.split_network.language.problems import DRAFT as DRAFT_MODEL
from tests.engines.methods.split_network.language.problems import MODEL, language_problem

FIXED = {"uplink_mbps": 10.0, "downlink_mbps": 20.0, "round_trip_ms": 30.0, "message_bytes": 0, "objectives": "times"}

FRONT = {**FIXED, "objectives": "times_energy"}


def run(problem: Problem) -> Designs:
    steps = list(drive(LanguageSplitEngine(), problem, LocalContext(problem)))
    return Designs.concatenate([step.designs for step in steps if step.designs is not None])


def prepared(**params: Any) -> PreparedConversation:
    return PreparedConversation(language_problem(params))


def test_the_space_is_every_placement_once() -> None:
    designs = prepared(transfer_bits="16 8 4", draft_tokens="1 5").space.designs
    expected = {(DEVICE, DEVICE, 0.0, 0), (SERVER, SERVER, 0.0, 0), (SERVER, DRAFT, 0.0, 1), (SERVER, DRAFT, 0.0, 5)}
    expected |= {
        (one, other, bits, 0) for one, other in ((DEVICE, SERVER), (SERVER, DEVICE)) for bits in (16.0, 8.0, 4.0)
    }
    assert len(designs) == len(expected) and {tuple(vars(each).values()) for each in designs} == expected


@pytest.mark.parametrize("server", ["snapdragon-855", "x86-server"])
def test_the_front_is_that_of_every_placement(server: str) -> None:
    problem = language_problem(FRONT, server=server)
    ready = PreparedConversation(problem)
    rows = [ready._row(each) for each in ready.space.designs]
    costs = [(row["first_token_s"], -row["decode_tokens_per_s"], row["energy_j"]) for row in rows]
    best = {one for one in costs if not any(other != one and all(map(float.__le__, other, one)) for other in costs)}
    designs = run(problem)
    front = designs.front(LanguageSplitEngine().quantities_of(problem.params))
    columns = (designs.columns[name][front] for name in ("first_token_s", "decode_tokens_per_s", "energy_j"))
    assert {(first, -rate, energy) for first, rate, energy in zip(*columns, strict=True)} == best
    # A server like the device saves energy, but no time.
    assert len(best) == (2 if server == "snapdragon-855" else 1)


def test_all_on_the_device_is_the_estimate_of_the_survey() -> None:
    problem = prepared(**FIXED)
    side = problem.costs.sides[DEVICE]
    row = problem._row(Placement(DEVICE, DEVICE))
    assert row["first_token_s"] == side.row.time_to_first_token_s and row["uploaded_bytes"] == 0
    assert row["energy_j"] == pytest.approx(side.row.energy_j) and row["latency_s"] == pytest.approx(side.row.latency_s)


def test_all_at_the_server_by_hand() -> None:
    problem = prepared(**FIXED, prompt_tokens=200, answer_tokens=11)
    row, side = problem._row(Placement(SERVER, SERVER)), problem.costs.sides[SERVER]
    first = 200 * 10 / 10e6 + 0.03 + side.prefill_s + 10 / 20e6  # the number of one of 1,000 tokens takes 10 bits
    assert row["first_token_s"] == pytest.approx(first)
    assert row["latency_s"] == pytest.approx(first + 10 * max(side.token_s, 10 / 20e6))
    assert row["uploaded_bytes"] == 200 * 10 / 8 and row["downloaded_bytes"] == pytest.approx(11 * 10 / 8)
    radio = problem.costs.link.radio
    joules = radio.transfer_energy_j(2000, 10e6) + radio.transfer_energy_j(110, 20e6, "downlink")
    assert row["energy_j"] == pytest.approx(joules)


@pytest.mark.parametrize("bits", [16.0, 8.0])
def test_a_cache_of_the_whole_prompt_changes_sides(bits: float) -> None:
    problem = prepared(**FIXED, prompt_tokens=200)
    cache = 4 * 2 * 2 * 64 * 200 * bits / 8  # layers, keys and values, heads, features, tokens
    up, down = problem._row(Placement(DEVICE, SERVER, bits)), problem._row(Placement(SERVER, DEVICE, bits))
    assert up["uploaded_bytes"] == pytest.approx(cache + 10 / 8) and down["downloaded_bytes"] == pytest.approx(
        cache + 10 / 8
    )
    token_s = problem.costs.sides[DEVICE].token_s
    decode_s = down["latency_s"] - down["first_token_s"]
    assert decode_s == pytest.approx(cache * 8 / 20e6 + 127 * token_s)


def test_a_slow_link_makes_the_server_wait_for_each_token() -> None:
    row = prepared(**{**FIXED, "downlink_mbps": 1e-3})._row(Placement(SERVER, SERVER))
    assert row["decode_tokens_per_s"] == pytest.approx(1e3 / 10)


@given(acceptance=st.sampled_from([0.0, 0.3, 0.7, 0.95, 1.0]), length=st.integers(1, 6))
def test_expected_tokens_are_those_of_all_outcomes(acceptance: float, length: int) -> None:
    total = 0.0
    for outcome in itertools.product((True, False), repeat=length):
        probability = math.prod(acceptance if each else 1 - acceptance for each in outcome)
        total += probability * (1 + next((n for n, each in enumerate(outcome) if not each), length))
    assert expected_tokens(acceptance, length) == pytest.approx(total)
    assert expected_tokens(acceptance, 0) == 1.0


def test_drafts_cost_what_simulated_passes_cost() -> None:
    problem = prepared(**FIXED, answer_tokens=2000, acceptance=0.6, prompt_tokens=16)
    costs, length = problem.costs, 3
    server, draft = costs.sides[SERVER], costs.sides[DRAFT]
    verify_s = max(server.token_s, (length + 1) * server.prefill_s / 16)
    each_s = length * draft.token_s + 30 / 10e6 + 0.03 + verify_s + 20 / 20e6
    chance, tokens, seconds = random.Random(1), 0, 0.0
    while tokens < 1999:
        accepted = next((n for n in range(length) if chance.random() >= 0.6), length)
        tokens, seconds = tokens + accepted + 1, seconds + each_s
    row = problem._row(Placement(SERVER, DRAFT, 0.0, length))
    late = max(0.0, draft.prefill_s - row["first_token_s"])
    assert row["latency_s"] - row["first_token_s"] - late == pytest.approx(seconds, rel=0.03)


def test_a_design_of_ones_own_is_a_placement() -> None:
    problem = prepared()
    for design in problem.space.designs:
        assert problem.decode(problem.encode(design)) == design
    with pytest.raises(DecisionError, match="placements"):
        problem.decode({"prefill": "moon", "decode": "server", "transfer_bits": 0.0, "draft_tokens": 0})


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"prompt_tokens": 2000}, "prompt_tokens"),
        ({"transfer_bits": "64"}, "transfer_bits"),
        ({"draft_tokens": "1.5"}, "draft_tokens"),
    ],
)
def test_parameters_that_cannot_be_are_refused(params: dict[str, Any], field: str) -> None:
    with pytest.raises(ProblemError, match=field):
        prepared(**params)


def test_models_links_and_devices_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ProblemError, match="vocabulary"):
        PreparedConversation(language_problem(draft={**DRAFT_MODEL, "vocab_size": 999}))
    with pytest.raises(ProblemError, match="downlink"):
        PreparedConversation(language_problem(radio="5g-low-band-smartphone"))
    with pytest.raises(ProblemError, match="objectives"):
        PreparedConversation(language_problem(hardware="rk3588"))
    assert PreparedConversation(language_problem({"objectives": "times"}, hardware="rk3588")).space.designs


def test_a_device_that_is_too_small_leaves_the_work_to_the_server() -> None:
    large = {**MODEL, "hidden_size": 8192, "intermediate_size": 32768, "num_hidden_layers": 40}
    problem = language_problem(configuration=large, hardware="jetson-tx2")
    assert {(each.prefill, each.decode) for each in PreparedConversation(problem).space.designs} == {
        (SERVER, SERVER),
        (SERVER, DRAFT),
    }
    (missing,) = [check for check in plan_of(problem).checks if not check.ok]
    assert "has no estimate on the device" in missing.text


def test_drafts_beat_both_baselines_in_what_forms_open_with() -> None:
    inputs = {slot: get_builtin(kind.kind, kind.preferred) for slot, kind in LanguageSplitEngine.inputs.items()}
    problem = make_problem("language-split", inputs, {}, 0)
    prepared = PreparedConversation(problem)
    latency_s = prepared.evaluate(prepared.space.designs, LocalContext(problem))["latency_s"]
    best = prepared.space.designs[int(latency_s.argmin())]
    assert best.decode == DRAFT and best not in prepared.baselines().values()
