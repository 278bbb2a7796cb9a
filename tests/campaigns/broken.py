"""Sound machines broken in known ways: `python tests/campaigns/broken.py --seconds 60 [--first SEED]`.

`check` must refuse each for the right reason and name the right element: the freedom that a missing driver leaves, both
drivers that contradict each other, a joint of the loop that a link too short cannot close, the name that nobody has,
the joint that fixes what is fixed already. A case is its seed and its kind.
"""

import argparse
import collections
import time
import warnings
from dataclasses import replace

import numpy as np
from machines import crank, dyad, ground_pin, linear, slider

import mubo


def sound(seed):
    """A machine of a crank, one or two dyads and perhaps a slider, well away from its locks; its loops' elements."""
    random = np.random.default_rng(seed)
    while True:
        size = float(10 ** random.uniform(-2, 3))
        machine, pin = crank(random, size, linear(float(random.uniform(-3, 3)), 1.0))
        pin = dyad(machine, random, pin, ground_pin(machine, size * complex(*random.normal(size=2))), 1e-4)
        if random.random() < 0.5:
            slider(machine, random, pin, 1e-4, False)
        if machine.places([0, 1e-3])[1].min() > 0.05 and machine.model.check().ok:
            return machine, random


def missing_driver(machine, random):
    machine.model.drivers.clear()
    return ("too few drivers", "crank")


def second_driver(machine, random):
    machine.model.drive("second", "rocker1.phi", "0.3 + 0.1*t")
    return ("second", "motor")


def short_link(machine, random):
    """A rocker so short that the circles of its dyad do not meet: the gap is in that loop."""
    body = machine.model.bodies["rocker1"]
    machine.model.bodies["rocker1"] = replace(body, points={**body.points, "C": (1e-3 * machine.size, 0.0)})
    p, q = (complex(machine.point(machine.places(0)[0], end)[0]) for end in (("link1", 0), ("rocker1", 0)))
    length = machine.model.bodies["link1"].points["C"][0]
    if abs(abs(p - q) - length) < 0.05 * machine.size:
        return None  # it closes all the same, or nearly
    return ("cannot be assembled", ("O", "P1", "Q1", "C1", "motor"))


def unknown_name(machine, random):
    machine.model.revolute("extra", "ground.O", "nobody.P")
    return ("nobody", "extra")


def doubled_joint(machine, random):
    """A second pin between ground and rocker, off the first: both hold the rocker."""
    machine.model.ground.point("beside", (0.3 * machine.size, 0.1 * machine.size))
    machine.model.revolute("extra", "ground.beside", "rocker1.S")
    return (("extra", "Q1", "O", "P1", "C1", "motor"),)


KINDS = (missing_driver, second_driver, short_link, unknown_name, doubled_joint)


def case(seed, kind):
    """What `check` says of one broken machine."""
    machine, random = sound(seed)
    wanted = kind(machine, random)
    if wanted is None:
        return "skipped: closes all the same", ""
    try:
        report = machine.model.check()
        text = "" if report.ok else str(report)
    except mubo.MuboError as error:
        text = str(error)
    if not text:
        return "WRONG: called ready", ""
    named = [any(word in text for word in ((wish,) if isinstance(wish, str) else wish)) for wish in wanted]
    return ("right: explained", "") if all(named) else ("WRONG: explained otherwise", text.replace("\n", " ")[-200:])


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    words.add_argument("--seconds", type=float, default=60.0)
    words.add_argument("--first", type=int, default=int(time.time()), help="first seed; the time if left out")
    asked = words.parse_args()
    warnings.simplefilter("ignore")
    tally, seed, until = collections.defaultdict(collections.Counter), asked.first, time.monotonic() + asked.seconds
    while time.monotonic() < until:
        for kind in KINDS:
            outcome, detail = case(seed, kind)
            tally[kind.__name__][outcome] += 1
            if outcome.startswith("WRONG"):
                print(f"  {kind.__name__} {seed}: {outcome}; {detail}", flush=True)
        seed += 1
    for name, outcomes in tally.items():
        print(f"{name:14} seeds {asked.first} to {seed - 1}: " + ", ".join(f"{n} {w}" for w, n in outcomes.items()))
    raise SystemExit(any(word.startswith("WRONG") for outcomes in tally.values() for word in outcomes))


if __name__ == "__main__":
    main()
