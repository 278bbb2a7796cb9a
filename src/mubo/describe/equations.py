"""The equations of a model at a state as text, as entries for JSON, and as files: .txt, .csv, .json or .tex."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mubo.analyses.equations import EquationReport
from mubo.arrays import Array
from mubo.describe.formulas import latex_formula, latex_name, latex_symbols, symbolic_equations, text_formula
from mubo.describe.free_bodies import MEANING as ACTING
from mubo.describe.free_bodies import free_body_equations, latex_symbol
from mubo.describe.layout import align_columns, label_lines
from mubo.elements.derivatives import MEANING
from mubo.formats.files import write_text
from mubo.results.rounding import clear_number
from mubo.results.table import Writers, save_by_ending, write_entries
from mubo.results.table_files import write_lines


def describe_equations(found: EquationReport) -> str:
    """State, constraint equations with Φ, Φ_t, ν, γ, their Jacobian, M and Q, and the equations in symbols."""
    unit, count = found.model.units.time, len(found.names.equations)
    residuals = [found.phi, found.jacobian @ found.v - found.nu, found.jacobian @ found.a - found.gamma]
    sizes = [f"{float(np.max(np.abs(one), initial=0.0)):.1e}" for one in residuals]
    head = [
        ("model", found.model.name),
        ("time", f"{found.time:g} {unit}".rstrip()),
        ("equations", f"{count} equations, {len(found.names.coordinates)} coordinates, rank {found.rank}"),
        ("residuals", f"Φ {sizes[0]}, J v − ν {sizes[1]}, J a − γ {sizes[2]}"),
        *(("note", note) for note in found.notes),
    ]
    state = [("coordinate", "q", "v", "a"), *_lines(found.names.coordinates, found.q, found.v, found.a)]
    numbers = (found.phi, found.phi_t, found.nu, found.gamma)
    sides = [("equation", "Φ", "Φ_t", "ν", "γ"), *_lines(found.names.equations, *numbers, beside=found.q)]
    parts = [
        *label_lines(head),
        *("", "State (angles in radians)", *align_columns(state, "<>>>", "  ")),
        *("", "Constraint equations", *align_columns(sides, "<>>>>", "  ")),
        *("", "Jacobian J = Φ_q", *_matrix_lines(found.names.equations, found.names.coordinates, found.jacobian)),
    ]
    return "\n".join([*parts, *_motion_lines(found), "", *_symbol_lines(found)])


def _lines(names: Sequence[str], *columns: Array, beside: Array | None = None) -> list[tuple[str, ...]]:
    """A line for each name; a number is zero where it is rounding in its column, or beside others of its kind."""
    own = [column if beside is None else np.append(column, beside) for column in columns]
    cells = [[_number(x, among) for x in column.tolist()] for column, among in zip(columns, own, strict=True)]
    return [(name, *line) for name, *line in zip(names, *cells, strict=True)]


def _number(x: float, among: Array) -> str:
    return f"{clear_number(x, float(np.max(np.abs(among), initial=0.0))):.9g}"


def _matrix_lines(rows: Sequence[str], columns: Sequence[str], matrix: Array) -> list[str]:
    """The numbers of a sparse matrix that are not zero, a line for each row."""
    lines = []
    for name, line in zip(rows, matrix, strict=True):
        filled = [(column, _number(x, matrix)) for column, x in zip(columns, line.tolist(), strict=True)]
        lines.append((name, ", ".join(f"{column} {text}" for column, text in filled if text not in ("0", "-0"))))
    return align_columns(lines, "<<", "  ")


def _motion_lines(found: EquationReport) -> list[str]:
    motion = found.motion
    if motion is None:
        return []
    columns = motion.forces, *motion.parts.values()
    table = [("", "Q", *motion.parts), *_lines(motion.coordinates, *columns, beside=motion.forces)]
    return [
        *("", "Mass matrix of M a + Jᵀ λ = Q" + (", in twists" if found.model.dimension == 3 else "")),
        *_matrix_lines(motion.coordinates, motion.coordinates, motion.mass_matrix),
        *("", "Forces Q and their parts", *align_columns(table, "<" + ">" * (len(table[0]) - 1), "  ")),
    ]


def _symbol_lines(found: EquationReport) -> Iterator[str]:
    yield "Equations in symbols: positions, velocities, accelerations"
    for one in symbolic_equations(found.model):
        yield f"  {one.owner}"
        for formula in (*one.position.split(";"), *one.velocity, *one.acceleration):
            yield f"    {text_formula(formula.strip(), one.ends)}"
    yield f"  with {MEANING[found.model.dimension]}"
    if found.motion is not None:
        yield from ("", "Equations of motion in symbols (Newton and Euler)")
        for body, lines in free_body_equations(found.model, found.motion.acting):
            yield from (f"  {body}", *(f"    {line}" for line in lines))
        yield f"  with {ACTING}"


def equation_entries(found: EquationReport) -> dict[str, Any]:
    """Every number under its name, and the equations in symbols."""
    motion = found.motion
    names, entries = found.names, {"q": found.q, "v": found.v, "a": found.a, "Phi": found.phi, "Phi_q": found.jacobian}
    entries |= {"Phi_t": found.phi_t, "nu": found.nu, "gamma": found.gamma}
    symbols = [
        {
            "of": one.owner,
            "positions": text_formula(one.position, one.ends),
            "velocities": [text_formula(line, one.ends) for line in one.velocity],
            "accelerations": [text_formula(line, one.ends) for line in one.acceleration],
        }
        for one in symbolic_equations(found.model)
    ]
    dynamics = motion and {
        "coordinates": list(motion.coordinates),
        "M": motion.mass_matrix.tolist(),
        "J": motion.jacobian.tolist(),
        "a": motion.a.tolist(),
        "Q": motion.forces.tolist(),
        "parts": {name: part.tolist() for name, part in motion.parts.items()},
        "symbols": dict(free_body_equations(found.model, motion.acting)),
    }
    return {
        "status": "ok",
        "model": found.model.name,
        "t": found.time,
        "equations": list(names.equations),
        "coordinates": list(names.coordinates),
        "rank": found.rank,
        **{name: values.tolist() for name, values in entries.items()},
        "motion": dynamics,
        "symbols": symbols,
        "warnings": list(found.notes),
    }


def save_equations(found: EquationReport, path: str | Path) -> None:
    """Writes the equations, as the ending says."""
    writers: Writers = {
        ".csv": lambda to: write_lines(to, *_csv(found), "equations"),
        ".json": lambda to: write_entries(to, equation_entries(found)),
        ".tex": lambda to: write_text(to, _latex(found)),
    }
    save_by_ending("EquationReport", found, path, writers)


def _csv(found: EquationReport) -> tuple[list[str], list[list[Any]]]:
    """A table: rows of J with Φ, Φ_t, ν, γ beside them; below them q, v, a; and M, Q with columns of their own."""
    motion, names = found.motion, found.names
    header = ["of", "name", "Phi", "Phi_t", "nu", "gamma", *names.coordinates]
    sides = np.stack([found.phi, found.phi_t, found.nu, found.gamma], 1).tolist()
    lines: list[list[Any]] = [
        ["J", name, *side, *line]
        for name, side, line in zip(names.equations, sides, found.jacobian.tolist(), strict=True)
    ]
    named = {"q": found.q, "v": found.v, "a": found.a}
    lines += [["state", name, *[""] * 4, *values.tolist()] for name, values in named.items()]
    if motion is not None:
        header += motion.coordinates
        empty = [""] * (4 + len(names.coordinates))
        lines = [[*line, *[""] * len(motion.coordinates)] for line in lines]
        lines += [
            ["M", name, *empty, *line]
            for name, line in zip(motion.coordinates, motion.mass_matrix.tolist(), strict=True)
        ]
        lines += [["Q", name, *empty, *part.tolist()] for name, part in {"": motion.forces, **motion.parts}.items()]
    return header, lines


def _latex(found: EquationReport) -> str:
    """A document of LaTeX: symbols, right sides, Jacobian, and M with Q."""
    lines = [
        latex_head(
            f"{found.model.name}, $t = {found.time:g}$ {found.model.units.time}".rstrip(), len(found.names.coordinates)
        )
    ]
    for one in symbolic_equations(found.model):
        lines.append(rf"\paragraph{{{latex_name(one.owner)}}}")
        formulas = (*one.position.split(";"), *one.velocity, *one.acceleration)
        body = r" \\ ".join("& " + latex_formula(formula.strip(), one.ends) for formula in formulas)
        lines.append(rf"\begin{{align*}} {body} \end{{align*}}")
    if found.motion is not None:
        for name, equations in free_body_equations(found.model, found.motion.acting, latex_symbol):
            body = r" \\ ".join(f"& {latex_symbols(line)}" for line in equations)
            lines += [rf"\paragraph{{body {latex_name(name)}}}", rf"\begin{{align*}} {body} \end{{align*}}"]
    sides = {"Φ": found.phi, "Φ_t": found.phi_t, "ν": found.nu, "γ": found.gamma}
    lines += latex_matrix(found.names.equations, tuple(sides), np.stack(list(sides.values()), 1), "", symbols=True)
    lines += latex_matrix(found.names.equations, found.names.coordinates, found.jacobian, r"\Phi_q = ")
    if found.motion is not None:
        names = found.motion.coordinates
        lines += latex_matrix(names, names, found.motion.mass_matrix, "M = ")
        parts = {"Q": found.motion.forces, **found.motion.parts}
        lines += latex_matrix(names, tuple(parts), np.stack(list(parts.values()), 1), "")
    return "\n".join([*lines, r"\end{document}", ""])


def latex_head(title: str, columns: int) -> str:
    """The beginning of a document whose matrices have so many columns."""
    return "\n".join(
        [
            r"\documentclass{article}\usepackage{amsmath}\usepackage[a3paper,landscape,margin=15mm]{geometry}",
            rf"\setcounter{{MaxMatrixCols}}{{{2 + columns}}}\begin{{document}}",
            rf"\section*{{{latex_name(title)}}}",
        ]
    )


def latex_matrix(
    rows: Sequence[str], columns: Sequence[str], matrix: Array, before: str, symbols: bool = False
) -> Iterator[str]:
    """An array of LaTeX with the names of its rows and columns."""
    heads = [latex_symbols(c) if symbols else rf"\mathrm{{{latex_name(c)}}}" for c in columns]
    yield rf"\[\scriptsize {before}\begin{{array}}{{l{'r' * len(columns)}}}"
    yield " & ".join(["", *heads]) + r" \\ \hline"
    for name, line in zip(rows, matrix, strict=True):
        yield " & ".join([rf"\text{{{latex_name(name)}}}", *(_number(x, matrix) for x in line.tolist())]) + r" \\"
    yield r"\end{array}\]"
