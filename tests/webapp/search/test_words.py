"""Words that are searched for."""

from __future__ import annotations

from webapp.search.words import words_of


def test_words_are_the_same_on_both_databases() -> None:
    assert words_of("Het-Sides_3x3, Größe 0.5 µm", None, "HET") == [
        "het",
        "sides",
        "3x3",
        "große",
        "0",
        "5",
        "μm",
        "none",
    ]
    assert words_of("Café") == ["cafe"] and words_of("', \" * ( % :") == []
    assert len(words_of(" ".join(map(str, range(9000))))) == 3000
