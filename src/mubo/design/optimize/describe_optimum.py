"""The answer of an optimisation in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mubo.design.optimize.answer import Optimum

NARROW, WIDE = 20, 50  # columns of labels
ROUNDING = 1e-12  # of the greatest slope: less is none


def told(found: Optimum) -> str:
    """A few aligned lines: goal, parameters, limits, sensitivities, starts, proof."""
    problem, units = found.asked.problem, found.asked.units
    lines = [f'"{found.model.name}" optimised: {_goal(found)}']
    lines += [f"  note: {note}" for note in found.asked.notes]
    names = {w.term.text: None for w in (*problem.wanted, *problem.limits)}
    width = min(max(NARROW, *(len(text) + 6 * (text in found.sensitivities) for text in names)), WIDE)
    for text in names:
        before, after = found.numbers[text]
        unit = f" {units[text]}" * bool(units[text])
        lines.append(f"  {text:<{width}} {before:>12.6g} → {after:.6g}{unit}")
    for name, (before, after) in found.parameters.items():
        lines.append(f"  {name:<{width}} {before:>12.6g} → {after:.6g}")
    lines.append(_line(width, "reached", ", ".join(found.active) or "no limit and no bound"))
    lines += _sensitivities(found, width)
    rough = found.here.differences if found.here is not None else ()
    lines.append(_line(width, "slopes", f"by differences of {', '.join(rough)}; else exact" if rough else "exact"))
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
        return f"relative misfit {before:.4g} → {after:.4g}"
    change = 100 * (after - before) / abs(before) if before else float("nan")
    return f"{problem.goal} {problem.wanted[0].term.text}, {change:+.3g} %"


def _sensitivities(found: Optimum, width: int) -> list[str]:
    """The change of the goal per unit of each parameter, the strongest over its bounds first."""
    goals = [w.term.text for w in found.asked.problem.wanted if w.term.text in found.sensitivities]
    lines = []
    for text in goals:
        slopes = found.sensitivities[text]
        order = sorted(slopes, key=lambda name: -abs(slopes[name]))
        nothing = ROUNDING * max(map(abs, slopes.values()))
        told = (f"{name} {slopes[name] if abs(slopes[name]) > nothing else 0.0:.4g}" for name in order)
        lines.append(_line(width, f"d({text})/d", ", ".join(told)))
    return lines
