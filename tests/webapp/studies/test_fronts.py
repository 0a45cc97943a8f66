from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.webapp.studies.statistics_for_tests import give, runs
from webapp.studies.models import Study
from webapp.studies.statistics import study_statistics


def test_hypervolume_is_a_share_of_the_joint_front(study: Study) -> None:
    """All fronts together span 1..3 x 1..3: the reference is (3.2, 3.2), and one point (1, 1) would dominate 2.2 x 2.2."""
    for run, points in zip(runs(study, 1), ([(1, 1)], [(1, 3), (3, 1)], [(2, 2), (2, 3)]), strict=True):
        give(run, points)
    give(runs(study, 2)[0], [])
    found = study_statistics(study)
    assert found.reference is not None and found.reference.tolist() == pytest.approx([3.2, 3.2])
    assert found.joint == pytest.approx(2.2 * 2.2)
    first, second = found.groups
    union = 2.2 * 0.2 + 0.2 * 2.2 - 0.2 * 0.2
    assert first.values == pytest.approx([1, union / 4.84, 1.2**2 / 4.84])
    assert (first.value, second.value, second.left_out) == (1, 2, 2)
    assert second.values == [0.0], "a run that found nothing dominates nothing, and counts"


def test_every_front_is_read_once(study: Study) -> None:
    for run in runs(study, 1) + runs(study, 2):
        give(run, [(1, 2), (2, 1)])
    study_statistics(study)
    with CaptureQueriesContext(connection) as seen:
        study_statistics(study)
    assert len(seen) == 1, "only the list of runs"
