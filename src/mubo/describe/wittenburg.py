"""Wittenburg's equations as text: aligned tables, six digits, bodies and hinges by number and name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mubo.arrays import Array
from mubo.describe.equations import latex_head, latex_matrix
from mubo.describe.formulas import latex_name
from mubo.describe.layout import Row, align_columns
from mubo.formats.files import write_text
from mubo.legacy.wittenburg.bodies import AugmentedBodies
from mubo.legacy.wittenburg.report import WittenburgReport
from mubo.results.table import Writers, save_by_ending, write_entries

COLUMNS = 10  # of a matrix beside each other


def describe_wittenburg(report: WittenburgReport) -> str:
    """All tables in the order in which the book builds them."""
    parts = [_head(report), _graph(report), *_topology(report), _hinge_vectors(report)]
    if report.bodies is not None and report.K is not None:
        parts += _augmented(report, report.bodies, report.K)
    return "\n".join([*parts, _axes(report), *_equations(report), *_motion(report)])


def _motion(report: WittenburgReport) -> list[str]:
    """Transformations, angular velocities, the terms of B and the energies at the state."""
    graph, names = report.graph, report.graph.bodies[1:]
    letters = tuple(a + b for a in "xyz" for b in "xyz")
    ends = [(graph.bodies[graph.plus[a]], graph.bodies[graph.minus[a]]) for a in range(len(graph.arcs))]
    turned = [
        (f"A^{_index(int(graph.plus[a]), int(graph.minus[a]))}", *ends[a], matrix.ravel())
        for a, matrix in enumerate(report.transformations)
    ]
    parts = [_vectors("A: from the axes of i-(a) to those of i+(a)", turned, ("i+", "i-"), letters)]
    omega = [(f"omega_{i + 1}", name, "", report.state.omega[i + 1]) for i, name in enumerate(names)]
    parts.append(_vectors("omega: absolute angular velocities, in ground axes", omega, ("body", "")))
    title = "Omega, phi, omega* and f = phi + omega* of the hinges, in axes of i-(a)"
    words = {"Omega": "Omega", "phi": "phi", "omega_star": "omega*", "f": "f"}
    rates = [
        (f"{words[name]}_{a + 1}", graph.arcs[a], "", vector)
        for name, vectors in report.hinge_rates.items()
        for a, vector in enumerate(vectors)
    ]
    parts.append(_vectors(title, rates, ("hinge", "")))
    if (terms := report.terms) is not None:
        moments = [(f"M'_{i + 1}", name, "", terms.M1[i]) for i, name in enumerate(names)]
        parts.append(_vectors("M', in ground axes", moments, ("body", "")))
        columns = np.stack([terms.by_rates, terms.by_moments, terms.by_torques, terms.efforts, terms.B], 1)
        rows = [(str(k + 1), name) for k, name in enumerate(report.rates)]
        heads = ["-pTK T'f", "-pT M'", "-pT M", "Q", "B"]
        parts.append(_matrix("the terms of B", _numbers(columns), rows, heads))
    energies = np.column_stack([report.kinetic, report.kinetic.sum(axis=1)])
    rows = [(str(i + 1), name) for i, name in enumerate(names)]
    lines = _numbers(np.vstack([energies, energies.sum(axis=0)]))
    return [*parts, _matrix("kinetic energy", lines, [*rows, ("", "sum")], ["translation", "rotation", "both"])]


def save_wittenburg(report: WittenburgReport, path: str | Path) -> None:
    """Writes every number, .json or .tex, or what is printed, .txt."""
    writers: Writers = {
        ".json": lambda to: write_entries(to, report.as_dict()),
        ".tex": lambda to: write_text(to, _latex(report)),
    }
    save_by_ending("WittenburgReport", report, path, writers)


def _latex(report: WittenburgReport) -> str:
    """A document of LaTeX with the matrices of the method."""
    graph, names, rates = report.graph, report.graph.bodies[1:], report.rates
    lines = [
        latex_head(
            f"Wittenburg's equations of {report.model.name}, $t = {report.time:g}$ {report.model.units.time}".rstrip(),
            len(rates),
        )
    ]
    lines += latex_matrix(names, graph.arcs, graph.S, "S = ")
    lines += latex_matrix(graph.arcs, names, graph.T, "T = ")
    axes = ("x", "y", "z")
    for a, matrix in enumerate(report.transformations):
        plus, minus = graph.bodies[graph.plus[a]], graph.bodies[graph.minus[a]]
        lines += latex_matrix(axes, axes, matrix, rf"A^{{\mathrm{{{latex_name(plus)},{latex_name(minus)}}}}} = ")
    lines += latex_matrix(names, axes, report.state.omega[1:], r"\omega = ")
    symbols = {"Omega": r"\Omega", "phi": r"\phi", "omega_star": r"\omega^*", "f": "f"}
    for name, vectors in report.hinge_rates.items():
        lines += latex_matrix(graph.arcs, axes, vectors, f"{symbols[name]} = ")
    if (terms := report.terms) is not None:
        lines += latex_matrix(names, axes, terms.M1, "M' = ")
        parts = [terms.by_rates, terms.by_moments, terms.by_torques, terms.efforts, terms.B]
        heads = ("-(pT) K T^T f", "-(pT) M'", "-(pT) M", "Q", "B")
        lines += latex_matrix(rates, heads, np.stack(parts, 1), "")
    lines += latex_matrix(rates, rates, report.A, "A = ")
    lines += latex_matrix(names, ("translation", "rotation"), report.kinetic, "E = ")
    return "\n".join([*lines, r"\end{document}", ""])


def _head(report: WittenburgReport) -> str:
    n, count = len(report.graph.arcs), len(report.rates)
    gravity = report.model.gravity
    sliding = [stack.name for stack in report.stacks if not stack.turns_only]
    form = "augmented bodies: every hinge only turns"
    if sliding:
        form = f"r̈ = a₁ q̈ + b₁, ω̇ = a₂ q̈ + b₂: no augmented bodies, since {', '.join(sliding)} can slide"
    lines = [
        ("size", f"{n} {'body' if n == 1 else 'bodies'}, {count} coordinate{'s' * (count != 1)}"),
        ("form", form),
        ("gravity", "none is stated" if gravity is None else ", ".join(f"{g:.6g}" for g in gravity)),
        ("units", _units(report)),
    ]
    return "\n".join([f"Wittenburg's equations of {report.model.name}", *(f"  {a:<9}{b}" for a, b in lines)])


def _units(report: WittenburgReport) -> str:
    units = report.model.units
    if not units.declared:
        return "as in the model; angles in rad"
    return ", ".join([units.length or "m", units.mass_unit, units.time or "s", "rad"])


def _graph(report: WittenburgReport) -> str:
    graph = report.graph
    rows: list[Row] = [("a", "hinge", "type", "i+", "from", "i-", "to", "coordinates")]
    for a, stack in enumerate(report.stacks):
        plus, minus = int(graph.plus[a]), int(graph.minus[a])
        euler = next((f" ({dof.euler})" for dof in stack.dofs if dof.euler), "")
        coordinates = " ".join(name.partition(".")[2] for name in stack.coordinates) + euler or "none"
        ends = (str(plus), graph.bodies[plus], str(minus), graph.bodies[minus])
        rows.append((str(a + 1), stack.name, stack.kind, *ends, coordinates))
    return _table("directed graph: hinge a points from body i+(a) to body i-(a)", rows, "><<><><<")


def _topology(report: WittenburgReport) -> list[str]:
    graph = report.graph
    hinges = [(str(a + 1), name) for a, name in enumerate(graph.arcs)]
    bodies = [(str(i), name) for i, name in enumerate(graph.bodies)]
    off = float(np.max(np.abs(graph.S @ graph.T - np.eye(len(hinges)))))
    return [
        _signs("S0: hinges that start (+1) or end (-1) on the ground", graph.S0[None], bodies[:1], hinges),
        _signs("S: hinges (columns) that start (+1) or end (-1) on a body", graph.S, bodies[1:], hinges),
        _signs(
            f"T = inverse of S (S T - E: {off:g}): hinges on the path to a body (columns), -1 outwards, +1 inwards",
            graph.T,
            hinges,
            bodies[1:],
        ),
    ]


def _signs(title: str, values: Array, rows: list[tuple[str, str]], columns: list[tuple[str, str]]) -> str:
    words = [["0" if x == 0 else f"{x:+.0f}" for x in line] for line in values]
    return _matrix(title, words, rows, [number for number, _ in columns])


def _hinge_vectors(report: WittenburgReport) -> str:
    graph, rows = report.graph, []
    for i, body in enumerate(graph.bodies):
        at = [a for a in range(len(graph.arcs)) if i in (graph.plus[a], graph.minus[a])]
        rows += [(f"c_{_index(i, a + 1)}", body, graph.arcs[a], report.c[i, a]) for a in at]
    return _vectors("c: from the centre of mass (ground: origin) to the hinge, in body axes", rows, ("body", "hinge"))


def _augmented(report: WittenburgReport, bodies: AugmentedBodies, K: Array) -> list[str]:
    graph, m = report.graph, report.masses.m
    names = graph.bodies[1:]
    pairs = np.argwhere(graph.T != 0)
    d = [(f"d_{_index(i + 1, j + 1)}", names[i], names[j], bodies.d[i, j]) for i, j in pairs]
    b = [(f"b_{_index(i + 1, 0)}", name, f"{m[i]:.6g}", bodies.b[i]) for i, name in enumerate(names)]
    own = [(f"K_{i + 1}", name, "", bodies.K[i].ravel()) for i, name in enumerate(names)]
    inner = np.argwhere(graph.inboard)
    mixed = [(f"K_{_index(i + 1, j + 1)}", names[i], names[j], K[i, j].ravel()) for i, j in inner]
    letters = tuple(a + b for a in "xyz" for b in "xyz")
    title = (
        "d: on body i from the hinge towards body j to the inner hinge, in axes of i (d_ii: from the centre of mass)"
    )
    total = f"M = {m.sum():.6g}"
    parts = [
        _vectors(title, d, ("i", "j")),
        _vectors(f"b: from the barycentre to the inner hinge, in body axes; {total}", b, ("body", "mass"), right=True),
        _vectors("K_i: inertia of the augmented body about its inner hinge, in body axes", own, ("body", ""), letters),
    ]
    if mixed:
        title = "K_ij, body i on the path to body j, in ground axes (K_ji is its transpose)"
        parts.append(_vectors(title, mixed, ("i", "j"), letters))
    return parts


def _axes(report: WittenburgReport) -> str:
    rows: list[tuple[str, str, str, Array]] = []
    for a, stack in enumerate(report.stacks):
        for number, at in enumerate(range(stack.v.start, stack.v.stop), 1):
            if np.any(report.p[at]):
                rows.append((f"p_{_index(a + 1, number)}", stack.labels[number - 1], "turns", report.p[at]))
            if np.any(report.k[at]):
                rows.append((f"k_{_index(a + 1, number)}", stack.labels[number - 1], "slides", report.k[at]))
    slides = bool(np.any(report.k))
    title = "p: axes of the turns, in axes of body i-(a)" + ("; k: of the slides, in axes of body i+(a)" * slides)
    return _vectors(title, rows, ("", ""))


def _equations(report: WittenburgReport) -> list[str]:
    rows = [(str(k + 1), name) for k, name in enumerate(name for stack in report.stacks for name in stack.labels)]
    matrix = _matrix(
        f"A, at t = {report.model.units.time_text(report.time)}",
        _numbers(report.A),
        rows,
        [number for number, _ in rows],
    )
    values = [_numbers(report.v), _numbers(report.B)]
    heads = ["v", "B"]
    parts = [matrix]
    if len(report.q) == len(report.v):
        values, heads = [_numbers(report.q), *values], ["q", *heads]
    else:
        named = [(str(k + 1), name) for k, name in enumerate(report.coordinates)]
        parts.append(_matrix("position", [[word] for word in _numbers(report.q)], named, ["q"]))
    if report.a is not None:
        values, heads = [*values, _numbers(report.a)], [*heads, "A^-1 B"]
    columns = [list(line) for line in zip(*values, strict=True)]
    parts.append(_matrix("B, and the accelerations A^-1 B", columns, rows, heads))
    return [*parts, f"note: {report.note}"] if report.note else parts


def _numbers(values: Array) -> list:  # type: ignore[type-arg]
    """Numbers with six digits; those that are rounding errors beside the largest are zero."""
    small = 1e-14 * float(np.max(np.abs(values), initial=0.0))

    def six_digits(x: float) -> str:
        return "0" if abs(x) <= small else f"{x:.6g}"

    return [[six_digits(x) for x in line] for line in values] if values.ndim == 2 else [*map(six_digits, values)]


def _index(i: int, j: int) -> str:
    """12, or 3,11 where a number has two digits."""
    return f"{i}{j}" if i < 10 and j < 10 else f"{i},{j}"


def _vectors(
    title: str,
    rows: Sequence[tuple[str, str, str, Array]],
    heads: tuple[str, str],
    letters: tuple[str, ...] = ("x", "y", "z"),
    right: bool = False,
) -> str:
    """A table of vectors: symbol, two names, and the components."""
    words = _numbers(np.array([values for *_, values in rows]).reshape(len(rows), len(letters)))
    lines: list[Row] = [("", *heads, *letters)]
    lines += [(symbol, first, second, *line) for (symbol, first, second, _), line in zip(rows, words, strict=True)]
    return _table(title, lines, "<<" + (">" if right else "<") + ">" * len(letters))


def _matrix(title: str, words: list[list[str]], rows: list[tuple[str, str]], columns: list[str]) -> str:
    """A matrix, in blocks of columns where it is wide."""
    parts = []
    for first in range(0, len(columns), COLUMNS):
        cut = slice(first, first + COLUMNS)
        lines: list[Row] = [("", "", *columns[cut])]
        lines += [(*row, *line[cut]) for row, line in zip(rows, words, strict=True)]
        parts.append(_table(title if first == 0 else "", lines, "><" + ">" * len(columns[cut])))
    return "\n".join(parts)


def _table(title: str, rows: Sequence[Row], sides: str) -> str:
    lines = align_columns(rows, sides, "  ")
    return "\n".join(["", title, *lines] if title else lines)
