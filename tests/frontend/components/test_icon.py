from __future__ import annotations

from frontend.components.button import icon_button


def test_an_icon_button_has_a_name():
    assert getattr(icon_button("sun", "Light or dark"), "aria-label") == "Light or dark"
