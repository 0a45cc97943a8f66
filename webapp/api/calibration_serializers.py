"""The shapes of measurements that are handed in, and of the fit that they give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from hardware.soc.model import PRECISIONS


class MeasurementsSerializer(serializers.Serializer[Any]):
    """A form with measurements."""

    file = serializers.FileField(
        help_text="CSV with layer, unit, latency_ms and, where measured, power_w or energy_mj, batch, workload, <unit>_mhz; or the "
        "JSON that `trtexec --exportProfile` writes."
    )
    tegrastats = serializers.FileField(required=False, help_text="Log of the same run, for its power.")
    soc = serializers.CharField(help_text="System on a chip of the catalogue.")
    workload = serializers.CharField(required=False, help_text="Network of the catalogue, for files that name none.")
    unit = serializers.CharField(required=False, help_text="Unit that ran it, for files that name none.")
    clock = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="NAME=MHZ that was set, of a unit or memory."
    )
    rail = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="A supply rail of the log that counts."
    )
    precision = serializers.ChoiceField(PRECISIONS, required=False, help_text="Of the measured runs; fp16 by default.")
    prior = serializers.CharField(required=False, help_text="Calibration whose values are the starting point.")
    scale = serializers.CharField(
        required=False, help_text="Calibration that is only scaled, to totals of whole networks."
    )
    title = serializers.CharField(required=False, help_text="Title of the calibration.")
    slug = serializers.CharField(required=False, help_text="Its name; from the title by default.")
    author = serializers.CharField(required=False, help_text="Who measured; your account by default.")
    project = serializers.CharField(required=False, help_text="Slug of the project; your personal one by default.")
    store = serializers.BooleanField(
        required=False, help_text="Store the calibration as its document's next version; otherwise it is only shown."
    )


class ErrorsSerializer(serializers.Serializer[Any]):
    """Absolute relative errors of some rows."""

    rows = serializers.IntegerField()
    median = serializers.FloatField()
    mean = serializers.FloatField()
    worst = serializers.FloatField()
    worst_row = serializers.CharField()


class FitErrorsSerializer(serializers.Serializer[Any]):
    """Errors of fitted rows, of the same rows left out, and of predicted ones; null where there are none."""

    fitted = ErrorsSerializer(allow_null=True)
    left_out = ErrorsSerializer(allow_null=True)
    predicted = ErrorsSerializer(allow_null=True)


class UnmatchedLineSerializer(serializers.Serializer[Any]):
    """A measured line that no operation of the network is of."""

    line = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    latency_ms = serializers.FloatField()
    folded = serializers.BooleanField(help_text="Whether the network has it as a part of the operation before.")
    nearest = serializers.CharField(allow_blank=True, help_text="An operation whose name is alike.")


class FitReportSerializer(serializers.Serializer[Any]):
    """How the files were read."""

    lines = serializers.IntegerField()
    unmatched = UnmatchedLineSerializer(many=True)
    notes = serializers.ListField(child=serializers.CharField())
    rails_w = serializers.DictField(child=serializers.FloatField(), help_text="Mean power of each rail of the log.")
    clocks_mhz = serializers.DictField(child=serializers.FloatField(), help_text="Mean clocks of the log.")


class FitSerializer(serializers.Serializer[Any]):
    """A calibration that measurements gave, and where it is stored."""

    reference = serializers.CharField(allow_null=True, help_text="Names the stored version; null where it is not.")
    created = serializers.BooleanField(help_text="False where it was not stored, or its content was stored already.")
    errors = FitErrorsSerializer()  # type: ignore[assignment]  # declared fields leave the class
    report = FitReportSerializer()
    content = serializers.DictField(help_text="The calibration as a document: rows, parameters, errors.")
