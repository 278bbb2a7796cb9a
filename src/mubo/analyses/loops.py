"""The vector loops of a model: the loop table, the counts of degrees of freedom, and the structural groups."""

from __future__ import annotations

import math
from dataclasses import asdict

from mubo.errors import ModelError
from mubo.formats import added, extension_of
from mubo.lazy_dataclass import dataclass
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.loops import Loops, NoLoops
from mubo.model import ModelDefinition
from mubo.results.presentation import DrawnResult
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start
from mubo.solvers.structure.groups import structural_groups
from mubo.solvers.structure.loop_table import TableLoop, TableVector, loop_table
from mubo.topology import graph_of
from mubo.topology.independence import Combination, dependent_rows


@dataclass(frozen=True)
class Counts:
    """Degrees of freedom counted twice: by links and joints (Grübler), by loops (Paul)."""

    links: int  # N, the ground included
    joints: int  # J, a pin of three bodies counted twice
    equations: int  # C, of all joints and couplings
    dofs: int  # f, of all joints
    couplings: int  # K, equations of gears, belts, racks and locked coordinates
    loops: int  # L = J - N + parts
    parts: int  # connected parts of the joint graph

    @property
    def gruebler(self) -> int:
        """Mobility by links and joints."""
        return 3 * (self.links - 1) - self.equations

    @property
    def paul(self) -> int:
        """Mobility by loops."""
        return self.dofs - 3 * self.loops - self.couplings + 3 * (self.parts - 1)


@dataclass(frozen=True, repr=False)
class LoopReport(DrawnResult):
    """The loops and groups of a model; printing it gives the tables."""

    model: str
    vectors: tuple[TableVector, ...]
    loops: tuple[TableLoop, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]  # kind of group, unknowns it gives
    counts: Counts
    balance: str  # unknowns against equations
    dependent: dict[int, Combination]  # loops that others already close
    outside: tuple[str, ...]  # bodies in no loop
    unit: str  # of length

    def as_dict(self) -> dict[str, object]:
        return {
            "vectors": [
                {**asdict(vector), "length": vector.length, "angle_deg": math.degrees(vector.angle)}
                for vector in self.vectors
            ],
            "loops": [
                {"name": loop.name, "closed_by": loop.joint, "equation": loop.equation, "signs": loop.signs}
                | ({"line": loop.line} if loop.line else {})
                for loop in self.loops
            ],
            "counts": {**asdict(self.counts), "gruebler": self.counts.gruebler, "paul": self.counts.paul},
            "independent": not self.dependent,
            "dependent": [self.dependence(number) for number in self.dependent],
            "bodies_in_no_loop": list(self.outside),
            "groups": [{"kind": kind, "gives": list(unknowns)} for kind, unknowns in self.groups],
        }

    def dependence(self, number: int) -> str:
        """The sum of other loops that a dependent loop is: "L3 = L1 - L2"."""
        terms = [
            f"{'+' if factor > 0 else '-'} {'' if abs(factor) == 1 else f'{abs(factor)} '}{self.loops[k].name}"
            for k, factor in sorted(self.dependent[number].items())
        ]
        return f"{self.loops[number].name} = {' '.join(terms).removeprefix('+ ') or '0'}"


def loop_report(model: ModelDefinition) -> LoopReport:
    """The loops of a model at its start; raises ModelError where it has none or its motion is not determined."""
    return loops_of(analyse_start(model, model.start_time))


def loops_of(look: StartAnalysis) -> LoopReport:
    """The loops of a model whose start was analysed."""
    model = look.form.model
    if not look.determined:
        raise ModelError(
            "the loops are listed only where the motion is determined, and it is not",
            suggestion="`mubo check` without --loops states what is missing.",
        )
    try:
        loops = look.loops
    except NoLoops as reason:
        raise ModelError(f"the model cannot be written as vector loops: {reason}") from None
    numbered = added(extension_of(model).loops)
    if numbered is None:
        vectors, polygons = loop_table(look.form, loops, look.assembly.q, look.motion)
    else:
        vectors, polygons = numbered(model, _poses(look))
    walked = {body for walk in loops.walks for edge, _ in walk for body in (edge.first, edge.second)}
    return LoopReport(
        model=model.name,
        vectors=tuple(vectors),
        loops=tuple(polygons),
        groups=tuple((group.kind, group.gives(loops)) for group in structural_groups(loops)),
        counts=_counts(look.form),
        balance=_balance(loops),
        dependent=dependent_rows([loop.signs for loop in polygons]),
        outside=tuple(name for name in look.form.free if name not in walked),
        unit=model.units.unit_of("length"),
    )


def _poses(look: StartAnalysis) -> dict[str, tuple[float, ...]]:
    """Position and angle of every body at the assembled start."""
    form, q = look.form, look.assembly.q
    fixed = {name: form.model.bodies[name] for name in form.fixed}
    standing = {name: (*body.position, float(body.angle)) for name, body in fixed.items()}
    return standing | {name: tuple(map(float, q[3 * k : 3 * k + 3])) for k, name in enumerate(form.free)}


def _counts(form: Absolute) -> Counts:
    graph = graph_of(form.model)
    kinds = {joint.name: form.model.kinds[joint.kind] for joint in form.model.joints.values()}
    edges = [kinds[name] for name, _, _ in graph.edges]
    dofs = sum(len(element.dofs) for element in edges)
    equations = sum(equation.kind == "joint" for equation in form.equations)
    couplings = equations - (3 * len(edges) - dofs)
    return Counts(len(graph.nodes), len(edges), equations, dofs, couplings, graph.loops, graph.parts)


def _balance(loops: Loops) -> str:
    """Unknowns against equations of the loop system."""
    slides = sum(name.startswith("slide") for name in loops.unknown_names)
    driven = sum(line[3] >= 0 for line in loops.linear)
    kinds = (
        (len(loops.unknown_names) - slides, "angle", "angles"),
        (slides, "slide", "slides"),
        (2 * len(loops.polygons), "of loops", "of loops"),
        (len(loops.linear) - driven, "of couplings", "of couplings"),
        (driven, "of drivers", "of drivers"),
    )
    counts = [f"{count} {one if count == 1 else many}" if count else "" for count, one, many in kinds]
    unknowns, equations = (" + ".join(filter(None, part)) for part in (counts[:2], counts[2:]))
    return f"{unknowns}; as many equations: {equations}"
