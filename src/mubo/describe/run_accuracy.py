"""How a run was solved and how accurately, in labelled lines: mobility, formulation, residuals, checks, iterations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mubo.results.record import FORMULATIONS


def accuracy_lines(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Labels and texts on the solution of a run."""
    solved = ("solved by", FORMULATIONS[summary["formulation"]])
    return [solved, *(_simulation(summary) if "energy" in summary else _kinematics(summary))]


def _simulation(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    energy, steps, tolerance = summary["energy"], summary["steps"], summary["tolerance"]
    known = energy["error"] is not None
    lines = [
        ("DOF", f"{summary['dofs']}"),
        *_loops(summary),
        (
            "energy error",
            f"{energy['error']:.1e}, {energy['relative']:.1e} of the largest exchanged"
            if known
            else "not known: forces or drivers exchange energy, which this formulation does not count",
        ),
        (
            "integration",
            f"{summary['method']}, rtol {tolerance['rtol']:g}, atol {tolerance['atol']:g}; "
            + (f"{steps['taken']} steps, {steps['rejected']} rejected" if steps["taken"] else _evaluations(steps)),
        ),
    ]
    if "linear_momentum" in energy:
        drift = f"{energy['linear_momentum']:.1e} (linear), {energy['angular_momentum']:.1e} (angular)"
        lines.append(("momentum", f"drifts by {drift}"))
    return lines


def _loops(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The closure of the loops of a simulation."""
    loops = summary.get("loops")
    if loops is None:
        return []
    left = f", {len(loops['left_out'])} of them redundant" if loops["left_out"] else ""
    closed = f"{loops['equations']} equation{'s' * (loops['equations'] != 1)}{left}, "
    return [("loops", f"{closed}closed to {loops['gap']:.1e}, their rates to {loops['gap_rate']:.1e}")]


def _evaluations(steps: Mapping[str, Any]) -> str:
    """The count of evaluations, for methods without steps and for runs of one row."""
    return f"{steps['evaluations']} evaluations" if steps["evaluations"] else "steps not counted"


def _kinematics(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    residual, mobility = summary["residual"], summary["mobility"]
    lines = [
        (
            "mobility",
            f"{mobility['gruebler']} by Grübler's count, {mobility['rank']} by rank; {mobility['loops']} "
            f"loop{'s' * (mobility['loops'] != 1)}",
        ),
    ]
    if summary.get("mode", 1) != 1:
        lines.append(("mode", f"{summary['mode']}, an assembly mode other than that of the estimates"))
    lines.append(("residual", ", ".join(f"{name} {value:.1e}" for name, value in residual.items())))
    if "equilibria" not in summary:
        count, reversal = summary["newton_iterations"], summary["there_and_back"]
        lines += [
            ("reversibility", f"{reversal:.1e}"),
            ("Newton", f"{count} iteration{'s' * (count != 1)}"),
        ]
    return lines + _force_check(summary)


def _force_check(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The verification of the forces, relative to the largest; none where all are zero."""
    if "power_residual" not in summary or "equilibria" in summary or not has_forces(summary):
        return []
    work = f", virtual work {summary['virtual_work']:.1e}" if "virtual_work" in summary else ""
    largest = summary["newton_euler"]["largest"]
    checks = f"power balance {summary['power_residual']:.1e}, Newton–Euler {largest:.1e}{work}, relative"
    return [("force check", checks)]


def has_forces(summary: Mapping[str, Any]) -> bool:
    """Whether any actuator force, actuator torque or joint reaction of the run differs from zero."""
    ends = ("effort", "f", "moment")
    forces = [entry for name, entry in summary.get("extremes", {}).items() if name.rpartition(".")[2] in ends]
    return any(entry[end][0] for entry in forces for end in ("min", "max") if end in entry)
