"""Sound machines broken in known ways: `python tests/campaigns/broken.py --seconds 60 [--first SEED]`.

`check` must refuse each for the right reason and name the right element: the degree of freedom that a missing driver
leaves, both drivers that contradict each other, a joint of the loop that a link too short cannot close, the name that
nobody has, the joint that fixes what is fixed already, the body that nothing or nothing but another loose one holds,
the weld that stops a loop or leaves a gap in it. A case is its seed and its kind."""

from dataclasses import replace

import numpy as np
from machines import crank, dyad, ground_pin, linear, slider
from tallied import campaign

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
    return ("is not driven", "crank")


def second_driver(machine, random):
    machine.model.driver("second", "rocker1.phi", "0.3 + 0.1*t")
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


def loose_body(machine, random):
    machine.model.body("stray", (1, 2), 0.3, {"X": (0, 0)})
    return ("stray",)


def loose_pair(machine, random):
    for name in ("one", "two"):
        machine.model.body(name, (1, 2), 0.3, {"X": (0, 0)})
    machine.model.revolute("pair", "one.X", "two.X")
    return ("one", "two")


def weld(machine, random, gap=0.0):
    """The rocker fixed to the ground as it stands, or so many sizes beside."""
    origin, direction = (complex(part[0]) for part in machine.places(0)[0]["rocker1"])
    body = machine.model.bodies["rocker1"]
    machine.model.bodies["rocker1"] = replace(body, points={**body.points, "W": (0.0, 0.0)})
    at = origin + gap * machine.size * np.exp(1j * random.uniform(0, 6))
    machine.model.ground.point("W", (at.real, at.imag))
    angle = float(np.angle(direction))
    angle += 2 * np.pi * round((body.angle - angle) / (2 * np.pi))
    machine.model.joint("weld", "fixed", "ground.W", "rocker1.W", angle=angle)
    return ("weld",)


def weld_beside(machine, random):
    return weld(machine, random, 0.3)


BREAKS = (missing_driver, second_driver, short_link, unknown_name, doubled_joint)
KINDS = {kind.__name__: kind for kind in (*BREAKS, loose_body, loose_pair, weld, weld_beside)}


def case(seed, kind):
    """What `check` says of one broken machine."""
    machine, random = sound(seed)
    wanted = KINDS[kind](machine, random)
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


if __name__ == "__main__":
    campaign(__doc__, KINDS, case)
