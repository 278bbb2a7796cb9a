"""The graph of a mechanism, and the order in which its equations can be solved.

The graph has bodies, joints between them, connected parts and the number of independent loops. The order is found by a
perfect matching, then strongly connected blocks (Tarjan 1972). Each block is a smallest set of equations that must be
solved together; blocks come in an order in which every one needs only unknowns of the blocks before it. For a linkage
the blocks are its structural groups: drivers, dyads, larger ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property, found_once
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

    @cached_property
    def loops(self) -> int:
        """Independent loops: edges − nodes + parts."""
        return len(self.edges) - len(self.nodes) + self.parts


def graph_of(model: ModelDefinition) -> Graph:
    """The joint graph of a model, the same in every variant."""
    return found_once(model.structure, "graph", lambda: _joint_graph(model))


def _joint_graph(model: ModelDefinition) -> Graph:
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


Block = tuple[list[int], list[int]]  # equations, unknowns


def solve_order(uses: Sequence[set[int]], unknowns: int) -> list[Block] | None:
    """Blocks of equations; `uses[r]` are the unknowns in equation r. None if they do not determine the unknowns."""
    if len(uses) != unknowns:
        return None
    row_of = _matching(uses, unknowns)
    if row_of is None:
        return None
    matched = {row: unknown for unknown, row in enumerate(row_of)}
    needs = [[row_of[u] for u in uses[row] if u != matched[row]] for row in range(len(uses))]
    return [(rows, [matched[row] for row in rows]) for rows in _components(needs)]


def _matching(uses: Sequence[set[int]], unknowns: int) -> list[int] | None:
    """The equation that gives each unknown (augmenting paths); None if some unknown has none."""
    row_of = [-1] * unknowns
    given_by: dict[int, int] = {}  # equation → the unknown it gives
    for start in sorted(range(len(uses)), key=lambda r: len(uses[r])):
        came_from: dict[int, int] = {}  # unknown → equation that reached it
        queue, free = [start], None
        while queue and free is None:
            row = queue.pop()
            for unknown in uses[row]:
                if unknown in came_from:
                    continue
                came_from[unknown] = row
                if row_of[unknown] < 0:
                    free = unknown
                    break
                queue.append(row_of[unknown])
        if free is None:
            return None
        while True:  # flip the path back to the start
            row = came_from[free]
            previous = given_by.get(row)
            row_of[free], given_by[row] = row, free
            if row == start:
                break
            assert previous is not None
            free = previous
    return row_of


def _components(needs: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, each after those it needs (Tarjan, without recursion)."""
    index = [-1] * len(needs)
    low = [0] * len(needs)
    on_stack = [False] * len(needs)
    stack: list[int] = []
    out: list[list[int]] = []
    counter = 0
    for root in range(len(needs)):
        if index[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = counter
                counter += 1
                stack.append(node)
                on_stack[node] = True
            for k in range(position, len(needs[node])):
                other = needs[node][k]
                if index[other] < 0:
                    work += [(node, k + 1), (other, 0)]
                    break
                if on_stack[other]:
                    low[node] = min(low[node], index[other])
            else:
                if low[node] == index[node]:
                    component = []
                    while True:
                        last = stack.pop()
                        on_stack[last] = False
                        component.append(last)
                        if last == node:
                            break
                    out.append(sorted(component))
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
    return out
