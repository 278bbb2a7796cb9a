"""Random problems of optimisation: `python tests/campaigns/optimised.py --seconds 600 [--first SEED]`.

No design that is returned may fail to run. Judged by closed forms, apart from mubo's own equations: at every angle of
the crank the two links must reach from the crank pin to the other side, |b − c| ≤ BD ≤ b + c (of a slider-crank
|h − a sin θ| ≤ b), and the file that was written, read and run again, must stand on the side of BD on which the design
in hand does. Goals and limits are measured again there. A case is its seed and its family: `four_bar`s whose crank goes
some way or round, `slider_crank`s. Bounds are wide: many designs in them lock or cannot be assembled.
"""

import tempfile
from pathlib import Path

import numpy as np
from tallied import campaign

import mubo
from mubo.design.objectives import value_of
from mubo.design.sweep import objectives_of

FAMILIES = ("four_bar", "slider_crank")
ROWS = 24
GOALS = {
    "four_bar": (
        "range P.x",
        "range P.y",
        "max P.y",
        "rms P.y",
        "largest rocker.omega",
        "range rocker.phi",
        "mean P.x",
    ),
    "slider_crank": ("range slide.x", "largest slide.vx", "max slide.ax", "mean slide.x", "range P.y"),
}
SHARE = 1e-5  # of a limit: what it may be missed by


def problem(seed, family):
    """The model of a case, closed as drawn, and the options of its optimisation."""
    random = np.random.default_rng([seed, FAMILIES.index(family)])
    make = four_bar if family == "four_bar" else slider_crank
    while True:
        model, lengths = make(random)
        try:
            run = model.kinematics()
        except mubo.MuboError:
            continue
        if run.summary["status"] == "ok":
            break
    chosen = random.choice(list(lengths), int(random.integers(1, len(lengths) + 1)), replace=False)
    vary = {str(n): [lengths[n] * random.uniform(0.3, 0.98), lengths[n] * random.uniform(1.02, 3)] for n in chosen}
    goals = [str(text) for text in random.permutation(GOALS[family])]
    asked = {"vary": vary, "starts": int(random.choice([1, 1, 1, 2])), "workers": 1, "seed": seed % 1000}
    (numbers,) = model.sweep({"u": [1.0]}, goals, workers=1).values
    if random.random() < 0.3:
        aimed = {goals[0]: float(numbers[0] * random.uniform(0.6, 1.5)), goals[1]: float(numbers[1])}
        asked["fit"] = aimed
    else:
        asked[str(random.choice(["minimize", "maximize"]))] = goals[0]
    limits = [
        f"{text} {random.choice(['>=', '<='])} {number * random.uniform(0.8, 1.2):.9g}"
        for text, number in zip(goals[2:4], numbers[2:4], strict=True)
    ]
    asked["constraints"] = limits[: int(random.integers(0, 3))]
    return model, asked


def bench(random, lengths):
    model = mubo.Model("case", units={"length": "m", "angle": "rad"})
    for name, value in lengths.items():
        model.parameter(name, float(value))
    model.parameter("u", 1.0)  # nothing uses it: a sweep of it measures the design in hand
    model.ground.point("A", (0, 0))
    start, way = random.uniform(-3, 3), float(random.choice([2 * np.pi, 2 * np.pi, 1.5, 3.0]))
    model.body("crank", angle=start, points={"A": (0, 0), "B": ("a", 0)})
    model.revolute("A", "ground.A", "crank.A")
    model.driver("motor", "crank.phi", f"{start!r} + {way!r}*t")
    model.analysis = mubo.model.Analysis("kinematics", {"start": 0.0, "end": 1.0, "step": 1 / ROWS})
    return model, start


def four_bar(random):
    """Lengths of any proportion; P somewhere on the coupler."""
    a, b, c, d = random.uniform(0.5, 3, 4)
    lengths = {"a": a, "b": b, "c": c, "d": d}
    model, start = bench(random, lengths)
    pin = a * np.exp(1j * start)
    reach = abs(d - pin)
    foot = (reach**2 + b**2 - c**2) / (2 * reach)
    side = float(random.choice([-1, 1])) * np.sqrt(max(b**2 - foot**2, 0.0))
    joint = pin + (d - pin) / reach * (foot + 1j * side)
    model.ground.point("D", ("d", 0))
    at = (pin.real, pin.imag)
    model.body("coupler", position=at, angle=float(np.angle(joint - pin)), points={"B": (0, 0), "C": ("b", 0)})
    model.body("rocker", position=(d, 0), angle=float(np.angle(joint - d)), points={"D": (0, 0), "C": ("c", 0)})
    model.revolute("B", "crank.B", "coupler.B")
    model.revolute("C", "coupler.C", "rocker.C")
    model.revolute("D", "ground.D", "rocker.D")
    model.point("P", "coupler", (f"{random.uniform(-0.5, 1.5):.4f}*b", f"{random.uniform(-1, 1):.4f}*b"))
    return model, lengths


