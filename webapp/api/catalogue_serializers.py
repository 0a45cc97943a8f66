"""The shapes of answers about differences and layers; the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class DifferenceSerializer(serializers.Serializer[Any]):
    """One key whose value is not the same."""

    key = serializers.CharField(help_text="Dotted; `operations[conv1]` is the entry of that name.")
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    change = serializers.ChoiceField(["changed", "added", "removed"])


class DifferencesSerializer(serializers.Serializer[Any]):
    """What differs between two documents."""

    before = serializers.CharField(allow_null=True, help_text="Name and version; null where there is none.")
    after = serializers.CharField()
    differences = DifferenceSerializer(many=True)


class LayerSerializer(serializers.Serializer[Any]):
    """One schedulable layer, one sample."""

    index = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField()
    operation = serializers.CharField()
    input_shape = serializers.CharField(help_text="Padding included.")
    kernel = serializers.CharField(help_text="Kernel and stride, or the second operand of a product.")
    output_shape = serializers.CharField()
    macs = serializers.IntegerField()
    parameters = serializers.IntegerField()
    input_bytes = serializers.IntegerField()
    output_bytes = serializers.IntegerField()
    activation_bytes = serializers.IntegerField(help_text="Input and output together.")
    intensity_macs_per_byte = serializers.FloatField()
    folded = serializers.ListField(child=serializers.CharField())


class NetworkTotalsSerializer(serializers.Serializer[Any]):
    """A network as a whole, one sample."""

    layers = serializers.IntegerField()
    macs = serializers.IntegerField()
    parameters = serializers.IntegerField()
    activation_peak_bytes = serializers.IntegerField(help_text="Largest input and output of one layer.")
    intensity_macs_per_byte = serializers.FloatField()


class LayersSerializer(serializers.Serializer[Any]):
    """The layers of a network, or of one model of a scenario."""

    network = serializers.CharField(help_text="Slug of the network.")
    batch = serializers.IntegerField(help_text="Samples in the scenario; 1 for a network of its own.")
    word_bytes = serializers.IntegerField()
    totals = NetworkTotalsSerializer()
    layers = LayerSerializer(many=True)


class ChoiceSerializer(serializers.Serializer[Any]):
    """A mapping on an array of that size."""

    mapping = serializers.CharField()
    processing_elements = serializers.IntegerField()
    checked = serializers.BooleanField(help_text="Whether it was compared with MAESTRO's own outputs.")
    dataflow = serializers.CharField(allow_blank=True, help_text="Of chiplets that it stands for.")
    on_package = serializers.BooleanField(help_text="Whether the package has such a chiplet.")


class DataflowsSerializer(serializers.Serializer[Any]):
    """Costs of layers (rows) under choices (columns), and what each layer prefers."""

    network = serializers.CharField()
    hardware = serializers.CharField()
    quantity = serializers.ChoiceField(["latency", "energy", "edp"])
    choices = ChoiceSerializer(many=True)
    layers = serializers.ListField(child=serializers.CharField(), help_text="Names.")
    best = serializers.ListField(child=serializers.IntegerField(), help_text="Index of the preferred choice.")
    margin = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="What the next best mapping costs, as a multiple."
    )
    latency_s = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    compute_j = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    level1_j = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    level2_j = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    utilisation = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    buffer_need_bytes = serializers.ListField(child=serializers.ListField(child=serializers.FloatField()))
    package_network_j = serializers.ListField(child=serializers.FloatField(), help_text="If moved once, per layer.")
    off_chip_j = serializers.ListField(child=serializers.FloatField(), help_text="If moved once, per layer.")
    moved_bytes = serializers.ListField(child=serializers.FloatField(), help_text="Weights, input and output.")
    buffer_bytes = serializers.ListField(child=serializers.FloatField(), help_text="Of the chiplet of each choice.")


class UnitTotalSerializer(serializers.Serializer[Any]):
    """The operations that have a figure on a unit."""

    operations = serializers.IntegerField()
    latency_s = serializers.FloatField()
    energy_j = serializers.FloatField()
    preferred = serializers.IntegerField(help_text="Operations that prefer the unit.")


class UnitReasonSerializer(serializers.Serializer[Any]):
    """Why an operation has no figure on a unit."""

    operation = serializers.CharField()
    unit = serializers.CharField()
    reason = serializers.CharField()


class UnitsSerializer(serializers.Serializer[Any]):
    """Costs of operations (rows) on the units of a device (columns), and what each operation prefers."""

    network = serializers.CharField()
    hardware = serializers.CharField()
    calibration = serializers.CharField()
    quantity = serializers.ChoiceField(["latency", "energy", "edp"])
    clocks_mhz = serializers.DictField(child=serializers.FloatField())
    units = serializers.ListField(child=serializers.CharField())
    operations = serializers.ListField(child=serializers.CharField(), help_text="Names of those that run.")
    latency_s = serializers.ListField(child=serializers.ListField(child=serializers.FloatField(allow_null=True)))
    energy_j = serializers.ListField(child=serializers.ListField(child=serializers.FloatField(allow_null=True)))
    best = serializers.ListField(child=serializers.CharField(allow_null=True), help_text="Null: no unit has a figure.")
    margin = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="What the next best unit costs, as a multiple."
    )
    band = serializers.FloatField(
        allow_null=True, help_text="Factor that an estimate may be off by (1 sd); margins below it decide nothing."
    )
    precision = serializers.CharField(help_text="Of weights and activations.")
    measured_in_public = serializers.CharField(
        help_text="What others measured of this network on this device, with precision and source.", allow_blank=True
    )
    measured_on = serializers.CharField(
        help_text="Rows, source, networks and precision that the band was measured on, and what a copied device inherits.",
        allow_blank=True,
    )
    totals = serializers.DictField(
        child=UnitTotalSerializer(), help_text="By unit, and of each operation's preferred one."
    )
    reasons = UnitReasonSerializer(many=True)
