"""Random loops in space against closed forms: `python tests/campaigns/spatial.py --seconds 60 [--first SEED]`.

Families: a crank and a rocker (`rssr`) or a slider (`rssp`) joined by a rod between two balls, and Bennett's linkage of
four hinges, which moves against the count of its degrees of freedom. A case is its seed and its family.
"""

import numpy as np
from machines import REAL, linear, pulse
from tallied import campaign

import mubo

FAMILIES = ("rssr", "rssp", "bennett")
NEAR_SINGULAR = 1e-3  # least radicand at the start: below, the branches of a start are one to an estimate
UNRESOLVED = 1e-6  # least radicand: below, positions are as uncertain as its root


def turned(axis, angle):
    """Rotation matrices about an axis, one per angle (Rodrigues): 1 + sin φ N + (1 − cos φ) N²."""
    x, y, z = np.asarray(axis, REAL) / np.sqrt(np.sum(np.asarray(axis, REAL) ** 2))
    n = np.array([[REAL(0), -z, y], [z, REAL(0), -x], [-y, x, REAL(0)]])
    angle = np.atleast_1d(np.asarray(angle, REAL))[:, None, None]
    return np.eye(3, dtype=REAL) + np.sin(angle) * n + (1 - np.cos(angle)) * (n @ n)


