"""Treatment in statics of loads that are not constant: laws of time and friction."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.elements import loads_of
from mubo.laws import Law
from mubo.mechanism import Mechanism
from mubo.mechanism.wording import join_words
from mubo.solvers.statics.static_problem import is_constant_law


def load_notes(mechanism: Mechanism, time: float | None = None) -> Iterator[str]:
    """Loads whose laws change with time, where one `time` is meant, and friction, which holds at rest."""
    laws = {load.name: load.law for load in mechanism.loads if isinstance(load.law, Law)}
    moving = [name for name, law in laws.items() if time is not None and not is_constant_law(law, time)]
    if moving:
        yield f"{join_words(moving)} change{'s' * (len(moving) == 1)} with time: taken at t = {time:g}"
    kinds, forces = loads_of(mechanism.dimension), mechanism.model.forces
    rubs = [
        load.name
        for load in mechanism.loads
        if kinds[forces[load.name].kind].formula.smooths and (load.reaction_friction or load.law is not None)
    ]
    if rubs:
        yield (
            f"{join_words(rubs)} {'is' if len(rubs) == 1 else 'are'} left out: at rest friction holds with anything up "
            "to its limit, so that efforts, reactions and positions around those told are in balance too"
        )
