"""Table 4.3 of the thesis: seconds and layers of every model in every window, and the rules of its totals."""

from __future__ import annotations

from collections.abc import Iterator

from engines.methods.scar.reproduction.rows import SIDES, THESIS, WINDOWS, Rows
from engines.methods.scar.reproduction.runs import MAESTRO_LAYERS
from engines.reproduction.comparisons import Comparison
from engines.reproduction.rows import row


def window_table(rows: Rows) -> Iterator[Comparison]:
    """Yield the rows of Table 4.3: seconds of every model in every window, and layers."""
    group = "Table 4.3: scenario 4 on Het-Sides, EDP search"
    models = dict(zip(("GPT-L", "BERT-L", "U-Net", "ResNet"), rows.run(MAESTRO_LAYERS, SIDES).models, strict=False))
    own = {name: _padded(model.seconds) for name, model in models.items()}
    layers = {name: _padded(model.window_layers) for name, model in models.items()}
    windows = [max(seconds) for seconds in zip(*own.values(), strict=True)] or [float("nan")] * WINDOWS
    for model in ("GPT-L", "BERT-L", "U-Net", "ResNet"):
        seconds = own.get(model, [float("nan")] * WINDOWS)
        for w, value in enumerate(seconds):
            yield rows.second(f"{model}, window {w}", f"{model}.W{w}", value, group)
        yield rows.second(f"{model}, sum of its windows", f"{model}.ideal", sum(seconds), group)
        yield rows.second(f"{model}, end to end", f"{model}.total", _end(seconds, windows), group)
        count = float(sum(layers.get(model, [0])))
        yield rows.second(f"{model}, layers", f"{model}.layers", count, group, "constant")
    for w, value in enumerate(windows):
        yield rows.second(f"Window {w}", f"Window.W{w}", value, group, "repeated")  # its slowest model has a row
    yield rows.second("All windows", "Window.total", sum(windows), group, "repeated")  # as BERT-L, end to end
    for w in range(WINDOWS):
        count = float(sum(counts[w] for counts in layers.values()))
        yield rows.second(f"Window {w}, layers", f"layers_per_window.W{w}", count, group)


def totals_of_table() -> Iterator[Comparison]:
    """Yield the rows of Table 4.3: the rules for sums and ends, applied to the published seconds per window."""
    group = "Table 4.3: rules of its totals, applied to its own windows"
    windows = [THESIS.value(f"table4.3.Window.W{w}") for w in range(WINDOWS)]
    for model in ("GPT-L", "BERT-L", "U-Net", "ResNet"):
        seconds = [THESIS.value(f"table4.3.{model}.W{w}") for w in range(WINDOWS)]
        for key, words, ours in (("ideal", "sum", sum(seconds)), ("total", "end to end", _end(seconds, windows))):
            yield _added(f"{model}, {words}", f"table4.3.{model}.{key}", ours, group)
    yield _added("All windows", "table4.3.Window.total", sum(windows), group)
    layers = sum(THESIS.value(f"table4.3.layers_per_window.W{w}") for w in range(WINDOWS))
    yield _added("All windows, layers", "table4.3.layers_per_window.layers", layers, group)


def _added(name: str, key: str, ours: float, group: str) -> Comparison:
    """Return a total of the table beside the sum of its own parts."""
    return row(name, THESIS.printed(key), ours, group, kind="arithmetic")


def _end(seconds: list[float], windows: list[float]) -> float:
    """Return the end of a model in s: all time windows before its last one, plus its own time in it."""
    last = max((w for w, value in enumerate(seconds) if value > 0), default=0)
    return sum(windows[:last]) + seconds[last]


def _padded(values: tuple[float, ...]) -> list[float]:
    return [*values, *[0.0] * (WINDOWS - len(values))]
