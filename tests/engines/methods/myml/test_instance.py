"""Users that are drawn, and published schedules that fit."""

from engines.methods.myml.instance import instance_of
from engines.methods.myml.stages import expected_kept
from tests.engines.methods.myml.problems import myml_problem


def test_classes_are_drawn_by_the_seed_and_others_come_after_the_drift() -> None:
    users = set()
    for seed in range(5):
        instance = instance_of(myml_problem(seed=seed))
        users.add(instance.user.classes)
        assert len(instance.user.classes) == len(instance.later.classes) == 4
        assert not set(instance.user.classes) & set(instance.later.classes)
        assert instance_of(myml_problem(seed=seed)).user == instance.user
    assert len(users) > 1


def test_classes_named_for_later_are_not_drawn_for_now() -> None:
    instance = instance_of(myml_problem({"later_classes": "0, 1, 2, 3"}))
    assert instance.later.classes == (0, 1, 2, 3) and not set(instance.user.classes) & {0, 1, 2, 3}
    assert instance.stage_images == 4 * 4


def test_a_user_of_nearly_all_classes_goes_on_with_one_that_was_known() -> None:
    named = ", ".join(map(str, range(9)))
    params = {"user_classes": named, "learning_share_percent": 5.0, "learning_window": 20}
    later = instance_of(myml_problem(params)).later
    assert len(later.classes) == 2 and 9 in later.classes


def test_published_rates_are_left_out_where_a_layer_would_be_empty() -> None:
    wide, narrow = instance_of(myml_problem()), instance_of(myml_problem({"width": 2, "rates_percent": "0 30"}))
    originals = ["Original, CPU", "Original, accelerator"]
    assert list(wide.baselines) == [*originals, "As published, CPU", "As published, accelerator"]
    assert list(narrow.baselines)[:2] == originals
    for instance in (wide, narrow):
        for choice in list(instance.baselines.values())[2:]:
            assert all(kept.pairs > 0 for kept in expected_kept(instance.layers, choice))
