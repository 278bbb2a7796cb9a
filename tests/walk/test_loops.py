"""The loops of a mechanism as they are shown: polygons, and the groups designers think in."""

import json
import math

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.solvers.assembly.start_analysis import analyse_start
from mubo.solvers.continuation.steppers import Settings
from mubo.solvers.kinematics.formulations import choose_formulation
from mubo.topology.independence import dependent_rows


def test_a_four_bar_is_a_driver_and_a_dyad(command):
    done = command("check", EXAMPLES / "four_bar.toml", "--loops")
    assert done.returncode == 0, done.stderr
    assert "z1 + z2 - z3 - z4 = 0, closed by C" in done.stdout
    assert "F = 3 (N - 1) - C = 3*3 - 8 = 1" in done.stdout
    assert "F = (N - 1) - 2 L = 3 - 2*1 = 1" in done.stdout
    report = json.loads(command("check", EXAMPLES / "four_bar.toml", "--loops", "--json").stdout)
    assert [loop["signs"] for loop in report["loops"]] == [{"z1": 1, "z2": 1, "z3": -1, "z4": -1}]
    assert [vector["link"] for vector in report["vectors"]] == ["crank", "coupler", "rocker", "ground"]
    assert [vector["length"] for vector in report["vectors"]] == pytest.approx([2, 4, 4, 2.5])
    assert report["independent"] is True
    assert [group["kind"] for group in report["groups"]] == ["driver", "dyad RRR"]


def test_the_eight_bodies_are_solved_group_by_group():
    """Each driven ram is a dyad with the body it moves; the bucket and its link are the last one."""
    groups = mubo.load(EXAMPLES / "eight_body.toml").loops().groups
    assert groups == (
        ("driver", ("slide of lower_ram",)),
        ("dyad RRR", ("angle of boom", "angle of lower_cylinder")),
        ("driver", ("slide of upper_ram",)),
        ("dyad RRR", ("angle of lever", "angle of upper_cylinder")),
        ("dyad RRR", ("angle of bucket", "angle of link")),
    )


@pytest.mark.parametrize("name", ["slider_crank", "scotch_yoke", "elliptic_trammel", "rack_and_pinion", "jansen_leg"])
def test_no_group_reads_what_a_later_one_solves(name):
    """One equation of a loop may be solved before the other: memory full of NaN must not reach it."""
    look = analyse_start(mubo.load(EXAMPLES / f"{name}.toml").build(), 0.0)
    times = np.linspace(0, 0.02, 5)
    motion = look.form.motion(times)
    settings = Settings(look.tolerance, formulation="loops", scale=look.form.scale)
    _, stepper, _ = choose_formulation(look, settings)
    _, state = stepper.start(look.assembly.q, motion[0])
    for _ in range(20):
        freed = [np.full(size, np.nan) for size in (5 * state.size, 3 * state.size) for _ in range(10)]
        del freed  # the core's arrays of the same size are likely to be put there
        status, _, states, _ = stepper.sweep(times, motion, state, np.inf)
        assert status == 0
        assert np.isfinite(states).all()


def test_cams_have_no_loops(command):
    done = command("check", EXAMPLES / "tappet_cam.toml", "--loops")
    assert done.returncode == 1
    assert "cannot be written as vector loops: joint contact" in done.stderr


PLANAR = [path.stem for path in sorted(EXAMPLES.glob("*.toml")) if "dimension = 3" not in path.read_text()]
PLANAR = [name for name in PLANAR if "_cam" not in name and name != "geneva"]  # neither is a vector
# Free ones have no groups, nor those of which a contact moves a part.
DRIVEN = [
    name
    for name in PLANAR
    if "[driver." in (text := (EXAMPLES / f"{name}.toml").read_text())
    and "[contact." not in text
    and "journal_film" not in text
]


@pytest.mark.parametrize("name", DRIVEN)
def test_every_polygon_of_the_table_closes(name):
    """The signed sum of the vectors of each loop is zero, and the rows of the table are independent."""
    report = mubo.load(EXAMPLES / f"{name}.toml").loops()
    vectors = {vector.name: vector for vector in report.vectors}
    size = max((vector.length for vector in report.vectors), default=1.0)
    for loop in report.loops:
        x, y = (sum(s * (vectors[n].end[k] - vectors[n].start[k]) for n, s in loop.walk) for k in (0, 1))
        assert math.hypot(x, y) < 1e-9 * size
    assert not report.dependent
    assert report.counts.gruebler == report.counts.paul
    assert sum(len(unknowns) for _, unknowns in report.groups) > 0


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("slider_crank", ["driver", "dyad RRP"]),
        ("whitworth", ["driver", "dyad RPR", "dyad RRP"]),
        ("scotch_yoke", ["driver", "locked", "dyad RPP"]),
        ("planetary_gear", ["driver", "gear train"]),
        ("jansen_leg", ["driver", "dyad RRR", "dyad RRR", "dyad RRR"]),
    ],
)
def test_groups_have_the_names_designers_use(name, kinds):
    assert [kind for kind, _ in mubo.load(EXAMPLES / f"{name}.toml").loops().groups] == kinds


