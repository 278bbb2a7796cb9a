"""Random trains, cams, cognates, dwells, fronts and choices: `python tests/campaigns/designed.py --cases 40`.

No design that is returned may fail to run or miss a limit. Each is written, read and run again, and judged apart from
what answered it: `planetary` by Willis and the assembly of teeth in whole numbers, `cam` by the motion asked for and
what the run says of pressure angle and curvature, `cognates` by the curve of the given linkage, `dwell` by the output
in the dwell, `front` by dominance and the law of cosines of a crank-rocker, `choice` by all combinations.
"""

import itertools
import math
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
from tallied import campaign

import mubo

FAMILIES = ("planetary", "cam", "cognates", "dwell", "front", "choice")
EXAMPLE = Path(__file__).parents[2] / "examples" / "parameters.toml"
TIMES = {"start": 0, "end": 1, "step": 0.1}


def again(model):
    """The run of a model that was written and read."""
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "found.toml")
        return mubo.load(Path(folder) / "found.toml").kinematics()


def planetary(random):
    s, p = (int(n) for n in random.integers(17, 40, 2))
    R = (s + 2 * p) / s
    ratio = float(random.choice([1 + R, 1 / (1 + R), 1 + 1 / R, -R, -1 / R]) * random.uniform(0.97, 1.03))
    planets, tolerance = int(random.integers(2, 6)), float(random.choice([0.0, 0.01, 0.03]))
    try:
        found = mubo.synthesize.planetary(ratio, planets=planets, tolerance=tolerance, most=4)
    except mubo.ModelError as error:
        return ("right: none, and the nearest", "") if "no train" in str(error) else ("WRONG: refused", str(error))
    for number, design in enumerate(found.designs, 1):
        run, lengths = again(found.model(number)), design.lengths
        if run.summary["status"] != "ok":
            return "WRONG: does not run", run.events[-1].message
        first, last = design.label.partition(",")[0].split(" to ")
        turned = run[f"{first}.omega"][5] / run[f"{last}.omega"][5]
        if abs(turned / ratio - 1) > tolerance + 1e-9:
            return "WRONG: misses the ratio", f"{turned} for {ratio}"
        sun, planet, ring = (int(lengths[f"{name} teeth"]) for name in ("sun", "planet", "ring"))
        if Fraction(sun + ring, planets).denominator != 1 or ring != sun + 2 * planet:
            return "WRONG: cannot be assembled", f"{sun} {planet} {ring}"
        if (sun + planet) * math.sin(math.pi / planets) <= planet + 2:
            return "WRONG: planets touch", f"{sun} {planet}"
    return "right: trains", ""


def cam(random):
    follower = str(random.choice(["roller", "flat", "arm-roller", "arm-flat"]))
    law = str(random.choice(["cycloidal", "3-4-5", "4-5-6-7", "modified sine"]))
    rise = float(random.uniform(5, 25))
    turns = random.multinomial(24, [0.3, 0.2, 0.3, 0.2]) * 10 + 30
    parts = [(int(turns[0]), rise, law), (int(turns[1]),), (int(turns[2]), -rise, law), (int(turns[3]),)]
    limits = {"pressure": float(random.uniform(20, 45)), "curvature": float(random.uniform(2, 8))}
    sizes = {"centres": 100.0, "arm": float(random.uniform(60, 110))} if follower.startswith("arm") else {}
    sizes |= {"roller": float(random.uniform(3, 12))} if follower.endswith("roller") else {}
    try:
        found = mubo.synthesize.cam(parts, follower=follower, length="mm", **limits, **sizes)
    except mubo.ModelError as error:
        return ("right: none", "") if "no base circle" in str(error) else ("WRONG: refused", str(error))
    if not len(found):
        return "WRONG: does not run", found.rejected[0].verdict()
    run = again(found.model(1))
    if np.max(np.abs(run["contact.pressure_angle"])) > limits["pressure"] * (1 + 2e-3) + 1e-3:
        return "WRONG: pressure angle", f"{np.max(np.abs(run['contact.pressure_angle']))} for {limits['pressure']}"
    radius = np.min(run["contact.rho"][run["contact.rho"] > 0])
    if radius < 0.9 * limits["curvature"] - 0.05:
        return "WRONG: too sharp", f"{radius} for {limits['curvature']}"
    travel = run["arm.phi"] if follower.startswith("arm") else run["follower.y"]
    if abs(np.ptp(travel) - rise) > 0.01 * rise:
        return "WRONG: another rise", f"{np.ptp(travel)} for {rise}"
    return f"right: {follower}", ""


