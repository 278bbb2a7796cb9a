"""Many candidates of contact, of which few are watched at a time: closed forms, whoever else is there.

Elastic impacts of equal balls on one line exchange their velocities (Newton); a ball that bounces is on a parabola
after every impact.
"""

import numpy as np
import pytest

import mubo

G = 9.81


def discs(places, radius, walls=()):
    """Elastic discs of equal mass, of which any two may meet, and each any wall."""
    model = mubo.Model("discs", gravity=[0, 0])
    for k, place in enumerate(places):
        model.body(f"disc{k}", position=list(place), angle=0, mass=1, inertia=0.5 * radius**2)
        model.surface(f"rim{k}", body=f"disc{k}", shape="circle", radius=radius)
    for k, (at, normal) in enumerate(walls):
        model.surface(f"wall{k}", body="ground", shape="plane", at=at, normal=normal)
    names = [*(f"rim{k}" for k in range(len(places))), *(f"wall{k}" for k in range(len(walls)))]
    model.contact("all", among=names, restitution=1)
    return model


@pytest.mark.parametrize("formulation", ["tree", "absolute"])
@pytest.mark.parametrize("speed", [0.5, 300.0])
def test_a_disc_from_far_away_hits_the_one_on_its_line(formulation, speed):
    """It passes ten others at the side, which it never touches, and stops where it hits: the other takes its velocity.
    Both are far from each other at the start, and travel many diameters within one step."""
    radius = 0.1
    places = [(0, 0), *((float(k), 0.5) for k in range(1, 11)), (12, 0)]
    model = discs(places, radius)
    model.initial("disc0", velocity=[speed, 0], omega=0)
    hit = (12 - 2 * radius) / speed
    run = model.simulate(0, 2 * hit, step=hit / 4, formulation=formulation)
    (impact,) = run.summary["contacts"]
    assert impact["t"] == pytest.approx(hit, rel=1e-12)
    assert run["disc0.vx"][-1] == pytest.approx(0, abs=1e-12 * speed)
    assert run["disc11.vx"][-1] == pytest.approx(speed, rel=1e-12)
    assert run["disc11.x"][-1] == pytest.approx(12 + speed * hit, rel=1e-12)


@pytest.mark.parametrize("count", [3, 40])
def test_balls_side_by_side_bounce_as_one_alone(count):
    """Height after the first two impacts with restitution e: parabolas from v = e √(2 g h), then e² √(2 g h)."""
    radius, e, drop, end = 0.1, 0.7, 0.5, 0.8
    model = mubo.Model("balls", gravity=[0, -G])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    drops = [drop + 0.01 * k for k in range(count)]
    for k, height in enumerate(drops):
        model.body(f"ball{k}", position=[0.3 * k, radius + height], angle=0, mass=1, inertia=0.004)
        model.surface(f"rim{k}", body=f"ball{k}", shape="circle", radius=radius)
        model.contact(f"bounce{k}", between=[f"rim{k}", "floor"], restitution=e)
    run = model.simulate(0, end, step=end)
    for k, height in enumerate(drops):
        speed, t = np.sqrt(2 * G * height), np.sqrt(2 * height / G)
        while t + 2 * e * speed / G < end:
            speed *= e
            t += 2 * speed / G
        speed *= e
        expected = radius + speed * (end - t) - G * (end - t) ** 2 / 2
        assert run[f"ball{k}.y"][-1] == pytest.approx(expected, abs=1e-10)


def test_discs_in_a_box_keep_their_energy():
    """Elastic discs without gravity: no impact and no wall changes the kinetic energy, and nothing overlaps."""
    random, side, size = np.random.default_rng(4), 4, 1.0
    places = [(size * (k % side + 0.5) / side, size * (k // side + 0.5) / side) for k in range(side * side)]
    model = discs(places, 0.07, (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 1), (0, -1)), ((1, 1), (-1, 0))))
    for k in range(side * side):
        model.initial(f"disc{k}", velocity=[float(v) for v in random.uniform(-2, 2, 2)], omega=0)
    run = model.simulate(0, 0.5, step=0.05)
    impacts = [entry for entry in run.summary["contacts"] if entry["event"] == "impact"]
    assert len(impacts) > 50
    assert run["energy.kinetic"] == pytest.approx(np.full(11, run["energy.kinetic"][0]), rel=1e-11)
    assert np.min(run["all.gap"]) > -1e-9


def test_an_impact_costs_what_its_own_neighbours_cost():
    """Balls that bounce side by side never meet: twice as many take twice the evaluations of a ball, not four times.
    Integrated together, every impact of one would end the steps of all."""
    count = {}
    for number in (8, 32):
        model = discs([(k, 0.5 + 0.01 * k) for k in range(number)], 0.1, (((0, 0), (0, 1)),)[:0])
        model.surface("floor", body="ground", shape="plane", normal=[0, 1])
        for k in range(number):
            model.initial(f"disc{k}", velocity=[0, -1.0 - 0.01 * k], omega=0)
            model.contact(f"floor{k}", between=[f"rim{k}", "floor"], restitution=0.5)
        run = model.simulate(0, 1, step=1)
        assert len([one for one in run.summary["contacts"] if one["event"] == "impact"]) == number
        count[number] = run.summary["steps"]["taken"] / number
    assert count[32] == pytest.approx(count[8], rel=0.5)


def test_discs_that_fall_into_a_box_come_to_rest():
    """Twelve discs fall on each other with restitution and friction: energy is never gained, nothing overlaps, impulses
    balance at every instant (P · (u⁻ + u⁺)/2 is the energy lost), and the run does not stop."""
    random, radius = np.random.default_rng(1), 0.05
    places = [(0.13 * (k % 3 + 0.5) + random.uniform(-0.01, 0.01), 0.13 * (k // 3 + 0.7)) for k in range(6)]
    walls = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0.39, 0), (-1, 0)))
    model = mubo.Model("box", gravity=[0, -G])
    for k, place in enumerate(places):
        model.body(f"disc{k}", position=[float(x) for x in place], angle=0, mass=1, inertia=0.5 * radius**2)
        model.initial(f"disc{k}", velocity=[float(v) for v in random.uniform(-1, 1, 2)], omega=0)
        model.surface(f"rim{k}", body=f"disc{k}", shape="circle", radius=radius)
    for k, (at, normal) in enumerate(walls):
        model.surface(f"wall{k}", body="ground", shape="plane", at=at, normal=normal)
    names = [*(f"rim{k}" for k in range(len(places))), "wall0", "wall1", "wall2"]
    model.contact("all", among=names, restitution=0.4, friction=0.3)
    run = model.simulate(0, 0.5, step=0.05)
    assert run.status == "ok"
    assert run.summary["energy"]["relative"] < 1e-7
    assert np.max(np.diff(run["energy.total"])) < 1e-8
    assert np.min(run["all.gap"]) > -1e-9
    lost: dict[float, float] = {}
    for one in run.summary["contacts"]:
        if one["event"] == "impact":
            work = -0.5 * one["impulse"] * (one["speed_before"] + one["speed_after"])
            work -= 0.5 * one["friction_impulse"] * (one["slip_before"] + one["slip_after"])
            assert one["energy_lost"] == pytest.approx(work, abs=1e-10)
            lost[one["t"]] = lost.get(one["t"], 0.0) + work
    assert min(lost.values()) > -1e-10
