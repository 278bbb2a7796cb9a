"""The graph of a mechanism: bodies, joints between them, connected parts and the number of independent loops."""

from __future__ import annotations

from dataclasses import dataclass

from mubo.model import GROUND, ModelDefinition


@dataclass(frozen=True)
class Graph:
    """Nodes are bodies, all grounded ones merged into "ground"; edges are (joint, first body, second body)."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str, str], ...]

    @property
    def parts(self) -> int:
        """Number of connected parts."""
        root = {node: node for node in self.nodes}

        def find(node: str) -> str:
            while root[node] != node:
                root[node] = root[root[node]]
                node = root[node]
            return node

        for _, first, second in self.edges:
            root[find(first)] = find(second)
        return len({find(node) for node in self.nodes})

    @property
    def loops(self) -> int:
        """Independent loops: edges − nodes + parts."""
        return len(self.edges) - len(self.nodes) + self.parts


def graph_of(model: ModelDefinition) -> Graph:
    """The joint graph of a model."""
    merged = {name: name for name in model.bodies}
    for joint in model.joints.values():
        if model.kinds[joint.kind].anchors:
            merged[joint.between[0]] = GROUND
    edges = []
    for joint in model.joints.values():
        element = model.kinds[joint.kind]
        if element.key == "between" and not element.couples:
            first, *others = (merged[reference.partition(".")[0]] for reference in joint.between)
            edges += [(joint.name, first, other) for other in others]
    return Graph(tuple(dict.fromkeys(merged.values())), tuple(edges))
