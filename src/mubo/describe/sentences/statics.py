"""Sentences on static equilibria and the search for them."""

from __future__ import annotations

from collections.abc import Sequence

from mubo.mechanism.rows import join_words
from mubo.note import Note
from mubo.quantities.units import Units


def more_revolutions(count: int, turns: int) -> str:
    """Equilibria in further revolutions are left out."""
    return (
        f"{count} more equilibri{'um' if count == 1 else 'a'} in further revolutions, which a load counts, left out: "
        f"--revolutions {turns} lists the next"
    )


def outside_ranges(count: int, ranges: Sequence[str]) -> str:
    """Equilibria outside the ranges asked for are left out."""
    return f"{count} more equilibri{'um' if count == 1 else 'a'} outside {' and '.join(ranges)} left out"


def left_out(reasons: Sequence[Note]) -> str:
    """Equilibria are left out, for one reason or several."""
    return "; ".join(map(str, reasons))


def paths_closed(paths: int, starts: int) -> str:
    """All paths of a mechanism of one degree of freedom were followed to their end."""
    return f"every equilibrium on {paths} path{'s' * (paths != 1)} of the mechanism, found from {_positions(starts)}"


def paths_open(paths: int, starts: int, sizes: float) -> str:
    """Some path does not come back to its start."""
    return (
        f"the motion does not come back to its start: {paths} path{'s' * (paths != 1)} searched up to "
        f"{sizes:g} sizes of the mechanism or radians from {_positions(starts)}"
    )


def drawn_circuit(numbers: Sequence[int]) -> str:
    """Only some equilibria are on the circuit of the position drawn."""
    few = "equilibrium" if len(numbers) == 1 else "equilibria"
    which = f"{few} {join_words([str(k) for k in numbers])}" if numbers else "no equilibrium"
    return (
        f"{which} {'is' if len(numbers) < 2 else 'are'} on the circuit of the position drawn; other circuits are "
        "reached only by disassembly"
    )


def searched(starts: int) -> str:
    """Newton's method was started from some positions."""
    return f"searched from {_positions(starts)}: there may be more equilibria; --starts N searches from more"


def everywhere() -> str:
    """The loads balance the mechanism wherever it is."""
    return "every position that was tried is in equilibrium: the loads balance the mechanism anywhere, or none acts"


def one_of_many(numbers: Sequence[int], motions: int, bodies: Sequence[str]) -> str:
    """Neutral equilibria are reported once."""
    few = "equilibrium" if len(numbers) == 1 else "each of the equilibria"
    idle = f"{'a motion' if motions == 1 else f'{motions} motions'} of {join_words(bodies)}"
    return (
        f"{few} {join_words([str(k) for k in numbers])} is one of many: no load resists {idle}, and positions with the "
        "same potential are reported once"
    )


def singular(count: int) -> str:
    """Equilibria at singular positions are left out."""
    return f"{count} more at singular positions, where stiffness does not decide stability, left out"


def jumps() -> str:
    """The force along the motion jumps through zero."""
    return "the force along the motion jumps over zero where a load changes its direction: no equilibrium is there"


def not_conservative() -> str:
    """Stability is decided without a potential."""
    return (
        "some loads have no potential: stability is that against drifting off; growing vibrations depend on masses "
        "and damping"
    )


def load_changes(forces: Sequence[str], t: float, units: Units) -> str:
    """Loads that change with time are taken at one."""
    return f"{join_words(forces)} change{'s' * (len(forces) == 1)} with time: taken at t = {units.time_text(t)}"


def friction_left_out(forces: Sequence[str]) -> str:
    """Friction at rest takes any value up to its limit."""
    return (
        f"{join_words(forces)} {'is' if len(forces) == 1 else 'are'} left out: at rest friction takes any "
        "value up to its limit, so that efforts, reactions and positions near those reported are in balance too"
    )


def _positions(starts: int) -> str:
    return f"{starts} position{'s' * (starts != 1)}"
