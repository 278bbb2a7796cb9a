"""Random closed mechanisms in motion: `python tests/campaigns/closed.py --seconds 60 [--first SEED]`.

Every run is judged by what does not know how it was made: loops closed, energy balanced, free bodies (Newton's and
Euler's equations with joint forces as unknowns leave nothing over), and another spanning tree of the same machine, by
its joints in another order. A run may stop early if it says why. A case is its seed and its family.
"""

import numpy as np
from closed_machines import FAMILIES
from free_bodies import unbalanced
from tallied import campaign

import mubo

GAP, ENERGY, BALANCE, SAME = 1e-10, 1e-7, 1e-7, 1e-5
END, STEP = 1.0, 0.05


def reordered(model):
    """The same model with its joints in the opposite order: another tree, other joints that close its loops."""
    other = model.copy()
    joints = dict(reversed(list(other.joints.items())))
    other.joints.clear()
    other.joints.update(joints)
    return other


def case(seed, family):
    """What came of one case: a word that begins with "right", "skipped" or "WRONG", and what was seen."""
    random = np.random.default_rng([seed, list(FAMILIES).index(family)])
    machine = FAMILIES[family](random)
    try:
        run = machine.model.simulate(0, END, STEP)
    except mubo.MuboError as error:
        told = str(error).split("\n")[0]
        known = [word for word in ("singular", "contradict") if word in told]
        return (f"skipped: {known[0]} at the start", told) if known else ("WRONG: refused", told)
    if (found := faults(machine, run)) is not None:
        return found
    if run.summary["status"] != "ok":
        return "right: stopped, " + reason(run.events[-1].message), ""
    return compared(machine, run)


def reason(message):
    return "singular" if "singular position" in message else message.split(": ", 1)[-1][:60]


def faults(machine, run):
    """The first law that a run breaks."""
    loops = run.summary.get("loops")
    if loops is not None and loops["gap"] > GAP:
        return "WRONG: open loops", f"{loops['gap']:.2g}"
    if run.summary["energy"]["relative"] > ENERGY:
        return "WRONG: energy", f"{run.summary['energy']['relative']:.2g}"
    left = unbalanced(machine.model, run)
    if left > BALANCE:
        return "WRONG: balance of the bodies", f"{left:.2g}"
    if run.summary["status"] != "ok" and not run.events[-1].message:
        return "WRONG: stops without a reason", ""
    return None


def compared(machine, run):
    """Against another spanning tree. Where both trees disagree, chaos is told from a fault by halving the tolerance."""
    other = reordered(machine.model)
    again = other.simulate(0, END, STEP)
    apart = distance(run, again)
    if apart < SAME:
        return "right: moves", ""
    sharper = machine.model.simulate(0, END, STEP, rtol=1e-13, atol=1e-13)
    spread = distance(run, sharper)
    return ("right: sensitive", "") if apart < 30 * spread else ("WRONG: trees disagree", f"{apart:.2g}, {spread:.2g}")


def distance(one, other):
    """The largest difference of the places of bodies on common rows."""
    rows = min(len(one), len(other))
    names = [name for name in one.columns if name.endswith((".x", ".y", ".z")) and name in other.columns]
    return max(float(np.max(np.abs(one[name][:rows] - other[name][:rows]))) for name in names)


if __name__ == "__main__":
    campaign(__doc__, tuple(FAMILIES), case)
