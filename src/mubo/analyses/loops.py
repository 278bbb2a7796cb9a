"""The vector loops of a model in words: the loop table, the counts of degrees of freedom, and the groups designers
think in."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from mubo.errors import ModelError
from mubo.mechanism import Absolute
from mubo.mechanism.formulations.loops import Loops, NoLoops
from mubo.mechanism.wording import join_words
from mubo.model import ModelDefinition
from mubo.solvers.assembly.start_analysis import StartAnalysis, analyse_start
from mubo.solvers.structure.groups import structural_groups
from mubo.solvers.structure.loop_table import TableLoop, TableVector, loop_table
from mubo.topology import graph_of
from mubo.topology.independence import Combination, dependent_rows

BANK = 24  # columns of the table side by side
MOST_COLUMNS = 72  # beyond this the table is left to --json


@dataclass(frozen=True)
class Counts:
    """Degrees of freedom counted twice: by links and joints (Grübler), by loops (Paul)."""

    links: int  # N, the ground included
    joints: int  # J, a pin of three bodies counted twice
    equations: int  # C, of all joints and couplings
    dofs: int  # f, of all joints
    couplings: int  # K, equations of gears, belts, racks, held coordinates
    loops: int  # L = J - N + parts
    parts: int  # connected parts of the joint graph

    @property
    def gruebler(self) -> int:
        return 3 * (self.links - 1) - self.equations

    @property
    def paul(self) -> int:
        return self.dofs - 3 * self.loops - self.couplings + 3 * (self.parts - 1)

    def lines(self) -> list[str]:
        n, loops = self.links, self.loops
        first = (
            f"F = 3 (N - 1) - C = 3*{n - 1} - {self.equations} = {self.gruebler}: "
            f"N = {n} links with the ground, C = {self.equations} equations of joints"
        )
        if self.dofs == self.joints and not self.couplings and self.parts == 1:
            second = f"F = (N - 1) - 2 L = {n - 1} - 2*{loops} = {self.paul}: "
            second += f"L = J - N + 1 loops of J = {self.joints} joints"
        else:
            apart = f" + 3*{self.parts - 1}" if self.parts > 1 else ""
            second = (
                f"F = f - 3 L - K{' + 3 (parts - 1)' * (self.parts > 1)} = {self.dofs} - 3*{loops} - "
                f"{self.couplings}{apart} = {self.paul}: "
                f"f degrees of freedom of J = {self.joints} joints, L = J - N + {self.parts} loops, "
                "K gears and held coordinates"
            )
        return [f"  Grübler      {first}", f"  Paul         {second}"]


@dataclass(frozen=True)
class LoopReport:
    """Loops and groups. Print it to read it."""

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
                for loop in self.loops
            ],
            "counts": {**asdict(self.counts), "gruebler": self.counts.gruebler, "paul": self.counts.paul},
            "independent": not self.dependent,
            "dependent": [self._dependence(number) for number in self.dependent],
            "bodies_in_no_loop": list(self.outside),
            "groups": [{"kind": kind, "gives": list(unknowns)} for kind, unknowns in self.groups],
        }

    def __str__(self) -> str:
        rank = len(self.loops) - len(self.dependent)
        verdict = f"yes, rank {rank} of the table below for {len(self.loops)} loop{'s' * (rank != 1)}"
        if self.dependent:
            verdict = "no: " + "; ".join(self._dependence(number) for number in self.dependent)
        lines = [f"loops of {self.model}", *self.counts.lines(), f"  unknowns     {self.balance}"]
        if self.loops:
            lines += [f"  independent  {verdict}"]
        if self.outside:
            lines += [f"  in no loop   {join_words(self.outside)}"]
        lines += self._vector_lines() + self._table_lines()
        lines += ["", "groups, in the order in which they are solved"]
        width = max((len(kind) for kind, _ in self.groups), default=0)
        lines += [f"  {n:>3}  {kind:<{width}}  {', '.join(gives)}" for n, (kind, gives) in enumerate(self.groups, 1)]
        return "\n".join(lines)

    __repr__ = __str__

    def _dependence(self, number: int) -> str:
        """ "L3 = L1 - L2": a loop that the others already close."""
        words = [
            f"{'+' if factor > 0 else '-'} {'' if abs(factor) == 1 else f'{abs(factor)} '}{self.loops[k].name}"
            for k, factor in sorted(self.dependent[number].items())
        ]
        return f"{self.loops[number].name} = {' '.join(words).removeprefix('+ ') or '0'}"

    def _vector_lines(self) -> list[str]:
        if not self.vectors:
            return []
        unit = f" [{self.unit}]" if self.unit else ""
        cells = [("vector", "link", "from", "to", f"length{unit}", "angle [deg]")]
        for v in self.vectors:
            link = {"slide": f"slide of {v.link}", "rod": f"rod {v.link}", "driver": f"driver {v.link}"}
            angle = round(math.degrees(v.angle), 9) + 0.0
            cells.append((v.name, link.get(v.kind, v.link), v.tail, v.head, f"{v.length:.6g}", f"{angle:.6g}"))
        widths = [max(len(line[k]) for line in cells) for k in range(6)]
        left = "<<<<>>"
        return [
            "",
            *("  " + "  ".join(f"{c:{a}{w}}" for c, a, w in zip(row, left, widths, strict=True)) for row in cells),
        ]

    def _table_lines(self) -> list[str]:
        names = [vector.name for vector in self.vectors]
        first = max((len(loop.name) for loop in self.loops), default=0)
        equations = [f"  {loop.name:<{first}}  {loop.equation}, closed by {loop.joint}" for loop in self.loops]
        if len(names) > MOST_COLUMNS:
            return ["", *equations, f"  the table of {len(self.loops)} loops and {len(names)} vectors is in --json"]
        lines = []
        for bank in (names[k : k + BANK] for k in range(0, len(names), BANK)):
            lines += ["", f"  {'':<{first}} " + "".join(f"{name:>4}" for name in bank)]
            for loop in self.loops:
                signs = "".join(f"{loop.signs.get(name, 0):+4d}" if name in loop.signs else "    " for name in bank)
                lines.append(f"  {loop.name:<{first}} {signs}".rstrip())
        return [*lines, "", *equations] if self.loops else []


def loop_report(model: ModelDefinition) -> LoopReport:
    """The loops of a model at its start; raises ModelError where it has none or is not determined."""
    return loops_of(analyse_start(model, model.analysis.start if model.analysis else 0.0))


def loops_of(look: StartAnalysis) -> LoopReport:
    """The loops of an inspected model."""
    model = look.form.model
    if not look.determined:
        raise ModelError(
            "the loops are shown once the motion is determined: see what `mubo check` says without --loops"
        )
    try:
        loops = look.loops
    except NoLoops as reason:
        raise ModelError(f"the model cannot be written as vector loops: {reason}") from None
    vectors, polygons = loop_table(look.form, loops, look.assembly.q, look.motion)
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
        unit=model.units.of("length"),
    )


def _counts(form: Absolute) -> Counts:
    graph = graph_of(form.model)
    kinds = {joint.name: form.model.kinds[joint.kind] for joint in form.model.joints.values()}
    edges = [kinds[name] for name, _, _ in graph.edges]
    dofs = sum(len(element.dofs) for element in edges)
    equations = sum(equation.kind == "joint" for equation in form.equations)
    held = equations - (3 * len(edges) - dofs)
    return Counts(len(graph.nodes), len(edges), equations, dofs, held, graph.loops, graph.parts)


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
    told = [f"{count} {one if count == 1 else many}" if count else "" for count, one, many in kinds]
    unknowns, equations = (" + ".join(filter(None, part)) for part in (told[:2], told[2:]))
    return f"{unknowns}; as many equations: {equations}"
