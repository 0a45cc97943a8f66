"""The check of names and docstrings on modules written for it."""

from pathlib import Path

from tools.check_names import problems_of


def test_a_participle_as_a_name_is_refused(tmp_path: Path) -> None:
    module = tmp_path / "told.py"
    module.write_text('"""Sentences on a run."""\n\n\nclass _Found:\n    """Hits of a search."""\n')
    problems = list(problems_of(module))
    assert [problem.partition(":")[2] for problem in problems] == [
        "1: the module told is not named by a noun of the field",
        "4: the class _Found is not named by a noun of the field",
    ]


def test_a_docstring_without_a_subject_is_refused(tmp_path: Path) -> None:
    module = tmp_path / "costs.py"
    module.write_text(
        '"""Costs of a stage."""\n\n\ndef energy_j() -> float:\n    """Of one stage."""\n    return 1.0\n'
    )
    assert [problem.partition(": ")[2] for problem in problems_of(module)] == [
        'the docstring begins with "Of", not with a verb or a noun phrase'
    ]


def test_nouns_and_verbs_pass(tmp_path: Path) -> None:
    module = tmp_path / "training.py"
    module.write_text('"""Training of a network."""\n\n\nclass Measurement:\n    """A measurement of one network."""\n')
    assert list(problems_of(module)) == []
