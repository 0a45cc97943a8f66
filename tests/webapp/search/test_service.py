"""What is found by which words, by whom, on both databases."""

from __future__ import annotations

from tests.support.stored_runs import People
from tests.webapp.search.cases import numbers
from webapp.catalogue import service as catalogue
from webapp.runs import service as runs
from webapp.studies import service as studies


def test_everything_is_found_by_every_word_or_its_beginning(people: People) -> None:
    run = runs.create(people.owner, {"engine": "toy", "title": "Größe of a sensor-node"}, people.project)
    study = studies.create(people.owner, {"engine": "toy", "seeds": [1, 2], "title": "Seeds matter"}, people.project)
    content = catalogue.copy_of(people.owner, "hardware", "simba-3x3-nvdla") | {
        "slug": "ours",
        "title": "Our own board",
    }
    document = catalogue.store_version(people.owner, people.project, "hardware", content).document
    for query in ("groß", "SENSOR", "node größe", "toy senso", "ann node", f"{run.pk} sensor"):
        assert numbers(people.viewer, query) == [run.pk], query
    for query in (
        f"run {run.pk:04d} sensor",
        f"{run.pk:04d} sensor",
        f"Run #{run.pk:04d} node",
        f"run{run.pk} sensor",
        f"RUN{run.pk:04d} node",
    ):
        assert numbers(people.viewer, query) == [run.pk], query
    for word in (f"0{run.pk}9", f"run{run.pk}9", "run0", "report1"):
        assert numbers(people.viewer, f"{word} sensor") == [], word
    assert numbers(people.viewer, "sensor zebra") == numbers(people.viewer, "ensor") == []
    assert numbers(people.viewer, "seeds", "study") == [study.pk]
    assert set(numbers(people.viewer, "seeds")) == set(study.runs.values_list("pk", flat=True))
    assert numbers(people.viewer, "own boa", "document") == [document.pk]
    for wrong in ("", "  ", "'; DROP TABLE", "%", '"', "a AND (", "x" * 4000):
        assert numbers(people.viewer, wrong) == []
    assert numbers(people.stranger, "sensor") == numbers(people.stranger, "seeds", "study") == []
