from __future__ import annotations

import numpy as np

from engines.contract.designs import Designs, table_to_bytes
from engines.contract.quantities import Quantity
from tests.support.live import LiveSite
from tests.webapp.studies.tables_for_tests import do, least
from webapp.runs.models import DesignChunk, Run
from webapp.runs.storage.design_chunks import merge_small_chunks
from webapp.studies import service
from webapp.studies.tables import study_table
from webapp.studies.values import chunk_values


def test_a_running_run_is_read_on_where_it_was_left_and_again_at_its_end(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, {"engine": "toy", "params": {"steps": 6}, "seeds": [1]})
    run = study.runs.get()
    do(run, steps=2)
    early = study_table(study).rows[0].cells[0].median
    DesignChunk.objects.all().delete()
    do(run, steps=4)
    later = study_table(study).rows[0].cells[0].median
    assert early is not None and later is not None and later <= early
    DesignChunk.objects.all().delete()
    do(run)
    merge_small_chunks(run.pk)
    assert study_table(study).rows[0].cells[0].median == least(live_site, run, "latency_s")


def test_a_new_attempt_forgets_designs_that_it_dropped(live_site: LiveSite) -> None:
    study = service.create(live_site.ann, {"engine": "toy", "params": {"steps": 6}, "seeds": [1]})
    run = study.runs.get()
    do(run, steps=5)
    study_table(study)
    DesignChunk.objects.all().delete()
    do(run, steps=1)
    Run.objects.filter(pk=run.pk).update(attempt=2)
    first_step = live_site.unbroken(run).columns["latency_s"][:4].min()
    assert study_table(study).rows[0].cells[0].median == first_step


def test_the_best_meets_every_constraint_and_has_the_sense_of_its_quantity() -> None:
    quantities = (
        Quantity("speed", "Speed", "", "maximise", "objective"),
        Quantity("cost", "Cost", "", "minimise", "metric"),
        Quantity("slack", "Slack", "", "none", "constraint"),
    )
    columns = {
        "speed": np.array([1.0, 9.0, 5.0, np.nan, 7.0]),
        "cost": np.array([3.0, 1.0, np.inf, 2.0, 0.5]),
        "slack": np.array([0.0, -1.0, 1.0, 1.0, 1.0]),
    }
    origin, label = ("search", "search", "search", "search", "user"), ("",) * 5
    designs = Designs(columns, [{}] * 5, np.arange(5), origin, label)
    found = chunk_values(table_to_bytes(designs.scalars_table()), quantities)
    assert found.best == {"speed": 5.0, "cost": 2.0} and found.baselines == {}
