from __future__ import annotations

import pytest

from webapp.runs.pull.site import Site, SiteError


@pytest.mark.parametrize("url", ["http://example.org", "ftp://127.0.0.1", "example.org", "https://"])
def test_a_token_never_goes_over_a_line_that_others_read(url: str) -> None:
    with pytest.raises(SiteError, match="https://HOST"):
        Site(url, "pts_x")
    assert Site("http://127.0.0.1:8000/", "pts_x").url == "http://127.0.0.1:8000"


def test_a_site_that_does_not_answer_is_named() -> None:
    with pytest.raises(SiteError, match="does not answer") as away:
        Site("http://127.0.0.1:1", "pts_x").claim({})
    assert away.value.status == 0