def test_a_pin_between_two_sliders_is_a_dyad_prp():
    """Two blocks on crossed rails that themselves move, joined by a pin: each slide is unknown, the pin is inside."""
    model = mubo.Model("crossed rails")
    model.ground.point("O", (0, 0))
    model.body("lift", (0, 0), 0, {"O": (0, 0)})
    model.body("side", (1, 1), 0, {"S": (0, 0)})
    model.body("block", (1, 1), 0, {"S": (0, 0)})
    model.translational("rise", "ground.O", "lift.O", axis=(0, 1), angle=0)
    model.translational("level", "lift.O", "side.S", axis=(1, 0), angle=0)
    model.translational("ramp", "ground.O", "block.S", axis=(1, 1), angle=0)
    model.revolute("S", "side.S", "block.S")
    model.driver("jack", "rise", "1 + t")
    assert [kind for kind, _ in model.loops().groups] == ["driver", "dyad PRP"]


def test_larger_groups_say_how_many_equations_they_have():
    """A four-bar driven by the angle between coupler and rocker: no part of it can be solved alone."""
    model = mubo.load(EXAMPLES / "four_bar.toml")
    model.drivers.clear()
    model.driver("motor", "C", "0.581 + 0.1*t")
    (group,) = model.loops().groups
    assert group[0] == "group of 3 equations"


def test_okins_table_is_independent_and_a_sixth_loop_is_not():
    """Loops (26) to (30) of O'Kins' eleven-bar, Table I; L1 - L2 closes too, and adds nothing."""
    table = [
        {"z5": 1, "z2": 1, "z4": 1, "z6": -1, "z3": -1},
        {"z7": -1, "z6": -1, "z3": -1, "z5": 1, "z1": 1, "z8": 1},
        {"z18": -1, "z7": 1, "z9": 1, "z11": -1, "z10": -1},
        {"z11": 1, "z13": 1, "z14": 1, "z12": -1},
        {"z13": -1, "z16": 1, "z17": 1, "z15": -1, "z14": -1},
    ]
    assert dependent_rows(table) == {}
    sixth = {"z2": 1, "z4": 1, "z7": 1, "z1": -1, "z8": -1}
    assert dependent_rows([*table, sixth]) == {5: {0: 1, 1: -1}}


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_polygons_are_drawn(command, tmp_path, ending):
    done = command("check", EXAMPLES / "jansen_leg.toml", "--loops", "-o", f"loops.{ending}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].split() == ["file", f"loops.{ending}"]
    assert (tmp_path / f"loops.{ending}").stat().st_size > 5000


def test_a_picture_without_loops_is_that_of_the_first_position(command, tmp_path):
    done = command("check", EXAMPLES / "four_bar.toml", "-o", "first.svg")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "first.svg").stat().st_size > 5000


def test_the_loop_table_of_a_deck_is_that_of_its_cards(command):
    """Table I of O'Kins (1964), and the lengths and pins of Figure 11 in the numbers of the cards."""
    report = json.loads(command("check", EXAMPLES / "eleven_bar.deck", "--loops", "--json").stdout)
    table = [
        {"z2": 1, "z3": -1, "z4": 1, "z5": 1, "z6": -1},
        {"z1": 1, "z3": -1, "z5": 1, "z6": -1, "z7": -1, "z8": 1},
        {"z7": 1, "z9": 1, "z10": -1, "z11": -1, "z18": -1},
        {"z11": 1, "z12": -1, "z13": 1, "z14": 1},
        {"z13": -1, "z14": -1, "z15": -1, "z16": 1, "z17": 1},
    ]
    assert [loop["signs"] for loop in report["loops"]] == table
    deck = mubo.load(EXAMPLES / "eleven_bar.deck")
    lengths = deck.origin.data.linkage.lengths
    assert [vector["length"] for vector in report["vectors"]] == pytest.approx(lengths, abs=1e-9)
    angles = [vector["angle_deg"] % 360 for vector in report["vectors"]]
    at_start = deck.kinematics(0, 1, 1)
    assert angles == pytest.approx([at_start[f"z{n}.theta"][0] % 360 for n in range(1, 19)], abs=1e-8)
    assert (report["counts"]["gruebler"], report["counts"]["paul"], report["counts"]["loops"]) == (1, 1, 5)
    assert "card on line 7" in command("check", EXAMPLES / "eleven_bar.deck", "--loops").stdout


@pytest.mark.parametrize("name", ["type1", "type2"])
def test_loops_of_a_crank_deck(name):
    (loop,) = mubo.load(EXAMPLES / f"{name}.deck").loops().loops
    assert loop.signs == {"z1": 1, "z2": 1, "z3": 1, "z4": 1}
