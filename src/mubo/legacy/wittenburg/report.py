"""All quantities of Wittenburg's method for one model at its initial position, in the notation of the book."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.simulate import simulate
from mubo.arrays import Array
from mubo.errors import ModelError, SimulationError
from mubo.lazy_dataclass import dataclass
from mubo.legacy.wittenburg.bodies import AugmentedBodies, Masses
from mubo.legacy.wittenburg.equations import AugmentedTerms, State, augmented_tensors
from mubo.legacy.wittenburg.graph import DirectedGraph
from mubo.legacy.wittenburg.hinges import HingeMotion, relative_motion
from mubo.legacy.wittenburg.system import System
from mubo.mechanism import mechanism_of
from mubo.mechanism.formulations.tree import tree_form
from mubo.model import GROUND, ModelDefinition
from mubo.quantities.output_times import OutputTimes
from mubo.results.presentation import DrawnResult, presented_by
from mubo.solvers.dynamics.initial_state import initial_joint_state
from mubo.solvers.dynamics.settings import SimulationSettings

NUMBERS = (".json", ".tex", ".txt")  # endings of files with every number; others are pictures of the graph


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
    time: float
    state: State  # motion of all bodies, ground axes
    terms: AugmentedTerms | None  # of A and B; None where hinges slide
    kinetic: Array  # of every body: of its translation and of its rotation

    def saved(self, path: str | Path | None) -> WittenburgReport:
        """The report, written where a path is given: .json, .tex or .txt, or its graph as .png, .svg or .pdf."""
        if path is not None:
            (presented_by("WittenburgReport.save") if Path(path).suffix in NUMBERS else type(self).plot)(self, path)
        return self

    @property
    def transformations(self) -> Array:
        """A^{i⁺i⁻} of every hinge: from the axes of body i⁻(a) to those of i⁺(a), equations (1) to (3)."""
        A0, graph = self.state.A0, self.graph
        return np.asarray(A0[graph.plus].transpose(0, 2, 1) @ A0[graph.minus])

    @property
    def hinge_rates(self) -> dict[str, Array]:
        """Ω (4), φ (15) to (17), ω* and f (14) of every hinge, in the axes of its body i⁻(a)."""
        state, outer = self.state, self.state.A0[self.graph.minus]
        star = np.cross(state.omega[self.graph.minus], state.relative)
        named = {"Omega": state.relative, "phi": state.f - star, "omega_star": star, "f": state.f}
        return {name: np.einsum("ayx,ay->ax", outer, vectors) for name, vectors in named.items()}

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
        return out | self._motion_entries()

    def _motion_entries(self) -> dict[str, Any]:
        """Entries that depend on the state: transformations, angular velocities, the terms of A and B, energies."""
        graph, names = self.graph, self.graph.bodies[1:]
        out: dict[str, Any] = {"t": self.time}
        out["transformations"] = [
            {"from": graph.bodies[graph.minus[a]], "to": graph.bodies[graph.plus[a]], "matrix": matrix.tolist()}
            for a, matrix in enumerate(self.transformations)
        ]
        out["A0"] = [{"body": name, "matrix": A.tolist()} for name, A in zip(names, self.state.A0[1:], strict=True)]
        out["omega"] = _by_name("body", names, self.state.omega[1:])
        out |= {name: _by_name("hinge", graph.arcs, vectors) for name, vectors in self.hinge_rates.items()}
        out["kinetic"] = [
            {"body": name, "translation": moving, "rotation": turning}
            for name, (moving, turning) in zip(names, self.kinetic.tolist(), strict=True)
        ]
        if (terms := self.terms) is not None:
            out["M_prime"] = _by_name("body", names, terms.M1)
            out |= {"pT": terms.pT.tolist(), "pTK": terms.pTK.tolist()}
            parts = {"pTK_Tf": terms.by_rates, "pT_M_prime": terms.by_moments, "pT_M": terms.by_torques}
            out["B_parts"] = {name: part.tolist() for name, part in {**parts, "Q": terms.efforts}.items()}
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


def _by_name(kind: str, names: Sequence[str], vectors: Array) -> list[dict[str, Any]]:
    return [{kind: name, "vector": vector.tolist()} for name, vector in zip(names, vectors, strict=True)]


def _state_at(system: System, start: float, t: float) -> tuple[Array, Array]:
    """q and v that a simulation reaches at a time, by their columns."""
    run = simulate(system.model, OutputTimes(start, t, t - start), SimulationSettings())
    if run.status != "ok":
        raise SimulationError(f"the motion does not reach t = {run.units.time_text(t)}: {run.events[-1].message}")
    q, v = (np.array([run.columns.raw(name)[-1] for name in names]) for names in (system.coordinates, system.rates))
    return q, v


def _hinge_axes(system: System, q: Array, v: Array) -> tuple[Array, Array]:
    """Axes of the turns in axes of i⁻(a), and of the slides in axes of i⁺(a), a line for each rate."""
    motions = [(stack, relative_motion(stack, q, v)) for stack in system.stacks]
    turns = [line for stack, motion in motions for line in (stack.second.axes @ motion.G.T @ motion.p).T]
    slides = [line for stack, motion in motions for line in (stack.first.axes @ motion.k).T]
    return np.array(turns), np.array(slides)


def wittenburg_report(model: ModelDefinition, at: float | str | None = None) -> WittenburgReport:
    """The method's quantities at the model's initial position, or where its motion is at a time; refuses planar models,
    loops and bare bodies by name."""
    system = System(model)
    start = model.start_time
    t = start if at is None else model.units.read(at, "time")
    if t < start:
        raise ModelError(f"the motion begins at t = {start:g}; t = {model.units.time_text(t)} is asked for")
    if model.initial_bodies or any(
        body.position or body.orientation for body in model.bodies.values() if body.name != GROUND
    ):
        system = System(initial_joint_state(tree_form(mechanism_of(model), start, start), start)[0].model)
    q, v = _state_at(system, start, t) if t > start else system.put_driven(*system.start(), t)
    state = system.state(q, v)
    A, B = system.matrices(q, v, t)
    a, note = None, ""
    try:
        a = system.accelerations(q, v, t)
    except SimulationError as error:
        note = str(error)
    p, k = _hinge_axes(system, q, v)
    K = None if system.bodies is None else augmented_tensors(system.graph, system.masses, system.bodies, state.A0)
    return WittenburgReport(
        model,
        system.graph,
        tuple(system.stacks),
        system.masses,
        system.c,
        system.bodies,
        K,
        p,
        k,
        system.coordinates,
        system.rates,
        q,
        v,
        A,
        B,
        a,
        note,
        t,
        state,
        system.terms(q, v, t),
        system.kinetic(state),
    )
