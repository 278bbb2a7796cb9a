"""Random problems of synthesis and of designs with cases: `python tests/campaigns/synthesised.py --cases 70 --first 1`.

No design that is returned may fail to run or miss what it was asked for. Judged from the file that was written, read
and run again: `two_poses` by places and angles of the coupler, `formula` by the output at Chebyshev's points and by the
structural error over the range, `cases` by the limit at every case in closed form of a crank-rocker's swing, `path` by
the places of the point in their order (and the crank's angles there), `function` by the output at the pairs, `cam` by
the pressure angle and the radius of the edge that the run draws.
"""

import math
import tempfile
from pathlib import Path

import numpy as np
from tallied import campaign

import mubo

FAMILIES = ("two_poses", "formula", "cases", "path", "function", "cam")
PATHS = ("inverted-slider", "geared-five-bar", "watt", "stephenson")
FUNCTIONS = ("inverted-slider", "watt", "stephenson")
FORMULAS = ("log(x)", "x^2", "sqrt(x)", "1/x", "exp(x)", "sin(x/2)", "x^1.5")
EXAMPLE = Path(__file__).parents[2] / "examples" / "parameters.toml"


def again(model):
    """The run of a model that was written and read."""
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "found.toml")
        return mubo.load(Path(folder) / "found.toml").kinematics()


def two_poses(random):
    poses = [(*random.uniform(-10, 10, 2), random.uniform(-170, 170)) for _ in range(2)]
    pivots = [tuple(random.uniform(-20, 20, 2)) for _ in range(2)] if random.random() < 0.6 else None
    found = mubo.synthesize.motion([[float(x) for x in pose] for pose in poses], pivots=pivots, most=4)
    for number in range(1, len(found) + 1):
        run = again(found.model(number))
        if run.summary["status"] != "ok":
            return "WRONG: does not run", run.events[-1].message
        gaps = [
            max(abs(run[f"coupler.{axis}"][row] - pose[k]) for k, axis in enumerate("xy"))
            + abs(math.remainder(run["coupler.phi"][row] - pose[2], 360))
            for row, pose in zip((0, -1), poses, strict=True)
        ]
        if max(gaps) > 1e-6:
            return "WRONG: misses a pose", f"{gaps}"
    return ("right: designs" if len(found) else "right: none"), ""


def formula(random):
    text, first = str(random.choice(FORMULAS)), random.uniform(0.5, 1.5)
    ends, count = (first, first + random.uniform(0.5, 1.5)), int(random.integers(3, 6))
    crank, swing = (float(random.uniform(30, 100) * random.choice([-1, 1])) for _ in range(2))
    found = mubo.synthesize.formula(text, ends, crank=crank, output=swing, points=count, most=3)
    f = eval(f"lambda x: {text.replace('^', '**')}", vars(np) | {})
    nodes = (ends[0] + ends[1]) / 2 - (ends[1] - ends[0]) / 2 * np.cos(
        (2 * np.arange(1, count + 1) - 1) * np.pi / (2 * count)
    )
    for number in range(1, len(found) + 1):
        run = again(found.model(number))
        if run.summary["status"] != "ok":
            return "WRONG: does not run", run.events[-1].message
        x = ends[0] + (run["crank.phi"] - run["crank.phi"][0]) / crank * (ends[1] - ends[0])
        if abs(x[-1] - ends[1]) > 1e-6:
            return "WRONG: not the whole range", f"{x[-1]} for {ends[1]}"
        error = run["rocker.phi"] - swing * f(x) / (f(ends[1]) - f(ends[0]))
        at_nodes = np.interp(nodes, x, error)
        stated = found[number].errors["structural"]
        if np.ptp(at_nodes) > 0.02 * np.ptp(error) + 1e-6:
            return "WRONG: misses a precision point", f"{np.ptp(at_nodes):.3g} of {np.ptp(error):.3g}"
        if abs(np.max(np.abs(error - at_nodes[0])) - stated) > 0.02 * stated + 1e-6:
            return "WRONG: another structural error", f"{stated}"
    return ("right: designs" if len(found) else "right: none"), ""


def swing(a, c, d):
    """Of the rocker of parameters.toml, whose coupler is three times the crank, in degrees."""
    ends = [math.acos((c**2 + d**2 - (3 * a + s * a) ** 2) / (2 * c * d)) for s in (1, -1)]
    return math.degrees(ends[0] - ends[1])


def cases(random):
    model = mubo.load(EXAMPLE)
    off = {name: float(random.uniform(1e-4, 1e-3)) for name in ("a", "c", "d")[: int(random.integers(1, 4))]}
    for name, size in off.items():
        model.set_tolerance(name, size)
    most = float(random.uniform(38, 46))
    limit = f"swing <= {most!r} deg"
    try:
        found = model.optimize(
            {"a": [0.03, 0.05]}, maximize="swing", constraints=[limit], cases="tolerances", starts=1, workers=1,
            start=0, end=1, step=0.1,
        )  # fmt: skip
    except mubo.DesignError as error:
        return ("right: none, and why", "") if "swing" in str(error) else ("WRONG: none", str(error))
    a = found.parameters["a"][1]
    steps = [(-off.get(name, 0.0), off.get(name, 0.0)) for name in ("a", "c", "d")]
    worst = max(swing(a + x, 0.11 + y, 0.12 + z) for x in steps[0] for y in steps[1] for z in steps[2])
    if worst > most * (1 + 1e-5):
        return "WRONG: misses a limit", f"{worst} for {most}"
    if found.run.summary["status"] != "ok" or not found.proof.holds:
        return "WRONG: does not run", ""
    return ("right: limit reached" if worst > most * (1 - 1e-4) else "right: below the limit"), ""


