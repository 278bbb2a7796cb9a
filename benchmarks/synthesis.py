"""Path synthesis beside pylinkage: same targets, same time; how near paths come, and whether they can be driven.

The targets are 12 points of random coupler curves (those of `tests/campaigns/curves.py`), and an oval that no four-bar
draws exactly. mubo takes one round of starts; pylinkage's particle swarm (PSO) and differential evolution (DE) then get
as much time. They vary the lengths of a crank-rocker with a coupler point, and are given place, size and turn of the
path by the best fit; their cost is the sum of the squares of the distances of the points from the path. The table has
the largest distance of a point from the path, in sizes of the target, and how many answers turn round unbroken.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path
from time import perf_counter

import numpy as np
from timing import print_table, sized

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "campaigns"))
import curves

import mubo

CASES = sized(6, 1)
STEPS = 72  # of a path of pylinkage
PEERS = ("pylinkage PSO", "pylinkage DE") if importlib.util.find_spec("pylinkage") else ()
NAMES = ("mubo", *PEERS)


def targets():
    """12 points each: curves of cranks that turn round, and an oval."""
    for seed in range(1, CASES):
        yield f"curve {seed}", curves.curve_of(seed, "turning")[0]
    around = np.arange(12) * np.pi / 6
    yield "oval 3:1", 3 * np.cos(around) + 1j * np.sin(around)


def by_mubo(target):
    """The best design, its time, and whether it runs a whole turn (it has been run)."""
    began = perf_counter()
    found = mubo.synthesize.path([(p.real, p.imag) for p in target], rounds=1, most=1)
    seconds = perf_counter() - began
    if not found.designs:
        return np.inf, False, seconds
    size = np.max(np.abs(target - target.mean()))
    return found[1].errors["place"] / size, found[1].full, seconds


class Swarm:
    """pylinkage's optimisers on a crank-rocker with a coupler point. They vary the five lengths; place, size and turn
    of the path are given to them by the best fit."""

    def __init__(self, target):
        from pylinkage.actuators import Crank
        from pylinkage.components import Ground
        from pylinkage.dyads import RRRDyad
        from pylinkage.simulation import Linkage

        self.target = target
        self.size = float(np.max(np.abs(target - target.mean())))
        A, D = Ground(0.0, 0.0), Ground(2.0, 0.0)
        crank = Crank(A, 0.5, angular_velocity=2 * np.pi / STEPS)
        pin = RRRDyad(crank.output, D, 2.0, 1.5)
        self.linkage = Linkage([A, D, crank, pin, RRRDyad(crank.output, pin, 1.0, 1.5)])
        count = len(list(self.linkage.get_constraints()))
        self.bounds = ([0.1] * count, [4.0] * count)
        self.first, self.best = self.linkage.get_coords(), (np.inf, np.full(STEPS, np.nan, complex))

    def cost(self, linkage, dimensions, positions):
        """The sum of the squares of the distances of the points from the nearest places of the path, in sizes."""
        linkage.set_constraints(dimensions)
        linkage.set_coords(self.first)
        path = linkage.step_fast(STEPS)[:, -1] @ [1, 1j]
        if not np.all(np.isfinite(path)):
            return 1e3
        ways = [self.laid(path, shift, way) for shift in range(0, STEPS, 6) for way in (1, -1)]
        best = min(ways, key=lambda pair: pair[0])
        self.best = min(self.best, best, key=lambda pair: pair[0])
        return best[0]

    def laid(self, path, shift, way):
        """The path laid onto the points by the best similarity of 12 of its places, and its cost."""
        some = path[(shift + way * np.arange(12) * (STEPS // 12)) % STEPS]
        z, wanted = some - some.mean(), self.target - self.target.mean()
        spread = np.sum(np.abs(z) ** 2)
        if spread < 1e-12:
            return 1e3, path
        whole = np.vdot(z, wanted) / spread * (path - some.mean()) + self.target.mean()
        near = np.min(np.abs(whole[None] - self.target[:, None]), axis=1)
        return float(np.sum(near**2)) / self.size**2, whole

    def answer(self, optimiser, seconds):
        """What an optimiser reaches in a time: its best path, judged; the clock is set by the cost of a look."""
        began = perf_counter()
        for _ in range(20):
            self.cost(self.linkage, [0.5, 2.0, 1.5, 1.0, 1.5][: len(self.bounds[0])], None)
        looks = 20 * seconds / (perf_counter() - began)
        self.best = (np.inf, self.best[1])
        began = perf_counter()
        optimiser(self, sized(max(int(looks), 200), 1))
        return *judged(self.best[1], self.target, self.size), perf_counter() - began


def judged(path, target, size):
    """Largest distance of the points from a closed path, in sizes, and whether it is whole and without a jump."""
    if not np.all(np.isfinite(path)):
        return np.inf, False
    ends, starts = np.roll(path, -1), path
    way = ends - starts
    along = np.clip(np.real((target[:, None] - starts) * np.conj(way)) / (np.abs(way) ** 2 + 1e-300), 0, 1)
    off = np.min(np.abs(starts + along * way - target[:, None]), axis=1)
    return float(np.max(off) / size), bool(np.max(np.abs(way)) < 0.5 * size)


def swarm(held, looks):
    from pylinkage.optimization import particle_swarm_optimization

    particle_swarm_optimization(held.cost, held.linkage, n_particles=50, iterations=max(looks // 50, 1),
                                bounds=held.bounds, order_relation=min, verbose=False)  # fmt: skip


def evolution(held, looks):
    from pylinkage.optimization import differential_evolution_optimization

    members = 15 * len(held.bounds[0])
    differential_evolution_optimization(held.cost, held.linkage, bounds=held.bounds, order_relation=min, seed=0,
                                        maxiter=max(looks // members - 1, 1), tol=0.0, verbose=False)  # fmt: skip


def main():
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    mubo.synthesize.path([(0, 0), (1, 0), (1, 1)], rounds=1, most=1)  # loads what is loaded when first used
    lines = [["target", *(f"{name}" for name in NAMES), "time of all"]]
    driven = dict.fromkeys(NAMES, 0)
    count = 0
    for name, target in targets():
        error, turns, seconds = by_mubo(target)
        answers = [(error, turns)]
        for optimiser in (swarm, evolution)[: len(PEERS)]:
            answers.append(Swarm(target).answer(optimiser, seconds)[:2])
        for who, (_, runs) in zip(NAMES, answers, strict=True):
            driven[who] += runs
        count += 1
        lines.append([name, *(f"{error:.1e}" for error, _ in answers), f"{seconds:.1f} s"])
    lines.append(["can be driven", *(f"{driven[who]} of {count}" for who in NAMES), ""])
    print_table(lines)


if __name__ == "__main__":
    main()
