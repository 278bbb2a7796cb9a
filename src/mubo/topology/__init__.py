"""The graph of a mechanism: bodies are nodes, joints between two bodies are edges."""

from mubo.topology.graph import Graph, graph_of

__all__ = ["Graph", "graph_of"]
