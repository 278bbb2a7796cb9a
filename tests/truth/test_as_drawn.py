"""Drivers that start where they are drawn: value(t) = value at the estimated positions + f(t).

A boom pinned at O with the eye M of a ram at distance m from O, and the ram's other eye N at distance n from O: at the
angle θ between ON and OM the ram's length is √(m² + n² − 2 m n cos θ).
"""

import math
import re

import pytest

import mubo
from mubo.errors import ModelError
from mubo.formats import load

BOOM = """
units = { length = "m", angle = "deg" }
[body.ground]
points = { O = [0, 0], N = [3, 0] }
[body.boom]
angle = 40
points = { O = [0, 0], M = [2, 0] }
[joint.O]
type = "revolute"
between = ["ground.O", "boom.O"]
[driver.ram]
between = ["ground.N", "boom.M"]
motion = "0.05*t"
start = "as drawn"
[analysis]
start = 0
end = 2
step = 1
"""


def length(degrees):
    return math.sqrt(13 - 12 * math.cos(math.radians(degrees)))


@pytest.fixture
def boom(tmp_path):
    (tmp_path / "boom.toml").write_text(BOOM)
    return mubo.load(tmp_path / "boom.toml")


def test_a_ram_starts_at_its_drawn_length(boom):
    run = boom.kinematics()
    drawn = length(40)
    assert run["ram.value"] == pytest.approx([drawn, drawn + 0.05, drawn + 0.1], rel=1e-14)
    assert run["ram.rate"] == pytest.approx([0.05] * 3, rel=1e-14)
    theta = [math.degrees(math.acos((13 - r * r) / 12)) for r in run["ram.value"]]
    assert run["boom.phi"] == pytest.approx(theta, rel=1e-12)
    assert any(f"driver ram: counts from {drawn:.9g} m" in note for note in run.summary["warnings"])


@pytest.mark.parametrize(
    ("of", "drawn"), [("boom.phi", 40), ("O", 40), ("boom.M.y", 2 * math.sin(math.radians(40))), ("boom.x", 0)]
)
def test_every_kind_of_driver(boom, of, drawn):
    boom.drivers.clear()
    if of == "boom.x":
        boom.joints.clear()
        boom.joint("y", "coordinate", "boom.y", value=0)
        boom.joint("phi", "coordinate", "boom.phi", value=40)
    boom.driver("motor", of, "0.5 + 0.1*t", start="as drawn")
    run = boom.kinematics()
    assert run["motor.value"] == pytest.approx([drawn + 0.5 + 0.1 * t for t in (0, 1, 2)], rel=1e-13)


def test_a_slide(boom):
    boom.drivers.clear()
    boom.joints.clear()
    del boom.bodies["boom"]
    boom.body("sled", position=(1.25, 0), points={"S": (0, 0)})
    boom.translational("S", "ground.O", "sled.S", axis=(1, 0), angle=0)
    boom.driver("ram", "S", {"rate": "5 cm/s"}, start="as drawn")
    assert boom.kinematics()["sled.x"] == pytest.approx([1.25, 1.3, 1.35], rel=1e-14)


def test_written_and_read_again(boom, tmp_path):
    for ending in ("toml", "json"):
        boom.save(tmp_path / f"again.{ending}")
        assert load(tmp_path / f"again.{ending}") == boom.build()
    with pytest.raises(ModelError, match="driver ram: starts as drawn, which KABIOS cannot say"):
        boom.save(tmp_path / "again.dat")


def test_what_cannot_be(boom, tmp_path):
    (tmp_path / "wrong.toml").write_text(BOOM.replace('"as drawn"', '"as is"'))
    with pytest.raises(ModelError, match=re.escape('driver ram: there is no start "as is"')):
        mubo.load(tmp_path / "wrong.toml")
    (tmp_path / "wrong.toml").write_text(BOOM.replace('"0.05*t"', '{ rate = 1, start = "as drawn" }'))
    with pytest.raises(ModelError, match=re.escape('write start = "as drawn" beside motion, not in it')):
        mubo.load(tmp_path / "wrong.toml")
    with pytest.raises(ModelError, match="driver ram: starts as drawn, which is another value in every variant"):
        boom.batch({"boom.M": [(2, 0), (2.1, 0)]})


@pytest.mark.parametrize("formulation", ["tree", "wittenburg"])
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "screw"])
def test_in_space(kind, formulation):
    """A driven joint of a tree counts from its initial condition, in both formulations; so does its kinematics."""
    model = mubo.Model("arm", {"angle": "deg"}, dimension=3, gravity=(0, 0, -9.81))
    model.ground.point("O", (0, 0, 0))
    model.body("arm", mass=1, inertia=(1, 1, 1), points={"O": (0, 0, 0)})
    model.joint("O", kind, "ground.O", "arm.O", axis=(0, 1, 0), **({"lead": 0.2} if kind == "screw" else {}))
    model.initial("O", q=30)
    model.driver("motor", "O", "10*t", start="as drawn")
    run = model.simulate(0, 2, step=1, formulation=formulation)
    assert run["O.q"] == pytest.approx([30, 40, 50], rel=1e-9)
    assert model.kinematics(0, 2, step=1)["O.q"] == pytest.approx([30, 40, 50], rel=1e-12)
    assert not any("not used" in note for note in run.summary["warnings"])


def test_an_initial_angle_that_the_drawing_contradicts_is_told():
    """A body drawn at 40° whose joint is said to begin at 10°: the driver counts from the drawing, and that is told."""
    m = mubo.Model("arm", dimension=3, gravity=(0, 0, 0), units={"length": "m", "angle": "deg"})
    m.ground.point("O", (0, 0, 0))
    drawn = {"euler": "zxz", "angles": [40, 0, 0]}
    m.body("arm", mass=1, inertia=(0.1, 0.1, 0.1), points={"O": (0, 0, 0)}, orientation=drawn)
    m.joint("hinge", "revolute", "ground.O", "arm.O", axis=(0, 0, 1))
    m.driver("motor", "hinge", {"rate": "30 rpm"}, start="as drawn")
    unused = "joint hinge: is driven; its initial condition is not used"
    for angle, told in ((40, False), (10, True)):
        said = m.copy()
        said.initial("hinge", q=angle)
        run = said.simulate(0, 0.1, step=0.05)
        assert run["hinge.q"] == pytest.approx([40, 49, 58])  # 30 rpm are 180°/s
        assert (unused in run.summary["warnings"]) == told
