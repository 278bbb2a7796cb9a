"""Random planar machines against their truth: `python tests/campaigns/planar.py --seconds 60 [--first SEED]`.

A case is its seed and its family; every failure is printed with both. Families: `plain` motions, `pulse`s that go out
and back between rows, limits that are `graze`d by one, four-bars `near` a change point, drivers whole `turns` off their
estimates, `starts` later than the estimates are drawn for, `rough` estimates.
"""

import numpy as np
from machines import REAL, crank, dyad, ground_pin, linear, pulse, slider
from tallied import campaign

import mubo

FAMILIES = ("plain", "pulse", "near", "turns", "starts", "rough", "graze")
NEAR_SINGULAR = 1e-3  # least radicand at the start: below, the branches of a start are one to an estimate
GRAZED = 1e-4  # least radicand: below, transmission is so poor that it is an event
UNRESOLVED = 1e-7  # least radicand: below, a lock and a change point cannot be told apart


def machine_of(seed, family, short=0.0):
    """The machine of a case, its random numbers, and how many rows; `short` is how near it comes to its lock and turns.

    None where that is asked for and nothing locks.
    """
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    size, start = float(10 ** random.uniform(-2, 3)), float(random.uniform(-3, 3))
    way = float(random.choice([-1, 1]) * 10 ** random.uniform(-0.7, 1.0))
    noise = {"near": 0.0, "rough": 0.05}.get(family, float(10 ** random.uniform(-6, -2)))
    law = pulse(start, min(abs(way), 2.0), int(random.choice([1, 2, 4]))) if family == "pulse" else linear(start, way)
    if short:
        lock, _ = machine_of(seed, family)[0].lock()
        if lock is None or abs(way) * lock < 10 * short:
            return None
        law = pulse(start, way * lock - float(np.copysign(short, way)), 1)
    if family == "near":
        machine = near_change_point(random, law)
    else:
        turns = int(random.integers(-2, 3)) if family == "turns" else 0
        machine, pin = crank(random, size, law, noise, turns)
        for _ in range(int(random.choice([1, 1, 2, 3]))):
            if random.random() < 0.7:
                ground = ground_pin(machine, size * complex(*random.normal(size=2)))
                pin = dyad(machine, random, pin, ground, noise)
            else:
                pin = slider(machine, random, pin, noise, family == "turns")
    return machine, random, int(random.choice([1, 2, 5, 12, 30]))


def near_change_point(random, law):
    """A four-bar whose longest and shortest links differ from the others by a hair: a + d = b + c + δ."""
    a, b, c = random.uniform(0.3, 0.9), random.uniform(1, 2), random.uniform(1, 2)
    miss = float(random.choice([-1, 1]) * 10 ** random.uniform(-11, -2))
    machine, pin = crank(random, 1.0, law, 0.0, length=float(a))
    machine.near = miss
    ground = ground_pin(machine, complex(b + c - a + miss))
    dyad(machine, random, pin, ground, 0.0, (float(b), float(c)))
    return machine


def case(seed, family):
    """What came of one case: a word that begins with "right", "skipped" or "WRONG", and what was seen."""
    short = float(10 ** np.random.default_rng(seed).uniform(-5, -2)) if family == "graze" else 0.0
    made = machine_of(seed, family, short)
    if made is None:
        return "skipped: has no limit to graze", ""
    machine, random, rows = made
    if machine.places(0)[1][0] < NEAR_SINGULAR:
        return "skipped: starts nearly singular", ""
    lock, least = machine.lock()
    begin = 0.0
    if family == "starts":
        begin = float(random.uniform(0.02, 0.98)) * (1.0 if lock is None else lock)
        if np.min(machine.places(np.linspace(0, begin, 2001))[1]) < NEAR_SINGULAR:
            return "skipped: passes a singular position before its start", ""
    try:
        run = machine.model.kinematics(begin, 1.0, (1.0 - begin) / rows)
    except mubo.MuboError as error:
        return "WRONG: refused", str(error).split("\n")[0]
    outcome = judged(machine, run, lock, least)
    return grazed(run, short, least) if outcome[0] == "right: moves" and short else outcome


def grazed(run, short, least):
    """A limit that was touched and left again is an event, with the way that was left to it."""
    ways = [way for event in run.events for way in event.remaining_travel.values()]
    if any(abs(way - short) <= 1e-4 * short + 1e-8 for way in ways):
        return "right: grazed", ""
    if ways or least < GRAZED:
        return "WRONG: a graze not told", f"{short:.6g} left, told {ways}, least radicand {least:.2g}"
    return "right: moves", ""


def judged(machine, run, lock, least):
    """The rows on the truth's branch, and the lock told where it is."""
    status, told = run.summary["status"], [event for event in run.events if not event.passed]
    t = run["t"]
    before = np.ones(len(t), bool) if lock is None else t < lock
    off, places, radicands = 0.0, *machine.places(t.astype(REAL))
    clear = before & (radicands > UNRESOLVED)
    for name in machine.model.bodies:
        if name == "ground" or not clear.any():
            continue
        origin, direction = places[name]
        seen = run[f"{name}.x"] + 1j * run[f"{name}.y"]
        apart = np.abs(seen - origin) / machine.size + np.abs(np.exp(1j * run[f"{name}.phi"]) - direction)
        off = max(off, float(np.max((apart * np.sqrt(np.maximum(radicands, UNRESOLVED)))[clear])))
        if apart[0] > 1e-5:
            return "WRONG: starts on another branch", f"{name} is {float(apart[0]):.2g} off"
    unresolved = least < UNRESOLVED
    if unresolved and run.events:
        return "right: flagged near a change point", ""
    if off > 1e-7 and not unresolved:
        return "WRONG: position", f"off by {off:.2g}, least radicand {least:.2g}"
    if lock is None:
        wrong = status != "ok" and not unresolved
        return ("WRONG: stopped without a lock", told[0].message) if wrong else ("right: moves", "")
    if status == "ok":
        return "WRONG: a lock missed", f"at t = {lock:.9g}"
    near = abs(told[0].t - lock) <= 1e-5
    return ("right: locks", "") if near else ("WRONG: lock misplaced", f"at {told[0].t:.9g}, truth {lock:.9g}")


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)
