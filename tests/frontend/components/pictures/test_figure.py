from __future__ import annotations

from frontend.components.pictures.figure import plot


def test_a_plot_has_a_role_and_a_sentence():
    part = plot(None, summary="81 designs on the front.")
    assert part.role == "img" and getattr(part, "aria-label") == "81 designs on the front."
