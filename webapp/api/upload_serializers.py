"""The shapes of uploads and of what became of them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from webapp.catalogue.models import KINDS


class UploadSerializer(serializers.Serializer[Any]):
    """A form with a file."""

    file = serializers.FileField(help_text="Ends in .onnx or .m (a network), .yaml, .yml or .json (any document).")
    name = serializers.CharField(required=False, help_text="Title of the network; the file's name by default.")
    dim = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="NAME=SIZE of a dimension that the network leaves open.",
    )
    exclude = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="An operator without a cost model that may be left out.",
    )
    kind = serializers.ChoiceField(KINDS, required=False, help_text="Refuse any other kind of document.")
    project = serializers.CharField(required=False, help_text="Slug of the project; your personal one by default.")


class OperatorSerializer(serializers.Serializer[Any]):
    """What became of one type of operator."""

    operator = serializers.CharField()
    treatment = serializers.ChoiceField(["unpriced", "excluded", "computed", "folded", "prepared"])
    count = serializers.IntegerField()


class NetworkInputSerializer(serializers.Serializer[Any]):
    """An input of a network."""

    name = serializers.CharField()
    shape = serializers.ListField(child=serializers.IntegerField())


class OpenSizeSerializer(serializers.Serializer[Any]):
    """A size that depends on the data, without which an operator is not described."""

    name = serializers.CharField(help_text="Give it as `dim`: NAME=SIZE.")
    operator = serializers.CharField(help_text="The operator that gives it.")


class ImportReportSerializer(serializers.Serializer[Any]):
    """How a network was read; all fields are missing for other documents."""

    format = serializers.CharField(required=False)
    inputs = NetworkInputSerializer(many=True, required=False)
    nodes = serializers.IntegerField(required=False)
    layers = serializers.IntegerField(required=False)
    macs = serializers.IntegerField(required=False)
    parameters = serializers.IntegerField(required=False)
    operators = OperatorSerializer(many=True, required=False)
    notes = serializers.ListField(child=serializers.CharField(), required=False)
    sizes = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Open dimension -> the size that it was read with."
    )
    open_sizes = OpenSizeSerializer(many=True, required=False)


class ImportedSerializer(serializers.Serializer[Any]):
    """The document that a file became."""

    kind = serializers.ChoiceField(KINDS)
    schema = serializers.CharField()
    slug = serializers.CharField()
    version = serializers.IntegerField()
    project = serializers.CharField(
        allow_null=True, help_text="Slug; null for a built-in, of which the file is an export."
    )
    reference = serializers.CharField(help_text="Names this very version in a problem document.")
    title = serializers.CharField()
    summary = serializers.CharField()
    created = serializers.BooleanField(help_text="False where the content was stored already.")
    report = ImportReportSerializer()
