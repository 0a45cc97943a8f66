from engines.contract.questions import OTHER, QUESTIONS


def test_questions_differ_and_what_is_left_comes_last() -> None:
    assert len({each.name for each in QUESTIONS}) == len({each.title for each in QUESTIONS}) == len(QUESTIONS)
    assert QUESTIONS[-1] is OTHER and all(each.words for each in QUESTIONS)