def slider_crank(random):
    """A slide on the line y = h; P somewhere on the rod."""
    a, b, h = random.uniform(0.3, 1.5), random.uniform(1, 4), random.uniform(-1, 1)
    lengths = {"a": a, "b": b}
    model, start = bench(random, lengths)
    pin = a * np.exp(1j * start)
    along = float(random.choice([-1, 1])) * np.sqrt(max(b**2 - (h - pin.imag) ** 2, 0.0))
    end = complex(pin.real + along, h)
    model.ground.point("G", (0, h))
    at = (pin.real, pin.imag)
    model.body("rod", position=at, angle=float(np.angle(end - pin)), points={"B": (0, 0), "C": ("b", 0)})
    model.body("slide", position=(end.real, end.imag), points={"C": (0, 0)})
    model.revolute("B", "crank.B", "rod.B")
    model.revolute("C", "rod.C", "slide.C")
    model.translational("guide", "ground.G", "slide.C", axis=(1, 0), angle=0)
    model.point("P", "rod", (f"{random.uniform(0.2, 1.2):.4f}*b", f"{random.uniform(-0.5, 0.5):.4f}*b"))
    return model, lengths


EXAMPLE = Path(__file__).parents[2] / "examples" / "parameters.toml"


def reaches(model, family, run):
    """Least share of room that the closed form leaves between the links, and the side of every row."""
    p = {name: float(entry.value) for name, entry in model.parameters.items()}
    law = model.drivers["motor"].motion
    angles = law(np.linspace(0, 1, 2001))[:, 0]
    pins = p["a"] * np.exp(1j * angles)
    if family == "four_bar":
        between = np.abs(p["d"] - pins)
        room = np.minimum(p["b"] + p["c"] - between, between - abs(p["b"] - p["c"])) / (p["b"] + p["c"])
        x, y, turn = run["coupler.x"], run["coupler.y"], run["coupler.phi"]
        side = (p["d"] - x) * np.sin(turn) + y * np.cos(turn)  # cross product of D − B and the coupler
    else:
        h = model.bodies["ground"].points["G"][1]
        room = (p["b"] - np.abs(h - pins.imag)) / p["b"]
        side = run["slide.x"] - run["rod.x"]
    return float(room.min()), np.sign(side)


def case(seed, family):
    model, asked = problem(seed, family)
    limits = asked["constraints"]
    try:
        found = model.optimize(**asked)
    except mubo.DesignError as error:
        return ("right: none, told why", "") if limits or "proof" in str(error) else ("WRONG: none", str(error))
    except mubo.MuboError as error:
        return "WRONG: refused", str(error).splitlines()[0]
    with tempfile.TemporaryDirectory() as folder:
        found.save(Path(folder) / "found.toml")
        again = mubo.load(Path(folder) / "found.toml")
    run = again.kinematics()
    if run.summary["status"] != "ok":
        return "WRONG: does not run", run.events[-1].message
    room, side = reaches(again, family, run)
    if room < -1e-9:
        return "WRONG: its links do not reach", f"{room:.3g}"
    before = reaches(model, family, model.kinematics())[1]
    if len({*side[np.abs(side) > 0], *before[np.abs(before) > 0]}) > 1 and room > 1e-6:
        return "WRONG: other branch", ""
    for text in limits:
        measure, sign, value = text.rsplit(" ", 2)
        number = value_of(objectives_of(again.build(), [measure])[0], run)
        if (number - float(value)) * (1 if sign == "<=" else -1) > SHARE * abs(float(value)):
            return "WRONG: misses a limit", f"{text}: {number}"
    better = found.aim[1] - found.aim[0] if "maximize" not in asked else found.aim[0] - found.aim[1]
    met = found.asked.problem.missed(found.asked.first) == 0
    if met and better > 1e-6 * abs(found.aim[0]):
        return "WRONG: worse than the start", f"{found.aim}"
    return ("right: better" if better < -1e-6 * abs(found.aim[0]) else "right: no better than the start" if met else
            "right: limits met"), ""  # fmt: skip


if __name__ == "__main__":
    campaign(__doc__, FAMILIES, case)