def quaternion(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(np.asarray(axis, float))
    return [float(np.cos(angle / 2)), *(float(part) for part in np.sin(angle / 2) * axis)]


def matrix(w, x, y, z):
    """The rotation of a unit quaternion, one per row."""
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


class Loop:
    """A model of size 1 to an estimate; `places(t)` gives origin and rotation of its bodies, and the radicand."""

    def __init__(self, random):
        self.random, self.model = random, mubo.Model("loop", dimension=3)
        start, way = float(random.uniform(-3, 3)), float(random.choice([-1, 1]) * 10 ** random.uniform(-0.3, 0.8))
        self.law = pulse(start, way, 2) if random.random() < 0.3 else linear(start, way)
        self.start, self.noise = start, float(10 ** random.uniform(-5, -2))

    def direction(self):
        vector = self.random.normal(size=3)
        return vector / np.linalg.norm(vector)

    def hinged(self, name, at, axis, angle, points):
        """A body on a hinge of the ground at its origin, drawn near its place."""
        model, near = self.model, at + self.noise * self.random.normal(size=3)
        model.ground.point(name, tuple(at))
        orientation = quaternion(axis, angle + self.noise * self.random.normal())
        model.body(f"on_{name}", tuple(near), points={name: (0, 0, 0), **points}, orientation=orientation)
        model.joint(name, "revolute", f"ground.{name}", f"on_{name}.{name}", axis=tuple(axis))

    def crank(self):
        """The driven crank; gives the place of its pin B over time."""
        at, axis, arm = 0.3 * self.random.normal(size=3), self.direction(), 0.5 * self.random.normal(size=3)
        self.hinged("A", at, axis, self.start, {"B": tuple(arm)})
        self.model.driver("motor", "A", self.law.text)

        def places(t):
            rotation = turned(axis, self.law.at(t))
            return np.broadcast_to(at.astype(REAL), (len(t), 3)), rotation

        return places, lambda t: at + places(t)[1] @ arm.astype(REAL)


def rssr(random):
    """w = B − D: |B − C| is the rod's length where p cos ψ + q sin ψ = K, ψ the angle of the rocker."""
    loop = Loop(random)
    crank, pin = loop.crank()
    at, axis, arm = random.normal(size=3), loop.direction(), 0.8 * random.normal(size=3)
    angle = float(random.uniform(-3, 3))
    end = at + (turned(axis, angle)[0] @ arm).astype(float)
    rod = float(np.linalg.norm(end - pin(np.zeros(1, REAL))[0].astype(float)))
    axis_, arm_ = axis.astype(REAL), arm.astype(REAL)
    along = axis_ * (axis_ @ arm_)

    def rocker(t):
        w = pin(t) - at
        p, q = w @ (arm_ - along), w @ np.cross(axis_, arm_)
        part = ((np.sum(w * w, axis=1) + arm_ @ arm_ - REAL(rod) ** 2) / 2 - w @ along) / np.hypot(p, q)
        return np.arctan2(q, p), np.arccos(np.clip(part, -1, 1)), 1 - part**2

    middle, spread, _ = (float(value[0]) for value in rocker(np.zeros(1, REAL)))
    side = min((1.0, -1.0), key=lambda s: abs(np.exp(1j * (middle + s * spread)) - np.exp(1j * angle)))
    loop.hinged("D", at, axis, angle, {"C": tuple(arm)})
    loop.model.joint("rod", "distance", "on_A.B", "on_D.C", length=rod)

    def places(t):
        middle, spread, radicand = rocker(t)
        there = (np.broadcast_to(at.astype(REAL), (len(t), 3)), turned(axis, middle + side * spread))
        return {"on_A": crank(t), "on_D": there}, radicand

    loop.places = places
    return loop


def rssp(random):
    """w = B − Q: the slider is at w·u ± √(L² − |w − (w·u) u|²) of its guide."""
    loop = Loop(random)
    crank, pin = loop.crank()
    at, along = random.normal(size=3), loop.direction()
    w = pin(np.zeros(1, REAL))[0].astype(float) - at
    rod = float(np.linalg.norm(w - along * (w @ along)) * random.uniform(1.05, 2.5) + 0.1)
    side, along_ = float(random.choice([-1, 1])), along.astype(REAL)

    def places(t):
        w = pin(t) - at
        k = w @ along_
        square = REAL(rod) ** 2 - (np.sum(w * w, axis=1) - k * k)
        way = k + side * np.sqrt(np.maximum(square, 0))
        there = (at + way[:, None] * along_, np.broadcast_to(np.eye(3, dtype=REAL), (len(t), 3, 3)))
        return {"on_A": crank(t), "slider": there}, square / REAL(rod) ** 2

    first = places(np.zeros(1, REAL))[0]["slider"][0][0].astype(float)
    loop.model.ground.point("Q", tuple(at))
    loop.model.body("slider", tuple(first + loop.noise * random.normal(size=3)), points={"C": (0, 0, 0)})
    loop.model.joint("P", "prismatic", "ground.Q", "slider.C", axis=tuple(along))
    loop.model.joint("rod", "distance", "on_A.B", "slider.C", length=rod)
    loop.places = places
    return loop


def bennett(random):
    """Opposite links have the same length and twist, sin β / b = sin α / a; then tan(θ/2) tan(φ/2) is constant, its
    size that of sin((α + β)/2) / sin((β − α)/2) (Bennett 1903, A new mechanism)."""
    loop = Loop(random)
    loop.start = float(random.choice([-1, 1]) * random.uniform(0.4, 2.7))
    loop.law = linear(loop.start, float(random.choice([-1, 1]) * 10 ** random.uniform(-0.3, 0.8)))
    alpha = float(random.uniform(0.2, 1.2))
    beta = float(random.uniform(alpha + 0.15, min(2.8 - alpha, 2.6)))
    short, long = 1.0, float(np.sin(beta) / np.sin(alpha))
    ratio = -np.sin(REAL(alpha + beta) / 2) / np.sin(REAL(beta - alpha) / 2)
    twists = {"A": alpha, "B": beta, "C": alpha, "D": beta}
    links, model = ("ground", "crank", "coupler", "rocker"), loop.model
    model.ground.point("D", (0, 0, 0))
    model.ground.point("A", (short, 0, 0))
    for name, first, last, length in zip(links[1:], "ABC", "BCD", (long, short, long), strict=True):
        model.body(name, points={first: (0, 0, 0), last: (length, 0, 0)})
    axes = {name: (0.0, -float(np.sin(twist)), float(np.cos(twist))) for name, twist in twists.items()}
    for name, one, two in zip("ABCD", links, (*links[1:], "ground"), strict=True):
        zero = quaternion((1, 0, 0), twists[name])
        model.joint(name, "revolute", f"{one}.{name}", f"{two}.{name}", axis=axes[name], zero=zero)
    model.driver("motor", "A", loop.law.text)

    def other(t):
        half = loop.law.at(t) / 2
        return 2 * np.arctan2(ratio * np.cos(half), np.sin(half))

    begin = float(other(np.zeros(1, REAL))[0])
    for name, angle in (("A", loop.start), ("B", begin), ("C", -loop.start)):
        model.initial(name, q=angle + loop.noise * random.normal())

    def places(t):
        crank = turned(axes["A"], loop.law.at(t)) @ turned((1, 0, 0), alpha)[0]
        pin = np.array([short, 0, 0], REAL) + crank @ np.array([long, 0, 0], REAL)
        coupler = crank @ turned(axes["B"], other(t)) @ turned((1, 0, 0), beta)[0]
        at = np.broadcast_to(np.array([short, 0, 0], REAL), (len(t), 3))
        return {"crank": (at, crank), "coupler": (pin, coupler)}, np.ones(len(t), REAL)

    loop.places = places
    return loop


def lock_of(loop):
    """When the radicand vanishes first, or None; and the least one before."""
    t = np.linspace(REAL(0), REAL(1), 4001)
    least = loop.places(t)[1]
    for k in range(1, len(t) - 1):  # a dip between the samples
        if least[k] <= min(least[k - 1], least[k + 1]) and 0 < least[k] < 0.05:
            fine = np.linspace(t[k - 1], t[k + 1], 4001)
            least[k] = np.min(loop.places(fine)[1])
    beyond = np.flatnonzero(least <= 0)
    if not len(beyond):
        return None, float(np.min(least))
    low, high = t[beyond[0] - 1], t[beyond[0]]
    for _ in range(70):
        middle = (low + high) / 2
        low, high = (middle, high) if loop.places(np.array([middle]))[1][0] > 0 else (low, middle)
    return float(low), float(np.min(least[: beyond[0]]))


def case(seed, family):
    """What came of one case: a word that begins with "right", "skipped" or "WRONG", and what was seen."""
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    loop = {"rssr": rssr, "rssp": rssp, "bennett": bennett}[family](random)
    if loop.places(np.zeros(1, REAL))[1][0] < NEAR_SINGULAR:
        return "skipped: starts nearly singular", ""
    lock, least = lock_of(loop)
    try:
        found = loop.model.kinematics(0.0, 1.0, 1.0 / int(random.choice([2, 5, 12, 30])))
    except mubo.MuboError as error:
        return "WRONG: refused", str(error).split("\n")[0]
    return judged(loop, found, lock, least)


def judged(loop, found, lock, least):
    """The rows on the truth's branch, and the lock told where it is."""
    t = found["t"]
    clear = np.ones(len(t), bool) if lock is None else t < lock
    places, radicands = loop.places(t.astype(REAL))
    clear &= radicands > UNRESOLVED
    for name, (origin, rotation) in places.items():
        seen = np.stack([found[f"{name}.{axis}"] for axis in "xyz"], axis=1)
        turns = matrix(*(found[f"{name}.q{part}"] for part in "wxyz"))
        apart = np.max(np.abs(seen - origin), axis=1) + np.max(np.abs(turns - rotation), axis=(1, 2))
        if apart[0] > 1e-5:
            return "WRONG: starts on another branch", f"{name} is {float(apart[0]):.2g} off"
        off = float(np.max((apart * np.sqrt(radicands.clip(UNRESOLVED)))[clear], initial=0.0))
        if off > 1e-7 and least > UNRESOLVED:
            return "WRONG: position", f"{name} is {off:.2g} off, least radicand {least:.2g}"
    stop = next((event for event in found.events if not event.passed), None)
    if least < UNRESOLVED and found.events:
        return "right: flagged near a singular position", ""
    if lock is None:
        return ("right: moves", "") if stop is None else ("WRONG: stopped without a lock", stop.message)
    if stop is None:
        return "WRONG: a lock missed", f"at t = {lock:.9g}"
    near = abs(stop.t - lock) <= 1e-5
    return ("right: locks", "") if near else ("WRONG: lock misplaced", f"at {stop.t:.9g}, truth {lock:.9g}")


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)
