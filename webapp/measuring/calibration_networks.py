"""Networks of the zoo that calibrate a processor: some for fitting, others for validation. Both groups contain transformers."""

from __future__ import annotations

FITTED = (
    "mobilenet-v2", "mobilenet-v3-small", "resnet18", "squeezenet1-1", "efficientnet-b0", "googlenet", "shufflenet-v2-x1-0",
    "regnet-y-400mf", "densenet121", "convnext-tiny", "vit-b-32", "swin-t", "visformer-small", "bert-base-128",
)  # fmt: skip
NEVER_FITTED = (
    "mobilenet-v3-large", "resnet34", "resnet50", "mnasnet1-0", "regnet-x-400mf", "squeezenet1-0", "shufflenet-v2-x1-5",
    "efficientnet-b1", "visformer-tiny", "vit-b-16", "emformer-128", "gpt2-128",
)  # fmt: skip
# A minute in all: for a first look, and for tests.
QUICK_FITTED = ("mobilenet-v3-small", "squeezenet1-1", "shufflenet-v2-x1-0", "visformer-tiny")
QUICK_NEVER_FITTED = ("mobilenet-v2", "mnasnet0-5")
# Where what to measure next is looked for: the zoo without the largest of each family, which take minutes and tell little more.
CANDIDATES = (
    *FITTED, *NEVER_FITTED, "alexnet", "vgg11-bn", "vgg16", "inception-v3", "resnext50-32x4d", "wide-resnet50-2", "regnet-y-800mf",
    "regnet-x-800mf", "densenet169", "shufflenet-v2-x0-5", "shufflenet-v2-x2-0", "mnasnet0-5", "mnasnet1-3", "efficientnet-b2",
    "efficientnet-v2-s", "swin-s", "maxvit-t", "convnext-small", "hrvit-b1", "attentivenas-a0", "attentivenas-a6",
    "fbnet-c-224", "midas-small-256", "unet-512", "ritnet-xrbench", "ecg-cnn-512", "activity-cnn-128",
)  # fmt: skip
