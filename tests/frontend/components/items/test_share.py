from __future__ import annotations

from dash import dcc

from frontend.components.items.share import share_control


def test_the_button_opens_the_dialog_of_the_thing() -> None:
    opener, dialog = share_control("study", 7).children
    assert getattr(opener, "data-opens") == dialog.id and getattr(dialog, "aria-label") == "Share this study"
    (thing,) = [part for part in dialog.children if isinstance(part, dcc.Store)]
    assert thing.data == {"kind": "study", "number": 7}
