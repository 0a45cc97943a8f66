import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import csv, ipc, parquet

from engines import Exploration, explore
from engines.contract.designs import Designs
from engines.contract.engine import Document, Step
from engines.contract.errors import DecisionError, ProblemError, UnknownEngineError
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.results import Note, Schedule

WEIGHTS = {"schema": "toy/1", "weights": [1.0, 2.0, 0.5]}


@pytest.fixture
def found() -> Exploration:
    return explore("toy", params={"steps": 5, "designs_per_step": 8}, seed=2)


def test_the_function_stays_a_function_however_often_it_is_imported() -> None:
    from engines import explore as again

    assert again is explore
    assert callable(again)


def test_it_collects_everything(found: Exploration) -> None:
    assert (found.status, found.fraction, len(found.designs)) == ("done", 1.0, 40)
    assert found.metrics["evaluations"] == 40
    assert isinstance(found.results["remark"], Note)
    assert repr(found).startswith("Exploration(toy, done, 40 designs")


def test_the_front_is_what_nothing_dominates(found: Exploration) -> None:
    matrix = found.designs.matrix(["latency_s", "energy_j"])
    keep = non_dominated(matrix, ["minimise", "minimise"])
    assert sorted(found.front_indices()) == np.flatnonzero(keep).tolist()
    front = found.front()
    assert front.columns["latency_s"].tolist() == sorted(front.columns["latency_s"].tolist())


def test_the_best_design_is_the_least(found: Exploration) -> None:
    best = found.best("energy_j")
    assert best.values["energy_j"] == found.designs.columns["energy_j"].min()
    assert found.best().values["latency_s"] == found.designs.columns["latency_s"].min()
    assert found.designs.decisions[best.index] == best.decision


def test_designs_of_ones_own_are_scored_like_those_found(found: Exploration) -> None:
    designs = found.evaluate([found.designs.decisions[3], {"x": [0.0, 0.5, 1.0]}])
    assert designs.columns["energy_j"].tolist() == [found.designs.columns["energy_j"][3], 2.25]
    with pytest.raises(DecisionError, match=r"decisions\.1\.x"):
        found.evaluate([found.designs.decisions[3], {"x": [0.0]}])


def test_baselines_stand_beside_what_the_search_found(found: Exploration) -> None:
    """The least of both objectives, called a baseline, would be the best and the whole front."""
    perfect = Designs({"latency_s": [0.1], "energy_j": [0.1], "spread": [0.0]}, [{}], [0], ["baseline"], ["B"])
    both = replace(found, designs=Designs.concatenate([perfect, found.designs]))
    assert both.front().equals(found.front())
    assert both.best("energy_j").values == found.best("energy_j").values
    assert both.front_indices(baselines=True) == [0]
    assert both.front(baselines=True).label == ("B",)
    assert both.best("energy_j", baselines=True).label == "B"
    assert not both.to_dict()["designs"][0]["on_front"]
    with pytest.raises(ValueError, match="No design"):
        replace(found, designs=perfect).best()


@pytest.mark.parametrize("metric", ["spread", "speed"])
def test_a_metric_without_a_better_direction_has_no_best(found: Exploration, metric: str) -> None:
    with pytest.raises(ValueError, match="latency_s, energy_j"):
        found.best(metric)


def test_a_design_is_explained_by_number_by_itself_or_by_decision(found: Exploration) -> None:
    best = found.best()
    shown = [found.explain(one) for one in (best.index, np.int64(best.index), best, best.decision)]
    for results in shown:
        (schedule,) = [result for result in results if isinstance(result, Schedule)]
        assert schedule.windows[0].end_s == best.values["latency_s"]


@pytest.mark.parametrize("index", [-1, 40])
def test_a_number_out_of_range_is_refused(found: Exploration, index: int) -> None:
    with pytest.raises(IndexError, match="from 0 to 39"):
        found.explain(index)


def test_it_is_json_and_html(found: Exploration) -> None:
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["problem"] == found.problem.canonical()
    assert [one["index"] for one in data["designs"] if one["on_front"]] == sorted(found.front_indices())
    text = found._repr_html_()
    assert text.count("<tr>") == 1 + min(20, len(found.front_indices()))
    assert "Latency (s)" in text


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_all_designs_are_saved_with_every_digit(found: Exploration, ending: str, tmp_path: Path) -> None:
    path = found.save(tmp_path / f"designs.{ending}")
    read = {
        "csv": lambda: csv.read_csv(path),
        "parquet": lambda: parquet.read_table(path),
        "arrow": lambda: ipc.open_stream(path.read_bytes()).read_all(),
    }[ending]()
    assert read["energy_j"].to_pylist() == found.designs.columns["energy_j"].tolist()
    assert json.loads(read["decision"][0].as_py()) == found.design(0).decision


