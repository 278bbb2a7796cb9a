"""Random planar machines with their truth: a crank and dyads on points known before, by circle intersections.

A point is a complex number x + iy. A dyad is two links from known points p and q to a common pin, on one side of the
line pq; or a link whose end slides along a line of the ground. Each has a radicand: where the first of them vanishes
the machine locks, and nothing exists beyond. Numbers are long doubles: the truth is more exact than what it judges.
"""

from dataclasses import dataclass, field

import numpy as np

import mubo

REAL, COMPLEX = np.longdouble, np.clongdouble
PI = REAL("3.14159265358979323846264338")


@dataclass
class Law:
    """A driver's motion as text of a model file and as a function."""

    text: str
    at: object


def linear(start, way):
    return Law(f"{start!r} + {way!r}*t", lambda t: start + way * t)


def pulse(start, way, times):
    """There and back `times` times within 0 ≤ t ≤ 1; at rest, with three of its rates, at its ends."""
    return Law(f"{start!r} + {way!r}*sin({times}*pi*t)**4", lambda t: start + way * np.sin(times * PI * t) ** 4)


@dataclass
class Machine:
    """A model, and for every body a function of time that gives its origin and the direction of its axes."""

    size: float
    model: mubo.Model
    law: Law | None = None
    bodies: dict = field(default_factory=dict)  # name: function of (t, places) to (origin, direction)
    stages: list = field(default_factory=list)  # functions of (t, places) to radicands; they fill places
    near: float = 0.0  # of a machine near a change point: the length by which it misses it

    def places(self, t):
        """Of every link its origin and direction at the times t, and the least radicand, 0 or less beyond a lock."""
        t = np.atleast_1d(np.asarray(t, REAL))
        places = {"ground": (COMPLEX(0) * t, COMPLEX(1) + 0 * t)}
        radicands = [np.ones(len(t), REAL), *(stage(t, places) for stage in self.stages)]
        return places, np.min([np.broadcast_to(r, t.shape) for r in radicands], axis=0)

    def point(self, places, pin):
        body, at = pin
        origin, direction = places[body]
        return origin + direction * COMPLEX(at)

    def body(self, name, origin, direction, points, random, noise, turns=0):
        """Drawn near its place, up to whole turns."""
        at = complex(origin) + self.size * noise * complex(*random.normal(size=2))
        angle = float(np.angle(complex(direction))) + noise * random.normal() + 2 * np.pi * turns
        self.model.body(name, (at.real, at.imag), angle, {key: (z.real, z.imag) for key, z in points.items()})

    def lock(self, end=1.0, count=4001):
        """When the first radicand vanishes, or None; and the least radicand before."""
        t = np.linspace(REAL(0), REAL(end), count)
        least = self.places(t)[1]
        dips = [k for k in range(1, count - 1) if least[k] <= least[k - 1] and least[k] <= least[k + 1]]
        for k in dips:
            if least[k] > 0.1:
                continue
            fine = np.linspace(t[k - 1], t[k + 1], 101)
            for _ in range(5):
                here = self.places(fine)[1]
                j = int(np.argmin(here))
                fine = np.linspace(fine[max(j - 1, 0)], fine[min(j + 1, 100)], 101)
            t, least = np.insert(t, k, fine[50]), np.insert(least, k, np.min(here))
            order = np.argsort(t)
            t, least = t[order], least[order]
        beyond = np.flatnonzero(least <= 0)
        if not len(beyond):
            return None, float(np.min(least))
        low, high = t[max(beyond[0] - 1, 0)], t[beyond[0]]
        for _ in range(70):
            middle = (low + high) / 2
            low, high = (middle, high) if self.places(middle)[1][0] > 0 else (low, middle)
        return float(low), float(np.min(least[: beyond[0]], initial=1.0))


def corner(p, q, from_p, from_q, side):
    """The pin of a dyad, left of pq for side 1, and its radicand h² / (h² + k² + (1 − k)²)."""
    d = q - p
    square = (d * np.conj(d)).real
    k = (square + REAL(from_p) ** 2 - REAL(from_q) ** 2) / (2 * square)
    h = REAL(from_p) ** 2 / square - k * k
    return p + d * (k + 1j * side * np.sqrt(np.maximum(h, 0))), h / (np.abs(h) + k * k + (1 - k) ** 2)


