"""Results of a run: the published split of all models, sensitivity to batch and link, battery, session transfer, remarks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.arrays import FloatArray
from engines.contract.integer_format import counted
from engines.contract.quantities import SHARE
from engines.contract.results import Breakdown, Curve, Note, Result, Series, Table, TableColumn, Trace
from engines.documents.builtin import get_builtin
from engines.methods.duet.costs import monolithic
from engines.methods.duet.explain import battery_day
from engines.methods.duet.instance import DuetInstance, losses_of
from engines.methods.duet.recommender import BUILT_IN, Recommender, built_in
from engines.methods.duet.scoring import Row, Scorer
from engines.methods.duet.space import space_of
from hardware.radio.loader import load_radio

PUBLISHED_LABELS = ("As published", "As published, without the hardware unit and int8")
QUERY_SIZES = (256, 1024)
BATCHES = tuple(8 * 2**step for step in range(8))
HANDED_OVER_BYTES, _BLUETOOTH = 10_000, "bluetooth-classic"
_PARTS = ("Device, not hidden", "Upload, not hidden", "Datacentre")


def variant(instance: DuetInstance, model: Recommender | None = None, **changes: object) -> Scorer:
    """Return the same problem with another model or other parameters, all of the space open."""
    params = instance.params.model_copy(update={
        "memory": "any", "scratchpad_kib": None, "history_share": None, "quantise": True, "near_memory": "any",
        "edge_near_memory": "any", **changes
    })  # fmt: skip
    model = instance.model if model is None else model
    return Scorer(
        replace(
            instance,
            model=model,
            params=params,
            space=space_of(model, params),
            losses=losses_of(model, params),
            allowed={},
        )
    )


def published_rows(scorer: Scorer) -> dict[str, Row]:
    """Return label -> the publication's design with and without the hardware unit, as far as they may be chosen."""
    rows = zip((True, False), PUBLISHED_LABELS, scorer.published.tolist(), strict=True)
    return {label: tuple(row) for unit, label, row in rows if unit in scorer.instance.space.hardware}


def all_models(instance: DuetInstance) -> tuple[Result, ...]:
    """Return latency and energy of the published split by model and query size, as shares of the monolithic."""
    models = [built_in(name) for name in BUILT_IN]
    if instance.model not in models:
        models.append(instance.model)
    bars, latency, energy, totals = [], [], [], []
    for model in models:
        for size in QUERY_SIZES:
            scorer = variant(instance, model, query_size=size)
            row = scorer.published[0].tolist()
            bars.append(f"{model.title}, {counted(size)}")
            parts, joules = stacked(scorer, row)
            latency.append(parts / scorer.alone_s)
            energy.append(joules / scorer.alone_j)
            totals.append((scorer.alone_s, float(parts.sum()), scorer.alone_j, float(joules.sum())))
    columns = np.array(totals)
    table = Table(
        "models", "Monolithic and decomposed, as published",
        (
            TableColumn("Model, candidates", tuple(bars)),
            TableColumn("Monolithic, latency", columns[:, 0], "s"),
            TableColumn("Decomposed, latency", columns[:, 1], "s"),
            TableColumn("Speedup", columns[:, 0] / columns[:, 1], "x"),
            TableColumn("Monolithic, energy", columns[:, 2], "J"),
            TableColumn("Decomposed, energy", columns[:, 3], "J"),
            TableColumn("Energy gained", columns[:, 2] / columns[:, 3], "x"),
        ),
    )  # fmt: skip
    names = tuple(bars)
    return (
        Breakdown("latency-of-models", "Latency compared with the monolithic model", names, _PARTS, np.array(latency), SHARE),
        Breakdown(
            "energy-of-models", "Energy compared with the monolithic model", names, ("Device", "Upload", "Datacentre"),
            np.array(energy), SHARE,
        ),
        table,
    )  # fmt: skip


def stacked(scorer: Scorer, row: list[int]) -> tuple[FloatArray, FloatArray]:
    """Return seconds of latency by device, upload and datacentre, which add up to it, and joules by the same."""
    user, item, instance = scorer.user_part(row), scorer.datacentre_part(row), scorer.instance
    waited = max(0.0, user.seconds - float(item.before_s[0]))
    upload = min(waited, user.upload_s)
    seconds = np.array([waited - upload, upload, float(item.seconds[0]) + instance.link.delay_s])
    power = instance.server.power_w * scorer.servers[row[8]]
    edge = float(np.asarray(instance.edge.energy_j(user.compute_s)))
    return seconds, np.array([edge, user.upload_j, power * float(item.seconds[0])])


def batch_curve(instance: DuetInstance) -> Curve:
    """Return the throughput of the published split over that of the monolithic model, each batch a query (Figure 5.13)."""
    gains = [gain_at_batch(instance, instance.model, batch) for batch in BATCHES]
    series = [Series("Decomposed over monolithic", np.array(gains), "x"), Series("No gain", np.ones(len(BATCHES)), "x")]
    return Curve(
        "batches", "Throughput gained by batch", np.array(BATCHES, dtype=np.float64), "Batch", "candidates", tuple(series),
        x_log=True,
    )  # fmt: skip


def gain_at_batch(instance: DuetInstance, model: Recommender, batch: int) -> float:
    """Return the throughput of the published split relative to the monolithic model, at this batch size."""
    scorer = variant(instance, model, query_size=batch)
    return scorer.alone_s / float(scorer.columns(scorer.published[:1])["latency_s"][0])


