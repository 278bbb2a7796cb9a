"""What statics make of loads that do not stand still: laws of time and friction."""

from __future__ import annotations

from collections.abc import Iterator

from mubo.mechanism import Mechanism
from mubo.motion import Law
from mubo.studies.forces.statics.dead import stands
from mubo.studies.position.words import join_words


def load_notes(mechanism: Mechanism, time: float | None = None) -> Iterator[str]:
    """Loads whose laws change with time, where one `time` is meant."""
    laws = {load.name: load.law for load in mechanism.loads if isinstance(load.law, Law)}
    moving = [name for name, law in laws.items() if time is not None and not stands(law, time)]
    if moving:
        yield f"{join_words(moving)} change{'s' * (len(moving) == 1)} with time: taken at t = {time:g}"
