"""The registry of cost models: by name, imported on first use.

Other packages announce theirs under the entry point group `paretoscope.estimators`.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator

from engines.contract.errors import ProblemError, RegistrationError
from engines.contract.parameter_fields import choice, text
from engines.contract.plug_ins import PlugIn, announced, check_contract, installed_plug_ins
from engines.cost.estimators.protocol import ArrayUnit, CostEstimator

ENTRY_POINT_GROUP = "paretoscope.estimators"
BUILT_INS: dict[str, str] = {
    "dataflow": "engines.cost.estimators.closed_forms:DataflowEstimator",
    "ideal-array": "engines.cost.estimators.closed_forms:IdealArrayEstimator",
    "table": "engines.cost.estimators.table:TableEstimator",
    "calibrated": "engines.cost.soc.calibrated_estimator:CalibratedEstimator",
}
DEFAULT = "dataflow"
LONGEST_TABLE = 400_000  # characters


def estimator_names() -> tuple[str, ...]:
    """Return the names of all cost models, the product's own first."""
    return (*BUILT_INS, *sorted(_announced()))


def estimator_class(name: str, field: str = "params.cost_model") -> type[CostEstimator]:
    """Return the class of a cost model.

    Args:
        name: name of the model.
        field: field of the name, for the refusal.

    Raises:
        ProblemError: there is no such model; the error lists the existing ones.
        RegistrationError: a package announces an object of this name that is not a cost model.
    """
    if name not in estimator_names():
        raise ProblemError(field, name, f"one of {', '.join(estimator_names())}")
    return _loaded(BUILT_INS.get(name) or _announced()[name], name)


def array_estimator(name: str, table: str = "", *, field: str = "params.cost_model") -> CostEstimator:
    """Return the cost model with this name, for arrays of processing elements.

    Args:
        name: name of the model.
        table: CSV text of costs, for a model that reads one.
        field: field of the name, for the refusal.

    Raises:
        ProblemError: there is no such model for arrays; the error lists the existing ones.
        RegistrationError: as `estimator_class`.
    """
    found = estimator_class(name) if name == DEFAULT else _of_arrays().get(name)
    if found is None:
        raise ProblemError(field, name, f"one of {', '.join(_of_arrays())}")
    return found(table)


def array_estimator_names() -> tuple[str, ...]:
    """Return the names of the cost models for arrays of processing elements."""
    return tuple(_of_arrays())


@cache
def _of_arrays() -> dict[str, type[CostEstimator]]:
    failing = {each.name for each in plug_ins() if each.problem}
    classes = {name: estimator_class(name) for name in estimator_names() if name not in failing}
    return {name: each for name, each in classes.items() if ArrayUnit in each.units}


def plug_ins() -> tuple[PlugIn, ...]:
    """Return the cost models of other packages, each with the reason if it cannot be used."""
    return installed_plug_ins(ENTRY_POINT_GROUP, estimator_class, _announced() | BUILT_INS)


@cache
def _loaded(path: str, name: str) -> type[CostEstimator]:
    module, _, attribute = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:
        raise RegistrationError(f"The cost model {name!r} at {path} cannot be imported: {error}.") from error
    if not (isinstance(found, type) and issubclass(found, CostEstimator) and found.name == name):
        raise RegistrationError(f"The object at {path} must be a cost model named {name!r}. Got {found!r} instead.")
    check_contract(f"The cost model {name!r}", found)
    return found


@cache
def _announced() -> dict[str, str]:
    return announced(ENTRY_POINT_GROUP, BUILT_INS)


def _known(name: str) -> str:
    if name != DEFAULT and name not in _of_arrays():
        raise ValueError(f"one of {', '.join(_of_arrays())}")
    return name


# A parameter that names a cost model of arrays.
CostModelName = Annotated[str, AfterValidator(_known)]


def cost_model_field(group: str = "Cost model") -> Any:
    """Declare the parameter for the cost model of layers on arrays; `group` is its heading in the form."""
    words = (
        "Cost model of layers on arrays of processing elements. Dataflow model: equal to MAESTRO, partial sums leave an "
        "output-stationary array in every step. Ideal array: they stay in it. Table: the costs below."
    )
    titles = {"dataflow": "Dataflow model, equal to MAESTRO", "ideal-array": "Ideal array", "table": "Table of costs"}
    return choice(DEFAULT, "Cost model", group, titles, words, advanced=True)


def cost_table_field(group: str = "Cost model") -> Any:
    """Declare the parameter for a table of costs; `group` is its heading in the form."""
    words = (
        "Costs for the cost model Table of costs, as CSV. The columns are network, layer, unit, latency_s and energy_j."
    )
    return text("", "Table of costs", group, words, longest=LONGEST_TABLE, lines=True, advanced=True)


def cost_model_words(name: str) -> str:
    """Return the suffix of a run's cost model name for a chosen cost model; "" for the default."""
    return "" if name == DEFAULT else f"; layers by {estimator_class(name).words}"
