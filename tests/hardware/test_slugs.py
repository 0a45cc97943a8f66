from __future__ import annotations

import pytest

from hardware.slugs import slug_of


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("ResNet-50 v2", "resnet-50-v2"),
        ("über Größe", "uber-grosse"),
        ("Łódź", "lodz"),
        ("①ﬁle", "1file"),
        ("C++", "c"),
    ],
)
def test_latin_letters_are_kept_without_their_accents(title: str, slug: str) -> None:
    assert slug_of(title, "network") == slug


def test_what_does_not_fit_gets_letters_of_its_hash() -> None:
    titles = (
        "网络",
        "模型",
        "モデル",
        "детектор",
        "δίκτυο",
        "شبكة",
        "🚀",
        "💡",
        "v2 最新",
        "v2 新",
        "",
        "x" * 81,
        "x" * 82,
    )
    slugs = [slug_of(each, "network") for each in titles]
    assert len(set(slugs)) == len(titles) and all(each.isascii() and 0 < len(each) <= 80 for each in slugs)
    assert slugs[8].startswith("v2-") and slug_of("网络", "network") == slugs[0]
    assert slug_of("e\u0301t\u00e9", "x") == "ete" and len(slug_of("x" * 60, "d", 50)) == 50
