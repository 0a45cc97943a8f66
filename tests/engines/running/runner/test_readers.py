import pytest

from engines.contract.errors import ProblemError
from engines.running.runner.readers import ENDINGS, READERS, get_reader, reader_for


@pytest.mark.parametrize("name", READERS)
def test_every_reader_exists(name: str) -> None:
    assert callable(get_reader(name))


def test_there_is_no_other_reader() -> None:
    with pytest.raises(KeyError):
        get_reader("os:system")


@pytest.mark.parametrize(
    ("file", "way"),
    [
        ("run.fit", "GPX"), ("run.TCX", "GPX"), ("run.gpx.gz", "gunzip"), ("net.onnx.zip", "Unpack it"), ("log.xlsx", "as CSV"),
        ("net.pt", "as ONNX"), ("what.ever", ".npz"), ("none", ".npz"),
    ],
)  # fmt: skip
def test_other_endings_are_refused_with_those_accepted_and_a_way_on(file: str, way: str) -> None:
    assert reader_for("a/b.GPX") == "gpx"
    with pytest.raises(ProblemError) as caught:
        reader_for(file)
    assert caught.value.got == file and ", ".join(ENDINGS) in caught.value.accepted and way in str(caught.value)
