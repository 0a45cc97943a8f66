"""Mixes that are drawn."""

from engines.documents.builtin import builtin_documents, get_builtin
from engines.workloads.families.image_mixes import drawn_mix, image_mix


def test_mixes_are_the_same_every_time_and_have_no_network_twice() -> None:
    mix = drawn_mix(10, 3)
    assert mix == drawn_mix(10, 3) != drawn_mix(10, 4)
    assert len(set(mix)) == 10


def test_a_mix_is_found_by_its_name_and_not_listed() -> None:
    content = get_builtin("workload", "image-mix-8-3").content
    assert [model["network"] for model in content["models"]] == list(drawn_mix(8, 2))
    assert all(model["network_sha256"] for model in content["models"])
    assert "image-mix-8-3" not in list(builtin_documents("workload"))
    assert [
        image_mix(slug) for slug in ("image-mix-0-1", "image-mix-11-1", "image-mix-6-0", "image-mix-6", "alexnet")
    ] == [None] * 5