def crank(random, size, law, noise=1e-4, turns=0, length=None):
    """A machine that is only a crank at the origin so far."""
    machine = Machine(size, mubo.Model("machine"), law)
    length = float(size * 10 ** random.uniform(-0.8, 0.2)) if length is None else length
    machine.model.ground.point("O", (0, 0))

    def stage(t, places):
        places["crank"] = (COMPLEX(0) * t, np.exp(1j * law.at(t)))
        return np.ones(len(t), REAL)

    machine.stages.append(stage)
    start = law.at(REAL(0))
    # the estimate follows the driver, whole turns and all
    whole = round(float(start) / (2 * np.pi)) if abs(float(start)) > np.pi else 0
    direction = np.exp(1j * float(start))
    machine.body("crank", 0, direction, {"O": 0j, "A": complex(length)}, random, noise, turns + whole)
    machine.model.revolute("O", "ground.O", "crank.O")
    machine.model.driver("motor", "crank.phi", law.text)
    return machine, ("crank", complex(length), "crank.A")


def ground_pin(machine, z):
    name = f"G{len(machine.model.ground.points)}"
    machine.model.ground.point(name, (z.real, z.imag))
    return "ground", z, f"ground.{name}"


def dyad(machine, random, p, q, noise, lengths=None, side=None):
    """Two links on the pins p and q; gives a pin on the first of them to go on from."""
    number = len(machine.stages)
    one, two = f"link{number}", f"rocker{number}"
    start = machine.places(0)[0]
    a, b = (complex(machine.point(start, pin[:2])[0]) for pin in (p, q))
    gap = abs(a - b)
    size = machine.size if gap < 4 * machine.size else gap / 2  # links of up to 2.5 sizes must reach across
    while lengths is None:
        lengths = tuple(float(x) for x in size * 10 ** random.uniform(-0.4, 0.4, 2))
        lengths = lengths if abs(lengths[0] - lengths[1]) < 0.95 * gap and sum(lengths) > 1.05 * gap else None
        gap = max(gap, 0.2 * machine.size) if lengths is None and gap < 0.2 * machine.size else gap
    side = float(random.choice([-1, 1])) if side is None else side

    def stage(t, places):
        at_p, at_q = machine.point(places, p[:2]), machine.point(places, q[:2])
        c, radicand = corner(at_p, at_q, *lengths, side)
        places[one], places[two] = (at_p, (c - at_p) / REAL(lengths[0])), (at_q, (c - at_q) / REAL(lengths[1]))
        return radicand

    machine.stages.append(stage)
    places, _ = machine.places(0)
    third = machine.size * complex(*random.normal(0, 0.4, 2))
    turned = [int(k) for k in random.integers(-1, 2, 2)]  # links may be drawn a whole turn on
    for name, length, turns in ((one, lengths[0], turned[0]), (two, lengths[1], turned[1])):
        origin, direction = (x[0] for x in places[name])
        points = {"P": 0j, "C": complex(length), "S": third}
        machine.body(name, origin, direction, points, random, noise, turns)
    machine.model.revolute(f"P{number}", p[2], f"{one}.P")
    machine.model.revolute(f"Q{number}", q[2], f"{two}.P")
    machine.model.revolute(f"C{number}", f"{one}.C", f"{two}.C")
    return one, third, f"{one}.S"


def slider(machine, random, p, noise, turned):
    """A link on the pin p whose end carries a block on a straight guide of the ground."""
    number = len(machine.stages)
    one, block = f"link{number}", f"block{number}"
    at = complex(machine.point(machine.places(0)[0], p[:2])[0])
    line = np.exp(1j * random.uniform(-3, 3))
    foot = at + machine.size * complex(*random.normal(0, 0.3, 2))
    offset = ((at - foot) * np.conj(line)).imag
    length = float(abs(offset) * random.uniform(1.1, 2) + 0.4 * machine.size)
    side = float(random.choice([-1, 1]))

    def stage(t, places):
        at_p = machine.point(places, p[:2])
        along = (at_p - foot) * np.conj(COMPLEX(line))
        square = REAL(length) ** 2 - along.imag**2
        end = foot + COMPLEX(line) * (along.real + side * np.sqrt(np.maximum(square, 0)))
        places[one] = (at_p, (end - at_p) / REAL(length))
        places[block] = (end, COMPLEX(line) + 0 * t)
        return square / REAL(length) ** 2

    machine.stages.append(stage)
    places, _ = machine.places(0)
    third = machine.size * complex(*random.normal(0, 0.4, 2))
    machine.body(one, places[one][0][0], places[one][1][0], {"P": 0j, "C": complex(length), "S": third}, random, noise)
    machine.body(block, places[block][0][0], line, {"C": 0j}, random, 0.0, int(random.integers(-1, 2)) if turned else 0)
    foot_pin = ground_pin(machine, foot)
    angle = float(np.angle(line)) if turned else machine.model.bodies[block].angle
    machine.model.revolute(f"P{number}", p[2], f"{one}.P")
    machine.model.revolute(f"C{number}", f"{one}.C", f"{block}.C")
    machine.model.translational(f"T{number}", foot_pin[2], f"{block}.C", (line.real, line.imag), angle)
    return one, third, f"{one}.S"
