"""Contacts and impacts beside MuJoCo, at the error that each of them has.

    python benchmarks/contact.py

A ball that bounces (restitution 0.7, two seconds), a block that friction stops on a slope, a slider-crank with
clearance in its pin, a bicycle, and for the growth with the number of contacts rows of bouncing balls and elastic discs
in a box of which any two may meet. The truth of the first two is a closed form; discs in a box keep their energy.
MuJoCo's contacts are soft: its spring and damper are chosen for the restitution, and its step is refined. Whole calls
of mubo, model and columns included; of MuJoCo the steps alone.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np
from timing import EXAMPLES, Competitor, duration, print_table, race, ratio, sized

import mubo

HEIGHT, RADIUS, RESTITUTION, END = 1.2, 0.1, 0.7, 2.0
SLOPE, SPEED, MU = 0.4, 3.0, 0.6
G = 9.81
BALLS = sized((5, 10, 20, 40, 80), (2, 3))
DISCS = sized((16, 36, 64, 100), (9,))
STEPS = sized((1e-3, 1e-4, 1e-5), (1e-3,))


def ball_height(t: float) -> float:
    """Height of the ball's centre at a time: parabolas between impacts."""
    at, fall = np.sqrt(2 * (HEIGHT - RADIUS) / G), np.sqrt(2 * (HEIGHT - RADIUS) * G)
    if t < at:
        return HEIGHT - G * t * t / 2
    speed = fall
    while True:
        speed *= RESTITUTION
        if t < at + 2 * speed / G:
            return float(RADIUS + speed * (t - at) - G * (t - at) ** 2 / 2)
        at += 2 * speed / G


def block_stop() -> float:
    """Distance that the block slides up the slope."""
    return SPEED**2 / (2 * G * (np.sin(SLOPE) + MU * np.cos(SLOPE)))


def balls(count: int) -> mubo.Model:
    """Balls side by side above a floor, at different heights."""
    model = mubo.Model("balls", gravity=[0, -G])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    for k in range(count):
        model.body(f"ball{k}", position=[0.3 * k, HEIGHT - 0.01 * k], angle=0, mass=1, inertia=0.004)
        model.surface(f"rim{k}", body=f"ball{k}", shape="circle", radius=RADIUS)
        model.contact(f"bounce{k}", between=[f"rim{k}", "floor"], restitution=RESTITUTION)
    return model


