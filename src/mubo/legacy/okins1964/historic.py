"""A deck run by the scheme of 1964, against the exact solution: its largest errors and where they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mubo.analyses.kinematics import kinematics
from mubo.arrays import Array
from mubo.errors import ModelError, SingularityError
from mubo.legacy.okins1964.arrays import position_arrays, singular_lines
from mubo.legacy.okins1964.linkage import VectorLinkage, vector_name
from mubo.legacy.okins1964.listing import punch
from mubo.legacy.okins1964.read import deck_of
from mubo.legacy.okins1964.scheme import Scheme, run_1964
from mubo.legacy.okins1964.vectors import DEGREE, Vectors, columns_of, points_of, residues, vectors_of
from mubo.model import ModelDefinition
from mubo.quantities.output_times import OutputTimes
from mubo.results import Columns, Run, Summary
from mubo.solvers.columns.measures import add_measures
from mubo.solvers.continuation.steppers import Settings

ORDERS = ("velocity", "acceleration")


def historic_kinematics(model: ModelDefinition, times: OutputTimes, settings: Settings | None = None) -> Run:
    """The columns that the programs of 1964 would have punched, with the summary of the exact run and differences."""
    _require_first_position(times.start, settings)
    whole = deck_of(model).linkage
    exact = _exact(model, whole, times, settings)
    asked, drive = whole.positions, whole.drive
    assert asked is not None
    assert drive is not None
    grid = _equal_steps(times)
    if len(grid) > 1:
        whole = replace(whole, positions=replace(asked, count=len(grid), step=float(grid[1] - grid[0])))
    scheme = run_1964(whole, len(grid), float(grid[1] - grid[0]) if len(grid) > 1 else asked.step)
    t = np.concatenate([grid, 2 * grid[-1] - grid[::-1]])[: len(scheme.steps)]
    rates = np.where(np.arange(len(t)) < len(grid), drive.rate, -drive.rate)
    vectors = _vectors(whole, scheme, rates)
    ram = drive.kind == "ram"
    driver = np.column_stack([vectors.values[:, 0 if ram else 3, 0], rates if ram else rates * DEGREE])
    off, notes = difference(whole, exact, vectors, scheme, t)
    errors = step_errors(whole, exact, vectors)
    turned = vectors.values[[0, -1], 3] if len(t) == 2 * len(grid) else np.full((2, 1), np.nan)
    punched, of_exact = _residues(scheme), residues(whole, vectors_of(whole, exact.columns))
    summary = {
        **exact.summary,
        "formulation": "1964",
        "rows": len(t),
        "residual": _residual(whole, vectors),
        "there_and_back": float(np.max(np.abs(turned[1] - turned[0]))),
        "newton_iterations": 0,
        "scheme_off": off,
        "scheme_steps": errors,
        "residues_percent": punched,
        "residues_percent_exact": {word: float(np.abs(x).max()) for word, x in zip(ORDERS, of_exact, strict=True)},
        "warnings": [*notes, *describe_path(whole, errors), *exact.summary["warnings"], describe_residues(punched)],
    }
    for key in ("residual_per_element", "extremes", "extremes_left_out", "outputs"):  # of the exact motion
        summary.pop(key, None)
    columns = _columns(model, columns_of(model, whole, t, vectors, driver))
    cards = _cards(scheme)
    record = replace(exact.record, formulation="1964", listing=lambda columns: cards, between=None)
    return replace(exact, columns=columns, summary=Summary(summary), record=record)


def _require_first_position(start: float, settings: Settings | None) -> None:
    """Refuse another start than that of the cards."""
    if start:
        raise ModelError(f"the scheme of 1964 starts where the deck stands, at t = 0; found start = {start:g}")
    if settings is not None and settings.mode != 1:
        raise ModelError(
            f"the scheme of 1964 starts as the cards have the links, in mode 1; found mode {settings.mode}"
        )


def _exact(model: ModelDefinition, linkage: VectorLinkage, times: OutputTimes, settings: Settings | None) -> Run:
    """The exact run; where it starts at a singular position, the error has the arrays of the programs there."""
    try:
        return kinematics(model, times, settings)
    except SingularityError as error:
        arrays = "\n  ".join(position_arrays(linkage, [0.0] * len(linkage.links)))
        problem = str(error).removesuffix(f"\n  {error.suggestion}")
        raise SingularityError(
            f"{problem}\n  {arrays}", names=error.names, numbers=error.numbers, suggestion=error.suggestion
        ) from error


def _cards(scheme: Scheme) -> str:
    """The cards of all positions; then the arrays of the position that was singular."""
    lines = singular_lines(scheme.singular) if scheme.singular else ()
    return punch(scheme.steps) + "".join(f"{line}\n" for line in lines)


def _equal_steps(times: OutputTimes) -> Array:
    """Return the times of the scheme, which knows no shorter last step."""
    grid, step, end = times.grid(), times.step, times.end
    if len(grid) > 2 and np.any(np.abs(np.diff(grid) - step) > 1e-6 * step):
        raise ModelError(
            f"the scheme of 1964 has equal steps, and {step:g} does not divide the time {end:g}",
            suggestion=f"Take --end {grid[-2]:.12g}, or another step.",
        )
    return grid


def _columns(model: ModelDefinition, columns: Columns) -> Columns:
    """The columns of the scheme with the measures that are defined by them: the scheme has no bodies."""
    named = {name: measure for name, measure in model.measures.items() if measure.key in ("of", "value")}
    add_measures(model.changed(measures=named), columns)
    return columns


def describe_residues(largest: dict[str, float]) -> str:
    """A note on the largest residues, as the thesis defines them."""
    numbers = ", ".join(f"{word} {value:.1e}" for word, value in largest.items())
    return f"largest residues in per cent of the path: {numbers}"


def _vectors(linkage: VectorLinkage, scheme: Scheme, rates: Array) -> Vectors:
    """Lengths and angles of all vectors from the punched steps."""
    assert linkage.drive is not None
    values = np.zeros((len(scheme.steps), 6, len(linkage.lengths)))
    values[:, 0] = linkage.lengths
    for row, step in enumerate(scheme.steps):
        values[row, 3] = np.array(step.theta) * DEGREE
        for vector in linkage.vectors:
            link = linkage.link_of(vector)
            if link:
                values[row, 4, vector - 1] = step.omega[link - 1] * DEGREE
                values[row, 5, vector - 1] = step.alpha[link - 1] * DEGREE
        values[row, 0, 0] = step.length
    if linkage.drive.kind == "ram":
        values[:, 1, 0] = rates
    else:
        values[:, 4, 0] = rates * DEGREE
    return Vectors(values)


def _residual(linkage: VectorLinkage, vectors: Vectors) -> dict[str, float]:
    """How far the loops are open in position, velocity and acceleration."""
    moving = vectors.moving()
    sums = [sum(np.sign(v) * moving[:, :, abs(v) - 1] for v in loop.vectors) for loop in linkage.loops]
    largest = np.abs(sums).max(axis=(0, 1))
    return {word: float(x) for word, x in zip(("position", "velocity", "acceleration"), largest, strict=True)}


def _residues(scheme: Scheme) -> dict[str, float]:
    """The largest residues that were punched."""
    both = zip(ORDERS, (0, 1), strict=True)
    return {word: float(max(np.max(np.abs(step.residues[k])) for step in scheme.steps)) for word, k in both}


def step_errors(linkage: VectorLinkage, exact: Run, vectors: Vectors) -> list[dict[str, float]]:
    """The largest errors of every step that is a position: of an angle, of a loop and of a point of the paths.

    The thesis measures the last by a path that returns to its start; here every point is compared with the exact one.
    """
    rows = min(len(exact), len(vectors.values))
    right = vectors_of(linkage, exact.columns)
    angles = np.abs(vectors.values[:rows, 3] - right.values[:rows, 3]).max(axis=1) / DEGREE
    moving = vectors.moving()[:rows]
    gaps = [sum(np.sign(v) * moving[:, 0, abs(v) - 1] for v in loop.vectors) for loop in linkage.loops]
    points = zip(points_of(linkage, moving), points_of(linkage, right.moving()[:rows]), strict=True)
    off = [np.abs(found[:, 0] - known[:, 0]) for (_, found), (_, known) in points] or [np.zeros(rows)]
    columns = zip(angles, np.abs(gaps).max(axis=0), np.max(off, axis=0), strict=True)
    return [
        {"step": k, "theta_deg": float(angle), "gap": float(gap), "path": float(path)}
        for k, (angle, gap, path) in enumerate(columns, 1)
    ]


def describe_path(linkage: VectorLinkage, errors: list[dict[str, float]]) -> list[str]:
    """A note on the largest error of a point of the paths, in per cent of the longest path."""
    if not linkage.paths or not errors:
        return []
    worst = max(errors, key=lambda step: step["path"])
    longest = max(sum(linkage.lengths[abs(v) - 1] for v in path.vectors) for path in linkage.paths)
    share = 100 * worst["path"] / longest
    return [
        f"points of the paths are off by up to {worst['path']:.3g}, {share:.2g} % of the path, at step "
        f"{worst['step']}; the errors of every step are in the summary, scheme_steps"
    ]


def difference(
    linkage: VectorLinkage, exact: Run, vectors: Vectors, scheme: Scheme, t: Array
) -> tuple[dict[str, float | str], list[str]]:
    """The largest error of an angle and the widest open loop of the scheme, as numbers and as notes."""
    rows = min(len(exact), len(t))
    right = np.column_stack([exact[f"{vector_name(n)}.theta"][:rows] for n in linkage.vectors])
    error = np.abs(vectors.values[:rows, 3] / DEGREE - right)
    row, column = (int(k) for k in np.unravel_index(np.argmax(error), error.shape))
    z = vectors.moving()[:, 0]
    gaps = np.array(
        [[sum(np.sign(v) * line[abs(v) - 1] for v in loop.vectors) for loop in linkage.loops] for line in z]
    )
    at, loop = (int(k) for k in np.unravel_index(np.argmax(np.abs(gaps)), gaps.shape))
    off: dict[str, float | str] = {
        "theta_deg": float(error[row, column]),
        "vector": vector_name(column + 1),
        "step": row + 1,
        "gap": float(np.abs(gaps[at, loop])),
        "loop": loop + 1,
        "gap_step": at + 1,
    }
    notes = [
        f"the scheme of 1964 is off by up to {off['theta_deg']:.3g} deg: {off['vector']} at step {row + 1}, "
        f"t = {t[row]:g}; loop {loop + 1} is open by {off['gap']:.3g} at step {at + 1}"
    ]
    if len(t) > rows:
        notes.append(f"steps {rows + 1} to {len(t)} of the listing are no positions of the linkage: see the event")
    if scheme.singular:
        notes.append(f"the scheme stops at step {scheme.singular.step}: its velocity loops are singular there")
    return off, notes
