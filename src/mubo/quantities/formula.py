"""An expression of columns, such as "P.x - 2*Q.x": which names stand in it, and which unit its value has.

Numbers and columns are in the model's units; a number may have a unit of its own: "3*cos(30 deg)". sin, cos and tan of
an angle take it as the angle that it is, whatever its unit; of a plain number they take radians. atan answers an angle
in the model's unit.

Names are evaluated in coherent units. Where the units of an expression lead to that of its place, it is computed in
coherent units throughout. Where a plain factor hides a unit, as 20 in "20*piston.vx" of a force, each name stands in
the unit of its column, and the value in that of its place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Mapping

from mubo.errors import ModelError
from mubo.laws.expression import CONSTANTS, dotted, out_of_place, parse
from mubo.lazy_dataclass import dataclass
from mubo.mappings import cached_property
from mubo.quantities.sizes import Size, may_hide, size_of, words_of_size
from mubo.quantities.sizing import QUANTITY, Sizing
from mubo.quantities.unit_algebra import mark_quantities

DEEPEST = 100  # levels of an expression whose units are judged


@dataclass(frozen=True)
class Formula:
    """An expression of names with dots; `of` says in messages what it is an expression of."""

    text: str
    of: str = "of columns"

    @cached_property
    def tree(self) -> ast.expr:
        marked = mark_quantities(self.text, QUANTITY)
        if marked == self.text or re.search(rf"\b{QUANTITY}\b", self.text):
            return parse(self.text, self.of)
        try:
            return parse(marked, self.of)
        except ModelError:
            return parse(self.text, self.of)  # which shows what was written

    @property
    def has_units(self) -> bool:
        """Whether numbers with units stand in it."""
        return any(isinstance(node, ast.Call) and dotted(node.func) == QUANTITY for node in ast.walk(self.tree))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns and measures that stand in it, in their order; t and constants aside."""
        return tuple(name for name in self._words if name not in CONSTANTS)

    def parameters(self, known: Container[str]) -> tuple[str, ...]:
        """The parameters that stand in it, of those that are known; one named e hides Euler's number."""
        return tuple(name for name in self._words if name in known)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        """Every name but t, in their order."""
        found: dict[str, None] = {}
        left: list[ast.AST] = [self.tree]
        while left:  # no recursion: a sum of a thousand terms is a thousand deep
            node = left.pop()
            if not isinstance(node, ast.Name | ast.Attribute):
                left += reversed(node.args if isinstance(node, ast.Call) else list(ast.iter_child_nodes(node)))
                continue
            name = dotted(node)
            if name is None:
                raise out_of_place(node, self.text)
            if name != "t":
                found[name] = None
        return tuple(found)

    def sized(
        self,
        sizes: Mapping[str, Size],
        own: tuple[float, ...],
        strict: bool = False,
        wanted: Size | None = None,
        stated: bool = False,
    ) -> tuple[ast.expr, Size]:
        """The tree with quantities in coherent units and angles in radians where functions need them, and the unit of
        its value; names and value are in coherent units.

        `sizes` are those of all names that are known; `own` are the model's units of length, angle, mass and time in m,
        rad, kg and s. In a `strict` expression a written factor is a pure number, which hides no unit. `wanted` is the
        unit of the place where it stands, if it has one, and `stated` says whether names in it state a unit.
        """
        _require_shallow(self.tree, self.text)
        names = {**sizes, "t": size_of("time", 0)}
        keyed = any(size.unit not in (0.0, 1.0) for size in (*names.values(), *((wanted,) if wanted else ())))
        tree, size = Sizing(self.text, names, own, strict, keyed).walk(self.tree)
        leads = size.powers is not None if wanted is None else size.powers == wanted.powers and not size.plain
        if not keyed or leads or (wanted is not None and not may_hide(size)):
            return tree, size
        if stated or self.has_units:
            raise ModelError(
                f'"{self.text}": numbers with and without a unit are mixed, and its value is not '
                + (words_of_size(wanted) if wanted else "of a known unit"),
                suggestion="Give every number in it a unit.",
            )
        tree, size = Sizing(self.text, names, own, strict, keyed, written=True).walk(self.tree)
        unit = wanted.unit if wanted else 1.0
        return (tree if unit == 1.0 else ast.BinOp(tree, ast.Mult(), ast.Constant(unit))), size


def _require_shallow(tree: ast.expr, text: str) -> None:
    """Refuses what is nested too deep to be walked: a sum of n terms is n deep, halves in parentheses half as much."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise ModelError(
        f'"{text[:40]}…" is nested more than {DEEPEST} deep',
        suggestion="Put parts of long sums and products into parentheses, or into measures or parameters of their own.",
    )