def discs(count: int) -> mubo.Model:
    """Elastic discs in a square box without gravity, at random velocities; the box grows with their number."""
    model, random = mubo.Model("discs", gravity=[0, 0]), np.random.default_rng(1)
    side, pitch, radius = int(np.ceil(np.sqrt(count))), 0.25, 0.07
    for k in range(count):
        place = [pitch * (k % side + 0.5), pitch * (k // side + 0.5)]
        model.body(f"disc{k}", position=place, angle=0, mass=1, inertia=0.5 * radius**2)
        model.initial(f"disc{k}", velocity=[float(v) for v in random.uniform(-2, 2, 2)], omega=0)
        model.surface(f"rim{k}", body=f"disc{k}", shape="circle", radius=radius)
    for k, (at, normal) in enumerate((((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 1), (0, -1)), ((1, 1), (-1, 0)))):
        corner = [side * pitch * x for x in at]
        model.surface(f"wall{k}", body="ground", shape="plane", at=corner, normal=normal)
    names = [*(f"rim{k}" for k in range(count)), *(f"wall{k}" for k in range(4))]
    model.contact("all", among=names, restitution=1)
    return model


def block() -> mubo.Model:
    """A block on a slope, drawn level, pushed up."""
    model = mubo.Model("block", gravity=[-G * np.sin(SLOPE), -G * np.cos(SLOPE)])
    model.body("block", position=[0, 0.05], angle=0, mass=2, inertia=0.1)
    model.initial("block", velocity=[SPEED, 0], omega=0)
    model.surface("base", body="block", shape="box", size=[0.4, 0.1])
    model.surface("slope", body="ground", shape="plane", normal=[0, 1])
    model.contact("base", between=["base", "slope"], friction=MU)
    return model


SCENE = """
<mujoco><option timestep="{step}" gravity="{gx} 0 {gz}" cone="elliptic" impratio="100" integrator="{integrator}"/>
<worldbody><geom type="plane" size="50 50 1" {contact}/>
<body pos="0 0 {z}"><freejoint/><geom {geom} mass="{mass}" {contact}/></body></worldbody></mujoco>
"""


def in_mujoco(step: float, end: float, velocity: float, **scene: object) -> Callable[[], np.ndarray]:
    """Steps of MuJoCo from rest, or with a velocity along x, to the end; the place of the body there."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(SCENE.format(step=step, **scene))
    data, count = mujoco.MjData(model), round(end / step)

    def run() -> np.ndarray:
        mujoco.mj_resetData(model, data)
        data.qvel[0] = velocity
        mujoco.mj_step(model, data, nstep=count)
        return np.array(data.qpos[:3])

    return run


def races() -> None:
    """Ball and block, with the error of each at the end."""
    ball, slide = balls(1), block()
    stop = SPEED / (G * (np.sin(SLOPE) + MU * np.cos(SLOPE)))
    stiff = 4e6  # per mass; the damper gives the restitution of a linear spring and damper
    damper = -2 * np.log(RESTITUTION) * np.sqrt(stiff / (np.pi**2 + np.log(RESTITUTION) ** 2))
    contacts = {
        "ball": f'solref="-{stiff} -{damper}" solimp="0.9999 0.9999 0.001"',
        "block": f'friction="{MU} 0 0" solimp="0.999 0.999 0.001"',
    }
    cases = [
        ("ball", lambda: ball.simulate(0, END, step=END)["ball0.y"][-1], ball_height(END), END, 2),
        ("block", lambda: slide.simulate(0, 2 * stop, step=2 * stop)["block.x"][-1], block_stop(), 2 * stop, 0),
    ]
    scenes = {
        "ball": {"gx": 0, "gz": -G, "z": HEIGHT, "geom": f'type="sphere" size="{RADIUS}"', "mass": 1},
        "block": {
            "gx": -G * np.sin(SLOPE), "gz": -G * np.cos(SLOPE), "z": 0.05,
            "geom": 'type="box" size="0.2 0.1 0.05"', "mass": 2,
        },
    }  # fmt: skip
    for name, run, truth, end, axis in cases:
        competitors = [Competitor("mubo", run)]
        if importlib.util.find_spec("mujoco"):
            for step in STEPS:
                velocity, more = (SPEED if name == "block" else 0.0), scenes[name] | {"contact": contacts[name]}
                stepped = in_mujoco(step, end, velocity, integrator="implicitfast", **more)
                competitors.append(Competitor(f"MuJoCo, step {step:g}", stepped))
        found = race(competitors, rounds=5)
        lines = [[name, "time", "ratio", "per simulated second", "error"]]
        for one in found:
            error = abs(float(np.atleast_1d(one.answer)[axis if np.ndim(one.answer) else 0]) - truth)
            shown = [one.name, duration(one.seconds), ratio(one.seconds / found[0].seconds)]
            lines.append([*shown, duration(one.seconds / end), f"{error:.1e}"])
        print_table(lines)


def growth() -> None:
    """Time over the number of contacts, and of the slider-crank with clearance and of a bicycle."""
    for what, counts, made, end in (("balls", BALLS, balls, 1.0), ("discs in a box", DISCS, discs, 0.5)):
        models = [made(count) for count in counts]
        competitors = [
            Competitor(str(n), lambda m=m, end=end: m.simulate(0, end, step=end))
            for n, m in zip(counts, models, strict=True)
        ]
        found = race(competitors, rounds=3)
        lines = [[what, "time", "per simulated second", "impacts", "exponent", "energy lost or gained"]]
        for k, one in enumerate(found):
            slope, run = "", one.answer
            if k:
                slope = f"{np.log(one.seconds / found[k - 1].seconds) / np.log(counts[k] / counts[k - 1]):.2f}"
            impacts = sum(entry["event"] == "impact" for entry in run.summary["contacts"])
            energy = f"{run.summary['energy']['relative']:.0e}"
            lines.append([one.name, duration(one.seconds), duration(one.seconds / end), str(impacts), slope, energy])
        print_table(lines)


def machines() -> None:
    """The slider-crank with clearance and a bicycle that rolls for five seconds."""
    ends = {"clearance_slider_crank": sized(0.02, 0.001), "bicycle": sized(5.0, 0.1)}
    models = {name: mubo.load(EXAMPLES / f"{name}.toml") for name in ends}
    runs = [Competitor(name, lambda n=name: models[n].simulate(0, ends[n], step=ends[n])) for name in ends]
    lines = [["machine", "time", "per simulated second", "energy balance"]]
    for one in race(runs, rounds=3):
        energy = f"{one.answer.summary['energy']['relative']:.0e}"
        lines.append([one.name, duration(one.seconds), duration(one.seconds / ends[one.name]), energy])
    print_table(lines)


if __name__ == "__main__":
    races()
    growth()
    machines()
