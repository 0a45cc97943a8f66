from __future__ import annotations

import pytest

from engines.methods.sbrs.mission import DATA_DRIVEN, SBRS, STATIC
from engines.methods.sbrs.reproduction.published_tables import Flight, compare_flight
from engines.methods.sbrs.reproduction.runs import flights


def test_a_flight_spares_what_the_switching_application_spends() -> None:
    found = [each.ours for each in compare_flight({SBRS: 12.0, STATIC: 40.0, DATA_DRIVEN: 30.0})]
    assert found == [40.0, 28.0]  # 40 % left, 12 % of the switching one


def test_flights_leave_shares_of_the_charge() -> None:
    shares = {policy: float(each.outcome.end_charge_shares[0]) for policy, each in flights().items()}
    assert Flight().run() == pytest.approx({policy: 100 * share for policy, share in shares.items()})
    assert 0.1 <= shares[SBRS] < 0.11 < shares[DATA_DRIVEN] < shares[STATIC]  # the battery is the least that keeps 10 %
