import pytest
from pydantic import ValidationError

from engines.contract.engine import Document, Problem, require
from engines.contract.errors import ProblemError
from engines.documents.problems import make_problem
from tests.support.toy_engine import ToyParams


def document(slug: str = "even", version: int = 1, **content: object) -> Document:
    return Document("data", slug, version, {"schema": "toy/1", "weights": [1, 2, 3]} | content)


def problem(one: Document, seed: int = 0, **params: int) -> Problem:
    return make_problem("toy", {"weights": one}, params, seed)


def test_equal_content_has_one_hash_whatever_its_order_and_name() -> None:
    reordered = Document("data", "other", 9, {"weights": [1, 2, 3], "schema": "toy/1"})
    assert document().content_hash() == reordered.content_hash()
    assert problem(document()).hash() == problem(reordered).hash()


def test_content_seed_and_params_count_for_the_hash() -> None:
    base = problem(document()).hash()
    others = [problem(document(weights=[1, 2, 4])), problem(document(), seed=1), problem(document(), steps=6)]
    assert len({base, *(other.hash() for other in others)}) == 4


def test_a_default_that_is_spelled_out_changes_nothing() -> None:
    assert problem(document(), steps=5).hash() == problem(document()).hash()


def test_the_canonical_document_names_everything() -> None:
    canonical = problem(document(), seed=4).canonical()
    assert canonical["inputs"]["weights"] == {
        "kind": "data", "slug": "even", "version": 1, "hash": document().content_hash()
    }  # fmt: skip
    assert (canonical["engine"], canonical["version"], canonical["seed"]) == ("toy", 1, 4)
    assert canonical["params"] == ToyParams().model_dump()


def test_a_slots_value_is_what_its_loader_gave() -> None:
    assert problem(document()).value("weights", tuple) == (1.0, 2.0, 3.0)
    assert problem(document()).optional("weights", tuple) == (1.0, 2.0, 3.0)
    assert make_problem("toy", {}, {}).optional("weights", tuple) is None
    with pytest.raises(TypeError, match="input weights of toy is a tuple, not a str"):
        problem(document()).value("weights", str)
    with pytest.raises(KeyError):
        make_problem("toy", {}, {}).value("weights", tuple)


def test_params_are_frozen_and_closed() -> None:
    with pytest.raises(ValidationError):
        ToyParams(stepz=1)  # type: ignore[call-arg]
    with pytest.raises(ValidationError):
        ToyParams().steps = 3  # type: ignore[misc]


def test_require_raises_only_if_it_must() -> None:
    require(True, "x", 1, "2")
    with pytest.raises(ProblemError, match=r"x: must be 2\. Got 1 instead\."):
        require(False, "x", 1, "2")
