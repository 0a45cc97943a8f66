import pytest
from pydantic import BaseModel, ValidationError

from engines.search.search_fields import evaluations_field, population_field


class Params(BaseModel):
    evaluations: int = evaluations_field(200, (10, 1000), "designs", "Designs that are scored.")
    population: int = population_field(20, (4, 100), "designs", "Of a generation.", group="Outer search")


def test_every_search_tells_its_budget_and_its_generations_alike() -> None:
    budget, generation = Params.model_json_schema()["properties"].values()
    assert (budget["title"], budget["group"], budget["unit"], budget["tier"]) == (
        "Evaluations", "Search", "designs", "usual",
    )  # fmt: skip
    assert (generation["title"], generation["group"], generation["tier"]) == ("Population", "Outer search", "expert")
    with pytest.raises(ValidationError):
        Params(evaluations=9)
