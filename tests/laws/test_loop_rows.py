"""True for every planar row as vectors of a loop: its loops hold what the same row holds in absolute coordinates.

Numbers are crooked on purpose: nothing stands in the origin, lies along an axis, or has a constant of zero."""

import numpy as np
import pytest

import mubo
from mubo.elements import DRIVERS, JOINTS
from mubo.mechanism.formulations.row_vectors import ROW_VECTORS
from mubo.solvers.assembly.start_analysis import analyse_start

TIMES = (0.0, 0.5, 0.05)


def crank(turn="0.5 + 0.6*t"):
    """A crank on a pin of the ground, driven unless `turn` is None."""
    model = mubo.Model("crooked")
    model.ground.point("A", (0.1, -0.2))
    model.ground.point("G", (1.9, 0.3))
    model.body("crank", (0.1, -0.2), 0.5, {"A": (0, 0), "B": (0.4, 0.1), "S": (0.2, -0.1)})
    model.revolute("A", "ground.A", "crank.A")
    if turn:
        model.driver("motor", "crank.phi", turn)
    return model


def rod(model):
    """A rod on the crank, with its end at (1.6, 0.1) or so."""
    model.body("rod", (0.4, 0.08), 0.02, {"B": (0, 0.05), "C": (1.2, 0.0), "P": (0.6, 0.2)})
    model.revolute("B", "crank.B", "rod.B")
    return model


def slider_crank(turn="0.5 + 0.6*t"):
    model = rod(crank(turn))
    model.body("piston", (1.6, 0.1), 0.4, {"C": (0.1, 0.02)})
    model.revolute("C", "rod.C", "piston.C")
    model.joint("guide", "translational", "ground.G", "piston.C", axis=(3, 1), angle=0.35)
    return model


def driven_slide():
    model = slider_crank(None)
    model.driver("ram", "guide", "-0.30 + 0.04*t")
    return model


def driven_elbow():
    model = slider_crank(None)
    model.driver("elbow", "B", "-0.45 + 0.2*t")
    return model


def driven_place():
    model = slider_crank(None)
    model.driver("puller", "rod.P.x", "0.98 - 0.05*t")
    return model


def driven_height():
    model = slider_crank(None)
    model.driver("lifter", "rod.P.y", "0.30 + 0.03*t")
    return model


def driven_distance():
    model = slider_crank(None)
    model.driver("ram", ("ground.G", "crank.B"), "1.5 - 0.05*t")
    return model


def held():
    model = mubo.Model("held")
    model.body("wedge", (0.3, 0.2), 0.2)
    model.joint("x", "coordinate", "wedge.x", value=0.4)
    model.joint("turn", "coordinate", "wedge.phi", value=0.3)
    model.driver("lift", "wedge.y", "0.2 + t")
    return model


def held_height():
    model = mubo.Model("held height")
    model.body("wedge", (0.3, 0.2), 0.2)
    model.joint("y", "coordinate", "wedge.y", value=0.4)
    model.joint("turn", "coordinate", "wedge.phi", value=-0.3)
    model.driver("push", "wedge.x", "0.2 + t")
    return model


def slot():
    model = crank()
    model.body("arm", (1.9, 0.3), 3.5, {"G": (0, 0), "S": (0.1, 0.05)})
    model.revolute("G", "ground.G", "arm.G")
    model.joint("slot", "slot", "arm.S", "crank.B", axis=(2, -0.3))
    return model


def link(kind, **options):
    """A four-bar whose coupler has no body."""
    model = crank()
    model.body("rocker", (1.9, 0.3), 1.7, {"G": (0, 0), "D": (0.7, 0.1)})
    model.revolute("G", "ground.G", "rocker.G")
    model.joint("link", kind, "crank.B", "rocker.D", **options)
    return model


def welded():
    model = rod(crank())
    model.body("foot", (1.6, 0.1), 0.5, {"C": (0.1, 0.1)})
    model.joint("weld", "fixed", "rod.C", "foot.C", angle=0.6)
    model.body("piston", (1.7, 0.2), 0.4, {"C": (0.1, 0.02), "O": (0, 0)})
    model.joint("pin", "revolute", "foot.C", "piston.C")
    model.joint("guide", "translational", "ground.G", "piston.C", axis=(3, 1), angle=0.35)
    return model


def rack():
    """Offset = slide + r · turn, far from what the estimates have."""
    model = crank()
    model.body("rack", (0.2, -0.4), 0.3, {"O": (0.1, 0.05)})
    model.joint("slide", "translational", "ground.G", "rack.O", axis=(3, 1), angle=0.35)
    model.joint("mesh", "rack", "rack.O", "crank.A", axis=(4, 1), radius=0.15, side="right", offset=0.37)
    return model


