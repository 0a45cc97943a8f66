"""Where each part of a split recommender runs, and what crosses."""

from engines.methods.duet.graph import model_graph
from engines.methods.duet.scoring import Scorer
from tests.engines.methods.duet.problems import instance


def test_the_upload_alone_joins_device_and_datacentre() -> None:
    scorer = Scorer(instance())
    row = scorer.published[0].tolist()
    graph = model_graph(scorer, row)
    group = {node.id: node.group for node in graph.nodes}
    crossing = [(a, b) for a, b in graph.edges if group[a].startswith("Device") and group[b].startswith("Datacentre")]
    assert crossing == [("upload", "join")]
    upload = next(node for node in graph.nodes if node.id == "upload")
    # RM1 sends the 50 values of the user's half of its second top layer.
    assert upload.title == "Upload: 50 values" and upload.figures[0][1] == scorer.user_part(row).payload_bytes
    assert {end for edge in graph.edges for end in edge} == set(group)
