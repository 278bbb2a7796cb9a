"""All quantities of Wittenburg's method for one model at its initial position, in the notation of the book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mubo.arrays import Array
from mubo.errors import SimulationError
from mubo.legacy.wittenburg.bodies import AugmentedBodies, Masses
from mubo.legacy.wittenburg.equations import augmented_tensors
from mubo.legacy.wittenburg.graph import DirectedGraph
from mubo.legacy.wittenburg.hinges import HingeMotion, relative_motion
from mubo.legacy.wittenburg.system import System
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.tree import tree_form
from mubo.model import GROUND, ModelDefinition
from mubo.results.presentation import DrawnResult
from mubo.solvers.dynamics.initial_state import initial_joint_state


@dataclass(frozen=True, repr=False)
class WittenburgReport(DrawnResult):
    """Graph, vectors and matrices. Printing it gives the tables; `as_dict` has every number with all its digits."""

    model: ModelDefinition
    graph: DirectedGraph
    stacks: tuple[HingeMotion, ...]
    masses: Masses
    c: Array  # (body 0 … n, hinge, 3), body axes
    bodies: AugmentedBodies | None  # d, b, K_i in body axes; None where hinges slide
    K: Array | None  # (i, j, 3, 3), ground axes
    p: Array  # one line per rate: axis of the turn, axes of i⁻(a)
    k: Array  # direction of the slide, axes of i⁺(a)
    coordinates: tuple[str, ...]
    rates: tuple[str, ...]
    q: Array
    v: Array
    A: Array
    B: Array
    a: Array | None  # q̈; None where A is singular
    note: str  # why

    def as_dict(self) -> dict[str, Any]:
        """Numbers in the model's units and radians; vectors by name: {"body", "hinge", "vector"}."""
        graph = self.graph
        names = graph.bodies[1:]
        out: dict[str, Any] = {
            "model": self.model.name,
            "form": "general" if self.bodies is None else "augmented bodies",
            "bodies": list(graph.bodies),
            "hinges": [self._hinge(a) for a in range(len(graph.arcs))],
            "S0": graph.S0.astype(int).tolist(),
            "S": graph.S.astype(int).tolist(),
            "T": graph.T.astype(int).tolist(),
            "mass": self.masses.m.tolist(),
            "c": [
                {"body": graph.bodies[i], "hinge": graph.arcs[a], "vector": self.c[i, a].tolist()}
                for a in range(len(graph.arcs))
                for i in (graph.plus[a], graph.minus[a])
            ],
        }
        if self.bodies is not None and self.K is not None:
            behind = np.argwhere(graph.T != 0)
            out["d"] = [{"i": names[i], "j": names[j], "vector": self.bodies.d[i, j].tolist()} for i, j in behind]
            out["b"] = [{"body": name, "vector": b.tolist()} for name, b in zip(names, self.bodies.b, strict=True)]
            out["K"] = [{"body": name, "tensor": K.tolist()} for name, K in zip(names, self.bodies.K, strict=True)]
            out["K_ij"] = [
                {"i": names[i], "j": names[j], "tensor": self.K[i, j].tolist()} for i, j in np.argwhere(graph.inboard)
            ]
        out["p"] = [{"rate": rate, "vector": p.tolist()} for rate, p in zip(self.rates, self.p, strict=True)]
        out["k"] = [{"rate": rate, "vector": k.tolist()} for rate, k in zip(self.rates, self.k, strict=True)]
        out |= {"coordinates": list(self.coordinates), "rates": list(self.rates)}
        out |= {"q": self.q.tolist(), "v": self.v.tolist(), "A": self.A.tolist(), "B": self.B.tolist()}
        out |= {"qdd": None if self.a is None else self.a.tolist(), "note": self.note}
        return out

    def _hinge(self, a: int) -> dict[str, Any]:
        graph, stack = self.graph, self.stacks[a]
        return {
            "name": stack.name,
            "type": stack.kind,
            "from": graph.bodies[graph.plus[a]],
            "to": graph.bodies[graph.minus[a]],
            "coordinates": list(stack.coordinates),
            "euler": next((dof.euler for dof in stack.dofs if dof.euler), ""),
        }


def wittenburg_report(model: ModelDefinition) -> WittenburgReport:
    """The method's quantities at the model's initial position; refuses planar models, loops and bare bodies by name."""
    system = System(model)
    t = model.analysis.start if model.analysis else 0.0
    if model.initial_bodies or any(
        body.position or body.orientation for body in model.bodies.values() if body.name != GROUND
    ):
        system = System(initial_joint_state(tree_form(mechanism_of(model), t, t), t)[0].model)
    q, v = system.put_driven(*system.start(), t)
    state = system.state(q, v)
    A, B = system.matrices(q, v, t)
    a, note = None, ""
    try:
        a = system.accelerations(q, v, t)
    except SimulationError as error:
        note = str(error)
    p, k = [], []
    for stack in system.stacks:
        motion = relative_motion(stack, q, v)
        p += list((stack.second.axes @ motion.G.T @ motion.p).T)
        k += list((stack.first.axes @ motion.k).T)
    K = None if system.bodies is None else augmented_tensors(system.graph, system.masses, system.bodies, state.A0)
    return WittenburgReport(
        model,
        system.graph,
        tuple(system.stacks),
        system.masses,
        system.c,
        system.bodies,
        K,
        np.array(p),
        np.array(k),
        system.coordinates,
        system.rates,
        q,
        v,
        A,
        B,
        a,
        note,
    )
