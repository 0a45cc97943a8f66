"""Reading runs: only what is asked for, and the same every time."""

from __future__ import annotations

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engines.contract.bounded_cache import BoundedCache
from engines.contract.designs import table_from_bytes, table_to_bytes
from engines.contract.encoding.result_json import equal
from engines.running.explained_designs import designs_to_explain
from tests.support.databases import MOSTLY_POSTGRESQL, SQLITE
from tests.support.live import LiveSite
from webapp.runs.foreground import run_here
from webapp.runs.models import DesignChunk, Run
from webapp.runs.results import readers, summaries
from webapp.runs.storage.explanations import stored_explanation
from webapp.runs.storage.stored_bytes import bytes_of
from webapp.teams.prepared_queries import PreparedQuery


@pytest.fixture
def done(live_site: LiveSite) -> Run:
    """A finished toy run, kept in the foreground."""
    return run_here(live_site.ann, {"engine": "toy", "params": {"steps": 5, "designs_per_step": 8}, "seed": 2})


@SQLITE
def test_designs_come_with_the_columns_asked_for(done: Run) -> None:
    table = readers.load_designs(done, ["energy_j"])
    assert list(table.columns) == ["energy_j"] and len(table) == 40
    assert set(table.origin) == {"search"}
    assert table.found_at_evaluation.tolist() == list(range(1, 41))
    assert list(readers.load_designs(done).columns) == ["latency_s", "energy_j", "spread"]
    newer = readers.load_designs(done, after=33)
    assert len(newer) == 7 and newer.decisions[0] == table.decisions[33]
    assert newer.columns["energy_j"].tolist() == table.columns["energy_j"][33:].tolist()
    assert len(readers.load_designs(done, after=40)) == 0


@SQLITE
def test_one_decision_is_read_by_its_number(done: Run) -> None:
    table = readers.load_designs(done)
    assert readers.canonical_json(table.decisions[17]) == readers.canonical_json(readers.load_decision(done, 17))
    x = readers.load_decision(done, 39)["x"]
    assert 2.0 - sum(x) / 3 == pytest.approx(table.columns["latency_s"][39])
    for number in (-1, 40):
        with pytest.raises(LookupError, match="0 to 39"):
            readers.load_decision(done, number)


@SQLITE
def test_convergence_never_falls(done: Run) -> None:
    found = readers.convergence(done)
    assert found.step.tolist() == [1, 2, 3, 4, 5] and found.design_count.tolist() == [8, 16, 24, 32, 40]
    assert (np.diff(found.hypervolume) >= 0).all() and (np.diff(found.time_s) >= 0).all() and found.time_s[0] == 0
    assert found.metrics["latency_s"].shape == (5,) and len(found.reference) == 2


@SQLITE
def test_results_and_explanations_agree_with_the_stored_values(done: Run) -> None:
    assert readers.results(done)["remark"].text == "5 steps made."
    energy = readers.load_designs(done).columns["energy_j"][7]
    parts = {result.name: result for result in readers.explain_design(done, 7)}
    assert parts["energy"].values.sum() == pytest.approx(energy)
    again = {result.name: result for result in readers.explain_design(done, 7)}
    assert again["energy"] is parts["energy"]


@SQLITE
def test_explanations_of_the_first_designs_are_stored_with_the_run(done: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    table, quantities = readers.load_designs(done), readers.quantities_of(done)
    numbers = designs_to_explain(table, quantities, "latency_s")
    stored = {number: stored_explanation(done.pk, number) for number in numbers}
    monkeypatch.setattr(readers, "_explained", BoundedCache(256))
    for number, results in stored.items():
        computed = readers.explain_decision(readers.problem_of(done), readers.load_decision(done, number))
        assert results is not None and len(results) == len(computed)
        assert all(equal(*pair) for pair in zip(results, computed, strict=True))
    monkeypatch.setattr(readers, "explain", lambda problem, decision: ())
    monkeypatch.setattr(readers, "_explained", BoundedCache(256))
    assert len(readers.explain_design(done, numbers[0])) == 3
    other = next(number for number in range(len(table)) if number not in numbers)
    assert readers.explain_design(done, other) == ()
    done.refresh_from_db()
    assert done.stored_bytes == bytes_of(done.pk)


@SQLITE
def test_reading_takes_a_fixed_number_of_queries(done: Run) -> None:
    readers.problem_of(done)
    for read, queries in (
        (lambda: readers.load_designs(done), 1),
        (lambda: readers.load_decision(done, 3), 1),
        (lambda: readers.convergence(done), 1),
        (lambda: readers.results(done), 1),
        (lambda: readers.log_lines(done), 1),
    ):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            read()
        assert len(captured) == queries


@SQLITE
def test_provenance_and_document_hold_everything_needed_to_repeat(done: Run, live_site: LiveSite) -> None:
    found = readers.provenance(done)
    assert found["problem"]["params"]["steps"] == 5 and found["engine"]["version"] == 1 and found["seed"] == 2
    assert found["platform"]["numpy"] == np.__version__ and found["attempts"] == 1
    document = summaries.run_to_dict(done)
    assert document["status"] == "done" and len(document["designs"]) == 40
    assert [d["index"] for d in document["designs"] if d["on_front"]] == readers.load_designs(done).front(
        readers.quantities_of(done)
    ).tolist()
    live_site.assert_same_designs(done)


@SQLITE
def test_log_tells_the_attempts(done: Run) -> None:
    assert [line.text for line in readers.log_lines(done)] == ["Attempt 1: from the beginning.", "The run is complete."]


@pytest.mark.parametrize(
    ("value", "text"), [(0.00123, "1.23 ms"), (0.0, "0 s"), (1500.0, "1.5 ks"), (float("nan"), "-"), (-2e-7, "-200 ns")]
)
def test_values_are_printed_with_their_prefix(value: float, text: str) -> None:
    assert summaries.si(value, "s") == text


def test_decisions_of_some_designs_in_the_order_asked_for(done: Run) -> None:
    texts = readers.load_decisions(done.pk)
    last = len(texts) - 1
    assert readers.decisions_at(done.pk, [last, 0, 3]) == [texts[last], texts[0], texts[3]]
    assert readers.decisions_after(done.pk, 5) == texts[5:]
    assert readers.decisions_at(done.pk, []) == []


@MOSTLY_POSTGRESQL
def test_many_chunks_are_read_some_at_a_time(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_here(live_site.ann, {"engine": "toy", "params": {"steps": 5, "designs_per_step": 8}, "seed": 2})
    whole = readers.load_designs(run)
    spread = [(chunk.number, chunk) for chunk in DesignChunk.objects.filter(run=run)]
    for _, chunk in spread:  # one of eight designs each, as they are until the run is done
        scalars, decisions = (table_from_bytes(bytes(each)) for each in (chunk.scalars, chunk.decisions))
        chunk.delete()
        for first in range(0, chunk.count, 8):
            DesignChunk.objects.create(
                run=run, number=first + 8, first_index=first, count=8, step_number=1,
                scalars=table_to_bytes(scalars.slice(first, 8)), decisions=table_to_bytes(decisions.slice(first, 8)),
            )  # fmt: skip
    assert DesignChunk.objects.filter(run=run).count() == 5
    monkeypatch.setattr(readers, "_CHUNKS_AT_ONCE", 2)
    monkeypatch.setattr(readers, "_CHUNKS", PreparedQuery(readers._chunks_after, int, int, large=True))
    assert readers.load_designs(run).equals(whole)
    newer = readers.load_designs(run, after=11)
    assert len(newer) == 29 and newer.columns["energy_j"].tolist() == whole.columns["energy_j"][11:].tolist()
