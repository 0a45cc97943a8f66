"""Marks at designs with a remark."""

from __future__ import annotations

from frontend.figures.front.front_remarks import remark_marks


def test_a_mark_stands_at_each_design_and_says_its_remark() -> None:
    x, y = {3: 1.0, 5: 2.0, 7: float("nan")}, {3: 4.0, 5: 3.0, 7: 1.0}
    trace = remark_marks(
        x, y, {5: "eve: too <b>hot</b> & " + "long " * 30, 3: "ann: %{x} fine", 7: "x", 9: "gone"}, "light"
    )
    assert (trace["x"], trace["y"], trace["customdata"]) == ([1.0, 2.0], [4.0, 3.0], [3, 5])
    assert trace["text"][0] == "ann: %{x} fine"
    assert "&lt;b&gt;hot&lt;/b&gt; &amp; long" in trace["text"][1] and trace["text"][1].count("<br>") >= 2
