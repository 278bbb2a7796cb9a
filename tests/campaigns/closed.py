"""Random closed mechanisms in motion: `python tests/campaigns/closed.py --seconds 60 [--first SEED]`.

Every run is judged by what does not know how it was made: loops closed, energy balanced, free bodies (Newton's and
Euler's equations with joint forces as unknowns leave nothing over), another spanning tree of the same machine, by its
joints in another order, and absolute coordinates. A run may stop early if it says why. A case is its seed and family.
"""

import numpy as np
from closed_machines import FAMILIES
from free_bodies import unbalanced
from tallied import campaign

import mubo

GAP, ENERGY, BALANCE, SAME = 1e-10, 1e-7, 1e-7, 1e-5
END, STEP = 1.0, 0.05
# Absolute coordinates at a moderate tolerance: trusted on the rows where half of it answers the same.
MODERATE, TRUSTED, FORMS = 1e-9, 1e-6, 3e-5


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
    whole = run.summary["status"] == "ok"
    found = compared(machine, run) if whole else ("right: stopped, " + reason(run), "")
    return found if found[0].startswith("WRONG") else by_both_forms(machine, run, found)


def reason(run):
    message = run.events[-1].message
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


def by_both_forms(machine, run, found):
    """Against absolute coordinates, over the rows on which these agree with themselves at half the tolerance."""
    try:
        other = in_absolute(machine, MODERATE)
    except mubo.MuboError as error:
        return "WRONG: absolute coordinates refuse", str(error).split("\n")[0]
    away = distances(run, other)
    if np.max(away) > FORMS:
        sharper = in_absolute(machine, MODERATE / 2)
        common = min(len(away), len(sharper))
        doubted = distances(other, sharper)[:common] > TRUSTED
        trusted = int(np.argmax(doubted)) if np.any(doubted) else common
        if np.max(away[:trusted], initial=0.0) > FORMS:
            return "WRONG: forms disagree", f"{np.max(away[:trusted]):.2g} in {trusted} of {len(run)} rows"
    if other.summary["status"] != "ok" and run.summary["status"] == "ok":
        return f"{found[0]}; absolute stopped, {reason(other)}", f"at t = {other.summary['reached']:g}"
    return found


def in_absolute(machine, tolerance):
    return machine.model.simulate(0, END, STEP, formulation="absolute", rtol=tolerance, atol=tolerance)


def distance(one, other):
    """The largest difference of the places of bodies on common rows."""
    return float(np.max(distances(one, other)))


def distances(one, other):
    """The same row by row."""
    rows = min(len(one), len(other))
    names = [name for name in one.columns if name.endswith((".x", ".y", ".z")) and name in other.columns]
    return np.max([np.abs(one[name][:rows] - other[name][:rows]) for name in names], axis=0)


if __name__ == "__main__":
    campaign(__doc__, tuple(FAMILIES), case)