def test_another_ending_is_refused(found: Exploration, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"path: must end in .csv, .parquet, .arrow. Got 'designs.xlsx'"):
        found.save(tmp_path / "designs.xlsx")
    assert not list(tmp_path.iterdir())


def test_progress_sees_every_step() -> None:
    steps: list[Step] = []
    explore("toy", params={"steps": 3}, progress=steps.append)
    assert [round(step.fraction, 3) for step in steps] == [0.333, 0.667, 1.0]


def test_an_interrupted_exploration_is_partial_and_a_prefix() -> None:
    def interrupt(step: Step) -> None:
        if step.fraction > 0.5:
            raise KeyboardInterrupt

    part = explore("toy", params={"steps": 6}, seed=1, progress=interrupt)
    whole = explore("toy", params={"steps": 6}, seed=1)
    assert (part.status, part.fraction) == ("stopped", 4 / 6)
    assert part.designs.equals(whole.designs.take(range(len(part.designs))))
    assert part.front_indices()


def test_an_infeasible_exploration_says_why() -> None:
    found = explore("toy", params={"energy_limit_j": 0.5})
    assert found.status == "infeasible"
    assert found.infeasible is not None
    assert found.front_indices() == []
    assert "Energy of a design: at least 1 J is needed, at most 0.5 J is allowed." in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["infeasible"]["gap"] == 0.5
    with pytest.raises(ValueError, match="No design meets the limits") as caught:
        found.best()
    assert str(caught.value) == (
        "No design meets the limits. Energy of a design: at least 1 J is needed, at most 0.5 J is allowed. "
        "Allow at least 1000\u00a0mJ; more may be needed."
    )


@pytest.mark.parametrize("form", ["mapping", "document", "path", "text"])
def test_an_input_may_come_in_any_form(form: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.yaml"
    path.write_text(json.dumps(WEIGHTS))
    forms: dict[str, Any] = {
        "mapping": WEIGHTS, "document": Document("data", "own", 3, WEIGHTS), "path": path, "text": str(path)
    }  # fmt: skip
    found = explore("toy", inputs={"weights": forms[form]}, params={"steps": 1})
    assert found.problem.values["weights"] == (1.0, 2.0, 0.5)


@pytest.mark.parametrize("content", [None, "- a list", "a: [unclosed", b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_named(content: str | bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "weights.yaml"
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ProblemError) as caught:
        explore("toy", inputs={"weights": path})
    assert (caught.value.field, caught.value.got) == ("inputs.weights", str(path))


@pytest.mark.parametrize("name", ["run.fit", "run.gpx.gz"])
def test_a_file_with_another_ending_is_refused_with_those_accepted(name: str) -> None:
    with pytest.raises(ProblemError, match=r"inputs\.weights: must be a file that can be read .*\.gpx"):
        explore("toy", inputs={"weights": name})


def test_what_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownEngineError, match="toy"):
        explore("nothing")
    with pytest.raises(ProblemError, match=r"inputs\.hardware"):
        explore("toy", hardware="simba-3x3-nvdla")
    with pytest.raises(ProblemError, match=r"must be one of: .*digits"):
        explore("toy", inputs={"weights": "no-such-weights"})


def test_workers_do_not_change_the_values() -> None:
    params = {"steps": 2, "designs_per_step": 6000}
    assert explore("toy", params=params, workers=2).designs.equals(explore("toy", params=params).designs)


def test_it_reads_networks_of_other_formats(tmp_path: Path) -> None:
    file = tmp_path / "mine.m"
    file.write_text("Network Mine { Layer A { Type: CONV Dimensions { K: 4, C: 3, R: 3, S: 3, Y: 9, X: 9 } } }")
    found = explore("scar", hardware="simba-3x3-het-sides", workload=str(file), params={"evaluations": 100})
    assert found.status == "done" and found.problem.inputs["workload"].slug == "mine"
    file.write_text("Network Mine { Layer")
    with pytest.raises(ProblemError, match="the end of the file"):
        explore("scar", hardware="simba-3x3-het-sides", workload=file)
