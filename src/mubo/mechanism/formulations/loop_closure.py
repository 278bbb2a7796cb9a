"""Loop closure of a tree: rows of cut joints, of couplings, of other drivers."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from mubo import _core
from mubo.arrays import Array
from mubo.geometry.rotation import of_matrix
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.mechanism.couplers import TURNS
from mubo.mechanism.formulations.links import Links
from mubo.mechanism.mechanism import Mechanism
from mubo.mechanism.rows import KINDS, Equation, NamedRow, first_equation_of_owner, pack
from mubo.topology.tree import Hinge

ANGLES = ("perpendicular", "parallel", "turn", "untwisted")  # rows that hold an angle or a cosine, not a length


def holds_angle(row: NamedRow) -> bool:
    """Whether the equations of a row are of angles, not of lengths; a coupler is what its second coordinate is."""
    return row.kind in ANGLES or (row.kind == "coupler" and row.values["second"][TURNS] == 1.0)


@dataclass(frozen=True)
class LoopClosureRows:
    """The rows beside a tree, by name, and the bodies they join; empty for a tree alone."""

    rows: tuple[NamedRow, ...] = ()
    bodies: tuple[str, ...] = ()
    joints: tuple[str, ...] = ()  # that close loops

    @cached_property
    def equations(self) -> tuple[Equation, ...]:
        return tuple(equation for row in self.rows for equation in row.equations)

    @cached_property
    def drivers(self) -> dict[str, int]:
        """Drivers that are rows: the equation of each."""
        return {e.name: number for number, e in enumerate(self.equations) if e.kind == "driver"}


def loop_closure_rows(mechanism: Mechanism, hinges: list[Hinge], driven: Collection[str]) -> LoopClosureRows:
    """Rows of a mechanism that its hinges, and the drivers that move them, leave over."""
    if not mechanism.tree.cut and len(driven) == len(mechanism.model.drivers):
        return LoopClosureRows()
    rows = tuple(_left(mechanism, hinges, driven))
    bodies = tuple(dict.fromkeys(body for row in rows for body in row.bodies))
    joints = tuple(dict.fromkeys(row.owner.name for row in rows if row.owner.kind == "joint"))
    return LoopClosureRows(rows, bodies, joints)


def _left(mechanism: Mechanism, hinges: list[Hinge], driven: Collection[str]) -> Iterator[NamedRow]:
    """Rows that the hinges leave over: rows of joints are listed arm by arm, and the tree satisfies those of its
    hinges."""
    walked = {(hinge.joint, hinge.arm) for hinge in hinges}
    count: dict[str, int] = {}
    for row in mechanism.rows:
        name = row.owner.name
        if row.owner.kind == "driver" and name not in driven:
            yield row
        if row.owner.kind != "joint":
            continue
        arm = count.get(name, 0) // len(mechanism.model.kinds[mechanism.model.joints[name].kind].rows)
        count[name] = count.get(name, 0) + 1
        if (name, arm) not in walked:
            yield row


def add_loop_closure(
    system: _core.TreeSystem, mechanism: Mechanism, links: Links, closing: LoopClosureRows, law_of: dict[str, int]
) -> None:
    """Give the core's tree the rows that close it; `law_of` has the law of every driver that is a row."""
    if not closing.rows:
        return
    count = {name: rows for name, rows, *_ in KINDS[mechanism.dimension]}
    owners = [row.owner.owner for row in closing.rows for _ in range(count[row.kind])]
    lengths = [not holds_angle(row) for row in closing.rows for _ in range(count[row.kind])]
    laws = [law_of.get(name, -1) for name in mechanism.model.drivers]
    frames = [links.frame[body] for body in closing.bodies]
    _core.close_loops(
        system,
        pack(closing.rows, mechanism.dimension, closing.bodies, {}),
        np.array([link for link, _ in frames], np.int32),
        np.array([_place(frame.at, frame.axes) for _, frame in frames]),
        np.array([-links.turned.get(body, 0.0) for body in closing.bodies]),
        first_equation_of_owner(owners),
        np.where(lengths, 1 / mechanism.size, 1.0),
        np.array(laws, np.int32),
    )


def _place(at: Array, axes: Array) -> Array:
    """A body seen from the frame on it: its origin and its rotation."""
    return np.concatenate([-axes.T @ at, of_matrix(axes.T)])
