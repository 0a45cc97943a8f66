from __future__ import annotations

from engines.contract.inputs import Document, InputKind


def test_the_order_of_keys_counts_for_the_ordered_hash_alone() -> None:
    one = Document("hardware", "a", 1, {"x": 1, "y": {"p": 1, "q": 2}})
    other = Document("hardware", "b", 2, {"y": {"q": 2, "p": 1}, "x": 1})
    assert one.content_hash() == other.content_hash() and one.ordered_hash != other.ordered_hash
    assert one.content_hash() != Document("hardware", "a", 1, {"x": 2, "y": {"p": 1, "q": 2}}).content_hash()


def test_a_slot_takes_documents_of_its_kind_and_schemas() -> None:
    slot = InputKind("hardware", "Package", "", dict, ("chiplet-package/1",))
    assert slot.takes("hardware", "chiplet-package/1")
    assert not slot.takes("hardware", "soc/1") and not slot.takes("workload", "chiplet-package/1")
    assert InputKind("hardware", "Any", "", dict).takes("hardware", "soc/1")
