"""Results of design studies in lines: the optimum, sensitivities and tolerances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mubo.describe.layout import align_columns
from mubo.design.optimize.optimum import Optimum
from mubo.design.pareto.result import ParetoFront
from mubo.design.sensitivity import Sensitivity, SensitivityRow
from mubo.design.tolerance_result import Tolerances
from mubo.laws.number_text import number, signed_number
from mubo.results.rounding import clear_number

NARROW, WIDE = 20, 50  # columns of labels
NO_DERIVATIVE = 1e-12  # of the greatest derivative: less is none


def describe_optimum(found: Optimum) -> str:
    """A few aligned lines: goal, parameters, limits, sensitivities, starts, proof."""
    problem, units = found.asked.problem, found.asked.units
    lines = [f'"{found.model.name}" optimised: {_goal(found)}']
    lines += [f"  note: {note}" for note in found.asked.notes]
    names = {w.term.text: None for w in (*problem.wanted, *problem.limits)}
    width = min(max(NARROW, *(len(text) + 6 * (text in found.sensitivities) for text in names)), WIDE)
    for text in names:
        before, after = found.numbers[text]
        unit = f" {units[text]}" * bool(units[text])
        lines.append(f"  {text:<{width}} {number(before, 4):>12} → {number(after, 4)}{unit}")
    for name, (before, after) in found.parameters.items():
        lines.append(f"  {name:<{width}} {number(before):>12} → {number(after)}")
    lines.append(_line(width, "reached", ", ".join(found.active) or "no limit and no bound"))
    lines += _sensitivities(found, width)
    rough = found.here.differences if found.here is not None else ()
    if found.asked.choices.names:
        lines.append(
            _line(
                width,
                "choices",
                f"{len(found.asked.choices)} combinations, all run; {len(found.ends)} searched further",
            )
        )
    lines.append(_line(width, "derivatives", f"by differences of {', '.join(rough)}; else exact" if rough else "exact"))
    ran = f"{found.tried} designs tried, {found.lost} of them did not run"
    lines.append(_line(width, "starts", f"{found.ended_there} of {len(found.ends)} ended here; {ran}"))
    lines += (
        [_line(width, "left out", f"{len(found.fallen)} better on paper: {found.fallen[0]}")] if found.fallen else []
    )
    lines.append(_line(width, "proof", f"{found.proof.verdict}; {len(found.run)} rows, on the branch of the start"))
    return "\n".join(lines)


def _line(width: int, label: str, text: str) -> str:
    return f"  {label:<{width}} {text}"


def _goal(found: Optimum) -> str:
    before, after = found.aim
    problem = found.asked.problem
    if problem.fits:
        return f"relative misfit {number(before, 4)} → {number(after, 4)}"
    change = 100 * (after - before) / abs(before) if before else float("nan")
    many = f", the worst of {len(problem.wanted)} cases" * (len(problem.wanted) > 1)
    return f"{problem.goal} {problem.wanted[0].term.text}{many}, {signed_number(change, 3)} %"


def _sensitivities(found: Optimum, width: int) -> list[str]:
    """The change of the goal per unit of each parameter, the strongest over its bounds first."""
    goals = [w.term.text for w in found.asked.problem.wanted if w.term.text in found.sensitivities]
    lines = []
    for text in goals:
        derivatives = found.sensitivities[text]
        if not derivatives:
            continue
        order = sorted(derivatives, key=lambda name: -abs(derivatives[name]))
        nothing = NO_DERIVATIVE * max(map(abs, derivatives.values()))
        shown = {name: slope if abs(slope) > nothing else 0.0 for name, slope in derivatives.items()}
        parts = (f"{name} {number(shown[name], 4)}" for name in order)
        lines.append(_line(width, f"d({text})/d", ", ".join(parts)))
    return lines


def describe_front(found: ParetoFront) -> str:
    """The goals, a table of the designs, and how they were found."""
    goals = ", ".join(f"{word} {goal}" for goal, word in found.goals.items())
    lines = [f'front of "{found.asked.problem.work.model.name}": {goals}']
    lines += [f"  note: {note}" for note in found.asked.notes]
    rows = [tuple(found.header), *front_rows(found)]
    lines += align_columns(rows, ">" * len(found.header), "  ")
    lines.append(f"  {len(found)} designs of {found.tried} tried, of which {found.lost} did not run")
    lines += [f"  left out   {count} that fail: {why}" for why, count in found.fallen.items()]
    holds = sum(design.proof.holds for design in found.designs)
    lines.append(f"  proof      {holds} of {len(found)} hold, on the branch of the start")
    return "\n".join(lines)


def front_rows(found: ParetoFront) -> list[tuple[str, ...]]:
    """The designs of a front in words."""
    return [(str(row[0]), *(number(value, 5) for value in row[1:])) for row in found.rows()]


def describe_sensitivity(found: Sensitivity) -> str:
    """The derivatives of each measure, the greatest effect of one percent first; rounding counts as none."""
    lines, out = found.lines, list[str]()
    wide = max(len(line.parameter) for line in lines) if lines else 0
    for measure in dict.fromkeys(line.measure for line in lines):
        own = [line for line in lines if line.measure == measure]
        out.append(f"{measure} = {number(own[0].value, 4)} {own[0].unit}".rstrip())
        for line in own:
            if is_rounding(line, own):
                out.append(f"  {line.parameter:<{wide}}  0")
                continue
            derivative = f"{signed_number(line.derivative)} {line.unit_of_derivative}".rstrip()
            out.append(f"  {line.parameter:<{wide}}  {derivative:<26} {change_text(line)}".rstrip())
    return "\n".join(out)


def is_rounding(line: SensitivityRow, own: Sequence[SensitivityRow]) -> bool:
    """Whether a derivative is nothing but rounding, among all derivatives of its measure.

    It is judged by the change for one percent; of a parameter whose nominal value is 0 by the derivative itself.
    """
    if not line.nominal_is_zero:
        return clear_number(line.per_percent, line.value, *(one.per_percent for one in own)) == 0
    return clear_number(line.derivative, line.value, *(one.derivative for one in own)) == 0


def change_text(line: SensitivityRow) -> str:
    """The change for one percent of the parameter; where its nominal value is 0 there is no percentage."""
    return (
        f"{signed_number(line.per_percent, 3)} {line.unit} per 1 %"
        if not line.nominal_is_zero
        else "(nominal value is 0: no percentage)"
    )


def describe_tolerances(found: Tolerances) -> str:
    """The limits of each measure and the shares of its sources, the largest share first."""
    out: list[str] = []
    for k, name in enumerate(found.measures):
        unit, values = found.stack.sensitivity.units[name], found[name]
        out.append(f"{name} = {number(values['nominal'])} {unit}".rstrip())
        out.append(f"  worst case      ± {number(values['worst'], 4)} {unit}".rstrip())
        out.append(f"  three sigma     ± {number(values['three sigma'], 4)} {unit}".rstrip())
        if found.spread is not None:
            low, high = values["low"] - values["nominal"], values["high"] - values["nominal"]
            limits = f"{signed_number(low)} to {signed_number(high)} {unit}".rstrip()
            out.append(f"  Monte Carlo     {limits}, sigma {number(values['sigma'], 4)}")
        order = np.argsort(-found.shares[k], kind="stable")
        parts = [f"{found.sources[j]} {100 * found.shares[k, j]:.3g} %" for j in order]
        out.append(f"  from            {', '.join(parts)}")
    if found.spread is not None and found.spread.ran < len(found.spread.status):
        lost = dict.fromkeys(status for status in found.spread.status if not status.startswith("ran"))
        why, count = "; ".join(list(lost)[:3]), len(found.spread.status)
        out.append(f"{count - found.spread.ran} of {count} samples did not run: {why}")
    return "\n".join(out)
