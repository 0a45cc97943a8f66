"""The trends, listed without computing; `make test-long` computes them."""

from engines.methods.myml.reproduction import trends
from engines.reproduction.frame import Part


def test_every_trend_has_a_row_without_a_number_of_another_data_set() -> None:
    rows = Part("trends", trends.trends).listed()
    assert len(rows) == len(trends._TRENDS) and all(row.published != row.published for row in rows)  # NaN
    assert all("digits" in row.reason and row.elsewhere for row in rows)
