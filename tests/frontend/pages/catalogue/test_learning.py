from __future__ import annotations

from frontend.pages.catalogue.listing import page, results
from tests.frontend.pages.catalogue.cases import parts
from tests.support.stored_runs import People


def test_data_sets_and_weights_lead_to_the_exploration_that_takes_them(people: People) -> None:
    drawn = page(people.owner, "data", "digits", {})
    assert "/new?engine=train-supernet&data=digits" in {link.href for link in parts(drawn, "Link")}
    drawn = page(people.owner, "weights", "estimator", {})
    assert "/new?engine=mapformer&weights=estimator-jetson-agx-xavier" in {link.href for link in parts(drawn, "Link")}
    (empty,), count = results(people.owner, "weights", "nothing like it", {})
    assert count == "0 of 1" and "Nothing matches" in str(empty)