def link_curve(instance: DuetInstance) -> Curve:
    """Return the latency of the published split and of the fastest design by throughput of the upload."""
    rates = np.geomspace(0.1, 1000.0, 25)
    published, fastest, alone = [], [], 0.0
    scorer = Scorer(instance)
    every = scorer.fastest_candidates
    row = np.array(list(published_rows(scorer).values())[:1])
    for rate in rates.tolist():
        other = Scorer(replace(instance, link=replace(instance.link, bits_per_s=1e6 * rate)))
        published.append(float(other.columns(row)["latency_s"][0]))
        fastest.append(float(other.columns(every)["latency_s"].min()))
        alone = other.alone_s
    series = (
        Series("As published", np.array(published), "s"),
        Series("Fastest design", np.array(fastest), "s"),
        Series("Monolithic, in the datacentre", np.full(len(rates), alone), "s"),
    )
    return Curve("link", "Latency by upload", rates, "Upload", "Mbit/s", series, x_log=True)


def battery_of_published(instance: DuetInstance) -> Trace:
    """Return the trace of the battery over a day, with and without the hardware unit."""
    scorer = variant(instance)
    joules = scorer.columns(scorer.published)["edge_energy_j"].tolist()
    return battery_day(
        instance, {"With the hardware unit": joules[0], "Without the hardware unit": joules[1]}, "battery",
        f"Battery with {instance.params.queries_per_hour:g} queries an hour, split as published",
    )  # fmt: skip


def handed_over_j(size_bytes: float) -> tuple[float, float]:
    """Return seconds and joules of handing a session over by Bluetooth (section 5.2.7: 1 W at 3 Mbit/s)."""
    radio = load_radio(get_builtin("hardware", _BLUETOOTH).content)
    rate = radio.typical_bits_per_s["uplink"]
    return 8 * size_bytes / rate, radio.transfer_energy_j(8 * size_bytes, rate)


def hand_over(instance: DuetInstance) -> Table:
    """Return the cost of moving a session to another device, for the published 10 KB and for a whole history."""
    whole = instance.model.scratchpad_bytes
    sizes = [float(HANDED_OVER_BYTES), whole, whole / 4]
    found = [handed_over_j(size) for size in sizes]
    return Table(
        "hand-over", "Session transferred by Bluetooth",
        (
            TableColumn("What", ("Part of a history, as published", "The whole history in fp32", "The whole history in int8")),
            TableColumn("Size", np.array(sizes), "B"),
            TableColumn("Time", np.array([seconds for seconds, _ in found]), "s"),
            TableColumn("Energy", np.array([joules for _, joules in found]), "J"),
        ),
    )  # fmt: skip


def shares_table(instance: DuetInstance) -> Table:
    """Return a table of the shares of the monolithic model's latency."""
    whole = np.array([float(instance.params.query_size)])
    found = monolithic(instance.model, instance.server, whole)
    parts = (found.user_lookups_s, found.item_lookups_s, found.bottom_s, found.top_s)
    seconds = np.array([float(each[0]) for each in parts])
    return Table(
        "monolithic", "Monolithic model in the datacentre",
        (
            TableColumn("Part", ("User's embeddings", "Item embeddings", "Bottom MLP", "Top MLP")),
            TableColumn("Time", seconds, "s"),
            TableColumn("Share", seconds / seconds.sum(), SHARE),
        ),
    )  # fmt: skip


def model_notes(instance: DuetInstance) -> tuple[Note, ...]:
    """Return the notes on costs and assumptions that a reader of the results needs."""
    notes = []
    if instance.params.edge_energy == "published":
        text = (
            f"Device energy is power × time × {instance.edge.energy_factor:g}. This factor matches the "
            "published share of the device for RM4 (section 5.4.2), which was measured on a whole phone. "
            "Set Energy of the device to Power x time to remove it."
        )
        notes.append(Note("edge-energy", "Energy of the device is scaled", text, "warning"))
    fitted = "" if instance.losses.measured else " For this model the values are the mean of RM1 to RM3."
    text = (
        "The accuracy loss of a design is estimated, not measured. Table 5.3 gives it for all layers "
        f"split, and with int8. It is divided among layers.{fitted} "
        "The loss by a shorter history and by another ratio is assumed."
    )
    notes.append(Note("accuracy", "Accuracy is assumed", text, "warning"))
    if len(instance.space.edge_near_memory) > 1 and False in instance.space.hardware:
        silicon = "" if instance.params.edge_near_memory_mm2 else ", and its silicon counts nothing unless it is given"
        text = (
            "RecNMP and TRiM are memory of servers, and the publication has no such device memory. Here "
            "the device's lookups get faster as the servers' do (section 5.4.8), and the sums still cross "
            f"its bus. Its power is unknown{silicon}."
        )
        notes.append(Note("edge-near-memory", "Near-memory processing on the device is assumed", text, "warning"))
    text = (
        "The time of an embedding lookup is fitted to the latency shares of RM3 and RM4 in Figure 5.11. Latency includes "
        f"{1e3 * instance.link.delay_s:.3g} ms of round trip of the network, for the monolithic query as for a decomposed one."
    )
    notes.append(Note("model", "Device, link, datacentre", text))
    return tuple(notes)
