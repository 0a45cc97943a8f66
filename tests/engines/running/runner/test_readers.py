import pytest

from engines.running.runner.readers import READERS, get_reader


@pytest.mark.parametrize("name", READERS)
def test_every_reader_exists(name: str) -> None:
    assert callable(get_reader(name))


def test_there_is_no_other_reader() -> None:
    with pytest.raises(KeyError):
        get_reader("os:system")
