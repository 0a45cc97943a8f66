from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


def test_the_page_of_what_is_not_there_has_the_look_of_the_site(signed_in):
    from frontend.pages.not_found_404 import layout

    shown = str(layout(anything="else"))
    assert "Page not found" in shown and "empty" in shown and "Go home" in shown
