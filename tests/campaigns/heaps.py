"""Random heaps of discs that fall into a trough, by seed: energy is never gained, and nothing sinks into anything.

Impacts follow each other ever faster, contacts rest, stick and slip, and the heap comes to rest on more contacts than
equilibrium needs.

    python tests/campaigns/heaps.py --cases 200 --first 0
"""

import warnings

import numpy as np
from tallied import campaign

import mubo

FAMILIES = ("discs",)
DEPTH = 1e-7  # of the size of a disc: the deepest that rigid discs may overlap
BALANCE = 1e-8  # of the energy exchanged


def heap(seed: int) -> mubo.Model:
    """Two to four discs of random sizes above a trough of two inclined planes, with random restitution and friction."""
    random = np.random.default_rng(seed)
    model = mubo.Model(f"heap {seed}", gravity=[0, -9.81])
    names = []
    for k in range(int(random.integers(2, 5))):
        radius = float(random.uniform(0.04, 0.09))
        place = [float(random.uniform(-0.1, 0.1)), 0.35 + 0.25 * k]
        model.body(f"disc{k}", position=place, angle=0, mass=float(random.uniform(0.5, 2)), inertia=0.5 * radius**2)
        model.surface(f"rim{k}", body=f"disc{k}", shape="circle", radius=radius)
        names.append(f"rim{k}")
    for side in (-1, 1):
        model.surface(f"wall{side + 1}", body="ground", shape="plane", normal=[-0.6 * side, 0.8])
        names.append(f"wall{side + 1}")
    options = {"restitution": float(random.uniform(0, 0.6)), "friction": float(random.uniform(0, 0.6))}
    model.contact("heap", among=names, **options)
    return model


def problems(seed: int, end: float = 0.8) -> list[str]:
    """What is wrong with the run of a seed; empty where all laws hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = heap(seed).simulate(0, end, step=end / 20)
    out = []
    if run.status != "ok":
        out.append(run.events[-1].message)
    if float(np.min(run["heap.gap"])) < -DEPTH:
        out.append(f"a gap of {np.min(run['heap.gap']):.3g}")
    if run.summary["energy"]["relative"] > BALANCE:
        out.append(f"energy balance {run.summary['energy']['relative']:.3g}")
    if np.any(np.diff(run["energy.total"]) > BALANCE * np.max(run["energy.kinetic"])):
        out.append("energy was gained")
    lost: dict[float, float] = {}
    for entry in run.summary["contacts"]:
        if entry["event"] == "impact":
            lost[entry["t"]] = lost.get(entry["t"], 0.0) + entry["energy_lost"]
    if min(lost.values(), default=0.0) < -1e-12:
        out.append(f"the impacts of an instant gained {-min(lost.values()):.3g}")
    return out


def case(seed: int, family: str) -> tuple[str, str]:
    """An outcome and what was seen."""
    found = problems(seed)
    return (f"WRONG: {family}", "; ".join(found)) if found else ("right", "")


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)
