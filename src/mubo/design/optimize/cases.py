"""Cases of an optimisation: other numbers at which every design is run too, so that the worst of them counts.

    cases = { n = ["600 rpm", "1200 rpm", "3000 rpm"] }    # every combination of the values of these parameters
    cases = "tolerances"                                   # every corner of [tolerances]: the design as it may be made

The design itself is always the first case. A number that is to be least is the greatest of all cases, a limit holds in
each of them, and a target is met in all as well as it can be.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mubo.design.homotopy import NotFollowed
from mubo.design.ranges import points_of
from mubo.design.variants import Work
from mubo.errors import ModelError
from mubo.lazy_dataclass import dataclass
from mubo.model import ModelDefinition
from mubo.model.optimization import TOLERANCES, Term
from mubo.model.read_parameters import parameter_unit

MOST = 256  # cases of a design


@dataclass(frozen=True)
class Case:
    """Other numbers of a design: values of parameters that do not vary, deviations of those that do; in words."""

    label: str
    values: Mapping[str, float]
    deviations: Mapping[str, float]

    def term(self, term: Term) -> Term:
        """A number of a run in this case, under a name of its own."""
        assert term.objective is not None
        text = f"{term.text} at {self.label}"
        return Term(text, replace(term.objective, name=text))

    def work(self, work: Work, terms: Sequence[Term]) -> Work:
        """The work in this case: its model is followed from the design in hand."""
        model = work.model
        try:
            if self.values:
                simulated = work.study == "simulate"
                model = model.replace(**self.values) if simulated else work.nominal.variant(self.values)
        except NotFollowed as error:
            raise ModelError(f"the design to start from, at {self.label}: {error}") from None
        objectives = tuple(term.objective for term in terms if term.objective is not None)
        deviations = tuple(self.deviations.get(name, 0.0) for name in work.names)
        return replace(work, model=model, objectives=objectives, deviations=deviations)


def cases_of(model: ModelDefinition, asked: Any, varied: Sequence[str]) -> list[Case]:
    """The cases that are asked for beside the design itself; refuses what varies and what is no parameter."""
    if not asked:
        return []
    found = _corners(model, varied) if asked == TOLERANCES else _combinations(model, asked, varied)
    if len(found) > MOST:
        raise ModelError(
            f"cases: {len(found)} runs of every design are more than {MOST}",
            suggestion="Give fewer values, or tolerances of fewer parameters.",
        )
    return found


def _combinations(model: ModelDefinition, asked: Mapping[str, Any], varied: Sequence[str]) -> list[Case]:
    for name in asked:
        if name in varied:
            raise ModelError(f"cases: {name} varies already; a case has another number than the designs", names=[name])
    points = points_of(model, asked)
    here = [float(model.parameters[name].value) for name in points.names]
    return [
        Case(_label(model, points.names, line), dict(zip(points.names, line, strict=True)), {})
        for line in points.values.tolist()
        if line != here
    ]


def _label(model: ModelDefinition, names: Sequence[str], line: Sequence[float]) -> str:
    parts = [(name, x, parameter_unit(model.units, name)) for name, x in zip(names, line, strict=True)]
    return ", ".join(f"{name} = {x:.4g} {unit}".rstrip() for name, x, unit in parts)


def _corners(model: ModelDefinition, varied: Sequence[str]) -> list[Case]:
    """All combinations of the limits of the tolerances of parameters."""
    parts = [one for one in model.tolerances.values() if not one.clearance]
    if not parts:
        raise ModelError(
            'cases = "tolerances", but the model has no tolerance of a parameter',
            suggestion='Write [tolerances] with a = "0.05 mm".',
        )
    if 2 ** len(parts) > MOST:
        raise ModelError(
            f"cases: {len(parts)} tolerances have 2^{len(parts)} corners, more than {MOST} runs of every design",
            suggestion="Give tolerances of fewer parameters.",
        )
    out = []
    for signs in itertools.product((-1.0, 1.0), repeat=len(parts)):
        off = {one.name: sign * one.size for one, sign in zip(parts, signs, strict=True)}
        fixed = {name: float(model.parameters[name].value) + x for name, x in off.items() if name not in varied}
        label = ", ".join(f"{name} {x:+.4g}" for name, x in off.items())
        out.append(Case(label, fixed, {name: x for name, x in off.items() if name in varied}))
    return out
