"""Contacts from a file to columns, events and messages, as people use them."""

import numpy as np
import pytest

import mubo

BALL = """
gravity = [0, -9.81]
[body.ball]
position = [0, {height}]
angle = 0
mass = 1
inertia = 0.004
[surface.rim]
body = "ball"
shape = "circle"
radius = 0.1
[surface.floor]
body = "ground"
shape = "plane"
normal = [0, 1]
[contact.bounce]
between = ["rim", "floor"]
restitution = {restitution}
{more}
[analysis]
type = "simulate"
end = 1
step = 0.1
"""


def _load(tmp_path, height=0.5, restitution=0.7, more=""):
    path = tmp_path / "ball.toml"
    path.write_text(BALL.format(height=height, restitution=restitution, more=more))
    return mubo.load(path)


def test_a_file_with_contact_is_read_written_and_simulated(tmp_path):
    model = _load(tmp_path)
    run = model.simulate(0, 1, step=0.1)
    assert {"bounce.gap", "bounce.normal", "bounce.fy", "bounce.x"} <= set(run.columns)
    assert [event.kind for event in run.events][:2] == ["impact", "impact"]
    assert "hits" in run.events[0].message
    again = tmp_path / "again.toml"
    model.save(again)
    assert mubo.load(again).simulate(0, 1, step=0.1)["ball.y"] == pytest.approx(run["ball.y"], abs=0)


def test_rows_do_not_depend_on_the_output_step_or_the_units(tmp_path):
    model = _load(tmp_path, restitution=0.5)
    coarse, fine = model.simulate(0, 1, step=0.5), model.simulate(0, 1, step=0.05)
    assert coarse["ball.y"][-1] == pytest.approx(fine["ball.y"][-1], abs=1e-10)
    path = tmp_path / "millimetres.toml"
    text = (
        BALL.format(height=500, restitution=0.5, more="")
        .replace("-9.81", "-9810")
        .replace("0.1\n[surface.floor", "100\n[surface.floor")
    )
    path.write_text('units = { length = "mm" }\n' + text.replace("inertia = 0.004", 'inertia = "0.004 kg*m^2"'))
    other = mubo.load(path).simulate(0, 1, step=0.5)
    assert np.asarray(other["ball.y"]) / 1000 == pytest.approx(coarse["ball.y"], abs=1e-10)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"restitution": 1.2}, "between 0"),
        ({"more": "damping = 'flores'"}, "belongs to compliant contact"),
        ({"more": "static_friction = 0.3"}, '"friction" is missing'),
        ({"more": "friction = 0.3\nstribeck = 0.1"}, "Stribeck's curve falls"),
        ({"more": "impact = 'poisson'\nstiffness = 1e6"}, "law of rigid contacts"),
        ({"more": "teeth = 12"}, '"teeth" belongs to a contact with "of"'),
        ({"more": "[contact.r]\nrope = ['ball', 'ball']\nlength = 1"}, "both ends of the rope are on one body"),
        ({"more": "[contact.r]\nrope = ['ball.X', 'ground']\nlength = 1"}, "X"),
        ({"more": "[contact.r]\nrope = ['ball', 'ground']"}, '"length"'),
        ({"more": "[contact.c]\nof = 'A'\nfreewheel = 'forward'"}, 'there is no joint "A"'),
        ({"more": "[contact.g]\nwheels = ['ball', 'bell']\nradii = [1, 2]\nbacklash = 0.1"}, 'there is no body "bell"'),
        ({"more": "[surface.wall]\nbody = 'ground'\nshape = 'plane'"}, '"normal" is missing'),
        (
            {"more": "[surface.wall]\nbody = 'ground'\nshape = 'circle'\nradius = 1\nyoung = 1e9"},
            '"poisson" is missing',
        ),
        (
            {"more": "[surface.tip]\nbody = 'ball'\nshape = 'point'\n[contact.own]\nbetween = ['rim', 'tip']"},
            "both surfaces belong to body ball",
        ),
    ],
)
def test_what_makes_no_contact_is_refused(tmp_path, change, words):
    with pytest.raises(mubo.ModelError, match=words):
        _load(tmp_path, **change)


def test_static_friction_may_be_the_kinetic_one_and_not_less(tmp_path):
    """Coulomb's law with one coefficient is the usual case; a body that slips is never held better than one at rest."""
    assert _load(tmp_path, more="friction = 0.3\nstatic_friction = 0.3").check().ok
    with pytest.raises(mubo.ModelError, match="at least the kinetic one"):
        _load(tmp_path, more="friction = 0.3\nstatic_friction = 0.29")


def test_bodies_inside_each_other_are_refused_with_their_depth(tmp_path):
    with pytest.raises(mubo.ModelError, match=r"begin 0\.05 .*inside each other"):
        _load(tmp_path, height=0.05).simulate(0, 1, step=0.5)


def test_studies_without_contact_refuse_or_note_it(tmp_path):
    with pytest.raises(mubo.ModelError, match="statics does not know contacts"):
        _load(tmp_path).statics()


def test_a_pair_that_cannot_touch_is_noted(tmp_path):
    more = "[surface.wall]\nbody = 'ground'\nshape = 'circle'\nradius = 1\nat = [0, -5]\n"
    more += "[body.post]\nposition = [3, 0]\nmass = 1\ninertia = 1\npoints = { P = [0, 0] }\n"
    more += "[joint.weld]\ntype = 'ground'\nbody = 'post'\n"
    more += "[surface.post]\nbody = 'post'\nshape = 'circle'\nradius = 0.1\n[contact.idle]\nbetween = ['post', 'wall']"
    run = _load(tmp_path, more=more).simulate(0, 0.2, step=0.1)
    assert any("idle" in note and "never meet" in note for note in run.summary["warnings"])


def test_painleves_rod_is_refused_by_name():
    """A rod that is pushed on a rough floor, μ beyond 4/3 of a slender rod: no rigid forces exist (Painlevé 1895)."""
    model = mubo.Model("painleve", gravity=[0, -9.81])
    angle, length = 0.9, 1.0
    centre = [0.5 * length * np.cos(angle), 0.5 * length * np.sin(angle)]
    model.body("rod", position=centre, angle=angle, mass=1, inertia=1 / 12)
    model.initial("rod", velocity=[-5, 0], omega=0)
    model.surface("tip", body="rod", shape="point", at=[-0.5 * length, 0])
    model.surface("floor", body="ground", shape="plane", normal=[0, 1])
    model.contact("floor", between=["tip", "floor"], friction=3.0)
    with pytest.raises(mubo.ModelError, match=r"contact floor: .*Painlev"):
        model.simulate(0, 0.1, step=0.05)
