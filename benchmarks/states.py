"""Equations at a state from Python beside Pinocchio: an arm of six axes and a humanoid of thirty.

    python benchmarks/states.py [--smallest]

Processor time of one call; the two take turns. "many" is one call for 1,000 states, for which Pinocchio is called
1,000 times. The answers are compared before the clock runs.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from timing import Array, duration, print_table, ratio
from tree_models import Body, humanoid, missing, model_of_bodies, pinocchio_model, six_axis_arm

CALLS, ROUNDS, MANY = 300, 15, 1000
Question = tuple[str, Callable[[], Any], Callable[[], Any] | None]


def seconds(run: Callable[[], Any], calls: int) -> float:
    """Processor time of one of `calls` calls in a row."""
    began = process_time()
    for _ in range(calls):
        run()
    return (process_time() - began) / calls


def questions(bodies: list[Body], many: int, peer: bool) -> tuple[list[Question], list[Question]]:
    """Questions about one state and about many, each by mubo and by Pinocchio."""
    model, n = model_of_bodies(bodies), len(bodies)
    compiled = model.equations_of_motion()
    order = [int(name.removeprefix("joint").removesuffix(".q")) for name in compiled.names.q]  # neighbours first
    rng = np.random.default_rng(n)
    q, v, a, tau = rng.uniform(-1, 1, (4, n))
    lines = rng.uniform(-1, 1, (4, many, n))
    tip = f"body{n - 1}"  # the last of all, in both
    theirs = pinocchio_calls(bodies, tip) if peer else {}
    single: dict[str, tuple[Callable[..., Any], tuple[Array, ...]]] = {
        "mass matrix": (model.mass_matrix, (q,)),
        "bias": (model.bias, (q, v)),
        "inverse dynamics": (model.inverse_dynamics, (q, v, a)),
        "forward dynamics": (model.forward_dynamics, (q, v, tau)),
        "Jacobian": (lambda q: model.jacobian(tip, q), (q,)),
        "derivatives of inverse dynamics": (compiled.inverse_dynamics_derivatives, (q, v, a)),
        "derivatives of forward dynamics": (compiled.forward_dynamics_derivatives, (q, v, tau)),
    }
    model.linearize(about="position")  # compiled, as the peer's model is
    linear = (
        "linearize with eigenvalues",
        lambda: model.linearize(about="position").eigenvalues,
        theirs.get("linearize"),
    )
    one: list[Question] = []
    batch: list[Question] = []
    for name, (ours, state) in single.items():
        their = theirs.get(name)
        states = tuple(np.ascontiguousarray(line) for line in lines[: len(state)])
        mine, many_of_mine = (tuple(np.ascontiguousarray(x[..., order]) for x in given) for given in (state, states))
        if their is not None:
            compare(name, ours(*mine), their(*state), order)
        one.append((name, bound(ours, mine), None if their is None else bound(their, state)))
        batch.append((name, bound(ours, many_of_mine), None if their is None else repeated(their, states)))
    return [*one, linear], batch


def bound(function: Callable[..., Any], state: tuple[Array, ...]) -> Callable[[], Any]:
    return lambda: function(*state)


def repeated(function: Callable[..., Any], states: tuple[Array, ...]) -> Callable[[], Any]:
    def run() -> None:
        for line in zip(*states, strict=True):
            function(*line)

    return run


def pinocchio_calls(bodies: list[Body], tip: str) -> dict[str, Callable[..., Any]]:
    pin, model = importlib.import_module("pinocchio"), pinocchio_model(bodies)
    data, joint = model.createData(), model.njoints - 1

    def derivatives(function: Callable[..., Any], names: tuple[str, str]) -> Callable[..., Any]:
        def run(*state: Array) -> tuple[Array, ...]:
            function(model, data, *state)
            return tuple(getattr(data, name) for name in names)

        return run

    def jacobian(q: Array) -> Array:
        pin.computeJointJacobians(model, data, q)
        return np.asarray(pin.getJointJacobian(model, data, joint, pin.LOCAL_WORLD_ALIGNED))

    n = model.nv
    top, rest = np.hstack([np.zeros((n, n)), np.eye(n)]), np.zeros(n)

    def eigenvalues() -> Array:
        pin.computeABADerivatives(model, data, rest, rest, rest)
        return np.linalg.eigvals(np.vstack([top, np.hstack([data.ddq_dq, data.ddq_dv])]))

    return {
        "linearize": eigenvalues,
        "mass matrix": lambda q: pin.crba(model, data, q),
        "bias": lambda q, v: pin.nonLinearEffects(model, data, q, v),
        "inverse dynamics": lambda q, v, a: pin.rnea(model, data, q, v, a),
        "forward dynamics": lambda q, v, tau: pin.aba(model, data, q, v, tau),
        "Jacobian": jacobian,
        "derivatives of inverse dynamics": derivatives(pin.computeRNEADerivatives, ("dtau_dq", "dtau_dv")),
        "derivatives of forward dynamics": derivatives(pin.computeABADerivatives, ("ddq_dq", "ddq_dv")),
    }


def compare(name: str, ours: Any, theirs: Any, order: list[int]) -> None:
    """Refuses to time answers that differ."""
    if name == "Jacobian":
        theirs = np.vstack([theirs[3:], theirs[:3]])  # angular first
    if name == "mass matrix":
        theirs = np.triu(theirs) + np.triu(theirs, 1).T
    pairs = zip(ours, theirs, strict=False) if isinstance(ours, tuple) else [(ours, theirs)]
    for mine, other in pairs:
        other = other[..., order] if other.shape[0] != len(order) or other.ndim == 1 else other[np.ix_(order, order)]
        gap = float(np.abs(mine - other).max() / max(1.0, float(np.abs(other).max())))
        if gap > 1e-9:
            raise SystemExit(f"{name}: mubo and Pinocchio differ by {gap:.1e}")


def table(asked: list[Question], calls: int, rounds: int) -> list[list[str]]:
    """Lines of name, time of mubo, time of the peer and their ratio: the shortest of all rounds each."""
    lines = [["", "mubo", "Pinocchio", "ratio"]]
    for name, ours, theirs in asked:
        best = [float("inf"), float("inf")]
        for _ in range(rounds):
            for k, run in enumerate((ours, theirs)):
                if run is not None:
                    best[k] = min(best[k], seconds(run, calls))
        known = theirs is not None and best[0] > 0
        lines.append(
            [name, duration(best[0]), duration(best[1]) if known else "-", ratio(best[0] / best[1]) if known else "-"]
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="one call of each, to see that it runs")
    smallest = parser.parse_args().smallest
    calls, rounds, many = (1, 1, 3) if smallest else (CALLS, ROUNDS, MANY)
    peer = not missing("Pinocchio")
    for title, bodies in (("arm of six axes", six_axis_arm()), ("humanoid of thirty", humanoid())):
        one, batch = questions(bodies, many, peer)
        print(f"\n{title}: one state")
        print_table(table(one, calls, rounds))
        print(f"\n{title}: {many} states")
        print_table(table(batch, 1, rounds))


if __name__ == "__main__":
    main()
