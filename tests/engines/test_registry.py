from collections.abc import Iterator

import pytest

from engines import registry
from engines.contract.errors import RegistrationError, UnknownEngineError
from engines.contract.questions import OTHER, QUESTIONS
from tests.support.toy_engine import ToyEngine, ToyWithoutCheckpointsEngine


@pytest.fixture
def _forget() -> Iterator[None]:
    yield
    registry.unregister("another")


def test_it_finds_a_registered_engine_and_keeps_one_instance() -> None:
    assert isinstance(registry.get_engine("toy"), ToyEngine)
    assert registry.get_engine("toy") is registry.get_engine("toy")


def test_it_names_every_engine_once_in_order() -> None:
    names = registry.engine_names()
    assert list(names) == sorted(set(names))
    assert {"scar", "toy", "toy-without-checkpoints"} <= set(names)


@pytest.mark.parametrize("name", registry.BUILT_INS)
def test_every_engine_says_what_it_decides(name: str) -> None:
    question = registry.get_engine(name).question
    assert question in QUESTIONS
    assert question is not OTHER, "declare one of engines.contract.questions as `question`"


def test_a_miss_lists_what_exists() -> None:
    with pytest.raises(UnknownEngineError, match=r"no engine 'tooy'.*scar.*toy"):
        registry.get_engine("tooy")


def test_the_same_registration_twice_is_fine() -> None:
    registry.register("toy", ToyEngine)
    assert registry.engine_path("toy") == "tests.support.toy_engine:ToyEngine"


def test_a_taken_name_is_refused() -> None:
    with pytest.raises(RegistrationError, match=r"'toy' is taken by tests.support.toy_engine:ToyEngine"):
        registry.register("toy", ToyWithoutCheckpointsEngine)


def test_a_built_in_name_is_refused() -> None:
    with pytest.raises(RegistrationError, match="'scar' is taken"):
        registry.register("scar", ToyEngine)


def test_a_class_that_is_no_engine_is_refused() -> None:
    with pytest.raises(RegistrationError, match=r"derived from engines.contract.engine.Engine"):
        registry.register("another", dict)  # type: ignore[arg-type]


@pytest.mark.usefixtures("_forget")
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("tests.support.toy_engine:Nothing", "has no class 'Nothing'"),
        ("tests.support.toy_engine:ToyEngine", "must be named 'another'"),
        ("tests.support.nowhere:ToyEngine", "cannot be imported"),
        ("collections:OrderedDict", "derived from engines.contract.engine.Engine"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_on_use(path: str, words: str) -> None:
    registry.register("another", path)
    with pytest.raises(RegistrationError, match=words):
        registry.get_engine("another")


def test_a_path_without_a_class_is_refused() -> None:
    with pytest.raises(RegistrationError, match="'module:Class'"):
        registry.register("another", "tests.support.toy_engine")


def test_engines_of_other_packages_are_found_and_cannot_take_a_built_in_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    points = [
        metadata.EntryPoint("foreign", "tests.support.toy_engine:ToyEngine", registry.ENTRY_POINT_GROUP),
        metadata.EntryPoint("scar", "tests.support.toy_engine:ToyEngine", registry.ENTRY_POINT_GROUP),
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda group: points if group == registry.ENTRY_POINT_GROUP else [])
    registry._announced.cache_clear()
    try:
        with pytest.warns(UserWarning, match="'scar' .* left out"):
            assert "foreign" in registry.engine_names()
        assert registry.engine_path("scar") == registry.BUILT_INS["scar"]
    finally:
        registry._announced.cache_clear()
