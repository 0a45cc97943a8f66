"""The trends, listed without computing; `make test-long` computes them."""

from engines.methods.myml.reproduction import trends
from engines.reproduction.frame import Part


def test_everything_that_is_said_has_a_row_and_printed_numbers_are_compared() -> None:
    rows = Part("trends", trends.trends).listed()
    assert len(rows) == len(trends._SAID)
    assert {row.published: row.test for row in rows if row.test != "trend"} == {
        2.5: "effect",
        1.0: "at most",
        3.2: "value",
    }
    assert all("digits" in row.reason and row.elsewhere for row in rows)