def wheels(kind, **options):
    """A sun on the ground and a planet on an arm that turns."""
    model = crank()
    model.body("sun", (0.1, -0.2), 0.3, {"A": (0, 0)})
    model.body("planet", (0.4, 0.1), 0.9, {"B": (0, 0)})
    model.revolute("shaft", "ground.A", "sun.A")
    model.revolute("B", "crank.B", "planet.B")
    model.joint("mesh", kind, "sun", "planet", carrier="crank", radii=(0.2, 0.13), phase=0.07, **options)
    model.driver("sun", "sun.phi", "0.3 - 2*t")
    return model


def oldham():
    model = crank()
    model.body("disc", (1.9, 0.3), 1.2, {"G": (0, 0)})
    model.revolute("G", "ground.G", "disc.G")
    model.joint("coupling", "oldham", "crank.A", "disc.G", angle=0.8)
    return model


MODELS = {
    "slider crank": slider_crank,
    "driven slide": driven_slide,
    "driven elbow": driven_elbow,
    "driven place": driven_place,
    "driven height": driven_height,
    "driven distance": driven_distance,
    "held": held,
    "held height": held_height,
    "slot": slot,
    "distance": lambda: link("distance", length=1.55),
    "circle": lambda: link("circle", radius=1.55),
    "welded": welded,
    "rack": rack,
    "gears": lambda: wheels("gears"),
    "internal gears": lambda: wheels("gears", mesh="internal"),
    "belt": lambda: wheels("belt", run="crossed"),
    "oldham": oldham,
}


def test_every_row_that_is_a_vector_is_among_the_models():
    """A new joint without a cam must come with a model here; a new driver too. What rolls is solved in absolute
    coordinates: its equations are no vectors, and those on velocities have no position. A Geneva drive changes over."""
    looks = [analyse_start(make().build(), 0.0) for make in MODELS.values()]
    used = {row.kind for look in looks for row in look.form.mechanism.rows}
    kinds = {joint.kind for look in looks for joint in look.form.model.joints.values()}
    assert set(ROW_VECTORS) <= used
    rolls = {name for name, e in JOINTS.items() if e.contact or any(row.on_velocities for row in e.rows)}
    assert kinds == {name for name, e in JOINTS.items() if e.rows and not (e.profiled or e.curved)} - rolls - {"geneva"}
    assert {row.kind for element in DRIVERS.values() for row in element.rows} <= used


@pytest.mark.parametrize("name", MODELS)
def test_what_loops_solve_satisfies_the_rows(name):
    """Positions, velocities and accelerations by loops: Φ, J v − ν and J a − γ of the absolute rows vanish."""
    run = MODELS[name]().kinematics(*TIMES, formulation="loops")
    assert run.summary["status"] == "ok"
    assert max(run.summary["residual"].values()) < 1e-9


@pytest.mark.parametrize("name", MODELS)
def test_the_first_unknowns_close_the_loops(name):
    """Angles and slides read off the assembled position satisfy the loops as they are, before any correction."""
    look = analyse_start(MODELS[name]().build(), 0.0)
    loops = look.loops
    still = np.zeros_like(loops.start)
    phi, _, _ = loops.system.along(loops.start, still, still, look.motion)
    np.testing.assert_allclose(phi, 0, atol=1e-9)


@pytest.mark.parametrize(
    ("make", "column", "value"),
    [
        (driven_slide, "guide.q", lambda t: -0.30 + 0.04 * t),
        (driven_elbow, "B.q", lambda t: -0.45 + 0.2 * t),
        (held, "wedge.y", lambda t: 0.2 + t),
        (held, "wedge.phi", lambda t: 0.3 + 0 * t),
        (held_height, "wedge.y", lambda t: 0.4 + 0 * t),
    ],
)
@pytest.mark.parametrize("formulation", ["absolute", "loops"])
def test_a_driven_coordinate_is_what_its_law_says(make, column, value, formulation):
    """Slides are lengths however long the axis is written."""
    run = make().kinematics(*TIMES, formulation=formulation)
    np.testing.assert_allclose(run[column], value(run["t"]), atol=1e-12)


@pytest.mark.parametrize(
    ("kind", "make"), [("ratio", MODELS["gears"]), ("ratio", MODELS["belt"]), ("coordinate", slider_crank)]
)
def test_a_row_without_vectors_of_its_own_may_be_linear_in_the_angles(monkeypatch, kind, make):
    """The ratio of two wheels with its phase, and a driven angle, as any row that is seen to be linear."""
    monkeypatch.delitem(ROW_VECTORS, kind)
    run = make().kinematics(*TIMES, formulation="loops")
    assert max(run.summary["residual"].values()) < 1e-9


@pytest.mark.parametrize(
    ("kind", "make"), [("coincide", slider_crank), ("distance", MODELS["distance"]), ("coordinate", held)]
)
def test_a_row_of_places_is_not_taken_for_a_linear_one(monkeypatch, kind, make):
    """Not even x = 0.4, which is linear, but in no angle."""
    monkeypatch.delitem(ROW_VECTORS, kind)
    with pytest.raises(mubo.ModelError, match="which is no vector"):
        make().kinematics(*TIMES, formulation="loops")
