"""Where engines are found: by name, imported on first use.

Built-ins are listed here as dotted paths; other packages announce theirs under the entry point group
`paretoscope.engines`. A name belongs to the engine that took it first; taking it again is refused.
"""

from __future__ import annotations

import importlib
from contextlib import suppress
from functools import cache

from engines.contract.engine import Engine
from engines.contract.errors import EngineError, RegistrationError, UnknownEngineError
from engines.contract.plug_ins import PlugIn, announced, check_contract, installed_plug_ins

ENTRY_POINT_GROUP = "paretoscope.engines"
BUILT_INS: dict[str, str] = {
    "duet": "engines.methods.duet.engine:DuetEngine",
    "eexnas": "engines.methods.eexnas.engine:EexnasEngine",
    "energyshield": "engines.methods.energyshield.engine:EnergyShieldEngine",
    "hadas": "engines.methods.hadas.engine:HadasEngine",
    "mapformer": "engines.methods.mapformer.engine:MapFormerEngine",
    "map-and-conquer": "engines.methods.map_and_conquer.engine:MapAndConquerEngine",
    "language-mapping": "engines.methods.soc_mapping.language.engine:LanguageMappingEngine",
    "language-split": "engines.methods.split_network.language.engine:LanguageSplitEngine",
    "magnas": "engines.methods.magnas.engine:MagnasEngine",
    "myml": "engines.methods.myml.engine:MymlEngine",
    "neksus": "engines.methods.neksus.engine:NeksusEngine",
    "package-search": "engines.methods.package_search.engine:PackageSearchEngine",
    "privynas": "engines.methods.privynas.engine:PrivynasEngine",
    "sbrs": "engines.methods.sbrs.engine:SbrsEngine",
    "sbrs-search": "engines.methods.sbrs.search.engine:SbrsSearchEngine",
    "scar": "engines.methods.scar.engine:ScarEngine",
    "seesaw": "engines.methods.seesaw.engine:SeesawEngine",
    "soc-mapping": "engines.methods.soc_mapping.engine:SocMappingEngine",
    "split-computing": "engines.methods.split_computing.engine:SplitComputingEngine",
    "split-network": "engines.methods.split_network.engine:SplitNetworkEngine",
    "train-bottleneck": "engines.methods.split_computing.bottleneck.engine:TrainBottleneckEngine",
    "train-estimator": "engines.methods.mapformer.training.engine:TrainEstimatorEngine",
    "train-exits": "engines.methods.hadas.training.engine:TrainExitsEngine",
    "train-recommender": "engines.methods.duet.training.engine:TrainRecommenderEngine",
    "train-supernet": "engines.methods.magnas.supernet.engine:TrainSupernetEngine",
}
# Work that runs like an engine and is none: `get_engine` finds it, lists and forms do not.
JOBS: dict[str, str] = {"reproduction": "engines.reproduction.engine:ReproductionEngine"}
# Those whose presets ask the first questions, in the order in which engines are offered: found without loading all others.
FIRST_ASKED = ("scar", "soc-mapping", "language-mapping")
_registered: dict[str, str] = {}


def register(name: str, target: type[Engine] | str) -> None:
    """Offer an engine under `name`.

    Args:
        name: name in problems; equals the class's own `name`.
        target: the class, or "module:Class" to import it on first use.

    Raises:
        RegistrationError: if `target` is not an engine class or `name` is taken by another one.
    """
    path = target if isinstance(target, str) else path_of(target)
    if ":" not in path:
        raise RegistrationError(f"The path of engine {name!r} must be 'module:Class'. Got {path!r} instead.")
    taken = _paths().get(name)
    if taken is not None and taken != path:
        raise RegistrationError(f"The engine name {name!r} is taken by {taken}. Got {path} for the same name.")
    _registered[name] = path


def unregister(name: str) -> None:
    """Forget an engine that `register` added; built-ins and entry points stay."""
    _registered.pop(name, None)


def engine_names() -> tuple[str, ...]:
    """Return the names of all engines, sorted; without `JOBS`."""
    return tuple(sorted(_paths().keys() - JOBS.keys()))


def installed_engines() -> list[Engine]:
    """Return all engines that can be loaded, in the order in which they are offered: by precedence, then by name."""
    found = []
    for name in engine_names():
        with suppress(EngineError, ImportError):
            found.append(get_engine(name))
    return sorted(found, key=lambda engine: -engine.precedence)


def engine_path(name: str) -> str:
    """Return the dotted path of the engine, "module:Class".

    Raises:
        UnknownEngineError: no engine has that name.
    """
    path = BUILT_INS.get(name) or JOBS.get(name) or _registered.get(name) or _announced().get(name)
    if path is None:
        raise UnknownEngineError(f"There is no engine {name!r}. Engines: {', '.join(engine_names())}.")
    return path


def get_engine(name: str, path: str | None = None) -> Engine:
    """Return the engine called `name`.

    Args:
        name: its name.
        path: "module:Class" where the caller knows it already; nothing is looked up then.

    Raises:
        UnknownEngineError: no engine has that name.
        RegistrationError: the path does not lead to an engine of that name.
    """
    return _load(name, path or engine_path(name))


def plug_ins() -> tuple[PlugIn, ...]:
    """Return the engines of other packages, with the reason for each that is left out."""
    return installed_plug_ins(ENTRY_POINT_GROUP, get_engine, _paths())


def path_of(cls: object) -> str:
    """Return the dotted path of an engine class, "module:Class"; raises `RegistrationError` for anything else."""
    if not (isinstance(cls, type) and issubclass(cls, Engine)):
        raise RegistrationError(
            f"An engine must be a class derived from engines.contract.engine.Engine. Got {cls!r} instead."
        )
    return f"{cls.__module__}:{cls.__qualname__}"


@cache
def _load(name: str, path: str) -> Engine:
    module_name, _, class_name = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise RegistrationError(f"The module {module_name} of engine {name!r} cannot be imported: {error}.") from error
    cls = getattr(module, class_name, None)
    if cls is None:
        raise RegistrationError(f"The module {module_name} has no class {class_name!r} (engine {name!r}).")
    path_of(cls)
    check_contract(f"The engine {name!r}", cls)
    if getattr(cls, "name", None) != name:
        raise RegistrationError(
            f"The engine at {path} must be named {name!r}. Got {getattr(cls, 'name', None)!r} instead."
        )
    engine: Engine = cls()
    return engine


def _paths() -> dict[str, str]:
    return {**_announced(), **_registered, **JOBS, **BUILT_INS}


@cache
def _announced() -> dict[str, str]:
    return announced(ENTRY_POINT_GROUP, {**JOBS, **BUILT_INS})