def path(random):
    linkage, count = str(random.choice(PATHS)), int(random.integers(3, 8))
    angles = np.sort(random.uniform(0.0, 2 * np.pi, count))
    places = random.uniform(0.5, 2.0) * np.cos(angles) + 1j * np.sin(angles) + 0.2 * np.exp(2j * angles)
    places = 20 * places + 0.5 * (random.normal(size=count) + 1j * random.normal(size=count))
    timed = count < 6 and random.random() < 0.4
    rows = [[z.real, z.imag, *([math.degrees(a)] if timed else [])] for z, a in zip(places, angles, strict=True)]
    found = mubo.synthesize.path(rows, linkages=[linkage], rounds=1, most=2)
    for number in range(1, len(found) + 1):
        design, run = found[number], again(found.model(number))
        if run.summary["status"] != "ok":
            return "WRONG: does not run", run.events[-1].message
        if np.any(np.diff(design.times) <= 0):
            return "WRONG: another order", f"{design.times}"
        at = run.record.between(np.clip(design.times, 0, 1))
        off = np.hypot(at["P.x"] - places.real, at["P.y"] - places.imag).max()
        if abs(off - design.errors["place"]) > 1e-6:
            return "WRONG: misses a point", f"{linkage}: {off} for {design.errors['place']}"
        turned = np.abs(np.radians(at["crank.phi"] - at["crank.phi"][0]))
        if timed and np.max(np.abs(turned - (angles - angles[0]))) > 1e-6:
            return "WRONG: another crank angle", f"{turned}"
    exact = len(found) and found[1].errors["place"] < 1e-6
    return (f"right: {linkage}, {'exact' if exact else 'near' if len(found) else 'none'}"), ""


def function(random):
    linkage, count = str(random.choice(FUNCTIONS)), int(random.integers(3, 7))
    steps = random.uniform([5, 3], [30, 25], (count - 1, 2)) * random.choice([-1, 1], 2)
    pairs = np.concatenate([[[0, 0]], np.cumsum(steps, axis=0)])
    found = mubo.synthesize.function(pairs.tolist(), linkage=linkage, most=2)
    for number in range(1, len(found) + 1):
        design, run = found[number], again(found.model(number))
        if run.summary["status"] != "ok":
            return "WRONG: does not run", run.events[-1].message
        at = run.record.between(np.clip(design.times, 0, 1))
        turned = at["crank.phi"] - at["crank.phi"][0]
        off = at["output.phi"] - at["output.phi"][0] - pairs[:, 1]
        if np.max(np.abs(turned - pairs[:, 0])) > 1e-6:
            return "WRONG: another crank angle", f"{turned}"
        if abs(np.max(np.abs(off)) - design.errors["angle"]) > 1e-6:
            return "WRONG: misses a pair", f"{linkage}: {off}"
    exact = len(found) and found[1].errors["angle"] < 1e-6
    return (f"right: {linkage}, {'exact' if exact else 'near' if len(found) else 'none'}"), ""


def cam(random):
    """A rise, a dwell, a return and a dwell; the pressure angle of a roller from the motion that the run has."""
    turns = random.uniform(50, 120, 4)
    turns *= 360 / turns.sum()
    kind = str(random.choice(["roller", "flat"]))
    rise, law = float(random.uniform(5, 30)), str(random.choice(["cycloidal", "3-4-5", "4-5-6-7"]))
    parts = [(float(turns[0]), rise, law), (float(turns[1]),), (float(turns[2]), -rise, law)]
    parts.append((360 - float(turns[:3].sum()),))
    most, roller = float(random.uniform(20, 40)), float(random.uniform(0, 10)) * (kind == "roller")
    offset, least = float(random.uniform(-4, 4)) * (kind == "roller"), float(random.uniform(0, 5))
    limits = {"pressure": most, "roller": roller, "offset": offset, "curvature": least}
    found = mubo.synthesize.cam(parts, follower=kind, **limits)
    run = again(found.model(1))
    if run.summary["status"] != "ok":
        return "WRONG: does not run", run.events[-1].message
    dphi = 2 * np.pi  # a turn in a second
    y, v, a = run["follower.y"], run["follower.vy"] / dphi, run["follower.ay"] / dphi**2
    tangent = 0 if kind == "flat" else np.max(np.abs(v - offset) / y)
    rho = y + a  # of a flat face
    if kind == "roller":
        z = offset + 1j * y  # turned with the cam: z e^{-i phi}
        first, second = 1j * v - 1j * z, 1j * a + 2 * v - z
        bend = -np.imag(np.conj(first) * second) / np.abs(first) ** 3
        rho = 1 / np.maximum(bend, 1e-12) - roller
    if math.degrees(math.atan(tangent)) > most + 1e-6:
        return "WRONG: steeper than allowed", f"{math.degrees(math.atan(tangent))} for {most}"
    if np.min(rho) < least - 1e-5 * rise:
        return "WRONG: sharper than allowed", f"{np.min(rho)} for {least}"
    return f"right: {kind}", ""


def case(seed, family):
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    judges = {
        "two_poses": two_poses,
        "formula": formula,
        "cases": cases,
        "path": path,
        "function": function,
        "cam": cam,
    }
    try:
        return judges[family](random)
    except mubo.MuboError as error:
        return "WRONG: refused", str(error).splitlines()[0]


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)
