"""A workload in rows."""

from __future__ import annotations

from engines.workloads.loader import builtin_network, builtin_workloads, load_scenario
from engines.workloads.summary import network_in_words, scenario_in_words, summarise


def test_rows_count_the_whole_batch() -> None:
    rows = summarise(load_scenario(builtin_workloads()["mlperf-scenario-4"]))
    assert [(row.short_title, row.batch, row.layers) for row in rows] == [
        ("GPT-2 L", 8, 217),
        ("BERT-L", 24, 193),
        ("U-Net", 1, 23),
        ("ResNet-50", 32, 54),
    ]
    assert [round(row.macs_whole_batch / 1e9) for row in rows] == [803, 947, 192, 131]
    assert rows[3].weight_bytes == 25_557_032


def test_weights_scale_with_the_word() -> None:
    scenario = load_scenario(builtin_workloads()["resnet50"])
    assert summarise(scenario, word_bytes=2)[0].weight_bytes == 2 * summarise(scenario)[0].weight_bytes


def test_a_few_words_say_what_a_workload_is_made_of() -> None:
    assert network_in_words(builtin_network("resnet50")) == "54 layers, 4.09 GMAC per pass"
    assert network_in_words(builtin_network("ecg-cnn-512")) == "4 layers, 397 kMAC per pass"
    both = load_scenario(builtin_workloads()["mlperf-scenario-1"])
    assert scenario_in_words(both) == "2 models: GPT-2 L × 1, BERT-L × 3"
    social = load_scenario(builtin_workloads()["xrbench-social-interaction-b"])
    assert scenario_in_words(social).endswith("ED-TCN × 1 at 30 fps")
    assert scenario_in_words(load_scenario(builtin_workloads()["vgg16"])) == "1 model: VGG-16 × 1"
