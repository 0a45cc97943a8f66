from __future__ import annotations

from frontend.components.items.secret_link import secret_link
from tests.frontend.words import words


def test_what_is_copied_is_what_is_shown_and_it_is_said_that_it_comes_once() -> None:
    part = secret_link("Invitation", "https://site/i/abc", "It was mailed.")
    field, button = part.children[0].children
    assert field.value == getattr(button, "data-copy") == "https://site/i/abc"
    assert getattr(field, "aria-label") == "Invitation" and "not shown again. It was mailed." in " ".join(
        words(part).split()
    )
