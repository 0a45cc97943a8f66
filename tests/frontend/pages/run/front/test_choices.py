from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from frontend.figures.front.front_parts import View
from frontend.pages.run.front.picture import next_view
from tests.frontend.pages.run.front.cases import designs, request


def test_a_live_view_is_kept_and_offers_to_fit() -> None:
    many = designs(300)
    first, outside = next_view(many, request())
    assert not outside
    narrow = View((1.4, 1.5), first.y)
    kept, outside = next_view(many, request(view=narrow))
    assert kept == narrow and outside


def test_a_view_of_the_first_designs_follows_them() -> None:
    few = designs(20)
    view, outside = next_view(few, request(view=View((0.0, 0.1), (0.0, 0.1))))
    assert view != View((0.0, 0.1), (0.0, 0.1)) and not outside


def test_the_view_gives_way_a_little_where_the_front_reaches_its_frame() -> None:
    many = designs(200)
    columns = {
        "latency_s": np.append(many.columns["latency_s"], 0.99),
        "energy_j": np.append(many.columns["energy_j"], 3.99),
    }
    more = replace(
        many, columns=columns, found_at_evaluation=np.arange(201), origin=np.append(many.origin, "search"),
        label=np.append(many.label, ""),
    )  # fmt: skip
    shown, outside = next_view(more, request(view=View((1.0, 2.0), (4.0, 5.0))))
    assert shown.x == pytest.approx((0.94, 2.0)) and shown.y == pytest.approx((3.94, 5.0)) and not outside
    far, outside = next_view(more, request(view=View((1.5, 2.0), (4.5, 5.0))))
    assert far.x[0] == 1.5 and outside