def cognates(random):
    a, b, c, d = random.uniform(0.5, 3, 4)
    u = d - a  # drawn with the crank along the ground
    if not abs(b - c) < 0.9 * abs(u) < 0.8 * (b + c):
        return "right: not drawn", ""
    along = (b**2 - c**2 + u**2) / (2 * u)
    C = complex(a + along, math.sqrt(max(b**2 - along**2, 0)))
    model = mubo.Model("case", units={"length": "m", "angle": "rad", "time": "s"})
    model.ground.point("A", (0, 0))
    model.ground.point("D", (d, 0))
    model.body("crank", points={"A": (0, 0), "B": (a, 0)})
    model.body("coupler", position=(a, 0), angle=float(np.angle(C - a)), points={"B": (0, 0), "C": (b, 0)})
    model.body("rocker", position=(d, 0), angle=float(np.angle(C - d)), points={"D": (0, 0), "C": (c, 0)})
    for joint, ends in {"A": "ground crank", "B": "crank coupler", "C": "coupler rocker", "D": "rocker ground"}.items():
        model.revolute(joint, *(f"{end}.{joint}" for end in ends.split()))
    model.driver("motor", "crank.phi", f"{random.choice([-0.2, 0.2])}*t")
    model.point("P", "coupler", tuple(random.uniform(-1, 2, 2)))
    model.analysis = mubo.model.Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / 120})
    wanted = model.kinematics()
    if wanted.summary["status"] != "ok":
        return "right: locks", ""
    found = mubo.synthesize.cognates(model)
    if len(found) != 4:
        return "WRONG: a cognate does not run", "; ".join(one.verdict() for one in found.rejected)
    for number in range(1, 5):
        run = again(found.model(number))
        gap = np.hypot(run["P.x"] - wanted["P.x"], run["P.y"] - wanted["P.y"]).max()
        if gap > 1e-10:
            return "WRONG: another curve", f"{gap}"
    return "right: four curves", ""


def dwell(random):
    angle, swing = float(random.uniform(30, 100)), float(random.uniform(10, 35))
    by = str(random.choice(["arc", "line"]))
    found = mubo.synthesize.dwell(angle, swing, by=by, most=1, seed=int(random.integers(1000)))
    for number in range(1, len(found) + 1):
        run = again(found.model(number))
        if run.summary["status"] != "ok":
            return "WRONG: does not run", run.events[-1].message
        stands = run["crank.phi"] - run["crank.phi"][0] <= angle * (1 + 1e-9)
        if np.ptp(run["output.phi"][stands]) > 0.05 * swing * (1 + 1e-9):
            return "WRONG: no dwell", f"{np.ptp(run['output.phi'][stands])} of {swing}"
        if abs(np.ptp(run["output.phi"]) - swing) > 0.02 * swing:
            return "WRONG: another swing", f"{np.ptp(run['output.phi'])} for {swing}"
    return (f"right: by {by}" if len(found) else f"right: none by {by}"), ""


def swing_of(a, c, d):
    """Of the rocker of parameters.toml, whose coupler is three times the crank, in degrees."""
    ends = [math.acos((c**2 + d**2 - (3 * a + s * a) ** 2) / (2 * c * d)) for s in (1, -1)]
    return math.degrees(ends[0] - ends[1])


def transmission_of(a, c, d):
    """Where crank and ground line up, in degrees."""
    angles = [math.degrees(math.acos((9 * a**2 + c**2 - (d + s * a) ** 2) / (6 * a * c))) for s in (1, -1)]
    return min(min(angle, 180 - angle) for angle in angles)


def front(random):
    low = float(random.uniform(0.03, 0.038))
    least = float(random.uniform(15, 30))
    found = mubo.load(EXAMPLE).pareto(
        {"a": [low, low + 0.012], "c": [0.1, 0.12]}, maximize=["swing", "transmission"],
        constraints=[f"transmission >= {least} deg"], designs=4, starts=1, seed=int(random.integers(100)), workers=1,
        **TIMES,
    )  # fmt: skip
    goals = np.array([found["swing"], found["transmission"]])
    if np.any(goals[1] < least * (1 - 1e-5)):
        return "WRONG: misses a limit", f"{goals[1]} for {least}"
    for one, other in itertools.permutations(goals.T, 2):
        if np.all(other > one + 1e-9):
            return "WRONG: a design is dominated", f"{one} {other}"
    for a, c, swing, angle in zip(found["a"], found["c"], *goals, strict=True):
        if abs(swing_of(a, c, 0.12) - swing) > 1e-4 or abs(transmission_of(a, c, 0.12) - angle) > 1e-3:
            return "WRONG: other numbers", f"{swing} {angle}"
    return f"right: {len(found)} designs", ""


def choice(random):
    stock = {name: sorted({round(float(x), 4) for x in random.uniform(0.1, 0.14, 4)}) for name in ("c", "d")}
    target = float(random.uniform(36, 50))
    best = min(itertools.product(*stock.values()), key=lambda pair: abs(swing_of(0.04, *pair) - target))
    found = mubo.load(EXAMPLE).optimize(fit={"swing": f"{target} deg"}, choices=stock, starts=2, workers=1, **TIMES)
    pair = tuple(found.parameters[name][1] for name in ("c", "d"))
    off = abs(swing_of(0.04, *pair) - target)
    if off > abs(swing_of(0.04, *best) - target) + 1e-9:
        return "WRONG: not the best combination", f"{pair} for {best}"
    return "right: the best combination", ""


def case(seed, family):
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    solve = {"planetary": planetary, "cam": cam, "cognates": cognates, "dwell": dwell, "front": front, "choice": choice}
    try:
        return solve[family](random)
    except mubo.MuboError as error:
        return "WRONG: refused", str(error).splitlines()[0]


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)
