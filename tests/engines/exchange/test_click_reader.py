import pytest

from engines.contract.errors import ProblemError
from engines.data.click_log import load_click_log
from engines.exchange.click_reader import read_criteo, read_csv
from engines.running.runner.readers import get_reader
from tests.engines.data.test_click_log import criteo, ratings


def test_files_become_documents() -> None:
    read = read_criteo("\n".join(criteo()).encode(), "sample of a day.tsv")
    assert read.content["slug"] == "sample-of-a-day" and len(load_click_log(read.content).labels) == 60
    assert get_reader("csv") is read_csv and get_reader("criteo") is read_criteo
    assert read_csv("\n".join(ratings()).encode(), "r.csv").content["format"] == "ratings"
    assert read_csv(b"time_s,power_w\n0,1\n1,2\n", "r.csv").content["schema"] == "recording/1"


def test_of_a_long_file_the_first_lines_are_kept_and_a_note_says_so() -> None:
    head, *lines = ratings()
    read = read_csv("\n".join([head, *lines * 2000]).encode(), "r.csv", {"name": "Long"})
    assert read.content["title"] == "Long" and len(read.content["rows"].encode()) <= 1_800_000
    assert "a document has room for no more" in read.report["notes"][0]


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(ProblemError, match="text in UTF-8"):
        read_criteo(b"\xff\xfe\x00", "a.tsv")
